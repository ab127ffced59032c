import type { Agent, Step, Vec3, Vec3Like } from '../../types.js'
import { neighborsOf } from '../../control/neighbors-of.js'
import { topSpeed } from '../../control/drive.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import type { Obstacles } from '../../obstacles/obstacles.js'
import { unrotate } from '../../math/quat.js'
import { nearnessSq, ownSize } from '../../control/nearness.js'
import { draw } from '../../math/random.js'
import { TAU } from '../../math/scalar.js'
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
} from '../../math/vec3.js'

/** A shadow that sweeps along faster than this share of the agent's speed does not hide it for long. */
const SHADOW_SHARE = 0.5

/** A place behind an obstacle, as seen from a seeker. */
export interface Cover {
  /** m, and how it moves while the seeker does, m/s. */
  readonly position: Vec3
  readonly velocity: Vec3
  /** From the seeker to the obstacle, unit; and two directions across, unit. */
  readonly line: Vec3
  readonly across: Vec3
  readonly across2: Vec3
  /** Half of the width of the obstacle across the line, m: the least of the two. */
  width: number
}

/** Neighbours nearer than this many times the sum of both radii are made room for. */
const ROOM = 1.5

/** Neighbours within this many radii are company. */
export const NEAR_RADII = 6

/** A hull may touch what is beside its cover by this share of its radius. */
const TIGHT = 0.99

const local = vec3()
const normal = vec3()
const drift = vec3()
const away = vec3()

export function makeCover(): Cover {
  return { position: vec3(), velocity: vec3(), line: vec3(), across: vec3(), across2: vec3(), width: 0.5 }
}

/**
 * Finds the place opposite the seeker, so far beyond the far surface that a ball of radius `clear` (m) is free of it (Green, Steering
 * Behaviours, "Hide": "extends it some distance beyond the hiding target"). The line runs through the centre of the obstacle, and
 * leaves it by its real form. With `seen`, an agent that is farther off takes the place on that line abreast of it, since all of the
 * shadow hides. False where there is none: in hollow shapes and half-spaces, where the seeker sits in the obstacle, and where another
 * obstacle is in the way.
 */
export function findCover(
  agent: Agent,
  step: Step,
  obstacles: Obstacles,
  obstacle: Obstacle,
  seeker: Vec3Like,
  seekerVelocity: Vec3Like,
  clear: number,
  seen: boolean,
  out: Cover,
): boolean {
  const { position: place, velocity, line, across, across2: other } = out
  const { position: center, shape } = obstacle
  const gap = length(sub(line, center, seeker))
  if (!(gap > 0 && gap < Infinity)) return false
  scale(line, line, 1 / gap)
  let behind = obstacle.leave(center, line, clear)
  if (!(behind < Infinity)) return false
  addScaled(place, center, line, behind)
  if (!isFree(agent, obstacles, place)) return false
  if (shape.convex !== true && obstacles.sees(seeker, place)) return false
  // the line turns about the obstacle as the seeker goes round it
  reject(velocity, sub(velocity, seekerVelocity, obstacle.velocity), line)
  if (seen) {
    // no farther out than where the shadow is slow enough to stay in
    const slow = (SHADOW_SHARE * topSpeed(agent) * gap) / length(velocity)
    const abreast = Math.min(dot(sub(local, agent.position, center), line), slow)
    if (abreast > behind && isFree(agent, obstacles, addScaled(local, center, line, abreast))) {
      behind = abreast
      addScaled(place, center, line, behind)
    }
  }
  add(velocity, scale(velocity, velocity, -behind / gap), obstacle.velocityAt(drift, place))
  normalize(across, reject(across, step.up, line))
  if (isZero(across)) perpendicular(across, line)
  cross(other, line, across)
  out.width = Math.min(halfWidth(obstacle, across), halfWidth(obstacle, other))
  return true
}

/** What it costs to hide there, m: the way, more when it leads nearer to the seeker, and more for a narrow cover. */
export function coverCost(agent: Agent, seeker: Vec3Like, { position: place, width }: Cover): number {
  const { position, radius } = agent
  const nearer = Math.max(0, distance(position, seeker) - distance(place, seeker))
  return (distance(place, position) + nearer) * (1 + radius / Math.max(width, 1e-3 * radius))
}

/**
 * Makes room for others at the same place: with neighbours around, each agent takes a place of its own in the shadow, by its seed
 * (Green: "use both the hiding target's extent and the distance offset to give you more than one hiding place"), and gives way to
 * who is too near.
 */
export function shareCover(
  agent: Agent,
  { position: place, line, across, across2: other, width }: Cover,
): void {
  const neighbors = neighborsOf(agent)
  const { count, row, distanceSq, position } = neighbors
  const own = ownSize(agent)
  const near = (NEAR_RADII * agent.radius) ** 2
  let company = false
  for (let i = 0; i < count; i++) if (nearnessSq(neighbors, i, own) < near) company = true
  if (!company) return
  const turn = TAU * draw(agent.seed, 1)
  const off = Math.max(0, width - agent.radius) * Math.sqrt(draw(agent.seed, 2))
  addScaled(place, place, across, off * Math.cos(turn))
  addScaled(place, place, other, off * Math.sin(turn))
  addScaled(place, place, line, 2 * ROOM * agent.radius * draw(agent.seed, 3))
  for (let i = 0; i < count; i++) {
    const at = row[i]!
    const least = ROOM * (agent.radius + neighbors.radius(at))
    const d = Math.sqrt(distanceSq[i]!)
    if (d >= least) continue
    away.x = agent.position.x - position[3 * at]!
    away.y = agent.position.y - position[3 * at + 1]!
    away.z = agent.position.z - position[3 * at + 2]!
    // who is in the same place leaves it along its own direction
    if (isZero(normalize(away, away)))
      addScaled(away, scale(away, across, Math.cos(turn)), other, Math.sin(turn))
    addScaled(place, place, away, least - d)
  }
}

function isFree(agent: Agent, obstacles: Obstacles, place: Vec3Like): boolean {
  return obstacles.distance(place, normal) >= TIGHT * agent.radius
}

/** How far the obstacle reaches across, m: the lesser of both sides; 0 where that has no end. */
function halfWidth(obstacle: Obstacle, direction: Vec3Like): number {
  const { shape, quaternion } = obstacle
  const one = shape.support(unrotate(local, quaternion, direction))
  const width = Math.min(one, shape.support(scale(local, local, -1)))
  return width > 0 && width < Infinity ? width : 0
}
