import type { Agent, Vec3, Vec3Like } from '../types.js'
import { addScaled, dot, isZero, reject, scale, sub, vec3 } from '../math/vec3.js'

/** What an agent is locked to: an axis, else a plane, else nothing. */
export type Lock = Pick<Agent, 'axis' | 'plane'>

const offset = vec3()

export function isLocked({ axis, plane }: Lock): boolean {
  return !(isZero(axis) && isZero(plane))
}

/** Writes the part of `v` in the directions in which the agent can move. */
export function movablePart(out: Vec3, v: Vec3Like, { axis, plane }: Lock): Vec3 {
  return isZero(axis) ? reject(out, v, plane) : scale(out, axis, dot(v, axis))
}

/** Moves the point `out` to the nearest one that an agent at `place` can reach. */
export function moveToLock(out: Vec3, place: Vec3Like, lock: Lock): Vec3 {
  return isLocked(lock) ? addScaled(out, place, movablePart(offset, sub(offset, out, place), lock), 1) : out
}
