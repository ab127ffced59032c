import * as CANNON from 'cannon-es'
import { describe, expect, it } from 'vitest'
import {
  BoxShape,
  HollowShape,
  Obstacle,
  Obstacles,
  SphereShape,
  SteeringController,
  WallFollow,
  type ObstacleOptions,
  type Vec3,
  type WallFollowOptions,
} from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { trace } from 'three-steering/explain'
import { about, dotOf, minus, norm, times, unit, v } from '../../support/geometry.js'
import { ask, pilot, quietWorld, type PilotOptions } from '../../support/pilot.js'

const DISTANCE = 1.5
const HULL = 0.5
const AGENT = { maxSpeed: 12, maxForce: 12, radius: HULL }

/**
 * The surface, the start, and the distance (m) by which the agent may be farther away than the given
 * distance: where it rounds a corner.
 */
interface Scene {
  readonly obstacles: readonly ObstacleOptions[]
  readonly position: Vec3
  readonly velocity: Vec3
  readonly corner?: number
}

// concave corners are rounded, at this speed with the radius of the convex ones
const ROUND = DISTANCE + HULL
const EDGE = ROUND * (1 - Math.SQRT1_2)
const CORNER = ROUND * (1 - 1 / Math.sqrt(3))

/** A wall along x, and another that meets it at `angle` at the far end. */
function wedge(angle: number, at: Vec3): Scene {
  const slab = new BoxShape({ x: 30, y: 8, z: 1 })
  return {
    obstacles: [{ shape: slab }, { shape: slab, at, turn: about(v(0, 1, 0), angle) }],
    position: v(-10, 0, 5),
    velocity: v(3, 0, 0),
    corner: ROUND * (1 - Math.sin(angle / 2)),
  }
}

const box = new BoxShape({ x: 8, y: 6, z: 10 })
const SCENES: Readonly<Record<string, Scene>> = {
  'a ball': {
    obstacles: [{ shape: new SphereShape(10) }],
    position: v(20, 3, 0),
    velocity: v(0, 0, 2),
  },
  'a box, round its edges': { obstacles: [{ shape: box }], position: v(20, 3, 0), velocity: v(0, 0, 2) },
  'a box, over its corners': { obstacles: [{ shape: box }], position: v(20, 3, 0), velocity: v(0, 1, 2) },
  'the inside of a ball': {
    obstacles: [{ shape: new HollowShape(new SphereShape(15)) }],
    position: v(0, 3, 0),
    velocity: v(4, 0, 1),
  },
  'a room, through its edges and corners': {
    obstacles: [{ shape: new HollowShape(new BoxShape({ x: 15, y: 12, z: 18 })) }],
    position: v(0, 3, 0),
    velocity: v(4, 0.7, 1),
    corner: CORNER,
  },
  'two walls, through the corner between them': {
    obstacles: [
      { shape: new BoxShape({ x: 30, y: 5, z: 2 }), at: v(0, 0, -20) },
      { shape: new BoxShape({ x: 2, y: 5, z: 30 }), at: v(30, 0, 8) },
    ],
    position: v(0, 0, -10),
    velocity: v(4, 0, 0),
    corner: EDGE,
  },
  'two walls at 60°': wedge(Math.PI / 3, v(15, 0, 26)),
  'two walls at 30°': wedge(Math.PI / 6, v(4, 0, 15)),
  'two balls in one, through the crease': {
    obstacles: [{ shape: new SphereShape(6) }, { shape: new SphereShape(6), at: v(10, 0, 0) }],
    position: v(-15, 3, 0),
    velocity: v(0, 1, 3),
    corner: EDGE,
  },
}

interface Watch {
  /**
   * Time of the first approach to 5 cm of the distance, s; from one second later on the nearest and farthest
   * distance to the surface, m, and the lowest speed, m/s.
   */
  readonly joined: number
  readonly nearest: number
  readonly farthest: number
  readonly slowest: number
  /** Least distance of the ball at any time, m. */
  readonly least: number
  readonly one: SteeringController
}

function watch(
  { obstacles: options, position, velocity }: Scene,
  {
    rate = 60,
    seconds = 30,
    follow = {},
    agent = {},
  }: {
    readonly rate?: number
    readonly seconds?: number
    readonly follow?: Partial<WallFollowOptions>
    readonly agent?: PilotOptions
  } = {},
  each?: (one: SteeringController, time: number) => void,
): Watch {
  const { world, faults } = quietWorld()
  const obstacles = new Obstacles(options)
  const behavior = new WallFollow({ obstacles, distance: DISTANCE, ...follow })
  const one = pilot(behavior, { ...AGENT, position, velocity, ...agent })
  world.add(one)
  const normal = v(0, 0, 0)
  let joined = Infinity
  let nearest = Infinity
  let farthest = 0
  let slowest = Infinity
  let least = Infinity
  for (let i = 1; i <= seconds * rate; i++) {
    world.step(1 / rate)
    each?.(one, i / rate)
    obstacles.refresh()
    const away = obstacles.distance(one.position, normal) - HULL
    least = Math.min(least, away)
    if (Math.abs(away - DISTANCE) < 0.05) joined = Math.min(joined, i / rate)
    if (i / rate <= joined + 1) continue
    nearest = Math.min(nearest, away)
    farthest = Math.max(farthest, away)
    slowest = Math.min(slowest, norm(one.velocity))
  }
  expect(faults).toEqual([])
  return { joined, nearest, farthest, slowest, least, one }
}

describe('the distance', () => {
  const cases = Object.keys(SCENES).flatMap((name) => [30, 60, 240].map((rate) => [name, rate] as const))
  it.each(cases)('to %s is kept to 2 cm, at 1/%i s', (name, rate) => {
    const scene = SCENES[name]!
    const { joined, nearest, farthest, slowest, least } = watch(scene, {
      rate,
      seconds: rate > 100 ? 20 : 40,
    })
    expect(joined).toBeLessThan(4)
    expect(nearest).toBeGreaterThan(DISTANCE - 0.02)
    expect(farthest).toBeLessThan(DISTANCE + 0.02 + (scene.corner ?? 0))
    // on the approach, too
    expect(least).toBeGreaterThan(DISTANCE - 0.02)
    // no agent stops in a corner
    expect(slowest).toBeGreaterThan(3)
  })

  it('is reached from straight ahead at full speed, without overshoot', () => {
    const scene = { ...SCENES['a ball']!, position: v(40, 0, 0), velocity: v(-12, 0, 0) }
    const { least, farthest } = watch(scene)
    expect(least).toBeGreaterThan(DISTANCE - 0.05)
    expect(farthest).toBeLessThan(DISTANCE + 0.02)
  })

  it('is reached from too near, and from inside', () => {
    for (const x of [10.6, 9, 0.5]) {
      const { joined, nearest, farthest } = watch({ ...SCENES['a ball']!, position: v(x, 0, 0) })
      expect(joined).toBeLessThan(4)
      expect(nearest).toBeGreaterThan(DISTANCE - 0.02)
      expect(farthest).toBeLessThan(DISTANCE + 0.02)
    }
  })

  it('to a flying ball is kept', () => {
    const ball = { position: v(0, 0, 0), velocity: v(2, 1, 0) }
    const { nearest, farthest } = watch(
      { obstacles: [{ shape: new SphereShape(10), at: ball }], position: v(20, 3, 0), velocity: v(0, 0, 2) },
      {},
      (_, time) => void (ball.position = times(ball.velocity, time)),
    )
    expect(nearest).toBeGreaterThan(DISTANCE - 0.02)
    expect(farthest).toBeLessThan(DISTANCE + 0.02)
  })
})

describe('the path', () => {
  it('without a side goes straight on: around a ball on a great circle', () => {
    const axis = unit(v(1, 2, 2))
    const start = unit(v(2, -1, 0))
    const scene = {
      ...SCENES['a ball']!,
      position: times(start, 12),
      // perpendicular to both
      velocity: times(
        unit(
          v(
            axis.y * start.z - axis.z * start.y,
            axis.z * start.x - axis.x * start.z,
            axis.x * start.y - axis.y * start.x,
          ),
        ),
        3,
      ),
    }
    watch(scene, {}, ({ position }) => expect(Math.abs(dotOf(position, axis))).toBeLessThan(0.01))
  })

  it.each(['port', 'starboard'] as const)('keeps the wall to %s, and the height', (side) => {
    const sign = side === 'port' ? 1 : -1
    watch(SCENES['a box, round its edges']!, { follow: { side } }, ({ position, velocity }, time) => {
      if (time < 5) return
      expect(Math.abs(position.y - 3)).toBeLessThan(0.3)
      // with the wall to port it flies counterclockwise, seen from above
      expect(sign * (position.z * velocity.x - position.x * velocity.z)).toBeGreaterThan(0)
    })
  })

  it('is flown at the given speed, but not faster than an edge allows', () => {
    const slow = watch(SCENES['a box, round its edges']!, { follow: { speed: 2 }, seconds: 20 })
    expect(norm(slow.one.velocity)).toBeCloseTo(2, 1)
    const fast = watch(SCENES['a box, round its edges']!, { follow: { speed: 12 }, seconds: 20 })
    // v² / r ≤ F / m
    expect(norm(fast.one.velocity)).toBeLessThan(Math.sqrt(AGENT.maxForce * ROUND))
    expect(fast.nearest).toBeGreaterThan(DISTANCE - 0.05)
    expect(fast.farthest).toBeLessThan(DISTANCE + 0.1)
  })
})

it('many agents that share the behaviour in different corners fly as each alone, bit by bit', () => {
  // three overlapping balls, and two walls at an angle
  const ball = new SphereShape(6)
  const slab = new BoxShape({ x: 30, y: 8, z: 1 })
  const options: ObstacleOptions[] = [
    ...[v(0, 0, 0), v(10, 0, 0), v(4, 9, 0)].map((at) => ({ shape: ball, at })),
    { shape: slab, at: v(0, 0, 60) },
    { shape: slab, at: v(15, 0, 86), turn: about(v(0, 1, 0), Math.PI / 3) },
  ]
  const places = [
    v(5, -2, 5),
    v(5, 4, 4),
    v(2, 4, -5),
    v(9, 5, 2),
    v(-15, 3, 0),
    v(-10, 0, 65),
    v(-1, 2, 64),
    v(2, -2, 66),
  ]
  const fly = (chosen: readonly Vec3[]): Vec3[] => {
    const { world, faults } = quietWorld()
    const behavior = new WallFollow({ obstacles: new Obstacles(options), distance: DISTANCE })
    const all = chosen.map((position) => {
      const one = pilot(behavior, { ...AGENT, position, velocity: v(2, 1, 1) })
      world.add(one)
      return one
    })
    for (let i = 0; i < 120; i++) world.step(1 / 60)
    expect(faults).toEqual([])
    return all.map(({ position: { x, y, z } }) => v(x, y, z))
  }
  expect(fly(places)).toEqual(places.flatMap((place) => fly([place])))
})

it('without a wall it asks for nothing; walls may be added and removed', () => {
  expect(norm(ask(new WallFollow({ obstacles: [], distance: 1 })).force)).toBe(0)
  const obstacles = new Obstacles()
  const behavior = new WallFollow({ obstacles, distance: DISTANCE })
  const { world, faults } = quietWorld()
  const one = pilot(behavior, AGENT)
  world.add(one)
  world.step(1 / 60)
  const ball = obstacles.add(new Obstacle({ shape: new SphereShape(3), at: v(9, 0, 0) }))
  for (let i = 0; i < 300; i++) world.step(1 / 60)
  expect(norm(minus(one.position, v(9, 0, 0)))).toBeCloseTo(3 + DISTANCE + HULL, 1)
  obstacles.remove(ball)
  world.step(1 / 60)
  expect(norm(one.demand.force)).toBe(0)
  expect(faults).toEqual([])
})

it('a body of cannon-es follows, and never touches', () => {
  const world = new CANNON.World()
  const { world: steering, faults } = quietWorld()
  attachToCannon(steering, world)
  const own = new CANNON.Body({ mass: 5, shape: new CANNON.Sphere(HULL), linearDamping: 0.1 })
  own.position.set(20, 3, 1)
  const wall = new CANNON.Body({ mass: 0, shape: new CANNON.Box(new CANNON.Vec3(8, 6, 10)) })
  world.addBody(own)
  world.addBody(wall)
  let touched = 0
  own.addEventListener('collide', () => touched++)
  const obstacles = new Obstacles([{ shape: box, at: wall }])
  const behavior = new WallFollow({ obstacles, distance: DISTANCE })
  steering.add(new SteeringController(null, { body: cannonBody(own), behavior, maxSpeed: 12, maxForce: 60 }))
  const normal = v(0, 0, 0)
  let off = 0
  for (let i = 0; i < 1500; i++) {
    world.step(1 / 60)
    const away = obstacles.distance(own.position, normal) - HULL
    if (i > 300) off = Math.max(off, Math.abs(away - DISTANCE))
  }
  expect(off).toBeLessThan(0.03)
  expect(touched).toBe(0)
  expect(faults).toEqual([])
})

it('draws the surface and its direction', () => {
  const layers: string[] = []
  const { world } = quietWorld()
  world.add(
    pilot(new WallFollow({ obstacles: [{ shape: new SphereShape(3), at: v(9, 0, 0) }], distance: 1 })),
  )
  world.step(1 / 60)
  trace(world, { line: (layer) => void layers.push(layer) })
  expect(layers).toEqual(expect.arrayContaining(['surface', 'along']))
})
