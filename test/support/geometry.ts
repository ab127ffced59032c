import fc, { type Arbitrary } from 'fast-check'
import { expect } from 'vitest'
import type { Quat, QuatLike, Vec3, Vec3Like } from 'three-steering'
import type { FrameLike } from 'three-steering/authoring'

/**
 * A number of a range. Two of three are spread evenly. The third is a `double` of fast-check, which draws its
 * bits evenly: mostly tiny numbers, so that a vector of such numbers lies nearly along an axis.
 */
export function number(low: number, high: number): Arbitrary<number> {
  const even = fc.nat(0xffffffff).map((n) => low + (high - low) * (n / 0xffffffff))
  return fc.oneof(
    { weight: 2, arbitrary: even },
    { weight: 1, arbitrary: fc.double({ min: low, max: high, noNaN: true }) },
  )
}

export function vector(size = 100): Arbitrary<Vec3> {
  return fc.record({ x: number(-size, size), y: number(-size, size), z: number(-size, size) })
}

/** Unit vectors, including the axes and vectors near them. */
export function direction(): Arbitrary<Vec3> {
  const axis = fc.constantFrom<Vec3>(
    { x: 1, y: 0, z: 0 },
    { x: -1, y: 0, z: 0 },
    { x: 0, y: 1, z: 0 },
    { x: 0, y: -1, z: 0 },
    { x: 0, y: 0, z: 1 },
    { x: 0, y: 0, z: -1 },
  )
  const near = fc
    .tuple(axis, vector(1e-6))
    .map(([a, b]) => unit({ x: a.x + b.x, y: a.y + b.y, z: a.z + b.z }))
  const any = vector(1)
    .filter((v) => norm(v) > 1e-3)
    .map(unit)
  return fc.oneof(
    { weight: 1, arbitrary: axis },
    { weight: 1, arbitrary: near },
    { weight: 4, arbitrary: any },
  )
}

/** Rotations, including the identity and half turns. */
export function rotation(): Arbitrary<Quat> {
  const angle = fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(0, Math.PI, -Math.PI, Math.PI / 2, 1e-9, Math.PI - 1e-9) },
    { weight: 4, arbitrary: number(-Math.PI, Math.PI) },
  )
  return fc.tuple(direction(), angle).map(([axis, a]) => about(axis, a))
}

export function v(x: number, y: number, z: number): Vec3 {
  return { x, y, z }
}

export function norm({ x, y, z }: Vec3Like): number {
  return Math.hypot(x, y, z)
}

export function unit(a: Vec3Like): Vec3 {
  const d = norm(a)
  return v(a.x / d, a.y / d, a.z / d)
}

export function dotOf(a: Vec3Like, b: Vec3Like): number {
  return a.x * b.x + a.y * b.y + a.z * b.z
}

export function crossOf(a: Vec3Like, b: Vec3Like): Vec3 {
  return v(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

export function plus(a: Vec3Like, b: Vec3Like, k = 1): Vec3 {
  return v(a.x + k * b.x, a.y + k * b.y, a.z + k * b.z)
}

export function minus(a: Vec3Like, b: Vec3Like): Vec3 {
  return plus(a, b, -1)
}

export function times(a: Vec3Like, k: number): Vec3 {
  return v(k * a.x, k * a.y, k * a.z)
}

/** Angle between two vectors (rad). Exact near 0 and π, unlike an arc cosine. */
export function angleBetween(a: Vec3Like, b: Vec3Like): number {
  return Math.atan2(norm(crossOf(a, b)), dotOf(a, b))
}

/** Angle between two attitudes (rad). */
export function angleApart(a: QuatLike, b: QuatLike): number {
  const w = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w
  const x = -b.w * a.x + b.x * a.w - b.y * a.z + b.z * a.y
  const y = -b.w * a.y + b.x * a.z + b.y * a.w - b.z * a.x
  const z = -b.w * a.z - b.x * a.y + b.y * a.x + b.z * a.w
  return 2 * Math.atan2(Math.hypot(x, y, z), Math.abs(w))
}

/** Rotation by `angle` about the unit vector `axis`. */
export function about(axis: Vec3Like, angle: number): Quat {
  const s = Math.sin(angle / 2)
  return { x: axis.x * s, y: axis.y * s, z: axis.z * s, w: Math.cos(angle / 2) }
}

/** `v` turned by the rotation matrix of `q`: independent of the library, as its oracle. */
export function turned(q: QuatLike, a: Vec3Like): Vec3 {
  const { x, y, z, w } = q
  return v(
    (1 - 2 * (y * y + z * z)) * a.x + 2 * (x * y - w * z) * a.y + 2 * (x * z + w * y) * a.z,
    2 * (x * y + w * z) * a.x + (1 - 2 * (x * x + z * z)) * a.y + 2 * (y * z - w * x) * a.z,
    2 * (x * z - w * y) * a.x + 2 * (y * z + w * x) * a.y + (1 - 2 * (x * x + y * y)) * a.z,
  )
}

export function expectVec(actual: Vec3Like, expected: Vec3Like, tolerance = 1e-9, what = ''): void {
  const off = norm(minus(actual, expected))
  if (!(off <= tolerance))
    expect.fail(`${what} got ${show(actual)}, expected ${show(expected)} ± ${tolerance}, off by ${off}`)
}

/** Equal as rotations: q and −q are the same. */
export function expectRotation(actual: QuatLike, expected: QuatLike, tolerance = 1e-9, what = ''): void {
  const size = Math.hypot(actual.x, actual.y, actual.z, actual.w)
  if (!(Math.abs(size - 1) <= 1e-9)) expect.fail(`${what} is ${size} long, a rotation is 1`)
  const off = angleApart(actual, expected)
  if (!(off <= tolerance)) expect.fail(`${what} is off by ${off} rad, allowed ${tolerance}`)
}

/** Unit axes at right angles, right-handed. */
export function expectFrame({ x, y, z }: FrameLike, tolerance = 1e-9): void {
  for (const axis of [x, y, z]) expect(Math.abs(norm(axis) - 1)).toBeLessThanOrEqual(tolerance)
  expectVec(z, crossOf(x, y), tolerance, 'z axis')
  expect(Math.abs(dotOf(x, y))).toBeLessThanOrEqual(tolerance)
}

export function expectFinite(a: Vec3Like, what = ''): void {
  if (!Number.isFinite(a.x + a.y + a.z)) expect.fail(`${what} got ${show(a)}, expected finite numbers`)
}

function show({ x, y, z }: Vec3Like): string {
  return `(${x}, ${y}, ${z})`
}
