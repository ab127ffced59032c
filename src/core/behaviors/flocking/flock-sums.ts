import type { Agent } from '../../types.js'
import { nearnessSq, ownSize } from '../../control/nearness.js'
import { neighborsOf } from '../../control/neighbors-of.js'
import { coneEdge, selectNearest } from './nearest.js'

/**
 * The sums of an agent, `[SUMS]`: Σ of unit vectors away from the neighbours, weighted by nearness (1/m); Σ
 * of their velocities (m/s, or of unit vectors), and of their offsets (m); the numbers of both; and the
 * number of neighbours at the same place, which are not in the first sum.
 */
export const SEPARATION = 0
export const VELOCITY = 3
export const OFFSET = 6
export const VELOCITY_COUNT = 9
export const OFFSET_COUNT = 10
export const COINCIDENT = 11
export const SUMS = 12

/**
 * A coincident neighbour counts as one at this share of the radius, in a random direction of the agent's own
 * stream; so does the nearest distance to a larger neighbour that contains the agent. Chosen by hand.
 */
export const COINCIDENT_SHARE = 0.05

/**
 * Numbers of an agent in `motion`: velocity, direction that it looks in, and edge of its view, see
 * `coneEdge`.
 */
const VIEW = 3
const EDGE = 6

/** The neighbours that a rule counts, see `FlockRule`. */
interface Rule {
  readonly neighborDistance: number
  readonly fieldOfView: number
  readonly groups: number
  readonly response: 'smooth' | 'unit'
  readonly maxNeighbors: number
  readonly leaders: number
  readonly leaderWeight: number
  /** See `AlignmentOptions`; absent in the other rules. */
  readonly match?: 'velocity' | 'heading'
}

/** Numbers of a rule: range (m), `coneEdge`, groups, number of neighbours, leaders, and their weight. */
const RULE = 6

/**
 * The three sums of a flock over the neighbours of an agent (Green, Flocking: separation Σ −d̂/d, alignment
 * mean velocity, cohesion mean offset), for an agent alone and for all agents of a batch.
 */
export class FlockSums {
  /** The agent: its position (m), then as in `motion`. */
  readonly self: Float64Array = new Float64Array(10)
  /** Squared nearness of each neighbour in the list (m²), where some are larger than the agent. */
  nearSq: Float64Array = new Float64Array(0)
  hasLarger = false
  /** Position (m), motion and group of the others, see `setOthers`. */
  private position: Float64Array = new Float64Array(0)
  private motion: Float64Array = new Float64Array(0)
  private stride = 3
  private group: Int32Array = new Int32Array(0)
  /** The three rules, `[3 × RULE]`. */
  private readonly rules = new Float64Array(3 * RULE)
  private isUnit = false
  private ofHeadings = false
  private isAlike = false

  /**
   * Sets the positions of the others (m), `[3 × places]`, and their velocities (m/s), `[stride × places]`;
   * for `both` these are followed by the direction that they look in, and the edge of their view, see
   * `coneEdge`.
   */
  setOthers(position: Float64Array, motion: Float64Array, stride: number, group: Int32Array): void {
    this.position = position
    this.motion = motion
    this.stride = stride
    this.group = group
  }

  /** Sets the rules; null for none. They are of different classes, so each is read by code of its own. */
  setRules(separation: Rule | null, alignment: Rule | null, cohesion: Rule | null): void {
    const { rules } = this
    rules[2] = rules[RULE + 2] = rules[2 * RULE + 2] = 0
    this.isAlike = false
    if (separation !== null) {
      const { fieldOfView, groups, leaders, leaderWeight, maxNeighbors, neighborDistance } = separation
      this.setRule(0, neighborDistance, fieldOfView, groups, maxNeighbors, leaders, leaderWeight)
      this.isUnit = separation.response === 'unit'
    }
    if (alignment !== null) {
      const { fieldOfView, groups, leaders, leaderWeight, maxNeighbors, neighborDistance } = alignment
      this.setRule(RULE, neighborDistance, fieldOfView, groups, maxNeighbors, leaders, leaderWeight)
      this.ofHeadings = alignment.match === 'heading'
    }
    if (cohesion !== null) {
      const { fieldOfView, groups, leaders, leaderWeight, maxNeighbors, neighborDistance } = cohesion
      this.setRule(2 * RULE, neighborDistance, fieldOfView, groups, maxNeighbors, leaders, leaderWeight)
    }
  }

  private setRule(
    at: number,
    neighborDistance: number,
    fieldOfView: number,
    groups: number,
    maxNeighbors: number,
    leaders: number,
    leaderWeight: number,
  ): void {
    const { rules } = this
    rules[at] = neighborDistance
    rules[at + 1] = coneEdge(fieldOfView)
    rules[at + 2] = groups
    rules[at + 3] = maxNeighbors
    rules[at + 4] = leaders
    rules[at + 5] = leaderWeight
  }

  /** Whether a rule counts a limited number. */
  get isLimited(): boolean {
    const { rules } = this
    for (let at = 0; at < 3 * RULE; at += RULE)
      if (rules[at + 2] !== 0 && rules[at + 3]! < Infinity) return true
    return false
  }

  /** To be called after `setRules`, for sums of both where each agent is in a group. */
  findAlike(): void {
    const { rules } = this
    this.isAlike = [0, RULE, 2 * RULE].every(
      (at) =>
        rules[at] === rules[0] &&
        rules[at + 1] === -2 &&
        rules[at + 2] === -1 &&
        rules[at + 3] === Infinity &&
        rules[at + 4] === 0,
    )
  }

  /**
   * Adds the sums over the neighbours at the places `list[0 … count)` to those of the agent in `table`, at
   * the place `own`. With `both`, adds the agent to the sums of each of them, too.
   */
  add(list: Int32Array, count: number, own: number, both: boolean, table: Float64Array): void {
    if (both && this.isAlike) return this.addAlike(list, count, own, table)
    const { group, hasLarger, motion, nearSq, position, self, stride } = this
    const { ofHeadings, rules } = this
    const radius = rules[0]!
    const fade = this.isUnit ? 0 : 1 / radius
    const least = COINCIDENT_SHARE * radius
    const sepSq = radius * radius
    const aliSq = rules[RULE]! * rules[RULE]!
    const cohSq = rules[2 * RULE]! * rules[2 * RULE]!
    const sepEdge = rules[1]!
    const aliEdge = rules[RULE + 1]!
    const cohEdge = rules[2 * RULE + 1]!
    const sepMask = rules[2]! | 0
    const aliMask = rules[RULE + 2]! | 0
    const cohMask = rules[2 * RULE + 2]! | 0
    const sepMost = Math.min(rules[3]!, count) | 0
    const aliMost = Math.min(rules[RULE + 3]!, count) | 0
    const cohMost = Math.min(rules[2 * RULE + 3]!, count) | 0
    const aliLeaders = rules[RULE + 4]! | 0
    const aliWeight = rules[RULE + 5]!
    const cohLeaders = rules[2 * RULE + 4]! | 0
    const cohWeight = rules[2 * RULE + 5]!
    const x = self[0]!
    const y = self[1]!
    const z = self[2]!
    const vx = self[3]!
    const vy = self[4]!
    const vz = self[5]!
    const hx = self[6]!
    const hy = self[7]!
    const hz = self[8]!
    const ownEdge = self[9]!
    const ownBits = both ? group[own]! : 0
    let sx = 0
    let sy = 0
    let sz = 0
    let ax = 0
    let ay = 0
    let az = 0
    let ox = 0
    let oy = 0
    let oz = 0
    let velocityCount = 0
    let offsetCount = 0
    let coincident = 0
    for (let n = 0; n < count; n++) {
      const j = list[n]!
      const dx = position[3 * j]! - x
      const dy = position[3 * j + 1]! - y
      const dz = position[3 * j + 2]! - z
      const sq = dx * dx + dy * dy + dz * dz
      const near = hasLarger ? nearSq[n]! : sq
      const bits = group[j]!
      const m = stride * j
      const s = SUMS * j
      // t·|t| ≥ c·|c|·d² is "inside the cone" without a square root
      const ahead = dx * hx + dy * hy + dz * hz
      const side = ahead * Math.abs(ahead)
      let back = 0
      let sees = true
      let isSeen = false
      if (both) {
        const t = dx * motion[m + VIEW]! + dy * motion[m + VIEW + 1]! + dz * motion[m + VIEW + 2]!
        back = -t * Math.abs(t)
        sees = side >= ownEdge * sq
        isSeen = back >= motion[m + EDGE]! * sq
      }
      if (near < sepSq && n < sepMost) {
        let gain = 0
        if (near !== sq)
          gain = (1 / Math.max(near > 0 ? Math.sqrt(near) : 0, least) - fade) / Math.sqrt(sq > 0 ? sq : 1)
        else if (sq > 0) gain = fade === 0 ? 1 / sq : 1 / sq - fade / Math.sqrt(sq)
        if (sees && (bits & sepMask) !== 0 && side >= sepEdge * sq) {
          sx -= dx * gain
          sy -= dy * gain
          sz -= dz * gain
          if (sq === 0) coincident++
        }
        if (isSeen && (ownBits & sepMask) !== 0 && back >= sepEdge * sq) {
          table[s]! += dx * gain
          table[s + 1]! += dy * gain
          table[s + 2]! += dz * gain
          if (sq === 0) table[s + COINCIDENT]!++
        }
      }
      if (near < aliSq && n < aliMost) {
        if (sees && (bits & aliMask) !== 0 && side >= aliEdge * sq) {
          let weight = (bits & aliLeaders) === 0 ? 1 : aliWeight
          const ux = motion[m]!
          const uy = motion[m + 1]!
          const uz = motion[m + 2]!
          let k = weight
          if (ofHeadings) {
            const speed = Math.sqrt(ux * ux + uy * uy + uz * uz)
            // at rest there is no heading
            if (speed > 0) k /= speed
            else k = weight = 0
          }
          ax += k * ux
          ay += k * uy
          az += k * uz
          velocityCount += weight
        }
        if (isSeen && (ownBits & aliMask) !== 0 && back >= aliEdge * sq) {
          const weight = (ownBits & aliLeaders) === 0 ? 1 : aliWeight
          table[s + VELOCITY]! += weight * vx
          table[s + VELOCITY + 1]! += weight * vy
          table[s + VELOCITY + 2]! += weight * vz
          table[s + VELOCITY_COUNT]! += weight
        }
      }
      if (near < cohSq && n < cohMost) {
        if (sees && (bits & cohMask) !== 0 && side >= cohEdge * sq) {
          const weight = (bits & cohLeaders) === 0 ? 1 : cohWeight
          ox += weight * dx
          oy += weight * dy
          oz += weight * dz
          offsetCount += weight
        }
        if (isSeen && (ownBits & cohMask) !== 0 && back >= cohEdge * sq) {
          const weight = (ownBits & cohLeaders) === 0 ? 1 : cohWeight
          table[s + OFFSET]! -= weight * dx
          table[s + OFFSET + 1]! -= weight * dy
          table[s + OFFSET + 2]! -= weight * dz
          table[s + OFFSET_COUNT]! += weight
        }
      }
    }
    const s = SUMS * own
    table[s]! += sx
    table[s + 1]! += sy
    table[s + 2]! += sz
    table[s + VELOCITY]! += ax
    table[s + VELOCITY + 1]! += ay
    table[s + VELOCITY + 2]! += az
    table[s + OFFSET]! += ox
    table[s + OFFSET + 1]! += oy
    table[s + OFFSET + 2]! += oz
    table[s + VELOCITY_COUNT]! += velocityCount
    table[s + OFFSET_COUNT]! += offsetCount
    table[s + COINCIDENT]! += coincident
  }

  /** The sums of both, where each neighbour in the list counts for all three rules. */
  private addAlike(list: Int32Array, count: number, own: number, table: Float64Array): void {
    const { motion, position, self, stride } = this
    const fade = this.isUnit ? 0 : 1 / this.rules[0]!
    const x = self[0]!
    const y = self[1]!
    const z = self[2]!
    const vx = self[3]!
    const vy = self[4]!
    const vz = self[5]!
    const hx = self[6]!
    const hy = self[7]!
    const hz = self[8]!
    const edge = self[9]!
    let sx = 0
    let sy = 0
    let sz = 0
    let ax = 0
    let ay = 0
    let az = 0
    let ox = 0
    let oy = 0
    let oz = 0
    let seen = 0
    let coincident = 0
    for (let n = 0; n < count; n++) {
      const j = list[n]!
      const dx = position[3 * j]! - x
      const dy = position[3 * j + 1]! - y
      const dz = position[3 * j + 2]! - z
      const sq = dx * dx + dy * dy + dz * dz
      const m = stride * j
      const t = dx * motion[m + VIEW]! + dy * motion[m + VIEW + 1]! + dz * motion[m + VIEW + 2]!
      const ahead = dx * hx + dy * hy + dz * hz
      const gain = sq > 0 ? (fade === 0 ? 1 / sq : 1 / sq - fade / Math.sqrt(sq)) : 0
      if (ahead * Math.abs(ahead) >= edge * sq) {
        sx -= dx * gain
        sy -= dy * gain
        sz -= dz * gain
        ax += motion[m]!
        ay += motion[m + 1]!
        az += motion[m + 2]!
        ox += dx
        oy += dy
        oz += dz
        seen++
        if (sq === 0) coincident++
      }
      if (-t * Math.abs(t) >= motion[m + EDGE]! * sq) {
        const s = SUMS * j
        table[s]! += dx * gain
        table[s + 1]! += dy * gain
        table[s + 2]! += dz * gain
        table[s + 3]! += vx
        table[s + 4]! += vy
        table[s + 5]! += vz
        table[s + 6]! -= dx
        table[s + 7]! -= dy
        table[s + 8]! -= dz
        table[s + 9]!++
        table[s + 10]!++
        if (sq === 0) table[s + 11]!++
      }
    }
    const s = SUMS * own
    table[s]! += sx
    table[s + 1]! += sy
    table[s + 2]! += sz
    table[s + 3]! += ax
    table[s + 4]! += ay
    table[s + 5]! += az
    table[s + 6]! += ox
    table[s + 7]! += oy
    table[s + 8]! += oz
    table[s + 9]! += seen
    table[s + 10]! += seen
    table[s + 11]! += coincident
  }
}

const alone = new FlockSums()
// an agent alone sees all of its neighbours
alone.self[9] = -2
const sums = new Float64Array(SUMS)

/** Places of the selected neighbours, and their indices. */
let places = new Int32Array(64)
let selected = new Int32Array(64)

/**
 * The sums of an agent alone; null for no rule. Where only the nearest neighbours count, rules that differ
 * only in radius and number share one selection: it is ordered, so each rule takes its first few.
 */
export function sumFlock(
  agent: Agent,
  separation: Rule | null,
  alignment: Rule | null,
  cohesion: Rule | null,
): Float64Array {
  const { position, velocity, group } = neighborsOf(agent)
  const { self } = alone
  const { x: view } = agent.course
  self[0] = agent.position.x
  self[1] = agent.position.y
  self[2] = agent.position.z
  self[6] = view.x
  self[7] = view.y
  self[8] = view.z
  alone.setOthers(position, velocity, 3, group)
  for (let k = 0; k < SUMS; k++) sums[k] = 0
  if (canShare(separation, alignment) && canShare(alignment, cohesion) && canShare(separation, cohesion))
    addSums(agent, separation, alignment, cohesion)
  else {
    addSums(agent, separation, null, null)
    addSums(agent, null, alignment, null)
    addSums(agent, null, null, cohesion)
  }
  return sums
}

/** Whether both rules can take the same list of neighbours. */
function canShare(a: Rule | null, b: Rule | null): boolean {
  if (a === null || b === null || (a.maxNeighbors === Infinity && b.maxNeighbors === Infinity)) return true
  return (
    a.groups === b.groups &&
    a.fieldOfView === b.fieldOfView &&
    (a.maxNeighbors === Infinity) === (b.maxNeighbors === Infinity)
  )
}

/** Adds the sums of rules that share a list. */
function addSums(agent: Agent, separation: Rule | null, alignment: Rule | null, cohesion: Rule | null): void {
  alone.setRules(separation, alignment, cohesion)
  const neighbors = neighborsOf(agent)
  const own = ownSize(agent)
  const isLimited = alone.isLimited
  const count = isLimited ? selectFor(agent, separation, alignment, cohesion) : neighbors.count
  alone.hasLarger = own < Infinity
  if (alone.hasLarger) {
    if (alone.nearSq.length < count) alone.nearSq = new Float64Array(2 * count)
    for (let n = 0; n < count; n++) alone.nearSq[n] = nearnessSq(neighbors, isLimited ? selected[n]! : n, own)
  }
  alone.add(isLimited ? places : neighbors.row, count, 0, false, sums)
}

/** Selects the nearest neighbours: as many and as far as any of the rules needs. Returns their number. */
function selectFor(
  agent: Agent,
  separation: Rule | null,
  alignment: Rule | null,
  cohesion: Rule | null,
): number {
  const { count, row } = neighborsOf(agent)
  const { groups, fieldOfView } = (separation ?? alignment ?? cohesion)!
  const most = Math.max(
    separation?.maxNeighbors ?? 0,
    alignment?.maxNeighbors ?? 0,
    cohesion?.maxNeighbors ?? 0,
  )
  const radius = Math.max(
    separation?.neighborDistance ?? 0,
    alignment?.neighborDistance ?? 0,
    cohesion?.neighborDistance ?? 0,
  )
  if (selected.length < count) {
    selected = new Int32Array(2 * count)
    places = new Int32Array(2 * count)
  }
  const found = selectNearest(agent, most, radius, groups, fieldOfView, selected)
  for (let n = 0; n < found; n++) places[n] = row[selected[n]!]!
  return found
}
