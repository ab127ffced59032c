import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  BoxShape,
  CapsuleShape,
  CylinderShape,
  HalfSpaceShape,
  HollowShape,
  SphereShape,
  type Shape,
  type Vec3Like,
} from 'three-steering'
import { direction, norm, number, plus, times, v } from '../support/geometry.js'
import { law } from '../support/law.js'
import { all, bounded, convex, hollow, spot } from './kit.js'

const scratch = v(0, 0, 0)

/** Clearance of a ball after it has flown `t`, m. */
function clearance(shape: Shape, origin: Vec3Like, way: Vec3Like, radius: number): (t: number) => number {
  return (t) => shape.distance(plus(origin, way, t), scratch) - radius
}

/** Least and greatest value up to `end`, from many samples, densest at the start. */
function range(f: (t: number) => number, end: number): { least: number; most: number } {
  let least = Infinity
  let most = -Infinity
  for (let i = 0; i < 200; i++) {
    const value = f(end * (i / 199) ** 2)
    least = Math.min(least, value)
    most = Math.max(most, value)
  }
  return { least, most }
}

const share = fc.oneof(fc.constantFrom(0, 0.5, 1), number(0, 1.5))

describe.each(Object.keys(all))('a ball that flies towards a %s', (name) => {
  const shapes = all[name]!
  /** Inside a hollow shape there is less room than around others. */
  const spread = name.startsWith('hollow') ? 0.2 : 1

  law(
    'is stopped where it first touches, or not at all',
    [shapes, spot, direction(), share],
    (known, at, way, part) => {
      const { shape, size } = known
      const [origin, radius] = [times(at, spread * size), part * spread * size]
      const f = clearance(shape, origin, way, radius)
      const slight = 1e-8 * size
      fc.pre(f(0) > slight)
      const t = shape.sweep(origin, way, radius, Infinity)
      expect(t).toBeGreaterThan(0)
      if (name.startsWith('hollow')) expect(t).toBeLessThan(Infinity)
      expect(range(f, Math.min(t, 20 * size)).least).toBeGreaterThan(-slight)
      // so slanted that rounding moves the point of contact
      if (t > 1e5 * size) return
      expect(Math.abs(f(t))).toBeLessThan(slight)
      // to a millionth of the distance
      expect(f(t * (1 - 1e-6) - 1e-9 * size)).toBeGreaterThan(-4e-12 * size)
      // and behind it the ball would be inside, unless it just grazes
      if (range(f, 3 * t).least < -slight) expect(f(t * (1 + 1e-6) + 1e-9 * size)).toBeLessThan(4e-12 * size)
      expect(shape.sweep(origin, way, radius, t * 0.99)).toBe(Infinity)
      expect(shape.sweep(origin, way, radius, t * 1.01)).toBe(t)
    },
    200,
  )

  law(
    'and overlaps it is stopped where it would get deeper in than at the start',
    [shapes, spot, direction(), share],
    (known, at, way, part) => {
      const { shape, size } = known
      const [origin, radius] = [times(at, size), part * size]
      const f = clearance(shape, origin, way, radius)
      const slight = 1e-7 * size
      fc.pre(f(0) < -slight)
      const t = shape.sweep(origin, way, radius, Infinity)
      const slope = (f(slight) - f(0)) / slight
      if (slope < -1e-3) expect(t).toBeLessThan(1e-5 * size)
      // not where it first gets slightly deeper, through the exact centre
      if (slope < 1e-3 || !(f(slight / 100) > f(0))) return
      expect(range(f, Math.min(t, 20 * size)).least).toBeGreaterThan(f(0) - slight)
      if (convex[name] !== undefined) expect(t).toBe(Infinity)
      else if (name.includes('hollow') || t < Infinity) expect(Math.abs(f(t) - f(0))).toBeLessThan(slight)
    },
    200,
  )

  law(
    'and overlaps it is clear again where it leaves, or never',
    [shapes, spot, direction(), share],
    (known, at, way, part) => {
      const { shape, size } = known
      const [origin, radius] = [times(at, size), part * size]
      const f = clearance(shape, origin, way, radius)
      const slight = 1e-8 * size
      const t = shape.leave(origin, way, radius)
      if (f(0) >= slight) expect(t).toBe(0)
      if (bounded[name] !== undefined) expect(t).toBeLessThan(Infinity)
      if (!(f(0) < -slight)) return
      expect(t).toBeGreaterThan(0)
      expect(range(f, Math.min(t, 20 * size)).most).toBeLessThan(slight)
      if (t === Infinity) return
      expect(Math.abs(f(t))).toBeLessThan(slight)
      // not where it fits exactly into a room
      if (range(f, 3 * t).most > slight)
        expect(f(t * (1 + 1e-6) + 1e-9 * size)).toBeGreaterThan(-4e-12 * size)
    },
    200,
  )

  law(
    'gives finite numbers or Infinity, however far, near, small or slanted',
    [shapes, spot, direction(), fc.constantFrom(1e-9, 1, 1e9), fc.constantFrom(0, 1e-9, 1, 1e9)],
    ({ shape }, at, way, far, radius) => {
      const t = shape.sweep(times(at, far), way, radius, Infinity)
      const out = shape.leave(times(at, far), way, radius)
      expect(t >= 0).toBe(true)
      expect(out >= 0).toBe(true)
    },
  )
})

describe.each(Object.keys(bounded))('from 1e9 m away a %s', (name) => {
  law('is hit in its middle and missed beside', [bounded[name]!, direction()], (known, way) => {
    const { shape, size } = known
    const far = 1e9 * size
    // somewhere inside
    const middle = (x: number, y: number, z: number): number =>
      (shape.support(v(x, y, z)) - shape.support(v(-x, -y, -z))) / 2
    const inner = v(middle(1, 0, 0), middle(0, 1, 0), middle(0, 0, 1))
    fc.pre(shape.distance(inner, scratch) < -1e-3 * size)
    const t = shape.sweep(plus(inner, way, -far), way, 0, Infinity)
    expect(Math.abs(t - far)).toBeLessThan(2 * size)
    expect(shape.sweep(plus(inner, way, far), way, 0, Infinity)).toBe(Infinity)
    const aside = Math.abs(way.x) < 0.9 ? v(1, 0, 0) : v(0, 1, 0)
    const beside = plus(
      plus(inner, way, -far),
      plus(aside, way, -(way.x * aside.x + way.y * aside.y)),
      10 * size,
    )
    expect(shape.sweep(beside, way, 0, Infinity)).toBe(Infinity)
  })
})

describe('a ball that grazes', () => {
  const shapes: [string, Shape, number][] = [
    ['sphere', new SphereShape(2), 2],
    ['box', new BoxShape({ x: 9, y: 2, z: 9 }), 2],
    ['capsule', new CapsuleShape(2, 5), 4.5],
    ['cylinder', new CylinderShape(5, 4), 2],
  ]

  it.each(shapes)('a %s is distinguished from one that misses, to 1e-9', (_name, shape, top) => {
    const from = (above: number): Vec3Like => v(-30, top + 0.5 + above, 0)
    const way = v(1, 0, 0)
    expect(shape.sweep(from(1e-9), way, 0.5, Infinity)).toBe(Infinity)
    const t = shape.sweep(from(-1e-9), way, 0.5, Infinity)
    expect(t).toBeGreaterThan(10)
    expect(t).toBeLessThan(30)
  })

  it('slides along a face that it touches, or overlaps a little', () => {
    for (const shape of [new BoxShape({ x: 9, y: 2, z: 9 }), new HalfSpaceShape()])
      for (const sunk of [0, 1e-12, 1e-3])
        for (const slant of [0, 1e-17, -1e-17, 1e-12, -1e-12]) {
          const y = (shape instanceof BoxShape ? 2 : 0) + 0.5 - sunk
          expect(shape.sweep(v(0, y, 0), v(1, slant, 0), 0.5, Infinity)).toBe(Infinity)
        }
  })

  it('slides along the wall of a room up to the next wall', () => {
    const room = new HollowShape(new BoxShape({ x: 9, y: 2, z: 9 }))
    for (const sunk of [0, 1e-12, 1e-3])
      for (const slant of [0, 1e-17, -1e-17, 1e-12, -1e-12]) {
        const t = room.sweep(v(0, -1.5 - sunk, 0), v(1, slant, 0), 0.5, Infinity)
        expect(Math.abs(t - 8.5 - sunk)).toBeLessThan(1e-6)
      }
  })

  it('is stopped at once when it touches and moves in, not when it moves out', () => {
    const ball = new SphereShape(2)
    const box = new BoxShape({ x: 2, y: 2, z: 2 })
    for (const shape of [ball, box]) {
      expect(shape.sweep(v(3, 0, 0), v(-1, 0, 0), 1, Infinity)).toBe(0)
      expect(shape.sweep(v(3, 0, 0), v(1, 0, 0), 1, Infinity)).toBe(Infinity)
      expect(shape.leave(v(3, 0, 0), v(-1, 0, 0), 1)).toBe(0)
    }
  })
})

it('from the exact centre every direction leads out and none deeper in', () => {
  const shapes = [
    new SphereShape(2),
    new BoxShape({ x: 2, y: 2, z: 2 }),
    new BoxShape({ x: 2, y: 1, z: 3 }),
    new CapsuleShape(1, 3),
    new CylinderShape(1, 2),
  ]
  for (const shape of shapes)
    for (const way of fc.sample(direction(), 100)) {
      expect(shape.sweep(v(0, 0, 0), way, 0, Infinity)).toBe(Infinity)
      const out = shape.leave(v(0, 0, 0), way, 0)
      expect(Math.abs(shape.distance(times(way, out), scratch))).toBeLessThan(1e-9)
    }
})

describe.each(Object.keys(hollow))('a ball too large for a %s', (name) => {
  law('overlaps it everywhere, and never leaves it', [hollow[name]!, direction()], ({ shape, size }, way) => {
    // a component whose square is zero gives a huge number in place of infinity
    expect(shape.leave(v(0, 0, 0), way, 2 * size)).toBeGreaterThan(1e100)
    expect(shape.sweep(v(0, 0, 0), way, 2 * size, Infinity)).toBeLessThan(Infinity)
    expect(norm(way)).toBeCloseTo(1)
  })
})
