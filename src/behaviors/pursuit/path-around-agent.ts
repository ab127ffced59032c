import type { Vec3, Vec3Like } from '../../types.js'
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
} from '../../math/vec3.js'

const way = vec3()
const side = vec3()
const away = vec3()

/**
 * Writes the way (m) to fly first on the shortest path from `from` to `to`, both seen from the middle of a ball of `radius` (m), that does not enter
 * it: in the direction of the tangent, as long as the path is to a hair. Where both lie on one line with the middle it goes round by `rather`.
 * Who is inside leaves it, on the side of `to`.
 */
export function pathAroundAgent(
  out: Vec3,
  from: Vec3Like,
  to: Vec3Like,
  radius: number,
  rather: Vec3Like,
): Vec3 {
  sub(way, to, from)
  const sq = lengthSq(way)
  const along = sq > 0 ? -dot(from, way) / sq : 0
  if (!(along > 0 && along < 1)) return addScaled(out, way, way, 0)
  addScaled(side, from, way, along)
  const miss = length(side)
  if (miss >= radius) return addScaled(out, way, way, 0)
  const far = length(from)
  normalize(away, from)
  reject(side, miss > 1e-6 * radius ? side : rather, away)
  normalize(side, side)
  if (isZero(side)) return addScaled(out, way, way, 0)
  const sine = Math.min(1, radius / far)
  scale(out, away, -Math.sqrt(1 - sine * sine))
  addScaled(out, out, side, sine)
  // inside, the tangent is square to the way to the middle: a little outwards as well
  if (far < radius) normalize(out, addScaled(out, out, away, 1 - far / radius))
  return scale(out, out, Math.sqrt(sq) + radius - miss)
}
