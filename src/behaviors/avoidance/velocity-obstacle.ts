/** The velocities of an agent that avoid another one: those with (v − present) · n ≥ violation. */
export interface EscapeVelocity {
  /** Unit normal, towards the free side. */
  x: number
  y: number
  z: number
  /**
   * Change of the relative velocity along the normal that both agents must make together, m/s; negative where
   * there is that much to spare.
   */
  violation: number
}

/** Sideways speeds below this share of the speed are rounding. */
const ON_AXIS = 1e-12

const escape: EscapeVelocity = { x: 0.5, y: 0.5, z: 0.5, violation: 0.5 }

/**
 * The least change of the relative velocity (ux, uy, uz) (m/s, own velocity less that of the other agent)
 * after which the two agents do not come nearer than `minDistance` (m) within `horizon` (s), for another
 * agent at (x, y, z) (m, relative to the agent): the half-space of van den Berg, Guy, Lin and Manocha,
 * Reciprocal n-Body Collision Avoidance (2011), section 4. Agents that are too near shall be separated after
 * `separationTime` (s).
 * @returns null for coincident agents, else scratch.
 */
export function velocityObstacle(
  x: number,
  y: number,
  z: number,
  ux: number,
  uy: number,
  uz: number,
  minDistance: number,
  horizon: number,
  separationTime: number,
): EscapeVelocity | null {
  const distanceSq = x * x + y * y + z * z
  const minDistanceSq = minDistance * minDistance
  if (distanceSq <= minDistanceSq) {
    const distance = Math.sqrt(distanceSq)
    if (!(distance > 0)) return null
    escape.x = -x / distance
    escape.y = -y / distance
    escape.z = -z / distance
    escape.violation = (minDistance - distance) / separationTime + (ux * x + uy * y + uz * z) / distance
    return escape
  }
  // the rounded end of the cone: contacts at the horizon
  const wx = ux - x / horizon
  const wy = uy - y / horizon
  const wz = uz - z / horizon
  const along = wx * x + wy * y + wz * z
  const wSq = wx * wx + wy * wy + wz * wz
  if (along < 0 && along * along > minDistanceSq * wSq) {
    const w = Math.sqrt(wSq)
    escape.x = wx / w
    escape.y = wy / w
    escape.z = wz / w
    escape.violation = minDistance / horizon - w
    return escape
  }
  const distance = Math.sqrt(distanceSq)
  const approach = x * ux + y * uy + z * uz
  let lx = ux - (approach / distanceSq) * x
  let ly = uy - (approach / distanceSq) * y
  let lz = uz - (approach / distanceSq) * z
  // once more, because near the axis half of the first result is rounding
  const residual = (lx * x + ly * y + lz * z) / distanceSq
  lx -= residual * x
  ly -= residual * y
  lz -= residual * z
  const sideSpeed = Math.sqrt(lx * lx + ly * ly + lz * lz)
  if (sideSpeed * distance <= ON_AXIS * Math.abs(approach)) {
    // straight towards the other agent neither side is better: fly slower, so that they do not come too near
    // by the horizon
    escape.x = -x / distance
    escape.y = -y / distance
    escape.z = -z / distance
    escape.violation = approach / distance - (distance - minDistance) / horizon
    return escape
  }
  // the side of the cone: the tangent plane goes through its apex
  const sideFactor = Math.sqrt(1 - minDistanceSq / distanceSq) / sideSpeed
  const axisFactor = minDistance / distanceSq
  escape.x = sideFactor * lx - axisFactor * x
  escape.y = sideFactor * ly - axisFactor * y
  escape.z = sideFactor * lz - axisFactor * z
  escape.violation = -(escape.x * ux + escape.y * uy + escape.z * uz)
  return escape
}
