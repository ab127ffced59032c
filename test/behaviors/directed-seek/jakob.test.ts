import { describe, expect, it } from 'vitest'
import { type Vec3, type Vec3Like, type Waypoint } from 'three-steering'
import { ArcPath, dubins2d } from 'three-steering/curves'
import { jakobHeading, type JakobOptions, type JakobStage } from '../../../src/blocks/directed-seek/jakob.js'
import { spatialHeading } from '../../../src/blocks/directed-seek/stateless.js'
import { BAND_NAMES, posesOf, type Band, type Poses } from '../../rigs/dubins-cases.js'
import {
  angleBetween,
  crossOf,
  direction,
  dotOf,
  expectFinite,
  minus,
  norm,
  number,
  plus,
  rotation,
  times,
  turned,
  unit,
  v,
  vector,
} from '../../support/geometry.js'
import { law } from '../../support/law.js'

const UP = v(0, 1, 0)
const ONE: JakobOptions = { circles: 'one', plane: null }
const BOTH: JakobOptions = { circles: 'both', plane: null }
const FORMS: readonly JakobOptions[] = [ONE, BOTH]

interface Answer {
  readonly out: Vec3
  readonly stage: JakobStage
}

function ask({ from, to }: Poses, options: JakobOptions, radius = 1, goalRadius = radius, way = 0): Answer {
  const out = v(NaN, NaN, NaN)
  return { stage: jakobHeading(out, from, to, radius, goalRadius, way, options), out }
}

function askSpace({ from, to }: Poses, radius = 1): Answer {
  const out = v(NaN, NaN, NaN)
  return { stage: spatialHeading(out, from, to, radius, radius, 0), out }
}

const pose = (position: Vec3Like, heading: Vec3Like): Waypoint => ({ position, heading })

function each(count: number, flat: boolean, run: (poses: Poses, band: Band) => void): void {
  for (const band of BAND_NAMES) for (let seed = 0; seed < count; seed++) run(posesOf(band, seed, flat), band)
}

function moved(poses: Poses, change: (a: Vec3Like) => Vec3, shift: Vec3Like = v(0, 0, 0), size = 1): Poses {
  const one = ({ position, heading }: Waypoint): Waypoint =>
    pose(plus(times(change(position), size), shift), change(heading))
  return { from: one(poses.from), to: one(poses.to) }
}

/** Expects the same results after `change`, except for rounding and poses where rounding decides. */
function expectSame(poses: Poses, after: Poses, change: (a: Vec3Like) => Vec3, size = 1): void {
  for (const options of FORMS) {
    const before = ask(poses, options)
    const then = ask(after, options, size)
    expect(then.stage).toBe(before.stage)
    expect(angleBetween(change(before.out), then.out)).toBeLessThan(1e-6)
  }
}

describe('the direction of a directed seek', () => {
  law(
    'is a unit vector, at most a right angle from the heading, for all poses',
    [vector(3), direction(), direction(), number(0, 2), number(0, 2)],
    (place, headingA, headingW, radius, goalRadius) => {
      const poses = { from: pose(place, headingA), to: pose(v(0, 0, 0), headingW) }
      for (const options of [
        ...FORMS,
        { circles: 'one', plane: UP },
        { circles: 'both', plane: UP },
      ] as const)
        for (const way of [0, 0.05]) {
          const { out } = ask(poses, options, radius, goalRadius, way)
          expect(norm(out)).toBeCloseTo(1, 9)
          const flat = options.plane === null ? headingA : v(headingA.x, 0, headingA.z)
          if (norm(flat) > 1e-6) expect(dotOf(out, unit(flat))).toBeGreaterThan(-1e-6)
        }
      const { out } = askSpace(poses, radius)
      expect(norm(out)).toBeCloseTo(1, 9)
      expect(dotOf(out, headingA)).toBeGreaterThan(-1e-6)
    },
  )

  law(
    'is rotated, shifted and scaled with the scene',
    [rotation(), vector(50), number(0.01, 1000)],
    (q, shift, size) => {
      const change = (a: Vec3Like): Vec3 => turned(q, a)
      each(4, false, (poses) => expectSame(poses, moved(poses, change, shift, size), change, size))
    },
  )

  it('is the same on Ω as on the plane of a flat scene, seen from above and below', () => {
    each(200, true, (poses) => {
      for (const { circles } of FORMS)
        for (const plane of [UP, v(0, -3, 0)]) {
          const flat = ask(poses, { circles, plane })
          const free = ask(poses, { circles, plane: null })
          expect(flat.stage).toBe(free.stage)
          expect(angleBetween(flat.out, free.out)).toBeLessThan(1e-9)
        }
    })
  })

  it('uses the projection of poses outside the plane', () => {
    each(50, true, (poses) => {
      const off = {
        from: pose(plus(poses.from.position, UP, 7), plus(poses.from.heading, UP, 2)),
        to: pose(plus(poses.to.position, UP, -3), plus(poses.to.heading, UP, -1)),
      }
      for (const { circles } of FORMS)
        expect(
          angleBetween(ask(off, { circles, plane: UP }).out, ask(poses, { circles, plane: UP }).out),
        ).toBeLessThan(1e-9)
    })
  })
})

describe('both circles, by length', () => {
  it('begin as the shortest path, where that has a straight', () => {
    const path = new ArcPath()
    let turns = 0
    each(300, true, (poses) => {
      dubins2d(path, poses.from, poses.to, 1, UP)
      if (path.count === 3 && path.bendOf(1) !== 0) return
      const first = path.startOf(1)
      const { out, stage } = ask(poses, { circles: 'both', plane: UP })
      // shorter than the tolerance: then it may be another path
      if (stage !== 1 || first < 0.03 || first > 2 * Math.PI - 0.03) return
      turns++
      const expected =
        first < Math.PI / 2 ? path.tangentAt(v(0, 0, 0), first) : path.curvatureAt(v(0, 0, 0), 0)
      expect(angleBetween(out, expected)).toBeLessThan(1e-6)
    })
    expect(turns).toBeGreaterThan(500)
  })

  it('find the straight that touches both circles, for any radii', () => {
    let straights = 0
    each(100, true, (poses) => {
      for (const [radius, goalRadius] of [
        [1, 1],
        [0.4, 1.2],
        [1.3, 0.2],
      ] as const) {
        const { from, to } = poses
        const { out, stage } = ask(poses, { circles: 'both', plane: UP }, radius, goalRadius)
        // at a right angle it may be the direction to the side
        if (stage !== 1 || Math.abs(dotOf(out, from.heading)) < 1e-9) continue
        straights++
        const touches = [1, -1].some((side) =>
          [1, -1].some((end) => {
            const left = (a: Vec3Like): Vec3 => crossOf(UP, a)
            const start = plus(
              plus(from.position, left(from.heading), side * radius),
              left(out),
              -side * radius,
            )
            const goal = plus(
              plus(to.position, left(to.heading), end * goalRadius),
              left(out),
              -end * goalRadius,
            )
            const straight = minus(goal, start)
            return norm(crossOf(straight, out)) < 1e-9 * (1 + norm(straight)) && dotOf(straight, out) > -1e-9
          }),
        )
        expect(touches).toBe(true)
      }
    })
    expect(straights).toBeGreaterThan(200)
  })
})

describe('the published algorithm', () => {
  const goal = pose(v(0, 0, 0), v(1, 0, 0))
  const flat: JakobOptions = { circles: 'one', plane: UP }

  it('turns an overshoot back by the smaller angle', () => {
    for (const over of [0.03, 0.3]) {
      const from = pose(v(-6, 0, 0), v(Math.cos(over), 0, Math.sin(over)))
      const { out } = ask({ from, to: goal }, flat)
      expect(angleBetween(out, from.heading)).toBeLessThan(Math.PI / 2 - 0.1)
      expect(out.z).toBeLessThan(from.heading.z)
    }
  })

  it('uses the position half a step back, where the velocity was that of the path', () => {
    const way = 1 / 60
    // a polygon of steps about (0, 0, 1): the velocity that led to a corner is tangent in the middle of its
    // side
    const angle = -2
    const middle = v(Math.sin(angle), 0, 1 - Math.cos(angle))
    const heading = v(Math.cos(angle), 0, Math.sin(angle))
    const corner = plus(middle, heading, way / 2)
    const exact = ask({ from: pose(middle, heading), to: goal }, flat)
    const stepped = ask({ from: pose(corner, heading), to: goal }, flat, 1, 1, way)
    expect(angleBetween(exact.out, stepped.out)).toBeLessThan(1e-9)
  })
})

describe('degenerate poses of a directed seek', () => {
  const x = v(1, 0, 0)
  const z = v(0, 0, 1)
  const here = v(0, 0, 0)
  const rows: readonly (readonly [string, Poses])[] = [
    ['there already', { from: pose(here, x), to: pose(here, x) }],
    ['there, opposite', { from: pose(here, times(x, -1)), to: pose(here, x) }],
    ['there, across', { from: pose(here, z), to: pose(here, x) }],
    ['straight ahead', { from: pose(v(-3, 0, 0), x), to: pose(here, x) }],
    ['one step ahead', { from: pose(v(-1 / 60, 0, 0), x), to: pose(here, x) }],
    ['ahead, opposite', { from: pose(v(-5, 0, 0), x), to: pose(here, times(x, -1)) }],
    ['behind, opposite', { from: pose(v(5, 0, 0), x), to: pose(here, times(x, -1)) }],
    ['behind, same', { from: pose(v(5, 0, 0), x), to: pose(here, x) }],
    ['just behind', { from: pose(v(0.1, 0, 0), x), to: pose(here, x) }],
    ['abreast, opposite, one arc', { from: pose(v(0, 0, 2), times(x, -1)), to: pose(here, x) }],
    ['abreast, opposite, 0.5', { from: pose(v(0, 0, 0.5), times(x, -1)), to: pose(here, x) }],
    ['abreast, same, 2', { from: pose(v(0, 0, 2), x), to: pose(here, x) }],
    ['on the axis, heading off it', { from: pose(v(-4, 0, 0), v(0.6, 0.8, 0)), to: pose(here, x) }],
    ['across the steering plane', { from: pose(v(-3, 0, 2), UP), to: pose(here, x) }],
    ['a million radii out', { from: pose(v(1e6, 3, -1e6), z), to: pose(v(1e6, 8, -1e6), x) }],
  ]

  it.each(rows)('%s: finite, unit, and the same each time', (_, poses) => {
    for (const radius of [1, 0, 1e-6, 1e6])
      for (const answer of [...FORMS.map((form) => ask(poses, form, radius)), askSpace(poses, radius)]) {
        expectFinite(answer.out)
        expect(norm(answer.out)).toBeCloseTo(1, 9)
      }
    expect(ask(poses, ONE)).toEqual(ask(poses, ONE))
  })

  it('at the waypoint: keeps its heading', () => {
    for (const options of FORMS) expect(angleBetween(ask(rows[0]![1], options).out, x)).toBe(0)
  })

  it('straight ahead: flies straight on', () => {
    for (const row of [3, 4])
      for (const options of FORMS)
        expect(angleBetween(ask(rows[row]![1], options).out, x)).toBeLessThan(1e-12)
  })

  it('one arc: turns towards the waypoint', () => {
    for (const options of FORMS) {
      const { out, stage } = ask(rows[9]![1], options)
      expect(stage).toBe(3)
      expect(angleBetween(out, v(0, 0, -1))).toBeLessThan(1e-9)
    }
  })

  it('on the axis: turns in the plane of its heading', () => {
    for (let angle = 0; angle < 6; angle += 0.5)
      for (const options of FORMS) {
        const heading = v(0.6, 0.8 * Math.cos(angle), 0.8 * Math.sin(angle))
        const { out, stage } = ask({ from: pose(v(-4, 0, 0), heading), to: pose(here, x) }, options)
        expect(stage).toBe(1)
        expect(dotOf(out, crossOf(x, heading))).toBeCloseTo(0, 12)
        expect(angleBetween(out, heading)).toBeGreaterThan(0.5)
      }
  })

  it('radius 0: turns on the spot to the waypoint', () => {
    const poses = { from: pose(v(-3, 4, 0), unit(v(1, 0, 1))), to: pose(here, z) }
    for (const options of FORMS)
      expect(angleBetween(ask(poses, options, 0).out, v(3, -4, 0))).toBeLessThan(1e-9)
  })

  it.each([
    ['a place that is no number', pose(v(NaN, 0, 0), x)],
    ['a place at infinity', pose(v(Infinity, 0, 0), x)],
    ['a heading of zero', pose(v(1, 2, 3), here)],
    ['a heading that is no number', pose(v(1, 2, 3), v(0, NaN, 0))],
  ])('%s: the direction is zero and the stage 0', (_, wrong) => {
    for (const poses of [
      { from: wrong, to: pose(here, x) },
      { from: pose(here, x), to: wrong },
    ])
      for (const answer of [...FORMS.map((form) => ask(poses, form)), askSpace(poses)])
        expect(answer).toEqual({ stage: 0, out: here })
  })

  law('headings count by their direction only', [number(1e-9, 1e9), number(1e-9, 1e9)], (one, other) => {
    each(2, false, ({ from, to }) => {
      const long = {
        from: pose(from.position, times(from.heading, one)),
        to: pose(to.position, times(to.heading, other)),
      }
      for (const options of FORMS)
        expect(angleBetween(ask(long, options).out, ask({ from, to }, options).out)).toBeLessThan(1e-9)
    })
  })
})
