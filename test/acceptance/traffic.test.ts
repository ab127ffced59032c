import { beforeAll, describe, expect, it } from 'vitest'
import { avoidingAll } from '../rigs/course-behavior.js'
import { flyCourse, type CourseOptions, type CourseResult } from '../rigs/fly-course.js'
import { TRAFFIC } from '../rigs/traffic.js'
import { mean, voids } from './courses-kit.js'
import { ALL, FULL, pick, report } from '../support/tier.js'

type Kind = keyof typeof TRAFFIC

/**
 * Agents that cross each other's paths, all with one set of parameters. TR and J are means over the agents of
 * a scene. The ordinary run flies `some` of the seeds, and small crowds at 1/240 s; ACCEPTANCE=full or =print
 * all 20, and all crowds.
 */
const KINDS: readonly { kind: Kind; some: number; ratio: number }[] = [
  { kind: 'headOn', some: 20, ratio: 1.6 },
  { kind: 'ring', some: 20, ratio: 1.6 },
  { kind: 'crossing', some: 2, ratio: 1.3 },
  { kind: 'blind', some: 4, ratio: 1.3 },
  { kind: 'antipodes', some: 2, ratio: 1.8 },
]
const COUNT = 20
const SMALL = 5

function fly(kind: Kind, seed: number, options: CourseOptions = {}): CourseResult {
  const course = kind === 'antipodes' ? TRAFFIC.antipodes(seed, pick(24, 100)) : TRAFFIC[kind](seed)
  return flyCourse(course, { makeBehavior: avoidingAll, meet: true, ...options })
}

const under = ({ flights }: CourseResult) => flights.filter(({ pilot }) => pilot.goal !== null)
const ratio = (result: CourseResult): number => mean(under(result).map((flight) => flight.ratio))
const jitter = (result: CourseResult): number => mean(under(result).map((flight) => flight.jitter))

/** The failed criteria, at any rate and with any engine. */
function wrong(results: readonly CourseResult[], most: number): string[] {
  const flaws = voids(results)
  for (const result of results) {
    const { course, dt, encounters } = result
    const name = `${course.name} ${course.seed} at ${Math.round(1 / dt)} Hz`
    if (encounters!.contacts > 0) flaws.push(`${name}: ${encounters!.contacts} contacts`)
    if (!(ratio(result) < most)) flaws.push(`${name}: TR ${ratio(result).toFixed(3)}`)
    if (!(jitter(result) < 2)) flaws.push(`${name}: J ${jitter(result).toFixed(2)}`)
  }
  return flaws
}

function told(kind: Kind, results: readonly CourseResult[], label: string): void {
  report(`${kind}, ${label}`, results.flatMap(under))
  report(
    `${kind}, ${label}`,
    results.map(({ encounters }) => encounters!),
  )
}

describe.each(KINDS)('traffic: $kind', ({ kind, some, ratio: most }) => {
  const seeds = Array.from({ length: pick(1, some, COUNT) }, (_, i) => i + 1)
  let results: CourseResult[] = []

  beforeAll(() => {
    results = seeds.map((seed) => fly(kind, seed))
    told(kind, results, '1/60 s')
  }, 600_000)

  it('all arrive in time, without contact and without judder', () => expect(wrong(results, most)).toEqual([]))

  it.each(pick<number[]>([], some < SMALL ? [30] : [30, 240], [30, 240]))(
    'as well at 1/%i s',
    (rate) => {
      const few = (!FULL ? [1] : [1, 2, 3, 4]).map((seed) => fly(kind, seed, { dt: 1 / rate }))
      told(kind, few, `1/${rate} s`)
      expect(wrong(few, most)).toEqual([])
    },
    300_000,
  )

  it.runIf(ALL)(
    'bodies of a physics engine do so, too',
    () => {
      const few = (!FULL ? [2] : [1, 2, 3, 4]).map((seed) => fly(kind, seed, { bodies: 'cannon' }))
      told(kind, few, 'bodies')
      expect(wrong(few, most)).toEqual([])
    },
    300_000,
  )
})
