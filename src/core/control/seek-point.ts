import type { Agent, Step, Vec3, Vec3Like } from '../types.js'
import { drive, topSpeed } from './drive.js'
import { copy, isZero, normalize, scale, sub, vec3 } from '../math/vec3.js'
import { reportGoal } from './wish.js'

const wanted = vec3()

/**
 * Adds the force (N) that flies to `point` (m) at full speed, or at `speed` (m/s). At the point itself there
 * is no direction, and the force stops the agent (Green, Seek and Flee: "we've reached our target and so we
 * need to stop").
 */
export function seekPoint(agent: Agent, step: Step, point: Vec3Like, out: Vec3, speed?: number): void {
  normalize(wanted, sub(wanted, point, agent.position))
  reportGoal(agent, point)
  drive(agent, step, scale(wanted, wanted, topSpeed(agent, speed)), out)
}

/**
 * Adds the force (N) that flies away from `point` (m) at full speed, or at `speed` (m/s); at the point itself
 * it flies on along the course.
 */
export function fleePoint(agent: Agent, step: Step, point: Vec3Like, out: Vec3, speed?: number): void {
  normalize(wanted, sub(wanted, agent.position, point))
  if (isZero(wanted)) copy(wanted, agent.course.x)
  drive(agent, step, scale(wanted, wanted, topSpeed(agent, speed)), out)
}
