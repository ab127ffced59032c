import type GUI from 'lil-gui'
import { Color, MathUtils, Vector3 } from 'three'
import { addOption } from '../option-control.js'
import { FIXED_STEP, type LiveScene, type SceneOptions, type SceneState } from '../scene.js'
import { DEFAULT_DRONES, DoorwayShow, DRONE, GATE, HALF_WALL, MAX_DRONES } from '../scenarios/doorway-show.js'
import { makeBackdrop, type Backdrop } from '../sky/backdrop.js'
import { makeStars, SPACE_SKY } from '../sky/space.js'
import type { Stage } from '../stage.js'
import { Trails } from '../trails.js'
import { Darts } from '../views/darts.js'
import { makeGate } from '../views/gate.js'

/** Visible extent of the wall around the gate (m). */
const SEEN = 20

/** Rate of the camera's swing (rad/s). */
const SWAY = 0.12

export async function open(stage: Stage, { seed, count = DEFAULT_DRONES }: SceneOptions): Promise<LiveScene> {
  const sky = makeBackdrop(stage.renderer, SPACE_SKY)
  // a portrait screen shows less to the sides
  stage.frame(stage.camera.aspect < 1 ? [27, 10, 13] : [25, 8, 15.5], [0, 0, 0], 5, 120)
  return new DoorwayScene(stage, sky, seed, Math.min(count, MAX_DRONES))
}

class DoorwayScene implements LiveScene {
  readonly #stage: Stage
  readonly #sky: Backdrop
  readonly #scenario: DoorwayShow
  readonly #darts: Darts
  readonly #trails: Trails
  readonly #velocity = new Vector3()

  constructor(stage: Stage, sky: Backdrop, seed: number, count: number) {
    this.#stage = stage
    this.#sky = sky
    // from the centre of the seats outwards: rose, amber, sand
    const warm = (index: number): Color => {
      const out = Math.sqrt(index / count)
      return new Color().setHSL(MathUtils.euclideanModulo(0.93 + 0.2 * out, 1), 0.95, 0.5)
    }
    const deep = (index: number): Color => warm(index).multiply(warm(index))
    this.#darts = new Darts(count, DRONE, warm)
    this.#trails = new Trails({ count, points: 60, interval: 1 / 20, width: 0.15, opacity: 0.5, color: deep })
    this.#scenario = new DoorwayShow({ seed, count, view: this.#darts.mesh })
    stage.scene.add(sky.dome, makeStars(1800, 6), makeGate(GATE, HALF_WALL, SEEN, new Color('#1f8fd0')))
    stage.scene.add(this.#trails.object, this.#darts.object)
  }

  step(): void {
    this.#scenario.step(FIXED_STEP)
  }

  present(alpha: number, seconds: number): void {
    const { steering, flock, touches } = this.#scenario
    steering.present(alpha)
    const { array } = this.#darts.mesh.instanceMatrix
    for (let index = 0; index < flock.size; index++) {
      const at = 16 * index + 12
      const speed = this.#velocity.copy(flock.velocity(index, this.#velocity)).length()
      this.#trails.put(index, array[at]!, array[at + 1]!, array[at + 2]!, Math.min(1, speed / 2))
    }
    this.#trails.advance(seconds)
    for (const { keys } of touches.fresh.splice(0)) for (const key of keys) this.#darts.flare(key)
    this.#darts.cool(seconds)
    // to and fro, because seen from the side the door is only a line
    this.#stage.drift(-0.03 * Math.cos(SWAY * steering.time) * seconds)
  }

  state(): SceneState {
    return this.#scenario.state()
  }

  panel(gui: GUI): void {
    const scenario = this.#scenario
    gui.add(scenario, 'avoiding').name('they avoid each other')
    gui.add(scenario, 'queueing').name('they queue')
    gui.add(this.#trails.object, 'visible').name('trails')
    const rules = gui.addFolder('Avoidance')
    addOption(rules, scenario.avoid, 'caution', { label: 'caution, stopping times' })
    addOption(rules, scenario.avoid, 'clearance')
    addOption(rules, scenario.flock, 'maxSpeed')
  }

  dispose(): void {
    this.#scenario.dispose()
    this.#trails.dispose()
    this.#sky.dispose()
  }
}
