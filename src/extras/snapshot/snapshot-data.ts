import { fromBase64, toBase64 } from './base64.js'
import type { Records, References } from './snapshot-archive.js'

const FORMAT = 'three-steering'
const VERSION = 1

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
  /**
   * These must be the same in the world that is restored: settings, controllers and flocks, trees of
   * behaviours, planners.
   */
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

/** The part of a snapshot that is not in its records. */
export type Header = Omit<
  Snapshot,
  'checksum' | 'format' | 'integers' | 'numbers' | 'texts' | 'references' | 'version'
>

/** The user's objects of snapshots that are still the objects that `takeSnapshot` has returned. */
const knownReferences = new WeakMap<Encoded, References>()

/** Makes plain data. `named`: objects of the user that have a name. */
export function write(
  header: Header,
  records: Records,
  references: readonly object[],
  named: Readonly<Record<string, object>>,
): Snapshot {
  return withReferences(
    { format: FORMAT, version: VERSION, ...header, ...encode(records, references, named) },
    references,
  )
}

/** Keeps the user's objects of data that is returned to the user, for {@link referencesOf}. */
export function withReferences<T extends Encoded>(data: T, references: References): T {
  knownReferences.set(data, references)
  return data
}

/** Records as text. */
export type Encoded = Pick<Snapshot, 'checksum' | 'integers' | 'numbers' | 'references' | 'texts'>

export function encode(
  records: Records,
  references: readonly object[],
  named: Readonly<Record<string, object>>,
): Encoded {
  const names = new Map(Object.entries(named).map(([name, thing]) => [thing, name]))
  return {
    references: references.map((thing) => names.get(thing) ?? ''),
    texts: records.texts,
    numbers: toBase64(new Uint8Array(records.numbers.buffer)),
    integers: toBase64(new Uint8Array(records.integers.buffer)),
    checksum: checksumOf(records),
  }
}

/** Whether it is the same object that `takeSnapshot` has returned, and not data from outside. */
export function isOwn(snapshot: Snapshot): boolean {
  return knownReferences.has(snapshot)
}

/**
 * @throws TypeError for a value that is not a snapshot, RangeError for one of another version or with
 * missing parts.
 */
export function requireSnapshot(snapshot: Snapshot): void {
  if (typeof snapshot !== 'object' || snapshot === null || snapshot.format !== FORMAT) {
    const what = typeof snapshot === 'string' ? 'a text' : String(snapshot)
    throw new TypeError(`restoreSnapshot: got ${what}, must be what takeSnapshot has returned`)
  }
  if (snapshot.version !== VERSION)
    throw new RangeError(`restoreSnapshot: got a snapshot of version ${snapshot.version}, must be ${VERSION}`)
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
