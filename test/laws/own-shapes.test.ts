import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import * as ours from 'three-steering'
import { ClassicAvoidance } from 'three-steering/classic'
import {
  AvoidObstacles,
  AvoidWalls,
  blend,
  BoxShape,
  Contain,
  Hide,
  HollowShape,
  Obstacle,
  RepelObstacle,
  Seek,
  SphereShape,
  SteeringController,
  SteeringWorld,
  WallFollow,
  Wander,
  within,
  type Behavior,
  type Obstacles,
  type ObstacleOptions,
  type QuatLike,
  type Shape,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import type { OutlineSink } from 'three-steering/authoring'
import { FlowAround, FollowFlowField } from 'three-steering/flow'

/**
 * Law: a shape is used by its members, never by its class. A user's own shape, and a shape of a second copy
 * of the package, with the same members as ours give a bit-identical flight.
 */

/** A user's own shape, which shares no class with the package: it gives the answers of another shape. */
class OwnShape implements Shape {
  readonly kind: string = 'own'
  protected readonly answers: Shape

  constructor(answers: Shape) {
    this.answers = answers
  }

  distance(point: Vec3Like, normal: Vec3): number {
    return this.answers.distance(point, normal)
  }

  sweep(origin: Vec3Like, direction: Vec3Like, radius: number, limit: number): number {
    return this.answers.sweep(origin, direction, radius, limit)
  }

  leave(origin: Vec3Like, direction: Vec3Like, radius: number): number {
    return this.answers.leave(origin, direction, radius)
  }

  support(direction: Vec3Like): number {
    return this.answers.support(direction)
  }
}

class OwnSolid extends OwnShape {
  readonly convex = true

  outline(from: Vec3Like, radius: number, rim: OutlineSink): void {
    this.answers.outline!(from, radius, rim)
  }
}

/** Its outline follows from the radius. */
class OwnSphere extends OwnShape {
  readonly convex = true
  readonly ballRadius: number

  constructor(radius: number) {
    super(new SphereShape(radius))
    this.ballRadius = radius
  }
}

class OwnRoom extends OwnShape {
  readonly cavity: NonNullable<Shape['cavity']>

  constructor(inner: Shape) {
    super(new HollowShape(inner))
    const support = (direction: Vec3Like): number => inner.support(direction)
    const { faceNormals } = inner
    this.cavity = faceNormals === undefined ? { support } : { support, faceNormals }
  }
}

let second: typeof ours

beforeAll(async () => {
  vi.resetModules()
  second = await import('three-steering')
})

const TURN: QuatLike = { x: 0.1, y: -0.3, z: 0.2, w: 0.9 }
const ROTATION: Vec3Like = { x: 0.02, y: -0.03, z: 0.05 }
const TARGET: Vec3Like = { x: 60, y: 4, z: -3 }

/** Positions and velocities of an agent after each of some steps. */
function flight(behavior: Behavior, steps = 240): number[] {
  const world = new SteeringWorld({ seed: 3 })
  const agent = new SteeringController(null, {
    behavior,
    maxSpeed: 9,
    maxForce: 8,
    radius: 0.5,
    position: { x: 0.4, y: 0.2, z: -0.3 },
    velocity: { x: 4, y: 1, z: 0.5 },
  })
  world.add(agent)
  const track: number[] = []
  for (let i = 0; i < steps; i++) {
    world.step(1 / 60)
    const { position: p, velocity: v } = agent
    track.push(p.x, p.y, p.z, v.x, v.y, v.z)
  }
  return track
}

/** Three balls about the way to the target; the attitude of a ball does not matter. */
function balls(make: (radius: number) => Shape): ObstacleOptions[] {
  return [
    { shape: make(3), at: { x: 14, y: 1, z: -1 }, turn: TURN },
    { shape: make(5), at: { x: 30, y: -2, z: 2 }, turn: TURN },
    { shape: make(2), at: { x: 44, y: 3, z: 0 } },
  ]
}

/** A turned room that rotates, or stands still. */
function room(shape: Shape, rotates: boolean): ObstacleOptions[] {
  const body = { position: { x: 0, y: 0, z: 0 }, quaternion: TURN, angularVelocity: ROTATION }
  return [rotates ? { shape, at: body } : { shape, turn: TURN }]
}

const seek = (): Behavior => new Seek({ target: TARGET })

const AMONG_BALLS: Readonly<Record<string, (obstacles: ObstacleOptions[] | Obstacles) => Behavior>> = {
  AvoidObstacles: (obstacles) => within([new AvoidObstacles({ obstacles })], seek()),
  ClassicAvoidance: (obstacles) => within([new ClassicAvoidance({ obstacles })], seek()),
  AvoidWalls: (obstacles) => within([new AvoidWalls({ obstacles })], seek()),
  RepelObstacle: (obstacles) => blend([seek(), new RepelObstacle({ obstacles, range: 4 })]),
  Hide: (obstacles) => new Hide({ target: TARGET, obstacles }),
  WallFollow: (obstacles) => new WallFollow({ obstacles, distance: 1 }),
  FlowAround: (obstacles) =>
    new FollowFlowField({
      field: new FlowAround({
        flow: (_point, _time, out: Vec3) => Object.assign(out, { x: 6, y: 0, z: 0 }),
        obstacles: obstacles as Obstacles,
      }),
    }),
}

const CAVITIES: Readonly<Record<string, (from: typeof ours) => Shape>> = {
  ball: (from) => new from.SphereShape(7),
  capsule: (from) => new from.CapsuleShape(6, 9),
  box: (from) => new from.BoxShape({ x: 9, y: 5, z: 7 }),
  hull: (from) =>
    new from.HullShape({
      vertices: [
        { x: -9, y: -6, z: -9 },
        { x: 12, y: -6, z: -9 },
        { x: 0, y: -6, z: 14 },
        { x: 0, y: 12, z: 0 },
      ],
      faces: [
        [0, 1, 2],
        [0, 3, 1],
        [1, 3, 2],
        [2, 3, 0],
      ],
    }),
}

function wander(bounds: ObstacleOptions[] | Obstacles): Behavior {
  return within([new Contain({ bounds })], new Wander())
}

describe.each(Object.entries(AMONG_BALLS))('%s', (_, behavior) => {
  const expected = (): number[] =>
    flight(behavior(new ours.Obstacles(balls((radius) => new SphereShape(radius)))))

  it("treats a user's own ball as a SphereShape", () => {
    expect(flight(behavior(new ours.Obstacles(balls((radius) => new OwnSphere(radius)))))).toEqual(expected())
  })

  it('treats shapes, obstacles and sets of a second copy of the package as its own', () => {
    const shapes = balls((radius) => new second.SphereShape(radius))
    const one = expected()
    expect(flight(behavior(new ours.Obstacles(shapes)))).toEqual(one)
    const obstacles = shapes.map((each) => new second.Obstacle(each))
    expect(flight(behavior(new ours.Obstacles(obstacles)))).toEqual(one)
    expect(flight(behavior(new second.Obstacles(shapes)))).toEqual(one)
  })
})

describe.each(Object.entries(CAVITIES))('a hollow room in the form of a %s', (name, cavity) => {
  describe.each([true, false])('that rotates: %s', (rotates) => {
    const expected = (): number[] => flight(wander(room(new HollowShape(cavity(ours)), rotates)))

    it("of a user's own holds agents as a HollowShape does", () => {
      expect(flight(wander(room(new OwnRoom(cavity(ours)), rotates)))).toEqual(expected())
    })

    it('of a second copy of the package holds agents as ours does', () => {
      const one = expected()
      expect(flight(wander(room(new second.HollowShape(cavity(second)), rotates)))).toEqual(one)
      expect(flight(wander(room(new HollowShape(cavity(second)), rotates)))).toEqual(one)
      const set = new second.Obstacles(room(new second.HollowShape(cavity(second)), rotates))
      expect(flight(wander(set))).toEqual(one)
    })

    it('without a cavity is known less well: the flight differs', () => {
      const silent = new OwnShape(new HollowShape(cavity(ours)))
      expect(flight(wander(room(silent, rotates)))).not.toEqual(expected())
    })
  })

  it('states the normals of all faces when they are flat', () => {
    const { faceNormals } = cavity(ours)
    expect(faceNormals?.length).toBe({ ball: undefined, capsule: undefined, box: 18, hull: 12 }[name])
  })
})

it("the inside of a user's own convex shape is a room, too", () => {
  const own = (inner: Shape): Shape => new HollowShape(new OwnSolid(inner))
  const { ball } = CAVITIES
  expect(flight(wander(room(own(ball!(ours)), true)))).toEqual(
    flight(wander(room(new HollowShape(ball!(ours)), true))),
  )
})

it('a ball without a ball radius is treated as any other form: the flight differs', () => {
  const behavior = AMONG_BALLS['ClassicAvoidance']!
  const silent = flight(behavior(balls((radius) => new OwnSolid(new SphereShape(radius)))))
  expect(silent).not.toEqual(flight(behavior(balls((radius) => new SphereShape(radius)))))
})

it('the second copy of the package is another one', () => {
  expect(second.SphereShape).not.toBe(SphereShape)
  expect(second.Obstacle).not.toBe(Obstacle)
})

describe('members that cannot be right are refused', () => {
  const box = { support: () => 1 }
  it.each<[string, Partial<Shape>]>([
    ['Obstacle.shape.ballRadius: got 0, must be', { ballRadius: 0 }],
    ['Obstacle.shape.ballRadius: got NaN, must be', { ballRadius: NaN }],
    ['Obstacle.shape.cavity: got 5, must have support', { cavity: 5 as never }],
    ['faceNormals: got 4 numbers', { cavity: { ...box, faceNormals: [0, 1, 0, 2] } }],
    [
      'faceNormals: got (0, 2, 0) for face 3',
      { cavity: { ...box, faceNormals: tetrahedron({ x: 0, y: 2, z: 0 }) } },
    ],
  ])('%s', (message, members) => {
    const shape = Object.assign(new OwnShape(new HollowShape(new BoxShape({ x: 1, y: 1, z: 1 }))), members)
    expect(() => new Obstacle({ shape })).toThrow(message)
  })
})

function tetrahedron(last: Vec3Like): number[] {
  return [1, 0, 0, 0, 1, 0, 0, 0, 1, last.x, last.y, last.z]
}

it('no code of the package asks a shape or an obstacle for its class', () => {
  const src = fileURLToPath(new URL('../../src', import.meta.url))
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const asking = files.filter((file) =>
    /instanceof (\w*Shape|Obstacles?)\b/.test(readFileSync(join(src, file), 'utf8')),
  )
  expect(asking).toEqual([])
})
