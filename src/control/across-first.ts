import type { Vec3, Vec3Like } from '../types.js'
import { clamp } from '../math/scalar.js'
import { addScaled, lengthSq, truncate } from '../math/vec3.js'

/** Adds `drive` along the unit `ahead` to what `out` holds across it, which comes first: together no more than `most`. */
export function acrossFirst(out: Vec3, ahead: Vec3Like, along: number, maxForce: number): Vec3 {
  const leftSq = maxForce * maxForce - lengthSq(out)
  // cut down to `most` nothing is left, not the root of what rounding leaves
  if (!(leftSq > 0)) return truncate(out, out, maxForce)
  const rest = Math.sqrt(leftSq)
  return addScaled(out, out, ahead, clamp(along, -rest, rest))
}
