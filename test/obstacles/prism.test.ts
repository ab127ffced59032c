import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  HollowShape,
  Obstacle,
  PrismShape,
  SteeringWorld,
  within,
  type PlanPoint,
  type Vec3Like,
} from 'three-steering'
import { seeded, type OutlineSink } from 'three-steering/authoring'
import { direction, dotOf, minus, norm, number, plus, times, v } from '../support/geometry.js'
import { law } from '../support/law.js'
import { fly, pilot } from '../support/pilot.js'
import { concavePrism, PLANS, spot } from './kit.js'

const scratch = v(0, 0, 0)

const plan = (...numbers: number[]): PlanPoint[] =>
  Array.from({ length: numbers.length / 2 }, (_, i) => ({ x: numbers[2 * i]!, z: numbers[2 * i + 1]! }))

describe('a concave prism', () => {
  law('is supported by the farthest point of its surface', [concavePrism, direction()], (known, way) => {
    const reach = known.shape.support(way)
    const random = seeded(11)
    let most = -Infinity
    for (let i = 0; i < 2000; i++)
      most = Math.max(most, dotOf(known.surface(random(), random(), random()), way))
    expect(most).toBeLessThanOrEqual(reach + 1e-9 * known.size)
    expect(most).toBeGreaterThan(reach - 0.3 * known.size)
  })

  law(
    'is cleared by a ball as soon as steps along the path find it free',
    [concavePrism, spot, direction(), number(0, 0.5)],
    (known, at, way, part) => {
      const { shape, size } = known
      const [origin, radius] = [times(at, size / 2), part * size]
      fc.pre(shape.distance(origin, scratch) < radius)
      let t = 0
      // the distance changes by at most the distance moved, so no free place is jumped over
      for (let i = 0; i < 1e5; i++) {
        const missing = radius - shape.distance(plus(origin, way, t), scratch)
        if (missing <= 0) break
        t += Math.max(missing, 1e-4 * size)
      }
      const left = shape.leave(origin, way, radius)
      // along a path that is nearly parallel to a face, a tiny clearance is a long way
      const clearance = shape.distance(plus(origin, way, left), scratch) - radius
      if (!(clearance < 1e-10 * size)) expect(left).toBeLessThanOrEqual(t + 1e-6 * size)
      // steps may pass a gap that is narrower than they are, not one that the way out passes
      expect(left).toBeGreaterThan(0)
    },
  )

  law(
    'lets a point inside fly until it is deeper in than at the start',
    [concavePrism, number(0, 1), number(0, 1), number(1e-3, 0.1), number(0, 6.3), number(-0.2, 0.2)],
    (known, a, b, depth, turn, rise) => {
      const { shape, size } = known
      const outward = v(0, 0, 0)
      // not in the middle, where floor and ceiling are as near
      const edge = known.surface(a, b, 0.37)
      shape.distance(plus(edge, edge, 1e-9), outward)
      const origin = plus(edge, outward, -depth * size)
      const aside = v(Math.cos(turn) * Math.cos(rise), Math.sin(rise), Math.sin(turn) * Math.cos(rise))
      const way = times(aside, dotOf(aside, outward) < 0 ? -1 : 1)
      const start = shape.distance(origin, scratch)
      const gain = (t: number): number => shape.distance(plus(origin, way, t), scratch) - start
      fc.pre(start < 0 && gain(1e-4 * size) > 1e-5 * size)
      const t = shape.sweep(origin, way, 0, Infinity)
      let [before, s] = [0, 0]
      for (; s < 4 * size && gain(s) > -1e-6 * size; before = s) s += Math.max(gain(s), 2e-3 * size)
      if (s < 4 * size) expect(t).toBeLessThan(s + 1e-5 * size)
      if (t < 4 * size) expect(Math.abs(gain(t))).toBeLessThan(1e-6 * size)
      // steps may pass a deeper place that is shorter than they are
      const isDeeper = Array.from({ length: 100 }, (_, i) => gain(t + i * 4e-5 * size)).some(
        (each) => each < 0,
      )
      if (!isDeeper) expect(t).toBeGreaterThan(Math.min(before, 4 * size) - 4e-3 * size)
    },
    300,
  )

  law(
    'has its silhouette, from any place outside, on the circles of its parts',
    [
      concavePrism,
      direction(),
      number(1.5, 5),
      number(0, 0.2),
      fc.array(direction(), { minLength: 8, maxLength: 8 }),
    ],
    ({ shape, size }, aside, far, part, ways) => {
      const [from, radius] = [times(aside, far * size), part * size]
      fc.pre(shape.distance(from, scratch) > 1.01 * radius + 1e-3 * size)
      const circles: { axis: Vec3Like; cosine: number }[] = []
      const rim: OutlineSink = {
        circle: (x, y, z, cosine) => circles.push({ axis: v(x, y, z), cosine }),
        arc: () => undefined,
      }
      shape.outline!(from, radius, rim)
      const hits = (way: Vec3Like): boolean => shape.sweep(from, way, radius, Infinity) < Infinity
      const toOrigin = times(aside, -1)
      for (const one of ways) {
        // from one direction beside the shape over it to the other
        const fan = Array.from({ length: 41 }, (_, i) => plus(toOrigin, one, (i / 20 - 1) / far))
        for (let i = 1; i < fan.length; i++) {
          let [low, high] = [fan[i - 1]!, fan[i]!].map((way) => times(way, 1 / norm(way))) as [
            Vec3Like,
            Vec3Like,
          ]
          const isHit = hits(low)
          if (isHit === hits(high)) continue
          for (let k = 0; k < 45; k++) {
            const sum = plus(low, high)
            const middle = times(sum, 1 / norm(sum))
            if (hits(middle) === isHit) low = middle
            else high = middle
          }
          const nearest = Math.min(...circles.map(({ axis, cosine }) => Math.abs(dotOf(axis, low) - cosine)))
          expect(nearest).toBeLessThan(1e-6)
        }
      }
    },
    60,
  )

  it.each(Object.entries(PLANS))(
    'from %s: either direction of rotation gives the same prism',
    (_, corners) => {
      const one = new PrismShape(corners, 3)
      const other = new PrismShape([...corners].reverse(), 3)
      const random = seeded(5)
      const normal = v(0, 0, 0)
      expect(one.convex).toBe(false)
      for (let i = 0; i < 200; i++) {
        const point = v(12 * random() - 4, 6 * random() - 1, 12 * random() - 4)
        expect(one.distance(point, scratch)).toBeCloseTo(other.distance(point, normal), 12)
        expect(norm(minus(scratch, normal))).toBeLessThan(1e-9)
      }
    },
  )

  it('lets a ball slide over the seams of its parts, inside of the yard and on top', () => {
    for (const corners of Object.values(PLANS)) {
      const shape = new PrismShape(corners, 3)
      let slides = 0
      for (const way of [v(1, 0, 0), v(0, 0, 1), v(0.6, 0, -0.8)])
        for (const sunk of [0, 1e-13, -1e-13])
          for (let i = 0; i < 36; i++) {
            const start = v(0.3 + (i % 6), 3.5 - sunk, 0.2 + Math.floor(i / 6))
            if (shape.distance(start, scratch) > 0.5 + 1e-9) continue
            slides++
            expect(shape.sweep(start, way, 0.5, Infinity)).toBe(Infinity)
          }
      expect(slides).toBeGreaterThan(8)
    }
    const yard = new PrismShape(PLANS['yard']!, 3)
    expect(yard.sweep(v(-1, 1.5, -0.5), v(1, 0, 0), 0.5, Infinity)).toBeCloseTo(2.5, 6)
    // in the yard: back wall ahead, then out of the gate
    expect(yard.sweep(v(0, 1.5, 2), v(0, 0, -1), 0.5, Infinity)).toBeCloseTo(2.5, 12)
    expect(yard.sweep(v(0, 1.5, 2), v(0, 0, 1), 0.5, Infinity)).toBe(Infinity)
    // out of the wall of one side into the yard, and not through the other side
    expect(yard.leave(v(-2.5, 1.5, 2), v(1, 0, 0), 0.25)).toBeCloseTo(0.75, 9)
    // too large for the yard
    expect(yard.leave(v(-2.5, 1.5, 2), v(1, 0, 0), 2.1)).toBeCloseTo(7.6, 9)
  })
})

describe('a convex prism', () => {
  it('is a room when it is hollow', () => {
    const room = new HollowShape(new PrismShape(plan(0, 0, 6, 0, 8, 4, 3, 7, -1, 3), 3))
    expect(room.distance(v(3, 1.5, 3), scratch)).toBeCloseTo(1.5, 12)
    expect(new PrismShape(plan(0, 0, 6, 0, 8, 4), 3).faceNormals).toHaveLength(15)
  })

  it('may have corners on a straight wall', () => {
    const shape = new PrismShape(plan(0, 0, 2, 0, 4, 0, 4, 3, 0, 3), 1)
    expect(shape.convex).toBe(true)
    expect(shape.distance(v(2, 0.5, -1), scratch)).toBe(1)
    expect(shape.sweep(v(0.5, 0.5, -0.5), v(1, 0, 0), 0.5, Infinity)).toBe(Infinity)
  })
})

it('a concave prism cannot be hollow', () => {
  expect(() => new HollowShape(new PrismShape(PLANS['ell']!, 1))).toThrow('HollowShape.inner')
})

describe('an agent', () => {
  const flight = (shape: PrismShape, position: Vec3Like, target: Vec3Like, seconds: number) => {
    const world = new SteeringWorld()
    const obstacle = new Obstacle({ shape })
    const behavior = within([new AvoidObstacles({ obstacles: [obstacle] })], new Arrive({ target }))
    const ship = pilot(behavior, { position, radius: 0.4, maxForce: 20 })
    world.add(ship)
    let closest = Infinity
    fly({ world }, seconds, 1 / 60, () => {
      closest = Math.min(closest, obstacle.distance(ship.position, scratch))
    })
    return { closest, left: norm(minus(ship.position, target)) }
  }

  it('flies out of a yard to a goal behind its back wall', () => {
    const yard = new PrismShape(
      PLANS['yard']!.map(({ x, z }) => ({ x: 3 * x, z: 3 * z })),
      8,
    )
    const { closest, left } = flight(yard, v(0, 4, 0), v(0, 4, -20), 40)
    expect(closest).toBeGreaterThan(0.4 * 0.99)
    expect(left).toBeLessThan(0.2)
  })

  it('flies along a concave wall without contact', () => {
    const comb = new PrismShape(
      PLANS['comb']!.map(({ x, z }) => ({ x: 4 * x, z: 4 * z })),
      9,
    )
    const { closest, left } = flight(comb, v(-6, 4, 9), v(36, 4, 7), 40)
    expect(closest).toBeGreaterThan(0.4 * 0.99)
    expect(left).toBeLessThan(0.2)
  })

  it('inside a wall of the yard leaves it', () => {
    const yard = new PrismShape(
      PLANS['yard']!.map(({ x, z }) => ({ x: 3 * x, z: 3 * z })),
      8,
    )
    const { left } = flight(yard, v(-7.5, 4, 5), v(-20, 4, 5), 20)
    expect(left).toBeLessThan(0.2)
  })
})

describe('a floor plan with edges on one line', () => {
  it('is simple, however it is turned', () => {
    for (let k = 0; k < 400; k++) {
      const turn = 0.0157 * k
      const corners = PLANS['yard']!.map(({ x, z }) => ({
        x: Math.cos(turn) * x - Math.sin(turn) * z,
        z: Math.sin(turn) * x + Math.cos(turn) * z,
      }))
      expect(() => new PrismShape(corners, 1)).not.toThrow()
    }
  })
})
