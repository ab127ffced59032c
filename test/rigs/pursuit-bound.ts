import type { Vec3Like } from 'three-steering'
import { inner, minus, plus, times } from '../../demo/scenarios/vectors.js'

/** Position (m), velocity and top speed (m/s), and acceleration (m/s²) of a pursuer. */
export interface PursuerLimits {
  readonly position: Vec3Like
  readonly velocity: Vec3Like
  readonly acceleration: number
  readonly maxSpeed: number
}

/** Number of directions tried on the half circle between the velocity and the direction to the target. */
const DIRECTIONS = 64

/**
 * A time (s) before which no pursuer can come within `radius` (m) of a target at `at(t)`, even with perfect
 * knowledge of its trajectory. Along any direction n a pursuer has at most the speed min(maxSpeed, v·n +
 * a·t), and gets no farther than its integral. If the target is beyond that in any direction, it is out of
 * reach. Time is searched in steps of `dt`, up to `limit`. Infinity when it is never in reach. Independent of
 * the library.
 */
export function leastTime(
  reach: PursuerLimits,
  at: (time: number) => Vec3Like,
  radius: number,
  limit: number,
  dt = 1 / 120,
): number {
  let before = shortfall(reach, at(0), 0, radius)
  if (before <= 0) return 0
  for (let i = 1; i * dt <= limit; i++) {
    const now = shortfall(reach, at(i * dt), i * dt, radius)
    if (now <= 0) return (i - now / (now - before)) * dt
    before = now
  }
  return Infinity
}

/** Smallest distance (m) that remains after `time` (s) to touch a target at `place`. */
export function shortfall(
  { position, velocity, acceleration, maxSpeed }: PursuerLimits,
  place: Vec3Like,
  time: number,
  radius: number,
): number {
  const way = minus(place, position)
  const along = Math.hypot(velocity.x, velocity.y, velocity.z)
  // only directions in the plane of the velocity and the target direction can give the bound: others have
  // less of the target direction at the same velocity component
  const ahead = along > 0 ? times(velocity, 1 / along) : null
  const x = ahead === null ? Math.hypot(way.x, way.y, way.z) : inner(way, ahead)
  const across = ahead === null ? way : plus(way, ahead, -x)
  const y = ahead === null ? 0 : Math.hypot(across.x, across.y, across.z)
  let worst = -Infinity
  for (let k = 0; k <= DIRECTIONS; k++) {
    const angle = (Math.PI * k) / DIRECTIONS
    const [cosine, sine] = [Math.cos(angle), Math.sin(angle)]
    const got = farthest(along * cosine, acceleration, maxSpeed, time)
    worst = Math.max(worst, x * cosine + y * sine - got)
    if (ahead === null) break
  }
  return worst - radius
}

/** ∫ min(maxSpeed, speed + a·t) dt */
function farthest(speed: number, acceleration: number, maxSpeed: number, time: number): number {
  const ramp = Math.min(time, Math.max(0, (maxSpeed - speed) / acceleration))
  return speed * ramp + (acceleration * ramp * ramp) / 2 + maxSpeed * (time - ramp)
}
