import { describe, it } from 'vitest'
import { Flee, Seek, SteeringWorld, type PointSource } from 'three-steering'
import { direction, expectVec, norm, number, plus, times, unit, v, vector } from '../../support/geometry.js'
import { law } from '../../support/law.js'
import { ask, pilot, xyz } from '../../support/pilot.js'

// An agent of 1 kg, 10 m/s and 100 N with a response time of 0.1 s: F = 10 · (v* − v), at most 100 N.

describe('Seek', () => {
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
})

describe('Flee', () => {
  it('flies straight away at full speed', () => {
    const { force } = ask(new Flee({ target: v(0, 3, 4) }), { velocity: v(1, 0, 0), maxForce: 1e3 })
    expectVec(force, v(-10, -60, -80), 1e-9)
  })

  it('exactly at the point the agent keeps its course', () => {
    expectVec(ask(new Flee({ target: v(0, 0, 0) }), { velocity: v(0, 4, 0) }).force, v(0, 60, 0), 1e-9)
    // At rest that is along the nose.
    expectVec(ask(new Flee({ target: v(0, 0, 0) })).force, v(0, 0, 100), 1e-9)
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
