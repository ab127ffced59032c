import { describe, expect, it } from 'vitest'
import {
  AvoidWalls,
  BoxShape,
  HalfSpaceShape,
  HollowShape,
  Obstacles,
  SphereShape,
  SteeringWorld,
  type AvoidWallsOptions,
  type Vec3Like,
} from 'three-steering'
import { trace } from 'three-steering/explain'
import { direction, dotOf, expectVec, norm, number, plus, times, v } from '../../support/geometry.js'
import { law } from '../../support/law.js'
import { ask, pilot, xyz } from '../../support/pilot.js'

// A pilot of 1 kg, 10 m/s and 100 N, radius 0.5 m, response time 0.1 s: F = 10 · (v* − v), at most 100 N.

/** A half-space behind the plane through `at` with the outward normal `normal`. */
function half(normal: Vec3Like, at: Vec3Like = v(0, 0, 0)): Obstacles {
  return new Obstacles([{ shape: new HalfSpaceShape(normal), at }])
}
const wall = half(v(-1, 0, 0), v(10, 0, 0))
const NONE = v(0, 0, 0)

describe('AvoidWalls, by the predicted position', () => {
  law('works from any side, also straight up and down', [direction(), number(1, 9)], (n, speed) => {
    const obstacles = half(times(n, -1), times(n, 6))
    const { force } = ask(new AvoidWalls({ obstacles, horizon: 2 }), {
      velocity: times(n, speed),
      maxForce: 1e3,
    })
    const depth = 2 * speed + 0.5 - 6
    expectVec(force, times(n, depth > 0 ? -10 * depth : 0), 1e-8)
  })

  it('asks for nothing when no wall is ahead', () => {
    const avoid = new AvoidWalls({ obstacles: wall, horizon: 3 })
    expectVec(ask(avoid, { velocity: v(-4, 0, 0) }).force, NONE, 0)
    expectVec(ask(avoid, { velocity: v(0, 9, 0) }).force, NONE, 0)
    expectVec(ask(avoid, {}).force, NONE, 0)
    expectVec(ask(new AvoidWalls({ obstacles: [] }), { velocity: v(4, 0, 0) }).force, NONE, 0)
  })

  it('moves an agent out of a wall, also at rest', () => {
    const { force } = ask(new AvoidWalls({ obstacles: wall, horizon: 1 }), { position: v(9.8, 0, 0) })
    expectVec(force, v(-10 * 2 * 0.3, 0, 0), 1e-9)
  })

  it('grows walls by the radius, and rounds their corners', () => {
    // the lower side of the hull touches the edge x = 5, y = −1
    const obstacles = [{ shape: new BoxShape(v(2, 4, 9)), at: v(7, -5, 0) }]
    const { force } = ask(new AvoidWalls({ obstacles, horizon: 1 }), {
      velocity: v(10, 0, 0),
      position: v(0, -0.7, 0),
      maxForce: 1e4,
    })
    // 0.3 m beside the edge: the normal is tilted by asin(0.3 / 0.5) from the face
    expectVec(times(force, 1 / norm(force)), v(-0.8, 0.6, 0), 1e-6)
  })

  it('responds to an approaching wall by its relative velocity', () => {
    const at = { position: v(10, 0, 0), velocity: v(-4, 0, 0) }
    const obstacles = [{ shape: new HalfSpaceShape(v(-1, 0, 0)), at }]
    const { force } = ask(new AvoidWalls({ obstacles, horizon: 3 }))
    expectVec(force, v((-10 * 2 * 2.5) / 3, 0, 0), 1e-9)
  })

  it('ignores walls by `ignore`, and walls that leave the set', () => {
    const obstacles = half(v(-1, 0, 0), v(10, 0, 0))
    const avoid = new AvoidWalls({ obstacles, horizon: 3, ignore: (each) => each.position.x > 5 })
    expectVec(ask(avoid, { velocity: v(4, 0, 0) }).force, NONE, 0)
    avoid.ignore = undefined
    expect(ask(avoid, { velocity: v(4, 0, 0) }).force.x).toBeLessThan(0)
    obstacles.clear()
    expectVec(ask(avoid, { velocity: v(4, 0, 0) }).force, NONE, 0)
  })

  it('by default predicts as far as it takes to stop: at any speed it hits no wall', () => {
    for (const rate of [30, 60, 240])
      for (const maxForce of [5, 20, 100]) {
        const world = new SteeringWorld()
        const one = pilot(new AvoidWalls({ obstacles: wall }), {
          velocity: v(10, 2, 0),
          maxForce,
          position: v(-40, 0, 0),
        })
        world.add(one)
        let most = -Infinity
        for (let i = 0; i < 20 * rate; i++) {
          world.step(1 / rate)
          most = Math.max(most, one.position.x)
        }
        expect(most, `with ${maxForce} N at 1/${rate} s`).toBeLessThan(9.5 + 1e-6)
        // at rest before the wall, or turned round; sliding on
        expect(one.velocity.x).toBeLessThan(1e-3)
        expect(one.velocity.y).toBeCloseTo(2, 6)
      }
  })
})

describe('AvoidWalls, by feelers', () => {
  const feel = (options: Partial<AvoidWallsOptions>): AvoidWalls =>
    new AvoidWalls({ obstacles: wall, method: 'feelers', horizon: 2, gain: 1, ...options })

  it('the feelers around it detect walls below, above, to port and to starboard', () => {
    const side = 0.5 * 9 * Math.SQRT1_2
    for (const n of [v(0, 1, 0), v(0, -1, 0), v(0, 0, 1), v(0, 0, -1)]) {
      const obstacles = half(n, times(n, -2))
      const { force } = ask(feel({ obstacles }), { velocity: v(4, 0, 0) })
      expectVec(force, times(n, (10 * (side - 2)) / 2), 1e-6)
      expectVec(ask(feel({ obstacles, feelers: 0 }), { velocity: v(4, 0, 0) }).force, NONE, 0)
    }
  })

  it('feelers at rest reach a radius beyond the hull', () => {
    const obstacles = (x: number): Obstacles => half(v(0, 0, -1), v(0, 0, x))
    // the nose of a pilot at rest points along +Z
    expectVec(ask(feel({ obstacles: obstacles(1.01) })).force, NONE, 0)
    expect(ask(feel({ obstacles: obstacles(0.9) })).force.z).toBeLessThan(0)
  })

  it('feelers have the given number, angle and length', () => {
    const obstacles = half(v(0, 1, 0), v(0, -2, 0))
    const deep = (options: Partial<AvoidWallsOptions>): number =>
      ask(feel({ obstacles, feelers: 2, ...options }), { velocity: v(4, 0, 0) }).force.y
    expect(deep({ angle: Math.PI / 2 })).toBeCloseTo((10 * (4.5 - 2)) / 2, 6)
    expect(deep({ angle: Math.PI / 2, sideShare: 1 })).toBeCloseTo((10 * (9 - 2)) / 2, 6)
    expect(deep({ angle: 0.1 })).toBe(0)
  })
})

describe('AvoidWalls', () => {
  it('draws the predicted path and the feelers', () => {
    const lines: string[] = []
    for (const method of ['predicted', 'feelers'] as const) {
      const world = new SteeringWorld()
      world.add(pilot(new AvoidWalls({ obstacles: wall, method }), { velocity: v(4, 0, 0) }))
      world.step(1 / 60)
      trace(world, { line: (layer) => void lines.push(layer) })
    }
    expect(lines.filter((layer) => layer === 'wall look-ahead')).toHaveLength(1)
    expect(lines.filter((layer) => layer === 'feelers')).toHaveLength(5)
  })

  it('detects a huge wall nearby, however far its centre is', () => {
    const obstacles = [{ shape: new SphereShape(1e4), at: v(1e4 + 10, 0, 0) }]
    expect(ask(new AvoidWalls({ obstacles, horizon: 3 }), { velocity: v(4, 0, 0) }).force.x).toBeLessThan(-10)
  })

  it('in a room the force is inwards', () => {
    const obstacles = [{ shape: new HollowShape(new SphereShape(10)) }]
    const velocity = v(3, 4, 5)
    const { force } = ask(new AvoidWalls({ obstacles, horizon: 4 }), {
      velocity,
      position: plus(NONE, velocity, 0.5),
    })
    expect(dotOf(force, velocity)).toBeLessThan(0)
    expect(xyz(force)).not.toEqual(NONE)
  })

  it.each<[string, object, string]>([
    ['a single shape', new SphereShape(1), 'AvoidWalls.obstacles: got an instance of SphereShape'],
    ['a list of something else', [{}], 'AvoidWalls.obstacles[0].shape: got undefined'],
  ])('refuses %s', (_, obstacles, message) => {
    expect(() => new AvoidWalls({ obstacles: obstacles as never })).toThrow(message)
  })
})
