import { MAX_NEIGHBORS, RADIUS, TRAITS, VIEW_COSINE, type Agents } from '../engine/agents.js'
import type { Grid } from './grid.js'

/** Value of `viewEdge` without a limit: t·|t| is never below −2·d², not even by rounding. */
const NO_VIEW_LIMIT = -2

/** An agent with a limit of neighbours looks farther than its last one by this factor. Chosen by hand. */
const SIGHT_MARGIN = 1.1

/** How far (m) an agent looks that finds fewer in all of its reach. */
const FAR = 1e12

/** Cells are searched a little farther than the range: rounding must not hide an agent. */
const MARGIN = 1e-6

/** Searches a grid around one agent: `row` and `distanceSq` `[0 … count)`, in the grid's order. */
export class Scan {
  count = 0
  row: Int32Array = new Int32Array(0)
  distanceSq: Float64Array = new Float64Array(0)
  /**
   * Reaches of the agent that looks, its radius, and the largest distance to a surface, m. Fields, so that
   * they are not boxed.
   */
  reach = 0.5
  centerReach = 0.5
  private ownRadius = 0.5
  private near = Infinity
  /** Distance (m) in which the last agent is likely to find its nearest ones. */
  private guess = Infinity
  /** The nearest ones of this number count, or fewer, as the agent says. */
  most = Infinity
  /** Scratch of `nearest`: distances to the surfaces, m. */
  private surface = new Float64Array(0)
  /** Ends of the parts of the list that are tested, `[2 × parts]`. */
  private bounds = new Int32Array(64)
  private parts = 0
  private agents!: Agents
  private grid!: Grid
  private hx = 0.5
  private hy = 0.5
  private hz = 0.5
  private viewEdge = NO_VIEW_LIMIT - 0.5
  /**
   * Range (m) to the largest agents in the cells, and to the largest of all; whether smaller agents have
   * another range.
   */
  private far = 0.5
  private farthest = 0.5
  private isMixed = false
  private isMixedInAll = false

  /**
   * Sets the grid that is searched, before the first search. Makes the result large enough for all agents and
   * one more: every candidate is written, but only a hit advances the end.
   */
  setSource(agents: Agents, grid: Grid): void {
    this.agents = agents
    this.grid = grid
    const { count } = agents
    if (this.row.length > count) return
    const size = Math.max(count + 1, 2 * this.row.length)
    this.row = new Int32Array(size)
    this.distanceSq = new Float64Array(size)
    this.surface = new Float64Array(size)
  }

  /**
   * Finds the agents that the one in `self` sees: within the reaches, which have been set, and within its
   * view. The nearest few are searched where they were found in the last step, and if these are not enough,
   * in the whole reach.
   */
  find(self: number): void {
    const { grid } = this
    const { course, sight, traits } = this.agents
    const t = TRAITS * self
    const cosine = traits[t + VIEW_COSINE]!
    const limit = Math.min(traits[t + MAX_NEIGHBORS]!, this.most)
    this.hx = course[6 * self]!
    this.hy = course[6 * self + 1]!
    this.hz = course[6 * self + 2]!
    this.viewEdge = NO_VIEW_LIMIT
    if (cosine > -1) this.viewEdge = cosine * Math.abs(cosine)
    this.ownRadius = traits[t + RADIUS]!
    // a new agent begins where the one before it found its neighbours
    this.near = limit === Infinity ? Infinity : sight[self]! > 0 ? sight[self]! : this.guess
    this.around(self)
    if (limit === Infinity) return
    while (this.count < limit && this.near < Infinity) {
      this.near = this.near < Math.max(this.reach, this.centerReach) ? 2 * this.near : Infinity
      this.around(self)
    }
    this.nearest(self, Math.min(limit, this.count + 1) | 0, grid.smallest === grid.largest)
  }

  /** Computes the ranges to the agents in the grid. */
  private measure(): void {
    const { largest, largestInCells, smallest } = this.grid
    // as `rangeTo`, which is not inlined everywhere, and then boxes its numbers
    let far = this.reach > 0 ? this.reach + largest : 0
    const center = this.centerReach > 0 ? this.centerReach + Math.max(0, largest - this.ownRadius) : 0
    if (center > far) far = center
    if (far > this.near + largest) far = this.near + largest
    this.far = this.farthest = far
    this.isMixed = this.isMixedInAll = false
    if (smallest === largest) return
    const least = this.rangeTo(smallest)
    this.far = this.rangeTo(largestInCells)
    this.isMixed = this.far !== least
    this.isMixedInAll = this.farthest !== least
  }

  /**
   * The distance of the centres (m) below which an agent with this radius (m) is in range, see
   * `Behavior.reachTo`; 0 when both reaches are 0.
   */
  private rangeTo(radius: number): number {
    const surface = this.reach > 0 ? this.reach + radius : 0
    const center = this.centerReach > 0 ? this.centerReach + Math.max(0, radius - this.ownRadius) : 0
    return Math.min(Math.max(surface, center), this.near + radius)
  }

  /** Finds all agents in range and in view. */
  private around(self: number): void {
    const { grid } = this
    this.measure()
    this.count = this.parts = 0
    if (grid.repeats) this.addRepeated(self)
    else this.addLines(self, false)
    this.append(self, false)
    if (grid.largest === grid.largestInCells) return
    this.parts = 1
    this.bounds[0] = grid.count
    this.bounds[1] = grid.count + grid.outside
    this.append(self, true)
  }

  /**
   * Lists places in place of rows: those after that of `self` whose agents would be in reach if they were as
   * large as the largest. Not for a grid that repeats itself.
   */
  findLater(self: number): void {
    const { grid } = this
    this.far = this.reach + grid.largest
    this.count = this.parts = 0
    this.addLines(self, true)
    const first = grid.place[self]! + 1
    for (let part = 0; part < this.parts; part++)
      if (this.bounds[2 * part]! < first) this.bounds[2 * part] = first
    this.append(self, false, true)
  }

  /** Adds the parts of the lines of cells that its sphere touches; `later`: from its layer on. */
  private addLines(self: number, later: boolean): void {
    const { grid } = this
    const { position } = this.agents
    const { nx, ny, nz, start, width } = grid
    const far = this.far * (1 + MARGIN) + MARGIN * width
    const farSq = far * far
    const perLength = 1 / grid.length
    const perWidth = 1 / width
    const x = position[3 * self]! - grid.x0
    const y = position[3 * self + 1]! - grid.y0
    const z = position[3 * self + 2]! - grid.z0
    const y1 = cellAt((y - far) * perWidth, ny)
    const y2 = cellAt((y + far) * perWidth, ny)
    const z1 = cellAt((later ? z : z - far) * perWidth, nz)
    const z2 = cellAt((z + far) * perWidth, nz)
    this.reserveParts((y2 - y1 + 1) * (z2 - z1 + 1))
    const { bounds } = this
    let at = 0
    for (let k = z1; k <= z2; k++) {
      const offZ = Math.max(0, k * width - z, z - (k + 1) * width)
      for (let j = y1; j <= y2; j++) {
        const offY = Math.max(0, j * width - y, y - (j + 1) * width)
        const chordSq = farSq - offY * offY - offZ * offZ
        if (!(chordSq > 0)) continue
        const half = Math.sqrt(chordSq)
        const line = nx * (j + ny * k)
        bounds[at++] = start[line + cellAt((x - half) * perLength, nx)]!
        bounds[at++] = start[line + cellAt((x + half) * perLength, nx) + 1]!
      }
    }
    this.parts = at / 2
  }

  /** The same of a grid that repeats itself: a line may end at its start. */
  private addRepeated(self: number): void {
    const far = this.far * (1 + MARGIN)
    const { grid } = this
    const { position } = this.agents
    const { cellsAlong: n, start } = grid
    const x = position[3 * self]!
    const y = position[3 * self + 1]!
    const z = position[3 * self + 2]!
    const i0 = grid.coordinate(x - far)
    const j0 = grid.coordinate(y - far)
    const k0 = grid.coordinate(z - far)
    const long = Math.min(grid.coordinate(x + far) - i0 + 1, n)
    const wide = Math.min(grid.coordinate(y + far) - j0 + 1, n)
    const deep = Math.min(grid.coordinate(z + far) - k0 + 1, n)
    this.reserveParts(2 * wide * deep)
    const { bounds } = this
    const first = i0 & (n - 1)
    const beyond = first + long - n
    let at = 0
    for (let k = 0; k < deep; k++)
      for (let j = 0; j < wide; j++) {
        const line = grid.cellOf(0, j0 + j, k0 + k)
        bounds[at++] = start[line + first]!
        bounds[at++] = start[line + Math.min(first + long, n)]!
        if (!(beyond > 0)) continue
        bounds[at++] = start[line]!
        bounds[at++] = start[line + beyond]!
      }
    this.parts = at / 2
  }

  private reserveParts(parts: number): void {
    if (this.bounds.length < 2 * parts) this.bounds = new Int32Array(4 * parts)
  }

  /**
   * Appends the agents in the parts of the grid's list that are in view, and in range for their size. `all`:
   * they may be larger than those in the cells. `asPlaces`: their places, of all that are in range for the
   * largest.
   */
  private append(self: number, all: boolean, asPlaces = false): void {
    const { bounds, count: before, distanceSq, parts, row: places } = this
    const { place, position } = this.grid
    const p = 3 * place[self]!
    const x = position[p]!
    const y = position[p + 1]!
    const z = position[p + 2]!
    const far = all ? this.farthest : this.far
    const farSq = far * far
    let count = before
    for (let part = 0; part < parts; part++) {
      const to = bounds[2 * part + 1]!
      for (let n = bounds[2 * part]!; n < to; n++) {
        const dx = position[3 * n]! - x
        const dy = position[3 * n + 1]! - y
        const dz = position[3 * n + 2]! - z
        const sq = dx * dx + dy * dy + dz * dz
        places[count] = n
        distanceSq[count] = sq
        // no branch to mispredict: without one the search is 2.4 times faster (measured)
        count += Number(sq < farSq)
      }
    }
    this.count = count
    if (!asPlaces) this.sift(self, before, all ? this.isMixedInAll : this.isMixed)
  }

  /**
   * Replaces the places of the agents from index `first` on by their rows, without those that are out of
   * view, or out of range for their size, and without `self`.
   */
  private sift(self: number, first: number, isMixed: boolean): void {
    const { count, distanceSq, hx, hy, hz, row, viewEdge } = this
    const { place, position, row: rows } = this.grid
    const { traits } = this.agents
    const p = 3 * place[self]!
    let kept = first
    for (let i = first; i < count; i++) {
      const n = row[i]!
      const r = rows[n]!
      const sq = distanceSq[i]!
      let counts = Number(r !== self)
      if (viewEdge > NO_VIEW_LIMIT) {
        const dx = position[3 * n]! - position[p]!
        const dy = position[3 * n + 1]! - position[p + 1]!
        const dz = position[3 * n + 2]! - position[p + 2]!
        // one test without a square root: t·|t| ≥ c·|c|·d² means t ≥ c·d
        const t = dx * hx + dy * hy + dz * hz
        counts &= Number(t * Math.abs(t) >= viewEdge * sq)
      }
      if (isMixed) {
        const range = this.rangeTo(traits[TRAITS * r + RADIUS]!)
        counts &= Number(sq < range * range)
      }
      row[kept] = r
      distanceSq[kept] = sq
      kept += counts
    }
    this.count = kept
  }

  /**
   * Keeps the `limit` agents whose surfaces are nearest, nearest first; of equal ones the first in grid
   * order. Insertion sort into a list of at most `limit`. Notes how far `self` is likely to look for them in
   * the next step. `alike`: all agents have one size.
   */
  private nearest(self: number, limit: number, alike: boolean): void {
    const { row, distanceSq, count } = this
    const { sight, traits } = this.agents
    const surface = alike ? distanceSq : this.surface
    let kept = 0
    for (let n = 0; n < count; n++) {
      const r = row[n]!
      const sq = distanceSq[n]!
      const distance = alike ? sq : Math.sqrt(sq) - traits[TRAITS * r + RADIUS]!
      if (kept === limit && distance >= surface[kept - 1]!) continue
      let index = kept < limit ? kept++ : kept - 1
      while (index > 0 && surface[index - 1]! > distance) {
        row[index] = row[index - 1]!
        distanceSq[index] = distanceSq[index - 1]!
        if (!alike) surface[index] = surface[index - 1]!
        index--
      }
      row[index] = r
      distanceSq[index] = sq
      surface[index] = distance
    }
    this.count = kept
    // distances to agents of one size are those of their centres, so the margin is a share of such a distance
    let found = FAR
    if (kept === limit)
      found = SIGHT_MARGIN * Math.sqrt(distanceSq[limit - 1]!) - traits[TRAITS * row[limit - 1]! + RADIUS]!
    sight[self] = Math.max(0, found)
    if (found > 0) this.guess = SIGHT_MARGIN * found
  }
}

/** The number of the cell at `at` cells from the first, of `n` in a line: the nearest if outside. */
function cellAt(at: number, n: number): number {
  return at < n ? (at > 0 ? at | 0 : 0) : n - 1
}
