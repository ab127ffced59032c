import { RADIUS, TRAITS, type Agents } from './agents.js'

/**
 * How far (m) the agent in `row` is likely to look for one of its own size, centre to centre; 0 when it does
 * not look around.
 */
export function sightOf(agents: Agents, row: number): number {
  const { centerReach, reach } = agents.binding[row]!
  if (!(reach > 0 || centerReach > 0)) return 0
  const radius = agents.traits[TRAITS * row + RADIUS]!
  return rangeTo(radius, radius, reach, centerReach, nearOf(agents, row))
}

/**
 * How far (m, to their surface) the agent in `row` is likely to find its nearest neighbours; Infinity = as
 * far as it may.
 */
export function nearOf({ sight }: Agents, row: number): number {
  const near = sight[row]!
  return near > 0 ? near : Infinity
}

/**
 * The distance (m) of their centres below which an agent with radius `own` sees one with `radius`, see
 * `Behavior.reachTo`; both reaches 0: none. `near` (m) is the most to its surface.
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
