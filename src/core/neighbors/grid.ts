import { RADIUS, TRAITS, type Agents } from '../engine/agents.js'

/**
 * An agent is oversized when its radius exceeds that of the smallest one by more than this share of a cell …
 */
const OVERSIZED_SHARE = 1 / 4
/**
 * … but at most this many, plus this share of all, are oversized. With more, the limit is doubled until few
 * enough exceed it, at most this many times. Chosen by hand.
 */
const MAX_OVERSIZED = 8
const MAX_OVERSIZED_SHARE = 1 / 64
const DOUBLINGS = 6

/**
 * Largest cell coordinate: cells are counted in 32-bit integers. Places beyond share the last cell, so the
 * search stays correct.
 */
const MAX_COORDINATE = 1 << 28

/**
 * Uniform grid over the agents of one step, built by counting sort into arrays that are used again: the rows
 * of each cell lie together, in the order of their stream keys. The cells cover the bounding box. When that
 * would take far more cells than agents, they are hashed into a table instead, so the size of the world has
 * no limit.
 *
 * An agent is listed by its centre and found by its surface: a search reaches farther by the largest radius
 * in the cells. The few agents that are large against a cell would make every search wide. They are in no
 * cell (oversized): each search tests each of them.
 */
export class Grid {
  /** Number of agents in the cells, and of oversized agents. */
  count = 0
  oversized = 0
  /** Radius (m) of the smallest agent, of the largest in the cells, and of the largest of all. */
  smallest = 0
  largestInCells = 0
  largest = 0
  hashed = false
  cell = 1
  /** Cells along each axis, and corner of the first one, when not hashed. */
  nx = 0
  ny = 0
  nz = 0
  x0 = 0
  y0 = 0
  z0 = 0
  /** `[cells + 1]`: entries of cell c are `start[c] … start[c + 1] − 1`. */
  start: Int32Array = new Int32Array(1)
  /** Row of each entry; after the entries of the cells follow the oversized agents. */
  rows: Int32Array = new Int32Array(0)
  /** Table size − 1 when hashed. */
  mask = 0
  /** Scratch of `build`: the cell of each agent. */
  key: Int32Array = new Int32Array(0)
  /** Slots in the order of their stream keys, `[0 … agents)`: independent of the order of adding. */
  private order: Int32Array = new Int32Array(0)
  /** `Agents.members` for which `order` was made. */
  private sortedMembers = -1

  build(agents: Agents, cell: number): void {
    const total = agents.count
    this.sort(agents)
    this.classify(agents, cell)
    if (this.rows.length < total) {
      const size = Math.max(total, 2 * this.rows.length)
      this.rows = new Int32Array(size)
      this.key = new Int32Array(size)
    }
    this.measure(agents, cell)
    const { key, order, start, rows } = this
    const { position, row, lost, traits } = agents
    const cells = this.hashed ? this.mask + 1 : this.nx * this.ny * this.nz
    start.fill(0, 0, cells + 1)
    let count = 0
    for (let i = 0; i < total; i++) {
      const r = row[order[i]!]!
      key[i] = -1
      if (lost[r] === 1 || traits[TRAITS * r + RADIUS]! > this.largestInCells) continue
      const k = this.cellAt(position[3 * r]!, position[3 * r + 1]!, position[3 * r + 2]!)
      key[i] = k
      start[k + 1]!++
      count++
    }
    this.count = count
    for (let c = 0; c < cells; c++) start[c + 1]! += start[c]!
    // filled from the back, each cell from its end: this keeps the order of the keys
    for (let i = total - 1; i >= 0; i--) {
      const k = key[i]!
      if (k >= 0) rows[--start[k + 1]!] = row[order[i]!]!
    }
    // every bound has moved down by its own cell: shift back by one
    for (let c = 0; c < cells; c++) start[c] = start[c + 1]!
    start[cells] = count
    this.listOversized(agents)
  }

  /** Index along an axis, clamped to the grid. */
  axis(value: number, origin: number, n: number): number {
    const i = Math.floor((value - origin) / this.cell)
    return i < 0 ? 0 : i >= n ? n - 1 : i
  }

  /** Hash of integer cell coordinates (Teschner et al. 2003). */
  hash(i: number, j: number, k: number): number {
    return ((Math.imul(i, 73856093) ^ Math.imul(j, 19349663) ^ Math.imul(k, 83492791)) >>> 0) & this.mask
  }

  /** Integer cell coordinate of the unbounded grid. */
  coordinate(value: number): number {
    const i = Math.floor(value / this.cell)
    return i < -MAX_COORDINATE ? -MAX_COORDINATE : i > MAX_COORDINATE ? MAX_COORDINATE : i
  }

  private sort({ count, id, members, row, seed, slot }: Agents): void {
    if (members === this.sortedMembers) return
    this.sortedMembers = members
    const slots = Array.from(slot.subarray(0, count))
    slots.sort((a, b) => (seed[row[a]!]! >>> 0) - (seed[row[b]!]! >>> 0) || id[row[a]!]! - id[row[b]!]!)
    if (this.order.length < count) this.order = new Int32Array(Math.max(count, 2 * this.order.length))
    this.order.set(slots)
  }

  /** Finds the largest radius in the cells: larger agents are oversized. */
  private classify(agents: Agents, cell: number): void {
    const { count, lost, traits } = agents
    this.smallest = Infinity
    this.largest = 0
    for (let row = 0; row < count; row++) {
      if (lost[row] === 1) continue
      const radius = traits[TRAITS * row + RADIUS]!
      if (radius < this.smallest) this.smallest = radius
      if (radius > this.largest) this.largest = radius
    }
    if (this.largest === 0) this.smallest = 0
    this.largestInCells = this.largest
    const spread = this.largest - this.smallest
    let limit = Math.max(OVERSIZED_SHARE * cell, spread / 2 ** DOUBLINGS)
    for (; limit < spread; limit *= 2) {
      let oversized = 0
      let largestBelow = 0
      for (let row = 0; row < count; row++) {
        if (lost[row] === 1) continue
        const radius = traits[TRAITS * row + RADIUS]!
        if (radius - this.smallest > limit) oversized++
        else if (radius > largestBelow) largestBelow = radius
      }
      if (oversized > MAX_OVERSIZED + MAX_OVERSIZED_SHARE * count) continue
      this.largestInCells = largestBelow
      return
    }
  }

  /** Lists the oversized agents after the cells, in the order of their keys. */
  private listOversized({ count, lost, row, traits }: Agents): void {
    const { order } = this
    this.oversized = 0
    if (this.largestInCells === this.largest) return
    for (let i = 0; i < count; i++) {
      const r = row[order[i]!]!
      if (lost[r] === 0 && traits[TRAITS * r + RADIUS]! > this.largestInCells)
        this.rows[this.count + this.oversized++] = r
    }
  }

  private cellAt(x: number, y: number, z: number): number {
    if (this.hashed) return this.hash(this.coordinate(x), this.coordinate(y), this.coordinate(z))
    const i = this.axis(x, this.x0, this.nx)
    return i + this.nx * (this.axis(y, this.y0, this.ny) + this.ny * this.axis(z, this.z0, this.nz))
  }

  /** Fits the cells to the bounding box, or switches to hashing when the box would take too many cells. */
  private measure({ position, lost, count }: Agents, cell: number): void {
    const low = [Infinity, Infinity, Infinity]
    const high = [-Infinity, -Infinity, -Infinity]
    for (let row = 0; row < count; row++) {
      if (lost[row] === 1) continue
      for (let axis = 0; axis < 3; axis++) {
        const p = position[3 * row + axis]!
        if (p < low[axis]!) low[axis] = p
        if (p > high[axis]!) high[axis] = p
      }
    }
    this.cell = cell
    const [nx = 0, ny = 0, nz = 0] = low.map((start, axis) => Math.floor((high[axis]! - start) / cell) + 1)
    this.hashed = !(nx * ny * nz <= 8 * count + 64)
    this.x0 = low[0]!
    this.y0 = low[1]!
    this.z0 = low[2]!
    this.nx = nx
    this.ny = ny
    this.nz = nz
    let table = 64
    while (table < 2 * count) table *= 2
    this.mask = table - 1
    const cells = this.hashed ? table : nx * ny * nz
    if (this.start.length < cells + 1) this.start = new Int32Array(Math.max(cells + 1, 2 * this.start.length))
  }
}
