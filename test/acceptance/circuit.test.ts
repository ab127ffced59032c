import { describe, expect, it } from 'vitest'
import { Circuit } from '../rigs/circuit.js'
import { pick, report } from '../support/tier.js'

const SEEDS = pick([1], [2], [1, 2, 3, 4, 5, 6])
const SECONDS = pick(12, 60, 120)

/** Half a degree of slope, felt over the length of a lorry, and what a contact of cannon-es gives way (m). */
const BUMP = 0.1

describe('cars of cannon-es on a course with walls, a crossing, slow lorries and a parked one', () => {
  it.each(SEEDS.flatMap((seed) => pick([true], [false, true]).map((hilly) => [seed, hilly] as const)))(
    'overtake without a contact and stay on the ground: seed %d, with a hill: %s',
    (seed, hilly) => {
      const scene = new Circuit({ seed, hilly })
      let standing = 0
      for (let i = 0; i < 60 * SECONDS; i++) {
        scene.step(1 / 60)
        for (const { body } of scene.cars) if (body.velocity.length() < 0.3) standing += 1 / 60
      }
      const { cars, contacts, leastGap, leastRoom, highest, deepest, overtakings, tilt } = scene
      report(`circuit, seed ${seed}, hills: ${hilly}`, [
        { overtakings, contacts, leastGap, leastRoom, highest, deepest, standing },
      ])
      expect(contacts).toBe(0)
      expect(leastGap).toBeGreaterThan(0)
      expect(leastRoom).toBeGreaterThan(0)
      expect(highest).toBeLessThan(BUMP)
      expect(deepest).toBeLessThan(BUMP)
      // the hill rises by 6° at most
      expect(tilt).toBeLessThan(hilly ? 0.2 : 0.02)
      expect(overtakings).toBeGreaterThan(SECONDS / 4)
      // together they stand for less than a hundredth of the time
      expect(standing).toBeLessThan(0.01 * SECONDS * cars.length)
      // wheels that flutter from step to step
      for (const { flips } of cars) expect(flips.jumps).toBeLessThan(2)
      if (SECONDS >= 120)
        for (const { isLorry, laps } of cars) expect(laps).toBeGreaterThanOrEqual(isLorry ? 0 : 1)
      scene.dispose()
    },
    600_000,
  )
})
