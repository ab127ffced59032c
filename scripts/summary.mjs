// @ts-check Adds up the reports of vitest and Playwright into one line, and fails when a test failed or a
// suite did not run.
import { existsSync, readFileSync } from 'node:fs'

const [tier, browser] = process.argv.slice(2)

/** @param {string} path */
function read(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

const vitest = read('reports/vitest.json')
const playwright = read('reports/e2e.json')

const unit = {
  passed: vitest?.numPassedTests ?? 0,
  failed: vitest?.numFailedTests ?? 0,
  skipped: (vitest?.numPendingTests ?? 0) + (vitest?.numTodoTests ?? 0),
}
const e2e = {
  passed: playwright?.stats.expected ?? 0,
  failed: (playwright?.stats.unexpected ?? 0) + (playwright?.stats.flaky ?? 0),
  skipped: playwright?.stats.skipped ?? 0,
}

// A test file that cannot be loaded, or a server that does not start, fails no test, so it is counted as one
// failure.
if (unit.passed + unit.failed === 0 || (vitest?.success === false && unit.failed === 0)) unit.failed += 1
if (
  browser !== 'none' &&
  (e2e.passed + e2e.failed === 0 || (playwright.errors.length > 0 && e2e.failed === 0))
)
  e2e.failed += 1

const failed = unit.failed + e2e.failed
const skipped = unit.skipped + e2e.skipped
if (tier === 'quick') {
  console.log(
    'Ran: lint, types, build, package checks, unit tests, laws, one seed of each acceptance row, one look at the gallery.',
  )
  console.log(
    'Left to `npm run test:all`: the other seeds, most other steps and bodies, longer flights, and every scene of the gallery.',
  )
} else {
  console.log(
    'Ran: every test file that flies more seeds than in `npm test`, every scene of the gallery, the links of the site, the consumers of the package.',
  )
  console.log('Left to ACCEPTANCE=full: every seed that was measured (CONTRIBUTING.md).')
}
if (browser === 'none')
  console.log(
    'Skipped: the tests in a browser. No Chromium was found; `npx playwright install chromium` brings one.',
  )
console.log(
  `${unit.passed + e2e.passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
)
process.exitCode = failed > 0 ? 1 : 0
