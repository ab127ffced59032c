import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Vec3, type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { ArcPath } from 'three-steering/curves'
import { number } from '../support/geometry.js'

const vec = (x = 0, y = 0, z = 0): Vec3 => ({ x, y, z })
const minus = (a: Vec3Like, b: Vec3Like): Vec3 => vec(a.x - b.x, a.y - b.y, a.z - b.z)
const size = ({ x, y, z }: Vec3Like): number => Math.hypot(x, y, z)

const part = number(-1, 1)
const direction = fc.tuple(part, part, part).filter((v) => Math.hypot(...v) > 0.1)
const piece = fc.record({
  turns: fc.boolean(),
  towards: direction,
  radius: number(0.1, 50),
  angle: number(0.01, 6.2),
  gear: fc.constantFrom(1 as const, -1 as const),
})

/** A random path of one to six pieces. */
const paths = fc
  .record({ start: direction, heading: direction, pieces: fc.array(piece, { minLength: 1, maxLength: 6 }) })
  .map(({ start, heading, pieces }) => {
    const path = new ArcPath().begin(vec(...start), vec(...heading))
    for (const { turns, towards, radius, angle, gear } of pieces)
      if (turns) path.arc(vec(...towards), radius, angle, gear)
      else path.straight(radius * angle, gear)
    return path
  })

/** The nearest arc length, one piece after the other. */
function nearestOfEach(path: ArcPath, point: Vec3Like, from: number, to: number): number {
  let best = NaN
  let least = Infinity
  for (let i = 0; i < path.count; i++) {
    const start = path.startOf(i)
    const end = start + path.lengthOf(i)
    if (end < from || start > to) continue
    // a window of few pieces is searched one by one
    const s = path.nearest(point, Math.max(from, start), Math.min(to, end))
    const gap = size(minus(path.pointAt(vec(), s), point))
    if (!(gap < least)) continue
    least = gap
    best = s
  }
  return best
}

describe('ArcPath', () => {
  it('its points are the integral of its tangent, and its tangent that of its curvature', () => {
    fc.assert(
      fc.property(paths, number(0, 1), (path, share) => {
        const h = 1e-5 * path.length
        const s = h + share * (path.length - 2 * h)
        const [before, after] = [path.pointAt(vec(), s - h), path.pointAt(vec(), s + h)]
        const tangent = path.tangentAt(vec(), s)
        expect(size(tangent)).toBeCloseTo(1, 9)
        if (path.cuspAfter(s - h) <= s + h) return
        const moved = minus(after, before)
        const k = size(path.curvatureAt(vec(), s))
        expect(
          size(minus(vec(moved.x / (2 * h), moved.y / (2 * h), moved.z / (2 * h)), tangent)),
        ).toBeLessThan(1e-6 + (k + 10) * 4 * h)
        if (path.pieceAt(s - h) !== path.pieceAt(s + h)) return
        const turned = minus(path.tangentAt(vec(), s + h), path.tangentAt(vec(), s - h))
        const curvature = path.curvatureAt(vec(), s)
        expect(
          size(minus(vec(turned.x / (2 * h), turned.y / (2 * h), turned.z / (2 * h)), curvature)),
        ).toBeLessThan(1e-3 * k + 1e-9)
      }),
    )
  })

  it('finds the nearest point of its own and of other points, as brute force does', () => {
    fc.assert(
      fc.property(paths, direction, number(0, 1), (path, aside, share) => {
        const own = path.pointAt(vec(), share * path.length)
        const found = path.pointAt(vec(), path.nearest(own))
        expect(size(minus(found, own))).toBeLessThan(1e-7 * (1 + path.length))
        const foreign = vec(own.x + 5 * aside[0], own.y + 5 * aside[1], own.z + 5 * aside[2])
        const gap = (s: number): number => size(minus(path.pointAt(vec(), s), foreign))
        let least = Infinity
        for (let i = 0; i <= 500; i++) least = Math.min(least, gap((i / 500) * path.length))
        expect(gap(path.nearest(foreign))).toBeLessThan(least + 1e-9 * (1 + path.length))
        // within an interval
        const [from, to] = [0.3 * path.length, 0.5 * path.length]
        const s = path.nearest(foreign, from, to)
        expect(s).toBeGreaterThanOrEqual(from - 1e-9 * path.length)
        expect(s).toBeLessThanOrEqual(to + 1e-9 * path.length)
        least = Infinity
        for (let i = 0; i <= 200; i++) least = Math.min(least, gap(from + (i / 200) * (to - from)))
        expect(gap(s)).toBeLessThan(least + 1e-9 * (1 + path.length))
      }),
    )
  })

  it('a quarter turn and a straight end where they should, and astern they lead back', () => {
    const path = new ArcPath()
      .begin(vec(1, 2, 3), vec(0, 0, 4))
      .arc(vec(0, 1, 7), 2, Math.PI / 2)
      .straight(5)
    expect(path.length).toBeCloseTo(5 + Math.PI, 12)
    const end = path.pointAt(vec(), Infinity)
    expect(size(minus(end, vec(1, 2 + 2 + 5, 3 + 2)))).toBeLessThan(1e-12)
    expect(size(minus(path.tangentAt(vec(), Infinity), vec(0, 1, 0)))).toBeLessThan(1e-12)
    path.straight(5, -1).arc(vec(0, 0, -1), 2, Math.PI / 2, -1)
    expect(path.gearAt(path.length)).toBe(-1)
    // astern about a centre on the other side: it ends beside the start
    expect(size(minus(path.pointAt(vec(), Infinity), vec(1, 2, 1 + 2)))).toBeLessThan(4.1)
  })

  it('is total when empty, and copies all pieces', () => {
    const path = new ArcPath().begin(vec(1, 1, 1), vec(0, 2, 0))
    expect(path.pointAt(vec(), 7)).toMatchObject({ x: 1, y: 1, z: 1 })
    expect(path.tangentAt(vec(), 7)).toMatchObject({ x: 0, y: 1, z: 0 })
    expect([path.nearest(vec(9, 9, 9)), path.gearAt(1), path.length, path.count]).toEqual([0, 1, 0, 0])
    path.straight(0).arc(vec(1), 1, 0)
    expect(path.count).toBe(0)
    for (let i = 0; i < 40; i++) path.arc(vec(Math.sin(i), 0, Math.cos(i)), 1, 0.5)
    const copy = new ArcPath().copy(path)
    expect(copy.pointAt(vec(), 17.3)).toEqual(path.pointAt(vec(), 17.3))
    expect([copy.count, copy.length]).toEqual([40, path.length])
  })

  it('finds the nearest point of many pieces as of each one alone', () => {
    const random = seeded(11)
    const part = (): number => 2 * random() - 1
    for (const bend of [0, 0.02, 1])
      for (let n = 0; n < 6; n++) {
        const path = new ArcPath().begin(vec(part(), part(), part()), vec(1, 0, 0))
        for (let i = 0; i < 400; i++)
          if (i % 3 === 0) path.straight(random() ** 4)
          else path.arc(vec(part(), part(), part()), random() + 0.3, bend * random() + 1e-3)
        for (let k = 0; k < 20; k++) {
          const on = path.pointAt(vec(), random() * path.length)
          const away = 10 ** (4 * random() - 2)
          const point = vec(on.x + away * part(), on.y + away * part(), on.z + away * part())
          const from = k % 2 === 0 ? 0 : random() * path.length
          const to = k % 4 === 0 ? path.length : from + random() * path.length
          const found = path.nearest(point, from, to)
          expect(found).toBeCloseTo(nearestOfEach(path, point, from, to), 6)
        }
      }
  })
})
