import { describe, expect, it } from 'vitest'
import type { QuatLike, Vec3Like } from 'three-steering'
import { Silhouettes } from '../../src/core/solver/silhouettes.js'
import {
  angleBetween,
  crossOf,
  direction,
  dotOf,
  number,
  plus,
  rotation,
  times,
  turned,
  unit,
  v,
} from '../support/geometry.js'
import { law } from '../support/law.js'

const STILL: QuatLike = { x: 0, y: 0, z: 0, w: 1 }

function frameOf(q: QuatLike): { x: Vec3Like; y: Vec3Like; z: Vec3Like } {
  return { x: turned(q, v(1, 0, 0)), y: turned(q, v(0, 1, 0)), z: turned(q, v(0, 0, 1)) }
}

/** Point of a direction on the YZ plane: at tan(θ/2) for an angle θ from the x axis. */
function onPlane(frame: { x: Vec3Like; y: Vec3Like; z: Vec3Like }, u: Vec3Like): { y: number; z: number } {
  const k = 1 / (1 + dotOf(u, frame.x))
  return { y: dotOf(u, frame.y) * k, z: dotOf(u, frame.z) * k }
}

/** Whether the direction is in the disc, or, if the radius is negative, outside of the circle. */
function blockedBy(discs: Silhouettes, i: number, { y, z }: { y: number; z: number }): boolean {
  const [cy, cz, radius] = [discs.data[3 * i]!, discs.data[3 * i + 1]!, discs.data[3 * i + 2]!]
  const inside = Math.hypot(y - cy, z - cz) < Math.abs(radius)
  return radius < 0 ? !inside : inside
}

/** One cone of directions on the plane of a frame. */
function discOf(q: QuatLike, axis: Vec3Like, cosine: number): Silhouettes {
  const discs = new Silhouettes()
  discs.begin(frameOf(q))
  discs.circle(axis.x, axis.y, axis.z, cosine)
  return discs
}

describe('circles of directions are circles on the YZ plane', () => {
  law(
    'which contain the directions of the cone, at any angle, also behind',
    [rotation(), direction(), number(-1, 1), direction()],
    (q, axis, cosine, u) => {
      const frame = frameOf(q)
      // the direction straight behind has no point on the plane, and a cone with an edge there has no circle,
      // see below
      if (dotOf(u, frame.x) < -1 + 1e-6 || Math.abs(dotOf(axis, frame.x) + cosine) < 1e-3) return
      const depth = dotOf(u, axis) - cosine
      // all directions, or one, are no cone: the velocity program leaves them out
      if (Math.abs(depth) < 1e-6 || Math.abs(cosine) === 1) return
      expect(blockedBy(discOf(q, axis, cosine), 0, onPlane(frame, u))).toBe(depth > 0)
    },
    800,
  )

  law(
    'and whose edge is the edge of the cone',
    [rotation(), direction(), number(0.01, Math.PI - 0.01), number(0, 2 * Math.PI)],
    (q, axis, half, turn) => {
      const frame = frameOf(q)
      if (Math.abs(dotOf(axis, frame.x) + Math.cos(half)) < 1e-3) return
      const side = unit(crossOf(axis, Math.abs(axis.x) < 0.8 ? v(1, 0, 0) : v(0, 1, 0)))
      const rim = plus(times(side, Math.cos(turn)), crossOf(axis, side), Math.sin(turn))
      const u = plus(times(axis, Math.cos(half)), rim, Math.sin(half))
      if (dotOf(u, frame.x) < -0.99) return
      const { y, z } = onPlane(frame, u)
      const { data } = discOf(q, axis, Math.cos(half))
      const off = Math.abs(Math.hypot(y - data[0]!, z - data[1]!) - Math.abs(data[2]!))
      expect(off).toBeLessThan(1e-9 * (1 + Math.abs(data[2]!)))
    },
    200,
  )

  it('an obstacle ahead is around the origin, one behind surrounds it', () => {
    const ahead = discOf(STILL, v(1, 0, 0), Math.cos(0.5))
    expect(ahead.data[0]).toBeCloseTo(0, 12)
    expect(ahead.data[2]).toBeCloseTo(Math.tan(0.25), 12)
    const behind = discOf(STILL, v(-1, 0, 0), Math.cos(0.5))
    // free within π − 0.5 of the axis
    expect(behind.data[2]).toBeCloseTo(-Math.tan((Math.PI - 0.5) / 2), 9)
    const wide = discOf(STILL, v(1, 0, 0), Math.cos(2.5))
    expect(wide.data[2]).toBeCloseTo(Math.tan(1.25), 9)
  })

  it('the plane of a wall beside the path is nearly a line through the origin', () => {
    const discs = discOf(STILL, v(0, -1, 0), 0)
    for (const angle of [0.1, 1, 2, 3]) {
      for (const tilt of [-0.5, 0.5]) {
        const u = v(Math.cos(angle), Math.sin(angle) * Math.sin(tilt), Math.sin(angle) * Math.cos(tilt))
        const point = onPlane(frameOf(STILL), u)
        expect(blockedBy(discs, 0, point)).toBe(tilt < 0)
      }
    }
  })

  // A cone with an edge straight behind is a line on the plane; as a very large circle it must pass where the
  // line does.
  for (const half of [0.5, 1, 1.4, 1.8, 2.5])
    it(`a cone of ${half} rad whose edge passes straight behind leaves the axis free`, () => {
      const away = Math.PI - half
      const axis = v(Math.cos(away), Math.sin(away), 0)
      const discs = discOf(STILL, axis, Math.cos(half))
      const frame = frameOf(STILL)
      for (let angle = -3; angle <= 3; angle += 0.05) {
        const u = v(Math.cos(angle), Math.sin(angle), 0)
        if (Math.abs(angleBetween(u, axis) - half) < 0.01) continue
        expect(blockedBy(discs, 0, onPlane(frame, u)), `at ${angle}`).toBe(angleBetween(u, axis) < half)
      }
    })
})

/** An empty plane. */
function empty(): Silhouettes {
  const discs = new Silhouettes()
  discs.begin(frameOf(STILL))
  return discs
}

describe('points of the plane', () => {
  const cones = [v(1, 0.3, 0), v(1, -0.2, 0.5), v(1, 0, 0), v(-0.2, 1, 0)].map(unit)

  it('the nearest point of an edge is on it, and none is nearer', () => {
    for (const axis of cones)
      for (const half of [0.2, 0.7, 1.4]) {
        const discs = discOf(STILL, axis, Math.cos(half))
        expect(discs.nearest(0, 1e-9, 0)).toBe(true)
        const [cy, cz, radius] = [discs.data[0]!, discs.data[1]!, discs.data[2]!]
        expect(Math.hypot(discs.y - cy, discs.z - cz)).toBeCloseTo(Math.abs(radius), 9)
        expect(Math.hypot(discs.y, discs.z)).toBeCloseTo(discs.edgeDistance(0), 6)
        for (let turn = 0; turn < 2 * Math.PI; turn += 0.1) {
          const off = Math.hypot(cy + radius * Math.cos(turn), cz + radius * Math.sin(turn))
          expect(off).toBeGreaterThan(discs.edgeDistance(0) - 1e-9)
        }
      }
  })

  it('the hint decides between equal points', () => {
    for (const [y, z] of [
      [1, 0],
      [0, -1],
      [0.6, 0.8],
    ] as const) {
      const discs = discOf(STILL, v(1, 0, 0), Math.cos(0.5))
      expect(discs.nearest(0, 0.1 * y, 0.1 * z)).toBe(true)
      expect(discs.y).toBeCloseTo(y * Math.tan(0.25), 9)
      expect(discs.z).toBeCloseTo(z * Math.tan(0.25), 9)
    }
  })

  law(
    'two edges cross in the two directions that lie on both cones',
    [direction(), direction(), number(0.2, 1.4), number(0.2, 1.4)],
    (a, b, alpha, beta) => {
      const discs = empty()
      discs.circle(a.x, a.y, a.z, Math.cos(alpha))
      discs.circle(b.x, b.y, b.z, Math.cos(beta))
      if (Math.abs(a.x + Math.cos(alpha)) < 1e-2 || Math.abs(b.x + Math.cos(beta)) < 1e-2) return
      const apart = angleBetween(a, b)
      const meet = apart < alpha + beta && apart > Math.abs(alpha - beta)
      // cones that hardly touch are tested below
      const difference = Math.min(Math.abs(apart - alpha - beta), Math.abs(apart - Math.abs(alpha - beta)))
      if (difference < 1e-3) return
      expect(discs.cross(0, 1)).toBe(meet)
      if (!meet) return
      for (const [y, z] of [
        [discs.y, discs.z],
        [discs.otherY, discs.otherZ],
      ] as const) {
        const sq = y * y + z * z
        const u = v((1 - sq) / (1 + sq), (2 * y) / (1 + sq), (2 * z) / (1 + sq))
        expect(dotOf(u, a)).toBeCloseTo(Math.cos(alpha), 7)
        expect(dotOf(u, b)).toBeCloseTo(Math.cos(beta), 7)
      }
    },
    200,
  )

  law(
    'edges that touch have one common point in any frame: rounding does not decide',
    [rotation(), direction(), direction(), number(0.2, 1.2), number(0.2, 1.2)],
    (q, a, side, alpha, beta) => {
      const frame = frameOf(q)
      const off = plus(side, a, -dotOf(side, a))
      if (Math.hypot(off.x, off.y, off.z) < 0.1) return
      const b = plus(times(a, Math.cos(alpha + beta)), unit(off), Math.sin(alpha + beta))
      const touch = plus(times(a, Math.cos(alpha)), unit(off), Math.sin(alpha))
      const discs = discOf(q, a, Math.cos(alpha))
      discs.circle(b.x, b.y, b.z, Math.cos(beta))
      // very large circles have larger rounding errors
      for (const [axis, half] of [
        [a, alpha],
        [b, beta],
      ] as const)
        if (Math.abs(dotOf(axis, frame.x) + Math.cos(half)) < 0.05) return
      if (dotOf(touch, frame.x) < -0.9) return
      expect(discs.cross(0, 1)).toBe(true)
      const { y, z } = onPlane(frame, touch)
      for (const point of [
        [discs.y, discs.z],
        [discs.otherY, discs.otherZ],
      ] as const)
        expect(Math.hypot(point[0] - y, point[1] - z)).toBeLessThan(1e-8 * (1 + Math.hypot(y, z)) ** 2)
    },
    200,
  )
})

describe('the plane', () => {
  it('stores the owners of edges, and can be cleared', () => {
    const discs = empty()
    discs.circle(1, 0, 0, 0.5)
    expect(discs.count).toBe(1)
    expect(discs.owners[0]).toBeNull()
    discs.begin(frameOf(STILL))
    expect(discs.count).toBe(0)
  })

  it('holds any number of discs', () => {
    const discs = empty()
    for (let i = 0; i < 1000; i++) discs.circle(1, 0, 0, Math.cos(0.001 * (i + 1)))
    expect(discs.count).toBe(1000)
    for (let i = 0; i < 1000; i++) expect(discs.data[3 * i + 2]).toBeCloseTo(Math.tan(0.0005 * (i + 1)), 12)
  })

  law('has finite circles only', [rotation(), direction(), number(-1, 1)], (q, axis, cosine) => {
    for (const c of [cosine, 1, -1, 0, -dotOf(axis, frameOf(q).x)])
      expect(discOf(q, axis, c).data.slice(0, 3).every(Number.isFinite)).toBe(true)
  })
})
