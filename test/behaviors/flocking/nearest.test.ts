import { describe, expect, it } from 'vitest'
import type { Vec3 } from 'three-steering'
import { type Neighborhood, seeded } from 'three-steering/authoring'
import { coneEdge, selectNearest } from '../../../src/core/behaviors/flocking/nearest.js'
import { angleBetween, minus, norm, number, unit, v } from '../../support/geometry.js'
import { law } from '../../support/law.js'
import { standIn, type StandIn } from '../../support/stand-in.js'

interface One {
  readonly position: Vec3
  readonly group: number
  readonly seed: number
  readonly id: number
}

const frameAlong = (x: Vec3) => ({ x, y: v(0, 0, 0), z: v(0, 0, 0) })

/** An agent at `position` that sees `others`, in the order of `order`. */
function seeing(position: Vec3, course: Vec3, others: readonly One[], order: readonly number[]): StandIn {
  const seen = order.map((i) => others[i]!)
  // rows are not positions in the list: they are counted backwards
  const row = Int32Array.from(order, (_, i) => order.length - 1 - i)
  const rows = seen.toReversed()
  const neighbors: Neighborhood = {
    count: seen.length,
    row,
    distanceSq: Float64Array.from(seen, (each) => norm(minus(each.position, position)) ** 2),
    position: Float64Array.from(rows.flatMap(({ position: { x, y, z } }) => [x, y, z])),
    velocity: new Float64Array(3 * seen.length),
    group: Int32Array.from(rows, ({ group }) => group),
    id: Int32Array.from(rows, ({ id }) => id),
    seed: Int32Array.from(rows, ({ seed }) => seed),
    maxRadius: 0,
    radius: () => 0,
    mass: () => 1,
    maxSpeed: () => 1,
    priority: () => 1,
    avoids: () => 0,
    isManual: () => false,
  }
  return standIn({ position, course: frameAlong(course), neighbors })
}

/** The ids of the selected neighbours. */
function selected(agent: StandIn, k: number, radius: number, groups = -1, fieldOfView = 7): number[] {
  const out = new Int32Array(k)
  const { row, id } = agent.neighbors
  const found = selectNearest(agent, k, radius, groups, fieldOfView, out)
  return Array.from(out.subarray(0, found), (i) => id[row[i]!]!)
}

/** A crowd on a coarse lattice, so that many agents are equally far, some at the same position. */
function crowd(seed: number, count: number): One[] {
  const random = seeded(seed)
  const place = (): number => Math.floor(7 * random()) - 3
  return Array.from({ length: count }, (_, i) => ({
    position: v(place(), place(), place()),
    group: 1 << Math.floor(3 * random()),
    seed: Math.floor(5 * random()),
    id: i,
  }))
}

function shuffled(seed: number, count: number): number[] {
  const random = seeded(seed)
  const keys = Array.from({ length: count }, random)
  return keys.map((_, i) => i).toSorted((a, b) => keys[a]! - keys[b]!)
}

/** The same result by sorting all neighbours. */
function bySorting(
  agent: StandIn,
  others: readonly One[],
  k: number,
  radius: number,
  groups: number,
  fov: number,
) {
  const { position, course } = agent
  const far = (each: One): number => norm(minus(each.position, position)) ** 2
  const seen = (each: One): boolean => {
    const d = minus(each.position, position)
    return norm(d) === 0 || fov >= 2 * Math.PI || angleBetween(d, course.x) <= fov / 2
  }
  return others
    .filter((each) => far(each) < radius * radius && (each.group & groups) !== 0 && seen(each))
    .toSorted((a, b) => far(a) - far(b) || a.seed - b.seed || a.id - b.id)
    .slice(0, k)
    .map(({ id }) => id)
}

describe('the nearest neighbours', () => {
  law(
    'are those found by sorting, in its order, whatever the order of the rows',
    [number(0, 1e6), number(0, 60), number(1, 12), number(0.5, 8), number(0.3, 7)],
    (seed, count, k, radius, fieldOfView) => {
      const others = crowd(seed, Math.floor(count))
      const whole = Math.floor(k)
      const groups = [-1, 1, 5][Math.floor(seed) % 3]!
      const course = unit(v(0.3, -0.8, 0.55))
      for (const order of [others.map((_, i) => i), shuffled(seed, others.length)]) {
        const agent = seeing(v(0.5, 0.5, 0.5), course, others, order)
        expect(selected(agent, whole, radius, groups, fieldOfView)).toEqual(
          bySorting(agent, others, whole, radius, groups, fieldOfView),
        )
      }
    },
    300,
  )

  it('at equal distances are those with the smaller seed, then the smaller id', () => {
    const ring = [v(1, 0, 0), v(0, 1, 0), v(-1, 0, 0), v(0, 0, -1)]
    const others = ring.map((position, id) => ({ position, group: 1, seed: [9, -4, 9, 2][id]!, id }))
    for (let seed = 0; seed < 10; seed++)
      expect(selected(seeing(v(0, 0, 0), v(1, 0, 0), others, shuffled(seed, 4)), 3, 2)).toEqual([1, 3, 0])
  })

  it('are none if there is no agent, and no more than the array holds', () => {
    const others = crowd(1, 20)
    const agent = seeing(v(0, 0, 0), v(1, 0, 0), others, shuffled(1, 20))
    const out = new Int32Array(3)
    expect(selectNearest(standIn(), 7, 10, -1, 7, out)).toBe(0)
    expect(selectNearest(agent, 7, 10, -1, 7, out)).toBe(3)
    expect(selectNearest(agent, 0, 10, -1, 7, out)).toBe(0)
    expect(selectNearest(agent, 7, 10, 0, 7, out)).toBe(0)
  })

  it('an agent at the same position is in every field of view', () => {
    const others = [{ position: v(0, 0, 0), group: 1, seed: 1, id: 5 }]
    expect(selected(seeing(v(0, 0, 0), v(1, 0, 0), others, [0]), 2, 1, -1, 0.01)).toEqual([5])
  })

  it('a full field of view has no edge', () => {
    expect(coneEdge(2 * Math.PI)).toBe(-2)
    expect(coneEdge(Math.PI)).toBeCloseTo(0, 12)
    expect(coneEdge(Math.PI / 2)).toBeCloseTo(0.5, 12)
  })
})
