import type { Agent, Step, Vec3 } from '../types.js'
import { capThrust } from '../control/thrust.js'
import { shareWithin } from '../math/ball.js'
import { addScaled, lengthSq, scale, truncate, vec3 } from '../math/vec3.js'

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

/**
 * Reduces the component of `force` along the velocity so that the speed does not rise above `maxSpeed`. The
 * lift of a turn at full speed remains, except for the small amount by which one step of it would raise the
 * speed.
 */
export function capSpeed(agent: Agent, step: Step, force: Vec3): Vec3 {
  const { mass, maxSpeed, speed, velocity } = agent
  const limit = maxSpeed > speed ? maxSpeed : speed
  const k = step.dt / mass
  if (limit === Infinity) return force
  const x = velocity.x + force.x * k
  const y = velocity.y + force.y * k
  const z = velocity.z + force.z * k
  const sq = x * x + y * y + z * z
  if ((sq > 1e-280 && sq < 1e280 ? Math.sqrt(sq) : Math.hypot(x, y, z)) <= limit) return force
  if (speed > 0) {
    const along = (force.x * velocity.x + force.y * velocity.y + force.z * velocity.z) / speed
    const acrossSq = lengthSq(force) - along * along
    const across = acrossSq > 0 ? Math.sqrt(acrossSq) * k : 0
    const room = limit * limit - across * across
    const allowed = ((room > 0 ? Math.sqrt(room) : 0) - speed) / k
    if (across < limit) return addScaled(force, force, velocity, (allowed - along) / speed)
  }
  // the agent is nearly at rest, and its thrust would exceed the whole speed in one step
  return capThrust(agent, step, force, false)
}

/** Length of a step (s) for the compensation of damping where the real one is not known. */
export const NOMINAL_STEP: number = 1 / 60
