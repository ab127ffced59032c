import { describe, expect, it } from 'vitest'
import {
  blend,
  contextMap,
  dither,
  neighborSearch,
  priority,
  Seek,
  SlowInCrowd,
  truncatedSum,
  Wander,
  within,
  type Behavior,
  type Part,
  type SteeringController,
  type Vec3Like,
} from 'three-steering'
import type { Constraint } from 'three-steering/authoring'
import { ArriveActuator, pipeline, PlaceTargeter } from 'three-steering/classic'
import { expectVec, norm, v } from '../support/geometry.js'
import { ask, idle, pilot, quietWorld, xyz, faultsIn } from '../support/pilot.js'
import { pushing } from '../support/stand-in.js'
import { counting } from './parts.js'

/** A constraint that keeps the velocity above `least` (m/s) along y. */
function lifting(least: number): Constraint {
  return {
    steer: () => undefined,
    constrain: (_agent, _step, limits) => limits.addHalfSpace(v(0, 1, 0), least),
  }
}

/** Every scheme with a list of three different parts, and that list. */
const schemes: Record<string, () => { scheme: Behavior; list: Part[] }> = {
  blend: () => listed(blend(pushes())),
  'blend, averaged': () => listed(blend(pushes(), { average: true })),
  priority: () => listed(priority(pushes())),
  dither: () => listed(dither(pushes())),
  'dither, for a time': () => listed(dither(pushes(), { period: 0.3 })),
  truncatedSum: () => listed(truncatedSum(pushes())),
  within: () => listed(within([lifting(1), lifting(2), lifting(3)], pushing(v(5, 0, 0)))),
  'contextMap, interest': () => {
    const scheme = contextMap({ interest: pushes() })
    return { scheme, list: scheme.interest }
  },
  'contextMap, danger': () => {
    const danger = [lifting(1), lifting(2), lifting(3)]
    const scheme = contextMap({ interest: [pushing(v(5, 0, 0))], danger })
    return { scheme, list: scheme.danger }
  },
}

function pushes(): Behavior[] {
  return [pushing(v(10, 0, 0)), pushing(v(0, 20, 0)), pushing(v(0, 0, 40))]
}

function listed(scheme: Behavior & { readonly parts: unknown }): { scheme: Behavior; list: Part[] } {
  return { scheme, list: scheme.parts as Part[] }
}

/** The force that one agent wants in each step; `change` runs between steps. */
function forcesOf(
  scheme: Behavior,
  steps: number,
  change: (step: number) => void = () => undefined,
): Vec3Like[] {
  const { world, faults } = quietWorld({ seed: 3 })
  const one = pilot(scheme, { maxForce: 1000 })
  world.add(one)
  const found = Array.from({ length: steps }, (_, i) => {
    change(i)
    world.step(1e-12)
    return xyz(one.demand.force)
  })
  expect(faults).toEqual([])
  return found
}

describe.each(Object.keys(schemes))('the parts of %s', (name) => {
  const make = schemes[name]!

  it.each([0, 1, 2])('number %i switched off is ignored, and switched on again works as before', (at) => {
    const { scheme, list } = make()
    const there = forcesOf(scheme, 4, (i) => void (list[at]!.enabled = i !== 1 && i !== 2))
    const without = make()
    without.list.splice(at, 1)
    const bare = forcesOf(without.scheme, 4)
    const all = forcesOf(make().scheme, 4)
    const expected = [all[0], bare[1], bare[2], all[3]]
    there.forEach((force, i) => expectVec(force, expected[i]!, name === 'contextMap, danger' ? 0.3 : 1e-6))
  })

  it('may all be switched off', () => {
    const { scheme, list } = make()
    for (const part of list) part.enabled = false
    const [force] = forcesOf(scheme, 1)
    expectVec(force!, name === 'within' || name === 'contextMap, danger' ? v(5, 0, 0) : v(0, 0, 0), 0)
    expect(scheme.children!.length).toBe(name === 'within' || name === 'contextMap, danger' ? 1 : 0)
  })

  it('may be removed, added again and reordered, with effect in the next step', () => {
    const { scheme, list } = make()
    const gone: Part[] = []
    const found = forcesOf(scheme, 4, (i) => {
      if (i === 1) gone.push(list.shift()!)
      if (i === 2) list.push(gone[0]!)
      if (i === 3) list.unshift(list.pop()!)
    })
    const all = forcesOf(make().scheme, 4)
    expectVec(found[0]!, all[0]!, 1e-6)
    expectVec(found[3]!, all[3]!, name === 'contextMap, danger' ? 0.3 : 1e-6)
    expect(scheme.children).toContain(gone[0]!.behavior)
  })

  it('changed by an agent while it is steered, they change for all agents at the start of the next step, in any order of agents', () => {
    const run = (order: readonly number[]): Vec3Like[][] => {
      const { scheme, list } = make()
      const { world, faults } = quietWorld({ seed: 3 })
      const changer: Behavior = {
        steer: (_agent, { tick }) => {
          if (tick === 2) list[0]!.enabled = false
          if (tick === 4) list[2]!.enabled = false
          if (tick === 6) list.length = 1
        },
      }
      const agents = [
        pilot(scheme, { maxForce: 1000, seed: 1 }),
        pilot(changer, { seed: 2 }),
        pilot(scheme, { maxForce: 1000, seed: 1, position: v(9, 9, 9) }),
      ]
      for (const i of order) world.add(agents[i]!)
      const found = Array.from({ length: 9 }, () => {
        world.step(1e-12)
        return [0, 2].map((i) => xyz(agents[i]!.demand.force))
      })
      expect(faults).toEqual([])
      return found
    }
    const found = run([0, 1, 2])
    // agents before and after the changing agent get the same answers in every step
    for (const [before, behind] of found) expect(behind).toEqual(before)
    expect(run([2, 1, 0])).toEqual(found)
    expect(run([1, 0, 2])).toEqual(found)
    expect(new Set(found.map(([force]) => JSON.stringify(force))).size).toBeGreaterThan(1)
    // the step of the change is like the one before
    if (!name.startsWith('dither'))
      expectVec(found[2]![0]!, found[1]![0]!, name === 'contextMap, danger' ? 0.3 : 1e-6)
  })

  it("are a list of the combination's own", () => {
    const { list } = make()
    const given = { behavior: list[0]!.behavior, enabled: false }
    if (name.startsWith('contextMap') || name === 'within') return
    const mix = blend([given])
    given.enabled = true
    expect(mix.parts[0]!.enabled).toBe(false)
  })
})

describe('numbers of parts', () => {
  it('weights take effect in the next step', () => {
    for (const make of [blend, truncatedSum]) {
      const mix = make([pushing(v(10, 0, 0)), pushing(v(0, 20, 0))])
      const found = forcesOf(mix, 3, (i) => void (mix.parts[0]!.weight = 1 + i))
      expect(found.map(({ x }) => x)).toEqual([10, 20, 30])
    }
  })

  it('so do probabilities, and weights of interest', () => {
    const mix = dither([pushing(v(10, 0, 0)), pushing(v(0, 20, 0))])
    const found = forcesOf(mix, 3, (i) => void (mix.parts[0]!.probability = i === 1 ? 0 : 1))
    expect(found.map(({ x }) => x)).toEqual([10, 0, 10])
    const map = contextMap({ interest: [pushing(v(10, 0, 0)), pushing(v(0, 20, 0))] })
    const chosen = forcesOf(map, 3, (i) => void (map.interest[0]!.weight = i === 1 ? 3 : 1))
    expect(chosen.map(({ x }) => x)).toEqual([0, 10, 0])
  })
})

describe('lists of behaviours', () => {
  it('the children of a priority are those of its parts that are switched on', () => {
    const [a, b, c] = pushes() as [Behavior, Behavior, Behavior]
    const choice = priority([a, b])
    choice.parts.unshift({ behavior: c })
    expect(choice.children).toEqual([c, a, b])
    choice.parts[1]!.enabled = false
    expect(choice.children).toEqual([c, b])
    choice.parts.reverse()
    expect(choice.children).toEqual([b, c])
  })

  it('so are the constraints of `within`', () => {
    const [one, other] = [lifting(1), lifting(2)]
    const all = within([one], idle())
    all.parts.push({ behavior: other })
    all.parts[0]!.enabled = false
    expect(all.constraints).toEqual([other])
    expect(all.children).toHaveLength(2)
  })

  it('a behaviour with a field named `behavior` is a behaviour', () => {
    const slow = new SlowInCrowd({ behavior: idle(), radius: 3 })
    expect(blend([slow]).children).toEqual([slow])
    expect(priority([slow]).children).toEqual([slow])
  })
})

describe('changes while agents are steered', () => {
  it('a part may remove itself and all others: parts of this step are still asked', () => {
    const seen: string[] = []
    const list: { mix: { parts: Part[] } | null } = { mix: null }
    const say = (name: string, act: () => void = () => undefined): Behavior => ({
      steer: () => {
        seen.push(name)
        act()
      },
    })
    const mix = blend([say('a', () => void (list.mix!.parts.length = 0)), say('b'), say('c')])
    list.mix = mix
    forcesOf(mix, 2)
    expect(seen).toEqual(['a', 'b', 'c'])
  })

  it('a part that is added is not asked before the world knows its reach', () => {
    const counts: number[] = []
    const watch: Behavior = {
      reach: 5,
      neighborSearch,
      steer: (agent) => void counts.push(agent.neighbors.count),
    }
    const mix = blend([idle()])
    const adder: Behavior = {
      steer: (_agent, { tick }) => {
        if (tick === 1) mix.parts.push({ behavior: watch, weight: 1 })
        if (tick === 4) mix.parts[1]!.enabled = false
      },
    }
    const { world } = quietWorld()
    world.add(pilot(adder, { position: v(0, 0, 3) }))
    world.add(pilot(mix))
    for (let i = 0; i < 8; i++) world.step(1 / 60)
    expect(counts).toEqual([1, 1, 1])
  })

  it('a part that is switched off requests no neighbours', () => {
    const reach = (enabled: boolean): number => {
      let seen = -1
      const spy: Behavior = {
        reach: 2,
        neighborSearch,
        steer: (agent) => void (seen = agent.neighbors.count),
      }
      const far: Behavior = { reach: 9, neighborSearch, steer: () => undefined }
      const { world } = quietWorld()
      world.add(pilot(blend([spy, { behavior: far, enabled }])))
      world.add(pilot(idle(), { position: v(0, 0, 5) }))
      world.step(1 / 60)
      return seen
    }
    expect([reach(true), reach(false)]).toEqual([1, 0])
  })

  it('hidden in a behaviour that does not list its children, changes take effect at once', () => {
    const mix = blend([pushing(v(10, 0, 0))])
    const hiding: Behavior = {
      steer: (agent, step, out) => {
        mix.parts[0]!.weight = 3
        mix.steer(agent, step, out)
      },
    }
    expect(forcesOf(hiding, 2).map(({ x }) => x)).toEqual([30, 30])
    // also one that a world has refreshed before
    const other = blend([pushing(v(10, 0, 0))])
    forcesOf(other, 2)
    let weight = 1
    const later: Behavior = {
      steer: (agent, step, out) => {
        other.parts[0]!.weight = ++weight
        other.steer(agent, step, out)
      },
    }
    expect(
      forcesOf(later, 4)
        .map(({ x }) => x)
        .slice(2),
    ).toEqual([40, 50])
  })

  it('the wish of `within` is replaced in the next step as well', () => {
    const all = within([], pushing(v(10, 0, 0)))
    const swap: Behavior = {
      steer: (_agent, { tick }) => {
        if (tick === 1) all.wish = pushing(v(0, 10, 0))
      },
    }
    const { world } = quietWorld()
    world.add(pilot(swap))
    const one = pilot(all)
    world.add(one)
    const found = Array.from({ length: 4 }, () => {
      world.step(1e-12)
      return one.demand.force.x
    })
    expect(found).toEqual([10, 10, 0, 0])
  })

  it('all lists of a pipeline change in the next step as well', () => {
    const here = new PlaceTargeter(v(50, 0, 0))
    const there = new PlaceTargeter(v(0, 50, 0))
    const never = { suggest: () => true, enabled: false }
    const mind = pipeline({
      targeters: [here, there],
      constraints: [never],
      actuator: new ArriveActuator(),
      fallback: pushing(v(0, 0, 7)),
    })
    const found = forcesOf(mind, 7, (i) => {
      if (i === 1) there.enabled = false
      if (i === 2) mind.targeters.reverse()
      if (i === 3) there.enabled = true
      if (i === 4) never.enabled = true
      if (i === 5) mind.fallback = null
      if (i === 6) mind.constraints.pop()
    }).map(({ x, y, z }) => [x > 1, y > 1, z > 1].indexOf(true))
    // here; there is off; in another order; on, and overruled; no path is allowed; it brakes, and is at rest;
    // here
    expect(found).toEqual([1, 0, 0, 0, 2, -1, 0])
  })
})

describe('invalid lists', () => {
  const makers: Record<string, (parts: readonly Behavior[]) => Behavior & { readonly parts: Part[] }> = {
    blend,
    priority,
    dither,
    truncatedSum,
  }

  it.each(Object.keys(makers))('%s rejects a value that is no behaviour, or no list', (name) => {
    const make = makers[name]!
    for (const bad of [null, undefined, 5, {}, { behavior: null }, { behavior: {} }])
      expect(() => make([bad as never])).toThrow(TypeError)
    expect(() => make(undefined as never)).toThrow(new RegExp(`${name}.parts: got undefined`))
  })

  it('a value that is added later and is no behaviour is reported by the step until it is removed', () => {
    const mix = blend([pushing(v(1, 0, 0))])
    const { world } = quietWorld()
    world.add(pilot(mix))
    mix.parts.push({ behavior: undefined as never, weight: 1 })
    expect(faultsIn(world, () => world.step(1 / 60))).toMatch(/blend.parts\[1\]: got undefined/)
    mix.parts.pop()
    world.step(1 / 60)
    expect(world.tick).toBe(2)
  })

  it('a behaviour that is switched off may be used in another world, but not be switched on then', () => {
    const wander = new Wander()
    const mix = blend([idle(), { behavior: wander, enabled: false }])
    const { world } = quietWorld()
    world.add(pilot(mix))
    const other = quietWorld().world
    const guest: SteeringController = pilot(wander)
    other.add(guest)
    world.step(1 / 60)
    other.step(1 / 60)
    mix.parts[1]!.enabled = true
    expect(faultsIn(world, () => world.step(1 / 60))).toMatch(/Wander works for another SteeringWorld/)
    other.remove(guest)
    world.step(1 / 60)
    expect([world.tick, other.tick]).toEqual([3, 1])
  })

  it('an empty list asks for nothing', () => {
    for (const make of Object.values(makers)) expect(norm(ask(make([])).force)).toBe(0)
    expect(norm(ask(contextMap({ interest: [] })).force)).toBe(0)
    // a pipeline without a goal keeps its position
    expectVec(ask(pipeline({ targeters: [], actuator: new ArriveActuator() })).force, v(0, 0, 0), 0)
  })
})

describe('parts with bad answers', () => {
  const wrong: Record<string, (part: Behavior) => Behavior> = {
    blend: (part) => blend([part, new Seek({ target: v(9, 0, 0) })]),
    'blend, averaged and cut': (part) =>
      blend([part, new Seek({ target: v(9, 0, 0) })], { average: true, truncate: 'sum' }),
    'blend, parts cut': (part) => blend([new Seek({ target: v(9, 0, 0) }), part], { truncate: 'parts' }),
    priority: (part) => priority([part, new Seek({ target: v(9, 0, 0) })]),
    dither: (part) => dither([part, new Seek({ target: v(9, 0, 0) })]),
    truncatedSum: (part) => truncatedSum([part, new Seek({ target: v(9, 0, 0) })]),
    'truncatedSum, Buckland': (part) =>
      truncatedSum([part, new Seek({ target: v(9, 0, 0) })], { budget: 'resultant' }),
    'truncatedSum, the sum': (part) =>
      truncatedSum([part, new Seek({ target: v(9, 0, 0) })], { budget: 'sum' }),
    contextMap: (part) => contextMap({ interest: [new Seek({ target: v(9, 0, 0) }), part] }),
    pipeline: (part) =>
      pipeline({
        targeters: [],
        constraints: [{ suggest: () => true }],
        actuator: new ArriveActuator(),
        fallback: part,
      }),
  }

  it.each(Object.keys(wrong))(
    '%s: NaN and Infinity drop the agent and are reported, huge values are cut',
    (name) => {
      for (const bad of [NaN, Infinity]) {
        const { force, faults } = ask(wrong[name]!(counting(pushing(v(bad, 1, 0)))))
        expect(faults).toHaveLength(1)
        expectVec(force, v(0, 0, 0), 0)
      }
      const { world, faults } = quietWorld()
      const one = pilot(wrong[name]!(pushing(v(1e200, -1e200, 1e100))))
      world.add(one)
      world.step(1 / 60)
      expect(faults).toEqual([])
      expect(norm(one.force)).toBeLessThan(100 * (1 + 1e-9))
      expect(norm(one.force)).toBeGreaterThan(50)
    },
  )
})
