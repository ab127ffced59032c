import type { Vec3Like } from '../types.js'
import type { ObstacleFilter, Obstacles } from './obstacles.js'
import type { SweptBall } from './shape.js'

/**
 * Whether `ball` touches no obstacle on its path along the unit `direction`, neither from `origin` nor from
 * `other`. Obstacles are taken as at rest.
 */
export function areFree(
  { index }: Obstacles,
  origin: Vec3Like,
  other: Vec3Like,
  direction: Vec3Like,
  ball: SweptBall,
  ignore: ObstacleFilter | undefined,
): boolean {
  index.prepare()
  const { members, endless, found, tree, built } = index
  const { radius, limit } = ball
  // one query finds what both paths may touch
  const x = other.x - origin.x
  const y = other.y - origin.y
  const z = other.z - origin.z
  const extra = radius + Math.sqrt(x * x + y * y + z * z)
  tree.wide.extra = extra
  tree.wide.distance = limit + extra
  const boxes = tree.along(origin, direction, found)
  const others = boxes + endless.length
  const end = others + members.length - built
  for (let k = 0; k < end; k++) {
    const number = k < boxes ? found[k]! : k < others ? endless[k - boxes]! : built + k - others
    const obstacle = members[number]!
    if (obstacle === null || ignore?.(obstacle) === true) continue
    // written anew each time, because the filter may do the same
    ball.radius = radius
    ball.limit = limit
    obstacle.sweepBall(origin, direction, ball)
    if (ball.distance < Infinity) return false
    obstacle.sweepBall(other, direction, ball)
    if (ball.distance < Infinity) return false
  }
  return true
}
