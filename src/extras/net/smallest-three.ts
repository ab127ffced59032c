import type { Quat, QuatLike } from '../../core/types.js'
import { setQuat } from '../../core/math/quat.js'

/**
 * A rotation in 32 bits, after Fiedler, "Snapshot Compression", 2015: the number of the component with the
 * largest magnitude in 2 bits, and the other three, which are at most √½, in 10 bits each. The largest
 * follows from them. Zero is exact, and so is the identity.
 */

/** Levels on each side of zero. */
const LEVELS = 511
/** Difference between two levels. */
const STEP = Math.SQRT1_2 / LEVELS

/**
 * Bound of the error of the rotation, rad. Each component is off by at most half a step. The largest one is
 * then off by at most three times as much, where all four are 1/2. The quaternion is off by √(3 + 9) half
 * steps, and the angle by twice that, 6.93 half steps. The rest covers terms of second order.
 */
export const SMALLEST_THREE_ERROR = 7.2 * (STEP / 2)

const three = [0.5, 0.5, 0.5, 0.5]

/**
 * Writes the number of the largest component to `out[at]`, and the levels of the other three, 0 … 1022,
 * behind it.
 * @param q Of unit length.
 */
export function quatLevels(out: Float64Array, at: number, { x, y, z, w }: QuatLike): void {
  three[0] = x
  three[1] = y
  three[2] = z
  three[3] = w
  let largest = 0
  for (let i = 1; i < 4; i++) if (Math.abs(three[i]!) > Math.abs(three[largest]!)) largest = i
  // q and −q are the same rotation
  const scale = (three[largest]! < 0 ? -1 : 1) / STEP
  out[at] = largest
  let next = at + 1
  for (let i = 0; i < 4; i++)
    if (i !== largest)
      out[next++] = Math.min(LEVELS, Math.max(-LEVELS, Math.round(three[i]! * scale))) + LEVELS
}

/** A rotation of unit length for any four numbers whose first is 0 … 3. */
export function quatOfLevels(out: Quat, levels: Float64Array, at: number): Quat {
  const largest = levels[at]!
  const a = (levels[at + 1]! - LEVELS) * STEP
  const b = (levels[at + 2]! - LEVELS) * STEP
  const c = (levels[at + 3]! - LEVELS) * STEP
  const sum = a * a + b * b + c * c
  // bits of a stranger may give a sum above 1
  const rest = Math.sqrt(Math.max(0, 1 - sum))
  const k = sum > 1 ? 1 / Math.sqrt(sum) : 1
  if (largest === 0) return setQuat(out, rest, a * k, b * k, c * k)
  if (largest === 1) return setQuat(out, a * k, rest, b * k, c * k)
  if (largest === 2) return setQuat(out, a * k, b * k, rest, c * k)
  return setQuat(out, a * k, b * k, c * k, rest)
}
