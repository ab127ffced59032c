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

/** Another agent, as seen from the agent. One object: numbers that are passed are boxed. */
export interface Encounter {
  /** Position of the other agent, relative to the agent, m. */
  x: number
  y: number
  z: number
  /** Own velocity less that of the other agent, m/s. */
  ux: number
  uy: number
  uz: number
  /** Distance (m) that is kept, within the horizon (s). */
  minDistance: number
  horizon: number
  /** Agents that are too near shall be separated after this time, s. */
  separationTime: number
}

/**
 * The least change of the relative velocity after which the two agents do not come nearer than `minDistance`
 * within `horizon`: the half-space of van den Berg, Guy, Lin and Manocha, Reciprocal n-Body Collision
 * Avoidance (2011), section 4.
 * @returns null for coincident agents, else scratch.
 */
export function velocityObstacle({
  x,
  y,
  z,
  ux,
  uy,
  uz,
  minDistance,
  horizon,
  separationTime,
}: Readonly<Encounter>): EscapeVelocity | null {
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
