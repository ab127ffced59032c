import type { Agent, Vec3Like } from '../../types.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import type { Obstacles } from '../../obstacles/obstacles.js'
import type { Path } from './path.js'
import { requireFinite } from '../../math/require.js'
import { normalize, sub, vec3 } from '../../math/vec3.js'
import { distanceToClear } from '../avoidance/escape.js'
import { requireObstacles, type ObstacleSource } from '../avoidance/surroundings.js'

const normal = vec3()
const spot = vec3()
const way = vec3()
const found: Obstacle[] = []

/**
 * Numbers of the waypoints of a path at which a ball of `radius` (m) would overlap an obstacle ("the path generation … can quite easily give you
 * a waypoint that is inside an obstacle", Green, Changing World). A `FollowPath` that is given the obstacles reaches them all the same.
 * @throws TypeError / RangeError naming the argument.
 */
export function blockedWaypoints(path: Path, obstacles: ObstacleSource, radius: number): number[] {
  const set = requireObstacles('blockedWaypoints.obstacles', obstacles)
  requireFinite('blockedWaypoints.radius', radius, 0, false)
  const blocked: number[] = []
  for (let i = 0; i < path.count; i++)
    if (set.distance(path.pointAt(spot, path.stationOf(i)), normal) < radius) blocked.push(i)
  return blocked
}

/** How near (m) to `point` the agent can come straight from where it is: 0 where nothing stands there. */
export function nearestTo(obstacles: Obstacles, agent: Agent, point: Vec3Like): number {
  const count = obstacles.near(point, agent.radius, found)
  if (count === 0) return 0
  normalize(way, sub(way, agent.position, point))
  const off = distanceToClear(point, found, count, agent.radius, way)
  return off < Infinity ? off : 0
}
