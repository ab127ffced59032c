import type { Agent, QuatLike, Vec3Like } from '../types.js'
import { isFiniteQuat } from '../math/quat.js'
import { isFiniteVec } from '../math/vec3.js'

/** Whether a vector is finite; if not, it is reported as `what`. */
export function isUsable(agent: Agent, what: string, vector: Vec3Like): boolean {
  if (isFiniteVec(vector)) return true
  agent.report?.(what, vector)
  return false
}

/** Whether a quaternion is finite; if not, it is reported as `what`. */
export function isUsableTurn(agent: Agent, what: string, turn: QuatLike): boolean {
  if (isFiniteQuat(turn)) return true
  agent.report?.(what, turn)
  return false
}
