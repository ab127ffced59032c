import type { Agent, Vec3 } from '../../core/types.js'
import { evasiveSide } from '../../core/control/evasive-side.js'
import type { Obstacle } from '../../core/obstacles/obstacle.js'
import { BRAKE_SHARE, stoppingDistance } from '../../core/control/profile.js'
import { pointToLocal } from '../../core/math/frame.js'
import {
  addScaled,
  copy,
  dot,
  isZero,
  length as lengthOf,
  normalize,
  reject,
  scale,
  sub,
  truncate,
  vec3,
} from '../../core/math/vec3.js'

/** Share of `maxForce` that brakes for a threat one cylinder length away: the figure of the course deck. */
export const DEFAULT_BRAKING_WEIGHT = 2

const localCenter = vec3()
const normal = vec3()
const lateral = vec3()
const aheadPoint = vec3()
const hitCenter = vec3()

/**
 * How the force against a threat is computed. `textbook`: Green, with the multiplier and the brakes of the
 * course deck. `deck`: the formula of the course deck alone.
 */
export type TextbookMethod = 'textbook' | 'deck'

/**
 * The closest threat so far, and the direction of the force against it. `ahead` and `aside`: distance of its
 * centre along the axis and from the axis, in radii (m) of the obstacle itself.
 */
const threat = { hit: Infinity, inside: false, radius: 0.5, ahead: 0.5, aside: 0.5 }
const direction = vec3()

/**
 * Adds to `out` the force (N) of the textbook method against the closest threat on the path. A cylinder of
 * the agent's radius reaches ahead along the course as far as the agent needs to react and stop. Obstacles
 * behind it, too far ahead or beside it are rejected. Radii are expanded by the agent's own, so that the
 * cylinder becomes the x axis of the course frame. Of the other obstacles only the one with the least
 * positive root on the axis counts. Its force is
 * - lateral, in the YZ plane, from the centre of the threat to the axis, times 1 + (length − hit) / length;
 * - braking, backwards, `brakingWeight` · hit / length;
 * - when the agent is inside of the threat, from its centre to the point ahead, whose distance shrinks with
 *   the speed.
 *
 * Sources: Green, Steering Behaviours, "Obstacle Avoidance", figures 4 to 7; the course deck IMGD 4000,
 * Obstacle Avoidance Algorithm (multiplier, braking); Bevilacqua, Collision Avoidance, "Improving Collision
 * Detection" (a third probe at the agent's own position, a length that shrinks with the speed; Bevilacqua's
 * probes ahead and half-way lie on the axis and are found by its roots).
 * Departures: lengths are shares of the expanded radius and of the cylinder, times `maxForce`, so that the
 * result is in newtons. Nearness is measured to the hit, not to the centre, since a centre beyond the
 * cylinder would turn the deck's multiplier negative. Shapes other than balls are hit by an exact sweep, and
 * are treated as the ball that has their surface there. Obstacles are taken at their present positions, not
 * at predicted ones.
 *
 * With `deck` the force is that of the deck, for the centre at (x, y) and the radius R of the obstacle:
 * lateral (R − y) · (1 + (length − x) / length), braking (R − x) · `brakingWeight`, both as shares of R,
 * inside as outside. Here y is the distance from the axis, and the force points away from the centre; in the
 * deck y has a sign, and the force pushes towards obstacles on one side. A centre dead ahead is passed above,
 * in the course frame.
 *
 * The method is kept for comparison, with its weaknesses: an obstacle dead ahead gives no lateral force (the
 * agent brakes, and hits it); at the exact centre of an obstacle at rest there is no force at all; it treats
 * one threat at a time; its force ends when the cylinder is clear, so that it oscillates against a goal
 * behind the obstacle.
 * @returns whether there was a threat.
 */
export function textbookAvoidance(
  agent: Agent,
  obstacles: readonly Obstacle[],
  count: number,
  out: Vec3,
  brakingWeight: number = DEFAULT_BRAKING_WEIGHT,
  method: TextbookMethod = 'textbook',
): boolean {
  const { course, maxForce } = agent
  const brakingDistance = distanceToStop(agent, agent.speed)
  const length = brakingDistance + agent.radius
  threat.hit = Infinity
  for (let i = 0; i < count; i++) {
    const obstacle = obstacles[i]!
    const { ballRadius } = obstacle
    if (ballRadius >= 0) considerBall(agent, obstacle, ballRadius + agent.radius, length, brakingDistance)
    else considerShape(agent, obstacle, length)
  }
  if (threat.hit === Infinity) return false
  if (method === 'deck') deckForce(agent, length, brakingWeight)
  else if (threat.inside) scale(direction, direction, maxForce)
  else {
    const nearness = Math.max(0, length - threat.hit) / length
    scale(direction, direction, maxForce * (1 + nearness))
    addScaled(direction, direction, course.x, -maxForce * brakingWeight * Math.min(1, threat.hit / length))
  }
  addScaled(out, out, truncate(direction, direction, maxForce), 1)
  return true
}

/** Writes the force (N) of the course deck into `direction`. */
function deckForce(agent: Agent, length: number, brakingWeight: number): void {
  const { course, maxForce } = agent
  // what is left of the direction is lateral: away from the centre
  reject(direction, direction, course.x)
  if (isZero(direction)) copy(direction, evasiveSide(agent))
  normalize(direction, direction)
  const multiplier = 1 + (length - threat.ahead * threat.radius) / length
  scale(direction, direction, maxForce * (1 - threat.aside) * multiplier)
  addScaled(direction, direction, course.x, maxForce * (1 - threat.ahead) * brakingWeight)
}

/** Distance (m) that the agent flies while it reacts and stops from `speed` (m/s). */
export function distanceToStop(agent: Agent, speed: number): number {
  const { x, y, z } = agent.course.x
  const force = Math.max(0, agent.forceAlong(-x, -y, -z))
  const damping = agent.compensateDamping ? 0 : agent.damping
  const brake = (BRAKE_SHARE * force) / agent.mass
  return Math.min(stoppingDistance(speed, brake, damping, 2 * agent.responseTime), Number.MAX_VALUE / 4)
}

/** Makes a ball of the expanded `radius` the closest threat if it is: Green's rejections and both roots. */
function considerBall(
  agent: Agent,
  obstacle: Obstacle,
  radius: number,
  length: number,
  brakingDistance: number,
): void {
  const { course, position } = agent
  const { x, y, z } = pointToLocal(localCenter, course, position, obstacle.position)
  if (x < 0 && radius < -x) return
  if (x > length + radius) return
  const axisDistance = Math.hypot(y, z)
  if (axisDistance >= radius) return
  const halfChord = Math.sqrt((radius - axisDistance) * (radius + axisDistance))
  const inside = Math.hypot(x, axisDistance) < radius
  // inside, the first root lies behind: the least positive one is the second
  const hit = x - halfChord >= 0 ? x - halfChord : x + halfChord
  if (!(hit >= 0 && hit < threat.hit)) return
  threat.hit = hit
  threat.inside = inside
  threat.radius = Math.max(radius - agent.radius, Number.MIN_VALUE)
  threat.ahead = x / threat.radius
  threat.aside = axisDistance / threat.radius
  if (inside)
    normalize(
      direction,
      sub(direction, addScaled(aheadPoint, position, course.x, brakingDistance), obstacle.position),
    )
  else {
    // from the centre to the axis, as a share of the radius
    scale(direction, course.y, -y / radius)
    addScaled(direction, direction, course.z, -z / radius)
  }
}

/** The same for any other shape, by its surface. */
function considerShape(agent: Agent, obstacle: Obstacle, length: number): void {
  const { course, position, radius } = agent
  const inside = obstacle.distance(position, normal) < radius
  const hit = inside
    ? // as a ball ahead is no farther; some are never left
      Math.min(obstacle.leave(position, course.x, radius), length + radius)
    : obstacle.sweep(position, course.x, radius, length)
  if (!(hit < threat.hit)) return
  threat.hit = hit
  threat.inside = inside
  if (!inside) obstacle.distance(addScaled(hitCenter, position, course.x, hit), normal)
  // as a ball with that surface and normal there, whose radius is the length of the cylinder
  threat.radius = length
  threat.ahead = hit / length - dot(normal, course.x)
  threat.aside = lengthOf(reject(lateral, normal, course.x))
  copy(direction, inside ? normal : lateral)
}
