import type { Agent, Oriented, Placed, Vec3, Vec3Like, Waypoint } from '../../types.js'
import { DEFAULT_FORWARD } from '../../math/frame.js'
import { rotate } from '../../math/quat.js'
import { turnedBy, turningDisplacement } from '../../math/turning.js'
import { add, addScaled, copy, isZero, length, normalize, scale, set, vec3 } from '../../math/vec3.js'
import { isUsable } from '../../control/usable.js'
import { requirePoint } from '../../control/target.js'

/** A position to be passed in a direction, and its motion. World axes. */
export interface Goal {
  /** Position (m). */
  readonly position: Vec3
  /** Direction in which it is to be passed (unit). */
  readonly heading: Vec3
  /** Velocity (m/s) and acceleration (m/s²) of the position. */
  readonly velocity: Vec3
  readonly acceleration: Vec3
  /** Angular velocity of the heading (rad/s). */
  readonly spin: Vec3
  /** Angular velocity of its velocity vector (rad/s): learnt if no acceleration is given. */
  readonly turning: Vec3
}

/**
 * A fixed or moving waypoint, an object with an attitude (its nose is the heading), or a function that writes
 * `out`. The motion in `out` is zero when the function is called.
 */
export type GoalSource =
  | ((Waypoint | (Placed & Oriented)) & { readonly velocity?: Vec3Like; readonly angularVelocity?: Vec3Like })
  | ((agent: Agent, out: Goal) => void)

const path = vec3()

export function makeGoal(): Goal {
  return {
    position: vec3(),
    heading: vec3(1, 0, 0),
    velocity: vec3(),
    acceleration: vec3(),
    spin: vec3(),
    turning: vec3(),
  }
}

/**
 * @throws TypeError when `source` has no position or no direction; RangeError when they are not finite, or
 * the heading is zero.
 */
export function requireGoal<T extends GoalSource>(what: string, source: T): T {
  if (typeof source === 'function') return source
  const { heading, position, quaternion } = (source ?? {}) as Partial<Waypoint & Oriented>
  if (position === undefined || (heading === undefined && typeof quaternion?.w !== 'number'))
    throw new TypeError(
      `${what}: got ${String(source)}, must have a position and a heading or a quaternion, or be a function`,
    )
  requirePoint(what, position)
  if (heading === undefined) return source
  requirePoint(`${what}.heading`, heading)
  if (isZero(heading)) throw new RangeError(`${what}.heading: got (0, 0, 0), must not be zero`)
  return source
}

/**
 * Writes the present position, heading and motion of the goal.
 * @returns false when they are not finite or the heading is zero: then the goal cannot be reached.
 */
export function readGoal(out: Goal, source: GoalSource, agent: Agent): boolean {
  set(out.velocity, 0, 0, 0)
  set(out.acceleration, 0, 0, 0)
  set(out.spin, 0, 0, 0)
  set(out.turning, 0, 0, 0)
  if (typeof source === 'function') source(agent, out)
  else {
    const { position, heading, quaternion, forward, velocity, angularVelocity } = source as Partial<
      Waypoint & Oriented & { velocity: Vec3Like; angularVelocity: Vec3Like }
    >
    copy(out.position, position!)
    if (heading !== undefined) copy(out.heading, heading)
    else rotate(out.heading, quaternion!, forward ?? DEFAULT_FORWARD)
    if (velocity !== undefined) copy(out.velocity, velocity)
    if (angularVelocity !== undefined) copy(out.spin, angularVelocity)
  }
  // checked first: normalisation hides components that are not finite
  const pointed = isUsable(agent, 'heading of the target', out.heading)
  normalize(out.heading, out.heading)
  if (pointed && isZero(out.heading)) agent.report?.('heading of the target', out.heading)
  return (
    isUsable(agent, 'target', out.position) &&
    pointed &&
    !isZero(out.heading) &&
    isUsable(agent, 'velocity of the target', out.velocity) &&
    isUsable(agent, 'acceleration of the target', out.acceleration) &&
    isUsable(agent, 'spin of the target', out.spin)
  )
}

/** A velocity that turns slower than this (rad/s) counts as constant. */
const STRAIGHT = 1e-6

/** Writes the goal as predicted for `time` (s) from now. `out` may be `now`. */
export function predictGoal(out: Goal, now: Goal, time: number): Goal {
  const turn = length(now.turning)
  if (isZero(now.acceleration) && turn > STRAIGHT) {
    turningDisplacement(path, now.velocity, now.turning, turn, time)
    turnedBy(out.velocity, now.velocity, now.turning, turn, time)
  } else {
    scale(path, now.velocity, time)
    addScaled(path, path, now.acceleration, (time * time) / 2)
    addScaled(out.velocity, now.velocity, now.acceleration, time)
  }
  add(out.position, now.position, path)
  copy(out.acceleration, now.acceleration)
  copy(out.spin, now.spin)
  copy(out.turning, now.turning)
  const rate = length(now.spin)
  // at most half a turn: after more the prediction of the heading means nothing
  if (!(rate * time > 0)) copy(out.heading, now.heading)
  else turnedBy(out.heading, now.heading, now.spin, rate, Math.min(time, Math.PI / rate))
  return out
}
