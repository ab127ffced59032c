/**
 * The size of a test run. `quick`: `npm test`, one seed of each row. `all`: `npm run test:all`, which sets
 * TESTS=all. `full`: every seed, with ACCEPTANCE=full, or =print, which also prints the figures.
 */
const env = globalThis.process?.env ?? {} // none in a browser
const asked = env['ACCEPTANCE'] ?? ''
const PRINT = asked === 'print'
export const FULL = PRINT || asked === 'full'
export const ALL = FULL || env['TESTS'] === 'all'

/** The value for this run. Default of `full` is `all`. */
export function pick<T>(quick: T, all: T, full: T = all): T {
  return FULL ? full : ALL ? all : quick
}

/**
 * With ACCEPTANCE=print: prints the median, the least and the largest of each number in these results, and
 * how many of them have each flag.
 */
export function report(name: string, results: readonly object[]): void {
  if (!PRINT) return
  const figures = Object.keys(results[0] ?? {}).flatMap((key) => {
    const values = results.map((each) => (each as Readonly<Record<string, unknown>>)[key])
    if (values.every((value) => typeof value === 'boolean'))
      return [`${key} ${values.filter(Boolean).length}`]
    if (!values.every((value) => typeof value === 'number')) return []
    const sorted = values.toSorted((a, b) => a - b).map((value) => +value.toPrecision(4))
    return [`${key} ${sorted[Math.floor(sorted.length / 2)]} (${sorted[0]} to ${sorted.at(-1)})`]
  })
  process.stdout.write(`${name}, ${results.length} results: ${figures.join('; ')}\n`)
}
