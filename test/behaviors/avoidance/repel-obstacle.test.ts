import { describe, expect, it } from 'vitest'
import {
  BoxShape,
  HalfSpaceShape,
  HollowShape,
  Obstacle,
  Obstacles,
  RepelObstacle,
  SphereShape,
  SteeringWorld,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { Escape } from '../../../src/core/behaviors/avoidance/escape.js'
import { direction, expectVec, norm, number, plus, times, unit, v } from '../../support/geometry.js'
import { law } from '../../support/law.js'
import { ask, pilot } from '../../support/pilot.js'
import { standIn, type StandIn } from '../../support/stand-in.js'

const NONE = v(0, 0, 0)

function ball(radius: number, x = 0, y = 0, z = 0): Obstacle {
  return new Obstacle({ shape: new SphereShape(radius), at: v(x, y, z) })
}

/** The direction out of the obstacles, for an agent of 0.5 m. */
function wayOut(
  obstacles: readonly Obstacle[],
  state: Partial<StandIn> = {},
): { distance: number; direction: Vec3 } {
  const direction = v(7, 8, 9)
  const agent = standIn(state)
  return {
    distance: new Escape().direction(agent, obstacles, obstacles.length, agent.radius, direction),
    direction,
  }
}

/**
 * Distance that a ball of 0.5 m must fly along `way` until no obstacle overlaps it: independent of the
 * source, by small steps.
 */
function clearAlong(obstacles: readonly Obstacle[], from: Vec3Like, way: Vec3Like): number {
  const normal = v(0, 0, 0)
  for (let t = 9; t > 0; t -= 0.02)
    if (obstacles.some((each) => each.distance(plus(from, way, t), normal) < 0.5)) return t + 0.02
  return 0
}

describe('the direction out', () => {
  it('is not set when nothing overlaps', () => {
    const { distance, direction } = wayOut([ball(3, 4, 0, 0)])
    expect(distance).toBe(0)
    expectVec(direction, v(7, 8, 9), 0)
  })

  law('leads from a ball along its radius', [direction(), number(0.1, 3.4)], (n, depth) => {
    const out = wayOut([ball(3)], { position: times(n, depth) })
    expect(out.distance).toBeCloseTo(3.5 - depth, 4)
    // where a neighbouring direction is as good to 1e-6, either may be taken
    expectVec(out.direction, n, 0.02)
  })

  it('leads ahead from the exact centre, where the radius has no direction', () => {
    const out = wayOut([ball(3)])
    expectVec(out.direction, v(0, 0, 1), 1e-12)
    expect(out.distance).toBeCloseTo(3.5, 9)
  })

  it('is that of all overlapping obstacles together, not of each one', () => {
    // the way out of each ball leads into the other; the shortest way out of both is sideways
    const clump = [ball(2, 1, 0, 0), ball(2, -1, 0, 0)]
    const out = wayOut(clump)
    expect(Math.abs(out.direction.x)).toBeLessThan(0.05)
    expect(out.distance).toBeCloseTo(Math.sqrt(2.5 * 2.5 - 1), 3)
  })

  it('is hardly longer than the shortest one, among any overlapping obstacles', () => {
    const random = seeded(3)
    const around = (size: number): Vec3 =>
      v(size * (2 * random() - 1), size * (2 * random() - 1), size * (2 * random() - 1))
    for (let n = 0; n < 8; n++) {
      const clump = Array.from({ length: 6 }, () => {
        const at = around(2)
        return ball(1.5 + 1.5 * random(), at.x, at.y, at.z)
      })
      const position = around(0.5)
      const out = wayOut(clump, { position })
      if (out.distance === 0) continue
      expect(clearAlong(clump, position, out.direction)).toBeLessThan(out.distance + 0.03)
      let least = Infinity
      for (let i = 0; i < 300; i++) least = Math.min(least, clearAlong(clump, position, unit(around(1))))
      expect(out.distance, `clump ${n}`).toBeLessThan(1.1 * least)
    }
  })

  it('depends on the velocity: the direction that is clear soonest, not nearest', () => {
    const position = v(-0.2, 0, 0)
    expect(wayOut([ball(3)], { position, maxForce: 5 }).direction.x).toBeLessThan(-0.9)
    expect(wayOut([ball(3)], { position, maxForce: 5, velocity: v(4, 0, 0) }).direction.x).toBeGreaterThan(
      0.9,
    )
  })

  it('leads up from the ground, into a room, and out of a box by its nearest face', () => {
    const ground = new Obstacle({ shape: new HalfSpaceShape() })
    expectVec(wayOut([ground], { position: v(3, -2, 1) }).direction, v(0, 1, 0), 0.02)
    const room = new Obstacle({ shape: new HollowShape(new SphereShape(5)) })
    expectVec(wayOut([room], { position: v(6, 0, 0) }).direction, v(-1, 0, 0), 0.02)
    const box = new Obstacle({ shape: new BoxShape(v(5, 1, 5)) })
    const out = wayOut([box], { position: v(1, 0.2, -2) })
    expectVec(out.direction, v(0, 1, 0), 0.02)
    expect(out.distance).toBeCloseTo(1.3, 3)
  })

  it('is defined where no direction leads out: between two half-spaces', () => {
    const below = new Obstacle({ shape: new HalfSpaceShape(v(0, -1, 0)), at: v(0, -1, 0) })
    const above = new Obstacle({ shape: new HalfSpaceShape(v(0, 1, 0)), at: v(0, 1, 0) })
    const out = wayOut([below, above])
    expect(out.distance).toBe(Infinity)
    expect(norm(out.direction)).toBeCloseTo(1, 9)
  })
})

describe('RepelObstacle', () => {
  const push = (
    obstacles: RepelObstacle['obstacles'] | readonly Obstacle[],
    position: Vec3Like,
    options = {},
  ): Vec3 => ask(new RepelObstacle({ obstacles, ...options }), { position }).force

  it('asks for nothing between two obstacles at the same distance', () => {
    expectVec(push([ball(1, 1.7, 0, 0), ball(1, -1.7, 0, 0)], NONE), NONE, 1e-9)
  })

  it('asks for nothing far away, nor because of ignored obstacles', () => {
    expectVec(push([ball(3)], v(9, 0, 0)), NONE, 0)
    expectVec(push([ball(3)], v(1, 0, 0), { ignore: () => true }), NONE, 0)
  })

  it.each([30, 60, 240])('gets out of anything at once and stays out, at 1/%i s', (rate) => {
    const random = seeded(11)
    for (let n = 0; n < 10; n++) {
      const around = (size: number): number => size * (2 * random() - 1)
      const clump = Array.from({ length: 1 + (n % 4) }, () =>
        ball(1.5 + random(), around(1), around(1), around(1)),
      )
      const obstacles = new Obstacles(clump)
      const world = new SteeringWorld()
      // every second agent starts at the exact centre of a ball
      const position = n % 2 === 0 ? clump[0]!.position : v(around(1), around(1), around(1))
      const one = pilot(new RepelObstacle({ obstacles }), { position, maxForce: 20 })
      world.add(one)
      const normal = v(0, 0, 0)
      let inside = 0
      let entries = 0
      let before = true
      for (let i = 0; i < 4 * rate; i++) {
        const now = obstacles.distance(one.position, normal) < 0.5
        if (now) inside++
        if (now && !before) entries++
        before = now
        world.step(1 / rate)
      }
      // 4 m from rest with 20 m/s² take 0.63 s
      expect(inside / rate, `clump ${n}`).toBeLessThan(0.75)
      expect(entries).toBe(0)
    }
  })
})
