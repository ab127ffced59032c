import type { Agent, NeighborSearch, Step, Vec3, Wrench } from '../../types.js'
import { gridSearch } from '../../neighbors/neighbor-search.js'
import { drive, servoTime, topSpeed } from '../../control/drive.js'
import { TAU } from '../../math/scalar.js'
import { normalize, scale, set, sub, vec3 } from '../../math/vec3.js'
import { GROUPS, readOptions } from '../../math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../math/options.js'
import {
  COINCIDENT,
  COINCIDENT_SHARE,
  OFFSET,
  OFFSET_COUNT,
  SEPARATION,
  VELOCITY,
  VELOCITY_COUNT,
} from './flock-sums.js'

const push = vec3()
const toCenter = vec3()

/** Options that the three rules of a flock share. */
export interface FlockRuleOptions extends Options, OptionsOf<typeof FLOCK_RULE> {}
export interface FlockRule extends FieldsOf<typeof FLOCK_RULE> {}

export interface AlignmentOptions extends FlockRuleOptions, OptionsOf<typeof ALIGNMENT> {}
export interface AlignmentRule extends FieldsOf<typeof ALIGNMENT> {}

/** See {@link AlignmentOptions}. */
export type AlignmentMatch = 'velocity' | 'heading'

export interface CohesionOptions extends FlockRuleOptions, OptionsOf<typeof COHESION> {}
export interface CohesionRule extends FieldsOf<typeof COHESION> {}

/** See {@link CohesionOptions}. */
export type CohesionApproach = 'pull' | 'seek'

/** The options of every flock rule. */
export const FLOCK_RULE = {
  /**
   * Neighbours within this distance count (m), > 0: from centre to centre; for a neighbour larger than the
   * agent, to the nearest point where the centre of one of the agent's own size would be that touches its
   * surface from inside.
   */
  neighborDistance: { kind: 'number', required: true, unit: 'm', above: 0 },
  /** Share of `maxForce` that the rule may ask for, dimensionless, finite. Default 1. */
  weight: { kind: 'number', default: 1 },
  /** Full angle around the course within which neighbours count, rad, in (0, 2π]. Default 2π. */
  fieldOfView: { kind: 'number', unit: 'rad', above: 0, atMost: TAU, default: TAU },
  /** Only neighbours with one of these group bits count ("your gang", Green). Default all. */
  groups: GROUPS,
  /**
   * `smooth`: the force grows with the error and fades in at the radius, so that it does not jump. `unit`:
   * the full weight in the direction of the error, however small, as Reynolds and most other boids do.
   * Default `smooth`.
   */
  response: { kind: 'text', oneOf: ['smooth', 'unit'], default: 'smooth' },
  /**
   * Only this number of them count, the nearest ones, a whole number ≥ 1, or Infinity for all. Birds interact
   * with their six or seven nearest neighbours, however far these are (Ballerini et al. 2008): then a flock
   * that spreads stays together. The radius must be large enough to find them. Default Infinity.
   */
  maxNeighbors: { kind: 'number', whole: true, atLeast: 1, infinite: true, default: Infinity },
  /** Neighbours with one of these group bits are leaders, a whole number. Default 0: none. */
  leaders: { kind: 'number', whole: true, atLeast: -2147483648, atMost: 4294967295, default: 0 },
  /**
   * A leader counts as this number of neighbours in the means of alignment and cohesion, dimensionless, ≥ 0.
   * Default 4.
   */
  // A leader outweighs half of the six or seven neighbours that birds interact with. Chosen by hand.
  leaderWeight: { kind: 'number', atLeast: 0, default: 4 },
} as const satisfies AnyTable

/** What alignment has beside them. */
export const ALIGNMENT = {
  /**
   * What is matched. `velocity` (default): the mean velocity of the neighbours, so that a flock also flies at
   * one speed. `heading`: their mean heading, Σ v̂ / n. The force is then the difference of the two headings
   * times `weight` · `maxForce` (Green, Flocking; course deck IMGD 4000, Alignment).
   */
  match: { kind: 'text', oneOf: ['velocity', 'heading'], default: 'velocity' },
} as const satisfies AnyTable

/** What cohesion has beside them. */
export const COHESION = {
  /**
   * Whether an agent that sees no neighbour flies to the centre of the flock's bounding box. Default true.
   */
  emergency: { kind: 'boolean', default: true },
  /**
   * How the centre is approached. `pull` (default): by a force that grows with its distance. `seek`: as by
   * `Seek`, at full speed (course deck IMGD 4000, Cohesion); `response` has no effect then.
   */
  approach: { kind: 'text', oneOf: ['pull', 'seek'], default: 'pull' },
} as const satisfies AnyTable

/** The options of one rule in use. Fields may be changed at any time. */
export class FlockRule {
  readonly neighborSearch: NeighborSearch = gridSearch

  get reach(): number {
    return this.neighborDistance
  }

  /** See `Behavior.reachTo`. */
  get reachTo(): 'center' {
    return 'center'
  }

  /** `tables` are those of a rule with options of its own. */
  constructor(what: string, options: FlockRuleOptions, tables: readonly AnyTable[] = [FLOCK_RULE]) {
    Object.assign(this, readOptions(what, tables, options))
  }
}

/** As {@link FlockRule}, with what is matched. */
export class AlignmentRule extends FlockRule {
  constructor(what: string, options: AlignmentOptions) {
    super(what, options, [FLOCK_RULE, ALIGNMENT])
  }
}

/** As {@link FlockRule}, with how the centre is approached. */
export class CohesionRule extends FlockRule {
  constructor(what: string, options: CohesionOptions) {
    super(what, options, [FLOCK_RULE, COHESION])
  }
}

/** Whether a limited number of neighbours counts, of all groups and in all directions. */
export function takesNearest({ fieldOfView, groups, maxNeighbors }: FlockRule): boolean {
  return maxNeighbors < Infinity && groups === -1 && fieldOfView >= TAU
}

/**
 * Adds the separation force (N). `smooth`: Σ −d̂ (r/d − 1)·¼, so a single neighbour at a fifth of the radius
 * gets the full weight. Those at the agent's own place push in a random direction of its own stream.
 */
export function separate(agent: Agent, rule: FlockRule, sums: Float64Array, out: Wrench): void {
  const force = rule.weight * agent.maxForce
  set(push, sums[SEPARATION]!, sums[SEPARATION + 1]!, sums[SEPARATION + 2]!)
  if (sums[COINCIDENT]! > 0) {
    const strength = sums[COINCIDENT]! / (COINCIDENT_SHARE * rule.neighborDistance)
    push.x += strength * (2 * agent.random() - 1)
    push.y += strength * (2 * agent.random() - 1)
    push.z += strength * (2 * agent.random() - 1)
  }
  addShare(out.force, push.x, push.y, push.z, separationShare(rule), force)
}

/** The share of the force per sum of separation, m; Infinity: always all of it. */
export function separationShare({ response, neighborDistance }: FlockRule): number {
  return response === 'unit' ? Infinity : neighborDistance / 4
}

/**
 * Adds the alignment force (N). `smooth`: it reaches the mean velocity within the response time, up to the
 * full weight.
 */
export function align(
  agent: Agent,
  step: Step,
  { match, weight, response }: AlignmentRule,
  sums: Float64Array,
  out: Wrench,
): void {
  if (sums[VELOCITY_COUNT] === 0) return
  agent.asks = true
  const { velocity, maxForce } = agent
  const k = 1 / sums[VELOCITY_COUNT]!
  if (match === 'heading') {
    const { x, y, z } = agent.course.x
    addShare(
      out.force,
      sums[VELOCITY]! * k - x,
      sums[VELOCITY + 1]! * k - y,
      sums[VELOCITY + 2]! * k - z,
      response === 'unit' ? Infinity : 1,
      weight * maxForce,
    )
    return
  }
  const gain = alignmentShare(agent, step, response)
  addShare(
    out.force,
    sums[VELOCITY]! * k - velocity.x,
    sums[VELOCITY + 1]! * k - velocity.y,
    sums[VELOCITY + 2]! * k - velocity.z,
    gain,
    weight * maxForce,
  )
}

/** The share of the force per difference of velocity, s/m; Infinity: always all of it. */
export function alignmentShare(
  agent: Pick<Agent, 'mass' | 'maxForce' | 'responseTime'>,
  step: Step,
  response: 'smooth' | 'unit',
): number {
  if (response === 'unit') return Infinity
  return agent.maxForce > 0 ? agent.mass / (servoTime(agent, step) * agent.maxForce) : 0
}

/**
 * Adds the cohesion force (N). `smooth`: towards the mean position, growing with its distance up to the full
 * weight at the radius. `seek`: that of `Seek` at the mean position, times the weight. Without a neighbour
 * the centre of the flock's bounding box is the emergency target (Green, Flocking).
 */
export function cohere(agent: Agent, step: Step, rule: CohesionRule, sums: Float64Array, out: Wrench): void {
  const { approach, emergency, weight } = rule
  if (sums[OFFSET_COUNT]! > 0) {
    const k = 1 / sums[OFFSET_COUNT]!
    set(toCenter, sums[OFFSET]! * k, sums[OFFSET + 1]! * k, sums[OFFSET + 2]! * k)
  } else if (emergency) sub(toCenter, agent.flockCenter, agent.position)
  else return
  if (approach === 'seek') {
    drive(agent, step, scale(toCenter, normalize(toCenter, toCenter), topSpeed(agent)), out.force, weight)
    return
  }
  addShare(out.force, toCenter.x, toCenter.y, toCenter.z, cohesionShare(rule), weight * agent.maxForce)
}

/** The share of the force per metre to the mean position, 1/m; Infinity: always all of it. */
export function cohesionShare({ response, neighborDistance }: FlockRule): number {
  return response === 'unit' ? Infinity : 1 / neighborDistance
}

/** Adds `force` times the vector times `gain`, the product shortened to length 1. */
function addShare(out: Vec3, x: number, y: number, z: number, gain: number, force: number): void {
  const share = shareOf(x, y, z, gain)
  if (!(share > 0)) return
  const k = force * share
  out.x += k * x
  out.y += k * y
  out.z += k * z
}

/**
 * The factor that scales a vector by `gain`, and shortens it to length 1; gain Infinity: always length 1. 0
 * for the zero vector.
 */
export function shareOf(x: number, y: number, z: number, gain: number): number {
  const sq = x * x + y * y + z * z
  if (!(sq > 0)) return 0
  const d = sq > 1e-200 && sq < 1e200 ? Math.sqrt(sq) : Math.hypot(x, y, z)
  return gain * d < 1 ? gain : 1 / d
}
