import type { Agent, Step, Vec3, Vec3Like } from '../types.js'
import { addScaled, lengthSq, scale, sub, truncate, vec3 } from '../math/vec3.js'

/** Longest time constant (s) of a servo: keeps infinite response times finite. */
const LONGEST_TIME = 1e9

// The numbers below are chosen by hand unless they say otherwise.

/**
 * An agent stops where it is within this share of its radius of a goal at rest, if it is slow. So one that
 * leans on a solid object just before its goal does not push for ever, and rounding far from the origin is no
 * error. (An agent that can move freely reaches this distance before it is as slow.) Larger: it stops less
 * exactly.
 */
const REST_SHARE = 0.01
/** Upper bound of that distance (m). */
const REST_DISTANCE = 0.005
/** It is slow when it would take longer than this (s) for that distance. */
const REST_TIME = 50

/**
 * For an agent that must roll or turn before it can push sideways, the time constant of the way to a place is
 * at least this share of its turn time: otherwise it circles around that place for ever.
 */
export const TURN_TIME_SHARE = 0.3

const wanted = vec3()

/**
 * Adds to `out` the force (N) that changes the velocity of the agent to `velocity` (m/s) with the time
 * constant `responseTime`: F = m (v* − v) / τ, no longer than `maxForce`. Reynolds and Green return v* − v
 * itself, which is a force only for mass 1 and one step per unit of time. τ is never shorter than the step,
 * so no step size overshoots. While a combination collects wishes the force is not cut, see `Wish`. Sets
 * `agent.asks`.
 */
export function drive(agent: Agent, step: Step, velocity: Vec3Like, out: Vec3, weight = 1): void {
  agent.asks = true
  scale(wanted, sub(wanted, velocity, agent.velocity), servoGain(agent, step))
  if (agent.wish === null) truncate(wanted, wanted, agent.maxForce)
  addScaled(out, out, wanted, weight)
}

/**
 * Changes `force` (N) so that the velocity after one response time is not above `speed` (m/s): for behaviours
 * that follow a thing which may itself be faster. No speed changes nothing.
 */
export function limitToSpeed(agent: Agent, step: Step, force: Vec3, speed: number | undefined): void {
  if (speed === undefined) return
  const gain = servoGain(agent, step)
  addScaled(wanted, agent.velocity, force, 1 / gain)
  if (lengthSq(wanted) > speed * speed)
    scale(force, sub(force, truncate(wanted, wanted, speed), agent.velocity), gain)
}

/** Time constant τ (s) with which a velocity error is removed. */
export function servoTime(agent: Pick<Agent, 'responseTime'>, step: Step): number {
  return Math.min(Math.max(agent.responseTime, step.dt), LONGEST_TIME)
}

/** Servo gain m / τ (N per m/s), which turns a velocity error into a force. */
export function servoGain(agent: Agent, step: Step): number {
  return agent.mass / servoTime(agent, step)
}

/**
 * Top speed (m/s): `maxSpeed`; without one, the speed that the force can reach within a second. No more than
 * `speed`.
 */
export function topSpeed(agent: Agent, speed = Infinity): number {
  const top = agent.maxSpeed < Infinity ? agent.maxSpeed : agent.speed + agent.maxForce / agent.mass
  return Math.min(top, speed)
}

/**
 * Whether an agent at this `distance` (m) from a goal at rest, with the speed `drift` (m/s), is close enough
 * to stop.
 */
export function mayRest({ radius }: Agent, distance: number, drift: number): boolean {
  const rest = Math.min(REST_SHARE * radius, REST_DISTANCE)
  return distance < rest && REST_TIME * drift < rest
}
