import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BoxShape, Obstacles, type Vec3Like } from 'three-steering'
import { sweepConvex } from '../../src/core/obstacles/sweep.js'
import { direction, number, plus, times, v } from '../support/geometry.js'
import { law } from '../support/law.js'

const extent = fc.oneof(fc.constant(1), number(0.01, 3))
const extents = fc.tuple(extent, extent, extent).map(([x, y, z]) => v(x, y, z))
/** Places beside, on and within the slabs between the faces. */
const coordinate = fc.oneof(fc.constantFrom(0, 1, -1, 1.5, -1.5), number(-6, 6))
const place = fc.tuple(coordinate, coordinate, coordinate).map(([x, y, z]) => v(x, y, z))
const way = fc.oneof(
  direction(),
  fc.constantFrom(v(1, 0, 0), v(0, -1, 0), v(0, 0, 1), v(Math.SQRT1_2, -Math.SQRT1_2, 0)),
)
const radius = fc.oneof(fc.constantFrom(0, 0.5, 1), number(0, 3))
const scale = fc.constantFrom(1e-6, 1, 1e6)

/** By Newton's method, for any convex shape. */
const stepwise = (shape: BoxShape, at: Vec3Like, along: Vec3Like, r: number, limit: number): number =>
  sweepConvex(shape, at, along, r, limit)

law(
  'a ball that flies towards a box touches it where the method for all convex shapes finds it',
  [extents, place, way, radius, scale],
  (half, at, along, r, k) => {
    const box = new BoxShape(times(half, k))
    const [origin, ball] = [times(at, k), r * k]
    const t = box.sweep(origin, along, ball, Infinity)
    const other = stepwise(box, origin, along, ball, Infinity)
    if (t < Infinity && other < Infinity) {
      const depth = box.distance(plus(origin, along, t), v(0, 0, 0)) - ball
      // a path that grazes meets the grown box at a small angle: the distance to the box is compared there
      if (Math.abs(t - other) > 1e-9 * k) expect(Math.abs(depth)).toBeLessThan(1e-9 * k)
      return
    }
    if (t === other) return
    // only one of them touches: a path that just grazes
    const touch = Math.min(t, other)
    const depth = (s: number): number => box.distance(plus(origin, along, s), v(0, 0, 0)) - ball
    for (let i = 0; i <= 50; i++) expect(depth(touch + (i / 25) * k)).toBeGreaterThan(-1e-7 * k)
  },
  2000,
)

law(
  'a ball that starts in a box is stopped or not as by the method for all convex shapes',
  [extents, fc.tuple(number(-1, 1), number(-1, 1), number(-1, 1)), way, radius],
  (half, [x, y, z], along, r) => {
    const box = new BoxShape(half)
    const at = v(x * half.x, y * half.y, z * half.z)
    expect(box.sweep(at, along, r, 9)).toBe(stepwise(box, at, along, r, 9))
  },
  300,
)

it('a path without direction touches nothing', () => {
  const box = new BoxShape({ x: 1, y: 1, z: 1 })
  for (const at of [v(3, 0, 0), v(0, 0, 0), v(1.5, 1.5, 0)])
    expect(box.sweep(at, v(0, 0, 0), 0.6, Infinity)).toBe(Infinity)
})

it('a ball passes close to an edge and a corner without a touch, and a little nearer it touches', () => {
  const box = new BoxShape({ x: 1, y: 1, z: 1 })
  const off = (d: number): number => 1 + d / Math.SQRT2
  const along = v(Math.SQRT1_2, -Math.SQRT1_2, 0)
  // past the edge at (1, 1), square to it
  expect(box.sweep(plus(v(off(1.001), off(1.001), 0), along, -5), along, 1, Infinity)).toBe(Infinity)
  expect(box.sweep(plus(v(off(0.999), off(0.999), 0), along, -5), along, 1, Infinity)).toBeCloseTo(
    5 - Math.sqrt(1 - 0.999 ** 2),
    9,
  )
  // past the corner (1, 1, 1), square to its diagonal
  const at = (d: number): Vec3Like => times(v(1, 1, 1), 1 + d / Math.sqrt(3))
  expect(box.sweep(plus(at(1.001), along, -5), along, 1, Infinity)).toBe(Infinity)
  expect(box.sweep(plus(at(0.999), along, -5), along, 1, Infinity)).toBeCloseTo(
    5 - Math.sqrt(1 - 0.999 ** 2),
    9,
  )
})

it('a subclass that has its own sweep is swept by it', () => {
  class Veil extends BoxShape {
    override sweep(): number {
      return 0.5
    }
  }
  const halfExtents = v(1, 1, 1)
  const sweep = (shape: BoxShape): number | undefined =>
    new Obstacles([{ shape }]).sweep(v(-9, 0, 0), v(1, 0, 0), 1)?.distance
  expect(sweep(new BoxShape(halfExtents))).toBeCloseTo(7, 12)
  expect(sweep(new Veil(halfExtents))).toBe(0.5)
})
