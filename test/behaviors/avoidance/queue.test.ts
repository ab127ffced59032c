import { describe, expect, it } from 'vitest'
import {
  Hover,
  Queue,
  ReciprocalAvoidance,
  Seek,
  SteeringWorld,
  within,
  type Behavior,
  type SteeringController,
  type Vec3,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import {
  direction,
  dotOf,
  expectFinite,
  expectVec,
  minus,
  norm,
  number,
  plus,
  times,
  v,
} from '../../support/geometry.js'
import { law } from '../../support/law.js'
import { ask, pilot, xyz, type PilotOptions } from '../../support/pilot.js'

// A pilot has 0.5 m, 1 kg, 100 N and 10 m/s; a waiting agent keeps 1.1 m from the centre of the next one.

const NONE = v(0, 0, 0)
const GAP = 1.1
const point = { locomotion: new Hover({ attitude: null }) }

/** The force of a queueing agent: alone, the behaviour brakes an agent that is too fast. */
function force(options: object, self: PilotOptions, others: readonly PilotOptions[]): Vec3 {
  const { force, faults } = ask(
    new Queue({ target: NONE, radius: 40, sideClearance: 0, ...options }),
    self,
    others,
  )
  expect(faults).toEqual([])
  return force
}

describe('Queue', () => {
  const late = { position: v(0, 0, 6), velocity: v(0, 0, -9), seed: 5 }

  it('brakes behind an agent that is ahead and in the way, and for no other', () => {
    const braking = (x: number, y: number, z: number, rest: PilotOptions = {}, options = {}): number =>
      force(options, late, [{ position: v(x, y, z), ...rest }]).z
    expect(braking(0, 0, 3.5)).toBeGreaterThan(10)
    // behind, beside the path, in another group
    expect(braking(0, 0, 8)).toBe(0)
    expect(braking(1.01, 0, 3.5)).toBe(0)
    expect(braking(0, -1.01, 3.5)).toBe(0)
    expect(braking(0, 0.9, 3.5)).toBeGreaterThan(1)
    expect(braking(0, 0.9, 3.5, {}, { exitDirection: v(0, 0, -3) })).toBeGreaterThan(1)
    // an agent that is through does not queue any more
    expect(braking(0, 0.9, 3.5, {}, { exitDirection: v(0, 0, 3) })).toBe(0)
    expect(braking(1.01, 0, 5)).toBe(0)
    expect(braking(1.01, 0, 5, {}, { sideClearance: 0.1 })).toBeGreaterThan(1)
    expect(braking(0, 0, 3.5, { group: 4 }, { groups: 3 })).toBe(0)
    // ahead, but as fast, or faster
    expect(braking(0, 0, 3.5, { velocity: v(0, 0, -9) })).toBe(0)
    // outside of the radius there is no queue
    expect(braking(0, 0, 3.5, {}, { radius: 5.9 })).toBe(0)
  })

  it('the agent nearest to the target is never held', () => {
    for (let n = 0; n < 50; n++) {
      const random = seeded(n)
      const any = (k: number): Vec3 => v(k * (random() - 0.5), k * (random() - 0.5), k * (random() - 0.5))
      const self = { position: times(any(1), 2), velocity: any(20) }
      const own = norm(self.position)
      const others = Array.from({ length: 9 }, () => ({ position: any(12), velocity: any(20) })).filter(
        ({ position }) => norm(position) > own,
      )
      expectVec(force({ sideClearance: 9 }, self, others), NONE, 0)
    }
  })

  law(
    'of two, one waits for the other, and never both',
    [direction(), direction(), number(0, 5), number(0, 5)],
    (a, b, p, q) => {
      const one = { position: times(a, p), velocity: times(a, -9), seed: 1 }
      const two = { position: times(b, q), velocity: times(b, -9), seed: 2 }
      const held = [force({}, one, [two]), force({}, two, [one])].filter((f) => norm(f) > 0)
      expect(held.length).toBeLessThanOrEqual(1)
    },
  )

  it('of two at the same distance the one with the lower seed goes first', () => {
    const at = (x: number, seed: number): PilotOptions => ({
      position: v(x, 0, 2),
      velocity: v(-3 * x, 0, -8),
      seed,
    })
    expectVec(force({}, at(0.3, 1), [at(-0.3, 2)]), NONE, 0)
    expect(norm(force({}, at(0.3, 2), [at(-0.3, 1)]))).toBeGreaterThan(1)
    // also at the same position
    expectVec(force({}, at(0, 1), [{ ...at(0, 2), velocity: NONE }]), NONE, 0)
    expect(force({}, at(0, 2), [{ ...at(0, 1), velocity: NONE }]).z).toBeGreaterThan(1)
  })

  law(
    'stops behind who stands, from any side and speed, without a touch, straight up too',
    [direction(), number(1, 10)],
    (n, speed) => {
      const world = new SteeringWorld()
      const first = pilot(undefined, { ...point, position: times(n, 1), seed: 1 })
      const queue = within([new Queue({ target: NONE, radius: 40 })], new Seek({ target: NONE }))
      const last = pilot(queue, { ...point, position: times(n, 9), velocity: times(n, -speed), seed: 2 })
      world.add(first).add(last)
      let least = Infinity
      for (let i = 0; i < 240; i++) {
        world.step(1 / 60)
        least = Math.min(least, norm(minus(last.position, first.position)))
      }
      expect(least).toBeGreaterThan(GAP - 0.01)
      expect(norm(minus(last.position, first.position))).toBeLessThan(GAP + 0.05)
      expect(norm(xyz(last.velocity))).toBeLessThan(0.05)
    },
    20,
  )

  /** A column of `count` agents, shuffled, that flies through a target at the origin and on. */
  function column(rate: number, count = 8): { least: number; order: number[]; pilots: SteeringController[] } {
    const world = new SteeringWorld()
    const queue = new Queue({ target: NONE, radius: 40, exitDirection: v(0, 0, -1) })
    const behavior: Behavior = within([queue], new Seek({ target: v(0, 0, -90) }))
    const pilots = Array.from({ length: count }, (_, i) =>
      pilot(behavior, {
        ...point,
        position: v(0.05 * (i % 3), 0.05 * (i % 2), 2 + 1.5 * ((3 * i) % count)),
        // the last agents are the fastest
        maxSpeed: 3 + ((3 * i) % count),
        seed: 40 - i,
      }),
    )
    pilots.forEach((each) => world.add(each))
    let least = Infinity
    const order: number[] = []
    for (let n = 0; n < 8 * rate; n++) {
      world.step(1 / rate)
      for (const [i, a] of pilots.entries()) {
        if (a.position.z < 0 && !order.includes(i)) order.push(i)
        for (const b of pilots.slice(i + 1))
          if (a.position.z > 0 && b.position.z > 0)
            least = Math.min(least, norm(minus(a.position, b.position)))
      }
    }
    return { least, order, pilots }
  }

  it.each([30, 60, 240])('all of a column go through in order, without a contact, at 1/%i s', (rate) => {
    const { least, order } = column(rate)
    expect(order).toEqual([0, 3, 6, 1, 4, 7, 2, 5])
    expect(least).toBeGreaterThan(1)
  })

  it('a ring of agents around one target comes to rest with the first agent at the target', () => {
    const world = new SteeringWorld()
    const behavior = within(
      [new Queue({ target: NONE, radius: 40, sideClearance: 1 })],
      new Seek({ target: NONE }),
    )
    const random = seeded(2)
    const pilots = Array.from({ length: 12 }, (_, seed) => {
      const position = times(v(random() - 0.5, random() - 0.5, random() - 0.5), 12)
      return pilot(behavior, { ...point, position, seed, maxSpeed: 2 })
    })
    pilots.forEach((each) => world.add(each))
    for (let i = 0; i < 900; i++) world.step(1 / 60)
    expect(Math.min(...pilots.map((each) => norm(each.position)))).toBeLessThan(0.4)
    for (const each of pilots) expectFinite(each.position)
  })

  it('an agent that is through, and still in the way, is ahead of all', () => {
    const next = { position: v(0, 0, 1), velocity: v(0, 0, -9), seed: 5 }
    const out = { position: v(0, 0, -1.5) }
    expectVec(force({}, next, [out]), NONE, 0)
    expect(force({ exitDirection: v(0, 0, -1) }, next, [out]).z).toBeGreaterThan(10)
  })

  it('of two queueing agents that avoid each other the one behind makes way, whatever their seeds; of unequal priority, the lower one', () => {
    const side = v(0, 0.3, 0)
    const given = (self: PilotOptions, other: PilotOptions, queues = true): number => {
      const avoid = new ReciprocalAvoidance({ bias: 0, clearance: 0.3 })
      const constraints = queues
        ? [new Queue({ target: NONE, radius: 40, sideClearance: -2 }), avoid]
        : [avoid]
      const { force, faults } = ask(within(constraints, { steer() {} }), self, [
        { ...other, behavior: new ReciprocalAvoidance() },
      ])
      expect(faults).toEqual([])
      return norm(force)
    }
    for (const [a, b] of [
      [1, 2],
      [2, 1],
    ] as const) {
      const front: PilotOptions = { position: v(0, 0, 3), seed: a }
      const back: PilotOptions = { position: plus(v(0, 0, 4.05), side), seed: b }
      expect(given(front, back)).toBeLessThan(0.1 * given(back, front))
      expect(given(front, back, false)).toBeCloseTo(given(back, front, false), 6)
      expect(given(front, back)).toBeGreaterThan(0)
      const lord = { ...back, priority: 3 }
      expect(given(front, lord)).toBeCloseTo(3 * given(lord, front), 6)
    }
  })

  it('asks for no force towards the target', () => {
    const still = { position: v(0, 0, 6), seed: 5 }
    expectVec(force({}, still, [{ position: v(0, 0, 3.5) }]), NONE, 0)
    // too near: it moves away from the agent ahead
    expect(dotOf(force({}, still, [{ position: v(0, 0, 5.3) }]), v(0, 0, 1))).toBeGreaterThan(0)
  })
})
