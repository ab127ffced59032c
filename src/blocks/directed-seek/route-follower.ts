import type {
  Agent,
  Archive,
  SnapshotState,
  Serializable,
  Step,
  Vec3,
  Vec3Like,
  Wrench,
} from '../../core/types.js'
import { drive } from '../../core/control/drive.js'
import { clearUnlessFinite } from '../../core/control/finite.js'
import { Memory } from '../../core/control/memory.js'
import { noseAttitude } from '../../core/control/nose.js'
import { PerAgent } from '../../core/control/per-agent.js'
import { turnTo } from '../../core/control/turn.js'
import { reportGoalDistance } from '../../core/control/wish.js'
import { ArcPath } from '../curves/arc-path.js'
import { quat } from '../../core/math/quat.js'
import { arccos } from '../../core/math/scalar.js'
import {
  addScaled,
  copy,
  distance,
  dot,
  length,
  load,
  normalize,
  save,
  scale,
  sub,
  vec3,
} from '../../core/math/vec3.js'
import { Forecast } from './forecast.js'
import { isStill, makeGoal, type Goal } from './goal.js'
import { DEFAULT_BUDGET, RoutePlanner, type PlanningBudget } from './route-planner.js'
import { maxSpeedAt, rollAlong, trackPath, type TrackPoint } from '../curves/track.js'
import { turnRadius, type VehicleLimits } from '../curves/vehicle-limits.js'

/**
 * State of a flight. `under way`; `stopping`: on its last stretch before a stop, without a path; `arrived` or
 * `missed`: passed the goal in this step, within the tolerances or not; `beyond`: passed it earlier;
 * `unreachable`: found in this step that the goal cannot be met; `waiting`: without a plan, because the plans
 * of this step are used up; `lost`: no path was found; `blocked`: a vehicle that rolls stands before
 * obstacles, and was found in this step to have no way past them.
 */
export type RouteProgress =
  | 'under way'
  | 'stopping'
  | 'arrived'
  | 'missed'
  | 'beyond'
  | 'unreachable'
  | 'waiting'
  | 'lost'
  | 'blocked'

// what is stored for each agent
const STATUS = 0
/** Arc length of the agent on its plan (m). */
const STATION = 1
/** Time of the rendezvous (s), 0 for none. */
const DUE = 2
/** Time at which the plan was made or confirmed (s). */
const PLANNED = 3
/** Position of the goal that the plan leads to. */
const GOAL_POSITION = 4
/** Heading of that goal. */
const GOAL_HEADING = 7
/** Time of the last search of all paths (s). */
const SEARCHED = 10
/** Time of the rendezvous with which a search goes on that ran out of budget (s). */
const RESUME = 11
/** Number of its misses since the goal was moved. */
const MISSES = 12
/** For how long (s) a vehicle that rolls has stood before an obstacle. */
const STOOD = 13
/** 1 once it is known that it finds no way past them to this goal. */
const ENCLOSED = 14
/** 1 while its plan leads to a place on the way only. */
const PARTIAL = 15
const WIDTH = 16

// STATUS
const NO_PLAN = 0
const UNDER_WAY = 1
const ARRIVED = 2
const CHASING = 3

// The numbers below are chosen by hand.

/** An agent that is farther off its plan than this (radii) looks for a better one. Larger: fewer plans. */
const CHECK_OFFSET = 0.03
/** The same for a vehicle that rolls between obstacles: each look may be a search for a way past them. */
const ROLLING_OFFSET = 0.12
/** A vehicle that rolls plans anew when it has stood for this time (s). Longer: it waits for others. */
const PATIENCE = 1.2
/** The same for one that found no way past obstacles: each try is a whole search. */
const PATIENCE_ENCLOSED = 12
/** It stands below this share of the speed on its plan. */
const STANDING_SHARE = 0.05
/** An agent that is farther off its plan than this (radii) takes a new one of any length. */
const LOST_OFFSET = 0.5

/**
 * A new plan is not taken if it is longer than the rest of the old one by more than this (radii): after a
 * small error the shortest path may need a whole turn, while the old plan can still be tracked.
 */
const MAX_EXCESS = 0.25

/** The goal has moved when it is this far (radii) from that of the plan. Larger: less exact arrivals. */
const MOVED = 0.02
/** It has also moved when its heading differs by this (rad). */
const TURNED = 0.01

/** The rest of the way is planned with less than this left of a plan to a place on it (radii). */
const PARTIAL_REST = 1

/** A plan to a moving goal that cannot be adjusted is flown on with less than this left of it (radii), … */
const END_GAME = 1
/** … and with less than this left, if the error is small. Larger: more even flights, and more misses. */
const LAST_WAY = 3
/** An error is small below this (radii). */
const NEARLY_THERE = 0.1

/** Least time between two plans, in radii over speed. Longer: less work, and later answers. */
const PLAN_INTERVAL = 0.1
/** Least time between two searches of all paths to a moving goal, in radii over speed. */
const SEARCH_INTERVAL = 0.5

/** A vehicle has stopped below this share of one tolerance per second. */
const STOPPED_SHARE = 0.1

/** After each miss a vehicle that rolls straightens on a longer way, up to this many times. */
const MOST_MISSES = 4

/** The gear is changed within this distance of a cusp (radii). */
const CUSP_DISTANCE = 0.005

const STILL = vec3()
const predicted = makeGoal()
const heading = vec3()
const point = vec3()
const attitude = quat()
const newPlan = new ArcPath()
const planner = new RoutePlanner()
const target: TrackPoint = { s: 0.5, radius: 0.5, speed: 0.5, acceleration: 0.5, left: 0.5 }

/**
 * Plans the path to a goal, follows the plan, and plans again when the goal or the agent is not where the
 * plan expects it. (A plan that is computed anew in every step makes the agent turn round whenever another
 * path becomes shorter by a hair.)
 */
export class RouteFollower implements Serializable {
  /** Time (µs, counted) that plans may take in one step. */
  readonly budget: PlanningBudget = { left: 0, whole: DEFAULT_BUDGET }
  /** Detects when an agent passes its goal; also holds how well the last one did. */
  readonly passing = new Passing()
  private readonly memory = new Memory(WIDTH, [GOAL_POSITION])
  private readonly forecast: Forecast
  readonly state: SnapshotState
  private readonly plans = new PerAgent(() => new ArcPath())
  /** Step of the budget. */
  private tick = -1

  /** @param learns whether the motion of goals is learnt, see {@link Forecast}. */
  constructor(learns = true) {
    this.forecast = new Forecast(learns)
    this.state = [this.passing, this.memory, this.forecast, this.plans]
  }

  /** What is left of the budget of this step. */
  serialize(archive: Archive): void {
    this.tick = archive.number(this.tick)
    this.budget.left = archive.number(this.budget.left)
  }

  serializeAgent(): void {}

  /** The plan of an agent, live, or null. */
  planOf(agent: { readonly id: number }): ArcPath | null {
    return this.plans.find(agent) ?? null
  }

  /**
   * Adds the force (N) that flies the agent to `now`, the goal as it is in this step. The agent has
   * arrived when it passes within `tolerance` (m) of the goal, at most `angle` (rad) from its heading;
   * then it flies straight on. Writes nothing while the agent is `waiting` or `lost`.
   */
  fly(
    agent: Agent,
    step: Step,
    now: Goal,
    limits: VehicleLimits,
    tolerance: number,
    angle: number,
    out: Wrench,
  ): RouteProgress {
    const at = this.memory.at(agent)
    const { data } = this.memory
    const plan = this.plans.of(agent)
    const radius = turnRadius(limits, agent.speed)
    const pass = this.passing.update(agent, step, now, limits, tolerance, angle)
    let progress = this.progressOf(agent, step, pass, at, plan, limits, tolerance)
    this.forecast.update(agent, step, now, pass === 'moved', limits.cruise)
    // at rest at its goal, or nearly, it flies no path: the rest of one would hold its nose where it has to
    // turn an engine
    const isAtEnd = progress === 'arrived' || progress === 'beyond'
    if (progress === 'stopping' || (isAtEnd && stopsFreely(limits))) return progress
    this.preparePlanner(agent, step, at, now, limits)
    if (data[at + STATUS] === NO_PLAN) {
      const replanned = this.replan(step, at, plan)
      if (replanned === 'waiting') return progress === 'missed' ? progress : replanned
      if (replanned === 'unreachable') progress = replanned
    } else if (data[at + STATUS] !== ARRIVED) {
      const wasEnclosed = data[at + ENCLOSED]! > 0
      this.checkPlan(agent, step, at, now, limits, radius)
      if (data[at + ENCLOSED]! > 0 && !wasEnclosed && progress === 'under way') progress = 'blocked'
    }
    if (data[at + ENCLOSED]! > 0) drive(agent, step, STILL, out.force)
    else this.follow(agent, step, at, plan, limits, radius, out)
    if (!clearUnlessFinite(out)) return progress
    data[at + STATUS] = NO_PLAN
    return 'lost'
  }

  /** Whether an agent is at its goal, or stands because it knows that no way leads there. */
  isAtRest(agent: Agent): boolean {
    const at = this.memory.find(agent)
    return at >= 0 && (this.memory.data[at + STATUS] === ARRIVED || this.memory.data[at + ENCLOSED]! > 0)
  }

  /** Discards the plan of an agent, if it has one; a new one is made when it flies next. */
  forget(agent: Agent): void {
    const at = this.memory.find(agent)
    if (at >= 0) this.memory.data[at + STATUS] = NO_PLAN
  }

  /** Updates the status after a pass. A plan to a stop has ended when less than `tolerance` (m) is left. */
  private progressOf(
    agent: Agent,
    step: Step,
    pass: Pass,
    at: number,
    plan: ArcPath,
    limits: VehicleLimits,
    tolerance: number,
  ): RouteProgress {
    const { data } = this.memory
    if (pass === 'beyond' || pass === 'stopping') return pass
    if (pass === 'within') {
      data[at + STATUS] = ARRIVED
      data[at + STATION] = plan.length
      return 'arrived'
    }
    const slack = limits.final > 0 ? 0 : tolerance
    const isWhole = data[at + STATUS] !== NO_PLAN && data[at + PARTIAL] === 0
    const hasEnded = isWhole && data[at + STATION]! >= plan.length - slack
    // beside the end of its plan, or beyond it: no other path is better than straight to the goal
    if (hasEnded && pass === 'under way' && stopsFreely(limits)) return this.passing.stop(agent, step)
    const missed = pass === 'outside' && (hasEnded || stopsFreely(limits))
    if (missed || pass === 'moved') data[at + STATUS] = NO_PLAN
    if (missed) data[at + MISSES] = Math.min(data[at + MISSES]! + 1, MOST_MISSES)
    if (pass === 'moved') data[at + MISSES] = data[at + ENCLOSED] = 0
    return missed ? 'missed' : 'under way'
  }

  /** Sets the planner for the agent, and fills the budget in the first call of a step. */
  private preparePlanner(agent: Agent, step: Step, at: number, now: Goal, limits: VehicleLimits): void {
    if (step.tick !== this.tick) {
      this.tick = step.tick
      this.budget.left = this.budget.whole
    }
    planner.agent = agent
    planner.heading = this.headingOf(agent, at, limits)
    planner.now = now
    planner.forecast = this.forecast
    planner.limits = limits
    planner.budget = this.budget
    planner.misses = this.memory.data[at + MISSES]!
  }

  /** Finds where on its plan the agent is, and plans again if there is a reason. */
  private checkPlan(
    agent: Agent,
    step: Step,
    at: number,
    now: Goal,
    limits: VehicleLimits,
    radius: number,
  ): void {
    const { data } = this.memory
    const plan = this.plans.of(agent)
    const { position, speed } = agent
    const from = data[at + STATION]!
    const cusp = plan.cuspAfter(from)
    let s = plan.nearest(position, from, Math.min(cusp, from + 4 * speed * step.dt + CHECK_OFFSET * radius))
    if (cusp < plan.length && cusp - s < CUSP_DISTANCE * radius) s = cusp
    data[at + STATION] = s
    const rolls = limits.leastRadius > 0 && (agent.wish?.map ?? null) !== null
    const stands = rolls && speed < STANDING_SHARE * maxSpeedAt(plan, s, limits)
    data[at + STOOD] = stands ? data[at + STOOD]! + step.dt : 0
    if (data[at + STOOD]! > (data[at + ENCLOSED]! > 0 ? PATIENCE_ENCLOSED : PATIENCE)) {
      data[at + STOOD] = 0
      this.replan(step, at, plan)
      data[at + ENCLOSED] = planner.isBlocked ? 1 : 0
      return
    }
    const unit = radius / Math.max(speed, 1e-9)
    if (data[at + PLANNED]! + PLAN_INTERVAL * unit > step.time) return
    const left = plan.length - s
    if (data[at + PARTIAL] === 1 && left < PARTIAL_REST * radius) {
      this.replan(step, at, plan)
      return
    }
    const away = distance(plan.pointAt(point, s), position)
    const due = Math.max(0, data[at + DUE]! - step.time)
    this.forecast.predict(predicted, now, due)
    const off = distance(predicted.position, load(point, data, at + GOAL_POSITION))
    if (
      off > MOVED * radius ||
      dot(predicted.heading, load(point, data, at + GOAL_HEADING)) < Math.cos(TURNED)
    ) {
      if (isStill(now)) this.replan(step, at, plan)
      else this.meetAnew(step, at, plan, limits, Math.max(off, away), unit)
      return
    }
    if (!(left > radius / 2)) {
      // it has been carried past the end of its plan, which it does not reach any more
      if (away > LOST_OFFSET * radius && stopsFreely(limits)) data[at + STATION] = plan.length
      return
    }
    if (!(away > (rolls ? ROLLING_OFFSET : CHECK_OFFSET) * radius)) return
    const time = planner.plan(newPlan, 0)
    if (time < 0) return
    if (newPlan.length < left + MAX_EXCESS * radius || away > LOST_OFFSET * radius)
      this.adopt(step, at, plan, time)
    else data[at + PLANNED] = step.time
  }

  /**
   * Changes the plan to a moving goal that is not where it was expected: adjusts it, or searches anew.
   * @param off how far the goal or the agent is from where it was expected (m).
   * @param unit time of a radius at the present speed (s).
   */
  private meetAnew(
    step: Step,
    at: number,
    plan: ArcPath,
    limits: VehicleLimits,
    off: number,
    unit: number,
  ): void {
    const { data } = this.memory
    const radius = turnRadius(limits, planner.agent.speed)
    const left = plan.length - data[at + STATION]!
    const due = Math.max(0, data[at + DUE]! - step.time)
    if (due > 0) {
      const time = planner.adjust(newPlan, plan, data[at + STATION]!, due)
      if (time > 0 && newPlan.length < left + MAX_EXCESS * radius) return this.adopt(step, at, plan, time)
    }
    const ends = left < END_GAME * radius || (left < LAST_WAY * radius && off < NEARLY_THERE * radius)
    if (ends && data[at + DUE]! > 0) return
    if (data[at + SEARCHED]! + SEARCH_INTERVAL * unit >= step.time) return
    const time = planner.plan(newPlan, data[at + RESUME]! > 0 ? data[at + RESUME]! - step.time : 0)
    if (time < 0) data[at + RESUME] = step.time + planner.resume
    else {
      // also when nothing was found: another search at once would find nothing either
      data[at + SEARCHED] = step.time
      this.adopt(step, at, plan, time)
    }
  }

  /**
   * Makes a new plan. @returns whether the budget did not suffice, or it is found now that no plan meets
   * the goal.
   */
  private replan(step: Step, at: number, plan: ArcPath): 'waiting' | 'unreachable' | null {
    const { data } = this.memory
    const time = planner.plan(newPlan, data[at + RESUME]! > 0 ? data[at + RESUME]! - step.time : 0)
    data[at + RESUME] = time < 0 ? step.time + planner.resume : 0
    if (time < 0) return 'waiting'
    data[at + SEARCHED] = step.time
    const wasChasing = data[at + STATUS] === CHASING
    this.adopt(step, at, plan, time)
    return Number.isNaN(time) && !wasChasing ? 'unreachable' : null
  }

  /**
   * Unit heading of the agent: the direction of its velocity, or the opposite one while it flies astern.
   */
  private headingOf(agent: Agent, at: number, limits: VehicleLimits): Vec3 {
    const { attitude: nose, course, speed, velocity } = agent
    if (limits.leastRadius > 0) return copy(heading, nose.x)
    if (!(speed > 1e-3 * limits.cruise)) return copy(heading, limits.reverse ? nose.x : course.x)
    const { data } = this.memory
    const astern = data[at + STATUS] !== NO_PLAN && this.plans.of(agent).gearAt(data[at + STATION]!) < 0
    return scale(heading, velocity, (astern ? -1 : 1) / speed)
  }

  /** Replaces the plan by `newPlan`, which meets the goal in `time` (s). */
  private adopt(step: Step, at: number, plan: ArcPath, time: number): void {
    const { data } = this.memory
    plan.copy(newPlan)
    data[at + STATION] = 0
    data[at + DUE] = time > 0 ? step.time + time : 0
    data[at + PLANNED] = step.time
    data[at + RESUME] = 0
    data[at + PARTIAL] = planner.isPartial ? 1 : 0
    data[at + STATUS] = Number.isNaN(time) ? CHASING : UNDER_WAY
    save(planner.met.position, data, at + GOAL_POSITION)
    save(planner.met.heading, data, at + GOAL_HEADING)
  }

  /** Adds the force that follows the plan, slower if the agent would be early at a rendezvous. */
  private follow(
    agent: Agent,
    step: Step,
    at: number,
    plan: ArcPath,
    limits: VehicleLimits,
    radius: number,
    out: Wrench,
  ): void {
    const { data } = this.memory
    const s = data[at + STATION]!
    const left = plan.length - s
    target.s = s
    target.radius = radius
    target.left = limits.final > 0 ? left : Infinity
    target.speed = maxSpeedAt(plan, s, limits)
    const next = maxSpeedAt(plan, s + agent.speed * step.dt, limits)
    target.acceleration = Math.min(0, next - target.speed) / step.dt
    const due = data[at + DUE]! - step.time
    if (due > 0 && left / due < target.speed) {
      target.speed = left / due
      target.acceleration = 0
    }
    reportGoalDistance(agent, left, limits.final > 0 ? null : planner.now.position)
    if (limits.leastRadius > 0) return rollAlong(agent, step, plan, target, limits, out)
    trackPath(agent, step, plan, target, limits, out)
    if (!limits.reverse || limits.turnTime > 0) return
    scale(heading, plan.tangentAt(heading, s), plan.gearAt(s))
    noseAttitude(attitude, agent, heading, 'level', step, heading, 0)
    turnTo(agent, attitude, step, out)
  }
}

/**
 * Position of an agent relative to its goal. `under way`; `stopping`: on the last stretch before a stop;
 * `within` or `outside`: closest to it in this step, within the tolerances or not; `beyond`: it was within in
 * an earlier step; `moved`: the goal has moved unexpectedly, or is a new one.
 */
type Pass = 'under way' | 'stopping' | 'within' | 'outside' | 'beyond' | 'moved'

// what `Passing` stores for each agent: the goal as predicted for this step, and the state
const EXPECTED = 0
const PASS = 3
/** Time (s) at which its last stretch began, or it was last at rest at the goal. */
const SINCE = 4
const PASS_WIDTH = 5

// PASS
const BEFORE = 1
const BEYOND = 2
const STOPPING = 3

/** The last stretch before a stop begins at this speed, as a share of the cruising speed. */
const STOPPING_SPEED = 0.3
/** Cosine of the angle between the course and the heading below which the last stretch has not begun. */
const STOPPING_COSINE = 0.9
/** Share of that speed below which the course no longer counts. */
const RESTING_SHARE = 0.1

/**
 * An agent that has not come to rest after this many times the time to brake from the cruising speed, and to
 * turn for it, has missed its goal. Measured: of 3,240 ships the slowest, with side engines of
 * 10 %, took 47 of them, an aircraft with weak brakes 15, and those with side engines of 25 % and more 9.
 */
const LONGEST_STOP = 60
/** Share of the greatest force that this time counts on at least. */
const LEAST_BRAKE = 0.1

const course = vec3()
const offset = vec3()
const relative = vec3()

/** Detects when agents pass their goal, and how well. */
export class Passing {
  /** Of the agent that passed last: distance from the goal (m), and angle from the goal's heading (rad). */
  missDistance = 0
  missAngle = 0
  private readonly memory = new Memory(PASS_WIDTH, [EXPECTED])
  readonly state: SnapshotState = [this.memory]

  /**
   * Call once per step, with the goal as it is now. Within means at most `tolerance` (m) from it, and
   * `angle` (rad) from its heading.
   */
  update(agent: Agent, step: Step, now: Goal, limits: VehicleLimits, tolerance: number, angle: number): Pass {
    const at = this.memory.at(agent)
    const { data, fresh } = this.memory
    const moved =
      fresh ||
      distance(load(offset, data, at + EXPECTED), now.position) > tolerance + length(now.velocity) * step.dt
    save(addScaled(offset, now.position, now.velocity, step.dt), data, at + EXPECTED)
    if (moved) {
      data[at + PASS] = BEFORE
      return 'moved'
    }
    if (data[at + PASS] === BEYOND) return 'beyond'
    if (limits.final === 0) return this.checkRest(agent, step, at, now, limits, tolerance, angle)
    // along the path of the last step, seen from the goal
    sub(relative, agent.velocity, now.velocity)
    sub(offset, agent.position, now.position)
    const since = dot(offset, relative) / dot(relative, relative)
    if (!(since > 0)) return 'under way'
    addScaled(offset, offset, relative, -Math.min(since, step.dt))
    this.missDistance = length(offset)
    this.missAngle = this.headingError(normalize(course, agent.velocity), now, limits)
    if (!(this.missDistance <= tolerance && this.missAngle <= angle)) return 'outside'
    data[at + PASS] = BEYOND
    return 'within'
  }

  /**
   * An agent that comes to rest does not pass its goal. It has arrived when it is near, slower than one
   * tolerance per second, and its nose points along the heading; the heading does not count for one that
   * cannot turn its nose at rest. A vehicle that rolls, and has stopped otherwise, has missed it; any other
   * one when its last stretch takes too long.
   */
  private checkRest(
    agent: Agent,
    step: Step,
    at: number,
    now: Goal,
    limits: VehicleLimits,
    tolerance: number,
    angle: number,
  ): Pass {
    const { data } = this.memory
    const rolls = limits.leastRadius > 0
    const speed = distance(agent.velocity, now.velocity)
    this.missDistance = distance(agent.position, now.position)
    this.missAngle = rolls || limits.turnsOnSpot ? arccos(dot(agent.attitude.x, now.heading)) : 0
    const rests = this.missDistance <= tolerance && speed <= tolerance
    if (rests && this.missAngle <= angle) {
      data[at + PASS] = BEYOND
      return 'within'
    }
    if (rolls) return speed <= STOPPED_SHARE * tolerance ? 'outside' : 'under way'
    if (data[at + PASS] !== STOPPING)
      return isStopping(agent, now, limits) ? this.stop(agent, step) : 'under way'
    if (rests) data[at + SINCE] = step.time
    if (!(step.time - data[at + SINCE]! > LONGEST_STOP * timeToStop(agent, limits))) return 'stopping'
    data[at + PASS] = BEFORE
    return 'outside'
  }

  /** Begins the last stretch of an agent, on which it stays until it has arrived, or the goal is moved. */
  stop(agent: Agent, { time }: Step): 'stopping' {
    const at = this.memory.at(agent)
    this.memory.data[at + PASS] = STOPPING
    this.memory.data[at + SINCE] = time
    return 'stopping'
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

/** Time (s) in which an agent brakes from the cruising speed, and turns for it. */
function timeToStop({ mass, maxForce }: Agent, { brake, cruise, response, turnTime }: VehicleLimits): number {
  return cruise / Math.max(brake, (LEAST_BRAKE * maxForce) / mass) + turnTime + response
}

/** Whether an agent stops where its path ends, and goes on without a path: unlike what rolls. */
function stopsFreely({ final, leastRadius }: VehicleLimits): boolean {
  return final === 0 && leastRadius === 0
}

/**
 * Whether an agent that comes to rest is on its last stretch: slow, near, and along the heading of the goal.
 * There it may push in every direction, which corrects the small error that is left at the end of a path.
 */
function isStopping(agent: Agent, goal: Goal, { brake, cruise }: VehicleLimits): boolean {
  const slow = STOPPING_SPEED * cruise
  sub(offset, agent.position, goal.position)
  sub(relative, agent.velocity, goal.velocity)
  const speed = length(relative)
  return (
    speed <= slow &&
    length(offset) <= (slow * slow) / (2 * brake) &&
    (dot(relative, goal.heading) >= STOPPING_COSINE * speed || speed < RESTING_SHARE * slow)
  )
}
