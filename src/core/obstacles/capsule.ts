import type { Vec3, Vec3Like } from '../types.js'
import type { OutlineSink } from './shape.js'
import { length as lengthOf, set } from '../math/vec3.js'
import { ballCone, columnPlanes } from './outline.js'
import { ConvexShape } from './convex-shape.js'
import { CENTER } from './sweep.js'
import { type OptionTable, readOptions } from '../math/options.js'

/**
 * A capsule around the origin, with its axis along y: all points within `radius` of a line segment of
 * `length`.
 */
export class CapsuleShape extends ConvexShape {
  static readonly options = {
    radius: { kind: 'number', required: true, unit: 'm', above: 0 },
    length: { kind: 'number', required: true, unit: 'm', above: 0 },
  } satisfies OptionTable<{ radius: number; length: number }>

  readonly kind = 'capsule'
  /** m, > 0. */
  readonly radius!: number
  /** Distance between the centres of the two caps, m, > 0. */
  readonly length!: number

  /** Dimensions as `THREE.CapsuleGeometry` takes them. @throws TypeError / RangeError naming the value. */
  constructor(radius: number, length: number) {
    super()
    Object.assign(this, readOptions('CapsuleShape', CapsuleShape.options, { radius, length }))
  }

  distance({ x, y, z }: Vec3Like, normal: Vec3): number {
    const half = this.length / 2
    set(normal, x, y > half ? y - half : y < -half ? y + half : 0, z)
    const d = lengthOf(normal)
    if (d > CENTER) {
      normal.x /= d
      normal.y /= d
      normal.z /= d
    } else set(normal, 1, 0, 0)
    return d - this.radius
  }

  support({ y }: Vec3Like): number {
    return this.radius + (Math.abs(y) * this.length) / 2
  }

  outline(from: Vec3Like, radius: number, rim: OutlineSink): void {
    const grown = this.radius + radius
    ballCone(0, this.length / 2, 0, from, grown, rim)
    ballCone(0, -this.length / 2, 0, from, grown, rim)
    columnPlanes(from, grown, this.length / 2, rim)
  }
}
