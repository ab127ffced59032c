import type { Fighter } from './fighter.js'
import { distance } from './metrics.js'

/** Each other hunter of the same target counts like this additional distance (m). */
const CROWDED = 260

/** The nearest enemy, or null. */
export function nearestEnemy(fighters: readonly Fighter[], fighter: Fighter): Fighter | null {
  return cheapest(fighters, (each) => (isFoe(each, fighter) ? apart(each, fighter) : Infinity))
}

/**
 * The nearest enemy. Enemies with few hunters are preferred, and another target than the last one. Null if no
 * enemy flies.
 */
export function chooseTarget(fighters: readonly Fighter[], fighter: Fighter): Fighter | null {
  const best = cheapest(fighters, (each) => {
    if (!isFoe(each, fighter) || (each === fighter.target && fighters.length > 2)) return Infinity
    const after = fighters.filter(({ target, alive }) => alive && target === each).length
    return apart(each, fighter) + CROWDED * after
  })
  return best ?? fighter.target
}

function cheapest(fighters: readonly Fighter[], price: (fighter: Fighter) => number): Fighter | null {
  let best: Fighter | null = null
  let least = Infinity
  for (const each of fighters) {
    const now = price(each)
    if (now >= least) continue
    least = now
    best = each
  }
  return best
}

function isFoe(each: Fighter, fighter: Fighter): boolean {
  return each.team !== fighter.team && each.alive
}

function apart(a: Fighter, b: Fighter): number {
  return distance(a.pilot.position, b.pilot.position)
}
