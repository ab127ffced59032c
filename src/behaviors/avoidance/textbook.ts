import type { Agent, Step, Vec3 } from '../../types.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import { BRAKE_SHARE, stoppingDistance } from '../../control/profile.js'
import { pointToLocal } from '../../math/frame.js'
import { addScaled, copy, normalize, reject, scale, sub, truncate, vec3 } from '../../math/vec3.js'

/** Share of `maxForce` that brakes for a threat one cylinder away, dimensionless: the figure of the course deck. */
export const DEFAULT_BRAKING_WEIGHT = 2

const local = vec3()
const normal = vec3()
const lateral = vec3()
const ahead = vec3()
const middle = vec3()

/** The closest threat so far. */
const threat = { hit: Infinity, inside: false }
const away = vec3()

/**
 * Adds to `out` the force (N) of the textbook against the closest threat on the way. A cylinder of the agent's radius reaches ahead
 * along the course as far as the agent needs to react and stop; obstacles behind it, too far ahead of it or beside it are
 * rejected; radii are expanded by the agent's own, so that the cylinder becomes the x axis of the course frame; of the rest the one with
 * the least positive root of the axis counts, alone. Its force is
 * - lateral, in the YZ plane, from the centre of the threat to the axis, times 1 + (length − hit) / length;
 * - braking, backwards, `brakingWeight` · hit / length;
 * - when the agent's own place is in it, from its centre to the point ahead, whose distance shrinks with the speed.
 *
 * Sources: Green, Steering Behaviours, "Obstacle Avoidance", figures 4 to 7; the course deck IMGD 4000, Obstacle Avoidance Algorithm
 * (multiplier, braking); Bevilacqua, Collision Avoidance, "Improving Collision Detection" (a third probe at the own place, a length that
 * shrinks with the speed; his probes ahead and half-way lie on the axis and are found by its roots).
 * Departures: lengths are shares of the expanded radius and of the cylinder, times `maxForce`, so that the answer is in newtons; nearness is
 * measured to the hit, not to the centre, since a centre beyond the cylinder would turn the deck's multiplier negative; other forms than
 * balls are hit by an exact sweep, and are taken as the ball that has their surface there; obstacles are taken where they are, not where they will be.
 *
 * It is the yardstick, with its weaknesses: dead centre there is no lateral force (the agent brakes, and hits); at the exact centre at rest no
 * force at all; one threat at a time; it stops when the cylinder is clear, so that against a goal behind the obstacle it chatters.
 * @returns whether there was a threat.
 */
export function textbookAvoidance(
  agent: Agent,
  _step: Step,
  obstacles: readonly Obstacle[],
  count: number,
  out: Vec3,
  brakingWeight: number = DEFAULT_BRAKING_WEIGHT,
): boolean {
  const { course, maxForce } = agent
  const seen = seeAhead(agent)
  const length = seen + agent.radius
  threat.hit = Infinity
  for (let i = 0; i < count; i++) {
    const obstacle = obstacles[i]!
    const { ballRadius } = obstacle
    if (ballRadius >= 0) meetSphere(agent, obstacle, ballRadius + agent.radius, length, seen)
    else meet(agent, obstacle, length)
  }
  if (threat.hit === Infinity) return false
  if (threat.inside) scale(away, away, maxForce)
  else {
    const nearness = Math.max(0, length - threat.hit) / length
    scale(away, away, maxForce * (1 + nearness))
    addScaled(away, away, course.x, -maxForce * brakingWeight * Math.min(1, threat.hit / length))
  }
  addScaled(out, out, truncate(away, away, maxForce), 1)
  return true
}

/** How far (m) the agent flies while it reacts and stops. */
function seeAhead(agent: Agent): number {
  const { x, y, z } = agent.course.x
  const force = Math.max(0, agent.forceAlong(-x, -y, -z))
  const damping = agent.compensateDamping ? 0 : agent.damping
  const brake = (BRAKE_SHARE * force) / agent.mass
  return Math.min(stoppingDistance(agent.speed, brake, damping, 2 * agent.responseTime), Number.MAX_VALUE / 4)
}

/** Green's rejections and both roots, for a ball of the expanded `radius`. */
function meetSphere(agent: Agent, obstacle: Obstacle, radius: number, length: number, seen: number): void {
  const { course, position } = agent
  const { x, y, z } = pointToLocal(local, course, position, obstacle.position)
  if (x < 0 && radius < -x) return
  if (x > length + radius) return
  const off = Math.hypot(y, z)
  if (off >= radius) return
  const half = Math.sqrt((radius - off) * (radius + off))
  const inside = Math.hypot(x, off) < radius
  // inside the first root is behind: the least positive one is the second
  const hit = x - half >= 0 ? x - half : x + half
  if (!(hit >= 0 && hit < threat.hit)) return
  threat.hit = hit
  threat.inside = inside
  if (inside) normalize(away, sub(away, addScaled(ahead, position, course.x, seen), obstacle.position))
  else {
    // from the centre to the axis, as a share of the radius
    scale(away, course.y, -y / radius)
    addScaled(away, away, course.z, -z / radius)
  }
}

/** The same for any form, by its surface. */
function meet(agent: Agent, obstacle: Obstacle, length: number): void {
  const { course, position, radius } = agent
  const inside = obstacle.distance(position, normal) < radius
  const hit = inside
    ? Math.min(obstacle.leave(position, course.x, radius), Number.MAX_VALUE)
    : obstacle.sweep(position, course.x, radius, length)
  if (!(hit < threat.hit)) return
  threat.hit = hit
  threat.inside = inside
  if (!inside) obstacle.distance(addScaled(middle, position, course.x, hit), normal)
  copy(away, inside ? normal : reject(lateral, normal, course.x))
}
