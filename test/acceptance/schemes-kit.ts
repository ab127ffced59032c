import { flyScheme, SCHEMES, summary, type SchemeFigures } from '../rigs/schemes.js'
import { SCHEME_SCENES, shortfalls } from '../rigs/scheme-scenes.js'

/** The tables of the comparison of schemes, in Markdown. */

/** Rows; the pipeline knows balls only, and goals. */
const ROWS = [...Object.keys(SCHEMES), 'pipeline']
const OF_BALLS = new Set(['keep-out sphere', 'clump'])

/** What each scheme made of a scene: scheme → runs, one a seed. */
export type Column = Readonly<Record<string, readonly SchemeFigures[]>>

export function fly(
  scheme: string,
  scene: string,
  count: number,
  dt?: number,
  small = false,
): SchemeFigures[] {
  const { make, small: less = make } = SCHEME_SCENES[scene]!
  return Array.from({ length: count }, (_, seed) => flyScheme(scheme, (small ? less : make)(seed), dt))
}

/** What is wrong with the runs, each with its seed. */
export function flaws(scene: string, runs: readonly SchemeFigures[], part?: number): string[] {
  const { bar } = SCHEME_SCENES[scene]!
  return runs.flatMap((run, seed) => shortfalls(run, bar, part).map((what) => `${scene} ${seed}: ${what}`))
}

/** Flies a scene by all schemes. */
export function columnOf(scene: string): Column {
  const rows = ROWS.filter((name) => name !== 'pipeline' || OF_BALLS.has(scene))
  return Object.fromEntries(rows.map((name) => [name, fly(name, scene, SCHEME_SCENES[scene]!.seeds)]))
}

const number = (value: number, digits: number): string => (Number.isNaN(value) ? '–' : value.toFixed(digits))

/** Contacts, and how much was done where it is not all. */
function contacts({ hits, touches, done }: SchemeFigures): string {
  return `${hits + touches}${done > 0.995 ? '' : ` (${Math.round(100 * done)} %)`}`
}

const TABLES: readonly (readonly [string, (figures: SchemeFigures) => string])[] = [
  ['contacts', contacts],
  ['time ratio', ({ ratio }) => number(ratio, 2)],
  ['jitter, 1/s', ({ jitter }) => number(jitter, 1)],
  ['effort', ({ effort }) => number(effort, 2)],
]

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`

/** Where the columns stand: names to the left, figures to the right. */
const rule = (head: readonly string[]): string => line(head.map((_, i) => (i === 0 ? '---' : '--:')))

/** All tables: a row a scheme, a column a scene, and of how many scenes a scheme holds the bars with every seed. */
export function tables(columns: Readonly<Record<string, Column>>): string {
  const scenes = Object.keys(columns)
  return TABLES.map(([title, show], k) => {
    const rows = ROWS.map((name) => {
      const flown = scenes.filter((scene) => columns[scene]![name] !== undefined)
      const held = flown.filter((scene) => flaws(scene, columns[scene]![name]!).length === 0)
      const cells = scenes.map((scene) => {
        const runs = columns[scene]![name]
        return runs === undefined ? '' : show(summary(runs))
      })
      return line([
        name === 'within' ? '**within**' : name,
        ...(k === 0 ? [`${held.length} of ${flown.length}`] : []),
        ...cells,
      ])
    })
    const head = [title, ...(k === 0 ? ['holds'] : []), ...scenes]
    return line(head) + rule(head) + rows.join('')
  }).join('\n')
}

/** `within` alone, at each step (s): figures beside what must hold and what is near the limit. */
export function distances(
  steps: readonly number[],
  runsOf: (scene: string, dt: number) => readonly SchemeFigures[],
): string {
  const worst = (runs: readonly SchemeFigures[], key: 'ratio' | 'jitter'): number =>
    Math.max(...runs.map((run) => run[key]))
  const head = [
    '`within`: worst seed',
    'TR must',
    'near the limit',
    ...steps.map((dt) => `1/${Math.round(1 / dt)} s`),
  ]
  const rows = Object.entries(SCHEME_SCENES).map(([scene, { bar }]) => {
    const cells = steps.map((dt) => {
      const runs = runsOf(scene, dt)
      const text = `${contacts(summary(runs))}; ${number(worst(runs, 'ratio'), 2)}; ${number(worst(runs, 'jitter'), 2)}`
      return flaws(scene, runs).length === 0 ? text : `${text} ✗`
    })
    const must = bar.ratio === Infinity ? '–' : number(bar.ratio, 2)
    return line([scene, must, number(bar.near?.ratio ?? NaN, 2), ...cells])
  })
  return line(head) + rule(head) + rows.join('')
}
