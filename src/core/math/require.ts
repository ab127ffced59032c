import type { Behavior, QuatLike, Vec3Like } from '../types.js'
import { show } from './show.js'
import { isFiniteVec, isZero } from './vec3.js'

/** Checks of arguments. Each error names the option, the value received and what is allowed. */

/** Throws a TypeError that says so. */
export function refuse(what: string, value: unknown, must: string): never {
  throw new TypeError(`${what}: got ${show(value)}, ${must}`)
}

/** As `refuse`, a RangeError. */
export function outOfRange(what: string, value: unknown, must: string): never {
  throw new RangeError(`${what}: got ${show(value)}, ${must}`)
}

/** @throws TypeError if it is no number; RangeError outside of [min, max], or at `min` when `open`. */
export function requireNumber(
  what: string,
  value: unknown,
  min: number,
  open: boolean,
  max = Infinity,
): number {
  if (typeof value !== 'number') refuse(what, value, 'must be a number')
  if (Number.isNaN(value) || value < min || (open && value === min) || value > max)
    outOfRange(what, value, `must be ${open ? '>' : '≥'} ${min}${limit(max)}`)
  return value
}

/** As `requireNumber`, and throws a RangeError for Infinity, too. */
export function requireFinite(what: string, value: unknown, min: number, open: boolean): number {
  return requireNumber(what, value, min, open, Number.MAX_VALUE)
}

/** @throws TypeError if it is not a number; RangeError if it is not whole or is outside [min, max]. */
export function requireWhole(what: string, value: unknown, min: number, max: number): number {
  const number = requireNumber(what, value, min, false, max)
  if (!Number.isInteger(number) && number !== Infinity) outOfRange(what, number, 'must be a whole number')
  return number
}

/** @throws RangeError if it is none of the allowed values. */
export function requireChoice<T>(what: string, value: T, allowed: readonly T[]): T {
  if (!allowed.includes(value)) outOfRange(what, value, `allowed are ${allowed.map(show).join(', ')}`)
  return value
}

/** @throws TypeError if x, y or z is not a number; RangeError if one is not finite. */
export function requireVector(what: string, value: Vec3Like): Vec3Like {
  const { x, y, z } = (value ?? {}) as Partial<Vec3Like>
  if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number')
    refuse(what, value, 'must have numbers x, y, z')
  if (!isFiniteVec(value)) outOfRange(what, value, 'must be finite')
  return value
}

/** @throws TypeError / RangeError if it is not a finite vector, or is zero. */
export function requireDirection(what: string, value: Vec3Like): Vec3Like {
  if (isZero(requireVector(what, value))) outOfRange(what, value, 'must not be zero')
  return value
}

/** @throws TypeError if x, y, z or w is not a number; RangeError if one is not finite, or all are 0. */
export function requireQuaternion(what: string, value: QuatLike): QuatLike {
  const { x, y, z, w } = (value ?? {}) as Partial<QuatLike>
  if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number' || typeof w !== 'number')
    refuse(what, value, 'must have numbers x, y, z, w')
  if (!Number.isFinite(x + y + z + w) || !(x * x + y * y + z * z + w * w > 1e-12))
    outOfRange(what, value, 'must be finite and not zero')
  return value
}

/** @throws TypeError if it has no method `steer`. */
export function requireBehavior(what: string, value: Behavior): Behavior {
  if (typeof value?.steer !== 'function')
    refuse(what, value, 'must be a behaviour with steer(agent, step, out); blend([a, b]) makes one of two')
  return value
}

/** @throws TypeError if it is not an object, or is null or an array. */
export function requireObject<T>(what: string, value: T): T {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    refuse(what, value, 'must be an object')
  return value
}

/** @throws TypeError if it is not a function. */
export function requireFunction<T>(what: string, value: T): T {
  if (typeof value !== 'function') refuse(what, value, 'must be a function')
  return value
}

/** For an option that its class checks by itself: gives its type only. */
export function unchecked<T>(_what: string, value: T): T {
  return value
}

/** @throws TypeError if it is not an array. */
export function requireList(what: string, value: unknown, of = 'behaviours'): void {
  if (!Array.isArray(value)) refuse(what, value, `must be an array of ${of}`)
}

function limit(max: number): string {
  if (max === Infinity) return ''
  return max === Number.MAX_VALUE ? ' and finite' : ` and ≤ ${max}`
}
