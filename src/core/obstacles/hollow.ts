import type { Vec3, Vec3Like } from '../types.js'
import type { Shape } from './shape.js'
import { leaveHollow, sweepHollow } from './sweep.js'
import { AXES } from '../math/directions.js'
import { refuse } from '../math/require.js'

/**
 * All points outside of another shape: a room in solid rock. It contains agents inside of a sphere, box,
 * capsule, cylinder (a tube with closed ends) or hull. Distances are those of the inner shape with the
 * opposite sign; normals point into the room.
 */
export class HollowShape implements Shape {
  static readonly options = { inner: { kind: 'instance', required: true } } as const

  readonly kind: string
  /** The shape of the room. */
  readonly inner: Shape
  readonly cavity: Shape

  /** @throws TypeError for a shape that is not convex or not bounded, and for a value that is not a shape. */
  constructor(inner: Shape) {
    if (typeof inner?.distance !== 'function' || typeof inner.support !== 'function')
      refuse('HollowShape.inner', inner, 'must be a shape')
    if (inner.convex !== true)
      throw new TypeError(`HollowShape.inner: got a ${inner.kind} shape, must be convex`)
    for (const direction of AXES)
      if (!Number.isFinite(inner.support(direction)))
        throw new TypeError(`HollowShape.inner: got a ${inner.kind} shape, must be bounded on all sides`)
    this.inner = this.cavity = inner
    this.kind = `hollow ${inner.kind}`
  }

  distance(point: Vec3Like, normal: Vec3): number {
    const distance = this.inner.distance(point, normal)
    normal.x = -normal.x
    normal.y = -normal.y
    normal.z = -normal.z
    return -distance
  }

  sweep(origin: Vec3Like, direction: Vec3Like, radius: number, limit: number): number {
    return sweepHollow(this.inner, origin, direction, radius, limit)
  }

  leave(origin: Vec3Like, direction: Vec3Like, radius: number): number {
    return leaveHollow(this.inner, origin, direction, radius)
  }

  support(): number {
    return Infinity
  }
}
