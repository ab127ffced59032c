import type { Behavior } from '../../core/types.js'
import { describe, isNode, numberFromJson, VERSION, type Preset, type PresetNode } from './format.js'
import { isList, PARTS, Registry } from './preset-type.js'
import type { PresetKind, PresetOptions, PresetType } from './preset-type.js'
import { findReference, requireReferences } from './references.js'
import { PRESET_TYPES } from './types.js'
import { requireObject } from '../../core/math/require.js'

export interface LoadPresetOptions {
  /** Objects that the preset refers to by name, as in `savePreset`. Default none. */
  references?: Readonly<Record<string, object>>
  /** Classes that the preset may contain, see `presetType`. Default `PRESET_TYPES`, the package's own. */
  types?: readonly PresetType[]
}

/**
 * Makes a new tree of behaviours from what `savePreset` wrote:
 * `loadPreset(JSON.parse(text), { references: { player } })`. The tree has no memory of any agent. Every
 * option is checked as if it were given to the constructor. An error anywhere means that no tree is returned.
 *
 * @throws TypeError / RangeError with the place in the preset, for: a type that is not registered, an option
 * that the type does not have, a name that is not in `references`, a value of the wrong kind, an option that
 * a constructor refuses, an object that contains itself. RangeError for another version, for more than 20,000
 * parts (shared parts counted at each use) and for more than 300 levels.
 */
export function loadPreset(preset: unknown, options: LoadPresetOptions = {}): Behavior {
  const { references = {}, types = PRESET_TYPES } = requireObject('loadPreset.options', options)
  if (!isNode(preset) || preset['type'] !== 'steering-preset')
    throw new TypeError(`loadPreset: got ${describe(preset)}, must be an object of type 'steering-preset'`)
  const { version, root, ...others } = preset as Partial<Preset>
  if (version !== VERSION)
    throw new RangeError(`loadPreset: version: got ${describe(version)}, must be ${VERSION}`)
  const other = Object.keys(others).find((key) => key !== 'type')
  if (other !== undefined) refuse(other, preset[other], 'is not a key of a preset')
  requireReferences('loadPreset', references)
  const loader = new Loader(new Registry('loadPreset', types), references)
  const behavior = loader.load('instance', root, 'root') as Behavior
  return typeof behavior.steer === 'function' ? behavior : refuse('root', behavior, 'must be a behaviour')
}

// The numbers below are chosen by hand unless they say otherwise.

/** Most parts of a preset. A shared part counts at each use, because it is called at each use in a step. */
const MAX_PARTS = 20_000

/** Most nested objects and arrays. A behaviour that is part of another takes three levels. */
const MAX_DEPTH = 300

class Loader {
  private parts = 0
  /** Number of parts in each object that has an id, including all parts nested in it. */
  private readonly partsOf = new Map<unknown, number>()
  private readonly registry: Registry
  private readonly references: Readonly<Record<string, object>>
  private readonly byId = new Map<unknown, unknown>()
  /** The objects and arrays of the preset that are being read now. One that is met again contains itself. */
  private readonly open = new Set<unknown>()

  constructor(registry: Registry, references: Readonly<Record<string, object>>) {
    this.registry = registry
    this.references = references
  }

  /** Makes a value of a kind. `location` is its place in the preset, for error messages. */
  load(kind: PresetKind, data: unknown, location: string): unknown {
    if (isList(kind)) return this.list(kind[0], data, location)
    if (typeof kind === 'object')
      return this.shared(data, location, (node) => this.options(kind, node, location))
    switch (kind.replace('?', '')) {
      case 'number':
        return numberFromJson(data) ?? refuse(location, data, 'must be a number')
      case 'boolean':
        return typeof data === 'boolean' ? data : refuse(location, data, 'must be true or false')
      case 'text':
        return typeof data === 'string' ? data : refuse(location, data, 'must be a string')
      case 'side':
        return typeof data === 'string' ? data : this.vector(data, 'xyz', location)
      case 'vector':
      case 'point':
        return this.vector(data, 'xyz', location)
      case 'quaternion':
        return this.vector(data, 'xyzw', location)
      case 'waypoint':
        return this.load({ position: 'vector', heading: 'vector' }, data, location)
      case 'instance':
        return this.instance(data, location)
      case 'instances':
        return this.instances(data, location)
      case 'data':
        return this.data(data, location)
      case 'named':
        return this.shared(data, location, () => refuse(location, data, 'must be a name: { ref }'))
      case 'function': {
        const named = this.load('named', data, location)
        return typeof named === 'function' ? named : refuse(location, data, 'must be the name of a function')
      }
      default:
        return this.part(PARTS[kind]!, data, location)
    }
  }

  private list(kind: PresetKind, data: unknown, location: string): unknown[] {
    if (!Array.isArray(data)) return refuse(location, data, 'must be an array')
    return this.within(data, location, () =>
      data.map((each, i) => this.load(kind, each, `${location}[${i}]`)),
    )
  }

  private vector(data: unknown, axes: string, location: string): unknown {
    return this.shared(data, location, (node) => {
      const vector = this.options(
        Object.fromEntries(Array.from(axes, (axis) => [axis, 'number'])),
        node,
        location,
      )
      for (const axis of axes)
        if (vector[axis] === undefined) refuse(`${location}.${axis}`, undefined, 'must be a number')
      return vector
    })
  }

  private instance(data: unknown, location: string): unknown {
    return this.shared(data, location, (node) => {
      const type = this.registry.byName.get(node['type'])
      if (type === undefined)
        throw new TypeError(
          `loadPreset: ${location}.type: got ${describe(node['type'])}, which is not a registered type: add it to types`,
        )
      const options = this.options(type.options, node, location, 'type')
      try {
        return type.make(options)
      } catch (error) {
        const text = `loadPreset: ${location}: ${error instanceof Error ? error.message : String(error)}`
        throw error instanceof RangeError
          ? new RangeError(text, { cause: error })
          : new TypeError(text, { cause: error })
      }
    })
  }

  private instances(data: unknown, location: string): Record<string, unknown> {
    if (!isNode(data)) return refuse(location, data, 'must be an object')
    return this.within(data, location, () =>
      Object.fromEntries(
        Object.entries(data).map(([key, each]) => [key, this.instance(each, `${location}.${key}`)]),
      ),
    )
  }

  private part(values: Readonly<Record<string, unknown>>, data: unknown, location: string): unknown {
    if (!isNode(data) || !('behavior' in data) || 'type' in data) return this.instance(data, location)
    const kinds = Object.entries(values).map(([key, value]): [string, PresetKind] => [
      key,
      typeof value as 'number',
    ])
    return this.within(data, location, () =>
      this.options({ behavior: 'instance', ...Object.fromEntries(kinds) }, data, location),
    )
  }

  /** Reads the options, and refuses a key that is not an option. */
  private options(
    kinds: PresetOptions,
    node: PresetNode,
    location: string,
    extraKey?: string,
  ): Record<string, unknown> {
    const options: Record<string, unknown> = {}
    for (const key of Object.keys(node))
      if (key !== 'id' && key !== extraKey && !Object.hasOwn(kinds, key))
        refuse(
          `${location}.${key}`,
          node[key],
          `is not an option here: allowed are ${Object.keys(kinds).join(', ') || 'none'}`,
        )
    for (const [key, kind] of Object.entries(kinds)) {
      if (!Object.hasOwn(node, key)) continue
      const isNull = node[key] === null && String(kind).endsWith('?')
      options[key] = isNull ? null : this.load(kind, node[key], `${location}.${key}`)
    }
    return options
  }

  /** Looks up an object that has a name or was read before. Any other object is made. */
  private shared(data: unknown, location: string, make: (node: PresetNode) => unknown): unknown {
    if (!isNode(data)) return refuse(location, data, 'must be an object')
    if ('ref' in data) return this.named(data, location)
    if ('same' in data) return this.earlier(data, location)
    const partsBefore = this.parts
    this.count(1, location)
    const made = this.within(data, location, () => make(data))
    if (!('id' in data)) return made
    const id = data['id']
    if (typeof id !== 'number' || this.byId.has(id))
      refuse(`${location}.id`, id, 'must be a number that no other object has')
    this.byId.set(id, made)
    this.partsOf.set(id, this.parts - partsBefore)
    return made
  }

  private named(data: PresetNode, location: string): object {
    const { ref, ...others } = data
    if (typeof ref !== 'string') return refuse(`${location}.ref`, ref, 'must be a string')
    requireAlone(others, location, 'ref')
    return (
      findReference(this.references, ref) ?? refuse(`${location}.ref`, ref, 'must be a name in references')
    )
  }

  private earlier(data: PresetNode, location: string): unknown {
    const { same, ...others } = data
    requireAlone(others, location, 'same')
    this.count(this.partsOf.get(same) ?? 0, location)
    return (
      this.byId.get(same) ??
      refuse(`${location}.same`, same, 'must be the id of an earlier object that is complete')
    )
  }

  private data(data: unknown, location: string): unknown {
    if (data === null || typeof data !== 'object') return data
    return this.within(data, location, () => {
      if (Array.isArray(data)) return data.map((each, i) => this.data(each, `${location}[${i}]`))
      const entries = Object.entries(data)
      const number = entries.length === 1 && entries[0]![0] === 'number' && typeof entries[0]![1] === 'string'
      if (number) return this.load('number', entries[0]![1], `${location}.number`)
      return Object.fromEntries(entries.map(([key, each]) => [key, this.data(each, `${location}.${key}`)]))
    })
  }

  private count(added: number, location: string): void {
    this.parts += added
    if (this.parts > MAX_PARTS)
      throw new RangeError(
        `loadPreset: ${location.slice(0, 80)}: got more than ${MAX_PARTS} parts, with shared parts counted at each use`,
      )
  }

  /** Reads an object, and refuses one that contains itself. */
  private within<T>(data: unknown, location: string, read: () => T): T {
    if (this.open.has(data))
      throw new TypeError(`loadPreset: ${location}: got ${describe(data)}, must not contain itself`)
    if (this.open.size >= MAX_DEPTH)
      throw new RangeError(`loadPreset: ${location.slice(0, 80)}…: is more than ${MAX_DEPTH} levels deep`)
    this.open.add(data)
    const made = read()
    this.open.delete(data)
    return made
  }
}

function requireAlone(others: PresetNode, location: string, key: string): void {
  const [other] = Object.keys(others)
  if (other !== undefined) refuse(`${location}.${other}`, others[other], `must not be beside ${key}`)
}

function refuse(location: string, value: unknown, text: string): never {
  throw new TypeError(`loadPreset: ${location}: got ${describe(value)}, ${text}`)
}
