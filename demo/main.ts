import { readAddress, type Address } from './address.js'
import { element, say, showGallery, showScenePage } from './page.js'
import { Panel, startReadout } from './panel.js'
import { Player } from './player.js'
import type { SceneModule, SceneState } from './scene.js'
import { Stage } from './stage.js'

/**
 * Hook for end-to-end tests, as `window.demo`. Steps are fixed steps of 1/60 s and do not depend on the
 * clock.
 */
export interface DemoHook {
  /** Resolves when the first frame has been drawn. Rejects when the page shows an error. */
  readonly ready: Promise<void>
  /** Id of the open scene. Empty in the gallery. */
  readonly scene: string
  /** Rendered frames so far. */
  readonly frames: number
  /** Makes `n` steps, then renders. */
  step(n: number): void
  pause(on: boolean): void
  reset(seed?: number): Promise<void>
  state(): SceneState
}

declare global {
  interface Window {
    demo: DemoHook
  }
}

/** Every file in `scenes/` is a scene. A new file there appears in the gallery. */
const modules = Object.values(import.meta.glob<SceneModule>('./scenes/*.ts', { eager: true })).sort(
  (a, b) => a.card.order - b.card.order,
)
const cards = modules.map((module) => module.card)

function fail(error: unknown): void {
  say(`Error: ${error instanceof Error ? error.message : String(error)}`, true)
}

/** Hook for the gallery and for a page that failed to start: its methods do nothing. */
function idleHook(ready: Promise<void>): DemoHook {
  return { ready, scene: '', frames: 0, step() {}, pause() {}, reset: () => ready, state: () => ({}) }
}

function runningHook(ready: Promise<void>, player: Player): DemoHook {
  return {
    ready,
    scene: player.module.card.id,
    get frames() {
      return player.frames
    },
    step: (n) => player.step(n),
    pause: (on) => {
      player.paused = on
    },
    reset: (seed) => player.reset(seed),
    state: () => player.state(),
  }
}

function openScene(module: SceneModule, address: Address): void {
  showScenePage(cards, module.card, address.ui)
  say('Loading …')
  const stage = new Stage(element('stage'), address)
  const player = new Player(stage, module, address)
  player.paused = address.paused
  player.onError = fail
  if (address.ui) {
    const panel = new Panel(player, fail)
    player.onOpen = (live) => panel.build(live)
    startReadout(player)
  }
  const ready = player.reset().then(() => {
    say('')
    player.start()
  })
  ready.catch(fail)
  window.demo = runningHook(ready, player)
}

try {
  const address = readAddress(window.location.search)
  const module = modules.find(({ card }) => card.id === address.scene)
  if (module) {
    openScene(module, address)
  } else {
    window.demo = idleHook(Promise.resolve())
    showGallery(cards)
    if (address.scene) say(`There is no scene named ${address.scene}.`, true)
  }
} catch (error) {
  fail(error)
  const ready = Promise.reject<void>(error)
  // The page already shows the error, and code that awaits `ready` still gets the rejection.
  ready.catch(() => {})
  window.demo = idleHook(ready)
}
