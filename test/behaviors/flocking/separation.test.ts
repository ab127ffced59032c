import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Flocking, Hover, Separation, SteeringWorld, type SeparationOptions, type Vec3 } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { yieldShare } from '../../../src/core/behaviors/avoidance/right-of-way.js'
import { direction, expectVec, minus, norm, number, plus, times, unit, v } from '../../support/geometry.js'
import { law } from '../../support/law.js'
import { ask, pilot, quietWorld, xyz, type PilotOptions } from '../../support/pilot.js'
import { pick } from '../../support/tier.js'

// The plain rule is tested with the other rules of a flock. A pilot has 1 kg, 100 N and a radius of 0.5 m.

const NONE = v(0, 0, 0)

function force(options: Partial<SeparationOptions>, others: readonly PilotOptions[], self = {}): Vec3 {
  const { force, faults } = ask(new Separation({ neighborDistance: 9, ...options }), self, others)
  expect(faults).toEqual([])
  return force
}

const at = (x: number, y = 0, z = 0, rest: PilotOptions = {}): PilotOptions => ({
  position: v(x, y, z),
  ...rest,
})

function crowd(count: number, seed: number, size = 6): PilotOptions[] {
  const next = seeded(seed)
  const one = (): number => size * (next() - 0.5)
  return Array.from({ length: count }, (_, i) => ({
    position: v(one(), one(), one()),
    radius: 0.2 + next(),
    priority: 0.5 + 3 * next(),
    mass: 0.5 + next(),
    group: 1 << (i % 3),
    seed: 1000 * seed + i,
  }))
}

/** A changed copy. */
function but(each: PilotOptions, change: PilotOptions): PilotOptions {
  return { ...each, ...change }
}

describe('the laws of separation', () => {
  law(
    'decreases as the inverse of the distance, or of its square, from any side',
    [direction(), number(1.2, 4)],
    (n, d) => {
      const push = (law: 'inverse' | 'inverse-square', k: number): Vec3 =>
        force({ law }, [{ position: times(n, k * d) }])
      expectVec(push('inverse', 1), times(n, -100 / d), 1e-9)
      expectVec(push('inverse', 2), times(push('inverse', 1), 1 / 2), 1e-9)
      expectVec(push('inverse-square', 2), times(push('inverse-square', 1), 1 / 4), 1e-9)
    },
  )

  it('smooth is the separation of a flock', () => {
    for (let seed = 0; seed < pick(8, 12, 20); seed++) {
      const others = crowd(20, seed)
      const plain = { neighborDistance: 2.5, weight: 0.7, fieldOfView: 5, groups: 5 }
      const fused = new Flocking({
        separation: plain,
        alignment: { neighborDistance: 1, groups: 0 },
        cohesion: { neighborDistance: 1, groups: 0, emergency: false },
      })
      expectVec(force(plain, others), ask(fused, {}, others).force, 0)
      // and the law by radii with a range that is the same for all
      const alike = others.map((each) => but(each, { radius: 1 }))
      expectVec(force({ ...plain, clearance: 9 }, alike), force(plain, alike), 1e-9)
    }
  })
})

describe('a clearance', () => {
  it('is measured between the hulls', () => {
    // ½ + 2 + 1 m
    const felt = (x: number, law: SeparationOptions['law']): number =>
      norm(force({ clearance: 1, law: law! }, [at(x, 0, 0, { radius: 2 })]))
    expect(felt(3.501, 'inverse')).toBe(0)
    expect(felt(3.499, 'inverse')).toBeCloseTo((100 * 2.5) / 3.5, 1)
    expect(felt(3.499, 'smooth')).toBeLessThan(0.1)
    // (3.5 / 2.5 − 1) / 4
    expect(felt(2.5, 'smooth')).toBeCloseTo(10, 9)
    expect(felt(2.5, 'inverse-square')).toBeCloseTo(100, 9)
  })

  it('reaches no farther than the radius', () => {
    expect(norm(force({ neighborDistance: 3, clearance: 9 }, [at(2.999)]))).toBeGreaterThan(0)
    expect(norm(force({ neighborDistance: 3, clearance: 9 }, [at(3.001)]))).toBe(0)
    expect(norm(force({ clearance: 0, law: 'inverse' }, [at(0.999)]))).toBeCloseTo(100, 0)
    expect(norm(force({ clearance: 0, law: 'inverse' }, [at(1.001)]))).toBe(0)
  })
})

describe('the share of each agent', () => {
  const share = (own: number, other: number, by: 'priority' | 'mass'): number =>
    force({ share: by, law: 'inverse' }, [at(2, 0, 0, { [by]: other })], { [by]: own }).x /
    force({ law: 'inverse' }, [at(2)]).x

  law('the shares of two agents sum to 1', [number(1e-9, 1e9), number(1e-9, 1e9)], (a, b) => {
    expect(yieldShare(a, b) + yieldShare(b, a)).toBeCloseTo(1, 12)
    expect(yieldShare(a, b)).toBeGreaterThan(0)
  })

  it('agents with infinite priority do not react, and the others take the whole push', () => {
    expect(Math.abs(share(Infinity, 1, 'priority'))).toBe(0)
    expect(share(1, Infinity, 'priority')).toBeCloseTo(1, 12)
    expect(Math.abs(share(Infinity, Infinity, 'priority'))).toBe(0)
    expect(yieldShare(1e300, 1e300)).toBe(0.5)
    // an agent with an even share ignores priorities
    expectVec(force({}, [at(2)], { priority: Infinity }), force({}, [at(2)]), 0)
  })

  it('a large agent passes through a crowd that scatters', () => {
    const { world } = quietWorld()
    const rule = new Separation({ neighborDistance: 6, clearance: 1, share: 'priority' })
    const hover = new Hover({ attitude: null })
    const giant = pilot(rule, { locomotion: hover, radius: 2, priority: 1e6, velocity: v(0, 0, 2) })
    world.add(giant)
    const imps = crowd(30, 3, 6).map(({ position }) =>
      pilot(rule, { locomotion: hover, radius: 0.3, position: plus(position!, v(0, 0, 6)) }),
    )
    imps.forEach((each) => world.add(each))
    for (let i = 0; i < 300; i++) world.step(1 / 60)
    expect(giant.position.z).toBeGreaterThan(9.9)
    expect(norm(v(giant.position.x, giant.position.y, 0))).toBeLessThan(0.01)
    for (const each of imps) expect(norm(minus(each.position, giant.position))).toBeGreaterThan(2)
  })
})

describe('a limit on the number', () => {
  it('counts the nearest', () => {
    const others = [at(3), at(0, 2), at(0, 0, 4)]
    expectVec(force({ law: 'inverse', maxNeighbors: 1 }, others), v(0, -50, 0), 1e-9)
    expectVec(force({ law: 'inverse', maxNeighbors: 2 }, others), v(-100 / 3, -50, 0), 1e-9)
    expectVec(force({ law: 'inverse', maxNeighbors: 7 }, others), force({ law: 'inverse' }, others), 1e-12)
  })

  it('counts them among those of its groups and in sight', () => {
    const others = [at(0, 0, -2), at(3, 0, 0, { group: 2 }), at(0, 0, 5)]
    expectVec(
      force({ law: 'inverse', maxNeighbors: 1, groups: 1, fieldOfView: 2 }, others),
      v(0, 0, -20),
      1e-9,
    )
  })

  it('may be changed while running, and exceed the number of neighbours so far', () => {
    const rule = new Separation({ neighborDistance: 50, law: 'inverse', maxNeighbors: 2 })
    const others = crowd(200, 4, 30)
    const two = ask(rule, {}, others).force
    const other = new Separation({ neighborDistance: 50, law: 'inverse', maxNeighbors: 150 })
    expect(norm(minus(ask(other, {}, others).force, two))).toBeGreaterThan(1e-6)
    other.maxNeighbors = 2
    expect(other.maxNeighbors).toBe(2)
  })
})

describe('at the same position', () => {
  /** The forces that the pilots want, all at the origin. */
  const together = (seeds: readonly number[], options: Partial<SeparationOptions>): Vec3[] => {
    const { world } = quietWorld()
    const rule = new Separation({ neighborDistance: 4, ...options })
    const pilots = seeds.map((seed) => pilot(rule, { seed }))
    pilots.forEach((each) => world.add(each))
    world.step(1e-6)
    return pilots.map((each) => xyz(each.demand.force))
  }

  it('two agents part in opposite directions, so that momentum is conserved', () => {
    for (const options of [
      { law: 'inverse' },
      { law: 'inverse-square' },
      { clearance: 1 },
      { share: 'mass' },
    ] as const)
      for (let seed = 0; seed < 20; seed++) {
        const [a, b] = together([seed, 3 * seed + 1], options)
        expect(norm(a!)).toBeGreaterThan(10)
        expectVec(b!, times(a!, -1), 0)
      }
  })

  it('each pair parts in a direction of its own, in any order of agents', () => {
    const [a, b, c] = together([1, 2, 3], { law: 'inverse', weight: 0.1 })
    const [e, d, f] = together([2, 1, 3], { law: 'inverse', weight: 0.1 })
    expect([d, e, f]).toEqual([a, b, c])
    const ways = Array.from({ length: 300 }, (_, i) => unit(together([0, i + 1], { law: 'inverse' })[0]!))
    // uniformly distributed directions: the mean of n unit vectors has a length of about 1/√n
    const mean = times(
      ways.reduce((s, w) => plus(s, w), NONE),
      1 / 300,
    )
    expect(norm(mean)).toBeLessThan(0.15)
    for (const axis of ['x', 'y', 'z'] as const)
      expect(ways.reduce((s, w) => s + w[axis] ** 2, 0) / 300).toBeCloseTo(1 / 3, 1)
  })

  it('a pile of agents comes apart', () => {
    const world = new SteeringWorld()
    const rule = new Separation({ neighborDistance: 3, clearance: 0.5, law: 'inverse-square' })
    const pilots = Array.from({ length: 8 }, (_, seed) =>
      pilot(rule, { seed, locomotion: new Hover({ attitude: null }) }),
    )
    pilots.forEach((each) => world.add(each))
    for (let i = 0; i < 120; i++) world.step(1 / 60)
    for (const [i, a] of pilots.entries())
      for (const b of pilots.slice(i + 1)) expect(norm(minus(a.position, b.position))).toBeGreaterThan(1)
  })
})

const laws = fc.constantFrom<Partial<SeparationOptions>[]>(
  { law: 'inverse' },
  { law: 'inverse-square', clearance: 1 },
  { clearance: 2, share: 'mass' },
  { law: 'inverse', maxNeighbors: 4, share: 'priority' },
)

describe('with any law', () => {
  law(
    'two equal agents push each other equally: momentum is conserved',
    [direction(), number(0.01, 5), laws],
    (n, d, options) => {
      const here = { position: v(1, 2, 3) }
      const there = { position: plus(here.position, n, d) }
      expectVec(force(options, [there], here), times(force(options, [here], there), -1), 1e-9)
    },
  )
})
