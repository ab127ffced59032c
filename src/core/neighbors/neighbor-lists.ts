import { grown } from '../math/grown.js'
import { RADIUS, TRAITS, type Agents } from '../engine/agents.js'
import { Grid } from './grid.js'
import type { Scan } from './scan.js'
import { nearOf, rangeTo } from './sight.js'

/**
 * The lists reach farther than is needed by this share, so that they stay valid for some steps. Chosen by
 * hand.
 */
const SKIN_SHARE = 0.25
/**
 * Largest mean number of candidates per agent, where they are more than the second number in all: in a denser
 * crowd the lists would need too much memory. Chosen by hand.
 */
const MAX_CANDIDATES = 192
const MANY_CANDIDATES = 2 ** 19

/** For each agent a list of the agents that may come within its reach, made for the positions of one step. */
export class NeighborLists {
  readonly grid = new Grid()
  /** Version of the agents, and mean reach (m), for which the lists are made. */
  version = -1
  reach = 0
  /**
   * Largest reach of all (m), distance that the lists reach farther (m), and steps since that of the
   * positions.
   */
  widest = 0
  skin = 0
  age = 0
  /** Number of rows whose lists are made. */
  made = 0
  /** Candidates of row r: `list[start[r] … start[r] + length[r] − 1]`. */
  start: Int32Array = new Int32Array(0)
  length: Int32Array = new Int32Array(0)
  list: Int32Array = new Int32Array(0)
  /** Capacity of each list, and end of the pool of all lists. */
  capacity: Int32Array = new Int32Array(0)
  end = 0
  /** Distance (m) that each list covers, as `nearOf`; 0 for an agent without a reach. */
  range: Float64Array = new Float64Array(0)
  /** Positions for which the lists are made, m, `[3 × rows]`. */
  position: Float64Array = new Float64Array(0)

  /** Builds the grid for lists of the mean `reach` (m). */
  buildGrid(agents: Agents, reach: number): void {
    this.reach = reach
    this.skin = SKIN_SHARE * reach
    this.grid.build(agents, reach + this.skin)
  }

  /** Begins new lists, for the present positions. The grid must have been built of them. */
  begin(agents: Agents): void {
    const { count, position } = agents
    this.reserveRows(count)
    this.version = agents.version
    this.age = this.made = this.end = this.widest = 0
    for (let p = 0; p < 3 * count; p++) this.position[p] = position[p]!
  }

  /** Makes the lists of the rows that have none yet, up to row `to` − 1; false for too many candidates. */
  makeUntil(to: number, agents: Agents, scan: Scan): boolean {
    const { binding, count, lost } = agents
    scan.setSource(agents, this.grid, this.position)
    scan.extra = this.skin
    for (let row = this.made; row < to; row++) {
      const from = this.end
      this.start[row] = from
      this.length[row] = this.capacity[row] = 0
      const { reach, centerReach } = binding[row]!
      const widest = lost[row] === 1 ? 0 : Math.max(reach, centerReach)
      const near = nearOf(agents, row)
      this.range[row] = widest > 0 ? near : 0
      if (!(widest > 0)) continue
      this.widest = Math.max(this.widest, Math.min(widest, near))
      scan.near = near
      scan.setRange(row)
      scan.around(row, 0)
      this.end += scan.count
      if (this.end > Math.max(MAX_CANDIDATES * count, MANY_CANDIDATES)) return false
      this.reserve(this.end)
      for (let n = 0; n < scan.count; n++) this.list[from + n] = scan.row[n]!
      this.length[row] = this.capacity[row] = scan.count
    }
    this.made = Math.max(this.made, to)
    return true
  }

  /** The distance (m) below which the list of `row` contains `other`, without the margins. */
  rangeOf(row: number, other: number, { binding, traits }: Agents): number {
    const { reach, centerReach } = binding[row]!
    const ownRadius = traits[TRAITS * row + RADIUS]!
    return rangeTo(ownRadius, traits[TRAITS * other + RADIUS]!, reach, centerReach, this.range[row]!)
  }

  /** Adds `other` to the list of `row`. A full list moves to the end of the pool. */
  append(row: number, other: number): void {
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

  reserve(end: number): void {
    if (end > this.list.length) this.list = grown(this.list, Math.max(end, 2 * this.list.length))
  }

  reserveRows(count: number): void {
    if (this.start.length >= count) return
    const size = Math.max(count, 2 * this.start.length)
    for (const name of ['start', 'length', 'capacity'] as const) this[name] = new Int32Array(size)
    this.position = new Float64Array(3 * size)
    this.range = new Float64Array(size)
  }
}
