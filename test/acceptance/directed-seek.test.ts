import { describe, expect, it } from 'vitest'
import { quantile } from '../curves/near-kit.js'
import { UNEVEN, type TrialOptions } from '../rigs/directed-seek.js'
import { BAND_NAMES, type Band } from '../rigs/dubins-cases.js'

import { figuresOf, flySeeks, METHODS, stateless, type Figures, type Method } from './directed-seek-kit.js'
import { ALL, FULL, pick, report } from '../support/tier.js'

/**
 * Flights to a waypoint with a heading, with a smallest turn radius. Other runs fly the first cases of each
 * band, ACCEPTANCE=full 2,000.
 */

/** Number of cases of a band: `some` with test:all, a third of them in the quick run, `all` in a full one. */
function cases(some: number, all: number): number {
  return pick(Math.ceil(some / 3), some, all)
}

function fly(
  method: Method,
  band: Band,
  flat: boolean,
  count: number,
  options: Omit<TrialOptions, 'optimum'> = {},
  steps?: number,
): Figures {
  const results = flySeeks(method, band, flat, count, options, steps)
  report(`${method.name}, ${band}, ${flat ? 'in a plane' : 'in space'}`, results)
  const figures = figuresOf(results)
  // no behaviour may turn more tightly than the agent can
  expect(figures.bend).toBeLessThan(1.001)
  return figures
}

const LONG = 1_800_000
const PAPER = METHODS.find(({ name }) => name === 'paper')!
const BOTH = METHODS.find(({ name }) => name === 'both circles by length')!
const PLANNED = METHODS.find(({ name }) => name === 'DirectedSeek')!
const SPACE = METHODS.find(({ name }) => name === 'CSC in space each step')!
const WIDE = METHODS.find(({ name }) => name === 'paper, 1.25 r')!

describe.each(BAND_NAMES)('directed seek, %s', (band) => {
  const far = band !== 'near'

  it(
    'as published arrives in 2D, and nearly always in 3D',
    () => {
      const flat = fly(PAPER, band, true, cases(25, 2000))
      expect(flat.success).toBe(100)
      expect(flat.chatter).toBeLessThan(1)
      expect(flat.error[1]!).toBeLessThan(1.2)
      expect(flat.ratio[0]!).toBeLessThan(far ? 1.01 : 1.2)
      expect(flat.ratio[1]!).toBeLessThan(far ? 1.2 : 2.3)
      const space = fly(PAPER, band, false, cases(25, 2000))
      expect(space.success).toBeGreaterThanOrEqual(far ? 100 : 97)
      expect(space.ratio[0]!).toBeLessThan(far ? 1.01 : 1.2)
    },
    LONG,
  )

  it(
    'with both circles, chosen by length, flies the shortest path from 4 r on, without chatter',
    () => {
      const { success, chatter, ratio, error } = fly(BOTH, band, true, cases(25, 2000))
      expect(success).toBe(100)
      expect(chatter).toBe(0)
      expect(error[1]!).toBeLessThan(1.2)
      expect(ratio[1]!).toBeLessThan(far ? 1.01 : 1.7)
    },
    LONG,
  )

  it(
    'by a path in space, planned again in each step, does so in 3D',
    () => {
      const { success, chatter, ratio } = fly(SPACE, band, false, cases(8, 2000))
      expect(success).toBeGreaterThanOrEqual(99.9)
      expect(chatter).toBeLessThanOrEqual(far ? 0.5 : 10)
      expect(ratio[1]!).toBeLessThan(far ? 1.01 : 3)
    },
    LONG,
  )

  it(
    'works with coarse and fine steps',
    () => {
      for (const steps of ALL ? [10, 30, 240] : [10, 30]) {
        const { success, ratio } = fly(BOTH, band, true, FULL ? 500 : steps === 240 ? 3 : 15, {}, steps)
        expect(success).toBe(100)
        expect(ratio[0]!).toBeLessThan(1.01)
      }
    },
    LONG,
  )

  it(
    'with a lagging force arrives by the paper’s method with larger radii',
    () => {
      for (const flat of [true, false])
        expect(fly(WIDE, band, flat, cases(10, 500), { agent: 'lag' }).success).toBeGreaterThanOrEqual(
          flat ? 100 : 98,
        )
      // and not without them
      expect(fly(PAPER, band, true, cases(10, 500), { agent: 'lag' }).success).toBeLessThan(75)
    },
    LONG,
  )

  it(
    'with a radius that grows with the square of the speed meets place, heading and speed',
    () => {
      const method: Method = { name: 'two radii', space: 'both', make: stateless({ circles: 'both' }) }
      const { success, speedError } = fly(method, band, true, cases(20, 2000), { speeds: true })
      expect(success).toBe(100)
      // at short distances the speed cannot always be changed in time
      if (far) expect(speedError).toBeLessThan(0.01)
    },
    LONG,
  )
})

describe.each(UNEVEN)('directed seek to a waypoint that %s', (uneven) => {
  it.each(ALL ? BAND_NAMES : (['near', 'mid'] as const))(
    'meets it without turning to and fro: %s',
    (band) => {
      const results = flySeeks(PLANNED, band, false, pick(4, 20, 200), { uneven })
      report(`waypoint that ${uneven}, ${band}`, results)
      expect(results.filter(({ success }) => !success).map(({ trial }) => trial.seed)).toEqual([])
      const beyond = results.map(({ flips, goalFlips }) => flips - goalFlips)
      expect(quantile(beyond, 0.95)).toBeLessThanOrEqual(2)
      expect(Math.max(...beyond)).toBeLessThan(10)
    },
    LONG,
  )
})
