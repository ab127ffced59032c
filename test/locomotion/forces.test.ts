import * as CANNON from 'cannon-es'
import { describe, expect, it } from 'vitest'
import {
  Flight,
  Hover,
  SteeringWorld,
  Thrusters,
  type Behavior,
  type Locomotion,
  type Quat,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { copyFrame, frame } from '../../src/core/math/frame.js'
import {
  about,
  direction,
  dotOf,
  expectFinite,
  expectVec,
  minus,
  norm,
  number,
  plus,
  rotation,
  times,
  turned,
  unit,
  v,
  vector,
} from '../support/geometry.js'
import { law } from '../support/law.js'
import { idle, pilot } from '../support/pilot.js'
import { pushing, standIn, stepOf, wrench, type StandIn } from '../support/stand-in.js'

const DT = 1 / 60
const X = v(1, 0, 0)
const UP = v(0, 1, 0)
/** Axes of the default model: forward +Z, up +Y, starboard −X. */
const AHEAD = v(0, 0, 1)
const STARBOARD = v(-1, 0, 0)

/** The force that the locomotion gives for a demand. */
function given(locomotion: Locomotion, agent: StandIn, demand: Vec3Like, dt = DT): Vec3 {
  const out = wrench()
  locomotion.actuate(agent, wrench(demand), stepOf(dt), out)
  return out.force
}

/** An agent that flies along `ahead` with `speed` in the given attitude. */
function flying(orientation: Quat, ahead: Vec3Like, speed: number, state: Partial<StandIn> = {}): StandIn {
  const course = { x: { ...ahead }, y: v(0, 0, 0), z: v(0, 0, 0) }
  const side = Math.abs(ahead.y) < 0.9 ? UP : X
  Object.assign(course.y, unit(plus(side, ahead, -dotOf(side, ahead))))
  Object.assign(course.z, {
    x: ahead.y * course.y.z - ahead.z * course.y.y,
    y: ahead.z * course.y.x - ahead.x * course.y.z,
    z: ahead.x * course.y.y - ahead.y * course.y.x,
  })
  return standIn({ orientation, velocity: times(ahead, speed), course, maxSpeed: 100, ...state })
}

describe('Hover', () => {
  law('gives thrust in any direction, in any attitude', [rotation(), vector(50)], (orientation, demand) => {
    expectVec(given(new Hover(), standIn({ orientation, maxSpeed: Infinity }), demand), demand, 1e-9)
  })

  law(
    'limits the thrust to maxForce and keeps the direction of the demand',
    [direction(), number(1, 1e200)],
    (n, k) => {
      expectVec(given(new Hover(), standIn({ maxSpeed: Infinity }), times(n, 100 * k)), times(n, 100), 1e-9)
    },
  )

  it('a point mass has no torque: without a body it points along its course', () => {
    const world = new SteeringWorld()
    const hover = new Hover({ attitude: null })
    expect(hover.pointMass).toBe(true)
    expect(new Hover().pointMass).toBe(false)
    const one = pilot(pushing(v(10, 5, 0)), { locomotion: hover, velocity: v(0, 0, 3) })
    world.add(one)
    for (let i = 0; i < 100; i++) {
      world.step(DT)
      expectVec(one.attitude.x, unit(one.velocity), 1e-6)
      expectVec(one.torque, v(0, 0, 0), 0)
    }
  })
})

/** All engines are different, so that the test detects a mix-up. */
const THRUSTS = { ahead: 60, astern: 5, up: 20, down: 10, port: 12, starboard: 16 }
/** With the nose on its course, a ship that lacks an engine does not turn another one to the force. */
const ENGINES = { ...THRUSTS, attitude: { facing: 'course' } } as const

describe('Thrusters', () => {
  it.each<[string, Vec3, number]>([
    ['ahead', AHEAD, 60],
    ['astern', times(AHEAD, -1), 5],
    ['up', UP, 20],
    ['down', times(UP, -1), 10],
    ['starboard', STARBOARD, 16],
    ['port', times(STARBOARD, -1), 12],
  ])('%s: the force is limited by that engine', (_name, n, limit) => {
    const agent = standIn({ maxSpeed: Infinity, maxForce: 1000 })
    const thrusters = new Thrusters(ENGINES)
    expectVec(given(thrusters, agent, times(n, 500)), times(n, limit), 1e-9)
    expectVec(given(thrusters, agent, times(n, 0.9 * limit)), times(n, 0.9 * limit), 1e-9)
  })

  law(
    'all six limits hold in the frame of the ship, in any attitude and for any model axes',
    [rotation(), rotation(), vector(300), number(0, 40)],
    (orientation, model, demand, speed) => {
      const [forward, top] = [turned(model, AHEAD), turned(model, UP)]
      const world = new SteeringWorld()
      const one = pilot(pushing(demand), {
        locomotion: new Thrusters(ENGINES),
        quaternion: orientation,
        forward,
        up: top,
        maxForce: 1000,
        maxSpeed: 1e6,
        velocity: v(0, speed, -speed),
      })
      world.add(one)
      const f = copyFrame(frame(), one.attitude)
      world.step(DT)
      const [x, y, z] = [dotOf(one.force, f.x), dotOf(one.force, f.y), dotOf(one.force, f.z)]
      const expected = [
        Math.max(-5, Math.min(60, dotOf(demand, f.x))),
        Math.max(-10, Math.min(20, dotOf(demand, f.y))),
        Math.max(-12, Math.min(16, dotOf(demand, f.z))),
      ]
      for (const [i, each] of [x, y, z].entries()) expect(each).toBeCloseTo(expected[i]!, 6)
    },
  )

  it('by default the retro engine has half the thrust of the main engine, the others a quarter', () => {
    const { ahead, astern, up, down, port, starboard } = new Thrusters({ ahead: 40 })
    expect([ahead, astern, up, down, port, starboard]).toEqual([40, 20, 10, 10, 10, 10])
  })

  it('a ship without retro engine whose nose follows its course cannot brake, and does not turn around', () => {
    const world = new SteeringWorld()
    const one = pilot(pushing(v(0, 0, -50)), {
      locomotion: new Thrusters({ ahead: 60, astern: 0, attitude: { facing: 'course' } }),
      velocity: v(0, 0, 5),
    })
    world.add(one)
    for (let i = 0; i < 120; i++) world.step(DT)
    expectVec(one.velocity, v(0, 0, 5), 1e-9)
    expectVec(one.attitude.x, AHEAD, 1e-6)
  })

  it('by default it turns around, and brakes by its main engine', () => {
    const world = new SteeringWorld()
    const one = pilot(pushing(v(0, 0, -5)), {
      locomotion: new Thrusters({ ahead: 60, astern: 0 }),
      velocity: v(0, 0, 5),
    })
    world.add(one)
    for (let i = 0; i < 120; i++) world.step(DT)
    expect(one.velocity.z).toBeLessThan(1)
    expect(dotOf(one.attitude.x, AHEAD)).toBeLessThan(-0.3)
  })

  it('the limits may be changed at any time', () => {
    const thrusters = new Thrusters({ ahead: 10 })
    const agent = standIn({ maxSpeed: Infinity, maxForce: 1000 })
    thrusters.ahead = 33
    expectVec(given(thrusters, agent, times(AHEAD, 100)), times(AHEAD, 33), 1e-9)
  })
})

describe('thrust never raises the speed above maxSpeed', () => {
  const locomotions: [string, () => Locomotion][] = [
    ['Hover', () => new Hover()],
    ['Thrusters', () => new Thrusters(ENGINES)],
    ['Flight', () => new Flight()],
  ]

  for (const [name, make] of locomotions)
    law(
      `${name}: whatever is demanded`,
      [rotation(), vector(12), vector(500)],
      (orientation, velocity, demand) => {
        const world = new SteeringWorld()
        const one = pilot(pushing(demand), { locomotion: make(), quaternion: orientation, velocity })
        world.add(one)
        for (let i = 0; i < 5; i++) {
          const before = norm(one.velocity)
          world.step(1 / 20)
          // engines that cannot brake add (F·dt/m)² to v² even with a force at right angles to the course
          const across = name === 'Thrusters' ? (norm(one.force) / 20) ** 2 : 0
          expect(norm(one.velocity) ** 2).toBeLessThanOrEqual(
            Math.max(100, before ** 2) * (1 + 1e-6) + across,
          )
        }
      },
      60,
    )

  for (const [name, make] of locomotions)
    it(`${name}: an agent that was thrown faster keeps its speed`, () => {
      const world = new SteeringWorld()
      const one = pilot(idle(), { locomotion: make(), velocity: v(0, 0, 25) })
      world.add(one)
      for (let i = 0; i < 60; i++) world.step(DT)
      expectVec(one.velocity, v(0, 0, 25), 1e-9)
    })

  for (const astern of [0, 1, 20])
    for (const facing of ['course', 'thrust'] as const)
      it(`Thrusters with ${astern} N of retro, nose to the ${facing}: a lateral demand for a minute at full speed`, () => {
        const aside: Behavior = {
          steer: ({ course: { z } }, _step, out) => {
            Object.assign(out.force, times(z, 20))
          },
        }
        const sides = { port: 20, starboard: 20, up: 20, down: 20 }
        const locomotion = new Thrusters({ ahead: 20, astern, ...sides, attitude: { facing } })
        const world = new SteeringWorld()
        const one = pilot(aside, { locomotion, velocity: v(0, 0, 10), maxForce: 20 })
        world.add(one)
        for (let i = 0; i < 3600; i++) world.step(DT)
        expect(norm(one.velocity)).toBeLessThan(10.1)
      })

  it('Thrusters give the nearest force within their engines and the speed limit, in any attitude', () => {
    const random = seeded(1)
    const even = () => 2 * random() - 1
    const ball = (radius: number) => times(unit(v(even(), even(), even())), radius * random())
    const { ahead, astern, up, down, port, starboard } = ENGINES
    for (let run = 0; run < 2000; run++) {
      const orientation = about(unit(ball(1)), Math.PI * random())
      const agent = flying(orientation, unit(ball(1)), 10, { maxSpeed: 10, maxForce: Infinity })
      const demand = ball(100)
      const force = given(new Thrusters(ENGINES), agent, demand)
      const speedAfter = (f: Vec3Like) => norm(plus(agent.velocity, f, DT / agent.mass))
      expect(speedAfter(force)).toBeLessThanOrEqual(10 * (1 + 1e-9))
      const wanted = given(new Hover(), agent, demand)
      // no step towards another force of the engines within the speed limit leads nearer to the wanted one
      const [x, y, z] = [even(), even(), even()]
      let possible = times(agent.attitude.x, x > 0 ? ahead * x : astern * x)
      possible = plus(possible, agent.attitude.y, y > 0 ? up * y : down * y)
      possible = plus(possible, agent.attitude.z, z > 0 ? starboard * z : port * z)
      if (speedAfter(possible) <= 10)
        expect(dotOf(minus(wanted, force), minus(possible, force))).toBeLessThan(1e-6)
    }
  })

  it('at full speed an agent can still turn: Hover gives its whole force across the course', () => {
    const agent = flying(about(UP, 0), AHEAD, 10, { maxSpeed: 10 })
    const force = given(new Hover(), agent, times(STARBOARD, 80))
    expect(dotOf(force, STARBOARD)).toBeGreaterThan(0.98 * 80)
    expect(dotOf(force, AHEAD)).toBeLessThan(0)
  })
})

describe('gravity and damping', () => {
  const weightless: [string, () => Locomotion][] = [
    ['Hover', () => new Hover()],
    ['Thrusters', () => new Thrusters({ ahead: 60, up: 40, down: 40, port: 40, starboard: 40 })],
  ]

  for (const [name, make] of weightless)
    it(`${name}: with compensated gravity an agent at rest stays exactly where it is`, () => {
      const world = new SteeringWorld({ gravity: v(1, -9.81, 2) })
      const one = pilot(idle(), { locomotion: make(), compensateGravity: true, mass: 2 })
      world.add(one)
      for (let i = 0; i < 600; i++) world.step(DT)
      expectVec(one.position, v(0, 0, 0), 1e-12)
      expectVec(one.force, v(-2, 19.62, -4), 1e-9)
    })

  for (const [name, make] of weightless)
    it(`${name}: the demand is added in full as long as both are within maxForce`, () => {
      const world = new SteeringWorld({ gravity: v(0, -9.81, 0) })
      const one = pilot(pushing(v(0, 0, 3)), { locomotion: make(), compensateGravity: true, mass: 2 })
      world.add(one)
      world.step(0.1)
      expectVec(one.velocity, v(0, 0, 0.15), 1e-12)
    })

  it('the compensation comes first, and the demand gets the rest of the thrust', () => {
    // of 50 N, 30 N carry the weight, which leaves 40 N across: 3-4-5
    const agent = standIn({ maxForce: 50, mass: 3, gravity: v(0, -10, 0), compensateGravity: true })
    expectVec(given(new Hover(), agent, v(0, 0, 50)), v(0, 30, 40), 1e-9)
  })

  it('an agent that is too heavy for its engine falls, slower than in free fall', () => {
    const world = new SteeringWorld({ gravity: v(0, -10, 0) })
    const one = pilot(idle(), { compensateGravity: true, maxForce: 4 })
    world.add(one)
    world.step(1)
    expectVec(one.velocity, v(0, -6, 0), 1e-12)
  })

  it('gravity that is not compensated acts on the agent as on any body', () => {
    const world = new SteeringWorld({ gravity: v(0, -10, 0) })
    const one = pilot()
    world.add(one)
    world.step(1)
    expectVec(one.velocity, v(0, -10, 0), 0)
  })

  for (const damping of [0.01, 0.3, 0.99])
    for (const [name, make] of weightless)
      it(`${name}: with a compensated damping of ${damping} a cannon body keeps its speed exactly`, () => {
        const engine = new CANNON.World({ gravity: new CANNON.Vec3(0, -9.81, 0) })
        const body = new CANNON.Body({ mass: 2, shape: new CANNON.Sphere(0.5), linearDamping: damping })
        body.velocity.set(0, 0, 3)
        engine.addBody(body)
        const world = new SteeringWorld()
        attachToCannon(world, engine)
        world.add(
          pilot(idle(), {
            body: cannonBody(body),
            locomotion: make(),
            compensateGravity: true,
            compensateDamping: true,
          }),
        )
        for (let i = 0; i < 240; i++) engine.step(DT)
        expectVec(body.velocity, v(0, 0, 3), 1e-6)
        expectVec(body.position, v(0, 0, 12), 1e-5)
      })

  it('damping that is not compensated slows the agent down as the physics engine defines it', () => {
    const engine = new CANNON.World()
    const body = new CANNON.Body({ mass: 2, shape: new CANNON.Sphere(0.5), linearDamping: 0.3 })
    body.velocity.set(0, 0, 3)
    engine.addBody(body)
    const world = new SteeringWorld()
    attachToCannon(world, engine)
    world.add(pilot(idle(), { body: cannonBody(body) }))
    for (let i = 0; i < 60; i++) engine.step(DT)
    expect(body.velocity.z).toBeCloseTo(3 * 0.7, 6)
  })
})

describe('forceAlong is the force that actuate gives', () => {
  const state = [rotation(), direction(), direction(), number(0, 5)] as const
  const weights: [string, Partial<StandIn>][] = [
    ['in free fall', { gravity: v(0, -9.81, 0) }],
    ['with compensated gravity', { gravity: v(0, -9.81, 0), compensateGravity: true }],
    ['with compensated damping', { damping: 0.7, compensateDamping: true }],
    [
      'with both compensated, heavy',
      { mass: 4, gravity: v(2, -9.81, 0), damping: 2, compensateGravity: true, compensateDamping: true },
    ],
  ]
  const locomotions: [string, Locomotion][] = [
    ['Hover', new Hover()],
    ['Thrusters', new Thrusters(ENGINES)],
    ['Thrusters with more thrust than maxForce', new Thrusters({ ahead: 300, astern: 200 })],
  ]

  /**
   * Force for a demand of `force` (N) along n, minus the force for no demand, which compensates gravity and
   * damping.
   */
  function gained(locomotion: Locomotion, agent: StandIn, n: Vec3Like, force: number): Vec3 {
    const cost = given(locomotion, agent, v(0, 0, 0))
    return minus(given(locomotion, agent, times(n, force)), cost)
  }

  for (const [how, weight] of weights) {
    for (const [name, locomotion] of locomotions) {
      law(
        `${name}, ${how}: so much can be had, in that direction alone`,
        [...state],
        (orientation, course, n, speed) => {
          const agent = flying(orientation, course, speed, weight)
          const force = locomotion.forceAlong(agent, n.x, n.y, n.z)
          if (!(force > 0)) return
          expectFinite(v(force, 0, 0))
          expectVec(gained(locomotion, agent, n, force), times(n, force), 0.02 * force + 1e-6)
        },
        120,
      )

      law(
        `${name}, ${how}: and no more`,
        [...state],
        (orientation, course, n, speed) => {
          const agent = flying(orientation, course, speed, weight)
          const force = locomotion.forceAlong(agent, n.x, n.y, n.z)
          if (!(force > 0)) return
          const more = 1.1 * force + 1
          const off = norm(minus(gained(locomotion, agent, n, more), times(n, more)))
          // what is missing may be the part along one axis of the ship only
          const { x, y, z } = agent.attitude
          const parts = [x, y, z].map((axis) => Math.abs(dotOf(n, axis))).filter((part) => part > 1e-3)
          expect(off).toBeGreaterThan(0.5 * (more - force) * Math.min(...parts))
        },
        120,
      )
    }
  }

  it('Flight: along the course it is exactly the thrust, against it the brake', () => {
    const flight = new Flight({ thrust: 40, brake: 15, lift: 70 })
    const agent = flying(about(UP, 0), AHEAD, 6)
    expect(flight.forceAlong(agent, 0, 0, 1)).toBeCloseTo(40, 9)
    expect(flight.forceAlong(agent, 0, 0, -1)).toBeCloseTo(15, 9)
    expectVec(given(flight, agent, times(AHEAD, 500)), times(AHEAD, 40), 1e-9)
    expectVec(given(flight, agent, times(AHEAD, -500)), times(AHEAD, -15), 1e-9)
  })

  it('Flight: across the course it is the lift, once the wings have rolled', () => {
    const flight = new Flight({ thrust: 40, brake: 15, lift: 70 })
    for (const angle of [0, 1, 2, 3, -2]) {
      const agent = flying(about(AHEAD, angle), AHEAD, 6)
      const lift = turned(about(AHEAD, angle), UP)
      expect(flight.forceAlong(agent, lift.x, lift.y, lift.z)).toBeCloseTo(70, 6)
      expectVec(given(flight, agent, times(lift, 500)), times(lift, 70), 1e-6)
    }
  })

  it('Flight: straight up it is the thrust minus the weight', () => {
    const flight = new Flight({ thrust: 40 })
    const state = { gravity: v(0, -10, 0), compensateGravity: true, mass: 3 }
    const agent = flying(about(X, -Math.PI / 2), UP, 6, state)
    expectVec(agent.attitude.x, UP, 1e-9)
    // 40 N of thrust minus 30 N of weight
    expect(flight.forceAlong(agent, 0, 1, 0)).toBeCloseTo(10, 6)
    expectVec(given(flight, agent, v(0, 500, 0)), v(0, 40, 0), 1e-9)
  })
})

it('the locomotion turns the agent unless the demand has a torque or holds the attitude', () => {
  const agent = flying(about(UP, 1), AHEAD, 6)
  const out = wrench()
  const hold = { ...wrench(), turns: true }
  new Hover().actuate(agent, hold, stepOf(), out)
  expectVec(out.torque, v(0, 0, 0), 0)
  new Hover().actuate(agent, wrench(), stepOf(), out)
  expect(norm(out.torque)).toBeGreaterThan(0)
  const asked: Behavior = {
    steer: (_a, _s, o) => {
      o.torque.z = 4
    },
  }
  const world = new SteeringWorld()
  const one = pilot(asked, { velocity: v(0, 0, 1) })
  world.add(one)
  world.step(DT)
  expectVec(one.torque, v(0, 0, 4), 1e-12)
})
