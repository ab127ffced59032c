/**
 * Share of what two agents must do together that falls to the one of `own` weight, dimensionless, in [0, 1]: other / (own + other), the table of
 * relative masses of Green, Steering Behaviours, "Extent": ½ among equals, 1/3 for 2 against 1. Weights may be priorities or
 * masses. Infinity never yields ("blockers", same place), to its like neither; all others then do it all.
 */
export function yieldShare(own: number, other: number): number {
  if (own === Infinity) return 0
  if (other === Infinity) return 1
  // as 1 / (own/other + 1): two huge weights must not overflow
  return 1 / (own / other + 1)
}
