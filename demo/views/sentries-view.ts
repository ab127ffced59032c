import { Color, Group, Matrix4, MeshStandardMaterial, Vector3, type Object3D } from 'three'
import { meshesOf } from '../models.js'
import { GUARD, RAIDER } from '../scenarios/sentry-craft.js'
import type { Guard } from '../scenarios/sentry-guard.js'
import type { Sentries } from '../scenarios/sentries.js'
import { Trails } from '../trails.js'
import { Nozzles, nozzlesOf } from './nozzles.js'
import { Plumes } from './plumes.js'
import { magnitude } from '../scenarios/metrics.js'

export const GUARD_COLOR = new Color('#3dc8ff')
export const RAIDER_COLOR = new Color('#ff4b3e')

const FLAME = new Matrix4().makeScale(0.55, 0.55, 6.5)
const tail = new Vector3()
const world = new Matrix4()

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

  constructor(guards: readonly Object3D[], raiders: readonly Object3D[]) {
    this.guards = guards
    this.raiders = raiders
    const all = [...guards, ...raiders]
    this.#plumes = new Plumes(all.reduce((sum, model) => sum + nozzlesOf(model).length, 0))
    let first = 0
    this.#nozzles = guards.map((model) => {
      model.scale.setScalar(GUARD.scale)
      this.#paint(model, GUARD_COLOR, new Color('#ffffff'))
      const nozzles = new Nozzles(model, this.#plumes, first, GUARD.engines)
      for (const { name } of nozzlesOf(model))
        this.#plumes.paint(first++, new Color(name.startsWith('nozzle_ahead') ? '#58a8ff' : '#9fd0ff'))
      return nozzles
    })
    this.#first = first
    this.#exhausts = raiders.map((model) => {
      model.scale.setScalar(RAIDER.scale)
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
      color: (index) => (index < guards.length ? GUARD_COLOR : RAIDER_COLOR),
    })
    this.object.add(...all, this.#trails.object, this.#plumes.object)
  }

  /** Call once per frame, after the poses of the ships are set. */
  update(scene: Sentries, seconds: number): void {
    for (const guard of scene.guards) this.#showGuard(guard, seconds)
    let flame = this.#first
    for (const { index, pilot } of scene.raiders) {
      const model = this.raiders[index]!
      const { x, y, z } = pilot.force
      const { x: nose } = pilot.attitude
      const thrust = (x * nose.x + y * nose.y + z * nose.z) / RAIDER.engines.ahead
      const burn = Math.min(1, Math.max(0.12, 0.3 * (magnitude(pilot.velocity) / RAIDER.speed) + thrust))
      const power = (this.#power[index]! += (burn - this.#power[index]!) * (1 - Math.exp(-seconds / 0.1)))
      model.updateMatrixWorld(true)
      for (const nozzle of this.#exhausts[index]!)
        this.#plumes.put(flame++, world.multiplyMatrices(nozzle.matrixWorld, FLAME), power)
      for (const lamp of this.#lamps[this.guards.length + index]!) lamp.emissiveIntensity = 0.2 + 2 * power
      this.#trace(this.guards.length + index, model, RAIDER.nose, magnitude(pilot.velocity))
    }
    this.#trails.advance(seconds)
    this.#plumes.update(scene.time)
  }

  dispose(): void {
    this.#trails.dispose()
  }

  #showGuard({ index, pilot, release }: Guard, seconds: number): void {
    const model = this.guards[index]!
    const nozzles = this.#nozzles[index]!
    nozzles.update(pilot.force, pilot.torque, seconds)
    for (const lamp of this.#lamps[index]!) lamp.emissiveIntensity = 0.15 + 2 * nozzles.main
    this.#trace(index, model, GUARD.nose, release === null ? magnitude(pilot.velocity) : 0)
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
