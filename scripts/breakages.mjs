// @ts-check `node scripts/breakages.mjs [name …]`: applies the faults of test/breakages.json to a copy of the
// project, one at a time, and prints which of them the tests notice. All of them take hours: after a change,
// name those near the changed code.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const COPIED = [
  'src',
  'test',
  'demo',
  'assets',
  'scripts',
  'README.md',
  'package.json',
  'tsconfig.json',
  'vite.config.ts',
  'vitest.config.ts',
]

/** @type {readonly { name: string, file: string, from: string, to: string }[]} */
const all = JSON.parse(readFileSync(join(ROOT, 'test/breakages.json'), 'utf8'))
const names = process.argv.slice(2)
const chosen = all.filter(({ name }) => names.length === 0 || names.includes(name))

const copy = mkdtempSync(join(tmpdir(), 'breakages-'))
let noticed = 0
try {
  for (const path of COPIED) cpSync(join(ROOT, path), join(copy, path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  for (const { name, file, from, to } of chosen) {
    const text = readFileSync(join(copy, file), 'utf8')
    if (text.split(from).length !== 2) {
      console.log(`${name}: the text does not occur exactly once in ${file}`)
      continue
    }
    writeFileSync(
      join(copy, file),
      text.replace(from, () => to),
    )
    const { status } = spawnSync('npx vitest run --project node --bail 1', {
      cwd: copy,
      shell: true,
      stdio: 'ignore',
    })
    writeFileSync(join(copy, file), text)
    if (status !== 0) noticed++
    console.log(`${name}: ${status === 0 ? 'NOT NOTICED' : 'noticed'}`)
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`${noticed} of ${chosen.length} noticed`)
