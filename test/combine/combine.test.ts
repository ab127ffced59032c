import { describe, expect, it } from 'vitest'
import { blend, Face, neighborSearch, priority, SteeringWorld, type Behavior } from 'three-steering'
import { expectVec, norm, v } from '../support/geometry.js'
import { ask, idle, pilot, quietWorld } from '../support/pilot.js'
import { pushing } from '../support/stand-in.js'
import { counting, holding, twisting } from './parts.js'

describe('blend', () => {
  it('sums forces and torques, each with its weight', () => {
    const { force, torque } = ask(
      blend([
        { behavior: pushing(v(1, 0, 0)), weight: 2 },
        pushing(v(0, 3, 0)),
        { behavior: pushing(v(0, 0, 4)), weight: -0.5 },
        { behavior: twisting(v(0, 1, 0)), weight: 3 },
        twisting(v(0, 0, 1)),
      ]),
    )
    expectVec(force, v(2, 3, -2), 1e-12)
    expectVec(torque, v(0, 3, 1), 1e-12)
  })

  it('truncates nothing itself: that is done once, at the end, by the locomotion', () => {
    const behavior = blend([pushing(v(500, 0, 0)), pushing(v(-450, 0, 0))])
    const world = new SteeringWorld()
    const one = pilot(behavior)
    world.add(one)
    world.step(1 / 60)
    expectVec(one.demand.force, v(50, 0, 0), 1e-9)
    expectVec(one.force, v(50, 0, 0), 1e-9)
  })

  it('without parts it asks for nothing', () => {
    expectVec(ask(blend([])).force, v(0, 0, 0), 0)
  })

  it('nests, and the inner sums do not change the outer ones', () => {
    const inner = blend([pushing(v(1, 0, 0)), { behavior: pushing(v(0, 1, 0)), weight: 2 }])
    const outer = blend([
      { behavior: inner, weight: 3 },
      pushing(v(0, 0, 7)),
      { behavior: blend([{ behavior: blend([pushing(v(1, 1, 1))]), weight: 2 }]), weight: 0.5 },
    ])
    expectVec(ask(outer).force, v(4, 7, 8), 1e-12)
  })

  it('each part gets an empty wrench', () => {
    const seen: number[] = []
    const recorder: Behavior = {
      steer: (_agent, _step, out) => {
        seen.push(norm(out.force), norm(out.torque), Number(out.turns))
        out.force.x = 5
        out.torque.y = 5
        out.turns = true
      },
    }
    ask(blend([recorder, recorder, blend([recorder])]))
    expect(seen.every((each) => each === 0)).toBe(true)
  })

  it('the reach of a part added while running is requested', () => {
    const mix = blend([idle()])
    const world = new SteeringWorld()
    world.add(pilot(mix))
    world.add(pilot(idle(), { position: v(0, 0, 3) }))
    world.step(1 / 60)
    let seen = -1
    const watch: Behavior = {
      reach: 5,
      neighborSearch,
      steer: (agent) => {
        seen = agent.neighbors.count
      },
    }
    mix.parts.push({ behavior: watch, weight: 1 })
    world.step(1 / 60)
    expect(seen).toBe(1)
  })

  it('turns when a part turns, also by holding', () => {
    const seen: boolean[] = []
    const spy = (inner: Behavior): Behavior => ({
      steer: (agent, step, out) => {
        inner.steer(agent, step, out)
        seen.push(out.turns)
      },
    })
    ask(spy(blend([pushing(v(1, 0, 0)), holding()])))
    ask(spy(blend([pushing(v(1, 0, 0)), idle()])))
    expect(seen).toEqual([true, false])
  })

  it('a part with weight 0 does not control the attitude', () => {
    const world = new SteeringWorld()
    const one = pilot(blend([{ behavior: new Face({ target: v(0, 9, 0) }), weight: 0 }]), {
      velocity: v(3, 0, 0),
    })
    world.add(one)
    for (let i = 0; i < 180; i++) world.step(1 / 60)
    // the locomotion turns it along its course
    expectVec(one.attitude.x, v(1, 0, 0), 0.01)
  })

  it('`blend` makes a Blend, and copies the list it is given', () => {
    const list = [pushing(v(1, 0, 0))]
    const mix = blend(list)
    expect(Reflect.get(mix.constructor, 'type')).toBe('Blend')
    list.push(pushing(v(9, 9, 9)))
    expectVec(ask(mix).force, v(1, 0, 0), 0)
  })
})

describe('priority', () => {
  it('the first part with a force steers alone, later ones are not asked', () => {
    const [first, second, third] = [counting(), counting(pushing(v(0, 5, 0))), counting(pushing(v(9, 0, 0)))]
    expectVec(ask(priority([first, second, third])).force, v(0, 5, 0), 1e-12)
    expect([first.asked, second.asked, third.asked]).toEqual([1, 1, 0])
  })

  it('a force below the threshold counts as none, and leaves no trace', () => {
    // a thousandth of 100 N by default
    expectVec(ask(priority([pushing(v(0.09, 0, 0)), pushing(v(0, 5, 0))])).force, v(0, 5, 0), 1e-12)
    expectVec(ask(priority([pushing(v(0.11, 0, 0)), pushing(v(0, 5, 0))])).force, v(0.11, 0, 0), 1e-12)
    // of 10 N·m
    expectVec(
      ask(priority([twisting(v(0.009, 0, 0), false), twisting(v(0, 5, 0))])).torque,
      v(0, 5, 0),
      1e-12,
    )
    expectVec(
      ask(priority([twisting(v(0.011, 0, 0), false), twisting(v(0, 5, 0))])).torque,
      v(0.011, 0, 0),
      1e-12,
    )
  })

  it('the thresholds may be set', () => {
    const list = (): Behavior[] => [pushing(v(20, 0, 0)), pushing(v(0, 50, 0))]
    expectVec(ask(priority(list(), { forceShare: 0.3 })).force, v(0, 50, 0), 1e-12)
    expectVec(ask(priority(list(), { forceShare: 0.1 })).force, v(20, 0, 0), 1e-12)
    expectVec(
      ask(priority([pushing(v(1e-9, 0, 0)), pushing(v(0, 5, 0))], { forceShare: 0 })).force,
      v(1e-9, 0, 0),
      1e-15,
    )
    const torques = (): Behavior[] => [twisting(v(2, 0, 0), false), twisting(v(0, 6, 0))]
    expectVec(ask(priority(torques(), { torqueShare: 0.5 })).torque, v(0, 6, 0), 1e-12)
  })

  it('holding an attitude counts, even without a force or torque', () => {
    const later = counting(pushing(v(0, 5, 0)))
    expectVec(ask(priority([idle(), holding(), later])).force, v(0, 0, 0), 0)
    expect(later.asked).toBe(0)
  })

  it.each([NaN, Infinity])('a force of %s does not pass on to the next part', (bad) => {
    const later = counting(pushing(v(0, 5, 0)))
    const { world, faults } = quietWorld()
    const one = pilot(priority([pushing(v(bad, 0, 0)), later]))
    world.add(one)
    world.step(1 / 60)
    expect(later.asked).toBe(0)
    expect(faults).toHaveLength(1)
    expectVec(one.force, v(0, 0, 0), 0)
  })

  it('if no part asks for anything, it asks for nothing', () => {
    const { force, torque } = ask(priority([idle(), pushing(v(0.01, 0, 0))]))
    expectVec(force, v(0, 0, 0), 0)
    expectVec(torque, v(0, 0, 0), 0)
    expectVec(ask(priority([])).force, v(0, 0, 0), 0)
  })

  it('for an agent without limits only zero counts as nothing', () => {
    const options = { maxTorque: Infinity, maxForce: 100 }
    expectVec(ask(priority([idle(), pushing(v(0, 5, 0))]), options).force, v(0, 5, 0), 1e-12)
  })

  it('nests with blends, both ways', () => {
    const inner = priority([idle(), blend([pushing(v(1, 0, 0)), pushing(v(0, 1, 0))])])
    const outer = blend([
      { behavior: inner, weight: 2 },
      priority([pushing(v(0, 0, 3)), pushing(v(7, 7, 7))]),
    ])
    expectVec(ask(outer).force, v(2, 2, 3), 1e-12)
  })

  it('the order may be changed while running', () => {
    const list = priority([pushing(v(1, 0, 0)), pushing(v(0, 1, 0))])
    const world = new SteeringWorld()
    const one = pilot(list)
    world.add(one)
    world.step(1e-9)
    expectVec(one.demand.force, v(1, 0, 0), 1e-12)
    list.parts.reverse()
    world.step(1e-9)
    expectVec(one.demand.force, v(0, 1, 0), 1e-12)
    list.parts.length = 0
    world.step(1e-9)
    expectVec(one.demand.force, v(0, 0, 0), 0)
  })

  it('`priority` makes a Priority, and copies the list it is given', () => {
    const list = [pushing(v(1, 0, 0))]
    const choice = priority(list)
    expect(Reflect.get(choice.constructor, 'type')).toBe('Priority')
    list.unshift(pushing(v(9, 9, 9)))
    expectVec(ask(choice).force, v(1, 0, 0), 0)
  })
})
