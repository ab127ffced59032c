import type { Vec3, Vec3Like } from '../types.js'
import { addScaled, dot, sub, vec3 } from '../math/vec3.js'

const offset = vec3()

/** Moves the point `out` along the unit `normal` into the plane through `place`. */
export function moveToPlane(out: Vec3, place: Vec3Like, normal: Vec3Like): Vec3 {
  return addScaled(out, out, normal, dot(sub(offset, place, out), normal))
}
