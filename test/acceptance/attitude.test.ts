import { describe, expect, it } from 'vitest'
import { flipTrial, flyFlipTrial, type FlipResult } from '../rigs/attitude-flip.js'
import { pick, report } from '../support/tier.js'

const TRIALS = pick(15, 60, 60)

describe.each(['match', 'face'] as const)(
  `a half turn of a slim ship, moments ten to one, by %s; seeds 0 to ${TRIALS - 1}`,
  (by) => {
    const results = Array.from({ length: TRIALS }, (_, seed) => flyFlipTrial(flipTrial(seed, by)))
    const seeds = (wrong: (result: FlipResult) => boolean): number[] =>
      results.filter(wrong).map(({ trial }) => trial.seed)

    report(`flip by ${by}`, results)

    it('never overshoots by more than 2°', () => {
      expect(seeds(({ overshoot }) => overshoot > 2)).toEqual([])
    })

    it('ends within half a degree', () => {
      expect(seeds(({ error }) => !(error <= 0.5))).toEqual([])
    })

    it('takes at most a quarter longer than full torque, cruise, full brakes', () => {
      // the last half degree takes about four response times of 0.1 s
      expect(seeds(({ time, optimum }) => !(time <= 1.25 * optimum + 0.4))).toEqual([])
    })
  },
)
