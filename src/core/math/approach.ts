import type { Vec3, Vec3Like } from '../types.js'
import { clamp } from './scalar.js'
import { addScaled, copy, dot, lengthSq } from './vec3.js'

/**
 * The closest approach of two objects that fly straight: one is at `offset` (m) from the other and moves with
 * `drift` (m/s) relative to it. Writes the offset at the closest approach and returns the time until then (s,
 * ≥ 0). If they are never closer than now, because they separate or keep abreast (p · v ≥ 0) or are at rest
 * relative to each other (v = 0), it writes the present offset and returns Infinity. Green, Steering
 * Behaviours, "Unaligned Collision Avoidance". Departures: no epsilon, since slow objects approach only after
 * a time beyond every look-ahead; the offset itself, component by component, instead of |p|² + 2·a·t + b²·t²,
 * which loses half of its digits at large distances.
 */
export function closestApproach(out: Vec3, offset: Vec3Like, drift: Vec3Like): number {
  copy(out, offset)
  const a = dot(offset, drift)
  const b = lengthSq(drift)
  if (!(a < 0 && b > 0)) return Infinity
  const time = -a / b
  if (time < Infinity) addScaled(out, offset, drift, time)
  return time
}

/** Writes the offset at which the two come nearest within `time` (s, ≥ 0). */
export function nearestWithin(out: Vec3, offset: Vec3Like, drift: Vec3Like, time: number): Vec3 {
  const square = lengthSq(drift)
  return addScaled(out, offset, drift, square > 0 ? clamp(-dot(offset, drift) / square, 0, time) : 0)
}
