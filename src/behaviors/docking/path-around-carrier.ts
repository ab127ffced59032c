import type { Vec3, Vec3Like } from '../../types.js'
import { arccos } from '../../math/scalar.js'
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
} from '../../math/vec3.js'

/** Who is on a way round looks for the straight one with a ball this much smaller, so that it does not dither. */
const LESS = 0.98

const outward = vec3()
const towards = vec3()

/**
 * The way round a ball about the origin, from `here` to `goal` (m): writes the unit direction in which it begins, along the tangent, and
 * returns its length, m. −1 where the straight way is clear, or begins or ends inside. Who is inside the ball is led out of it on the way.
 */
export function pathAroundCarrier(
  out: Vec3,
  here: Vec3Like,
  goal: Vec3Like,
  radius: number,
  hint: Vec3Like,
): number {
  const away = length(here)
  const far = length(goal)
  if (!(radius > 0 && away > 0 && far > LESS * radius)) return -1
  if (misses(here, goal, LESS * radius)) return -1
  normalize(outward, here)
  // towards the goal along the ball; where it is right behind, to the side that is flown to already
  reject(towards, goal, outward)
  if (length(towards) < 1e-3 * far) reject(towards, hint, outward)
  normalize(towards, towards)
  if (isZero(towards)) perpendicular(towards, outward)
  const sine = Math.min(1, radius / away)
  const cosine = Math.sqrt(1 - sine * sine)
  const tangent = away * cosine
  const rest = Math.sqrt(Math.max(0, far * far - radius * radius))
  const whole = arccos(dot(outward, goal) / far)
  const arc = whole - Math.acos(sine) - arccos(radius / far)
  // inside it: along it, and out
  const inward = away < radius ? -Math.min(1, (4 * (radius - away)) / radius) : cosine
  scale(out, outward, -inward)
  addScaled(out, out, towards, Math.sqrt(Math.max(0, 1 - inward * inward)))
  return tangent + radius * Math.max(0, arc) + rest
}

/** Whether the straight from `here` to `goal` keeps out of a ball about the origin. */
function misses(here: Vec3Like, goal: Vec3Like, radius: number): boolean {
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

/** Distance (m) from the port along its axis at which a ball of `radius` (m) about the carrier's centre is left for good. */
export function exitOf(arm: Vec3Like, axis: Vec3Like, radius: number): number {
  const along = dot(arm, axis)
  const inside = along * along - lengthSq(arm) + radius * radius
  return inside > 0 ? Math.max(0, Math.sqrt(inside) - along) : 0
}
