import type GUI from 'lil-gui'
import {
  AmbientLight,
  Color,
  DirectionalLight,
  Group,
  MeshStandardMaterial,
  PointLight,
  Quaternion,
  Vector3,
  type Object3D,
} from 'three'
import { seeded } from 'three-steering/authoring'
import { loadModel, meshesOf } from '../models.js'
import { type LiveScene, type SceneOptions } from '../scene.js'
import { groundAt, PAD_LEVEL, PAD_RADIUS, padNorth, PADS } from '../scenarios/asteroid-land.js'
import { FEET, LANDER_THRUST, LANDER_TORQUE } from '../scenarios/lander.js'
import { DESCENT } from '../scenarios/asteroid-body.js'
import { DEFAULT_LANDERS, Landing, MAX_LANDERS, type Lander } from '../scenarios/landing.js'
import { makeBackdrop, type Backdrop } from '../sky/backdrop.js'
import { RUST_SKY, RUST_SUN, isBehindWorld } from '../sky/rust-world.js'
import { makeStars } from '../sky/space.js'
import type { Stage } from '../stage.js'
import { Trails } from '../trails.js'
import { makeAsteroid } from '../views/asteroid.js'
import { Chase } from '../views/chase.js'
import { makeDust } from '../views/dust.js'
import { LandingPads, type PadSignal } from '../views/landing-pads.js'
import { Nozzles, nozzlesOf } from '../views/nozzles.js'
import { Plumes } from '../views/plumes.js'

const LIVERY = ['#ff6a3d', '#4ac3ff', '#ffd23d', '#ff6f91', '#7bea7a', '#b58cff', '#f2f4f8', '#36d6c3']
const liveryOf = (index: number): Color => new Color(LIVERY[index % LIVERY.length])

/** Height below which an engine raises dust (m). */
const WASH = 7

export async function open(stage: Stage, options: SceneOptions): Promise<LiveScene> {
  const count = Math.min(options.count ?? DEFAULT_LANDERS, MAX_LANDERS)
  const landers = await Promise.all(Array.from({ length: count }, () => loadModel('lander')))
  const sky = makeBackdrop(stage.renderer, RUST_SKY)
  stage.scene.environment = stage.environmentFrom(sky.light)
  stage.scene.environmentIntensity = 0.9
  stage.renderer.shadowMap.enabled = true
  stage.frame([12, 46, 50], [1, 29, 2], 8, 240)
  return new LandingScene(stage, sky, landers, options.seed)
}

class LandingScene implements LiveScene {
  readonly #stage: Stage
  readonly #sky: Backdrop
  readonly scenario: Landing
  readonly #models: readonly Object3D[]
  readonly #rock = new Group()
  readonly #pads: LandingPads
  readonly #dust = makeDust('#b79c86', 0.8)
  readonly #plumes: Plumes
  readonly #nozzles: readonly Nozzles[]
  readonly #trails: Trails
  readonly #chase: Chase
  readonly #lamps: PointLight[]
  readonly #random = seeded(11)
  readonly #turn = new Quaternion()
  readonly #ground = new Vector3()
  readonly #up = new Vector3()
  readonly #direction = new Vector3()
  readonly #place = new Vector3()

  constructor(stage: Stage, sky: Backdrop, models: readonly Object3D[], seed: number) {
    this.#stage = stage
    this.#sky = sky
    this.#models = models
    this.#chase = new Chase(stage.camera, stage.controls)
    this.scenario = new Landing({ seed, count: models.length, view: (index) => models[index]! })
    this.#pads = new LandingPads(
      PADS.map((up, index) => ({ up, north: padNorth(index) })),
      PAD_LEVEL,
      PAD_RADIUS,
      DESCENT,
    )
    this.#rock.add(makeAsteroid(groundAt), this.#pads.object, this.#dust.object)
    const flames = nozzlesOf(models[0]!).length
    this.#plumes = new Plumes(flames * models.length)
    this.#trails = new Trails({
      count: models.length,
      points: 140,
      width: 0.16,
      opacity: 0.4,
      color: liveryOf,
    })
    this.#nozzles = models.map((model, index) => this.#dress(model, index, flames))
    // light of the engines on the ground
    this.#lamps = models.map(() => new PointLight('#9cc4ff', 0, 22, 1.6))
    stage.scene.add(
      sky.dome,
      makeStars(2400, 6, isBehindWorld),
      this.#rock,
      ...models,
      ...this.#lamps,
      ...lights(),
    )
    stage.scene.add(this.#trails.object, this.#plumes.object)
  }

  present(alpha: number, seconds: number): void {
    const { steering, asteroid, landers, time } = this.scenario
    steering.present(alpha)
    const { previousQuaternion: from, quaternion: to } = asteroid
    this.#rock.quaternion.set(from.x, from.y, from.z, from.w)
    this.#rock.quaternion.slerp(this.#turn.set(to.x, to.y, to.z, to.w), alpha)
    this.#dust.time = time
    for (const touch of this.scenario.touches.splice(0)) this.#settle(touch.lander)
    for (const [index, lander] of landers.entries()) this.#show(lander, index, seconds)
    for (const index of PADS.keys()) this.#pads.signal(index, this.#signalOf(index), time, seconds)
    this.#trails.advance(seconds)
    this.#plumes.update(time)
    this.#chase.update(seconds)
    if (!this.#chase.following) this.#stage.drift(-0.006 * seconds)
  }

  panel(gui: GUI): void {
    const scenario = this.scenario
    const views = Object.fromEntries(this.#models.map((_, index) => [`with lander ${index + 1}`, index]))
    gui
      .add({ camera: -1 }, 'camera', { overview: -1, ...views })
      .onChange((index: number) => this.#chase.follow(this.#models[index] ?? null, 14))
    gui.add(scenario, 'pull', 0, 1, 0.05).name('gravity at the ground, m/s²')
    gui.add({ trails: true }, 'trails').onChange((on: boolean) => {
      this.#trails.object.visible = on
    })
  }

  dispose(): void {
    this.scenario.dispose()
    this.#trails.dispose()
    this.#sky.dispose()
  }

  #dress(model: Object3D, index: number, flames: number): Nozzles {
    const color = liveryOf(index)
    for (const mesh of meshesOf(model)) {
      mesh.castShadow = mesh.receiveShadow = true
      const { material } = mesh
      if (material instanceof MeshStandardMaterial && material.name === 'accent') material.color.copy(color)
    }
    const nozzles = new Nozzles(
      model,
      this.#plumes,
      index * flames,
      { ...LANDER_THRUST, torque: LANDER_TORQUE },
      'up',
    )
    nozzlesOf(model).forEach((node, k) => {
      this.#plumes.paint(
        index * flames + k,
        new Color(node.name.startsWith('nozzle_up') ? '#6fa8ff' : '#b8d8ff'),
      )
    })
    return nozzles
  }

  #show({ pilot, leg }: Lander, index: number, seconds: number): void {
    const model = this.#models[index]!
    const nozzles = this.#nozzles[index]!
    nozzles.update(pilot.force, pilot.torque, seconds)
    const power = nozzles.main
    const { x, y, z } = this.#up.set(0, -1.1, 0).applyQuaternion(model.quaternion).add(model.position)
    this.#lamps[index]!.position.set(x, y, z)
    this.#lamps[index]!.intensity = 26 * power
    this.#trails.put(index, x, y, z, leg === 'resting' ? 0 : 0.25 + 0.75 * power)
    if (leg !== 'resting') this.#wash(model, power, seconds)
  }

  /** Raises dust under the engine, in a ring that spreads outwards. */
  #wash(model: Object3D, power: number, seconds: number): void {
    const { at, light, height } = this.#below(model)
    if (height > WASH || power < 0.02) return
    const amount = 420 * power * (1 - height / WASH) ** 2 * seconds
    const count = Math.floor(amount + this.#random())
    // the flame adds light
    const lit = light + 0.5 * power
    for (let k = 0; k < count; k++) this.#puff(at, 1.5 + 5 * this.#random(), 0.4 + 1.1 * this.#random(), lit)
  }

  /** Raises a low ring of dust at a touchdown. */
  #settle(index: number): void {
    const { at, light } = this.#below(this.#models[index]!)
    for (let k = 0; k < 70; k++)
      this.#puff(at, 0.5 + 1.6 * this.#random(), 0.15 + 0.3 * this.#random(), light)
  }

  /**
   * Emits a puff at `at` (axes of the rock) with a random direction along the ground at `speed`, and upwards
   * at `rise` (m/s).
   */
  #puff(at: Vector3, speed: number, rise: number, light: number): void {
    const up = this.#up.copy(at).normalize()
    const direction = this.#direction
      .set(this.#random() - 0.5, this.#random() - 0.5, this.#random() - 0.5)
      .addScaledVector(up, 0)
    direction.addScaledVector(up, -direction.dot(up)).normalize()
    const place = this.#place.copy(at).addScaledVector(direction, 0.4 + 1.2 * this.#random())
    const velocity = direction.multiplyScalar(speed).addScaledVector(up, rise)
    this.#dust.put(place, velocity, 1.8 + 3.2 * this.#random(), 0.7 + 1.3 * this.#random(), light)
  }

  /**
   * The point on the ground under a lander, in the axes of the rock, the lander's height above it (m), and
   * the sunlight there.
   */
  #below(model: Object3D): { at: Vector3; height: number; light: number } {
    const at = this.#ground.copy(model.position)
    const light = 0.06 + 0.9 * Math.max(0, at.dot(RUST_SUN) / at.length())
    at.applyQuaternion(this.#turn.copy(this.#rock.quaternion).invert())
    const away = at.length()
    const near = Math.max(...PADS.map(({ x, y, z }) => (at.x * x + at.y * y + at.z * z) / away))
    const floor = near > 0.985 ? PAD_LEVEL / near : groundAt(at.clone().divideScalar(away))
    at.setLength(floor)
    return { at, height: away - floor - FEET, light }
  }

  #signalOf(index: number): PadSignal {
    const { pads, landers } = this.scenario
    const guest = landers.find(({ pad }) => pad === index)
    if (!guest) return pads[index]!.port.holder >= 0 ? 'expected' : 'free'
    return guest.leg === 'resting' ? 'taken' : guest.leg === 'rising' ? 'leaving' : 'expected'
  }
}

function lights(): Object3D[] {
  const sun = new DirectionalLight('#fff0dc', 4.2)
  sun.position.copy(RUST_SUN).multiplyScalar(90)
  sun.castShadow = true
  sun.shadow.mapSize.setScalar(2048)
  Object.assign(sun.shadow.camera, { left: -40, right: 40, top: 40, bottom: -40, near: 20, far: 170 })
  sun.shadow.bias = -0.0006
  sun.shadow.normalBias = 0.06
  // light reflected by the red planet
  const world = new DirectionalLight('#ff8a52', 0.7)
  world.position.set(-60, 0, -60)
  return [sun, sun.target, world, new AmbientLight('#4a5d84', 1.1)]
}
