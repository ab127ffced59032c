import { describe, expect, it } from 'vitest'
import { BoxShape, Obstacle, SphereShape, type Vec3Like } from 'three-steering'
import type { FollowedBody } from 'three-steering/authoring'
import {
  crossOf,
  direction,
  dotOf,
  expectRotation,
  expectVec,
  number,
  plus,
  rotation,
  times,
  turned,
  v,
  vector,
} from '../support/geometry.js'
import { law } from '../support/law.js'
import { all, spot } from './kit.js'

const shapes = Object.entries(all)

describe.each(shapes)('a %s at rest at a position, rotated', (_name, shape) => {
  law(
    'has the distances, sweeps and exits of the shape itself',
    [shape, vector(50), rotation(), spot, direction(), number(0, 1)],
    (known, at, turn, where, way, part) => {
      const { size } = known
      const obstacle = new Obstacle({ shape: known.shape, at, turn })
      const local = times(where, size)
      const radius = part * size
      const world = plus(turned(turn, local), at)
      const [normal, there] = [v(0, 0, 0), v(0, 0, 0)]
      const scale = size + 100
      const distance = known.shape.distance(local, normal)
      expect(Math.abs(obstacle.distance(world, there) - distance)).toBeLessThan(1e-12 * scale)
      // its normal rotates with it, except where it may be either of two
      const ahead = known.shape.distance(plus(local, normal, 1e-3 * size), v(0, 0, 0)) - distance
      const back = distance - known.shape.distance(plus(local, normal, -1e-3 * size), v(0, 0, 0))
      if (Math.abs(ahead - back) < 1e-9 * size && Math.abs(distance) > 1e-6 * size)
        expectVec(there, turned(turn, normal), 1e-6 * (scale / size))
      const t = known.shape.sweep(local, way, radius, Infinity)
      const s = obstacle.sweep(world, turned(turn, way), radius, Infinity)
      // unless the ball grazes it
      const deep = Math.min(
        ...[1, 2, 3].map(
          (k) =>
            known.shape.distance(plus(local, way, (t === Infinity ? s : t) + k * 1e-4 * size), v(0, 0, 0)) -
            radius,
        ),
      )
      if (t !== s && deep < -1e-5 * size) expect(Math.abs(s - t)).toBeLessThan(1e-6 * scale)
      const out = obstacle.leave(world, turned(turn, way), radius)
      const clear = known.shape.leave(local, way, radius)
      if (clear < Infinity && distance < radius - 1e-6 * size && out < 1e3 * size)
        expect(Math.abs(obstacle.distance(plus(world, turned(turn, way), out), there) - radius)).toBeLessThan(
          1e-9 * scale,
        )
    },
    100,
  )
})

const thing = (
  position: Vec3Like,
  options: Partial<FollowedBody> = {},
): FollowedBody & { position: Vec3Like } => ({
  position: { ...position },
  ...options,
})

describe('an obstacle', () => {
  law(
    'that follows a body has its offset and turn in the axes of that body',
    [vector(20), rotation(), vector(5), rotation(), vector(3)],
    (position, quaternion, offset, turn, local) => {
      const shape = new BoxShape({ x: 1, y: 2, z: 3 })
      const obstacle = new Obstacle({ shape, at: { position, quaternion }, offset, turn })
      // from the shape to the body, then to the world
      const world = plus(turned(quaternion, plus(turned(turn, local), offset)), position)
      const normal = v(0, 0, 0)
      expect(obstacle.distance(world, normal)).toBeCloseTo(shape.distance(local, normal), 9)
      expectVec(obstacle.position, plus(turned(quaternion, offset), position))
      const back = new Obstacle({
        shape,
        at: { position: obstacle.position, quaternion: obstacle.quaternion },
      })
      expect(back.distance(world, normal)).toBeCloseTo(shape.distance(local, normal), 9)
    },
  )

  it('follows when refreshed, and returns whether it has moved', () => {
    const body = { position: v(1, 2, 3), quaternion: { x: 0, y: 0, z: 0, w: 1 }, velocity: v(4, 0, 0) }
    const obstacle = new Obstacle({ shape: new SphereShape(1), at: body })
    expect(obstacle.refresh()).toBe(false)
    body.position.x = 11
    body.velocity.x = 5
    expect(obstacle.distance(v(11, 2, 3), v(0, 0, 0))).toBeGreaterThan(8)
    expect(obstacle.refresh()).toBe(true)
    expect(obstacle.distance(v(11, 2, 3), v(0, 0, 0))).toBe(-1)
    expectVec(obstacle.velocity, v(5, 0, 0))
    expect(obstacle.refresh()).toBe(false)
    body.quaternion.x = 1
    body.quaternion.w = 0
    expect(obstacle.refresh()).toBe(true)
    expectRotation(obstacle.quaternion, { x: 1, y: 0, z: 0, w: 0 })
  })

  law(
    'moves each of its points as the body does',
    [vector(5), rotation(), vector(3), vector(5), vector(2), vector(5)],
    (position, quaternion, offset, velocity, angularVelocity, at) => {
      const body = thing(position, { quaternion, velocity, angularVelocity })
      const obstacle = new Obstacle({ shape: new SphereShape(1), at: body, offset })
      const point = plus(position, at)
      const expected = plus(velocity, crossOf(angularVelocity, at))
      expectVec(obstacle.velocityAt(v(0, 0, 0), point), expected, 1e-9)
    },
  )

  it('at rest does not move', () => {
    const obstacle = new Obstacle({ shape: new SphereShape(1), at: v(1, 2, 3) })
    expect(obstacle.refresh()).toBe(false)
    expectVec(obstacle.velocityAt(v(9, 9, 9), v(5, 5, 5)), v(0, 0, 0))
    expect([obstacle.followed, obstacle.owner]).toEqual([null, null])
  })

  it('keeps its last pose when that of the body is not finite', () => {
    const body = { position: v(1, 2, 3), velocity: v(1, 0, 0) }
    const obstacle = new Obstacle({ shape: new SphereShape(1), at: body })
    for (const bad of [NaN, Infinity]) {
      body.position.y = bad
      expect(obstacle.refresh()).toBe(false)
      expectVec(obstacle.position, v(1, 2, 3))
    }
    body.position.y = 4
    expect(obstacle.refresh()).toBe(true)
  })

  it('is owned by the body that it follows, or by the given owner', () => {
    const body = thing(v(0, 0, 0))
    const owner = {}
    expect(new Obstacle({ shape: new SphereShape(1), at: body }).owner).toBe(body)
    expect(new Obstacle({ shape: new SphereShape(1), at: body, owner }).owner).toBe(owner)
    expect(new Obstacle({ shape: new SphereShape(1), owner }).owner).toBe(owner)
  })

  it('may have a shape that consists of obstacles', () => {
    const parts = [-3, 3].map((x) => new Obstacle({ shape: new SphereShape(1), at: v(x, 0, 0) }))
    const shape = {
      kind: 'dumbbell',
      distance: (point: Vec3Like, normal: { x: number; y: number; z: number }): number => {
        const other = v(0, 0, 0)
        const [a, b] = [parts[0]!.distance(point, normal), parts[1]!.distance(point, other)]
        if (b < a) Object.assign(normal, other)
        return Math.min(a, b)
      },
      sweep: () => Infinity,
      leave: () => 0,
      support: ({ x }: Vec3Like) => 1 + 3 * Math.abs(x),
    }
    const dumbbell = new Obstacle({ shape, at: v(10, 0, 0), turn: { x: 0, y: 0, z: 1, w: 1 } })
    const normal = v(0, 0, 0)
    expect(dumbbell.distance(v(10, 5, 0), normal)).toBeCloseTo(1)
    expect(dotOf(normal, v(0, 1, 0))).toBeCloseTo(1)
    expect(dumbbell.distance(v(10, -5, 0), normal)).toBeCloseTo(1)
  })
})
