import type { Agent, Step, Vec3, Vec3Like } from '../types.js'
import { addScaled, scale, sub, truncate, vec3 } from '../math/vec3.js'

/** A servo slower than this (s) is none: keeps infinite response times finite. */
const LONGEST = 1e9

/**
 * Nearer than this share of the radius (at most 5 mm) to a goal that does not move, and slower than that in a time of so many seconds, an agent stays
 * where it is and stops. So what leans on something solid just before its goal does not push for ever, and rounding far from the origin is
 * no error. (What is free to move is nearer than this before it is as slow.)
 */
const REST_SHARE = 0.01
const REST_DISTANCE = 0.005
const REST_TIME = 50

const wanted = vec3()

/**
 * Adds to `out` the force (N) that takes the velocity of the agent to `velocity` (m/s) with time constant
 * `responseTime`: F = m (v* − v) / τ, no longer than `maxForce`. Reynolds and Green return v* − v itself, which is a
 * force only for mass 1 and one step per unit of time. τ is never shorter than the step, so no step size overshoots.
 * While a combination collects wishes the force is not cut, see `Wish`.
 */
export function drive(agent: Agent, step: Step, velocity: Vec3Like, out: Vec3, weight = 1): void {
  scale(wanted, sub(wanted, velocity, agent.velocity), servoGain(agent, step))
  if (agent.wish === null) truncate(wanted, wanted, agent.maxForce)
  addScaled(out, out, wanted, weight)
}

/** τ, s: the time in which a velocity error is taken out. */
export function servoTime(agent: Agent, step: Step): number {
  return Math.min(Math.max(agent.responseTime, step.dt), LONGEST)
}

/** m / τ, N per m/s: what turns a velocity error into a force. */
export function servoGain(agent: Agent, step: Step): number {
  return agent.mass / servoTime(agent, step)
}

/** `maxSpeed`; without one, what the engines make of a second. */
export function topSpeed(agent: Agent): number {
  return agent.maxSpeed < Infinity ? agent.maxSpeed : agent.speed + agent.maxForce / agent.mass
}

/** Whether an agent `distance` (m) from a goal that does not move, with the speed `drift` (m/s), has come as near as it needs to. */
export function mayRest({ radius }: Agent, distance: number, drift: number): boolean {
  const rest = Math.min(REST_SHARE * radius, REST_DISTANCE)
  return distance < rest && REST_TIME * drift < rest
}
