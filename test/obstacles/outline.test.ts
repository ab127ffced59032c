import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HullShape, Obstacle, SphereShape, type Shape, type Vec3, type Vec3Like } from 'three-steering'
import type { OutlineSink } from 'three-steering/authoring'
import {
  angleBetween,
  crossOf,
  direction,
  dotOf,
  minus,
  norm,
  number,
  plus,
  rotation,
  times,
  turned,
  unit,
  v,
} from '../support/geometry.js'
import { law } from '../support/law.js'
import { convex, hollow } from './kit.js'

interface Circle {
  readonly axis: Vec3Like
  readonly cosine: number
  /** The middle of the arc that counts, and the cosine of the angle from there to its ends. */
  arc?: { readonly middle: Vec3Like; readonly cosine: number }
}

/** Takes the circles and arcs of an outline, from axes turned by `turn`. */
function rimInto(circles: Circle[], turn: (a: Vec3Like) => Vec3Like = (a) => a): OutlineSink {
  return {
    circle: (x, y, z, cosine) => circles.push({ axis: turn(v(x, y, z)), cosine }),
    arc: (a, b) => {
      const middle = unit(plus(unit(turn(a)), unit(turn(b))))
      circles.at(-1)!.arc = { middle, cosine: dotOf(middle, unit(turn(a))) }
    },
  }
}

function circlesOf(shape: Shape, from: Vec3Like, radius: number): Circle[] {
  const circles: Circle[] = []
  shape.outline!(from, radius, rimInto(circles))
  return circles
}

/** Angle between a direction and the nearest arc that has `middle` on its blocked side there, rad. */
function off(circles: readonly Circle[], way: Vec3Like, middle: Vec3Like, slack = 1e-5): number {
  const inwards = unit(plus(way, middle, 1e-6))
  return Math.min(
    ...circles.map(({ axis, cosine, arc }) => {
      if (arc !== undefined && angleBetween(arc.middle, way) > Math.acos(Math.min(1, arc.cosine)) + slack)
        return Infinity
      const angle = angleBetween(axis, way)
      const blocked = angleBetween(axis, inwards) < angle
      return blocked ? Math.abs(angle - Math.acos(cosine)) : Infinity
    }),
  )
}

/** Directions on the outline of the shape, found by halving arcs from one that hits to those around. */
function edges(
  hits: (way: Vec3Like) => boolean,
  middle: Vec3Like,
  count: number,
  seed: readonly Vec3[],
): Vec3[] {
  const found: Vec3[] = []
  for (let i = 0; i < count; i++) {
    const across = crossOf(middle, seed[i]!)
    if (norm(across) < 1e-3) continue
    const aside = unit(across)
    const at = (angle: number): Vec3 => plus(times(middle, Math.cos(angle)), aside, Math.sin(angle))
    let low = 0
    let high = Math.PI
    if (hits(at(high))) continue
    for (let k = 0; k < 60; k++) {
      const angle = (low + high) / 2
      if (hits(at(angle))) low = angle
      else high = angle
    }
    found.push(at((low + high) / 2))
  }
  return found
}

/** A point well inside of a shape: the centre of its box. */
function within(shape: Shape): Vec3 {
  const middle = (x: number, y: number, z: number): number =>
    (shape.support(v(x, y, z)) - shape.support(v(-x, -y, -z))) / 2
  const point = v(middle(1, 0, 0), middle(0, 1, 0), middle(0, 0, 1))
  fc.pre(shape.distance(point, v(0, 0, 0)) < 0)
  return point
}

/** Viewpoints outside, near and far, and balls from none to larger than the shape. */
const distance = fc.oneof(number(1.001, 1.5), number(1.5, 5), fc.constant(100))
const radius = fc.oneof(fc.constant(0), number(0.001, 0.3), number(0.3, 3))
const asides = fc.array(direction(), { minLength: 12, maxLength: 12 })

/** Angle by which the true outline may deviate from the circles, rad, seen from far away. */
const allowed: Readonly<Record<string, number>> = { cylinder: 0.02 }

/** Shapes with an outline that is made of circles. */
const outlined = Object.keys(convex).filter(
  (name) => name !== 'half-space' && 'outline' in fc.sample(convex[name]!, 1)[0]!.shape,
)

describe.each(outlined)('the outline of a %s', (name) => {
  law(
    'lies on its circles, seen from anywhere, grown by any radius',
    [convex[name]!, direction(), distance, radius, asides],
    ({ shape, size }, way, far, part, seeds) => {
      const normal = v(0, 0, 0)
      // measured from the surface, so that flat and long shapes are also seen from nearby
      const grown = part * size
      const out = way
      const start = times(out, shape.support(out) + grown)
      const from = plus(start, out, (far - 1) * (size + grown))
      // the outline of a cylinder is that of a prism around it, which has none for a point inside
      const around = (allowed[name] ?? 0) * (size + grown)
      fc.pre(shape.distance(from, normal) > grown * 1.0001 + 1e-6 * size + around)
      const circles = circlesOf(shape, from, grown)
      expect(circles.length).toBeGreaterThan(0)
      const middle = unit(minus(within(shape), from))
      const hits = (u: Vec3Like): boolean => shape.sweep(from, u, grown, Infinity) < Infinity
      fc.pre(hits(middle))
      const clearance = shape.distance(from, normal) - grown
      // the rim of the cylinder lies within 2 % of its radius inside of the prism's
      const slack = allowed[name] === undefined ? 1e-5 : allowed[name] * (1 + size / clearance)
      const worst = Math.max(...edges(hits, middle, 12, seeds).map((u) => off(circles, u, middle, slack)))
      expect(worst).toBeLessThan(slack)
    },
  )
})

describe('circles', () => {
  law(
    'are unit axes with cosines of 0 to 1',
    [convex['hull']!, direction(), distance, radius],
    (known, way, far, part) => {
      const from = times(way, far * known.size * (1 + part) * 2)
      for (const { axis, cosine } of circlesOf(known.shape, from, part * known.size)) {
        expect(Math.abs(dotOf(axis, axis) - 1)).toBeLessThan(1e-9)
        expect(cosine >= 0 && cosine <= 1).toBe(true)
      }
    },
  )

  it.each([...outlined, 'half-space'])(
    'of a %s are finite also from inside, from the surface and from the centre',
    (name) => {
      for (const { shape, size } of fc.sample(convex[name]!, { numRuns: 20, seed: 1 }))
        for (const at of [v(0, 0, 0), v(0.1, 0.2, 0.3), v(1, 0, 0), v(0, 1, 0)])
          for (const { axis, cosine } of circlesOf(shape, times(at, size), 0.3 * size))
            expect(Number.isFinite(axis.x + axis.y + axis.z + cosine)).toBe(true)
    },
  )

  it('of a half-space are a single circle, its horizon', () => {
    for (const { shape } of fc.sample(convex['half-space']!, 20)) {
      const [circle] = circlesOf(shape, v(0, 0, 0), 1)
      expect(circle!.cosine).toBe(0)
      expect(shape.distance(times(circle!.axis, 5), v(0, 0, 0))).toBeCloseTo(-5)
    }
  })

  it('a hollow shape has none', () => {
    for (const each of Object.values(hollow)) expect('outline' in fc.sample(each, 1)[0]!.shape).toBe(false)
  })

  it('of a single corner that hides all others are the circle of its ball', () => {
    // a needle, seen along its axis from nearby, with a ball much larger than it
    const needle = new HullShape({
      vertices: [v(0, 0, 0), v(0.01, 0, -1), v(-0.01, 0.01, -1), v(-0.01, -0.01, -1)],
      faces: [
        [1, 3, 2],
        [0, 1, 2],
        [0, 2, 3],
        [0, 3, 1],
      ],
    })
    const from = v(0, 0, 3)
    const circles = circlesOf(needle, from, 2.9)
    const ball = circlesOf(new SphereShape(2.9), from, 0)[0]!
    expect(
      circles.some(({ axis, cosine }) => axis.z < -0.999 && Math.abs(cosine - ball.cosine) < 1e-12),
    ).toBe(true)
  })
})

law(
  'the outline of an obstacle is in the axes of its shape',
  [convex['box']!, rotation(), direction(), asides],
  ({ shape, size }, turn, way, seeds) => {
    const at = v(3, -4, 5)
    const obstacle = new Obstacle({ shape, at, turn })
    const from = plus(at, way, 3 * size)
    const circles: Circle[] = []
    const rim = rimInto(circles, (a) => turned(obstacle.quaternion, v(a.x, a.y, a.z)))
    const told = obstacle.outline(from, 0.2 * size, rim)
    expect(told).toBe(true)
    const hits = (u: Vec3Like): boolean => obstacle.sweep(from, u, 0.2 * size, Infinity) < Infinity
    const middle = unit(minus(at, from))
    for (const u of edges(hits, middle, 12, seeds)) expect(off(circles, u, middle)).toBeLessThan(1e-5)
  },
  50,
)
