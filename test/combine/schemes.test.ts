import { describe, expect, it } from 'vitest'
import {
  blend,
  dither,
  Face,
  priority,
  Seek,
  truncatedSum,
  Wander,
  type Behavior,
  type Vec3Like,
} from 'three-steering'
import { expectVec, norm, times, v } from '../support/geometry.js'
import { ask, idle, pilot, quietWorld } from '../support/pilot.js'
import { pushing } from '../support/stand-in.js'
import { counting, holding, twisting } from './parts.js'

describe('blend: truncation and the sum of weights', () => {
  const parts = (): { behavior: Behavior; weight: number }[] => [
    { behavior: pushing(v(300, 0, 0)), weight: 0.5 },
    { behavior: pushing(v(0, 60, 0)), weight: 1.5 },
    { behavior: twisting(v(0, 0, 40)), weight: 2 },
  ]

  it('an average with weights that sum to 1 includes parts that want nothing', () => {
    expectVec(ask(blend(parts(), { average: true })).force, v(37.5, 22.5, 0), 1e-9)
    const one = [pushing(v(8, 0, 0)), { behavior: idle(), weight: 3 }]
    expectVec(ask(blend(one, { average: true })).force, v(2, 0, 0), 1e-12)
    // negative weights: the sum of their absolute values
    const two = [pushing(v(8, 0, 0)), { behavior: pushing(v(0, 8, 0)), weight: -1 }]
    expectVec(ask(blend(two, { average: true })).force, v(4, -4, 0), 1e-12)
    expectVec(ask(blend([{ behavior: idle(), weight: 0 }], { average: true })).force, v(0, 0, 0), 0)
  })

  it('weights times a constant change nothing in an average', () => {
    const times7 = parts().map(({ behavior, weight }) => ({ behavior, weight: 7 * weight }))
    const one = ask(blend(parts(), { average: true }))
    const other = ask(blend(times7, { average: true }))
    expectVec(other.force, one.force, 1e-9)
    expectVec(other.torque, one.torque, 1e-9)
  })
})

describe('dither', () => {
  /**
   * Returns how often each of three parts, that push along x, y and z, steered, and in which steps the part
   * in control changed.
   */
  function shares(scheme: Behavior, steps: number, dt = 1 / 60, count = 10): [number[], number[]] {
    const { world } = quietWorld({ seed: 4 })
    const agents = Array.from({ length: count }, (_, i) => pilot(scheme, { seed: 10 + i }))
    agents.forEach((each) => world.add(each))
    const times3 = [0, 0, 0]
    const changes: number[] = []
    const last = agents.map(() => -1)
    for (let i = 0; i < steps; i++) {
      const time = world.time
      world.step(dt)
      for (const [k, { demand }] of agents.entries()) {
        const { x, y, z } = demand.force
        const part = [x, y, z].findIndex((each) => each > 0)
        if (part >= 0) times3[part]!++
        if (part !== last[k] && last[k] !== -1) changes.push(time)
        last[k] = part
      }
    }
    return [times3, changes]
  }

  const three = (chances: readonly number[]): { behavior: Behavior; probability: number }[] =>
    [v(1, 0, 0), v(0, 1, 0), v(0, 0, 1)].map((force, i) => ({
      behavior: pushing(force),
      probability: chances[i]!,
    }))

  /** Pearson's statistic. */
  function chiSquare(seen: readonly number[], expected: readonly number[]): number {
    return seen.reduce((sum, n, i) => sum + (n - expected[i]!) ** 2 / expected[i]!, 0)
  }

  it('each part steers as often as its probability says, if those before it have not', () => {
    const steps = 1000
    const n = 10 * steps
    const [seen] = shares(dither(three([0.3, 0.5, 0.8])), steps)
    const want = [0.3, 0.7 * 0.5, 0.35 * 0.8].map((share) => share * n)
    // the fourth outcome: no part
    const rest = n - want.reduce((a, b) => a + b)
    const none = n - seen.reduce((a, b) => a + b)
    // three degrees of freedom: exceeded by chance in one of a thousand
    expect(chiSquare([...seen, none], [...want, rest])).toBeLessThan(16.3)
    // and the test can fail
    expect(chiSquare([...seen, none], [n / 4, n / 4, n / 4, n / 4])).toBeGreaterThan(100)
  })

  it('shares of time are the same at 30, 60 and 240 steps a second, with and without a period', () => {
    for (const period of [0, 0.05])
      for (const rate of [30, 60, 240]) {
        const steps = 10 * rate
        const [seen] = shares(dither(three([0.4, 0.5, 1]), { period }), steps, 1 / rate)
        const n = 10 * steps
        // a draw that holds for several steps counts once
        const draws = period === 0 ? n : Math.min(n, (10 * 10) / period)
        const scaled = seen.map((each) => (each * draws) / n)
        expect(chiSquare(scaled, [0.4 * draws, 0.3 * draws, 0.3 * draws])).toBeLessThan(13.8)
      }
  })

  it('with a period the part in control changes as often at any step rate, at its end and without drift', () => {
    const counts = [30, 60, 240].map((rate) => {
      const [, changes] = shares(dither(three([0.4, 0.5, 1]), { period: 0.14 }), 14 * rate, 1 / rate)
      for (const time of changes) {
        const off = time - 0.14 * Math.round(time / 0.14)
        expect(Math.abs(off)).toBeLessThan(0.5 / rate + 1e-9)
      }
      return changes.length
    })
    // 10 agents · 99 ends, at which another is drawn with 1 − (0.16 + 0.09 + 0.09)
    for (const count of counts) expect(Math.abs(count / (10 * 99 * 0.66) - 1)).toBeLessThan(0.1)
  })

  it('probabilities of 1 are a priority, bit-identically; a part with 0 never steers', () => {
    const list = (): Behavior[] => [idle(), new Seek({ target: v(3, 4, 5) }), new Wander()]
    // random numbers drawn before a Wander are not its own: no other part draws here
    expect(ask(dither(list())).force).toEqual(ask(priority(list())).force)
    const never = counting(pushing(v(1, 0, 0)))
    expectVec(ask(dither([{ behavior: never, probability: 0 }])).force, v(0, 0, 0), 0)
    expect(never.asked).toBe(0)
  })
})

describe('truncated sum', () => {
  const asked = (parts: Parameters<typeof truncatedSum>[0], budget?: 'assigned' | 'resultant' | 'sum') =>
    ask(truncatedSum(parts, budget === undefined ? {} : { budget }))

  it('torques have a budget of their own', () => {
    const { force, torque } = asked([
      pushing(v(200, 0, 0)),
      twisting(v(6, 0, 0), false),
      { behavior: twisting(v(0, 5, 0), false), weight: 2 },
      twisting(v(0, 0, 5), false),
    ])
    expectVec(force, v(100, 0, 0), 1e-9)
    expectVec(torque, v(6, 4, 0), 1e-9)
  })

  it('an assigned force is not cancelled by later parts', () => {
    const parts = (): Behavior[] => [pushing(v(60, 0, 0)), pushing(v(-90, 0, 0)), pushing(v(0, 90, 0))]
    // 60 of 100 assigned: 40 against it are left, and nothing for the third
    expectVec(asked(parts()).force, v(20, 0, 0), 1e-9)
    // Buckland: 60 − 40 is 20 long, so 80 are left again
    expectVec(asked(parts(), 'resultant').force, v(20, 80, 0), 1e-9)
    // the course deck: whole parts, until the sum is as long as the limit
    expectVec(asked(parts(), 'sum').force, times(v(-30, 90, 0), 1), 1e-9)
    expectVec(
      asked([pushing(v(60, 0, 0)), pushing(v(0, 300, 0)), pushing(v(1, 1, 1))], 'sum').force,
      times(v(60, 300, 0), 100 / norm(v(60, 300, 0))),
      1e-9,
    )
  })

  it('is never longer than the limits, and independent of units', () => {
    const random = (i: number): Vec3Like => v(Math.sin(7 * i) * 90, Math.cos(3 * i) * 90, Math.sin(i) * 90)
    for (const budget of ['assigned', 'resultant', 'sum'] as const)
      for (let i = 0; i < 30; i++) {
        const parts = [0, 1, 2, 3].map((k) => ({ behavior: pushing(random(4 * i + k)), weight: k - 1.5 }))
        const { force } = asked(parts, budget)
        expect(norm(force)).toBeLessThanOrEqual(100 * (1 + 1e-12))
        const big = parts.map(({ weight }, k) => ({ behavior: pushing(times(random(4 * i + k), 8)), weight }))
        expectVec(ask(truncatedSum(big, { budget }), { maxForce: 800 }).force, times(force, 8), 1e-9)
      }
  })

  it('without limits it is a plain sum', () => {
    const parts = [twisting(v(6, 0, 0), false), { behavior: twisting(v(0, 5, 0), false), weight: 2 }]
    expectVec(ask(truncatedSum(parts), { maxTorque: Infinity }).torque, v(6, 10, 0), 1e-12)
  })

  it('turns if a part within the budget turns', () => {
    const seen: boolean[] = []
    const spy = (inner: Behavior): Behavior => ({
      steer: (agent, step, out) => {
        inner.steer(agent, step, out)
        seen.push(out.turns)
      },
    })
    ask(spy(truncatedSum([pushing(v(1, 0, 0)), holding()])))
    ask(spy(truncatedSum([pushing(v(200, 0, 0)), twisting(v(20, 0, 0), false), holding()])))
    expect(seen).toEqual([true, false])
  })
})

describe('a scheme of one part is bit-identical to that part', () => {
  const schemes: Record<string, (one: Behavior) => Behavior> = {
    blend: (one) => blend([one]),
    'blend, averaged': (one) => blend([one], { average: true }),
    priority: (one) => priority([one]),
    dither: (one) => dither([one]),
    truncatedSum: (one) => truncatedSum([one]),
    'groups of one, in a list': (one) => priority([blend([one])]),
    'a tower of them all': (one) => blend([priority([truncatedSum([dither([one])])])]),
  }
  const ones: Record<string, () => Behavior> = {
    Seek: () => new Seek({ target: v(3, -9, 4) }),
    Face: () => new Face({ target: v(3, -9, 4) }),
    nothing: idle,
  }

  it.each(Object.keys(schemes))('%s', (name) => {
    for (const one of Object.values(ones)) {
      const state = { velocity: v(1, 2, -3), angularVelocity: v(0.1, 0, 0.3) }
      const bare = ask(one(), state)
      const found = ask(schemes[name]!(one()), state)
      expect(found).toEqual(bare)
    }
  })

  it('groups of one part are the flat list', () => {
    const list = (): Behavior[] => [
      idle(),
      new Face({ target: v(0, 9, 0) }),
      new Seek({ target: v(9, 0, 0) }),
    ]
    expect(ask(priority(list().map((each) => blend([each]))))).toEqual(ask(priority(list())))
  })
})
