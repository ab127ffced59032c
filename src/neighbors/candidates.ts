import { grown } from '../math/grown.js'
import { RADIUS, TRAITS, type Agents } from '../engine/agents.js'
import { Arranger } from './arrange.js'
import type { Grid } from './grid.js'
import { Scan } from './scan.js'
import { nearOf, rangeTo } from './sight.js'

/**
 * The lists reach farther than is needed by this share, so that they stay valid for some steps. Chosen by
 * hand.
 */
const SKIN_SHARE = 0.25
/**
 * Up to this share of the agents may stray, and are listed again one by one; with more, all lists are made
 * again. Chosen by hand.
 */
const MAX_STRAY_SHARE = 1 / 10
/** Lists stay valid while the mean reach stays within this factor of the reach they were made for. */
const SAME_REACH = 1.25
/** Lists that stayed valid for fewer steps than this cost more than they saved … */
const MIN_LIFE = 3
/** … and no lists are made for this many steps. Chosen by hand. */
const PAUSE = 60
/** Mark of a stray that a search has found in its old cell. */
const FOUND = 2
/** Largest mean number of candidates per agent: in a denser crowd the lists would need too much memory. */
const MAX_CANDIDATES = 192

/**
 * Lists of the agents that may come within reach (Verlet 1967: neighbour lists). They stay valid until an
 * agent has moved by half the skin: a query then tests a dozen candidates instead of 27 cells, and the grid
 * keeps its order. The few agents that move farther (a falcon, a teleport) are listed again one by one. The
 * result of a query is the same set with and without lists.
 */
export class Candidates {
  /** Whether the lists may be used in this step. */
  valid = false
  /** Candidates of row r: `list[start[r] … start[r] + length[r] − 1]`. */
  start: Int32Array = new Int32Array(0)
  length: Int32Array = new Int32Array(0)
  list: Int32Array = new Int32Array(0)
  readonly grid: Grid
  readonly agents: Agents
  readonly scan: Scan
  readonly arranger = new Arranger()
  /** Version of the agents, and mean reach (m), for which the lists were made. */
  version = -1
  reach = 0
  /**
   * Largest reach of all (m), distance that the lists reach farther (m), steps since they were made, and
   * steps until they may be made again.
   */
  widest = 0
  skin = 0
  age = 0
  pause = 0
  /** Distance (m) that each list covers, as `nearOf`; 0 for an agent without a reach. */
  range: Float64Array = new Float64Array(0)
  /** Capacity of each list, and end of the pool of all lists. */
  capacity: Int32Array = new Int32Array(0)
  end = 0
  /** Positions when the lists were made, m, `[3 × rows]`. */
  listedPosition: Float64Array = new Float64Array(0)
  /** Rows that strayed since then: their cells in the grid are out of date. */
  strays: Int32Array = new Int32Array(0)
  strayCount = 0
  /** 1 for a row in `strays`, `FOUND` while a search has found it in its old cell. */
  private strayed: Uint8Array = new Uint8Array(0)

  constructor(grid: Grid, agents: Agents) {
    this.grid = grid
    this.agents = agents
    this.scan = new Scan(grid, agents)
  }

  /**
   * Updates grid and lists to the present positions. `reach` (m) is the mean reach of the agents that have
   * one.
   */
  update(reach: number): void {
    const { grid, agents } = this
    const same = reach < SAME_REACH * this.reach && reach * SAME_REACH > this.reach
    if (this.valid && this.version === agents.version && same) {
      this.age++
      if (this.repair()) return
    }
    const shortLived = this.valid && this.version === agents.version && this.age < MIN_LIFE
    this.pause = shortLived ? PAUSE : this.pause - 1
    this.valid = false
    if (this.pause > 0) return grid.build(agents, reach)
    this.skin = SKIN_SHARE * reach
    grid.build(agents, reach + this.skin)
    if (grid.count + grid.oversized === agents.count) this.arrangeRows()
    this.valid = this.makeLists()
    if (!this.valid) this.pause = PAUSE
    this.version = agents.version
    this.reach = reach
    this.age = 0
  }

  /**
   * Finds the neighbours of `row`, at most `near` (m) to a surface, into `scan`: from its list when that
   * reaches so far, else from the grid.
   */
  find(scan: Scan, row: number, near: number): void {
    scan.setRange(row, near, 0)
    if (!this.valid) return scan.around(row, 0)
    if (near <= this.range[row]!) {
      const from = this.start[row]!
      scan.count = 0
      return scan.list(this.list, from, from + this.length[row]!, row)
    }
    this.search(scan, row)
  }

  /**
   * Searches a grid that is some steps old: other agents are up to half a skin from their cells, and strays
   * may be anywhere.
   */
  private search(scan: Scan, row: number): void {
    scan.around(row, this.skin / 2)
    const { strays, strayed, strayCount } = this
    for (let n = 0; n < scan.count; n++) strayed[scan.row[n]!]! *= FOUND
    let from = 0
    for (let i = 0; i < strayCount; i++) {
      const stray = strays[i]!
      if (strayed[stray] !== FOUND) continue
      strayed[stray] = 1
      scan.list(strays, from, i, row)
      from = i + 1
    }
    scan.list(strays, from, strayCount, row)
  }

  /** Arranges neighbours in space side by side in memory. */
  private arrangeRows(): void {
    const { grid, agents } = this
    this.arranger.arrange(agents, grid.rows)
    for (let row = 0; row < agents.count; row++) grid.rows[row] = row
  }

  /**
   * Lists the agents again that have moved so far that a list may miss them; false when there are too many.
   */
  private repair(): boolean {
    const { listedPosition } = this
    const { position, count } = this.agents
    const limit = (this.skin * this.skin) / 4
    for (let row = 0; row < count; row++) {
      const p = 3 * row
      const dx = position[p]! - listedPosition[p]!
      const dy = position[p + 1]! - listedPosition[p + 1]!
      const dz = position[p + 2]! - listedPosition[p + 2]!
      if (dx * dx + dy * dy + dz * dz > limit && !this.relist(row)) return false
    }
    return true
  }

  /** Finds the candidates of one row, and adds the row to the lists of those that it is a candidate of. */
  private relist(row: number): boolean {
    const { scan, agents, listedPosition, strays, length } = this
    const { position, traits } = agents
    const margin = 1.5 * this.skin
    // no agent sees it from farther away, and it sees no surface that is farther away
    scan.setRangeOf(0, this.widest + traits[TRAITS * row + RADIUS]! + margin, 0, Infinity, 0)
    this.search(scan, row)
    length[row] = 0
    for (let n = 0; n < scan.count; n++) {
      const other = scan.row[n]!
      const d = Math.sqrt(scan.distanceSq[n]!)
      if (this.range[row]! > 0 && d < this.rangeOf(row, other) + margin) this.append(row, other)
      if (this.range[other]! > 0 && d < this.rangeOf(other, row) + margin) this.append(other, row)
    }
    for (let k = 0; k < 3; k++) listedPosition[3 * row + k] = position[3 * row + k]!
    if (this.strayed[row] === 1) return true
    if (this.strayCount >= Math.max(4, MAX_STRAY_SHARE * agents.count)) return false
    strays[this.strayCount++] = row
    this.strayed[row] = 1
    return true
  }

  /** Marks the rows in `strays`, and no others. */
  markStrays(): void {
    const { strays, strayed, strayCount } = this
    strayed.fill(0)
    for (let i = 0; i < strayCount; i++) strayed[strays[i]!] = 1
  }

  /** The distance (m) below which the list of `row` contains `other`, without the margins. */
  private rangeOf(row: number, other: number): number {
    const { binding, traits } = this.agents
    const { reach, centerReach } = binding[row]!
    const ownRadius = traits[TRAITS * row + RADIUS]!
    return rangeTo(ownRadius, traits[TRAITS * other + RADIUS]!, reach, centerReach, this.range[row]!)
  }

  /** Adds `other` to the list of `row`. A full list moves to the end of the pool. */
  private append(row: number, other: number): void {
    const { length, capacity, start } = this
    const count = length[row]!
    for (let n = start[row]!; n < start[row]! + count; n++) if (this.list[n] === other) return
    if (count === capacity[row]!) {
      capacity[row] = 2 * count + 4
      this.reserve(this.end + capacity[row])
      this.list.copyWithin(this.end, start[row]!, start[row]! + count)
      start[row] = this.end
      this.end += capacity[row]
    }
    this.list[start[row]! + count] = other
    length[row] = count + 1
  }

  /** The lists are out of date, and may be made again at once. */
  forget(): void {
    this.valid = false
    this.pause = 0
  }

  reserve(end: number): void {
    if (end > this.list.length) this.list = grown(this.list, Math.max(end, 2 * this.list.length))
  }

  reserveRows(count: number): void {
    if (this.start.length >= count) return
    const size = Math.max(count, 2 * this.start.length)
    for (const name of ['start', 'length', 'capacity', 'strays'] as const) this[name] = new Int32Array(size)
    this.listedPosition = new Float64Array(3 * size)
    this.range = new Float64Array(size)
    this.strayed = new Uint8Array(size)
  }

  /** Makes the lists; false when there are too many candidates. */
  private makeLists(): boolean {
    const { scan } = this
    const { binding, count, position, lost } = this.agents
    this.reserveRows(count)
    scan.reserve()
    this.widest = 0
    this.strayCount = 0
    this.markStrays()
    let total = 0
    for (let row = 0; row < count; row++) {
      this.start[row] = total
      this.length[row] = this.capacity[row] = 0
      const { reach, centerReach } = binding[row]!
      const widest = lost[row] === 1 ? 0 : Math.max(reach, centerReach)
      const near = nearOf(this.agents, row)
      this.range[row] = widest > 0 ? near : 0
      if (!(widest > 0)) continue
      this.widest = Math.max(this.widest, Math.min(widest, near))
      scan.setRange(row, near, this.skin)
      scan.around(row, 0)
      const end = total + scan.count
      if (end > MAX_CANDIDATES * count + 64) return false
      this.reserve(end)
      for (let n = 0; n < scan.count; n++) this.list[total + n] = scan.row[n]!
      this.length[row] = this.capacity[row] = scan.count
      total = end
    }
    this.end = total
    for (let p = 0; p < 3 * count; p++) this.listedPosition[p] = position[p]!
    return true
  }
}
