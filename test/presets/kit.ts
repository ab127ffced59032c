import { type Behavior, type Moving } from 'three-steering'
import { Port } from 'three-steering/docking'
import { Formation } from 'three-steering/formation'
import { type PipelineConstraint } from 'three-steering/classic'
import { loadPreset, savePreset, type Preset } from 'three-steering/presets'
import type { Scene } from '../laws/kit.js'

/**
 * Helpers of the preset tests: names for objects that need one, a round trip through JSON, and the difference
 * of two trees.
 */

export type References = Record<string, object>

/**
 * Names for the objects of a scene, and for all objects in a tree that cannot be saved by value: ports,
 * formations, functions, stages that are literals, moving objects. Equal trees in equal scenes get the same
 * names.
 */
export function referencesOf(scene: Scene, tree: unknown): References {
  const references: References = { target: scene.target }
  scene.others.forEach((other, i) => (references[`other ${i}`] = other))
  const named = new Set<unknown>(Object.values(references))
  const seen = new Set<unknown>()
  const visit = (value: unknown): void => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value))
      return
    seen.add(value)
    if (needsName(value) && !named.has(value)) references[`thing ${named.add(value).size}`] = value
    else if (!ArrayBuffer.isView(value)) for (const each of Object.values(value)) visit(each)
  }
  visit(tree)
  return references
}

function needsName(value: object): boolean {
  if (typeof value === 'function' || value instanceof Port || value instanceof Formation) return true
  if (Object.getPrototypeOf(value) !== Object.prototype) return false
  const { position, velocity, suggest } = value as Partial<Moving & PipelineConstraint>
  return (position !== undefined && velocity !== undefined) || suggest !== undefined
}

/** The preset after a round trip through JSON. */
export function throughJson(preset: Preset): unknown {
  return JSON.parse(JSON.stringify(preset))
}

/** A copy of a behaviour: saved, converted to JSON and back, and loaded. */
export function copyOf(behavior: Behavior, references: References = {}): Behavior {
  return loadPreset(throughJson(savePreset(behavior, { references })), { references })
}

/**
 * What changes in the one that a preset is made of: it asks for the lists of parts, which might be edited
 * then.
 */
const BY_READING = ['isGivenOut', 'isFixed']

/**
 * Where two values differ, compared to the last private field and bit; null when they are equal. Functions
 * are equal when they are identical or have the same source.
 */
export function difference(
  a: unknown,
  b: unknown,
  at = '',
  seen = new Map<unknown, unknown>(),
): string | null {
  if (Object.is(a, b) || seen.get(a) === b) return null
  if (typeof a === 'function' && typeof b === 'function')
    return String(a) === String(b) ? null : `${at}: different functions`
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return `${at}: ${String(a)} and ${String(b)}`
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return `${at}: different classes`
  // an object shared in one tree must be shared in the other
  if (seen.has(a)) return `${at}: shared in one tree only`
  seen.set(a, b)
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  for (const key of BY_READING) keys.delete(key)
  for (const key of keys) {
    const found = difference(a[key as never], b[key as never], `${at}.${key}`, seen)
    if (found !== null) return found
  }
  return null
}

/** The options in a preset, as `type.option`. */
export function optionsIn(data: unknown, found = new Set<string>()): Set<string> {
  if (typeof data !== 'object' || data === null) return found
  const { type } = data as { type?: unknown }
  for (const [key, value] of Object.entries(data)) {
    if (typeof type === 'string' && key !== 'id') found.add(`${type}.${key}`)
    optionsIn(value, found)
  }
  return found
}
