import type { Vec3, Vec3Like } from '../types.js'
import { set } from './vec3.js'

/** Writes the axis along which a body cannot move, by its factors on the three axes; 0 unless it is one. */
export function lockedAxis(out: Vec3, { x, y, z }: Vec3Like): Vec3 {
  set(out, x === 0 ? 1 : 0, y === 0 ? 1 : 0, z === 0 ? 1 : 0)
  return out.x + out.y + out.z === 1 ? out : set(out, 0, 0, 0)
}
