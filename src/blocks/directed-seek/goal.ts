import type { Agent, Oriented, Placed, Vec3, Vec3Like, Waypoint } from '../../core/types.js'
import { DEFAULT_FORWARD } from '../../core/math/frame.js'
import { rotate } from '../../core/math/quat.js'
import { copy, isZero, normalize, set, vec3 } from '../../core/math/vec3.js'
import { isUsable } from '../../core/control/usable.js'
import { requirePoint } from '../../core/control/target.js'
import { refuse } from '../../core/math/require.js'

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
}

/**
 * A fixed or moving waypoint, an object with an attitude (its nose is the heading), or a function that writes
 * `out`. The motion in `out` is zero when the function is called.
 */
export type GoalSource =
  | ((Waypoint | (Placed & Oriented)) & { readonly velocity?: Vec3Like; readonly angularVelocity?: Vec3Like })
  | ((agent: Agent, out: Goal) => void)

export function makeGoal(): Goal {
  return {
    position: vec3(),
    heading: vec3(1, 0, 0),
    velocity: vec3(),
    acceleration: vec3(),
    spin: vec3(),
  }
}

/** @throws TypeError without a position or direction; RangeError when not finite, or the heading is zero. */
export function requireGoal<T extends GoalSource>(what: string, source: T): T {
  if (typeof source === 'function') return source
  const { heading, position, quaternion } = (source ?? {}) as Partial<Waypoint & Oriented>
  if (position === undefined || (heading === undefined && typeof quaternion?.w !== 'number'))
    refuse(what, source, 'must have a position and a heading or a quaternion, or be a function')
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

/** Whether a goal neither moves nor turns. */
export function isStill({ velocity, acceleration, spin }: Goal): boolean {
  return isZero(velocity) && isZero(acceleration) && isZero(spin)
}
