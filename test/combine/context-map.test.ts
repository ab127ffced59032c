import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  Contain,
  contextMap,
  Face,
  HollowShape,
  Obstacle,
  ReciprocalAvoidance,
  Seek,
  SphereShape,
  Wander,
  type Behavior,
  type Vec3Like,
} from 'three-steering'
import { type Constraint, type VelocityConstraints, seeded } from 'three-steering/authoring'
import { directions } from '../../src/core/math/directions.js'
import { angleBetween, dotOf, expectVec, minus, norm, plus, times, unit, v } from '../support/geometry.js'
import { ask, Dummy, idle, pilot, quietWorld, xyz, type PilotOptions } from '../support/pilot.js'
import { pushing } from '../support/stand-in.js'
import { pick } from '../support/tier.js'

function constraintOf(demand: (limits: VelocityConstraints) => void): Constraint {
  return { steer: () => undefined, constrain: (_agent, _step, limits) => demand(limits) }
}

const ball = (at: Vec3Like, radius = 1): Obstacle => new Obstacle({ shape: new SphereShape(radius), at })

/** The wanted velocity of an agent of 1 kg at rest. */
function wantedBy(behavior: Behavior, options: PilotOptions = {}): Vec3Like {
  const { force, faults } = ask(behavior, { maxForce: 1e6, responseTime: 0.1, ...options })
  expect(faults).toEqual([])
  return times(force, 0.1)
}

describe('the directions', () => {
  it.each([8, 20, 80, 400])('%i of them are spread evenly', (count) => {
    const rays = directions(count)
    const all = Array.from({ length: count }, (_, i) => v(rays[3 * i]!, rays[3 * i + 1]!, rays[3 * i + 2]!))
    const spacing = Math.sqrt((4 * Math.PI) / count)
    for (const one of all) expect(norm(one)).toBeCloseTo(1, 12)
    const angle = (a: Vec3Like, b: Vec3Like): number => Math.acos(Math.min(1, dotOf(a, b)))
    const random = seeded(3)
    for (let i = 0; i < 500; i++) {
      const any = unit(v(random() - 0.5, random() - 0.5, random() - 0.5))
      // in an even triangular lattice the farthest point from all nodes is at 0.62 of its spacing
      expect(Math.min(...all.map((one) => angle(one, any)))).toBeLessThan(1.05 * spacing)
    }
    let least = Infinity
    for (const [i, one] of all.entries())
      for (const other of all.slice(0, i)) least = Math.min(least, angle(one, other))
    expect(least).toBeGreaterThan(0.4 * spacing)
    expectVec(all[0]!, v(1, 0, 0), 0)
  })
})

describe('interest', () => {
  it('of one behaviour, without danger, gives the answer of the behaviour, bit-identically', () => {
    for (const make of [
      () => new Seek({ target: v(3, -9, 4) }),
      () => new Face({ target: v(3, -9, 4) }),
      () => new Wander(),
      idle,
    ]) {
      const state = { velocity: v(1, 2, -3), maxForce: 1e4 }
      expect(ask(contextMap({ interest: [make()] }), state)).toEqual(ask(make(), state))
    }
  })

  it('the strongest one is followed, not the sum: opposed wishes do not cancel', () => {
    const wishes = (weight: number): Behavior =>
      contextMap({ interest: [pushing(v(50, 0, 0)), { behavior: pushing(v(-50, 0, 0)), weight }] })
    expectVec(wantedBy(wishes(0.9)), v(5, 0, 0), 1e-9)
    expectVec(wantedBy(wishes(1.1)), v(-5, 0, 0), 1e-9)
  })

  it('if the strongest one is blocked, another one with a free direction is followed, at its own speed', () => {
    const danger = [constraintOf((limits) => limits.addHalfSpace(v(-1, 0, 0), 0))]
    const interest = [pushing(v(50, 0, 0)), pushing(v(0, 0, 40))]
    expectVec(wantedBy(contextMap({ interest, danger })), v(0, 0, 4), 1e-9)
  })

  it('a behaviour that wants nothing has no interest beside one that does', () => {
    const velocity = v(9, 0, 0)
    const { force } = ask(contextMap({ interest: [idle(), pushing(v(0, 10, 0))] }), { velocity })
    expectVec(force, v(0, 10, 0), 1e-9)
  })

  it('torques are summed by weight, whatever is flown', () => {
    const face = (): Behavior => new Face({ target: v(5, 9, -3) })
    const both = contextMap({ interest: [pushing(v(9, 0, 0)), { behavior: face(), weight: 0.5 }] })
    const bare = ask(face()).torque
    expect(norm(bare)).toBeGreaterThan(0.1)
    expectVec(ask(both).torque, times(bare, 0.5), 1e-12)
  })
})

describe('danger', () => {
  it('an outline is followed: the direction is the nearest free one', () => {
    // no more than a tenth of the speed may go to +x: some 84° from it
    for (const [i, normal] of [v(-1, 0, 0), unit(v(-1, 1, 0)), unit(v(-2, 1, 3)), v(0, 1, 0)].entries()) {
      const wish = unit(v(1, -0.2, 0.1 * i))
      const danger = [constraintOf((limits) => limits.addHalfSpace(normal, -0.5))]
      const velocity = wantedBy(contextMap({ interest: [pushing(times(wish, 50))], danger }))
      const off = Math.acos(-0.1)
      const direct = angleBetween(wish, normal)
      if (direct <= off) expectVec(velocity, times(wish, 5), 1e-9)
      else {
        // accurate to the last stride
        expect(angleBetween(velocity, wish)).toBeLessThan(direct - off + 0.02)
        expect(dotOf(velocity, normal)).toBeGreaterThan(-0.5 - 1e-9)
      }
    }
  })

  it('with more directions the nearest one is found as well: it does not lie in the slots', () => {
    const danger = [constraintOf((limits) => limits.addHalfSpace(unit(v(-2, 1, 3)), 0))]
    const found = [20, 80, 320].map((count) =>
      unit(wantedBy(contextMap({ interest: [pushing(v(50, 0, 0))], danger, directions: count }))),
    )
    expect(angleBetween(found[0]!, found[2]!)).toBeLessThan(0.06)
    expect(angleBetween(found[1]!, found[2]!)).toBeLessThan(0.03)
  })

  it('if all directions are dangerous, the least dangerous one is flown', () => {
    const danger = [
      constraintOf((limits) => limits.addHalfSpace(v(0, 1, 0), 9)),
      constraintOf((limits) => limits.addHalfSpace(v(0, -1, 0), -9)),
    ]
    const velocity = wantedBy(contextMap({ interest: [pushing(v(50, 0, 0))], danger }))
    expect(angleBetween(velocity, v(0, 1, 0))).toBeLessThan(0.5)
    expect(velocity.y).toBeGreaterThan(7)
  })

  it('a demand to leave comes first, at full speed', () => {
    const out = unit(v(1, 2, 2))
    const danger = [
      constraintOf((limits) => limits.setExit(out)),
      constraintOf((limits) => limits.setExit(v(0, -1, 0))),
    ]
    const velocity = wantedBy(contextMap({ interest: [pushing(v(-50, 0, 0))], danger }), { maxSpeed: 8 })
    expectVec(velocity, times(out, 8), 1e-9)
  })

  it('a demand that is not finite is ignored', () => {
    for (const least of [Infinity, -Infinity, NaN]) {
      const danger = [constraintOf((limits) => limits.addHalfSpace(v(0, 1, 0), least))]
      expectVec(wantedBy(contextMap({ interest: [pushing(v(10, 0, 0))], danger })), v(1, 0, 0), 1e-12)
    }
  })
})

interface Flight {
  /** Least clearance to all obstacles, m. */
  clear: number
  end: Vec3Like
  length: number
  /** Sum of all turns of the velocity (rad). */
  turning: number
}

const RATES = [1 / 30, 1 / 60, 1 / 240]

function flight(goal: Vec3Like, obstacles: readonly Obstacle[], dt: number, seconds = 12): Flight {
  const { world, faults } = quietWorld()
  const mind = contextMap({
    interest: [new Arrive({ target: goal })],
    danger: [new AvoidObstacles({ obstacles: obstacles.slice() })],
  })
  const one = pilot(mind, { radius: 0.5, maxForce: 30 })
  world.add(one)
  const result = { clear: Infinity, end: goal, length: 0, turning: 0 }
  let before = v(1, 0, 0)
  for (let time = 0; time < seconds; time += dt) {
    world.step(dt)
    const speed = norm(one.velocity)
    result.length += speed * dt
    if (speed > 0.5) {
      const now = unit(one.velocity)
      result.turning += angleBetween(before, now)
      before = now
    }
    for (const each of obstacles)
      result.clear = Math.min(result.clear, each.distance(one.position, v(0, 0, 0)) - 0.5)
  }
  result.end = xyz(one.position)
  expect(faults).toEqual([])
  return result
}

describe('among obstacles', () => {
  it.each(RATES)('an obstacle in the very middle of the path is passed, at %f s', (dt) => {
    const { clear, end, length, turning } = flight(v(40, 0, 0), [ball(v(18, 0, 0), 4)], dt)
    expect(clear).toBeGreaterThan(0)
    expectVec(end, v(40, 0, 0), 0.1)
    // the shortest path around it is 41.1 m long, and turns by 1.1 rad
    expect(length).toBeLessThan(43)
    expect(turning).toBeLessThan(2.2)
  })

  it('the motion is as smooth at 240 steps a second as at 30', () => {
    const rocks = (): Obstacle[] => [ball(v(14, 1, 0), 3), ball(v(26, -2, 1.5), 3), ball(v(33, 3, -2), 2)]
    const [coarse, , fine] = RATES.map((dt) => flight(v(45, 0, 0), rocks(), dt))
    expect(coarse!.clear).toBeGreaterThan(0)
    expect(fine!.clear).toBeGreaterThan(0)
    expect(fine!.turning).toBeLessThan(coarse!.turning + 0.3)
    expect(Math.abs(fine!.length - coarse!.length)).toBeLessThan(0.5)
  })

  it('no obstacle is touched in fields of rocks, and nearly all agents get through', () => {
    let through = 0
    for (let seed = 0; seed < 8; seed++) {
      const random = seeded(40 + seed)
      const rocks = Array.from({ length: 12 }, () =>
        ball(v(8 + 30 * random(), 12 * (random() - 0.5), 12 * (random() - 0.5)), 1 + random()),
      )
      const { clear, end } = flight(v(48, 0, 0), rocks, 1 / 60, 14)
      expect(clear, `seed ${seed}`).toBeGreaterThan(0)
      if (norm(minus(end, v(48, 0, 0))) < 0.2) through++
    }
    expect(through).toBeGreaterThanOrEqual(7)
  })

  it('an obstacle that only the turned path would meet is passed with no more clearance than needed', () => {
    const velocity = v(0, 0, 20)
    const danger = [new AvoidObstacles({ obstacles: [ball(v(2.2, 0, 5), 2)] })]
    const mind = contextMap({ interest: [new Seek({ target: v(0, 0, 900) })], danger })
    const change = times(
      ask(mind, { velocity, maxSpeed: 20, maxForce: 1e6, responseTime: 0.2, radius: 0.5 }).force,
      0.2,
    )
    // its hull overlaps the line to the target by 0.3 m, 5 m ahead
    const angle = angleBetween(velocity, plus(velocity, change))
    expect(angle).toBeGreaterThan(0.05)
    expect(angle).toBeLessThan(0.15)
  })

  it('an agent inside an obstacle gets out', () => {
    const { end } = flight(v(20, 0, 0), [ball(v(0.5, 0.2, 0), 3)], 1 / 60, 8)
    expectVec(end, v(20, 0, 0), 0.1)
  })

  it('in a room it stays inside, and does not stop', () => {
    const bounds = [{ shape: new HollowShape(new BoxShape(v(12, 8, 10))) }]
    const mind = contextMap({ interest: [new Wander()], danger: [new Contain({ bounds })] })
    const { world } = quietWorld({ seed: 6 })
    const one = pilot(mind, { radius: 0.5, maxForce: 30, velocity: v(6, 0, 0) })
    world.add(one)
    let slowest = Infinity
    for (let i = 0; i < pick(900, 2400); i++) {
      world.step(1 / 60)
      const { x, y, z } = one.position
      expect(Math.max(Math.abs(x) - 11.5, Math.abs(y) - 7.5, Math.abs(z) - 9.5)).toBeLessThan(0.01)
      if (i > 60) slowest = Math.min(slowest, norm(one.velocity))
    }
    expect(slowest).toBeGreaterThan(0.3)
  })

  it('two agents that meet head-on pass each other', () => {
    const mind = (target: Vec3Like): Behavior =>
      contextMap({
        interest: [new Arrive({ target })],
        danger: [new ReciprocalAvoidance({ neighborDistance: 30 })],
      })
    for (const dt of RATES) {
      const { world } = quietWorld()
      const [a, b] = [-15, 15].map((x) =>
        pilot(mind(v(-x, 0, 0)), { position: v(x, 0, 0), radius: 0.5, maxForce: 30, seed: x + 20 }),
      )
      world.add(a!).add(b!)
      let least = Infinity
      for (let time = 0; time < 9; time += dt) {
        world.step(dt)
        least = Math.min(least, norm(minus(a!.position, b!.position)))
      }
      expect(least).toBeGreaterThan(0.95)
      expectVec(a!.position, v(15, 0, 0), 0.2)
      expectVec(b!.position, v(-15, 0, 0), 0.2)
    }
  })
})

it('of two paths of about equal length the present one is kept; a better one is taken', () => {
  // a ball straight ahead, and a wish that oscillates from one side of its centre to the other
  const wish = pushing(v(0, 0, 0))
  const danger = [new AvoidObstacles({ obstacles: [ball(v(0, 0, 15), 4)] })]
  const mind = contextMap({ interest: [wish], danger, directions: 2000 })
  const { world } = quietWorld()
  const one = pilot(mind, { body: new Dummy(), maxForce: 1e6, responseTime: 0.1 })
  world.add(one)
  const sides = (angle: number): number[] =>
    Array.from({ length: 200 }, (_, i) => {
      const aside = i % 40 < 20 ? angle : -angle
      wish.force = times(v(Math.sin(aside), 0, Math.cos(aside)), 80)
      world.step(1 / 60)
      return Math.round(10 * unit(xyz(one.demand.force)).x)
    })
  // it passes at 0.31 rad from the centre: the other side is better by 3 %, and then by 8 %
  expect(new Set(sides(0.1))).toEqual(new Set([3]))
  expect(new Set(sides(0.25))).toEqual(new Set([3, -3]))
})
