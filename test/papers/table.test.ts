import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LIBRARY } from '../support/library.js'

/** docs/papers.md: each row names things that exist, and a test that exists. */

const root = new URL('../../', import.meta.url)
const text = readFileSync(new URL('docs/papers.md', root), 'utf8')

interface Row {
  readonly id: string
  readonly here: string
  readonly mode: string
  /** How it is tested. */
  readonly by: 'own' | 'other' | 'flight' | 'structure' | 'unknown'
  readonly test: string
}

/** Reads the last column: empty, the test of another number, or a flight or structure with its test. */
function testOf(cell: string): Pick<Row, 'by' | 'test'> {
  if (cell === '') return { by: 'own', test: '' }
  const reason = /^_(flight|structure)_: (.+)$/.exec(cell)
  if (reason !== null) return { by: reason[1] as 'flight' | 'structure', test: reason[2]! }
  return { by: /^[A-Z]\d+: /.test(cell) ? 'other' : 'unknown', test: cell }
}

const rows: Row[] = text
  .split('\n')
  .filter((line) => /^\| [A-Z]\d/.test(line))
  .map((line) => {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim())
    const { by, test } = testOf(cells[6]!)
    return { id: cells[1]!, here: cells[4]!, mode: cells[5]!, by, test }
  })

const sources = readdirSync(new URL('test', root), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && !file.endsWith('table.test.ts'))
  .map((file) => ({ file, source: readFileSync(new URL(`test/${file}`, root), 'utf8') }))

const titles = new Set(
  sources.flatMap(({ source }) =>
    [...source.matchAll(/(['"`])((?:(?!\1)[^\\\n]|\\.)+)\1/g)].map((match) => match[2]!.replaceAll('\\', '')),
  ),
)

/** Numbers of the tests in this folder. */
const numbers = sources
  .filter(({ file }) => file.startsWith('papers'))
  .flatMap(({ source }) => [...source.matchAll(/['"`]([A-Z]\d+): /g)].map((match) => match[1]!))

/** Names that are types only: traits of agents, and fields of an agent. */
const TRAITS = new Set(['Agent', 'course', 'maxForce', 'maxSpeed', 'mass', 'metricsOf', 'pilot', 'density'])

type Table = Readonly<Record<string, { readonly oneOf?: readonly unknown[] }>>

/** The option tables of a class; none for other values. */
function tableOf(value: unknown): Table[] {
  const { options: table } = (value ?? {}) as { options?: Table | readonly Table[] }
  return typeof table === 'object' ? [table].flat() : []
}

const options = new Set(
  Object.values(LIBRARY).flatMap((value) => tableOf(value).flatMap((table) => Object.keys(table))),
)

describe('the table of the papers', () => {
  it('has at least the 168 features, each with a number of its own', () => {
    expect(rows.length).toBeGreaterThanOrEqual(168)
    expect(rows.map(({ id }) => id).filter((id, i, ids) => ids.indexOf(id) !== i)).toEqual([])
  })

  it('has an entry in each column but the last', () => {
    const incomplete = rows.filter(({ here, mode }) => !/`\w+`/.test(here) || mode.length < 5)
    expect(incomplete.map(({ id }) => id)).toEqual([])
  })

  it('names exports of the package, and options that its classes have', () => {
    const unknown = rows.flatMap(({ id, here, mode }) => [
      ...[...here.matchAll(/`(\w+)`/g)]
        .map((match) => match[1]!)
        .filter((name) => !(name in LIBRARY) && !TRAITS.has(name))
        .map((name) => `${id}: ${name}`),
      ...[...mode.matchAll(/`(\w+): '([\w-]+)'`/g)]
        .filter(([, option]) => !options.has(option!) && option !== 'circles')
        .map(([all]) => `${id}: ${all}`),
    ])
    expect(unknown).toEqual([])
  })

  it('names values that the options allow', () => {
    const wrong = rows.flatMap(({ id, here, mode }) => {
      const tables = [...here.matchAll(/`(\w+)`/g)].flatMap((match) => tableOf(LIBRARY[match[1]!]))
      return [...mode.matchAll(/`(\w+): '([\w-]+)'`/g)]
        .filter(([, option, value]) => {
          const allowed = tables.flatMap((table) => table[option!]?.oneOf ?? [])
          return allowed.length > 0 && !allowed.includes(value)
        })
        .map(([all]) => `${id}: ${all}`)
    })
    expect(wrong).toEqual([])
  })

  it('says for each row without a formula test why there is none, and counts the rows', () => {
    expect(rows.filter(({ by }) => by === 'unknown').map(({ id }) => id)).toEqual([])
    const count = (by: Row['by']): number => rows.filter((row) => row.by === by).length
    const told =
      /Of (\d+) rows, (\d+) have [^.]*?, (\d+) share [^.]*?, (\d+) are shown [^.]*? (\d+) are\s+structure\./
    expect(told.exec(text)?.slice(1).map(Number)).toEqual([
      rows.length,
      count('own'),
      count('other'),
      count('flight'),
      count('structure'),
    ])
  })

  it('has a test for each row, and a row for each test in this folder', () => {
    const missing = rows.filter(({ id, test }) => (test === '' ? !numbers.includes(id) : !titles.has(test)))
    expect(missing.map(({ id, test }) => `${id} ${test}`)).toEqual([])
    const ids = new Set(rows.map(({ id }) => id))
    expect(numbers.filter((number) => !ids.has(number))).toEqual([])
  })
})
