/**
 * The size of a test run. `quick`: `npm test`, one seed of each row. `all`: `npm run test:all`, which sets
 * TESTS=all. `full`: every seed, with ACCEPTANCE=full, or =print, which also prints the tables.
 */
const asked = process.env['ACCEPTANCE'] ?? ''
export const PRINT = asked === 'print'
export const FULL = PRINT || asked === 'full'
export const ALL = FULL || process.env['TESTS'] === 'all'

/** The value for this run. */
export function pick<T>(quick: T, all: T, full: T): T {
  return FULL ? full : ALL ? all : quick
}
