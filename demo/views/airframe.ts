import { Group, MeshStandardMaterial, type Object3D } from 'three'
import type { SteeringController } from 'three-steering'
import { meshesOf, partOf } from '../models.js'

/** View of one aircraft. */
export class Airframe {
  /** Has the pose from the steering. The model is its child, so that it can roll while falling. */
  readonly seat = new Group()
  readonly model: Object3D
  readonly tips: readonly Object3D[]
  readonly #lamps: readonly MeshStandardMaterial[]
  /** Power of the engine, in [0, 1]. */
  power = 0

  /** `paint` sets the colours of the materials by their names. */
  constructor(model: Object3D, scale: number, paint: (material: MeshStandardMaterial) => void) {
    const materials = meshesOf(model).map(({ material }) => material)
    const standard = materials.filter((material) => material instanceof MeshStandardMaterial)
    standard.forEach(paint)
    this.#lamps = standard.filter(({ name }) => name === 'lamp')
    this.model = model
    this.tips = [partOf(model, 'tip_0'), partOf(model, 'tip_1')]
    model.scale.setScalar(scale)
    this.seat.add(model)
  }

  /** Brings the power to `wanted` within some `time` (s). */
  burn(wanted: number, time: number, seconds: number): void {
    this.power += (wanted - this.power) * (1 - Math.exp(-seconds / time))
  }

  /** Rolls at `rate` (rad/s) while it falls. */
  fall(falls: boolean, rate: number, seconds: number): void {
    this.model.rotation.z = falls ? this.model.rotation.z + rate * seconds : 0
  }

  /** Call after the pose and the power of this frame are set. */
  light(): void {
    this.seat.updateMatrixWorld(true)
    for (const lamp of this.#lamps) lamp.emissiveIntensity = 0.3 + 2.1 * this.power
  }
}

/** Force along the flight (N). */
export function thrustOf({ force, velocity }: SteeringController): number {
  const speed = Math.hypot(velocity.x, velocity.y, velocity.z)
  return (force.x * velocity.x + force.y * velocity.y + force.z * velocity.z) / Math.max(1, speed)
}

/** Force across the nose, which the wings carry (N). */
export function liftOf({ attitude, force: { x, y, z } }: SteeringController): number {
  const { x: nose } = attitude
  const along = x * nose.x + y * nose.y + z * nose.z
  return Math.sqrt(Math.max(0, x * x + y * y + z * z - along * along))
}
