import { read, requireForm, type Encoded } from '../snapshot/snapshot-data.js'
import type { Records } from '../snapshot/snapshot-archive.js'
import { show } from '../../core/math/show.js'

export const PARCEL = { format: 'three-steering agent', version: 1 } as const

/** Largest size of one text in a parcel, in characters. An agent with a long plan has some 10,000. */
const MAX_TEXT = 2 ** 20
/** Largest number of texts and of references. */
export const MAX_LIST = 1000

/**
 * An agent as plain data, see `exportAgent`. Numbers are little-endian Float64 and Int32 in base64, so
 * every bit survives JSON. The content is not meant to be written by hand, and may change with `version`.
 */
export interface Parcel extends Encoded {
  readonly format: 'three-steering agent'
  readonly version: number
  /** Settings that both worlds must share: seed, up and fixed step. */
  readonly settings: string
  /** Simulated time of the world that it comes from (s). */
  readonly time: number
  /** Number of steps of that world. */
  readonly tick: number
  /** Key of its random stream, which it keeps. */
  readonly seed: number
  /** Name of its controller or flock. */
  readonly name: string
  /** Classes of all parts of its behaviour, and of its locomotion; the same in the other world. */
  readonly parts: string
  readonly locomotion: string
}

/**
 * Checks and decodes a parcel, which may come from a stranger. @throws TypeError for a value that is not a
 * parcel, RangeError for one of another version, that is damaged, or too large.
 */
export function readParcel(parcel: Parcel): Records {
  requireForm('importAgent: parcel', parcel, PARCEL, 'exportAgent')
  const { locomotion, name, parts, seed, settings, tick, time } = parcel
  requireTexts([locomotion, name, parts, settings])
  if (!(Number.isFinite(time) && time >= 0 && Number.isSafeInteger(tick) && tick >= 0))
    throw damaged(`its time is ${show(time)} after ${show(tick)} steps`)
  if ((seed | 0) !== seed) throw damaged(`its seed is ${show(seed)}`)
  return readEncoded(parcel)
}

/** Checks and decodes the records of a parcel, or of another thing. @throws RangeError. */
export function readEncoded(data: Encoded, caller?: string): Records {
  const { integers, numbers, references, texts } = data
  for (const list of [references, texts])
    if (!Array.isArray(list) || list.length > MAX_LIST) throw damaged('a list is missing or too long', caller)
  requireTexts([integers, numbers, ...references, ...texts], caller)
  try {
    return read(data)
  } catch {
    throw damaged('its numbers have changed', caller)
  }
}

function requireTexts(texts: readonly unknown[], caller?: string): void {
  for (const text of texts)
    if (typeof text !== 'string' || text.length > MAX_TEXT)
      throw damaged('a text is missing or too long', caller)
}

export function damaged(how: string, caller = 'importAgent'): RangeError {
  return new RangeError(`${caller}: got a damaged parcel (${how}), must be as it was written`)
}
