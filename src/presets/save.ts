import type { Behavior } from '../types.js'
import { requireBehavior } from '../math/require.js'
import { classOf, describe, isVector, numberToJson, VERSION } from './format.js'
import type { Preset, PresetNode, PresetValue } from './format.js'
import { isList, PARTS, Registry } from './preset-type.js'
import type { PresetKind, PresetOptions, PresetType } from './preset-type.js'
import { nameReferences } from './references.js'
import { PRESET_TYPES } from './types.js'

export interface SavePresetOptions {
  /**
   * What is not saved, but stands by its name: targets, controllers, formations, ports, functions, paths and obstacles that others share. It is
   * recognised as the object that it is; `player` also names `player.position`. Default nothing.
   */
  references?: Readonly<Record<string, object>>
  /** All classes that may be saved, see `presetType`. Default `PRESET_TYPES`, those of this package. */
  types?: readonly PresetType[]
}

type Fields = Readonly<Record<string, unknown>>

/** An object as it is saved. While its own parts are being saved it is open. */
interface Saved {
  readonly node: { [key: string]: PresetValue }
  open: boolean
}

/**
 * Saves a tree of behaviours, with all options as they are now, as plain data for `JSON.stringify`. What agents have in mind (a draw, a
 * stage, a lap) is no part of it. What is in the tree twice is once in the preset. A point is saved as the place where it is, even if it moves: name in
 * `references` what is to be followed.
 *
 * @throws TypeError with the place in the tree for what has no registered type, for what cannot be saved by value and has no name, and for a
 * behaviour inside of itself.
 */
export function savePreset(
  behavior: Behavior,
  { references = {}, types = PRESET_TYPES }: SavePresetOptions = {},
): Preset {
  requireBehavior('savePreset', behavior)
  const saver = new Saver(new Registry('savePreset', types), nameReferences('savePreset', references))
  return {
    type: 'steering-preset',
    version: VERSION,
    root: saver.save('instance', behavior, 'root') as PresetNode,
  }
}

class Saver {
  private readonly registry: Registry
  private readonly names: ReadonlyMap<unknown, string>
  private readonly seen = new Map<unknown, Saved>()
  private ids = 0

  constructor(registry: Registry, names: ReadonlyMap<unknown, string>) {
    this.registry = registry
    this.names = names
  }

  /** Saves what is of this kind. `at` is its place in the preset. */
  save(kind: PresetKind, value: unknown, at: string): PresetValue {
    if (isList(kind)) return this.list(kind[0], value, at)
    if (typeof kind === 'object')
      return this.shared(value, at, (node) => this.fill(node, kind, requireObject(value, at), at))
    switch (kind.replace('?', '')) {
      case 'number':
        return typeof value === 'number' ? numberToJson(value) : refuse(at, value, 'must be a number')
      case 'boolean':
        return typeof value === 'boolean' ? value : refuse(at, value, 'must be true or false')
      case 'text':
        return typeof value === 'string' ? value : refuse(at, value, 'must be a text')
      case 'side':
        return typeof value === 'string' ? value : this.vector(value, 'xyz', at)
      case 'vector':
      case 'point':
        return this.vector(value, 'xyz', at)
      case 'quaternion':
        return this.vector(value, 'xyzw', at)
      case 'waypoint':
        return this.waypoint(value, at)
      case 'instance':
        return this.instance(value, at)
      case 'instances':
        return this.instances(requireObject(value, at), at)
      case 'data':
        return dataOf(value, at, [])
      case 'named':
        return this.shared(value, at, () => needName(at, value))
      case 'function':
        return typeof value === 'function'
          ? this.shared(value, at, () => needName(at, value))
          : refuse(at, value, 'must be a function')
      default:
        return this.part(PARTS[kind]!, requireObject(value, at), at)
    }
  }

  private list(kind: PresetKind, value: unknown, at: string): PresetValue {
    if (!Array.isArray(value)) return refuse(at, value, 'must be an array')
    return value.map((each, i) => this.save(kind, each, `${at}[${i}]`))
  }

  private vector(value: unknown, axes: string, at: string): PresetValue {
    return this.shared(value, at, (node) => {
      if (!isVector(value)) needName(at, value)
      for (const axis of axes) node[axis] = this.save('number', value[axis as 'x'], `${at}.${axis}`)
    })
  }

  private waypoint(value: unknown, at: string): PresetValue {
    return this.shared(value, at, (node) => {
      const { position, heading, velocity, angularVelocity } = Object(value) as Record<string, unknown>
      if (
        !isVector(position) ||
        !isVector(heading) ||
        velocity !== undefined ||
        angularVelocity !== undefined
      )
        needName(at, value)
      node['position'] = this.vector(position, 'xyz', `${at}.position`)
      node['heading'] = this.vector(heading, 'xyz', `${at}.heading`)
    })
  }

  private instance(value: unknown, at: string): PresetValue {
    return this.shared(value, at, (node) => {
      if (typeof value !== 'object' || value === null) needName(at, value)
      const type = this.registry.made.get(classOf(value))
      if (type === undefined)
        throw new TypeError(
          `savePreset: ${at}: got ${describe(value)}, which is no registered type: add it to types, or give it a name in references`,
        )
      node['type'] = type.name
      this.fill(node, type.options, type.read(value) as Fields, at)
    })
  }

  private instances(value: Fields, at: string): PresetValue {
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, this.instance(each, `${at}.${key}`)]),
    )
  }

  /** A behaviour alone, where there is nothing else to tell. */
  private part(values: Fields, part: Fields, at: string): PresetValue {
    const told = Object.keys(values).filter((key) => (part[key] ?? values[key]) !== values[key])
    if (told.length === 0) return this.instance(part['behavior'], at)
    const node: Record<string, PresetValue> = { behavior: this.instance(part['behavior'], `${at}.behavior`) }
    for (const key of told)
      node[key] = this.save(typeof values[key] as 'number' | 'boolean', part[key], `${at}.${key}`)
    return node
  }

  /** Adds the options. */
  private fill(node: Saved['node'], options: PresetOptions, values: Fields, at: string): void {
    for (const [key, kind] of Object.entries(options)) {
      const value = values[key]
      if (value === null && String(kind).endsWith('?')) node[key] = null
      else if (value !== undefined && value !== null) node[key] = this.save(kind, value, `${at}.${key}`)
    }
  }

  /** What has a name, or has been saved before, is only told; else `write` fills the node. */
  private shared(value: unknown, at: string, write: (node: Saved['node']) => void): PresetNode {
    const name = this.names.get(value)
    if (name !== undefined) return { ref: name }
    const before = this.seen.get(value)
    if (before?.open === true)
      throw new TypeError(`savePreset: ${at}: got ${describe(value)} that is inside of itself, must not be`)
    if (before !== undefined) return { same: (before.node['id'] ??= ++this.ids) }
    const saved: Saved = { node: {}, open: true }
    this.seen.set(value, saved)
    write(saved.node)
    saved.open = false
    return saved.node
  }
}

function requireObject(value: unknown, at: string): Fields {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)
    : refuse(at, value, 'must be an object')
}

/** Plain JSON of what is plain. `open` are the objects that it is in. */
function dataOf(value: unknown, at: string, open: readonly unknown[]): PresetValue {
  if (typeof value === 'number') {
    const json = numberToJson(value)
    return typeof json === 'number' ? json : { number: json }
  }
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (open.includes(value))
    throw new TypeError(`savePreset: ${at}: got ${describe(value)} that is inside of itself, must not be`)
  const inside = [...open, value]
  if (Array.isArray(value)) return value.map((each, i) => dataOf(each, `${at}[${i}]`, inside))
  if (isVector(value))
    return dataFields(
      { x: value.x, y: value.y, z: value.z, ...(value.w !== undefined && { w: value.w }) },
      at,
      inside,
    )
  const made = typeof value === 'object' ? classOf(value) : null
  if (made !== Object && made !== undefined) return refuse(at, value, 'must be plain data')
  return dataFields(value as Record<string, unknown>, at, inside)
}

function dataFields(value: Fields, at: string, open: readonly unknown[]): PresetNode {
  const fields = Object.entries(value).filter(([, each]) => each !== undefined)
  if (fields.length === 1 && fields[0]![0] === 'number' && typeof fields[0]![1] === 'string')
    return refuse(
      at,
      value,
      "must not have a text 'number' alone: that is how numbers are saved that JSON does not know",
    )
  return Object.fromEntries(fields.map(([key, each]) => [key, dataOf(each, `${at}.${key}`, open)]))
}

function needName(at: string, value: unknown): never {
  const named = (typeof value === 'object' && value !== null) || typeof value === 'function'
  const text = named ? 'which is not saved by value: give it a name in references' : 'must be an object'
  return refuse(at, value, text)
}

function refuse(at: string, value: unknown, text: string): never {
  throw new TypeError(`savePreset: ${at}: got ${describe(value)}, ${text}`)
}
