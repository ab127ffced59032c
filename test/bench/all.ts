import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { BAND_NAMES } from '../rigs/dubins-cases.js'
import { PLANNER_NAMES } from './paths.js'

/**
 * `npm run bench`: the flock of test/rigs/flock-3d.ts in three-steering, in plain arrays without a library,
 * in Yuka from npm and in plain THREE.Vector3 objects. Each measurement is a process of its own. The
 * implementations take turns, ratios are computed within a turn, and medians of five turns are printed; the
 * time of a turn is the mean of its steps. Machines differ and are noisy: only the ratios are comparable
 * between machines. `npm run bench -- 2` makes two turns, `npm run bench -- 2 flocks` only those of flocks.
 */
const COUNTS = [100, 1000, 5000, 10_000, 20_000]
const NAMES = ['three-steering', 'plain arrays', 'yuka', 'Vector3 objects'] as const
/** Counts that are flown against plain arrays only, also with the flock on its way. */
const LARGE_COUNTS = [1000, 10_000, 100_000]
const turns = Number(process.argv[2] ?? 5)
const script = fileURLToPath(new URL('one.js', import.meta.url))

/** Mean time of a step, and the time that 99 % of the steps do not exceed, µs per agent. */
function measureTimes(name: string, count: number, k: number, start = ''): [mean: number, p99: number] {
  const out = execFileSync(process.execPath, [script, name, String(count), String(k), start], {
    encoding: 'utf8',
  })
  return out.split(' ').map(Number) as [number, number]
}

function measure(name: string, count: number, k: number): number {
  return measureTimes(name, count, k)[0]
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

const OBSTACLES = [50, 1000, 10_000]
const AVOIDERS = ['avoid: three-steering', 'avoid: nothing', 'avoid: yuka'] as const

console.log(`Node ${process.version}, ${availableParallelism()} cores, medians of ${turns} turns`)
for (const k of [7, 30]) {
  console.log(`\nk = ${k}: µs per agent and step`)
  console.log(
    '| agents | three-steering | plain arrays | Yuka 0.7.8 | Vector3 objects | against Yuka | against objects |',
  )
  console.log('| --: | --: | --: | --: | --: | --: | --: |')
  for (const count of COUNTS) {
    const rows: number[][] = []
    for (let turn = 0; turn < turns; turn++) rows.push(NAMES.map((name) => measure(name, count, k)))
    const ratio = (i: number): string => `${median(rows.map((row) => row[i]! / row[0]!)).toFixed(1)} ×`
    const cells = NAMES.map((_, i) => median(rows.map((row) => row[i]!)).toFixed(3)).join(' | ')
    console.log(`| ${count.toLocaleString('en')} | ${cells} | ${ratio(2)} | ${ratio(3)} |`)
  }
}

console.log('\nThree-steering against plain arrays: µs per agent and step, mean and 99 % of the steps')
console.log(
  '| flock | agents | three-steering | 99 % | plain arrays | 99 % | three-steering / plain arrays |',
)
console.log('| :-- | --: | --: | --: | --: | --: | --: |')
for (const start of ['', 'flow'])
  for (const k of [7, 30])
    for (const count of LARGE_COUNTS) {
      const rows: number[][] = []
      for (let turn = 0; turn < turns; turn++)
        rows.push(['three-steering', 'plain arrays'].flatMap((name) => measureTimes(name, count, k, start)))
      const cells = [0, 1, 2, 3].map((i) => median(rows.map((row) => row[i]!)).toFixed(3)).join(' | ')
      const ratio = median(rows.map((row) => row[0]! / row[2]!)).toFixed(2)
      console.log(
        `| k = ${k}${start === '' ? '' : ', on its way'} | ${count.toLocaleString('en')} | ${cells} | ${ratio} |`,
      )
    }
if (process.argv[3] === 'flocks') process.exit()

console.log('\n100 pilots among balls: µs per agent and step')
console.log('| obstacles | three-steering | the same without avoiding | Yuka 0.7.8 | against Yuka |')
console.log('| --: | --: | --: | --: | --: |')
for (const count of OBSTACLES) {
  const rows: number[][] = []
  for (let turn = 0; turn < turns; turn++) rows.push(AVOIDERS.map((name) => measure(name, count, 0)))
  const cells = AVOIDERS.map((_, i) => median(rows.map((row) => row[i]!)).toFixed(2)).join(' | ')
  const ratio = median(rows.map((row) => row[2]! / row[0]!)).toFixed(2)
  console.log(`| ${count.toLocaleString('en')} | ${cells} | ${ratio} × |`)
}

console.log('\nAgents that avoid each other, ten in sight of each: µs per agent and step')
console.log('| agents | ReciprocalAvoidance | the same without avoiding |')
console.log('| --: | --: | --: |')
for (const count of [500, 812, 5000]) {
  const rows: number[][] = []
  for (let turn = 0; turn < turns; turn++)
    rows.push(['reciprocal: three-steering', 'reciprocal: nothing'].map((name) => measure(name, count, 0)))
  const cells = [0, 1].map((i) => median(rows.map((row) => row[i]!)).toFixed(2)).join(' | ')
  console.log(`| ${count.toLocaleString('en')} | ${cells} |`)
}

console.log('\nFree bodies of cannon-es: µs per body and step')
console.log('| bodies | after tuneCannon | SAPBroadphase | ratio |')
console.log('| --: | --: | --: | --: |')
for (const count of [500, 1000, 5000]) {
  const rows: number[][] = []
  for (let turn = 0; turn < turns; turn++)
    rows.push(['bodies: tuned', 'bodies: SAP'].map((name) => measure(name, count, 0)))
  const cells = [0, 1].map((i) => median(rows.map((row) => row[i]!)).toFixed(2)).join(' | ')
  console.log(`| ${count} | ${cells} | ${median(rows.map((row) => row[1]! / row[0]!)).toFixed(1)} × |`)
}

console.log('\nMembers strewn at random, each to a slot of a box: µs per member')
console.log('| members | Assignment |')
console.log('| --: | --: |')
for (const count of [25, 200]) {
  const times = Array.from({ length: turns }, () => measure('assignment', count, 0))
  console.log(`| ${count} | ${median(times).toFixed(2)} |`)
}

console.log('\nShortest paths, 500 goals at 0.5-4, 4-10 and 10-50 radii: µs per path')
console.log(`| planner | ${BAND_NAMES.join(' | ')} |`)
console.log('| :-- | --: | --: | --: |')
for (const name of PLANNER_NAMES) {
  const rows: number[][] = []
  for (let turn = 0; turn < turns; turn++)
    rows.push(BAND_NAMES.map((band) => measure(`path: ${name} ${band}`, 500, 0)))
  const cells = BAND_NAMES.map((_, i) => median(rows.map((row) => row[i]!)).toFixed(3)).join(' | ')
  console.log(`| ${name} | ${cells} |`)
}
