import { describe, expect, it } from 'vitest'
import {
  Arrive,
  Hover,
  SteeringWorld,
  Thrusters,
  type ArriveOptions,
  type Locomotion,
  type Placed,
  type Vec3Like,
} from 'three-steering'
import { dotOf, expectVec, minus, norm, number, plus, times, unit, v } from '../../support/geometry.js'
import { law } from '../../support/law.js'
import { ask, pilot, quietWorld, type PilotOptions } from '../../support/pilot.js'
import { addFlock } from '../../support/flock.js'

interface Log {
  /** Distance beyond the goal along the direction of approach (m). */
  overshoot: number
  /** Time when it is first within 1 % of a radius and slower than that per second (s). */
  time: number
  top: number
  events: string[]
  end: { off: number; speed: number }
}

function fly(
  goal: Vec3Like | Placed,
  options: PilotOptions = {},
  arrive: Partial<ArriveOptions> = {},
  seconds = 20,
  rate = 60,
  gravity = v(0, 0, 0),
): Log {
  const { world, faults } = quietWorld({ gravity })
  const one = pilot(new Arrive({ target: goal, ...arrive }), options)
  world.add(one)
  const log: Log = { overshoot: -Infinity, time: Infinity, top: 0, events: [], end: { off: 0, speed: 0 } }
  one.addEventListener('arrive', () => log.events.push(`arrive ${world.time.toFixed(2)}`))
  one.addEventListener('leave', () => log.events.push(`leave ${world.time.toFixed(2)}`))
  const at = (): Vec3Like => ('position' in goal ? goal.position : goal)
  const length = unit(minus(at(), one.position))
  for (let i = 0; i < seconds * rate; i++) {
    world.step(1 / rate)
    const distance = minus(one.position, at())
    log.overshoot = Math.max(log.overshoot, dotOf(distance, length))
    log.top = Math.max(log.top, norm(one.velocity))
    log.end = { off: norm(distance), speed: norm(one.velocity) }
    if (log.time === Infinity && log.end.off < 0.005 && log.end.speed < 0.005) log.time = world.time
  }
  expect(faults).toEqual([])
  return log
}

/**
 * An agent that has arrived rests within a hundredth of its radius, at most 5 mm. It may drift on by one step
 * of 5 mm/s.
 */
const REST = 0.0052

/** Time of the fastest flight over `way` metres: full thrust, coasting at `top`, full brakes. */
function optimum(length: number, top: number, acceleration: number): number {
  const ramp = top ** 2 / acceleration
  return ramp > length ? 2 * Math.sqrt(length / acceleration) : top / acceleration + length / top
}

describe('Arrive', () => {
  it.each<[string, Vec3Like]>([
    ['ahead', v(0, 0, 100)],
    ['straight up', v(0, 100, 0)],
    ['straight down', v(0, -100, 0)],
    ['astern', v(0, 0, -100)],
    ['off every plane', v(57, -57, 59)],
  ])('comes to rest at a point %s and does not pass it', (_, target) => {
    const { overshoot, end, top } = fly(target, { maxForce: 10 })
    expect(overshoot).toBeLessThan(REST)
    expect(end.off).toBeLessThan(REST)
    expect(end.speed).toBeLessThan(REST)
    expect(top).toBeCloseTo(10, 1)
  })

  it('is not much slower than the fastest possible flight', () => {
    for (const [length, top, force] of [
      [100, 10, 10],
      [100, 1000, 10],
      [5, 10, 10],
      [400, 30, 5],
    ] as const) {
      const best = optimum(length, top, force)
      const { time } = fly(v(0, length, 0), { maxForce: force, maxSpeed: top }, {}, 4 * best)
      expect(time / best).toBeGreaterThan(1)
      // It plans with nine tenths of its brakes, and its last metres take its response time.
      expect(time - best).toBeLessThan(0.15 * best + 1)
    }
  })

  for (const rate of [30, 60, 240])
    it(`does not pass at ${rate} steps a second either`, () => {
      const { overshoot, end } = fly(v(60, 30, -40), { maxForce: 15 }, {}, 20, rate)
      expect(overshoot).toBeLessThan(REST)
      expect(end.off).toBeLessThan(REST)
    })

  law(
    'does not overshoot from any start, with any reasonable agent',
    [number(-1, 2), number(0, 1.5), number(0, 2), number(-1, 1)],
    (length, speed, force, mass) => {
      const distance = 10 ** length
      const { overshoot, end } = fly(
        times(unit(v(1, 2, -2)), distance),
        { maxForce: 10 ** force, maxSpeed: 10 ** speed, mass: 10 ** mass },
        {},
        4 * optimum(distance, 10 ** speed, 10 ** (force - mass)) + 4,
      )
      expect(overshoot).toBeLessThan(REST)
      expect(end.off).toBeLessThan(0.02)
    },
    40,
  )

  it('brakes at once, and comes back, when it is too fast', () => {
    const one = { maxForce: 10, velocity: v(0, 0, 10) }
    // 5 m are needed, and 2 m are left.
    const { overshoot, end } = fly(v(0, 0, 2), one)
    expect(overshoot).toBeGreaterThan(2.5)
    expect(overshoot).toBeLessThan(3.6)
    expect(end.off).toBeLessThan(REST)
  })

  it('removes a sideways velocity while approaching', () => {
    const { overshoot, end } = fly(v(0, 0, 50), { maxForce: 10, velocity: v(6, -4, 0) })
    expect(overshoot).toBeLessThan(REST)
    expect(end.off).toBeLessThan(REST)
  })

  it('uses its real brakes: with a weak retro engine it brakes earlier', () => {
    const locomotion: Locomotion = new Thrusters({
      ahead: 20,
      astern: 2,
      up: 20,
      down: 20,
      port: 20,
      starboard: 20,
    })
    const { overshoot, end } = fly(v(0, 0, 100), { maxForce: 20, locomotion }, {}, 40)
    expect(overshoot).toBeLessThan(0.05)
    expect(end.off).toBeLessThan(0.02)
  })

  for (const [name, length] of [
    ['up', v(0, 100, 0)],
    ['down', v(0, -100, 0)],
    ['level', v(100, 0, 0)],
  ] as const)
    it(`under a gravity that its engine carries, ${name}`, () => {
      const options = { maxForce: 30, maxSpeed: 30, compensateGravity: true }
      const { overshoot, end } = fly(length, options, {}, 20, 60, v(0, -9.81, 0))
      expect(overshoot).toBeLessThan(REST)
      expect(end.off).toBeLessThan(REST)
    })

  it('meets a moving target, and matches its velocity', () => {
    const target = { position: v(0, 0, 30), velocity: v(3, 0, 1) }
    const { world, faults } = quietWorld()
    const one = pilot(new Arrive({ target }), { maxForce: 30 })
    world.add(one)
    for (let i = 0; i < 1200; i++) {
      world.step(1 / 60)
      Object.assign(target.position, plus(target.position, target.velocity, 1 / 60))
    }
    expectVec(one.position, target.position, 0.06)
    expectVec(one.velocity, target.velocity, 0.01)
    expect(faults).toEqual([])
  })

  it('at the goal it adds no force', () => {
    expectVec(ask(new Arrive({ target: v(1, 2, 3) }), { position: v(1, 2, 3) }).force, v(0, 0, 0), 0)
  })

  it('far away it is the same as Seek', () => {
    expectVec(ask(new Arrive({ target: v(0, 3e5, 4e5) })).force, v(0, 60, 80), 1e-6)
  })

  it('works for a point mass', () => {
    const locomotion = new Hover({ attitude: null })
    expect(fly(v(9, 9, 9), { maxForce: 10, locomotion }).end.off).toBeLessThan(REST)
  })
})

describe('Arrive by Green’s rule: distance / decelerationTime', () => {
  it('approaches the goal exponentially and has not reached it after three seconds', () => {
    const at = (seconds: number): number => {
      const world = new SteeringWorld()
      const target = v(0, 0, 5)
      const one = pilot(new Arrive({ target, decelerationTime: 1, tolerance: 1e-9 }), {
        velocity: v(0, 0, 5),
        maxForce: 1e4,
        responseTime: 0.001,
      })
      world.add(one)
      for (let i = 0; i < 240 * seconds; i++) world.step(1 / 240)
      return 5 - one.position.z
    }
    expect(at(1) / 5).toBeCloseTo(Math.exp(-1), 1)
    expect(at(3) / at(2)).toBeCloseTo(Math.exp(-1), 2)
    expect(at(3)).toBeGreaterThan(0)
  })

  it('ignores the brakes, and may overshoot', () => {
    const options = { maxForce: 5 }
    expect(fly(v(0, 0, 40), options, { decelerationTime: 0.5 }).overshoot).toBeGreaterThan(1)
    expect(fly(v(0, 0, 40), options).overshoot).toBeLessThan(REST)
  })
})

describe('the events of Arrive', () => {
  it('arrive is emitted once, when the agent has been near and slow for the dwell', () => {
    const { events, time } = fly(v(0, 0, 20), { maxForce: 20 }, { tolerance: 0.1, dwell: 0.5 })
    expect(events).toHaveLength(1)
    const arrival = Number(events[0]!.split(' ')[1])
    // Within 0.1 m and 0.1 m/s half a second before.
    expect(arrival).toBeLessThan(time + 0.5)
    expect(arrival).toBeGreaterThan(time - 0.5)
  })

  it('a dwell of n steps takes n steps, and a dwell of 0 none', () => {
    for (const [dwell, expected] of [
      [0, 1],
      [3 / 60, 3],
      [0.25, 15],
    ] as const) {
      const world = new SteeringWorld()
      const one = pilot(new Arrive({ target: v(0, 0, 0), dwell }))
      let events = 0
      one.addEventListener('arrive', () => (events = world.tick))
      world.add(one)
      for (let i = 0; i < 30; i++) world.step(1 / 60)
      expect(events).toBe(expected)
    }
  })

  it('passing through at speed is not arriving', () => {
    const { events } = fly(v(0, 0, 1), { velocity: v(0, 0, 50), maxForce: 1 }, { tolerance: 5, dwell: 0 }, 1)
    expect(events).toEqual([])
    // Unless speed does not count.
    const any = fly(
      v(0, 0, 1),
      { velocity: v(0, 0, 50), maxForce: 1 },
      { tolerance: 5, speedTolerance: 100, dwell: 0 },
      0.5,
    )
    expect(any.events[0]).toMatch(/^arrive 0.02/)
  })

  it('leave is emitted beyond twice the tolerance, and the agent can arrive again', () => {
    const { world } = quietWorld()
    const target = { x: 0, y: 0, z: 0 }
    const one = pilot(new Arrive({ target, tolerance: 1, dwell: 0 }), { maxForce: 0 })
    const events: string[] = []
    one.addEventListener('arrive', () => events.push('arrive'))
    one.addEventListener('leave', () => events.push('leave'))
    world.add(one)
    const expected: [number, string[]][] = [
      [0.5, ['arrive']],
      [1.5, []],
      [1.99, []],
      [2.01, ['leave']],
      [1.5, []],
      [0.9, ['arrive']],
    ]
    for (const [x, events] of expected) {
      events.length = 0
      target.x = x
      world.step(1 / 60)
      expect(events).toEqual(events)
    }
  })

  it('each agent of a flock arrives by itself', () => {
    const world = new SteeringWorld()
    const flock = addFlock(world, {
      behavior: new Arrive({ target: v(0, 0, 0), tolerance: 0.1, dwell: 0 }),
      count: 3,
      maxSpeed: 10,
      maxForce: 100,
      spawn: (i, { position, velocity }) => {
        Object.assign(position, v(0, 0, 10 * i))
        Object.assign(velocity, v(0, 0, 0))
      },
    })
    const events: number[] = []
    flock.addEventListener('arrive', ({ index }) => events.push(index))
    for (let i = 0; i < 300; i++) world.step(1 / 60)
    expect(events).toEqual([0, 1, 2])
  })

  it('default tolerances scale with the radius of the agent', () => {
    // A tenth of 20 m.
    expect(fly(v(0, 0, 1.9), { radius: 20, maxForce: 0 }, { dwell: 0 }, 0.1).events).toHaveLength(1)
    expect(fly(v(0, 0, 2.1), { radius: 20, maxForce: 0 }, { dwell: 0 }, 0.1).events).toHaveLength(0)
  })
})
