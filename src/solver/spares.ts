import type { Neighborhood, Spares } from '../types.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import type { Limits } from './constraint.js'
import { vec3 } from '../math/vec3.js'

const normal = vec3()

/** Whether an obstacle is not to be kept off, because it is within `room` (m) of the place that is headed for. */
export function sparesObstacle(limits: Limits | null, obstacle: Obstacle, room: number): boolean {
  const spares = limits?.spares
  return spares?.obstacles === true && obstacle.distance(spares.place, normal) < room
}

/** The same for the agent in `row` of the neighbours, `room` being what their centres would keep. */
export function sparesAgent(
  { agents, place }: Spares,
  { position }: Neighborhood,
  row: number,
  room: number,
): boolean {
  if (!agents) return false
  const x = position[3 * row]! - place.x
  const y = position[3 * row + 1]! - place.y
  const z = position[3 * row + 2]! - place.z
  return x * x + y * y + z * z < room * room
}
