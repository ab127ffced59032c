import { beforeAll, describe, expect, it } from 'vitest'
import { inner, minus, unit } from '../../demo/scenarios/vectors.js'
import { FLOCK_SCENES, type FlockKind } from '../rigs/flock-scenes.js'
import { flyFlock, type FlockResult } from '../rigs/fly-flock.js'
import { seeds } from './courses-kit.js'
import { ALL, pick, report } from '../support/tier.js'

// A run of 200 birds takes many seconds: the quick run flies 80. FLOCK_SEEDS=20 flies that many seeds of
// each kind in full size, at all steps and with bodies.
const MANY = Number(process.env['FLOCK_SEEDS'] ?? 0)

/** Number of birds in a flock among pillars, balls or hunters. */
const BIRDS = MANY > 0 ? 120 : pick(24, 60)

function fly(kind: FlockKind): FlockResult[] {
  return Array.from(seeds(MANY || 1), (seed) => flyFlock(FLOCK_SCENES[kind](seed, BIRDS)))
}

function told(results: readonly FlockResult[], note = ''): void {
  report(
    `flocks ${note}`,
    results.map((result) => ({ ...result, ...result.mean })),
  )
}

/** The failing flocks, as text that names the scene. */
function flaws(
  results: readonly FlockResult[],
  wrong: (result: FlockResult) => number | false | undefined,
): string[] {
  return results.flatMap((result) => {
    const what = wrong(result)
    return what === false || what === undefined
      ? []
      : [`${result.scene.name} ${result.scene.seed}: ${what.toPrecision(4)}`]
  })
}

const touches = (results: readonly FlockResult[]): string[] =>
  flaws(results, ({ contacts, hits }) => contacts + hits > 0 && contacts + hits)
const voids = (results: readonly FlockResult[]): string[] =>
  flaws(results, (result) => result.void && result.forced)
const disorder = (results: readonly FlockResult[], least: number): string[] =>
  flaws(results, ({ mean }) => !(mean.order >= least) && mean.order)
const slow = (results: readonly FlockResult[], least: number): string[] =>
  flaws(results, ({ mean }) => !(mean.speed >= least) && mean.speed)
/** Runs that do not end as one flock. Pillars and hunters may split a flock for a while. */
const split = (results: readonly FlockResult[]): string[] =>
  flaws(results, ({ samples }) => samples.at(-1)!.parts !== 1 && samples.at(-1)!.parts)

function expectFlock(results: readonly FlockResult[], order: number, speed: number): void {
  expect(voids(results)).toEqual([])
  expect(touches(results)).toEqual([])
  expect(disorder(results, order)).toEqual([])
  expect(slow(results, speed)).toEqual([])
  expect(split(results)).toEqual([])
}

const CLOUD = ALL || MANY > 0 ? 200 : 80

describe(`a loose cloud of ${CLOUD} birds with random headings`, () => {
  let results: FlockResult[] = []

  beforeAll(() => {
    const soon = MANY > 0 ? {} : ALL ? { from: 20, limit: 30 } : { from: 8, limit: 14 }
    results = Array.from(seeds(MANY || 1), (seed) =>
      flyFlock({ ...FLOCK_SCENES.freeFlock(seed, CLOUD), ...soon }),
    )
    told(results)
  }, 900_000)

  it('becomes one aligned, fast, evenly spaced flock without contacts', () => {
    expectFlock(results, 0.98, 0.85)
    expect(flaws(results, ({ mean }) => mean.parts !== 1 && mean.parts)).toEqual([])
    expect(flaws(results, ({ mean }) => !(mean.unevenness <= 0.15) && mean.unevenness)).toEqual([])
  })

  // fewer birds and seconds, except with FLOCK_SEEDS
  const part = MANY > 0 ? {} : { from: 6, limit: 12 }
  const count = MANY > 0 ? 200 : 80

  it.runIf(ALL || MANY > 0).each([
    ['at 1/30 s', { dt: 1 / 30 }],
    ['at 1/240 s', { dt: 1 / 240 }],
    ['as cannon-es bodies', { bodies: 'cannon' }],
  ] as const)(
    'does so %s as well',
    (note, options) => {
      const others = Array.from(seeds(MANY || 1), (seed) =>
        flyFlock({ ...FLOCK_SCENES.freeFlock(seed, count), ...part }, options),
      )
      told(others, note)
      expectFlock(others, 0.98, 0.85)
      expect(flaws(others, ({ mean }) => !(mean.unevenness <= 0.2) && mean.unevenness)).toEqual([])
    },
    3_600_000,
  )
})

describe('a flock in a box with pillars and balls', () => {
  it('stays together, keeps its alignment and its speed, and touches nothing', () => {
    const results = fly('boxFlock')
    told(results)
    expectFlock(results, 0.9, 0.5)
  }, 900_000)
})

describe.runIf(ALL)('a row of pillars with gaps narrower than the flock', () => {
  it('is passed through several gaps, and the birds are one flock again behind it', () => {
    const lanes: Set<number>[] = []
    const results = Array.from(seeds(MANY || 1), (seed) => {
      const scene = FLOCK_SCENES.splitFlock(seed, BIRDS)
      const [first, second] = scene.blocks
      const across = unit(minus(second!.at, first!.at))
      const gap = inner(minus(second!.at, first!.at), across)
      const ahead = unit(scene.starts[0]!.velocity)
      const through = new Set<number>()
      const before = new Set(scene.starts.keys())
      lanes.push(through)
      return flyFlock(scene, {
        watch: (birds) => {
          for (const i of before) {
            const off = minus(birds[i]!.position, first!.at)
            if (inner(off, ahead) < 0) continue
            before.delete(i)
            through.add(Math.floor(inner(off, across) / gap))
          }
        },
      })
    })
    told(results)
    expectFlock(results, 0.98, 0.85)
    for (const through of lanes) expect(through.size).toBeGreaterThan(1)
  }, 900_000)
})

describe.runIf(ALL)('a flock with hunters flying through it', () => {
  it('opens and closes again, and no bird is caught', () => {
    const results = fly('huntedFlock')
    told(results)
    expectFlock(results, 0.98, 0.85)
    // the birds reacted: after the hunters came, not all flew the same way
    const least = ({ samples }: FlockResult): number =>
      Math.min(...samples.slice(8).map(({ order }) => order))
    expect(flaws(results, (result) => !(least(result) < 0.99) && least(result))).toEqual([])
  }, 900_000)
})
