import type { Vec3, Vec3Like } from '../types.js'
import type { OutlineSink, Shape } from './shape.js'
import { requireVector } from '../math/require.js'
import { copy, isZero, normalize, vec3 } from '../math/vec3.js'
import { SLIDE, TOUCH, sizeOf } from './sweep.js'
import { type OptionTable, readOptions } from '../math/options.js'

const UP: Vec3Like = Object.freeze({ x: 0, y: 1, z: 0 })

/**
 * All points below a plane through the origin: ground, the boundary of a world. `CANNON.Plane` has its normal
 * along +Z.
 */
export class HalfSpaceShape implements Shape {
  static readonly options = {
    normal: { kind: 'vector', required: true, check: requireVector },
  } satisfies OptionTable<{ normal: Vec3Like }>

  readonly kind = 'half-space'
  readonly convex = true
  /** Outward unit normal. */
  readonly normal: Readonly<Vec3> = vec3()

  /**
   * `normal` points out of the solid and may have any length. Default +Y.
   * @throws TypeError / RangeError naming the value.
   */
  constructor(normal: Vec3Like = UP) {
    readOptions('HalfSpaceShape', HalfSpaceShape.options, { normal })
    normalize(this.normal, normal)
    if (isZero(this.normal)) throw new RangeError('HalfSpaceShape.normal: got (0, 0, 0), must not be zero')
  }

  distance({ x, y, z }: Vec3Like, normal: Vec3): number {
    copy(normal, this.normal)
    return x * normal.x + y * normal.y + z * normal.z
  }

  sweep(origin: Vec3Like, direction: Vec3Like, radius: number, limit: number): number {
    const { x, y, z } = this.normal
    const slope = x * direction.x + y * direction.y + z * direction.z
    const height = x * origin.x + y * origin.y + z * origin.z - radius
    if (slope >= 0 || (slope >= -SLIDE && height <= TOUCH * sizeOf(origin, radius))) return Infinity
    const hit = height > 0 ? height / -slope : 0
    return hit <= limit ? hit : Infinity
  }

  leave(origin: Vec3Like, direction: Vec3Like, radius: number): number {
    const { x, y, z } = this.normal
    const slope = x * direction.x + y * direction.y + z * direction.z
    const height = x * origin.x + y * origin.y + z * origin.z - radius
    return height >= 0 ? 0 : slope > 0 ? height / -slope : Infinity
  }

  support(): number {
    return Infinity
  }

  outline(_from: Vec3Like, _radius: number, rim: OutlineSink): void {
    const { x, y, z } = this.normal
    rim.circle(-x, -y, -z, 0)
  }
}
