import type { Quat, QuatLike, Vec3, Vec3Like } from '../types.js'
import { perpendicular, vec3 } from './vec3.js'

/** Quaternion functions. `out` comes first, may be an input, and is returned. */

const axis = vec3()

export function quat(x = 0, y = 0, z = 0, w = 1): Quat {
  return { x, y, z, w }
}

export function setQuat(out: Quat, x: number, y: number, z: number, w: number): Quat {
  out.x = x
  out.y = y
  out.z = z
  out.w = w
  return out
}

/** Whether all four numbers are finite. */
export function isFiniteQuat({ x, y, z, w }: QuatLike): boolean {
  return Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z) && Number.isFinite(w)
}

/** Whether a unit quaternion turns nothing, as that of most obstacles. */
export function isIdentity({ x, y, z }: QuatLike): boolean {
  return x === 0 && y === 0 && z === 0
}

export function copyQuat(out: Quat, a: QuatLike): Quat {
  return setQuat(out, a.x, a.y, a.z, a.w)
}

/** Reads a quaternion from a column, from index `offset` on. */
export function loadQuat(out: Quat, column: Float64Array, offset: number): Quat {
  out.x = column[offset]!
  out.y = column[offset + 1]!
  out.z = column[offset + 2]!
  out.w = column[offset + 3]!
  return out
}

/** Writes a quaternion to a column, from index `offset` on. */
export function saveQuat({ x, y, z, w }: QuatLike, column: Float64Array, offset: number): void {
  column[offset] = x
  column[offset + 1] = y
  column[offset + 2] = z
  column[offset + 3] = w
}

/** Scales `a` to unit length. A zero or non-finite quaternion becomes the identity. */
export function normalizeQuat(out: Quat, a: QuatLike): Quat {
  const sq = a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w
  // hypot does not overflow, but is twenty times slower
  const d = sq > 1e-280 && sq < 1e280 ? Math.sqrt(sq) : Math.hypot(a.x, a.y, a.z, a.w)
  if (!(d > 0 && d < Infinity)) return setQuat(out, 0, 0, 0, 1)
  const k = 1 / d
  out.x = a.x * k
  out.y = a.y * k
  out.z = a.z * k
  out.w = a.w * k
  return out
}

/** The rotation `b` followed by the rotation `a`. */
export function multiply(out: Quat, a: QuatLike, b: QuatLike): Quat {
  const x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y
  const y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x
  const z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w
  const w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z
  out.x = x
  out.y = y
  out.z = z
  out.w = w
  return out
}

/** The inverse rotation of a unit quaternion. */
export function conjugate(out: Quat, a: QuatLike): Quat {
  return setQuat(out, -a.x, -a.y, -a.z, a.w)
}

/** `v` turned by `q`. */
export function rotate(out: Vec3, q: QuatLike, v: Vec3Like): Vec3 {
  const { x, y, z } = v
  const tx = 2 * (q.y * z - q.z * y)
  const ty = 2 * (q.z * x - q.x * z)
  const tz = 2 * (q.x * y - q.y * x)
  out.x = x + q.w * tx + q.y * tz - q.z * ty
  out.y = y + q.w * ty + q.z * tx - q.x * tz
  out.z = z + q.w * tz + q.x * ty - q.y * tx
  return out
}

/** `v` turned by the inverse of `q`. */
export function unrotate(out: Vec3, q: QuatLike, v: Vec3Like): Vec3 {
  const { x, y, z } = v
  const tx = 2 * (q.z * y - q.y * z)
  const ty = 2 * (q.x * z - q.z * x)
  const tz = 2 * (q.y * x - q.x * y)
  out.x = x + q.w * tx - q.y * tz + q.z * ty
  out.y = y + q.w * ty - q.z * tx + q.x * tz
  out.z = z + q.w * tz - q.x * ty + q.y * tx
  return out
}

/** Rotation with the basis `x`, `y`, `x × y`; both must be unit vectors at right angles (Shepperd 1978). */
export function quatFromAxes(out: Quat, x: Vec3Like, y: Vec3Like): Quat {
  const zx = x.y * y.z - x.z * y.y
  const zy = x.z * y.x - x.x * y.z
  const zz = x.x * y.y - x.y * y.x
  const trace = x.x + y.y + zz
  // division by the largest of the four components is the most accurate
  if (trace > 0) {
    out.x = y.z - zy
    out.y = zx - x.z
    out.z = x.y - y.x
    out.w = 1 + trace
  } else if (x.x >= y.y && x.x >= zz) {
    out.x = 1 + x.x - y.y - zz
    out.y = x.y + y.x
    out.z = zx + x.z
    out.w = y.z - zy
  } else if (y.y >= zz) {
    out.x = x.y + y.x
    out.y = 1 + y.y - x.x - zz
    out.z = y.z + zy
    out.w = zx - x.z
  } else {
    out.x = zx + x.z
    out.y = y.z + zy
    out.z = 1 + zz - x.x - y.y
    out.w = x.y - y.x
  }
  return normalizeQuat(out, out)
}

/** Smallest rotation from the unit `a` to the unit `b`; for opposite ones about any perpendicular axis. */
export function quatBetween(out: Quat, a: Vec3Like, b: Vec3Like): Quat {
  const w = 1 + a.x * b.x + a.y * b.y + a.z * b.z
  if (w < 1e-8) {
    perpendicular(axis, a)
    return setQuat(out, axis.x, axis.y, axis.z, 0)
  }
  setQuat(out, a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x, w)
  return normalizeQuat(out, out)
}

/** Rotation vector (axis times angle, rad, world axes, at most π) that turns attitude `from` into `to`. */
export function rotationBetween(out: Vec3, from: QuatLike, to: QuatLike): Vec3 {
  // to · conj(from), with the sign that gives the smaller angle
  let x = -to.w * from.x + to.x * from.w - to.y * from.z + to.z * from.y
  let y = -to.w * from.y + to.x * from.z + to.y * from.w - to.z * from.x
  let z = -to.w * from.z - to.x * from.y + to.y * from.x + to.z * from.w
  let w = to.w * from.w + to.x * from.x + to.y * from.y + to.z * from.z
  if (w < 0) {
    x = -x
    y = -y
    z = -z
    w = -w
  }
  const s = Math.sqrt(x * x + y * y + z * z)
  const k = s > 1e-9 ? (2 * Math.atan2(s, w)) / s : 2
  out.x = x * k
  out.y = y * k
  out.z = z * k
  return out
}

/**
 * Turns `q` by the angular velocity `omega` (rad/s, world axes) for `dt` seconds. Exact for a constant
 * `omega`; the result has unit length.
 */
export function spin(out: Quat, q: QuatLike, omega: Vec3Like, dt: number): Quat {
  const rate = Math.sqrt(omega.x * omega.x + omega.y * omega.y + omega.z * omega.z)
  const half = 0.5 * rate * dt
  const k = rate > 1e-12 ? Math.sin(half) / rate : 0.5 * dt
  const rx = omega.x * k
  const ry = omega.y * k
  const rz = omega.z * k
  const rw = Math.cos(half)
  const x = rw * q.x + rx * q.w + ry * q.z - rz * q.y
  const y = rw * q.y - rx * q.z + ry * q.w + rz * q.x
  const z = rw * q.z + rx * q.y - ry * q.x + rz * q.w
  const w = rw * q.w - rx * q.x - ry * q.y - rz * q.z
  out.x = x
  out.y = y
  out.z = z
  out.w = w
  return normalizeQuat(out, out)
}

/** Interpolates from `a` to `b`, `t` in [0, 1], by the smaller angle, nearly evenly (normalised lerp). */
export function nlerp(out: Quat, a: QuatLike, b: QuatLike, t: number): Quat {
  const sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -t : t
  const s = 1 - t
  setQuat(out, a.x * s + b.x * sign, a.y * s + b.y * sign, a.z * s + b.z * sign, a.w * s + b.w * sign)
  return normalizeQuat(out, out)
}
