import type { Vec3Like } from '../types.js'
import { dot, length, lengthSq } from './vec3.js'

/** Squares above this may overflow in a product. */
const HUGE = 1e200

/** Largest s ≥ 0 with |base + s · addition| = radius; 0 for no `addition`. `base` must be in the ball. */
export function shareWithin(base: Vec3Like, addition: Vec3Like, radius: number): number {
  const a = lengthSq(addition)
  if (a === 0 || radius === Infinity) return a === 0 ? 0 : Infinity
  const c = Math.min(0, lengthSq(base) - radius * radius)
  if (a > HUGE) {
    const size = length(addition)
    const { x, y, z } = addition
    const along = base.x * (x / size) + base.y * (y / size) + base.z * (z / size)
    return Math.max(0, (Math.sqrt(along * along - c) - along) / size)
  }
  const b = dot(base, addition)
  return Math.max(0, (Math.sqrt(b * b - a * c) - b) / a)
}
