import { Color, Group, Matrix4, MeshStandardMaterial, Vector3, type Object3D } from 'three'
import { meshesOf, partOf } from '../models.js'
import type { AirShow } from '../scenarios/air-show.js'
import type { ShowJet } from '../scenarios/show-jet.js'
import { Trails } from '../trails.js'
import { DisplaySmoke } from './display-smoke.js'
import { Plumes } from './plumes.js'

/** Scale factor of the models. */
export const SCALE = 1.05

/** Roll rate of a falling jet (rad/s). */
const SPIN = 3.4

const LIVERY = new Color('#c8102e')
export const SMOKES = [new Color('#f7f5f0'), new Color('#2456d6'), new Color('#e0182c')] as const
const BLACK = new Color('#1b1917')

const FLAME = new Matrix4().makeScale(0.3, 0.3, 2.6)
const world = new Matrix4()
const place = new Vector3()

/** View of one aircraft. */
interface JetView {
  /** Has the pose from the steering. The model is its child, so that it can roll while falling. */
  readonly seat: Object3D
  readonly model: Object3D
  readonly nozzle: Object3D
  readonly outlet: Object3D
  readonly tips: readonly Object3D[]
  readonly lamps: readonly MeshStandardMaterial[]
  power: number
  roll: number
}

/** Hulls, exhaust, wing-tip vapour and coloured smoke of the display team. */
export class DisplayJets {
  readonly object = new Group()
  readonly seats: readonly Object3D[]
  /** Whether jets in their slots emit smoke. */
  smoking = true
  readonly #jets: readonly JetView[]
  readonly #plumes: Plumes
  readonly #vapour: Trails
  readonly #smoke: DisplaySmoke

  constructor(models: readonly Object3D[]) {
    this.#jets = models.map(dress)
    this.seats = this.#jets.map(({ seat }) => seat)
    this.#plumes = new Plumes(models.length)
    models.forEach((_, index) => this.#plumes.paint(index, new Color('#ff9a52')))
    this.#vapour = new Trails({
      count: 2 * models.length,
      points: 40,
      interval: 1 / 40,
      width: 0.35,
      opacity: 0.55,
      additive: false,
      color: () => new Color('#ffffff'),
    })
    this.#smoke = new DisplaySmoke(models.length)
    this.object.add(...this.seats, this.#vapour.object, this.#plumes.object, this.#smoke.object)
  }

  /** Call once per frame, after the poses of the seats are set, with the displayed time (s). */
  update({ jets }: AirShow, time: number, seconds: number): void {
    this.#jets.forEach((seen, index) => this.#show(seen, jets[index]!, index, seconds))
    this.#vapour.advance(seconds)
    this.#plumes.update(time)
    this.#smoke.update(time, (index, out, tint) => {
      const { mood } = jets[index]!
      out.setFromMatrixPosition(this.#jets[index]!.outlet.matrixWorld)
      tint.copy(mood === 'down' ? BLACK : SMOKES[bandOf(index)]!)
      if (mood === 'down') return 1.8
      return mood === 'fly' && this.smoking && jets[index]!.inPlace ? 1 : 0
    })
  }

  dispose(): void {
    this.#vapour.dispose()
  }

  #show(seen: JetView, jet: ShowJet, index: number, seconds: number): void {
    const { mood, pilot } = jet
    const { seat, model } = seen
    seat.visible = mood !== 'away'
    const { x, y, z } = pilot.velocity
    const { force } = pilot
    const speed = Math.hypot(x, y, z)
    const thrust = (force.x * x + force.y * y + force.z * z) / Math.max(1, speed)
    const burn = mood === 'fly' ? Math.min(1, Math.max(0.12, 0.3 + thrust / 20_000)) : 0
    seen.power += (burn - seen.power) * (1 - Math.exp(-seconds / 0.15))
    seen.roll = mood === 'down' ? seen.roll + SPIN * seconds : 0
    model.rotation.z = seen.roll
    seat.updateMatrixWorld(true)
    for (const lamp of seen.lamps) lamp.emissiveIntensity = 0.3 + 2 * seen.power
    world.multiplyMatrices(seen.nozzle.matrixWorld, FLAME)
    this.#plumes.put(index, world, seat.visible ? seen.power : 0)
    const load = mood === 'fly' ? loadOf(jet) : 0
    seen.tips.forEach((tip, k) => {
      place.setFromMatrixPosition(tip.matrixWorld)
      if (seat.visible) this.#vapour.put(2 * index + k, place.x, place.y, place.z, load)
      else this.#vapour.restart(2 * index + k, place.x, place.y, place.z)
    })
    if (!seat.visible) this.#smoke.restart(index)
  }
}

/** Smoke colour index: white in the middle, blue to starboard and red to port of the wedge. */
function bandOf(index: number): number {
  return index < 3 ? 0 : index % 2 === 1 ? 1 : 2
}

/** Load of the wings in [0, 1]. Vapour at the wing tips grows with it. */
function loadOf({ pilot }: ShowJet): number {
  const { x, y, z } = pilot.force
  const { x: nose } = pilot.attitude
  const along = x * nose.x + y * nose.y + z * nose.z
  const lift = Math.sqrt(Math.max(0, x * x + y * y + z * z - along * along)) / pilot.mass
  return Math.min(1, Math.max(0, (lift - 12) / 40))
}

function dress(model: Object3D): JetView {
  const lamps: MeshStandardMaterial[] = []
  for (const { material } of meshesOf(model)) {
    if (!(material instanceof MeshStandardMaterial)) continue
    if (material.name === 'accent') material.color.copy(LIVERY)
    if (material.name === 'lamp') lamps.push(material)
  }
  model.scale.setScalar(SCALE)
  const seat = new Group()
  seat.add(model)
  const [nozzle, outlet] = [partOf(model, 'nozzle_ahead_0'), partOf(model, 'smoke_0')]
  const tips = [partOf(model, 'tip_0'), partOf(model, 'tip_1')]
  return { seat, model, nozzle, outlet, tips, lamps, power: 0, roll: 0 }
}
