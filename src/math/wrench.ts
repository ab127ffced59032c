import type { Wrench } from '../types.js'
import { set, vec3 } from './vec3.js'

export function zeroWrench(): Wrench {
  return { force: vec3(), torque: vec3(), turns: false }
}

export function clearWrench(wrench: Wrench): void {
  set(wrench.force, 0, 0, 0)
  set(wrench.torque, 0, 0, 0)
  wrench.turns = false
}
