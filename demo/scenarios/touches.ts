import type { Vec3Like } from 'three-steering'
import { distance } from './metrics.js'
import { plus } from './vectors.js'

/**
 * After a contact the gap of a pair must exceed this share of the sum of radii before another contact counts.
 */
const SKIN = 0.01
const MAX_FRESH = 64

/** A sphere. */
export interface Ball {
  /** Unique whole number ≥ 0. */
  readonly key: number
  readonly position: Vec3Like
  readonly radius: number
}

/** A contact of two balls. */
export interface Touch {
  readonly keys: readonly [number, number]
  readonly at: Vec3Like
}

/** Counts contacts and close passes among many balls. Balls may be added and removed. */
export class Touches {
  contacts = 0
  /** Close passes, including contacts. */
  near = 0
  /** Contacts since the list was last emptied, at most 64. The reader empties it. */
  readonly fresh: Touch[] = []
  readonly #close: number
  /** Pairs that are close, and whether they are in contact. */
  #now = new Map<number, boolean>()
  #next = new Map<number, boolean>()

  /** @param close Gap (m) below which a pass counts as close. Default 0: only contacts count. */
  constructor(close = 0) {
    this.#close = close
  }

  /** Call after each step. */
  see(balls: readonly Ball[]): void {
    // sorted along x, so that only balls with overlapping intervals are compared
    const row = balls.toSorted((a, b) => a.position.x - a.radius - (b.position.x - b.radius))
    const largest = Math.max(0, ...row.map(({ radius }) => radius))
    const reach = Math.max(this.#close, SKIN * 2 * largest)
    this.#next.clear()
    for (let i = 0; i < row.length; i++) {
      const a = row[i]!
      const end = a.position.x + a.radius + reach
      for (let j = i + 1; j < row.length && row[j]!.position.x - row[j]!.radius < end; j++)
        this.#pair(a, row[j]!)
    }
    const before = this.#now
    this.#now = this.#next
    this.#next = before
  }

  #pair(a: Ball, b: Ball): void {
    const sum = a.radius + b.radius
    const centerDistance = distance(a.position, b.position)
    const gap = centerDistance - sum
    const key = Math.min(a.key, b.key) * 2 ** 26 + Math.max(a.key, b.key)
    const before = this.#now.get(key)
    const touching = gap < 0 || (before === true && gap < SKIN * sum)
    if (gap >= this.#close && !touching) return
    if (before === undefined) this.near++
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
