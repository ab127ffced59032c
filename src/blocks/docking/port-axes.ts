import type { Vec3, Vec3Like } from '../../core/types.js'
import { DEFAULT_FORWARD, DEFAULT_UP, frame, vectorToLocal, vectorToWorld } from '../../core/math/frame.js'
import { requireDirection, requireVector, requireObject, outOfRange } from '../../core/math/require.js'
import { cross, isZero, normalize, reject, vec3 } from '../../core/math/vec3.js'

export interface ModelAxes {
  /** Direction of the nose in the axes of the body. Default +Z, as `Object3D.lookAt` has it. */
  forward?: Vec3Like
  /** Direction of the top in the same axes; not parallel to `forward`. Default +Y. */
  up?: Vec3Like
}

/**
 * Converts a vector from the axes of a body or model to those of a port: x ahead, y up, z to starboard. With
 * the default axes (nose +Z, top +Y) the vector (x, y, z) becomes (z, y, −x): starboard of a nose along +Z is
 * −X.
 * @returns a new vector.
 * @throws TypeError / RangeError naming the option.
 */
export function portAxes(vector: Vec3Like, model: ModelAxes = {}): Vec3 {
  return vectorToLocal(vec3(), modelFrame('portAxes', model), requireVector('portAxes.vector', vector))
}

/**
 * Converts a vector from the axes of a port (x ahead, y up, z to starboard) to those of a body or model. The
 * inverse of {@link portAxes}: with the default axes (x, y, z) becomes (−z, y, x).
 * @returns a new vector.
 * @throws TypeError / RangeError naming the option.
 */
export function bodyAxes(vector: Vec3Like, model: ModelAxes = {}): Vec3 {
  return vectorToWorld(vec3(), modelFrame('bodyAxes', model), requireVector('bodyAxes.vector', vector))
}

function modelFrame(name: string, model: ModelAxes) {
  const { forward = DEFAULT_FORWARD, up = DEFAULT_UP } = requireObject(`${name}.model`, model)
  const axes = frame()
  normalize(axes.x, requireDirection(`${name}.forward`, forward))
  normalize(axes.y, reject(axes.y, normalize(axes.y, requireDirection(`${name}.up`, up)), axes.x))
  if (isZero(axes.y)) outOfRange(`${name}.up`, up, 'must not lie along forward')
  cross(axes.z, axes.x, axes.y)
  return axes
}
