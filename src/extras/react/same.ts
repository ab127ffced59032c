import { useRef } from 'react'

/**
 * Whether two objects of options have the same values. Vectors and plain objects are compared by their
 * values, since a component may make them anew in each render.
 */
function sameOptions(a: object, b: object): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...keys].every((key) => same((a as Values)[key], (b as Values)[key]))
}

type Values = Readonly<Record<string, unknown>>

/** Whether two values of an option are the same. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (!isObject(a) || !isObject(b)) return false
  if (isVector(a) && isVector(b)) return a.x === b.x && a.y === b.y && a.z === b.z && a['w'] === b['w']
  return isPlain(a) && isPlain(b) && sameOptions(a, b)
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null
}

/** Also an instance of a class, such as a `Vector3`. */
function isVector(value: Values): value is Values & { x: number; y: number; z: number } {
  return typeof value['x'] === 'number' && typeof value['y'] === 'number' && typeof value['z'] === 'number'
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The value of an earlier render, as long as the new one is the same. */
export function useSame<T>(value: T): T {
  const ref = useRef(value)
  if (!same(ref.current, value)) ref.current = value
  return ref.current
}
