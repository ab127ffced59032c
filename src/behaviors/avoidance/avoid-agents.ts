import type { Agent, Behavior, Exemption, Step, Vec3, Wrench } from '../../types.js'
import { neighborsOf } from '../../control/neighbors-of.js'
import type { Constraint, VelocityConstraints } from '../../solver/constraint.js'
import { servoGain, servoTime } from '../../control/drive.js'
import { exemptsAgent } from '../../solver/exemption.js'
import { requireFinite, requireWhole } from '../../math/require.js'
import { smoothstep, clamp } from '../../math/scalar.js'
import {
  addScaled,
  length,
  scale,
  truncate,
  vec3,
  copy,
  cross,
  dot,
  lengthSq,
  normalize,
  perpendicular,
  reject,
  set,
} from '../../math/vec3.js'
import { demandForce } from './demand.js'
import { isWithinReach } from '../../control/nearness.js'
import { yieldShare } from './right-of-way.js'
import { closestApproach } from '../../math/approach.js'

export interface AvoidAgentsOptions {
  /** Looks out for agents whose surface is within this distance, m, > 0. Should cover the way that two of them close within `maxPredictionTime`. */
  neighborDistance: number
  /** Closest approaches later than this do not count, s, > 0. Default 4. */
  maxPredictionTime?: number
  /** Clearance (m) between the two hulls at which they pass, ≥ 0. Default a tenth of the sum of both radii. */
  clearance?: number
  /** Only agents with one of these group bits count. Default all. */
  groups?: number
  /** Share of `maxForce` it may ask for, and factor on what it asks for, dimensionless, ≥ 0. Default 1. */
  weight?: number
}

/** Shorter leaves no time to turn, longer shies at what will have turned by then. */
export const DEFAULT_MAX_PREDICTION_TIME = 4

const DEFAULT_MARGIN = 0.1

/** From this share of `maxPredictionTime` on the answer fades out, so that nobody jolts when a threat comes in time. */
const FADE = 0.75

const change = vec3()
const force = vec3()

/**
 * Unaligned collision avoidance, between agents that fly any way they like (Green, Steering Behaviours; Reynolds 1999, whose "unaligned" it
 * is): the one neighbour counts whose closest approach is soonest, when it is sooner than `maxPredictionTime` and nearer than both radii
 * and `clearance`. Both turn away from each other and change speed: who is ahead in their mean velocity when they pass, or has more speed to spare,
 * flies faster as far as it can, the other one slower; at full speed both, one slows. They share by `priority`: half each among
 * equals; who has Infinity does nothing.
 *
 * Each of the two decides alone, by a function of the pair that is the same seen from both ends, with opposite signs. Departures:
 * - Green looks at each pair once, by a time stamp: which of the two decides would then depend on the order of agents.
 * - Green turns along the velocity less the mean of both. That is half their relative velocity: adding it changes when they are closest, not how
 *   close. Here they turn along what will part them at the closest approach, at right angles to it.
 * - The "usual hacks" where vectors cancel out: on a straight collision course each turns to its own starboard (relative velocity × up, the
 *   rule of the road), which are opposite ways in 3D; meeting straight up and down, to opposite sides at right angles. The last tie of speeds, who is to
 *   slow down when they meet head-on at equal speed, is broken by the seeds of their random streams.
 * - Between agents of different size the time that counts is that at which the smaller one would be inside the larger one by its own size, which
 *   is long before the closest approach of their centres when one is huge.
 * - The change of velocity is what the miss lacks, divided by the time that is left, not a fixed force, so it is the
 *   same for any mass and step and ends smoothly.
 *
 * It is a yardstick, with its assumptions (Green): future velocities are constant, and only one encounter counts, so it does not always work
 * where it is dense. Alone it returns a force; within `within` it demands at least as much of its way as it asks for.
 */
export class AvoidAgents implements Behavior, Constraint {
  static readonly type: string = 'AvoidAgents'
  neighborDistance: number
  maxPredictionTime: number
  clearance: number | undefined
  groups: number
  weight: number

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: AvoidAgentsOptions) {
    const {
      neighborDistance,
      maxPredictionTime = DEFAULT_MAX_PREDICTION_TIME,
      clearance,
      groups = -1,
      weight = 1,
    } = options
    this.neighborDistance = requireFinite('AvoidAgents.neighborDistance', neighborDistance, 0, true)
    this.maxPredictionTime = requireFinite('AvoidAgents.maxPredictionTime', maxPredictionTime, 0, true)
    this.clearance =
      clearance === undefined ? undefined : requireFinite('AvoidAgents.clearance', clearance, 0, false)
    this.groups = requireWhole('AvoidAgents.groups', groups, -(2 ** 31), 2 ** 32 - 1)
    this.weight = requireFinite('AvoidAgents.weight', weight, 0, false)
  }

  get reach(): number {
    return this.neighborDistance
  }

  constrain(agent: Agent, step: Step, limits: VelocityConstraints): void {
    if (this.evade(agent, step, force, limits.exemption)) demandForce(agent, step, force, limits, true)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (this.evade(agent, step, force)) addScaled(out.force, out.force, force, 1)
  }

  /** Writes the force (N), and returns whether there is a threat. */
  private evade(agent: Agent, step: Step, out: Vec3, spares?: Exemption): boolean {
    const row = this.mostUrgent(agent, spares)
    if (row < 0) return false
    const share = yieldShare(agent.priority, neighborsOf(agent).priority(row))
    if (share === 0) return false
    const { maxPredictionTime } = this
    const time = urgent.meet(agent, row)
    urgent.partingDirection(agent, step, row, change)
    const fade = 1 - smoothstep(time, FADE * maxPredictionTime, maxPredictionTime)
    const much = (share * fade * urgent.missingDistance(change)) / Math.max(time, servoTime(agent, step))
    urgent.velocityChange(agent, row, change, much)
    scale(out, change, servoGain(agent, step))
    scale(out, truncate(out, out, agent.maxForce), this.weight)
    return true
  }

  /** Row of the one whose closest approach is soonest, or −1; of equals the closest, then the lower seed: not the order of the list. */
  private mostUrgent(agent: Agent, spares?: Exemption): number {
    const neighbors = neighborsOf(agent)
    const { count, row, group, seed } = neighbors
    const { groups, clearance } = this
    let best = -1
    let soonest = this.maxPredictionTime
    let nearest = 1
    for (let i = 0; i < count; i++) {
      const r = row[i]!
      if ((group[r]! & groups) === 0 || !isWithinReach(neighbors, i, this.neighborDistance)) continue
      const time = candidate.meet(agent, r)
      if (!(time < this.maxPredictionTime && time <= soonest)) continue
      const both = agent.radius + neighbors.radius(r)
      const room = both + (clearance ?? DEFAULT_MARGIN * both)
      if (spares !== undefined && exemptsAgent(spares, neighbors, r, room)) continue
      const near = length(candidate.miss) / room
      if (!(near < 1)) continue
      if (best >= 0 && time === soonest && (near > nearest || (near === nearest && seed[r]! > seed[best]!)))
        continue
      best = r
      soonest = time
      nearest = near
      urgent.passingDistance = room
    }
    return best
  }
}

/**
 * Side that is added to every miss, as a share of the room: two that would hit dead centre both turn to it. Larger turns those the
 * longer way that would pass on their other sides.
 */
const BIAS = 0.05

/** Share of a wanted change of velocity that goes into speed alone, and how much of that the last tie decides. */
const PACE = 0.5
const TIE = 0.25

/**
 * What agent and neighbour come to when both fly straight. All but `time` and `room` are seen from the agent: seen from the
 * other end they are the same with opposite signs, bit for bit, so that both decide alike without asking.
 */
class Encounter {
  /**
   * Of the closest approach, s from now; Infinity when they are never closer than now. Where one is larger, of the moment at which the smaller one
   * touches its surface from inside, if that comes first.
   */
  time = Infinity
  /** Distance of the centres at which they pass, m. */
  passingDistance = 0
  /** From the other one to the agent, at the closest approach, m. */
  readonly miss: Vec3 = vec3()
  /** Velocity of the agent relative to the other one, m/s. */
  private readonly relativeVelocity: Vec3 = vec3()
  private readonly offset: Vec3 = vec3()
  /** Sum of both velocities over that of both speeds: 1 long when abreast, 0 head-on at equal speed. The same from both ends. */
  private readonly meanCourse: Vec3 = vec3()
  private readonly path: Vec3 = vec3()
  private readonly side: Vec3 = vec3()
  /** By how much more speed the agent has to spare, as a share of the higher top speed; −1 … 1. */
  private spareSpeed = 0

  /** Meets the neighbour in `row`. */
  meet(agent: Agent, row: number): number {
    const { position, velocity, radius } = agent
    const neighbors = neighborsOf(agent)
    const { offset: gap, relativeVelocity: drift } = this
    const { position: p, velocity: v } = neighbors
    const o = 3 * row
    set(gap, position.x - p[o]!, position.y - p[o + 1]!, position.z - p[o + 2]!)
    set(drift, velocity.x - v[o]!, velocity.y - v[o + 1]!, velocity.z - v[o + 2]!)
    this.time = closestApproach(this.miss, gap, drift)
    const core = Math.abs(neighbors.radius(row) - radius)
    const deep = core * core - lengthSq(this.miss)
    if (deep > 0 && this.time < Infinity)
      this.time = Math.max(0, this.time - Math.sqrt(deep / lengthSq(drift)))
    return this.time
  }

  /** Writes the unit direction in which the agent gives way to the neighbour in `row`, which it must have met. */
  partingDirection(agent: Agent, { up }: Step, row: number, out: Vec3): void {
    const { meanCourse: common, relativeVelocity: drift, path, side } = this
    const { velocity } = agent
    const { velocity: v } = neighborsOf(agent)
    const o = 3 * row
    const pace = length(set(side, v[o]!, v[o + 1]!, v[o + 2]!))
    this.spareSpeed = spareSpeedLead(agent, neighborsOf(agent).maxSpeed(row), pace)
    set(common, velocity.x + side.x, velocity.y + side.y, velocity.z + side.z)
    scale(common, common, 1 / (agent.speed + pace))
    scale(out, this.miss, 1 / this.passingDistance)
    // speed helps as far as the common way lies across the path on which they meet
    normalize(path, drift)
    addScaled(out, out, reject(side, common, path), this.spareSpeed / 2)
    normalize(side, cross(side, path, up))
    if (lengthSq(side) === 0) perpendicular(side, path)
    addScaled(out, out, side, BIAS)
    normalize(out, out)
    if (lengthSq(out) === 0) copy(out, side)
  }

  /** How much farther (m) along the unit direction `away` they must pass to have room. */
  missingDistance(away: Vec3): number {
    const { miss, passingDistance: room } = this
    const along = dot(miss, away)
    return Math.sqrt(Math.max(0, along * along + room * room - lengthSq(miss))) - along
  }

  /**
   * Scales the unit direction `away` to the change of velocity `much` (m/s), and adds what goes into speed alone: faster for who is
   * ahead in their common way when they pass or has more to spare, slower for the other one; never beyond full speed, nor backwards.
   */
  velocityChange(agent: Agent, row: number, away: Vec3, much: number): void {
    const { meanCourse: common, path, spareSpeed: spare } = this
    const { speed, velocity, maxSpeed, seed } = agent
    const neighbors = neighborsOf(agent)
    const last = TIE * Math.sign(neighbors.seed[row]! - seed)
    const role = clamp(2 * dot(away, common) + 2 * spare + last, -1, 1)
    scale(away, away, much)
    if (!(speed > 0)) return
    normalize(path, velocity)
    const along = dot(away, path)
    const allowed = clamp(along + PACE * much * role, -speed, Math.max(0, maxSpeed - speed))
    addScaled(away, away, path, allowed - along)
  }
}

/** By how much more speed the agent has to spare than one of `top` speed at `pace` (m/s), as a share of the higher top speed. */
function spareSpeedLead({ maxSpeed, speed }: Agent, top: number, pace: number): number {
  if (maxSpeed === Infinity || top === Infinity)
    return Number(maxSpeed === Infinity) - Number(top === Infinity)
  return (Math.max(0, maxSpeed - speed) - Math.max(0, top - pace)) / Math.max(maxSpeed, top)
}

/** The pair under consideration, and the most urgent one so far. */
const candidate = new Encounter()
const urgent = new Encounter()
