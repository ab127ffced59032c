import GUI from 'lil-gui'
import { element } from './page.js'
import type { Player } from './player.js'
import type { LiveScene } from './scene.js'

/** Control panel: the sliders of the scene, then a folder "Time" that is the same for all scenes. */
export class Panel {
  readonly player: Player
  readonly fail: (error: unknown) => void
  #gui: GUI | null = null

  constructor(player: Player, fail: (error: unknown) => void) {
    this.player = player
    this.fail = fail
  }

  /**
   * Builds the panel for a scene that was just opened. Sliders refer to the scene's objects, so they are
   * built again each time.
   */
  build(live: LiveScene): void {
    const closed = this.#gui?._closed ?? window.innerWidth < 720
    this.#gui?.destroy()
    const gui = new GUI({ title: 'Controls' })
    this.#gui = gui
    live.panel(gui)
    const { player } = this
    const time = gui.addFolder('Time')
    time.add(player, 'paused').name('pause').listen()
    time.add({ step: () => this.#stepOnce() }, 'step').name('single step')
    time.add(player, 'speed', 0.1, 2, 0.1)
    const draft = { seed: player.seed }
    time
      .add(draft, 'seed', 0, 9999, 1)
      .onFinishChange((seed: number) => void player.reset(seed).catch(this.fail))
    time.add({ reset: () => void player.reset().catch(this.fail) }, 'reset').name('start again')
    if (closed) gui.close()
  }

  #stepOnce(): void {
    this.player.paused = true
    this.player.step(1)
  }
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
