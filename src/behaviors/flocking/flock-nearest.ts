import type { Agent } from '../../types.js'
import { neighborsOf } from '../../control/neighbors-of.js'
import { partWays, pushOf, pushOfLarge, sums, type FlockSums, type Sight } from './flock-sums.js'
import { select } from './nearest.js'
import { nearnessSq, ownSize } from '../../control/nearness.js'

/** Whom a rule counts, and who of them counts more: see `FlockRule`. */
export interface Choice extends Sight {
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
