import { describe, expect, it } from 'vitest'
import { COUNTING, HideAndSeek, RESULT, SEEKING } from '../../demo/scenarios/hide.js'
import { pick } from '../support/tier.js'

const STEP = 1 / 60

describe('hide and seek', () => {
  it('catches who stays in the light, ends each round and begins the next, without a contact', () => {
    for (const seed of pick([4], [2], [1, 2, 3, 4, 5, 6, 7, 8])) {
      const seeking = pick(12, SEEKING, SEEKING)
      const game = new HideAndSeek({ seed, count: pick(5, 10, 10), seeking })
      let before = 0
      let freed = 0
      const limit = 60 * (COUNTING + seeking + RESULT + 1)
      for (let k = 0; k < limit && game.round === 1; k++) {
        game.step(STEP)
        if (game.part === 'counting') continue
        if (game.caught < before) freed++
        before = game.caught
      }
      expect(freed).toBe(0)
      expect(game.round).toBe(2)
      expect(game.results).toEqual([before])
      expect(before).toBeGreaterThan(0)
      expect(game.caught).toBe(0)
      expect(game.fish.some(({ caught }) => caught)).toBe(false)
      const state = game.state()
      expect(state['contacts with corals']).toBe(0)
      expect(state['contacts of fish']).toBe(0)
      game.dispose()
    }
  })
})
