import { MAX_NEIGHBORS, RADIUS, TRAITS, type Agents } from '../engine/agents.js'

/**
 * An agent with a limited number of neighbours looks farther than its last one by this factor. Chosen by
 * hand.
 */
export const SIGHT_MARGIN = 1.1

/**
 * Distance (m), centre to centre, within which the agent in `row` is likely to look for an agent of its own
 * size; 0 without a reach.
 */
export function sightOf(agents: Agents, row: number): number {
  const { centerReach, reach } = agents.binding[row]!
  if (!(reach > 0 || centerReach > 0)) return 0
  const { sight, traits } = agents
  const radius = traits[TRAITS * row + RADIUS]!
  const isFew = traits[TRAITS * row + MAX_NEIGHBORS]! < Infinity && sight[row]! > 0
  return rangeTo(radius, radius, reach, centerReach, isFew ? sight[row]! : Infinity)
}

/**
 * The distance (m) of the centres below which an agent with radius `own` (m) sees one with `radius` (m), see
 * `Behavior.reachTo`. 0 when both reaches are 0. `near` (m) is the largest distance to its surface.
 */
export function rangeTo(
  own: number,
  radius: number,
  reach: number,
  centerReach: number,
  near: number,
): number {
  const surface = reach > 0 ? reach + radius : 0
  const center = centerReach > 0 ? centerReach + Math.max(0, radius - own) : 0
  return Math.min(Math.max(surface, center), near + radius)
}
