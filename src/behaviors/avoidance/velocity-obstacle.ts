/** Velocities that avoid another agent: those of mine with (v − present) · n ≥ lack. */
export interface EscapeVelocity {
  /** Unit normal: where it is free. */
  x: number
  y: number
  z: number
  /** Change of the relative velocity along the normal that both must make together, m/s; negative: so much is to spare. */
  violation: number
}

/** Sideways speeds below this share of the speed are rounding. */
const ON_AXIS = 1e-12

const escape: EscapeVelocity = { x: 0.5, y: 0.5, z: 0.5, violation: 0.5 }

/**
 * The least change of the relative velocity (ux, uy, uz) (m/s, mine less the other's) after which the two do not come nearer than `far` (m)
 * within `horizon` (s), for another at (x, y, z) (m, from me): the half-space of van den Berg, Guy, Lin and Manocha, Reciprocal n-Body
 * Collision Avoidance (2011), section 4. Who is too near already shall be out after `parting` seconds.
 * @returns null for coincident ones, else scratch.
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
): EscapeVelocity | null {
  const sq = x * x + y * y + z * z
  const farSq = far * far
  if (sq <= farSq) {
    const d = Math.sqrt(sq)
    if (!(d > 0)) return null
    escape.x = -x / d
    escape.y = -y / d
    escape.z = -z / d
    escape.violation = (far - d) / parting + (ux * x + uy * y + uz * z) / d
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
    escape.violation = far / horizon - w
    return escape
  }
  const d = Math.sqrt(sq)
  const b = x * ux + y * uy + z * uz
  let lx = ux - (b / sq) * x
  let ly = uy - (b / sq) * y
  let lz = uz - (b / sq) * z
  // once more, since near the axis the first is half rounding
  const rest = (lx * x + ly * y + lz * z) / sq
  lx -= rest * x
  ly -= rest * y
  lz -= rest * z
  const l = Math.sqrt(lx * lx + ly * ly + lz * lz)
  if (l * d <= ON_AXIS * Math.abs(b)) {
    // dead on no side is better than another: slower, to come no nearer by the horizon
    escape.x = -x / d
    escape.y = -y / d
    escape.z = -z / d
    escape.violation = b / d - (d - far) / horizon
    return escape
  }
  // its side: the plane that touches it goes through its apex
  const k = Math.sqrt(1 - farSq / sq) / l
  const h = far / sq
  escape.x = k * lx - h * x
  escape.y = k * ly - h * y
  escape.z = k * lz - h * z
  escape.violation = -(escape.x * ux + escape.y * uy + escape.z * uz)
  return escape
}
