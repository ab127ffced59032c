import type { Agent, Step, Vec3, Vec3Like } from '../types.js'
import { addScaled, scale, sub, truncate, vec3 } from '../math/vec3.js'

/** A servo slower than this (s) is none: keeps infinite response times finite. */
const LONGEST = 1e9

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
