import type { Vec3Like } from '../types.js'
import type { ObstacleFilter, Obstacles } from './obstacles.js'
import type { SweptBall } from './shape.js'
import { ROUNDING, sizeOf } from './sweep.js'
import { vec3 } from '../math/vec3.js'

const start = vec3()

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
  // one query finds what both paths may touch: it follows the path midway between them
  let x = other.x - origin.x
  let y = other.y - origin.y
  let z = other.z - origin.z
  const ahead = x * direction.x + y * direction.y + z * direction.z
  x -= ahead * direction.x
  y -= ahead * direction.y
  z -= ahead * direction.z
  const back = Math.min(0, ahead)
  start.x = origin.x + x / 2 + back * direction.x
  start.y = origin.y + y / 2 + back * direction.y
  start.z = origin.z + z / 2 + back * direction.z
  tree.extra = radius + Math.sqrt(x * x + y * y + z * z) / 2 + ROUNDING * sizeOf(other, ahead)
  tree.distance = limit + Math.abs(ahead)
  const boxes = tree.along(start, direction, found)
  const others = boxes + endless.length
  const end = others + members.length - built
  for (let k = 0; k < end; k++) {
    const number = k < boxes ? found[k]! : k < others ? endless[k - boxes]! : built + k - others
    const obstacle = index.seen(number)
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
