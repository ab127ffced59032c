import type { Agent, Vec3Like } from '../../types.js'
import { ArcPath } from '../../curves/arc-path.js'
import { csc } from '../../curves/csc.js'
import { dubins2d } from '../../curves/dubins2d.js'
import { dubins3d, type Effort } from '../../curves/dubins3d.js'
import { reedsShepp } from '../../curves/reeds-shepp.js'
import { reverse3d } from '../../curves/reverse3d.js'
import { addScaled, copy, distance, isZero, length, vec3 } from '../../math/vec3.js'
import { makeGoal, predictGoal, type Goal } from './goal.js'
import { maxSpeedAt } from './track.js'
import { MIN_SPEED_SHARE, turnRadius, type VehicleLimits } from './vehicle-limits.js'

/**
 * An agent with a lag plans with turns wider by this factor, so that there is force left to correct by, …
 * Measured: with 1.15 and a run-in of 4 lags all flights arrived.
 */
const LAG_MARGIN = 1.15

/** … and with a straight of this many lags at the end, on which the effect of the lag dies away. */
const RUN_IN_LAGS = 4

/**
 * For an agent that turns to push: the time before its first turn and that of its run-in, in turns by a right
 * angle. Chosen by hand.
 */
const LEAD_TURNS = 0.5
const RUN_IN_TURNS = 1

/**
 * Every path ends with a straight of this share of a step: an integrator changes the velocity once a step,
 * and in the last step it must be that of the goal. Chosen by hand.
 */
const LAST_STEP = 0.15

/** A path longer than the distance by this (radii) may have an unnecessary whole turn. Chosen by hand. */
const EXTRA_TURN = 3

/** Points at which the speed along a path is sampled to find its time. */
const SAMPLES = 24

/** The time of a rendezvous is scanned in steps of this share, then bisected. Chosen by hand. */
const SCAN = 0.12
const SCANS = 60
const BISECTIONS = 18

interface Pose {
  readonly position: Vec3Like
  readonly heading: Vec3Like
}

const middle = new ArcPath()
const withoutRunIn = new ArcPath()
const startPose = { position: vec3(), heading: vec3() }
const endPose = { position: vec3(), heading: vec3() }
const predicted = makeGoal()
const radii = { start: 0.5, end: 0.5 }
const search: { effort: Effort } = { effort: 'good' }

/** Whether a goal neither moves nor turns. */
export function isStill({ velocity, acceleration, spin }: Goal): boolean {
  return isZero(velocity) && isZero(acceleration) && isZero(spin)
}

/**
 * Plans the path to where a moving goal will be: the least time T in which its position at T can be reached.
 * The length of the shortest path jumps as T grows (by a whole turn), so there may be no T that fits exactly;
 * then the agent would be early, and flies slower. Writes the path to `out` and the predicted goal to `then`.
 * @returns the time until then (s), 0 for a goal at rest; NaN where none was found. Then the path leads to
 * the goal as predicted for the end of the search.
 */
export function planRendezvous(
  out: ArcPath,
  agent: Agent,
  heading: Vec3Like,
  now: Goal,
  terms: VehicleLimits,
  then: Goal,
): number {
  if (isStill(now)) {
    planRoute(out, agent, heading, predictGoal(then, now, 0), terms)
    return 0
  }
  const guess = distance(agent.position, now.position) / (terms.cruise + length(now.velocity)) + 1e-9
  let tooEarly = 0
  let time = guess
  for (let i = 0; lateness(out, agent, heading, now, terms, time) > 0; i++) {
    tooEarly = time
    time += Math.max(SCAN * time, SCAN * guess)
    if (i < SCANS) continue
    planRoute(out, agent, heading, predictGoal(then, now, time), terms)
    return NaN
  }
  for (let i = 0; i < BISECTIONS; i++) {
    const half = (tooEarly + time) / 2
    if (lateness(out, agent, heading, now, terms, half) > 0) tooEarly = half
    else time = half
  }
  planRoute(out, agent, heading, predictGoal(then, now, time), terms)
  return time
}

/** By how much (s) the agent is later than `time` (s) at the position that the goal has then. */
function lateness(
  out: ArcPath,
  agent: Agent,
  heading: Vec3Like,
  now: Goal,
  terms: VehicleLimits,
  time: number,
): number {
  planRoute(out, agent, heading, predictGoal(predicted, now, time), terms, true)
  return timeAlong(out, 0, agent.speed, terms) - time
}

/**
 * Plans the path of `agent`, which flies along the unit `heading`, to `goal`. With a lag the path begins with
 * the distance that is flown before the force follows, and ends with a run-in.
 * @param rough whether only paths of arc, straight and arc are searched.
 * @returns its length (m).
 */
function planRoute(
  out: ArcPath,
  agent: Agent,
  heading: Vec3Like,
  goal: Goal,
  terms: VehicleLimits,
  rough = false,
): number {
  const { cruise, dt, final, lag, turnTime } = terms
  const lead = agent.speed * (lag + LEAD_TURNS * turnTime)
  const finalSpeed = Math.max(final, MIN_SPEED_SHARE * cruise)
  const runIn = (RUN_IN_LAGS * lag + RUN_IN_TURNS * turnTime) * finalSpeed
  layRoute(out, agent, heading, goal, terms, lead, runIn + LAST_STEP * dt * finalSpeed, rough)
  // A path that just fits, as most replanned ones do, may get a whole turn because of the short straight at
  // the end.
  const extra = EXTRA_TURN * turnRadius(terms, final)
  if (runIn > 0 || !(out.length > distance(agent.position, goal.position) + extra)) return out.length
  layRoute(withoutRunIn, agent, heading, goal, terms, lead, 0, rough)
  return withoutRunIn.length < out.length - extra / 2 ? out.copy(withoutRunIn).length : out.length
}

/** Lays a path: `lead` (m) straight on, the shortest curve, and `runIn` (m) straight to the goal. */
function layRoute(
  out: ArcPath,
  agent: Agent,
  heading: Vec3Like,
  goal: Goal,
  terms: VehicleLimits,
  lead: number,
  runIn: number,
  rough: boolean,
): void {
  const { brake, final, lag, turnTime } = terms
  const { speed } = agent
  const margin = lag > 0 || turnTime > 0 ? LAG_MARGIN : 1
  const startRadius = margin * turnRadius(terms, speed)
  const endRadius = margin * turnRadius(terms, final)
  out.begin(agent.position, heading).straight(lead)
  copy(startPose.heading, heading)
  addScaled(startPose.position, agent.position, heading, lead)
  copy(endPose.heading, goal.heading)
  addScaled(endPose.position, goal.position, goal.heading, -runIn)
  findShortest(middle, startPose, endPose, startRadius, endRadius, terms, rough)
  // without a straight long enough to change the speed on, the larger radius counts throughout
  const change = Math.abs(speed * speed - final * final) / (2 * brake)
  if (startRadius !== endRadius && straightLength(middle) < change) {
    const larger = Math.max(startRadius, endRadius)
    findShortest(middle, startPose, endPose, larger, larger, terms, rough)
  }
  out.append(middle).straight(runIn)
}

function findShortest(
  out: ArcPath,
  from: Pose,
  to: Pose,
  startRadius: number,
  endRadius: number,
  terms: VehicleLimits,
  rough: boolean,
): void {
  const { plane, reverse } = terms
  const radius = Math.max(startRadius, endRadius)
  if (plane !== null) {
    if (reverse) reedsShepp(out, from, to, radius, plane)
    else dubins2d(out, from, to, radius, plane)
  } else if (reverse && !rough) reverse3d(out, from, to, radius)
  else if (rough) csc(out, from, to, startRadius, endRadius)
  else {
    radii.start = startRadius
    radii.end = endRadius
    search.effort = terms.effort
    dubins3d(out, from, to, radii, search)
  }
}

/** Length of all straights (m). */
function straightLength(path: ArcPath): number {
  let sum = 0
  for (let i = 0; i < path.count; i++) if (path.bendOf(i) === 0) sum += path.startOf(i + 1) - path.startOf(i)
  return sum
}

/** Time (s) for the rest of the path from `s` (m), beginning with `speed` (m/s). */
function timeAlong(path: ArcPath, s: number, speed: number, terms: VehicleLimits): number {
  const { brake, cruise } = terms
  const piece = (path.length - s) / SAMPLES
  if (!(piece > 0)) return 0
  let time = 0
  let current = Math.max(speed, MIN_SPEED_SHARE * cruise)
  for (let i = 0; i < SAMPLES; i++) {
    const limit = maxSpeedAt(path, s + (i + 0.5) * piece, terms)
    current = Math.min(limit, Math.sqrt(current * current + 2 * brake * piece))
    current = Math.max(current, 1e-3 * cruise)
    time += piece / current
  }
  return time
}
