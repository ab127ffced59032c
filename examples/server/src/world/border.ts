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

const HEADER = 22
const PER_CRAFT = 6 + 6 * 8
const TURN = 7 * 8
const LITTLE = true

/** All bits of the numbers, so that worlds in lock step stay equal. */
export function writeBorder({
  tick,
  time,
  version,
  isAnswer,
  isHost,
  share,
  shown,
  turn,
}: Border): Uint8Array {
  const text = share === null ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(share))
  const end = HEADER + PER_CRAFT * shown.length + (turn === null ? 0 : TURN)
  const bytes = new Uint8Array(end + text.length)
  bytes.set(text, end)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, tick, LITTLE)
  view.setFloat64(4, time, LITTLE)
  view.setUint32(12, shown.length, LITTLE)
  view.setUint8(16, (isAnswer ? 1 : 0) + (isHost ? 2 : 0))
  view.setUint8(17, turn === null ? 0 : 1)
  view.setUint32(18, version, LITTLE)
  const put = (from: number, values: readonly number[]): void =>
    values.forEach((value, k) => view.setFloat64(from + 8 * k, value, LITTLE))
  shown.forEach(({ cell, key, position, velocity }, i) => {
    const at = HEADER + PER_CRAFT * i
    view.setUint32(at, key, LITTLE)
    view.setUint16(at + 4, cell, LITTLE)
    put(at + 6, [position.x, position.y, position.z, velocity.x, velocity.y, velocity.z])
  })
  if (turn) {
    const { angularVelocity: w, quaternion: q } = turn
    put(end - TURN, [q.x, q.y, q.z, q.w, w.x, w.y, w.z])
  }
  return bytes
}

/** The share is checked by `mergeQueue`. @throws RangeError for bytes that are no border. */
export function readBorder(bytes: Uint8Array): Border {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < HEADER) throw new RangeError(`border: got ${bytes.length} bytes`)
  const count = view.getUint32(12, LITTLE)
  const hasTurn = view.getUint8(17) !== 0
  const last = HEADER + PER_CRAFT * count
  const end = last + (hasTurn ? TURN : 0)
  if (bytes.length < end) throw new RangeError(`border: got ${bytes.length} bytes for ${count} crafts`)
  const take = (from: number, length: number): number[] => {
    const values = Array.from({ length }, (_, k) => view.getFloat64(from + 8 * k, LITTLE))
    if (!values.every(Number.isFinite)) throw new RangeError('border: got no finite numbers')
    return values
  }
  const shown: Shown[] = []
  for (let at = HEADER; at < last; at += PER_CRAFT) {
    const [x, y, z, u, v, w] = take(at + 6, 6)
    shown.push({
      key: view.getUint32(at, LITTLE),
      cell: view.getUint16(at + 4, LITTLE),
      position: { x: x!, y: y!, z: z! },
      velocity: { x: u!, y: v!, z: w! },
    })
  }
  let turn: Turn | null = null
  if (hasTurn) {
    const [x, y, z, w, p, q, r] = take(last, 7)
    turn = { quaternion: { x: x!, y: y!, z: z!, w: w! }, angularVelocity: { x: p!, y: q!, z: r! } }
  }
  const flags = view.getUint8(16)
  const share = readShare(bytes.subarray(end))
  const tick = view.getUint32(0, LITTLE)
  const version = view.getUint32(18, LITTLE)
  return {
    tick,
    time: view.getFloat64(4, LITTLE),
    version,
    isAnswer: (flags & 1) > 0,
    isHost: (flags & 2) > 0,
    shown,
    turn,
    share,
  }
}

function readShare(bytes: Uint8Array): QueueShare | null {
  if (bytes.length === 0) return null
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as QueueShare
  } catch {
    throw new RangeError('border: got a queue that is no JSON')
  }
}
