import type { Behavior } from '../types.js'
import { describe, isNode, numberFromJson, VERSION, type Preset, type PresetNode } from './format.js'
import { isList, PARTS, Registry } from './preset-type.js'
import type { PresetKind, PresetOptions, PresetType } from './preset-type.js'
import { findReference, requireReferences } from './references.js'
import { PRESET_TYPES } from './types.js'

export interface LoadPresetOptions {
  /** What stands by its name in the preset, as in `savePreset`. Default nothing. */
  references?: Readonly<Record<string, object>>
  /** All classes that may be in the preset, see `presetType`. Default `PRESET_TYPES`, those of this package. */
  types?: readonly PresetType[]
}

/**
 * Makes the tree of behaviours that `savePreset` wrote, anew: `loadPreset(JSON.parse(text), { references: { player } })`. Its agents have nothing in
 * mind yet. Every option is checked as if it were given to the constructor; where anything is wrong there is no tree at all.
 *
 * @throws TypeError / RangeError with the place in the preset: for a type that is not registered, an option that the type does not know, a name
 * that is not in `references`, a value of the wrong kind, what a constructor refuses, and what is inside of itself; RangeError for another version, for more than
 * 20,000 parts (what is shared counted as often as it is used) and for more than 300 levels.
 */
export function loadPreset(
  preset: unknown,
  { references = {}, types = PRESET_TYPES }: LoadPresetOptions = {},
): Behavior {
  if (!isNode(preset) || preset['type'] !== 'steering-preset')
    throw new TypeError(`loadPreset: got ${describe(preset)}, must be an object of type 'steering-preset'`)
  const { version, root, ...others } = preset as Partial<Preset>
  if (version !== VERSION)
    throw new RangeError(`loadPreset: version: got ${describe(version)}, must be ${VERSION}`)
  const other = Object.keys(others).find((key) => key !== 'type')
  if (other !== undefined) refuse(other, preset[other], 'must not be there')
  requireReferences('loadPreset', references)
  const loader = new Loader(new Registry('loadPreset', types), references)
  const behavior = loader.load('instance', root, 'root') as Behavior
  return typeof behavior.steer === 'function' ? behavior : refuse('root', behavior, 'must be a behaviour')
}

/** Things in a preset at most, what is shared counted as often as it is used: so often is it asked in a step. */
const MOST_PARTS = 20_000

/** Objects and arrays within each other at most: three for each behaviour that is part of another. */
const MOST_DEPTH = 300

class Loader {
  private parts = 0
  /** Parts in what has an id, all that is in it included. */
  private readonly partsOf = new Map<unknown, number>()
  private readonly registry: Registry
  private readonly references: Readonly<Record<string, object>>
  private readonly known = new Map<unknown, unknown>()
  /** The objects of the preset that are being read. */
  private readonly open = new Set<unknown>()

  constructor(registry: Registry, references: Readonly<Record<string, object>>) {
    this.registry = registry
    this.references = references
  }

  /** Makes what is of this kind. `at` is its place in the preset. */
  load(kind: PresetKind, data: unknown, at: string): unknown {
    if (isList(kind)) return this.list(kind[0], data, at)
    if (typeof kind === 'object') return this.shared(data, at, (node) => this.options(kind, node, at))
    switch (kind.replace('?', '')) {
      case 'number':
        return numberFromJson(data) ?? refuse(at, data, 'must be a number')
      case 'boolean':
        return typeof data === 'boolean' ? data : refuse(at, data, 'must be true or false')
      case 'text':
        return typeof data === 'string' ? data : refuse(at, data, 'must be a text')
      case 'side':
        return typeof data === 'string' ? data : this.vector(data, 'xyz', at)
      case 'vector':
      case 'point':
        return this.vector(data, 'xyz', at)
      case 'quaternion':
        return this.vector(data, 'xyzw', at)
      case 'waypoint':
        return this.load({ position: 'vector', heading: 'vector' }, data, at)
      case 'instance':
        return this.instance(data, at)
      case 'instances':
        return this.instances(data, at)
      case 'data':
        return this.data(data, at)
      case 'named':
        return this.shared(data, at, () => refuse(at, data, 'must be a name: { ref }'))
      case 'function': {
        const named = this.load('named', data, at)
        return typeof named === 'function' ? named : refuse(at, data, 'must be the name of a function')
      }
      default:
        return this.part(PARTS[kind]!, data, at)
    }
  }

  private list(kind: PresetKind, data: unknown, at: string): unknown[] {
    if (!Array.isArray(data)) return refuse(at, data, 'must be an array')
    return this.within(data, at, () => data.map((each, i) => this.load(kind, each, `${at}[${i}]`)))
  }

  private vector(data: unknown, axes: string, at: string): unknown {
    return this.shared(data, at, (node) => {
      const vector = this.options(Object.fromEntries(Array.from(axes, (axis) => [axis, 'number'])), node, at)
      for (const axis of axes)
        if (vector[axis] === undefined) refuse(`${at}.${axis}`, undefined, 'must be a number')
      return vector
    })
  }

  private instance(data: unknown, at: string): unknown {
    return this.shared(data, at, (node) => {
      const type = this.registry.named.get(node['type'])
      if (type === undefined)
        throw new TypeError(
          `loadPreset: ${at}.type: got ${describe(node['type'])}, which is no registered type: add it to types`,
        )
      const options = this.options(type.options, node, at, 'type')
      try {
        return type.make(options)
      } catch (error) {
        const text = `loadPreset: ${at}: ${error instanceof Error ? error.message : String(error)}`
        throw error instanceof RangeError
          ? new RangeError(text, { cause: error })
          : new TypeError(text, { cause: error })
      }
    })
  }

  private instances(data: unknown, at: string): Record<string, unknown> {
    if (!isNode(data)) return refuse(at, data, 'must be an object')
    return this.within(data, at, () =>
      Object.fromEntries(
        Object.entries(data).map(([key, each]) => [key, this.instance(each, `${at}.${key}`)]),
      ),
    )
  }

  private part(values: Readonly<Record<string, unknown>>, data: unknown, at: string): unknown {
    if (!isNode(data) || !('behavior' in data) || 'type' in data) return this.instance(data, at)
    const kinds = Object.entries(values).map(([key, value]): [string, PresetKind] => [
      key,
      typeof value as 'number',
    ])
    return this.within(data, at, () =>
      this.options({ behavior: 'instance', ...Object.fromEntries(kinds) }, data, at),
    )
  }

  /** Reads the options, and lets nothing pass that is none. */
  private options(
    kinds: PresetOptions,
    node: PresetNode,
    at: string,
    more?: string,
  ): Record<string, unknown> {
    const options: Record<string, unknown> = {}
    for (const key of Object.keys(node))
      if (key !== 'id' && key !== more && !Object.hasOwn(kinds, key))
        refuse(
          `${at}.${key}`,
          node[key],
          `must not be there: allowed are ${Object.keys(kinds).join(', ') || 'none'}`,
        )
    for (const [key, kind] of Object.entries(kinds)) {
      if (!Object.hasOwn(node, key)) continue
      const nothing = node[key] === null && String(kind).endsWith('?')
      options[key] = nothing ? null : this.load(kind, node[key], `${at}.${key}`)
    }
    return options
  }

  /** What has a name, or was there before, is looked up; else it is made. */
  private shared(data: unknown, at: string, make: (node: PresetNode) => unknown): unknown {
    if (!isNode(data)) return refuse(at, data, 'must be an object')
    if ('ref' in data) return this.named(data, at)
    if ('same' in data) return this.before(data, at)
    const before = this.parts
    this.count(1, at)
    const made = this.within(data, at, () => make(data))
    if (!('id' in data)) return made
    const id = data['id']
    if (typeof id !== 'number' || this.known.has(id))
      refuse(`${at}.id`, id, 'must be a number that nothing else has')
    this.known.set(id, made)
    this.partsOf.set(id, this.parts - before)
    return made
  }

  private named(data: PresetNode, at: string): object {
    const { ref, ...others } = data
    if (typeof ref !== 'string') return refuse(`${at}.ref`, ref, 'must be a text')
    requireAlone(others, at, 'ref')
    return (
      findReference(this.references, ref) ?? refuse(`${at}.ref`, ref, 'must be in references, and is not')
    )
  }

  private before(data: PresetNode, at: string): unknown {
    const { same, ...others } = data
    requireAlone(others, at, 'same')
    this.count(this.partsOf.get(same) ?? 0, at)
    return (
      this.known.get(same) ??
      refuse(`${at}.same`, same, 'must be the id of something earlier that is complete')
    )
  }

  private data(data: unknown, at: string): unknown {
    if (data === null || typeof data !== 'object') return data
    return this.within(data, at, () => {
      if (Array.isArray(data)) return data.map((each, i) => this.data(each, `${at}[${i}]`))
      const entries = Object.entries(data)
      const number = entries.length === 1 && entries[0]![0] === 'number' && typeof entries[0]![1] === 'string'
      if (number) return this.load('number', entries[0]![1], `${at}.number`)
      return Object.fromEntries(entries.map(([key, each]) => [key, this.data(each, `${at}.${key}`)]))
    })
  }

  private count(more: number, at: string): void {
    this.parts += more
    if (this.parts > MOST_PARTS)
      throw new RangeError(
        `loadPreset: ${at.slice(0, 80)}: got more than ${MOST_PARTS} parts, what is shared counted as often as it is used`,
      )
  }

  /** Reads an object, and refuses one that is inside of itself. */
  private within<T>(data: unknown, at: string, read: () => T): T {
    if (this.open.has(data))
      throw new TypeError(`loadPreset: ${at}: got ${describe(data)} that is inside of itself, must not be`)
    if (this.open.size >= MOST_DEPTH)
      throw new RangeError(`loadPreset: ${at.slice(0, 80)}…: is more than ${MOST_DEPTH} levels deep`)
    this.open.add(data)
    const made = read()
    this.open.delete(data)
    return made
  }
}

function requireAlone(others: PresetNode, at: string, key: string): void {
  const [other] = Object.keys(others)
  if (other !== undefined) refuse(`${at}.${other}`, others[other], `must not be beside ${key}`)
}

function refuse(at: string, value: unknown, text: string): never {
  throw new TypeError(`loadPreset: ${at}: got ${describe(value)}, ${text}`)
}
