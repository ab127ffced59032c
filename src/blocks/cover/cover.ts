import type { Agent, Step, Vec3, Vec3Like } from '../../core/types.js'
import { neighborsOf } from '../../core/control/neighbors-of.js'
import { topSpeed } from '../../core/control/drive.js'
import type { Obstacle } from '../../core/obstacles/obstacle.js'
import type { Footing } from '../../core/solver/footing.js'
import type { Obstacles } from '../../core/obstacles/obstacles.js'
import { unrotate } from '../../core/math/quat.js'
import { nearnessSq, ownSize } from '../../core/control/nearness.js'
import { draw } from '../../core/math/random.js'
import { TAU } from '../../core/math/scalar.js'
import {
  add,
  addScaled,
  cross,
  distance,
  dot,
  isZero,
  length,
  normalize,
  perpendicular,
  reject,
  scale,
  sub,
  vec3,
} from '../../core/math/vec3.js'

// The numbers below are chosen by hand unless they say otherwise.

/** A shadow that moves faster than this share of the agent's top speed does not hide it for long. */
const SHADOW_SHARE = 0.5

/** A position behind an obstacle, as seen from a seeker. */
export interface Cover {
  /** Position (m), and its velocity (m/s) while the seeker moves. */
  readonly position: Vec3
  readonly velocity: Vec3
  /** Unit direction from the seeker to the obstacle, and two unit directions across it. */
  readonly line: Vec3
  readonly across: Vec3
  readonly across2: Vec3
  /** Half of the width of the obstacle across the line, m: the lesser of both directions. */
  width: number
}

/** Agents in one cover keep this multiple of the sum of their radii between centres. Larger: fewer fit in. */
const SPACING = 1.5

/** Agents spread over a cover when another agent is within this many radii. */
export const COMPANY_RADII = 8

/**
 * They spread over a disc of this many radii at most, so that an agent that takes its place does not leave
 * the company. Otherwise it would go back to the middle, without end. In a crowd, whose members are near to
 * several others, it is larger. Larger: fewer are in each other's way.
 */
const SPREAD_RADII = 4

/** A position is free when the surfaces nearby are at least this share of the radius away. */
const FREE_SHARE = 0.99

const scratch = vec3()
const obstacleVelocity = vec3()
const away = vec3()

export function makeCover(): Cover {
  return { position: vec3(), velocity: vec3(), line: vec3(), across: vec3(), across2: vec3(), width: 0.5 }
}

/**
 * Finds the position opposite the seeker, so far beyond the far surface of the obstacle that a ball of radius
 * `clear` (m) is free of it (Green, Steering Behaviours, "Hide": "extends it some distance beyond the hiding
 * target"). The line runs through the centre of the obstacle, and leaves it at its real surface. With `seen`,
 * an agent that is farther away takes the position on that line abreast of it, since all of the shadow hides.
 * Returns false where there is no such position: in hollow shapes and half-spaces, where the seeker is inside
 * the obstacle, and where another obstacle is in the way.
 */
export function findCover(
  agent: Agent,
  step: Step,
  obstacles: Obstacles,
  footing: Footing,
  obstacle: Obstacle,
  seeker: Vec3Like,
  seekerVelocity: Vec3Like,
  clear: number,
  seen: boolean,
  out: Cover,
): boolean {
  const { position: coverPosition, velocity, line, across, across2 } = out
  const { position: center, shape } = obstacle
  const seekerDistance = length(sub(line, center, seeker))
  if (!(seekerDistance > 0 && seekerDistance < Infinity)) return false
  scale(line, line, 1 / seekerDistance)
  let distanceBehind = obstacle.leave(center, line, clear)
  if (!(distanceBehind < Infinity)) return false
  addScaled(coverPosition, center, line, distanceBehind)
  if (!isFree(agent, footing, coverPosition)) return false
  if (shape.convex !== true && obstacles.sees(seeker, coverPosition)) return false
  // the line turns about the obstacle as the seeker moves around it
  reject(velocity, sub(velocity, seekerVelocity, obstacle.velocity), line)
  if (seen) {
    // no farther out than the shadow is slow enough to stay in
    const slowDistance = (SHADOW_SHARE * topSpeed(agent) * seekerDistance) / length(velocity)
    const abreast = Math.min(dot(sub(scratch, agent.position, center), line), slowDistance)
    if (abreast > distanceBehind && isFree(agent, footing, addScaled(scratch, center, line, abreast))) {
      distanceBehind = abreast
      addScaled(coverPosition, center, line, distanceBehind)
    }
  }
  add(
    velocity,
    scale(velocity, velocity, -distanceBehind / seekerDistance),
    obstacle.velocityAt(obstacleVelocity, coverPosition),
  )
  normalize(across, reject(across, step.up, line))
  if (isZero(across)) perpendicular(across, line)
  cross(across2, line, across)
  out.width = Math.min(halfWidth(obstacle, across), halfWidth(obstacle, across2))
  return true
}

/** Cost of a cover, m: its distance, more where it leads nearer to the seeker, and for a narrow one. */
export function coverCost(agent: Agent, seeker: Vec3Like, { position: coverPosition, width }: Cover): number {
  const { position, radius } = agent
  const nearer = Math.max(0, distance(position, seeker) - distance(coverPosition, seeker))
  return (distance(coverPosition, position) + nearer) * (1 + radius / Math.max(width, 1e-3 * radius))
}

/**
 * Moves the cover of an agent so that several share it: with neighbours around, each agent takes a position
 * of its own in the shadow, by its seed (Green: "use both the hiding target's extent and the distance offset
 * to give you more than one hiding place"), and moves away from agents that are too near.
 */
export function shareCover(
  agent: Agent,
  { position: coverPosition, line, across, across2, width }: Cover,
): void {
  const neighbors = neighborsOf(agent)
  const { count, row, distanceSq, position } = neighbors
  const own = ownSize(agent)
  const companyDistanceSq = (COMPANY_RADII * agent.radius) ** 2
  let crowd = 0
  for (let i = 0; i < count; i++) {
    const share = nearnessSq(neighbors, i, own) / companyDistanceSq
    if (share < 1) crowd += 1 - share
  }
  if (crowd === 0) return
  const angle = TAU * draw(agent.seed, 1)
  const widest = Math.min(Math.max(0, width - agent.radius), SPREAD_RADII * agent.radius * Math.max(1, crowd))
  const radius = widest * Math.sqrt(draw(agent.seed, 2))
  addScaled(coverPosition, coverPosition, across, radius * Math.cos(angle))
  addScaled(coverPosition, coverPosition, across2, radius * Math.sin(angle))
  addScaled(coverPosition, coverPosition, line, 2 * SPACING * agent.radius * draw(agent.seed, 3))
  for (let i = 0; i < count; i++) {
    const other = row[i]!
    const minDistance = SPACING * (agent.radius + neighbors.radius(other))
    const d = Math.sqrt(distanceSq[i]!)
    if (d >= minDistance) continue
    away.x = agent.position.x - position[3 * other]!
    away.y = agent.position.y - position[3 * other + 1]!
    away.z = agent.position.z - position[3 * other + 2]!
    // an agent at exactly the same position leaves along its own direction
    if (isZero(normalize(away, away)))
      addScaled(away, scale(away, across, Math.cos(angle)), across2, Math.sin(angle))
    addScaled(coverPosition, coverPosition, away, minDistance - d)
  }
}

function isFree(agent: Agent, footing: Footing, coverPosition: Vec3Like): boolean {
  return footing.isFree(coverPosition, FREE_SHARE * agent.radius)
}

/** Extent of the obstacle across the line, m: the lesser of both sides; 0 where it is unbounded. */
function halfWidth(obstacle: Obstacle, direction: Vec3Like): number {
  const { shape, quaternion } = obstacle
  const firstSide = shape.support(unrotate(scratch, quaternion, direction))
  const width = Math.min(firstSide, shape.support(scale(scratch, scratch, -1)))
  return width > 0 && width < Infinity ? width : 0
}
