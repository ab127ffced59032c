import type { Vec3Like } from 'three-steering'

/** What a cell shows a neighbour of one craft. SI units. */
export interface Shown {
  readonly key: number
  readonly position: Vec3Like
  readonly velocity: Vec3Like
}

export interface Border {
  /** Steps that the cell has made, and its wall clock (s) when it made the last one. */
  readonly tick: number
  readonly time: number
  /** Whether it has heard of the neighbour since it began. */
  readonly isAnswer: boolean
  readonly shown: readonly Shown[]
}

const HEADER = 17
const PER_CRAFT = 4 + 6 * 8
const LITTLE = true

/** All bits of the numbers, so that worlds in lock step stay equal. */
export function writeBorder({ tick, time, isAnswer, shown }: Border): Uint8Array {
  const bytes = new Uint8Array(HEADER + PER_CRAFT * shown.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, tick, LITTLE)
  view.setFloat64(4, time, LITTLE)
  view.setUint32(12, shown.length, LITTLE)
  view.setUint8(16, isAnswer ? 1 : 0)
  shown.forEach(({ key, position, velocity }, i) => {
    const at = HEADER + PER_CRAFT * i
    view.setUint32(at, key, LITTLE)
    ;[position.x, position.y, position.z, velocity.x, velocity.y, velocity.z].forEach((value, k) =>
      view.setFloat64(at + 4 + 8 * k, value, LITTLE),
    )
  })
  return bytes
}

/** @throws RangeError for bytes that are no border. */
export function readBorder(bytes: Uint8Array): Border {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < HEADER) throw new RangeError(`border: got ${bytes.length} bytes`)
  const count = view.getUint32(12, LITTLE)
  if (bytes.length !== HEADER + PER_CRAFT * count)
    throw new RangeError(`border: got ${bytes.length} bytes for ${count} crafts`)
  const shown: Shown[] = []
  for (let at = HEADER; at < bytes.length; at += PER_CRAFT) {
    const [x, y, z, u, v, w] = [0, 1, 2, 3, 4, 5].map((k) => view.getFloat64(at + 4 + 8 * k, LITTLE))
    const each = {
      key: view.getUint32(at, LITTLE),
      position: { x: x!, y: y!, z: z! },
      velocity: { x: u!, y: v!, z: w! },
    }
    if (!Number.isFinite(x! + y! + z! + u! + v! + w!)) throw new RangeError('border: got no finite numbers')
    shown.push(each)
  }
  const isAnswer = view.getUint8(16) !== 0
  return { tick: view.getUint32(0, LITTLE), time: view.getFloat64(4, LITTLE), isAnswer, shown }
}
