import type { Path } from './path.js'
import { requireFinite } from '../../core/math/require.js'
import { vec3 } from '../../core/math/vec3.js'
import { requireObstacles, type ObstacleSource } from '../../core/behaviors/avoidance/surroundings.js'

const normal = vec3()
const spot = vec3()

/**
 * Indices of the waypoints of a path at which a ball of `radius` (m) overlaps an obstacle ("the path
 * generation … can quite easily give you a waypoint that is inside an obstacle", Green, Changing World). A
 * `FollowPath` with the same obstacles passes them nevertheless.
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
