import { idle } from '../../support/pilot.js'
import * as CANNON from 'cannon-es'
import { describe, expect, it } from 'vitest'
import {
  SteeringController,
  SteeringWorld,
  type Obstacle,
  type Obstacles,
  type Vec3Like,
} from 'three-steering'
import { MeshShape, type Triangles } from 'three-steering/bvh'
import { attachToCannon, cannonBody, obstaclesFromCannon } from 'three-steering/cannon'
import { expectConsole } from '../../support/console.js'
import {
  about,
  crossOf,
  direction,
  dotOf,
  expectVec,
  minus,
  norm,
  number,
  plus,
  rotation,
  turned,
  unit,
  v,
  vector,
} from '../../support/geometry.js'
import { law } from '../../support/law.js'
import { addFlock } from '../../support/flock.js'

const DT = 1 / 60
const { Vec3, Quaternion } = CANNON

const vec = ({ x, y, z }: Vec3Like): CANNON.Vec3 => new Vec3(x, y, z)
const turnOf = ({ x, y, z, w }: { x: number; y: number; z: number; w: number }): CANNON.Quaternion =>
  new Quaternion(x, y, z, w)

function worldOf(...bodies: CANNON.Body[]): CANNON.World {
  const world = new CANNON.World()
  for (const body of bodies) world.addBody(body)
  return world
}

function still(
  shape: CANNON.Shape,
  position: Vec3Like = v(0, 0, 0),
  turn = about(v(0, 1, 0), 0),
): CANNON.Body {
  return new CANNON.Body({ mass: 0, shape, position: vec(position), quaternion: turnOf(turn) })
}

function only(obstacles: Obstacles): Obstacle {
  expect(obstacles.size).toBe(1)
  return [...obstacles][0]!
}

const out = { x: 0, y: 0, z: 0 }

function distance(obstacles: Obstacles, x: number, y: number, z: number): number {
  return obstacles.distance(v(x, y, z), out)
}

/** Distance to the first hit of cannon's own ray, Infinity without one. */
function rayed(world: CANNON.World, from: Vec3Like, way: Vec3Like, reach: number): number {
  const result = new CANNON.RaycastResult()
  // cannon's ray uses bounding boxes that are out of date after a body was moved
  for (const body of world.bodies) body.aabbNeedsUpdate = true
  world.raycastClosest(vec(from), vec(plus(from, way, reach)), { skipBackfaces: true }, result)
  return result.hasHit ? result.distance : Infinity
}

/** A pyramid with valid faces. */
function pyramid(): CANNON.ConvexPolyhedron {
  return new CANNON.ConvexPolyhedron({
    vertices: [v(-1, -1, -1), v(1, -1, -1), v(1, -1, 1), v(-1, -1, 1), v(0, 2, 0)].map(vec),
    faces: [
      [0, 1, 2, 3],
      [1, 0, 4],
      [2, 1, 4],
      [3, 2, 4],
      [0, 3, 4],
    ],
  })
}

const shapes: Record<string, () => CANNON.Shape> = {
  'a sphere': () => new CANNON.Sphere(1.3),
  'a box': () => new CANNON.Box(new Vec3(0.5, 1, 2)),
  'a plane': () => new CANNON.Plane(),
  'a pyramid': pyramid,
  'a tapered cylinder': () => new CANNON.Cylinder(0.5, 1.5, 2, 6),
}

describe('the surface that cannon’s own rays find', () => {
  for (const [name, shape] of Object.entries(shapes))
    law(
      `is that of ${name}, for any turn of its body and of the shape on it`,
      [vector(5), rotation(), vector(3), rotation(), vector(1), direction()],
      (position, turn, offset, inner, aim, way) => {
        const body = new CANNON.Body({ position: vec(position), quaternion: turnOf(turn) })
        body.addShape(shape(), vec(offset), turnOf(inner))
        const world = worldOf(body)
        const obstacle = only(obstaclesFromCannon(world))
        const middle = plus(position, turned(turn, offset))
        // off the edges between triangles, where some of cannon's rays pass through
        const start = plus(plus(plus(middle, turned(turn, aim)), v(0.0123, 0.0077, 0.0093)), way, -20)
        const normal = v(0, 0, 0)
        if (obstacle.distance(start, normal) < 0) return
        const met = rayed(world, start, way, 60)
        const swept = obstacle.sweep(start, way, 0, 60)
        if (met === swept) return
        const after = plus(start, way, Math.min(met, swept))
        expect(Math.abs(obstacle.distance(after, normal))).toBeLessThan(1e-5)
        const touch = Math.abs(dotOf(normal, way))
        // at grazing incidence either answer is accepted
        if (touch > 0.05) expect(Math.abs(swept - met)).toBeLessThan(1e-5 / touch)
      },
      100,
    )

  law(
    'of a cylinder lies inside the round cylinder, and the ends agree',
    [vector(5), rotation(), vector(0.9), direction()],
    (position, turn, aim, way) => {
      const world = worldOf(still(new CANNON.Cylinder(1, 1, 3, 12), position, turn))
      const obstacle = only(obstaclesFromCannon(world))
      expect(obstacle.shape.kind).toBe('cylinder')
      const start = plus(plus(position, aim), way, -20)
      const met = rayed(world, start, way, 60)
      const swept = obstacle.sweep(start, way, 0, 60)
      expect(swept).toBeLessThanOrEqual(met + 1e-6)
      const along = turned(turn, v(0, 1, 0))
      // beside the axis: cannon's ray may miss the end where its triangles meet
      const end = plus(position, turned(turn, v(0.11, 20, 0.17)), 1)
      expect(rayed(world, end, times(along, -1), 60)).toBeCloseTo(18.5, 5)
      expect(obstacle.sweep(end, times(along, -1), 0, 60)).toBeCloseTo(18.5, 9)
    },
    100,
  )
})

function times(a: Vec3Like, k: number): Vec3Like {
  return v(a.x * k, a.y * k, a.z * k)
}

describe('shapes', () => {
  it('a plane faces along its own +Z, so a ground plane is turned by −90° about X', () => {
    const obstacles = obstaclesFromCannon(
      worldOf(still(new CANNON.Plane(), v(0, 2, 0), about(v(1, 0, 0), -Math.PI / 2))),
    )
    expect(distance(obstacles, 7, 5, -3)).toBeCloseTo(3, 12)
    expectVec(out, v(0, 1, 0), 1e-12)
    expect(distance(obstacles, 7, 1, -3)).toBeCloseTo(-1, 12)
    expect(distance(obstaclesFromCannon(worldOf(still(new CANNON.Plane()))), 7, 5, -3)).toBe(-3)
  })

  it('a cylinder stands along its own +Y', () => {
    const obstacles = obstaclesFromCannon(worldOf(still(new CANNON.Cylinder(1, 1, 6, 16))))
    expect(distance(obstacles, 0, 5, 0)).toBeCloseTo(2, 12)
    expect(distance(obstacles, 3, 0, 0)).toBeCloseTo(2, 12)
    expect(distance(obstacles, 0, 0, -3)).toBeCloseTo(2, 12)
  })

  it('a cylinder with vertices turned to Z, as in old cannon.js code, lies along Z', () => {
    const shape = new CANNON.Cylinder(1, 1, 6, 16)
    shape.transformAllPoints(new Vec3(), new Quaternion().setFromAxisAngle(new Vec3(1, 0, 0), Math.PI / 2))
    const obstacles = obstaclesFromCannon(worldOf(still(shape)))
    expect(distance(obstacles, 0, 0, 5)).toBeCloseTo(2, 9)
    expect(distance(obstacles, 0, 5, 0)).toBeCloseTo(4, 1)
    expect(only(obstacles).shape.kind).toBe('hull')
  })

  it('a cone is a hull with one tip, though its vertices there coincide', () => {
    const obstacles = obstaclesFromCannon(worldOf(still(new CANNON.Cylinder(0, 1, 2, 8))))
    expect(distance(obstacles, 0, 4, 0)).toBeCloseTo(3, 12)
    expect(distance(obstacles, 0, -3, 0)).toBeCloseTo(2, 12)
    expect(distance(obstacles, 0, -1, 3)).toBeCloseTo(2, 12)
    // the sides lean by 1 on 2, and each of eight flat sides is nearer to the axis than the corners by cos(π
    // / 8)
    const lean = 1 / Math.hypot(1, Math.cos(Math.PI / 8) / 2)
    expect(distance(obstacles, 0, 0, 0)).toBeCloseTo((-lean * Math.cos(Math.PI / 8)) / 2, 9)
  })

  it('a particle is a sphere of one millimetre', () => {
    const obstacles = obstaclesFromCannon(worldOf(still(new CANNON.Particle(), v(1, 0, 0))))
    expect(distance(obstacles, 0, 0, 0)).toBeCloseTo(0.999, 12)
  })

  it.each<[string, (shape: CANNON.ConvexPolyhedron) => void]>([
    ['inverted faces', ({ faces }) => faces.forEach((face) => face.reverse())],
    ['one inverted face', ({ faces }) => void faces[2]!.reverse()],
    ['a missing face', ({ faces }) => void faces.pop()],
    ['a face without area', ({ faces }) => void faces.push([0, 0, 1])],
    ['an unused vertex', ({ vertices }) => void vertices.push(new Vec3(0, 0.1, 0))],
    ['triangles instead of a square', ({ faces }) => void faces.splice(0, 1, [0, 1, 2], [0, 2, 3])],
    [
      'corners of their own for each face',
      ({ vertices, faces }) => {
        const all = faces.flatMap((face) => face.map((i) => vertices[i]!.clone()))
        let next = 0
        for (const [i, face] of faces.entries()) faces[i] = face.map(() => next++)
        vertices.splice(0, vertices.length, ...all)
      },
    ],
  ])('a convex polyhedron with %s is the hull of its vertices', (_, spoil) => {
    const shape = pyramid()
    spoil(shape)
    const obstacles = obstaclesFromCannon(worldOf(still(shape)))
    const right = obstaclesFromCannon(worldOf(still(pyramid())))
    for (const [x, y, z] of [
      [0, -3, 0],
      [2, 1, 0.3],
      [0, 5, 0],
      [0.1, 0, 0.2],
      [-4, -4, -4],
    ] as const)
      expect(distance(obstacles, x, y, z)).toBeCloseTo(distance(right, x, y, z), 9)
  })
})

describe('the set', () => {
  it('reads the present positions of bodies, not their bounding boxes, which are out of date after a static body was moved', () => {
    const body = still(new CANNON.Box(new Vec3(1, 1, 1)))
    const world = worldOf(body)
    const obstacles = obstaclesFromCannon(world)
    body.position.set(10, 0, 0)
    body.quaternion.setFromAxisAngle(new Vec3(0, 0, 1), Math.PI / 4)
    obstacles.refresh()
    expect(distance(obstacles, 0, 0, 0)).toBeCloseTo(10 - Math.SQRT2, 9)
    // the trap: cannon's bounding box is still at the old place
    world.step(DT)
    expect(body.aabb.upperBound.x).toBeLessThan(2)
  })

  it('knows the velocity and angular velocity of a body', () => {
    const body = new CANNON.Body({ mass: 1, velocity: vec(v(1, 2, 3)), angularVelocity: vec(v(0, 0, 2)) })
    body.addShape(new CANNON.Sphere(1), new Vec3(0, 5, 0))
    const obstacle = only(obstaclesFromCannon(worldOf(body)))
    const at = v(3, 4, 0)
    expectVec(obstacle.velocityAt(v(0, 0, 0), at), plus(v(1, 2, 3), crossOf(v(0, 0, 2), at)), 1e-12)
    expect(obstacle.owner).toBe(body)
    expect(obstacle.followed).toBe(body)
  })

  it('has an obstacle for each shape of a body, all owned by it', () => {
    const body = still(new CANNON.Sphere(1))
    body.addShape(new CANNON.Box(new Vec3(1, 2, 3)), new Vec3(5, 0, 0))
    body.addShape(new CANNON.Sphere(2), new Vec3(0, 9, 0))
    const obstacles = obstaclesFromCannon(worldOf(body))
    expect([...obstacles].map(({ shape, owner }) => [shape.kind, owner === body])).toEqual([
      ['sphere', true],
      ['box', true],
      ['sphere', true],
    ])
  })

  it('notices bodies that are added and removed', () => {
    const [one, two] = [still(new CANNON.Sphere(1)), still(new CANNON.Sphere(1), v(10, 0, 0))]
    const world = worldOf(one)
    const obstacles = obstaclesFromCannon(world)
    const first = only(obstacles)
    world.addBody(two)
    obstacles.refresh()
    expect([...obstacles].map(({ owner }) => owner)).toEqual([one, two])
    world.removeBody(one)
    obstacles.refresh()
    expect(only(obstacles).owner).toBe(two)
    world.removeBody(two)
    world.addBody(one)
    obstacles.refresh()
    expect(only(obstacles).owner).toBe(one)
    expect(obstacles.has(first)).toBe(false)
  })

  it('notices a body removed and another added in its place', () => {
    const [one, two] = [still(new CANNON.Sphere(1)), still(new CANNON.Sphere(2))]
    const world = worldOf(one)
    const obstacles = obstaclesFromCannon(world)
    world.removeBody(one)
    world.addBody(two)
    obstacles.refresh()
    expect(only(obstacles).owner).toBe(two)
  })

  it('keeps its obstacles while nothing changes', () => {
    const body = still(new CANNON.Box(new Vec3(1, 1, 1)))
    body.addShape(new CANNON.Cylinder(1, 1, 2, 9))
    body.addShape(pyramid())
    const obstacles = obstaclesFromCannon(worldOf(body))
    const before = [...obstacles]
    body.position.x = 5
    for (let i = 0; i < 5; i++) obstacles.refresh()
    expect([...obstacles]).toEqual(before)
    for (const [i, each] of [...obstacles].entries()) expect(each).toBe(before[i])
  })

  it.each<[string, (body: CANNON.Body) => void, number]>([
    ['its radius', ({ shapes }) => void ((shapes[0] as CANNON.Sphere).radius = 2), 7],
    ['the place of the shape', ({ shapeOffsets }) => void shapeOffsets[0]!.set(1, 0, 0), 8],
    ['another shape', (body) => void body.addShape(new CANNON.Sphere(3)), 7],
    ['one shape less', (body) => void body.removeShape(body.shapes[0]!), Infinity],
    ['a switched off shape', ({ shapes }) => void (shapes[0]!.collisionResponse = false), Infinity],
    [
      'another shape instead',
      (body) => {
        body.removeShape(body.shapes[0]!)
        body.addShape(new CANNON.Box(new Vec3(4, 1, 1)))
      },
      6,
    ],
  ])('notices %s', (_, change, expected) => {
    const body = still(new CANNON.Sphere(1))
    const obstacles = obstaclesFromCannon(worldOf(body))
    expect(distance(obstacles, 10, 0, 0)).toBe(9)
    change(body)
    obstacles.refresh()
    expect(distance(obstacles, 10, 0, 0)).toBe(expected === 7 && body.shapes.length === 1 ? 8 : expected)
  })

  it.each<[string, CANNON.Shape, (shape: never) => void, number]>([
    ['a box', new CANNON.Box(new Vec3(1, 1, 1)), (box: CANNON.Box) => void (box.halfExtents.x = 3), 7],
    [
      'a hull',
      pyramid(),
      (hull: CANNON.ConvexPolyhedron) => hull.vertices.forEach((p) => p.scale(3, p)),
      7.6,
    ],
    [
      'a cylinder',
      new CANNON.Cylinder(1, 1, 2, 8),
      (one: CANNON.Cylinder) => one.vertices.forEach((p) => p.scale(3, p)),
      7,
    ],
  ])('notices %s that grows', (_, shape, grow, expected) => {
    const obstacles = obstaclesFromCannon(worldOf(still(shape)))
    expect(distance(obstacles, 10, -0.5, 0)).toBeGreaterThan(8)
    grow(shape as never)
    obstacles.refresh()
    expect(Math.abs(distance(obstacles, 10, -0.5, 0) - expected)).toBeLessThan(0.3)
  })

  it('notices another shape in the place of one with the same dimensions', () => {
    const body = still(new CANNON.Plane())
    const obstacles = obstaclesFromCannon(worldOf(body))
    body.removeShape(body.shapes[0]!)
    body.addShape(new CANNON.Particle())
    obstacles.refresh()
    expect(only(obstacles).shape.kind).toBe('sphere')
  })

  it('lets the user add and remove obstacles', () => {
    const world = worldOf(still(new CANNON.Sphere(1)))
    const obstacles = obstaclesFromCannon(world)
    const mine = obstacles.add({ shape: only(obstacles).shape, at: v(0, 50, 0) })
    obstacles.remove([...obstacles][0]!)
    obstacles.refresh()
    expect(only(obstacles)).toBe(mine)
    world.removeBody(world.bodies[0]!)
    obstacles.refresh()
    expect(only(obstacles)).toBe(mine)
  })

  it('may change within a step of the world', () => {
    const [rock, ship] = [
      still(new CANNON.Sphere(1)),
      new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(1) }),
    ]
    ship.position.set(0, 0, -9)
    const world = worldOf(rock, ship)
    const steering = new SteeringWorld()
    attachToCannon(steering, world)
    const obstacles = obstaclesFromCannon(world)
    const seen: number[] = []
    const behavior = {
      steer(): void {
        obstacles.refresh()
        seen.push(obstacles.size)
        if (seen.length === 2) world.removeBody(rock)
        if (seen.length === 4) world.addBody(rock)
        obstacles.refresh()
        seen.push(obstacles.size)
      },
    }
    steering.add(new SteeringController(null, { body: cannonBody(ship), behavior, maxSpeed: 1, maxForce: 1 }))
    world.subsystems.push({ update: () => seen.push(0) })
    for (let i = 0; i < 2; i++) world.step(DT)
    expect(seen).toEqual([1, 1, 0, 1, 1, 0])
  })
})

describe('which bodies', () => {
  const ball = (options: CANNON.BodyOptions = {}): CANNON.Body =>
    new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(1), ...options })

  it('are all except those steered by an agent, for as long as it steers them', () => {
    const [rock, ship] = [ball(), ball()]
    const obstacles = obstaclesFromCannon(worldOf(rock, ship))
    const owners = (): unknown[] => {
      obstacles.refresh()
      return [...obstacles].map(({ owner }) => owner)
    }
    const make = (): SteeringController =>
      new SteeringController(null, { body: cannonBody(ship), behavior: idle(), maxSpeed: 1, maxForce: 1 })
    const pilot = make()
    expect(owners()).toEqual([rock, ship])
    const steering = new SteeringWorld()
    steering.add(pilot)
    expect(owners()).toEqual([rock])
    steering.remove(pilot)
    expect(owners()).toEqual([rock, ship])
    steering.add(pilot)
    expect(owners()).toEqual([rock])
    pilot.dispose()
    expect(owners()).toEqual([rock, ship])
    // another agent takes over the body
    steering.add(make())
    expect(owners()).toEqual([rock])
    steering.dispose()
    expect(owners()).toEqual([rock, ship])
    const flock = addFlock(new SteeringWorld(), {
      count: 1,
      behavior: idle(),
      maxSpeed: 1,
      maxForce: 1,
      body: () => cannonBody(ship),
    })
    expect(owners()).toEqual([rock])
    flock.remove(0)
    expect(owners()).toEqual([rock, ship])
  })

  it('are neither triggers nor bodies without collision response', () => {
    const ghost = ball({ collisionResponse: false })
    const obstacles = obstaclesFromCannon(worldOf(ball({ isTrigger: true }), ghost))
    expect(obstacles.size).toBe(0)
    ghost.collisionResponse = true
    obstacles.refresh()
    expect(only(obstacles).owner).toBe(ghost)
  })

  it('are narrowed by the filter and widened by include, which may change their answers', () => {
    const [rock, trigger, ghost] = [ball(), ball({ isTrigger: true }), ball({ collisionResponse: false })]
    const asked: unknown[] = []
    let wanted = trigger
    const obstacles = obstaclesFromCannon(worldOf(rock, trigger, ghost), {
      filter(body) {
        asked.push(body)
        return body === wanted
      },
      include: (body) => body === trigger,
    })
    expect(only(obstacles).owner).toBe(trigger)
    expect(asked).toEqual([rock, trigger])
    wanted = rock
    obstacles.refresh()
    expect(only(obstacles).owner).toBe(rock)
    wanted = ghost
    obstacles.refresh()
    expect(obstacles.size).toBe(0)
  })
})

const mesh = (triangles: Triangles): MeshShape => new MeshShape(triangles)
const heights = Array.from({ length: 11 }, (_, i) =>
  Array.from({ length: 9 }, (__, k) => Math.sin(i) * Math.cos(0.7 * k)),
)
const field = (): CANNON.Heightfield => new CANNON.Heightfield(heights, { elementSize: 1.5 })
function sheet(size = 1.5): CANNON.Trimesh {
  const corners = heights.flatMap((row, i) => row.flatMap((height, k) => [size * i, size * k, height]))
  const cells = Array.from({ length: 90 }, (_, i) => i).filter((i) => i % 9 < 8)
  return new CANNON.Trimesh(
    corners,
    cells.flatMap((i) => [i, i + 9, i + 1, i + 10, i + 1, i + 9]),
  )
}

describe('a mesh or height field, by the option mesh', () => {
  law(
    'is met where a ray of cannon’s meets it, for any turn of its body and of the shape on it',
    [vector(5), rotation(), vector(3), rotation(), vector(2), vector(0.7)],
    (position, turn, offset, inner, aim, aside) => {
      for (const make of [field, sheet]) {
        const body = new CANNON.Body({ position: vec(position), quaternion: turnOf(turn) })
        body.addShape(make(), vec(offset), turnOf(inner))
        const world = worldOf(body)
        const place = (local: Vec3Like) =>
          plus(position, turned(turn, plus(offset, turned(inner, plus(v(7.5, 6, 0), local)))))
        const start = place(plus(aim, v(0.0123, 0.0077, 6)))
        const way = unit(minus(place(plus(aim, v(aside.x, aside.y, 0))), start))
        const obstacle = only(obstaclesFromCannon(world, { mesh }))
        expect(obstacle.sweep(start, way, 0, 20)).toBeCloseTo(rayed(world, start, way, 20), 4)
      }
    },
    60,
  )

  it('is made again when its size, its scale or its greatest height changes', () => {
    const [tiles, hills] = [sheet(), field()]
    const body = still(tiles)
    body.addShape(hills)
    const obstacles = obstaclesFromCannon(worldOf(body), { mesh })
    const before = [...obstacles]
    obstacles.refresh()
    for (const [i, each] of [...obstacles].entries()) expect(each).toBe(before[i])
    // a ray of cannon’s does not know the scale, but its contacts do
    tiles.setScale(new Vec3(2, 2, 1))
    hills.maxValue = 5
    obstacles.refresh()
    expect(obstacles.size).toBe(2)
    for (const each of obstacles) expect(before.includes(each)).toBe(false)
    const same = only(obstaclesFromCannon(worldOf(still(sheet(3))), { mesh }))
    for (const at of [v(1, 2, 3), v(20, 9, -3), v(25, 12, 0.1)])
      expect([...obstacles][0]!.distance(at, out)).toBe(same.distance(at, out))
  })

  it('is reported where it has no triangles', () => {
    const reported: string[] = []
    const body = still(new CANNON.Trimesh([0, 0, 0], []))
    obstaclesFromCannon(worldOf(body), {
      mesh,
      onUnsupported: (_body, _shape, why) => void reported.push(why),
    })
    expect(reported[0]).toMatch(/triangle/)
  })
})

describe('an unsupported shape', () => {
  it.each([
    ['Heightfield', field],
    ['Trimesh', sheet],
  ] as [string, () => CANNON.Shape][])('a %s is reported once, with what to use instead', (name, make) => {
    const calls = expectConsole()
    const body = still(make())
    body.addShape(make())
    const obstacles = obstaclesFromCannon(worldOf(body))
    obstacles.refresh()
    expect(obstacles.size).toBe(0)
    expect(calls.map(({ level }) => level)).toEqual(['warn'])
    for (const part of [`body ${body.id}`, name, 'MeshShape', 'three-steering/bvh'])
      expect(calls[0]!.text).toContain(part)
  })

  it('is reported to onUnsupported, and the other shapes of the body become obstacles', () => {
    const body = still(field())
    body.addShape(new CANNON.Sphere(1))
    body.addShape(sheet())
    const reported: unknown[] = []
    const obstacles = obstaclesFromCannon(worldOf(body), {
      onUnsupported: (of, shape, why) => reported.push(of, shape, /needs the option mesh/.test(why)),
    })
    obstacles.refresh()
    expect(reported).toEqual([body, body.shapes[0], true, body, body.shapes[2], true])
    expect(only(obstacles).shape.kind).toBe('sphere')
  })

  it('may be of an unknown type', () => {
    const shape = new CANNON.Shape({ type: 512 as never })
    shape.updateBoundingSphereRadius = () => undefined
    shape.calculateWorldAABB = (_position, _turn, low, high) => void high.copy(low)
    shape.calculateLocalInertia = () => undefined
    let reported = ''
    obstaclesFromCannon(worldOf(still(shape)), {
      onUnsupported: (_body, _shape, why) => void (reported = why),
    })
    expect(reported).toMatch(/512/)
  })

  it.each<[string, CANNON.Shape, RegExp]>([
    ['a sphere without size', new CANNON.Sphere(0), /radius: got 0/],
    ['a sphere of no number', new CANNON.Sphere(NaN), /radius: got NaN/],
    ['an endless sphere', new CANNON.Sphere(Infinity), /radius: got Infinity/],
    ['a flat box', new CANNON.Box(new Vec3(1, 0, 1)), /halfExtents.y: got 0/],
    ['a box of no number', new CANNON.Box(new Vec3(1, NaN, 1)), /halfExtents: got \(1, NaN, 1\)/],
    ['a cylinder without height', new CANNON.Cylinder(1, 1, 0, 8), /height: got 0/],
    [
      'a flat hull',
      new CANNON.ConvexPolyhedron({
        vertices: [v(0, 0, 0), v(1, 0, 0), v(0, 1, 0), v(1, 1, 0)].map(vec),
        faces: [],
      }),
      /Hull/,
    ],
  ])('%s, with name and value', (_, shape, says) => {
    expectConsole()
    const reported: string[] = []
    const obstacles = obstaclesFromCannon(worldOf(still(shape)), {
      onUnsupported: (_body, _shape, why) => void reported.push(why),
    })
    obstacles.refresh()
    expect(obstacles.size).toBe(0)
    expect(reported).toHaveLength(1)
    expect(reported[0]).toMatch(says)
  })

  it('becomes an obstacle when it is valid, and is reported again when it becomes invalid', () => {
    const shape = new CANNON.Sphere(0)
    const reported: string[] = []
    const obstacles = obstaclesFromCannon(worldOf(still(shape)), {
      onUnsupported: (_body, _shape, why) => void reported.push(why),
    })
    shape.radius = 2
    obstacles.refresh()
    expect(obstacles.size).toBe(1)
    shape.radius = NaN
    obstacles.refresh()
    obstacles.refresh()
    expect(obstacles.size).toBe(0)
    expect(reported).toHaveLength(2)
  })

  it('on a body without a finite position is reported once, and becomes an obstacle when the position is finite', () => {
    const body = still(new CANNON.Sphere(1), v(NaN, 0, 0))
    const reported: string[] = []
    const obstacles = obstaclesFromCannon(worldOf(body), {
      onUnsupported: (_body, _shape, why) => void reported.push(why),
    })
    obstacles.refresh()
    expect(obstacles.size).toBe(0)
    expect(reported).toHaveLength(1)
    expect(reported[0]).toMatch(/NaN/)
    body.position.x = 5
    obstacles.refresh()
    expect(distance(obstacles, 0, 0, 0)).toBe(4)
    // and stays at its last place when the position is not finite again
    body.position.x = NaN
    obstacles.refresh()
    expect(distance(obstacles, 0, 0, 0)).toBe(4)
  })
})

describe('the arguments of obstaclesFromCannon', () => {
  it('must be a cannon world', () => {
    for (const wrong of [null, undefined, {}, 3, { bodies: [] }] as unknown as CANNON.World[])
      expect(() => obstaclesFromCannon(wrong)).toThrow(/obstaclesFromCannon: got .*CANNON.World/)
  })

  it.each(['filter', 'include', 'onUnsupported'])('must have a function as %s', (option) => {
    expect(() => obstaclesFromCannon(new CANNON.World(), { [option]: 3 })).toThrow(
      new TypeError(`obstaclesFromCannon.${option}: got 3, must be a function`),
    )
  })

  it('may be a world of another copy of cannon-es', () => {
    // Node loads the CommonJS build and a bundler the other: classes differ, type numbers do not
    const copy = { addBody: () => undefined, bodies: [Object.assign({}, still(new CANNON.Sphere(1)))] }
    expect(obstaclesFromCannon(copy as unknown as CANNON.World).size).toBe(1)
  })
})

law(
  'the distance to a compound body is the smallest distance to its shapes',
  [vector(5), rotation(), vector(3), rotation(), vector(10), number(0.1, 2)],
  (position, turn, offset, inner, point, radius) => {
    const body = new CANNON.Body({ position: vec(position), quaternion: turnOf(turn) })
    body.addShape(new CANNON.Sphere(radius), vec(offset))
    body.addShape(new CANNON.Box(new Vec3(1, 0.5, 2)), vec(times(offset, -1)), turnOf(inner))
    const obstacles = obstaclesFromCannon(worldOf(body))
    const toBall = norm(minus(point, plus(position, turned(turn, offset)))) - radius
    const back = (q: typeof turn, a: Vec3Like): Vec3Like => turned({ x: -q.x, y: -q.y, z: -q.z, w: q.w }, a)
    const inBox = back(inner, plus(back(turn, minus(point, position)), offset))
    const off = v(Math.abs(inBox.x) - 1, Math.abs(inBox.y) - 0.5, Math.abs(inBox.z) - 2)
    const outside = norm(v(Math.max(0, off.x), Math.max(0, off.y), Math.max(0, off.z)))
    const toBox = outside + Math.min(0, Math.max(off.x, off.y, off.z))
    expect(obstacles.distance(point, out)).toBeCloseTo(Math.min(toBall, toBox), 9)
  },
)

it('a steered ship avoids rocks, and not its own body', () => {
  const ship = new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(1), position: vec(v(0, 0, -20)) })
  const world = worldOf(ship, still(new CANNON.Sphere(3)))
  const steering = new SteeringWorld()
  attachToCannon(steering, world)
  const obstacles = obstaclesFromCannon(world)
  const pilot = new SteeringController(null, {
    body: cannonBody(ship),
    maxSpeed: 5,
    maxForce: 20,
    behavior: {
      steer: ({ position }, step) => (
        obstacles.refreshFor(step),
        void seen.push(obstacles.distance(position, out))
      ),
    },
  })
  const seen: number[] = []
  steering.add(pilot)
  world.step(DT)
  expect(seen).toEqual([17])
  expectVec(out, unit(v(0, 0, -1)), 1e-12)
})
