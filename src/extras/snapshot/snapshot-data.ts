import { fromBase64, toBase64 } from './base64.js'
import type { Records, References, Saver } from './snapshot-archive.js'
import { show } from '../../core/math/show.js'

export const SNAPSHOT = { format: 'three-steering', version: 2 } as const

/**
 * A whole world as plain data, see `takeSnapshot`. Columns are little-endian Float64 and Int32 in base64,
 * so every bit survives JSON, also of −0, NaN and ±Infinity. The content is not meant to be written by
 * hand, and may change with `version`.
 */
export interface Snapshot {
  readonly format: 'three-steering'
  readonly version: number
  /** Simulated time (s). */
  readonly time: number
  /** Number of steps made. */
  readonly tick: number
  /** These must be the same in the world restored: settings, controllers, flocks, trees, planners. */
  readonly settings: string
  readonly handles: readonly SavedHandle[]
  readonly trees: readonly SavedTree[]
  readonly planners: readonly string[]
  /** Names of the user's objects, '' for those without a name. */
  readonly references: readonly string[]
  readonly texts: readonly string[]
  readonly numbers: string
  readonly integers: string
  /** Hash of texts, numbers and integers, by which damage is detected. */
  readonly checksum: number
}

/** A controller or a flock in a snapshot. */
export interface SavedHandle {
  readonly kind: 'controller' | 'flock'
  readonly name: string
  /** Number of agents. */
  readonly size: number
  /** Class of its locomotion, and number of its tree. */
  readonly locomotion: string
  readonly tree: number
}

/** A root behaviour in a snapshot: its name in `behaviors`, or '', and the classes of all its parts. */
export interface SavedTree {
  readonly name: string
  readonly parts: string
}

/** The user's objects of snapshots that are still the objects that `takeSnapshot` has returned. */
const knownReferences = new WeakMap<Encoded, References>()

/** Records as text. */
export type Encoded = Pick<Snapshot, 'checksum' | 'integers' | 'numbers' | 'references' | 'texts'>

/**
 * Makes plain data of a header and of what was saved. `named`: objects of the user that have a name. The
 * others are known only as long as it is the same object, see {@link referencesOf}.
 */
export function pack<H extends object>(
  header: H,
  { records, references }: Saver,
  named: Readonly<Record<string, object>> = {},
): H & Encoded {
  const names = new Map(Object.entries(named).map(([name, thing]) => [thing, name]))
  const packed = {
    ...header,
    references: references.map((thing) => names.get(thing) ?? ''),
    texts: records.texts,
    numbers: toBase64(new Uint8Array(records.numbers.buffer)),
    integers: toBase64(new Uint8Array(records.integers.buffer)),
    checksum: checksumOf(records),
  }
  knownReferences.set(packed, references)
  return packed
}

/** Whether it is the same object that `takeSnapshot` has returned, and not data from outside. */
export function isOwn(snapshot: Snapshot): boolean {
  return knownReferences.has(snapshot)
}

/** What data is, and its version. */
export interface Form {
  readonly format: string
  readonly version: number
}

/**
 * Checks that `data` is of a form. `what` names the function that got it, `maker` that which made it.
 * @throws TypeError for anything else, RangeError for another version.
 */
export function requireForm(what: string, data: Form, { format, version }: Form, maker: string): void {
  if (typeof data !== 'object' || data === null || data.format !== format)
    throw new TypeError(
      `${what}: got ${typeof data === 'string' ? 'a text' : show(data)}, must be what ${maker} has returned`,
    )
  if (data.version !== version)
    throw new RangeError(`${what}: got version ${show(data.version)}, must be ${version}`)
}

/** @throws TypeError for no snapshot, RangeError for one of another version or with missing parts. */
export function requireSnapshot(snapshot: Snapshot): void {
  requireForm('restoreSnapshot', snapshot, SNAPSHOT, 'takeSnapshot')
  const { handles, integers, numbers, planners, settings, texts, references, trees } = snapshot
  for (const list of [handles, planners, texts, references, trees])
    if (!Array.isArray(list)) throw damaged('a list is missing')
  for (const text of [integers, numbers, settings, ...planners, ...texts, ...references])
    if (typeof text !== 'string') throw damaged('a text is missing')
  for (const each of [...handles, ...trees])
    if (typeof each !== 'object' || each === null) throw damaged('a handle or a tree is missing')
  for (const { tree } of handles)
    if (!trees.includes(trees[tree]!)) throw damaged('the tree of a handle is missing')
}

/** Decodes the records. @throws RangeError when any bit has changed. */
export function read({ checksum, integers, numbers, texts }: Encoded): Records {
  const floats = fromBase64(numbers)
  const wholes = fromBase64(integers)
  if (floats === null || wholes === null || floats.length % 8 !== 0 || wholes.length % 4 !== 0)
    throw damaged('its numbers are not base64')
  const records = { numbers: new Float64Array(floats.buffer), integers: new Int32Array(wholes.buffer), texts }
  if (checksumOf(records) !== checksum) throw damaged('its checksum differs')
  return records
}

/** The user's objects of a snapshot; null for unknown ones. */
export function referencesOf(snapshot: Encoded, named: Readonly<Record<string, object>>): References {
  const known = knownReferences.get(snapshot)
  return snapshot.references.map((name, i) => {
    // own properties only: an object may have the name `constructor`
    const given = name !== '' && Object.hasOwn(named, name) ? named[name] : undefined
    return given ?? known?.[i] ?? null
  })
}

function damaged(how: string): RangeError {
  return new RangeError(`restoreSnapshot: got a damaged snapshot (${how}), must be as it was written`)
}

/** Fowler, Noll and Vo's hash (FNV-1a). Departure: by 32-bit words and not by bytes, for speed. */
function checksumOf({ integers, numbers, texts }: Records): number {
  let hash = 0x811c9dc5
  const words = new Int32Array(numbers.buffer)
  for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words[i]!, 0x01000193)
  for (let i = 0; i < integers.length; i++) hash = Math.imul(hash ^ integers[i]!, 0x01000193)
  for (const text of texts)
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
