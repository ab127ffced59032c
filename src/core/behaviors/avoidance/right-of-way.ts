import type { Neighborhood } from '../../types.js'

/**
 * Whether the neighbour in `row` does not avoid agents with the bits `group`. To them it has the priority
 * Infinity: they must do the whole evasion.
 */
export function isHeedless(neighbors: Neighborhood, row: number, group: number): boolean {
  return (neighbors.avoids(row) & group) === 0
}

/**
 * Share of a common evasion that falls to the agent with the weight `own`, dimensionless, in [0, 1]: other /
 * (own + other), the table of relative masses of Green, Steering Behaviours, "Extent": ½ for equal weights,
 * 1/3 for 2 against 1. Weights may be priorities or masses. An agent of infinite weight never yields
 * ("blockers", same source), not even to another one of infinite weight; the other agent takes the whole
 * share.
 */
export function yieldShare(own: number, other: number): number {
  if (own === Infinity) return 0
  if (other === Infinity) return 1
  // as 1 / (own/other + 1): the sum of two huge weights could overflow
  return 1 / (own / other + 1)
}
