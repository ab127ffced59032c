// @ts-check `npm test`: the quick tests. `npm run test:all` (node scripts/test.mjs all): also the other seeds
// of the acceptance rows and every scene of the gallery. A failed check ends the run; both test suites always
// run, so the summary counts all.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { findChromium } from './chromium.mjs'

const isAll = process.argv[2] === 'all'
const browser = await findChromium()
const isCI = Boolean(process.env['CI'])

/** @param {string} command @param {Record<string, string>} [variables] */
function succeeds(command, variables) {
  // on Windows npm is a .cmd file, which only a shell can start
  const { status } = spawnSync(command, {
    shell: true,
    stdio: 'inherit',
    env: { ...process.env, ...variables },
  })
  return status === 0
}

/** @param {string} script */
const npm = (script) => `npm run --silent ${script}`

const gates = isAll ? ['build:demo'] : ['lint', 'typecheck', 'build', 'build:demo', 'test:pack']
const projects = ['node', 'allocation', ...(browser === undefined ? [] : ['browser'])]
const vitest = `${npm('test:vitest')} -- ${projects.map((name) => `--project ${name}`).join(' ')}`
const playwright = `${npm('test:playwright')}${isAll ? '' : ' -- --grep @look'}`

/** @type {readonly (readonly [name: string, command: string, variables?: Record<string, string>])[]} */
const suites = [
  ['vitest', vitest, isAll ? { TESTS: 'all' } : {}],
  ...(browser === undefined ? [] : [/** @type {const} */ (['playwright', playwright])]),
  [
    'summary',
    `node scripts/summary.mjs ${isAll ? 'all' : 'quick'} ${browser === undefined ? 'none' : 'browser'}`,
  ],
]

rmSync('reports', { recursive: true, force: true })
if (browser === undefined && isCI) {
  console.error('No Chromium was found. With CI set, the browser tests must not be skipped.')
  process.exit(1)
}
const failed =
  gates.find((script) => !succeeds(npm(script))) ??
  suites
    .filter(([, command, variables]) => !succeeds(command, variables))
    .map(([name]) => name)
    .join(', ')
if (failed) console.error(`npm ${isAll ? 'run test:all' : 'test'} failed at: ${failed}`)
process.exitCode = failed ? 1 : 0
