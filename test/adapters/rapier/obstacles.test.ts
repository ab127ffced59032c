import RAPIER from '@dimforge/rapier3d-compat'
import { beforeAll, describe, expect, it } from 'vitest'
import { Seek, SteeringController, SteeringWorld, type Obstacle, type Vec3Like } from 'three-steering'
import { MeshShape } from 'three-steering/bvh'
import {
  obstaclesFromRapier,
  rapierDoor,
  type RapierDoor,
  type RapierObstaclesOptions,
} from 'three-steering/rapier'
import { ConeShape } from '../../../src/extras/rapier/cone.js'
import { expectConsole } from '../../support/console.js'
import { expectVec, minus, norm, plus, rotation, times, turned, v, vector } from '../../support/geometry.js'
import { law } from '../../support/law.js'

beforeAll(() => RAPIER.init())

const { ColliderDesc } = RAPIER

/** Points of a crumpled cloud, and a wavy ground of 4 × 5 heights. */
const CLOUD = new Float32Array([
  1, 0, 0, -1, 0.2, 0, 0, 1.5, 0, 0, -1, 0.3, 0, 0, 2, 0.1, 0, -1, 0.1, 0.1, 0.1,
])
const HEIGHTS = new Float32Array(20).map((_, i) => Math.sin(1.7 * i))
const TETRAHEDRON = new Float32Array([0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2])

/** Every shape of Rapier that has a volume, or is a sheet. */
const SHAPES: Record<string, () => RAPIER.ColliderDesc> = {
  ball: () => ColliderDesc.ball(0.8),
  cuboid: () => ColliderDesc.cuboid(0.5, 1, 2),
  capsule: () => ColliderDesc.capsule(1, 0.4),
  'capsule without height': () => ColliderDesc.capsule(0, 0.4),
  cylinder: () => ColliderDesc.cylinder(1, 0.7),
  cone: () => ColliderDesc.cone(1, 0.7),
  'half-space': () => new ColliderDesc(new RAPIER.HalfSpace(v(0, 0.6, 0.8))),
  'convex hull': () => ColliderDesc.convexHull(CLOUD)!,
  'convex mesh': () =>
    ColliderDesc.convexMesh(TETRAHEDRON, new Uint32Array([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]))!,
  'round cuboid': () => ColliderDesc.roundCuboid(0.5, 1, 2, 0.2),
  'round cylinder': () => ColliderDesc.roundCylinder(1, 0.7, 0.2),
  'round cone': () => ColliderDesc.roundCone(1, 0.7, 0.2),
  'round convex hull': () => ColliderDesc.roundConvexHull(CLOUD, 0.3)!,
  'round triangle': () => ColliderDesc.roundTriangle(v(0, 0, 0), v(2, 0, 0), v(0, 0.5, 1), 0.25),
  triangle: () => ColliderDesc.triangle(v(0, 0, 0), v(2, 0, 0), v(0, 0.5, 1)),
  trimesh: () => ColliderDesc.trimesh(TETRAHEDRON, new Uint32Array([0, 2, 1, 0, 1, 3])),
  heightfield: () => ColliderDesc.heightfield(3, 4, HEIGHTS, v(6, 1.5, 4)),
  segment: () => ColliderDesc.segment(v(0, 0, 0), v(1, 2, -1)),
  compound: () =>
    ColliderDesc.compound(
      [new RAPIER.Ball(0.5), new RAPIER.Cuboid(0.2, 0.3, 0.9)],
      [v(2, 0, 0), v(-1, 0.5, 0)],
      [
        { x: 0, y: 0, z: 0, w: 1 },
        { x: 0, y: 0.6, z: 0, w: 0.8 },
      ],
    ),
}

/**
 * What round shapes are rounded from, and their border (m). Rapier finds the surface of round shapes by
 * iterations, and its distance is up to some millimetres off; that from the shape without border is exact.
 */
const ROUNDED: Readonly<Record<string, readonly [shape: string, border: number]>> = {
  'round cuboid': ['cuboid', 0.2],
  'round cylinder': ['cylinder', 0.2],
  'round cone': ['cone', 0.2],
  'round convex hull': ['convex hull', 0.3],
  'round triangle': ['triangle', 0.25],
}

/** In metres. A line is taken as a thin capsule. */
const TOLERANCE: Readonly<Record<string, number>> = { segment: 1.01e-3 }

interface Scene {
  readonly world: RAPIER.World
  readonly steering: SteeringWorld
  readonly door: RapierDoor<RAPIER.World>
}

function scene(): Scene {
  const world = new RAPIER.World(v(0, 0, 0))
  const steering = new SteeringWorld()
  return { world, steering, door: rapierDoor(steering, world) }
}

const WITH_MESH: RapierObstaclesOptions<RAPIER.Collider> = { mesh: (triangles) => new MeshShape(triangles) }

/** Distance to a collider by Rapier itself; not known inside of solids. */
function distanceByRapier(collider: RAPIER.Collider, point: Vec3Like): number {
  const { point: nearest, isInside } = collider.projectPoint(point, false)!
  return isInside ? NaN : norm(minus(point, nearest))
}

describe('the obstacle of a collider is as far away as Rapier says', () => {
  for (const [name, desc] of Object.entries(SHAPES)) {
    const [sharp, border] = ROUNDED[name] ?? [name, 0]
    law(
      name,
      [rotation(), vector(5), rotation(), vector(1), vector(4)],
      (turn, at, own, offset, point) => {
        const { world } = scene()
        const body = world.createRigidBody(
          RAPIER.RigidBodyDesc.kinematicPositionBased().setTranslation(at.x, at.y, at.z).setRotation(turn),
        )
        const made = desc().setTranslation(offset.x, offset.y, offset.z).setRotation(own)
        const plain = SHAPES[sharp]!().setTranslation(offset.x, offset.y, offset.z).setRotation(own)
        const pairs = [body, undefined].map(
          (parent) => [world.createCollider(made, parent), world.createCollider(plain, parent)] as const,
        )
        world.step()
        for (const [collider, oracle] of pairs) {
          // as Rapier gives it, and not as it was made
          collider.clearShapeCache()
          const obstacles = obstaclesFromRapier(world, { ...WITH_MESH, filter: (each) => each === collider })
          const place = plus(collider.translation(), point)
          const expected = distanceByRapier(oracle, place) - border
          const normal = v(0, 0, 0)
          const distance = obstacles.distance(place, normal)
          if (Number.isNaN(expected)) expect(distance).toBeLessThan(1e-4)
          else expect(Math.abs(distance - expected)).toBeLessThan(TOLERANCE[name] ?? 1e-4)
          // the normal leads away from the surface
          const farther = obstacles.distance(plus(place, times(normal, 0.01)), v(0, 0, 0))
          expect(farther - distance).toBeGreaterThan(0.0098)
        }
        world.free()
      },
      30,
    )
  }

  it('voxels', () => {
    const { world } = scene()
    const desc = ColliderDesc.voxels(new Int32Array([0, 0, 0, 1, 0, 0, 1, 1, 0]), v(1, 2, 1))
    world.createCollider(desc.setTranslation(1, 0, 0)).clearShapeCache()
    world.step()
    const obstacles = obstaclesFromRapier(world, WITH_MESH)
    const away = (x: number, y: number, z: number): number => obstacles.distance(v(x, y, z), v(0, 0, 0))
    expect(away(-1, 1, 0.5)).toBeCloseTo(2, 5)
    expect(away(1.5, 4, 0.5)).toBeCloseTo(0.5, 5)
    expect(away(2.5, 4.5, 0.5)).toBeCloseTo(0.5, 5)
    // no face between two full voxels
    expect(away(2, 1, 0.5)).toBeCloseTo(0.5, 5)
  })
})

it.each(Object.entries(ROUNDED))('a %s reaches its border farther', (name, [sharp, border]) => {
  const { door, world } = scene()
  const feet = world.createCharacterController(0.01)
  const reach = (each: string): number => door.character(world.createCollider(SHAPES[each]!()), feet).radius!
  expect(reach(name)).toBeCloseTo(reach(sharp) + border, 5)
})

describe('a cone', () => {
  law(
    'has its support plane at its farthest corner',
    [vector(1).filter((u) => norm(u) > 0.1)],
    (direction) => {
      const u = times(direction, 1 / norm(direction))
      const rim = Math.hypot(u.x, u.z) * 0.7 - u.y
      expect(new ConeShape(0.7, 1).support(u)).toBeCloseTo(Math.max(u.y, rim), 9)
    },
  )

  it('is met and left by balls at its tip, its slope and its base', () => {
    const cone = new ConeShape(1, 1)
    expect(cone.sweep(v(0, 5, 0), v(0, -1, 0), 0, 9)).toBeCloseTo(4, 6)
    expect(cone.sweep(v(5, 0, 0), v(-1, 0, 0), 0, 9)).toBeCloseTo(4.5, 6)
    expect(cone.sweep(v(0, -5, 0), v(0, 1, 0), 0.5, 9)).toBeCloseTo(3.5, 6)
    expect(cone.sweep(v(5, 5, 0), v(-1, 0, 0), 0.5, 9)).toBe(Infinity)
    expect(cone.leave(v(0, 0, 0), v(0, -1, 0), 0.25)).toBeCloseTo(1.25, 6)
  })
})

describe('the obstacles of a world', () => {
  const owners = (all: Iterable<Obstacle>): unknown[] => [...all].map(({ owner }) => owner)

  it('leave out sensors, disabled colliders and steered bodies; a wreck comes back', () => {
    const { door, steering, world } = scene()
    const ground = world.createCollider(ColliderDesc.cuboid(9, 1, 9))
    const sensor = world.createCollider(ColliderDesc.ball(1).setSensor(true))
    const ship = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(0, 9, 0))
    world.createCollider(ColliderDesc.ball(1), ship)
    const obstacles = obstaclesFromRapier(world)
    const all = obstaclesFromRapier(world, { include: () => true })
    expect(owners(obstacles)).toEqual([ground, ship])
    expect(owners(all)).toEqual([ground, sensor, ship])
    const behavior = new Seek({ target: v(9, 9, 9) })
    const pilot = new SteeringController(null, { behavior, body: door.body(ship), maxSpeed: 1, maxForce: 1 })
    steering.add(pilot)
    obstacles.refresh()
    expect(owners(obstacles)).toEqual([ground])
    steering.remove(pilot)
    ground.setEnabled(false)
    obstacles.refresh()
    expect(owners(obstacles)).toEqual([ship])
  })

  it('notice what is added, removed, moved, resized and given another shape', () => {
    const { world } = scene()
    const obstacles = obstaclesFromRapier(world)
    const away = (): number => {
      obstacles.refresh()
      return obstacles.distance(v(10, 0, 0), v(0, 0, 0))
    }
    expect(away()).toBe(Infinity)
    const one = world.createCollider(ColliderDesc.ball(1))
    expect(away()).toBeCloseTo(9, 5)
    one.setTranslation(v(2, 0, 0))
    expect(away()).toBeCloseTo(7, 5)
    one.setRadius(3)
    expect(away()).toBeCloseTo(5, 5)
    one.setShape(new RAPIER.Cuboid(4, 1, 1))
    expect(away()).toBeCloseTo(4, 5)
    one.setHalfExtents(v(5, 1, 1))
    expect(away()).toBeCloseTo(3, 5)
    world.removeCollider(one, true)
    expect(away()).toBe(Infinity)
    const body = world.createRigidBody(RAPIER.RigidBodyDesc.fixed())
    world.createCollider(ColliderDesc.ball(1), body)
    expect(away()).toBeCloseTo(9, 5)
    world.removeRigidBody(body)
    expect(away()).toBe(Infinity)
  })

  it('move as the points of their bodies do', () => {
    const { world } = scene()
    const body = world.createRigidBody(
      RAPIER.RigidBodyDesc.dynamic()
        .setLinvel(1, 0, 0)
        .setAngvel(v(0, 0, 2))
        .setTranslation(5, 0, 0),
    )
    world.createCollider(ColliderDesc.ball(0.1).setMass(9), body)
    world.createCollider(ColliderDesc.cuboid(0.5, 0.2, 0.2).setTranslation(0, 3, 0).setDensity(0), body)
    world.step()
    const [, box] = [...obstaclesFromRapier(world)]
    const { x, y, z } = body.translation()
    const place = plus(v(x, y, z), turned(body.rotation(), v(0.4, 3.1, 0)))
    const expected = body.velocityAtPoint(place)
    expectVec(box!.velocityAt(v(0, 0, 0), place), expected, 1e-4)
    expect(box!.owner).toBe(body)
  })

  it('report what is not supported, once, and try a new shape', () => {
    const calls = expectConsole()
    const { world } = scene()
    const mesh = world.createCollider(ColliderDesc.trimesh(TETRAHEDRON, new Uint32Array([0, 2, 1])))
    const reports: string[] = []
    const obstacles = obstaclesFromRapier(world, { onUnsupported: (_, why) => reports.push(why) })
    for (let i = 0; i < 3; i++) obstacles.refresh()
    expect(reports).toEqual([expect.stringContaining('MeshShape')])
    expect(obstacles.size).toBe(0)
    mesh.setShape(new RAPIER.Ball(1))
    obstacles.refresh()
    expect(obstacles.size).toBe(1)
    world.createCollider(ColliderDesc.convexHull(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0.5]))!)
    world.createCollider(SHAPES['triangle']!())
    const quiet = obstaclesFromRapier(world)
    for (let i = 0; i < 3; i++) quiet.refresh()
    expect(calls.map(({ text }) => text)).toEqual([
      expect.stringMatching(/collider .*: a mesh needs the option mesh/),
    ])
  })

  it('follow a body that was moved by hand before the next step', () => {
    const { world } = scene()
    const body = world.createRigidBody(RAPIER.RigidBodyDesc.fixed())
    world.createCollider(ColliderDesc.ball(1).setTranslation(0, 2, 0), body)
    world.step()
    const obstacles = obstaclesFromRapier(world)
    body.setTranslation(v(0, 10, 0), true)
    obstacles.refresh()
    expect([...obstacles][0]!.position.y).toBeCloseTo(12, 6)
  })

  it('refuse options that are no functions', () => {
    const { world } = scene()
    expect(() => obstaclesFromRapier({} as never)).toThrow(/obstaclesFromRapier: got/)
    expect(() => obstaclesFromRapier(world, { filter: 3 as never })).toThrow(
      /obstaclesFromRapier.filter: got 3/,
    )
    expect(() => obstaclesFromRapier(world, { mesh: {} as never })).toThrow(/obstaclesFromRapier.mesh/)
  })
})

it('lists of triangles make a mesh shape', () => {
  const shape = new MeshShape({ vertices: TETRAHEDRON, indices: new Uint32Array([0, 1, 3]) })
  expect(shape.distance(v(0.1, -3, 0.1), v(0, 0, 0))).toBeCloseTo(3, 6)
})
