import type { Agent, Vec3Like } from '../../core/types.js'
import { ArcPath } from '../curves/arc-path.js'
import { makeWayLimits, setWayLimits, WAY_CLEARANCE } from '../curves/way-limits.js'
import { csc, cscNear, lastCall, type CscGuess } from '../curves/csc.js'
import { dubins2d } from '../curves/dubins2d.js'
import { dubins3d, type Effort } from '../curves/dubins3d.js'
import { reedsShepp } from '../curves/reeds-shepp.js'
import { reverse3d } from '../curves/reverse3d.js'
import { addScaled, copy, distance, length, load, vec3 } from '../../core/math/vec3.js'
import { ObstacleMap } from '../../core/obstacles/obstacle-map.js'
import { finder, findTightRoute } from '../../core/solver/route-finder.js'
import type { Forecast } from './forecast.js'
import { isStill, makeGoal, type Goal } from './goal.js'
import { maxSpeedAt, maxSpeedOnPiece } from '../curves/track.js'
import { MIN_SPEED_SHARE, turnRadius, type VehicleLimits } from '../curves/vehicle-limits.js'

/**
 * An agent with a lag plans with turns wider by this factor, so that there is force left to correct by.
 * Measured: with 1.15 and a run-in of 4 lags all flights arrived.
 */
const LAG_MARGIN = 1.15

/** It plans a straight of this many lags at the end, on which the effect of the lag dies away. */
const RUN_IN_LAGS = 4

/**
 * What rolls to a stop gets another straight of this many of its least radii: it aims ahead of itself, and
 * leaves a curve before its end. Measured: with 1.1 all 160 cars parked within 2°, with 0 up to 17° off.
 */
const ROLLING_RUN_IN = 1.1

/** An agent that turns to push plans turns wider by this factor, so that there is force to correct by. */
const TURN_MARGIN = 1.08
/** Time of the straight before its first turn, in turns by a right angle. Larger: it turns in time. */
const LEAD_TURNS = 0.5
/**
 * Time of the straight at the end, in turns by a right angle. Measured: with a shorter one more flights
 * missed the heading and flew another circle.
 */
const RUN_IN_TURNS = 1.5

/**
 * Replaces `TURN_MARGIN` where the straights make the path longer by a turn. With this value and the next
 * two, 95 % of 500 near flights were at most 1.43 times as long as the shortest path, and 2.63 times before.
 */
const TIGHT_MARGIN = 1.04
/** Share of the straight before the first turn that is kept there. */
const TIGHT_LEAD = 0.2
/** Share of the straight at the end that is kept there. */
const TIGHT_RUN_IN = 0.3

// The numbers below are chosen by hand unless they say otherwise.

/**
 * Every path ends with a straight of this share of a step: an integrator changes the velocity once a step,
 * and in the last step it must be that of the goal.
 */
const LAST_STEP = 0.15

/** A path longer than the distance by this (radii) may have an unnecessary whole turn. */
const EXTRA_TURN = 3

/** Points at which the speed along a path is sampled to find its time. */
const SAMPLES = 24

/**
 * Time (µs) that a search counts for: as long as it took at most when it was measured, about twice its mean.
 * No clock is read, so the same flight is planned alike on every machine. `near` is a search for a path next
 * to a known one; `arcs` one for all paths of arc, straight and arc, if short arcs do not suffice.
 */
const COSTS = { near: 4, planar: 4, arcs: 100, quick: 1000, good: 1500, best: 30_000, reverse: 40_000 }

/** Poses closer than this (radii) need more than arc, straight and arc. */
const NEAR = 4.25

/** Most time (µs) that the search for the exact time of a rendezvous takes. */
const BRACKETING = 60

/**
 * The time of a rendezvous is scanned in steps of this share of the first possible one. Larger: cheaper, and
 * a short chance to meet may be passed over.
 */
const SCAN = 0.12
/** Most steps of the scan. More: later rendezvous are found. */
const SCANS = 60
/** Most halvings of the last step. */
const BRACKETS = 12
/** The time is found to this share of it. */
const EXACT = 1e-4

/** A correction that begins with a smaller turn (rad) is flown on a wider arc. */
const SMALL_TURN = 0.2
/** Factor by which that arc is wider. Larger: a gentler correction, where there is room for it. */
const GENTLE = 8

/** A goal out of reach is chased to where it will be after this many times the first possible time. */
const CHASE = 2

/** Most steps in which a plan is adjusted. */
const ADJUSTMENTS = 8

/** An agent that needs less than this share of the time that is left is early. */
const EARLY = 0.99

/** A straight shorter than this (radii) at the end of a plan is part of its run-in. */
const SHORT = 0.05

interface Pose {
  readonly position: Vec3Like
  readonly heading: Vec3Like
}

/** What may still be spent in this step, and in a whole step (µs, counted). */
export interface PlanningBudget {
  left: number
  whole: number
}

/** Least budget (µs) with which every goal gets a plan in time. */
export const LEAST_BUDGET: number = COSTS.quick

/** Default budget (µs): a quarter of a frame at 60 Hz. */
export const DEFAULT_BUDGET = 4000

/** The budget (µs) that a plan with this effort may need. */
export function costOf(effort: Effort, reverse: boolean): number {
  return Math.max(COSTS[effort], reverse ? COSTS.reverse : 0)
}

/** Most corners of a route around which one search leads. Larger: fewer stops, and longer searches. */
const MOST_CORNERS = 2

const wayLimits = makeWayLimits()

const middle = new ArcPath()
const shorter = new ArcPath()
const startPose = { position: vec3(), heading: vec3() }
const endPose = { position: vec3(), heading: vec3() }
const radii = { start: 0.5, end: 0.5 }
const search: { effort: Effort } = { effort: 'good' }
const guessed: CscGuess = { along: vec3(), longStart: false, longGoal: false }

/**
 * Plans paths to goals. The fields are set for one agent at a time. Results that are not a time: NaN where no
 * path meets the goal, −1 where the budget did not suffice.
 */
export class RoutePlanner {
  agent!: Agent
  /** Unit heading of the agent. */
  heading!: Vec3Like
  now!: Goal
  forecast!: Forecast
  limits!: VehicleLimits
  budget!: PlanningBudget
  /** Number of its misses before. */
  misses = 0
  /** The goal as predicted for the last path. */
  readonly met: Goal = makeGoal()
  /** Whether obstacles at rest are on the last path, and no way past them was found. */
  isBlocked = false
  /** Whether the last path leads to a place on the way only: the rest of the way is planned from there. */
  isPartial = false
  /** Where a scan of times that ran out of budget is to go on (s from now); 0 for none. */
  resume = 0
  /** A path next to which the next one is looked for; null for a search of all paths. */
  private guess: CscGuess | null = null
  /** Factor, ≥ 1, by which the first turn of a path is wider. */
  private gentle = 1
  /** Whether an agent that turns to push gets the least room to do so. */
  private tight = false

  /**
   * Plans the path to where a moving goal will be: the least time T in which its position at T can be
   * reached. The length of the shortest path jumps as T grows (by a whole turn), so there may be no T that
   * fits exactly; then the agent would be early, and flies slower. To a moving goal in space only paths of
   * arc, straight and arc are flown. Writes the path to `out` and the predicted goal to `met`.
   * @param from time (s) before which no rendezvous is looked for.
   * @returns the time until then (s), 0 for a goal at rest; NaN where none was found: then the path leads to
   * the goal as predicted for a short time. −1 where the budget ran out: then `resume` is the time to go on
   * from, and `out` is of no use.
   */
  plan(out: ArcPath, from: number): number {
    const { agent, forecast, now, limits, met } = this
    this.guess = null
    this.resume = 0
    if (isStill(now)) {
      forecast.predict(met, now, 0)
      return this.planRoute(out, false) < 0 ? -1 : 0
    }
    const first = distance(agent.position, now.position) / (limits.cruise + length(now.velocity)) + 1e-9
    let early = 0
    let time = Math.max(first, from)
    for (let i = 0; i < SCANS; i++) {
      const late = this.lateness(out, time)
      if (late === -Infinity || (late <= 0 && this.budget.left < BRACKETING)) {
        this.resume = time
        return -1
      }
      if (late <= 0) return this.bracket(out, early, time)
      early = time
      // the time in which the goal could come to the agent
      time += Math.max(SCAN * first, late / (1 + length(met.velocity) / limits.cruise))
    }
    forecast.predict(met, now, CHASE * first)
    return this.planRoute(out, true) < 0 ? -1 : NaN
  }

  /**
   * Adjusts a plan, of which the agent has flown `s` (m), to a goal and an agent that are not quite where the
   * plan expects them. Only a path of the same form is looked for, from the time `time` (s) that was left.
   * Writes path and goal as `plan` does.
   * @returns the time until the rendezvous (s); NaN where there is no such path, or the budget ran out.
   */
  adjust(out: ArcPath, plan: ArcPath, s: number, time: number): number {
    const { agent, limits } = this
    const early = timeAlong(plan, s, agent.speed, limits) < EARLY * time
    this.guess = guessFrom(plan, s)
    const found = this.meet(out, time, early)
    if (!(found > 0 && firstTurn(out) < SMALL_TURN)) return found
    // a small correction is not flown as tightly as possible
    this.gentle = GENTLE
    this.guess = guessFrom(out, 0)
    const gently = this.meet(out, found, true)
    this.gentle = 1
    return gently
  }

  /**
   * Finds the time of the rendezvous between one that is too early and one that is not, next to the path of
   * the latter. Writes path and goal.
   */
  private bracket(out: ArcPath, early: number, time: number): number {
    this.guess = guessFrom(out, 0)
    for (let i = 0; i < BRACKETS && time - early > EXACT * time; i++) {
      const half = (early + time) / 2
      if (this.lateness(out, half) > 0) early = half
      else {
        time = half
        guessFrom(out, 0)
      }
    }
    return this.lateness(out, time) < Infinity ? time : NaN
  }

  /**
   * Finds the time at which the goal is met, next to the guess, by the secant method from `time` (s). With
   * `early` an agent that is early then is accepted: no later path may be of the same form.
   */
  private meet(out: ArcPath, time: number, early: boolean): number {
    let last = NaN
    let lastLate = NaN
    for (let i = 0; i < ADJUSTMENTS; i++) {
      const late = this.lateness(out, time)
      if (!Number.isFinite(late)) return NaN
      if (Math.abs(late) <= EXACT * time || (i === 0 && late < 0 && early)) return time
      const slope = i === 0 ? -1 : (late - lastLate) / (time - last)
      last = time
      lastLate = late
      time -= late / Math.min(slope, -0.2)
      if (!(time > 0)) return NaN
    }
    return NaN
  }

  /**
   * By how much (s) the agent is later than `time` (s) at the position that the goal has then. Infinity where
   * no path is found, −Infinity where the budget ran out. Writes path and goal; where the goal is out of
   * reach only the goal.
   */
  private lateness(out: ArcPath, time: number): number {
    const { agent, forecast, guess, now, limits, met } = this
    forecast.predict(met, now, time)
    const straight = distance(agent.position, met.position) / limits.cruise - time
    if (straight > 0 && guess === null) return straight
    const found = this.planRoute(out, true)
    if (found < 0) return -Infinity
    return found < Infinity ? timeAlong(out, 0, agent.speed, limits) - time : Infinity
  }

  /**
   * Plans the path to the goal `met`. With a lag the path begins with the distance that is flown before the
   * force follows, and ends with a run-in.
   * @param rough whether only paths of arc, straight and arc are searched.
   * @returns its length (m); −1 where the budget does not suffice, Infinity where there is no path.
   */
  private planRoute(out: ArcPath, rough: boolean): number {
    const { agent, limits, met } = this
    const { cruise, dt, final, lag, turnTime } = limits
    const lead = agent.speed * (lag + LEAD_TURNS * turnTime)
    const finalSpeed = Math.max(final, MIN_SPEED_SHARE * cruise)
    const straightens = final > 0 ? 0 : ROLLING_RUN_IN * (1 + 2 * this.misses) * limits.leastRadius
    const runIn = (RUN_IN_LAGS * lag + RUN_IN_TURNS * turnTime) * finalSpeed + straightens
    const found = this.layRoute(out, lead, runIn + LAST_STEP * dt * finalSpeed, rough)
    // A path that just fits, as most replanned ones do, may get a whole turn because of the short straight at
    // the end, or the room in which the vehicle turns. The search for a time passes it over.
    const extra = EXTRA_TURN * turnRadius(limits, final)
    const searches = rough && this.guess === null
    if (searches || lag > 0 || !(found > distance(agent.position, met.position) + extra)) return found
    this.tight = true
    const tight = this.layRoute(shorter, TIGHT_LEAD * lead, TIGHT_RUN_IN * runIn, rough)
    this.tight = false
    return tight >= 0 && tight < found - extra / 2 ? out.copy(shorter).length : found
  }

  /**
   * Lays a path: `lead` (m) straight on, the shortest curve, and `runIn` (m) straight to the goal.
   * @returns as `planRoute`.
   */
  private layRoute(out: ArcPath, lead: number, runIn: number, rough: boolean): number {
    const { agent, heading, limits, met } = this
    const { brake, final, lag, turnTime } = limits
    const { speed } = agent
    const turnMargin = this.tight ? TIGHT_MARGIN : TURN_MARGIN
    const margin = Math.max(lag > 0 ? LAG_MARGIN : 1, turnTime > 0 ? turnMargin : 1)
    const startRadius = margin * this.gentle * turnRadius(limits, speed)
    const endRadius = margin * turnRadius(limits, final)
    copy(startPose.heading, heading)
    addScaled(startPose.position, agent.position, heading, lead)
    copy(endPose.heading, met.heading)
    addScaled(endPose.position, met.position, met.heading, -runIn)
    let found = this.findShortest(middle, startPose, endPose, startRadius, endRadius, rough)
    if (found < 0) return found
    // without a straight long enough to change the speed on, the larger radius counts throughout
    const change = Math.abs(speed * speed - final * final) / (2 * brake)
    if (startRadius !== endRadius && straightLength(middle) < change) {
      const larger = Math.max(startRadius, endRadius)
      const wider = this.findShortest(middle, startPose, endPose, larger, larger, rough)
      if (wider >= 0) found = wider
    }
    if (!(found < Infinity)) return Infinity
    out.begin(agent.position, heading).straight(lead).append(middle).straight(runIn)
    return this.keepClear(out, runIn)
  }

  /**
   * Replaces the path of a vehicle that rolls, if obstacles at rest are in its way, by a way past them.
   * @returns its length (m).
   */
  private keepClear(out: ArcPath, runIn: number): number {
    const { agent, heading, met, limits } = this
    const { wish } = agent
    this.isBlocked = this.isPartial = false
    if (!(limits.leastRadius > 0) || limits.plane === null || wish === null) return out.length
    const { map, ways } = wish
    if (map === null || ways === null || ways.isFree(out, map, WAY_CLEARANCE)) return out.length
    const { brake, leastRadius, plane, response, reverse } = limits
    setWayLimits(wayLimits, agent, heading, plane, leastRadius, reverse, brake, response)
    for (let k = 0; k < 3; k++) {
      // first with room, and a straight way in; last in short pieces
      wayLimits.clearance = k === 0 ? WAY_CLEARANCE : 0
      const straight = k === 0 ? runIn : 0
      addScaled(endPose.position, met.position, met.heading, -straight)
      if (!map.isPathFree(endPose.position, met.position, wayLimits.clearance)) continue
      const { position } = endPose
      if (ways.find(middle, map, agent.position, heading, position, met.heading, plane, wayLimits, k === 2))
        return out.copy(middle).straight(straight).length
    }
    // what is too far round for one search is passed corner by corner
    if (map instanceof ObstacleMap && findTightRoute(agent, map, met.position, plane, true))
      for (let k = Math.min(finder.count, MOST_CORNERS) - 1; k >= 0; k--) {
        load(endPose.position, finder.points, 3 * k)
        if (!ways.find(middle, map, agent.position, heading, endPose.position, null, plane, wayLimits))
          continue
        this.isPartial = true
        return out.copy(middle).length
      }
    this.isBlocked = true
    return out.length
  }

  /** @returns the length (m) of the path written; −1 where the budget does not suffice: then none is. */
  private findShortest(
    out: ArcPath,
    from: Pose,
    to: Pose,
    startRadius: number,
    endRadius: number,
    rough: boolean,
  ): number {
    const { budget, guess, limits } = this
    const { effort, plane, reverse } = limits
    const radius = Math.max(startRadius, endRadius)
    if (plane !== null) {
      if (!this.spend(COSTS.planar)) return -1
      return reverse ? reedsShepp(out, from, to, radius, plane) : dubins2d(out, from, to, radius, plane)
    }
    if (rough && guess !== null) {
      if (!this.spend(COSTS.near)) return -1
      return cscNear(out, from, to, startRadius, endRadius, guess)
    }
    if (rough) {
      if (!this.spend(COSTS.arcs)) return -1
      const found = csc(out, from, to, startRadius, endRadius, true)
      // most are found at once
      if (!lastCall.searched) budget.left += COSTS.arcs - COSTS.near
      return found
    }
    if (reverse && budget.whole >= COSTS.reverse) {
      if (!this.spend(COSTS.reverse)) return -1
      return reverse3d(out, from, to, radius)
    }
    search.effort = distance(from.position, to.position) < NEAR * radius ? effort : 'quick'
    while (COSTS[search.effort] > budget.whole && search.effort !== 'quick')
      search.effort = search.effort === 'best' ? 'good' : 'quick'
    if (!this.spend(COSTS[search.effort])) return -1
    radii.start = startRadius
    radii.end = endRadius
    return dubins3d(out, from, to, radii, search)
  }

  /** Counts `cost` (µs). @returns whether that is within the budget; if not, nothing is counted. */
  private spend(cost: number): boolean {
    const { budget } = this
    if (cost > budget.left) return false
    budget.left -= cost
    return true
  }
}

/** Angle (rad) of the arc that a path begins with; 0 for a straight. */
function firstTurn(path: ArcPath): number {
  return path.count > 0 ? path.startOf(1) * path.bendOf(0) : 0
}

/** The form of what is left of a path from `s` (m) on. */
function guessFrom(path: ArcPath, s: number): CscGuess {
  const { count } = path
  const first = path.pieceAt(s)
  let start = -1
  let goal = -1
  for (let i = first; i < count; i++) {
    if (path.bendOf(i) === 0) continue
    if (start < 0) start = i
    goal = i
  }
  const ends = goal >= 0 && path.length - path.startOf(goal + 1) > SHORT / path.bendOf(goal)
  // a single arc is the last one, unless a straight follows it
  if (start === goal && !ends) start = -1
  if (ends) goal = -1
  path.tangentAt(guessed.along, start >= 0 ? path.startOf(start + 1) : s)
  guessed.longStart =
    start >= 0 && (path.startOf(start + 1) - Math.max(s, path.startOf(start))) * path.bendOf(start) > Math.PI
  guessed.longGoal =
    goal >= 0 && (path.startOf(goal + 1) - Math.max(s, path.startOf(goal))) * path.bendOf(goal) > Math.PI
  return guessed
}

/** Length of all straights (m). */
function straightLength(path: ArcPath): number {
  let sum = 0
  for (let i = 0; i < path.count; i++) if (path.bendOf(i) === 0) sum += path.startOf(i + 1) - path.startOf(i)
  return sum
}

/** Time (s) for the rest of the path from `s` (m), beginning with `speed` (m/s). */
function timeAlong(path: ArcPath, s: number, speed: number, limits: VehicleLimits): number {
  const { brake, cruise } = limits
  if (isFlownAtCruise(path, limits)) {
    const slower = Math.max(0, cruise - speed)
    return (path.length - s) / cruise + (slower * slower) / (2 * brake * cruise)
  }
  const piece = (path.length - s) / SAMPLES
  if (!(piece > 0)) return 0
  let time = 0
  let current = Math.max(speed, MIN_SPEED_SHARE * cruise)
  for (let i = 0; i < SAMPLES; i++) {
    const limit = maxSpeedAt(path, s + (i + 0.5) * piece, limits)
    current = Math.min(limit, Math.sqrt(current * current + 2 * brake * piece))
    current = Math.max(current, 1e-3 * cruise)
    time += piece / current
  }
  return time
}

/** Whether no piece of the path and no end of it is flown more slowly than at the cruising speed. */
function isFlownAtCruise(path: ArcPath, limits: VehicleLimits): boolean {
  if (limits.final < limits.cruise) return false
  for (let i = 0; i < path.count; i++)
    if (maxSpeedOnPiece(path, i, limits) < limits.cruise || path.gearOf(i) < 0) return false
  return true
}
