import { describe, expect, it } from 'vitest'
import {
  Alignment,
  blend,
  Cohesion,
  Flocking,
  Separation,
  SteeringWorld,
  type Behavior,
  type CohesionOptions,
  type Vec3,
} from 'three-steering'
import { seeded, type FlockRuleOptions } from 'three-steering/authoring'
import { direction, expectVec, minus, norm, number, plus, times, unit, v } from '../../support/geometry.js'
import { law } from '../../support/law.js'
import { ask, pilot, type Answer, type PilotOptions } from '../../support/pilot.js'

// A pilot of 1 kg, 10 m/s and 100 N with a response time of 0.1 s, at the origin; the others around it.

const at = (...places: Vec3[]): PilotOptions[] => places.map((position) => ({ position }))

function random(count: number, seed: number, size = 6): PilotOptions[] {
  const next = seeded(seed)
  const one = (k: number): number => k * (next() - 0.5)
  return Array.from({ length: count }, (_, i) => ({
    position: v(one(size), one(size), one(size)),
    velocity: v(one(8), one(8), one(8)),
    group: 1 << (i % 3),
  }))
}

/** Each of these must be held by all three rules. */
const RULES: [string, (options: FlockRuleOptions) => Behavior, PilotOptions][] = [
  ['Separation', (options) => new Separation(options), {}],
  ['Alignment', (options) => new Alignment(options), { velocity: v(0, 3, 0) }],
  ['Cohesion', (options) => new Cohesion({ ...options, emergency: false }), {}],
]

describe('Separation', () => {
  const force = (radius: number, ...places: Vec3[]): Vec3 =>
    ask(new Separation({ neighborDistance: radius }), {}, at(...places)).force

  it('hand-computed: −d̂ (r/d − 1)/4 of the maximum', () => {
    // r = 5, d = 2: (2.5 − 1)/4 = 0.375
    expectVec(force(5, v(0, 2, 0)), v(0, -37.5, 0), 1e-9)
    expectVec(force(5, v(0, 0, -2.5)), v(0, 0, 25), 1e-9)
  })

  it('full force from a fifth of the radius inwards', () => {
    expectVec(force(5, v(1, 0, 0)), v(-100, 0, 0), 1e-9)
    expectVec(force(5, v(0.01, 0, 0)), v(-100, 0, 0), 1e-9)
    expect(norm(force(5, v(1.2, 0, 0)))).toBeLessThan(99)
  })

  it('sums over the neighbours, nearer ones count more', () => {
    // (0, 2, 0) pushes by 37.5 down, (2.5, 0, 0) by 25 to the left
    expectVec(force(5, v(0, 2, 0), v(2.5, 0, 0)), v(-25, -37.5, 0), 1e-9)
    expect(force(5, v(0, 2, 0), v(0, -3, 0)).y).toBeLessThan(0)
    expectVec(force(5, v(0, 2, 0), v(0, -2, 0)), v(0, 0, 0), 1e-9)
  })

  it('agents at the same position, and a replayed step, part in the same way', () => {
    const once = (): Vec3 => force(2, v(0, 0, 0))
    expect(once()).toEqual(once())
    expect(norm(once())).toBeGreaterThan(1)
  })
})

describe('Alignment', () => {
  it('is zero among neighbours of the same velocity, and when alone', () => {
    const same = { velocity: v(1, 2, 3) }
    expectVec(
      ask(new Alignment({ neighborDistance: 3 }), same, [{ ...same, position: v(1, 1, 1) }]).force,
      v(0, 0, 0),
      1e-9,
    )
    expectVec(ask(new Alignment({ neighborDistance: 3 }), same).force, v(0, 0, 0), 0)
  })
})

describe('Cohesion', () => {
  it('is zero at the centre of its neighbours', () => {
    expectVec(
      ask(new Cohesion({ neighborDistance: 5 }), {}, at(v(1, 2, 3), v(-1, -2, -3))).force,
      v(0, 0, 0),
      1e-9,
    )
  })

  it('also if several controllers share the behaviour', () => {
    const world = new SteeringWorld()
    const behavior = new Cohesion({ neighborDistance: 2 })
    const [a, b] = [pilot(behavior), pilot(behavior, { position: v(50, 0, 0) })]
    world.add(a)
    world.add(b)
    world.step(1 / 60)
    expectVec(a.demand.force, v(100, 0, 0), 1e-6)
    expectVec(b.demand.force, v(-100, 0, 0), 1e-6)
  })

  it('without the emergency it asks for nothing then', () => {
    expectVec(
      ask(new Cohesion({ neighborDistance: 2, emergency: false }), { position: v(9, 0, 0) }, at(v(0, 0, 0)))
        .force,
      v(0, 0, 0),
      0,
    )
  })

  it('the centre of a flock of one is the agent itself', () => {
    const { force, faults } = ask(new Cohesion({ neighborDistance: 2 }), { position: v(9, 0, 0) })
    expectVec(force, v(0, 0, 0), 0)
    expect(faults).toEqual([])
  })
})

describe('Flocking equals the three rules', () => {
  const near = { neighborDistance: 2.5, weight: 0.8 }
  const middle = { neighborDistance: 4, weight: 0.3, fieldOfView: 4, groups: 3 }
  const far = { neighborDistance: 5, weight: 0.5, fieldOfView: 5, groups: 5 }
  const settings: [string, FlockRuleOptions, FlockRuleOptions, CohesionOptions][] = [
    ['smooth', near, middle, far],
    ['unit', { ...near, response: 'unit' }, { ...middle, response: 'unit' }, { ...far, response: 'unit' }],
    ['mixed, without emergency', { ...near, response: 'unit' }, middle, { ...far, emergency: false }],
    ['with negative weights', { ...near, weight: -1 }, { ...middle, weight: -0.2 }, { ...far, weight: -2 }],
  ]
  for (const [name, separation, alignment, cohesion] of settings)
    it(`${name}: equal to the three separate rules`, () => {
      let opinions = 0
      for (let seed = 0; seed < 40; seed++) {
        const others = random(seed % 4 === 3 ? 0 : 20, seed)
        const self = { velocity: v(1, -2, 3) }
        const once = ask(new Flocking({ separation, alignment, cohesion }), self, others)
        const apart = ask(
          blend([new Separation(separation), new Alignment(alignment), new Cohesion(cohesion)]),
          self,
          others,
        )
        expectVec(once.force, apart.force, 1e-9)
        if (norm(once.force) > 1) opinions++
      }
      expect(opinions).toBeGreaterThan(10)
    })

  it('coincident agents draw the same random numbers', () => {
    const separation = { neighborDistance: 2 }
    const rule = { neighborDistance: 3 }
    const others = at(v(0, 0, 0), v(0, 0, 0), v(1, 0, 0))
    const once = ask(new Flocking({ separation, alignment: rule, cohesion: rule }), {}, others)
    const apart = ask(
      blend([new Separation(separation), new Alignment(rule), new Cohesion(rule)]),
      {},
      others,
    )
    expectVec(once.force, apart.force, 1e-9)
  })

  it('each rule reaches as far as its own radius', () => {
    const flocking = new Flocking({
      separation: { neighborDistance: 1 },
      alignment: { neighborDistance: 2 },
      cohesion: { neighborDistance: 3 },
    })
    expect(flocking.reach).toBe(3)
    flocking.alignment.neighborDistance = 7
    expect(flocking.reach).toBe(7)
  })
})

describe('common properties of the rules', () => {
  for (const [name, make, self] of RULES) {
    const other = (position: Vec3, extra: PilotOptions = {}): PilotOptions => ({
      position,
      velocity: v(5, 0, 0),
      ...extra,
    })
    const silent = ({ force }: Answer): boolean => norm(force) === 0

    it(`${name}: counts only neighbours within the radius`, () => {
      expect(silent(ask(make({ neighborDistance: 2 }), self, [other(v(0, 0, 1.99))]))).toBe(false)
      expect(silent(ask(make({ neighborDistance: 2 }), self, [other(v(0, 0, 2))]))).toBe(true)
      expect(silent(ask(make({ neighborDistance: 2 }), self, []))).toBe(true)
    })

    it(`${name}: counts a neighbour at the same position as well`, () => {
      const there = { position: v(0, 0, 0), velocity: v(5, 0, 0) }
      const { force } = ask(make({ neighborDistance: 2 }), self, [there, other(v(1, 0, 0))])
      const alone = ask(make({ neighborDistance: 2 }), self, [other(v(1, 0, 0))]).force
      // alignment has the same mean with both neighbours; one of them must be enough
      if (name === 'Alignment')
        expectVec(ask(make({ neighborDistance: 2 }), self, [there]).force, alone, 1e-9)
      else expect(norm(minus(force, alone))).toBeGreaterThan(1)
    })

    it(`${name}: counts only neighbours with a common group bit`, () => {
      for (const [group, groups, seen] of [
        [1, 1, true],
        [2, 1, false],
        [6, 2, true],
        [6, 9, false],
        [1 << 30, 1 << 30, true],
        [1, -1, true],
        [1, 0, false],
        [0, -1, false],
      ] as const)
        expect(silent(ask(make({ neighborDistance: 2, groups }), self, [other(v(0, 0, 1), { group })]))).toBe(
          !seen,
        )
    })

    it(`${name}: counts only neighbours within its own field of view, whatever the agent sees`, () => {
      // the course is along the velocity, or at rest along the nose
      const ahead = name === 'Alignment' ? v(0, 1, 0) : v(0, 0, 1)
      const abeam = v(1, 0, 0)
      const seen = (position: Vec3, fieldOfView: number): boolean =>
        !silent(ask(make({ neighborDistance: 2, fieldOfView }), self, [other(position)]))
      expect(seen(ahead, 0.2)).toBe(true)
      expect(seen(times(ahead, -1), 6.2)).toBe(false)
      expect(seen(times(ahead, -1), 2 * Math.PI)).toBe(true)
      expect(seen(plus(abeam, ahead, 0.01), Math.PI)).toBe(true)
      expect(seen(plus(abeam, ahead, -0.01), Math.PI)).toBe(false)
      expect(seen(plus(abeam, ahead, 1), 1.55)).toBe(false)
      expect(seen(plus(abeam, ahead, 1), 1.59)).toBe(true)
    })

    it(`${name}: scales with its weight`, () => {
      const others = random(12, 3, 3)
      const whole = ask(make({ neighborDistance: 4 }), self, others).force
      expect(norm(whole)).toBeGreaterThan(0.1)
      for (const weight of [0.3, 2, -1, 0])
        expectVec(ask(make({ neighborDistance: 4, weight }), self, others).force, times(whole, weight), 1e-9)
    })

    it(`${name}: never asks for more than its weight of the force, in any crowd`, () => {
      for (const response of ['smooth', 'unit'] as const)
        for (let seed = 0; seed < 10; seed++) {
          const { force } = ask(make({ neighborDistance: 4, response }), self, random(40, seed, 2))
          expect(norm(force)).toBeLessThanOrEqual(100 + 1e-9)
        }
    })

    it(`${name}: the unit response is full force in the direction of the error`, () => {
      const others = random(6, 5, 3)
      const smooth = ask(make({ neighborDistance: 40 }), self, others).force
      const full = ask(make({ neighborDistance: 40, response: 'unit' }), self, others).force
      expect(norm(full)).toBeCloseTo(100, 9)
      if (name !== 'Separation') expectVec(unit(full), unit(smooth), 1e-9)
    })

    it(`${name}: its options may be changed while running`, () => {
      const rule = make({ neighborDistance: 2 }) as Separation
      const world = new SteeringWorld()
      const one = pilot(rule, { ...self, maxForce: 1 })
      world.add(one)
      world.add(pilot(undefined, { ...other(v(0, 0, 3)), maxForce: 1 }))
      world.step(1e-6)
      expect(norm(one.demand.force)).toBe(0)
      rule.neighborDistance = 4
      world.step(1e-6)
      const before = norm(one.demand.force)
      expect(before).toBeGreaterThan(0)
      rule.weight = 3
      world.step(1e-6)
      expect(norm(one.demand.force)).toBeCloseTo(3 * before, 3)
    })
  }

  law(
    'a smooth response has no jump where a neighbour crosses the radius of separation',
    [direction(), number(1, 20)],
    (n, radius) => {
      const felt = (d: number): number =>
        norm(ask(new Separation({ neighborDistance: radius }), {}, at(times(n, d * radius))).force)
      expect(felt(1 - 1e-6)).toBeLessThan(1e-3)
      expect(felt(1 + 1e-6)).toBe(0)
      // 100 · (1/0.99 − 1)/4
      expect(felt(0.99)).toBeCloseTo(25 * (1 / 0.99 - 1), 6)
    },
    30,
  )

  it('a unit response has one: full force at the radius', () => {
    const { force } = ask(new Separation({ neighborDistance: 5, response: 'unit' }), {}, at(v(0, 4.999, 0)))
    expectVec(force, v(0, -100, 0), 1e-9)
  })

  it('cohesion among neighbours is continuous in their positions', () => {
    const felt = (x: number): Vec3 =>
      ask(new Cohesion({ neighborDistance: 5 }), {}, at(v(x, 0, 0), v(0, 1, 0))).force
    expectVec(felt(1e-6), felt(-1e-6), 1e-3)
  })
})
