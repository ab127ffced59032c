import type { Neighborhood, Exemption } from '../types.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import type { VelocityConstraints } from './constraint.js'
import { vec3 } from '../math/vec3.js'

const normal = vec3()

/** Whether an obstacle is not to be kept off, because it is within `room` (m) of the place that is headed for. */
export function exemptsObstacle(
  constraints: VelocityConstraints | null,
  obstacle: Obstacle,
  clearance: number,
): boolean {
  const exemption = constraints?.exemption
  return exemption?.obstacles === true && obstacle.distance(exemption.place, normal) < clearance
}

/** The same for the agent in `row` of the neighbours, `room` being what their centres would keep. */
export function exemptsAgent(
  { agents, place }: Exemption,
  { position }: Neighborhood,
  row: number,
  clearance: number,
): boolean {
  if (!agents) return false
  const x = position[3 * row]! - place.x
  const y = position[3 * row + 1]! - place.y
  const z = position[3 * row + 2]! - place.z
  return x * x + y * y + z * z < clearance * clearance
}
