import type { Agent, Neighborhood } from '../types.js'
import { neighborsOf } from './neighbors-of.js'

/** Whether the surface of neighbour i is nearer than `reach` (m) to the agent's centre. */
export function isWithinReach(neighbors: Neighborhood, i: number, reach: number): boolean {
  const range = reach + neighbors.radius(neighbors.row[i]!)
  return neighbors.distanceSq[i]! < range * range
}

/**
 * Radius (m) above which a neighbour counts as large for this agent: its own radius, or Infinity if no
 * neighbour is larger, so that the radii of the neighbours need not be read.
 */
export function ownSize(agent: Agent): number {
  const { radius } = agent
  return neighborsOf(agent).maxRadius > radius ? radius : Infinity
}

/** By how much (m) the radius of neighbour i exceeds `own`, 0 if it does not. */
export function excessOf(neighbors: Neighborhood, i: number, own: number): number {
  return own === Infinity ? 0 : Math.max(0, neighbors.radius(neighbors.row[i]!) - own)
}

/**
 * Squared distance (m²) to neighbour i as flocks measure it, negative inside the neighbour. It is measured
 * from centre to centre; for a larger neighbour to the nearest point where the centre of an agent with the
 * radius `own` would be that touches its surface from inside. So a whale is as near as its skin, and birds of
 * one size are as near as their centres.
 */
export function nearnessSq(neighbors: Neighborhood, i: number, own: number): number {
  const sq = neighbors.distanceSq[i]!
  const excess = excessOf(neighbors, i, own)
  if (excess === 0) return sq
  const near = Math.sqrt(sq) - excess
  return near * Math.abs(near)
}
