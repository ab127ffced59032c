import type { Agent, Step, Vec3, Wrench } from '../../types.js'
import { TAU } from '../../math/scalar.js'
import { addScaled, length, lengthSq, scale, set, truncate, vec3 } from '../../math/vec3.js'
import { requireRange } from './target.js'

/** What the three rules of a flock have in common. */
export interface FlockRuleOptions {
  /** Neighbours within this distance count, m, > 0. */
  radius: number
  /** Share of `maxForce` the rule may ask for, dimensionless, finite. Default 1. */
  weight?: number
  /** Full angle around the course within which neighbours count, rad, in (0, 2π]. Default 2π. */
  fieldOfView?: number
  /** Only neighbours with one of these group bits count ("your gang", Green). Default all. */
  groups?: number
  /**
   * `smooth`: the force grows with the need and fades in from the radius, so nothing jolts. `unit`: full weight in the
   * direction of the need, however small, as in Reynolds' and most other boids. Default `smooth`.
   */
  response?: 'smooth' | 'unit'
}

/** The options of one rule as it runs. Fields may be changed at any time. */
export class FlockRule {
  radius: number
  weight: number
  fieldOfView: number
  groups: number
  response: 'smooth' | 'unit'

  constructor(
    what: string,
    { radius, weight = 1, fieldOfView = TAU, groups = -1, response = 'smooth' }: FlockRuleOptions,
  ) {
    this.radius = requireRange(`${what}.radius`, radius, 0, true)
    this.weight = requireRange(`${what}.weight`, weight, -Infinity, true)
    this.fieldOfView = requireRange(`${what}.fieldOfView`, fieldOfView, 0, true, TAU)
    if (response !== 'smooth' && response !== 'unit')
      throw new RangeError(`${what}.response: got '${String(response)}', allowed are 'smooth', 'unit'`)
    this.groups = groups
    this.response = response
  }
}

/** The sums of one pass over the neighbours. */
export interface FlockSums {
  /** Σ of unit vectors away from the neighbours, weighted by nearness. */
  readonly apart: Vec3
  /** Σ of velocities, m/s, and their number. */
  readonly heading: Vec3
  headings: number
  /** Σ of offsets, m, and their number. */
  readonly middle: Vec3
  middles: number
}

const sums: FlockSums = { apart: vec3(), heading: vec3(), headings: 0, middle: vec3(), middles: 0 }
const wanted = vec3()

/** One coincident neighbour counts as one at this share of the radius, in a direction of the agent's own stream. */
const COINCIDENT_SHARE = 0.05

/**
 * One pass over the neighbours for any of the three rules, so that a fused flock and three separate rules are the same code.
 * Green, Flocking: separation Σ −d̂/d, alignment mean velocity, cohesion mean offset.
 */
export function sumFlock(
  agent: Agent,
  separation: FlockRule | null,
  alignment: FlockRule | null,
  cohesion: FlockRule | null,
): FlockSums {
  const { neighbors, position } = agent
  const { count, entry, distanceSq, x: px, y: py, z: pz, vx, vy, vz, group } = neighbors
  const { x: ox, y: oy, z: oz } = position
  const { x: hx, y: hy, z: hz } = agent.course.x
  const sepSq = separation === null ? 0 : separation.radius * separation.radius
  const aliSq = alignment === null ? 0 : alignment.radius * alignment.radius
  const cohSq = cohesion === null ? 0 : cohesion.radius * cohesion.radius
  const sepEdge = edgeOf(separation)
  const aliEdge = edgeOf(alignment)
  const cohEdge = edgeOf(cohesion)
  const sepMask = separation === null ? 0 : separation.groups
  const aliMask = alignment === null ? 0 : alignment.groups
  const cohMask = cohesion === null ? 0 : cohesion.groups
  const fade = separation === null || separation.response === 'unit' ? 0 : 1 / separation.radius
  let sx = 0,
    sy = 0,
    sz = 0,
    ax = 0,
    ay = 0,
    az = 0,
    cx = 0,
    cy = 0,
    cz = 0,
    headings = 0,
    middles = 0
  for (let i = 0; i < count; i++) {
    const e = entry[i]!
    const x = px[e]! - ox
    const y = py[e]! - oy
    const z = pz[e]! - oz
    const sq = distanceSq[i]!
    const bits = group[e]!
    // t·|t| ≥ c·|c|·d² is "inside the cone" without a square root
    const t = x * hx + y * hy + z * hz
    const side = t * Math.abs(t)
    if (sq < sepSq && (bits & sepMask) !== 0 && side >= sepEdge * sq) {
      if (sq > 0) {
        const k = fade === 0 ? 1 / sq : 1 / sq - fade / Math.sqrt(sq)
        sx -= x * k
        sy -= y * k
        sz -= z * k
      } else {
        const k = 1 / (COINCIDENT_SHARE * separation!.radius)
        sx += k * (2 * agent.random() - 1)
        sy += k * (2 * agent.random() - 1)
        sz += k * (2 * agent.random() - 1)
      }
    }
    if (sq < aliSq && (bits & aliMask) !== 0 && side >= aliEdge * sq) {
      ax += vx[e]!
      ay += vy[e]!
      az += vz[e]!
      headings++
    }
    if (sq < cohSq && (bits & cohMask) !== 0 && side >= cohEdge * sq) {
      cx += x
      cy += y
      cz += z
      middles++
    }
  }
  set(sums.apart, sx, sy, sz)
  set(sums.heading, ax, ay, az)
  set(sums.middle, cx, cy, cz)
  sums.headings = headings
  sums.middles = middles
  return sums
}

/** Adds the separation force. `smooth`: Σ −d̂ (r/d − 1)·¼, so a lone neighbour at a fifth of the radius gets full weight. */
export function separate(
  agent: Agent,
  { weight, response, radius }: FlockRule,
  { apart }: FlockSums,
  out: Wrench,
): void {
  if (response === 'unit') addUnit(out, apart, weight * agent.maxForce)
  else
    addScaled(
      out.force,
      out.force,
      truncate(wanted, scale(wanted, apart, radius / 4), 1),
      weight * agent.maxForce,
    )
}

/** Adds the alignment force. `smooth`: to the mean velocity within the response time, at most full weight. */
export function align(
  agent: Agent,
  step: Step,
  { weight, response }: FlockRule,
  { heading, headings }: FlockSums,
  out: Wrench,
): void {
  if (headings === 0) return
  addScaled(wanted, agent.velocity, heading, -1 / headings)
  if (response === 'unit') return addUnit(out, wanted, -weight * agent.maxForce)
  scale(wanted, wanted, -agent.mass / Math.max(agent.responseTime, step.dt))
  addScaled(out.force, out.force, truncate(wanted, wanted, agent.maxForce), weight)
}

/**
 * Adds the cohesion force. `smooth`: towards the mean place, growing with its distance up to full weight at the radius. Without a
 * neighbour the centre of the flock's bounding box is the emergency target (Green, Flocking).
 */
export function cohere(
  agent: Agent,
  { weight, response, radius }: FlockRule,
  { middle, middles }: FlockSums,
  emergency: boolean,
  out: Wrench,
): void {
  if (middles > 0) scale(wanted, middle, 1 / middles)
  else if (emergency) addScaled(wanted, agent.flockCenter, agent.position, -1)
  else return
  if (response === 'unit') addUnit(out, wanted, weight * agent.maxForce)
  else
    addScaled(
      out.force,
      out.force,
      truncate(wanted, scale(wanted, wanted, 1 / radius), 1),
      weight * agent.maxForce,
    )
}

function addUnit(out: Wrench, direction: Vec3, force: number): void {
  const sq = lengthSq(direction)
  if (sq > 0 && force !== 0)
    addScaled(
      out.force,
      out.force,
      direction,
      force / (sq > 1e-200 && sq < 1e200 ? Math.sqrt(sq) : length(direction)),
    )
}

/** c·|c| of half the field of view; −1 lets everything through. */
function edgeOf(rule: FlockRule | null): number {
  if (rule === null || rule.fieldOfView >= TAU) return -Infinity
  const c = Math.cos(rule.fieldOfView / 2)
  return c * Math.abs(c)
}
