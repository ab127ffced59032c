import { describe, expect, it } from 'vitest'
import {
  Hover,
  neighborSearch,
  Seek,
  SlowInCrowd,
  SteeringWorld,
  within,
  type Agent,
  type Behavior,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { density, isCrowded } from 'three-steering/authoring'
import { expectVec, norm, number, times, v } from '../../support/geometry.js'
import { law } from '../../support/law.js'
import { ask, pilot, xyz, type PilotOptions } from '../../support/pilot.js'
import { pushing } from '../../support/stand-in.js'
import { makeWish } from '../../../src/core/control/wish.js'

const NONE = v(0, 0, 0)

/** The value for an agent at the origin among others. */
function seen(
  look: (agent: Agent) => number,
  others: readonly PilotOptions[],
  options: PilotOptions = {},
): number {
  let found = NaN
  const behavior: Behavior = { reach: 1e3, neighborSearch, steer: (agent) => void (found = look(agent)) }
  ask(behavior, options, others)
  return found
}

const ball = (x: number, radius = 0.5, y = 0, z = 0): PilotOptions => ({ position: v(x, y, z), radius })

describe('isCrowded', () => {
  const at = (place: Vec3Like, radius: number, ...others: PilotOptions[]): number =>
    seen((agent) => isCrowded(agent, place, radius), others)

  it('counts agents that reach in, also above and below, and not the agent itself', () => {
    expect(at(NONE, 2)).toBe(0)
    expect(at(NONE, 2, ball(2.49))).toBeCloseTo(1 / 16, 12)
    expect(at(NONE, 2, ball(2.51))).toBe(0)
    expect(at(NONE, 2, ball(0, 0.5, 2.49))).toBeCloseTo(1 / 16, 12)
    expect(at(NONE, 2, ball(0, 0.5, 2.51))).toBe(0)
    expect(at(NONE, 2, ball(0, 0.5, 0, -2.51))).toBe(0)
  })

  it('counts only the neighbours of the agent', () => {
    const blind: Behavior & { found: number } = {
      found: NaN,
      reach: 3,
      neighborSearch,
      steer(agent) {
        this.found = isCrowded(agent, v(9, 0, 0), 2)
      },
    }
    ask(blind, {}, [ball(9), ball(2, 7)])
    expect(blind.found).toBe(1)
    blind.found = NaN
    ask(blind, {}, [ball(9)])
    // one behaviour cannot belong to two worlds at once, but to one after the other
    expect(blind.found).toBe(0)
  })
})

describe('density', () => {
  const at = (place: Vec3Like, radius: number, others: readonly PilotOptions[]): number =>
    seen((agent) => density(agent, place, radius), others)

  it('is the same for agents inside, and may exceed 1', () => {
    expect(at(v(9, 0, 0), 2, [ball(9), ball(10)])).toBeCloseTo(1 / 8, 12)
    expect(at(v(9, 0, 0), 2, [ball(9, 4)])).toBeCloseTo(4, 12)
  })

  law(
    'is continuous: it grows with the width that is inside',
    [number(0, 4), number(0.2, 3)],
    (x, radius) => {
      const d = 1e-6
      const size = (radius / 2) ** 2
      expect(Math.abs(at(NONE, 2, [ball(x + d, radius)]) - at(NONE, 2, [ball(x, radius)]))).toBeLessThan(
        (1.1 * d * size) / (2 * Math.min(radius, 2)) + 1e-12,
      )
      expect(at(NONE, 2, [ball(x, radius)])).toBeLessThanOrEqual(size)
    },
  )

  it('an agent that touches from outside counts nothing, one half inside counts half', () => {
    expect(at(NONE, 2, [ball(2.5)])).toBe(0)
    expect(at(NONE, 2, [ball(2)])).toBeCloseTo(1 / 32, 12)
    expect(at(NONE, 2, [ball(1.5)])).toBeCloseTo(1 / 16, 12)
  })
})

describe('SlowInCrowd', () => {
  const target = v(0, 0, 1e6)
  /** Steady speed along z among others that move with it. */
  const wanted = (others: readonly PilotOptions[], options = {}, self: PilotOptions = {}): Vec3 => {
    const behavior = new SlowInCrowd({ behavior: new Seek({ target }), radius: 2, ...options })
    // 1 kg, 0.1 s, and more force than is needed
    return times(ask(behavior, { maxForce: 1e6, ...self }, others).force, 0.1)
  }

  it('without other agents the wish is unchanged', () => {
    expectVec(wanted([]), v(0, 0, 10), 1e-9)
    const plain = ask(new Seek({ target: v(3, 0, 0) }), { velocity: v(1, 2, 0) }).force
    const slow = new SlowInCrowd({ behavior: new Seek({ target: v(3, 0, 0) }), radius: 2 })
    expectVec(ask(slow, { velocity: v(1, 2, 0) }).force, plain, 1e-9)
  })

  it('by hand: half of the density has half of the full effect', () => {
    // an agent of √2 m in a ball of 2 m has half of its area; 10 m/s to 2.5 m/s
    expectVec(wanted([ball(0, Math.SQRT2, 0, 2)]), v(0, 0, 10 - 7.5 / 2), 1e-9)
    expectVec(wanted([ball(0, 2, 0, 2)]), v(0, 0, 2.5), 1e-9)
    expectVec(wanted([ball(0, 9, 0, 2)]), v(0, 0, 2.5), 1e-9)
    expectVec(wanted([ball(0, 9, 0, 2)], { minSpeedShare: 0.6 }), v(0, 0, 6), 1e-9)
    expectVec(wanted([ball(0, 1, 0, 2)], { fullDensity: 0.25 }), v(0, 0, 2.5), 1e-9)
    // agents behind it do not count
    expectVec(wanted([ball(0, 1, 0, -2)]), v(0, 0, 10), 1e-9)
  })

  it('uses the density at its target, if it has one', () => {
    const place = v(5, 0, 0)
    expectVec(wanted([ball(5, 2)], { target: place, neighborDistance: 9 }), v(0, 0, 2.5), 1e-9)
    expectVec(wanted([ball(0, 2, 0, 2)], { target: place, neighborDistance: 9 }), v(0, 0, 10), 1e-9)
    expect(new SlowInCrowd({ behavior: new Seek({ target }), radius: 2 }).reach).toBe(6)
    expect(new SlowInCrowd({ behavior: new Seek({ target }), radius: 2, neighborDistance: 9 }).reach).toBe(9)
  })

  it('reduces the speed and keeps the direction, however the agent moves', () => {
    const behavior = (): Behavior => new Seek({ target: v(30, 40, 0) })
    const crowded = ask(
      new SlowInCrowd({ behavior: behavior(), radius: 2, minSpeedShare: 0.5 }),
      { velocity: v(0, 0, 3), maxForce: 1e6 },
      [ball(1.2, 5, 1.6)],
    ).force
    // (6, 8, 0) m/s halved, less its velocity
    expectVec(times(crowded, 0.1), v(3, 4, -3), 1e-9)
  })

  it('asks for at most the maximum force alone, and for the whole change as part of a wish', () => {
    const slow = (): SlowInCrowd => new SlowInCrowd({ behavior: new Seek({ target }), radius: 2 })
    const others = [ball(0, 2, 0, 2)]
    expect(norm(ask(slow(), { velocity: v(0, 0, 10) }, others).force)).toBeCloseTo(75, 9)
    expect(norm(ask(slow(), { velocity: v(0, 0, 10), maxForce: 9 }, others).force)).toBeCloseTo(9, 9)
    // the same velocity is wanted from rest, though 9 N cannot reach it
    const inner = ask(within([], slow()), { velocity: v(0, 0, 2.5), maxForce: 9 }, others).force
    expectVec(inner, NONE, 1e-9)
    expectVec(ask(slow(), { velocity: v(0, 0, 2.5), maxForce: 9 }, others).force, NONE, 1e-9)
  })

  it('leaves torque and goal unchanged', () => {
    const wish = { ...makeWish(), goalDistance: 7 }
    const inner: Behavior = {
      steer(agent, _step, out) {
        agent.wish!.goalDistance = 3
        out.torque.y = 4
        out.turns = true
      },
    }
    const slow = new SlowInCrowd({ behavior: inner, radius: 2 })
    const outer: Behavior = {
      reach: 9,
      neighborSearch,
      children: [slow],
      steer(agent, step, out) {
        agent.wish = wish
        slow.steer(agent, step, out)
        expect(agent.wish).toBe(wish)
        agent.wish = null
      },
    }
    expect(ask(outer).torque.y).toBe(4)
    expect(wish.goalDistance).toBe(3)
  })

  it('the inner behaviour may be replaced', () => {
    const slow = new SlowInCrowd({ behavior: pushing(v(1, 0, 0)), radius: 2 })
    slow.behavior = pushing(v(0, 2, 0))
    expectVec(ask(slow).force, v(0, 2, 0), 1e-9)
    expect(slow.children).toHaveLength(1)
  })

  it('a crowd moves on, more slowly where it is dense', () => {
    const world = new SteeringWorld()
    const behavior = new SlowInCrowd({ behavior: new Seek({ target: v(0, 0, 500) }), radius: 2 })
    const row = Array.from({ length: 12 }, (_, i) =>
      pilot(behavior, {
        position: v((i % 4) * 1.1, Math.floor(i / 4) * 1.1, 0.3 * (i % 3)),
        locomotion: new Hover({ attitude: null }),
      }),
    )
    row.forEach((each) => world.add(each))
    const lonely = pilot(behavior, { position: v(99, 0, 0), locomotion: new Hover({ attitude: null }) })
    world.add(lonely)
    for (let i = 0; i < 240; i++) world.step(1 / 60)
    for (const each of row) expect(each.position.z).toBeGreaterThan(8)
    expect(Math.min(...row.map((each) => each.position.z))).toBeLessThan(norm(xyz(lonely.velocity)) * 3.7)
    expect(norm(xyz(lonely.velocity))).toBeCloseTo(10, 6)
  })
})
