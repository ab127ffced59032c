import type { Frame, FrameLike, Quat, QuatLike, Vec3, Vec3Like } from '../types.js'
import { multiply, quatFromAxes, quat, rotate } from './quat.js'
import { copy, cross, dot, isZero, normalize, perpendicular, reject, set, vec3 } from './vec3.js'

/**
 * Local frames in 3D (Green, Pursuit and Offset Pursuit: `point_world_to_local` and three similar functions).
 * Departure: no cross product with an "approximate up vector". Frames come from quaternions or are carried
 * along.
 */

/** Default model axes: forward +Z and up +Y, as `Object3D.lookAt` assumes for a mesh. */
export const DEFAULT_FORWARD: Vec3Like = Object.freeze({ x: 0, y: 0, z: 1 })
export const DEFAULT_UP: Vec3Like = Object.freeze({ x: 0, y: 1, z: 0 })

const turned = quat()

export function frame(): Frame {
  // z first: JavaScript engines give objects whose keys have the same order one layout, and a user's literal
  // {x, y, z} that shared it would get every number boxed
  return { z: vec3(0, 0, 1), x: vec3(1, 0, 0), y: vec3(0, 1, 0) }
}

export function copyFrame(out: Frame, a: FrameLike): Frame {
  copy(out.x, a.x)
  copy(out.y, a.y)
  copy(out.z, a.z)
  return out
}

/** Writes the frame to which the rotation `q` turns the steering axes. */
export function frameFromQuat(out: Frame, q: QuatLike): Frame {
  const { x, y, z, w } = q
  const { x: nose, y: top, z: side } = out
  nose.x = 1 - 2 * (y * y + z * z)
  nose.y = 2 * (x * y + w * z)
  nose.z = 2 * (x * z - w * y)
  top.x = 2 * (x * y - w * z)
  top.y = 1 - 2 * (x * x + z * z)
  top.z = 2 * (y * z + w * x)
  side.x = 2 * (x * z + w * y)
  side.y = 2 * (y * z - w * x)
  side.z = 1 - 2 * (x * x + y * y)
  return out
}

/** Writes the rotation from the steering axes to a model's: nose `forward`, up axis near `up`. */
export function axesQuat(out: Quat, forward: Vec3Like, up: Vec3Like): Quat {
  const f = frame()
  normalize(f.x, forward)
  normalize(f.y, reject(f.y, normalize(f.y, up), f.x))
  return quatFromAxes(out, f.x, f.y)
}

/** Writes the attitude frame of a model with attitude `q` and model axes `axes`. */
export function attitudeFrame(out: Frame, q: QuatLike, axes: QuatLike): Frame {
  return frameFromQuat(out, multiply(turned, q, axes))
}

/**
 * Turns `f` by the smallest rotation that brings its x axis onto the unit vector `ahead` (parallel
 * transport), and makes it orthonormal again. World up has no influence, so the frame does not flip in
 * vertical flight. A reversal of x keeps the y axis.
 */
export function carryFrame(f: Frame, ahead: Vec3Like): Frame {
  const { x: nose, y: top, z: side } = f
  const { x, y, z } = ahead
  let ux = top.x
  let uy = top.y
  let uz = top.z
  const sx = nose.x + x
  const sy = nose.y + y
  const sz = nose.z + z
  // 1 + cosine of the angle
  const q = sx * x + sy * y + sz * z
  if (q > 1e-3) {
    const k = (ux * x + uy * y + uz * z) / q
    ux -= k * sx
    uy -= k * sy
    uz -= k * sz
  }
  const along = ux * x + uy * y + uz * z
  nose.x = x
  nose.y = y
  nose.z = z
  top.x = ux - along * x
  top.y = uy - along * y
  top.z = uz - along * z
  normalize(top, top)
  if (isZero(top)) perpendicular(top, nose)
  cross(side, nose, top)
  return f
}

/** Turns a vector from world axes to the axes of the frame: ahead, up, starboard. */
export function vectorToLocal(out: Vec3, f: FrameLike, v: Vec3Like): Vec3 {
  return set(out, dot(v, f.x), dot(v, f.y), dot(v, f.z))
}

/** Turns a vector from the axes of the frame (ahead, up, starboard) to world axes. */
export function vectorToWorld(out: Vec3, f: FrameLike, v: Vec3Like): Vec3 {
  const { x, y, z } = v
  return set(
    out,
    f.x.x * x + f.y.x * y + f.z.x * z,
    f.x.y * x + f.y.y * y + f.z.y * z,
    f.x.z * x + f.y.z * y + f.z.z * z,
  )
}

/** Converts a point from world axes to the frame `f` with its origin at `origin`. */
export function pointToLocal(out: Vec3, f: FrameLike, origin: Vec3Like, point: Vec3Like): Vec3 {
  set(out, point.x - origin.x, point.y - origin.y, point.z - origin.z)
  return vectorToLocal(out, f, out)
}

/** Converts a point from the frame `f` with its origin at `origin` to world axes. */
export function pointToWorld(out: Vec3, f: FrameLike, origin: Vec3Like, point: Vec3Like): Vec3 {
  vectorToWorld(out, f, point)
  return set(out, out.x + origin.x, out.y + origin.y, out.z + origin.z)
}

/** Writes the attitude frame of an object with a quaternion and, optionally, its own model axes. */
export function frameOf(
  out: Frame,
  object: { readonly quaternion: QuatLike; readonly forward?: Vec3Like; readonly up?: Vec3Like },
): Frame {
  rotate(out.x, object.quaternion, object.forward ?? DEFAULT_FORWARD)
  rotate(out.y, object.quaternion, object.up ?? DEFAULT_UP)
  cross(out.z, out.x, out.y)
  return out
}
