import { RADIUS, TRAITS, type Agents } from '../engine/agents.js'
import type { Grid } from './grid.js'
import { rangeTo } from './sight.js'

/** Value of `viewEdge` without a limit: t·|t| is never below −2·d², not even by rounding. */
const NO_VIEW_LIMIT = -2

/**
 * Searches the grid around one agent. The result is in `row` and `distanceSq`, `[0 … count)`, in the order of
 * the grid.
 */
export class Scan {
  count = 0
  row: Int32Array = new Int32Array(0)
  distanceSq: Float64Array = new Float64Array(0)
  /** Scratch of `nearestMixed`: distances to the surfaces, m. */
  private surface = new Float64Array(0)
  private readonly agents: Agents
  private grid!: Grid
  private position: Float64Array = new Float64Array(0)
  private hx = 1
  private hy = 0
  private hz = 0
  private viewEdge = NO_VIEW_LIMIT
  // the range, see `setRange`
  private ownRadius = 0
  private reach = 0
  private centerReach = 0
  private near = Infinity
  private extra = 0
  /**
   * Range (m) to the largest agents in the cells, and to the largest of all; whether smaller agents have
   * another range.
   */
  private far = 0
  private farthest = 0
  private isMixed = false
  private isMixedInAll = false

  constructor(agents: Agents) {
    this.agents = agents
  }

  /** Sets the grid that is searched, and the positions (m) of the agents in it, before the first search. */
  setSource(grid: Grid, position: Float64Array): void {
    this.grid = grid
    this.position = position
  }

  /**
   * Makes the result large enough for all agents and one more: every candidate is written, but only a hit
   * advances the end.
   */
  reserve(): void {
    const { count } = this.agents
    if (this.row.length > count) return
    const size = Math.max(count + 1, 2 * this.row.length)
    this.row = new Int32Array(size)
    this.distanceSq = new Float64Array(size)
    this.surface = new Float64Array(size)
  }

  /** Sets the unit direction of view and the cosine of half the field of view; −1 sees all round. */
  setView(hx: number, hy: number, hz: number, cosine: number): void {
    this.hx = hx
    this.hy = hy
    this.hz = hz
    this.viewEdge = cosine > -1 ? cosine * Math.abs(cosine) : NO_VIEW_LIMIT
  }

  /**
   * Sets the range to that of the agent in `self`, at most `near` (m) to a surface, and `extra` (m) farther.
   */
  setRange(self: number, near: number, extra: number): void {
    const { binding, traits } = this.agents
    const { reach, centerReach } = binding[self]!
    this.setRangeOf(traits[TRAITS * self + RADIUS]!, reach, centerReach, near, extra)
  }

  /** Sets the range to that of an agent with this radius (m) and these reaches (m). */
  setRangeOf(ownRadius: number, reach: number, centerReach: number, near: number, extra: number): void {
    const { grid } = this
    this.ownRadius = ownRadius
    this.reach = reach
    this.centerReach = centerReach
    this.near = near
    this.extra = extra
    const least = this.rangeTo(grid.smallest)
    this.far = this.rangeTo(grid.largestInCells)
    this.farthest = this.rangeTo(grid.largest)
    this.isMixed = this.far !== least
    this.isMixedInAll = this.farthest !== least
  }

  /** The distance of the centres (m) below which an agent with this radius is in range. */
  private rangeTo(radius: number): number {
    return rangeTo(this.ownRadius, radius, this.reach, this.centerReach, this.near) + this.extra
  }

  /**
   * Finds all agents in range and in view. No agent may be farther than `margin` (m) from the cell that it is
   * listed in.
   */
  around(self: number, margin: number): void {
    const { grid } = this
    this.count = 0
    if (grid.hashed) this.aroundHashed(self, margin)
    else this.aroundInBox(self, margin)
    if (grid.oversized > 0) this.list(grid.rows, grid.count, grid.count + grid.oversized, self)
  }

  private aroundInBox(self: number, margin: number): void {
    const { grid, position } = this
    const far = this.far + margin
    const { start, nx, ny, nz } = grid
    const x = position[3 * self]!
    const y = position[3 * self + 1]!
    const z = position[3 * self + 2]!
    const i0 = grid.axis(x - far, grid.x0, nx)
    const i1 = grid.axis(x + far, grid.x0, nx)
    const j0 = grid.axis(y - far, grid.y0, ny)
    const j1 = grid.axis(y + far, grid.y0, ny)
    const k0 = grid.axis(z - far, grid.z0, nz)
    const k1 = grid.axis(z + far, grid.z0, nz)
    for (let k = k0; k <= k1; k++)
      for (let j = j0; j <= j1; j++) {
        const line = nx * (j + ny * k)
        this.listCells(start[line + i0]!, start[line + i1 + 1]!, self)
      }
  }

  /** Tests every agent: for a grid that was not built of the present agents. */
  everywhere(self: number): void {
    this.count = 0
    const rows = Int32Array.from({ length: this.agents.count }, (_, row) => row)
    // nor are the radii of the grid those of the agents
    this.append(rows, 0, rows.length, self, Infinity, true)
  }

  /**
   * Searches hashed cells. A bucket may hold agents of other cells, so an agent counts only in the cell that
   * contains it.
   */
  private aroundHashed(self: number, margin: number): void {
    const far = this.far + margin
    const { grid, position } = this
    const p = 3 * self
    const i0 = grid.coordinate(position[p]! - far)
    const i1 = grid.coordinate(position[p]! + far)
    const j0 = grid.coordinate(position[p + 1]! - far)
    const j1 = grid.coordinate(position[p + 1]! + far)
    const k0 = grid.coordinate(position[p + 2]! - far)
    const k1 = grid.coordinate(position[p + 2]! + far)
    // more cells than agents: testing every agent is cheaper
    if (!((i1 - i0 + 1) * (j1 - j0 + 1) * (k1 - k0 + 1) <= grid.count))
      return this.listCells(0, grid.count, self)
    for (let k = k0; k <= k1; k++)
      for (let j = j0; j <= j1; j++)
        for (let i = i0; i <= i1; i++) {
          const bucket = grid.hash(i, j, k)
          const end = grid.start[bucket + 1]!
          for (let e = grid.start[bucket]!; e < end; e++)
            if (margin > 0 ? !this.includes(grid.rows[e]!) : this.liesIn(grid.rows[e]!, i, j, k))
              this.listCells(e, e + 1, self)
        }
  }

  /** Whether `row` is in the result. */
  private includes(row: number): boolean {
    for (let n = 0; n < this.count; n++) if (this.row[n] === row) return true
    return false
  }

  private liesIn(row: number, i: number, j: number, k: number): boolean {
    const { grid, position } = this
    return (
      grid.coordinate(position[3 * row]!) === i &&
      grid.coordinate(position[3 * row + 1]!) === j &&
      grid.coordinate(position[3 * row + 2]!) === k
    )
  }

  /** Appends those of the rows `list[from … to)` that are in range and in view. */
  list(list: Int32Array, from: number, to: number, self: number): void {
    this.append(list, from, to, self, this.farthest, this.isMixedInAll)
  }

  /** As `list`, for entries of the grid's cells. */
  private listCells(from: number, to: number, self: number): void {
    this.append(this.grid.rows, from, to, self, this.far, this.isMixed)
  }

  /**
   * Appends the agents in view whose centre is nearer than `far` (m); when sizes are `mixed`, only those in
   * range for their size.
   */
  private append(
    list: Int32Array,
    from: number,
    to: number,
    self: number,
    far: number,
    mixed: boolean,
  ): void {
    const { row, distanceSq, hx, hy, hz, position, viewEdge } = this
    const x = position[3 * self]!
    const y = position[3 * self + 1]!
    const z = position[3 * self + 2]!
    const farSq = far * far
    const before = this.count
    let count = before
    for (let n = from; n < to; n++) {
      const r = list[n]!
      const dx = position[3 * r]! - x
      const dy = position[3 * r + 1]! - y
      const dz = position[3 * r + 2]! - z
      const sq = dx * dx + dy * dy + dz * dz
      // one test without a square root: t·|t| ≥ c·|c|·d² means t ≥ c·d
      const t = dx * hx + dy * hy + dz * hz
      row[count] = r
      distanceSq[count] = sq
      // no branch to mispredict: without one the search is 2.4 times faster (measured)
      count += Number(sq < farSq) & Number(t * Math.abs(t) >= viewEdge * sq) & Number(r !== self)
    }
    this.count = count
    if (mixed) this.dropBeyond(before)
  }

  /** Drops the agents from index `first` on that are out of range for their size. */
  private dropBeyond(first: number): void {
    const { row, distanceSq, count } = this
    const { traits } = this.agents
    let kept = first
    for (let n = first; n < count; n++) {
      const r = row[n]!
      const sq = distanceSq[n]!
      const range = this.rangeTo(traits[TRAITS * r + RADIUS]!)
      if (!(sq < range * range)) continue
      row[kept] = r
      distanceSq[kept++] = sq
    }
    this.count = kept
  }

  /**
   * Keeps the `limit` agents whose surfaces are nearest, nearest first; of equal ones the first in grid
   * order. Insertion sort into a list of at most `limit`. `indexed`: the grid was built of the present
   * agents.
   */
  nearest(limit: number, indexed: boolean): void {
    if (!indexed || this.grid.smallest < this.grid.largest) return this.nearestMixed(limit)
    const { row, distanceSq, count } = this
    let kept = 0
    for (let n = 0; n < count; n++) {
      const r = row[n]!
      const sq = distanceSq[n]!
      if (kept === limit && sq >= distanceSq[kept - 1]!) continue
      let index = kept < limit ? kept++ : kept - 1
      while (index > 0 && distanceSq[index - 1]! > sq) {
        row[index] = row[index - 1]!
        distanceSq[index] = distanceSq[index - 1]!
        index--
      }
      row[index] = r
      distanceSq[index] = sq
    }
    this.count = kept
  }

  /** The same for agents of different sizes. */
  private nearestMixed(limit: number): void {
    const { row, distanceSq, count, surface } = this
    const { traits } = this.agents
    let kept = 0
    for (let n = 0; n < count; n++) {
      const r = row[n]!
      const sq = distanceSq[n]!
      const distance = Math.sqrt(sq) - traits[TRAITS * r + RADIUS]!
      if (kept === limit && distance >= surface[kept - 1]!) continue
      let index = kept < limit ? kept++ : kept - 1
      while (index > 0 && surface[index - 1]! > distance) {
        row[index] = row[index - 1]!
        distanceSq[index] = distanceSq[index - 1]!
        surface[index] = surface[index - 1]!
        index--
      }
      row[index] = r
      distanceSq[index] = sq
      surface[index] = distance
    }
    this.count = kept
  }
}
