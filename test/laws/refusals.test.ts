import { describe, expect, it } from 'vitest'
import { PRESET_TYPES } from 'three-steering/presets'
import { requireDirection } from '../../src/core/math/require.js'
import { oneTable, type AnyTable, type Option, type OptionTables } from '../../src/core/math/options.js'
import { FULL } from '../presets/full.js'
import { LIBRARY } from '../support/library.js'
import { BEHAVIORS, LOCOMOTIONS, randomScene } from './kit.js'

// Each option of each class with a table: a number just outside of its range, and a value of another kind,
// are refused by an error that names the option, and says what it got and what is allowed. Tests of single
// classes hold only checks that the table cannot say: across two options, in lists, in setters.

/** How an object is read and made again: the presets know it, also where a constructor takes numbers. */
interface Maker {
  readonly read: (object: object) => object
  readonly make: (options: Readonly<Record<string, unknown>>) => object
}

// the preset of a flow field holds a file of it
const MAKERS = new Map<unknown, Maker>(
  PRESET_TYPES.filter(({ name }) => name !== 'FlowField').map((each) => [each.type, each]),
)

/** One object of each class, by its name: those of the kits, and what these consist of. */
const objects = new Map<string, object>()
const names = new Map(Object.entries(LIBRARY).map(([name, value]) => [value, name]))

function collect(value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > 9) return
  const name = names.get(value.constructor)
  if (name !== undefined && !objects.has(name)) objects.set(name, value)
  const parts = MAKERS.get(value.constructor)?.read(value) ?? value
  for (const each of Object.values(parts)) collect(each, depth + 1)
}

const scene = randomScene(7)
for (const kit of [FULL, BEHAVIORS, LOCOMOTIONS]) for (const make of Object.values(kit)) collect(make(scene))

const tableOf = (object: object): AnyTable =>
  oneTable((object.constructor as { readonly options?: OptionTables }).options ?? {})

/** Values that are not of a kind. */
const OTHERS: Readonly<Record<string, readonly unknown[]>> = {
  boolean: [5, 'true', null],
  text: [5, null, {}, 'nonsense'],
  function: [5, 'all', {}],
  vector: [
    5,
    'up',
    {},
    { x: 1 },
    { x: 1, y: NaN, z: 0 },
    { x: 0, y: 0, z: Infinity },
    { x: '1', y: 2, z: 3 },
  ],
  quaternion: [5, 'turned', {}, { x: 0, y: 0, z: 0, w: 0 }, { x: NaN, y: 0, z: 0, w: 1 }],
  point: [null, 5, 'there', {}, { x: 1 }, { position: {} }, { x: NaN, y: 0, z: 0 }],
  waypoint: [null, 5, 'there', {}],
  named: [5, 'you', {}],
  instance: [5, 'all', {}],
  side: [null, 5, 'nonsense', {}],
}

function badNumbers({ above, atLeast, atMost, infinite, whole }: Option): unknown[] {
  const bad: unknown[] = [NaN, '5', {}, null]
  const min = above ?? atLeast
  if (min !== undefined) bad.push(-Infinity, min - Math.max(1e-9, 1e-9 * Math.abs(min)))
  if (above !== undefined) bad.push(above)
  if (atMost !== undefined) bad.push(atMost + Math.max(1e-9, 1e-9 * Math.abs(atMost)))
  if (infinite !== true) bad.push(Infinity)
  if (whole === true) bad.push((min ?? 0) + 1.5)
  return bad
}

function badValues(option: Option): readonly unknown[] {
  const { check, kind, oneOf, required } = option
  if (typeof kind !== 'string') return [5, 'nonsense']
  const plain = kind.replace('?', '')
  const all = plain === 'number' ? badNumbers(option) : (OTHERS[plain] ?? [])
  const noDirection = check === requireDirection ? [{ x: 0, y: 0, z: 0 }] : []
  return [...all, ...noDirection, ...(required === true ? [undefined] : [])].filter(
    (bad) =>
      !(kind.endsWith('?') && bad === null) &&
      !(plain === 'text' && oneOf === undefined && bad === 'nonsense'),
  )
}

/** The options in `given` that are in the table, and those in their own tables. */
function optionsOf(given: object, table: AnyTable): Record<string, unknown> {
  const options: Record<string, unknown> = {}
  for (const [key, { kind, options: own }] of Object.entries(table)) {
    const value = (given as Record<string, unknown>)[key]
    if (kind === 'shorthand' || value === undefined || value === null) continue
    options[key] = own === undefined ? value : optionsOf(value, oneTable(own))
  }
  return options
}

/** Options that the user writes as an argument, or by another name. */
const SAID: Readonly<Record<string, string>> = {
  'Within.constraints': 'within',
  'Within.wishes': 'wish',
  'Modes.trees': 'modes',
  parts: 'got',
  ports: 'port',
}

/** An owner is whatever the user takes for it. */
const isFree = (what: string): boolean => what === 'Obstacle.owner'

type Options = Readonly<Record<string, unknown>>

/** An option: its name, its entry, and all options with another value of it. */
type Entry = readonly [name: string, option: Option, withValue: (bad: unknown) => Options]

/** All options of a table, also those of options. */
function entriesOf(table: AnyTable, good: Options): Entry[] {
  return Object.entries(table).flatMap(([key, entry]): Entry[] => {
    const set = (value: unknown): Options => ({ ...good, [key]: value })
    const own = entry.options === undefined ? {} : oneTable(entry.options)
    const inner = entriesOf(own, (good[key] ?? {}) as Options)
    const outer: Entry[] = inner.map(([name, option, make]) => [
      `${key}.${name}`,
      option,
      (bad) => set(make(bad)),
    ])
    return outer.concat([[key, entry as Option, set]])
  })
}

const classes = [...objects].filter(([, object]) => Object.keys(tableOf(object)).length > 0)

it('the kits have an object of each class with a table', () => {
  const tabled = Object.entries(LIBRARY).filter(
    ([, value]) => typeof value === 'function' && (value as { options?: object }).options !== undefined,
  )
  expect(tabled.map(([name]) => name).filter((name) => !objects.has(name))).toEqual([])
})

/** The message of the error, or what is wrong about it. */
function refusalOf(make: () => unknown): string {
  try {
    make()
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return error.message
    return `got another error: ${String(error)}`
  }
  return 'was let in'
}

describe.each(classes)('%s refuses wrong values', (name, object) => {
  const { read, make } = MAKERS.get(object.constructor) ?? {
    read: (each: object) => each,
    make: (options) => new (object.constructor as new (options: object) => object)(options),
  }
  const table = tableOf(object)
  const good = optionsOf(read(object), table)

  it('and takes the values that it has', () => {
    expect(() => make(good)).not.toThrow()
  })

  const entries = entriesOf(table, good).filter(([key]) => !isFree(`${name}.${key}`))
  it.each(entries)('%s', (key, option, withValue) => {
    const said = SAID[`${name}.${key}`] ?? SAID[key] ?? key
    const wrong = badValues(option).flatMap((bad) => {
      const message = refusalOf(() => make(withValue(bad)))
      // the message shows a number by its digits, and an object by its wrong part or as a whole
      const shown = typeof bad === 'object' && bad !== null ? 'got ' : String(bad)
      const isGood = message.includes(said) && message.includes(shown) && /must|needs|allowed/.test(message)
      return isGood ? [] : [`${String(bad)}: ${message}`]
    })
    expect(wrong).toEqual([])
  })
})
