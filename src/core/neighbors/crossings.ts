import type { Crossings, CrossingSearch } from '../types.js'
import { MAX_NEIGHBORS, PRIORITY, RADIUS, TRAITS, VIEW_COSINE } from '../engine/agents.js'
import { Neighbors } from './neighbors.js'

// Offsets into the bounds of `Crossings`: what matters to an agent of any other one, in the words of
// `ReciprocalAvoidance`. Positions are predicted for the time AHEAD (s).
export const AHEAD = 0
/** Distance (m) that courses keep, and the change of velocity (m/s) in a response time. */
export const WIDE = 1
export const PUSH = 2
/** Squares of what a course may be off (m), and of the distance (m) from which one may move away. */
export const SHIFT_SQ = 3
export const FAR_SQ = 4
/** How far (m) the agent looks. */
export const REACH = 5
export const BOUNDS = 6

/** Steps without lists after one in which too few agents could use theirs. Chosen by hand. */
const PAUSE = 60

/** Brings `CrossingLists` to the world of a behaviour. */
export const crossingLists: CrossingSearch = (agents, grid) => new CrossingLists(agents, grid)

/**
 * Lists for each agent the others whose courses may cross its own. Each pair is tested once for both agents,
 * within the widest bounds that were asked for in the last step. An agent that asks for wider ones, or sees
 * only some of its neighbours, has no list.
 */
export class CrossingLists extends Neighbors implements Crossings {
  readonly bounds: Float64Array = new Float64Array(BOUNDS)
  /** The bounds of this step, and those for the next one. */
  private readonly most = new Float64Array(BOUNDS)
  private readonly asked = new Float64Array(BOUNDS)
  /** PUSH, divided by the least share of an evasion. */
  private slack = 0.5
  /** Number of agents that asked for the same AHEAD, less the others and those that look at all anyway. */
  private votes = 0
  private pause = 0
  /** Whether there are lists in this step, and whether they are made. */
  private isOpen = false
  private isMade = false
  /** Row of the agent that asks, and of the last one that got its list. */
  private self = 0
  private given = -1
  /** Places of the others after place n, and before it: from `end[n]` to `end[n + 1]`. */
  private later = new Int32Array(0)
  private earlier = new Int32Array(0)
  private laterEnd = new Int32Array(0)
  private earlierEnd = new Int32Array(0)

  begin(): void {
    const { agents, asked, most, votes } = this
    this.isOpen = 3 * votes > agents.count
    this.isMade = false
    this.pause = asked[AHEAD]! > 0 && !this.isOpen ? PAUSE : Math.max(0, this.pause - 1)
    most.set(asked)
    asked.fill(NaN)
    this.votes = 0
  }

  end(): void {
    this.isOpen = false
    this.given = -1
  }

  /** Whether the agent in `row` may ask for a list. */
  serves(row: number, centerReach: number): boolean {
    const { agents, grid } = this
    const { avoidedByAll, binding, group, hasSpaces, traits } = agents
    const { reach } = binding[row]!
    const t = TRAITS * row
    this.self = row
    this.bounds[REACH] = reach
    return (
      this.pause === 0 &&
      !hasSpaces &&
      !grid.repeats &&
      grid.outside === 0 &&
      centerReach <= reach &&
      (avoidedByAll & group[row]!) !== 0 &&
      traits[t + PRIORITY]! < Infinity &&
      traits[t + MAX_NEIGHBORS] === Infinity &&
      traits[t + VIEW_COSINE] === -1
    )
  }

  /** To be called when all neighbours of the agent in `row` are searched. */
  noteSearch(row: number): void {
    if (row === this.given) this.votes--
  }

  findCrossing(): boolean {
    const { agents, bounds, grid, most, scan, self } = this
    this.note()
    if (!this.isOpen || bounds[AHEAD] !== most[AHEAD]) return false
    for (let k = WIDE; k < BOUNDS; k++) if (!(bounds[k]! <= most[k]!)) return false
    if (!this.isMade) this.make()
    this.given = self
    scan.setSource(agents, grid)
    scan.count = 0
    const n = grid.place[self]!
    this.take(this.earlier, this.earlierEnd, n)
    this.take(this.later, this.laterEnd, n)
    return true
  }

  /** Widens the bounds for the next step. Those with the AHEAD of most agents win. */
  private note(): void {
    const { asked, bounds } = this
    if (bounds[AHEAD] === asked[AHEAD]) {
      this.votes++
      for (let k = WIDE; k < BOUNDS; k++) if (bounds[k]! > asked[k]!) asked[k] = bounds[k]!
    } else if (--this.votes <= 0) {
      this.votes = 1
      asked.set(bounds)
    }
  }

  /** Appends the others in a list of place `n` that are within reach. */
  private take(list: Int32Array, end: Int32Array, n: number): void {
    const { agents, bounds, grid, scan } = this
    const { position, row: rows } = grid
    const { distanceSq, row } = scan
    let { count } = scan
    for (let i = end[n]!; i < end[n + 1]!; i++) {
      const m = list[i]!
      const dx = position[3 * m]! - position[3 * n]!
      const dy = position[3 * m + 1]! - position[3 * n + 1]!
      const dz = position[3 * m + 2]! - position[3 * n + 2]!
      const sq = dx * dx + dy * dy + dz * dz
      const range = bounds[REACH]! + agents.traits[TRAITS * rows[m]! + RADIUS]!
      row[count] = rows[m]!
      distanceSq[count] = sq
      count += Number(sq < range * range)
    }
    scan.count = count
  }

  /** Makes the lists of this step. */
  private make(): void {
    const { agents, grid, most, scan } = this
    const { count } = grid
    this.isMade = true
    if (this.laterEnd.length < count + 2) {
      this.laterEnd = new Int32Array(2 * count + 2)
      this.earlierEnd = new Int32Array(2 * count + 2)
    }
    this.slack = most[PUSH]! / this.leastShare()
    scan.setSource(agents, grid)
    scan.reach = most[REACH]!
    this.earlierEnd.fill(0, 0, count + 2)
    for (let n = 0; n < count; n++) this.listLater(n)
    this.listEarlier()
  }

  /** The least share of an evasion that any agent makes, see `yieldShare`. */
  private leastShare(): number {
    const { count, traits } = this.agents
    let least = Infinity
    let most = 0
    for (let t = PRIORITY; t < TRAITS * count; t += TRAITS) {
      least = Math.min(least, traits[t]!)
      if (traits[t]! < Infinity) most = Math.max(most, traits[t]!)
    }
    return 1 / (most / least + 1)
  }

  /**
   * Lists the agents after place `n` that `choose` of `ReciprocalAvoidance` does not leave out: by the same
   * numbers, which are those of both agents.
   */
  private listLater(n: number): void {
    const { agents, earlierEnd, grid, laterEnd, most, scan, slack } = this
    const { position, row: rows } = grid
    const { velocity } = agents
    const ahead = most[AHEAD]!
    const wide = most[WIDE]!
    const shiftSq = most[SHIFT_SQ]!
    const farSq = most[FAR_SQ]!
    scan.findLater(rows[n]!)
    const { count, distanceSq, row: places } = scan
    let end = laterEnd[n]!
    if (this.later.length <= end + count) {
      const { later } = this
      this.later = new Int32Array(2 * (end + count + 1))
      this.later.set(later)
    }
    const { later } = this
    const own = 3 * rows[n]!
    for (let i = 0; i < count; i++) {
      const m = places[i]!
      const p = 3 * rows[m]!
      const ux = velocity[own]! - velocity[p]!
      const uy = velocity[own + 1]! - velocity[p + 1]!
      const uz = velocity[own + 2]! - velocity[p + 2]!
      const closing =
        (position[3 * m]! - position[3 * n]!) * ux +
        (position[3 * m + 1]! - position[3 * n + 1]!) * uy +
        (position[3 * m + 2]! - position[3 * n + 2]!) * uz
      const speedSq = ux * ux + uy * uy + uz * uz
      const approach = closing - ahead * speedSq
      const laterSq = distanceSq[i]! - ahead * (closing + approach)
      const movesAway =
        Number(closing < 0) & Number(approach * approach > shiftSq * speedSq) & Number(laterSq > farSq)
      const inside = approach * wide + slack * laterSq
      const outside = (speedSq * laterSq - approach * approach) * (laterSq - wide * wide)
      // of one that is behind, a wider cone may be farther away
      const passes =
        Number(approach > 0) &
        Number(laterSq > wide * wide) &
        Number(outside > 0) &
        (1 ^ Number(inside * inside > outside))
      const counts = (movesAway ^ 1) & (passes ^ 1)
      later[end] = m
      end += counts
      earlierEnd[m + 2]! += counts
    }
    laterEnd[n + 1] = end
  }

  /** Makes the lists of the earlier places of those of the later ones, by a counting sort. */
  private listEarlier(): void {
    const { earlierEnd, grid, later, laterEnd } = this
    if (this.earlier.length < later.length) this.earlier = new Int32Array(later.length)
    const { earlier } = this
    for (let n = 1; n <= grid.count; n++) earlierEnd[n + 1]! += earlierEnd[n]!
    for (let n = 0; n < grid.count; n++)
      for (let i = laterEnd[n]!; i < laterEnd[n + 1]!; i++) earlier[earlierEnd[later[i]! + 1]!++] = n
  }
}
