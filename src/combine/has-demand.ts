import type { Agent, Wrench } from '../types.js'
import { lengthSq } from '../math/vec3.js'

/**
 * Whether a behaviour wants anything: a force above the share `forceShare` of `maxForce`, a torque above that of `maxTorque`, or to hold its
 * attitude. Without a limit only zero is nothing.
 */
export function hasDemand(agent: Agent, out: Wrench, forceShare: number, torqueShare: number): boolean {
  const force = least(forceShare, agent.maxForce)
  const torque = least(torqueShare, agent.maxTorque)
  // not ">": a NaN must not slip through to the next one
  return out.turns || !(lengthSq(out.force) <= force * force) || !(lengthSq(out.torque) <= torque * torque)
}

function least(share: number, limit: number): number {
  return limit < Infinity ? Math.max(0, share * limit) : 0
}
