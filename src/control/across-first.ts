import type { Vec3, Vec3Like } from '../types.js'
import { clamp } from '../math/scalar.js'
import { addScaled, lengthSq, truncate } from '../math/vec3.js'

/** Adds `drive` along the unit `ahead` to what `out` holds across it, which comes first: together no more than `most`. */
export function acrossFirst(out: Vec3, ahead: Vec3Like, drive: number, most: number): Vec3 {
  const left = most * most - lengthSq(out)
  // cut down to `most` nothing is left, not the root of what rounding leaves
  if (!(left > 0)) return truncate(out, out, most)
  const rest = Math.sqrt(left)
  return addScaled(out, out, ahead, clamp(drive, -rest, rest))
}
