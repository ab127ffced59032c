import type { Vec3, Vec3Like } from '../../core/types.js'
import {
  addScaled,
  dot,
  isZero,
  length,
  lengthSq,
  normalize,
  reject,
  scale,
  sub,
  vec3,
} from '../../core/math/vec3.js'

const direct = vec3()
const side = vec3()
const away = vec3()

/**
 * Writes the vector (m) to fly first on the shortest path from `from` to `to` around a ball of `radius` (m),
 * both relative to its centre. Its direction is the tangent, its length about that of the path. If both
 * points are in line with the centre, it passes on the side of `preferred`. From inside, it leaves the ball
 * on the side of `to`.
 */
export function pathAroundAgent(
  out: Vec3,
  from: Vec3Like,
  to: Vec3Like,
  radius: number,
  preferred: Vec3Like,
): Vec3 {
  sub(direct, to, from)
  const sq = lengthSq(direct)
  const along = sq > 0 ? -dot(from, direct) / sq : 0
  if (!(along > 0 && along < 1)) return addScaled(out, direct, direct, 0)
  addScaled(side, from, direct, along)
  const miss = length(side)
  if (miss >= radius) return addScaled(out, direct, direct, 0)
  const distance = length(from)
  normalize(away, from)
  reject(side, miss > 1e-6 * radius ? side : preferred, away)
  normalize(side, side)
  if (isZero(side)) return addScaled(out, direct, direct, 0)
  const sine = Math.min(1, radius / distance)
  scale(out, away, -Math.sqrt(1 - sine * sine))
  addScaled(out, out, side, sine)
  // Inside, the tangent is square to the direction of the centre: a little outwards is added.
  if (distance < radius) normalize(out, addScaled(out, out, away, 1 - distance / radius))
  return scale(out, out, Math.sqrt(sq) + radius - miss)
}
