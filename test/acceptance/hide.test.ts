import { beforeAll, describe, expect, it } from 'vitest'
import type { CourseResult } from '../rigs/fly-course.js'
import { contacts, flaws, fly, mean, part, report, seeds, voids } from './courses-kit.js'
import { pick } from '../support/tier.js'

const seenOf = (results: readonly CourseResult[], key: 'seen' | 'seenLater'): number[] =>
  results.flatMap(({ flights }) => flights.map((flight) => flight[key]))

describe(`hiding from a patrol around and between obstacles, ${part(20)} seeds`, () => {
  let results: CourseResult[] = []

  beforeAll(() => {
    results = fly('hide', seeds(part(20)))
    report('hide', results)
  }, 120_000)

  it('is flown within the limits of force and speed', () => expect(voids(results)).toEqual([]))

  it('touches nothing', () => expect(contacts(results)).toEqual([]))

  it('is seen less than a quarter of the time, and almost never once it is hidden', () => {
    expect(flaws(results, ({ seen }) => !(seen <= 0.25) && seen)).toEqual([])
    expect(flaws(results, ({ seenLater }) => !(seenLater <= 0.1) && seenLater)).toEqual([])
    expect(mean(seenOf(results, 'seenLater'))).toBeLessThan(0.01)
  })

  it.each(pick([30], [30, 240]))(
    'is hidden at 1/%i s as well',
    (rate) => {
      const others = fly('hide', seeds(part(2)), { dt: 1 / rate })
      expect(voids(others)).toEqual([])
      expect(contacts(others)).toEqual([])
      expect(flaws(others, ({ seen }) => !(seen <= 0.25) && seen)).toEqual([])
    },
    60_000,
  )
})
