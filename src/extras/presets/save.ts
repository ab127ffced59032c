import type { Behavior } from '../../core/types.js'
import { requireBehavior, requireObject } from '../../core/math/require.js'
import { classOf, describe, isVector, numberToJson, VERSION } from './format.js'
import type { Preset, PresetNode, PresetValue } from './format.js'
import { isList, PARTS, Registry } from './preset-type.js'
import type { PresetKind, PresetOptions, PresetType } from './preset-type.js'
import { nameReferences } from './references.js'
import { PRESET_TYPES } from './types.js'

export interface SavePresetOptions {
  /**
   * Objects that are saved by name instead of by value: targets, controllers, formations, ports, functions,
   * and paths and obstacles that others share. An object is recognised by identity. The name `player` also
   * names `player.position`. Default none.
   */
  references?: Readonly<Record<string, object>>
  /** Classes that may be saved, see `presetType`. Default `PRESET_TYPES`, the classes of this package. */
  types?: readonly PresetType[]
}

type Fields = Readonly<Record<string, unknown>>

/** A saved object. It is open while its own parts are being saved. */
interface Saved {
  readonly node: { [key: string]: PresetValue }
  open: boolean
}

/**
 * Saves a tree of behaviours, with all options as they are now, as plain data for `JSON.stringify`. What
 * behaviours remember about agents (a random draw, a stage, a lap) is not saved. An object that is used twice
 * in the tree is saved once. A point is saved as its present place, even if it moves; put a target that is to
 * be followed in `references`.
 *
 * @throws TypeError with the place in the tree, for: an object without a registered type, an object that
 * cannot be saved by value and has no name, a behaviour that contains itself.
 */
export function savePreset(behavior: Behavior, options: SavePresetOptions = {}): Preset {
  const { references = {}, types = PRESET_TYPES } = requireObject('savePreset.options', options)
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

  /** Saves a value of a kind. `location` is its place in the preset, for error messages. */
  save(kind: PresetKind, value: unknown, location: string): PresetValue {
    if (isList(kind)) return this.list(kind[0], value, location)
    if (typeof kind === 'object')
      return this.shared(value, location, (node) =>
        this.fill(node, kind, fieldsOf(value, location), location),
      )
    switch (kind.replace('?', '')) {
      case 'number':
        return typeof value === 'number' ? numberToJson(value) : refuse(location, value, 'must be a number')
      case 'boolean':
        return typeof value === 'boolean' ? value : refuse(location, value, 'must be true or false')
      case 'text':
        return typeof value === 'string' ? value : refuse(location, value, 'must be a string')
      case 'side':
        return typeof value === 'string' ? value : this.vector(value, 'xyz', location)
      case 'vector':
      case 'point':
        return this.vector(value, 'xyz', location)
      case 'quaternion':
        return this.vector(value, 'xyzw', location)
      case 'waypoint':
        return this.waypoint(value, location)
      case 'instance':
        return this.instance(value, location)
      case 'instances':
        return this.instances(fieldsOf(value, location), location)
      case 'data':
        return dataOf(value, location, [])
      case 'named':
        return this.shared(value, location, () => needName(location, value))
      case 'function':
        return typeof value === 'function'
          ? this.shared(value, location, () => needName(location, value))
          : refuse(location, value, 'must be a function')
      default:
        return this.part(PARTS[kind]!, fieldsOf(value, location), location)
    }
  }

  private list(kind: PresetKind, value: unknown, location: string): PresetValue {
    if (!Array.isArray(value)) return refuse(location, value, 'must be an array')
    return value.map((each, i) => this.save(kind, each, `${location}[${i}]`))
  }

  private vector(value: unknown, axes: string, location: string): PresetValue {
    return this.shared(value, location, (node) => {
      if (!isVector(value)) needName(location, value)
      for (const axis of axes) node[axis] = this.save('number', value[axis as 'x'], `${location}.${axis}`)
    })
  }

  private waypoint(value: unknown, location: string): PresetValue {
    return this.shared(value, location, (node) => {
      const { position, heading, velocity, angularVelocity } = Object(value) as Record<string, unknown>
      if (
        !isVector(position) ||
        !isVector(heading) ||
        velocity !== undefined ||
        angularVelocity !== undefined
      )
        needName(location, value)
      node['position'] = this.vector(position, 'xyz', `${location}.position`)
      node['heading'] = this.vector(heading, 'xyz', `${location}.heading`)
    })
  }

  private instance(value: unknown, location: string): PresetValue {
    return this.shared(value, location, (node) => {
      if (typeof value !== 'object' || value === null) needName(location, value)
      const type = this.registry.byClass.get(classOf(value))
      if (type === undefined)
        throw new TypeError(
          `savePreset: ${location}: got ${describe(value)}, which is not a registered type: add it to types, or name it in references`,
        )
      node['type'] = type.name
      this.fill(node, type.options, type.read(value) as Fields, location)
    })
  }

  private instances(value: Fields, location: string): PresetValue {
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, this.instance(each, `${location}.${key}`)]),
    )
  }

  /** Saves a part. A part without values other than the defaults is saved as its behaviour alone. */
  private part(values: Fields, part: Fields, location: string): PresetValue {
    const given = Object.keys(values).filter((key) => (part[key] ?? values[key]) !== values[key])
    if (given.length === 0) return this.instance(part['behavior'], location)
    const node: Record<string, PresetValue> = {
      behavior: this.instance(part['behavior'], `${location}.behavior`),
    }
    for (const key of given)
      node[key] = this.save(typeof values[key] as 'number' | 'boolean', part[key], `${location}.${key}`)
    return node
  }

  /** Adds the options to a node. Undefined options are left out. */
  private fill(node: Saved['node'], options: PresetOptions, values: Fields, location: string): void {
    for (const [key, kind] of Object.entries(options)) {
      const value = values[key]
      if (value === null && String(kind).endsWith('?')) node[key] = null
      else if (value !== undefined && value !== null) node[key] = this.save(kind, value, `${location}.${key}`)
    }
  }

  /** Saves a reference to an object with a name or saved before. For any other `write` fills a new node. */
  private shared(value: unknown, location: string, write: (node: Saved['node']) => void): PresetNode {
    const name = this.names.get(value)
    if (name !== undefined) return { ref: name }
    const earlier = this.seen.get(value)
    if (earlier?.open === true)
      throw new TypeError(`savePreset: ${location}: got ${describe(value)}, must not contain itself`)
    if (earlier !== undefined) return { same: (earlier.node['id'] ??= ++this.ids) }
    const saved: Saved = { node: {}, open: true }
    this.seen.set(value, saved)
    write(saved.node)
    saved.open = false
    return saved.node
  }
}

function fieldsOf(value: unknown, location: string): Fields {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)
    : refuse(location, value, 'must be an object')
}

/** Plain data as JSON. `open` holds the objects that contain the value. */
function dataOf(value: unknown, location: string, open: readonly unknown[]): PresetValue {
  if (typeof value === 'number') {
    const json = numberToJson(value)
    return typeof json === 'number' ? json : { number: json }
  }
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (open.includes(value))
    throw new TypeError(`savePreset: ${location}: got ${describe(value)}, must not contain itself`)
  const inside = [...open, value]
  if (Array.isArray(value)) return value.map((each, i) => dataOf(each, `${location}[${i}]`, inside))
  if (isVector(value))
    return dataFields(
      { x: value.x, y: value.y, z: value.z, ...(value.w !== undefined && { w: value.w }) },
      location,
      inside,
    )
  const made = typeof value === 'object' ? classOf(value) : null
  if (made !== Object && made !== undefined) return refuse(location, value, 'must be plain data')
  return dataFields(value as Record<string, unknown>, location, inside)
}

function dataFields(value: Fields, location: string, open: readonly unknown[]): PresetNode {
  const fields = Object.entries(value).filter(([, each]) => each !== undefined)
  if (fields.length === 1 && fields[0]![0] === 'number' && typeof fields[0]![1] === 'string')
    return refuse(
      location,
      value,
      "must not have a string 'number' as its only key: this form is used for numbers that JSON cannot hold",
    )
  return Object.fromEntries(fields.map(([key, each]) => [key, dataOf(each, `${location}.${key}`, open)]))
}

function needName(location: string, value: unknown): never {
  const named = (typeof value === 'object' && value !== null) || typeof value === 'function'
  const text = named ? 'which is not saved by value: give it a name in references' : 'must be an object'
  return refuse(location, value, text)
}

function refuse(location: string, value: unknown, text: string): never {
  throw new TypeError(`savePreset: ${location}: got ${describe(value)}, ${text}`)
}
