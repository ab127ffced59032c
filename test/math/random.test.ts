import { describe, expect, it } from 'vitest'
import { seeded } from 'three-steering/authoring'
import { draw, gaussian, mix } from '../../src/core/math/random.js'

/** χ² of counts against a uniform distribution. */
function chiSquare(counts: readonly number[], total: number): number {
  const share = total / counts.length
  return counts.reduce((sum, n) => sum + (n - share) ** 2 / share, 0)
}

/** χ² that a fair source exceeds about once in a million times (Wilson and Hilferty 1931, at 4.75 σ). */
function chiLimit(freedom: number): number {
  return freedom * (1 - 2 / (9 * freedom) + 4.75 * Math.sqrt(2 / (9 * freedom))) ** 3
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const n = a.length
  const mean = (list: readonly number[]): number => list.reduce((s, x) => s + x, 0) / n
  const [ma, mb] = [mean(a), mean(b)]
  let ab = 0
  let aa = 0
  let bb = 0
  for (let i = 0; i < n; i++) {
    ab += (a[i]! - ma) * (b[i]! - mb)
    aa += (a[i]! - ma) ** 2
    bb += (b[i]! - mb) ** 2
  }
  return ab / Math.sqrt(aa * bb)
}

/** The number that an agent draws in a step, computed as the engine does. */
const drawnBy = (agent: number, tick: number, n = 0, seed = 1): number => draw(mix(mix(seed, agent), tick), n)

const SOURCES: Record<string, (i: number) => number> = {
  'one stream': (() => {
    const random = seeded(7)
    return () => random()
  })(),
  'all agents in one step': (i) => drawnBy(i, 3),
  'one agent in all steps': (i) => drawnBy(3, i),
  'agents and steps together': (i) => drawnBy(i % 317, Math.floor(i / 317)),
  'the second draw of all agents': (i) => drawnBy(i, 0, 1),
  'worlds with neighbouring seeds': (i) => drawnBy(0, 0, 0, i),
}

describe('random', () => {
  for (const [name, source] of Object.entries(SOURCES)) {
    it(`${name}: uniform in [0, 1)`, () => {
      const counts = new Array<number>(64).fill(0)
      for (let i = 0; i < 64_000; i++) {
        const x = source(i)
        if (!(x >= 0 && x < 1)) expect.fail(`got ${x}, must be in [0, 1)`)
        counts[Math.floor(64 * x)]!++
      }
      expect(chiSquare(counts, 64_000)).toBeLessThan(chiLimit(63))
      // too uniform counts are not random either: below −4.75 σ of the same distribution
      expect(chiSquare(counts, 64_000)).toBeGreaterThan(20)
    })

    it(`${name}: successive numbers are independent`, () => {
      const counts = new Array<number>(256).fill(0)
      let before = source(0)
      for (let i = 1; i <= 64_000; i++) {
        const x = source(i)
        counts[16 * Math.floor(16 * before) + Math.floor(16 * x)]!++
        before = x
      }
      expect(chiSquare(counts, 64_000)).toBeLessThan(chiLimit(255))
    })

    it(`${name}: the low bits are uniform, too`, () => {
      const counts = new Array<number>(64).fill(0)
      for (let i = 0; i < 64_000; i++) counts[(source(i) * 2 ** 32) & 63]!++
      expect(chiSquare(counts, 64_000)).toBeLessThan(chiLimit(63))
    })
  }

  it('streams of neighbouring agents, and of neighbouring steps, are independent', () => {
    const n = 4000
    const series = (agent: number, tick: number): number[] =>
      Array.from({ length: n }, (_, i) => drawnBy(agent, tick, i))
    const first = series(10, 5)
    // 5 σ of the correlation of independent series
    const limit = 5 / Math.sqrt(n)
    for (const [agent, tick] of [
      [11, 5],
      [12, 5],
      [10 + 256, 5],
      [10 + 65_536, 5],
      [10, 6],
      [10, 7],
      [5, 10],
    ] as const)
      expect(Math.abs(correlation(first, series(agent, tick)))).toBeLessThan(limit)
  })

  it('the same seed gives the same numbers, another seed others', () => {
    const numbers = (seed: number): number[] => {
      const random = seeded(seed)
      return Array.from({ length: 10 }, random)
    }
    expect(numbers(5)).toEqual(numbers(5))
    expect(numbers(5)).not.toEqual(numbers(6))
    expect(numbers(-1)).not.toEqual(numbers(1))
  })

  it('generators are independent of each other', () => {
    const alone = seeded(5)
    const expected = [alone(), alone(), alone()]
    const a = seeded(5)
    const b = seeded(6)
    expect([a(), (b(), a()), (b(), a())]).toEqual(expected)
  })

  it('gaussian has the moments of the standard normal distribution: 0, 1, 0, 3', () => {
    const random = seeded(3)
    const n = 200_000
    const sums = [0, 0, 0, 0]
    for (let i = 0; i < n; i++) {
      const x = gaussian(random(), random())
      for (let k = 0; k < 4; k++) sums[k]! += x ** (k + 1) / n
    }
    // 5 standard errors: √(variance of xᵏ / n) with variances 1, 2, 15, 96
    for (const [k, [moment, variance]] of [
      [0, 1],
      [1, 2],
      [0, 15],
      [3, 96],
    ].entries())
      expect(Math.abs(sums[k]! - moment!)).toBeLessThan(5 * Math.sqrt(variance! / n))
  })

  it('gaussian has the tails of the standard normal distribution', () => {
    const random = seeded(4)
    const n = 200_000
    let beyond = 0
    for (let i = 0; i < n; i++) if (Math.abs(gaussian(random(), random())) > 2) beyond++
    // P(|x| > 2) = 0.0455
    expect(Math.abs(beyond / n - 0.0455)).toBeLessThan(5 * Math.sqrt(0.0455 / n))
  })

  it('gaussian is finite for every number a stream can give', () => {
    for (const u of [0, 1 - 2 ** -32])
      for (const w of [0, 0.25, 0.5, 1 - 2 ** -32]) expect(Number.isFinite(gaussian(u, w))).toBe(true)
  })
})
