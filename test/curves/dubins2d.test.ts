import { describe, expect, it } from 'vitest'
import { type Vec3Like, type Waypoint } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { ArcPath, dubins2d } from 'three-steering/curves'
import { BAND_NAMES, posesOf } from '../rigs/dubins-cases.js'
import { direction, inner, minus, outer, plus, times, unit, vec } from '../../demo/scenarios/vectors.js'
import { expectSame, grown, images, missOf, perturbed, ROWS, spelled, START } from './planar-kit.js'
import { pick } from '../support/tier.js'

const CASES = pick(200, 4000)
const FUZZED = pick(2000, 20_000, 1_000_000)
const Y = vec(0, 1, 0)
const path = new ArcPath()

/** Angle from `a` to `b` counter-clockwise seen from above for `side` 1, clockwise for −1, in [0, 2π). */
function sweep(a: Vec3Like, b: Vec3Like, side: number): number {
  const angle = side * Math.atan2(inner(outer(a, b), Y), inner(a, b))
  return angle < 0 ? angle + 2 * Math.PI : angle
}

/**
 * The shortest length with a radius of 1 by elementary geometry: circles beside both poses, their four
 * tangents, and the circles that touch two of them. Arcs are measured between the points of contact.
 */
function byConstruction(from: Waypoint, to: Waypoint): number {
  const left = (v: Vec3Like): Vec3Like => outer(Y, v)
  const center = ({ position, heading }: Waypoint, side: number): Vec3Like =>
    plus(position, left(unit(heading)), side)
  let least = Infinity
  for (const a of [1, -1])
    for (const b of [1, -1]) {
      const [first, last] = [center(from, a), center(to, b)]
      const between = minus(last, first)
      const distance = Math.hypot(between.x, between.z)
      const along = times(between, 1 / distance)
      const arcs = (leave: Vec3Like, enter: Vec3Like): number =>
        sweep(minus(from.position, first), minus(leave, first), a) +
        sweep(minus(enter, last), minus(to.position, last), b)
      // both centres are at the distance of a radius from the tangent, on their sides
      const sine = (b - a) / distance
      if (Math.abs(sine) <= 1) {
        const course = plus(times(along, Math.sqrt(1 - sine * sine)), left(along), -sine)
        const leave = plus(first, left(course), -a)
        const enter = plus(last, left(course), -b)
        least = Math.min(least, arcs(leave, enter) + inner(minus(enter, leave), course))
      }
      if (a !== b || distance > 4) continue
      for (const aside of [1, -1]) {
        const middle = plus(
          plus(first, between, 0.5),
          left(along),
          aside * Math.sqrt(4 - (distance * distance) / 4),
        )
        const leave = times(plus(first, middle), 0.5)
        const enter = times(plus(last, middle), 0.5)
        const turn = sweep(minus(leave, middle), minus(enter, middle), -a)
        least = Math.min(least, arcs(leave, enter) + turn)
      }
    }
  return least
}

describe('dubins2d', () => {
  it.each(BAND_NAMES)(
    'has the length of a construction from circles and tangents, and meets the goal: %s',
    (band) => {
      let [worst, miss] = [0, 0]
      for (let seed = 0; seed < CASES; seed++) {
        const { from, to } = posesOf(band, seed, true)
        const wanted = byConstruction(from, to)
        const length = dubins2d(path, from, to, 1)
        worst = Math.max(worst, Math.abs(length / wanted - 1))
        miss = Math.max(miss, missOf(path, from, to, 1))
        expect(length).toBe(path.length)
      }
      expect(worst).toBeLessThan(1e-9)
      expect(miss).toBeLessThan(1e-12)
    },
  )

  it.each(BAND_NAMES)('is invariant under motion, scale, mirroring and reversal: %s', (band) => {
    const random = seeded(5)
    for (let seed = 0; seed < CASES / 2; seed++) {
      const poses = posesOf(band, seed, true)
      const length = dubins2d(path, poses.from, poses.to, 1)
      for (const [name, { from, to, up }] of Object.entries(images(poses, random))) {
        expectSame(name, dubins2d(path, from, to, 1, up), length)
        expect(missOf(path, from, to, 1)).toBeLessThan(1e-9)
      }
      for (const k of [1e-6, 1e6]) {
        const { from, to } = grown(poses, k)
        expectSame(`times ${k}`, dubins2d(path, from, to, k), k * length)
      }
    }
  })

  it.each(ROWS)('$name', ({ to, length, count }) => {
    expect(dubins2d(path, START, to, 1)).toBeCloseTo(length, 12)
    expect(path.count).toBe(count)
    expect(missOf(path, START, to, 1)).toBeLessThan(1e-9)
    // also where digits are lost: turned, moved, a million radii from the origin, and scaled
    const random = seeded(6)
    const poses = { from: START, to }
    const word = spelled(path, Y)
    for (let i = 0; i < 100; i++)
      for (const [name, { from, to, up }] of Object.entries(images(poses, random))) {
        const found = dubins2d(path, from, to, 1, up)
        expect(Math.abs(found - length), `as ${name}`).toBeLessThan(1e-9 * Math.max(1, length))
        expect(path.count, `as ${name}`).toBe(count)
        // of two equally long paths always the same
        if (name === 'moved') expect(spelled(path, up)).toBe(word)
        const away = times(direction(random), 1e6)
        const there = { position: plus(from.position, away), heading: from.heading }
        const then = { position: plus(to.position, away), heading: to.heading }
        const afar = dubins2d(path, there, then, 1, up)
        expect(Math.abs(afar - length), `${name}, far off`).toBeLessThan(1e-8 * Math.max(1, length))
      }
    for (const k of [1e-6, 1e6]) {
      const { from, to } = grown(poses, k)
      expectSame(`times ${k}`, dubins2d(path, from, to, k), k * length)
    }
  })

  it('does not turn because of rounding', () => {
    const random = seeded(7)
    for (let i = 0; i < 20_000; i++) {
      const row = ROWS[i % ROWS.length]!
      const { from, to } = perturbed(row, 10 ** (-10.5 - 6 * random()), random)
      const more = Math.abs(dubins2d(path, from, to, 1) - row.length)
      expect(more, `${row.name}, ${i}`).toBeLessThan(1e-9 * Math.max(1, row.length))
    }
  })

  it(`meets ${FUZZED} perturbed poses of the table, from 1e-12 to 1 away, by a path no longer than by construction`, () => {
    const random = seeded(8)
    let [miss, excess] = [0, 0]
    for (let i = 0; i < FUZZED; i++) {
      const { from, to } = perturbed(ROWS[i % ROWS.length]!, 10 ** (-12 * random()), random)
      const length = dubins2d(path, from, to, 1)
      const off = missOf(path, from, to, 1)
      miss = off <= miss ? miss : off
      const more = length - byConstruction(from, to)
      excess = more <= excess ? excess : more
    }
    expect(miss).toBeLessThan(1e-6)
    expect(excess).toBeLessThan(1e-6)
  }, 120_000)

  it('is never longer than the distance plus 7π/3 radii', () => {
    for (const band of BAND_NAMES)
      for (let seed = 0; seed < 1000; seed++) {
        const { from, to } = posesOf(band, seed, true)
        const { position: a } = from
        const { position: b } = to
        expect(dubins2d(path, from, to, 1)).toBeLessThan(Math.hypot(a.x - b.x, a.z - b.z) + (7 * Math.PI) / 3)
      }
  })

  it('is accurate to nine digits at a distance of a million radii', () => {
    for (let seed = 0; seed < 500; seed++) {
      const { from, to } = posesOf('far', seed, true)
      const far = {
        position: plus(from.position, minus(to.position, from.position), 1e5),
        heading: to.heading,
      }
      expectSame(`seed ${seed}`, dubins2d(path, from, far, 1), byConstruction(from, far))
      expect(missOf(path, from, far, 1)).toBeLessThan(1e-8)
    }
  })

  it('turns on the spot with a radius of 0', () => {
    const to = { position: vec(3, 0, 4), heading: vec(0, 0, -1) }
    for (const radius of [0, 1e-13, 5e-324]) {
      expect(dubins2d(path, START, to, radius)).toBe(5)
      expect(path.count).toBe(1)
      expect(path.tangentAt(vec(0, 0, 0), 1)).toMatchObject({ x: 0.6, z: 0.8 })
    }
    expect(dubins2d(path, START, START, 0)).toBe(0)
    expect(path.tangentAt(vec(0, 0, 0), 0)).toMatchObject({ x: 1, z: 0 })
  })

  it('projects onto the plane; a heading without a component in it counts as the line of sight', () => {
    const flat = dubins2d(path, START, { position: vec(5, 0, 3), heading: vec(0, 0, 1) }, 1)
    const tilted = { position: vec(0, 0, 0), heading: vec(2, -7, 0) }
    const raised = { position: vec(5, 9, 3), heading: vec(0, 0.4, 0.1) }
    expect(dubins2d(path, tilted, raised, 1)).toBeCloseTo(flat, 12)
    expect(path.pointAt(vec(0, 0, 0), flat).y).toBeCloseTo(0, 12)
    const upright = { position: vec(0, 0, 0), heading: vec(0, 1, 0) }
    expect(dubins2d(path, upright, { position: vec(3, 1, 4), heading: Y }, 1)).toBeCloseTo(5, 12)
    expect(dubins2d(path, upright, upright, 1)).toBe(0)
    // almost along the normal: the small component in the plane counts
    const up = unit(vec(1, 2, 3))
    const steep = { position: vec(0, 0, 0), heading: plus(up, vec(0.3, 0.5, -0.1), 1e-9) }
    dubins2d(path, steep, raised, 1, up)
    expect(inner(path.tangentAt(vec(0, 0, 0), 0), up)).toBeCloseTo(0, 14)
    // no normal: the plane y = 0
    expect(dubins2d(path, tilted, raised, 1, vec(0, 0, 0))).toBeCloseTo(flat, 12)
  })

  it('is empty with length Infinity where a number is not finite, and finite for huge and tiny ones', () => {
    const to = { position: vec(3, 0, 4), heading: vec(0, 0, -1) }
    for (const bad of [NaN, Infinity]) {
      expect(dubins2d(path, START, to, bad)).toBe(Infinity)
      expect(dubins2d(path, START, { ...to, position: vec(bad, 0, 0) }, 1)).toBe(Infinity)
      expect(dubins2d(path, { ...START, heading: vec(bad, 0, 0) }, to, 1)).toBe(Infinity)
      expect(dubins2d(path, START, to, 1, vec(0, bad, 0))).toBe(Infinity)
      expect(path.count).toBe(0)
    }
    for (const k of [1e-300, 1e-150, 1e150, 1e300]) {
      const { from, to: goal } = grown({ from: START, to }, k)
      for (const radius of [0, 1e-6 * k, k, 1e6 * k, 1e-300, 1e300]) {
        const length = dubins2d(path, from, goal, radius)
        expect(length, `${k}, ${radius}`).toBeGreaterThanOrEqual(4.99 * k)
        expect(length).toBeLessThan(Infinity)
      }
    }
  })
})
