import { describe, expect, it } from 'vitest'
import {
  blockedWaypoints,
  BoxShape,
  freePosition,
  HalfSpaceShape,
  HollowShape,
  Obstacles,
  Path,
  SphereShape,
  type FreePositionOptions,
  type Vec3,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { minus, norm } from '../support/geometry.js'

const v = (x = 0, y = 0, z = 0): Vec3 => ({ x, y, z })
const clearOf = (obstacles: Obstacles, at: Vec3): number => obstacles.distance(at, v())

describe('freePosition', () => {
  it('keeps a position that is free, or just touches', () => {
    const obstacles = new Obstacles([{ shape: new SphereShape(2) }])
    const out = v(9, 9, 9)
    expect(freePosition(out, { position: v(3), radius: 1, obstacles })).toBe(0)
    expect(out).toEqual(v(3))
    expect(freePosition(out, { position: v(0, 50), radius: 1, obstacles })).toBe(0)
    expect(freePosition(out, { position: v(1), radius: 1 })).toBe(0)
  })

  it('finds the nearest position outside of a ball, a box and a wall', () => {
    const out = v()
    const ball = new Obstacles([{ shape: new SphereShape(2) }])
    expect(freePosition(out, { position: v(0, 1.5), radius: 1, obstacles: ball })).toBeCloseTo(1.5, 5)
    expect(norm(minus(out, v(0, 3)))).toBeLessThan(1e-4)
    const box = new Obstacles([{ shape: new BoxShape(v(5, 3, 4)), at: v(1, 1, 1) }])
    expect(freePosition(out, { position: v(1, 2, 1), radius: 1, obstacles: box })).toBeCloseTo(3, 5)
    expect(norm(minus(out, v(1, 5, 1)))).toBeLessThan(1e-4)
    const floor = new Obstacles([{ shape: new HalfSpaceShape(v(0, 1, 0)) }])
    expect(freePosition(out, { position: v(0, -4), radius: 1, obstacles: floor })).toBeCloseTo(5, 5)
  })

  it('finds a position from the centre of a ball, and from that of other balls at the same position', () => {
    const out = v()
    const ball = new Obstacles([{ shape: new SphereShape(2) }])
    expect(freePosition(out, { position: v(), radius: 1, obstacles: ball })).toBeCloseTo(3, 5)
    const others = [{ position: v(), radius: 2 }]
    expect(freePosition(out, { position: v(), radius: 1, others })).toBeCloseTo(3, 5)
    expect(norm(out)).toBeCloseTo(3, 5)
  })

  it('between several obstacles it is free, and as near as any free position on a fine grid', () => {
    for (const seed of [1, 2, 3, 4]) {
      const random = seeded(seed)
      const place = (size: number): Vec3 =>
        v(size * (random() - 0.5), size * (random() - 0.5), size * (random() - 0.5))
      const obstacles = new Obstacles(
        Array.from({ length: 12 }, (_, i) => ({
          shape: i % 2 === 0 ? new SphereShape(0.5 + random()) : new BoxShape(v(0.5 + random(), 0.8, 0.6)),
          at: place(6),
        })),
      )
      const others = Array.from({ length: 5 }, () => ({ position: place(6), radius: 0.5 }))
      const radius = 0.5
      const position = place(3)
      const isFree = (at: Vec3): boolean =>
        clearOf(obstacles, at) >= radius * 0.999 &&
        others.every((other) => norm(minus(at, other.position)) >= radius * 0.999 + other.radius)
      const out = v()
      const moved = freePosition(out, { position, radius, obstacles, others })
      expect(isFree(out)).toBe(true)
      expect(norm(minus(out, position))).toBeCloseTo(moved, 9)
      // the best of a grid of 0.15 m
      let least = Infinity
      for (let x = -5; x <= 5; x += 0.15)
        for (let y = -5; y <= 5; y += 0.15)
          for (let z = -5; z <= 5; z += 0.15) {
            const off = Math.hypot(x, y, z)
            if (off < least && isFree(v(position.x + x, position.y + y, position.z + z))) least = off
          }
      expect(moved, `seed ${seed}`).toBeLessThan(Math.max(least * 1.01, least + 0.01))
    }
  })

  it('stays inside a room, and returns Infinity where no position is free', () => {
    const room = new Obstacles([{ shape: new HollowShape(new BoxShape(v(5, 3, 5))) }])
    const out = v()
    expect(freePosition(out, { position: v(20, 0, 0), radius: 1, obstacles: room })).toBeCloseTo(16, 4)
    expect(norm(minus(out, v(4)))).toBeLessThan(1e-3)
    const full = [{ position: v(), radius: 50 }]
    expect(freePosition(out, { position: v(1), radius: 1, obstacles: room, others: full })).toBe(Infinity)
    expect(out).toEqual(v(1))
    expect(freePosition(out, { position: v(20), radius: 1, obstacles: room, range: 10 })).toBe(Infinity)
  })

  it('rotates with the scene', () => {
    // a quarter about y
    const turn = ({ x, y, z }: Vec3): Vec3 => v(z, y, -x)
    const balls = [v(0.4, 0.3, 0.2), v(-1, 0.7, 1.1), v(1.3, -0.4, -0.2)]
    const [plain, turned] = [v(), v()]
    const solve = (out: Vec3, places: Vec3[], position: Vec3): number => {
      const obstacles = new Obstacles(places.map((at) => ({ shape: new SphereShape(1.2), at })))
      return freePosition(out, { position, radius: 0.5, obstacles })
    }
    const off = solve(plain, balls, v(0.1))
    expect(solve(turned, balls.map(turn), turn(v(0.1)))).toBeCloseTo(off, 2)
    expect(norm(minus(turned, turn(plain)))).toBeLessThan(0.02 * off)
  })

  it('does not change its input, and may write onto it', () => {
    const obstacles = new Obstacles([{ shape: new SphereShape(2) }])
    const position = Object.freeze(v(1))
    freePosition(v(), { position, radius: 1, obstacles })
    const same = v(1)
    freePosition(same, { position: same, radius: 1, obstacles })
    expect(same.x).toBeCloseTo(3, 4)
  })

  it.each([
    ['radius', { position: v(), radius: -1 }, 'freePosition.radius: got -1'],
    ['position', { position: v(NaN), radius: 1 }, 'freePosition.position: got (NaN'],
    ['range', { position: v(), radius: 1, range: -1 }, 'freePosition.range: got -1'],
  ] as const)('refuses %s', (_, options, message) => {
    expect(() => freePosition(v(), options as FreePositionOptions)).toThrow(message)
  })
})

describe('blockedWaypoints', () => {
  const path = new Path({ points: [v(), v(10), v(10, 0, 10), v(20, 0, 10)] })

  it('returns the waypoints at which a ball would overlap an obstacle', () => {
    const obstacles = new Obstacles([
      { shape: new SphereShape(1), at: v(10) },
      { shape: new BoxShape(v(1, 1, 1)), at: v(22, 0, 10) },
    ])
    expect(blockedWaypoints(path, obstacles, 0.5)).toEqual([1])
    expect(blockedWaypoints(path, obstacles, 1.5)).toEqual([1, 3])
    expect(blockedWaypoints(path, [], 1.5)).toEqual([])
  })

  it('refuses values that are no set and no radius', () => {
    expect(() => blockedWaypoints(path, 5 as never, 1)).toThrow('blockedWaypoints.obstacles: got 5')
    expect(() => blockedWaypoints(path, [], -1)).toThrow('blockedWaypoints.radius: got -1')
  })
})
