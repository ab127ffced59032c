// @ts-check
// `node scripts/breakages.mjs [name …]`: makes the mistakes of test/breakages.json in a copy of the project, one at a
// time, and tells which test notices each. A name may be a range of numbers, such as 1-30, with a step, such as 3-90/3.
// The test that noticed a mistake is written to the list and runs first the next time; then the recorded flights, the
// tests of the feature, the laws and the repaired bugs, all other tests of features, and the long flights, up to the
// first that fails. A mistake that the noted test notices takes some seconds, one that no test notices as long as all
// tests. With --near the tests of the feature and the recorded flights run, with --laws also the laws and the repaired
// bugs.
//
// `node scripts/breakages.mjs --random 40 --seed 7`: draws 40 random mistakes in `src` (see mutants.mjs) in place of the
// list. The same seed draws the same mistakes in the same code. A mistake that changes no result is not told apart:
// each that is not noticed wants a look.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { randomMistakes } from './mutants.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const LIST = join(ROOT, 'test/breakages.json')

/** Fails after every mistake, because it compares the code with the list. */
const LIST_TEST = 'test/laws/breakages.test.ts'

/** A busy machine is no mistake: single tests may take as long as they like. */
const NO_TIME_LIMIT = '--testTimeout 0 --hookTimeout 0'

/** A run of tests that takes longer does not end (min). */
const TIME_LIMIT = 20

/** @typedef {{ name: string, file: string, from: string, to: string, test?: string }} Breakage */
/** @returns {Breakage[]} */
const readList = () => JSON.parse(readFileSync(LIST, 'utf8'))

const { values: flags, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: {
    near: { type: 'boolean' },
    laws: { type: 'boolean' },
    random: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
})
const isRandom = flags.random !== undefined

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  .toString()
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(ROOT, file)))
const tests = files.filter(
  (file) => /^test\/(?!browser\/|e2e\/).*\.test\.ts$/.test(file) && file !== LIST_TEST,
)

const all = isRandom
  ? randomMistakes(
      ROOT,
      files.filter((file) => /^src\/(core|blocks|extras)\/.*\.tsx?$/.test(file)),
      Number(flags.random),
      Number(flags.seed),
    )
  : readList()
const chosen = all.filter(
  ({ name }, i) =>
    asked.length === 0 ||
    asked.some((each) => {
      const [, first, last, step] = /^(\d+)-(\d+)(?:\/(\d+))?$/.exec(each) ?? []
      const offset = i + 1 - Number(first)
      return each === name || (offset >= 0 && i + 1 <= Number(last) && offset % Number(step ?? 1) === 0)
    }),
)

const copy = mkdtempSync(join(tmpdir(), 'breakages-'))
const report = join(copy, 'report.json')

/**
 * The first of these tests that fails in the copy, as file and name.
 *
 * @param {readonly string[]} list
 * @returns {Promise<[file: string, name: string] | undefined>}
 */
async function firstFailure(list) {
  if (list.length === 0) return undefined
  rmSync(report, { force: true })
  const options = `--project node --project allocation --bail 1 --reporter json --outputFile ${report} ${NO_TIME_LIMIT}`
  // in a group of its own, so that a test that never ends is stopped with its parents
  const vitest = spawn(`npx vitest run ${options} ${list.join(' ')}`, {
    cwd: copy,
    shell: true,
    stdio: 'ignore',
    detached: true,
  })
  const stop = () => process.kill(-Number(vitest.pid), 'SIGKILL')
  const timer = setTimeout(stop, TIME_LIMIT * 60_000)
  const [status] = await once(vitest, 'close')
  clearTimeout(timer)
  if (status === null) return [list.join(' '), `did not end within ${TIME_LIMIT} minutes`]
  if (status === 0) return undefined
  if (!existsSync(report)) throw new Error('vitest ended without a report')
  /** @type {{ testResults: { name: string, status: string, message: string, assertionResults: { status: string, fullName: string }[] }[] }} */
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  for (const { name, status: outcome, message, assertionResults } of testResults) {
    const failed = assertionResults.find((each) => each.status === 'failed')
    if (failed !== undefined) return [relative(copy, name), failed.fullName]
    if (outcome === 'failed' && message !== '') return [relative(copy, name), message.split('\n')[0] ?? '']
  }
  throw new Error('vitest failed without a failed test')
}

/**
 * The tests in the order in which they run.
 *
 * @param {{ file: string, test?: string }} breakage
 * @returns {string[][]}
 */
function stages({ file, test }) {
  const feature = basename(dirname(file))
  /** @type {((name: string) => boolean)[]} */
  const parts = [
    (name) => name === test,
    (name) => basename(name).startsWith(basename(file).replace(/\.tsx?$/, '.')),
    (name) => name.startsWith('test/flights/'),
    (name) => name.includes(`/${feature}/`),
    (name) => /^test\/(laws|repro)\/(?!allocation)/.test(name),
    (name) => !/^test\/(acceptance|laws)\//.test(name),
    () => true,
  ]
  const left = new Set(tests)
  return parts.map((belongs) => {
    const part = [...left].filter(belongs)
    for (const name of part) left.delete(name)
    return part
  })
}

/** Writes to the list which test notices the mistake. */
function note(/** @type {string} */ name, /** @type {string} */ test) {
  const list = readList()
  Object.assign(
    /** @type {Breakage} */ (list.find((each) => each.name === name)),
    { test },
  )
  writeFileSync(LIST, `${JSON.stringify(list, null, 2)}\n`)
}

/**
 * The text with the mistake, or undefined where the place of a listed one is not found exactly once.
 *
 * @param {{ mutate: (text: string) => string } | Breakage} breakage
 * @param {string} text
 */
function broken(breakage, text) {
  if ('mutate' in breakage) return breakage.mutate(text)
  const { from, to } = breakage
  return text.split(from).length === 2 ? text.replace(from, () => to) : undefined
}

let noticed = 0
/** Test files that pass without any mistake. @type {Map<string, string | undefined>} */
const sound = new Map()
try {
  for (const file of files) cpSync(join(ROOT, file), join(copy, file))
  for (const modules of ['node_modules', 'site/node_modules'])
    if (existsSync(join(ROOT, modules))) symlinkSync(join(ROOT, modules), join(copy, modules))
  for (const breakage of chosen) {
    const { name, file } = breakage
    const text = readFileSync(join(copy, file), 'utf8')
    const changed = broken(breakage, text)
    if (changed === undefined) {
      console.log(`${name}: the text does not occur exactly once in ${file}`)
      continue
    }
    const began = Date.now()
    writeFileSync(join(copy, file), changed)
    /** @type {Awaited<ReturnType<typeof firstFailure>>} */
    let failure
    let again = failure
    for (const list of stages(breakage).slice(0, flags.near ? 4 : flags.laws ? 5 : 7)) {
      if (failure !== undefined) break
      failure = await firstFailure(list)
      // a test that fails only beside others does not notice the mistake
      again = failure && list.length > 1 ? await firstFailure([failure[0]]) : failure
    }
    writeFileSync(join(copy, file), text)
    if (failure !== undefined && !sound.has(failure[0]))
      sound.set(failure[0], (await firstFailure([failure[0]]))?.[1])
    const seconds = `${Math.round((Date.now() - began) / 1000)} s`
    if (failure === undefined) console.log(`${name}: NOT NOTICED (${seconds})`)
    else if (again === undefined) console.log(`${name}: ${failure.join(' › ')} PASSES IF IT RUNS ALONE`)
    else if (sound.get(failure[0]) === failure[1])
      console.log(`${name}: ${failure.join(' › ')} FAILS WITHOUT THE MISTAKE, TOO`)
    else {
      noticed++
      if (!isRandom && tests.includes(failure[0])) note(name, failure[0])
      console.log(`${name}: noticed by ${failure.join(' › ')} (${seconds})`)
    }
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`${noticed} of ${chosen.length} noticed`)
