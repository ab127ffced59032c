import { describe, RESERVED } from './format.js'

/**
 * What an option holds, and so how it is saved. "By name" means by its name in `references`; a value without
 * a name there is refused.
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
 * - `[kind]`: a list. `{ option: kind, … }`: a plain object with these options, each of which may be absent.
 */
export type PresetKind = Leaf | readonly [PresetKind] | PresetOptions

/** With a question mark, null is allowed and saved. Without one, null counts as absent. */
type Leaf = Plain | `${Plain}?`

type Plain = (typeof PLAIN)[number]

const PLAIN = [
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

/** The options of a class, and what each holds. */
export interface PresetOptions {
  readonly [option: string]: PresetKind
}

/**
 * How the options of an instance are read and how an instance is made. Needed when the fields of a class are
 * not named as its options.
 */
export interface PresetMaking<T, O> {
  /**
   * Reads the options of an instance. Undefined options are left out. Default the fields of the same names.
   */
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

/** A kind for each option. */
type Kinds<O> = { readonly [K in keyof O]-?: PresetKind }

/** A kind for each option; each option must also be a field of the instance. */
type Fields<C extends Maker> = {
  readonly [K in keyof ConstructorOptions<C>]-?: K extends keyof InstanceType<C> ? PresetKind : never
}

/**
 * Registers a class for presets: `presetType('Shiver', Shiver, { strength: 'number', target: 'point' })`. The
 * constructor takes one object with these options, and its instances have fields of the same names. For any
 * other class give `making`. TypeScript reports an option that is missing here. In `savePreset` and
 * `loadPreset` use the result as `types: [...PRESET_TYPES, presetType(…)]`.
 * @throws TypeError for a missing name, a missing class, an unknown kind, or an option named `type`, `id`,
 * `ref` or `same`.
 */
export function presetType<C extends Maker>(name: string, type: C, options: Fields<C>): PresetType
export function presetType<C extends Maker, O = ConstructorOptions<C>>(
  name: string,
  type: C,
  options: Kinds<NoInfer<O>>,
  making: PresetMaking<InstanceType<C>, O>,
): PresetType
export function presetType(
  name: string,
  type: Maker,
  options: object,
  { read, make }: PresetMaking<object, never> = {},
): PresetType {
  if (typeof name !== 'string' || name === '')
    throw new TypeError(`presetType: name: got ${describe(name)}, must be a string`)
  if (typeof type !== 'function')
    throw new TypeError(`presetType '${name}': type: got ${String(type)}, must be a class`)
  requireKind(`presetType '${name}'`, options as PresetOptions)
  const keys = Object.keys(options)
  return {
    name,
    type,
    options: options as PresetOptions,
    read: read ?? ((instance) => fieldsOf(instance, keys)),
    make: (make as PresetType['make'] | undefined) ?? ((values) => new type(values as never)),
  }
}

/** @throws TypeError when `kind` is not a kind. */
function requireKind(context: string, kind: PresetKind): void {
  if (typeof kind === 'string') {
    const plain: readonly string[] = PLAIN
    if (!plain.includes(kind.replace(/\?$/, '')))
      throw new TypeError(`${context}: got '${kind}', must be one of '${PLAIN.join("', '")}'`)
  } else if (isList(kind)) requireKind(`${context}[]`, kind[0])
  else if (typeof kind === 'object' && kind !== null)
    for (const [key, each] of Object.entries(kind)) {
      if (RESERVED.includes(key))
        throw new TypeError(`${context}: got an option '${key}', must not be named ${RESERVED.join(', ')}`)
      requireKind(`${context}.${key}`, each)
    }
  else throw new TypeError(`${context}: got ${String(kind)}, must be the kind of an option`)
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
    if (!Array.isArray(types))
      throw new TypeError(
        `${context}: types: got ${String(types)}, must be an array of what presetType makes`,
      )
    for (const each of types as PresetType[]) {
      if (typeof each?.make !== 'function')
        throw new TypeError(`${context}: types: got ${String(each)}, must be what presetType makes`)
      if (this.byName.has(each.name))
        throw new TypeError(`${context}: types: got two named '${each.name}', must have different names`)
      this.byName.set(each.name, each)
      if (!this.byClass.has(each.type)) this.byClass.set(each.type, each)
    }
  }
}
