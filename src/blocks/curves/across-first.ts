import type { Vec3, Vec3Like } from '../../core/types.js'
import { clamp } from '../../core/math/scalar.js'
import { addScaled, lengthSq, truncate } from '../../core/math/vec3.js'

/**
 * Adds a demand `along` in the unit direction `ahead` to the demand across it in `out` (forces or
 * accelerations). The demand across has precedence: together they are no longer than `limit`.
 */
export function acrossFirst(out: Vec3, ahead: Vec3Like, along: number, limit: number): Vec3 {
  const leftSq = limit * limit - lengthSq(out)
  // if the demand across uses the whole limit, a square root of rounding errors must not be added
  if (!(leftSq > 0)) return truncate(out, out, limit)
  const rest = Math.sqrt(leftSq)
  return addScaled(out, out, ahead, clamp(along, -rest, rest))
}
