import type { Agent } from '../../types.js'
import { neighborsOf } from '../../control/neighbors-of.js'
import { coneEdge, select } from './nearest.js'
import { nearnessSq, ownSize } from '../../control/nearness.js'

/** The sums of one pass over the neighbours. */
export interface FlockSums {
  /** Σ of unit vectors away from the neighbours, weighted by nearness, 1/m. */
  apartX: number
  apartY: number
  apartZ: number
  /** Σ of velocities, m/s, and their number. */
  headingX: number
  headingY: number
  headingZ: number
  headings: number
  /** Σ of offsets, m, and their number. */
  middleX: number
  middleY: number
  middleZ: number
  middles: number
}

/** Whom a rule counts: see `FlockRule`. */
interface Sight {
  readonly neighborDistance: number
  readonly fieldOfView: number
  readonly groups: number
  readonly response: 'smooth' | 'unit'
}

// numbers with a fraction, so that engines keep them unboxed from the start
const sums: FlockSums = {
  apartX: 0.5,
  apartY: 0.5,
  apartZ: 0.5,
  headingX: 0.5,
  headingY: 0.5,
  headingZ: 0.5,
  headings: 0,
  middleX: 0.5,
  middleY: 0.5,
  middleZ: 0.5,
  middles: 0,
}

/** One coincident neighbour counts as one at this share of the radius, in a direction of the agent's own stream; so does one that is larger, from inside. */
const COINCIDENT_SHARE = 0.05

/** The sums where everybody within the radius counts, and alike. */
export function sumMetric(
  agent: Agent,
  separation: Sight | null,
  alignment: Sight | null,
  cohesion: Sight | null,
): FlockSums {
  const neighbors = neighborsOf(agent)
  const { count, row, distanceSq, position, velocity, group } = neighbors
  const own = ownSize(agent)
  const { x: ox, y: oy, z: oz } = agent.position
  const { x: hx, y: hy, z: hz } = agent.course.x
  const sepSq = separation === null ? 0 : separation.neighborDistance * separation.neighborDistance
  const aliSq = alignment === null ? 0 : alignment.neighborDistance * alignment.neighborDistance
  const cohSq = cohesion === null ? 0 : cohesion.neighborDistance * cohesion.neighborDistance
  const sepEdge = edgeOf(separation)
  const aliEdge = edgeOf(alignment)
  const cohEdge = edgeOf(cohesion)
  const sepMask = separation === null ? 0 : separation.groups
  const aliMask = alignment === null ? 0 : alignment.groups
  const cohMask = cohesion === null ? 0 : cohesion.groups
  const fade = separation === null || separation.response === 'unit' ? 0 : 1 / separation.neighborDistance
  let sx = 0
  let sy = 0
  let sz = 0
  let ax = 0
  let ay = 0
  let az = 0
  let cx = 0
  let cy = 0
  let cz = 0
  let headings = 0
  let middles = 0
  let coincident = 0
  for (let i = 0; i < count; i++) {
    const p = 3 * row[i]!
    const x = position[p]! - ox
    const y = position[p + 1]! - oy
    const z = position[p + 2]! - oz
    const sq = distanceSq[i]!
    const near = own === Infinity ? sq : nearnessSq(neighbors, i, own)
    const bits = group[row[i]!]!
    // t·|t| ≥ c·|c|·d² is "inside the cone" without a square root
    const t = x * hx + y * hy + z * hz
    const side = t * Math.abs(t)
    if (near < sepSq && (bits & sepMask) !== 0 && side >= sepEdge * sq) {
      if (sq > 0) {
        const k = near === sq ? pushOf(sq, fade) : pushOfLarge(sq, near, fade, separation!.neighborDistance)
        sx -= x * k
        sy -= y * k
        sz -= z * k
      } else coincident++
    }
    if (near < aliSq && (bits & aliMask) !== 0 && side >= aliEdge * sq) {
      ax += velocity[p]!
      ay += velocity[p + 1]!
      az += velocity[p + 2]!
      headings++
    }
    if (near < cohSq && (bits & cohMask) !== 0 && side >= cohEdge * sq) {
      cx += x
      cy += y
      cz += z
      middles++
    }
  }
  sums.apartX = sx
  sums.apartY = sy
  sums.apartZ = sz
  sums.headingX = ax
  sums.headingY = ay
  sums.headingZ = az
  sums.headings = headings
  sums.middleX = cx
  sums.middleY = cy
  sums.middleZ = cz
  sums.middles = middles
  if (coincident > 0) partWays(agent, coincident, separation!.neighborDistance)
  return sums
}

/** The push of a neighbour over its offset, 1/m²; `fade` (1/m) is that at the radius, 0 for none. */
function pushOf(sq: number, fade: number): number {
  return fade === 0 ? 1 / sq : 1 / sq - fade / Math.sqrt(sq)
}

/** The same of one that is larger, and as near as `near` (m², see `nearnessSq`). */
function pushOfLarge(sq: number, near: number, fade: number, radius: number): number {
  const gap = Math.max(near > 0 ? Math.sqrt(near) : 0, COINCIDENT_SHARE * radius)
  return (1 / gap - fade) / Math.sqrt(sq)
}

/** Where there is no direction away from `coincident` others, the agent's own stream gives one. */
function partWays(agent: Agent, coincident: number, radius: number): void {
  const strength = coincident / (COINCIDENT_SHARE * radius)
  sums.apartX += strength * (2 * agent.random() - 1)
  sums.apartY += strength * (2 * agent.random() - 1)
  sums.apartZ += strength * (2 * agent.random() - 1)
}

function edgeOf(sight: Sight | null): number {
  return sight === null ? -2 : coneEdge(sight.fieldOfView)
}

/** Whom a rule counts, and who of them counts more: see `FlockRule`. */
interface Choice extends Sight {
  readonly maxNeighbors: number
  readonly leaders: number
  readonly leaderWeight: number
}

/** Indices of those who count. */
let chosen = new Int32Array(64)

/**
 * The sums where only the nearest count, or leaders count more. Rules that differ in radius and number only share one selection: it is
 * ordered, so each takes its first few.
 */
export function sumNearest(
  agent: Agent,
  separation: Choice | null,
  alignment: Choice | null,
  cohesion: Choice | null,
): FlockSums {
  clear()
  const shared =
    isAlike(separation, alignment) && isAlike(alignment, cohesion) && isAlike(separation, cohesion)
  let found = shared ? choose(agent, separation, alignment, cohesion) : 0
  if (separation !== null) {
    if (!shared) found = choose(agent, separation)
    sumApart(agent, separation, found)
  }
  if (alignment !== null) {
    if (!shared) found = choose(agent, alignment)
    sumHeadings(agent, alignment, found)
  }
  if (cohesion !== null) {
    if (!shared) found = choose(agent, cohesion)
    sumMiddles(agent, cohesion, found)
  }
  return sums
}

function clear(): void {
  sums.apartX = sums.apartY = sums.apartZ = 0
  sums.headingX = sums.headingY = sums.headingZ = sums.headings = 0
  sums.middleX = sums.middleY = sums.middleZ = sums.middles = 0
}

/** Whether the first few of one choice are the other's. */
function isAlike(a: Choice | null, b: Choice | null): boolean {
  if (a === null || b === null) return true
  return (
    a.groups === b.groups &&
    a.fieldOfView === b.fieldOfView &&
    (a.maxNeighbors === Infinity) === (b.maxNeighbors === Infinity)
  )
}

/** Chooses for rules that are alike: as many and as far as any of them asks for. */
function choose(
  agent: Agent,
  one: Choice | null,
  other: Choice | null = null,
  third: Choice | null = null,
): number {
  const rule = one ?? other ?? third
  if (rule === null) return 0
  const { count } = neighborsOf(agent)
  const nearest = Math.max(one?.maxNeighbors ?? 0, other?.maxNeighbors ?? 0, third?.maxNeighbors ?? 0)
  const radius = Math.max(
    one?.neighborDistance ?? 0,
    other?.neighborDistance ?? 0,
    third?.neighborDistance ?? 0,
  )
  if (chosen.length < Math.min(nearest, count)) chosen = new Int32Array(2 * count)
  return select(agent, nearest, radius, rule.groups, rule.fieldOfView, chosen)
}

function sumApart(agent: Agent, { maxNeighbors, neighborDistance, response }: Choice, found: number): void {
  const neighbors = neighborsOf(agent)
  const { row, distanceSq, position } = neighbors
  const own = ownSize(agent)
  const { x: ox, y: oy, z: oz } = agent.position
  const fade = response === 'unit' ? 0 : 1 / neighborDistance
  const radiusSq = neighborDistance * neighborDistance
  let coincident = 0
  for (let n = 0; n < found && n < maxNeighbors; n++) {
    const i = chosen[n]!
    const sq = distanceSq[i]!
    const near = nearnessSq(neighbors, i, own)
    if (near >= radiusSq) continue
    if (sq > 0) {
      const p = 3 * row[i]!
      const k = near === sq ? pushOf(sq, fade) : pushOfLarge(sq, near, fade, neighborDistance)
      sums.apartX -= (position[p]! - ox) * k
      sums.apartY -= (position[p + 1]! - oy) * k
      sums.apartZ -= (position[p + 2]! - oz) * k
    } else coincident++
  }
  if (coincident > 0) partWays(agent, coincident, neighborDistance)
}

function sumHeadings(
  agent: Agent,
  { maxNeighbors, neighborDistance, leaders, leaderWeight }: Choice,
  found: number,
): void {
  const neighbors = neighborsOf(agent)
  const { row, velocity, group } = neighbors
  const own = ownSize(agent)
  const radiusSq = neighborDistance * neighborDistance
  for (let n = 0; n < found && n < maxNeighbors; n++) {
    const i = chosen[n]!
    if (nearnessSq(neighbors, i, own) >= radiusSq) continue
    const r = row[i]!
    const k = (group[r]! & leaders) === 0 ? 1 : leaderWeight
    sums.headingX += k * velocity[3 * r]!
    sums.headingY += k * velocity[3 * r + 1]!
    sums.headingZ += k * velocity[3 * r + 2]!
    sums.headings += k
  }
}

function sumMiddles(
  agent: Agent,
  { maxNeighbors, neighborDistance, leaders, leaderWeight }: Choice,
  found: number,
): void {
  const neighbors = neighborsOf(agent)
  const { row, position, group } = neighbors
  const own = ownSize(agent)
  const { x: ox, y: oy, z: oz } = agent.position
  const radiusSq = neighborDistance * neighborDistance
  for (let n = 0; n < found && n < maxNeighbors; n++) {
    const i = chosen[n]!
    if (nearnessSq(neighbors, i, own) >= radiusSq) continue
    const r = row[i]!
    const k = (group[r]! & leaders) === 0 ? 1 : leaderWeight
    sums.middleX += k * (position[3 * r]! - ox)
    sums.middleY += k * (position[3 * r + 1]! - oy)
    sums.middleZ += k * (position[3 * r + 2]! - oz)
    sums.middles += k
  }
}
