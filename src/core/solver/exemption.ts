import type { Neighborhood, Exemption } from '../types.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import type { VelocityConstraints } from './constraint.js'
import { agentIdOf, isPartOf } from '../math/own.js'
import { lengthSq, vec3 } from '../math/vec3.js'

const normal = vec3()

/**
 * Whether an obstacle need not be avoided, because it is within `clearance` (m) of the place of the
 * exemption, or belongs to the carrier.
 */
export function exemptsObstacle(
  constraints: VelocityConstraints | null,
  obstacle: Obstacle,
  clearance: number,
): boolean {
  const exemption = constraints?.exemption
  if (exemption === undefined) return false
  const { carrier, obstacles, place } = exemption
  return (
    (carrier !== undefined && isPartOf(obstacle, carrier)) ||
    (obstacles && obstacle.distance(place, normal) < clearance)
  )
}

/**
 * Whether the agent in `row` of the neighbours need not be avoided; `clearance` is the distance (m) that the
 * centres would keep.
 */
export function exemptsAgent(
  { agents, carrier, lane, place }: Exemption,
  { id, position }: Neighborhood,
  row: number,
  clearance: number,
): boolean {
  if (carrier !== undefined && agentIdOf(carrier) === id[row]) return true
  const x = position[3 * row]! - place.x
  const y = position[3 * row + 1]! - place.y
  const z = position[3 * row + 2]! - place.z
  const sq = x * x + y * y + z * z
  if (lane !== undefined) {
    const along = x * lane.x + y * lane.y + z * lane.z
    const laneSq = lengthSq(lane)
    const aside = sq - (along * along) / laneSq
    if (!(along > 0 && along < laneSq && 4 * aside < clearance * clearance)) return true
  }
  return agents && sq < clearance * clearance
}
