import type { QuatLike, Vec3, Vec3Like } from '../types.js'
import { rotate } from './quat.js'
import { set, vec3 } from './vec3.js'

const along = vec3()

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

/**
 * Sets the moments of inertia to 0 about which an engine does not let a body turn, by its factors on the
 * three axes of the world, 0 where it is locked. `attitude` is that of the principal axes. A principal axis
 * between a locked and a free one goes with the nearer of them.
 */
export function lockInertia(inertia: Vec3, attitude: QuatLike, factors: Vec3Like): void {
  if (factors.x !== 0 && factors.y !== 0 && factors.z !== 0) return
  if (!turns(attitude, 1, 0, 0, factors)) inertia.x = 0
  if (!turns(attitude, 0, 1, 0, factors)) inertia.y = 0
  if (!turns(attitude, 0, 0, 1, factors)) inertia.z = 0
}

/** Whether a body turns about this axis of its own. */
function turns(attitude: QuatLike, x: number, y: number, z: number, factors: Vec3Like): boolean {
  rotate(along, attitude, set(along, x, y, z))
  let free = 0
  if (factors.x !== 0) free += along.x * along.x
  if (factors.y !== 0) free += along.y * along.y
  if (factors.z !== 0) free += along.z * along.z
  return free > 0.5
}
