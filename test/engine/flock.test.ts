import { describe, expect, it } from 'vitest'
import {
  neighborSearch,
  SteeringWorld,
  type Behavior,
  type Flock,
  type FlockOptions,
  type Vec3,
} from 'three-steering'
import { quat } from '../../src/core/math/quat.js'
import { vec3 } from '../../src/core/math/vec3.js'
import { about, expectRotation, expectVec, norm, v } from '../support/geometry.js'
import { Dummy, idle } from '../support/pilot.js'
import { addFlock } from '../support/flock.js'

/**
 * A flock of `count` whose members stand at (number, 0, 0), numbered in the order in which they were added.
 */
function rowOfMembers(count: number, options: Partial<FlockOptions> = {}, world = new SteeringWorld()) {
  let born = 0
  const flock = addFlock(world, {
    behavior: idle(),
    maxSpeed: 10,
    maxForce: 10,
    ...options,
    count,
    spawn: (_index, { position, velocity }) => {
      Object.assign(position, v(born++, 0, 0))
      Object.assign(velocity, v(0, 0, 0))
    },
  })
  return { world, flock }
}

const numbers = (flock: Flock): number[] =>
  Array.from({ length: flock.size }, (_, i) => flock.position(i, vec3()).x)

describe('a flock', () => {
  it('has members 0 … count − 1, each at its spawn position', () => {
    const indices: number[] = []
    const world = new SteeringWorld()
    const flock = addFlock(world, {
      behavior: idle(),
      count: 5,
      maxSpeed: 3,
      maxForce: 1,
      spawn: (index, { position, velocity, quaternion }) => {
        indices.push(index)
        Object.assign(position, v(index, 2 * index, -index))
        Object.assign(velocity, v(0, index, 0))
        Object.assign(quaternion, about(v(0, 1, 0), index))
      },
    })
    expect(indices).toEqual([0, 1, 2, 3, 4])
    expect([flock.size, world.size]).toEqual([5, 5])
    for (let i = 0; i < 5; i++) {
      expectVec(flock.position(i, vec3()), v(i, 2 * i, -i), 0)
      expectVec(flock.velocity(i, vec3()), v(0, i, 0), 0)
      expectRotation(flock.quaternion(i, quat()), about(v(0, 1, 0), i), 1e-7)
    }
    expectVec(flock.center(vec3()), v(2, 4, -2), 0)
  })

  it('gives the index of a removed member to the last one', () => {
    const { flock, world } = rowOfMembers(6)
    flock.remove(1)
    expect(numbers(flock)).toEqual([0, 5, 2, 3, 4])
    flock.remove(4)
    expect(numbers(flock)).toEqual([0, 5, 2, 3])
    flock.remove(0)
    expect(numbers(flock)).toEqual([3, 5, 2])
    expect(world.size).toBe(3)
    world.step(1 / 60)
    expect(numbers(flock)).toEqual([3, 5, 2])
  })

  it('adds new members at the end, with the next indices', () => {
    const { flock } = rowOfMembers(3)
    flock.remove(0)
    flock.add(2)
    expect(numbers(flock)).toEqual([2, 1, 3, 4])
    flock.add()
    expect(flock.size).toBe(5)
    flock.add(0)
    expect(flock.size).toBe(5)
  })

  it('may be empty at the start and later', () => {
    const { flock, world } = rowOfMembers(0)
    expectVec(flock.center(v(1, 1, 1)), v(0, 0, 0), 0)
    world.step(1 / 60)
    flock.add(2)
    flock.remove(0)
    flock.remove(0)
    world.step(1 / 60)
    expect([flock.size, world.size]).toEqual([0, 0])
    flock.add(1)
    expect(numbers(flock)).toEqual([2])
  })

  it('a member target follows the agent that has its index at present', () => {
    const { flock, world } = rowOfMembers(4)
    const member = flock.member(1)
    expect([member.position.x, member.velocity.x]).toEqual([1, 0])
    flock.remove(1)
    expect(member.position.x).toBe(3)
    flock.remove(0)
    flock.remove(0)
    // only one member is left
    expect(numbers(flock)).toEqual([3])
    expect(member.position.x).toBe(3)
    world.step(1 / 60)
    expect(member.position.x).toBe(3)
  })

  it('a member target of a flock that became empty stays finite', () => {
    const { flock } = rowOfMembers(1)
    const member = flock.member(0)
    flock.remove(0)
    expect(Number.isFinite(member.position.x + member.velocity.y)).toBe(true)
  })

  it('indices stay correct over many adds and removes, while rows move', () => {
    const behavior: Behavior = { reach: 2, neighborSearch, steer: (agent) => void agent.neighbors.count }
    const { flock, world } = rowOfMembers(40, { behavior })
    const expected = Array.from({ length: 40 }, (_, i) => i)
    let born = 40
    for (let i = 0; i < 200; i++) {
      if (i % 2 === 0) {
        const gone = (17 * i) % expected.length
        flock.remove(gone)
        const last = expected.pop()!
        if (gone < expected.length) expected[gone] = last
      } else {
        flock.add()
        expected.push(born++)
      }
      world.step(1 / 60)
      expect(numbers(flock)).toEqual(expected)
    }
  })

  it('two flocks keep their members apart', () => {
    const world = new SteeringWorld()
    const { flock: a } = rowOfMembers(3, {}, world)
    const { flock: b } = rowOfMembers(5, {}, world)
    a.remove(0)
    b.remove(4)
    a.add(1)
    expect([numbers(a), numbers(b), world.size]).toEqual([[2, 1, 3], [0, 1, 2, 3], 7])
    a.dispose()
    expect([a.size, numbers(b), world.size]).toEqual([0, [0, 1, 2, 3], 4])
  })

  it('members may have physics bodies', () => {
    const bodies = [0, 1, 2].map((i) => new Dummy({ position: v(0, i, 0), mass: i + 1 }))
    const world = new SteeringWorld()
    const flock = addFlock(world, {
      behavior: {
        steer: (agent, _step, out) => {
          out.force.x = agent.mass
        },
      },
      count: 3,
      maxSpeed: 10,
      maxForce: 10,
      body: (index) => bodies[index]!,
    })
    world.step(1 / 60)
    for (const [i, body] of bodies.entries()) {
      expect(flock.position(i, vec3()).y).toBe(i)
      expectVec(body.given[0]!.force, v(i + 1, 0, 0), 1e-12)
    }
  })
})

describe('the default start of a flock', () => {
  const starts = (count: number, seed: number, options: Partial<FlockOptions> = {}) => {
    const flock = addFlock(new SteeringWorld(), {
      behavior: idle(),
      count,
      maxSpeed: 8,
      maxForce: 1,
      seed,
      ...options,
    })
    const all = Array.from({ length: count }, (_, i) => i)
    return {
      places: all.map((i) => flock.position(i, vec3())),
      velocities: all.map((i) => flock.velocity(i, vec3())),
    }
  }
  const mean = (list: readonly number[]): number => list.reduce((s, x) => s + x, 0) / list.length

  it('fills a ball evenly', () => {
    const { places } = starts(4000, 1)
    const radii = places.map(norm)
    const ball = Math.max(...radii)
    // evenly distributed: the cube of the distance is uniform, so its mean is a half
    expect(mean(radii.map((r) => (r / ball) ** 3))).toBeCloseTo(0.5, 1)
    for (const axis of ['x', 'y', 'z'] as const)
      expect(Math.abs(mean(places.map((p) => p[axis])))).toBeLessThan(ball * 0.05)
    // clearance: the mean distance to the nearest neighbour is not less than a diameter
    const nearest = (p: Vec3): number =>
      Math.min(...places.map((q) => (q === p ? Infinity : Math.hypot(q.x - p.x, q.y - p.y, q.z - p.z))))
    expect(mean(places.slice(0, 200).map(nearest))).toBeGreaterThan(1)
  })

  it('gives velocities in all directions, at half of maxSpeed', () => {
    const { velocities } = starts(2000, 2)
    for (const each of velocities) expect(norm(each)).toBeCloseTo(4, 9)
    for (const axis of ['x', 'y', 'z'] as const) {
      // 5 σ of the mean of one component of a random direction: 4/√3/√2000
      expect(Math.abs(mean(velocities.map((w) => w[axis])))).toBeLessThan((5 * 4) / Math.sqrt(3 * 2000))
      expect(mean(velocities.map((w) => w[axis] ** 2))).toBeCloseTo(16 / 3, 0)
    }
  })

  it('depends only on the seed and the member’s number', () => {
    expect(starts(10, 5)).toEqual(starts(10, 5))
    expect(starts(10, 5).velocities).not.toEqual(starts(10, 6).velocities)
    expect(starts(20, 5).velocities.slice(0, 10)).toEqual(starts(10, 5).velocities)
  })
})

describe('the limits of a flock', () => {
  it('apply to all members, also to those added later', () => {
    const seen: number[][] = []
    const behavior: Behavior = {
      reach: 100,
      neighborSearch,
      steer: (a) => void seen.push([a.maxSpeed, a.maxForce, a.maxTorque, a.responseTime, a.neighbors.count]),
    }
    const { flock, world } = rowOfMembers(3, { behavior })
    flock.maxSpeed = 5
    flock.maxForce = 6
    flock.maxTorque = 7
    flock.responseTime = 0.5
    flock.maxNeighbors = 2
    flock.add(1)
    world.step(1 / 60)
    expect(seen).toHaveLength(4)
    for (const each of seen) expect(each).toEqual([5, 6, 7, 0.5, 2])
    expect([flock.maxSpeed, flock.maxForce]).toEqual([5, 6])
    seen.length = 0
    // agents behind are not seen any more: all look along +Z and are abeam of each other
    flock.fieldOfView = 1
    world.step(1 / 60)
    expect(seen.map((each) => each[4])).toEqual([0, 0, 0, 0])
  })

  it('the limits of a controller may be changed as well', () => {
    const seen: number[][] = []
    const { world } = rowOfMembers(0)
    const behavior: Behavior = {
      steer: (a) => void seen.push([a.maxSpeed, a.maxForce, a.maxTorque, a.maxTurnRate, a.responseTime]),
    }
    const flock = addFlock(world, { behavior, count: 1, maxSpeed: 1, maxForce: 1 })
    world.step(1 / 60)
    // radius 0.5 by default: thrusters on the hull
    expect(seen[0]!.slice(0, 3)).toEqual([1, 1, 0.5])
    flock.dispose()
  })
})
