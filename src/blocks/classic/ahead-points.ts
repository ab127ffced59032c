import type { Agent, Vec3 } from '../../core/types.js'
import { topSpeed } from '../../core/control/drive.js'
import type { Obstacle } from '../../core/obstacles/obstacle.js'
import { addScaled, distance, normalize, sub, vec3 } from '../../core/math/vec3.js'
import { distanceToStop } from './textbook.js'

const ahead = vec3()
const halfWay = vec3()
const normal = vec3()
const away = vec3()

/** Length (m) of the look-ahead: the stop from top speed, times speed / top speed (`dynamic_length`). */
export function aheadLength(agent: Agent): number {
  const top = topSpeed(agent)
  return top > 0 ? distanceToStop(agent, top) * Math.min(1, agent.speed / top) : 0
}

/**
 * Adds to `out` the force (N) of F. Bevilacqua, Understanding Steering Behaviors: Collision Avoidance, 2013:
 * an obstacle blocks the way when the point ahead, the point half-way there, or the agent's own position is
 * inside of it. Of those the one whose centre is nearest counts. Its force is `maxForce` along
 * ahead − centre, inside as outside.
 *
 * Departures: obstacles are enlarged by the agent's radius, since the article's character is a point.
 * Obstacles of any shape block by their surface. Where the point ahead is the centre itself there is no
 * force.
 * @returns whether there was a threat.
 */
export function aheadAvoidance(
  agent: Agent,
  obstacles: readonly Obstacle[],
  count: number,
  out: Vec3,
): boolean {
  const { course, maxForce, position } = agent
  const length = aheadLength(agent)
  addScaled(ahead, position, course.x, length)
  addScaled(halfWay, position, course.x, length / 2)
  let nearest = Infinity
  for (let i = 0; i < count; i++) {
    const obstacle = obstacles[i]!
    const d = distance(position, obstacle.position)
    if (!(d < nearest) || !isBlocking(agent, obstacle)) continue
    nearest = d
    sub(away, ahead, obstacle.position)
  }
  if (nearest === Infinity) return false
  addScaled(out, out, normalize(away, away), maxForce)
  return true
}

function isBlocking({ position, radius }: Agent, obstacle: Obstacle): boolean {
  return (
    obstacle.distance(ahead, normal) <= radius ||
    obstacle.distance(halfWay, normal) <= radius ||
    obstacle.distance(position, normal) <= radius
  )
}
