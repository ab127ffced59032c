import { describe, expect, it } from 'vitest'
import { Evade, type Behavior, type Moving } from 'three-steering'
import { flyHunt, HOMINGS, huntOf } from '../rigs/evasion.js'
import { angleBetween, norm, v } from '../support/geometry.js'
import { xyz } from '../support/pilot.js'
import { ALL, FULL } from '../support/tier.js'

// Evade chose the best direction again in each step. With the threat's real ability as `agilityRatio` several
// directions are about as good, and the evader changed its turn up to ten times a second.

/** A turn of the wanted force by more than this in one step counts as a change of direction (rad). */
const TURN = 0.5

/**
 * Changes of direction per second, over hunts by a faster, clumsier threat. `agilityRatio` is the true ratio
 * times `share`.
 */
function changesPerSecond(seeds: readonly number[], share: number, dt: number): number {
  let changes = 0
  let seconds = 0
  for (const how of HOMINGS)
    for (const seed of seeds) {
      const hunt = huntOf('clumsy', seed)
      const { evader, threat } = hunt
      const agilityRatio = (share * threat.maxForce * evader.mass) / (threat.mass * evader.maxForce)
      const evade = (target: Moving): Behavior => {
        const inner = new Evade({ target, agilityRatio })
        let last = v(0, 0, 0)
        return {
          children: [inner],
          steer(agent, step, out) {
            inner.steer(agent, step, out)
            const now = xyz(out.force)
            seconds += step.dt
            if (norm(now) > 0 && norm(last) > 0 && angleBetween(now, last) > TURN) changes++
            last = now
          },
        }
      }
      flyHunt(hunt, { how, evade, limit: 8, dt })
    }
  return changes / seconds
}

describe('Evade with a known agility ratio', () => {
  for (const [rate, most] of [[60, 2], ...(ALL ? ([[120, 1.5]] as const) : [])] as const)
    it(`keeps the turn it has chosen, ${rate} steps a second`, () => {
      const seeds = FULL ? Array.from({ length: 20 }, (_, i) => i) : [1]
      for (const share of [1, 1.2]) expect(changesPerSecond(seeds, share, 1 / rate)).toBeLessThan(most)
    })
})
