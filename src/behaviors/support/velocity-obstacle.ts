/** Velocities that avoid another agent: those of mine with (v − present) · n ≥ lack. */
export interface Escape {
  /** Unit normal: where it is free. */
  x: number
  y: number
  z: number
  /** Change of the relative velocity along the normal that both must make together, m/s; negative: so much is to spare. */
  lack: number
}

/** Nearer to the axis than this share (of the sum of the radii, at the contact) rounding decides the side. */
const ON_AXIS = 1e-9

const escape: Escape = { x: 0.5, y: 0.5, z: 0.5, lack: 0.5 }

/**
 * The least change of the relative velocity (ux, uy, uz) (m/s, mine less the other's) after which the two do not come nearer than `far` (m)
 * within `horizon` (s), for another at (x, y, z) (m, from me): the half-space of van den Berg, Guy, Lin and Manocha, Reciprocal n-Body
 * Collision Avoidance (2011), section 4. Who is too near already shall be out after `parting` seconds.
 * @returns null where any velocity will do or no direction is better than another; else scratch.
 */
export function velocityObstacle(
  x: number,
  y: number,
  z: number,
  ux: number,
  uy: number,
  uz: number,
  far: number,
  horizon: number,
  parting: number,
): Escape | null {
  const sq = x * x + y * y + z * z
  const farSq = far * far
  if (sq <= farSq) {
    const d = Math.sqrt(sq)
    if (!(d > 0)) return null
    escape.x = -x / d
    escape.y = -y / d
    escape.z = -z / d
    escape.lack = (far - d) / parting + (ux * x + uy * y + uz * z) / d
    return escape
  }
  // the rounded end of the cone: contacts at the horizon
  const wx = ux - x / horizon
  const wy = uy - y / horizon
  const wz = uz - z / horizon
  const along = wx * x + wy * y + wz * z
  const wSq = wx * wx + wy * wy + wz * wz
  if (along < 0 && along * along > farSq * wSq) {
    const w = Math.sqrt(wSq)
    escape.x = wx / w
    escape.y = wy / w
    escape.z = wz / w
    escape.lack = far / horizon - w
    return escape
  }
  // its side: from the ball that the axis carries to where the relative velocity is nearest to its rim
  const b = x * ux + y * uy + z * uz
  const cx = y * uz - z * uy
  const cy = z * ux - x * uz
  const cz = x * uy - y * ux
  const c = ux * ux + uy * uy + uz * uz - (cx * cx + cy * cy + cz * cz) / (sq - farSq)
  const t = (b + Math.sqrt(Math.max(0, b * b - sq * c))) / sq
  const qx = ux - t * x
  const qy = uy - t * y
  const qz = uz - t * z
  const q = Math.sqrt(qx * qx + qy * qy + qz * qz)
  if (!(q > ON_AXIS * far * t)) {
    // dead on no side is better than another: slower, to come no nearer by the horizon
    const d = Math.sqrt(sq)
    escape.x = -x / d
    escape.y = -y / d
    escape.z = -z / d
    escape.lack = b / d - (d - far) / horizon
    return escape
  }
  escape.x = qx / q
  escape.y = qy / q
  escape.z = qz / q
  escape.lack = far * t - q
  return escape
}
