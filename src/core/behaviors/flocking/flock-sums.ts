import type { Agent } from '../../types.js'
import { neighborsOf } from '../../control/neighbors-of.js'
import { coneEdge, select } from './nearest.js'
import { nearnessSq, ownSize } from '../../control/nearness.js'

/** The sums of one pass over the neighbours. */
export interface FlockSums {
  /** Σ of unit vectors away from the neighbours, weighted by nearness, 1/m. */
  separationX: number
  separationY: number
  separationZ: number
  /** Σ of velocities, m/s, and their number. */
  velocityX: number
  velocityY: number
  velocityZ: number
  velocityCount: number
  /** Σ of offsets, m, and their number. */
  offsetX: number
  offsetY: number
  offsetZ: number
  offsetCount: number
}

/** Numbers of each agent in a table of sums: those above, and the number of neighbours at the same place. */
export const SUMS = 12

/** The neighbours that a rule counts, see `FlockRule`. */
interface NeighborRule {
  readonly neighborDistance: number
  readonly fieldOfView: number
  readonly groups: number
  readonly response: 'smooth' | 'unit'
}

/** Sums before they are computed: numbers with a fraction, so that V8 stores them unboxed from the start. */
export function emptySums(): FlockSums {
  return {
    separationX: 0.5,
    separationY: 0.5,
    separationZ: 0.5,
    velocityX: 0.5,
    velocityY: 0.5,
    velocityZ: 0.5,
    velocityCount: 0,
    offsetX: 0.5,
    offsetY: 0.5,
    offsetZ: 0.5,
    offsetCount: 0,
  }
}

const sums = emptySums()

/**
 * A coincident neighbour counts as one at this share of the radius, in a random direction of the agent's own
 * stream; so does the nearest distance to a larger neighbour that contains the agent. Chosen by hand.
 */
const COINCIDENT_SHARE = 0.05

/** The sums if all neighbours within the radius count alike. */
export function sumMetric(
  agent: Agent,
  separation: NeighborRule | null,
  alignment: NeighborRule | null,
  cohesion: NeighborRule | null,
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
  let velocityCount = 0
  let offsetCount = 0
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
        const k =
          near === sq
            ? separationGain(sq, fade)
            : separationGainOfLarge(sq, near, fade, separation!.neighborDistance)
        sx -= x * k
        sy -= y * k
        sz -= z * k
      } else coincident++
    }
    if (near < aliSq && (bits & aliMask) !== 0 && side >= aliEdge * sq) {
      ax += velocity[p]!
      ay += velocity[p + 1]!
      az += velocity[p + 2]!
      velocityCount++
    }
    if (near < cohSq && (bits & cohMask) !== 0 && side >= cohEdge * sq) {
      cx += x
      cy += y
      cz += z
      offsetCount++
    }
  }
  sums.separationX = sx
  sums.separationY = sy
  sums.separationZ = sz
  sums.velocityX = ax
  sums.velocityY = ay
  sums.velocityZ = az
  sums.velocityCount = velocityCount
  sums.offsetX = cx
  sums.offsetY = cy
  sums.offsetZ = cz
  sums.offsetCount = offsetCount
  if (coincident > 0) pushCoincident(agent, coincident, separation!.neighborDistance, sums)
  return sums
}

/**
 * Separation of a neighbour per metre of offset (1/m²); `fade` (1/m) is its value at the radius, 0 for none.
 */
export function separationGain(sq: number, fade: number): number {
  return fade === 0 ? 1 / sq : 1 / sq - fade / Math.sqrt(sq)
}

/** The same for a larger neighbour at the squared distance `near` (m², see `nearnessSq`). */
function separationGainOfLarge(sq: number, near: number, fade: number, radius: number): number {
  const gap = Math.max(near > 0 ? Math.sqrt(near) : 0, COINCIDENT_SHARE * radius)
  return (1 / gap - fade) / Math.sqrt(sq)
}

/**
 * Adds separation in a random direction of the agent's own stream for `coincident` others at the same
 * position.
 */
export function pushCoincident(agent: Agent, coincident: number, radius: number, out: FlockSums): void {
  const strength = coincident / (COINCIDENT_SHARE * radius)
  out.separationX += strength * (2 * agent.random() - 1)
  out.separationY += strength * (2 * agent.random() - 1)
  out.separationZ += strength * (2 * agent.random() - 1)
}

function edgeOf(sight: NeighborRule | null): number {
  return sight === null ? -2 : coneEdge(sight.fieldOfView)
}

/** The neighbours that a rule counts, and those with a larger weight, see `FlockRule`. */
interface NearestRule extends NeighborRule {
  /** See `AlignmentOptions`; absent in the other rules. */
  readonly match?: 'velocity' | 'heading'
  readonly maxNeighbors: number
  readonly leaders: number
  readonly leaderWeight: number
}

/** Indices of the selected neighbours. */
let selected = new Int32Array(64)

/**
 * The sums if only the nearest neighbours count, or leaders count more. Rules that differ only in radius and
 * number share one selection: it is ordered, so each rule takes its first few.
 */
export function sumNearest(
  agent: Agent,
  separation: NearestRule | null,
  alignment: NearestRule | null,
  cohesion: NearestRule | null,
): FlockSums {
  clear()
  const shared =
    isAlike(separation, alignment) && isAlike(alignment, cohesion) && isAlike(separation, cohesion)
  let found = shared ? selectNeighbors(agent, separation, alignment, cohesion) : 0
  if (separation !== null) {
    if (!shared) found = selectNeighbors(agent, separation)
    sumSeparation(agent, separation, found)
  }
  if (alignment !== null) {
    if (!shared) found = selectNeighbors(agent, alignment)
    sumVelocities(agent, alignment, found)
  }
  if (cohesion !== null) {
    if (!shared) found = selectNeighbors(agent, cohesion)
    sumOffsets(agent, cohesion, found)
  }
  return sums
}

function clear(): void {
  sums.separationX = sums.separationY = sums.separationZ = 0
  sums.velocityX = sums.velocityY = sums.velocityZ = sums.velocityCount = 0
  sums.offsetX = sums.offsetY = sums.offsetZ = sums.offsetCount = 0
}

/** Whether both rules can use the same ordered selection. */
function isAlike(a: NearestRule | null, b: NearestRule | null): boolean {
  if (a === null || b === null) return true
  return (
    a.groups === b.groups &&
    a.fieldOfView === b.fieldOfView &&
    (a.maxNeighbors === Infinity) === (b.maxNeighbors === Infinity)
  )
}

/** Selects neighbours for rules that share a selection: as many and as far as any of them needs. */
function selectNeighbors(
  agent: Agent,
  first: NearestRule | null,
  second: NearestRule | null = null,
  third: NearestRule | null = null,
): number {
  const rule = first ?? second ?? third
  if (rule === null) return 0
  const { count } = neighborsOf(agent)
  const nearest = Math.max(first?.maxNeighbors ?? 0, second?.maxNeighbors ?? 0, third?.maxNeighbors ?? 0)
  const radius = Math.max(
    first?.neighborDistance ?? 0,
    second?.neighborDistance ?? 0,
    third?.neighborDistance ?? 0,
  )
  if (selected.length < Math.min(nearest, count)) selected = new Int32Array(2 * count)
  return select(agent, nearest, radius, rule.groups, rule.fieldOfView, selected)
}

function sumSeparation(
  agent: Agent,
  { maxNeighbors, neighborDistance, response }: NearestRule,
  found: number,
): void {
  const neighbors = neighborsOf(agent)
  const { row, distanceSq, position } = neighbors
  const own = ownSize(agent)
  const { x: ox, y: oy, z: oz } = agent.position
  const fade = response === 'unit' ? 0 : 1 / neighborDistance
  const radiusSq = neighborDistance * neighborDistance
  let coincident = 0
  for (let n = 0; n < found && n < maxNeighbors; n++) {
    const i = selected[n]!
    const sq = distanceSq[i]!
    const near = nearnessSq(neighbors, i, own)
    if (near >= radiusSq) continue
    if (sq > 0) {
      const p = 3 * row[i]!
      const k =
        near === sq ? separationGain(sq, fade) : separationGainOfLarge(sq, near, fade, neighborDistance)
      sums.separationX -= (position[p]! - ox) * k
      sums.separationY -= (position[p + 1]! - oy) * k
      sums.separationZ -= (position[p + 2]! - oz) * k
    } else coincident++
  }
  if (coincident > 0) pushCoincident(agent, coincident, neighborDistance, sums)
}

function sumVelocities(
  agent: Agent,
  { match, maxNeighbors, neighborDistance, leaders, leaderWeight }: NearestRule,
  found: number,
): void {
  const neighbors = neighborsOf(agent)
  const { row, velocity, group } = neighbors
  const own = ownSize(agent)
  const radiusSq = neighborDistance * neighborDistance
  for (let n = 0; n < found && n < maxNeighbors; n++) {
    const i = selected[n]!
    if (nearnessSq(neighbors, i, own) >= radiusSq) continue
    const r = row[i]!
    const weight = (group[r]! & leaders) === 0 ? 1 : leaderWeight
    const x = velocity[3 * r]!
    const y = velocity[3 * r + 1]!
    const z = velocity[3 * r + 2]!
    let k = weight
    if (match === 'heading') {
      const speed = Math.hypot(x, y, z)
      // at rest there is no heading
      if (!(speed > 0)) continue
      k = weight / speed
    }
    sums.velocityX += k * x
    sums.velocityY += k * y
    sums.velocityZ += k * z
    sums.velocityCount += weight
  }
}

function sumOffsets(
  agent: Agent,
  { maxNeighbors, neighborDistance, leaders, leaderWeight }: NearestRule,
  found: number,
): void {
  const neighbors = neighborsOf(agent)
  const { row, position, group } = neighbors
  const own = ownSize(agent)
  const { x: ox, y: oy, z: oz } = agent.position
  const radiusSq = neighborDistance * neighborDistance
  for (let n = 0; n < found && n < maxNeighbors; n++) {
    const i = selected[n]!
    if (nearnessSq(neighbors, i, own) >= radiusSq) continue
    const r = row[i]!
    const k = (group[r]! & leaders) === 0 ? 1 : leaderWeight
    sums.offsetX += k * (position[3 * r]! - ox)
    sums.offsetY += k * (position[3 * r + 1]! - oy)
    sums.offsetZ += k * (position[3 * r + 2]! - oz)
    sums.offsetCount += k
  }
}
