import { describe, expect, it } from 'vitest'
import { type Vec3Like, type Waypoint } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { ArcPath, dubins2d, dubins3d } from 'three-steering/curves'
import { BAND_NAMES, posesOf, type Poses } from '../rigs/dubins-cases.js'
import { anyTurn, direction, plus, times, turned, vec, type Random } from '../../demo/scenarios/vectors.js'
import { csc } from '../../src/blocks/curves/csc.js'
import { NEAR_BEST } from './near-best.js'
import { quantile } from './near-kit.js'
import { expectSame, grown, images, missOf, ROWS, START } from './planar-kit.js'
import { backwards, byLattice } from './space-kit.js'
import { FULL, pick } from '../support/tier.js'

const FUZZED = pick(100, 1000, 1_000_000)
const path = new ArcPath()

/** Rows with a path that is shorter out of the plane than in it. */
const ABREAST = 'abreast, same heading'

/** A row of the table, moved, turned, and then perturbed in all directions by up to `amount`. */
function near(to: Waypoint, amount: number, random: Random): Poses {
  const part = (): number => amount * (2 * random() - 1)
  const push = (v: Vec3Like): Vec3Like => plus(v, vec(part(), part(), part()))
  const nudge = (a: Waypoint): Waypoint => ({ position: push(a.position), heading: push(a.heading) })
  return { from: nudge(START), to: nudge(to) }
}

function gap(a: Vec3Like, b: Vec3Like): number {
  return Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)
}

describe('dubins3d', () => {
  it.each(['mid', 'far'] as const)(
    'is no longer than the result from a lattice of starts: %s',
    (band) => {
      let worst = 0
      for (let seed = 5000; seed < pick(5002, 5010, 6000); seed++) {
        const { from, to } = posesOf(band, seed, false)
        worst = Math.max(worst, dubins3d(path, from, to, 1) / byLattice(from, to, [1, 1]))
        expect(path.length).toBeGreaterThanOrEqual(gap(from.position, to.position))
      }
      expect(worst).toBeLessThan(1.000001)
    },
    600_000,
  )

  it.each(BAND_NAMES)(
    'meets both poses, by a path no longer than one with a straight: %s',
    (band) => {
      for (let seed = 0; seed < pick(50, 400, 20_000); seed++) {
        const { from, to } = posesOf(band, seed, seed % 3 === 0)
        const straight = csc(path, from, to, 1, 1)
        const length = dubins3d(path, from, to, 1)
        expect(length).toBe(path.length)
        expect(length).toBeLessThan(straight * (1 + 1e-8))
        expect(missOf(path, from, to, 1)).toBeLessThan(1e-6)
      }
    },
    600_000,
  )

  it.each([
    ['quick', FULL ? NEAR_BEST.length : 60, 1.013],
    [undefined, pick(60, NEAR_BEST.length), 1.001],
    ['best', pick(5, 10, NEAR_BEST.length), 1.0005],
  ] as const)('is close to the shortest known path for near poses: %s', (effort, count, most) => {
    const ratios = NEAR_BEST.slice(0, count).map((best, i) => {
      const { from, to } = posesOf('near', i + 1, false)
      return dubins3d(path, from, to, 1, effort && { effort }) / best
    })
    expect(Math.min(...ratios)).toBeGreaterThan(0.999)
    expect(quantile(ratios, 0.95)).toBeLessThan(most)
    if (effort === 'best') expect(Math.max(...ratios)).toBeLessThan(1.003)
  })

  it('for poses in a plane it is no longer than dubins2d, and for near ones often shorter', () => {
    let shorter = 0
    for (const band of BAND_NAMES)
      for (let seed = 0; seed < pick(20, 150, 300); seed++) {
        const { from, to } = posesOf(band, seed, true)
        const flat = dubins2d(path, from, to, 1)
        const length = dubins3d(path, from, to, 1)
        expect(length).toBeLessThan(flat * (1 + 1e-8))
        if (length < flat * 0.99) shorter++
        expect(missOf(path, from, to, 1)).toBeLessThan(1e-6)
      }
    expect(shorter).toBeGreaterThan(5)
  })

  it.each(ROWS)('$name', ({ name, to, length, count }) => {
    const random = seeded(6)
    const wanted = name === ABREAST ? 2 * Math.PI : length
    for (let i = 0; i < (FULL ? 20 : 8); i++)
      for (const [image, poses] of Object.entries(images({ from: START, to }, random)))
        for (const k of [1e-6, 1, 1e6]) {
          const { from, to: goal } = grown(poses, k)
          const found = dubins3d(path, from, goal, k)
          // a shortest path in space that is not one of arcs and straights in a plane
          const slack = name === ABREAST ? 1e-6 : 1e-9
          expect(Math.abs(found / k - wanted), `as ${image}, times ${k}`).toBeLessThan(
            slack * Math.max(1, length),
          )
          if (name !== ABREAST) expect(path.count, `as ${image}, times ${k}`).toBe(count)
          expect(missOf(path, from, goal, k)).toBeLessThan(1e-6 * k)
        }
  })

  it.each(ROWS)('a million radii from the origin: $name', ({ name, to, length }) => {
    const random = seeded(7)
    const away = times(direction(random), 1e6)
    const q = anyTurn(random)
    const move = (a: Waypoint): Waypoint => ({
      position: plus(turned(q, a.position), away),
      heading: turned(q, a.heading),
    })
    const found = dubins3d(path, move(START), move(to), 1)
    const wanted = name === ABREAST ? 2 * Math.PI : length
    // positions are rounded to 1e-10, which is enough to leave the line
    expect(Math.abs(found - wanted)).toBeLessThan(1e-6 * Math.max(1, length))
    expect(missOf(path, move(START), move(to), 1)).toBeLessThan(1e-6)
  })

  it(`meets ${FUZZED} perturbed poses of the table, from 1e-12 to 1 away`, () => {
    const random = seeded(8)
    let miss = 0
    for (let i = 0; i < FUZZED; i++) {
      const { from, to } = near(ROWS[i % ROWS.length]!.to, 10 ** (-12 * random()), random)
      expect(dubins3d(path, from, to, 1), `case ${i}`).toBeLessThan(Infinity)
      const off = missOf(path, from, to, 1)
      miss = off <= miss ? miss : off
    }
    expect(miss).toBeLessThan(1e-6)
  }, 3_600_000)

  it('is a little longer when the row is perturbed a little', () => {
    const random = seeded(9)
    const long: string[] = []
    for (let i = 0; i < (FULL ? 20_000 : 400); i++) {
      const row = ROWS[i % ROWS.length]!
      // rows at the edge of a whole turn may get one when perturbed
      if (row.count < 3 && row.length > 0) continue
      const amount = 10 ** (-12 + 9 * random())
      const { from, to } = near(row.to, amount, random)
      const length = dubins3d(path, from, to, 1)
      if (row.length > 0 && length > row.length * 1.01 + 10 * amount)
        long.push(`${row.name}, ${amount}: ${length}`)
    }
    expect(long).toEqual([])
  })

  it.each(BAND_NAMES)('is invariant under motion, scale, mirroring and reversal: %s', (band) => {
    const random = seeded(5)
    for (let seed = 0; seed < (band === 'near' ? 1 : 4) * pick(10, 100); seed++) {
      const poses = posesOf(band, seed, false)
      const length = dubins3d(path, poses.from, poses.to, 1)
      const { moved, mirrored } = images(poses, random)
      expectSame('moved', dubins3d(path, moved!.from, moved!.to, 1), length, 1e-9)
      expectSame('mirrored', dubins3d(path, mirrored!.from, mirrored!.to, 1), length, 1e-9)
      expectSame('backwards', dubins3d(path, ...backwards(poses.from, poses.to), 1), length, 1e-9)
      for (const k of [1e-6, 1e6]) {
        const { from, to } = grown(poses, k)
        expectSame(`times ${k}`, dubins3d(path, from, to, k), k * length, 1e-9)
      }
    }
  })

  it('turns at each end with its own radius if there is a straight between', () => {
    for (let seed = 0; seed < 200; seed++) {
      const { from, to } = posesOf('far', seed, false)
      const length = dubins3d(path, from, to, { start: 1, end: 3 })
      expect(length).toBeCloseTo(csc(path, from, to, 1, 3), 9)
      expect(length).toBeLessThanOrEqual(dubins3d(path, from, to, 3) * (1 + 1e-9))
      for (const radius of [
        { start: 0, end: 1 },
        { start: 1, end: 0 },
      ]) {
        expect(dubins3d(path, from, to, radius)).toBeLessThan(Infinity)
        expect(gap(path.pointAt(vec(0, 0, 0), Infinity), to.position)).toBeLessThan(1e-9)
      }
    }
  })

  it('turns on the spot with a radius of 0', () => {
    const to = { position: vec(2, 3, 6), heading: vec(0, 0, -1) }
    for (const radius of [0, 1e-13, 5e-324]) {
      expect(dubins3d(path, START, to, radius)).toBeCloseTo(7, 12)
      expect(path.count).toBe(1)
    }
    expect(dubins3d(path, START, START, 0)).toBe(0)
  })

  it('accepts headings of any length; a zero one counts as the line of sight', () => {
    const { from, to } = posesOf('mid', 3, false)
    const length = dubins3d(path, from, to, 1)
    const long = { position: to.position, heading: times(to.heading, 1e200) }
    expect(dubins3d(path, from, long, 1)).toBeCloseTo(length, 9)
    const none = vec(0, 0, 0)
    const blind = { position: from.position, heading: none }
    expect(dubins3d(path, blind, { position: to.position, heading: none }, 1)).toBeCloseTo(
      gap(from.position, to.position),
      9,
    )
    expect(dubins3d(path, blind, blind, 1)).toBe(0)
  })

  it('is empty with length Infinity where a number is not finite, and finite for huge and tiny ones', () => {
    const to = { position: vec(3, 1, 4), heading: vec(0, 0, -1) }
    for (const bad of [NaN, Infinity]) {
      expect(dubins3d(path, START, to, bad)).toBe(Infinity)
      expect(dubins3d(path, START, { ...to, position: vec(bad, 0, 0) }, 1)).toBe(Infinity)
      expect(dubins3d(path, { ...START, heading: vec(bad, 0, 0) }, to, 1)).toBe(Infinity)
      expect(dubins3d(path, { position: vec(0, bad, 0), heading: vec(1, 0, 0) }, to, 1)).toBe(Infinity)
      expect(path.count).toBe(0)
      expect(Object.values(path.pointAt(vec(1, 1, 1), 0)).every(Number.isFinite)).toBe(true)
      expect(Object.values(path.tangentAt(vec(1, 1, 1), 0)).every(Number.isFinite)).toBe(true)
    }
    for (const k of [1e-300, 1e-150, 1e150, 1e300]) {
      const { from, to: goal } = grown({ from: START, to }, k)
      for (const radius of [0, 1e-6 * k, k, 1e6 * k]) {
        const length = dubins3d(path, from, goal, radius)
        expect(length, `${k}, ${radius}`).toBeGreaterThanOrEqual(5.09 * k)
        expect(length).toBeLessThan(Infinity)
      }
    }
  })
})
