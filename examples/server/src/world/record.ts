import type { GroupParcel, Parcel, QueueShare } from 'three-steering/shards'
import { AXES, kindOf, sizeOf, unitOf } from './craft.js'

/** What belongs to a craft beside its parcel. */
export interface CraftState {
  readonly key: number
  /** Name of the player; empty for a craft that flies by itself. */
  readonly name: string
  /** Hash of the player's secret, in hex; empty for a craft that flies by itself. */
  readonly claim: string
  /** How the stick is held. */
  readonly axes: readonly number[]
  /** Position (m), attitude, velocity (m/s) and angular velocity (rad/s) of the body. */
  readonly pose: readonly number[]
}

/**
 * A craft as data, or a whole wing: what one room gives another, and what is kept for the room that comes after
 * a crash. The parcel is that of `exportAgent`, or of `exportGroup`; the poses are those of rigid bodies.
 */
export interface UnitRecord {
  /** See `unitOf`. */
  readonly key: number
  readonly crafts: readonly CraftState[]
  readonly parcel: Parcel | GroupParcel
  /** Of one that is given away: wall clock (s) when it was as it says. */
  readonly time?: number
  /** Of the station: who waits for its port, and in which order. */
  readonly queue?: QueueShare
}

/** Numbers of a pose: 3 + 4 + 3 + 3. */
const POSE = 13
const MAX_NAME = 24

export function writeRecord(record: UnitRecord): string {
  return JSON.stringify(record)
}

/** @throws RangeError for a text that is no record. The parcel is checked by `importAgent` or `importGroup`. */
export function readRecord(text: string): UnitRecord {
  let record: UnitRecord | null
  try {
    record = JSON.parse(text) as UnitRecord | null
  } catch {
    throw new RangeError('record: got a text that is no JSON')
  }
  if (typeof record !== 'object' || record === null) throw new RangeError('record: got no object')
  const { crafts, key, parcel, time = 0 } = record
  if (!isKey(key) || unitOf(key) !== key) throw new RangeError(`record: got the key ${String(key)}`)
  if (!Array.isArray(crafts) || crafts.length !== sizeOf(key))
    throw new RangeError(`record: got no list of ${sizeOf(key)} crafts`)
  if (!Number.isFinite(time)) throw new RangeError(`record: got the time ${String(time)}`)
  const parcels = isGroup(parcel) ? parcel.agents : [parcel]
  for (const [i, craft] of (crafts as readonly (CraftState | null)[]).entries()) {
    const { axes, claim, key: own, name, pose } = craft ?? ({} as Partial<CraftState>)
    if (own !== key + i) throw new RangeError(`record: got the key ${String(own)} in that of ${key}`)
    if (typeof name !== 'string' || name.length > MAX_NAME) throw new RangeError('record: got a bad name')
    if (typeof claim !== 'string' || !/^([0-9a-f]{64})?$/.test(claim))
      throw new RangeError('record: got a bad claim')
    if (!areNumbers(axes, AXES.length, 1)) throw new RangeError('record: got bad axes')
    if (!areNumbers(pose, POSE, 1e6)) throw new RangeError('record: got a bad pose')
    if (parcels[i]?.seed !== own) throw new RangeError('record: got the parcel of another craft')
  }
  return record
}

/** Whether a parcel, which may be anything, is that of a group. */
export function isGroup(parcel: Parcel | GroupParcel): parcel is GroupParcel {
  return Array.isArray((parcel as Partial<GroupParcel> | null)?.agents)
}

export function isKey(key: unknown): key is number {
  return typeof key === 'number' && Number.isInteger(key) && key >= 0 && kindOf(key) !== undefined
}

function areNumbers(list: unknown, length: number, most: number): list is number[] {
  return (
    Array.isArray(list) &&
    list.length === length &&
    list.every((value) => typeof value === 'number' && Math.abs(value) <= most)
  )
}

/** A name that may be shown: printable, without spaces at its ends, not longer than allowed. */
export function nameOf(given: unknown): string {
  if (typeof given !== 'string') return ''
  return given
    .slice(0, 200)
    .replace(/[^\p{L}\p{N} _.-]/gu, '')
    .trim()
    .slice(0, MAX_NAME)
}
