import type { Agent, Step } from '../../types.js'
import type { Limits } from '../../control/constraint.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import type { Obstacles } from '../../obstacles/obstacles.js'
import { isZero, length } from '../../math/vec3.js'
import { brakingRange, capAgainst } from './wall-cap.js'

/** Distance (m) within which walls limit the agent. */
export function wallRange(agent: Agent, step: Step, walls: Obstacles, skin: number, limits: Limits): number {
  const speed = Math.max(agent.speed, length(limits.wanted)) + walls.fastest
  return brakingRange(agent, step, speed) + agent.radius + skin
}

/** Caps the speed towards the first `count` of `walls`, and tells of them. */
export function capAll(
  agent: Agent,
  step: Step,
  walls: readonly Obstacle[],
  count: number,
  skin: number,
  range: number,
  limits: Limits,
): void {
  for (let i = 0; i < count; i++) {
    const wall = walls[i]!
    capAgainst(agent, step, wall, skin, limits)
    // where a moving wall will be when an obstacle is passed is another matter
    if (isZero(wall.velocity)) limits.wall(wall, range, agent.radius + skin)
  }
}
