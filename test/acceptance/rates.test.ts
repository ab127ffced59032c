import { beforeAll, describe, expect, it } from 'vitest'
import type { CourseKind } from '../rigs/courses.js'
import { deviations, type CourseResult } from '../rigs/fly-course.js'
import { contacts, exits, fly, jitterOf, late, mean, part, seeds, voids } from './courses-kit.js'
import { ALL, pick } from '../support/tier.js'

/**
 * Scenes with other steps than 1/60 s, and with cannon-es bodies: the results must not depend on either. The
 * quick run flies some kinds with one seed, test:all all kinds with the first third of the `count` seeds,
 * ACCEPTANCE=full all.
 */
const KINDS: readonly { kind: CourseKind; count: number; ratio: number }[] = [
  { kind: 'offLine', count: 8, ratio: 1.15 },
  { kind: 'deadCentre', count: 8, ratio: 1.15 },
  { kind: 'ten', count: 4, ratio: 1.15 },
  { kind: 'keepOut', count: 8, ratio: 1.3 },
  { kind: 'clump', count: 8, ratio: 1.4 },
  { kind: 'bowl', count: 3, ratio: 1.4 },
  { kind: 'smallField', count: 4, ratio: 1.25 },
  { kind: 'huge', count: 3, ratio: 1.6 },
  { kind: 'inside', count: 8, ratio: 2 },
  { kind: 'corridor', count: 8, ratio: 1.5 },
  { kind: 'oncoming', count: 8, ratio: 1.3 },
  { kind: 'solid', count: 8, ratio: 1.4 },
  { kind: 'windowed', count: 8, ratio: 1.4 },
  { kind: 'nearby', count: 9, ratio: 2 },
]

describe.each(
  pick(
    KINDS.filter((_, i) => i % 5 === 0),
    KINDS,
  ),
)('$kind at 1/30 and 1/240 s', ({ kind, count, ratio }) => {
  let coarse: CourseResult[] = []
  let fine: CourseResult[] = []

  beforeAll(() => {
    coarse = fly(kind, seeds(part(count)), { dt: 1 / 30, record: true })
    fine = fly(kind, seeds(part(count)), { dt: 1 / 240, record: true })
  }, 120_000)

  it.each([30, 240])('gives the same verdict at 1/%i s', (rate) => {
    const results = rate === 30 ? coarse : fine
    expect(voids(results)).toEqual([])
    expect(contacts(results)).toEqual([])
    expect(late(results, ratio)).toEqual([])
  })

  it('flies the same path, within 1 % of its length', () => {
    const off = coarse.flatMap((result, i) =>
      deviations(result, fine[i]!).flatMap((deviation, k) =>
        deviation <= 0.01 ? [] : [`${kind} ${result.course.seed}/${k}: ${(100 * deviation).toFixed(2)} %`],
      ),
    )
    expect(off).toEqual([])
  })

  it('does not judder more in smaller steps', () => {
    const [few, many] = [mean(coarse.map(jitterOf)), mean(fine.map(jitterOf))]
    expect(many).toBeLessThanOrEqual(1.5 * few + 0.2)
  })
})

describe.each(pick<number[]>([], [30, 240], [30, 240]))('a closed room at 1/%i s', (rate) => {
  it.each(['box', 'tube'] as const)(
    '%s is never left',
    (kind) => {
      const results = fly(kind, seeds(1), { dt: 1 / rate })
      expect(voids(results)).toEqual([])
      expect(exits(results)).toEqual([])
    },
    60_000,
  )
})

describe('with cannon-es bodies', () => {
  it.each(KINDS.filter((_, i) => ALL || i % 3 === 1))(
    '$kind gives the same verdict',
    ({ kind, count, ratio }) => {
      const results = fly(kind, seeds(part(count)), { bodies: 'cannon' })
      expect(voids(results)).toEqual([])
      expect(contacts(results)).toEqual([])
      expect(late(results, ratio)).toEqual([])
    },
    60_000,
  )

  it.each(ALL ? (['box', 'ball', 'boxAndSpheres'] as const) : (['box'] as const))(
    'a closed %s is never left',
    (kind) => {
      const results = fly(kind, seeds(part(2)), { bodies: 'cannon' })
      expect(voids(results)).toEqual([])
      expect(exits(results)).toEqual([])
      expect(contacts(results)).toEqual([])
    },
    60_000,
  )
})
