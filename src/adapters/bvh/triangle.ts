import type { Vec3, Vec3Like } from '../../types.js'
import { vec3 } from '../../math/vec3.js'

/**
 * Writes into `out` the point of triangle `index` that is nearest to `from` (m), and tells the part it lies on: 0 the face, 1 to 3 the sides
 * ab, bc, ca, 4 to 6 the corners a, b, c (Ericson, Real-Time Collision Detection, 2004, 5.1.5). `corners` is `[9 × triangles]`;
 * the corners of a triangle must differ, its area may be zero.
 */
export function nearestOnTriangle(corners: Float32Array, index: number, from: Vec3Like, out: Vec3): number {
  const i = 9 * index
  const ax = corners[i]!
  const ay = corners[i + 1]!
  const az = corners[i + 2]!
  const ux = corners[i + 3]! - ax
  const uy = corners[i + 4]! - ay
  const uz = corners[i + 5]! - az
  const vx = corners[i + 6]! - ax
  const vy = corners[i + 7]! - ay
  const vz = corners[i + 8]! - az
  const px = from.x - ax
  const py = from.y - ay
  const pz = from.z - az
  const uu = ux * ux + uy * uy + uz * uz
  const uv = ux * vx + uy * vy + uz * vz
  const vv = vx * vx + vy * vy + vz * vz
  // along both sides from a, seen from a, b and c
  const au = px * ux + py * uy + pz * uz
  const av = px * vx + py * vy + pz * vz
  const bu = au - uu
  const bv = av - uv
  const cu = au - uv
  const cv = av - vv
  // shares of a, b and c in the nearest point of the plane, all times the same
  const shareA = bu * cv - cu * bv
  const shareB = cu * av - au * cv
  const shareC = au * bv - bu * av
  let s = 0
  let t = 0
  let part = 0
  if (au <= 0 && av <= 0) part = 4
  else if (bu >= 0 && bv <= bu) {
    part = 5
    s = 1
  } else if (cv >= 0 && cu <= cv) {
    part = 6
    t = 1
  } else if (shareC <= 0 && au >= 0 && bu <= 0) {
    part = 1
    s = au / uu
  } else if (shareB <= 0 && av >= 0 && cv <= 0) {
    part = 3
    t = av / vv
  } else if (shareA <= 0 && bv >= bu && cu >= cv) {
    part = 2
    t = (bv - bu) / (bv - bu + cu - cv)
    s = 1 - t
  } else {
    const sum = shareA + shareB + shareC
    s = shareB / sum
    t = shareC / sum
  }
  out.x = ax + s * ux + t * vx
  out.y = ay + s * uy + t * vy
  out.z = az + s * uz + t * vz
  return part
}

/** One triangle of many as a convex body without an inside. */
export class TriangleProbe {
  index = 0
  private readonly corners: Float32Array
  private readonly near: Vec3 = vec3()

  constructor(corners: Float32Array) {
    this.corners = corners
  }

  /** See `Shape.distance`; at the triangle itself the normal is upwards. */
  distance(point: Vec3Like, normal: Vec3): number {
    const { near } = this
    nearestOnTriangle(this.corners, this.index, point, near)
    const dx = point.x - near.x
    const dy = point.y - near.y
    const dz = point.z - near.z
    const d = Math.sqrt(dx * dx + dy * dy + dz * dz)
    normal.x = d > 0 ? dx / d : 0
    normal.y = d > 0 ? dy / d : 1
    normal.z = d > 0 ? dz / d : 0
    return d
  }

  /** See `Shape.support`. */
  support({ x, y, z }: Vec3Like): number {
    const { corners } = this
    let far = -Infinity
    for (let i = 9 * this.index; i < 9 * this.index + 9; i += 3) {
      const along = x * corners[i]! + y * corners[i + 1]! + z * corners[i + 2]!
      if (along > far) far = along
    }
    return far
  }
}
