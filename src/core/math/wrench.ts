import type { Wrench } from '../types.js'
import { addScaled, copy, set, vec3 } from './vec3.js'

export function zeroWrench(): Wrench {
  return { force: vec3(), torque: vec3(), turns: false }
}

export function clearWrench(wrench: Wrench): void {
  set(wrench.force, 0, 0, 0)
  set(wrench.torque, 0, 0, 0)
  wrench.turns = false
}

export function copyWrench(out: Wrench, wrench: Readonly<Wrench>): void {
  copy(out.force, wrench.force)
  copy(out.torque, wrench.torque)
  out.turns = wrench.turns
}

/** Adds `forceScale` times the force and `torqueScale` times the torque of `wrench` to `out`. */
export function addWrench(
  out: Wrench,
  wrench: Readonly<Wrench>,
  forceScale: number,
  torqueScale: number,
): void {
  addScaled(out.force, out.force, wrench.force, forceScale)
  addScaled(out.torque, out.torque, wrench.torque, torqueScale)
}
