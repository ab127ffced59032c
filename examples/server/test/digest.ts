import type { Craft } from '../src/world/cell.js'
import type { Grid } from '../src/world/plan.js'

/** What a process of the lock-step test is told, and what it tells. */
export interface Part {
  readonly index: number
  readonly grid: Grid
  readonly agents: number
  readonly size: Grid
  readonly redis: string
  readonly steps: number
  /** Whether the world is cut anew every two seconds. */
  readonly isCut: boolean
}

export interface Handed {
  all: number
  wings: number
  shuttles: number
  atPort: number
}

export interface Flown {
  /** One for each step since the last report. */
  readonly digests: readonly string[]
  /** Crafts given away so far: all, whole wings, shuttles, and shuttles that had the port. */
  readonly handed: Handed
  /** Crafts in hand. */
  readonly crafts: number
}

/**
 * A number that depends on all bits of the motion of crafts. Those of the cells of a world add up to that of
 * the whole world, in any order.
 */
export function digestOf(crafts: Iterable<Craft>): string {
  let sum = 0n
  for (const { key, pilot } of crafts) {
    const { angularVelocity: w, position: p, quaternion: q, velocity: v } = pilot
    numbers.set([key, p.x, p.y, p.z, v.x, v.y, v.z, q.x, q.y, q.z, q.w, w.x, w.y, w.z])
    let low = 0x811c9dc5
    let high = 0x01000193
    for (const word of words) {
      low = Math.imul(low ^ word, 0x01000193)
      low ^= low >>> 15
      high = Math.imul(high + word, 0x85ebca6b) ^ low
    }
    sum += (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)
  }
  return BigInt.asUintN(64, sum).toString(16)
}

export function sumOf(digests: readonly string[]): string {
  return BigInt.asUintN(
    64,
    digests.reduce((sum, each) => sum + BigInt(`0x${each}`), 0n),
  ).toString(16)
}

const numbers = new Float64Array(14)
const words = new Uint32Array(numbers.buffer)
