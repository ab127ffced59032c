import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidAgents,
  Hover,
  Seek,
  SteeringWorld,
  within,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { closestApproach } from '../../../src/core/math/approach.js'
import {
  crossOf,
  direction,
  dotOf,
  expectVec,
  minus,
  norm,
  number,
  plus,
  times,
  unit,
  v,
  vector,
} from '../../support/geometry.js'
import { law } from '../../support/law.js'
import { ask, pilot, quietWorld, xyz, type PilotOptions } from '../../support/pilot.js'
import { pick } from '../../support/tier.js'

const NONE = v(0, 0, 0)
const point = { locomotion: new Hover({ attitude: null }) }

/**
 * Two agents of 0.5 m, 1 kg, 10 m/s, 100 N with a response time of 0.1 s: the force that each of them asks
 * for.
 */
function both(a: PilotOptions, b: PilotOptions, options = {}): [Vec3, Vec3] {
  const { world, faults } = quietWorld()
  const behavior = new AvoidAgents({ neighborDistance: 50, ...options })
  const pair = [a, b].map((each, i) => pilot(behavior, { ...point, seed: i + 1, ...each }))
  pair.forEach((each) => world.add(each))
  world.step(1e-6)
  expect(faults).toEqual([])
  return pair.map((each) => xyz(each.demand.force)) as [Vec3, Vec3]
}

/** One agent meets another one directly ahead that flies across its path. */
const crossing = (a: number, b: number): [PilotOptions, PilotOptions] => [
  { position: v(-a, 0, 0), velocity: v(a, 0, 0) },
  { position: v(0, 0, -b), velocity: v(0, 0, b) },
]

/** Independent of the source: the least distance over fine samples of time, refined around the best. */
function byHand(p: Vec3Like, w: Vec3Like): { time: number; miss: number } {
  let low = 0
  let high = 60
  let time = 0
  for (let n = 0; n < 12; n++) {
    const width = (high - low) / 60
    let miss = Infinity
    for (let i = 0; i <= 60; i++) {
      const t = low + i * width
      const d = norm(plus(p, w, t))
      if (d < miss) [miss, time] = [d, t]
    }
    low = Math.max(0, time - width)
    high = time + width
  }
  return { time, miss: norm(plus(p, w, time)) }
}

describe('the closest approach', () => {
  law('is the same as by a brute-force search', [vector(50), vector(10)], (p, w) => {
    const out = v(7, 8, 9)
    const time = closestApproach(out, p, w)
    const oracle = byHand(p, w)
    if (time === Infinity) {
      expect(oracle.time).toBeLessThan(1e-6)
      expectVec(out, p, 0)
    } else if (time < 59) {
      expect(norm(out)).toBeCloseTo(oracle.miss, 6)
      expect(dotOf(out, w)).toBeCloseTo(0, 9)
    }
  })

  law(
    'is exact where distance − speed · time raises false alarms: that estimate is never larger, and mostly smaller',
    [vector(50), vector(10)],
    (p, w) => {
      const out = v(0, 0, 0)
      const time = closestApproach(out, p, w)
      if (time === Infinity) return
      // Millington's and most ports': minSeparation = distance − relativeSpeed · timeToClosest
      const others = norm(p) - norm(w) * time
      expect(others).toBeLessThanOrEqual(norm(out) + 1e-9)
    },
  )

  it('keeps its precision far from the origin', () => {
    const out = v(0, 0, 0)
    closestApproach(out, v(-1e9, 1, 0), v(1e3, 0, 0))
    expect(norm(out)).toBe(1)
    // |p|² + 2·a·t + b²·t² in doubles
    expect(Math.abs(1e18 + 1 - 1e24 / 1e6 - 1)).toBeGreaterThan(0.5)
  })
})

describe('AvoidAgents', () => {
  it('does nothing without a threat', () => {
    const at = (position: Vec3, velocity: Vec3, options = {}): number =>
      norm(both({ velocity: v(5, 0, 0) }, { position, velocity }, options)[0])
    expect(at(v(10, 0, 0), v(-5, 0, 0))).toBeGreaterThan(1)
    // separating, abreast, with the same velocity, passing at more than 1.1 m, in more than 4 s, out of sight
    expect(at(v(-10, 0, 0), v(-5, 0, 0))).toBe(0)
    expect(at(v(0, 3, 0), v(-5, 0, 0))).toBe(0)
    expect(at(v(3, 0, 0), v(5, 0, 0))).toBe(0)
    expect(at(v(10, 1.11, 0), v(-5, 0, 0))).toBe(0)
    expect(at(v(10, 1.09, 0), v(-5, 0, 0))).toBeGreaterThan(0)
    expect(at(v(40.1, 0, 0), v(-5, 0, 0))).toBe(0)
    expect(at(v(39, 0, 0), v(-5, 0, 0))).toBeGreaterThan(0)
    expect(at(v(10, 0, 0), v(-5, 0, 0), { neighborDistance: 9 })).toBe(0)
    expect(at(v(10, 0, 0), v(-5, 0, 0), { maxPredictionTime: 0.9 })).toBe(0)
    expect(at(v(10, 1.5, 0), v(-5, 0, 0), { clearance: 1 })).toBeGreaterThan(0)
  })

  it('ignores an agent that passes outside the clearance', () => {
    // 13 m away, closing at 4 m/s, passing at 5 m: 13 − 12 is within 1.1 m
    expectVec(both({ velocity: v(4, 0, 0) }, { position: v(12, 5, 0) })[0], NONE, 0)
  })

  it('by hand: half of the missing distance, divided by the time left', () => {
    // they pass at 0.6 m after 1 s; 0.5 m are missing: 0.25 m/s for each, in 0.1 s: 2.5 N towards the side on
    // which they pass
    const [a, b] = both(
      { velocity: v(5, 0, 0) },
      { position: v(10, -0.6, 0), velocity: v(-5, 0, 0) },
      { maxPredictionTime: 100 },
    )
    // the bias of 5 % to starboard turns the direction a little
    expect(a.y).toBeGreaterThan(2.4)
    expect(a.y).toBeLessThan(2.6)
    expect(norm(v(0, a.y, a.z))).toBeLessThan(2.6)
    expectVec(v(0, a.y, a.z), v(0, -b.y, -b.z), 1e-12)
  })

  it('two agents that meet exactly head-on each turn to their own starboard, in opposite directions', () => {
    const [a, b] = both({ velocity: v(5, 0, 0) }, { position: v(10, 0, 0), velocity: v(-5, 0, 0) })
    expect(a.z).toBeGreaterThan(1)
    expect(b.z).toBe(-a.z)
    expect(a.y).toBe(0)
  })

  law(
    'two agents that meet exactly head-on in any direction, also vertically, turn at right angles in opposite directions',
    [direction(), number(0.5, 10), number(0.5, 10)],
    (n, fast, slow) => {
      const [a, b] = both(
        { velocity: times(n, fast), position: times(n, -fast) },
        { velocity: times(n, -slow), position: times(n, slow) },
      )
      const across = minus(a, times(n, dotOf(a, n)))
      expect(norm(across)).toBeGreaterThan(1)
      expectVec(minus(b, times(n, dotOf(b, n))), times(across, -1), 1e-6)
    },
  )

  it('of two crossing agents the one ahead flies faster and the one behind slower', () => {
    // the first is 0.3 m ahead of the crossing
    const [one, other] = crossing(5, 5)
    const [a, b] = both({ ...one, position: v(-4.7, 0, 0) }, other)
    expect(a.x).toBeGreaterThan(0.5)
    expect(b.z).toBeLessThan(-0.5)
    // and both turn: the first away from the approaching one, the other one to pass behind
    expect(a.z).toBeGreaterThan(0.1)
    expect(b.x).toBeLessThan(-0.1)
  })

  it('of two that would meet exactly, the agent with spare speed flies faster', () => {
    // 10 m/s is full speed
    const [a, b] = both(...crossing(10, 5))
    expect(a.x).toBeLessThan(-0.5)
    expect(b.z).toBeGreaterThan(0.5)
    const [c, d] = both(...crossing(5, 10))
    expect(c.x).toBeGreaterThan(0.5)
    expect(d.z).toBeLessThan(-0.5)
  })

  it('the last tie is broken by the seeds, in either order of evaluation', () => {
    const one = { position: v(-8, 0, 0), velocity: v(8, 0, 0) }
    const other = { position: v(8, 0, 0), velocity: v(-8, 0, 0) }
    const [a, b] = both({ ...one, seed: 3 }, { ...other, seed: 9 })
    const [d, c] = both({ ...other, seed: 9 }, { ...one, seed: 3 })
    expect([c, d]).toEqual([a, b])
    expect(Math.sign(a.x)).toBe(1)
    expect(Math.sign(b.x)).toBe(1)
    const [e] = both({ ...one, seed: 9 }, { ...other, seed: 3 })
    expect(Math.sign(e.x)).toBe(-1)
  })

  it('flies no faster than full speed, and never backwards', () => {
    for (let n = 0; n < 100; n++) {
      const random = seeded(n)
      const any = (k: number): Vec3 => v(k * (random() - 0.5), k * (random() - 0.5), k * (random() - 0.5))
      const velocity = times(unit(any(1)), 10 * random())
      const { force } = ask(
        new AvoidAgents({ neighborDistance: 9, clearance: 2 }),
        { velocity, maxForce: 1e9 },
        [{ position: any(6), velocity: any(12) }],
      )
      // F τ / m
      const along = dotOf(velocity, plus(velocity, force, 0.1)) / norm(velocity)
      expect(along).toBeGreaterThanOrEqual(-1e-9)
      expect(along).toBeLessThanOrEqual(10 + 1e-9)
    }
  })

  it('the evasion is shared by priority; an agent of infinite priority does nothing, and the other one all', () => {
    const pair = (a: number, b: number): [Vec3, Vec3] =>
      both(
        { velocity: v(5, 0, 0), priority: a },
        { position: v(10, 0.4, 0), velocity: v(-5, 0, 0), priority: b },
      )
    const [half] = pair(1, 1)
    const [third, twice] = pair(2, 1)
    expect(third.y / half.y).toBeCloseTo(2 / 3, 9)
    expect(twice.y / half.y).toBeCloseTo(-4 / 3, 9)
    const [none, all] = pair(Infinity, 1)
    expectVec(none, NONE, 0)
    expect(all.y / half.y).toBeCloseTo(-2, 9)
    expectVec(pair(Infinity, Infinity)[0], NONE, 0)
  })

  it('only agents of its groups count', () => {
    const other = { position: v(10, 0, 0), velocity: v(-5, 0, 0), group: 4 }
    const felt = (groups: number): number => norm(both({ velocity: v(5, 0, 0) }, other, { groups })[0])
    expect(felt(4)).toBeGreaterThan(1)
    expect(felt(3)).toBe(0)
  })

  law(
    'the forces of both agents across both courses, where speed has no effect, are opposite',
    [vector(8), vector(8), vector(8)],
    (position, velocity, w) => {
      const normal = crossOf(velocity, w)
      if (norm(normal) < 1e-3) return
      const strong = { maxForce: 1e9 }
      const [a, b] = both({ ...strong, velocity }, { ...strong, position, velocity: w }, { clearance: 3 })
      expect(dotOf(plus(a, b), unit(normal))).toBeCloseTo(0, 6)
    },
  )

  law(
    'mirroring the scene mirrors the force, except the turn to starboard',
    [fc.integer({ min: 0, max: 1e6 })],
    (seed) => {
      const random = seeded(seed)
      const any = (k: number): Vec3 => v(k * (random() - 0.5), k * (random() - 0.5), k * (random() - 0.5))
      const velocity = any(10)
      const other = { position: any(10), velocity: any(10) }
      const flip = ({ x, y, z }: Vec3Like): Vec3 => v(x, y, -z)
      const out = v(0, 0, 0)
      closestApproach(out, minus(NONE, other.position), minus(velocity, other.velocity))
      // they pass at 2 m; nearer to the centre the bias of 5 % has more effect
      const near = norm(out) / 2
      if (near < 0.3) return
      const [a] = both({ velocity }, other, { clearance: 1 })
      const there = { position: flip(other.position), velocity: flip(other.velocity) }
      const [b] = both({ velocity: flip(velocity) }, there, { clearance: 1 })
      // a direction that is 0.05 / near off on either side, and a tie of speeds that the seeds resolve
      expect(norm(minus(flip(a), b))).toBeLessThan(((3 * 0.05) / near) * norm(a) + 1e-6)
    },
  )

  it('within a combination it demands at least the change of velocity along its force', () => {
    const other = { position: v(10, 0.4, 0), velocity: v(-5, 0, 0) }
    const self = { velocity: v(5, 0, 0), maxForce: 100 }
    const asked = ask(new AvoidAgents({ neighborDistance: 50 }), self, [other]).force
    const straight = within([new AvoidAgents({ neighborDistance: 50 })], new Seek({ target: v(1e6, 1e5, 0) }))
    const { force } = ask(straight, self, [other])
    expect(dotOf(force, unit(asked))).toBeGreaterThanOrEqual(norm(asked) - 1e-6)
    // a wish that gives way itself is not changed
    const aside = new Seek({ target: v(0, -1e6, 0) })
    const wished = ask(aside, self, [other]).force
    expectVec(
      ask(within([new AvoidAgents({ neighborDistance: 50 })], aside), self, [other]).force,
      wished,
      1e-9,
    )
  })
})

describe('two agents that meet', () => {
  /**
   * Least distance of two agents that exchange places, as a share of the sum of their radii, and whether both
   * arrive.
   */
  function meet(from: [Vec3, Vec3], to: [Vec3, Vec3], rate = 60): { least: number; arrived: boolean } {
    const world = new SteeringWorld()
    const pair = from.map((position, i) =>
      pilot(within([new AvoidAgents({ neighborDistance: 40 })], new Arrive({ target: to[i]! })), {
        ...point,
        position,
        velocity: times(unit(minus(to[i]!, position)), 4),
        maxSpeed: 5,
        maxForce: 10,
      }),
    )
    pair.forEach((each) => world.add(each))
    let least = Infinity
    for (let n = 0; n < 15 * rate; n++) {
      world.step(1 / rate)
      least = Math.min(least, norm(minus(pair[0]!.position, pair[1]!.position)))
    }
    return { least, arrived: pair.every((each, i) => norm(minus(each.position, to[i]!)) < 0.1) }
  }

  it.each(pick([60], [30, 60, 240]))(
    'pass each other and arrive, from all directions, also exactly head-on, at 1/%i s',
    (rate) => {
      const random = seeded(5)
      for (let n = 0; n < pick(6, 30); n++) {
        const any = (): Vec3 => unit(v(random() - 0.5, random() - 0.5, random() - 0.5))
        const [a, b] = n < 3 ? [[v(1, 0, 0), v(0, 1, 0), v(0, 0, 1)][n]!, any()] : [any(), any()]
        const other = n % 2 === 0 ? times(a, -1) : b
        const { least, arrived } = meet(
          [times(a, -16), times(other, -16)],
          [times(a, 16), times(other, 16)],
          rate,
        )
        expect(least, `case ${n}`).toBeGreaterThan(1)
        expect(arrived, `case ${n}`).toBe(true)
      }
    },
  )
})
