import type { Vec3, Vec3Like } from '../types.js'
import { addScaled, cross, dot, scale, set, vec3 } from './vec3.js'

/** Vectors that turn with a constant angular velocity `spin` (rad/s) of the length `rate` > 0. */

const swing = vec3()

/** The vector `now` after `time` (s) (Rodrigues). `out` may be `now`. */
export function turnedBy(out: Vec3, now: Vec3Like, spin: Vec3Like, rate: number, time: number): Vec3 {
  const angle = rate * time
  const cosine = Math.cos(angle)
  const sine = Math.sin(angle) / rate
  const half = Math.sin(angle / 2) / rate
  const along = 2 * half * half * dot(spin, now)
  cross(swing, spin, now)
  return set(
    out,
    now.x * cosine + swing.x * sine + spin.x * along,
    now.y * cosine + swing.y * sine + spin.y * along,
    now.z * cosine + swing.z * sine + spin.z * along,
  )
}

/**
 * Displacement (m) in `time` (s) by a velocity (m/s) that turns: along `spin` a straight line, across it an
 * arc. `out` must not be `velocity`.
 */
export function turningDisplacement(
  out: Vec3,
  velocity: Vec3Like,
  spin: Vec3Like,
  rate: number,
  time: number,
): Vec3 {
  const half = Math.sin((rate * time) / 2) / rate
  const along = (dot(spin, velocity) / (rate * rate)) * (time - Math.sin(rate * time) / rate)
  cross(swing, spin, velocity)
  scale(out, velocity, Math.sin(rate * time) / rate)
  addScaled(out, out, swing, 2 * half * half)
  return addScaled(out, out, spin, along)
}
