import type GUI from 'lil-gui'
import { Color, DirectionalLight, HemisphereLight, MathUtils, Object3D, Quaternion, Vector3 } from 'three'
import { type QuatLike, type Vec3Like } from 'three-steering'
import { type View, seeded } from 'three-steering/authoring'
import { addOption } from '../option-control.js'
import { type LiveScene, type SceneOptions } from '../scene.js'
import {
  AXES,
  BIG,
  Crossroads,
  DEFAULT_CRAFT,
  MAX_CRAFT,
  REACH,
  SMALL,
  WIDTH,
  type Craft,
} from '../scenarios/crossroads.js'
import { inner, unit, vec } from '../scenarios/vectors.js'
import { makeBackdrop, type Backdrop } from '../sky/backdrop.js'
import { DUSK_SKY, DUSK_SUN } from '../sky/dusk.js'
import type { Stage } from '../stage.js'
import { Trails } from '../trails.js'
import { Chase } from '../views/chase.js'
import { Darts } from '../views/darts.js'
import { makeFreighter } from '../views/freighters.js'
import { makeLanes } from '../views/lanes.js'
import { Sparks } from '../views/sparks.js'
import { makeTowers, type Tower } from '../views/towers.js'

const LIGHTS = ['#ffa230', '#30c8ff', '#b45cff', '#3dffa0'].map((color) => new Color(color))
/** Height below which the city disappears in mist (m). */
const MIST = -110
/** Length over which craft fade in and out (m). */
const FADE = 14

export async function open(stage: Stage, { seed, count = DEFAULT_CRAFT }: SceneOptions): Promise<LiveScene> {
  const sky = makeBackdrop(stage.renderer, DUSK_SKY)
  stage.scene.environment = stage.environmentFrom(sky.light)
  stage.scene.environmentIntensity = 0.9
  stage.frame([80, 50, 104], [0, -2, 0], 12, 400)
  stage.controls.maxPolarAngle = 1.62
  return new CrossroadsScene(stage, sky, seed, Math.min(count, MAX_CRAFT))
}

class CrossroadsScene implements LiveScene {
  readonly #stage: Stage
  readonly #sky: Backdrop
  readonly scenario: Crossroads
  readonly #darts: Darts
  readonly #trails: Trails
  readonly #freighters: readonly Object3D[]
  readonly #sparks = new Sparks({ scale: 3 })
  readonly #seat = new Object3D()
  readonly #chase: Chase
  /** Time at which each visible craft set out. A change restarts its trail. */
  readonly #since: number[] = []
  #ridden = -1

  constructor(stage: Stage, sky: Backdrop, seed: number, count: number) {
    this.#stage = stage
    this.#sky = sky
    this.#chase = new Chase(stage.camera, stage.controls)
    this.scenario = new Crossroads({ seed, count, view: (index) => this.#viewOf(index) })
    const { craft } = this.scenario
    const color = (index: number): Color => LIGHTS[craft[index]!.stream]!
    this.#darts = new Darts(craft.length, 1.35 * SMALL, color)
    this.#trails = new Trails({
      count: craft.length,
      points: 44,
      interval: 1 / 20,
      width: 0.4,
      opacity: 0.7,
      color,
    })
    this.#freighters = craft.filter(({ freighter }) => freighter).map((_, kind) => makeFreighter(BIG, kind))
    const lanes = makeLanes(AXES, REACH, WIDTH + 3, (lane) => LIGHTS[lane]!.clone().multiplyScalar(0.5))
    stage.scene.add(sky.dome, ...lights(), makeTowers(city(), MIST, sky.texture, DUSK_SUN), lanes)
    stage.scene.add(...this.#freighters, this.#trails.object, this.#darts.object, this.#sparks.object)
  }

  present(alpha: number, seconds: number): void {
    const { steering, craft, touches } = this.scenario
    for (const { index, freighter, pilot } of craft) {
      if (freighter) this.#freighters[index]!.visible = pilot !== null
      else if (!pilot) this.#darts.put(index, NOWHERE.position, NOWHERE.quaternion, 0)
    }
    steering.present(alpha)
    this.#trails.advance(seconds)
    this.#sparks.time = steering.time
    for (const { keys, at } of touches.fresh.splice(0)) {
      this.#sparks.burst(at, { x: 0, y: 0, z: 0 }, 14, 26)
      for (const key of keys) this.#darts.flare(this.scenario.ownerOf(key)?.index ?? 0)
    }
    this.#darts.cool(seconds)
    this.#chase.update(seconds)
    if (!this.#chase.following) this.#stage.drift(0.025 * seconds)
  }

  panel(gui: GUI): void {
    const scenario = this.scenario
    gui
      .add({ camera: 0 }, 'camera', {
        'over the crossing': 0,
        'behind a runabout': 1,
        'behind a freighter': 2,
      })
      .onChange((choice: number) => this.#ride(choice))
    gui.add(scenario, 'avoiding').name('they avoid each other')
    gui.add(scenario, 'speed', 4, 24, 1).name('top speed, m/s')
    const rules = gui.addFolder('Avoidance')
    addOption(rules, scenario.avoid, 'caution', { label: 'caution, stopping times' })
    addOption(rules, scenario.avoid, 'clearance')
    addOption(rules, scenario.avoid, 'neighborDistance')
  }

  dispose(): void {
    this.scenario.dispose()
    this.#trails.dispose()
    this.#sky.dispose()
  }

  #viewOf(index: number): View {
    return { write: (_, pose) => this.#show(index, pose) }
  }

  #show(index: number, pose: Place): void {
    const { stream, freighter, since } = this.scenario.craft[index]!
    const { position, quaternion } = pose
    const share = MathUtils.smoothstep(REACH - Math.abs(inner(position, AXES[stream]!)), 0, FADE)
    if (freighter) {
      const ship = this.#freighters[index]!
      ship.position.copy(position)
      ship.quaternion.copy(quaternion)
      ship.scale.setScalar(Math.max(1e-3, share))
    } else this.#darts.put(index, position, quaternion, share)
    const back = freighter ? -0.9 * BIG : -0.8 * SMALL
    tail
      .set(0, freighter ? -0.16 * BIG : 0, back)
      .applyQuaternion(turn.copy(quaternion))
      .add(position)
    if (index === this.#ridden) {
      this.#seat.position.copy(position)
      this.#seat.quaternion.copy(quaternion)
    }
    if (this.#since[index] !== since) this.#trails.restart(index, tail.x, tail.y, tail.z)
    this.#since[index] = since
    this.#trails.put(index, tail.x, tail.y, tail.z, share)
  }

  /** Makes the camera follow a craft that is about to enter the crossing. */
  #ride(choice: number): void {
    const { craft } = this.scenario
    const before = ({ pilot, stream }: Craft): number => {
      const along = pilot ? inner(pilot.position, AXES[stream]!) : 0
      return along < -30 ? along : -Infinity
    }
    // not in the vertical shaft, where the craft would be seen from below
    const fit = craft.filter(
      ({ freighter, pilot, stream }) => pilot && freighter === (choice === 2) && stream !== 2,
    )
    const chosen = fit.toSorted((a, b) => before(b) - before(a))[0]
    this.#ridden = choice > 0 && chosen ? chosen.index : -1
    if (chosen?.pilot) this.#show(chosen.index, chosen.pilot)
    this.#chase.follow(this.#ridden < 0 ? null : this.#seat, choice === 2 ? 32 : 13, true)
  }
}

interface Place {
  readonly position: Vec3Like
  readonly quaternion: QuatLike
}

const tail = new Vector3()
const turn = new Quaternion()
const NOWHERE = { position: new Vector3(), quaternion: new Quaternion() }

function lights(): Object3D[] {
  const sun = new DirectionalLight('#ff9a5a', 2.4)
  sun.position.copy(DUSK_SUN).multiplyScalar(100).setY(30)
  return [sun, new HemisphereLight('#7c8cd0', '#4a3a55', 2.2)]
}

/**
 * Buildings along the avenues: low ones around the crossing, so that it can be seen, and a skyline in the
 * distance.
 */
function city(): Tower[] {
  const random = seeded(11)
  const slant = unit(vec(AXES[3]!.x, 0, AXES[3]!.z))
  const towers: Tower[] = []
  for (let i = -10; i <= 10; i++)
    for (let k = -10; k <= 10; k++) {
      const x = 36 * i + 8 * (random() - 0.5)
      const z = 36 * k + 8 * (random() - 0.5)
      const far = Math.hypot(x, z)
      const wide = 6 + 6 * random()
      const deep = 6 + 6 * random()
      const high = random()
      const free =
        Math.min(Math.abs(x), Math.abs(z), Math.abs(x * slant.z - z * slant.x)) - Math.max(wide, deep)
      if (far < 40 || far > 380 || (free < WIDTH + 4 && far < REACH + 40)) continue
      const top = far < 210 ? -62 + 50 * high + 0.06 * far : -30 + 130 * high ** 2.2
      towers.push({ x, z, wide, deep, top })
    }
  return towers
}
