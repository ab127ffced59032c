import { describe, expect, it } from 'vitest'
import { type Waypoint } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { ArcPath, dubins2d, reedsShepp } from 'three-steering/curves'
import { BAND_NAMES, posesOf } from '../rigs/dubins-cases.js'
import { plus, times, vec, type Random } from '../../demo/scenarios/vectors.js'
import {
  BACK,
  expectSame,
  grown,
  images,
  LEFT,
  missOf,
  perturbed,
  ROWS,
  spelled,
  START,
} from './planar-kit.js'
import { pick } from '../support/tier.js'

const FUZZED = pick(2000, 20_000, 1_000_000)
const DRIVES = pick(100_000, 150_000, 1_000_000)
const path = new ArcPath()

/** A pose that can be driven, seen from above with y to the left. */
class Car {
  x = 0
  y = 0
  angle = 0
  length = 0

  /** Drives a distance, negative astern, with the wheel to the left (1), ahead (0) or to the right (−1). */
  drive(turn: number, distance: number): void {
    const from = this.angle
    this.angle += turn * distance
    // a chord of the circle
    const chord = turn === 0 ? distance : 2 * Math.sin(distance / 2)
    this.x += chord * Math.cos((from + this.angle) / 2)
    this.y += chord * Math.sin((from + this.angle) / 2)
    this.length += Math.abs(distance)
  }

  get pose(): Waypoint {
    return {
      position: vec(this.x, 0, -this.y),
      heading: vec(Math.cos(this.angle), 0, -Math.sin(this.angle)),
    }
  }
}

/**
 * Up to six pieces at random: half of the drives with equal inner arcs or quarter turns, as shortest paths
 * have them.
 */
function anyDrive(random: Random): Car {
  const car = new Car()
  const pieces = 1 + Math.floor(6 * random())
  const equal = random()
  const inner = equal < 0.3 ? random() * 1.5 : equal < 0.6 ? Math.PI / 2 : 0
  const size = 0.2 + 2 * random()
  let turn = Math.floor(3 * random()) - 1
  let gear = random() < 0.5 ? -1 : 1
  for (let i = 0; i < pieces; i++) {
    const alike = inner > 0 && turn !== 0 && i > 0 && i < pieces - 1
    car.drive(turn, gear * (alike ? inner : size * random()))
    // with another turn or another gear, otherwise it is the same piece
    const next = Math.floor(3 * random()) - 1
    if (next === turn || random() < 0.5) gear = -gear
    turn = next
  }
  return car
}

describe('reedsShepp', () => {
  it.each(BAND_NAMES)(
    'meets the goal, and is no longer than the path only ahead or only astern: %s',
    (band) => {
      for (let seed = 0; seed < pick(300, 4000); seed++) {
        const { from, to } = posesOf(band, seed, true)
        const length = reedsShepp(path, from, to, 1)
        expect(length).toBe(path.length)
        expect(missOf(path, from, to, 1)).toBeLessThan(1e-12)
        const { position: a } = from
        const { position: b } = to
        expect(length).toBeGreaterThan(Math.hypot(a.x - b.x, a.z - b.z) - 1e-12)
        const astern = ({ position, heading }: Waypoint): Waypoint => ({
          position,
          heading: times(heading, -1),
        })
        const forwards = dubins2d(path, from, to, 1)
        const backwards = dubins2d(path, astern(from), astern(to), 1)
        expect(length).toBeLessThan(Math.min(forwards, backwards) * (1 + 1e-12))
      }
    },
  )

  it(`none of ${DRIVES} random drives of up to six pieces is shorter, and some are equally long`, () => {
    const random = seeded(3)
    const matched = new Set<number>()
    for (let i = 0; i < DRIVES; i++) {
      const car = anyDrive(random)
      const { pose } = car
      const length = reedsShepp(path, START, pose, 1)
      if (!(length < car.length + 1e-9)) expect(length, `drive ${i}`).toBeLessThan(car.length + 1e-9)
      if (length > car.length - 1e-9) matched.add(path.count)
      if (!(missOf(path, START, pose, 1) < 1e-9)) expect(missOf(path, START, pose, 1)).toBeLessThan(1e-9)
    }
    expect([...matched].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5])
  }, 120_000)

  it.each(BAND_NAMES)(
    'is invariant under motion, scale, mirroring, reversal and exchange of nose and tail: %s',
    (band) => {
      const random = seeded(5)
      for (let seed = 0; seed < pick(50, 500); seed++) {
        const poses = posesOf(band, seed, true)
        const length = reedsShepp(path, poses.from, poses.to, 1)
        const turnedAbout = {
          from: { ...poses.from, heading: times(poses.from.heading, -1) },
          to: { ...poses.to, heading: times(poses.to.heading, -1) },
          up: vec(0, 1, 0),
        }
        const all = { ...images(poses, random), 'turned about': turnedAbout }
        for (const [name, { from, to, up }] of Object.entries(all)) {
          expectSame(name, reedsShepp(path, from, to, 1, up), length)
          expect(missOf(path, from, to, 1)).toBeLessThan(1e-9)
        }
        for (const k of [1e-6, 1e6]) {
          const { from, to } = grown(poses, k)
          expectSame(`times ${k}`, reedsShepp(path, from, to, k), k * length)
        }
      }
    },
  )

  it('turns about in three points, and moves sideways in four', () => {
    expect(reedsShepp(path, START, { ...START, heading: BACK }, 1)).toBeCloseTo(Math.PI, 12)
    expect([path.count, path.gearAt(0.1), path.gearAt(Math.PI / 2), path.gearAt(3)]).toEqual(
      path.gearAt(0) === 1 ? [3, 1, -1, 1] : [3, -1, 1, -1],
    )
    // a quarter turn on the spot: circles of centres √2 apart
    expect(reedsShepp(path, START, { ...START, heading: LEFT }, 1)).toBeCloseTo(Math.PI / 2, 12)
    // parking: aside by 4 (1 − cos u) in four arcs of u, or less
    const aside = { position: plus(vec(0, 0, 0), LEFT, 0.2), heading: START.heading }
    expect(reedsShepp(path, START, aside, 1)).toBeLessThan(4 * Math.acos(1 - 0.2 / 4) + 1e-12)
    // straight astern
    expect(reedsShepp(path, START, { position: vec(-5, 0, 0), heading: vec(1, 0, 0) }, 1)).toBe(5)
    expect([path.count, path.gearAt(2)]).toEqual([1, -1])
  })

  it.each(ROWS)('$name: without pieces of rounding, and no longer than ahead only', ({ to, length }) => {
    expect(reedsShepp(path, START, to, 1)).toBeLessThan(length + 1e-9 * Math.max(1, length))
    const { count, length: found } = path
    const word = spelled(path, vec(0, 1, 0))
    const random = seeded(6)
    for (let i = 0; i < 50; i++)
      for (const [name, image] of Object.entries(images({ from: START, to }, random))) {
        const again = reedsShepp(path, image.from, image.to, 1, image.up)
        expect(Math.abs(again - found), `as ${name}`).toBeLessThan(1e-9 * Math.max(1, found))
        expect(path.count, `as ${name}`).toBe(count)
        // of two equally long paths always the same
        if (name === 'moved') expect(spelled(path, image.up)).toBe(word)
      }
  })

  it(`meets ${FUZZED} perturbed poses of the table, from 1e-12 to 1 away, and has no jumps`, () => {
    const random = seeded(8)
    let [miss, jump] = [0, 0]
    for (let i = 0; i < FUZZED; i++) {
      const row = ROWS[i % ROWS.length]!
      const amount = 10 ** (-12 * random())
      const { from, to } = perturbed(row, amount, random)
      const length = reedsShepp(path, from, to, 1)
      const off = missOf(path, from, to, 1)
      miss = off <= miss ? miss : off
      // a goal moved aside by e costs at most a few √e more
      if (Math.hypot(to.position.x, to.position.z) > 1e3) continue
      const more = Math.abs(length - reedsShepp(path, START, row.to, 1)) / Math.sqrt(amount)
      jump = more <= jump ? jump : more
    }
    expect(miss).toBeLessThan(1e-6)
    expect(jump).toBeLessThan(10)
  }, 120_000)

  it('is a straight line with a radius of 0, and empty where a number is not finite', () => {
    const to = { position: vec(3, 0, 4), heading: vec(0, 0, -1) }
    expect(reedsShepp(path, START, to, 0)).toBe(5)
    expect(reedsShepp(path, START, to, NaN)).toBe(Infinity)
    expect(path.count).toBe(0)
    for (const k of [1e-300, 1e-150, 1e150, 1e300]) {
      const { from, to: goal } = grown({ from: START, to }, k)
      for (const radius of [0, 1e-6 * k, k, 1e6 * k, 1e-300, 1e300]) {
        const length = reedsShepp(path, from, goal, radius)
        expect(length >= 4.99 * k && length < Infinity, `${k}, ${radius}: ${length}`).toBe(true)
      }
    }
  })
})
