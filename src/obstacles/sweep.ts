import type { Vec3, Vec3Like } from '../types.js'
import type { Shape } from './shape.js'
import { vec3 } from '../math/vec3.js'

/**
 * Balls that fly along a line, past or out of a convex body. Along a line the signed distance to a convex body is a convex function
 * f(t), and its slope is normal · direction. A tangent lies below f, so Newton's method started outside of a root comes ever
 * closer and never passes it: from the left to the entry, from the right to the exit. Where a tangent to the right of the start
 * does not fall, nothing is met. The only slow case is a line that just grazes: there each step halves the way.
 *
 * `level` is the distance at which the surface of the ball touches: its radius, or minus its radius inside a hollow body.
 */

/** Steps of Newton's method; a grazing line needs one per bit, all others less than ten. */
const MAX_STEPS = 100
/** Relative to the numbers at hand: what is nearer touches. */
export const TOUCH = 1e-9
/** What flies deeper by less than this per metre slides. Dimensionless. */
export const SLIDE = 1e-9
/** A vector shorter than this has no direction: its numbers have no digits left to have one. */
export const CENTER = 1e-290
/** Relative to the numbers at hand: a step shorter than this is the last. */
const LAST_STEP = 1e-12
/** Relative to the numbers at hand: a distance below this is all rounding, and so is its slope. */
const ROUNDING = 1e-13

/** What is asked of a convex body here. */
export type Body = Pick<Shape, 'distance' | 'support'>

const at = vec3()
const normal = vec3()

/** See {@link Shape.sweep}, for a convex body. */
export function sweepConvex(
  shape: Body,
  origin: Vec3Like,
  direction: Vec3Like,
  radius: number,
  limit: number,
): number {
  const f = shape.distance(origin, normal) - radius
  const slope = normal.x * direction.x + normal.y * direction.y + normal.z * direction.z
  const size = sizeOf(origin, radius)
  if (f <= TOUCH * size) {
    if (slope >= -SLIDE) return Infinity
    if (f > 0) return within(f / -slope, limit)
    // where several directions are as near (the middle of a box) the normal may be that of the way back
    go(at, origin, direction, TOUCH * (size + Math.abs(f)))
    shape.distance(at, normal)
    return normal.x * direction.x + normal.y * direction.y + normal.z * direction.z >= -SLIDE ? Infinity : 0
  }
  return enter(shape, origin, direction, radius, limit, f, slope)
}

/** See {@link Shape.leave}, for a convex body. */
export function leaveConvex(shape: Body, origin: Vec3Like, direction: Vec3Like, radius: number): number {
  if (shape.distance(origin, normal) >= radius) return 0
  return exit(shape, origin, direction, radius)
}

/** See {@link Shape.sweep}, for a ball inside of a convex body whose outside is solid. */
export function sweepHollow(
  shape: Body,
  origin: Vec3Like,
  direction: Vec3Like,
  radius: number,
  limit: number,
): number {
  const distance = shape.distance(origin, normal)
  const slope = normal.x * direction.x + normal.y * direction.y + normal.z * direction.z
  const size = sizeOf(origin, radius) + Math.abs(distance)
  const touching = distance + TOUCH * size
  if (touching <= -radius) return within(exit(shape, origin, direction, -radius), limit)
  if (slope > SLIDE) return within(Math.max(0, (-radius - distance) / slope), limit)
  return within(exit(shape, origin, direction, touching), limit)
}

/** See {@link Shape.leave}, for a ball inside of a convex body whose outside is solid. */
export function leaveHollow(shape: Body, origin: Vec3Like, direction: Vec3Like, radius: number): number {
  const f = shape.distance(origin, normal) + radius
  if (f <= 0) return 0
  const slope = normal.x * direction.x + normal.y * direction.y + normal.z * direction.z
  return enter(shape, origin, direction, -radius, Infinity, f, slope)
}

/** First root of distance − level, from the left. `f` and `slope` are those at the start, where f > 0. */
function enter(
  shape: Body,
  origin: Vec3Like,
  direction: Vec3Like,
  level: number,
  limit: number,
  f: number,
  slope: number,
): number {
  const size = sizeOf(origin, level)
  let t = 0
  for (let i = 0; i < MAX_STEPS; i++) {
    if (!(slope < 0)) return Infinity
    const step = f / -slope
    t += step
    if (!(t <= limit) || t === Infinity) return Infinity
    if (step <= LAST_STEP * (size + t)) return t
    go(at, origin, direction, t)
    f = shape.distance(at, normal) - level
    if (f <= ROUNDING * (size + t)) return t
    slope = normal.x * direction.x + normal.y * direction.y + normal.z * direction.z
  }
  return t
}

/** Last root of distance − level, from the right. */
function exit(shape: Body, origin: Vec3Like, direction: Vec3Like, level: number): number {
  const size = sizeOf(origin, level)
  // where the line leaves the plane that bounds the body ahead, the distance is no less than the level
  const along = origin.x * direction.x + origin.y * direction.y + origin.z * direction.z
  let t = shape.support(direction) + level - along
  for (let i = 0; i < MAX_STEPS && t > 0; i++) {
    go(at, origin, direction, t)
    const f = shape.distance(at, normal) - level
    const slope = normal.x * direction.x + normal.y * direction.y + normal.z * direction.z
    if (!(f > 0 && slope > 0)) return t
    const step = f / slope
    t -= step
    if (step <= LAST_STEP * (size + t)) break
  }
  return t > 0 ? t : 0
}

function go(out: Vec3, origin: Vec3Like, direction: Vec3Like, t: number): void {
  out.x = origin.x + t * direction.x
  out.y = origin.y + t * direction.y
  out.z = origin.z + t * direction.z
}

function within(t: number, limit: number): number {
  return t <= limit ? t : Infinity
}

/** The size of the numbers at hand, m. */
export function sizeOf(origin: Vec3Like, radius: number): number {
  return Math.abs(origin.x) + Math.abs(origin.y) + Math.abs(origin.z) + Math.abs(radius)
}
