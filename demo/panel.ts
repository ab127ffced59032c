import GUI, { type Controller } from 'lil-gui'
import { element } from './page.js'
import type { Player } from './player.js'
import type { LiveScene } from './scene.js'

/** Control panel: the sliders of the scene, then a folder "Time" that is the same for all scenes. */
export class Panel {
  readonly player: Player
  readonly fail: (error: unknown) => void
  /** Called when the visitor has changed a control or the seed. */
  onChange: (() => void) | null = null
  #gui: GUI | null = null
  /** The controls of the scene by their paths, and the values that it set. */
  #controls = new Map<string, { readonly controller: Controller; readonly value: unknown }>()

  constructor(player: Player, fail: (error: unknown) => void) {
    this.player = player
    this.fail = fail
  }

  /**
   * Builds the panel for a scene that was just opened. Sliders refer to the scene's objects, so they are
   * built again each time.
   */
  build(live: LiveScene): void {
    this.#gui?.destroy()
    const gui = new GUI({ title: 'Controls', container: element('controls') })
    this.#gui = gui
    live.panel(gui)
    this.#controls = new Map(
      gui
        .controllersRecursive()
        // a button has no value
        .filter((controller) => typeof controller.getValue() !== 'function')
        .map((controller) => [pathOf(controller), { controller, value: controller.getValue() as unknown }]),
    )
    gui.onFinishChange(() => this.onChange?.())
    const { player } = this
    const time = gui.addFolder('Time')
    time.add(player, 'paused').name('pause').listen()
    time.add({ step: () => this.#stepOnce() }, 'step').name('single step')
    time.add(player, 'speed', 0.1, 2, 0.1)
    const draft = { seed: player.seed }
    time.add(draft, 'seed', 0, 9999, 1).onFinishChange((seed: number) => {
      player
        .reset(seed)
        .then(() => this.onChange?.())
        .catch(this.fail)
    })
    time.add({ reset: () => void player.reset().catch(this.fail) }, 'reset').name('start again')
  }

  /** The values that differ from those that the scene set, by path. */
  get changes(): Record<string, unknown> {
    const now = [...this.#controls].map(([path, { controller, value }]) => [
      path,
      controller.getValue(),
      value,
    ])
    return Object.fromEntries(now.filter(([, is, was]) => is !== was).map(([path, is]) => [path, is]))
  }

  /** Sets values by path. Paths that do not exist, and values of another type, are ignored. */
  set(values: Readonly<Record<string, unknown>>): void {
    for (const [path, value] of Object.entries(values)) {
      const controller = this.#controls.get(path)?.controller
      if (controller !== undefined && typeof controller.getValue() === typeof value)
        controller.setValue(value)
    }
  }

  #stepOnce(): void {
    this.player.paused = true
    this.player.step(1)
  }
}

/** Titles of the folders of a control, and its name. */
function pathOf(controller: Controller): string {
  const titles = [controller._name]
  for (let gui: GUI | undefined = controller.parent; gui?.parent; gui = gui.parent) titles.unshift(gui._title)
  return titles.join('/')
}

/** Shows frame rate, time per step, and the numbers in the scene's `state()`, updated four times a second. */
export function startReadout(player: Player): void {
  const readout = element('readout')
  window.setInterval(() => {
    const lines = [`${player.framesPerSecond.toFixed(0)} fps · step ${player.stepMilliseconds.toFixed(2)} ms`]
    for (const [name, value] of Object.entries(player.state())) {
      if (typeof value === 'number')
        lines.push(`${name} ${Number.isInteger(value) ? value : value.toFixed(2)}`)
    }
    readout.textContent = lines.join('\n')
  }, 250)
}
