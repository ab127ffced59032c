import type { Neighborhood } from '../types.js'
import type { Grid } from './grid.js'

/**
 * The one neighbour query of an agent and step: all agents within `reach` (and the field of view), in grid order; with a
 * cap, the nearest ones, nearest first.
 */
export class Neighbors implements Neighborhood {
  count = 0
  entry = new Int32Array(0)
  distanceSq = new Float64Array(0)
  private readonly grid: Grid

  constructor(grid: Grid) {
    this.grid = grid
  }

  get x(): Float64Array {
    return this.grid.x
  }
  get y(): Float64Array {
    return this.grid.y
  }
  get z(): Float64Array {
    return this.grid.z
  }
  get vx(): Float64Array {
    return this.grid.vx
  }
  get vy(): Float64Array {
    return this.grid.vy
  }
  get vz(): Float64Array {
    return this.grid.vz
  }
  get radius(): Float64Array {
    return this.grid.radius
  }
  get group(): Int32Array {
    return this.grid.group
  }
  get id(): Int32Array {
    return this.grid.id
  }

  /**
   * Finds the neighbours of grid entry `self`. `hx, hy, hz` is the unit direction it looks in, `cosine` the cosine of half
   * its field of view, `limit` the cap on their number.
   */
  find(self: number, reach: number, cosine: number, hx: number, hy: number, hz: number, limit: number): void {
    this.reserve(this.grid.count)
    this.count = this.grid.hashed ? this.collectHashed(self, reach) : this.collect(self, reach)
    if (cosine > -1) this.count = this.look(self, cosine, hx, hy, hz)
    if (this.count > limit) this.count = this.nearest(limit)
  }

  /** Entries within reach. Every candidate is written; only a hit moves the end on: no branch to mispredict. */
  private collect(self: number, reach: number): number {
    const { grid, entry, distanceSq } = this
    const { x: gx, y: gy, z: gz, start, nx } = grid
    const x = gx[self]!
    const y = gy[self]!
    const z = gz[self]!
    const reachSq = reach * reach
    const i0 = grid.axis(x - reach, grid.x0, nx)
    const i1 = grid.axis(x + reach, grid.x0, nx)
    const j0 = grid.axis(y - reach, grid.y0, grid.ny)
    const j1 = grid.axis(y + reach, grid.y0, grid.ny)
    const k0 = grid.axis(z - reach, grid.z0, grid.nz)
    const k1 = grid.axis(z + reach, grid.z0, grid.nz)
    let count = 0
    for (let k = k0; k <= k1; k++)
      for (let j = j0; j <= j1; j++) {
        const row = nx * (j + grid.ny * k)
        const end = start[row + i1 + 1]!
        for (let e = start[row + i0]!; e < end; e++) {
          const dx = gx[e]! - x
          const dy = gy[e]! - y
          const dz = gz[e]! - z
          const sq = dx * dx + dy * dy + dz * dz
          entry[count] = e
          distanceSq[count] = sq
          if (sq < reachSq && e !== self) count++
        }
      }
    return count
  }

  /** As above over hashed cells. A bucket may hold other cells' entries, so an entry counts only for the cell it lies in. */
  private collectHashed(self: number, reach: number): number {
    const { grid } = this
    const i0 = grid.coordinate(grid.x[self]! - reach)
    const i1 = grid.coordinate(grid.x[self]! + reach)
    const j0 = grid.coordinate(grid.y[self]! - reach)
    const j1 = grid.coordinate(grid.y[self]! + reach)
    const k0 = grid.coordinate(grid.z[self]! - reach)
    const k1 = grid.coordinate(grid.z[self]! + reach)
    let count = 0
    // more cells than agents: looking at every agent is cheaper
    if (!((i1 - i0 + 1) * (j1 - j0 + 1) * (k1 - k0 + 1) <= grid.count)) {
      for (let e = 0; e < grid.count; e++) count = this.take(e, self, reach, count)
      return count
    }
    for (let k = k0; k <= k1; k++)
      for (let j = j0; j <= j1; j++)
        for (let i = i0; i <= i1; i++) {
          const bucket = grid.hash(i, j, k)
          const end = grid.start[bucket + 1]!
          for (let e = grid.start[bucket]!; e < end; e++)
            if (grid.liesIn(e, i, j, k)) count = this.take(e, self, reach, count)
        }
    return count
  }

  /** Appends entry `e` when it is within reach. */
  private take(e: number, self: number, reach: number, count: number): number {
    const { grid } = this
    const dx = grid.x[e]! - grid.x[self]!
    const dy = grid.y[e]! - grid.y[self]!
    const dz = grid.z[e]! - grid.z[self]!
    const sq = dx * dx + dy * dy + dz * dz
    this.entry[count] = e
    this.distanceSq[count] = sq
    return sq < reach * reach && e !== self ? count + 1 : count
  }

  /** Keeps what lies inside the cone of view. One test without a square root: t·|t| ≥ c·|c|·d² means t ≥ c·d. */
  private look(self: number, cosine: number, hx: number, hy: number, hz: number): number {
    const { grid, entry, distanceSq, count } = this
    const x = grid.x[self]!
    const y = grid.y[self]!
    const z = grid.z[self]!
    const edge = cosine * Math.abs(cosine)
    let kept = 0
    for (let n = 0; n < count; n++) {
      const e = entry[n]!
      const sq = distanceSq[n]!
      const t = (grid.x[e]! - x) * hx + (grid.y[e]! - y) * hy + (grid.z[e]! - z) * hz
      entry[kept] = e
      distanceSq[kept] = sq
      if (t * Math.abs(t) >= edge * sq) kept++
    }
    return kept
  }

  /** Keeps the `limit` nearest, sorted; of equals the first in grid order. Insertion into a list that never grows beyond `limit`. */
  private nearest(limit: number): number {
    const { entry, distanceSq, count } = this
    let kept = 0
    for (let n = 0; n < count; n++) {
      const e = entry[n]!
      const sq = distanceSq[n]!
      if (kept === limit && sq >= distanceSq[kept - 1]!) continue
      let at = kept < limit ? kept++ : kept - 1
      while (at > 0 && distanceSq[at - 1]! > sq) {
        entry[at] = entry[at - 1]!
        distanceSq[at] = distanceSq[at - 1]!
        at--
      }
      entry[at] = e
      distanceSq[at] = sq
    }
    return kept
  }

  /** Room for all agents of the grid, and one more for the unconditional write. */
  private reserve(count: number): void {
    if (this.entry.length > count) return
    const size = Math.max(count + 1, 2 * this.entry.length)
    this.entry = new Int32Array(size)
    this.distanceSq = new Float64Array(size)
  }
}
