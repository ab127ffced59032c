import type {
  Agent,
  Archive,
  SnapshotState,
  Serializable,
  Step,
  Vec3,
  Vec3Like,
  Wrench,
} from '../../types.js'
import { clearUnlessFinite } from '../../control/finite.js'
import { Memory } from '../../control/memory.js'
import { noseAttitude } from '../../control/nose.js'
import { SlotOwners } from '../../control/slot-owners.js'
import { turnTo } from '../../control/turn.js'
import { reportGoalDistance } from '../../control/wish.js'
import { ArcPath } from '../../curves/arc-path.js'
import { quat } from '../../math/quat.js'
import { arccos, lagShare } from '../../math/scalar.js'
import {
  addScaled,
  copy,
  cross,
  distance,
  dot,
  length,
  load,
  normalize,
  save,
  scale,
  set,
  sub,
  vec3,
} from '../../math/vec3.js'
import { makeGoal, predictGoal, type Goal } from './goal.js'
import { planRendezvous } from './route-planner.js'
import { maxSpeedAt, trackPath, type TrackPoint } from './track.js'
import { turnRadius, type VehicleLimits } from './vehicle-limits.js'

/**
 * State of a flight. `under way`; `arrived` or `missed`: passed the goal in this step, within the tolerances
 * or not; `beyond`: passed it earlier; `unreachable`: found in this step that the goal cannot be met;
 * `waiting`: without a plan, because the plans of this step are used up; `lost`: no path was found.
 */
export type RouteProgress = 'under way' | 'arrived' | 'missed' | 'beyond' | 'unreachable' | 'waiting' | 'lost'

// what is stored for each agent
const STATUS = 0
/** Arc length of the agent on its plan (m). */
const STATION = 1
/** Time of the rendezvous (s), 0 for none; and time at which the plan was made or confirmed (s). */
const DUE = 2
const PLANNED = 3
/** Position and heading of the goal that the plan leads to. */
const GOAL_POSITION = 4
const GOAL_HEADING = 7
const WIDTH = 10

// STATUS
const NO_PLAN = 0
const UNDER_WAY = 1
const ARRIVED = 2
const CHASING = 3

// The numbers below are chosen by hand.

/** Offset from the plan (radii) at which it is checked, and at which it is replaced. */
const CHECK_OFFSET = 0.03
const LOST_OFFSET = 0.5

/**
 * A new plan is not taken if it is longer than the rest of the old one by more than this (radii): after a
 * small error the shortest path may need a whole turn, while the old plan can still be tracked.
 */
const MAX_EXCESS = 0.25

/** The goal has moved when it differs from that of the plan by this (radii), or its heading by this (rad). */
const MOVED = 0.02
const TURNED = 0.01

/** Least time between two plans, in radii over speed. */
const PLAN_INTERVAL = 0.1

/** The gear is changed within this distance of a cusp (radii). */
const CUSP_DISTANCE = 0.005

const predicted = makeGoal()
const heading = vec3()
const point = vec3()
const attitude = quat()
const newPlan = new ArcPath()
const target: TrackPoint = { s: 0.5, radius: 0.5, speed: 0.5, acceleration: 0.5 }

/**
 * Plans the path to a goal, follows the plan, and plans again when the goal or the agent is not where the
 * plan expects it. (A plan that is computed anew in every step makes the agent turn round whenever another
 * path becomes shorter by a hair.)
 */
export class RouteFollower implements Serializable {
  /**
   * Maximum number of plans made in one step, ≥ 1. A plan takes microseconds for a far goal, hundreds of them
   * for a near or moving one.
   */
  plansPerStep = 16
  /** Detects when an agent passes its goal; also holds how well the last one did. */
  readonly passing = new Passing()
  private readonly memory = new Memory(WIDTH)
  readonly state: SnapshotState = [this.passing, this.memory]
  private readonly plans: ArcPath[] = []
  private readonly owners = new SlotOwners()
  /** Step in which plans were counted last, and their number. */
  private tick = -1
  private made = 0

  /** The plans, and how many have been made in this step. */
  serialize(archive: Archive): void {
    this.tick = archive.number(this.tick)
    this.made = archive.number(this.made)
    this.owners.serialize(archive, (slot) => {
      const plan = (this.plans[slot] ??= new ArcPath())
      plan.serialize(archive)
    })
  }

  /** The plan of an agent, live, or null. */
  planOf(agent: { readonly id: number }): ArcPath | null {
    const slot = this.owners.slotOf(agent)
    return slot < 0 ? null : this.plans[slot]!
  }

  /**
   * Adds the force (N) that flies the agent to `now`, the goal as it is in this step. The agent has arrived
   * when it passes within `tolerance` (m) of the goal, at most `angle` (rad) from its heading; then it flies
   * straight on. Writes nothing while the agent is `waiting` or `lost`.
   */
  fly(
    agent: Agent,
    step: Step,
    now: Goal,
    terms: VehicleLimits,
    tolerance: number,
    angle: number,
    out: Wrench,
  ): RouteProgress {
    const at = this.memory.at(agent)
    const { data } = this.memory
    const plan = this.planFor(agent)
    const radius = turnRadius(terms, agent.speed)
    let progress = this.progressOf(this.passing.update(agent, step, now, terms, tolerance, angle), at, plan)
    if (data[at + STATUS] === NO_PLAN) {
      if (!this.mayPlan(step)) return progress === 'missed' ? progress : 'waiting'
      if (this.replan(agent, step, at, now, terms)) progress = 'unreachable'
    } else if (data[at + STATUS] !== ARRIVED) this.checkPlan(agent, step, at, now, terms, radius)
    this.follow(agent, step, at, plan, terms, radius, out)
    if (!clearUnlessFinite(out)) return progress
    data[at + STATUS] = NO_PLAN
    return 'lost'
  }

  /** Discards the plan of an agent, if it has one; a new one is made when it flies next. */
  forget(agent: Agent): void {
    const at = this.memory.find(agent)
    if (at >= 0) this.memory.data[at + STATUS] = NO_PLAN
  }

  /** Updates the status after a pass. */
  private progressOf(pass: Pass, at: number, plan: ArcPath): RouteProgress {
    const { data } = this.memory
    if (pass === 'beyond') return pass
    if (pass === 'within') {
      data[at + STATUS] = ARRIVED
      data[at + STATION] = plan.length
      return 'arrived'
    }
    const missed = pass === 'outside' && data[at + STATION]! >= plan.length && data[at + STATUS] !== NO_PLAN
    if (missed || pass === 'moved') data[at + STATUS] = NO_PLAN
    return missed ? 'missed' : 'under way'
  }

  /** The plan of an agent, created at the first call. */
  private planFor(agent: Agent): ArcPath {
    const { slot } = agent
    if (this.owners.claim(agent)) this.plans[slot] ??= new ArcPath()
    return this.plans[slot]!
  }

  /** Counts the plans of this step. @returns whether one more may be made. */
  private mayPlan({ tick }: Step): boolean {
    if (tick !== this.tick) {
      this.tick = tick
      this.made = 0
    }
    return this.made++ < this.plansPerStep
  }

  /** Finds where on its plan the agent is, and plans again if there is a reason. */
  private checkPlan(
    agent: Agent,
    step: Step,
    at: number,
    now: Goal,
    terms: VehicleLimits,
    radius: number,
  ): void {
    const { data } = this.memory
    const plan = this.plans[agent.slot]!
    const { position, speed } = agent
    const from = data[at + STATION]!
    const cusp = plan.cuspAfter(from)
    let s = plan.nearest(position, from, Math.min(cusp, from + 4 * speed * step.dt + CHECK_OFFSET * radius))
    if (cusp < plan.length && cusp - s < CUSP_DISTANCE * radius) s = cusp
    data[at + STATION] = s
    if (data[at + PLANNED]! + (PLAN_INTERVAL * radius) / Math.max(speed, 1e-9) > step.time) return
    const left = plan.length - s
    predictGoal(predicted, now, Math.max(0, data[at + DUE]! - step.time))
    if (
      distance(predicted.position, load(point, data, at + GOAL_POSITION)) > MOVED * radius ||
      dot(predicted.heading, load(point, data, at + GOAL_HEADING)) < Math.cos(TURNED)
    ) {
      if (this.mayPlan(step)) this.replan(agent, step, at, now, terms)
      return
    }
    const away = distance(plan.pointAt(point, s), position)
    if (!(away > CHECK_OFFSET * radius && left > radius / 2) || !this.mayPlan(step)) return
    const time = planRendezvous(newPlan, agent, this.headingOf(agent, at, terms), now, terms, predicted)
    if (newPlan.length < left + MAX_EXCESS * radius || away > LOST_OFFSET * radius)
      this.adopt(step, at, plan, time)
    else data[at + PLANNED] = step.time
  }

  /** Makes a new plan. @returns whether it is found now that no plan meets the goal. */
  private replan(agent: Agent, step: Step, at: number, now: Goal, terms: VehicleLimits): boolean {
    const { data } = this.memory
    const time = planRendezvous(newPlan, agent, this.headingOf(agent, at, terms), now, terms, predicted)
    const wasChasing = data[at + STATUS] === CHASING
    this.adopt(step, at, this.plans[agent.slot]!, time)
    data[at + STATUS] = Number.isNaN(time) ? CHASING : UNDER_WAY
    return Number.isNaN(time) && !wasChasing
  }

  /** Unit heading of the agent: the direction of its velocity, or the opposite one while it flies astern. */
  private headingOf(agent: Agent, at: number, terms: VehicleLimits): Vec3 {
    const { attitude: nose, course, speed, velocity } = agent
    if (!(speed > 1e-3 * terms.cruise)) return copy(heading, terms.reverse ? nose.x : course.x)
    const { data } = this.memory
    const astern = data[at + STATUS] !== NO_PLAN && this.plans[agent.slot]!.gearAt(data[at + STATION]!) < 0
    return scale(heading, velocity, (astern ? -1 : 1) / speed)
  }

  /** Replaces the plan by `newPlan`, which meets the goal in `time` (s). */
  private adopt(step: Step, at: number, plan: ArcPath, time: number): void {
    const { data } = this.memory
    plan.copy(newPlan)
    data[at + STATION] = 0
    data[at + DUE] = time > 0 ? step.time + time : 0
    data[at + PLANNED] = step.time
    save(predicted.position, data, at + GOAL_POSITION)
    save(predicted.heading, data, at + GOAL_HEADING)
  }

  /** Adds the force that follows the plan, slower if the agent would be early at a rendezvous. */
  private follow(
    agent: Agent,
    step: Step,
    at: number,
    plan: ArcPath,
    terms: VehicleLimits,
    radius: number,
    out: Wrench,
  ): void {
    const { data } = this.memory
    const s = data[at + STATION]!
    const left = plan.length - s
    target.s = s
    target.radius = radius
    target.speed = maxSpeedAt(plan, s, terms)
    const next = maxSpeedAt(plan, s + agent.speed * step.dt, terms)
    target.acceleration = Math.min(0, next - target.speed) / step.dt
    const due = data[at + DUE]! - step.time
    if (due > 0 && left / due < target.speed) {
      target.speed = left / due
      target.acceleration = 0
    }
    reportGoalDistance(agent, left)
    trackPath(agent, step, plan, target, terms, out)
    if (!terms.reverse || terms.turnTime > 0) return
    scale(heading, plan.tangentAt(heading, s), plan.gearAt(s))
    noseAttitude(attitude, agent, heading, 'level', step, heading, 0)
    turnTo(agent, attitude, step, out)
  }
}

/**
 * Position of an agent relative to its goal. `under way`; `within` or `outside`: closest to it in this step,
 * within the tolerances or not; `beyond`: it was within in an earlier step; `moved`: the goal has moved
 * unexpectedly, or is a new one.
 */
type Pass = 'under way' | 'within' | 'outside' | 'beyond' | 'moved'

// what `Passing` stores for each agent: the goal as predicted for this step, the state, the velocity of the
// goal and its turning
const EXPECTED = 0
const PASS = 3
const LAST_VELOCITY = 4
const TURNING = 7
const PASS_WIDTH = 10

/** Time constant (s) with which the turning of a goal's velocity is learnt. Chosen by hand. */
const LEARNING = 0.2

// PASS
const BEFORE = 1
const BEYOND = 2

const course = vec3()
const offset = vec3()
const relative = vec3()

/** Detects when agents pass their goal, and how well. */
export class Passing {
  /** Of the agent that passed last: distance from the goal (m), and angle from the goal's heading (rad). */
  missDistance = 0
  missAngle = 0
  private readonly memory = new Memory(PASS_WIDTH)
  readonly state: SnapshotState = [this.memory]

  /**
   * Call once per step, with the goal as it is now. Within means at most `tolerance` (m) from it, and `angle`
   * (rad) from its heading.
   */
  update(agent: Agent, step: Step, now: Goal, terms: VehicleLimits, tolerance: number, angle: number): Pass {
    const at = this.memory.at(agent)
    const { data, fresh } = this.memory
    const moved =
      fresh ||
      distance(load(offset, data, at + EXPECTED), now.position) > tolerance + length(now.velocity) * step.dt
    save(addScaled(offset, now.position, now.velocity, step.dt), data, at + EXPECTED)
    this.learnTurning(at, now, moved ? 0 : step.dt)
    if (moved) {
      data[at + PASS] = BEFORE
      return 'moved'
    }
    if (data[at + PASS] === BEYOND) return 'beyond'
    if (terms.final === 0) return this.checkRest(agent, at, now, tolerance)
    // along the path of the last step, seen from the goal
    sub(relative, agent.velocity, now.velocity)
    sub(offset, agent.position, now.position)
    const since = dot(offset, relative) / dot(relative, relative)
    if (!(since > 0)) return 'under way'
    addScaled(offset, offset, relative, -Math.min(since, step.dt))
    this.missDistance = length(offset)
    this.missAngle = this.headingError(normalize(course, agent.velocity), now, terms)
    if (!(this.missDistance <= tolerance && this.missAngle <= angle)) return 'outside'
    data[at + PASS] = BEYOND
    return 'within'
  }

  /** Learns how the velocity of the goal turns, and writes it to `now.turning`. */
  private learnTurning(at: number, now: Goal, dt: number): void {
    const { data } = this.memory
    const sq = dot(now.velocity, now.velocity)
    load(now.turning, data, at + TURNING)
    if (dt > 0 && sq > 0) {
      cross(relative, load(offset, data, at + LAST_VELOCITY), now.velocity)
      addScaled(relative, scale(relative, relative, 1 / (sq * dt)), now.turning, -1)
      addScaled(now.turning, now.turning, relative, lagShare(dt, LEARNING))
    } else set(now.turning, 0, 0, 0)
    save(now.turning, data, at + TURNING)
    save(now.velocity, data, at + LAST_VELOCITY)
  }

  /**
   * An agent that comes to rest does not pass its goal. It has arrived when it is near, and slower than one
   * tolerance per second. At rest it has no course, so the heading does not count.
   */
  private checkRest(agent: Agent, at: number, now: Goal, tolerance: number): Pass {
    this.missDistance = distance(agent.position, now.position)
    if (this.missDistance > tolerance || distance(agent.velocity, now.velocity) > tolerance)
      return 'under way'
    this.missAngle = 0
    this.memory.data[at + PASS] = BEYOND
    return 'within'
  }

  /**
   * Angle (rad) between a direction of motion and the heading of the goal; an agent that may fly astern may
   * pass it in either direction.
   */
  private headingError(motion: Vec3Like, { heading: wanted }: Goal, { reverse }: VehicleLimits): number {
    const cosine = dot(motion, wanted)
    return arccos(reverse ? Math.abs(cosine) : cosine)
  }
}
