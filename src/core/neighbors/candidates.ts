import { RADIUS, TRAITS, type Agents } from '../engine/agents.js'
import { Arranger } from './arrange.js'
import type { Grid } from './grid.js'
import { NeighborLists } from './neighbor-lists.js'
import { Scan } from './scan.js'

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
/**
 * In a world of so many agents the next lists are made in this number of steps, a part in each, so that no
 * step takes much longer than the others. Chosen by hand.
 */
const LEAST_SHARED = 256
const PARTS = 3
/** Lists that stay valid for a shorter time are made at once, because parts would be made too often. */
const LEAST_AGE = 2 * PARTS
/** After this number of steps all lists are made at once, and the rows arranged in space. Chosen by hand. */
const ARRANGED_STEPS = 240

/**
 * Lists of the agents that may come within reach (Verlet 1967: neighbour lists). They stay valid until an
 * agent has moved by half the skin: a query then tests a dozen candidates instead of 27 cells, and the grid
 * keeps its order. The few agents that move farther (a falcon, a teleport) are listed again one by one. The
 * result of a query is the same set with and without lists.
 */
export class Candidates {
  /** Whether the present lists may be used in this step. */
  valid = false
  present = new NeighborLists()
  /** The lists that will replace them, and whether they are begun. */
  next = new NeighborLists()
  isBegun = false
  /** Steps until lists may be made again, and steps since the rows were arranged. */
  pause = 0
  arrangedSteps = 0
  readonly agents: Agents
  readonly arranger = new Arranger()
  /** Rows that strayed since the lists were made: their cells in the grid are out of date. */
  strays: Int32Array = new Int32Array(0)
  strayCount = 0
  /** 1 for a row in `strays`, `FOUND` while a search has found it in its old cell. */
  private strayed: Uint8Array = new Uint8Array(0)
  /** Number of agents that stray, or will do so before new lists can be made in parts. */
  private leaving = 0
  private readonly scan = new Scan()

  constructor(agents: Agents) {
    this.agents = agents
  }

  /** The grid that belongs to the present lists; without lists, that of the present positions. */
  get grid(): Grid {
    return this.present.grid
  }

  /**
   * Updates grid and lists to the present positions. `reach` (m) is the mean reach of the agents that have
   * one.
   */
  update(reach: number): void {
    const { agents } = this
    this.arrangedSteps++
    const holds = this.valid && this.present.version === agents.version && this.isSame(reach)
    if (holds && this.carryOn(reach)) return
    const { age, version } = this.present
    const shortLived = this.valid && version === agents.version && age < MIN_LIFE
    this.pause = shortLived ? PAUSE : this.pause - 1
    this.valid = this.isBegun = false
    if (this.pause > 0) return this.grid.build(agents, reach)
    this.valid = this.makeAtOnce(reach)
    if (!this.valid) this.pause = PAUSE
  }

  /** Whether the present lists fit the mean `reach` (m). */
  private isSame(reach: number): boolean {
    return reach < SAME_REACH * this.present.reach && reach * SAME_REACH > this.present.reach
  }

  /** Brings the lists up to date, and makes a part of the next ones. False when all must be made anew. */
  private carryOn(reach: number): boolean {
    const { agents, next } = this
    this.present.age++
    next.age++
    if (this.isBegun && next.age >= PARTS) this.replace()
    if (!this.repair()) {
      if (!this.isBegun || !next.makeUntil(agents.count, agents, this.scan)) return false
      this.replace()
      if (!this.repair()) return false
    }
    this.makePart(reach)
    return true
  }

  /** Makes a part of the next lists, when the present ones will soon be out of date. */
  private makePart(reach: number): void {
    const { agents, next } = this
    const { count } = agents
    if (!this.isBegun) {
      if (count < LEAST_SHARED || this.present.age < LEAST_AGE || this.arrangedSteps >= ARRANGED_STEPS) return
      if (this.leaving <= this.mostStrays) return
      next.buildGrid(agents, reach)
      next.begin(agents)
      this.isBegun = true
    }
    const to = Math.min(count, Math.ceil((count * (next.age + 1)) / PARTS))
    this.isBegun = next.makeUntil(to, agents, this.scan)
  }

  /** Replaces the present lists by the next ones. */
  private replace(): void {
    const { next, present } = this
    this.present = next
    this.next = present
    this.isBegun = false
    this.clearStrays()
  }

  /** Makes all lists for the present positions; false for too many candidates. */
  private makeAtOnce(reach: number): boolean {
    const { agents, present } = this
    present.buildGrid(agents, reach)
    this.arrangedSteps = 0
    if (this.grid.count + this.grid.outside === agents.count) this.arrangeRows()
    this.reserveRows(agents.count)
    present.begin(agents)
    this.clearStrays()
    return present.makeUntil(agents.count, agents, this.scan)
  }

  /**
   * Finds the neighbours of `row`, at most `scan.near` (m) to a surface, into `scan`: from its list when that
   * reaches so far, else from the grid. `indexed`: grid and lists are those of the present agents.
   */
  find(scan: Scan, row: number, indexed: boolean): void {
    const { length, list, range, start } = this.present
    scan.extra = 0
    scan.setRange(row)
    if (!indexed) return scan.everywhere(row)
    if (!this.valid) return scan.around(row, 0)
    if (scan.near <= range[row]!) {
      const from = start[row]!
      scan.count = 0
      return scan.list(list, from, from + length[row]!, row)
    }
    this.search(scan, row)
  }

  /**
   * Searches a grid that is some steps old: other agents are up to half a skin from their cells, and strays
   * may be anywhere.
   */
  private search(scan: Scan, row: number): void {
    scan.around(row, this.present.skin / 2)
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
    const { agents, grid } = this
    this.arranger.arrange(agents, grid.row)
    grid.renumber()
  }

  private get mostStrays(): number {
    return Math.max(4, MAX_STRAY_SHARE * this.agents.count)
  }

  /**
   * Lists the agents again that have moved so far that a list may miss them; false when there are too many.
   * Counts those that will move so far before new lists can be made in parts.
   */
  private repair(): boolean {
    const { age, position: listed, skin } = this.present
    const { strayed } = this
    const { position, count } = this.agents
    const limit = (skin * skin) / 4
    const soon = limit * (age / (age + PARTS + 1)) ** 2
    let leaving = this.strayCount
    for (let row = 0; row < count; row++) {
      const p = 3 * row
      const dx = position[p]! - listed[p]!
      const dy = position[p + 1]! - listed[p + 1]!
      const dz = position[p + 2]! - listed[p + 2]!
      const sq = dx * dx + dy * dy + dz * dz
      leaving += Number(sq > soon) & (strayed[row]! ^ 1)
      if (sq > limit && !this.relist(row)) return false
    }
    this.leaving = leaving
    return true
  }

  /** Finds the candidates of one row, and adds the row to the lists of those that it is a candidate of. */
  private relist(row: number): boolean {
    const { agents, present, scan, strays } = this
    const { position, traits } = agents
    const margin = 1.5 * present.skin
    scan.setSource(agents, present.grid, position)
    scan.near = Infinity
    scan.extra = 0
    // no agent sees it from farther away, and it sees no surface that is farther away
    scan.ownRadius = scan.centerReach = 0
    scan.reach = present.widest + traits[TRAITS * row + RADIUS]! + margin
    scan.measure()
    this.search(scan, row)
    present.length[row] = 0
    for (let n = 0; n < scan.count; n++) {
      const other = scan.row[n]!
      const d = Math.sqrt(scan.distanceSq[n]!)
      if (present.range[row]! > 0 && d < present.rangeOf(row, other, agents) + margin)
        present.append(row, other)
      if (present.range[other]! > 0 && d < present.rangeOf(other, row, agents) + margin)
        present.append(other, row)
    }
    for (let k = 0; k < 3; k++) present.position[3 * row + k] = position[3 * row + k]!
    if (this.strayed[row] === 1) return true
    if (this.strayCount >= this.mostStrays) return false
    strays[this.strayCount++] = row
    this.strayed[row] = 1
    return true
  }

  private clearStrays(): void {
    this.strayCount = 0
    this.markStrays()
  }

  /** Marks the rows in `strays`, and no others. */
  markStrays(): void {
    const { strays, strayed, strayCount } = this
    strayed.fill(0)
    for (let i = 0; i < strayCount; i++) strayed[strays[i]!] = 1
  }

  /** The lists are out of date, and may be made again at once. */
  forget(): void {
    this.valid = this.isBegun = false
    this.pause = 0
  }

  reserveRows(count: number): void {
    if (this.strays.length >= count) return
    const size = Math.max(count, 2 * this.strays.length)
    this.strays = new Int32Array(size)
    this.strayed = new Uint8Array(size)
  }
}
