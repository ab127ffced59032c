import { RADIUS, TRAITS, type Agents } from '../engine/agents.js'
import { emptyBounds, includePoint } from '../math/bounds.js'

/** An agent is oversized when its radius exceeds the smallest one by more than this share of a cell … */
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

/** Cells along x per width: a line of cells is cut to the part that the sphere around an agent touches. */
export const CELLS_ALONG = 4

/**
 * Widths of a cell, as shares of the reach: the first one is taken for which there are not more cells than
 * agents. Chosen by hand.
 */
const CELL_SHARES = [1 / 2, 1, 2, 4]

/** In a cell with more agents they are filled in the order of their keys; in others sorted by insertion. */
const CROWDED = 32

/**
 * Uniform grid over the agents of one step, built by counting sort into arrays that are used again: the rows
 * of each cell lie together, in the order of their stream keys. The cells cover the bounding box. When that
 * would take far more cells than agents, the grid repeats itself instead.
 *
 * An agent is listed by its centre and found by its surface: a search reaches farther by the largest radius
 * in the cells. The few agents that are large against a cell would make every search wide. They are in no
 * cell (oversized): each search tests each of them.
 */
export class Grid {
  /** Number of agents in the cells, of those too large, and of those of another size than a batch wants. */
  count = 0
  outside = 0
  /** Radius (m) of the smallest agent, of the largest in the cells, and of the largest of all. */
  smallest = 0.5
  largestInCells = 0.5
  largest = 0.5
  /**
   * Whether places that are `cellsAlong` cells apart, along any axis, share a cell: so the size of the world
   * has no limit.
   */
  repeats = false
  cellsAlong = 4
  /** Size of a cell along x, and along the other axes, m. */
  length = 0.5
  width = 0.5
  /** Cells along each axis, and corner of the first one, when it does not repeat. */
  nx = 0
  ny = 0
  nz = 0
  x0 = 0.5
  y0 = 0.5
  z0 = 0.5
  /** `[cells + 1]`: the agents of cell c have the places `start[c] … start[c + 1] − 1`. */
  start: Int32Array = new Int32Array(3)
  /** Row of each agent, then of those that are in no cell; and place of each row, −1 for a lost agent. */
  row: Int32Array = new Int32Array(0)
  place: Int32Array = new Int32Array(0)
  /** `[3 × agents]`: positions in the order of the places, m. */
  position: Float64Array = new Float64Array(0)
  /** Number of agents whose rows are far from those of the agents beside them. */
  scattered = 0
  /** Bounding box of the agents, [min x, y, z, max x, y, z], m. */
  protected readonly box: Float64Array = new Float64Array(6)
  /** Scratch: cell of each row. */
  private key: Int32Array = new Int32Array(0)
  /** Slots in the order of their stream keys, `[0 … agents)`: independent of the order of adding. */
  private order: Int32Array = new Int32Array(0)
  /** `Agents.members` for which `order` was made. */
  private sortedMembers = -1

  /** Sorts all agents, which look this far (m) on average. */
  build(agents: Agents, reach: number): void {
    const { count } = agents
    this.classify(agents, reach)
    this.repeats = !CELL_SHARES.some((share) => this.fit(share * reach, CELLS_ALONG, count / 2))
    if (this.repeats) {
      this.width = reach
      this.cellsAlong = 4
      while (this.cellsAlong ** 3 < 2 * count) this.cellsAlong *= 2
    }
    this.sort(agents, 0, this.largestInCells)
  }

  /** Cell coordinates in the unbounded grid. */
  coordinate(value: number): number {
    const i = Math.floor(value / this.width)
    return i < -MAX_COORDINATE ? -MAX_COORDINATE : i > MAX_COORDINATE ? MAX_COORDINATE : i
  }

  /** The cell with these coordinates in a grid that repeats itself. */
  cellOf(i: number, j: number, k: number): number {
    const { cellsAlong: n } = this
    return (i & (n - 1)) + n * ((j & (n - 1)) + n * (k & (n - 1)))
  }

  /** Computes the bounding box, and finds the largest radius in the cells: larger agents are oversized. */
  private classify({ count, lost, position, traits }: Agents, cell: number): void {
    const { box } = this
    this.smallest = Infinity
    this.largest = 0
    emptyBounds(box)
    for (let row = 0; row < count; row++) {
      if (lost[row] === 1) continue
      const radius = traits[TRAITS * row + RADIUS]!
      if (radius < this.smallest) this.smallest = radius
      if (radius > this.largest) this.largest = radius
      includePoint(box, position, 3 * row)
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

  /**
   * Covers the bounding box with cells of this width (m), cut along x into this number of parts. False where
   * these are far more than `count` agents.
   */
  protected fit(width: number, along: number, count: number): boolean {
    const { box } = this
    this.width = width
    this.length = width / along
    this.x0 = box[0]!
    this.y0 = box[1]!
    this.z0 = box[2]!
    this.nx = Math.floor((box[3]! - box[0]!) / this.length) + 1
    this.ny = Math.floor((box[4]! - box[1]!) / width) + 1
    this.nz = Math.floor((box[5]! - box[2]!) / width) + 1
    return this.nx * this.ny * this.nz <= 8 * count + 64
  }

  /**
   * Counting sort of the rows by cell, and of each cell by the stream keys. Agents with radii (m) below
   * `least` or above `largest` come after the cells.
   */
  protected sort(agents: Agents, least: number, largest: number): void {
    const { count, id, lost, position, seed, traits } = agents
    const { cellsAlong, nx, ny, nz, repeats, x0, y0, z0 } = this
    const cells = repeats ? cellsAlong ** 3 : nx * ny * nz
    this.reserve(agents.capacity, cells)
    const { key, place, row: rows, start } = this
    const perLength = 1 / this.length
    const perWidth = 1 / this.width
    start.fill(0, 0, cells + 3)
    for (let row = 0; row < count; row++) {
      key[row] = place[row] = -1
      if (lost[row] === 1) continue
      const radius = traits[TRAITS * row + RADIUS]!
      const x = position[3 * row]!
      const y = position[3 * row + 1]!
      const z = position[3 * row + 2]!
      let c = cells
      if (radius < least || radius > largest) c = cells
      else if (repeats) c = this.cellOf(this.coordinate(x), this.coordinate(y), this.coordinate(z))
      else {
        const i = Math.floor((x - x0) * perLength)
        const j = Math.floor((y - y0) * perWidth)
        const k = Math.floor((z - z0) * perWidth)
        // rounding may lead to the cell beyond the last one
        c = (i < nx ? i : nx - 1) + nx * ((j < ny ? j : ny - 1) + ny * (k < nz ? k : nz - 1))
      }
      key[row] = c
      start[c + 2]!++
    }
    let fullest = 0
    for (let c = 2; c < cells + 3; c++) {
      if (start[c]! > fullest) fullest = start[c]!
      start[c]! += start[c - 1]!
    }
    if (fullest > CROWDED) this.fillInOrder(agents)
    else for (let row = 0; row < count; row++) if (key[row]! >= 0) rows[start[key[row]! + 1]!++] = row
    const total = start[cells + 1]!
    this.count = start[cells]!
    for (let n = 1; n < total; n++) {
      const row = rows[n]!
      const cell = key[row]!
      let at = n
      while (at > 0) {
        const before = rows[at - 1]!
        if (key[before] !== cell) break
        const difference = (seed[before]! >>> 0) - (seed[row]! >>> 0)
        if (difference < 0 || (difference === 0 && id[before]! < id[row]!)) break
        rows[at--] = before
      }
      rows[at] = row
    }
    this.outside = total - this.count
    this.findPlaces(total, position)
  }

  /** Fills the cells in the order of the stream keys. */
  private fillInOrder({ count, id, members, row, seed, slot }: Agents): void {
    const { key, row: rows, start } = this
    if (members !== this.sortedMembers) {
      this.sortedMembers = members
      const slots = Array.from(slot.subarray(0, count))
      slots.sort((a, b) => (seed[row[a]!]! >>> 0) - (seed[row[b]!]! >>> 0) || id[row[a]!]! - id[row[b]!]!)
      if (this.order.length < count) this.order = new Int32Array(Math.max(count, 2 * this.order.length))
      this.order.set(slots)
    }
    for (let i = 0; i < count; i++) {
      const r = row[this.order[i]!]!
      if (key[r]! >= 0) rows[start[key[r]! + 1]!++] = r
    }
  }

  private findPlaces(total: number, position: Float64Array): void {
    const { place, position: places, row: rows } = this
    this.scattered = 0
    for (let n = 0, last = 0; n < total; n++) {
      const row = rows[n]!
      place[row] = n
      for (let k = 0; k < 3; k++) places[3 * n + k] = position[3 * row + k]!
      if (row - last > 16 || last - row > 16) this.scattered++
      last = row
    }
  }

  /** To be called when the row of each place has become that place. */
  renumber(): void {
    for (let n = 0; n < this.count + this.outside; n++) this.row[n] = this.place[n] = n
  }

  protected reserve(rows: number, cells: number): void {
    if (this.key.length < rows) {
      for (const name of ['key', 'place', 'row'] as const) this[name] = new Int32Array(rows)
      this.position = new Float64Array(3 * rows)
    }
    if (this.start.length < cells + 3) this.start = new Int32Array(Math.max(cells + 3, 2 * this.start.length))
  }
}
