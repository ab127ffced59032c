import type { Vec3, Vec3Like } from '../types.js'
import type { Shape, SweptBall } from './shape.js'
import { vec3 } from '../math/vec3.js'

/**
 * Paths of balls along a line, past or out of a convex body. Along a line the signed distance to a convex
 * body is a convex function f(t), and its slope is normal · direction. A tangent lies below f. So Newton's
 * method, started on the outside of a root, approaches it and never passes it: from the left to the entry,
 * from the right to the exit. Where a tangent to the right of the start does not fall, the ball touches
 * nothing. The only slow case is a line that just grazes the body: there each step halves the distance.
 *
 * `level` is the distance at which the surface of the ball touches: its radius, or minus its radius inside a
 * hollow body.
 */

/** Maximum of Newton steps. A grazing line needs one per bit, all others fewer than ten. */
const MAX_STEPS = 100
/** Distances below this share of the size of the numbers count as touching. */
export const TOUCH = 1e-9
/** A direction that leads deeper by less than this per metre slides along the surface. Dimensionless. */
export const SLIDE = 1e-9
/** A vector shorter than this (m) has no direction, because its components have lost their digits. */
export const CENTER = 1e-290
/** A Newton step below this share of the size of the numbers is the last. */
const LAST_STEP = 1e-12
/** A distance below this share of the size of the numbers is rounding error only, and so is its slope. */
export const ROUNDING = 1e-13

/** The methods of a convex body that are used here. */
export type Body = Pick<Shape, 'distance' | 'support'>

const point = vec3()
const normal = vec3()
const swept: SweptBall = sweptBall()

/** Numbers of a sweep, for use again and again. `radius` in m. */
export function sweptBall<T>(radius = 0.5): SweptBall<T> {
  // 0.5: V8 boxes a field that starts with a whole number once it holds a fraction
  return { radius, limit: 0.5, distance: 0.5, obstacle: null }
}

/** See {@link Shape.sweep}, by `sweepBall`. */
export function sweepByBall(
  shape: { sweepBall(origin: Vec3Like, direction: Vec3Like, ball: SweptBall): void },
  origin: Vec3Like,
  direction: Vec3Like,
  radius: number,
  limit: number,
): number {
  swept.radius = radius
  swept.limit = limit
  shape.sweepBall(origin, direction, swept)
  return swept.distance
}

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
    // where several surface points are as near (the middle of a box) the normal may point backwards
    pointAlong(point, origin, direction, TOUCH * (size + Math.abs(f)))
    shape.distance(point, normal)
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

/**
 * First root of distance − level, approached from the left. `f` and `slope` are those at the start, where f >
 * 0.
 */
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
    // not by `pointAlong`: a number that is passed is boxed where the call is not inlined
    point.x = origin.x + t * direction.x
    point.y = origin.y + t * direction.y
    point.z = origin.z + t * direction.z
    f = shape.distance(point, normal) - level
    if (f <= ROUNDING * (size + t)) return t
    slope = normal.x * direction.x + normal.y * direction.y + normal.z * direction.z
  }
  return t
}

/** Last root of distance − level, approached from the right. */
function exit(shape: Body, origin: Vec3Like, direction: Vec3Like, level: number): number {
  const size = sizeOf(origin, level)
  // where the line crosses the tangent plane of the body ahead, the distance is not below the level
  const along = origin.x * direction.x + origin.y * direction.y + origin.z * direction.z
  let t = shape.support(direction) + level - along
  for (let i = 0; i < MAX_STEPS && t > 0; i++) {
    pointAlong(point, origin, direction, t)
    const f = shape.distance(point, normal) - level
    const slope = normal.x * direction.x + normal.y * direction.y + normal.z * direction.z
    if (!(f > 0 && slope > 0)) return t
    const step = f / slope
    t -= step
    if (step <= LAST_STEP * (size + t)) break
  }
  return t > 0 ? t : 0
}

function pointAlong(out: Vec3, origin: Vec3Like, direction: Vec3Like, t: number): void {
  out.x = origin.x + t * direction.x
  out.y = origin.y + t * direction.y
  out.z = origin.z + t * direction.z
}

function within(t: number, limit: number): number {
  return t <= limit ? t : Infinity
}

/** Size of the numbers in a computation, m: the scale of its rounding errors. */
export function sizeOf(origin: Vec3Like, radius: number): number {
  return Math.abs(origin.x) + Math.abs(origin.y) + Math.abs(origin.z) + Math.abs(radius)
}
