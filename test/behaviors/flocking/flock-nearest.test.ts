import { describe, expect, it } from 'vitest'
import {
  Alignment,
  blend,
  Cohesion,
  Flocking,
  Separation,
  type Behavior,
  type CohesionOptions,
} from 'three-steering'
import { seeded, type FlockRuleOptions } from 'three-steering/authoring'
import { expectVec, minus, norm, plus, v } from '../../support/geometry.js'
import { ask, type PilotOptions } from '../../support/pilot.js'
import { pick } from '../../support/tier.js'

// A pilot of 1 kg, 10 m/s and 100 N with a response time of 0.1 s, at the origin; the others around it.

function crowd(
  count: number,
  seed: number,
  size = 6,
): Required<Pick<PilotOptions, 'position' | 'velocity'>>[] {
  const next = seeded(seed)
  const one = (k: number): number => k * (next() - 0.5)
  return Array.from({ length: count }, (_, i) => ({
    position: v(one(size), one(size), one(size)),
    velocity: v(one(8), one(8), one(8)),
    group: 1 << (i % 3),
    seed: i,
  }))
}

const RULES: [string, (options: FlockRuleOptions) => Behavior][] = [
  ['Separation', (options) => new Separation(options)],
  ['Alignment', (options) => new Alignment(options)],
  ['Cohesion', (options) => new Cohesion({ ...options, emergency: false })],
]

const SELF: PilotOptions = { velocity: v(1, -2, 3) }

const closest = (others: ReturnType<typeof crowd>, k: number) =>
  others.toSorted((a, b) => norm(a.position) - norm(b.position)).slice(0, k)

describe.each(RULES)('%s with the nearest only', (_, make) => {
  it('is the same as in a world without the other agents', () => {
    for (let seed = 0; seed < 20; seed++)
      for (const nearest of [1, 3, 7]) {
        const others = crowd(25, seed)
        const { force } = ask(make({ neighborDistance: 5, maxNeighbors: nearest }), SELF, others)
        const inRange = others.filter(({ position }) => norm(position) < 5)
        expectVec(force, ask(make({ neighborDistance: 5 }), SELF, closest(inRange, nearest)).force, 1e-9)
      }
  })

  it('counts the nearest of its own group', () => {
    const others = crowd(25, 3)
    const own = others.filter((_each, i) => i % 3 === 1)
    const { force } = ask(make({ neighborDistance: 9, maxNeighbors: 4, groups: 2 }), SELF, others)
    expectVec(force, ask(make({ neighborDistance: 9 }), SELF, closest(own, 4)).force, 1e-9)
  })

  it('is the metric rule if there are fewer neighbours', () => {
    const others = crowd(6, 5)
    const plain = ask(make({ neighborDistance: 4, fieldOfView: 5 }), SELF, others).force
    expect(norm(plain)).toBeGreaterThan(0.1)
    expectVec(
      ask(make({ neighborDistance: 4, fieldOfView: 5, maxNeighbors: 6 }), SELF, others).force,
      plain,
      1e-9,
    )
    expectVec(
      ask(make({ neighborDistance: 4, fieldOfView: 5, maxNeighbors: 1000 }), SELF, others).force,
      plain,
      1e-9,
    )
  })
})

describe('leaders', () => {
  const others: PilotOptions[] = [
    { position: v(2, 0, 0), velocity: v(0, 0, 4), group: 1 },
    { position: v(0, 2, 0), velocity: v(0, 4, 0), group: 1 },
    { position: v(0, 0, 2), velocity: v(4, 0, 0), group: 2 },
  ]

  it('count as the given number of neighbours (hand-computed)', () => {
    // (4 + 4 + 3 · 4) / 5, each along its own axis
    const align = new Alignment({ neighborDistance: 4, leaders: 2, leaderWeight: 3 })
    expectVec(ask(align, {}, others).force, v(24, 8, 8), 1e-9)
    const cohere = new Cohesion({ neighborDistance: 4, leaders: 2, leaderWeight: 3 })
    // mean position (0.4, 0.4, 1.2), a quarter of it each
    expectVec(ask(cohere, {}, others).force, v(10, 10, 30), 1e-9)
  })

  it('with weight 1 are like the others, with weight 0 they are ignored', () => {
    for (const make of [
      (options: FlockRuleOptions) => new Alignment(options),
      (options: FlockRuleOptions) => new Cohesion({ ...options, emergency: false }),
    ]) {
      const plain = ask(make({ neighborDistance: 4 }), {}, others).force
      expectVec(
        ask(make({ neighborDistance: 4, leaders: 2, leaderWeight: 1 }), {}, others).force,
        plain,
        1e-9,
      )
      const without = ask(make({ neighborDistance: 4 }), {}, others.slice(0, 2)).force
      expectVec(
        ask(make({ neighborDistance: 4, leaders: 2, leaderWeight: 0 }), {}, others).force,
        without,
        1e-9,
      )
      const none = ask(make({ neighborDistance: 4, leaders: 3, leaderWeight: 0 }), {}, others)
      expectVec(none.force, v(0, 0, 0), 0)
      expect(none.faults).toEqual([])
    }
  })

  it('have no larger separation than others', () => {
    const plain = ask(new Separation({ neighborDistance: 4 }), {}, others).force
    expectVec(ask(new Separation({ neighborDistance: 4, leaders: 2 }), {}, others).force, plain, 1e-9)
  })
})

describe('Flocking with nearest, leaders and groups equals the three rules', () => {
  const seven = { maxNeighbors: 7 }
  const settings: [string, FlockRuleOptions, FlockRuleOptions, CohesionOptions][] = [
    [
      'one selection',
      { neighborDistance: 3, ...seven },
      { neighborDistance: 6, ...seven },
      { neighborDistance: 6, ...seven },
    ],
    [
      'fewer of some',
      { neighborDistance: 3, maxNeighbors: 2 },
      { neighborDistance: 5, maxNeighbors: 9 },
      { neighborDistance: 4, maxNeighbors: 4 },
    ],
    [
      'three selections',
      { neighborDistance: 3, maxNeighbors: 2, groups: 1 },
      { neighborDistance: 5, maxNeighbors: 9, fieldOfView: 4 },
      { neighborDistance: 4, maxNeighbors: 4, groups: 6 },
    ],
    [
      'metric and nearest',
      { neighborDistance: 3 },
      { neighborDistance: 5, maxNeighbors: 3 },
      { neighborDistance: 4 },
    ],
    [
      'leaders',
      { neighborDistance: 3 },
      { neighborDistance: 5, leaders: 2 },
      { neighborDistance: 4, leaders: 4, leaderWeight: 9 },
    ],
    [
      'unit',
      { neighborDistance: 3, ...seven, response: 'unit' },
      { neighborDistance: 5, leaders: 2, response: 'unit' },
      { neighborDistance: 4, response: 'unit' },
    ],
  ]
  it.each(settings)('%s', (_, separation, alignment, cohesion) => {
    let opinions = 0
    const cases = pick(10, 25)
    for (let seed = 0; seed < cases; seed++) {
      const others = crowd(seed % 5 === 4 ? 0 : 20, seed)
      const once = ask(new Flocking({ separation, alignment, cohesion }), SELF, others).force
      const rules = [new Separation(separation), new Alignment(alignment), new Cohesion(cohesion)]
      expectVec(once, ask(blend(rules), SELF, others).force, 1e-9)
      if (norm(once) > 1) opinions++
    }
    expect(opinions).toBeGreaterThan(0.4 * cases)
  })

  it('farther neighbours have no influence', () => {
    const flocking = (): Flocking =>
      new Flocking({
        separation: { neighborDistance: 4, ...seven },
        alignment: { neighborDistance: 40, ...seven },
        cohesion: { neighborDistance: 40, ...seven },
      })
    const near = crowd(7, 11, 5)
    const far = crowd(30, 12, 5).map(({ position, velocity }) => ({
      position: plus(position, v(20, 0, 0)),
      velocity,
    }))
    const alone = ask(flocking(), SELF, near).force
    expectVec(ask(flocking(), SELF, [...far, ...near]).force, alone, 1e-9)
    // with the metric rules they count
    const metric = { neighborDistance: 40 }
    const all = new Flocking({ separation: { neighborDistance: 4 }, alignment: metric, cohesion: metric })
    expect(norm(minus(ask(all, SELF, [...far, ...near]).force, alone))).toBeGreaterThan(1)
  })
})
