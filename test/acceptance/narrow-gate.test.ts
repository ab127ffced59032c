import { beforeAll, describe, expect, it } from 'vitest'
import { flyGateTrial, type GateTrialOptions } from '../rigs/fly-narrow-gate.js'
import { gateTrialsApart, type GateTrialResult } from '../rigs/gate-recorder.js'
import { makeGateTrial, type Make, type Sight } from '../rigs/narrow-gate.js'
import { few, mean, part, seeds } from './courses-kit.js'
import { ALL, report } from '../support/tier.js'

/**
 * A block of nine meets a gate narrower than itself. The ordinary run flies the first tenth of the seeds,
 * ACCEPTANCE=full all.
 */

/** Time until the block has formed again (s): on average, and for each scene. */
const FORMED = 10
const FORMED_AT_MOST = 12

function fly(make: Make, sight: Sight, count: number, options?: GateTrialOptions): GateTrialResult[] {
  return Array.from(seeds(count), (seed) => flyGateTrial(makeGateTrial(seed, make, sight), options))
}

/** The failing scenes, with the failed criteria. */
function flaws(
  results: readonly GateTrialResult[],
  wrong: (result: GateTrialResult) => boolean,
  what: (result: GateTrialResult) => number,
): string[] {
  return results
    .filter(wrong)
    .map((result) => `${result.trial.make} ${result.trial.seed}: ${what(result).toPrecision(4)}`)
}

/** All failed criteria, for any step and any bodies. */
function faults(results: readonly GateTrialResult[]): string[] {
  return [
    ...flaws(results, (result) => result.void, Number),
    ...flaws(
      results,
      ({ contacts }) => contacts > 0,
      ({ contacts }) => contacts,
    ),
    ...flaws(
      results,
      ({ through }) => through < 9,
      ({ through }) => through,
    ),
    ...flaws(
      results,
      ({ error }) => !(error <= 1),
      ({ error }) => error,
    ),
    ...flaws(
      results,
      ({ formedIn }) => !(formedIn <= FORMED_AT_MOST),
      ({ formedIn }) => formedIn,
    ),
  ]
}

describe.each([
  { make: 'drone', sight: 'early', count: 20 },
  { make: 'drone', sight: 'late', count: 6 },
  { make: 'ship', sight: 'early', count: 6 },
  { make: 'aircraft', sight: 'early', count: 6 },
] as const)(
  'a block of nine meets a narrow gate: $make, seen $sight, of $count seeds',
  ({ make, sight, count }) => {
    let results: GateTrialResult[] = []

    beforeAll(() => {
      results = fly(make, sight, few(count))
      report(`${make}, seen ${sight}`, results)
    }, 300_000)

    it('is not an empty scene: no agent is in the gate while they fly as a block', () =>
      expect(flaws(results, ({ closed }) => !closed, Number)).toEqual([]))

    it('brings all agents through the gate, within their limits and without a contact', () =>
      expect(faults(results)).toEqual([]))

    it('keeps its slots to a tenth of a metre while it is a block', () =>
      expect(
        flaws(
          results,
          ({ blockError }) => !(blockError <= 0.1),
          ({ blockError }) => blockError,
        ),
      ).toEqual([]))

    it('is a block again after 10 s on average', () =>
      expect(mean(results.map(({ formedIn }) => formedIn))).toBeLessThanOrEqual(FORMED))
  },
)

describe.runIf(ALL)('at other steps, and with other bodies', () => {
  const COUNT = part(3)
  let coarse: GateTrialResult[] = []
  let fine: GateTrialResult[] = []

  beforeAll(() => {
    coarse = fly('drone', 'early', COUNT, { dt: 1 / 30 })
    fine = fly('drone', 'early', COUNT, { dt: 1 / 240 })
    report('drone, 1/30 s', coarse)
    report('drone, 1/240 s', fine)
  }, 300_000)

  it('gives the same verdict at 1/30 and 1/240 s, on the same path within 1 % of its length', () => {
    expect(faults(coarse)).toEqual([])
    expect(faults(fine)).toEqual([])
    const off = coarse.map((result, i) => gateTrialsApart(result, fine[i]!))
    expect(off.filter((deviation) => !(deviation <= 0.01))).toEqual([])
  })

  it('gives the same verdict with cannon-es bodies that collide with the wall and each other', () => {
    const results = fly('drone', 'early', COUNT, { bodies: 'cannon' })
    report('drone, cannon-es', results)
    expect(faults(results)).toEqual([])
  }, 120_000)
})
