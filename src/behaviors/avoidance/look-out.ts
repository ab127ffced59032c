/** No vehicle is taken to need longer than this (s) to stop. */
const LONGEST_STOP = 60

/** Of the time in which both can stop, as in the advice 3 · maxSpeed² · mass / maxForce for two that are equal; and own radii besides. */
const STOP_SHARE = 0.375
const RADII = 10

/**
 * How far (m, from centre to centre) an agent with this `radius` (m) must look to avoid another in time: the way on which both near each
 * other, at `closing` (m/s) at most, in `caution` times the time to answer and to stop or step aside, whichever takes longer; at most for
 * `horizon` (s); and some radii. `power` (m/s²) is what the agent can change, `lag` (s) its time to answer, `far` (m) the least distance that is kept.
 */
export function lookOut(
  closing: number,
  power: number,
  lag: number,
  far: number,
  radius: number,
  caution: number,
  horizon: number,
): number {
  const stop = Math.max(STOP_SHARE * (closing / power), 0.5 * Math.sqrt((2 * far) / power))
  const time = Math.min(caution * (lag + (power > 0 ? Math.min(stop, LONGEST_STOP) : 0)), horizon)
  return far + RADII * radius + closing * time
}

/** The most (m/s) that an agent may soon fly: its `maxSpeed`; without one, what it makes of a second. Never less than it flies now. */
export function fullSpeed(speed: number, maxSpeed: number, power: number): number {
  if (maxSpeed < Infinity) return maxSpeed > speed ? maxSpeed : speed
  return power < Infinity ? speed + power : speed
}

/** As {@link fullSpeed}, of another agent, whose force nobody knows; its velocity stands in a column from `at` on. */
export function fastestOf(velocity: Float64Array, at: number, maxSpeed: number): number {
  const x = velocity[at]!
  const y = velocity[at + 1]!
  const z = velocity[at + 2]!
  return fullSpeed(Math.sqrt(x * x + y * y + z * z), maxSpeed, 0)
}
