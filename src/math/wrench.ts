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

/** Adds `wrench` to `out`, its force and its torque so many times. */
export function addWrench(out: Wrench, wrench: Readonly<Wrench>, force: number, torque: number): void {
  addScaled(out.force, out.force, wrench.force, force)
  addScaled(out.torque, out.torque, wrench.torque, torque)
}
