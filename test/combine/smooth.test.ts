import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  blend,
  Face,
  neighborSearch,
  Orbit,
  priority,
  Seek,
  smooth,
  Wander,
  within,
  type Behavior,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { explain } from 'three-steering/explain'
import { COURSES } from '../rigs/courses.js'
import { flyCourse } from '../rigs/fly-course.js'
import { expectVec, minus, norm, times, v } from '../support/geometry.js'
import { ask, fly, idle, pilot, quietWorld, xyz, type PilotOptions, faultsIn } from '../support/pilot.js'
import { pushing } from '../support/stand-in.js'
import { holding, twisting } from './parts.js'

/** Wants what `say` writes into its force and torque. */
function behaviorOf(write: (time: number, force: Vec3, torque: Vec3) => void): Behavior {
  return { steer: (_agent, { time }, { force, torque }) => write(time, force, torque) }
}

/** Force and torque of each step. */
function answersOf(
  behavior: Behavior,
  steps: number,
  dt = 1 / 60,
  options: PilotOptions = {},
  before: (step: number) => void = () => undefined,
): { force: Vec3Like; torque: Vec3Like }[] {
  const { world, faults } = quietWorld({ seed: 3 })
  const one = pilot(behavior, { maxForce: 1e3, ...options })
  world.add(one)
  const found = Array.from({ length: steps }, (_, i) => {
    before(i)
    world.step(dt)
    return { force: xyz(one.demand.force), torque: xyz(one.demand.torque) }
  })
  expect(faults).toEqual([])
  world.dispose()
  return found
}

const forces = (...args: Parameters<typeof answersOf>): Vec3Like[] =>
  answersOf(...args).map(({ force }) => force)

/** Number of reversals from step to step. */
const relay = (size: Vec3Like): Behavior => {
  let sign = 1
  return { steer: (_a, _s, { force }) => void Object.assign(force, times(size, (sign = -sign))) }
}

describe('smooth', () => {
  it('a jump of the force arrives with the time constant, at any step', () => {
    const jump = (): Behavior =>
      smooth(
        behaviorOf((time, force) => void Object.assign(force, time < 0.5 - 1e-9 ? v(8, 0, -2) : v(0, 4, -2))),
        { time: 0.3 },
      )
    for (const rate of [30, 60, 240]) {
      const found = forces(jump(), rate, 1 / rate)
      expectVec(found[0]!, v(8, 0, -2), 0)
      expectVec(found[rate / 2 - 1]!, v(8, 0, -2), 1e-12)
      // the first step of the new force counts
      const late = (0.5 + 1 / rate - 0.5) / 0.3
      const gone = 1 - Math.exp(-late)
      expectVec(found[rate / 2]!, v(8 - 8 * gone, 4 * gone, -2), 1e-9)
      const end = 1 - Math.exp(-0.5 / 0.3)
      expectVec(found[rate - 1]!, v(8 - 8 * end, 4 * end, -2), 1e-9)
    }
  })

  it('judder of the step rate is averaged away: ± F becomes ± F · s / (2 − s), s = 1 − e^(−dt/time)', () => {
    for (const [rate, time] of [
      [30, 0.1],
      [60, 0.1],
      [240, 0.4],
    ] as const) {
      const found = forces(smooth(relay(v(60, 20, 0)), { time }), 40 * rate * time, 1 / rate)
      const share = 1 - Math.exp(-1 / (rate * time))
      const left = share / (2 - share)
      expect(norm(found.at(-1)!)).toBeCloseTo(left * norm(v(60, 20, 0)), 9)
      expect(left).toBeLessThan(0.17)
    }
  })

  it('gives all the momentum that was asked for, only later, however the vehicle turns', () => {
    const pulse = behaviorOf((time, force, torque) => {
      if (time > 0.1 && time < 0.3) Object.assign(force, v(50, -30, 10))
      if (time > 0.1 && time < 0.3) Object.assign(torque, v(0, 2, -3))
    })
    const sum = (behavior: Behavior, torque: boolean): Vec3Like =>
      answersOf(behavior, 600, 1 / 60, { angularVelocity: v(3, 1, 2), maxTorque: 1e3 }).reduce(
        (all, each) => minus(all, times(torque ? each.torque : each.force, -1 / 60)),
        v(0, 0, 0),
      )
    expectVec(sum(smooth(pulse, { time: 0.25 }), false), sum(pulse, false), 1e-6)
    // torques only as long as an attitude is asked for
    const held = blend([pulse, holding()])
    expectVec(sum(smooth(held, { time: 0.25, torqueTime: 0.25 }), true), sum(pulse, true), 1e-6)
    expect(norm(sum(pulse, true))).toBeGreaterThan(0.5)
  })

  it('a constant force is unchanged, bit-identically, and so is any force with a time of 0', () => {
    const steady = behaviorOf((_time, force) => void Object.assign(force, v(0.1, 0.7, -0.3)))
    expect(forces(smooth(steady, { time: 0.7 }), 20)).toEqual(forces(steady, 20))
    const state = { velocity: v(1, 2, -3), angularVelocity: v(0.1, 0, 0.3) }
    for (const make of [
      () => new Seek({ target: v(3, -9, 4) }),
      () => new Face({ target: v(1, 2, 3) }),
      idle,
    ])
      expect(ask(smooth(make(), { time: 5, torqueTime: 5 }), state)).toEqual(ask(make(), state))
    const mix = (): Behavior => blend([new Wander(), relay(v(9, 9, 9)), twisting(v(1, 0, 2))])
    expect(answersOf(smooth(mix(), { time: 0 }), 30)).toEqual(answersOf(mix(), 30))
  })

  it('after the behaviour asks for nothing the force fades out, and then ends', () => {
    const once = smooth(
      behaviorOf((time, force) => void (force.x = time < 0.1 ? 40 : 0)),
      { time: 0.1 },
    )
    const found = forces(once, 200)
    expect(found[5]!.x).toBe(40)
    for (let i = 7; i < 60; i++) expect(found[i]!.x / found[i - 1]!.x).toBeCloseTo(Math.exp(-1 / 6), 9)
    expectVec(found.at(-1)!, v(0, 0, 0), 0)
    // so that the next part in a list can steer
    const list = priority([
      smooth(
        behaviorOf((time, force) => void (force.x = time < 0.1 ? 40 : 0)),
        { time: 0.1 },
      ),
      pushing(v(0, 7, 0)),
    ])
    const turn = forces(list, 120, 1 / 60, { maxForce: 100 }).findIndex(({ y }) => y === 7)
    // 40 N fall below 0.1 N in 0.1 · ln 400 s, after the 0.1 s
    expect(Math.abs(turn / 60 - 0.1 - 0.1 * Math.log(400))).toBeLessThan(2 / 60)
  })

  it('time passes also in a step in which it is not asked', () => {
    // asks right after a step in which both are asked
    const inner = behaviorOf((time, force) => void (force.x = time < 4.5 / 60 ? 0 : 10))
    const often = smooth(inner, { time: 0.3 })
    const seldom = smooth(inner, { time: 0.3 })
    const found: number[] = []
    const out = { force: v(0, 0, 0), torque: v(0, 0, 0), turns: false }
    const seen: Behavior = {
      steer(agent, step) {
        for (const each of [often, seldom]) {
          Object.assign(out.force, v(0, 0, 0))
          if (each === often || step.tick % 4 === 0) each.steer(agent, step, out)
          if (each === often || step.tick % 4 === 0) found.push(out.force.x)
        }
      },
    }
    answersOf(seen, 41)
    // both were asked in the last step
    expect(found.at(-1)!).toBeCloseTo(found.at(-2)!, 9)
    expect(found.at(-1)!).toBeGreaterThan(8)
  })

  it('used twice in a tree, both uses give the same answer', () => {
    const one = smooth(relay(v(6, 0, 0)), { time: 0.1 })
    const seen: Vec3Like[] = []
    const spy: Behavior = {
      steer(agent, step, out) {
        one.steer(agent, step, out)
        seen.push(xyz(out.force))
      },
    }
    answersOf(blend([spy, spy]), 5)
    for (let i = 0; i < 10; i += 2) expectVec(seen[i]!, seen[i + 1]!, 0)
  })

  it('each agent has its own average, and a new agent starts with its first force', () => {
    const force = { x: 10, y: 0, z: 0 }
    const one = smooth(
      behaviorOf((_time, out) => void Object.assign(out, force)),
      { time: 50 },
    )
    const { world } = quietWorld()
    const first = pilot(one)
    world.add(first)
    world.step(1 / 60)
    Object.assign(force, v(0, 10, 0))
    const second = pilot(one)
    world.add(second)
    world.step(1 / 60)
    expectVec(first.demand.force, v(10, 0, 0), 0.01)
    expectVec(second.demand.force, v(0, 10, 0), 0)
    world.remove(first)
    const third = pilot(one)
    Object.assign(force, v(0, 0, 10))
    world.add(third)
    world.step(1 / 60)
    expectVec(third.demand.force, v(0, 0, 10), 0)
  })

  it('passes on the reach of its behaviour, and its changes', () => {
    const counts: number[] = []
    const watch: Behavior = {
      reach: 5,
      neighborSearch,
      steer: (agent) => void counts.push(agent.neighbors.count),
    }
    const mix = blend([watch])
    const { world } = quietWorld()
    world.add(pilot(smooth(mix, { time: 0.1 })))
    world.add(pilot(idle(), { position: v(0, 0, 3) }))
    world.step(1 / 60)
    expect(counts).toEqual([1])
    mix.parts[0]!.enabled = false
    world.step(1 / 60)
    expect(counts).toEqual([1])
  })

  it('a replaced behaviour takes over in the next step, from the present force', () => {
    const one = smooth(pushing(v(10, 0, 0)), { time: 0.2 })
    const changer: Behavior = {
      steer: (_agent, { tick }) => {
        if (tick === 2) one.behavior = pushing(v(0, 10, 0))
      },
    }
    const { world } = quietWorld()
    world.add(pilot(changer))
    const agent = pilot(one)
    world.add(agent)
    const found = Array.from({ length: 4 }, () => {
      world.step(1 / 60)
      return xyz(agent.demand.force)
    })
    const gone = 1 - Math.exp(-1 / 12)
    expectVec(found[2]!, v(10, 0, 0), 0)
    expectVec(found[3]!, v(10 - 10 * gone, 10 * gone, 0), 1e-9)
    one.behavior = null as never
    expect(faultsIn(world, () => world.step(1 / 60))).toMatch(/smooth\.behavior: got null/)
  })
})

describe('smooth, of torques', () => {
  it('leaves them unchanged, unless torqueTime is set', () => {
    const flip = (): Behavior => {
      let sign = 1
      return { steer: (_a, _s, out) => ((sign = -sign), (out.torque.y = 3 * sign), void (out.turns = true)) }
    }
    const found = answersOf(smooth(flip(), { time: 1 }), 10).map(({ torque }) => torque.y)
    expect(found).toEqual([-3, 3, -3, 3, -3, 3, -3, 3, -3, 3])
    const calm = answersOf(smooth(flip(), { time: 0, torqueTime: 0.5 }), 900).map(({ torque }) => torque.y)
    const share = 1 - Math.exp(-1 / 30)
    expect(Math.abs(calm.at(-1)!)).toBeCloseTo((3 * share) / (2 - share), 6)
  })

  it('a behaviour that no longer asks for an attitude leaves it to the locomotion at once', () => {
    const seen: boolean[] = []
    const inner: Behavior = {
      steer: (_agent, { tick }, out) => {
        if (tick < 3) out.torque.y = 4
        out.turns = tick < 3 || tick === 5
      },
    }
    const spy: Behavior = {
      steer: (agent, step, out) => {
        one.steer(agent, step, out)
        seen.push(out.turns)
      },
    }
    const one = smooth(inner, { time: 0, torqueTime: 0.5 })
    const found = answersOf(spy, 6).map(({ torque }) => torque.y)
    expect(found.slice(0, 5)).toEqual([4, 4, 4, 0, 0])
    expect(seen).toEqual([true, true, true, false, false, true])
    // the judder between an answer and none is smoothed as well
    expect(found[5]).toBeCloseTo(4 * Math.exp(-3 / 30), 9)
  })

  it('an attitude servo comes to rest with a lag as long as its response time', () => {
    const { world } = quietWorld()
    const one = pilot(smooth(new Face({ target: v(10, 2, 0) }), { time: 0, torqueTime: 0.1 }), {
      inertia: v(1, 1, 1),
    })
    world.add(one)
    fly({ world }, 5)
    expect(norm(one.angularVelocity)).toBeLessThan(1e-3)
    expectVec(one.attitude.x, times(v(10, 2, 0), 1 / norm(v(10, 2, 0))), 0.01)
  })
})

describe('smooth, for answers that are not finite', () => {
  it('passes them on, to be reported, and does not store them', () => {
    for (const bad of [NaN, Infinity, -Infinity]) {
      const one = smooth(
        behaviorOf((time, force) => void (force.x = Math.abs(time - 2 / 60) < 1e-9 ? bad : 10)),
        { time: 0.2 },
      )
      const { world, faults } = quietWorld()
      const agent = pilot(one)
      world.add(agent)
      const found = Array.from({ length: 5 }, () => {
        world.step(1 / 60)
        return agent.demand.force.x
      })
      expect(faults).toHaveLength(1)
      expect(found).toEqual([10, 10, 0, 10, 10])
    }
  })

  it('numbers that are too large to be averaged pass unchanged', () => {
    const found = forces(smooth(relay(v(1.7e308, 0, 0)), { time: 0.1 }), 4, 1 / 60, { maxForce: 1e308 })
    for (const force of found) expect(Number.isFinite(force.x)).toBe(true)
  })

  it.each([NaN, -1, -Infinity])('a time that is set to %s counts as 0', (time) => {
    const one = smooth(relay(v(6, 0, 0)), { time: 0.1 })
    one.time = time
    expect(forces(one, 4).map(({ x }) => x)).toEqual([-6, 6, -6, 6])
  })
})

describe('smooth, explained', () => {
  it('reports the demand and the result', () => {
    const { world } = quietWorld()
    const one = pilot(smooth(relay(v(40, 0, 0)), { time: 0.2 }))
    world.add(one)
    const explanation = explain(world, one)
    for (let i = 0; i < 9; i++) world.step(1 / 60)
    const [child] = explanation.root!.children
    expect(child!.note).toBe('smoothed, 0.2 s')
    expect(child!.verdict).toBe('cut')
    expectVec(child!.asked.force, v(-40, 0, 0), 0)
    expectVec(child!.granted.force, explanation.root!.asked.force, 0)
    expectVec(explanation.root!.own.force, v(0, 0, 0), 0)
  })
})

describe('smooth, as a wish in within', () => {
  it('a new wish arrives with the time constant, from the present velocity', () => {
    const target = { x: 0, y: 0, z: 1e6 }
    const wish = smooth(new Seek({ target }), { time: 0.25 })
    const { world } = quietWorld()
    const one = pilot(within([], wish), { velocity: v(0, 0, 10), responseTime: 0.5, maxForce: 1e3 })
    world.add(one)
    world.step(1 / 60)
    expectVec(one.demand.force, v(0, 0, 0), 1e-6)
    Object.assign(target, v(1e6, 0, 0))
    world.step(1 / 60)
    // one step of the change by (10, 0, −10) m/s in 0.5 s is done
    const gone = 1 - Math.exp(-1 / 15)
    expectVec(one.demand.force, v(20 * gone, 0, -20 * gone), 1e-3)
  })

  it('an agent that turns all the time turns as much: a circle stays a circle', () => {
    const orbit = (): Behavior => new Orbit({ target: v(0, 0, 0), radius: 10, axis: v(0, 1, 0) })
    for (const behavior of [smooth(orbit(), { time: 0.1 }), within([], smooth(orbit(), { time: 0.1 }))]) {
      const { world } = quietWorld()
      const one = pilot(behavior, { position: v(10, 0, 0), velocity: v(0, 0, -5), maxSpeed: 5 })
      world.add(one)
      let off = 0
      fly({ world }, 20, 1 / 60, () => {
        if (world.time > 5) off = Math.max(off, Math.abs(norm(one.position) - 10))
      })
      expect(off).toBeLessThan(0.01)
    }
  })

  it('the goal of the wish passes unchanged', () => {
    let goalDistance = 0
    const listen = {
      steer: () => undefined,
      constrain: (_a: unknown, _s: unknown, limits: { readonly goalDistance: number }) =>
        void (goalDistance = limits.goalDistance),
    }
    ask(within([listen], smooth(new Arrive({ target: v(3, 4, 0) }), { time: 1 })))
    expect(goalDistance).toBeCloseTo(5, 9)
  })
})

describe('smooth, in its use cases', () => {
  /**
   * A relay between two wishes at a plane: sliding-mode chatter. @returns reversals of the force (1/s), and
   * the distance from the plane (m).
   */
  function chatter(time: number, rate: number): { turns: number; off: number } {
    const push: Behavior = {
      steer: ({ position, velocity }, _step, { force }) =>
        void (force.x = (position.x > 0 ? -20 : 20) - 4 * velocity.x),
    }
    const { world } = quietWorld()
    const one = pilot(time > 0 ? smooth(push, { time }) : push, { position: v(0.03, 0, 0) })
    world.add(one)
    let last = 0
    let turns = 0
    let off = 0
    fly({ world }, 8, 1 / rate, () => {
      const { x } = one.demand.force
      if (x * last < 0) turns++
      if (x !== 0) last = x
      if (world.time > 4) off = Math.max(off, Math.abs(one.position.x))
    })
    return { turns: turns / 8, off }
  }

  it('a conflict at an edge alternates at the step rate; smoothed, at the same rate for any step', () => {
    const rough = [30, 240].map((rate) => chatter(0, rate).turns)
    const calm = [30, 240].map((rate) => chatter(0.1, rate).turns)
    expect(rough[1]!).toBeGreaterThan(3 * rough[0]!)
    expect(calm[1]!).toBeLessThan(1.5 * calm[0]! + 0.2)
    expect(calm[1]!).toBeLessThan(rough[1]! / 4)
  })

  /** The judder J of two flights around a sphere in the way, by priorities; all agents arrive. */
  function judder(time: number, dt: number): number {
    let sum = 0
    for (const seed of [0, 1]) {
      const { flights } = flyCourse(COURSES.keepOut(seed), {
        dt,
        makeBehavior: ({ obstacles, task }) => {
          const list = priority([new AvoidObstacles({ obstacles }), task])
          return time > 0 ? smooth(list, { time }) : list
        },
      })
      for (const { jitter, arrival } of flights) {
        expect(arrival).toBeLessThan(Infinity)
        sum += jitter / flights.length / 2
      }
    }
    return sum
  }

  it('takes the judder of priorities at an obstacle away, which does not grow with the step rate', () => {
    const rough = [1 / 30, 1 / 240].map((dt) => judder(0, dt))
    const calm = [1 / 30, 1 / 240].map((dt) => judder(0.04, dt))
    // the limit of this project for all behaviours
    for (const [slow, fast] of [rough, calm]) expect(fast!).toBeLessThan(1.5 * slow! + 0.2)
    expect(calm[1]!).toBeLessThan(rough[1]! / 2)
  })

  it('comes to rest with a time up to 0.4 times the response time, in `within` up to 0.75 times', () => {
    const arrive = (time: number): Behavior => smooth(new Arrive({ target: v(8, -3, 5) }), { time })
    for (const rate of [30, 60, 240])
      for (const behavior of [arrive(0.04), within([], arrive(0.075))]) {
        const { world } = quietWorld()
        const one = pilot(behavior)
        world.add(one)
        let there = 0
        one.addEventListener('arrive', () => there++)
        fly({ world }, 8, 1 / rate)
        expect(there).toBe(1)
        expectVec(one.position, v(8, -3, 5), 0.01)
      }
  })
})
