import { sweptBall } from '../../obstacles/sweep.js'
import type { Agent } from '../../types.js'
import { Obstacle, type ObstacleOptions } from '../../obstacles/obstacle.js'
import { isObstacleSet } from '../../obstacles/obstacle-set.js'
import { addAll, Obstacles } from '../../obstacles/obstacles.js'
import { refuse } from '../../math/require.js'
import type { AgentObstacleFilter } from '../../solver/footing.js'

export type { AgentObstacleFilter }

/** Obstacles as behaviours take them: a set, shared and changeable at any time, or a list to make one of. */
export type ObstacleSource = Obstacles | Iterable<Obstacle | ObstacleOptions>

/** @throws TypeError for a value that is neither a set nor a list. */
export function requireObstacles(what: string, source: ObstacleSource): Obstacles {
  if (isObstacleSet(source)) return source
  if (
    typeof source !== 'object' ||
    typeof (source as Partial<Iterable<unknown>> | null)?.[Symbol.iterator] !== 'function'
  )
    refuse(what, source, 'must be a set of Obstacles or a list of obstacles')
  return addAll(new Obstacles(), what, source)
}

const ball = sweptBall()

/** Writes the obstacles within `distance` (m) that `filter` leaves into `out`. Returns how many. */
export function gather(
  obstacles: Obstacles,
  agent: Agent,
  distance: number,
  filter: AgentObstacleFilter | undefined,
  out: Obstacle[],
): number {
  ball.radius = distance
  const near = obstacles.nearBall(agent.position, ball, out)
  if (filter === undefined) return near
  let count = 0
  for (let i = 0; i < near; i++) if (!filter(out[i]!, agent)) out[count++] = out[i]!
  return count
}
