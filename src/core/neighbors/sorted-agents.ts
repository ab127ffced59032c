import type { Behavior } from '../types.js'
import * as T from '../engine/agents.js'
import type { Agents, Binding } from '../engine/agents.js'
import { emptyBounds, includePoint } from '../math/bounds.js'
import { CELLS_ALONG, Grid } from './grid.js'

export { MASS, MAX_FORCE, MAX_SPEED, RESPONSE_TIME, TRAITS } from '../engine/agents.js'

/** Rounding must not hide a pair: cells are larger than the range by this share. */
const MARGIN = 1e-6

/** Numbers of each agent in `motion`, one of them spare, and the place of the last. */
export const MOTION = 8
export const EDGE = 6

/** A batch may compute for this number of agents for each one that uses it. Chosen by hand. */
export const MAX_COMPANY = 4

/**
 * A batch leaves out agents of other sizes, and the agents that may see them: this number, and one more for
 * each 16 agents, but at most 64, because each of them is compared with all others. Chosen by hand.
 */
const MAX_ODD = 8
const ODD_SHARE = 1 / 16
const ODD_LIMIT = 64

/** How often the cells are made twice as large for agents that are strewn far. */
const DOUBLINGS = 8

/** The most agents of other sizes that a batch leaves out. */
function maxOdd({ count }: Agents): number {
  return Math.min(MAX_ODD + ODD_SHARE * count, ODD_LIMIT)
}

/** The agents of a batch. */
export interface BatchUsers {
  /** The bindings whose trees contain its behaviour. */
  readonly bindings: Binding[]
  /** Its behaviour. Where it is the root of a tree, the batch may steer the agents by itself. */
  readonly root: Behavior
}

/**
 * Distance of centres (m) within which an agent is likely to find its nearest neighbours, of its own size
 * (`radius`, m), see `Agents.sight`; at most `range` (m).
 */
export function nearRange(sight: number, radius: number, range: number): number {
  return Math.min(sight > 0 ? sight + radius : Infinity, range)
}

/**
 * A copy of the agents of one step in the order of the cells of a grid, for a batch: work on all agents of a
 * behaviour at once. Agents of one cell lie side by side, and so do the cells of a line along x. Within a
 * cell the order is that of the stream keys, so a sum depends neither on the order of the rows nor on earlier
 * steps. A batch reads nothing else of the agents.
 */
export class SortedAgents extends Grid {
  /**
   * `[MOTION × agents]`: velocity (m/s), direction that the agent looks in (unit), and c·|c| of the cosine c
   * of half its field of view: Infinity for an agent of another behaviour, or one that may see an agent of
   * another size. A pair that is near enough needs
   * all of these, so they lie side by side.
   */
  motion: Float64Array = new Float64Array(0)
  group: Int32Array = new Int32Array(0)
  /** Number of agents that are in no group. */
  ungrouped = 0
  /** 1 where the vehicle moves in space and gives its thrust in any direction, see `capThrust`. */
  plain: Uint8Array = new Uint8Array(0)
  /** Whether only a limited number of the others counts for each agent of the batch, the nearest ones. */
  areFew = false
  /** Radius of the agents in the cells, m. */
  private radius = 0.5
  /** Number of agents of that radius, and of those of the batch: that see few others, and all. */
  private living = 0
  private few = 0
  private all = 0
  /** Number of agents of other sizes. */
  private odd = 0
  /** Sum of the `nearRange` of the agents of the batch, m. */
  private ranges = 0.5

  /**
   * Sorts the agents. False when a batch for `users`, whose agents see each other up to `range` (m), cannot
   * be made: many agents differ in size, most are those of others, some but not all of its agents see a
   * limited number of neighbours, or they are strewn so far that the grid would have too many cells.
   * `limited`: the batch counts a limited number of neighbours, even if its agents see all.
   */
  prepare(agents: Agents, users: BatchUsers, range: number, limited: boolean): boolean {
    if (!this.measure(agents, users, range, limited)) return false
    this.sort(agents, this.radius, this.radius)
    this.copy(agents, users)
    for (let n = this.count; n < this.count + this.outside; n++) this.leaveOut(agents, this.row[n]!, range)
    return true
  }

  /** Leaves out the agents that may see the agent of another size in `row`, see `EDGE`. */
  private leaveOut({ position, traits }: Agents, row: number, range: number): void {
    const { count, motion, position: places } = this
    const x = position[3 * row]!
    const y = position[3 * row + 1]!
    const z = position[3 * row + 2]!
    const excess = Math.max(0, traits[T.TRAITS * row + T.RADIUS]! - this.radius)
    const far = (range + excess) * (1 + MARGIN)
    for (let n = 0; n < count; n++) {
      const dx = places[3 * n]! - x
      const dy = places[3 * n + 1]! - y
      const dz = places[3 * n + 2]! - z
      if (dx * dx + dy * dy + dz * dz < far * far) motion[MOTION * n + EDGE] = Infinity
    }
  }

  /** Radius of the first agent of `users`, m; 0 for none. */
  private radiusOf({ binding, count, lost, traits }: Agents, { bindings }: BatchUsers): number {
    for (let row = 0; row < count; row++)
      if (lost[row] === 0 && bindings.includes(binding[row]!)) return traits[T.TRAITS * row + T.RADIUS]!
    return 0
  }

  private measure(agents: Agents, users: BatchUsers, range: number, limited: boolean): boolean {
    this.radius = this.radiusOf(agents, users)
    this.survey(agents, users, range, limited)
    const { all, few, living, odd } = this
    if (odd > maxOdd(agents) || living === 0 || (few > 0 && all > 0) || MAX_COMPANY * (few + all) < living)
      return false
    this.areFew = few > 0
    this.smallest = this.largestInCells = this.largest = this.radius
    // the nearest few are searched in as many cells as that takes
    const widest = this.areFew ? 2 ** DOUBLINGS : 1
    for (let size = 1; size <= widest; size *= 2) {
      const width = size * (this.areFew ? this.ranges / few : range) * (1 + MARGIN)
      if (this.fit(width, CELLS_ALONG, living) || this.fit(width, 1, living)) return true
    }
    return false
  }

  /**
   * Counts the agents, and computes their bounding box and the sum of their ranges. Code that V8 compiles in
   * the middle of its first loop does not know the code behind the loop, and is left there in each later
   * step; so there is none.
   */
  private survey(agents: Agents, users: BatchUsers, range: number, limited: boolean): void {
    const { binding, count, lost, position, sight, traits } = agents
    const { box, radius } = this
    const most = maxOdd(agents)
    this.living = this.few = this.all = this.odd = 0
    this.ranges = 0
    emptyBounds(box)
    let last: Binding | null = null
    let isUser = false
    for (let row = 0; row < count; row++) {
      if (lost[row] === 1) continue
      const t = T.TRAITS * row
      if (traits[t + T.RADIUS] !== radius) {
        if (++this.odd > most) return
        continue
      }
      this.living++
      if (binding[row] !== last) {
        last = binding[row]!
        isUser = users.bindings.includes(last)
      }
      if (isUser) {
        if (!limited && traits[t + T.MAX_NEIGHBORS] === Infinity) this.all++
        else this.few++
        this.ranges += nearRange(sight[row]!, radius, range)
      }
      includePoint(box, position, 3 * row)
    }
  }

  private copy(agents: Agents, { bindings, root }: BatchUsers): void {
    const { binding, course, group, plane, traits, velocity } = agents
    const { count, motion, plain, row: rows } = this
    this.ungrouped = 0
    let last: Binding | null = null
    let isUser = false
    let pushes = false
    for (let n = 0; n < count; n++) {
      const row = rows[n]!
      const p = 3 * row
      const c = 6 * row
      const m = MOTION * n
      motion[m] = velocity[p]!
      motion[m + 1] = velocity[p + 1]!
      motion[m + 2] = velocity[p + 2]!
      motion[m + 3] = course[c]!
      motion[m + 4] = course[c + 1]!
      motion[m + 5] = course[c + 2]!
      const t = T.TRAITS * row
      const cosine = traits[t + T.VIEW_COSINE]!
      if (binding[row] !== last) {
        last = binding[row]!
        isUser = bindings.includes(last)
        pushes = last.behavior === root && last.pushes
      }
      // t·|t| is never below −2·d², not even by rounding
      if (!isUser) motion[m + EDGE] = Infinity
      else motion[m + EDGE] = cosine > -1 ? cosine * Math.abs(cosine) : -2
      plain[n] =
        pushes &&
        plane[p] === 0 &&
        plane[p + 1] === 0 &&
        plane[p + 2] === 0 &&
        traits[t + T.COMPENSATE_GRAVITY] === 0 &&
        traits[t + T.COMPENSATE_DAMPING] === 0
          ? 1
          : 0
      this.group[n] = group[row]!
      if (group[row] === 0) this.ungrouped++
    }
  }

  protected override reserve(rows: number, cells: number): void {
    super.reserve(rows, cells)
    if (this.group.length >= rows) return
    this.motion = new Float64Array(MOTION * rows)
    this.plain = new Uint8Array(rows)
    this.group = new Int32Array(rows)
  }
}
