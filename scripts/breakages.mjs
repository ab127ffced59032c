// @ts-check `node scripts/breakages.mjs [name …]`: makes the mistakes of test/breakages.json in a copy of the project,
// one at a time, and prints which test notices each. A name may be a range of numbers, such as 1-30. The tests of the
// feature run first, then the laws and the repaired bugs, then all others, up to the first that fails. A mistake that
// is noticed takes half a minute, one that is not takes as long as all tests.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Fails after every mistake, because it compares the code with the list. */
const LIST_TEST = 'test/laws/breakages.test.ts'

/** @type {readonly { name: string, file: string, from: string, to: string }[]} */
const all = JSON.parse(readFileSync(join(ROOT, 'test/breakages.json'), 'utf8'))
const asked = process.argv.slice(2)
const chosen = all.filter(
  ({ name }, i) =>
    asked.length === 0 ||
    asked.some((each) => {
      const [first, last] = each.split('-').map(Number)
      return each === name || (i + 1 >= Number(first) && i + 1 <= Number(last))
    }),
)

const files = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  .stdout.toString()
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(ROOT, file)))
const tests = files.filter(
  (file) => /^test\/(?!browser\/|e2e\/).*\.test\.ts$/.test(file) && file !== LIST_TEST,
)

const copy = mkdtempSync(join(tmpdir(), 'breakages-'))
const report = join(copy, 'report.json')

/**
 * The first of these tests that fails in the copy, as file and name.
 *
 * @param {readonly string[]} list
 * @returns {[file: string, name: string] | undefined}
 */
function firstFailure(list) {
  if (list.length === 0) return undefined
  rmSync(report, { force: true })
  const options = `--project node --project allocation --bail 1 --reporter json --outputFile ${report}`
  const { status } = spawnSync(`npx vitest run ${options} ${list.join(' ')}`, {
    cwd: copy,
    shell: true,
    stdio: 'ignore',
  })
  if (status === 0) return undefined
  /** @type {{ testResults: { name: string, status: string, message: string, assertionResults: { status: string, fullName: string }[] }[] }} */
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  for (const { name, status: outcome, message, assertionResults } of testResults) {
    const failed = assertionResults.find((each) => each.status === 'failed')
    if (failed !== undefined) return [relative(copy, name), failed.fullName]
    if (outcome === 'failed' && message !== '') return [relative(copy, name), message.split('\n')[0] ?? '']
  }
  throw new Error('vitest failed without a failed test')
}

/** The tests in the order in which they run: of the same folder as `file`, laws and repaired bugs, all others. */
function stages(/** @type {string} */ file) {
  const folder = file.replace(/^src\//, 'test/').replace(/[^/]*$/, '')
  const near = tests.filter((test) => test.startsWith(folder))
  const common = tests.filter((test) => !near.includes(test) && /^test\/(laws|repro)\//.test(test))
  return [near, common, tests.filter((test) => !near.includes(test) && !common.includes(test))]
}

let noticed = 0
try {
  for (const file of files) cpSync(join(ROOT, file), join(copy, file))
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  for (const { name, file, from, to } of chosen) {
    const text = readFileSync(join(copy, file), 'utf8')
    if (text.split(from).length !== 2) {
      console.log(`${name}: the text does not occur exactly once in ${file}`)
      continue
    }
    const began = Date.now()
    writeFileSync(
      join(copy, file),
      text.replace(from, () => to),
    )
    /** @type {ReturnType<typeof firstFailure>} */
    let failure
    for (const list of stages(file)) failure ??= firstFailure(list)
    writeFileSync(join(copy, file), text)
    const seconds = `${Math.round((Date.now() - began) / 1000)} s`
    if (failure === undefined) console.log(`${name}: NOT NOTICED (${seconds})`)
    else if (firstFailure([failure[0]])?.[1] === failure[1])
      console.log(`${name}: ${failure.join(' › ')} FAILS WITHOUT THE MISTAKE, TOO`)
    else {
      noticed++
      console.log(`${name}: noticed by ${failure.join(' › ')} (${seconds})`)
    }
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`${noticed} of ${chosen.length} noticed`)
