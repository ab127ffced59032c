import type { Agent, Vec3, Vec3Like } from '../types.js'
import { length, scale } from '../math/vec3.js'

/**
 * The largest force (N) that the vehicle can give in the direction of `force`, which has the length `size`: what its engines give that way,
 * after what gravity and damping cost; `maxForce`, where it turns to give it, or could give it only if it did.
 */
export function forceLimit(agent: Agent, force: Vec3Like, size: number): number {
  if (agent.forceTurnTime > 0 || !(size > 0 && size < Infinity)) return agent.maxForce
  const now = agent.forceAlong(force.x / size, force.y / size, force.z / size)
  return now > 0 ? now : agent.maxForce
}

/** The share of `force` (N) that the vehicle can give, in [0, 1]. */
export function forceShare(agent: Agent, force: Vec3Like): number {
  const size = length(force)
  return shareOf(size, forceLimit(agent, force, size))
}

/** The share of `torque` (N·m) that the vehicle can give, in [0, 1]. */
export function torqueShare(agent: Agent, torque: Vec3Like): number {
  return shareOf(length(torque), agent.maxTorque)
}

/** Cuts the answer of a combination to `maxForce`, and tells the ledger. */
export function cutForce(agent: Agent, force: Vec3): void {
  const share = shareOf(length(force), agent.maxForce)
  if (share === 1) return
  scale(force, force, share)
  agent.explainer?.cut(share, 1)
}

function shareOf(size: number, limit: number): number {
  return size > limit ? limit / size : 1
}
