import type { Agent, QuatLike, Vec3Like } from '../types.js'
import { isFiniteQuat } from '../math/quat.js'
import { isFiniteVec } from '../math/vec3.js'

/** Whether a vector that an agent was given is finite; if not, that is reported as `what` it is. */
export function isUsable(agent: Agent, what: string, vector: Vec3Like): boolean {
  if (isFiniteVec(vector)) return true
  agent.report?.(what, vector)
  return false
}

/** As above, for a quaternion. */
export function isUsableTurn(agent: Agent, what: string, turn: QuatLike): boolean {
  if (isFiniteQuat(turn)) return true
  agent.report?.(what, turn)
  return false
}
