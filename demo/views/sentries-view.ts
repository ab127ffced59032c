import {
  Color,
  Group,
  MathUtils,
  Matrix4,
  MeshStandardMaterial,
  Vector3,
  type Material,
  type Object3D,
} from 'three'
import type { SteeringController } from 'three-steering'
import { meshesOf } from '../models.js'
import { GUARD, RAIDER } from '../scenarios/sentry-craft.js'
import type { Boat } from '../scenarios/boats.js'
import { Trails } from '../trails.js'
import { Nozzles, nozzlesOf } from './nozzles.js'
import { Plumes } from './plumes.js'
import { magnitude } from '../scenarios/metrics.js'

export const GUARD_COLOR = new Color('#3dc8ff')
export const RAIDER_COLOR = new Color('#ff4b3e')

const FLAME = new Matrix4().makeScale(0.55, 0.55, 6.5)
const tail = new Vector3()
const world = new Matrix4()
const along = new Vector3()
const offset = new Vector3()

/** A ship as the view sees it. One that is not `present` is hidden. */
interface Seen {
  readonly pilot: SteeringController
  readonly present?: boolean
  /** Not null while it is latched to a station. */
  readonly release?: (() => void) | null
}

/** The part of a scenario that the view needs. */
interface Seens {
  readonly guards: readonly Seen[]
  readonly raiders: readonly Seen[]
  readonly time: number
}

/** Classes of the ships, and the colour of a guard. */
interface Looks {
  readonly guard: Boat
  readonly raider: Boat
  readonly colorOf: (index: number) => Color
}

const USUAL: Looks = { guard: GUARD, raider: RAIDER, colorOf: () => GUARD_COLOR }

/** View of guards and raiders: hulls, flames that show the actual forces, and trails. */
export class SentriesView {
  readonly object = new Group()
  readonly guards: readonly Object3D[]
  readonly raiders: readonly Object3D[]
  readonly #nozzles: readonly Nozzles[]
  readonly #exhausts: readonly (readonly Object3D[])[]
  readonly #power: number[]
  readonly #lamps: MeshStandardMaterial[][] = []
  readonly #plumes: Plumes
  readonly #trails: Trails
  /** Index of the first flame of a raider. */
  readonly #first: number
  readonly #looks: Looks

  constructor(guards: readonly Object3D[], raiders: readonly Object3D[], looks = USUAL) {
    this.#looks = looks
    this.guards = guards
    this.raiders = raiders
    const all = [...guards, ...raiders]
    this.#plumes = new Plumes(all.reduce((sum, model) => sum + nozzlesOf(model).length, 0))
    let first = 0
    this.#nozzles = guards.map((model, index) => {
      model.scale.setScalar(looks.guard.scale)
      this.#paint(model, looks.colorOf(index), new Color('#ffffff'))
      const nozzles = new Nozzles(model, this.#plumes, first, looks.guard.engines)
      for (const { name } of nozzlesOf(model))
        this.#plumes.paint(first++, new Color(name.startsWith('nozzle_ahead') ? '#58a8ff' : '#9fd0ff'))
      return nozzles
    })
    this.#first = first
    this.#exhausts = raiders.map((model) => {
      model.scale.setScalar(looks.raider.scale)
      this.#paint(model, RAIDER_COLOR, new Color('#6d5a58'))
      const nodes = nozzlesOf(model)
      for (const _ of nodes) this.#plumes.paint(first++, new Color('#ff7a3a'))
      return nodes
    })
    this.#power = raiders.map(() => 0)
    this.#trails = new Trails({
      count: all.length,
      points: 120,
      interval: 1 / 30,
      width: 0.3,
      opacity: 0.5,
      color: (index) => (index < guards.length ? looks.colorOf(index) : RAIDER_COLOR),
    })
    this.object.add(...all, this.#trails.object, this.#plumes.object)
  }

  /**
   * Call once per frame, after the poses of the ships are set. A guard between the first one and the `eye`
   * of its pilot is seen through.
   */
  update(scene: Seens, seconds: number, eye: Vector3 | null = null): void {
    scene.guards.forEach((guard, index) =>
      this.#showGuard(guard, index, seconds, eye === null || index === 0 ? 1 : this.#solidity(index, eye)),
    )
    const { raider } = this.#looks
    let flame = this.#first
    for (const [index, { pilot, present = true }] of scene.raiders.entries()) {
      const model = this.raiders[index]!
      model.visible = present
      const { x, y, z } = pilot.force
      const { x: nose } = pilot.attitude
      const thrust = (x * nose.x + y * nose.y + z * nose.z) / raider.engines.ahead
      const burn = Math.min(1, Math.max(0.12, 0.3 * (magnitude(pilot.velocity) / raider.speed) + thrust))
      const power = (this.#power[index]! += (burn - this.#power[index]!) * (1 - Math.exp(-seconds / 0.1)))
      model.updateMatrixWorld(true)
      for (const nozzle of this.#exhausts[index]!)
        this.#plumes.put(flame++, world.multiplyMatrices(nozzle.matrixWorld, FLAME), present ? power : 0)
      for (const lamp of this.#lamps[this.guards.length + index]!) lamp.emissiveIntensity = 0.2 + 2 * power
      this.#trace(this.guards.length + index, model, raider.nose, present ? magnitude(pilot.velocity) : 0)
    }
    this.#trails.advance(seconds)
    this.#plumes.update(scene.time)
  }

  dispose(): void {
    this.#trails.dispose()
  }

  /** Share in which a guard is drawn: nothing near the eye, all from the first guard on. */
  #solidity(index: number, eye: Vector3): number {
    along.subVectors(this.guards[0]!.position, eye)
    const far = along.length()
    const ahead = offset.subVectors(this.guards[index]!.position, eye).dot(along) / far
    return MathUtils.smoothstep(ahead, 0.4 * far, 1.1 * far)
  }

  #showGuard({ pilot, release = null }: Seen, index: number, seconds: number, solidity: number): void {
    const model = this.guards[index]!
    const nozzles = this.#nozzles[index]!
    model.visible = solidity > 0.02
    for (const { material } of meshesOf(model)) fade(material as Material, solidity)
    nozzles.update(pilot.force, pilot.torque, seconds, solidity)
    for (const lamp of this.#lamps[index]!) lamp.emissiveIntensity = 0.15 + 2 * nozzles.main
    this.#trace(index, model, this.#looks.guard.nose, release === null ? magnitude(pilot.velocity) : 0)
  }

  #trace(row: number, model: Object3D, back: number, speed: number): void {
    const { x, y, z } = tail.set(0, 0, -back).applyQuaternion(model.quaternion).add(model.position)
    this.#trails.put(row, x, y, z, Math.min(1, speed / 9))
  }

  #paint(model: Object3D, accent: Color, hull: Color): void {
    const lamps: MeshStandardMaterial[] = []
    for (const { material } of meshesOf(model)) {
      if (!(material instanceof MeshStandardMaterial)) continue
      if (material.name === 'accent') material.color.copy(accent)
      if (material.name === 'hull') material.color.multiply(hull)
      if (material.name === 'lamp') lamps.push(material)
    }
    this.#lamps.push(lamps)
  }
}

function fade(material: Material, opacity: number): void {
  if (material.transparent !== opacity < 1) {
    material.transparent = opacity < 1
    material.needsUpdate = true
  }
  material.opacity = opacity
}
