// @ts-check
// The steps of the workflows in .github/workflows/. `npm run workflow -- pages` runs those of pages.yml here, in a fresh
// clone of the last commit; `npm run workflow -- release v0.1.0` gives the clone a tag first. Steps that only the host of the workflows can do
// (`uses:`) are left out, and `npm run release` does not publish. The first value of a matrix is taken.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * @param {string} name
 * @returns {{ text: string, uses: string[], runs: string[], matrix: Record<string, string[]> }}
 */
export function workflow(name) {
  const text = readFileSync(join(ROOT, '.github/workflows', `${name}.yml`), 'utf8')
  const all = (/** @type {RegExp} */ pattern) => [...text.matchAll(pattern)].map(([, value = '']) => value)
  /** @type {Record<string, string[]>} */
  const matrix = {}
  for (const [, key = '', values = ''] of text.matchAll(/^ {8}(\w+): \[(.*)\]$/gm))
    matrix[key] = [
      ...new Set([...(matrix[key] ?? []), ...values.split(', ').map((each) => each.replaceAll("'", ''))]),
    ]
  return { text, uses: all(/^ +(?:- )?uses: (.+)$/gm), runs: all(/^ +(?:- )?run: (.+)$/gm), matrix }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [name = '', tag] = process.argv.slice(2)
  const { runs, matrix } = workflow(name)
  const commands = [...new Set(runs)].flatMap((line) => {
    const key = /\$\{\{ matrix\.(\w+) \}\}/.exec(line)?.[1]
    const values = key === undefined ? [''] : (matrix[key] ?? [])
    return values.map((value) => line.replace(/\$\{\{.*\}\}/, value))
  })
  const folder = mkdtempSync(join(tmpdir(), 'workflow-'))
  const run = (/** @type {string} */ command, /** @type {string} */ cwd) => {
    const start = Date.now()
    console.log(`> ${command}`)
    const env = { ...process.env, CI: 'true' }
    const { status } = spawnSync(command, { cwd, shell: true, stdio: 'inherit', env })
    if (status !== 0) throw new Error(`${command}: exit status ${status}`)
    console.log(`> ${command}: ${((Date.now() - start) / 1000).toFixed(0)} s`)
  }
  try {
    const clone = join(folder, 'clone')
    run(`git clone --quiet "${ROOT}" "${clone}"`, folder)
    if (tag !== undefined) run(`git tag ${tag}`, clone)
    for (const command of commands)
      run(command === 'npm run release' ? `${command} -- --dry-run` : command, clone)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
