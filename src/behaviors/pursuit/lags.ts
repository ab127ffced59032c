import type { Vec3, Vec3Like } from '../../types.js'
import { clamp } from '../../math/scalar.js'
import { addScaled, copy, dot, lengthSq, load, save, scale, sub, vec3 } from '../../math/vec3.js'

/**
 * A state-variable filter: a vector passes three lags in a row, and what comes out is its first, second and third derivative, smoothed, by
 * mere differences, at any step length. Its state is `LAGS_WIDTH` numbers of somebody's array: the last input and the three outputs.
 */

/** Time constant (s) of each lag. Shorter learns sooner, longer is steadier against what shakes. */
export const LAG = 0.05

export const LAGS_WIDTH = 12

const FIRST = 3
const SECOND = 6
const THIRD = 9

/** Slower than this (m/s) there is no course, and so no turn; nor is one faster than this, rad/s, which no step could show. */
export const AT_REST = 1e-9
export const FASTEST_TURN = 100

const rate1 = vec3()
const rate2 = vec3()
const output = vec3()
const turn = vec3()

/** Fills the lags as if a velocity that was `data` and is `input` now, `elapsed` s later, belonged to a circle always flown: little to forget. */
export function startLags(data: Float64Array, at: number, input: Vec3Like, elapsed: number): void {
  load(turn, data, at)
  scale(turn, sub(turn, input, turn), 1 / elapsed)
  const square = circleRateSq(input, turn)
  const k = 1 / (1 + LAG * LAG * square)
  copy(rate1, input)
  save(input, data, at)
  for (let lag = FIRST; lag <= THIRD; lag += 3) {
    copy(rate2, rate1)
    scale(rate1, addScaled(rate1, rate1, turn, -LAG), k)
    scale(turn, addScaled(turn, turn, rate2, LAG * square), k)
    save(rate1, data, at + lag)
  }
}

/** Sends the next input through the lags. */
export function passLags(data: Float64Array, at: number, input: Vec3Like, elapsed: number): void {
  const keep = Math.exp(-elapsed / LAG)
  passOne(data, at, input.x, elapsed, keep)
  passOne(data, at + 1, input.y, elapsed, keep)
  passOne(data, at + 2, input.z, elapsed, keep)
  save(input, data, at)
}

/** One component. Each lag answers a straight line from its last input to the new one exactly. */
function passOne(data: Float64Array, at: number, input: number, elapsed: number, keep: number): void {
  let before = data[at]!
  let after = input
  for (let lag = FIRST; lag <= THIRD; lag += 3) {
    const behind = (LAG * (after - before)) / elapsed
    const old = data[at + lag]!
    data[at + lag] = after - behind + (old - before + behind) * keep
    before = old
    after = data[at + lag]!
  }
}

/** Writes the derivatives of the third output: acceleration, jerk and snap of a velocity. */
export function readLags(data: Float64Array, at: number, acceleration: Vec3, jerk: Vec3, snap: Vec3): void {
  lead(rate1, load(turn, data, at), load(output, data, at + FIRST))
  lead(rate2, output, load(turn, data, at + SECOND))
  lead(acceleration, turn, load(output, data, at + THIRD))
  lead(turn, rate1, rate2)
  lead(jerk, rate2, acceleration)
  lead(snap, turn, jerk)
}

/** ω² (1/s²) of the circle that a thing with this velocity and acceleration flies. */
export function circleRateSq(velocity: Vec3Like, acceleration: Vec3Like): number {
  const sq = lengthSq(velocity)
  if (!(sq > AT_REST * AT_REST)) return 0
  const along = dot(velocity, acceleration) / sq
  return clamp(lengthSq(acceleration) / sq - along * along, 0, FASTEST_TURN * FASTEST_TURN)
}

/** Rate at which a lag with this input and output moves. */
function lead(out: Vec3, input: Vec3Like, result: Vec3Like): Vec3 {
  return scale(out, sub(out, input, result), 1 / LAG)
}
