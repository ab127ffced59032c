import type { Agent, Oriented, Placed, Vec3, Vec3Like, Waypoint } from '../../types.js'
import { DEFAULT_FORWARD } from '../../math/frame.js'
import { rotate } from '../../math/quat.js'
import { turnedBy, turningDisplacement } from '../../math/turning.js'
import { add, addScaled, copy, isZero, length, normalize, scale, set, vec3 } from '../../math/vec3.js'
import { isUsable } from '../../control/usable.js'
import { requirePoint } from '../../control/target.js'

/** A place to be passed in a direction, and how it moves: m, unit, m/s, m/s², rad/s, all in world axes. */
export interface Goal {
  readonly position: Vec3
  readonly heading: Vec3
  readonly velocity: Vec3
  readonly acceleration: Vec3
  readonly spin: Vec3
  /** Rate at which its velocity turns, rad/s: learnt, where no acceleration is told. */
  readonly turning: Vec3
}

/**
 * A fixed or moving waypoint, a thing with an attitude (its nose is the heading), or a function that writes `out`, whose
 * motion it finds zero.
 */
export type GoalSource =
  | ((Waypoint | (Placed & Oriented)) & { readonly velocity?: Vec3Like; readonly angularVelocity?: Vec3Like })
  | ((agent: Agent, out: Goal) => void)

const way = vec3()

export function goal(): Goal {
  return {
    position: vec3(),
    heading: vec3(1, 0, 0),
    velocity: vec3(),
    acceleration: vec3(),
    spin: vec3(),
    turning: vec3(),
  }
}

/** @throws TypeError when `source` has no place or no direction; RangeError when they are not finite, or the heading is zero. */
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
 * Writes where the goal is now, in which direction it is to be passed, and how it moves.
 * @returns false where it is not finite or has no direction: then nobody can go there.
 */
export function goalAt(out: Goal, source: GoalSource, agent: Agent): boolean {
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
  normalize(out.heading, out.heading)
  return (
    isUsable(agent, 'target', out.position) &&
    isUsable(agent, 'heading of the target', out.heading) &&
    !isZero(out.heading) &&
    isUsable(agent, 'velocity of the target', out.velocity) &&
    isUsable(agent, 'acceleration of the target', out.acceleration) &&
    isUsable(agent, 'spin of the target', out.spin)
  )
}

/** Turns slower than this (rad/s) are none. */
const STRAIGHT = 1e-6

/** Writes what the goal will be like in `time` seconds. `out` may be `now`. */
export function goalIn(out: Goal, now: Goal, time: number): Goal {
  const turn = length(now.turning)
  if (isZero(now.acceleration) && turn > STRAIGHT) {
    turningDisplacement(way, now.velocity, now.turning, turn, time)
    turnedBy(out.velocity, now.velocity, now.turning, turn, time)
  } else {
    scale(way, now.velocity, time)
    addScaled(way, way, now.acceleration, (time * time) / 2)
    addScaled(out.velocity, now.velocity, now.acceleration, time)
  }
  add(out.position, now.position, way)
  copy(out.acceleration, now.acceleration)
  copy(out.spin, now.spin)
  copy(out.turning, now.turning)
  const rate = length(now.spin)
  // a spin that goes round on the way says nothing that lasts
  if (!(rate * time > 0)) copy(out.heading, now.heading)
  else turnedBy(out.heading, now.heading, now.spin, rate, Math.min(time, Math.PI / rate))
  return out
}
