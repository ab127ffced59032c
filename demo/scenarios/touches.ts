import type { Vec3Like } from 'three-steering'
import { distance } from './metrics.js'
import { plus } from './vectors.js'

/** A gap must be wider than this share of the radii before the next contact of the same two counts. */
const SKIN = 0.01
const MAX_FRESH = 64

/** One of many, a ball. */
export interface Ball {
  /** Whole, ≥ 0, of nobody else ever. */
  readonly key: number
  readonly position: Vec3Like
  readonly radius: number
}

/** Two have touched. */
export interface Touch {
  readonly keys: readonly [number, number]
  readonly at: Vec3Like
}

/** Who of many touches whom, and who passes closely; balls may join and leave. */
export class Touches {
  contacts = 0
  /** Passes nearer than `close`, contacts included. */
  near = 0
  /** Contacts since the last look, not too many; whoever shows them empties the list. */
  readonly fresh: Touch[] = []
  readonly #close: number
  /** Pairs that are close, and whether they touch. */
  #now = new Map<number, boolean>()
  #next = new Map<number, boolean>()

  /** @param close A gap (m) below this is a close pass. */
  constructor(close: number) {
    this.#close = close
  }

  /** Call after each step. */
  see(balls: readonly Ball[]): void {
    // along one axis only those that come next can be near
    const row = balls.toSorted((a, b) => a.position.x - a.radius - (b.position.x - b.radius))
    this.#next.clear()
    for (let i = 0; i < row.length; i++) {
      const a = row[i]!
      const end = a.position.x + a.radius + this.#close
      for (let j = i + 1; j < row.length && row[j]!.position.x - row[j]!.radius < end; j++)
        this.#pair(a, row[j]!)
    }
    const before = this.#now
    this.#now = this.#next
    this.#next = before
  }

  #pair(a: Ball, b: Ball): void {
    const sum = a.radius + b.radius
    const off = distance(a.position, b.position)
    const gap = off - sum
    if (gap >= this.#close) return
    const key = Math.min(a.key, b.key) * 2 ** 26 + Math.max(a.key, b.key)
    const before = this.#now.get(key)
    if (before === undefined) this.near++
    const touching = gap < 0 || (before === true && gap < SKIN * sum)
    if (touching && before !== true) {
      this.contacts++
      const share = a.radius / sum
      const at = plus(plus(a.position, a.position, -share), b.position, share)
      if (this.fresh.length >= MAX_FRESH) this.fresh.shift()
      this.fresh.push({ keys: [a.key, b.key], at })
    }
    this.#next.set(key, touching)
  }
}
