import { readAddress, type Address } from './address.js'
import { element, say, showGallery, showScenePage } from './page.js'
import { Panel, startReadout } from './panel.js'
import { Player } from './player.js'
import type { SceneModule, SceneState } from './scene.js'
import { Stage } from './stage.js'

/** For end-to-end tests. Steps are fixed steps of 1/60 s and do not depend on the clock. */
export interface DemoHook {
  /** Settled when the first picture has been drawn; rejected when the page shows an error. */
  readonly ready: Promise<void>
  /** Name of the open scene; empty in the gallery. */
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

/** Every file in `scenes/` is a scene: adding one there adds it to the gallery. */
const modules = Object.values(import.meta.glob<SceneModule>('./scenes/*.ts', { eager: true })).sort(
  (a, b) => a.card.order - b.card.order,
)
const cards = modules.map((module) => module.card)

function fail(error: unknown): void {
  say(`This did not work: ${error instanceof Error ? error.message : String(error)}`, true)
}

/** In the gallery, and after a failed start, the hook has nothing to drive. */
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
  // told on the page already; whoever waits for the hook hears of it, too
  ready.catch(() => {})
  window.demo = idleHook(ready)
}
