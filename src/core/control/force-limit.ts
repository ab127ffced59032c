import type { Agent, Vec3, Vec3Like } from '../types.js'
import { length, scale } from '../math/vec3.js'

/**
 * Largest force (N) that the vehicle can give in the direction of `force`, which has the length `size`: the
 * force of its engines in that direction, after the cost of gravity and damping. `maxForce` for a vehicle
 * that turns to give its force, and for a direction in which it can give none.
 */
export function forceLimit(agent: Agent, force: Vec3Like, size: number): number {
  if (agent.forceTurnTime > 0 || !(size > 0 && size < Infinity)) return agent.maxForce
  const now = agent.forceAlong(force.x / size, force.y / size, force.z / size)
  return now > 0 ? now : agent.maxForce
}

/** Share of `force` (N) that the vehicle can give, in [0, 1]. */
export function forceShare(agent: Agent, force: Vec3Like): number {
  const size = length(force)
  return shareOf(size, forceLimit(agent, force, size))
}

/** Share of `torque` (N·m) that the vehicle can give, in [0, 1]. */
export function torqueShare(agent: Agent, torque: Vec3Like): number {
  return shareOf(length(torque), agent.maxTorque)
}

/** Cuts the force of a combination to `maxForce`, and reports the cut to the explainer. */
export function cutForce(agent: Agent, force: Vec3): void {
  const share = shareOf(length(force), agent.maxForce)
  if (share === 1) return
  scale(force, force, share)
  agent.explainer?.cut(share, 1)
}

function shareOf(size: number, limit: number): number {
  return size > limit ? limit / size : 1
}
