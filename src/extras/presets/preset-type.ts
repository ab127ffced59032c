import {
  type AnyTable,
  type LeafKind,
  oneTable,
  type OptionTables,
  PLAIN_KINDS,
} from '../../core/math/options.js'
import { describe, RESERVED } from './format.js'
import { refuse } from '../../core/math/require.js'

/**
 * What an option holds, and so how it is saved, see `LeafKind`. "By name" means by its name in `references`;
 * a value without a name there is refused. `[kind]` is a list. `{ option: kind, … }` is a plain object with
 * these options, each of which may be absent.
 */
export type PresetKind = LeafKind | readonly [PresetKind] | PresetOptions

/** The options of a class, and what each holds. */
export interface PresetOptions {
  readonly [option: string]: PresetKind
}

/** How options are read and an instance is made, for a class whose fields are not named as its options. */
export interface PresetMaking<T, O> {
  /** Reads the options; undefined ones are left out. Default the fields of the same names. */
  readonly read?: (instance: T) => object
  /** Makes an instance. Default `new` with all options in one object. */
  readonly make?: (options: O) => T
}

/** A class, and how its instances are saved and loaded. */
export interface PresetType {
  /** Name of the class in presets. It is independent of the class's own name, which a minifier changes. */
  readonly name: string
  readonly type: Maker
  readonly options: PresetOptions
  readonly read: (instance: object) => object
  readonly make: (options: Readonly<Record<string, unknown>>) => object
}

/** Any class. */
export type Maker = new (...args: never[]) => object

/** The options object that a constructor takes. */
type ConstructorOptions<C extends Maker> = C extends new (options: infer O) => object ? NonNullable<O> : never

type Kinds<O> = { readonly [K in keyof O]-?: PresetKind }

/** A kind for each option; each option must also be a field of the instance. */
type Fields<C extends Maker> = {
  readonly [K in keyof ConstructorOptions<C>]-?: K extends keyof InstanceType<C> ? PresetKind : never
}

/** A class with a table of its options. */
type Tabled = Maker & { readonly options: OptionTables }

/**
 * Registers a class for presets. A class with a table of its options needs nothing more:
 * `presetType('Shiver', Shiver)`, see `readOptions`. For one without a table, give the kind of each option:
 * `presetType('Shiver', Shiver, { strength: 'number', target: 'point' })`; TypeScript reports an option that
 * is missing. The constructor takes one object with these options, and its instances have fields of the same
 * names. For any other class give `making`. In `savePreset` and `loadPreset` use the result as
 * `types: [...PRESET_TYPES, presetType(…)]`.
 * @throws TypeError for a missing name, a missing class, an unknown kind, or an option named `type`, `id`,
 * `ref` or `same`.
 */
export function presetType(name: string, type: Tabled): PresetType
export function presetType<C extends Tabled, O = ConstructorOptions<C>>(
  name: string,
  type: C,
  options: null,
  making: PresetMaking<InstanceType<C>, O>,
): PresetType
export function presetType<C extends Maker>(name: string, type: C, options: Fields<C>): PresetType
export function presetType<C extends Maker, O = ConstructorOptions<C>>(
  name: string,
  type: C,
  options: Kinds<NoInfer<O>>,
  making: PresetMaking<InstanceType<C>, O>,
): PresetType
export function presetType(
  name: string,
  type: Maker & { readonly options?: OptionTables },
  options?: object | null,
  { read, make }: PresetMaking<object, never> = {},
): PresetType {
  if (typeof name !== 'string' || name === '')
    throw new TypeError(`presetType: name: got ${describe(name)}, must be a string`)
  if (typeof type !== 'function') refuse(`presetType '${name}': type`, type, 'must be a class')
  const kinds = (options ?? kindsOf(oneTable(type.options ?? {}))) as PresetOptions
  requireKind(`presetType '${name}'`, kinds)
  const keys = Object.keys(kinds)
  return {
    name,
    type,
    options: kinds,
    read: read ?? ((instance) => fieldsOf(instance, keys)),
    make: (make as PresetType['make'] | undefined) ?? ((values) => new type(values as never)),
  }
}

/** Registers classes with tables of their options, by their names. */
export function presetTypes(classes: Readonly<Record<string, Tabled>>): PresetType[] {
  return Object.entries(classes).map(([name, type]) => presetType(name, type))
}

function kindsOf(table: AnyTable): PresetOptions {
  const kinds: Record<string, PresetKind> = {}
  for (const [key, { kind, options }] of Object.entries(table))
    if (kind !== 'shorthand')
      kinds[key] = options === undefined ? (kind as PresetKind) : kindsOf(oneTable(options))
  return kinds
}

/** @throws TypeError when `kind` is not a kind. */
function requireKind(context: string, kind: PresetKind): void {
  if (typeof kind === 'string') {
    const plain: readonly string[] = PLAIN_KINDS
    if (!plain.includes(kind.replace(/\?$/, '')))
      throw new TypeError(`${context}: got '${kind}', must be one of '${PLAIN_KINDS.join("', '")}'`)
  } else if (isList(kind)) requireKind(`${context}[]`, kind[0])
  else if (typeof kind === 'object' && kind !== null)
    for (const [key, each] of Object.entries(kind)) {
      if (RESERVED.includes(key))
        throw new TypeError(`${context}: got an option '${key}', must not be named ${RESERVED.join(', ')}`)
      requireKind(`${context}.${key}`, each)
    }
  else refuse(context, kind, 'must be the kind of an option')
}

export function isList(kind: PresetKind): kind is readonly [PresetKind] {
  return Array.isArray(kind)
}

/** The values that a part may have beside its behaviour, with their defaults, which are not saved. */
export const PARTS: Readonly<Record<string, Readonly<Record<string, number | boolean>>>> = {
  part: { enabled: true },
  weighted: { weight: 1, fade: 0, enabled: true },
  likely: { probability: 1, enabled: true },
}

function fieldsOf(instance: object, keys: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const key of keys) fields[key] = (instance as Record<string, unknown>)[key]
  return fields
}

/**
 * Finds types by name and by class. A class may be registered under several names: the first is saved, all
 * are read. So a type can be renamed.
 */
export class Registry {
  readonly byName = new Map<unknown, PresetType>()
  readonly byClass = new Map<unknown, PresetType>()

  /** @throws TypeError when `types` is not an array of types, or two types have the same name. */
  constructor(context: string, types: readonly PresetType[]) {
    if (!Array.isArray(types)) refuse(`${context}: types`, types, 'must be an array of what presetType makes')
    for (const each of types as PresetType[]) {
      if (typeof each?.make !== 'function') refuse(`${context}: types`, each, 'must be what presetType makes')
      if (this.byName.has(each.name))
        throw new TypeError(`${context}: types: got two named '${each.name}', must have different names`)
      this.byName.set(each.name, each)
      if (!this.byClass.has(each.type)) this.byClass.set(each.type, each)
    }
  }
}
