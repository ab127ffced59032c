import { describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  HalfSpaceShape,
  Obstacles,
  ReciprocalAvoidance,
  SteeringController,
  within,
  type Vec3,
} from 'three-steering'
import { minus, norm, v } from '../support/geometry.js'
import { quietWorld } from '../support/pilot.js'

/**
 * A click on a house sends agents on the ground to its wall. The floor of a house may be the nearest way out
 * of it, and an agent in a plane cannot leave by it: each ran round the house, several without end.
 */
const HOUSE = new BoxShape(v(6, 3, 3))
const RADIUS = 0.5
const UP = v(0, 1, 0)

/** Sends agents to `places`. @returns where each stands after `seconds`, and what it was told. */
function send(places: readonly Vec3[], seconds: number, up = UP) {
  const { world } = quietWorld()
  const at = (x: number, height: number, z: number): Vec3 => (up === UP ? v(x, height, z) : v(x, z, height))
  const constraints = [
    new AvoidObstacles({ obstacles: new Obstacles([{ shape: HOUSE, at: at(0, 3, 0) }]) }),
    new ReciprocalAvoidance(),
  ]
  const all = places.map((place, i) => {
    const told: string[] = []
    const one = new SteeringController(null, {
      behavior: within(constraints, new Arrive({ target: at(place.x, 0, place.z) })),
      position: at(-20 + 1.5 * (i % 3), 0, -18 + 1.5 * Math.floor(i / 3)),
      plane: up,
      radius: RADIUS,
      maxSpeed: 4,
      maxForce: 6,
    })
    one.addEventListener('arrive', ({ reason = '' }) => told.push(reason))
    one.addEventListener('leave', () => told.push('leave'))
    world.add(one)
    return { one, told }
  })
  for (let i = 0; i < 60 * seconds; i++) world.step(1 / 60)
  return all
}

const NEAR = ['as near as it gets']
const own = (n: number): Vec3[] => Array.from({ length: n }, (_, i) => v(-4 + 1.6 * i, 0, i % 2 ? 1 : -1))

describe('an agent whose goal is in a house', () => {
  it.each([UP, v(0, 0, 1)])('stands where the wall is nearest to it, up along ($x, $y, $z)', (up) => {
    const [{ one, told }] = send([v(2, 0, -0.5)], 15, up) as [ReturnType<typeof send>[0]]
    const { x, y, z } = one.position
    expect(x).toBeCloseTo(2, 1)
    expect(up === UP ? z : y).toBeLessThan(-3 - RADIUS + 0.01)
    expect(up === UP ? z : y).toBeGreaterThan(-3 - RADIUS - 0.2)
    expect(norm(one.velocity)).toBeLessThan(0.01)
    expect(told).toEqual(NEAR)
  })

  it.each([
    ['one place', Array.from({ length: 8 }, () => v(0, 0, 0))],
    ['places of their own', own(6)],
  ])('comes to rest among others that go there, and is told once: %s', (_, places) => {
    for (const { one, told } of send(places, 25)) {
      expect(norm(one.velocity)).toBeLessThan(0.05)
      expect(told).toEqual(NEAR)
    }
  })

  // it flew off past the house, and on and on
  it('comes to rest before the wall in the air, where the ground is below the house', () => {
    const { world } = quietWorld()
    const ground = { shape: new HalfSpaceShape(UP) }
    const obstacles = new Obstacles([{ shape: HOUSE, at: v(0, 3, 0) }, ground])
    const constraints = [new AvoidObstacles({ obstacles }), new ReciprocalAvoidance()]
    const all = [0, 1, 2, 3, 4].map((i) => {
      const behavior = within(constraints, new Arrive({ target: v(1, 0.5, -0.5) }))
      const position = v(-22 - 1.3 * i, 4 + 3 * i, -19 + ((5 * i) % 7))
      return new SteeringController(null, { behavior, position, radius: RADIUS, maxSpeed: 4, maxForce: 6 })
    })
    for (const one of all) world.add(one)
    for (let i = 0; i < 60 * 20; i++) world.step(1 / 60)
    for (const { position, velocity } of all) {
      expect(norm(velocity)).toBeLessThan(0.05)
      expect(norm(minus(position, v(1, 3, -3.5)))).toBeLessThan(3)
    }
  })
})
