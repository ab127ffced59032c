import type { Vec3, Vec3Like } from '../types.js'
import type { Shape } from './shape.js'
import { leaveConvex, sweepConvex } from './sweep.js'

/** A convex shape, which is swept and left by its `distance` and `support` alone. */
export abstract class ConvexShape implements Shape {
  abstract readonly kind: string
  readonly convex = true

  abstract distance(point: Vec3Like, normal: Vec3): number
  abstract support(direction: Vec3Like): number

  sweep(origin: Vec3Like, direction: Vec3Like, radius: number, limit: number): number {
    return sweepConvex(this, origin, direction, radius, limit)
  }

  leave(origin: Vec3Like, direction: Vec3Like, radius: number): number {
    return leaveConvex(this, origin, direction, radius)
  }
}
