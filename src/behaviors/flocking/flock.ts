import type { Agent, NeighborSearch, Step, Vec3, Wrench } from '../../types.js'
import { neighborSearch } from '../../neighbors/neighbor-search.js'
import { servoTime } from '../../control/drive.js'
import { TAU } from '../../math/scalar.js'
import { requireFinite, requireNumber, requireWhole } from '../../math/require.js'
import { sumMetric, sumNearest, type FlockSums } from './flock-sums.js'

/** Options that the three rules of a flock share. */
export interface FlockRuleOptions {
  /**
   * Neighbours within this distance count (m), > 0: from centre to centre; for a neighbour larger than the
   * agent, to the nearest point where the centre of one of the agent's own size would be that touches its
   * surface from inside.
   */
  neighborDistance: number
  /** Share of `maxForce` that the rule may ask for, dimensionless, finite. Default 1. */
  weight?: number
  /** Full angle around the course within which neighbours count, rad, in (0, 2π]. Default 2π. */
  fieldOfView?: number
  /** Only neighbours with one of these group bits count ("your gang", Green). Default all. */
  groups?: number
  /**
   * `smooth`: the force grows with the error and fades in at the radius, so that it does not jump. `unit`:
   * the full weight in the direction of the error, however small, as Reynolds and most other boids do.
   * Default `smooth`.
   */
  response?: 'smooth' | 'unit'
  /**
   * Only this number of them count, the nearest ones, a whole number ≥ 1, or Infinity for all. Birds interact
   * with their six or seven nearest neighbours, however far these are (Ballerini et al. 2008): then a flock
   * that spreads stays together. The radius must be large enough to find them. Default Infinity.
   */
  maxNeighbors?: number
  /** Neighbours with one of these group bits are leaders, a whole number. Default 0: none. */
  leaders?: number
  /**
   * A leader counts as this number of neighbours in the means of alignment and cohesion, dimensionless, ≥ 0.
   * Default 4.
   */
  leaderWeight?: number
}

/** A leader outweighs half of the six or seven neighbours that birds interact with. Chosen by hand. */
const DEFAULT_LEADER_WEIGHT = 4

/** The options of one rule in use. Fields may be changed at any time. */
export class FlockRule {
  readonly neighborSearch: NeighborSearch = neighborSearch
  neighborDistance: number
  weight: number
  fieldOfView: number
  groups: number
  response: 'smooth' | 'unit'
  maxNeighbors: number
  leaders: number
  leaderWeight: number

  /** See `Behavior.reachTo`. */
  get reachTo(): 'center' {
    return 'center'
  }

  constructor(what: string, options: FlockRuleOptions) {
    if (typeof options !== 'object' || options === null)
      throw new TypeError(`${what}: got ${String(options)}, must be an object with a neighborDistance`)
    const { neighborDistance, weight = 1, fieldOfView = TAU, groups = -1, response = 'smooth' } = options
    const { maxNeighbors = Infinity, leaders = 0, leaderWeight = DEFAULT_LEADER_WEIGHT } = options
    this.neighborDistance = requireFinite(`${what}.neighborDistance`, neighborDistance, 0, true)
    this.weight = requireFinite(`${what}.weight`, weight, -Infinity, true)
    this.fieldOfView = requireNumber(`${what}.fieldOfView`, fieldOfView, 0, true, TAU)
    if (response !== 'smooth' && response !== 'unit')
      throw new RangeError(`${what}.response: got '${String(response)}', allowed are 'smooth', 'unit'`)
    this.groups = requireWhole(`${what}.groups`, groups, -(2 ** 31), 2 ** 32 - 1)
    this.response = response
    this.maxNeighbors = requireWhole(`${what}.maxNeighbors`, maxNeighbors, 1, Infinity)
    this.leaders = requireWhole(`${what}.leaders`, leaders, -(2 ** 31), 2 ** 32 - 1)
    this.leaderWeight = requireFinite(`${what}.leaderWeight`, leaderWeight, 0, false)
  }
}

/**
 * One pass over the neighbours for any of the three rules, so that a fused flock and three separate rules run
 * the same code. Green, Flocking: separation Σ −d̂/d, alignment mean velocity, cohesion mean offset.
 */
export function sumFlock(
  agent: Agent,
  separation: FlockRule | null,
  alignment: FlockRule | null,
  cohesion: FlockRule | null,
): FlockSums {
  const plain = isPlain(separation) && isPlain(alignment) && isPlain(cohesion)
  return plain
    ? sumMetric(agent, separation, alignment, cohesion)
    : sumNearest(agent, separation, alignment, cohesion)
}

/** Whether all neighbours within the radius count alike. */
function isPlain(rule: FlockRule | null): boolean {
  return rule === null || (rule.maxNeighbors === Infinity && rule.leaders === 0)
}

/**
 * Adds the separation force (N). `smooth`: Σ −d̂ (r/d − 1)·¼, so a single neighbour at a fifth of the radius
 * gets the full weight.
 */
export function separate(
  agent: Agent,
  { weight, response, neighborDistance }: FlockRule,
  { separationX, separationY, separationZ }: FlockSums,
  out: Wrench,
): void {
  const gain = response === 'unit' ? Infinity : neighborDistance / 4
  addShare(out.force, separationX, separationY, separationZ, gain, weight * agent.maxForce)
}

/**
 * Adds the alignment force (N). `smooth`: it reaches the mean velocity within the response time, up to the
 * full weight.
 */
export function align(
  agent: Agent,
  step: Step,
  { weight, response }: FlockRule,
  { velocityX, velocityY, velocityZ, velocityCount }: FlockSums,
  out: Wrench,
): void {
  if (velocityCount === 0) return
  const { velocity, maxForce } = agent
  const k = 1 / velocityCount
  const time = servoTime(agent, step)
  const gain = response === 'unit' ? Infinity : maxForce > 0 ? agent.mass / (time * maxForce) : 0
  addShare(
    out.force,
    velocityX * k - velocity.x,
    velocityY * k - velocity.y,
    velocityZ * k - velocity.z,
    gain,
    weight * maxForce,
  )
}

/**
 * Adds the cohesion force (N). `smooth`: towards the mean position, growing with its distance up to the full
 * weight at the radius. Without a neighbour the centre of the flock's bounding box is the emergency target
 * (Green, Flocking).
 */
export function cohere(
  agent: Agent,
  { weight, response, neighborDistance }: FlockRule,
  { offsetX, offsetY, offsetZ, offsetCount }: FlockSums,
  emergency: boolean,
  out: Wrench,
): void {
  const gain = response === 'unit' ? Infinity : 1 / neighborDistance
  const force = weight * agent.maxForce
  if (offsetCount > 0)
    addShare(out.force, offsetX / offsetCount, offsetY / offsetCount, offsetZ / offsetCount, gain, force)
  else if (emergency) {
    const { x, y, z } = agent.flockCenter
    const { position } = agent
    addShare(out.force, x - position.x, y - position.y, z - position.z, gain, force)
  }
}

/**
 * Adds `force` times the vector times `gain`, the product shortened to length 1; gain Infinity: always length
 * 1.
 */
function addShare(out: Vec3, x: number, y: number, z: number, gain: number, force: number): void {
  const sq = x * x + y * y + z * z
  if (!(sq > 0)) return
  const d = sq > 1e-200 && sq < 1e200 ? Math.sqrt(sq) : Math.hypot(x, y, z)
  const k = force * (gain * d < 1 ? gain : 1 / d)
  out.x += k * x
  out.y += k * y
  out.z += k * z
}
