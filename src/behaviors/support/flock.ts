import type { Agent, Step, Vec3, Wrench } from '../../types.js'
import { servoTime } from '../../control/drive.js'
import { TAU } from '../../math/scalar.js'
import { requireFinite, requireNumber, requireWhole } from '../../math/require.js'

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
    this.radius = requireFinite(`${what}.radius`, radius, 0, true)
    this.weight = requireFinite(`${what}.weight`, weight, -Infinity, true)
    this.fieldOfView = requireNumber(`${what}.fieldOfView`, fieldOfView, 0, true, TAU)
    if (response !== 'smooth' && response !== 'unit')
      throw new RangeError(`${what}.response: got '${String(response)}', allowed are 'smooth', 'unit'`)
    this.groups = requireWhole(`${what}.groups`, groups, -(2 ** 31), 2 ** 32 - 1)
    this.response = response
  }
}

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
  const { count, row, distanceSq, position, velocity, group } = agent.neighbors
  const { x: ox, y: oy, z: oz } = agent.position
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
    const bits = group[row[i]!]!
    // t·|t| ≥ c·|c|·d² is "inside the cone" without a square root
    const t = x * hx + y * hy + z * hz
    const side = t * Math.abs(t)
    if (sq < sepSq && (bits & sepMask) !== 0 && side >= sepEdge * sq) {
      if (sq > 0) {
        const k = fade === 0 ? 1 / sq : 1 / sq - fade / Math.sqrt(sq)
        sx -= x * k
        sy -= y * k
        sz -= z * k
      } else coincident++
    }
    if (sq < aliSq && (bits & aliMask) !== 0 && side >= aliEdge * sq) {
      ax += velocity[p]!
      ay += velocity[p + 1]!
      az += velocity[p + 2]!
      headings++
    }
    if (sq < cohSq && (bits & cohMask) !== 0 && side >= cohEdge * sq) {
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
  if (coincident > 0) partWays(agent, coincident / (COINCIDENT_SHARE * separation!.radius))
  return sums
}

/** Where there is no direction away, the agent's own stream gives one. */
function partWays(agent: Agent, strength: number): void {
  sums.apartX += strength * (2 * agent.random() - 1)
  sums.apartY += strength * (2 * agent.random() - 1)
  sums.apartZ += strength * (2 * agent.random() - 1)
}

/** Adds the separation force. `smooth`: Σ −d̂ (r/d − 1)·¼, so a lone neighbour at a fifth of the radius gets full weight. */
export function separate(
  agent: Agent,
  { weight, response, radius }: FlockRule,
  { apartX, apartY, apartZ }: FlockSums,
  out: Wrench,
): void {
  const gain = response === 'unit' ? Infinity : radius / 4
  addShare(out.force, apartX, apartY, apartZ, gain, weight * agent.maxForce)
}

/** Adds the alignment force. `smooth`: to the mean velocity within the response time, at most full weight. */
export function align(
  agent: Agent,
  step: Step,
  { weight, response }: FlockRule,
  { headingX, headingY, headingZ, headings }: FlockSums,
  out: Wrench,
): void {
  if (headings === 0) return
  const { velocity, maxForce } = agent
  const k = 1 / headings
  const time = servoTime(agent, step)
  const gain = response === 'unit' ? Infinity : maxForce > 0 ? agent.mass / (time * maxForce) : 0
  addShare(
    out.force,
    headingX * k - velocity.x,
    headingY * k - velocity.y,
    headingZ * k - velocity.z,
    gain,
    weight * maxForce,
  )
}

/**
 * Adds the cohesion force. `smooth`: towards the mean place, growing with its distance up to full weight at the radius. Without a
 * neighbour the centre of the flock's bounding box is the emergency target (Green, Flocking).
 */
export function cohere(
  agent: Agent,
  { weight, response, radius }: FlockRule,
  { middleX, middleY, middleZ, middles }: FlockSums,
  emergency: boolean,
  out: Wrench,
): void {
  const gain = response === 'unit' ? Infinity : 1 / radius
  const force = weight * agent.maxForce
  if (middles > 0) addShare(out.force, middleX / middles, middleY / middles, middleZ / middles, gain, force)
  else if (emergency) {
    const { x, y, z } = agent.flockCenter
    const { position } = agent
    addShare(out.force, x - position.x, y - position.y, z - position.z, gain, force)
  }
}

/** Adds `force` times the vector times `gain`, the product shortened to length 1; gain Infinity: always length 1. */
function addShare(out: Vec3, x: number, y: number, z: number, gain: number, force: number): void {
  const sq = x * x + y * y + z * z
  if (!(sq > 0)) return
  const d = sq > 1e-200 && sq < 1e200 ? Math.sqrt(sq) : Math.hypot(x, y, z)
  const k = force * (gain * d < 1 ? gain : 1 / d)
  out.x += k * x
  out.y += k * y
  out.z += k * z
}

/** c·|c| of half the field of view; −2 lets everything through, whatever the rounding. */
function edgeOf(rule: FlockRule | null): number {
  if (rule === null || rule.fieldOfView >= TAU) return -2
  const c = Math.cos(rule.fieldOfView / 2)
  return c * Math.abs(c)
}
