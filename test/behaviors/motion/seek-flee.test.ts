import { describe, expect, it } from 'vitest'
import { Flee, Seek, SteeringWorld, type PointSource } from 'three-steering'
import { direction, expectVec, norm, number, plus, times, unit, v, vector } from '../../support/geometry.js'
import { law } from '../../support/law.js'
import { ask, pilot, xyz } from '../../support/pilot.js'

// An agent of 1 kg, 10 m/s and 100 N with a response time of 0.1 s: F = 10 · (v* − v), at most 100 N.

describe('Seek', () => {
  it('the wanted velocity is full speed towards the target, as a force: m (v* − v) / τ', () => {
    const seek = new Seek({ target: v(0, 30, 40) })
    const { force, torque } = ask(seek, { velocity: v(1, 2, 3), mass: 2, responseTime: 0.5, maxForce: 1e3 })
    // v* = (0, 6, 8)
    expectVec(force, v(-4, 16, 20), 1e-9)
    expectVec(torque, v(0, 0, 0), 0)
  })

  law('points at the target from anywhere, also straight up and down', [vector(), vector()], (from, to) => {
    if (norm(plus(to, from, -1)) < 1e-6) return
    const { force } = ask(new Seek({ target: to }), { position: from })
    expectVec(force, times(unit(plus(to, from, -1)), 100), 1e-6)
  })

  law('is as strong near the target as far from it', [direction(), number(-9, 9)], (n, exponent) => {
    const { force } = ask(new Seek({ target: times(n, 10 ** exponent) }), { velocity: times(n, 4) })
    expectVec(force, times(n, 60), 1e-6)
  })

  it('at the target there is no direction, and no force', () => {
    expectVec(ask(new Seek({ target: v(1, 2, 3) }), { position: v(1, 2, 3) }).force, v(0, 0, 0), 0)
  })

  it('at full speed towards the target there is no force', () => {
    expectVec(ask(new Seek({ target: v(0, 9, 0) }), { velocity: v(0, 10, 0) }).force, v(0, 0, 0), 1e-9)
  })

  it('without a maximum speed the engine pushes with its full force', () => {
    const options = { maxSpeed: Infinity, velocity: v(0, 3, 0) }
    // The result of the engine after a second: 3 + 100 m/s.
    expectVec(ask(new Seek({ target: v(0, 9, 0) }), options).force, v(0, 100, 0), 1e-9)
  })

  it.each<[string, PointSource]>([
    ['a point', v(0, 0, 5)],
    ['a thing with a position', { position: v(0, 0, 5) }],
    ['a thing that moves', { position: v(0, 0, 5), velocity: v(1, 1, 1) }],
    [
      'a function',
      (agent, out) => {
        out.x = agent.position.x
        out.y = agent.position.y
        out.z = 5
      },
    ],
  ])('its target may be %s', (_, target) => {
    expectVec(ask(new Seek({ target })).force, v(0, 0, 100), 1e-9)
  })

  it('the target is read in each step, and may be replaced', () => {
    const target = { x: 0, y: 0, z: 5 }
    const seek = new Seek({ target })
    const one = pilot(seek)
    const world = new SteeringWorld()
    world.add(one)
    world.step(1e-6)
    target.z = 0
    target.y = 5
    world.step(1e-6)
    expectVec(one.demand.force, v(0, 100, 0), 0.1)
    seek.target = v(-5, 0, 0)
    world.step(1e-6)
    expectVec(one.demand.force, v(-100, 0, 0), 0.1)
  })

  it('the target may be another controller, until it leaves its world', () => {
    const world = new SteeringWorld()
    const target = pilot(undefined, { position: v(0, 7, 0) })
    const one = pilot(new Seek({ target }))
    world.add(target)
    world.add(one)
    world.step(1e-6)
    expectVec(one.demand.force, v(0, 100, 0), 1e-3)
    world.remove(target)
    world.step(1e-6)
    expectVec(one.demand.force, v(0, 0, 0))
  })

  it('overshoots its target and comes back', () => {
    const world = new SteeringWorld()
    const one = pilot(new Seek({ target: v(0, 0, 20) }), { maxForce: 20 })
    world.add(one)
    let nearest = Infinity
    let turns = 0
    let before = 1
    for (let i = 0; i < 1200; i++) {
      world.step(1 / 60)
      nearest = Math.min(nearest, Math.abs(one.position.z - 20))
      const sign = Math.sign(one.velocity.z)
      if (sign !== before) turns++
      before = sign
    }
    expect(nearest).toBeLessThan(0.2)
    expect(turns).toBeGreaterThan(4)
    // It never stops.
    expect(norm(one.velocity) + norm(one.force)).toBeGreaterThan(5)
  })
})

describe('Flee', () => {
  law('is the opposite of Seek', [vector(), vector(), vector(3)], (from, to, velocity) => {
    const state = { position: from, maxForce: 1e4 }
    const seek = ask(new Seek({ target: to }), { ...state, velocity })
    const flee = ask(new Flee({ target: to }), { ...state, velocity: times(velocity, -1) })
    expectVec(flee.force, times(seek.force, -1), 1e-6)
  })

  it('flies straight away at full speed', () => {
    const { force } = ask(new Flee({ target: v(0, 3, 4) }), { velocity: v(1, 0, 0), maxForce: 1e3 })
    expectVec(force, v(-10, -60, -80), 1e-9)
  })

  it('exactly at the point the agent keeps its course', () => {
    expectVec(ask(new Flee({ target: v(0, 0, 0) }), { velocity: v(0, 4, 0) }).force, v(0, 60, 0), 1e-9)
    // At rest that is along the nose.
    expectVec(ask(new Flee({ target: v(0, 0, 0) })).force, v(0, 0, 100), 1e-9)
  })

  it('reacts inside panicDistance only', () => {
    const flee = (z: number) => ask(new Flee({ target: v(0, 0, z), panicDistance: 5 })).force
    expectVec(flee(4.999), v(0, 0, -100), 1e-9)
    expectVec(flee(5), v(0, 0, 0), 0)
    expectVec(flee(500), v(0, 0, 0), 0)
  })

  it('without panicDistance it always flees', () => {
    for (const far of [1e3, 1e9, 1e200])
      expectVec(ask(new Flee({ target: v(0, far, 0) })).force, v(0, -100, 0), 1e-6)
  })

  it('its options may change while running', () => {
    const flee = new Flee({ target: v(0, 0, 8), panicDistance: 5 })
    const one = pilot(flee)
    const world = new SteeringWorld()
    world.add(one)
    world.step(1e-9)
    expectVec(one.demand.force, v(0, 0, 0), 0)
    flee.panicDistance = 10
    world.step(1e-9)
    expectVec(xyz(one.demand.force), v(0, 0, -100), 1e-3)
  })
})
