import { loops } from 'virtual:loops'
import { readAddress } from './address.js'
import { CARDS } from './cards.js'
import { showGallery } from './gallery.js'
import { element, fail, say } from './page.js'
import type { SceneState } from './scene.js'

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
  /** Place in the window (px) of the object of the scene that has this name. */
  placeOf(name: string): { x: number; y: number }
  /** Numbers of geometries and textures on the graphics card. */
  memory(): { geometries: number; textures: number }
}

declare global {
  interface Window {
    demo: DemoHook
  }
}

/** Hook for the gallery and for a page that failed to start: its methods do nothing. */
function idleHook(ready: Promise<void>): DemoHook {
  return {
    ready,
    scene: '',
    frames: 0,
    step() {},
    pause() {},
    reset: () => ready,
    state: () => ({}),
    placeOf: () => ({ x: 0, y: 0 }),
    memory: () => ({ geometries: 0, textures: 0 }),
  }
}

try {
  const address = readAddress(window.location.search)
  const card = CARDS.find(({ id }) => id === address.scene)
  if (card) {
    // its still is seen until the scene is there
    const stage = element('stage')
    stage.style.setProperty(
      '--still',
      `url('${new URL(`./thumbnails/${card.id}.jpg`, window.location.href).href}')`,
    )
    stage.classList.add('loading')
    stage.hidden = false
    say('Loading …')
    // three.js and the scene are loaded only here
    import('./open-scene.js').then(({ openScene }) => openScene(card, address)).catch(fail)
  } else {
    window.demo = idleHook(Promise.resolve())
    showGallery(loops)
    if (address.scene) say(`There is no scene named ${address.scene}.`, true)
  }
} catch (error) {
  fail(error)
  const ready = Promise.reject<void>(error)
  // The page already shows the error, and code that awaits `ready` still gets the rejection.
  ready.catch(() => {})
  window.demo = idleHook(ready)
}
