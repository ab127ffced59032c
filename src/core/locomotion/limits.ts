import type { Agent, Step, Vec3 } from '../types.js'
import { capThrust } from '../control/thrust.js'
import { shareWithin } from '../math/ball.js'
import { addScaled, scale, truncate, vec3 } from '../math/vec3.js'

const cost = vec3()

/**
 * Writes the force (N) that compensates gravity and the damping of the physics engine in this step, as far as
 * the agent has these compensations.
 */
export function feedForward(out: Vec3, agent: Agent, dt: number): Vec3 {
  const dampingLoss = agent.compensateDamping ? (-agent.mass * Math.expm1(-agent.damping * dt)) / dt : 0
  scale(out, agent.velocity, dampingLoss)
  return agent.compensateGravity ? addScaled(out, out, agent.gravity, -agent.mass) : out
}

/** Whether a part of the agent's force compensates gravity or damping. */
export function hasFeedForward(agent: Agent): boolean {
  return agent.compensateGravity || agent.compensateDamping
}

/**
 * Limits the demand `force` and adds the compensation of gravity and damping. Both together stay within
 * `maxForce`: the compensation comes first, and the demand gets the rest.
 */
export function addFeedForward(agent: Agent, step: Step, force: Vec3): Vec3 {
  if (!hasFeedForward(agent)) return capThrust(agent, step, force, true)
  capThrust(agent, step, force, false)
  truncate(cost, feedForward(cost, agent, step.dt), agent.maxForce)
  return addScaled(force, cost, force, Math.min(1, shareWithin(cost, force, agent.maxForce)))
}

/** Length of a step (s) for the compensation of damping where the real one is not known. */
export const NOMINAL_STEP: number = 1 / 60
