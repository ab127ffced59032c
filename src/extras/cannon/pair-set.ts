/** Places of an empty table. A power of two. */
const PLACES = 64

const FREE = 0
/** The pair was removed. A search goes on behind it. */
const REMOVED = 1
const PRESENT = 2

/**
 * Set of unordered pairs of ids (whole numbers from 0 to 2³¹ − 1). A hash table with open addressing, in
 * arrays that are used again: nothing is allocated while there are no more pairs than ever before. Its cost
 * depends on the number of pairs, not on the ids.
 */
export class PairSet {
  private smaller = new Int32Array(PLACES)
  private larger = new Int32Array(PLACES)
  private state = new Uint8Array(PLACES)
  /** Places that are not free. */
  private used = 0

  has(a: number, b: number): boolean {
    return this.state[this.placeOf(a, b)] === PRESENT
  }

  add(a: number, b: number): void {
    // at most half full
    if (2 * (this.used + 1) > this.state.length) this.enlarge()
    const place = this.placeOf(a, b)
    if (this.state[place] === FREE) this.used++
    this.smaller[place] = a < b ? a : b
    this.larger[place] = a < b ? b : a
    this.state[place] = PRESENT
  }

  delete(a: number, b: number): void {
    const place = this.placeOf(a, b)
    if (this.state[place] === PRESENT) this.state[place] = REMOVED
  }

  /** Deletes all pairs of an id. */
  deleteAllOf(id: number): void {
    const { smaller, larger, state } = this
    for (let i = 0; i < state.length; i++)
      if (state[i] === PRESENT && (smaller[i] === id || larger[i] === id)) state[i] = REMOVED
  }

  clear(): void {
    this.state.fill(FREE)
    this.used = 0
  }

  /** Appends the ids of each pair that `other` does not have, the smaller id first. Sorted. */
  addMissingIn(other: PairSet, out: number[]): void {
    const { smaller, larger, state } = this
    const missing: number[] = []
    for (let i = 0; i < state.length; i++)
      if (state[i] === PRESENT && !other.has(smaller[i]!, larger[i]!)) missing.push(i)
    missing.sort((i, j) => smaller[i]! - smaller[j]! || larger[i]! - larger[j]!)
    for (const i of missing) out.push(smaller[i]!, larger[i]!)
  }

  /** The place of a pair, or the free one where it belongs. */
  private placeOf(a: number, b: number): number {
    const { smaller, larger, state } = this
    const low = a < b ? a : b
    const high = a < b ? b : a
    const mask = state.length - 1
    let i = hash(low, high) & mask
    while (state[i] !== FREE && (smaller[i] !== low || larger[i] !== high)) i = (i + 1) & mask
    return i
  }

  private enlarge(): void {
    const { smaller, larger, state } = this
    const places = 2 * state.length
    this.smaller = new Int32Array(places)
    this.larger = new Int32Array(places)
    this.state = new Uint8Array(places)
    this.used = 0
    for (let i = 0; i < state.length; i++) if (state[i] === PRESENT) this.add(smaller[i]!, larger[i]!)
  }
}

/** Mixes two ids; the multipliers are those of xxHash32 (Collet 2012). */
function hash(a: number, b: number): number {
  const mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77)
  return mixed ^ (mixed >>> 15)
}
