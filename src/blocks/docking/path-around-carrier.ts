import type { Vec3, Vec3Like } from '../../core/types.js'
import { arccos } from '../../core/math/scalar.js'
import {
  addScaled,
  dot,
  isZero,
  length,
  lengthSq,
  normalize,
  perpendicular,
  reject,
  scale,
  vec3,
} from '../../core/math/vec3.js'

/**
 * The straight line is tested against a ball smaller by this factor, so that an agent on the tangent does not
 * switch to and fro.
 */
const TEST_SHARE = 0.98

const outward = vec3()
const towards = vec3()

/**
 * Finds the path around a ball about the origin, from `here` to `goal` (m). Writes the unit direction in
 * which it begins, along the tangent. An agent inside the ball is led out of it on the way.
 * @param hint direction that decides the side when the goal is exactly behind the ball.
 * @returns the length of the path (m); −1 when the straight line is clear, or when the goal lies inside the
 * ball.
 */
export function pathAroundCarrier(
  out: Vec3,
  here: Vec3Like,
  goal: Vec3Like,
  radius: number,
  hint: Vec3Like,
): number {
  const hereDistance = length(here)
  const goalDistance = length(goal)
  if (!(radius > 0 && hereDistance > 0 && goalDistance > TEST_SHARE * radius)) return -1
  if (staysOutside(here, goal, TEST_SHARE * radius)) return -1
  normalize(outward, here)
  // towards the goal along the ball; with the goal exactly behind it, to the side of the present motion
  reject(towards, goal, outward)
  if (length(towards) < 1e-3 * goalDistance) reject(towards, hint, outward)
  normalize(towards, towards)
  if (isZero(towards)) perpendicular(towards, outward)
  const sine = Math.min(1, radius / hereDistance)
  const rest = Math.sqrt(Math.max(0, goalDistance * goalDistance - radius * radius))
  const totalAngle = arccos(dot(outward, goal) / goalDistance)
  const arc = totalAngle - Math.acos(sine) - arccos(radius / goalDistance)
  return alongTangent(out, hereDistance, radius) + radius * Math.max(0, arc) + rest
}

/**
 * Writes the unit direction of the tangent from a place at the distance `away` (m) from the centre of a ball,
 * in the plane of the scratch vectors `outward` and `towards`. @returns the distance to the tangent point
 * (m).
 */
function alongTangent(out: Vec3, away: number, radius: number): number {
  const sine = Math.min(1, radius / away)
  const cosine = Math.sqrt(1 - sine * sine)
  // inside the ball: along its surface, and outward
  const inward = away < radius ? -Math.min(1, (4 * (radius - away)) / radius) : cosine
  scale(out, outward, -inward)
  addScaled(out, out, towards, Math.sqrt(Math.max(0, 1 - inward * inward)))
  return away * cosine
}

/** Whether the segment from `here` to `goal` stays outside a ball about the origin. */
function staysOutside(here: Vec3Like, goal: Vec3Like, radius: number): boolean {
  const x = goal.x - here.x
  const y = goal.y - here.y
  const z = goal.z - here.z
  const sq = x * x + y * y + z * z
  const t = sq > 0 ? Math.min(1, Math.max(0, -(here.x * x + here.y * y + here.z * z) / sq)) : 0
  const px = here.x + t * x
  const py = here.y + t * y
  const pz = here.z + t * z
  return px * px + py * py + pz * pz >= radius * radius && lengthSq(here) >= radius * radius
}

/**
 * Distance (m) along `velocity` from `here` to a ball about the origin; Infinity when it is not met. From
 * inside the ball 0 on the way inward.
 */
export function distanceToBall(here: Vec3Like, velocity: Vec3Like, radius: number): number {
  const speed = length(velocity)
  if (!(speed > 0)) return Infinity
  const along = dot(here, velocity) / speed
  if (!(along < 0)) return Infinity
  const inside = along * along - lengthSq(here) + radius * radius
  return inside > 0 ? Math.max(0, -along - Math.sqrt(inside)) : Infinity
}

/**
 * Writes the unit direction that leads from `here` past a ball about the origin, along the tangent on the
 * side to which `velocity` points. From inside the ball it leads out of it.
 * @returns the distance to the tangent point, and a quarter of the way around the ball (m).
 */
export function tangentPast(out: Vec3, here: Vec3Like, velocity: Vec3Like, radius: number): number {
  const away = length(here)
  normalize(outward, here)
  normalize(towards, reject(towards, velocity, outward))
  if (isZero(towards)) perpendicular(towards, outward)
  return alongTangent(out, away, radius) + (Math.PI / 2) * radius
}

/** Distance (m) from the port at which its axis leaves a ball of `radius` (m) about the carrier's centre. */
export function exitDistance(fromCenter: Vec3Like, axis: Vec3Like, radius: number): number {
  const along = dot(fromCenter, axis)
  const inside = along * along - lengthSq(fromCenter) + radius * radius
  return inside > 0 ? Math.max(0, Math.sqrt(inside) - along) : 0
}
