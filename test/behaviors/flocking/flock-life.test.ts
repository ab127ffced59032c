import { describe, expect, it } from 'vitest'
import { Cruise, EvadeGroup, SteeringWorld, Tether, type Vec3 } from 'three-steering'
import {
  angleBetween,
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
} from '../../support/geometry.js'
import { law } from '../../support/law.js'
import { ask, idle, pilot, type PilotOptions } from '../../support/pilot.js'

// A pilot of 1 kg, 10 m/s and 100 N with a response time of 0.1 s, at the origin, unless said otherwise.

describe('Cruise', () => {
  law(
    'asks for force along the course only, up to its share of the speed',
    [direction(), number(0.1, 15), number(0.1, 1)],
    (course, speed, speedShare) => {
      const { force } = ask(new Cruise({ speedShare }), { velocity: times(course, speed), maxForce: 1e4 })
      expectVec(force, times(course, (10 * speedShare - speed) / 0.1), 1e-6)
    },
    50,
  )

  it('starts from rest along the nose, and reaches its speed', () => {
    const world = new SteeringWorld()
    const one = pilot(new Cruise({ speedShare: 0.7 }))
    world.add(one)
    for (let i = 0; i < 180; i++) world.step(1 / 60)
    expectVec(one.velocity, v(0, 0, 7), 1e-3)
  })
})

describe('Tether', () => {
  const pull = (x: number, options: Partial<ConstructorParameters<typeof Tether>[0]> = {}): Vec3 =>
    ask(new Tether({ target: v(0, 0, 0), radius: 4, fadeWidth: 2, ...options }), { position: v(x, 0, 0) })
      .force

  it('asks for nothing within its radius', () => {
    expectVec(pull(0), v(0, 0, 0), 0)
    expectVec(pull(3.999), v(0, 0, 0), 0)
  })

  it('hand-computed: half of the force half way out, all of it beyond', () => {
    expectVec(pull(5), v(-50, 0, 0), 1e-9)
    expectVec(pull(6), v(-100, 0, 0), 1e-9)
    expectVec(pull(1e9), v(-100, 0, 0), 1e-9)
    expectVec(pull(-5, { weight: 0.3 }), v(15, 0, 0), 1e-9)
  })

  it('has a continuous force, with a continuous slope at the radius', () => {
    // smoothstep: at most 1.5 / width of the force per metre
    for (let x = 3; x < 7; x += 0.01)
      expect(norm(minus(pull(x + 0.01), pull(x)))).toBeLessThan((100 * 1.5 * 0.0101) / 2)
    expect(norm(pull(4.001))).toBeLessThan(1e-3)
  })

  it('holds an agent that cruises: it never gets far out, nor stops', () => {
    const world = new SteeringWorld()
    const tether = new Tether({ target: v(0, 0, 0), radius: 10, fadeWidth: 5 })
    const cruise = new Cruise()
    const both = {
      children: [tether, cruise],
      steer: (...args: Parameters<Tether['steer']>) => {
        tether.steer(...args)
        cruise.steer(...args)
      },
    }
    const one = pilot(both, { velocity: v(7, 7, 0), position: v(0, 0, 3), maxForce: 20 })
    world.add(one)
    for (let i = 0; i < 3600; i++) {
      world.step(1 / 60)
      expect(norm(one.position)).toBeLessThan(20)
      if (i > 120) expect(norm(one.velocity)).toBeGreaterThan(3)
    }
  })

  it('with a radius of 0 it pulls from the centre on', () => {
    expect(pull(0.5, { radius: 0 }).x).toBeLessThan(0)
    expect(new Tether({ target: v(0, 0, 0), radius: 0 }).fadeWidth).toBe(1)
    expectVec(pull(0, { radius: 0 }), v(0, 0, 0), 0)
  })
})

describe('EvadeGroup', () => {
  const PREDATOR = 4
  const evade = (maxTime = 1): EvadeGroup =>
    new EvadeGroup({ groups: PREDATOR, neighborDistance: 10, maxPredictionTime: maxTime })
  const predator = (position: Vec3, velocity = v(0, 0, 0)): PilotOptions => ({
    position,
    velocity,
    group: PREDATOR,
  })
  /** Direction of flight. */
  const flight = (...others: PilotOptions[]): Vec3 => unit(ask(evade(), {}, others).force)

  it('flies straight away from a group member at rest', () => {
    expectVec(flight(predator(v(3, 0, -4))), v(-0.6, 0, 0.8), 1e-9)
  })

  it('flies at full speed from half of the radius inwards, more slowly farther out, and not beyond it', () => {
    const at = (d: number): number => norm(ask(evade(), { maxForce: 1e4 }, [predator(v(d, 0, 0))]).force)
    expect(at(2)).toBeCloseTo(100, 9)
    expect(at(5)).toBeCloseTo(100, 9)
    expect(at(7.5)).toBeCloseTo(50, 9)
    expect(at(9.9999)).toBeLessThan(0.01)
    expect(at(10)).toBe(0)
  })

  it('does not evade its own group', () => {
    expectVec(
      ask(evade(), {}, [{ position: v(1, 0, 0) }, { position: v(0, 1, 0), group: 3 }]).force,
      v(0, 0, 0),
      0,
    )
    expect(norm(ask(evade(), {}, [{ position: v(1, 0, 0), group: 5 }]).force)).toBeGreaterThan(1)
  })

  it('moves out of the path of an approaching agent, and does not race it', () => {
    // passes 1 m below in half a second
    const away = flight(predator(v(-4, -1, 0), v(8, 0, 0)))
    expectVec(away, v(0, 1, 0), 1e-9)
    // beyond the predicted time: a mixture of both
    const early = flight(predator(v(-8, -1, 0), v(4, 0, 0)))
    expect(early.x).toBeGreaterThan(0.5)
    expect(early.y).toBeGreaterThan(0.1)
  })

  it('straight ahead of an approaching agent it chooses a side, at right angles', () => {
    for (const velocity of [v(0, 0, 8), v(0, 8, 0), v(8, 0, 0)]) {
      const away = flight(predator(times(velocity, -0.25), velocity))
      expect(norm(away)).toBeCloseTo(1, 9)
      expect(dotOf(away, velocity)).toBeCloseTo(0, 9)
    }
  })

  it('flees between two agents, more from the nearer one', () => {
    const away = flight(predator(v(6, 0, 0)), predator(v(0, 8, 0)))
    expect(away.x).toBeLessThan(away.y)
    expect(away.y).toBeLessThan(0)
  })

  it('keeps its course if it is surrounded', () => {
    const ring = [v(3, 0, 0), v(-3, 0, 0)].map((at) => predator(at))
    const { force } = ask(evade(), { velocity: v(0, 5, 0) }, ring)
    expect(angleBetween(force, v(0, 1, 0))).toBeLessThan(1e-6)
  })

  it('evades a faster agent that flies straight', () => {
    const world = new SteeringWorld()
    const prey = pilot(evade(), { velocity: v(5, 0, 0), maxForce: 30 })
    const hunter = pilot(idle(), { ...predator(v(-20, 0.3, 0.1), v(18, 0, 0)), maxForce: 0, maxSpeed: 18 })
    world.add(prey)
    world.add(hunter)
    let least = Infinity
    for (let i = 0; i < 180; i++) {
      world.step(1 / 60)
      least = Math.min(least, norm(minus(prey.position, hunter.position)))
    }
    expect(least).toBeGreaterThan(1)
    expect(norm(plus(prey.velocity, hunter.velocity))).toBeGreaterThan(0)
  })
})
