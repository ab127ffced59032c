import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Path, type PathOptions, type Vec3, type Vec3Like } from 'three-steering'
import { frame, seeded } from 'three-steering/authoring'
import { crossOf as cross, dotOf as dot, minus, norm, number, plus, vector } from '../../support/geometry.js'
import { law } from '../../support/law.js'
import { FULL } from '../../support/tier.js'

const v = (x = 0, y = 0, z = 0): Vec3 => ({ x, y, z })
const apart = (a: Vec3Like, b: Vec3Like): number => norm(minus(a, b))
const CURVES = ['polyline', 'spline', 'arcs'] as const

/** Any path through points in general position. */
const options: fc.Arbitrary<PathOptions> = fc
  .record({
    points: fc.array(vector(50), { minLength: 3, maxLength: 7 }),
    curve: fc.constantFrom(...CURVES),
    ends: fc.constantFrom('open' as const, 'closed' as const, 'ping-pong' as const),
    radius: number(0, 20),
  })
  .filter(({ points }) => points.every((p, i) => points.every((q, k) => i === k || apart(p, q) > 1)))

/** Points of a closed curve, one per step. */
const ring = (count: number, at: (angle: number) => Vec3): Vec3[] =>
  Array.from({ length: count }, (_, i) => at((2 * Math.PI * i) / count))
const eight = ring(16, (a) => v(20 * Math.sin(a), 0, 10 * Math.sin(2 * a)))
const trefoil = ring(24, (a) =>
  v(
    10 * (Math.sin(a) + 2 * Math.sin(2 * a)),
    10 * (Math.cos(a) - 2 * Math.cos(2 * a)),
    -10 * Math.sin(3 * a),
  ),
)
const square = [v(), v(10), v(10, 0, 10), v(0, 0, 10)]

/** Sum of many chords: the length between two stations by numerical integration. */
function chords(path: Path, from: number, to: number, count: number): number {
  let sum = 0
  let before = path.pointAt(v(), from)
  for (let i = 1; i <= count; i++) {
    const here = path.pointAt(v(), from + ((to - from) * i) / count)
    sum += apart(before, here)
    before = here
  }
  return sum
}

/**
 * The centripetal Catmull-Rom spline as written by Barry and Goldman 1988: three rounds of linear
 * interpolation.
 */
function pyramid(points: readonly Vec3[], u: number): Vec3 {
  const knots = [0]
  for (let i = 1; i < 4; i++) knots.push(knots[i - 1]! + Math.sqrt(apart(points[i - 1]!, points[i]!)))
  const t = knots[1]! + u * (knots[2]! - knots[1]!)
  let round = [...points]
  for (const [width, first] of [
    [1, 0],
    [2, 0],
    [1, 1],
  ] as const)
    round = round.slice(1).map((point, i) => {
      const [a, b] = [knots[i + first]!, knots[i + first + width]!]
      return plus(v(), plus(plus(v(), round[i]!, (b - t) / (b - a)), point, (t - a) / (b - a)), 1)
    })
  return round[0]!
}

describe('Path', () => {
  law(
    'is as long as its points are apart, summed up',
    [options],
    (each) => {
      const path = new Path(each)
      expect(path.lap).toBeCloseTo(each.ends === 'ping-pong' ? 2 * path.length : path.length, 9)
      // Chords cut corners, the less the finer they are; the digits are below.
      const fine = chords(path, 0, path.length, 6000)
      expect(Math.abs(fine - path.length)).toBeLessThan(2e-3 * path.length)
      if (each.curve !== 'polyline') return
      const { points } = each
      const ends = each.ends === 'closed' ? [...points, points[0]!] : points
      const length = ends.slice(1).reduce((sum, p, i) => sum + apart(ends[i]!, p), 0)
      expect(Math.abs(path.length - length)).toBeLessThan(1e-12 * length)
    },
    60,
  )

  it('has an exact arc length, to 1e-8 for a smooth spline', () => {
    for (const points of [eight, trefoil])
      for (const curve of ['spline', 'arcs'] as const) {
        const path = new Path({ points, curve, radius: 4, ends: 'closed' })
        const [coarse, fine] = [20_000, 40_000].map((count) => chords(path, 0, path.length, count))
        expect(Math.abs(fine! + (fine! - coarse!) / 3 - path.length)).toBeLessThan(1e-8 * path.length)
      }
  })

  law(
    'is the integral of its tangent, with one metre of path per metre of station',
    [options, number(0, 1)],
    (each, share) => {
      const path = new Path(each)
      const h = 1e-6 * path.length
      const s = h + share * (path.length - 2 * h)
      const tangent = path.tangentAt(v(), s)
      expect(norm(tangent)).toBeCloseTo(1, 9)
      const turn = apart(path.tangentAt(v(), s - h), path.tangentAt(v(), s + h))
      const moved = minus(path.pointAt(v(), s + h), path.pointAt(v(), s - h))
      expect(apart(moved, plus(v(), tangent, 2 * h))).toBeLessThan(2 * h * (turn + 1e-5))
    },
  )

  it('passes its points at their stations', () => {
    for (const curve of ['polyline', 'spline'] as const)
      for (const ends of ['open', 'closed', 'ping-pong'] as const) {
        const path = new Path({ points: trefoil, curve, ends })
        trefoil.forEach((point, i) => {
          expect(apart(path.pointAt(v(), path.stationOf(i)), point)).toBeLessThan(1e-9)
          expect(path.segmentAt(path.stationOf(i) + 1e-6)).toBe(Math.min(i, ends === 'closed' ? 99 : 22))
        })
        expect(path.stationOf(99)).toBe(path.length)
      }
  })

  it('as a spline it is the centripetal Catmull-Rom spline within 1e-4 of a segment', () => {
    for (const points of [eight, trefoil]) {
      const path = new Path({ points, ends: 'closed' })
      let largest = 0
      points.forEach((_, i) => {
        const four = [-1, 0, 1, 2].map((k) => points[(i + k + points.length) % points.length]!)
        for (let u = 0.05; u < 1; u += 0.1) {
          const point = pyramid(four, u)
          const near = path.pointAt(v(), path.nearest(point, path.stationOf(i), path.stationOf(i + 1)))
          largest = Math.max(largest, apart(near, point) / apart(four[1]!, four[2]!))
        }
      })
      expect(largest).toBeLessThan(1.2e-4)
      expect(largest).toBeGreaterThan(0)
      // Without corners.
      for (let s = 0; s < path.length; s += path.length / 5000)
        expect(dot(path.tangentAt(v(), s - 1e-7), path.tangentAt(v(), s + 1e-7))).toBeGreaterThan(1 - 1e-9)
    }
  })

  it('with round corners it has none sharper than asked for, and cuts them as geometry demands', () => {
    const path = new Path({ points: square, curve: 'arcs', radius: 2, ends: 'closed' })
    expect(path.length).toBeCloseTo(4 * 6 + 4 * Math.PI, 9)
    for (let s = 0; s < path.length; s += 0.01) {
      const bend = norm(path.curvatureAt(v(), s))
      expect(Math.min(bend, Math.abs(bend - 0.5))).toBeLessThan(1e-9)
      const turn = apart(path.tangentAt(v(), s), path.tangentAt(v(), s + 0.01))
      expect(turn).toBeLessThan(0.01 * 0.5 + 1e-9)
    }
    const corner = path.pointAt(v(), path.stationOf(1))
    expect(apart(corner, square[1]!)).toBeCloseTo(2 * (Math.SQRT2 - 1), 9)
    // Without space in between, the arcs take all there is: a circle.
    const round = new Path({ points: square, curve: 'arcs', radius: 99, ends: 'closed' })
    expect(round.length).toBeCloseTo(10 * Math.PI, 9)
    const open = new Path({ points: square, curve: 'arcs', radius: 0 })
    expect(open.length).toBeCloseTo(30, 12)
    expect(new Path({ points: square, curve: 'arcs', radius: 3 }).length).toBeCloseTo(
      30 - 12 + 3 * Math.PI,
      9,
    )
  })

  law(
    'finds the nearest point as brute force does, on the whole path and within a window',
    [options, vector(60), number(-2, 2), number(0, 1)],
    (each, point, start, width) => {
      const path = new Path(each)
      const gap = (s: number): number => apart(path.pointAt(v(), s), point)
      const agree = (from: number, to: number): void => {
        const s = path.nearest(point, from, to)
        const [low, high] = each.ends === 'open' ? [Math.max(from, 0), Math.min(to, path.lap)] : [from, to]
        if (high < low) return
        expect(s).toBeGreaterThanOrEqual(low - 1e-9 * path.lap)
        expect(s).toBeLessThanOrEqual(high + 1e-9 * path.lap)
        let smallest = Infinity
        for (let i = 0; i <= 400; i++) smallest = Math.min(smallest, gap(low + (i / 400) * (high - low)))
        expect(gap(s)).toBeLessThan(smallest + 1e-9 * path.lap)
      }
      agree(0, path.lap)
      agree(start * path.lap, (start + width) * path.lap)
    },
    150,
  )

  it.each([
    ['figure of eight', eight],
    ['trefoil', trefoil],
  ])(
    'does not change branches at the crossings of a %s when it searches near the previous station',
    (_, points) => {
      for (const curve of CURVES) {
        const path = new Path({ points, curve, ends: 'closed', radius: 3 })
        const random = seeded(5)
        const window = path.lap / 20
        let jumps = 0
        let s = 0
        const laps = FULL ? 50 : 3
        const stride = path.lap / 997
        for (let station = 0; station < laps * path.lap; station += stride) {
          // Half a metre off to any side.
          const distance = v(random() - 0.5, random() - 0.5, random() - 0.5)
          const point = plus(path.pointAt(v(), station), distance, 1)
          s = path.nearest(point, s - window, s + window)
          expect(Math.abs(s - station)).toBeLessThan(2)
          const far = path.nearest(point)
          if (Math.abs(far - (station % path.lap)) > 2 && Math.abs(far - (station % path.lap)) < path.lap - 2)
            jumps++
        }
        // Without a window it does change branches, because the eight meets itself. That is why there is a
        // window.
        if (points === eight) expect(jumps).toBeGreaterThan(0)
        expect(s).toBeGreaterThan((laps - 0.1) * path.lap)
      }
    },
  )

  it('closed paths repeat, ping-pong paths return the same way, open paths end', () => {
    const closed = new Path({ points: trefoil, ends: 'closed' })
    const back = new Path({ points: trefoil, ends: 'ping-pong' })
    const open = new Path({ points: trefoil })
    for (let s = 0; s < 30; s += 0.7) {
      for (const path of [closed, back])
        for (const lap of [-2, 1, 5])
          expect(apart(path.pointAt(v(), s), path.pointAt(v(), s + lap * path.lap))).toBeLessThan(1e-8)
      expect(apart(back.pointAt(v(), s), back.pointAt(v(), -s))).toBeLessThan(1e-9)
      expect(apart(back.pointAt(v(), back.length + s), back.pointAt(v(), back.length - s))).toBeLessThan(1e-9)
      const [there, again] = [back.tangentAt(v(), s), back.tangentAt(v(), -s)]
      expect(dot(there, again) < -1 + 1e-9 || s === 0).toBe(true)
    }
    expect(apart(closed.tangentAt(v(), -1e-9), closed.tangentAt(v(), 1e-9))).toBeLessThan(1e-6)
    expect(open.pointAt(v(), -7)).toEqual(open.pointAt(v(), 0))
    expect(apart(open.pointAt(v(), 1e9), trefoil.at(-1)!)).toBeLessThan(1e-9)
    expect(closed.nearest(trefoil[0]!, 1.5 * closed.lap, 2.5 * closed.lap)).toBeCloseTo(2 * closed.lap, 6)
    expect(closed.nearest(trefoil[0]!, -0.1 * closed.lap, 0.1 * closed.lap)).toBeCloseTo(0, 6)
  })
})

describe('the frame along a path', () => {
  law('is orthonormal, x ahead, and does not roll', [options, number(0, 1)], (each, share) => {
    const path = new Path({ ...each, ends: 'open' })
    const [here, then] = [frame(), frame()]
    const s = share * 0.999 * path.length
    const h = 1e-5 * path.length
    path.frameAt(here, s)
    path.frameAt(then, s + h)
    expect(apart(here.x, path.tangentAt(v(), s))).toBeLessThan(1e-12)
    expect(apart(here.z, cross(here.x, here.y))).toBeLessThan(1e-12)
    expect(Math.abs(dot(here.x, here.y)) + Math.abs(norm(here.y) - 1)).toBeLessThan(1e-9)
    // Up turns only with the path: its change is along x.
    const turn = apart(here.x, then.x)
    if (turn < 0.1) expect(Math.abs(dot(then.y, here.z))).toBeLessThan(turn * turn + 1e-9)
  })

  it('of a closed path meets itself after a lap, with an even roll', () => {
    for (const curve of CURVES) {
      const path = new Path({ points: trefoil, curve, ends: 'closed', radius: 3 })
      const [a, b] = [path.frameAt(frame(), 1e-9), path.frameAt(frame(), path.lap - 1e-9)]
      // A corner at the start is turned without roll.
      if (curve !== 'polyline') expect(apart(a.y, b.y)).toBeLessThan(1e-6)
      let largest = 0
      for (let s = 0; s < path.lap; s += path.lap / 4000)
        largest = Math.max(largest, apart(path.frameAt(a, s).y, path.frameAt(b, s + path.lap / 4000).y))
      expect(largest).toBeLessThan(curve === 'polyline' ? 0.8 : 0.05)
    }
  })

  it('is banked to starboard, linearly from point to point', () => {
    const points = [v(), v(10), v(20)]
    const path = new Path({ points, curve: 'polyline', bank: [0, 0.5, -0.5] })
    expect([0, 5, 10, 15, 20].map((s) => path.bankAt(s))).toEqual([0, 0.25, 0.5, 0, -0.5])
    const { y } = path.frameAt(frame(), 10)
    expect(apart(y, v(0, Math.cos(0.5), Math.sin(0.5)))).toBeLessThan(1e-12)
    const round = new Path({ points: square, curve: 'arcs', radius: 1, ends: 'closed', bank: [0, 1, 0, 1] })
    expect(round.bankAt(-1e-9)).toBeCloseTo(0, 6)
    expect(round.bankAt(round.stationOf(3))).toBeCloseTo(1, 9)
    const there = new Path({ points, ends: 'ping-pong', bank: [0, 0.5, -0.5] })
    expect(there.bankAt(35)).toBeCloseTo(there.bankAt(5), 9)
    expect(apart(there.frameAt(frame(), 35).y, there.frameAt(frame(), 5).y)).toBeLessThan(1e-9)
  })

  it('is orthonormal on vertical paths, on the way back, and with an up along the path', () => {
    for (const points of [
      [v(), v(0, 10), v(0, 20)],
      [v(), v(0, 10), v(0, 3)],
      [v(), v(0, -10), v(5, -10), v(0, -10)],
    ])
      for (const curve of CURVES) {
        const path = new Path({ points, curve, radius: 2 })
        expect(path.length).toBeCloseTo(chords(path, 0, path.length, 5000), 2)
        let before = path.frameAt(frame(), 0)
        for (let s = 0; s <= path.length; s += path.length / 500) {
          const { x, y, z } = path.frameAt(frame(), s)
          expect(norm(x) + norm(y) + norm(z)).toBeCloseTo(3, 9)
          expect(apart(cross(x, y), z)).toBeLessThan(1e-9)
          if (dot(before.x, x) > 0.99) expect(dot(before.y, y)).toBeGreaterThan(0.98)
          before = { x, y, z }
        }
      }
  })
})

describe('a straight path and one that turns back', () => {
  it.each(CURVES)('is exact as %s', (curve) => {
    const straight = new Path({ points: [v(1, 2, 3), v(5, 2, 3), v(11, 2, 3)], curve, radius: 2 })
    expect(straight.length).toBeCloseTo(10, 12)
    expect(apart(straight.pointAt(v(), 6.5), v(7.5, 2, 3))).toBeLessThan(1e-9)
    expect(norm(straight.curvatureAt(v(), 3))).toBeLessThan(1e-9)
    const back = new Path({ points: [v(), v(10), v(0)], curve, radius: 2 })
    expect(back.length).toBeCloseTo(20, 9)
    expect(back.tangentAt(v(), 4).x).toBeCloseTo(1, 9)
    expect(back.tangentAt(v(), 16).x).toBeCloseTo(-1, 9)
    // With a window each branch is found.
    expect(back.nearest(v(4, 1), 0, 8)).toBeCloseTo(4, 6)
    expect(back.nearest(v(4, 1), 12, 20)).toBeCloseTo(16, 6)
  })

  it('is finite for NaN and infinite stations and points', () => {
    for (const ends of ['open', 'closed', 'ping-pong'] as const) {
      const path = new Path({ points: trefoil, ends, tube: 2, bank: trefoil.map(() => 0.1) })
      for (const s of [NaN, Infinity, -Infinity, 1e300, -1e300]) {
        const { x, y } = path.frameAt(frame(), s)
        for (const w of [path.pointAt(v(), s), path.tangentAt(v(), s), path.curvatureAt(v(), s), x, y])
          expect(Number.isFinite(w.x + w.y + w.z)).toBe(true)
        expect(path.tubeAt(s)).toBe(2)
        expect(path.nearest(v(), s, s + 1)).not.toBeNaN()
        expect(path.nearest(v(s, 0, 0))).not.toBeNaN()
      }
    }
  })
})

describe('the tube of a path', () => {
  it('has the given radius on each segment', () => {
    const path = new Path({ points: square, curve: 'polyline', ends: 'closed', tube: [1, 2, 3, 4] })
    expect([1, 11, 21, 31, 41, -1].map((s) => path.tubeAt(s))).toEqual([1, 2, 3, 4, 1, 4])
    const there = new Path({ points: square, curve: 'polyline', ends: 'ping-pong', tube: [1, 2, 3] })
    expect([1, 11, 21, 31, 41, 51].map((s) => there.tubeAt(s))).toEqual([1, 2, 3, 3, 2, 1])
    // Values of coincident points are dropped with them.
    const points = [v(), v(), v(10), v(10), v(10, 0, 10), v()]
    const dropped = new Path({ points, curve: 'polyline', ends: 'closed', tube: [9, 1, 9, 2, 3, 9] })
    expect([dropped.count, dropped.tubeAt(1), dropped.tubeAt(11), dropped.tubeAt(21)]).toEqual([3, 1, 2, 3])
  })
})

describe('invalid options of a path', () => {
  const points = [v(), v(1), v(2, 3)]
  const refused: [string, unknown, string][] = [
    ['no point', { points: [] }, 'Path.points: got 0 different points, must be ≥ 2'],
    ['one point', { points: [v()] }, 'Path.points: got 1 different points, must be ≥ 2'],
    ['one place', { points: [v(5), v(5), v(5, 1e-12)] }, 'Path.points: got 1 different points'],
    [
      'two points, closed',
      { points: [v(), v(1), v()], ends: 'closed' },
      'got 2 different points, must be ≥ 3',
    ],
    ['NaN', { points: [v(), v(NaN)] }, 'Path.points[1]: got (NaN, 0, 0), must be finite'],
    ['no vector', { points: [v(), 5] }, 'Path.points[1]: got 5'],
    ['too far', { points: [v(-1e308), v(1e308)] }, 'Path.points'],
    ['tube', { points, tube: -1 }, 'Path.tube: got -1'],
    ['tubes', { points, tube: [1, -2] }, 'Path.tube[1]: got -2'],
    ['number of tubes', { points, tube: [1] }, 'Path.tube: got length 1, must be 2'],
    [
      'number of tubes, closed',
      { points, tube: [1, 1], ends: 'closed' },
      'Path.tube: got length 2, must be 3',
    ],
    ['banks', { points, bank: [0, NaN, 0] }, 'Path.bank[1]: got NaN'],
    ['number of banks', { points, bank: [0] }, 'Path.bank: got length 1, must be 3'],
  ]
  it.each(refused)('%s is refused', (_, bad, message) => {
    expect(() => new Path(bad as PathOptions)).toThrow(message)
  })
})
