import type { Agent, Behavior, Exemption, NeighborSearch, Step, Vec3, Wrench } from '../../core/types.js'
import { neighborSearch } from '../../core/neighbors/neighbor-search.js'
import { neighborsOf } from '../../core/control/neighbors-of.js'
import type { Constraint, VelocityConstraints } from '../../core/solver/constraint.js'
import { servoGain, servoTime } from '../../core/control/drive.js'
import { movablePart } from '../../core/control/lock.js'
import { exemptsAgent } from '../../core/solver/exemption.js'
import { smoothstep, clamp } from '../../core/math/scalar.js'
import {
  addScaled,
  length,
  scale,
  truncate,
  vec3,
  copy,
  cross,
  dot,
  isZero,
  lengthSq,
  normalize,
  perpendicular,
  reject,
  set,
} from '../../core/math/vec3.js'
import { capAgent } from '../../core/behaviors/avoidance/agent-cap.js'
import { demandForce } from './demand.js'
import { measureAgility } from '../../core/behaviors/avoidance/plane-cap.js'
import { isWithinReach } from '../../core/control/nearness.js'
import { isHeedless, yieldShare } from '../../core/behaviors/avoidance/right-of-way.js'
import { closestApproach } from '../../core/math/approach.js'
import { GROUPS, WithOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

export interface AvoidAgentsOptions extends Options, OptionsOf<typeof AvoidAgents.options> {}
export interface AvoidAgents extends FieldsOf<typeof AvoidAgents.options> {}

// The numbers below are chosen by hand unless they say otherwise.

/** Default clearance as a share of the sum of both radii. */
const DEFAULT_CLEARANCE = 0.1

/** From this share of `maxPredictionTime` on the force fades out, so that it does not jump. */
const FADE_START = 0.75

const change = vec3()
const force = vec3()

/**
 * Unaligned collision avoidance, between agents with any directions of flight (Green, Steering Behaviours;
 * Reynolds 1999, the source of the name "unaligned"). Only one neighbour counts: the one whose closest
 * approach is soonest, if it is sooner than `maxPredictionTime` and nearer than both radii and `clearance`.
 * Both agents turn away from each other and change speed. The agent that is ahead in their mean velocity at
 * the closest approach, or has more spare speed, flies faster as far as it can, the other one slower; if both
 * fly at full speed, one slows. They share the evasion by `priority`: half each among equals; an agent of
 * infinite priority does nothing. Of one that avoids no others (see `Behavior.avoids`) the agent does the
 * whole evasion.
 *
 * Each of the two agents decides alone, by a function of the pair that gives the same result for both, with
 * opposite signs. Departures:
 * - Green evaluates each pair once, by a time stamp. Which of the two agents decides would then depend on the
 *   order of agents.
 * - Green turns along the velocity less the mean of both. That is half their relative velocity: adding it
 *   changes the time of the closest approach, not its distance. Here they turn along the direction that
 *   separates them at the closest approach, at right angles to it.
 * - The "usual hacks" where vectors cancel out: on a straight collision course each agent turns to its own
 *   starboard (relative velocity × up, the rule of the road), which are opposite directions in 3D. Meeting
 *   straight up and down, they turn to opposite sides at right angles. The last tie of speeds, which of two
 *   agents that meet head-on at equal speed slows down, is broken by the seeds of their random streams.
 * - Between agents of different size the time that counts is that at which the smaller one would be inside
 *   the larger one by its own size, which is long before the closest approach of their centres when one is
 *   huge.
 * - The change of velocity is the missing distance divided by the time left, not a fixed force, so that it is
 *   the same for any mass and step and ends smoothly.
 *
 * This behaviour is kept for comparison, with its assumptions (Green): future velocities are constant, and
 * only one encounter counts, so it does not always work in dense crowds. Alone it returns a force. Within
 * `within` it demands that the velocity changes along that force by at least as much as the force asks for.
 * The input of a player it slows before each agent that it would touch.
 */
export class AvoidAgents extends WithOptions<AvoidAgentsOptions> implements Behavior, Constraint {
  static readonly type: string = 'AvoidAgents'
  static readonly options = {
    /**
     * Agents whose surface is within this distance are considered, m, > 0. It should cover the distance by
     * which two agents approach each other within `maxPredictionTime`.
     */
    neighborDistance: { kind: 'number', required: true, unit: 'm', above: 0 },
    /** Closest approaches later than this are ignored, s, > 0. Default 4. Larger values react earlier. */
    // A shorter time leaves too little to turn; a longer one reacts to agents that will have turned by then.
    // Chosen by hand.
    maxPredictionTime: { kind: 'number', unit: 's', above: 0, default: 4 },
    /**
     * Clearance (m) between the two hulls at which they pass, ≥ 0. Default a tenth of the sum of both radii.
     */
    clearance: { kind: 'number', unit: 'm', atLeast: 0 },
    /** Only agents with one of these group bits count. Default all. */
    groups: GROUPS,
    /** Largest force as a share of `maxForce`, and factor on the force, dimensionless, ≥ 0. Default 1. */
    weight: { kind: 'number', atLeast: 0, default: 1 },
  } as const satisfies AnyTable
  readonly neighborSearch: NeighborSearch = neighborSearch

  get reach(): number {
    return this.neighborDistance
  }

  get avoids(): number {
    return this.groups
  }

  constrain(agent: Agent, step: Step, limits: VelocityConstraints): void {
    if (limits.isManual === true) this.slow(agent, step, limits)
    else if (this.evade(agent, step, force, limits.exemption)) demandForce(agent, step, force, limits, true)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (this.evade(agent, step, force)) addScaled(out.force, out.force, force, 1)
  }

  /** For the input of a player: limits the speed towards each agent that it would touch. */
  private slow(agent: Agent, step: Step, limits: VelocityConstraints): void {
    const neighbors = neighborsOf(agent)
    const { count, row, group } = neighbors
    measureAgility(agent)
    for (let i = 0; i < count; i++) {
      const r = row[i]!
      if ((group[r]! & this.groups) !== 0 && isWithinReach(neighbors, i, this.neighborDistance))
        capAgent(agent, step, r, this.passingDistance(agent, neighbors.radius(r)), limits)
    }
  }

  /** Distance (m) of the centres at which the agent passes one of this radius (m). */
  private passingDistance(agent: Agent, radius: number): number {
    const radii = agent.radius + radius
    return radii + (this.clearance ?? DEFAULT_CLEARANCE * radii)
  }

  /** Writes the force (N). Returns whether there is a threat. */
  private evade(agent: Agent, step: Step, out: Vec3, exemption?: Exemption): boolean {
    const row = this.mostUrgent(agent, exemption)
    if (row < 0) return false
    const neighbors = neighborsOf(agent)
    const priority =
      isHeedless(neighbors, row, agent.group) || neighbors.isManual(row) ? Infinity : neighbors.priority(row)
    const share = yieldShare(agent.priority, priority)
    if (share === 0) return false
    const { maxPredictionTime } = this
    const time = urgent.meet(agent, row)
    urgent.partingDirection(agent, step, row, change)
    const fade = 1 - smoothstep(time, FADE_START * maxPredictionTime, maxPredictionTime)
    const amount = (share * fade * urgent.missingDistance(change)) / Math.max(time, servoTime(agent, step))
    urgent.velocityChange(agent, row, change, amount)
    scale(out, change, servoGain(agent, step))
    scale(out, truncate(out, out, agent.maxForce), this.weight)
    return true
  }

  /**
   * Row of the neighbour whose closest approach is soonest, or −1. Of equals the nearest one, then the one
   * with the lower seed, so that the order of the list does not matter.
   */
  private mostUrgent(agent: Agent, exemption?: Exemption): number {
    const neighbors = neighborsOf(agent)
    const { count, row, group, seed } = neighbors
    const { groups } = this
    let best = -1
    let soonest = this.maxPredictionTime
    let nearest = 1
    for (let i = 0; i < count; i++) {
      const r = row[i]!
      if ((group[r]! & groups) === 0 || !isWithinReach(neighbors, i, this.neighborDistance)) continue
      const time = candidate.meet(agent, r)
      if (!(time < this.maxPredictionTime && time <= soonest)) continue
      const passingDistance = this.passingDistance(agent, neighbors.radius(r))
      if (exemption !== undefined && exemptsAgent(exemption, neighbors, r, passingDistance)) continue
      const nearness = length(candidate.miss) / passingDistance
      if (!(nearness < 1)) continue
      if (
        best >= 0 &&
        time === soonest &&
        (nearness > nearest || (nearness === nearest && seed[r]! > seed[best]!))
      )
        continue
      best = r
      soonest = time
      nearest = nearness
      urgent.passingDistance = passingDistance
    }
    return best
  }
}

/**
 * Sideways distance that is added to every miss, as a share of the passing distance, so that two agents that
 * fly straight at each other both turn to it. Larger values turn more pairs the longer way that would pass on
 * their other sides.
 */
const BIAS = 0.05

/** Share of a wanted change of velocity that is added in speed alone. Larger: agents change speed more. */
const SPEED_SHARE = 0.5
/** Share of that which the tie-break decides. */
const TIE_SHARE = 0.25

/**
 * Closest approach of an agent and a neighbour when both fly straight. All values except `time` and
 * `passingDistance` are relative to the agent. Computed by the other agent they have opposite signs and are
 * otherwise bit-identical, so that both decide alike without communication.
 */
class Encounter {
  /**
   * Time of the closest approach, s from now; Infinity when they are never closer than now. If one agent is
   * larger, the time at which the smaller one touches its surface from inside, if that comes first.
   */
  time = Infinity
  /** Distance of the centres that they must keep, m. */
  passingDistance = 0
  /** From the other agent to this one, at the closest approach, m. */
  readonly miss: Vec3 = vec3()
  /** Velocity of the agent relative to the other one, m/s. */
  private readonly relativeVelocity: Vec3 = vec3()
  private readonly offset: Vec3 = vec3()
  /**
   * Sum of both velocities over the sum of both speeds, dimensionless: of length 1 when parallel, 0 head-on
   * at equal speed. The same for both agents.
   */
  private readonly meanCourse: Vec3 = vec3()
  private readonly path: Vec3 = vec3()
  private readonly sideways: Vec3 = vec3()
  /** Spare speed of the agent less that of the other one, as a share of the higher top speed; −1 … 1. */
  private spareSpeed = 0

  /** Computes the closest approach to the neighbour in `row`. Returns its time, s. */
  meet(agent: Agent, row: number): number {
    const { position, velocity, radius } = agent
    const neighbors = neighborsOf(agent)
    const { offset, relativeVelocity } = this
    const { position: p, velocity: v } = neighbors
    const o = 3 * row
    set(offset, position.x - p[o]!, position.y - p[o + 1]!, position.z - p[o + 2]!)
    set(relativeVelocity, velocity.x - v[o]!, velocity.y - v[o + 1]!, velocity.z - v[o + 2]!)
    this.time = closestApproach(this.miss, offset, relativeVelocity)
    const containedDistance = Math.abs(neighbors.radius(row) - radius)
    const depthSq = containedDistance * containedDistance - lengthSq(this.miss)
    if (depthSq > 0 && this.time < Infinity)
      this.time = Math.max(0, this.time - Math.sqrt(depthSq / lengthSq(relativeVelocity)))
    return this.time
  }

  /** Writes the unit direction in which it gives way to the neighbour in `row`. Call `meet` first. */
  partingDirection(agent: Agent, { up }: Step, row: number, out: Vec3): void {
    const { meanCourse, relativeVelocity, path, sideways } = this
    const { velocity } = agent
    const { velocity: v } = neighborsOf(agent)
    const o = 3 * row
    const otherSpeed = length(set(sideways, v[o]!, v[o + 1]!, v[o + 2]!))
    this.spareSpeed = spareSpeedLead(agent, neighborsOf(agent).maxSpeed(row), otherSpeed)
    set(meanCourse, velocity.x + sideways.x, velocity.y + sideways.y, velocity.z + sideways.z)
    scale(meanCourse, meanCourse, 1 / (agent.speed + otherSpeed))
    scale(out, this.miss, 1 / this.passingDistance)
    // a change of speed helps as far as the mean course lies across the path on which they meet
    normalize(path, relativeVelocity)
    addScaled(out, out, reject(sideways, meanCourse, path), this.spareSpeed / 2)
    normalize(sideways, cross(sideways, path, up))
    if (lengthSq(sideways) === 0) perpendicular(sideways, path)
    addScaled(out, out, sideways, BIAS)
    normalize(out, movablePart(out, out, agent))
    if (lengthSq(out) === 0) copy(out, sideways)
    // on a line there is no side: away from the other agent
    const { axis } = agent
    if (!isZero(axis) && !(Math.abs(dot(out, axis)) > 0))
      scale(out, axis, dot(this.offset, axis) < 0 ? -1 : 1)
  }

  /** Distance (m) that is missing along a unit direction to pass at the passing distance. */
  missingDistance(direction: Vec3): number {
    const { miss, passingDistance } = this
    const along = dot(miss, direction)
    return Math.sqrt(Math.max(0, along * along + passingDistance * passingDistance - lengthSq(miss))) - along
  }

  /**
   * Scales the unit direction `direction` to a change of velocity by `amount` (m/s), and adds a change of
   * speed alone: faster for the agent that is ahead on their mean course when they pass or has more spare
   * speed, slower for the other one; never beyond full speed, nor backwards.
   */
  velocityChange(agent: Agent, row: number, direction: Vec3, amount: number): void {
    const { meanCourse, path, spareSpeed } = this
    const { speed, velocity, maxSpeed, seed } = agent
    const neighbors = neighborsOf(agent)
    const tieBreak = TIE_SHARE * Math.sign(neighbors.seed[row]! - seed)
    const speedShare = clamp(2 * dot(direction, meanCourse) + 2 * spareSpeed + tieBreak, -1, 1)
    scale(direction, direction, amount)
    if (!(speed > 0)) return
    normalize(path, velocity)
    const along = dot(direction, path)
    const allowed = clamp(along + SPEED_SHARE * amount * speedShare, -speed, Math.max(0, maxSpeed - speed))
    addScaled(direction, direction, path, allowed - along)
  }
}

/**
 * Spare speed of the agent less that of an agent with the top speed `otherMaxSpeed` at `otherSpeed` (m/s), as
 * a share of the higher top speed.
 */
function spareSpeedLead({ maxSpeed, speed }: Agent, otherMaxSpeed: number, otherSpeed: number): number {
  if (maxSpeed === Infinity || otherMaxSpeed === Infinity)
    return Number(maxSpeed === Infinity) - Number(otherMaxSpeed === Infinity)
  return (
    (Math.max(0, maxSpeed - speed) - Math.max(0, otherMaxSpeed - otherSpeed)) /
    Math.max(maxSpeed, otherMaxSpeed)
  )
}

/** The pair under consideration, and the most urgent one so far. */
const candidate = new Encounter()
const urgent = new Encounter()
