import { beforeAll, describe, expect, it } from 'vitest'
import { blend, Evade, Pursue, Wander, type Behavior, type Moving } from 'three-steering'
import { flyHunt, HOMINGS, huntOf, THREATS, type Homing, type HuntResult } from '../rigs/evasion.js'
import {
  chaseOf,
  flyChase,
  TARGETS,
  type ChaseOptions,
  type ChaseResult,
  type TargetKind,
} from '../rigs/pursuit.js'
import { mean, part } from './courses-kit.js'
import { pick, report } from '../support/tier.js'

const seeds = (count: number): number[] => Array.from({ length: count }, (_, seed) => seed)
const pursue = (target: Moving): Behavior => new Pursue({ target })
const flee = (threat: Moving): Behavior => new Evade({ target: threat, method: 'flee' })

function chases(
  kind: TargetKind,
  list: readonly number[],
  options: Partial<ChaseOptions> = {},
): ChaseResult[] {
  return list.map((seed) => flyChase(chaseOf(kind, seed), { pursue, evade: flee, ...options }))
}

/** The seeds of the failing flights, each with its figure. */
function wrong(results: readonly ChaseResult[], most: number): string[] {
  return results
    .filter(({ ratio }) => !(ratio <= most))
    .map(({ chase, ratio }) => `${chase.kind} ${chase.seed}: ${ratio}`)
}

function voids(results: readonly { readonly void: boolean }[]): number {
  return results.filter((result) => result.void).length
}

describe.each(TARGETS)(`pursuit of a target, %s, ${part(20)} seeds`, (kind) => {
  let results: ChaseResult[] = []

  beforeAll(() => {
    results = chases(kind, seeds(part(20)))
    report(`pursuit, ${kind}`, results)
  })

  it('is flown within the limits of force and speed', () => expect(voids(results)).toBe(0))

  it('catches all, within 1.11 times the least possible time', () => expect(wrong(results, 1.11)).toEqual([]))

  it.each([30, 240])('catches as soon at 1/%i s', (rate) => {
    const others = chases(kind, seeds(pick(1, 4)), { dt: 1 / rate })
    expect(voids(others)).toBe(0)
    expect(wrong(others, 1.11)).toEqual([])
    // two of the longer steps, 1/30 s at most
    for (const [i, { time }] of others.entries()) expect(Math.abs(time - results[i]!.time)).toBeLessThan(0.08)
  })

  it('catches as soon with a body of cannon-es', () => {
    const others = chases(kind, seeds(pick(1, 4)), { bodies: 'cannon' })
    expect(voids(others)).toBe(0)
    expect(wrong(others, 1.11)).toEqual([])
  })
})

/** Flies a hunt for each kind of homing and each seed. */
function hunts(
  list: readonly number[],
  kind: (typeof THREATS)[number],
  options: Partial<Parameters<typeof flyHunt>[1]> = {},
): (HuntResult & { how: Homing })[] {
  const evade = (threat: Moving): Behavior => new Evade({ target: threat })
  return HOMINGS.flatMap((how) =>
    list.map((seed) => ({ ...flyHunt(huntOf(kind, seed), { how, evade, ...options }), how })),
  )
}

function lost(results: readonly (HuntResult & { how: Homing })[]): string[] {
  return results
    .filter(({ time }) => time < Infinity)
    .map(({ hunt, how, time }) => `${how} ${hunt.seed}: ${time.toFixed(1)} s`)
}

describe.each(['slower', 'equal'] as const)(`evading a homing threat, %s, ${part(20)} seeds`, (kind) => {
  it('survives 20 s of every kind of homing', () => {
    const results = hunts(seeds(part(20)), kind, { dt: 1 / 30, limit: 20 })
    expect(voids(results)).toBe(0)
    expect(lost(results)).toEqual([])
  }, 60_000)
})

/**
 * Seeds from 1000. The defaults of `Evade` were tuned on seeds 0 to 39, of which all of the first twenty
 * survive.
 */
const unseen = (count: number): number[] => seeds(count).map((seed) => 1000 + seed)

describe(`evading a homing threat that is faster but clumsier, ${part(20)} seeds from 1000`, () => {
  let results: (HuntResult & { how: Homing })[] = []

  beforeAll(() => {
    results = hunts(unseen(part(20)), 'clumsy', { limit: 20 })
    report('evasion, clumsy', results)
  }, 120_000)

  it('is flown within the limits of force and speed', () => expect(voids(results)).toBe(0))

  it('catches an agent that only flees', () => {
    expect(lost(hunts(unseen(part(20)), 'clumsy', { evade: flee, dt: 1 / 30 })).length).toBeGreaterThan(
      0.875 * results.length,
    )
  })

  // The limit is that all survive. Measured: 77 of these 80, and 152 of the 160 of seeds 1000 to 1039, over
  // 25 s. Those caught are caught narrowly (0.91 to 1.00 of the sum of the radii). Required were two of
  // three.
  it('survives in nine of ten hunts', () =>
    expect(lost(results).length).toBeLessThanOrEqual(results.length / 10))

  it.each([30, 240])(
    'survives at 1/%i s as well',
    (rate) => {
      const others = hunts(seeds(rate === 240 ? 1 : pick(1, 3)), 'clumsy', { dt: 1 / rate, limit: 8 })
      expect(voids(others)).toBe(0)
      expect(lost(others)).toEqual([])
    },
    60_000,
  )

  it('survives as a body of cannon-es', () => {
    const others = hunts(seeds(pick(1, 2)), 'clumsy', { bodies: 'cannon', limit: 10 })
    expect(voids(others)).toBe(0)
    expect(lost(others)).toEqual([])
  }, 60_000)
})

describe('a chase with wander mixed in (Green: a pure chase is boring)', () => {
  const mixed =
    (weight: number) =>
    (target: Moving): Behavior =>
      blend([new Pursue({ target }), { behavior: new Wander({ turnTime: 0.2, jitter: 0.5 }), weight }])

  it('still catches all, on a less straight path', () => {
    const pure = chases('straight', seeds(10))
    const strolling = chases('straight', seeds(10), { pursue: mixed(0.5) })
    expect(voids(strolling)).toBe(0)
    expect(strolling.filter(({ time }) => !(time < 20)).map(({ chase }) => chase.seed)).toEqual([])
    report('wander mixed in', strolling)
    const longer = strolling.filter(({ detour }, i) => detour > pure[i]!.detour)
    expect(longer.length).toBe(10)
    expect(mean(strolling.map(({ detour }) => detour - 1))).toBeGreaterThan(
      2 * mean(pure.map(({ detour }) => detour - 1)),
    )
  })
})
