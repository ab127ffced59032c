import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  Arrive,
  Face,
  Hover,
  LookWhereGoing,
  MatchAttitude,
  Seek,
  Separation,
  Wander,
  within,
  type Behavior,
  type Vec3Like,
} from 'three-steering'
import type { Wish } from 'three-steering/authoring'
import { ask, fly, pilot, quietWorld } from '../support/pilot.js'
import { pushing, standIn, stepOf, wrench } from '../support/stand-in.js'
import { twisting } from './parts.js'
import { makeWish } from '../../src/core/control/wish.js'
import { addFlock } from '../support/flock.js'
import { number } from '../support/geometry.js'

/** Several wishes of one `within`: the mean of their wanted velocities. */

const v = (x: number, y: number, z: number): Vec3Like => ({ x, y, z })

/** A servo of 0.1 s and 1 kg: ten newtons for each m/s. */
const GAIN = 10

/** Wants this velocity, without limits. */
const wanting = (velocity: Vec3Like): Behavior => ({
  steer({ velocity: now }, _step, { force }) {
    force.x += GAIN * (velocity.x - now.x)
    force.y += GAIN * (velocity.y - now.y)
    force.z += GAIN * (velocity.z - now.z)
  },
})

const free = { maxForce: 1e6, maxSpeed: 100 }

/** The wanted velocity, computed from the force. */
function wanted(wishes: Parameters<typeof within>[1], velocity = v(0, 0, 0)): Vec3Like {
  const { force } = ask(within([], wishes), { ...free, velocity })
  return v(velocity.x + force.x / GAIN, velocity.y + force.y / GAIN, velocity.z + force.z / GAIN)
}

function expectNear(a: Vec3Like, b: Vec3Like, tolerance = 1e-6): void {
  expect(Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)).toBeLessThan(
    tolerance * (1 + Math.hypot(b.x, b.y, b.z)),
  )
}

const component = number(-50, 50)
const vector = fc.record({ x: component, y: component, z: component })
const weight = number(0.1, 10)

// so weak that every wish counts in full
const far = { ...free, maxForce: 1 }

describe('the wanted velocity', () => {
  it('is the weighted mean', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(vector, weight), { minLength: 1, maxLength: 5 }), (list) => {
        const wishes = list.map(([velocity, w]) => ({ behavior: wanting(velocity), weight: w }))
        fc.pre(list.every(([{ x, y, z }]) => Math.hypot(x, y, z) > 0.1))
        const agent = standIn({ ...far, wish: makeWish() })
        const out = wrench()
        within([], wishes).steer(agent, stepOf(), out)
        const total = list.reduce((sum, [, w]) => sum + w, 0)
        for (const axis of ['x', 'y', 'z'] as const)
          expect(out.force[axis] / GAIN).toBeCloseTo(
            list.reduce((sum, [each, w]) => sum + w * each[axis], 0) / total,
            6,
          )
      }),
    )
  })

  it('of one wish is that of the wish, whatever its weight', () => {
    for (const each of [1, 0.1, 7])
      expectNear(wanted([{ behavior: wanting(v(3, -4, 12)), weight: each }], v(60, 1, 2)), v(3, -4, 12))
  })

  it('in a list of one is bit-identical to the wish alone', () => {
    const flown = [true, false].map((listed) => {
      const { world } = quietWorld()
      const arrive = new Arrive({ target: v(20, 3, -40) })
      const one = pilot(within([], listed ? [arrive] : arrive))
      world.add(one)
      fly({ world }, 6)
      return Object.values({ ...one.position, ...one.velocity })
    })
    expect(flown[0]).toEqual(flown[1])
  })

  it('weights times a constant change nothing', () => {
    const list = (k: number): Parameters<typeof within>[1] => [
      { behavior: wanting(v(50, 0, 0)), weight: k },
      { behavior: wanting(v(0, 30, -60)), weight: 3 * k },
    ]
    expectNear(wanted(list(1), v(0, 0, 90)), wanted(list(20), v(0, 0, 90)))
  })

  it('those that want nothing do not hold the others back', () => {
    expectNear(wanted([wanting(v(40, 0, 0)), pushing(v(0, 0, 0))], v(0, 0, 0)), v(40, 0, 0))
  })

  it('if no wish wants anything, the velocity is unchanged', () => {
    expectNear(wanted([pushing(v(0, 0, 0)), pushing(v(0, 0, 0))], v(3, 4, 5)), v(3, 4, 5))
    expect(ask(within([], [])).force).toEqual(v(0, 0, 0))
  })

  it('a wish that begins to want something causes no jump', () => {
    const seen = Array.from({ length: 800 }, (_, i) => {
      const agent = standIn({ maxForce: 100, velocity: v(0, 0, 5) })
      const out = wrench()
      within([], [wanting(v(9, 0, 0)), pushing(v(0, i / 20, 0))]).steer(agent, stepOf(), out)
      return out.force
    })
    const jumps = seen
      .slice(1)
      .map(({ x, y, z }, i) => Math.hypot(x - seen[i]!.x, y - seen[i]!.y, z - seen[i]!.z))
    expect(Math.max(...jumps)).toBeLessThan(1)
  })

  it("each wish is limited to the agent's top speed: a larger demand does not outvote the others", () => {
    const { force } = ask(within([], [pushing(v(1e9, 0, 0)), wanting(v(0, 10, 0))]), {
      ...free,
      maxSpeed: 10,
    })
    expect(force.x).toBeCloseTo(force.y, 3)
  })

  it('the steady state lies between two goals, and is stable at any step', () => {
    for (const dt of [1 / 30, 1 / 60, 1 / 240]) {
      const { world } = quietWorld()
      const wishes = [
        { behavior: new Arrive({ target: v(10, 0, 0) }), weight: 1 },
        { behavior: new Arrive({ target: v(-10, 8, 4) }), weight: 1 },
      ]
      const one = pilot(within([], wishes), { position: v(3, -9, 20), responseTime: 0.01 })
      world.add(one)
      fly({ world }, 30, dt)
      // both pull equally where both are equally far
      expect(Math.hypot(one.velocity.x, one.velocity.y, one.velocity.z)).toBeLessThan(0.05)
      const { x, y, z } = one.position
      expect(Math.hypot(x - 10, y, z) + Math.hypot(x + 10, y - 8, z - 4)).toBeLessThan(
        1.02 * Math.hypot(20, 8, 4),
      )
    }
  })

  it('serves a flock with wander and separation', () => {
    const { world, faults } = quietWorld()
    const behavior = within(
      [],
      [new Wander(), { behavior: new Separation({ neighborDistance: 6 }), weight: 2 }],
    )
    const flock = addFlock(world, { count: 40, behavior, maxSpeed: 8, maxForce: 20, radius: 0.5, seed: 5 })
    fly({ world }, 20)
    expect(faults).toEqual([])
    const at = Array.from({ length: 40 }, (_, i) => flock.position(i, { x: 0, y: 0, z: 0 }))
    for (const [i, a] of at.entries())
      for (const b of at.slice(i + 1)) expect(Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)).toBeGreaterThan(1)
  })

  it('a wish that is not finite is reported by the world', () => {
    const { faults } = ask(within([], [wanting(v(1, 0, 0)), pushing(v(NaN, 0, 0)), wanting(v(0, 1, 0))]))
    expect(faults).toHaveLength(1)
  })
})

describe('torques', () => {
  it('are the mean of those that want to turn', () => {
    const wishes = [
      wanting(v(50, 0, 0)),
      twisting(v(1, 2, 3)),
      { behavior: twisting(v(5, 0, -1)), weight: 3 },
    ]
    expectNear(ask(within([], wishes), free).torque, v(4, 0.5, 0))
  })

  it('a wish that only turns does not slow down one that only flies, and vice versa', () => {
    const face = (): Behavior => new Face({ target: v(0, 40, 0) })
    const seek = (): Behavior => new Seek({ target: v(40, 0, 9) })
    const both = ask(within([], [seek(), face()]))
    expectNear(both.force, ask(within([], seek())).force)
    expectNear(both.torque, ask(within([], face())).torque)
  })

  it('holding an attitude counts as a torque', () => {
    const { world } = quietWorld()
    const look = new MatchAttitude({ target: { quaternion: { x: 0, y: 0, z: 0, w: 1 } } })
    const one = pilot(within([], [new Seek({ target: v(100, 0, 0) }), look]), { locomotion: new Hover() })
    world.add(one)
    fly({ world }, 3)
    // it flies to starboard without turning its nose there
    expect(one.velocity.x).toBeGreaterThan(5)
    expect(Math.abs(one.quaternion.w)).toBeCloseTo(1, 3)
  })
})

describe('the goals of wishes', () => {
  const going = (distance: number, exemption?: Wish['exemption']): Behavior => ({
    steer({ wish }, _step, { force }) {
      force.x += 1
      if (wish === null) return
      wish.goalDistance = Math.min(wish.goalDistance, distance)
      if (exemption !== undefined) wish.exemption = exemption
    },
  })

  it('the farthest goal of those that want something counts, and the exemption', () => {
    const exemption = { place: v(1, 2, 3), obstacles: true, agents: false }
    let received: { reach: number; exemption?: Wish['exemption'] } | undefined
    const constraint = {
      steer: () => undefined,
      constrain: (
        _agent: unknown,
        _step: unknown,
        limits: { goalDistance: number; exemption?: Wish['exemption'] },
      ) => {
        received = {
          reach: limits.goalDistance,
          exemption: limits.exemption && { ...limits.exemption, place: { ...limits.exemption.place } },
        }
      },
    }
    const silent: Behavior = {
      steer: ({ wish }) => {
        if (wish !== null) wish.goalDistance = 1
      },
    }
    ask(within([constraint], [going(30), going(50, exemption), going(20), silent]))
    expect(received).toEqual({ reach: 50, exemption })
    ask(within([constraint], [silent, silent]))
    expect(received!.reach).toBe(Infinity)
  })
})

describe('while running', () => {
  it('weights of wishes may be changed, and wishes switched, added and removed, with effect in the next step', () => {
    const tree = within([], [wanting(v(60, 0, 0)), wanting(v(0, 60, 0))])
    const { world } = quietWorld()
    const one = pilot(tree, { ...free, locomotion: new Hover({ attitude: null }) })
    world.add(one)
    const now = (): Vec3Like => {
      one.teleport({ position: v(0, 0, 0), velocity: v(0, 0, 0) })
      world.step(1 / 60)
      const { x, y, z } = one.demand.force
      return v(x / GAIN, y / GAIN, z / GAIN)
    }
    expectNear(now(), v(30, 30, 0))
    tree.wishes[1]!.enabled = false
    expectNear(now(), v(60, 0, 0))
    tree.wishes.push({ behavior: wanting(v(0, 0, -60)), weight: 1 })
    tree.wishes.splice(0, 1)
    expectNear(now(), v(0, 0, -60))
    tree.wish = wanting(v(1, 2, 3))
    expect(tree.wishes).toHaveLength(1)
    expectNear(now(), v(1, 2, 3))
  })

  it('rejects a value that is no wish', () => {
    expect(() => within([], [5 as never])).toThrow(/within\.wishes\[0\]: got 5, must be a behaviour/)
    expect(() => within([], [{ behavior: new LookWhereGoing(), weight: NaN }])).toThrow(RangeError)
    expect(() => within([], undefined as never)).toThrow(TypeError)
  })
})
