/** A JSON value inside a preset. */
export type PresetValue = null | boolean | number | string | readonly PresetValue[] | PresetNode

/**
 * A JSON object inside a preset. One of its keys says how it is read:
 * - `type`: an instance of that registered type, made with the other keys as options.
 * - `ref`: the object with this name in `references`.
 * - `same`: the object with this `id`, which stands earlier in the preset.
 * - none of these: a plain object, such as a point, a part or a gate.
 */
export interface PresetNode {
  readonly [key: string]: PresetValue
}

/** A tree of behaviours as plain JSON data, for `JSON.stringify` and from `JSON.parse`. */
export interface Preset {
  readonly type: 'steering-preset'
  /** Version of this format. */
  readonly version: 1
  readonly root: PresetNode
}

export const VERSION = 1

/** Keys of a node that are not options. */
export const RESERVED: readonly string[] = ['type', 'id', 'ref', 'same']

/** Numbers that JSON cannot hold are saved as strings. */
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

/** Undefined when `data` is not a saved number. */
export function numberFromJson(data: unknown): number | undefined {
  return typeof data === 'number' ? data : WORDS.get(data)
}

/** True for a JSON object, which is not an array and not null. */
export function isNode(data: unknown): data is PresetNode {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}

/** True for objects with numbers x, y and z: points, vectors and quaternions. */
export function isVector(value: unknown): value is { x: number; y: number; z: number; w?: number } {
  const { x, y, z } = Object(value) as Record<string, unknown>
  return typeof x === 'number' && typeof y === 'number' && typeof z === 'number'
}

/** Describes a value for error messages. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return 'an array'
  const { name = '' } = (classOf(value) ?? Object) as { readonly name?: string }
  return name === 'Object' || name === '' ? 'an object' : `an object of class ${name}`
}

/** Class of an object; undefined without a prototype. An own key `constructor` is ignored. */
export function classOf(value: object): unknown {
  return (Object.getPrototypeOf(value) as { readonly constructor?: unknown } | null)?.constructor
}
