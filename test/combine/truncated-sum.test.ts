import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blend, Thrusters, truncatedSum, type Behavior, type Locomotion, type Vec3Like } from 'three-steering'
import { ask, Dummy, fly, pilot, quietWorld } from '../support/pilot.js'
import { pushing } from '../support/stand-in.js'
import { number } from '../support/geometry.js'

const v = (x: number, y: number, z: number): Vec3Like => ({ x, y, z })
const dot = (a: Vec3Like, b: Vec3Like): number => a.x * b.x + a.y * b.y + a.z * b.z
const component = number(-90, 90)
const vector = fc.record({ x: component, y: component, z: component })

const sumOf = (parts: readonly Vec3Like[], project: boolean): Vec3Like =>
  ask(truncatedSum(parts.map(pushing), { project })).force

describe('with `project`', () => {
  it('a part does not cancel an earlier one', () => {
    expect(sumOf([v(0, 20, 0), v(30, -50, 0)], true)).toEqual(v(30, 20, 0))
    // as published it cancels
    expect(sumOf([v(0, 20, 0), v(30, -50, 0)], false).y).toBeLessThan(0)
  })

  it('a part with a negative weight wants the opposite', () => {
    fc.assert(
      fc.property(vector, vector, vector, fc.boolean(), fc.boolean(), (a, b, c, second, third) => {
        const signs = [-1, second ? -1 : 1, third ? -1 : 1]
        const parts = [a, b, c].map(({ x, y, z }, i) => {
          const sign = signs[i]!
          return { behavior: pushing(v(sign * x, sign * y, sign * z)), weight: sign }
        })
        const { x, y, z } = ask(truncatedSum(parts, { project: true })).force
        const plain = sumOf([a, b, c], true)
        expect(Math.hypot(x - plain.x, y - plain.y, z - plain.z)).toBeLessThan(1e-9)
      }),
    )
  })

  it('a force in the same direction, or across, is unchanged', () => {
    expect(sumOf([v(0, 20, 0), v(30, 10, -5)], true)).toEqual(v(30, 30, -5))
  })

  it('no earlier part is cancelled, whatever the parts want', () => {
    fc.assert(
      fc.property(vector, vector, (first, second) => {
        const sum = sumOf([first, second], true)
        const size = Math.hypot(first.x, first.y, first.z)
        fc.pre(size > 10)
        // the first part gets all the force there is
        expect(dot(sum, first) / size).toBeGreaterThanOrEqual(Math.min(size, 100) - 1e-6)
      }),
    )
  })

  it('nor are two', () => {
    const [up, side] = [v(0, 20, 0), v(0, -8, 14)]
    const sum = sumOf([up, side, v(-4, -60, -60)], true)
    expect(dot(sum, up)).toBeGreaterThanOrEqual(dot({ x: 0, y: 20, z: 14 }, up) - 1e-6)
    expect(dot(sum, side)).toBeGreaterThan(0)
    expect(sum.x).toBe(-4)
  })

  it('an axis is held without a jump', () => {
    const seen = Array.from({ length: 1500 }, (_, i) => sumOf([v(0, i / 50, 0), v(0, -40, 0)], true).y)
    expect(Math.max(...seen.slice(1).map((y, i) => Math.abs(y - seen[i]!)))).toBeLessThan(0.2)
  })

  it('a held axis decays with time, at any step', () => {
    const left = [1 / 30, 1 / 240].map((dt) => {
      const up = pushing(v(0, 40, 0))
      const { world } = quietWorld()
      const one = pilot(truncatedSum([up, pushing(v(0, -20, 9))], { project: true }))
      world.add(one)
      world.step(dt)
      up.force.y = 0
      const seen: number[] = []
      fly({ world }, 2, dt, () => seen.push(one.demand.force.y))
      expect(seen[0]).toBeGreaterThan(-20 * 0.1)
      expect(seen.every((y, i) => i === 0 || y <= seen[i - 1]! + 1e-9)).toBe(true)
      expect(one.demand.force.z).toBe(9)
      return [seen[Math.round(0.5 / dt)]!, seen.at(-1)!]
    })
    // with a time constant of half a second e⁻¹ is left after that time
    expect(left[0]![0]).toBeCloseTo(-20 * (1 - Math.exp(-1)), 0)
    expect(left[1]![0]).toBeCloseTo(left[0]![0]!, 0)
    expect(left[0]![1]).toBeLessThan(-19)
  })

  it('each agent holds its own axes', () => {
    const up: Behavior = {
      steer: ({ position }, _step, { force }) => void (force.y = position.x > 0 ? 30 : 0),
    }
    const tree = truncatedSum([up, pushing(v(0, -20, 0))], { project: true })
    const { world } = quietWorld()
    const [one, other] = [pilot(tree, { position: v(5, 0, 0) }), pilot(tree, { position: v(-5, 0, 0) })]
    world.add(one).add(other)
    world.step(1 / 60)
    expect(one.demand.force.y).toBe(30)
    expect(other.demand.force.y).toBe(-20)
  })

  it('the sign of a weight counts', () => {
    const parts = [pushing(v(0, 20, 0)), { behavior: pushing(v(0, 50, 3)), weight: -1 }]
    expect(ask(truncatedSum(parts, { project: true })).force).toEqual(v(0, 20, -3))
  })
})

describe('limits of the vehicle', () => {
  /** Strong enough so that the vehicle need not turn. */
  const SIDE = 50
  const sides = { port: SIDE, starboard: SIDE, up: SIDE, down: SIDE }

  // nose along +z, as for a mesh
  const retro = (): Locomotion => new Thrusters({ ahead: 60, astern: 10, ...sides })
  const given = (behavior: Behavior, locomotion = retro()): { demand: Vec3Like } => ({
    demand: ask(behavior, { locomotion, maxForce: 60 }).force,
  })

  it('the budget of a weak brake is spent early', () => {
    const braking = pushing(v(0, 0, -8))
    const { demand } = given(truncatedSum([braking, pushing(v(12, 0, 0)), pushing(v(0, 12, 0))]))
    // four fifths of the brake, and a fifth of the side engines
    expect(demand.z).toBeCloseTo(-8, 9)
    expect(demand.x).toBeCloseTo(SIDE / 5, 9)
    expect(demand.y).toBe(0)
  })

  it('a force that needs a turn of the vehicle is asked for in full, so that it turns', () => {
    const none = new Thrusters({ ahead: 60, astern: 0, ...sides })
    expect(given(truncatedSum([pushing(v(0, 0, -5))]), none).demand.z).toBe(-5)
  })

  it('the sum is what the engines can give, whatever is wanted', () => {
    fc.assert(
      fc.property(fc.array(vector, { minLength: 1, maxLength: 6 }), (forces) => {
        const { x, y, z } = given(truncatedSum(forces.map(pushing))).demand
        expect(Math.abs(x)).toBeLessThan(SIDE + 1e-6)
        expect(Math.abs(y)).toBeLessThan(SIDE + 1e-6)
        expect(z).toBeLessThan(60 + 1e-6)
        expect(z).toBeGreaterThan(-10 - 1e-6)
      }),
    )
  })

  it('a blend is cut to them, keeping its direction', () => {
    const { demand } = given(blend([pushing(v(0, 0, -40)), pushing(v(20, 0, 0))], { truncate: 'sum' }))
    expect(demand.z).toBeCloseTo(-10, 9)
    expect(demand.x).toBeCloseTo(5, 9)
    const parts = given(blend([pushing(v(0, 0, -40)), pushing(v(20, 0, 0))], { truncate: 'parts' }))
    expect(parts.demand.z).toBeCloseTo(-10, 9)
    expect(parts.demand.x).toBeCloseTo(20, 9)
  })

  it('a vehicle that can turn its engines has all of their force in every direction', () => {
    // no engines at the sides
    const rocket = new Thrusters({ ahead: 60, astern: 0, port: 0 })
    const { demand } = given(truncatedSum([pushing(v(50, 0, 0))]), rocket)
    expect(demand.x).toBe(50)
  })

  it('the force against gravity is reserved first, if that is requested', () => {
    const drone = { body: new Dummy({ gravity: v(0, -10, 0) }), compensateGravity: true, maxForce: 60 }
    expect(ask(truncatedSum([pushing(v(0, 90, 0))]), drone).force.y).toBeCloseTo(50, 9)
    expect(ask(truncatedSum([pushing(v(0, -90, 0))]), drone).force.y).toBeCloseTo(-70, 9)
  })
})
