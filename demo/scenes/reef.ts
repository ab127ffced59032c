import type GUI from 'lil-gui'
import { Color, FogExp2, HemisphereLight, Object3D, Vector3, type BufferGeometry } from 'three'
import { loadGeometry } from '../models.js'
import { addOption, addRuleWeights } from '../option-control.js'
import { type LiveScene, type SceneOptions } from '../scene.js'
import { KINDS } from '../scenarios/reef-kinds.js'
import { NEIGHBOR_DISTANCE } from '../scenarios/reef-school.js'
import { DEFAULT_SCHOOLS, ReefSchools, SHARKS, shares } from '../scenarios/reef-schools.js'
import { DEPTH, LAGOON } from '../scenarios/reef.js'
import type { Stage } from '../stage.js'
import { Caustics } from '../views/caustics.js'
import { Chase, copyInstancePose } from '../views/chase.js'
import { clearest, makeCorals } from '../views/corals.js'
import { Garden } from '../views/garden.js'
import { KeepOff } from '../views/keep-off.js'
import { Shoal } from '../views/shoal.js'
import { dressed } from '../views/species.js'
import { Water } from '../views/water.js'

const WATER = '#075f86'
const MURK = 0.023
/** Length of the shark model (m). */
const SHARK_LENGTH = 3

/** Distance that the camera keeps from the sharks (m). */
const KEEP = 5

/** Initial distance of the camera from the centre (m). */
const SEAT = 21

export async function open(
  stage: Stage,
  { seed, count = DEFAULT_SCHOOLS }: SceneOptions,
): Promise<LiveScene> {
  const [fish, shark] = await Promise.all([loadGeometry('fish'), loadGeometry('shark')])
  stage.renderer.shadowMap.enabled = true
  stage.renderer.toneMappingExposure = 1.1
  stage.controls.maxPolarAngle = 1.95
  const shoals = shares(count).map((size, index) => {
    const kind = KINDS[index]!
    const rate = 1.7 / Math.sqrt(kind.length)
    return new Shoal(dressed(fish, index, kind), size, { length: kind.length, rate })
  })
  return new ReefScene(stage, shoals, shark, seed, count)
}

class ReefScene implements LiveScene {
  readonly #stage: Stage
  readonly scenario: ReefSchools
  readonly #shoals: readonly Shoal[]
  readonly #sharks: Shoal
  readonly #water = new Water(LAGOON, DEPTH, new Color(WATER), MURK)
  readonly #caustics = new Caustics(LAGOON + 14, 70, 4.6)
  readonly #garden: Garden
  readonly #chase: Chase
  /** Poses of a shark and of a fish, for the camera. */
  readonly #sharkSeat = new Object3D()
  readonly #fishSeat = new Object3D()
  readonly #sharkPlaces = Array.from({ length: SHARKS }, () => new Vector3())
  readonly #keepOff: KeepOff
  readonly #wish = new Vector3()
  #followed = -1

  constructor(stage: Stage, shoals: readonly Shoal[], shark: BufferGeometry, seed: number, count: number) {
    this.#stage = stage
    this.#shoals = shoals
    this.#sharks = new Shoal(shark, SHARKS, { length: SHARK_LENGTH, rate: 0.5 })
    this.#chase = new Chase(stage.camera, stage.controls)
    this.#keepOff = new KeepOff(stage.camera)
    this.scenario = new ReefSchools({
      seed,
      count,
      views: shoals.map(({ mesh }) => mesh),
      sharkViews: Array.from({ length: SHARKS }, (_, index) => ({
        write: (_index, pose) => {
          this.#sharks.put(index, pose)
          this.#sharkPlaces[index]!.copy(pose.position)
          if (index > 0) return
          this.#sharkSeat.position.copy(pose.position)
          this.#sharkSeat.quaternion.copy(pose.quaternion)
        },
      })),
    })
    const { scene, renderer } = stage
    scene.background = new Color(WATER)
    scene.fog = new FogExp2(WATER, MURK)
    const { corals } = this.scenario
    const angle = clearest(corals, SEAT)
    // upright, `frame` moves the camera back: it stays before the corals at the edge
    const seat = stage.camera.aspect < 1 ? 0.57 * SEAT : SEAT
    stage.frame([seat * Math.cos(angle), 4.6, seat * Math.sin(angle)], [0, 5, 0], 3, 27)
    this.#garden = new Garden(corals, LAGOON)
    scene.add(makeCorals(corals, LAGOON), this.#garden.object, this.#water.object)
    for (const { mesh } of [...shoals, this.#sharks]) {
      mesh.castShadow = true
      scene.add(mesh)
    }
    scene.add(
      new HemisphereLight('#a8ecf2', '#3d6a62', 1.5),
      this.#caustics.light,
      this.#caustics.light.target,
    )
    stage.draw = () => {
      this.#caustics.paint(renderer)
      renderer.render(stage.scene, stage.camera)
    }
  }

  present(alpha: number, seconds: number): void {
    const { steering } = this.scenario
    steering.present(alpha)
    const { time } = steering
    for (const shoal of [...this.#shoals, this.#sharks]) shoal.time = time
    this.#water.time = this.#caustics.time = this.#garden.time = time
    if (this.#followed >= 0) copyInstancePose(this.#fishSeat, this.#shoals[this.#followed]!.mesh, 0)
    this.#chase.update(seconds)
    if (!this.#chase.following) {
      this.#watchSchools(seconds)
      this.#keepOff.update(this.#sharkPlaces, KEEP, seconds)
    }
    // keep the camera between the sand and the surface
    const { position } = this.#stage.camera
    position.y = Math.min(DEPTH - 0.6, Math.max(0.8, position.y))
  }

  /** Sways about the clearest view, and turns the camera towards the schools, the nearest ones most. */
  #watchSchools(seconds: number): void {
    const { camera, controls } = this.#stage
    const wish = this.#wish.set(0, 0, 0)
    let sum = 0
    for (const { home } of this.scenario.schools) {
      const share = 1 / camera.position.distanceToSquared(home)
      wish.addScaledVector(home, share)
      sum += share
    }
    wish.divideScalar(sum)
    wish.set(0.65 * wish.x, 4.4 + 0.4 * (wish.y - 4.4), 0.65 * wish.z)
    controls.target.lerp(wish, 1 - Math.exp(-seconds / 3))
    this.#stage.drift(0.015 * Math.cos(this.scenario.steering.time / 9) * seconds)
  }

  panel(gui: GUI): void {
    const { schools, sharks, threats } = this.scenario
    gui
      .add({ camera: 'reef' }, 'camera', {
        'in the reef': 'reef',
        'behind a shark': 'shark',
        ...Object.fromEntries(KINDS.map(({ name }, index) => [`with the ${name}`, String(index)])),
      })
      .onChange((seat: string) => this.#ride(seat))
    const draft = { mind: true, hunt: true }
    gui
      .add(draft, 'mind')
      .name('fish avoid each other')
      .onChange((on: boolean) => {
        for (const { others } of schools) others.neighborDistance = on ? NEIGHBOR_DISTANCE : 1e-3
      })
    gui
      .add(draft, 'hunt')
      .name('sharks chase fish')
      .onChange((on: boolean) => {
        for (const shark of sharks) shark.hunting = on
      })
    addOption(gui, threats, 'panicDistance', { label: 'fish flee within' })
    const rules = gui.addFolder('Schools')
    addRuleWeights(
      rules,
      schools.map(({ flocking }) => flocking),
    )
  }

  dispose(): void {
    this.scenario.dispose()
    this.#caustics.dispose()
  }

  #ride(seat: string): void {
    this.#followed = seat === 'reef' || seat === 'shark' ? -1 : Number(seat)
    if (this.#followed >= 0) copyInstancePose(this.#fishSeat, this.#shoals[this.#followed]!.mesh, 0)
    this.#keepOff.reset()
    const object = seat === 'reef' ? null : seat === 'shark' ? this.#sharkSeat : this.#fishSeat
    const size = this.#followed >= 0 ? KINDS[this.#followed]!.length : SHARK_LENGTH
    this.#chase.follow(object, 2.2 + 1.6 * size, true)
  }
}
