import type { Neighborhood, Exemption } from '../types.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import type { VelocityConstraints } from './constraint.js'
import { agentIdOf, isPartOf } from '../math/own.js'
import { vec3 } from '../math/vec3.js'

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
  { agents, carrier, place }: Exemption,
  { id, position }: Neighborhood,
  row: number,
  clearance: number,
): boolean {
  if (carrier !== undefined && agentIdOf(carrier) === id[row]) return true
  if (!agents) return false
  const x = position[3 * row]! - place.x
  const y = position[3 * row + 1]! - place.y
  const z = position[3 * row + 2]! - place.z
  return x * x + y * y + z * z < clearance * clearance
}
