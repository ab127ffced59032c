import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  Arrive,
  blend,
  contextMap,
  dither,
  Face,
  LookWhereGoing,
  modes,
  priority,
  Seek,
  smooth,
  truncatedSum,
  Wander,
  within,
  type Behavior,
  type Vec3Like,
} from 'three-steering'
import type { Constraint } from 'three-steering/authoring'
import { ArriveActuator, pipeline, PlaceTargeter } from 'three-steering/classic'
import { bitsOf, firstDifference } from '../laws/kit.js'
import { expectVec, norm, v } from '../support/geometry.js'
import { idle, pilot, quietWorld, faultsIn } from '../support/pilot.js'
import { pushing } from '../support/stand-in.js'
import { pick } from '../support/tier.js'

/** A scheme, and how to add and remove behaviours while it runs. */
interface Scheme {
  readonly scheme: Behavior
  readonly add: (behavior: Behavior) => void
  readonly remove: () => void
}

/** The list of a scheme: its parts, wishes or interest. */
const listOf = (scheme: object): unknown[] =>
  ['wishes', 'interest', 'parts'].map((key) => (scheme as Record<string, unknown[]>)[key]).find(Boolean)!

/** A scheme with a list of parts. */
function listed(scheme: Behavior): Scheme {
  const list = listOf(scheme)
  return {
    scheme,
    add: (behavior) => void list.push({ behavior, enabled: true, weight: 1, probability: 1 }),
    remove: () => void list.pop(),
  }
}

/** A constraint that keeps the velocity above `least` (m/s) along y. */
function lifting(least: number): Constraint {
  return {
    steer: () => undefined,
    constrain: (_agent, _step, limits) => limits.addHalfSpace(v(0, 1, 0), least),
  }
}

/** Every scheme around some behaviours. */
const SCHEMES: Readonly<Record<string, (parts: readonly Behavior[]) => Scheme>> = {
  blend: (parts) => listed(blend(parts)),
  'blend, averaged, cut': (parts) => listed(blend(parts, { average: true, truncate: 'parts' })),
  priority: (parts) => listed(priority(parts)),
  dither: (parts) => listed(dither(parts.map((behavior) => ({ behavior, probability: 0.8 })))),
  'dither, for a time': (parts) => listed(dither(parts, { period: 0.1 })),
  truncatedSum: (parts) => listed(truncatedSum(parts)),
  'truncatedSum, the sum': (parts) => listed(truncatedSum(parts, { budget: 'sum' })),
  'truncatedSum, projected': (parts) => listed(truncatedSum(parts, { project: true })),
  contextMap: (interest) => listed(contextMap({ interest, danger: [lifting(-3)] })),
  within: (wishes) => listed(within([lifting(-3)], wishes)),
  pipeline: ([fallback = idle()]) => {
    const never = { suggest: () => true }
    const targeters = [new PlaceTargeter(v(9, 3, -4))]
    const scheme = pipeline({ targeters, constraints: [never], actuator: new ArriveActuator(), fallback })
    return {
      scheme,
      add: (behavior) => void (scheme.fallback = behavior),
      remove: () => void (scheme.fallback = fallback),
    }
  },
  smooth: ([part = idle()]) => {
    const scheme = smooth(part, { time: 0.05, torqueTime: 0.02 })
    return {
      scheme,
      add: (behavior) => void (scheme.behavior = behavior),
      remove: () => void (scheme.behavior = part),
    }
  },
  modes: (parts) => {
    const scheme = modes<string>(Object.fromEntries(parts.entries()))
    return {
      scheme,
      add(behavior) {
        scheme.trees.set('new', behavior)
        scheme.current = 'new'
      },
      remove() {
        scheme.current = '0'
        scheme.trees.delete('new')
      },
    }
  },
  'modes, each its own': (parts) => {
    const scheme = modes<string>(Object.fromEntries(parts.entries()), {
      select: (_agent, { tick }) => String((tick >> 3) % parts.length),
    })
    return {
      scheme,
      add: (behavior) => void scheme.trees.set('new', behavior),
      remove: () => void scheme.trees.delete('new'),
    }
  },
}

const names = Object.keys(SCHEMES)

/** Behaviours with a memory of each agent. */
function withMemory(): Behavior[] {
  const wander = new Wander()
  return [
    blend([{ behavior: wander, weight: 0.5 }, new LookWhereGoing()]),
    smooth(new Arrive({ target: v(9, 3, -4) }), { time: 0.03 }),
    new Seek({ target: v(20, -10, 5) }),
  ]
}

describe.each(names)('a circular tree: %s', (name) => {
  const make = SCHEMES[name]!

  it.each(names)(
    'as part of %s that is part of it, it is rejected when added, and no agent is added',
    (other) => {
      const outer = make([idle(), idle()])
      const inner = SCHEMES[other]!([outer.scheme])
      outer.add(inner.scheme)
      const { world } = quietWorld()
      for (const root of [outer.scheme, inner.scheme, priority([outer.scheme])])
        expect(() => world.add(pilot(root))).toThrow(/^behavior: this \w+ is part of itself$/)
      world.step(1 / 60)
      expect([world.size, world.tick]).toEqual([0, 1])
      // without the circle the agent may be added
      outer.remove()
      world.add(pilot(inner.scheme))
      world.step(1 / 60)
      expect(world.size).toBe(1)
    },
  )

  it('a circle made while running is reported by every step until it is removed, without a stack overflow', () => {
    const { scheme, add, remove } = make([idle(), idle()])
    const { world, faults } = quietWorld()
    const one = pilot(blend([scheme, pushing(v(7, 0, 0))]))
    world.add(one)
    world.step(1 / 60)
    add(priority([scheme]))
    const report = faultsIn(world, () => {
      for (let i = 0; i < 2; i++) world.step(1 / 60)
    })
    expect(report).toMatch(/is part of itself/)
    expectVec(one.demand.force, v(0, 0, 0), 0)
    remove()
    world.step(1 / 60)
    expect([world.tick, faults.length]).toEqual([4, 1])
    expect(one.demand.force.x).toBeGreaterThan(5)
  })

  it('a circle made inside a step is reported by the next step', () => {
    const { scheme, add, remove } = make([idle(), idle()])
    const changer: Behavior = {
      steer: (_agent, { tick }) => {
        if (tick === 1) add(scheme)
      },
    }
    const { world } = quietWorld()
    world.add(pilot(changer))
    world.add(pilot(scheme))
    world.step(1 / 60)
    world.step(1 / 60)
    expect(faultsIn(world, () => world.step(1 / 60))).toMatch(/is part of itself/)
    remove()
    world.step(1 / 60)
    expect(world.tick).toBe(4)
  })

  it('a circle in another world causes no stack overflow', () => {
    const { scheme, add } = make([idle(), idle()])
    const shared = new Wander()
    const { world } = quietWorld()
    world.add(pilot(scheme))
    const old = pilot(shared)
    world.add(old)
    world.step(1 / 60)
    world.remove(old)
    add(priority([scheme]))
    // whether the behaviour still works in the first world is tested there
    const other = quietWorld().world
    other.add(pilot(shared))
    other.step(1 / 60)
    expect(other.size).toBe(1)
  })
})

describe.each(names)('a behaviour used twice: %s', (name) => {
  const make = SCHEMES[name]!

  /** Positions and attitudes of three agents, step by step. */
  function record(of: (i: number) => Behavior): number[][] {
    const { world, faults } = quietWorld({ seed: 8 })
    const agents = [0, 1, 2].map((i) =>
      pilot(of(i), { position: v(5 * i, i, -3), velocity: v(1, i, 2), seed: i, inertia: v(1, 2, 1) }),
    )
    // one agent is added later, in the slot of a removed one
    world.add(agents[0]!).add(agents[1]!)
    const rows = Array.from({ length: pick(45, 90) }, (_, i) => {
      if (i === 20) world.remove(agents[0]!)
      if (i === 30) world.add(agents[2]!)
      world.step(1 / 60)
      return bitsOf(agents)
    })
    expect(faults).toEqual([])
    return rows
  }

  it('used by several agents of a world, each agent has a memory of its own, bit-identical to a separate behaviour', () => {
    const { scheme } = make(withMemory())
    expect(
      firstDifference(
        record(() => scheme),
        record(() => make(withMemory()).scheme),
      ),
    ).toBe(null)
  })

  it('used twice in one tree, its answer is finite and deterministic', () => {
    const run = (): number[][] => {
      const [one, ...rest] = withMemory()
      const { scheme } = make([one!, ...rest, one!])
      const tree = blend([scheme, { behavior: scheme, weight: 0.5 }, one!])
      return record(() => tree)
    }
    const rows = run()
    expect(rows.every((row) => row.every(Number.isFinite))).toBe(true)
    expect(firstDifference(rows, run())).toBe(null)
  })

  it('in two worlds it is rejected; it may move once the first world has released it', () => {
    const { scheme } = make([idle(), idle()])
    const [one, other] = [quietWorld().world, quietWorld().world]
    const first = pilot(scheme)
    one.add(first)
    expect(() => other.add(pilot(scheme))).toThrow(/works for another SteeringWorld/)
    expect(() => other.add(pilot(priority([scheme])))).toThrow(/works for another SteeringWorld/)
    one.remove(first)
    other.add(pilot(scheme))
    other.step(1 / 60)
    expect([one.size, other.size]).toEqual([0, 1])
  })
})

const weighted = (weights: readonly number[]): { behavior: Behavior; weight: number }[] =>
  weights.map((weight, i) => ({
    behavior: blend([
      pushing([v(30, 0, 0), v(0, 20, 0), v(0, 0, -25)][i % 3]!),
      new Face({ target: v(9, 9, i) }),
    ]),
    weight,
  }))

/** Schemes with weights. */
const WEIGHING: Readonly<Record<string, (weights: readonly number[]) => Behavior>> = {
  blend: (weights) => blend(weighted(weights)),
  'blend, averaged': (weights) => blend(weighted(weights), { average: true }),
  'blend, parts cut': (weights) => blend(weighted(weights), { truncate: 'parts' }),
  'blend, cut': (weights) => blend(weighted(weights), { truncate: 'sum' }),
  truncatedSum: (weights) => truncatedSum(weighted(weights)),
  'truncatedSum, resultant': (weights) => truncatedSum(weighted(weights), { budget: 'resultant' }),
  'truncatedSum, the sum': (weights) => truncatedSum(weighted(weights), { budget: 'sum' }),
  'truncatedSum, projected': (weights) => truncatedSum(weighted(weights), { project: true }),
  contextMap: (weights) => contextMap({ interest: weighted(weights), danger: [lifting(-3)] }),
  within: (weights) => within([lifting(-3)], weighted(weights)),
}

describe.each(Object.keys(WEIGHING))('weights of %s', (name) => {
  const make = (weights: readonly number[]) => {
    const scheme = WEIGHING[name]!(weights)
    return { scheme, parts: listOf(scheme) as { weight: number; fade?: number }[] }
  }

  it('negative and huge weights give finite forces', () => {
    const weight = fc.constantFrom(-1e12, -3, -1e-9, -0, 0, 1e-300, 0.3, 1, 1e12)
    fc.assert(
      fc.property(fc.array(weight, { minLength: 1, maxLength: 4 }), (weights) => {
        const { world, faults } = quietWorld()
        const one = pilot(make(weights).scheme, { velocity: v(1, 2, 3) })
        world.add(one)
        for (let i = 0; i < 3; i++) world.step(1 / 60)
        expect(faults).toEqual([])
        expect(Number.isFinite(norm(one.force) + norm(one.torque))).toBe(true)
      }),
      { seed: 6, numRuns: 30 },
    )
  })

  it.each([NaN, Infinity, -Infinity])(
    '%s set while running harms no other agent, is reported or has no effect, and ends when it is corrected',
    (bad) => {
      for (const fade of [0, 0.1]) {
        const { scheme, parts } = make([1, 0.5])
        if (fade > 0) parts[1]!.fade = fade
        const { world, faults } = quietWorld()
        const one = pilot(scheme)
        const other = pilot(blend([pushing(v(3, 0, 0))]))
        world.add(one).add(other)
        world.step(1 / 60)
        parts[1]!.weight = bad
        for (let i = 0; i < 3; i++) {
          world.step(1 / 60)
          expect(Number.isFinite(norm(one.force) + norm(one.torque) + norm(one.position))).toBe(true)
          expectVec(other.force, v(3, 0, 0), 0)
        }
        // an invalid number is not silently ignored
        expect(faults.map(({ id }) => id)).toEqual([one.id])
        parts[1]!.weight = 0.5
        for (let i = 0; i < 20; i++) world.step(1 / 60)
        expect(norm(one.demand.force)).toBeGreaterThan(1)
        expect(faults).toHaveLength(1)
      }
    },
  )

  it.each([NaN, -1, Infinity])(
    'a fade of %s is rejected by the constructor, or counts as no fade',
    (fade) => {
      const { scheme, parts } = make([1, 0.5])
      const { world, faults } = quietWorld()
      const one = pilot(scheme)
      world.add(one)
      world.step(1 / 60)
      parts[1]!.fade = fade
      parts[1]!.weight = 0.25
      for (let i = 0; i < 5; i++) world.step(1 / 60)
      expect(faults).toEqual([])
      expect(norm(one.force)).toBeGreaterThan(1)
    },
  )
})

describe('probabilities', () => {
  it.each([
    [NaN, 0],
    [-1, 0],
    [-Infinity, 0],
    [2, 60],
    [Infinity, 60],
  ])('%s set while running counts as never or always: finite, and no fault', (probability, times) => {
    for (const period of [0, 0.1, NaN, Infinity]) {
      const scheme = dither([pushing(v(5, 0, 0)), pushing(v(0, 5, 0))])
      scheme.period = period
      const { world, faults } = quietWorld()
      const one = pilot(scheme)
      world.add(one)
      scheme.parts[0]!.probability = probability
      let count = 0
      for (let i = 0; i < 60; i++) {
        world.step(1 / 60)
        if (one.demand.force.x > 0) count++
        expectVec(one.demand.force, one.demand.force.x > 0 ? v(5, 0, 0) : v(0, 5, 0), 0)
      }
      expect(count).toBe(times)
      expect(faults).toEqual([])
    }
  })
})

describe('thresholds', () => {
  it.each([NaN, -1, -Infinity])('%s set while running lets the first part steer alone', (share) => {
    for (const make of [priority, dither])
      for (const key of ['forceShare', 'torqueShare'] as const) {
        const scheme = make([pushing(v(5, 0, 0)), pushing(v(0, 5, 0))])
        const { world, faults } = quietWorld()
        const one = pilot(scheme)
        world.add(one)
        scheme[key] = share
        world.step(1 / 60)
        expectVec(one.demand.force, v(5, 0, 0), 0)
        expect(faults).toEqual([])
      }
  })

  it('with Infinity no answer counts', () => {
    const scheme = priority([pushing(v(5, 0, 0))], { forceShare: Infinity })
    const { world, faults } = quietWorld()
    const one = pilot(scheme)
    world.add(one)
    world.step(1 / 60)
    expectVec(one.demand.force, v(0, 0, 0), 0)
    expect(faults).toEqual([])
  })
})

describe('other options set while running', () => {
  const part = pushing(v(5, 0, 0))
  const still: [string, () => Behavior, unknown][] = [
    ['blend.truncate', () => blend([part]), 'never'],
    ['blend.average', () => blend([part]), 'yes'],
    ['truncatedSum.budget', () => truncatedSum([part]), 'none'],
    ['truncatedSum.project', () => truncatedSum([part]), undefined],
    ['contextMap.horizon', () => contextMap({ interest: [part], danger: [lifting(-9)] }), NaN],
    [
      'pipeline.attempts',
      () =>
        pipeline({
          targeters: [new PlaceTargeter(v(9, 0, 0))],
          actuator: new ArriveActuator(),
          fallback: part,
        }),
      NaN,
    ],
    ['smooth.time', () => smooth(part, { time: 1 }), NaN],
    ['modes.fade', () => modes({ a: part }), NaN],
  ]

  it.each(still)('%s: finite, and no fault', (name, make, bad) => {
    const scheme = make()
    const { world, faults } = quietWorld()
    const one = pilot(scheme)
    world.add(one)
    world.step(1 / 60)
    Object.assign(scheme, { [name.split('.')[1]!]: bad })
    for (let i = 0; i < 3; i++) world.step(1 / 60)
    expect(faults).toEqual([])
    expect(one.force.x).toBeGreaterThan(1)
    expectVec(v(0, one.force.y, one.force.z), v(0, 0, 0), 1e-9)
  })
})

describe('lists of parts', () => {
  it('lists with a hole or an invalid part are reported by the step until they are corrected', () => {
    for (const name of ['blend', 'priority', 'dither, for a time', 'truncatedSum', 'contextMap', 'within'])
      for (const bad of [undefined, null, 5, {}, { behavior: null }, { behavior: {} }, pushing(v(1, 0, 0))]) {
        const { scheme, remove } = SCHEMES[name]!([pushing(v(5, 0, 0))])
        const list = listOf(scheme)
        const { world } = quietWorld()
        const one = pilot(scheme)
        world.add(one)
        world.step(1 / 60)
        list.push(bad)
        const report = faultsIn(world, () => world.step(1 / 60))
        expect(report, `${name}, ${String(bad)}`).toMatch(/threw TypeError/)
        expect(one.demand.force.x, `${name}, ${String(bad)}`).toBe(0)
        list.length--
        world.step(1 / 60)
        expect(one.demand.force.x, `with ${name}`).toBeGreaterThan(0)
        remove()
        world.step(1 / 60)
        expectVec(one.demand.force, v(0, 0, 0), 1e-9)
      }
  })

  it('the same part twice in a list counts twice, and in two lists in both', () => {
    const part = { behavior: pushing(v(5, 0, 0)), weight: 2, enabled: true }
    const [one, other] = [blend([]), truncatedSum([])]
    one.parts.push(part, part)
    other.parts.push(part)
    const { world, faults } = quietWorld()
    const agents = [pilot(one), pilot(other)]
    agents.forEach((each) => world.add(each))
    const forces = (): Vec3Like[] => {
      world.step(1 / 60)
      return agents.map(({ demand }) => v(demand.force.x, demand.force.y, demand.force.z))
    }
    expect(forces()).toEqual([v(20, 0, 0), v(10, 0, 0)])
    part.enabled = false
    expect(forces()).toEqual([v(0, 0, 0), v(0, 0, 0)])
    expect(faults).toEqual([])
  })
})
