import type { FormationMember, FormationSlot } from 'three-steering/formation'

/**
 * Two solvers of the assignment problem that are independent of the library's: all permutations, and a
 * minimum-cost flow.
 */

export interface Best {
  readonly pairs: number
  readonly cost: number
}

export function squared({ position: a }: FormationMember, { position: b }: FormationSlot): number {
  return (a.x - b.x) ** 2 + (a.y - b.y) ** 2 + (a.z - b.z) ** 2
}

export function allowed({ role }: FormationMember, slot: FormationSlot): boolean {
  return slot.role === undefined || slot.role === role
}

/**
 * The greatest number of pairs, and then the least cost, over all ways to give each member a slot or none.
 */
export function byPermutations(members: readonly FormationMember[], slots: readonly FormationSlot[]): Best {
  const taken = slots.map(() => false)
  let best: Best = { pairs: -1, cost: Infinity }
  const visit = (i: number, pairs: number, cost: number): void => {
    if (pairs + Math.min(members.length - i, slots.length - pairs) < best.pairs) return
    if (i === members.length) {
      if (pairs > best.pairs || cost < best.cost) best = { pairs, cost }
      return
    }
    slots.forEach((slot, j) => {
      if (taken[j] === true || !allowed(members[i]!, slot)) return
      taken[j] = true
      visit(i + 1, pairs + 1, cost + squared(members[i]!, slot))
      taken[j] = false
    })
    visit(i + 1, pairs, cost)
  }
  visit(0, 0, 0)
  return best
}

/**
 * Successive cheapest paths from source to sink through the residual network, found by the Bellman-Ford
 * algorithm over all edges, without prices or matrix reduction. Each path adds a pair at the least cost, as
 * long as there is one.
 */
export function byFlow(members: readonly FormationMember[], slots: readonly FormationSlot[]): Best {
  const n = members.length
  const costs = members.map((member) =>
    slots.map((slot) => (allowed(member, slot) ? squared(member, slot) : NaN)),
  )
  const slotOf = members.map(() => -1)
  const memberOf = slots.map(() => -1)
  for (let pairs = 0; ; pairs++) {
    const toMember = slotOf.map((slot) => (slot < 0 ? 0 : Infinity))
    const toSlot = slots.map(() => Infinity)
    const before = slots.map(() => -1)
    for (let again = true; again;) {
      again = false
      for (let i = 0; i < n; i++)
        for (let j = 0; j < slots.length; j++) {
          const length = toMember[i]! + costs[i]![j]!
          if (slotOf[i] === j || !(length < toSlot[j]! - 1e-9)) continue
          toSlot[j] = length
          before[j] = i
          const owner = memberOf[j]!
          if (owner >= 0) toMember[owner] = length - costs[owner]![j]!
          again = true
        }
    }
    let end = -1
    for (let j = 0; j < slots.length; j++)
      if (memberOf[j]! < 0 && toSlot[j]! < (end < 0 ? Infinity : toSlot[end]!)) end = j
    if (end < 0) return { pairs, cost: slotOf.reduce((sum, j, i) => sum + (j < 0 ? 0 : costs[i]![j]!), 0) }
    for (let j = end; j >= 0;) {
      const i = before[j]!
      const next = slotOf[i]!
      slotOf[i] = j
      memberOf[j] = i
      j = next
    }
  }
}
