import type { Vec3, Vec3Like } from '../types.js'

/** Vector functions. `out` comes first, may be an input, and is returned. */

/**
 * A class and not an object literal, because JavaScript engines distinguish literals only by their keys. A
 * frame also has the keys x, y and z, which are vectors; if both were literals, every number stored in a
 * vector would be boxed (570 bytes per bird and step).
 */
class Vector implements Vec3 {
  x: number
  y: number
  z: number

  constructor(x: number, y: number, z: number) {
    this.x = x
    this.y = y
    this.z = z
  }
}

export function vec3(x = 0, y = 0, z = 0): Vec3 {
  return new Vector(x, y, z)
}

/** Read only: no velocity, no turn, no acceleration, no axis, the origin. */
export const ZERO: Vec3Like = vec3()

// Fields are written one by one and not by `set`: numbers passed to a function that is not inlined are boxed,
// and these functions run a hundred times per ship and step.

export function set(out: Vec3, x: number, y: number, z: number): Vec3 {
  out.x = x
  out.y = y
  out.z = z
  return out
}

export function copy(out: Vec3, a: Vec3Like): Vec3 {
  out.x = a.x
  out.y = a.y
  out.z = a.z
  return out
}

export function add(out: Vec3, a: Vec3Like, b: Vec3Like): Vec3 {
  out.x = a.x + b.x
  out.y = a.y + b.y
  out.z = a.z + b.z
  return out
}

export function sub(out: Vec3, a: Vec3Like, b: Vec3Like): Vec3 {
  out.x = a.x - b.x
  out.y = a.y - b.y
  out.z = a.z - b.z
  return out
}

export function scale(out: Vec3, a: Vec3Like, k: number): Vec3 {
  out.x = a.x * k
  out.y = a.y * k
  out.z = a.z * k
  return out
}

/** `a + k · b` */
export function addScaled(out: Vec3, a: Vec3Like, b: Vec3Like, k: number): Vec3 {
  out.x = a.x + b.x * k
  out.y = a.y + b.y * k
  out.z = a.z + b.z * k
  return out
}

/** The point at the share `share` of the way from `a` to `b`. `out` may not be `b`. */
export function lerp(out: Vec3, a: Vec3Like, b: Vec3Like, share: number): Vec3 {
  return addScaled(out, scale(out, a, 1 - share), b, share)
}

export function cross(out: Vec3, a: Vec3Like, b: Vec3Like): Vec3 {
  const x = a.y * b.z - a.z * b.y
  const y = a.z * b.x - a.x * b.z
  const z = a.x * b.y - a.y * b.x
  out.x = x
  out.y = y
  out.z = z
  return out
}

export function dot(a: Vec3Like, b: Vec3Like): number {
  return a.x * b.x + a.y * b.y + a.z * b.z
}

export function lengthSq({ x, y, z }: Vec3Like): number {
  return x * x + y * y + z * z
}

/** Length, without overflow or underflow for huge and tiny vectors. */
export function length(a: Vec3Like): number {
  const sq = lengthSq(a)
  return sq > 1e-280 && sq < 1e280 ? Math.sqrt(sq) : 1 * extremeLength(a)
}

/**
 * Apart from `length`, so that V8 inlines that one: a number that a call returns is boxed, and if one of two
 * values is, the other one as well, unless a multiplication says that it is a number.
 */
function extremeLength(a: Vec3Like): number {
  return isZero(a) ? 0 : Math.hypot(a.x, a.y, a.z)
}

/** As `Math.hypot` of V8, bit for bit, which allocates and takes four times as long. */
export function distance(a: Vec3Like, b: Vec3Like): number {
  const x = Math.abs(a.x - b.x)
  const y = Math.abs(a.y - b.y)
  const z = Math.abs(a.z - b.z)
  const most = Math.max(x, y, z)
  if (!(most > 0 && most < Infinity)) return most === 0 ? 0 : Math.hypot(x, y, z)
  const xx = (x / most) ** 2
  const yy = (y / most) ** 2
  const sum = xx + yy
  return Math.sqrt(sum + ((z / most) ** 2 - (sum - xx - yy))) * most
}

/** Unit vector along `a`; zero remains zero. Huge and tiny vectors do not overflow or underflow. */
export function normalize(out: Vec3, a: Vec3Like): Vec3 {
  const { x, y, z } = a
  const d = length(a)
  out.x = d > 0 ? x / d : 0
  out.y = d > 0 ? y / d : 0
  out.z = d > 0 ? z / d : 0
  return out
}

/** `a`, shortened to the length `max` if it is longer. */
export function truncate(out: Vec3, a: Vec3Like, max: number): Vec3 {
  const { x, y, z } = a
  const d = length(a)
  const k = d > max ? max / d : 1
  out.x = x * k
  out.y = y * k
  out.z = z * k
  return out
}

/** The part of `a` at right angles to the unit vector `n`. */
export function reject(out: Vec3, a: Vec3Like, n: Vec3Like): Vec3 {
  const { x, y, z } = a
  const along = x * n.x + y * n.y + z * n.z
  out.x = x - along * n.x
  out.y = y - along * n.y
  out.z = z - along * n.z
  return out
}

/** A unit vector at right angles to the unit vector `n`; works for every `n`. */
export function perpendicular(out: Vec3, n: Vec3Like): Vec3 {
  const ax = Math.abs(n.x)
  const ay = Math.abs(n.y)
  const az = Math.abs(n.z)
  // cross product with the axis that is farthest from n
  if (ax <= ay && ax <= az) set(out, 0, n.z, -n.y)
  else if (ay <= az) set(out, -n.z, 0, n.x)
  else set(out, n.y, -n.x, 0)
  return normalize(out, out)
}

export function isFiniteVec(a: Vec3Like): boolean {
  return Number.isFinite(a.x) && Number.isFinite(a.y) && Number.isFinite(a.z)
}

export function isZero(a: Vec3Like): boolean {
  return a.x === 0 && a.y === 0 && a.z === 0
}

/** Reads a vector from a column, from index `offset` on. */
export function load(out: Vec3, column: Float64Array, offset: number): Vec3 {
  out.x = column[offset]!
  out.y = column[offset + 1]!
  out.z = column[offset + 2]!
  return out
}

/** Writes a vector to a column, from index `offset` on. */
export function save({ x, y, z }: Vec3Like, column: Float64Array, offset: number): void {
  column[offset] = x
  column[offset + 1] = y
  column[offset + 2] = z
}
