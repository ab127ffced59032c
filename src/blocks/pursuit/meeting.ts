import type { Moving, Vec3, Vec3Like } from '../../core/types.js'
import { requireMoving } from '../../core/control/target.js'
import { addScaled, copy, dot, isFiniteVec, lengthSq, scale, sub, vec3 } from '../../core/math/vec3.js'

/** Where to aim, and how long the projectile flies. Written by {@link intercept}. */
export interface Intercept {
  /** Point to aim at (m). */
  readonly aim: Vec3
  /** Time of flight (s, ≥ 0). */
  time: number
}

/** The reciprocal of a distance (m) of at most this is not finite. */
const TINY = 1e-300

const gap = vec3()
const drift = vec3()
const unitDrift = vec3()

/**
 * Where to aim so that a projectile meets a target that flies straight on: the earliest meeting, in closed
 * form. The projectile leaves with `speed` (m/s, > 0, Infinity for a beam) relative to the shooter, whose
 * velocity it keeps. For one that does not keep it, give a shooter at rest: `{ position, velocity: zero }`.
 * The target and the projectile meet at the target's position + velocity · time.
 * @returns `out`, or null if no shot can meet the target, or if a number cannot be used. Then `out` is left
 * as it is.
 */
export function intercept(
  shooter: Moving,
  target: Moving,
  speed: number,
  out: Intercept = { aim: vec3(), time: 0 },
): Intercept | null {
  requireMoving('intercept.shooter', shooter)
  requireMoving('intercept.target', target)
  sub(gap, target.position, shooter.position)
  sub(drift, target.velocity, shooter.velocity)
  if (!(speed > 0 && isFiniteVec(gap) && isFiniteVec(drift))) return null
  let time = 0
  const far = largest(gap)
  if (far > TINY && speed < Infinity) {
    // in units in which no square overflows
    const fast = Math.max(largest(drift), speed)
    scale(gap, gap, 1 / far)
    scale(unitDrift, drift, 1 / fast)
    const share = meetingTime(lengthSq(gap), dot(gap, unitDrift), lengthSq(unitDrift), speed / fast)
    time = (share * far) / fast
  }
  addScaled(gap, target.position, drift, time)
  if (!isFiniteVec(gap)) return null
  copy(out.aim, gap)
  out.time = time
  return out
}

/** The largest coordinate, without its sign. */
function largest({ x, y, z }: Vec3Like): number {
  return Math.max(Math.abs(x), Math.abs(y), Math.abs(z))
}

/** Least t ≥ 0 with |p + v·t| = s·t, from |p|² (m², > 0), p·v, |v|² and s > 0; NaN or Infinity for none. */
export function meetingTime(
  distanceSq: number,
  approach: number,
  targetSpeedSq: number,
  speed: number,
): number {
  // (s² − v²) t² − 2 (p·v) t − p² = 0
  const a = speed * speed - targetSpeedSq
  const root = Math.sqrt(approach * approach + a * distanceSq)
  // in both forms the terms add up, so none cancels the other
  if (approach < 0) return distanceSq / (root - approach)
  return a > 0 ? (approach + root) / a : NaN
}
