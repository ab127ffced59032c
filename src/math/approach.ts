import type { Vec3, Vec3Like } from '../types.js'
import { addScaled, copy, dot, lengthSq } from './vec3.js'

/**
 * When two things that fly straight are closest to each other: one is `offset` (m) from the other and moves with `drift` (m/s) relative
 * to it. Writes the offset they will then have and returns the time (s, ≥ 0); Infinity, and the present offset, when they are never
 * closer than now: they part, or keep abreast (p · v ≥ 0), or stand still to each other (v = 0). Green, Steering Behaviours, "Unaligned
 * Collision Avoidance". Departures: no epsilon, since what hardly moves comes close only in a time that no look-ahead has; the offset itself,
 * component by component, in place of |p|² + 2·a·t + b²·t², which loses half of its digits far away.
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
