import { describe, expect, it } from 'vitest'
import {
  add,
  addScaled,
  copy,
  cross,
  distance,
  dot,
  isFiniteVec,
  length,
  lengthSq,
  normalize,
  perpendicular,
  reject,
  scale,
  sub,
  truncate,
  vec3,
} from '../../src/core/math/vec3.js'
import { direction, expectVec, number, times, v, vector } from '../support/geometry.js'
import { law } from '../support/law.js'

describe('vec3', () => {
  law('sub reverses add', [vector(), vector()], (a, b) => {
    expectVec(sub(vec3(), add(vec3(), a, b), b), a, 1e-12)
    expectVec(addScaled(vec3(), a, b, -1), sub(vec3(), a, b), 0)
  })

  law('|a × b|² + (a · b)² = |a|² |b|² (Lagrange)', [vector(), vector()], (a, b) => {
    const left = lengthSq(cross(vec3(), a, b)) + dot(a, b) ** 2
    expect(Math.abs(left - lengthSq(a) * lengthSq(b))).toBeLessThanOrEqual(1e-9 * (1 + left))
  })

  it('x × y = z: right-handed', () => {
    expectVec(cross(vec3(), v(1, 0, 0), v(0, 1, 0)), v(0, 0, 1), 0)
  })

  law('every function may write to its input', [vector(), vector(), direction()], (a, b, n) => {
    const functions = [
      (out: typeof a, one: typeof a, two: typeof a) => add(out, one, two),
      (out: typeof a, one: typeof a, two: typeof a) => sub(out, one, two),
      (out: typeof a, one: typeof a, two: typeof a) => cross(out, one, two),
      (out: typeof a, one: typeof a, two: typeof a) => addScaled(out, one, two, 3),
      (out: typeof a, one: typeof a) => scale(out, one, -2),
      (out: typeof a, one: typeof a) => normalize(out, one),
      (out: typeof a, one: typeof a) => truncate(out, one, 1),
      (out: typeof a, one: typeof a) => reject(out, one, n),
    ]
    for (const each of functions) {
      const fresh = each(vec3(), a, b)
      const first = copy(vec3(), a)
      const second = copy(vec3(), b)
      expectVec(each(first, first, b), fresh, 0)
      expectVec(each(second, a, second), fresh, 0)
    }
    const own = copy(vec3(), n)
    expectVec(perpendicular(own, own), perpendicular(vec3(), n), 0)
  })

  law('normalize keeps the direction for any length', [direction(), number(-300, 300)], (n, exponent) => {
    const a = times(n, 10 ** exponent)
    expectVec(normalize(vec3(), a), n, 1e-12)
    expect(length(a) / 10 ** exponent).toBeCloseTo(1, 12)
    expectVec(truncate(vec3(), a, 1), exponent > 0 ? n : a, 1e-12)
  })

  it('the smallest number has a direction, zero has none', () => {
    expectVec(normalize(vec3(), v(0, -5e-324, 0)), v(0, -1, 0), 0)
    expectVec(normalize(vec3(), v(0, 0, 0)), v(0, 0, 0), 0)
  })

  law('truncate shortens only vectors longer than the limit', [vector(), number(0, 300)], (a, max) => {
    const cut = truncate(vec3(), a, max)
    if (Math.hypot(a.x, a.y, a.z) <= max) expect(cut).toEqual(a)
    else expect(length(cut)).toBeCloseTo(max, 9)
    expectVec(truncate(vec3(), a, Infinity), a, 0)
    expectVec(truncate(vec3(), a, 0), v(0, 0, 0), 0)
  })

  law('reject keeps the component at right angles', [vector(), direction()], (a, n) => {
    const rest = reject(vec3(), a, n)
    expect(Math.abs(dot(rest, n))).toBeLessThan(1e-12)
    expectVec(addScaled(vec3(), rest, n, dot(a, n)), a, 1e-12)
  })

  law('perpendicular is a unit vector at right angles, for every direction', [direction()], (n) => {
    const p = perpendicular(vec3(), n)
    expect(Math.abs(dot(p, n))).toBeLessThan(1e-15)
    expect(length(p)).toBeCloseTo(1, 12)
  })

  law('distance is the length of the difference, in either order', [vector(), vector()], (a, b) => {
    expect(distance(a, b)).toBe(distance(b, a))
    expect(distance(a, b)).toBeCloseTo(length(sub(vec3(), a, b)), 9)
  })

  it('distance does not overflow', () => {
    expect(distance(v(3e200, 0, 0), v(0, 4e200, 0))).toBeCloseTo(5e200, -187)
  })

  it('isFiniteVec is false if one number is not finite', () => {
    expect(isFiniteVec(v(1, 2, 3))).toBe(true)
    for (const bad of [NaN, Infinity, -Infinity])
      for (const axis of ['x', 'y', 'z'] as const)
        expect(isFiniteVec({ ...v(1, 2, 3), [axis]: bad })).toBe(false)
  })
})
