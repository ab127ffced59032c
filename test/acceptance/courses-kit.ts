import { COURSES, type CourseKind } from '../rigs/courses.js'
import { flyCourse, type CourseOptions, type CourseResult } from '../rigs/fly-course.js'
import type { Flight } from '../rigs/flight.js'
import { pick, report as print } from '../support/tier.js'

/**
 * Helpers of the acceptance tests with obstacles: flying many seeds, naming the failing ones.
 */

export interface Figures {
  /** Greatest accepted TR and J of a scene. */
  readonly ratio: number
  readonly jitter: number
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

/** With ACCEPTANCE=print: prints the figures of all flights. */
export function report(name: string, results: readonly CourseResult[]): void {
  print(
    name,
    results.flatMap(({ coverage, flights }) => flights.map((flight) => ({ ...flight, coverage }))),
  )
}
