import { beforeAll, describe, expect, it } from 'vitest'
import { FollowFlowField } from 'three-steering/flow'
import { FLOW_TRIALS, type FlowKind, type FlowTrial } from '../rigs/flow-trials.js'
import { deviations, flyFlow, type FlowFlight, type FlowResult } from '../rigs/fly-flow.js'
import { few, mean, seeds } from './courses-kit.js'
import { report } from '../support/tier.js'

/**
 * Following a flow field: 20 seeds of four pilots of each kind, of which the ordinary run flies the first
 * two. The figure is the error of the velocity relative to the field's at the agent's place: 15 % must hold,
 * 0.5 % is near the limit. Engines move a body by its new velocity, so the measured velocity is that of half
 * a step ago. Compared with the field there (`midStepError`), an agent in the open is exact. Compared with
 * the field at its present place it is off by the turn in half a step.
 */
const MUST = 0.15
const BEST = 0.005
const RATES = [30, 60, 240] as const

const OPEN = ['vortex', 'shear', 'river'] as const satisfies FlowKind[]

function trialsOf(kind: FlowKind): FlowTrial[] {
  return Array.from(seeds(few(20)), FLOW_TRIALS[kind])
}

function flightsOf(results: readonly FlowResult[]): FlowFlight[] {
  return results.flatMap(({ flights }) => flights)
}

/** The failing flights, as "kind seed/pilot: figures". */
function flaws(
  results: readonly FlowResult[],
  wrong: (flight: FlowFlight) => string | number | false,
): string[] {
  return results.flatMap(({ trial, flights }) =>
    flights.flatMap((flight, k) => {
      const what = wrong(flight)
      return what === false ? [] : [`${trial.name} ${trial.seed}/${k}: ${what}`]
    }),
  )
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** Flights with more force or speed than allowed, and flights that never joined the flow. */
function voids(results: readonly FlowResult[]): string[] {
  return flaws(
    results,
    ({ forced, fastest, joined }) =>
      (forced > 0.005 || fastest > 1.02 || joined === Infinity) &&
      `forced ${forced.toFixed(4)}, fastest ${fastest.toFixed(3)}, joined ${joined}`,
  )
}

describe.each(OPEN)('flow: %s', (kind) => {
  const flown: Partial<Record<(typeof RATES)[number] | 'cannon', FlowResult[]>> = {}

  beforeAll(() => {
    const trials = trialsOf(kind)
    for (const rate of RATES) {
      flown[rate] = trials.map((trial) => flyFlow(trial, { dt: 1 / rate, record: true }))
      report(`${kind}, 1/${rate} s`, flightsOf(flown[rate]))
    }
    flown.cannon = trials.map((trial) => flyFlow(trial, { bodies: 'cannon' }))
    report(`${kind}, cannon-es`, flightsOf(flown.cannon))
  }, 600_000)

  it.each([...RATES, 'cannon'] as const)('is flown within the limits, at %s', (at) => {
    expect(voids(flown[at]!)).toEqual([])
  })

  it.each([...RATES, 'cannon'] as const)('is followed, at %s: no error reaches 15 %', (at) => {
    expect(flaws(flown[at]!, ({ worst }) => worst > MUST && worst)).toEqual([])
  })

  it.each([...RATES, 'cannon'] as const)('is followed near the limit, at %s: median error 0.5 %', (at) => {
    expect(median(flightsOf(flown[at]!).map(({ error }) => error))).toBeLessThan(BEST)
  })

  it.each(RATES)('has no error except the half step of the engine, at 1/%s s', (rate) => {
    expect(flaws(flown[rate]!, ({ midStepError }) => midStepError > 2e-4 && midStepError)).toEqual([])
    const [now, fine] = [flown[rate]!, flown[240]!].map((results) =>
      mean(flightsOf(results).map(({ error }) => error)),
    )
    // so the error is proportional to the step
    expect(now! / fine!).toBeGreaterThan((0.9 * 240) / rate)
    expect(now! / fine!).toBeLessThan((1.1 * 240) / rate)
  })

  it('has only the error by damping, as a body of cannon-es', () => {
    // 1 % a second over a response time of 0.1 s
    expect(flaws(flown.cannon!, ({ midStepError }) => midStepError > 0.0015 && midStepError)).toEqual([])
  })

  it('is flown on the same path at every rate', () => {
    for (const rate of [60, 240] as const) {
      const drift = flown[rate]!.flatMap((result, i) => deviations(result, flown[30]![i]!))
      expect(Math.max(...drift)).toBeLessThan(0.01)
    }
  })

  it('does not judder, at any rate', () => {
    const [coarse, fine] = [30, 240].map((rate) =>
      Math.max(...flightsOf(flown[rate as 30]!).map(({ jitter }) => jitter)),
    )
    expect(fine).toBeLessThanOrEqual(1.5 * coarse! + 0.2)
    expect(Math.max(coarse!, fine!)).toBeLessThan(1)
  })
})

describe("flow by Reynolds' steering for a point ahead, for comparison", () => {
  it('lags or cuts corners', () => {
    const behind = (predictionTime: number): number => {
      const makeBehavior = ({ flow }: FlowTrial): FollowFlowField =>
        new FollowFlowField({ field: flow, predictionTime })
      const results = trialsOf('vortex').map((trial) => flyFlow(trial, { makeBehavior }))
      report(`vortex, ${predictionTime} s ahead`, flightsOf(results))
      // a flight that never comes within a twentieth counts as 1
      return mean(flightsOf(results).map(({ error, joined }) => (joined < Infinity ? error : 1)))
    }
    const exact = mean(
      trialsOf('vortex').flatMap((trial) => flyFlow(trial).flights.map(({ error }) => error)),
    )
    for (const time of [0, 0.5]) expect(behind(time)).toBeGreaterThan(4 * exact)
  }, 300_000)
})

describe('flow: through obstacles', () => {
  const flown: Partial<Record<(typeof RATES)[number] | 'cannon', FlowResult[]>> = {}

  beforeAll(() => {
    const trials = trialsOf('rocks')
    for (const rate of [30, 240] as const) {
      flown[rate] = trials.map((trial) => flyFlow(trial, { dt: 1 / rate, record: true }))
      report(`rocks, 1/${rate} s`, flightsOf(flown[rate]))
    }
    flown.cannon = trials.map((trial) => flyFlow(trial, { bodies: 'cannon' }))
    report('rocks, cannon-es', flightsOf(flown.cannon))
  }, 600_000)

  it.each([30, 240, 'cannon'] as const)('touches nothing, at %s', (at) => {
    expect(voids(flown[at]!)).toEqual([])
    expect(flaws(flown[at]!, ({ contacts }) => contacts > 0 && `${contacts} contacts`)).toEqual([])
  })

  it.each([30, 240, 'cannon'] as const)('is followed, at %s: 15 % on average', (at) => {
    expect(mean(flightsOf(flown[at]!).map(({ error }) => error))).toBeLessThan(MUST)
  })

  it('is not an empty scene: in the undisturbed wind many pilots hit', () => {
    const straight = trialsOf('rocks').map((trial) =>
      flyFlow(trial, { makeBehavior: () => new FollowFlowField({ field: unbent(trial) }) }),
    )
    expect(flaws(straight, ({ contacts }) => contacts > 0 && 'hit').length).toBeGreaterThan(
      flightsOf(straight).length / 4,
    )
  }, 300_000)
})

function unbent({ flow }: FlowTrial): FlowTrial['flow'] {
  return (flow as { readonly flow: FlowTrial['flow'] } & FlowTrial['flow']).flow
}
