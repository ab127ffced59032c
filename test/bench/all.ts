import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { BAND_NAMES } from '../rigs/dubins-cases.js'
import { PLANNER_NAMES } from './paths.js'

/**
 * `npm run bench`: the flock of test/rigs/flock-3d.ts in three-steering, in plain arrays without a library,
 * in Yuka from npm and in plain THREE.Vector3 objects, and what users build. Each measurement is a process of
 * its own. The implementations take turns, ratios are computed within a turn, and medians of three turns are
 * printed; the time of a turn is the mean of its steps. Machines differ and are noisy: only the ratios are
 * comparable between machines. `npm run bench -- 2` makes two turns, `npm run bench -- 2 flocks` only those
 * of flocks, `npm run bench -- 2 avoidance` those of avoidance, `npm run bench -- short` prints the most
 * important ratios in about a minute.
 */
const COUNTS = [100, 1000, 5000, 10_000, 20_000]
const NAMES = ['three-steering', 'plain arrays', 'yuka', 'Vector3 objects'] as const
/** Counts that are flown against plain arrays only, also with the flock on its way. */
const LARGE_COUNTS = [1000, 10_000, 100_000]
const isShort = process.argv[2] === 'short'
const turns = isShort ? 1 : Number(process.argv[2] ?? 3)
const script = fileURLToPath(new URL('one.js', import.meta.url))

/** All per agent: times in µs, what a step allocates in bytes. */
interface Measured {
  readonly mean: number
  readonly p99: number
  readonly first: number
  readonly bytes: number
}

function measureAll(name: string, count: number, k: number, start = ''): Measured {
  const command = ['--expose-gc', script, name, String(count), String(k), start]
  const [mean, p99, first, bytes] = execFileSync(process.execPath, command, { encoding: 'utf8' })
    .split(' ')
    .map(Number) as [number, number, number, number]
  return { mean, p99, first, bytes }
}

function measure(name: string, count: number, k: number): number {
  return measureAll(name, count, k).mean
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** What users build, with their numbers of agents. */
const REAL_USES = [
  ['flock of the README', [1000, 10_000]],
  ['birds in a canyon of 37,000 triangles', [80, 400]],
  ['ships on cannon-es', [100, 1000]],
] as const
const OBSTACLES = [50, 1000, 10_000]
const AVOIDERS = ['avoid: three-steering', 'avoid: nothing', 'avoid: yuka'] as const

/** Scenes of avoidance: what is flown, the implementation, and the number of obstacles or agents. */
const AVOIDANCE: readonly (readonly [title: string, name: string, count: number])[] = [
  ['within([AvoidObstacles]) of each agent, no obstacle', 'avoid', 0],
  ['50 balls', 'avoid', 50],
  ['1,000 balls', 'avoid', 1000],
  ['14 ships among 30 moving rocks', 'rocks', 30],
  ['14 ships among 300 moving rocks', 'rocks', 300],
  ['a building of 5,000 cubes', 'building', 24],
  ['ReciprocalAvoidance, 500 agents', 'reciprocal', 500],
  ['ReciprocalAvoidance, 5,000 agents', 'reciprocal', 5000],
  ['1,000 ships, both, Arrive', 'crossing ships', 1000],
]

/** Each scene with and without avoiding, and over the flock of plain arrays, a measure of the machine. */
function printAvoidance(): void {
  console.log('\nAvoidance: µs per agent and step, and over the flock of 10,000 in plain arrays')
  console.log('| scene | three-steering | the same without avoiding | over plain arrays |')
  console.log('| :-- | --: | --: | --: |')
  for (const [title, name, count] of AVOIDANCE) {
    const rows: number[][] = []
    for (let turn = 0; turn < turns; turn++)
      rows.push([
        measure(`${name}: three-steering`, count, 0),
        measure(`${name}: nothing`, count, 0),
        measure('plain arrays', 10_000, 7),
      ])
    const cells = [0, 1].map((i) => median(rows.map((row) => row[i]!)).toFixed(2)).join(' | ')
    console.log(`| ${title} | ${cells} | ${median(rows.map((row) => row[0]! / row[2]!)).toFixed(1)} |`)
  }
}

console.log(
  `Node ${process.version}, ${availableParallelism()} cores, ${turns === 1 ? 'one turn' : `medians of ${turns} turns`}`,
)
if (isShort) {
  printShort()
  process.exit()
}
if (process.argv[3] === 'avoidance') {
  printAvoidance()
  process.exit()
}
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
        rows.push(
          ['three-steering', 'plain arrays'].flatMap((name) => {
            const { mean, p99 } = measureAll(name, count, k, start)
            return [mean, p99]
          }),
        )
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

printUses(REAL_USES)

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

function printUses(uses: readonly (readonly [name: string, counts: readonly number[]])[]): void {
  console.log('\nWhat users build: µs per agent and step, bytes per agent and step')
  console.log('| use | agents | mean | 99 % | first step | first step / mean | bytes |')
  console.log('| :-- | --: | --: | --: | --: | --: | --: |')
  for (const [name, counts] of uses)
    for (const count of counts) {
      const rows = Array.from({ length: turns }, () => measureAll(name, count, 0))
      const of = (value: (row: Measured) => number, digits: number): string =>
        median(rows.map(value)).toFixed(digits)
      const times = [of((row) => row.mean, 2), of((row) => row.p99, 2), of((row) => row.first, 1)].join(' | ')
      const ratio = of((row) => row.first / row.mean, 0)
      console.log(
        `| ${name} | ${count.toLocaleString('en')} | ${times} | ${ratio} × | ${of((row) => row.bytes, 0)} |`,
      )
    }
}

function printShort(): void {
  console.log('\nµs per agent and step, and how many times as long the others take')
  console.log('| work | three-steering | plain arrays | Yuka 0.7.8 |')
  console.log('| :-- | --: | --: | --: |')
  const row = (work: string, own: number, others: readonly (number | undefined)[]): void => {
    const ratios = others.map((other) => (other === undefined ? '' : `${(other / own).toFixed(2)} ×`))
    console.log(`| ${work} | ${own.toFixed(2)} | ${ratios.join(' | ')} |`)
  }
  for (const k of [7, 30])
    for (const start of ['', 'flow']) {
      const of = (name: string): number => measureAll(name, 10_000, k, start).mean
      const yuka = start === '' ? of('yuka') : undefined
      row(`10,000 birds, k = ${k}${start && ', on its way'}`, of('three-steering'), [
        of('plain arrays'),
        yuka,
      ])
    }
  for (const count of OBSTACLES.slice(0, 2)) {
    const yuka = measure('avoid: yuka', count, 0)
    row(`100 pilots among ${count} balls`, measure('avoid: three-steering', count, 0), [undefined, yuka])
  }
  row('500 agents that avoid each other', measure('reciprocal: three-steering', 500, 0), [])
  printUses(REAL_USES.map(([name, counts]) => [name, counts.slice(0, 1)]))
}
