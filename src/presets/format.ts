/** What of JSON a preset is made of. */
export type PresetValue = null | boolean | number | string | readonly PresetValue[] | PresetNode

/**
 * An object of a preset. With a `type` it is an instance of that, made with the other keys as options; with `ref` it is what has this name in
 * `references`; with `same` it is that which has this `id`, earlier in the preset; with none of these it is what it says: a point, a part, a gate.
 */
export interface PresetNode {
  readonly [key: string]: PresetValue
}

/** A tree of behaviours as plain JSON data: what `JSON.stringify` takes and `JSON.parse` gives. */
export interface Preset {
  readonly type: 'steering-preset'
  /** Of this format. */
  readonly version: 1
  readonly root: PresetNode
}

export const VERSION = 1

/** Keys of an object that are no options. */
export const RESERVED: readonly string[] = ['type', 'id', 'ref', 'same']

/** Numbers that JSON does not know are words. */
const WORDS: ReadonlyMap<unknown, number> = new Map([
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
  ['NaN', NaN],
  ['-0', -0],
])

export function numberToJson(value: number): number | string {
  if (Object.is(value, -0)) return '-0'
  return Number.isFinite(value) ? value : String(value)
}

/** Undefined for what is no number. */
export function numberFromJson(data: unknown): number | undefined {
  return typeof data === 'number' ? data : WORDS.get(data)
}

/** True for what JSON has as an object. */
export function isNode(data: unknown): data is PresetNode {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}

/** True for a point, a vector, a quaternion: whatever has numbers x, y and z. */
export function isVector(value: unknown): value is { x: number; y: number; z: number; w?: number } {
  const { x, y, z } = Object(value) as Record<string, unknown>
  return typeof x === 'number' && typeof y === 'number' && typeof z === 'number'
}

/** What it is, in words, for messages. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return 'an array'
  const { name = '' } = (classOf(value) ?? Object) as { readonly name?: string }
  return name === 'Object' || name === '' ? 'an object' : `an object of class ${name}`
}

/** What made it; undefined for what was made without a class. Own keys named `constructor` do not count. */
export function classOf(value: object): unknown {
  return (Object.getPrototypeOf(value) as { readonly constructor?: unknown } | null)?.constructor
}
