import fc, { type Arbitrary } from 'fast-check'
import { it } from 'vitest'
import { pick } from './tier.js'

/** Seed of every law. `FUZZ_SEED=5 npx vitest run …` sets another one. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 1987)

/**
 * A test that holds for all values of the arbitraries. The seed in its name replays it. `test` may be
 * `it.fails`.
 */
export function law<T extends [unknown, ...unknown[]]>(
  name: string,
  arbitraries: { [K in keyof T]: Arbitrary<T[K]> },
  holds: (...values: T) => void,
  numRuns = 200,
  test: (name: string, run: () => void) => void = it,
): void {
  test(`${name} (seed ${SEED})`, () => {
    fc.assert(
      fc.property(fc.tuple(...arbitraries), (values) => holds(...(values as T))),
      { seed: SEED, numRuns: Math.ceil(numRuns * pick(0.1, 0.5, 1)) },
    )
  })
}
