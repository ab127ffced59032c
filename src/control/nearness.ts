import type { Agent, Neighborhood } from '../types.js'

/** Whether the surface of neighbour i is nearer than `reach` (m) to the agent's centre. */
export function isWithinReach(neighbors: Neighborhood, i: number, reach: number): boolean {
  const range = reach + neighbors.radius(neighbors.row[i]!)
  return neighbors.distanceSq[i]! < range * range
}

/**
 * The radius (m) from which on a neighbour is large for this agent: its own, or Infinity where nobody is larger, so that the radii of the
 * neighbours need not be read.
 */
export function ownSize({ neighbors, radius }: Agent): number {
  return neighbors.maxRadius > radius ? radius : Infinity
}

/** How much (m) neighbour i is larger than `own`, 0 where it is not. */
export function excessOf(neighbors: Neighborhood, i: number, own: number): number {
  return own === Infinity ? 0 : Math.max(0, neighbors.radius(neighbors.row[i]!) - own)
}

/**
 * How near neighbour i is in the sense of a flock, squared, m², below 0 inside it: centre to centre; of a larger one, to the nearest place where the
 * centre of one of the size `own` would be that touches its surface from inside. So a whale is as near as its skin, and birds of
 * one size are as near as their centres.
 */
export function nearnessSq(neighbors: Neighborhood, i: number, own: number): number {
  const sq = neighbors.distanceSq[i]!
  const excess = excessOf(neighbors, i, own)
  if (excess === 0) return sq
  const near = Math.sqrt(sq) - excess
  return near * Math.abs(near)
}
