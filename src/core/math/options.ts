import { unknownOptions } from '#hints'
import { requireChoice, requireNumber, requireWhole, refuse } from './require.js'

/**
 * Tables of options. A class has one as `static readonly options`. The constructor reads it (`WithOptions`),
 * and so do presets, control panels and the reference in docs/reference/options.md. The types of options and
 * fields, and what editors show of them, are made of it (`OptionsOf`, `FieldsOf`).
 *
 * A table must be a plain object literal of literals and identifiers. A call, a spread or an access to a
 * member would keep the class in bundles that do not use it.
 */

/**
 * Kinds of values. "By name" and "by value" say how presets save them, see `presetType`.
 * - `number`, `boolean`, `text` (a string): numbers that JSON cannot hold (Infinity, NaN, −0) survive.
 * - `vector`, `quaternion`: by name, or by value for any class.
 * - `point`: a vector by value; an object with a position, or a function, by name.
 * - `waypoint`: `{ position, heading }` by value; an object that moves or has an attitude, or a function, by
 *   name.
 * - `side`: a string or a vector.
 * - `named`: any object, by name only: moving objects, formations, ports.
 * - `function`: by name only.
 * - `instance`: an object of a registered class, or by name.
 * - `instances`: a plain object of instances: `{ patrol, chase }`.
 * - `part`: a behaviour, or a behaviour with `enabled`. `weighted`: also with `weight` and `fade`. `likely`:
 *   also with `probability`.
 * - `data`: plain JSON, by value: numbers, strings, arrays, objects, vectors.
 */
export const PLAIN_KINDS = [
  'number',
  'boolean',
  'text',
  'vector',
  'quaternion',
  'point',
  'waypoint',
  'side',
  'named',
  'function',
  'instance',
  'instances',
  'part',
  'weighted',
  'likely',
  'data',
] as const

type PlainKind = (typeof PLAIN_KINDS)[number]

/** With a question mark, null is allowed and saved. Without one, null counts as absent in presets. */
export type LeafKind = PlainKind | `${PlainKind}?`

/**
 * `[kind]` is a list. `{ key: kind, … }` is a plain object with these keys, each of which may be absent.
 * `options` is an object with options of its own, see `Option.options`. A `shorthand` is not saved in
 * presets: the constructor turns it into another option, or presets know it.
 */
export type OptionKind =
  | LeafKind
  | 'options'
  | 'shorthand'
  | readonly [OptionKind]
  | { readonly [key: string]: OptionKind }

/** An option. One that is not `required` and has no `default` may be left out: its field is undefined. */
export interface Option<V = unknown> {
  readonly kind: OptionKind
  readonly required?: true
  /** The value of an option that is left out. It is not checked. */
  readonly default?: V
  /** Exclusive lower bound of a number. */
  readonly above?: number
  /** Inclusive bounds of a number. */
  readonly atLeast?: number
  readonly atMost?: number
  /** Whether a number may be infinite. */
  readonly infinite?: true
  /** Whether a number must be whole. */
  readonly whole?: true
  /** All values that a text may have. */
  readonly oneOf?: readonly V[]
  /** Of the kind `options`: the table, or tables. The class reads it by itself. */
  readonly options?: OptionTables
  /** SI unit, for people. None: dimensionless, or not a number. */
  readonly unit?: string
  /**
   * Checks values of other kinds than `number`, `boolean` and `text`. Returns the value to use. The type of
   * the option is what it takes, the type of the field what it returns.
   */
  readonly check?: (what: string, value: V) => unknown
}

/** The table of a class that takes the options `O`, which are declared apart from it. */
export type OptionTable<O> = {
  readonly [K in keyof O]-?: Option<Exclude<O[K], undefined>> &
    (object extends Pick<O, K> ? { readonly required?: never } : { readonly required: true })
}

interface AnyOption extends Omit<Option, 'check'> {
  readonly check?: (what: string, value: never) => unknown
}

/** Any table. */
export interface AnyTable {
  readonly [option: string]: AnyOption
}

/** What a class has as `static readonly options`. */
export type OptionTables = AnyTable | readonly AnyTable[]

/** The tables of a class as one. */
export function oneTable(tables: OptionTables): AnyTable {
  return Object.assign({}, ...[tables].flat())
}

interface ValueOfKind {
  readonly number: number
  readonly 'number?': number | null
  readonly boolean: boolean
  readonly text: string
}

/** The type of an option: one of `oneOf`, what its check takes, or what its kind says. */
type ValueOf<E> = E extends { oneOf: readonly (infer V)[] }
  ? V
  : E extends { check: (what: string, value: infer V) => unknown }
    ? V
    : E extends { kind: infer K extends keyof ValueOfKind }
      ? ValueOfKind[K]
      : unknown

/** The type of a field: what the check of its option returns. */
type FieldOf<E> = E extends { check: (what: string, value: never) => infer R }
  ? ValueOf<E> extends R
    ? ValueOf<E>
    : R
  : ValueOf<E>

type RequiredKeys<T> = { [K in keyof T]: T[K] extends { required: true } ? K : never }[keyof T]

// Interfaces extend it beside `OptionsOf`: with one base only, the errors of TypeScript would name that base
// instead of the interface.
/** Options of a class. */
export interface Options {}

/** The options of the table `T`, with its docstrings, since the types map over the keys of `T` itself. */
export type OptionsOf<T> = {
  -readonly [K in keyof Pick<T, RequiredKeys<T>>]: ValueOf<T[K]>
} & { -readonly [K in keyof Pick<T, Exclude<keyof T, RequiredKeys<T>>>]?: ValueOf<T[K]> }

/** The fields that are made of the options of the table `T`, with its docstrings. */
export type FieldsOf<T> = {
  -readonly [K in keyof T]: T[K] extends { required: true } | { default: unknown }
    ? FieldOf<T[K]>
    : FieldOf<T[K]> | undefined
}

/** A set of groups, one bit each. */
export const GROUPS = {
  kind: 'number',
  whole: true,
  atLeast: -2147483648,
  atMost: 4294967295,
  default: -1,
} as const satisfies Option<number>

/** A class whose options are its fields: checked by `static readonly options`, with the defaults. */
// oxlint-disable-next-line typescript/no-extraneous-class -- the options are its fields
export abstract class WithOptions<O extends object> {
  /** @throws TypeError / RangeError naming the option, the value received and what is allowed. */
  constructor(options: O) {
    const { options: tables, type } = new.target as unknown as { type: string; options: OptionTables }
    Object.assign(this, readOptions(type, [tables].flat(), options))
  }
}

/** As `WithOptions`, for a class whose options may all be left out. */
export abstract class WithDefaults<O extends object> extends WithOptions<O> {
  constructor(options: O = {} as O) {
    super(options)
  }
}

/**
 * Checks options and fills in defaults: `Object.assign(this, readOptions('Seek', Seek.options, options))`.
 * Tables that classes share are given as a list.
 * @throws TypeError / RangeError naming the option, the value received and what is allowed.
 */
export function readOptions<T extends AnyTable>(owner: string, table: T, options: OptionsOf<T>): FieldsOf<T>
export function readOptions<O extends object>(owner: string, tables: readonly AnyTable[], options: O): O
export function readOptions(owner: string, tables: OptionTables, options: object): object {
  if (typeof options !== 'object' || !options || Array.isArray(options))
    refuse(owner || 'options, last argument', options, 'must be an object with options')
  unknownOptions(owner, tables, options)
  const read: Record<string, unknown> = {}
  for (const table of [tables].flat())
    for (const key of Object.keys(table)) {
      const option = table[key]!
      const { [key as keyof object]: value = option.default } = options
      read[key] =
        value === option.default && !option.required
          ? value
          : checkOption(owner ? `${owner}.${key}` : key, value, option as Option)
    }
  return read
}

/**
 * Checks the value of one option.
 * @throws TypeError / RangeError naming it, the value received and what is allowed.
 */
export function checkOption<V>(what: string, value: V, option: Option<V>): unknown {
  const { kind, above, atLeast, atMost, check, oneOf } = option
  if (check !== undefined) return check(what, value)
  if (oneOf !== undefined) return requireChoice(what, value, oneOf)
  if (kind === 'number' || kind === 'number?') {
    const min = above ?? atLeast ?? -Infinity
    const max = atMost ?? (option.infinite ? Infinity : Number.MAX_VALUE)
    return option.whole
      ? requireWhole(what, value, min, max)
      : requireNumber(what, value, min, atLeast === undefined, max)
  }
  if (kind === 'boolean' && typeof value !== 'boolean') refuse(what, value, 'must be true or false')
  if (kind === 'text' && typeof value !== 'string') refuse(what, value, 'must be a string')
  if (kind === 'function' && typeof value !== 'function') refuse(what, value, 'must be a function')
  return value
}
