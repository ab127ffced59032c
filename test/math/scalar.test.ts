import { describe, expect, it } from 'vitest'
import { clamp, lagShare, smoothstep, TAU } from '../../src/core/math/scalar.js'
import { number } from '../support/geometry.js'
import { law } from '../support/law.js'

describe('scalar', () => {
  it('TAU is 2π', () => {
    expect(Math.sin(TAU)).toBeCloseTo(0, 15)
    expect(TAU).toBeGreaterThan(6)
  })

  law(
    'clamp keeps values within the bounds and moves others to the nearer bound',
    [number(-9, 9), number(-5, 0)],
    (x, low) => {
      expect(clamp(x, low, 3)).toBe(Math.min(3, Math.max(low, x)))
    },
  )

  law(
    'smoothstep rises from 0 to 1 and is symmetric about the middle',
    [number(0, 1), number(0, 1)],
    (a, b) => {
      const at = (t: number): number => smoothstep(2 + 6 * t, 2, 8)
      expect(at(Math.max(a, b))).toBeGreaterThanOrEqual(at(Math.min(a, b)))
      expect(at(a) + at(1 - a)).toBeCloseTo(1, 12)
    },
  )

  it('smoothstep has zero slope at both ends', () => {
    expect(smoothstep(-1, 0, 1)).toBe(0)
    expect(smoothstep(0.5, 0, 1)).toBe(0.5)
    expect(smoothstep(2, 0, 1)).toBe(1)
    expect(smoothstep(1e-4, 0, 1) / 1e-4).toBeLessThan(1e-3)
    expect((1 - smoothstep(1 - 1e-4, 0, 1)) / 1e-4).toBeLessThan(1e-3)
  })

  law(
    'lagShare of two steps equals that of one step of both lengths',
    [number(0, 2), number(0, 2)],
    (a, b) => {
      const left = (1 - lagShare(a, 0.7)) * (1 - lagShare(b, 0.7))
      expect(1 - lagShare(a + b, 0.7)).toBeCloseTo(left, 12)
    },
  )

  it('lagShare is 1 − 1/e after one time constant, and 1 for a time constant of 0', () => {
    expect(lagShare(0.3, 0.3)).toBeCloseTo(1 - 1 / Math.E, 15)
    expect(lagShare(1 / 60, 0)).toBe(1)
    expect(lagShare(1e-18, 1)).toBe(1e-18)
  })
})
