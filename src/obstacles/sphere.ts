import type { Vec3, Vec3Like } from '../types.js'
import type { Rim, Shape } from './shape.js'
import { requireFinite } from '../math/require.js'
import { length } from '../math/vec3.js'

/** A ball around the origin. */
export class SphereShape implements Shape {
  readonly kind = 'sphere'
  /** m, > 0. */
  readonly radius: number

  /** @throws TypeError / RangeError naming the value. */
  constructor(radius: number) {
    this.radius = requireFinite('SphereShape.radius', radius, 0, true)
  }

  distance(point: Vec3Like, normal: Vec3): number {
    const d = length(point)
    const k = d > 0 ? 1 / d : 0
    normal.x = point.x * k
    normal.y = d > 0 ? point.y * k : 1
    normal.z = point.z * k
    return d - this.radius
  }

  sweep(origin: Vec3Like, direction: Vec3Like, radius: number, limit: number): number {
    const reach = this.radius + radius
    const along = origin.x * direction.x + origin.y * direction.y + origin.z * direction.z
    if (along >= 0) return Infinity
    const cx = origin.x - along * direction.x
    const cy = origin.y - along * direction.y
    const cz = origin.z - along * direction.z
    const half = reach * reach - (cx * cx + cy * cy + cz * cz)
    if (half <= 0) return Infinity
    const hit = -along - Math.sqrt(half)
    return hit > limit ? Infinity : Math.max(0, hit)
  }

  leave(origin: Vec3Like, direction: Vec3Like, radius: number): number {
    const reach = this.radius + radius
    const along = origin.x * direction.x + origin.y * direction.y + origin.z * direction.z
    const inside = reach * reach - (origin.x * origin.x + origin.y * origin.y + origin.z * origin.z)
    return inside > 0 ? Math.sqrt(along * along + inside) - along : 0
  }

  support(): number {
    return this.radius
  }

  outline(from: Vec3Like, radius: number, rim: Rim): void {
    const d = length(from)
    const sine = (this.radius + radius) / d
    rim.circle(-from.x / d, -from.y / d, -from.z / d, Math.sqrt(Math.max(0, 1 - sine * sine)))
  }
}
