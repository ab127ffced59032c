import type { OutlineSink, Shape } from '../../core/obstacles/shape.js'
import type { Vec3, Vec3Like } from '../../core/types.js'

/** All points within `border` (m) of another shape, as Rapier's round shapes. */
export class RoundedShape implements Shape {
  readonly kind = 'rounded'
  readonly convex: boolean
  private readonly inner: Shape
  private readonly border: number
  readonly outline?: (from: Vec3Like, radius: number, rim: OutlineSink) => void

  constructor(inner: Shape, border: number) {
    this.inner = inner
    this.border = border
    this.convex = inner.convex === true
    if (inner.outline !== undefined)
      this.outline = (from, radius, rim) => inner.outline!(from, radius + border, rim)
  }

  // exact also inside: the surface of a convex shape that grows moves outwards along its normals
  distance(point: Vec3Like, normal: Vec3): number {
    return this.inner.distance(point, normal) - this.border
  }

  // a ball against the grown shape is a ball grown by the border against the inner one
  sweep(origin: Vec3Like, direction: Vec3Like, radius: number, limit: number): number {
    return this.inner.sweep(origin, direction, radius + this.border, limit)
  }

  leave(origin: Vec3Like, direction: Vec3Like, radius: number): number {
    return this.inner.leave(origin, direction, radius + this.border)
  }

  support(direction: Vec3Like): number {
    return this.inner.support(direction) + this.border
  }
}
