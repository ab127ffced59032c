import type { Wrench } from '../types.js'
import { isFiniteVec, set } from '../math/vec3.js'

/**
 * Clears an answer that is not finite. Positions and speeds so huge that their squares overflow, or a vehicle
 * without force, give no answer. @returns whether the answer was cleared.
 */
export function clearUnlessFinite(out: Wrench): boolean {
  const { force, torque } = out
  if (isFiniteVec(force) && isFiniteVec(torque)) return false
  set(force, 0, 0, 0)
  set(torque, 0, 0, 0)
  return true
}
