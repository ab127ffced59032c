import type { Body } from 'cannon-es'
import { grown } from '../../core/math/grown.js'

/** Values of `CANNON.Body`, written out: Node may load another copy than the user's bundler. */
const STATIC = 2
const SLEEPING = 2

/** Edge of the cells of level 0 (m). */
const FINEST_CELL = 2 ** -16
/** Number of levels. Each has cells of twice the edge of the level below. */
const LEVELS = 33
/** Level of the bodies that are larger than any cell, or have no finite place. */
const WIDE = LEVELS
/** The largest bodies are in no cell while they are at most this many; each is tested. Chosen by hand. */
const MAX_WIDE = 8
/** Growth of all bounds, relative to size and place: more than the errors of rounding. */
const ROUNDING = 1e-12

/**
 * Finds the pairs of bodies whose bounds are close, in the order of their places in the list: for each body
 * its partners before it. Bounds are spheres, or boxes along the axes. Pairs of which both bodies are static
 * or asleep are left out.
 *
 * Bodies are listed by their centres in the cells of hashed grids, one grid for each power of two of the size
 * (Teschner et al. 2003; the hierarchy after Ericson, Real-Time Collision Detection, 2005, section 7.2).
 * Bodies come from the largest to the smallest. Each looks up the grids of its own level and above, and is
 * listed after that, so each pair is met from its smaller body. All is built anew at each call, so nothing
 * depends on the calls before.
 */
export class CellPairs {
  /** Number of pairs that `find` found, some of them twice. */
  count = 0
  /** Places of the bodies of a pair in the list: `later[p] > earlier[p]`. Equal pairs follow each other. */
  later: Int32Array = new Int32Array(64)
  earlier: Int32Array = new Int32Array(64)
  private swapLater: Int32Array = new Int32Array(64)
  private swapEarlier: Int32Array = new Int32Array(64)
  /** Centre and half extents (m) of each body's bounds: `[3 × bodies]`. */
  private center: Float64Array = new Float64Array(0)
  private half: Float64Array = new Float64Array(0)
  private level: Int32Array = new Int32Array(0)
  /** 1 for a body that is neither static nor asleep. */
  private active: Uint8Array = new Uint8Array(0)
  /** Bodies from the highest level to the lowest; at each level the inactive ones come first. */
  private order: Int32Array = new Int32Array(0)
  /** The body listed before this one in its bucket, or −1. */
  private next: Int32Array = new Int32Array(0)
  /** Last body of each bucket, or −1. Inactive bodies have their own, as they do not look for each other. */
  private activeBuckets: Int32Array = new Int32Array(0)
  private inactiveBuckets: Int32Array = new Int32Array(0)
  private mask = 0
  /** Scratch of the counting sorts. */
  private starts: Int32Array = new Int32Array(0)
  /** Bodies listed so far: `[2 × level + active]`. */
  private readonly listed = new Int32Array(2 * LEVELS)
  private readonly levelStarts = new Int32Array(2 * LEVELS + 3)
  /** Largest half extent (m) at each level. */
  private readonly largest = new Float64Array(LEVELS + 1)
  /** Cells per metre at each level. */
  private readonly scale = Float64Array.from({ length: LEVELS }, (_, level) => 1 / (FINEST_CELL * 2 ** level))

  find(bodies: readonly Body[], useBoxes: boolean): void {
    this.reserve(bodies.length)
    this.measure(bodies, useBoxes)
    this.count = 0
    this.look(bodies.length, this.arrange(bodies.length))
    this.sort(bodies.length)
  }

  private reserve(bodies: number): void {
    if (bodies <= this.level.length) return
    const size = Math.max(bodies, 2 * this.level.length)
    this.center = new Float64Array(3 * size)
    this.half = new Float64Array(3 * size)
    this.level = new Int32Array(size)
    this.active = new Uint8Array(size)
    this.order = new Int32Array(size)
    this.next = new Int32Array(size)
    this.starts = new Int32Array(size + 1)
    const buckets = 2 ** Math.ceil(Math.log2(2 * size))
    this.activeBuckets = new Int32Array(buckets)
    this.inactiveBuckets = new Int32Array(buckets)
    this.mask = buckets - 1
  }

  private measure(bodies: readonly Body[], useBoxes: boolean): void {
    const { center, half, level, active, largest } = this
    largest.fill(0)
    for (let b = 0; b < bodies.length; b++) {
      const body = bodies[b]!
      active[b] = (body.type & STATIC) !== 0 || body.sleepState === SLEEPING ? 0 : 1
      if (useBoxes) this.measureBox(b, body)
      else this.measureSphere(b, body)
      const i = 3 * b
      for (let k = i; k < i + 3; k++) half[k]! += ROUNDING * (half[k]! + Math.abs(center[k]!))
      const reach = Math.max(half[i]!, half[i + 1]!, half[i + 2]!)
      // in units of the finest cell, of which its number of binary digits is the level
      const width = (2 / FINEST_CELL) * reach
      const own = width < 2 ** 32 ? 32 - Math.clz32(width) : WIDE
      level[b] = own
      if (reach > largest[own]!) largest[own] = reach
    }
  }

  private measureSphere(b: number, { position, boundingRadius }: Body): void {
    const { center, half } = this
    center[3 * b] = position.x
    center[3 * b + 1] = position.y
    center[3 * b + 2] = position.z
    half[3 * b] = half[3 * b + 1] = half[3 * b + 2] = Math.abs(boundingRadius)
  }

  private measureBox(b: number, body: Body): void {
    if (body.aabbNeedsUpdate) body.updateAABB()
    const { center, half } = this
    const { lowerBound, upperBound } = body.aabb
    // halved first: a plane's box is as large as numbers get
    center[3 * b] = lowerBound.x / 2 + upperBound.x / 2
    center[3 * b + 1] = lowerBound.y / 2 + upperBound.y / 2
    center[3 * b + 2] = lowerBound.z / 2 + upperBound.z / 2
    half[3 * b] = Math.abs(upperBound.x / 2 - lowerBound.x / 2)
    half[3 * b + 1] = Math.abs(upperBound.y / 2 - lowerBound.y / 2)
    half[3 * b + 2] = Math.abs(upperBound.z / 2 - lowerBound.z / 2)
  }

  /** Brings the bodies into order. Returns how many of the first are in no cell. */
  private arrange(bodies: number): number {
    const { level, active, order, levelStarts } = this
    levelStarts.fill(0)
    for (let b = 0; b < bodies; b++) levelStarts[2 * (WIDE - level[b]!) + active[b]! + 1]!++
    for (let k = 1; k < levelStarts.length; k++) levelStarts[k]! += levelStarts[k - 1]!
    let wide = levelStarts[2]!
    for (let k = 4; k < levelStarts.length && levelStarts[k]! <= MAX_WIDE; k += 2) wide = levelStarts[k]!
    for (let b = 0; b < bodies; b++) order[levelStarts[2 * (WIDE - level[b]!) + active[b]!]!++] = b
    return wide
  }

  private look(bodies: number, wide: number): void {
    const { order, level, active, listed } = this
    this.activeBuckets.fill(-1)
    this.inactiveBuckets.fill(-1)
    listed.fill(0)
    let top = -1
    for (let k = 0; k < bodies; k++) {
      const b = order[k]!
      const isActive = active[b] === 1
      for (let w = 0; w < wide && w < k; w++)
        if (isActive || active[order[w]!] === 1) this.addIfClose(b, order[w]!)
      if (k < wide) continue
      const own = level[b]!
      if (top < 0) top = own
      for (let other = own; other <= top; other++) {
        if (listed[2 * other + 1]! > 0) this.lookUp(b, other, this.activeBuckets)
        if (isActive && listed[2 * other]! > 0) this.lookUp(b, other, this.inactiveBuckets)
      }
      this.list(b)
    }
  }

  /** Adds the pairs of a body with the bodies listed at this level, or above it. */
  private lookUp(b: number, level: number, buckets: Int32Array): void {
    const { center, half, largest, next, mask } = this
    const scale = this.scale[level]!
    const x = center[3 * b]!
    const y = center[3 * b + 1]!
    const z = center[3 * b + 2]!
    const reachX = half[3 * b]! + largest[level]!
    const reachY = half[3 * b + 1]! + largest[level]!
    const reachZ = half[3 * b + 2]! + largest[level]!
    const endX = Math.floor((x + reachX) * scale)
    const endY = Math.floor((y + reachY) * scale)
    const endZ = Math.floor((z + reachZ) * scale)
    for (let i = Math.floor((x - reachX) * scale); i <= endX; i++)
      for (let j = Math.floor((y - reachY) * scale); j <= endY; j++)
        for (let k = Math.floor((z - reachZ) * scale); k <= endZ; k++)
          for (let o = buckets[hash(i, j, k, level) & mask]!; o >= 0; o = next[o]!) this.addIfClose(b, o)
  }

  private list(b: number): void {
    const { center, active, next, mask } = this
    const level = this.level[b]!
    const scale = this.scale[level]!
    const i = Math.floor(center[3 * b]! * scale)
    const j = Math.floor(center[3 * b + 1]! * scale)
    const k = Math.floor(center[3 * b + 2]! * scale)
    const buckets = active[b] === 1 ? this.activeBuckets : this.inactiveBuckets
    const bucket = hash(i, j, k, level) & mask
    next[b] = buckets[bucket]!
    buckets[bucket] = b
    this.listed[2 * level + active[b]!]!++
  }

  /** Numbers that are not finite count as close. */
  private addIfClose(a: number, b: number): void {
    const { center, half } = this
    for (let k = 0; k < 3; k++)
      if (Math.abs(center[3 * a + k]! - center[3 * b + k]!) > half[3 * a + k]! + half[3 * b + k]!) return
    if (this.count === this.later.length) this.growPairs()
    this.later[this.count] = a > b ? a : b
    this.earlier[this.count] = a > b ? b : a
    this.count++
  }

  private growPairs(): void {
    const size = 2 * this.later.length
    this.later = grown(this.later, size)
    this.earlier = grown(this.earlier, size)
    this.swapLater = new Int32Array(size)
    this.swapEarlier = new Int32Array(size)
  }

  /** Sorts the pairs by their later body, then by their earlier one: two stable counting sorts. */
  private sort(bodies: number): void {
    const { later, earlier, swapLater, swapEarlier } = this
    this.countUp(earlier, bodies)
    this.distribute(earlier, later, earlier, swapLater, swapEarlier)
    this.countUp(swapLater, bodies)
    this.distribute(swapLater, swapLater, swapEarlier, later, earlier)
  }

  /** Sets the place of the first pair of each body. */
  private countUp(key: Int32Array, bodies: number): void {
    const { starts, count } = this
    starts.fill(0, 0, bodies + 1)
    for (let p = 0; p < count; p++) starts[key[p]! + 1]!++
    for (let b = 0; b < bodies; b++) starts[b + 1]! += starts[b]!
  }

  private distribute(
    key: Int32Array,
    later: Int32Array,
    earlier: Int32Array,
    toLater: Int32Array,
    toEarlier: Int32Array,
  ): void {
    const { starts, count } = this
    for (let p = 0; p < count; p++) {
      const place = starts[key[p]!]!++
      toLater[place] = later[p]!
      toEarlier[place] = earlier[p]!
    }
  }
}

/** Hash of cell coordinates (Teschner et al. 2003), with the level as a fourth one. */
function hash(i: number, j: number, k: number, level: number): number {
  return Math.imul(i, 73856093) ^ Math.imul(j, 19349663) ^ Math.imul(k, 83492791) ^ Math.imul(level, 49979687)
}
