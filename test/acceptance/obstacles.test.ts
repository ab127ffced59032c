import { beforeAll, describe, expect, it } from 'vitest'
import type { CourseKind } from '../rigs/courses.js'
import type { CourseResult } from '../rigs/fly-course.js'
import {
  contacts,
  flaws,
  fly,
  late,
  part,
  partLost,
  report,
  seeds,
  shaky,
  voids,
  type Figures,
} from './courses-kit.js'

interface Kind extends Figures {
  readonly kind: CourseKind
  /** Number of seeds. The ordinary run flies {@link part} of them. */
  readonly count: number
  /** Number of flights that may fail to arrive in time. Default 0. */
  readonly lost?: number
}

/**
 * The kinds of scenes with their figures. Windows, solids and goals near obstacles have the figures of
 * clumps.
 */
const KINDS: readonly Kind[] = [
  { kind: 'offLine', count: 60, ratio: 1.15, jitter: 2 },
  // the six coordinate axes first
  { kind: 'deadCentre', count: 106, ratio: 1.15, jitter: 2 },
  { kind: 'ten', count: 30, ratio: 1.15, jitter: 2 },
  { kind: 'hundred', count: 20, ratio: 1.15, jitter: 2 },
  { kind: 'thousand', count: 12, ratio: 1.15, jitter: 2 },
  { kind: 'keepOut', count: 60, ratio: 1.3, jitter: 2 },
  { kind: 'clump', count: 60, ratio: 1.4, jitter: 4 },
  { kind: 'bowl', count: 20, ratio: 1.4, jitter: 4 },
  { kind: 'huge', count: 20, ratio: 1.6, jitter: 4 },
  { kind: 'solid', count: 60, ratio: 1.4, jitter: 2 },
  { kind: 'windowed', count: 60, ratio: 1.4, jitter: 2 },
  { kind: 'oncoming', count: 40, ratio: 1.3, jitter: 2 },
  // a goal close behind a much wider plate needs a planner: some pilots go to and fro before it
  { kind: 'nearby', count: 60, ratio: 2, jitter: 2, lost: 3 },
]

describe.each(KINDS)('$kind, of $count seeds', ({ kind, ratio, jitter, ...all }) => {
  const [count, lost] = [part(all.count), partLost(all.lost ?? 0)]
  let results: CourseResult[] = []

  beforeAll(() => {
    results = fly(kind, seeds(count))
    report(kind, results)
  }, 120_000)

  it('is flown within the limits of force and speed', () => expect(voids(results)).toEqual([]))

  it('touches nothing', () => expect(contacts(results)).toEqual([]))

  it(`arrives within ${ratio} times the least time, except ${lost}`, () => {
    const flown = late(results, ratio)
    if (flown.length > lost) expect(flown).toEqual([])
    expect(flown.length).toBeLessThanOrEqual(lost)
  })

  it(`does not judder: J at most ${jitter}`, () => expect(shaky(results, jitter)).toEqual([]))
})

describe.each(['inside', 'insideSolid'] as const)('%s: starts inside obstacles, of 60 seeds', (kind) => {
  let results: CourseResult[] = []

  beforeAll(() => {
    results = fly(kind, seeds(part(60)))
    report(kind, results)
  }, 120_000)

  it('is flown within the limits of force and speed', () => expect(voids(results)).toEqual([]))

  it('gets out in 4 s, and mostly in 1.4 s', () => {
    expect(flaws(results, ({ clearTime }) => !(clearTime > 0 && clearTime <= 4) && clearTime)).toEqual([])
    expect(results.filter(({ flights }) => flights[0]!.clearTime <= 1.4).length).toBeGreaterThan(
      0.75 * part(60),
    )
  })

  it('does not enter again, and arrives', () => {
    expect(contacts(results)).toEqual([])
    expect(late(results, 2)).toEqual([])
  })
})
