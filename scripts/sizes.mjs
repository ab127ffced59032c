// @ts-check
// `npm run sizes`, after `npm run build`: the size of each entry and of some programs (.size-limit.js), minified and
// compressed by brotli, and that of the package on a disc, beside the size in the last release (sizes.json, bytes). Fails where one grew by more than
// MAX_GROWTH. With --record, which belongs to a release, the present sizes are written.
import { execSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const FILE = 'sizes.json'

/** Share of the size in the last release. */
const MAX_GROWTH = 0.03

/** @type {{ name: string, size: number }[]} */
const measured = JSON.parse(execSync('npx size-limit --json', { encoding: 'utf8' }))
const [packed] = JSON.parse(
  execSync('npm pack --dry-run --ignore-scripts --json', {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
)
measured.push({ name: 'the package, unpacked', size: packed.unpackedSize })
if (process.argv.includes('--record')) {
  const sizes = Object.fromEntries(measured.map(({ name, size }) => [name, size]))
  writeFileSync(FILE, `${JSON.stringify(sizes, null, 2)}\n`)
}
/** @type {Record<string, number>} */
const released = JSON.parse(readFileSync(FILE, 'utf8'))
const grown = measured.filter(({ name, size }) => {
  const before = released[name]
  const growth = before === undefined ? 0 : size / before - 1
  const change = before === undefined ? 'new' : `${growth < 0 ? '' : '+'}${(100 * growth).toFixed(1)} %`
  console.log(`${name.padEnd(26)}${(size / 1000).toFixed(1).padStart(7)} kB ${change.padStart(8)}`)
  return growth > MAX_GROWTH
})
if (grown.length > 0) {
  const names = grown.map(({ name }) => name).join(', ')
  console.error(`More than ${100 * MAX_GROWTH} % larger than in the last release: ${names}.`)
  process.exitCode = 1
}
