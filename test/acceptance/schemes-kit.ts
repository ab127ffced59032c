import { flyScheme, SCHEMES, summary, type SchemeFigures } from '../rigs/schemes.js'
import { SCHEME_SCENES, shortfalls } from '../rigs/scheme-scenes.js'

/** The tables that compare the combination schemes, in Markdown. */

/** Rows of the tables. The pipeline supports only spheres and goals. */
const ROWS = [...Object.keys(SCHEMES), 'pipeline']
const OF_BALLS = new Set(['keep-out sphere', 'clump'])

/** The results of each scheme on a scene: scheme → runs, one per seed. */
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

/** The failed criteria of the runs, each with its seed. */
export function flaws(scene: string, runs: readonly SchemeFigures[], part?: number): string[] {
  const { criteria } = SCHEME_SCENES[scene]!
  return runs.flatMap((run, seed) =>
    shortfalls(run, criteria, part).map((what) => `${scene} ${seed}: ${what}`),
  )
}

/** Flies a scene with all schemes. */
export function columnOf(scene: string): Column {
  const rows = ROWS.filter((name) => name !== 'pipeline' || OF_BALLS.has(scene))
  return Object.fromEntries(rows.map((name) => [name, fly(name, scene, SCHEME_SCENES[scene]!.seeds)]))
}

const number = (value: number, digits: number): string => (Number.isNaN(value) ? '–' : value.toFixed(digits))

/** Contacts, and the share done if it is below 1. */
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

/** Alignment of the columns: names left, figures right. */
const rule = (head: readonly string[]): string => line(head.map((_, i) => (i === 0 ? '---' : '--:')))

/**
 * All tables: a row per scheme, a column per scene, and the number of scenes in which a scheme passes with
 * every seed.
 */
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

/** The figures of `within` alone, for each step (s), beside the required ones and those near the limit. */
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
  const rows = Object.entries(SCHEME_SCENES).map(([scene, { criteria }]) => {
    const cells = steps.map((dt) => {
      const runs = runsOf(scene, dt)
      const text = `${contacts(summary(runs))}; ${number(worst(runs, 'ratio'), 2)}; ${number(worst(runs, 'jitter'), 2)}`
      return flaws(scene, runs).length === 0 ? text : `${text} ✗`
    })
    const must = criteria.ratio === Infinity ? '–' : number(criteria.ratio, 2)
    return line([scene, must, number(criteria.near?.ratio ?? NaN, 2), ...cells])
  })
  return line(head) + rule(head) + rows.join('')
}
