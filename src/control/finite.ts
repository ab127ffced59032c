import type { Wrench } from '../types.js'
import { isFiniteVec, set } from '../math/vec3.js'

/**
 * Takes an opinion back that is not finite: places and speeds so huge that their squares are lost, or nothing to push with, give none.
 * @returns whether it was.
 */
export function withdraw(out: Wrench): boolean {
  const { force, torque } = out
  if (isFiniteVec(force) && isFiniteVec(torque)) return false
  set(force, 0, 0, 0)
  set(torque, 0, 0, 0)
  return true
}
