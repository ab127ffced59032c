import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { BAND_NAMES } from '../rigs/dubins-cases.js'
import { kilobytes, PAGES } from './kilobytes.js'
import { PLANNER_NAMES } from './paths.js'

/**
 * `npm run bench`: flocks, avoidance and what users build, in three-steering, in Yuka from npm, and in plain
 * arrays without a library (`peers/cells.ts`). Each measurement is a process of its own, see `one.ts`. The
 * implementations take turns, and ratios are computed within a turn. The time of a turn is the mean of its
 * steps, in CPU time. Machines differ and are noisy: only the ratios are comparable between machines.
 *
 * It takes some minutes, and writes `reports/bench.md`, too. `npm run bench -- 3` makes three turns and
 * prints their medians, `npm run bench -- 1 flocks` one turn of one section (`flocks`, `uses`, `avoidance`,
 * `bodies`, `paths`, `kilobytes`), and `npm run bench -- short` the most important ratios in about a minute.
 */
const isShort = process.argv[2] === 'short'
const turns = isShort ? 1 : Number(process.argv[2] ?? 1)
const only = process.argv[3]
/** CPU time of a measurement, s. */
const SECONDS = isShort ? 2.5 : 4
const script = fileURLToPath(new URL('one.js', import.meta.url))
const REPORT = fileURLToPath(new URL('../../../bench.md', import.meta.url))
const lines: string[] = []

/** All per agent: times in µs, what a step allocates in bytes. */
interface Measured {
  readonly mean: number
  readonly p99: number
  readonly median: number
  readonly first: number
  readonly bytes: number
}

/** What is measured: implementation, number of agents or obstacles, neighbours, 'flow' or ''. */
type Work = readonly [name: string, count: number, k?: number, start?: string]

function measure([name, count, k = 0, start = '']: Work): Measured {
  const command = ['--expose-gc', script, name, String(count), String(k), start, String(SECONDS)]
  const printed = execFileSync(process.execPath, command, { encoding: 'utf8' })
  const [mean = NaN, p99 = NaN, first = NaN, bytes = NaN, median = NaN] = printed.split(' ').map(Number)
  return { mean, p99, median, first, bytes }
}

/** Measures each work once a turn; null for one that is left out. */
function measureTurns(works: readonly (Work | null)[]): (Measured | null)[][] {
  return Array.from({ length: turns }, () => works.map((work) => work && measure(work)))
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** Median of the turns as text; nothing where a part was left out. */
function text(
  rows: readonly (Measured | null)[][],
  digits: number,
  value: (row: readonly Measured[]) => number,
): string {
  const values = rows.map((row) => value(row.map((each) => each ?? MISSING)))
  return values.some(Number.isNaN) ? '' : median(values).toFixed(digits)
}

const MISSING: Measured = { mean: NaN, p99: NaN, median: NaN, first: NaN, bytes: NaN }

function print(line: string): void {
  console.log(line)
  lines.push(line)
}

/** A title, and the head of a table: its first column is text, the others are numbers. */
function printHead(title: string, ...columns: string[]): void {
  print(`\n${title}\n`)
  print(`| ${columns.join(' | ')} |`)
  print(`| :-- |${' --: |'.repeat(columns.length - 1)}`)
}

function printRow(...cells: readonly (string | number)[]): void {
  print(`| ${cells.join(' | ')} |`)
}

function shown(count: number): string {
  return count.toLocaleString('en')
}

/** Agents, k, on the way or not, whether in Yuka, too. */
const FLOCKS: readonly (readonly [count: number, k: number, start: string, yuka: boolean])[] = isShort
  ? [
      [10_000, 7, '', true],
      [10_000, 30, '', false],
      [10_000, 7, 'flow', false],
    ]
  : [
      [100, 7, '', true],
      [1000, 7, '', true],
      [10_000, 7, '', true],
      [100_000, 7, '', false],
      [1000, 30, '', true],
      [10_000, 30, '', true],
      [100_000, 30, '', false],
      [1000, 7, 'flow', false],
      [10_000, 7, 'flow', false],
      [100_000, 7, 'flow', false],
      [1000, 30, 'flow', false],
      [10_000, 30, 'flow', false],
      [100_000, 30, 'flow', false],
    ]

function printFlocks(): void {
  printHead(
    'Flocks (`test/rigs/flock-3d.ts`): µs per agent and step, bytes per agent and step',
    'flock',
    'agents',
    'three-steering',
    '99 %',
    '99 % / median',
    'plain arrays',
    'three-steering / plain arrays',
    'Yuka 0.7.8',
    'Yuka / three-steering',
    'bytes',
  )
  for (const [count, k, start, yuka] of FLOCKS) {
    const rows = measureTurns([
      ['three-steering', count, k, start],
      ['plain arrays', count, k, start],
      yuka ? ['yuka', count, k] : null,
    ])
    printRow(
      `k = ${k}${start === '' ? '' : ', on its way'}`,
      shown(count),
      text(rows, 3, ([own]) => own!.mean),
      text(rows, 3, ([own]) => own!.p99),
      text(rows, 2, ([own]) => own!.p99 / own!.median),
      text(rows, 3, ([, plain]) => plain!.mean),
      text(rows, 2, ([own, plain]) => own!.mean / plain!.mean),
      text(rows, 2, ([, , other]) => other!.mean),
      text(rows, 1, ([own, , other]) => other!.mean / own!.mean),
      text(rows, 0, ([own]) => own!.bytes),
    )
  }
  if (isShort) return
  const rows = measureTurns([
    ['three-steering', 10_000, 7],
    ['Vector3 objects', 10_000, 7],
  ])
  const objects = text(rows, 1, ([own, other]) => other!.mean / own!.mean)
  print(`\nPlain \`THREE.Vector3\` objects take ${objects} times as long for k = 7 and 10,000 agents.`)
}

type Use = readonly [title: string, work: Work, beside: string, other: Work]

/** A preset of a flock beside the flock of the README. */
function preset(name: string, count: number): Use {
  return [name, [name, count], 'flock of the README', ['flock of the README', count]]
}

/** What users build, and what it is compared with: the same without steering, or with less. */
const USES: readonly Use[] = isShort
  ? [
      ['flock of the README', ['flock of the README', 10_000], 'plain arrays', ['plain arrays', 10_000, 7]],
      preset('GEESE, Cruise, Tether', 2000),
    ]
  : [
      preset('STARLINGS, Cruise, Tether', 2000),
      preset('GEESE, Cruise, Tether', 2000),
      preset('FISH, Cruise, Tether', 2000),
      preset('DRONES, Cruise, Tether', 2000),
      preset('STARLINGS, Cruise, Tether', 10_000),
      preset('FISH within ReciprocalAvoidance', 2000),
      ['flock of the README', ['flock of the README', 1000], 'Yuka, a flock', ['yuka', 1000, 7]],
      ['flock of the README', ['flock of the README', 10_000], 'Yuka, a flock', ['yuka', 10_000, 7]],
      [
        'starlings of the gallery',
        ['starlings of the gallery', 10_000],
        'plain arrays, a flock',
        ['plain arrays', 10_000, 7],
      ],
      [
        'birds in a canyon of 37,000 triangles',
        ['birds in a canyon of 37,000 triangles', 80],
        'plain arrays, a flock',
        ['plain arrays', 1000, 7],
      ],
      ['ships on cannon-es', ['ships on cannon-es', 100], 'cannon-es alone', ['bodies: tuned', 100]],
      ['ships on cannon-es', ['ships on cannon-es', 1000], 'cannon-es alone', ['bodies: tuned', 1000]],
    ]

function printUses(): void {
  printHead(
    'What users build: µs per agent and step, bytes per agent and step',
    'use',
    'agents',
    'mean',
    '99 %',
    '99 % / median',
    'first step / mean',
    'bytes',
    'beside it',
    'mean',
    'ratio',
  )
  for (const [title, work, beside, other] of USES) {
    const rows = measureTurns([work, other])
    printRow(
      title,
      shown(work[1]),
      text(rows, 2, ([own]) => own!.mean),
      text(rows, 2, ([own]) => own!.p99),
      text(rows, 2, ([own]) => own!.p99 / own!.median),
      text(rows, 0, ([own]) => own!.first / own!.mean),
      text(rows, 0, ([own]) => own!.bytes),
      beside,
      text(rows, 2, ([, peer]) => peer!.mean),
      text(rows, 2, ([own, peer]) => own!.mean / peer!.mean),
    )
  }
}

/** Scenes of avoidance: what is flown, the implementation, the number of obstacles or agents, and Yuka. */
const AVOIDANCE: readonly (readonly [title: string, name: string, count: number, yuka: boolean])[] = isShort
  ? [
      ['100 pilots, no obstacle', 'avoid', 0, false],
      ['100 pilots among 50 balls', 'avoid', 50, true],
      ['14 ships among 300 moving rocks', 'rocks', 300, false],
      ['ReciprocalAvoidance, 500 agents', 'reciprocal', 500, false],
    ]
  : [
      ['100 pilots, no obstacle', 'avoid', 0, false],
      ['100 pilots among 50 balls', 'avoid', 50, true],
      ['100 pilots among 1,000 balls', 'avoid', 1000, true],
      ['100 pilots among 10,000 balls', 'avoid', 10_000, true],
      ['14 ships among 30 moving rocks', 'rocks', 30, true],
      ['14 ships among 300 moving rocks', 'rocks', 300, true],
      ['24 agents in a building of 5,000 cubes', 'building', 24, false],
      ['ReciprocalAvoidance, 500 agents', 'reciprocal', 500, false],
      ['ReciprocalAvoidance, 5,000 agents', 'reciprocal', 5000, false],
      ['1,000 ships, both, Arrive', 'crossing ships', 1000, false],
    ]

function printAvoidance(): void {
  printHead(
    'Avoidance: µs per agent and step, and over the flock of 10,000 in plain arrays, a measure of the machine',
    'scene',
    'three-steering',
    '99 %',
    '99 % / median',
    'without avoiding',
    'over plain arrays',
    'Yuka 0.7.8',
    'Yuka / three-steering',
    'bytes',
  )
  for (const [title, name, count, yuka] of AVOIDANCE) {
    const rows = measureTurns([
      [`${name}: three-steering`, count],
      isShort ? null : [`${name}: nothing`, count],
      isShort ? null : ['plain arrays', 10_000, 7],
      yuka ? [`${name}: yuka`, count] : null,
    ])
    printRow(
      title,
      text(rows, 2, ([own]) => own!.mean),
      text(rows, 2, ([own]) => own!.p99),
      text(rows, 2, ([own]) => own!.p99 / own!.median),
      text(rows, 2, ([, without]) => without!.mean),
      text(rows, 1, ([own, , plain]) => own!.mean / plain!.mean),
      text(rows, 2, ([, , , other]) => other!.mean),
      text(rows, 2, ([own, , , other]) => other!.mean / own!.mean),
      text(rows, 0, ([own]) => own!.bytes),
    )
  }
}

function printBodies(): void {
  printHead(
    'Free bodies of cannon-es: µs per body and step',
    'bodies',
    'after tuneCannon',
    'SAPBroadphase',
    'ratio',
  )
  for (const count of [500, 5000]) {
    const rows = measureTurns([
      ['bodies: tuned', count],
      ['bodies: SAP', count],
    ])
    printRow(
      shown(count),
      text(rows, 2, ([tuned]) => tuned!.mean),
      text(rows, 2, ([, sap]) => sap!.mean),
      text(rows, 1, ([tuned, sap]) => sap!.mean / tuned!.mean),
    )
  }
}

function printPaths(): void {
  printHead('Shortest paths, 500 goals at 0.5-4, 4-10 and 10-50 radii: µs per path', 'planner', ...BAND_NAMES)
  for (const name of PLANNER_NAMES) {
    const rows = measureTurns(BAND_NAMES.map((band): Work => [`path: ${name} ${band}`, 500]))
    printRow(name, ...BAND_NAMES.map((_, i) => text(rows, 3, (row) => row[i]!.mean)))
  }
  printHead('Members strewn at random, each to a slot of a box: µs per member', 'members', 'Assignment')
  for (const count of [25, 200])
    printRow(
      count,
      text(measureTurns([['assignment', count]]), 2, ([own]) => own!.mean),
    )
}

async function printKilobytes(): Promise<void> {
  printHead('What a page loads: kB, minified, compressed by brotli', 'page', 'three-steering', 'Yuka 0.7.8')
  for (const [job, own, yuka] of PAGES)
    printRow(
      job,
      (await kilobytes('three-steering', own)).toFixed(1),
      (await kilobytes('yuka', yuka)).toFixed(1),
    )
}

const SECTIONS: Readonly<Record<string, () => void | Promise<void>>> = {
  flocks: printFlocks,
  uses: printUses,
  avoidance: printAvoidance,
  bodies: printBodies,
  paths: printPaths,
  kilobytes: printKilobytes,
}
const SHORT = new Set(['flocks', 'uses', 'avoidance'])

if (only !== undefined && SECTIONS[only] === undefined)
  throw new RangeError(`section: got '${only}', must be one of ${Object.keys(SECTIONS).join(', ')}`)
const began = performance.now()
print(
  `Node ${process.version}, ${availableParallelism()} cores, ${turns === 1 ? 'one turn' : `medians of ${turns} turns`}`,
)
for (const [name, section] of Object.entries(SECTIONS))
  if (only === undefined ? !isShort || SHORT.has(name) : name === only) await section()
print(`\nMeasured in ${((performance.now() - began) / 60_000).toFixed(1)} minutes.`)
writeFileSync(REPORT, `${lines.join('\n')}\n`)
