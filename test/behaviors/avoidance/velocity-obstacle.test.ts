import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Vec3, Vec3Like } from 'three-steering'
import { velocityObstacle } from '../../../src/blocks/crowds/velocity-obstacle.js'
import { seeded } from '../../../src/core/math/random.js'
import {
  crossOf,
  dotOf,
  direction,
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

interface Meeting {
  /** Position of the other agent, m. */
  readonly place: Vec3Like
  /** Velocity of the agent less that of the other one, m/s. */
  readonly u: Vec3Like
  readonly far: number
  readonly horizon: number
}

interface Way {
  readonly normal: Vec3
  readonly violation: number
}

function escapeOf({ place, u, far, horizon }: Meeting, parting = 0.5): Way | null {
  const found = velocityObstacle({
    ...place,
    ux: u.x,
    uy: u.y,
    uz: u.z,
    minDistance: far,
    horizon,
    separationTime: parting,
  })
  return found && { normal: v(found.x, found.y, found.z), violation: found.violation }
}

/** Least distance with a relative velocity until the horizon, independent of the source. */
function miss({ place, horizon }: Meeting, u: Vec3Like): number {
  const sq = dotOf(u, u)
  const best = sq > 0 ? dotOf(place, u) / sq : 0
  return norm(plus(place, u, -Math.min(horizon, Math.max(0, best))))
}

/** The same by samples of time: it checks the oracle itself. */
function sampled({ place, horizon }: Meeting, u: Vec3Like): number {
  let least = Infinity
  for (let i = 0; i <= 1000; i++) least = Math.min(least, norm(plus(place, u, (-i * horizon) / 1000)))
  return least
}

/** Two agents that do not touch yet; the horizon is near or far. */
const meeting: fc.Arbitrary<Meeting> = fc
  .tuple(
    direction(),
    number(0.1, 5),
    number(1.01, 10),
    vector(12),
    fc.oneof(number(0.2, 8), fc.constant(1e6)),
  )
  .map(([n, far, times_, u, horizon]) => ({ place: times(n, far * times_), u, far, horizon }))

/** Two agents that will touch. */
const collision: fc.Arbitrary<Meeting> = fc
  .tuple(meeting, number(0.05, 3), direction(), number(0, 0.99))
  .map(([each, sooner, off, share]) => {
    const { place, far, horizon } = each
    const contact = plus(place, off, share * far)
    return { place, far, horizon, u: times(contact, (1 + sooner) / Math.min(horizon, 3)) }
  })
  .filter((each) => miss(each, each.u) < each.far * 0.999)

/** Not exactly head-on, where neither side is better. */
const sided = ({ place, u }: Meeting): boolean => norm(crossOf(place, u)) > 1e-5 * norm(place) * norm(u)

const any = (random: () => number, size: number): Vec3 =>
  v(size * (2 * random() - 1), size * (2 * random() - 1), size * (2 * random() - 1))

const seeds = fc.integer({ min: 0, max: 1e6 })

describe('the velocity obstacle', () => {
  law(
    'its oracle agrees with a sampling of times',
    [meeting.filter(({ horizon }) => horizon < 9)],
    (each) => {
      expect(Math.abs(sampled(each, each.u) - miss(each, each.u))).toBeLessThan(0.12)
      expect(miss(each, each.u)).toBeLessThanOrEqual(sampled(each, each.u) + 1e-9)
    },
  )

  law(
    'every velocity on the free side keeps the distance until the horizon',
    [fc.oneof(meeting, collision), seeds],
    (each, seed) => {
      const escape = escapeOf(each)
      if (escape === null) return
      const { normal, violation } = escape
      expect(norm(normal)).toBeCloseTo(1, 9)
      const random = seeded(seed)
      const edge = plus(each.u, normal, violation)
      for (let i = 0; i < 40; i++) {
        const step = any(random, i < 20 ? 1 : 30)
        const across = minus(step, times(normal, dotOf(step, normal)))
        const beyond = i % 3 === 0 ? 0 : Math.abs(dotOf(step, normal))
        const velocity = i === 0 ? edge : plus(plus(edge, across), normal, beyond)
        expect(miss(each, velocity)).toBeGreaterThan(each.far * (1 - 1e-6))
      }
    },
    1000,
  )

  law('one velocity at its edge keeps exactly that distance', [fc.oneof(meeting, collision)], (each) => {
    const escape = escapeOf(each)
    if (escape === null) return
    const edge = plus(each.u, escape.normal, escape.violation)
    expect(miss(each, edge)).toBeLessThan(each.far * (1 + 1e-6))
  })

  law(
    'no smaller change avoids or causes a contact',
    [fc.oneof(meeting, collision).filter(sided), seeds],
    (each, seed) => {
      const escape = escapeOf(each)
      if (escape === null) return
      const { violation } = escape
      const inside = miss(each, each.u) < each.far
      expect(violation > 0).toBe(inside)
      const random = seeded(seed)
      for (let i = 0; i < 60; i++) {
        // most of them close to the size that suffices
        const size = Math.abs(violation) * (1 - 1e-6) * (i % 4 === 0 ? random() : 1)
        const velocity = plus(each.u, unit(any(random, 1)), size)
        expect(miss(each, velocity) < each.far * (1 + (inside ? 1e-9 : -1e-9))).toBe(inside)
      }
    },
    1000,
  )

  law('demands a change whenever there is a contact ahead', [collision], (each) => {
    const escape = escapeOf(each)
    expect(escape).not.toBeNull()
    expect(escape!.violation).toBeGreaterThan(0)
  })

  law(
    'demands a change exactly head-on, at any speed that leads to a contact',
    [direction(), number(0.1, 5), number(1.1, 9), number(1.01, 50)],
    (n, far, distance, hurry) => {
      const each = { place: times(n, far * distance), far, horizon: 2 }
      const u = times(n, ((far * (distance - 1)) / 2) * hurry)
      const escape = escapeOf({ ...each, u })
      expect(escape).not.toBeNull()
      expect(miss({ ...each, u }, plus(u, escape!.normal, escape!.violation))).toBeGreaterThan(
        far * (1 - 1e-6),
      )
    },
  )

  it('by hand: slow and far gives the rounded end of the cone, fast its side', () => {
    // contact of 3 m, 5 m away, within 1 s: the ball of 3 m/s around 5 m/s
    const each = { place: v(5, 0, 0), far: 3, horizon: 1 }
    const slow = escapeOf({ ...each, u: v(1, 0, 0) })!
    expectVec(slow.normal, v(-1, 0, 0), 1e-12)
    expect(slow.violation).toBeCloseTo(-1, 12)
    const nearly = escapeOf({ ...each, u: v(3, 0, 0) })!
    expectVec(nearly.normal, v(-1, 0, 0), 1e-12)
    expect(nearly.violation).toBeCloseTo(1, 12)
    // 3-4-5: the side of the cone rises 3 over 4
    const fast = escapeOf({ ...each, u: v(12, 4, 0) })!
    expectVec(fast.normal, v(-0.6, 0.8, 0), 1e-12)
    expect(fast.violation).toBeCloseTo(12 * 0.6 - 4 * 0.8, 12)
    // outside of it, by the same amount
    const past = escapeOf({ ...each, u: v(12, 14, 0) })!
    expectVec(past.normal, v(-0.6, 0.8, 0), 1e-12)
    expect(past.violation).toBeCloseTo(12 * 0.6 - 14 * 0.8, 12)
  })

  it('without a horizon the cone ends at its apex', () => {
    const each = { place: v(5, 0, 0), far: 3, horizon: Infinity }
    const away = escapeOf({ ...each, u: v(-2, 0, 0) })!
    expectVec(away.normal, v(-1, 0, 0), 1e-12)
    expect(away.violation).toBe(-2)
    const fast = escapeOf({ ...each, u: v(12, 4, 0) })!
    expectVec(fast.normal, v(-0.6, 0.8, 0), 1e-12)
  })

  law(
    'an agent that is too near is to be clear after the separation time',
    [direction(), number(0.1, 5), number(0.001, 0.999), vector(9), number(0.05, 2), seeds],
    (n, far, share, u, parting, seed) => {
      const each = { place: times(n, share * far), u, far, horizon: 1 }
      const { normal, violation } = escapeOf(each, parting)!
      expectVec(normal, times(n, -1), 1e-9)
      const random = seeded(seed)
      for (let i = 0; i < 20; i++) {
        const across = crossOf(any(random, 5), normal)
        const velocity = plus(plus(plus(u, normal, violation), across), normal, i === 0 ? 0 : random())
        expect(norm(plus(each.place, velocity, -parting))).toBeGreaterThan(far * (1 - 1e-9))
      }
      // and no faster than that
      const edge = plus(times(normal, dotOf(u, normal)), normal, violation)
      expect(norm(plus(each.place, edge, -parting))).toBeCloseTo(far, 6)
    },
  )

  it('is null at the same position', () => {
    expect(escapeOf({ place: v(0, 0, 0), u: v(1, 2, 3), far: 1, horizon: 5 })).toBeNull()
    expect(escapeOf({ place: v(0, 0, 0), u: v(0, 0, 0), far: 0, horizon: 5 })).toBeNull()
  })
})
