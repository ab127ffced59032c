import { COURSES, type CourseKind } from '../rigs/courses.js'
import { flyCourse, type CourseOptions, type CourseResult } from '../rigs/fly-course.js'
import type { Flight } from '../rigs/flight.js'
import { pick, PRINT } from '../support/tier.js'

/**
 * Helpers of the acceptance tests with obstacles: flying many seeds, naming the failing ones, printing the
 * table.
 */

export interface Figures {
  /** Greatest accepted TR and J of a scene. */
  readonly ratio: number
  readonly jitter: number
  /** The best known figures, near the physical limit. */
  readonly best?: { readonly ratio: number; readonly jitter?: number }
}

export function fly(kind: CourseKind, seeds: Iterable<number>, options?: CourseOptions): CourseResult[] {
  return Array.from(seeds, (seed) => flyCourse(COURSES[kind](seed), options))
}

/** The number of seeds of `count` in this run: one, a third, or all. */
export function part(count: number): number {
  return pick(1, Math.ceil(count / 3), count)
}

/** The number of seeds of slow scenes in this run: one, a tenth, or all. */
export function few(count: number): number {
  return pick(1, Math.ceil(count / 10), count)
}

/** The number of failures accepted in this run, when `lost` are accepted for all seeds. */
export function partLost(lost: number): number {
  return pick(0, Math.floor(lost / 3), lost)
}

/** `from`, `from` + 1, … */
export function* seeds(count: number, from = 0): Generator<number> {
  for (let i = 0; i < count; i++) yield from + i
}

/** The failing flights, as text "kind seed/pilot: figures". */
export function flaws(
  results: readonly CourseResult[],
  wrong: (flight: Flight, result: CourseResult) => string | number | false,
): string[] {
  return results.flatMap((result) =>
    result.flights.flatMap((flight, k) => {
      const what = wrong(flight, result)
      if (what === false) return []
      const text = typeof what === 'number' ? what.toPrecision(4) : what
      return [`${result.course.name} ${result.course.seed}/${k}: ${text}`]
    }),
  )
}

/** Flights that do not count, see {@link Flight.void}. */
export function voids(results: readonly CourseResult[]): string[] {
  return flaws(
    results,
    (flight) =>
      flight.void &&
      `forced ${flight.forced.toFixed(4)}, fastest ${flight.fastest.toFixed(3)}, slip ${flight.slip.toExponential(1)}`,
  )
}

export function contacts(results: readonly CourseResult[]): string[] {
  return flaws(
    results,
    ({ contacts, depth }) => contacts > 0 && `${contacts} contacts, ${depth.toFixed(4)} m deep`,
  )
}

export function exits(results: readonly CourseResult[]): string[] {
  return flaws(
    results,
    ({ exits, exitDepth }) => exits > 0 && `${exits} exits, ${exitDepth.toFixed(4)} m deep`,
  )
}

/** Flights that never arrive, and scenes with a mean TR above `ratio`. */
export function late(results: readonly CourseResult[], ratio: number): string[] {
  const lost = flaws(
    results,
    ({ arrival, goalDistance }) =>
      !Number.isFinite(arrival) && `never arrives, ends at ${goalDistance.toFixed(2)} m`,
  )
  return results
    .filter((result) => Number.isFinite(ratioOf(result)) && ratioOf(result) > ratio)
    .map((result) => `${result.course.name} ${result.course.seed}: TR ${ratioOf(result).toFixed(3)}`)
    .concat(lost)
}

/** Scenes with a mean J above `jitter`. */
export function shaky(results: readonly CourseResult[], jitter: number): string[] {
  return results
    .filter((result) => !(jitterOf(result) <= jitter))
    .map((result) => `${result.course.name} ${result.course.seed}: J ${jitterOf(result).toFixed(2)}`)
}

/** J of a scene: the mean of its flights (1/s). */
export function jitterOf({ flights }: CourseResult): number {
  return mean(flights.map(({ jitter }) => jitter))
}

/** TR of a scene: the mean of its flights. */
export function ratioOf({ flights }: CourseResult): number {
  return mean(flights.map(({ ratio }) => ratio))
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Prints one row of the table with ACCEPTANCE=print. `floor`: the same scenes without avoidance. */
export function report(
  name: string,
  results: readonly CourseResult[],
  best?: Figures['best'],
  floor?: readonly CourseResult[],
): void {
  if (!PRINT) return
  const flights = results.flatMap((result) => result.flights)
  const total = (key: 'contacts' | 'exits'): number => flights.reduce((sum, flight) => sum + flight[key], 0)
  const spread = (values: readonly number[]): string => {
    const sorted = values.filter((value) => !Number.isNaN(value)).toSorted((a, b) => a - b)
    if (sorted.length === 0) return '    -      -'
    return `${sorted[Math.floor(sorted.length / 2)]!.toFixed(3)} ${sorted.at(-1)!.toFixed(3)}`
  }
  const columns = [
    name.padEnd(28),
    `scenes ${results.length}, flights ${flights.length}`.padEnd(26),
    `contacts ${total('contacts')}`.padEnd(13),
    `gap ${Math.min(...flights.map(({ gap }) => gap)).toFixed(3)} r`.padEnd(13),
    `exits ${total('exits')}`.padEnd(9),
    `TR ${spread(results.map(ratioOf))}, flight ${Math.max(...flights.map(({ ratio }) => ratio)).toFixed(2)}`.padEnd(
      30,
    ),
    `J ${spread(results.map(jitterOf))}, flight ${Math.max(...flights.map(({ jitter }) => jitter)).toFixed(2)}`.padEnd(
      28,
    ),
    `void ${flights.filter((flight) => flight.void).length}`.padEnd(7),
  ]
  if (floor !== undefined) {
    const over = results.map((result, i) => ratioOf(result) / ratioOf(floor[i]!))
    const hits = floor.filter(({ flights }) => flights.some(({ contacts }) => contacts > 0))
    columns.push(`of the floor's time ${spread(over)}, which hits in ${hits.length};`)
  }
  if (best !== undefined) {
    const { ratio, jitter = Infinity } = best
    const good = results.filter((result) => ratioOf(result) <= ratio && jitterOf(result) <= jitter)
    columns.push(
      `near the limit (TR ${ratio}${jitter < Infinity ? `, J ${jitter}` : ''}): ${good.length} of ${results.length}`,
    )
  }
  process.stdout.write(`${columns.join(' ')}\n`)
}
