import type { Vec3, Vec3Like } from '../../core/types.js'
import { ConvexShape } from '../../core/obstacles/convex-shape.js'
import { CENTER } from '../../core/obstacles/sweep.js'
import { clamp } from '../../core/math/scalar.js'
import { set } from '../../core/math/vec3.js'

/** A cone around the origin, with its tip at +y. */
export class ConeShape extends ConvexShape {
  readonly kind = 'cone'
  private readonly radius: number
  private readonly halfHeight: number

  constructor(radius: number, halfHeight: number) {
    super()
    this.radius = radius
    this.halfHeight = halfHeight
  }

  distance({ x, y, z }: Vec3Like, normal: Vec3): number {
    const { halfHeight, radius } = this
    const fromAxis = Math.hypot(x, z)
    const outX = fromAxis > CENTER ? x / fromAxis : 1
    const outZ = fromAxis > CENTER ? z / fromAxis : 0
    // in the half-plane of the point: the slope runs from the rim (radius, -halfHeight) to the tip
    const height = 2 * halfHeight
    const slope = Math.hypot(radius, height)
    const outward = height / slope
    const upward = radius / slope
    const share = clamp(((radius - fromAxis) * radius + (y + halfHeight) * height) / (slope * slope), 0, 1)
    const sideDistance = (fromAxis - radius) * outward + (y + halfHeight) * upward
    const baseDistance = -halfHeight - y
    if (sideDistance <= 0 && baseDistance <= 0) {
      if (sideDistance >= baseDistance) set(normal, outX * outward, upward, outZ * outward)
      else set(normal, 0, -1, 0)
      return Math.max(sideDistance, baseDistance)
    }
    // the nearest points of the slope and of the base
    const slopeOut = fromAxis - radius * (1 - share)
    const slopeUp = y + halfHeight - height * share
    const baseOut = Math.max(0, fromAxis - radius)
    const slopeGap = Math.hypot(slopeOut, slopeUp)
    const baseGap = Math.hypot(baseOut, baseDistance)
    const isBase = baseDistance > 0 && baseGap <= slopeGap
    const gap = isBase ? baseGap : slopeGap
    if (!(gap > CENTER)) {
      set(normal, outX * outward, upward, outZ * outward)
      return 0
    }
    const out = (isBase ? baseOut : slopeOut) / gap
    set(normal, outX * out, (isBase ? -baseDistance : slopeUp) / gap, outZ * out)
    return gap
  }

  support({ x, y, z }: Vec3Like): number {
    return Math.max(this.halfHeight * y, this.radius * Math.hypot(x, z) - this.halfHeight * y)
  }
}
