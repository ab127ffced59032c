import { beforeAll, describe, expect, it } from 'vitest'
import { COURSES } from '../rigs/courses.js'
import { flyCourse, type CourseResult } from '../rigs/fly-course.js'
import {
  contacts,
  exits,
  flaws,
  fly,
  late,
  part,
  partLost,
  report,
  seeds,
  shaky,
  voids,
} from './courses-kit.js'
import { ALL } from '../support/tier.js'

// the ordinary run flies the first third of the seeds, see `part`
describe.each([
  { kind: 'box', count: 4 },
  { kind: 'planes', count: 2 },
  { kind: 'ball', count: 4 },
  { kind: 'capsule', count: 4 },
  { kind: 'tube', count: 4 },
  { kind: 'boxAndSpheres', count: 6 },
] as const)('wandering at full speed in a closed $kind, of $count seeds', ({ kind, count }) => {
  let results: CourseResult[] = []

  beforeAll(() => {
    const courses = Array.from(seeds(part(count)), COURSES[kind])
    // the quick run ends before most of a room has been visited
    results = courses.map((course) => flyCourse(ALL ? course : { ...course, limit: 10 }))
    report(kind, results)
  }, 120_000)

  it('is flown within the limits of force and speed', () => expect(voids(results)).toEqual([]))

  it('never leaves, with any part of its hull', () => expect(exits(results)).toEqual([]))

  it('touches nothing', () => expect(contacts(results)).toEqual([]))

  it('keeps at least half of its speed, and does not stay in a corner', () => {
    expect(flaws(results, ({ meanSpeed }) => !(meanSpeed >= 0.5) && meanSpeed)).toEqual([])
    expect(flaws(results, ({ stop }) => !(stop <= 2.5) && `stops for ${stop.toFixed(1)} s`)).toEqual([])
  })

  it.runIf(ALL)('visits most of the room, without circling', () => {
    // rooms of half-spaces have no cells
    const narrow = kind === 'planes' ? [] : results.filter(({ coverage }) => !(coverage >= 0.75))
    expect(narrow.map(({ course }) => course.seed)).toEqual([])
  })
})

describe.each([
  { kind: 'corridor', count: 16, lost: 0 },
  // gets its next goal before it can see around the corner: some go back and around the outside, which needs
  // a planner
  { kind: 'earlyCorridor', count: 12, lost: 3 },
] as const)('$kind: a square corridor with a corner, of $count seeds', ({ kind, count, lost }) => {
  let results: CourseResult[] = []

  beforeAll(() => {
    results = fly(kind, seeds(part(count)))
    report(kind, results)
  }, 120_000)

  it('is flown within the limits of force and speed', () => expect(voids(results)).toEqual([]))

  it('touches no wall', () => expect(contacts(results)).toEqual([]))

  it(`arrives within 1.5 times the least time, except ${partLost(lost)}`, () =>
    expect(late(results, 1.5).length).toBeLessThanOrEqual(partLost(lost)))

  it('does not judder: J at most 2', () => expect(shaky(results, 2)).toEqual([]))
})
