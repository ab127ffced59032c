// @ts-check
// `npm test`: every check there is. A failed gate ends the run; both test suites always run, so the summary counts all.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'

const GATES = ['check:chromium', 'lint', 'typecheck', 'build', 'build:demo', 'test:pack']
const SUITES = ['test:vitest', 'test:playwright', 'test:summary']

/** @param {string} script */
function succeeds(script) {
  // npm is a .cmd file on Windows, which only a shell can start.
  const { status } = spawnSync(`npm run ${script}`, { shell: true, stdio: 'inherit' })
  return status === 0
}

rmSync('reports', { recursive: true, force: true })
const failed =
  GATES.find((script) => !succeeds(script)) ?? SUITES.filter((script) => !succeeds(script)).join(', ')
if (failed) console.error(`npm test failed at: ${failed}`)
process.exitCode = failed ? 1 : 0
