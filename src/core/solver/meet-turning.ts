import type { Vec3, Vec3Like } from '../types.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import { sweptBall } from '../obstacles/sweep.js'
import type { Footing } from './footing.js'
import { addScaled, cross, dot, length, lengthSq, scale, sub, vec3 } from '../math/vec3.js'

/**
 * As seen from an obstacle that turns, a ball flies along a curve. It is swept in straight parts, in each of
 * which the obstacle turns by this angle (rad). Larger: cheaper and less exact. Chosen by hand, like their
 * number.
 */
const PART = 0.1
/** Most of these parts: a faster obstacle is swept in longer ones. */
const MOST_PARTS = 36

/** When an obstacle is hit: an object, as numbers that are passed would be boxed. */
export interface Hit {
  /** Later hits (s) are not looked for. */
  horizon: number
  /** Time (s) to the hit, Infinity for none. */
  time: number
}

/** When a ball of this radius (m) hits an obstacle. */
export interface BallHit extends Hit {
  radius: number
}

const swept = sweptBall()
const drift = vec3()
const arm = vec3()
const axis = vec3()
const start = vec3()
const end = vec3()
const course = vec3()

/**
 * Writes into `hit` when a ball that flies from `from` at `velocity` (m/s) touches an obstacle that keeps
 * its velocity and its angular velocity.
 */
export function meetTurning(
  obstacle: Obstacle,
  from: Vec3Like,
  velocity: Vec3Like,
  hit: BallHit,
  footing?: Footing,
): void {
  const { angularVelocity, origin, position } = obstacle
  sub(drift, velocity, obstacle.velocity)
  sub(arm, from, origin)
  // while the ball is within the ball that the obstacle sweeps
  const reach = obstacle.boundingRadius + length(sub(course, position, origin)) + hit.radius
  const closing = -dot(arm, drift)
  const speedSq = lengthSq(drift)
  const inside = reach * reach - lengthSq(arm)
  let first = 0
  let last = hit.horizon
  hit.time = 1 / 0
  if (reach < Infinity) {
    const half = closing * closing + speedSq * inside
    if (!(inside > 0 || (closing > 0 && half > 0))) return
    if (speedSq > 0) {
      const root = Math.sqrt(half)
      first = Math.max(0, (closing - root) / speedSq)
      last = Math.min(last, (closing + root) / speedSq)
    }
  }
  if (!(last > first && last < Infinity)) return
  const rate = length(angularVelocity)
  const parts = Math.min(MOST_PARTS, Math.ceil((rate * (last - first)) / PART) || 1)
  carryBack(start, obstacle, addScaled(start, from, velocity, first), first)
  for (let k = 1; k <= parts; k++) {
    const before = first + ((last - first) * (k - 1)) / parts
    const time = first + ((last - first) * k) / parts
    carryBack(end, obstacle, addScaled(end, from, velocity, time), time)
    const way = length(sub(course, end, start))
    if (way > 0) {
      scale(course, course, 1 / way)
      swept.radius = hit.radius
      swept.limit = way
      if (footing === undefined) obstacle.sweepBall(start, course, swept)
      else footing.sweepBall(obstacle, start, course, swept)
      if (swept.distance < Infinity) {
        hit.time = before + ((time - before) * swept.distance) / way
        return
      }
    }
    start.x = end.x
    start.y = end.y
    start.z = end.z
  }
}

/**
 * Writes into `out` the point that is now where `point` (m) will be after `time` (s), as seen from the
 * obstacle, which keeps its velocity and its angular velocity.
 */
export function carryBack(out: Vec3, obstacle: Obstacle, point: Vec3Like, time: number): Vec3 {
  const { angularVelocity, origin, velocity } = obstacle
  addScaled(out, point, velocity, -time)
  if (!obstacle.turns) return out
  sub(out, out, origin)
  turnBy(out, angularVelocity, -time)
  out.x += origin.x
  out.y += origin.y
  out.z += origin.z
  return out
}

/** Turns `out` by an angular velocity (rad/s, not 0) for `time` (s). */
export function turnBy(out: Vec3, angularVelocity: Vec3Like, time: number): Vec3 {
  const rate = length(angularVelocity)
  scale(axis, angularVelocity, 1 / rate)
  const cosine = Math.cos(rate * time)
  const sine = Math.sin(rate * time)
  const along = dot(axis, out) * (1 - cosine)
  cross(side, axis, out)
  scale(out, out, cosine)
  addScaled(out, out, side, sine)
  return addScaled(out, out, axis, along)
}

const side = vec3()
