import type { Agent, Step } from '../../types.js'
import type { VelocityConstraints } from '../../solver/constraint.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import type { Obstacles } from '../../obstacles/obstacles.js'
import { isZero, length } from '../../math/vec3.js'
import { brakingRange } from './plane-cap.js'
import { gather, type Spared } from './surroundings.js'
import { capAgainst } from './wall-cap.js'

/** Share of the agent's radius that is kept between its ball and walls by default. */
const DEFAULT_CLEARANCE = 0.02

/** Distance (m) that is kept between an agent's ball and walls: the one it was given, else a share of its radius. */
export function wallClearance({ radius }: Agent, given: number | undefined): number {
  return given ?? DEFAULT_CLEARANCE * radius
}

/**
 * Caps the speed towards all walls that are near and not spared, and tells of them. `clearance` (m) is kept between them and the agent's ball,
 * by default 2 % of its radius; `found` is scratch of the caller.
 */
export function capWalls(
  agent: Agent,
  step: Step,
  walls: Obstacles,
  spared: Spared | undefined,
  clearance: number | undefined,
  found: Obstacle[],
  limits: VelocityConstraints,
): void {
  walls.refreshFor(step)
  const room = wallClearance(agent, clearance)
  const speed = Math.max(agent.speed, length(limits.wantedVelocity)) + walls.fastest
  const range = brakingRange(agent, step, speed) + agent.radius + room
  const count = gather(walls, agent, range, spared, found)
  for (let i = 0; i < count; i++) {
    const wall = found[i]!
    capAgainst(agent, step, wall, room, limits)
    // where a moving wall will be when an obstacle is passed is another matter
    if (isZero(wall.velocity)) limits.addWall(wall, range, agent.radius + room)
  }
}
