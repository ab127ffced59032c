import { Color, Group, Matrix4, MeshStandardMaterial, Vector3, type Object3D } from 'three'
import { meshesOf } from '../models.js'
import type { Dogfight } from '../scenarios/dogfight.js'
import { TOP_SPEED, type Fighter } from '../scenarios/fighter.js'
import { Trails } from '../trails.js'
import { nozzlesOf } from './nozzles.js'
import { Plumes } from './plumes.js'

/** Scale factor of the models. */
export const SCALE = 1.4
const TANKER_SCALE = 2.6

/** Number of wing tips of an aircraft. */
const TIPS = 2

/** Roll rate of a falling fighter (rad/s). */
const SPIN = 4.5

const FLAME = new Matrix4().makeScale(0.4, 0.4, 5)
const world = new Matrix4()
const place = new Vector3()

/** View of one aircraft. */
interface Jet {
  /** Has the pose from the steering. The model is its child, so that it can roll while falling. */
  readonly seat: Object3D
  readonly model: Object3D
  readonly nozzles: readonly Object3D[]
  readonly tips: readonly Object3D[]
  readonly lamps: readonly MeshStandardMaterial[]
  power: number
  roll: number
}

/** Hulls, exhaust and contrails of both teams, and of their tankers. */
export class Jets {
  readonly object = new Group()
  readonly seats: readonly Object3D[]
  readonly #jets: readonly Jet[]
  readonly #plumes: Plumes
  readonly #trails: Trails

  /** The last two of `models` are the tankers. `colors` are those of the teams. */
  constructor(models: readonly Object3D[], colors: readonly Color[]) {
    this.#jets = models.map((model, index) => dress(model, index, models.length, colors))
    this.seats = this.#jets.map(({ seat }) => seat)
    this.#plumes = new Plumes(2 * models.length)
    models.forEach((_, index) => {
      for (const k of [0, 1]) this.#plumes.paint(2 * index + k, new Color('#ff9a52'))
    })
    this.#trails = new Trails({
      count: TIPS * models.length,
      points: 150,
      interval: 1 / 36,
      width: 0.75,
      opacity: 0.7,
      additive: false,
      color: (row) => new Color('#f4e9e4').lerp(colors[(row >> 1) % 2]!, 0.5),
    })
    this.object.add(...this.seats, this.#trails.object, this.#plumes.object)
  }

  /** Call once per frame, after the poses of the seats are set. */
  update({ fighters, tankers, time }: Dogfight, seconds: number): void {
    this.#jets.forEach((jet, index) => {
      const fighter = fighters[index]
      if (fighter) this.#show(jet, fighter, seconds)
      else {
        const { position, quaternion } = tankers[(index - fighters.length) as 0 | 1]
        jet.seat.position.copy(position)
        jet.seat.quaternion.copy(quaternion)
        jet.power = 0.35
      }
      jet.seat.updateMatrixWorld(true)
      const shown = jet.seat.visible
      for (const lamp of jet.lamps) lamp.emissiveIntensity = 0.3 + 2.2 * jet.power
      jet.nozzles.forEach((nozzle, k) => {
        world.multiplyMatrices(nozzle.matrixWorld, FLAME)
        this.#plumes.put(2 * index + k, world, shown ? jet.power : 0)
      })
      const load = fighter ? loadOf(fighter) : 0.35
      jet.tips.forEach((tip, k) => {
        const { x, y, z } = place.setFromMatrixPosition(tip.matrixWorld)
        if (shown) this.#trails.put(TIPS * index + k, x, y, z, fighter?.mood === 'down' ? 0 : load)
        else this.#trails.restart(TIPS * index + k, x, y, z)
      })
    })
    this.#trails.advance(seconds)
    this.#plumes.update(time)
  }

  dispose(): void {
    this.#trails.dispose()
  }

  #show(jet: Jet, { mood, pilot }: Fighter, seconds: number): void {
    jet.seat.visible = mood !== 'away'
    const { x, y, z } = pilot.velocity
    const { force } = pilot
    const speed = Math.hypot(x, y, z)
    const thrust = (force.x * x + force.y * y + force.z * z) / Math.max(1, speed)
    const burn = mood === 'down' ? 0 : Math.min(1, Math.max(0.12, speed / TOP_SPEED - 0.35 + thrust / 30_000))
    jet.power += (burn - jet.power) * (1 - Math.exp(-seconds / 0.12))
    jet.roll = mood === 'down' ? jet.roll + SPIN * seconds : 0
    jet.model.rotation.z = jet.roll
  }
}

/** Load of the wings in [0, 1]. Contrails at the wing tips grow with it. */
function loadOf({ pilot }: Fighter): number {
  const { x, y, z } = pilot.force
  const { x: nose } = pilot.attitude
  const along = x * nose.x + y * nose.y + z * nose.z
  const lift = Math.sqrt(Math.max(0, x * x + y * y + z * z - along * along))
  return Math.min(1, 0.12 + lift / 38_000)
}

function dress(model: Object3D, index: number, total: number, colors: readonly Color[]): Jet {
  const tanker = index >= total - 2
  const color = colors[tanker ? index - (total - 2) : index % 2]!
  const lamps: MeshStandardMaterial[] = []
  for (const { material } of meshesOf(model)) {
    if (!(material instanceof MeshStandardMaterial)) continue
    if (material.name === 'accent') material.color.copy(color)
    if (material.name === 'hull') material.color.copy(new Color('#ffffff').lerp(color, 0.4))
    if (material.name === 'lamp') lamps.push(material)
  }
  model.scale.setScalar(tanker ? TANKER_SCALE : SCALE)
  const seat = new Group()
  seat.add(model)
  const tips: Object3D[] = []
  model.traverse((node) => {
    if (node.name.startsWith('tip_')) tips.push(node)
  })
  return { seat, model, nozzles: nozzlesOf(model), tips, lamps, power: 0, roll: 0 }
}
