import { TorusGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import {
  BoxShape,
  CylinderShape,
  findRoute,
  HalfSpaceShape,
  HollowShape,
  Obstacle,
  Obstacles,
  PrismShape,
  SphereShape,
  type ObstacleOptions,
  type Vec3Like,
} from 'three-steering'
import { MeshShape } from 'three-steering/bvh'
import { seeded } from 'three-steering/authoring'
import { about, minus, norm, plus, times, turned, v } from '../../support/geometry.js'
import { pick } from '../../support/tier.js'

/** Length of a route, m. */
function lengthOf(route: readonly Vec3Like[]): number {
  return route.reduce((sum, place, i) => sum + (i > 0 ? norm(minus(place, route[i - 1]!)) : 0), 0)
}

/** Least distance (m) between the route and the obstacles, in steps of a tenth of the radius. */
function clearanceOf(obstacles: Iterable<Obstacle>, route: readonly Vec3Like[], radius: number): number {
  let least = Infinity
  const normal = v(0, 0, 0)
  for (let i = 1; i < route.length; i++) {
    const leg = minus(route[i]!, route[i - 1]!)
    const steps = Math.ceil((10 * norm(leg)) / radius)
    for (let k = 0; k <= steps; k++) {
      const place = plus(route[i - 1]!, leg, k / steps)
      for (const obstacle of obstacles) least = Math.min(least, obstacle.distance(place, normal))
    }
  }
  return least
}

/** A route from `from` to `to`, all of which is free. */
function free(
  list: readonly (Obstacle | ObstacleOptions)[],
  from: Vec3Like,
  to: Vec3Like,
  radius: number,
): number {
  const obstacles = new Obstacles(list)
  const route = findRoute(obstacles, from, to, radius)!
  expect(route).not.toBeNull()
  expect([route[0], route.at(-1)]).toEqual([from, to])
  expect(clearanceOf(obstacles, route, radius)).toBeGreaterThan(0.998 * radius)
  return lengthOf(route)
}

const box = (half: Vec3Like, at: Vec3Like): ObstacleOptions => ({ shape: new BoxShape(half), at })

/** A wall across x with a square window of this half width at (y, z). */
function wall(x: number, y: number, z: number, window: number): ObstacleOptions[] {
  const size = 40
  return [
    box(v(0.5, size, size), v(x, y + window + size, z)),
    box(v(0.5, size, size), v(x, y - window - size, z)),
    box(v(0.5, window, size), v(x, y, z + window + size)),
    box(v(0.5, window, size), v(x, y, z - window - size)),
  ]
}

/** A house of 20 × 8 × 20 m with a door of 2 × 2 m in the wall at +x. */
const HOUSE = [
  box(v(10, 0.25, 10), v(0, 4, 0)),
  box(v(10, 0.25, 10), v(0, -4, 0)),
  box(v(10, 4, 0.25), v(0, 0, 10)),
  box(v(10, 4, 0.25), v(0, 0, -10)),
  box(v(0.25, 4, 10), v(-10, 0, 0)),
  box(v(0.25, 4, 4), v(10, 0, 6)),
  box(v(0.25, 4, 5), v(10, 0, -5)),
  box(v(0.25, 1.5, 1), v(10, 2.5, 1)),
  box(v(0.25, 1.5, 1), v(10, -2.5, 1)),
]

const CLOSED = [...HOUSE, box(v(0.25, 1, 1), v(10, 0, 1))]

describe('findRoute is hardly longer than the shortest way, and free', () => {
  it('where nothing is in the way, straight', () => {
    const route = findRoute([], v(1, 2, 3), v(4, 5, 6), 1)
    expect(route).toEqual([v(1, 2, 3), v(4, 5, 6)])
  })

  it.each([
    ['a ball that is half as large', 10, 5],
    ['a tenth', 10, 1],
    ['a hundredth', 10, 0.1],
  ])('around a sphere, by %s', (_, size, radius) => {
    const [away, reach] = [30, size + radius]
    const shortest = 2 * Math.sqrt(away ** 2 - reach ** 2) + reach * (Math.PI - 2 * Math.acos(reach / away))
    const length = free([{ shape: new SphereShape(size), at: v(0, 0, 0) }], v(-30, 0, 0), v(30, 0, 0), radius)
    expect(length / shortest).toBeLessThan(1.015)
  })

  it('around the edge of a wall', () => {
    // legs to the circle of 1 m about the edge, and an arc of 94°
    const shortest = 2 * Math.sqrt(799) + 1.5 * Math.PI - 2 * Math.acos(1 / Math.sqrt(800))
    expect(free([box(v(1e-3, 20, 20), v(0, 0, 0))], v(-20, 0, 0), v(20, 0, 0), 1) / shortest).toBeLessThan(
      1.015,
    )
  })

  it('through the windows of three walls', () => {
    const walls = [...wall(-10, 8, 0, 2), ...wall(0, -8, 5, 2), ...wall(10, 0, -8, 2)]
    // from window to window, the ball is free within 1 m of the middle
    const middles = [v(-20, 0, 0), v(-10, 8, 0), v(0, -8, 5), v(10, 0, -8), v(20, 0, 0)]
    expect(free(walls, v(-20, 0, 0), v(20, 0, 0), 1)).toBeLessThan(lengthOf(middles))
  })

  it('into a house and out of it, through its door', () => {
    const [inside, behind] = [v(-8, 2, 8), v(-20, 0, 0)]
    const there = free(HOUSE, inside, behind, 0.6)
    const door = v(10, 0, 1)
    // at least to the door, and from there around the corner
    expect(there).toBeGreaterThan(norm(minus(door, inside)))
    expect(there).toBeLessThan(1.1 * lengthOf([inside, door, v(10, 0, 10.9), v(-10, 0, 10.9), behind]))
    expect(free(HOUSE, behind, inside, 0.6) / there).toBeCloseTo(1, 1)
  })

  it('past towers over a floor', () => {
    const random = seeded(5)
    const floor = { shape: new HalfSpaceShape(v(0, 1, 0)), at: v(0, 0, 0) }
    const corners = [v(-3, 0, -3), v(3, 0, -3), v(3, 0, 3), v(0, 0, 1), v(-3, 0, 3)]
    const towers = Array.from({ length: 100 }, (_, i) => ({
      shape: i % 2 === 0 ? new PrismShape(corners, 60) : new CylinderShape(3, 60),
      at: v(10 * (i % 10) - 45 + random(), i % 2 === 0 ? 0 : 30, 10 * Math.floor(i / 10) - 45 + random()),
    }))
    expect(free([floor, ...towers], v(-60, 1, -60), v(60, 5, 60), 1)).toBeLessThan(1.1 * norm(v(120, 4, 120)))
  })

  it('through the hole of a ring of triangles, or around it', () => {
    const ring = { shape: new MeshShape(new TorusGeometry(10, 6, 12, 24)), at: v(0, 0, 0) }
    const far = v(0, 0.5, 20)
    // the hole has a radius of 4 m
    expect(free([ring], v(0, 0.5, -20), far, 3)).toBeLessThan(41)
    expect(free([ring], v(0, 0.5, -20), far, 5)).toBeGreaterThan(50)
  })

  it('through a tube between two rooms that are hollows', () => {
    const room = (at: Vec3Like): ObstacleOptions[] =>
      wall(at.x + 8, 0, 0, 2).concat(wall(at.x - 8, 0, 0, 2), {
        shape: new HollowShape(new BoxShape(v(40, 8, 8))),
        at: v(0, 0, 0),
      })
    expect(free(room(v(0, 0, 0)), v(-15, 6, 6), v(15, -6, 6), 1)).toBeLessThan(42)
  })

  it.each(Array.from({ length: pick(1, 8, 40) }, (_, seed) => seed))(
    'among thousands of rocks, whatever their scale and place (%d)',
    (seed) => {
      const random = seeded(seed)
      const spread = (size: number): number => size * (2 * random() - 1)
      const scale = [1e-3, 1, 1e4][seed % 3]!
      const [turn, by] = [about(v(1, 2, 3), spread(3)), v(spread(1e4), spread(1e4), spread(1e4))]
      const put = (place: Vec3Like): Vec3Like => times(plus(turned(turn, place), by), scale)
      const rocks = Array.from({ length: 3000 }, (_, i) => {
        const size = scale * (1 + 3 * random())
        const shape = i % 2 === 0 ? new SphereShape(size) : new BoxShape(v(size, 0.7 * size, 0.5 * size))
        return { shape, at: put(v(spread(60), spread(60), spread(60))), turn }
      })
      const [from, to] = [put(v(-68, 0, 0)), put(v(68, 3, 1))]
      const obstacles = new Obstacles(rocks)
      const route = findRoute(obstacles, from, to, scale)!
      expect(lengthOf(route) / norm(minus(to, from))).toBeLessThan(1.04)
      const near = [...obstacles].filter(({ position }) => {
        const away = minus(position, from)
        return norm(minus(away, times(minus(to, from), norm(away) / norm(minus(to, from))))) < 30 * scale
      })
      expect(clearanceOf(near, route, scale)).toBeGreaterThan(0.998 * scale)
    },
  )
})

describe('findRoute finds gaps that are a quarter wider than the ball, and no narrower ones', () => {
  it.each([
    [1.3, true],
    [1.5, true],
    [0.99, false],
  ])('a window of %d radii to each side of its middle: %s', (window, isWide) => {
    for (const [y, z] of [
      [0, 0],
      [0.37, -0.41],
      [0.77, 0.9],
    ] as const) {
      // closed all round
      const room = { shape: new HollowShape(new BoxShape(v(6, 6, 6))), at: v(0, 0, 0) }
      const route = findRoute([room, ...wall(0, y, z, window)], v(-4, 3, 0), v(4, 3, 2), 1)
      expect(route !== null).toBe(isWide)
    }
  })
})

describe('findRoute returns null where there is no way', () => {
  const ball = { shape: new SphereShape(5), at: v(0, 0, 0) }
  const shell = { shape: new HollowShape(new SphereShape(10)), at: v(0, 0, 0) }

  it.each<[string, ObstacleOptions[], Vec3Like, Vec3Like]>([
    ['to a place in an obstacle', [ball], v(20, 0, 0), v(1, 0, 0)],
    ['to a place where the ball does not fit', [ball], v(20, 0, 0), v(-5.5, 0, 0)],
    ['out of a closed hollow', [shell], v(0, 0, 0), v(20, 0, 0)],
    ['out of a room without a door', CLOSED, v(0, 0, 0), v(30, 0, 0)],
    ['into one', CLOSED, v(30, 0, 0), v(0, 0, 0)],
  ])('%s', (_, obstacles, from, to) => {
    expect(findRoute(obstacles, from, to, 1)).toBeNull()
  })

  it('but stands where it touches the ground, and leaves what it is in', () => {
    const ground = { shape: new HalfSpaceShape(v(0, 1, 0)) }
    expect(free([ground, box(v(1, 5, 5), v(0, 0, 0))], v(-9, 1, 0), v(9, 1, 0), 1)).toBeLessThan(23.2)
    const route = findRoute([ball], v(-1, 0, 0), v(9, 0, 0), 1)!
    expect(route[0]).toEqual(v(-1, 0, 0))
    expect(norm(route[1]!)).toBeCloseTo(6, 1)
    expect(clearanceOf(new Obstacles([ball]), route.slice(1), 1)).toBeGreaterThan(0.998)
  })
})

it('findRoute leaves out obstacles that move or are ignored, and reads those that follow a body', () => {
  const [from, to] = [v(-20, 0, 0), v(20, 0, 0)]
  const body = { position: v(0, 90, 0), velocity: v(0, 0, 0) }
  const rock = new Obstacle({ shape: new SphereShape(5), at: body })
  const set = new Obstacles([rock])
  expect(findRoute(set, from, to, 1)).toHaveLength(2)
  body.position.y = 0
  expect(findRoute(set, from, to, 1)!.length).toBeGreaterThan(2)
  expect(findRoute(set, from, to, 1, { ignore: (each) => each === rock })).toHaveLength(2)
  body.velocity.y = 3
  expect(findRoute(set, from, to, 1)).toHaveLength(2)
})

it('findRoute refuses what it cannot use', () => {
  const ok = v(0, 0, 0)
  expect(() => findRoute(3 as never, ok, ok, 1)).toThrow(
    'findRoute: obstacles: got 3, must be a set of Obstacles',
  )
  expect(() => findRoute([], null as never, ok, 1)).toThrow('findRoute: from: got null')
  expect(() => findRoute([], ok, v(0, NaN, 0), 1)).toThrow('findRoute: to: got (0, NaN, 0), must be finite')
  expect(() => findRoute([], ok, ok, 0)).toThrow('findRoute: radius: got 0, must be > 0')
  expect(() => findRoute([], ok, ok, Infinity)).toThrow(RangeError)
  expect(() => findRoute([], ok, ok, 1, { cell: -1 })).toThrow('findRoute.cell: got -1, must be > 0')
  expect(() => findRoute([], ok, ok, 1, { ignore: 5 as never })).toThrow(TypeError)
})
