import type { Vec3, Vec3Like } from '../types.js'
import { set } from './vec3.js'

/**
 * Writes the plane or the axis to which an engine locks a body, by its factors on the three axes: the normal
 * if one of them is 0, the direction if two are; 0 for none.
 */
export function readEngineLock(out: { readonly axis: Vec3; readonly plane: Vec3 }, factors: Vec3Like): void {
  const x = factors.x === 0 ? 1 : 0
  const y = factors.y === 0 ? 1 : 0
  const z = factors.z === 0 ? 1 : 0
  const locked = x + y + z
  if (locked === 1) set(out.plane, x, y, z)
  else set(out.plane, 0, 0, 0)
  if (locked === 2) set(out.axis, 1 - x, 1 - y, 1 - z)
  else set(out.axis, 0, 0, 0)
}
