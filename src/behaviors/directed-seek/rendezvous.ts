import type { Agent, Vec3Like } from '../../types.js'
import type { ArcPath } from '../../curves/arc-path.js'
import { distance, isZero, length } from '../../math/vec3.js'
import type { VehicleLimits } from './vehicle-limits.js'
import { goal as makeGoal, goalIn, type Goal } from './goal.js'
import { planRoute, timeAlong } from './route.js'

/** Times are looked at in steps of this share of the first guess, then halved. */
const SCAN = 0.12
const SCANS = 60
const HALVINGS = 18

const there = makeGoal()

/** Whether a goal stays where it is. */
export function isStill({ velocity, acceleration, spin }: Goal): boolean {
  return isZero(velocity) && isZero(acceleration) && isZero(spin)
}

/**
 * Plans the way to where a moving goal will be: the least time T in which its place at T can be reached. The length of the shortest way jumps
 * as T grows (by a whole turn), so there may be no T that fits exactly: then it is reached early, by flying slower.
 * Writes the plan and the goal as it will be.
 * @returns the time (s) until then, 0 for a goal at rest; NaN where there is none, and the plan leads to the goal as it will be after the longest time looked at.
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
    planRoute(out, agent, heading, goalIn(then, now, 0), terms)
    return 0
  }
  const guess = distance(agent.position, now.position) / (terms.cruise + length(now.velocity)) + 1e-9
  let late = 0
  let time = guess
  for (let i = 0; lateness(out, agent, heading, now, terms, time) > 0; i++) {
    late = time
    time += Math.max(SCAN * time, SCAN * guess)
    if (i < SCANS) continue
    planRoute(out, agent, heading, goalIn(then, now, time), terms)
    return NaN
  }
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (late + time) / 2
    if (lateness(out, agent, heading, now, terms, middle) > 0) late = middle
    else time = middle
  }
  planRoute(out, agent, heading, goalIn(then, now, time), terms)
  return time
}

/** By how much (s) the agent is later than `time` at the place where the goal will be then. */
function lateness(
  out: ArcPath,
  agent: Agent,
  heading: Vec3Like,
  now: Goal,
  terms: VehicleLimits,
  time: number,
): number {
  planRoute(out, agent, heading, goalIn(there, now, time), terms, true)
  return timeAlong(out, 0, agent.speed, terms) - time
}
