import type { Agent, Step } from '../../types.js'
import type { Limits } from '../../control/constraint.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import type { Obstacles } from '../../obstacles/obstacles.js'
import { isZero, length } from '../../math/vec3.js'
import { brakingRange } from './plane-cap.js'
import { gather, type Spared } from './surroundings.js'
import { capAgainst } from './wall-cap.js'

const DEFAULT_SKIN = 0.02

/**
 * Caps the speed towards all walls that are near and not spared, and tells of them. `skin` (m) is kept between them and the agent's ball,
 * by default 2 % of its radius; `found` is scratch of the caller.
 */
export function capWalls(
  agent: Agent,
  step: Step,
  walls: Obstacles,
  spared: Spared | undefined,
  skin: number | undefined,
  found: Obstacle[],
  limits: Limits,
): void {
  walls.refreshFor(step)
  const room = skin ?? DEFAULT_SKIN * agent.radius
  const speed = Math.max(agent.speed, length(limits.wanted)) + walls.fastest
  const range = brakingRange(agent, step, speed) + agent.radius + room
  const count = gather(walls, agent, range, spared, found)
  for (let i = 0; i < count; i++) {
    const wall = found[i]!
    capAgainst(agent, step, wall, room, limits)
    // where a moving wall will be when an obstacle is passed is another matter
    if (isZero(wall.velocity)) limits.wall(wall, range, agent.radius + room)
  }
}
