import type { Agent, Vec3Like } from '../types.js'
import { cross, isZero, vec3 } from '../math/vec3.js'

const side = vec3()

/**
 * The direction in which an agent evades when all sides are alike: up in its course frame, or to the side if
 * it moves in a plane. The result may be scratch, valid until the next call.
 */
export function evasiveSide({ course, plane }: Pick<Agent, 'course' | 'plane'>): Vec3Like {
  return isZero(plane) ? course.y : cross(side, course.x, plane)
}
