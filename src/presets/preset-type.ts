import { describe, RESERVED } from './format.js'

/**
 * What an option holds, and so how it is saved. By name means: as the name it has in `references`; what has none there is refused.
 * - `number`, `boolean`, `text`: numbers that JSON does not know (Infinity, NaN, −0) survive.
 * - `vector`, `quaternion`: by name, or by value whatever its class.
 * - `point`: a vector; a thing with a position, or a function, by name.
 * - `waypoint`: `{ position, heading }` by value; a thing that moves or has an attitude, or a function, by name.
 * - `side`: a word or a vector.
 * - `named`: anything, by name only: things that move, formations, ports.
 * - `function`: by name only.
 * - `instance`: an object of a registered class, or by name.
 * - `instances`: such objects under names of their own: `{ patrol, chase }`.
 * - `part`, `weighted`, `likely`: a behaviour, or one with `enabled`; and `weight`, `fade`; and `probability`.
 * - `data`: plain JSON, by value: numbers, texts, arrays, objects, vectors.
 * - `[kind]`: a list. `{ option: kind, … }`: a plain object with these options, each of which may be absent.
 */
export type PresetKind = Leaf | readonly [PresetKind] | PresetOptions

/** With a question mark null is allowed, too, and kept; else null is as good as absent. */
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

/** How instances are read and made, where that is not by options of the same names. */
export interface PresetMaking<T, O> {
  /** Reads the options back. Undefined ones are absent. Default the fields of the same names. */
  readonly read?: (instance: T) => object
  /** Default `new` with all options in one object. */
  readonly make?: (options: O) => T
}

/** A class, and how it is saved and made anew. */
export interface PresetType {
  /** What it is called in presets. Not the name of the class, which a minifier changes. */
  readonly name: string
  readonly type: Maker
  readonly options: PresetOptions
  readonly read: (instance: object) => object
  readonly make: (options: Readonly<Record<string, unknown>>) => object
}

/** Any class. */
export type Maker = new (...args: never[]) => object

/** What its constructor takes. */
type Given<C extends Maker> = C extends new (options: infer O) => object ? NonNullable<O> : never

/** A kind for each of the options. */
type Kinds<O> = { readonly [K in keyof O]-?: PresetKind }

/** Each of them must be a field, too. */
type Fields<C extends Maker> = {
  readonly [K in keyof Given<C>]-?: K extends keyof InstanceType<C> ? PresetKind : never
}

/**
 * Tells presets of a class: `presetType('Shiver', Shiver, { strength: 'number', target: 'point' })`. Its constructor takes one object with
 * these options and its instances have fields of the same names; all else is told by `making`. TypeScript sees to it that none is forgotten. Use it as
 * `types: [...PRESET_TYPES, presetType(…)]` in `savePreset` and `loadPreset`.
 * @throws TypeError for no name, no class, or an option that is of no kind or is called `type`, `id`, `ref` or `same`.
 */
export function presetType<C extends Maker>(name: string, type: C, options: Fields<C>): PresetType
export function presetType<C extends Maker, O = Given<C>>(
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
    throw new TypeError(`presetType: name: got ${describe(name)}, must be a text`)
  if (typeof type !== 'function')
    throw new TypeError(`presetType '${name}': type: got ${String(type)}, must be a class`)
  requireKind(`presetType '${name}'`, options as PresetOptions)
  const keys = Object.keys(options)
  return {
    name,
    type,
    options: options as PresetOptions,
    read: read ?? ((instance) => fieldsOf(instance, keys)),
    make: (make as PresetType['make'] | undefined) ?? ((given) => new type(given as never)),
  }
}

/** @throws TypeError for what is no kind. */
function requireKind(what: string, kind: PresetKind): void {
  if (typeof kind === 'string') {
    const plain: readonly string[] = PLAIN
    if (!plain.includes(kind.replace(/\?$/, '')))
      throw new TypeError(`${what}: got '${kind}', allowed are '${PLAIN.join("', '")}'`)
  } else if (isList(kind)) requireKind(`${what}[]`, kind[0])
  else if (typeof kind === 'object' && kind !== null)
    for (const [key, each] of Object.entries(kind)) {
      if (RESERVED.includes(key))
        throw new TypeError(`${what}: got an option '${key}', must not be called ${RESERVED.join(', ')}`)
      requireKind(`${what}.${key}`, each)
    }
  else throw new TypeError(`${what}: got ${String(kind)}, must be the kind of an option`)
}

export function isList(kind: PresetKind): kind is readonly [PresetKind] {
  return Array.isArray(kind)
}

/** The values that a part may have beside its behaviour, and those that need not be told. */
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

/** Finds types by name and by class. Of a class with several names the first is saved, and all are read: so types can be renamed. */
export class Registry {
  readonly named = new Map<unknown, PresetType>()
  readonly made = new Map<unknown, PresetType>()

  /** @throws TypeError for what is no list of types, or two that are called the same. */
  constructor(what: string, types: readonly PresetType[]) {
    if (!Array.isArray(types))
      throw new TypeError(`${what}: types: got ${String(types)}, must be an array of what presetType makes`)
    for (const each of types as PresetType[]) {
      if (typeof each?.make !== 'function')
        throw new TypeError(`${what}: types: got ${String(each)}, must be what presetType makes`)
      if (this.named.has(each.name))
        throw new TypeError(`${what}: types: got two called '${each.name}', must have names of their own`)
      this.named.set(each.name, each)
      if (!this.made.has(each.type)) this.made.set(each.type, each)
    }
  }
}
