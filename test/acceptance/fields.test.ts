import { beforeAll, describe, expect, it } from 'vitest'
import type { CourseResult } from '../rigs/fly-course.js'
import { contacts, fly, late, part, report, seeds, shaky, voids } from './courses-kit.js'

/**
 * Fields of spheres, at rest and drifting. The ordinary run flies the first third of the seeds.
 */
describe.each([
  { kind: 'field', count: 2, ratio: 1.25 },
  { kind: 'smallField', count: 200, ratio: 1.25 },
  { kind: 'drift', count: 2, ratio: 1.3 },
] as const)('$kind, of $count seeds', ({ kind, count, ratio }) => {
  let results: CourseResult[] = []

  beforeAll(() => {
    results = fly(kind, seeds(part(count)))
    report(kind, results)
  }, 120_000)

  it('is flown within the limits of force and speed', () => expect(voids(results)).toEqual([]))

  it('touches nothing', () => expect(contacts(results)).toEqual([]))

  it(`arrives within ${ratio} times the least time`, () => expect(late(results, ratio)).toEqual([]))

  it('does not judder: J at most 2', () => expect(shaky(results, 2)).toEqual([]))
})
