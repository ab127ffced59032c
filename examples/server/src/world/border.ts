import type { QuatLike, Vec3Like } from 'three-steering'
import type { QueueShare } from 'three-steering/shards'

/** What a cell shows a neighbour of one craft. SI units. */
export interface Shown {
  readonly key: number
  readonly position: Vec3Like
  readonly velocity: Vec3Like
  /** The cell that has it: another one than the teller, where it was just given away. */
  readonly cell: number
}

export interface Border {
  /** Steps that the cell has made, and its wall clock (s) when it made the last one. */
  readonly tick: number
  readonly time: number
  /** Of the newest cuts that it knows. */
  readonly version: number
  /** Whether it has heard of the neighbour since it began. */
  readonly isAnswer: boolean
  /** Whether the station was there in this step: the order of its queue counts. */
  readonly isHost: boolean
  readonly shown: readonly Shown[]
  /** How the station is turned, and how it turns (rad/s), where it is among those shown. */
  readonly turn: Turn | null
  /** Who has asked for its port, between cells that share it. */
  readonly share: QueueShare | null
}

export interface Turn {
  readonly quaternion: QuatLike
  readonly angularVelocity: Vec3Like
}

/** Numbers of a header, of a turn, and of each craft, whose key and cell are one number. */
const HEADER = 6
const TURN = 7
const PER_CRAFT = 7
const CELLS = 2 ** 16

/** All bits of the numbers, so that worlds in lock step stay equal. Then the share, as text. */
export function writeBorder(border: Border): Uint8Array {
  const { isAnswer, isHost, share, shown, tick, time, turn, version } = border
  const numbers = [tick, time, version, Number(isAnswer) + 2 * Number(isHost), turn ? 1 : 0, shown.length]
  if (turn) {
    const { angularVelocity: w, quaternion: q } = turn
    numbers.push(q.x, q.y, q.z, q.w, w.x, w.y, w.z)
  }
  for (const { cell, key, position: p, velocity: v } of shown)
    numbers.push(CELLS * key + cell, p.x, p.y, p.z, v.x, v.y, v.z)
  const bytes = new Uint8Array(Float64Array.from(numbers).buffer)
  return share ? Buffer.concat([bytes, Buffer.from(JSON.stringify(share))]) : bytes
}

/** The share is checked by `mergeQueue`. @throws RangeError for bytes that are no border. */
export function readBorder(bytes: Uint8Array): Border {
  const numbers = new Float64Array(Uint8Array.from(bytes.subarray(0, bytes.length & ~7)).buffer)
  const [tick = 0, time = 0, version = 0, flags = 0, turns = NaN, count = NaN] = numbers
  const first = HEADER + TURN * turns
  const end = first + PER_CRAFT * count
  const isWhole = [tick, version, turns, count].every((each) => Number.isInteger(each) && each >= 0)
  if (!isWhole || end > numbers.length || !numbers.subarray(0, end).every(Number.isFinite))
    throw new RangeError(`border: got ${bytes.length} bytes that are none`)
  const vector = (at: number): Vec3Like => ({ x: numbers[at]!, y: numbers[at + 1]!, z: numbers[at + 2]! })
  const shown: Shown[] = []
  for (let at = first; at < end; at += PER_CRAFT) {
    const [key, cell] = [Math.floor(numbers[at]! / CELLS), numbers[at]! % CELLS]
    if (key < 0 || key >= 2 ** 32 || cell % 1 !== 0) throw new RangeError(`border: got the key ${key}`)
    shown.push({ key, cell, position: vector(at + 1), velocity: vector(at + 4) })
  }
  const quaternion = { ...vector(HEADER), w: numbers[HEADER + 3]! }
  const turn = turns > 0 ? { quaternion, angularVelocity: vector(HEADER + 4) } : null
  const share = readShare(bytes.subarray(8 * end))
  return { tick, time, version, isAnswer: (flags & 1) > 0, isHost: (flags & 2) > 0, shown, turn, share }
}

function readShare(bytes: Uint8Array): QueueShare | null {
  if (bytes.length === 0) return null
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as QueueShare
  } catch {
    throw new RangeError('border: got a queue that is no JSON')
  }
}
