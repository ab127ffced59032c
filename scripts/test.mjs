// @ts-check
// `npm test`: the quick tests. `npm run test:all` (node scripts/test.mjs all): what the quick tests leave. These are the
// test files that fly more seeds with TESTS=all, every scene of the gallery, the site with its links, and the packed package with the oldest and
// newest versions that it supports. A failed check ends the run; both test suites always run, so the summary counts all.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
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

/**
 * Runs checks one after another, up to the first that fails. What a check prints is shown when it has ended, so that
 * the lines of two checks at the same time do not mix.
 *
 * @param {readonly string[]} scripts
 * @returns {Promise<string | undefined>} The check that failed.
 */
async function firstFailure(scripts) {
  for (const script of scripts) {
    const child = spawn(npm(script), { shell: true })
    /** @type {Buffer[]} */
    const output = []
    child.stdout.on('data', (chunk) => output.push(chunk))
    child.stderr.on('data', (chunk) => output.push(chunk))
    const [status] = await once(child, 'close')
    process.stdout.write(`> ${script}\n${Buffer.concat(output).toString()}`)
    if (status !== 0) return script
  }
  return undefined
}

/** Test files whose work depends on TESTS, by themselves or by a kit that they import. @returns {string[]} */
function filesWithMoreSeeds() {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((file) => `test/${file.split('\\').join('/')}`)
    .filter((file) => file.endsWith('.ts') && !file.startsWith('test/e2e/'))
  const text = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
  const flyMore = files.filter((file) =>
    /import \{[^}]*\b(ALL|pick)\b[^}]*\} from '[^']*\/tier\.js|fc\.assert\(/.test(text.get(file) ?? ''),
  )
  const kits = flyMore.filter((file) => !file.endsWith('.test.ts')).map((file) => basename(file, '.ts'))
  const byKit = files.filter((file) => kits.some((kit) => text.get(file)?.includes(`/${kit}.js'`)))
  return [...new Set([...flyMore, ...byKit])].filter((file) => file.endsWith('.test.ts')).sort()
}

// two checks run at the same time
const checks = isAll
  ? [['build:demo', 'site:test'], ['test:consumers']]
  : [
      ['lint', 'typecheck'],
      ['build', 'test:pack', 'build:demo'],
    ]
const projects = isAll ? ['node'] : ['node', 'allocation', ...(browser === undefined ? [] : ['browser'])]
const files = isAll ? filesWithMoreSeeds() : []
const vitest = [npm('test:vitest'), '--', ...projects.map((name) => `--project ${name}`), ...files].join(' ')
const playwright = `${npm('test:playwright')}${isAll ? ' -- --grep-invert @look' : ' -- --grep @look'}`

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
let failed = (await Promise.all(checks.map(firstFailure))).filter((script) => script !== undefined)
if (failed.length === 0)
  failed = suites.filter(([, command, variables]) => !succeeds(command, variables)).map(([name]) => name)
if (failed.length > 0) console.error(`npm ${isAll ? 'run test:all' : 'test'} failed at: ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0
