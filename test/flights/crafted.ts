import RAPIER from '@dimforge/rapier3d-compat'
import * as CANNON from 'cannon-es'
import { BoxGeometry } from 'three'
import {
  Arrive,
  AttackRun,
  AvoidObstacles,
  AvoidWalls,
  blend,
  BoxShape,
  CapsuleShape,
  Contain,
  Cruise,
  CylinderShape,
  Face,
  Flocking,
  Flight,
  Flock,
  FollowPath,
  HollowShape,
  Hover,
  HullShape,
  Obstacles,
  OffsetPursue,
  Path,
  PrismShape,
  Pursue,
  Seek,
  Separation,
  SphereShape,
  STARLINGS,
  SteeringController,
  SteeringWorld,
  Thrusters,
  Walker,
  Wander,
  within,
  type Behavior,
  type ControllerOptions,
  type FlockOptions,
  type Locomotion,
  type Shape,
  type Vec3,
} from 'three-steering'
import { MeshShape } from 'three-steering/bvh'
import { obstaclesFromCannon } from 'three-steering/cannon'
import { Dock, Port, type DockOptions } from 'three-steering/docking'
import { linePattern } from 'three-steering/formation'
import { obstaclesFromRapier, rapierDoor } from 'three-steering/rapier'
import { bird, car, drone, fighter, freighter } from 'three-steering/vehicles'
import { Rails, wing } from '../behaviors/formation/formation-kit.js'
import { PLANS } from '../obstacles/kit.js'
import { solidOf } from '../rigs/bodies.js'
import { MAZES, type Maze } from '../rigs/mazes.js'
import { about, plus, times } from '../support/geometry.js'
import { stretched, type FlownScene } from './flown.js'

// Scenes that are made to run code which no other recorded flight runs: a mistake in it moves them.

const DT = 1 / 60
const v = (x = 0, y = 0, z = 0): Vec3 => ({ x, y, z })

/** Place `i` of `count` that are spread over the unit sphere. */
function evenly(i: number, count: number): Vec3 {
  const y = (2 * i + 1) / count - 1
  const far = Math.sqrt(1 - y * y)
  return v(far * Math.cos(2.4 * i), y, far * Math.sin(2.4 * i))
}

const TURN = about({ x: 0.6, y: 0, z: 0.8 }, 0.7)
const TENT = {
  vertices: [v(-2, -1, -1), v(2, -1, -1), v(2, -1, 2), v(-1, -1, 2), v(0, 3, 0)],
  faces: [
    [0, 1, 2, 3],
    [1, 0, 4],
    [2, 1, 4],
    [3, 2, 4],
    [0, 3, 4],
  ],
}

function addShip(
  world: SteeringWorld,
  options: Partial<ControllerOptions> & { behavior: Behavior },
): SteeringController {
  const traits = { mass: 2, maxSpeed: 7, maxForce: 40, maxTorque: 20, radius: 0.4, locomotion: new Hover() }
  const ship = new SteeringController(null, { ...traits, ...options })
  world.add(ship)
  return ship
}

/** Ships that fly through the middle of obstacles from all sides, and two that begin inside. */
function past(obstacles: Obstacles, before = (_time: number): void => undefined): FlownScene {
  const world = new SteeringWorld({ seed: 2 })
  const avoid = new AvoidObstacles({ obstacles })
  for (let i = 0; i < 8; i++) {
    const position = i < 6 ? times(evenly(i, 6), 9) : v(0.3, 0.5, 1.2 * i - 7)
    const target = times(i < 6 ? position : v(1, 0.4, i - 6), i < 6 ? -1 : 9)
    addShip(world, { position, behavior: within([avoid], new Arrive({ target })), seed: i })
  }
  let steps = 0
  const step = (): void => {
    before(steps++ * DT)
    world.step(DT)
  }
  return { worlds: [world], step }
}

const one = (shape: Shape): FlownScene => past(new Obstacles([{ shape, turn: TURN }]))

/** The same while the obstacle flies and tumbles. */
function tumbling(shape: Shape): FlownScene {
  const at = {
    position: v(-4, 0, 0),
    velocity: v(1.5, 0.2, 0),
    quaternion: about(v(0, 1, 0), 0),
    angularVelocity: v(0.3, 0.4, 0),
  }
  return past(new Obstacles([{ shape, at }]), (time) => {
    Object.assign(at.position, v(-4 + 1.5 * time, 0.2 * time, 0))
    Object.assign(at.quaternion, about(v(0.6, 0.8, 0), 0.5 * time))
  })
}

/** Agents that wander in a turned room, kept by its walls. */
function inRoom(shape: Shape): FlownScene {
  const world = new SteeringWorld({ seed: 6 })
  const walls = new Obstacles([{ shape: new HollowShape(shape), turn: TURN }])
  for (let i = 0; i < 6; i++) {
    const keep = i % 2 === 0 ? new Contain({ bounds: walls }) : new AvoidWalls({ obstacles: walls })
    const wish = i < 3 ? new Wander() : new Seek({ target: times(evenly(i, 6), 30) })
    addShip(world, { position: times(evenly(i, 6), 0.6), behavior: within([keep], wish), seed: i })
  }
  return { worlds: [world], step: () => world.step(DT) }
}

/**
 * Waves with a side that no triangle shares, a triangle without area, and one that is a point but for
 * rounding.
 */
function waves(): MeshShape {
  const vertices: number[] = []
  const indices: number[] = []
  for (let i = 0; i < 9; i++)
    for (let k = 0; k < 9; k++) {
      vertices.push(2 * i - 8, Math.sin(1.3 * i) * Math.cos(k), 2 * k - 8)
      if (i < 8 && k < 8)
        indices.push(9 * i + k, 9 * i + k + 1, 9 * i + k + 9, 9 * i + k + 1, 9 * i + k + 10, 9 * i + k + 9)
    }
  vertices.push(-9, 2, 0, 0, 2, 0, 9, 2, 0)
  return new MeshShape({
    vertices: new Float32Array(vertices),
    indices: new Uint32Array([...indices, 81, 82, 83]),
  })
}

const CORNERS = Float32Array.of(1, 0, 0, -1, 0.2, 0, 0, 1.5, 0, 0, -1, 0.3, 0, 0, 2, 0.1, 0, -1)

function amongCannonBodies(): FlownScene {
  const physics = new CANNON.World()
  const lower = new CANNON.Cylinder(0.8, 0.8, 3, 8)
  for (const corner of lower.vertices) corner.y *= 0.5
  const forms = [
    new CANNON.Sphere(0.9),
    new CANNON.Box(new CANNON.Vec3(0.5, 1, 0.8)),
    new CANNON.Cylinder(0.8, 0.8, 3, 8),
    new CANNON.Cylinder(0.4, 1.2, 3, 8),
    lower,
    new CANNON.ConvexPolyhedron({
      vertices: TENT.vertices.map(({ x, y, z }) => new CANNON.Vec3(x / 2, y / 2, z / 2)),
      faces: TENT.faces,
    }),
    CANNON.Trimesh.createTorus(1.2, 0.4, 6, 6),
    new CANNON.Heightfield(
      [
        [0, 1, 0],
        [1, 2, 1],
        [0, 1, 0],
      ],
      { elementSize: 1 },
    ),
    new CANNON.Particle(),
  ]
  for (const [i, form] of forms.entries()) {
    const { x, y, z } = times(evenly(i, forms.length), 4)
    const body = new CANNON.Body({
      mass: i,
      position: new CANNON.Vec3(x, y, z),
      velocity: new CANNON.Vec3(-0.3 * x, 0, -0.1 * z),
    })
    body.addShape(form, new CANNON.Vec3(0.2, 0, 0.1), new CANNON.Quaternion(0.6, 0, 0, 0.8))
    physics.addBody(body)
  }
  const obstacles = obstaclesFromCannon(physics, { mesh: (triangles) => new MeshShape(triangles) })
  return past(obstacles, () => physics.step(DT))
}

function amongRapierColliders(): FlownScene {
  const { ColliderDesc: Form, RigidBodyDesc: Kind } = RAPIER
  const physics = new RAPIER.World(v(0, 0, 0))
  const forms = [
    Form.ball(0.8),
    Form.cuboid(0.5, 1, 0.8),
    Form.capsule(1, 0.4),
    Form.cylinder(1, 0.7),
    Form.cone(1.5, 0.9),
    Form.roundCone(1, 0.7, 0.2),
    Form.roundCylinder(1, 0.7, 0.2),
    Form.convexHull(CORNERS)!,
    Form.roundConvexHull(CORNERS, 0.3)!,
    Form.triangle(v(0, 0, 0), v(2, 0, 0), v(0, 0.5, 1)),
    Form.heightfield(
      3,
      4,
      new Float32Array(20).map((_, i) => Math.sin(1.7 * i)),
      v(3, 1, 2),
    ),
  ]
  for (const [i, form] of forms.entries()) {
    const { x, y, z } = times(evenly(i, forms.length), 4)
    const body = physics.createRigidBody(
      Kind.dynamic()
        .setTranslation(x, y, z)
        .setLinvel(-0.3 * x, 0, -0.1 * z)
        .setAngvel(v(0.2, 0.5, 0)),
    )
    physics.createCollider(form.setTranslation(0.2, 0, 0.1).setRotation(TURN), body)
  }
  const obstacles = obstaclesFromRapier(physics, { mesh: (triangles) => new MeshShape(triangles) })
  return past(obstacles, () => physics.step())
}

/** Characters on a slope, on stairs, along a wall, over an edge and on a lift, some turning. */
function characters(): FlownScene {
  const { ColliderDesc: Form, RigidBodyDesc: Kind } = RAPIER
  const physics = new RAPIER.World(v(0, -9.81, 0))
  physics.createCollider(Form.cuboid(20, 1, 40).setTranslation(0, -1, 0))
  physics.createCollider(
    Form.cuboid(8, 1, 3)
      .setTranslation(8, 0.5, -10)
      .setRotation(about(v(0, 0, 1), 0.4)),
  )
  for (let i = 0; i < 12; i++)
    physics.createCollider(Form.cuboid(6, 0.1, 3).setTranslation(7.5 + 0.4 * i, 0.2 * i, 0))
  physics.createCollider(
    Form.cuboid(0.5, 2, 6)
      .setTranslation(4, 2, 10)
      .setRotation(about(v(0, 1, 0), 0.5)),
  )
  const lift = physics.createRigidBody(Kind.kinematicPositionBased().setTranslation(0, 0.1, 20))
  physics.createCollider(Form.cuboid(2, 0.1, 2), lift)
  const world = new SteeringWorld({ seed: 4, gravity: v(0, -9.81, 0) })
  const door = rapierDoor(world, physics)
  const feet = physics.createCharacterController(0.01)
  feet.enableAutostep(0.4, 0.2, false)
  feet.enableSnapToGround(0.3)
  const walk = (x: number, z: number, behavior: Behavior, isTurned: boolean, low = 0): void => {
    const body = physics.createRigidBody(Kind.kinematicPositionBased().setTranslation(x, 0.92 - low, z))
    const collider = physics.createCollider(Form.capsule(0.6, 0.3).setTranslation(0, low, 0), body)
    const character = door.character(collider, feet, { mass: 70 })
    const locomotion = isTurned ? new Walker() : new Hover({ attitude: null })
    addShip(world, { body: character, behavior, locomotion, maxSpeed: 3, maxForce: 350, maxTorque: 40 })
  }
  walk(0, -11, new Seek({ target: v(30, 0, -8) }), true)
  walk(0, -10, new Seek({ target: v(30, 0, -10) }), false)
  walk(0, 0, new Seek({ target: v(30, 0, 1) }), true)
  walk(0, 1.5, new Seek({ target: v(30, 0, 1) }), false, 0.5)
  walk(0, 9, new Seek({ target: v(30, 0, 12) }), true)
  walk(0, 7, new Seek({ target: v(30, 0, 9) }), false)
  walk(18, 16, new Seek({ target: v(60, 0, 16) }), true)
  walk(0, 20, new Face({ target: v(-9, 0, 25) }), true)
  walk(0.5, 21, new Arrive({ target: v(1, 0, 19) }), false)
  const obstacles = obstaclesFromRapier(physics, {
    filter: (each) => each.shape.type !== RAPIER.ShapeType.Capsule,
  })
  const avoid = new AvoidWalls({ obstacles })
  for (const z of [-0.8, -9.3, 8]) walk(-1, z, within([avoid], new Seek({ target: v(30, 0, z) })), true)
  let steps = 0
  const step = (): void => {
    const time = steps++ * DT
    lift.setNextKinematicTranslation(v(0.5 * time, 0.1 + 0.4 * time, 20))
    door.step()
  }
  return { worlds: [world], step }
}

/** Ships that look for their way, and one on a path that walls block. */
function inMaze({ course: { blocks, pilots } }: Maze): FlownScene {
  const world = new SteeringWorld({ seed: 8 })
  const obstacles = new Obstacles(blocks.map(solidOf))
  const { goal, start } = pilots[0] as { goal: Vec3; start: Vec3 }
  const avoid = new AvoidObstacles({ obstacles })
  const path = new Path({ points: [start, times(start, 0.4), goal], curve: 'polyline' })
  const pilot = { window: 0.6, escape: true }
  for (const [i, wish] of [
    new Arrive({ target: goal }),
    new Arrive({ target: times(goal, 0.5) }),
    new FollowPath({ path, pilot, obstacles }),
  ].entries())
    addShip(world, {
      position: v(start.x, start.y + 1.5 * i, start.z),
      behavior: within([avoid], wish),
      maxSpeed: 14,
      maxForce: 80,
    })
  return { worlds: [world], step: () => world.step(DT) }
}

/** A ship behind walls within walls: the way out leads round all of them. */
function behindWalls(): FlownScene {
  const world = new SteeringWorld({ seed: 8 })
  const wall = (x: number, half: number, depth: number) => [
    { shape: new BoxShape(v(0.3, half, half)), at: v(x, 0, 0) },
    ...[-1, 1].map((k) => ({ shape: new BoxShape(v(depth, half, 0.3)), at: v(x - depth, 0, k * half) })),
    ...[-1, 1].map((k) => ({ shape: new BoxShape(v(depth, 0.3, half)), at: v(x - depth, k * half, 0) })),
  ]
  const obstacles = new Obstacles([
    ...wall(3, 3, 2),
    ...wall(6, 6, 1.5),
    { shape: new CylinderShape(1, 6), at: v(-3, 1, 0) },
  ])
  const avoid = new AvoidObstacles({ obstacles })
  for (const z of [0, 1.3, -1.6])
    addShip(world, {
      position: v(1.5, z, z),
      behavior: within([avoid], new Arrive({ target: v(14, 0, 0) })),
      maxForce: 90,
    })
  const path = new Path({ points: [v(-12), v(-6, 0, 5), v(14)], curve: 'polyline' })
  const pilot = { window: 0.5, escape: true }
  const follow = new FollowPath({ path, pilot, obstacles })
  addShip(world, { position: v(-9), behavior: within([avoid], follow) })
  addShip(world, { position: v(1, -2, 0), behavior: within([new AvoidWalls({ obstacles })], follow) })
  addShip(world, { position: v(0, 2, 0), behavior: new FollowPath({ path, pilot }), maxForce: 0.1 })
  return { worlds: [world], step: () => world.step(DT) }
}

function linePassing(passing: 'each' | 'together', speed = 6): FlownScene {
  const house = { shape: new BoxShape(v(3, 20, 10)), at: v(24, 0, 16) }
  const leader = new Rails(speed)
  const obstacles = new Obstacles([house, { shape: new SphereShape(2), at: v(30, 0, -9) }])
  const flown = wing({ spacing: 4, pattern: linePattern, leader, leaderApart: false, obstacles, passing })
  for (const z of [-8, -4, 0, 4, 8, 12]) flown.add(v(0, 0, z), { velocity: leader.velocity })
  const step = (): void => {
    flown.step()
    leader.fly(DT, 0.1)
  }
  return { worlds: [flown.world], step }
}

/** Their targets leave and come back, and so do obstacles. */
function leaving(): FlownScene {
  const world = new SteeringWorld({ seed: 9 })
  const prey = addShip(world, { position: v(9), behavior: new Wander() })
  const obstacles = new Obstacles()
  const keep = [new AvoidObstacles({ obstacles })]
  const wishes = [
    new Pursue({ target: prey }),
    new OffsetPursue({ target: prey, offset: v(-3, 1, 1) }),
    new Arrive({ target: prey }),
  ]
  for (const [i, wish] of wishes.entries())
    addShip(world, { position: v(0, i, 2 * i), behavior: i === 1 ? wish : within(keep, wish) })
  const thing = { position: v(20, 5, 0), velocity: v(0, 0, 1) }
  for (const wish of [new AttackRun({ target: thing, range: 12, minRange: 2 }), new Seek({ target: thing })])
    addShip(world, { position: v(0, 5, 8), velocity: v(3), behavior: wish })
  const rock = obstacles.add({ shape: new SphereShape(1), at: v(5, 0, 1) })
  let steps = 0
  const step = (): void => {
    steps++
    if (steps === 40) world.remove(prey)
    if (steps === 60) obstacles.remove(rock)
    if (steps === 80) world.add(prey)
    thing.position.x = steps > 20 && steps < 25 ? NaN : 20
    if (steps === 100) obstacles.add({ shape: new CapsuleShape(1, 4), at: prey })
    world.step(DT)
  }
  return { worlds: [world], step }
}

function vehicles(): FlownScene {
  const world = new SteeringWorld({ seed: 1, gravity: v(0, -9.81, 0) })
  for (const [i, options] of [drone(), fighter(), freighter(), bird(), car()].entries()) {
    const position = v(0, 30, 900 * i)
    const target = v(60, i === 4 ? 30 : 50, 900 * i + 40)
    addShip(world, {
      ...options,
      position,
      behavior: i === 3 ? new Seek({ target }) : new Arrive({ target }),
    })
  }
  return { worlds: [world], step: () => world.step(DT) }
}

/** Two flocks of one kind, in two groups or none. */
function flocks(behavior: Behavior, isGrouped: boolean, locomotion: Locomotion): FlownScene {
  const world = new SteeringWorld({ seed: 3, wrap: { min: v(-12, -9, -9), max: v(12, 9, 9) } })
  for (const count of [90, 30]) {
    const spawn: FlockOptions['spawn'] = (i, { position, velocity }) => {
      // the first two are at one place
      Object.assign(position, times(evenly(Math.max(i, 1), count), 8))
      Object.assign(velocity, times(evenly(i, 2 * count), 4))
    }
    const traits = { maxSpeed: count > 50 ? 6 : Infinity, maxForce: 12, radius: 0.2 }
    world.add(new Flock({ ...traits, group: isGrouped ? count & 3 : 0, count, behavior, locomotion, spawn }))
  }
  return { worlds: [world], step: () => world.step(DT) }
}

/** Cars that must turn round in a street: their goals are behind them, one of them behind a wall. */
function street(): FlownScene {
  const world = new SteeringWorld({ seed: 5, gravity: v(0, -9.81, 0) })
  const wall = (x: number, z: number, halfX: number, halfZ: number) => ({
    shape: new BoxShape(v(halfX, 3, halfZ)),
    at: v(x, 0, z),
  })
  const obstacles = new Obstacles([wall(-6, 0, 1, 60), wall(6, 0, 1, 60), wall(2, -12, 3, 0.5)])
  const avoid = new AvoidObstacles({ obstacles })
  const cars = [v(0, 0, -25), v(-2, 0, -40), v(3, 0, -13.5)].map((target, i) =>
    addShip(world, {
      ...car(),
      position: v(1, 0, 16 * i - 6),
      behavior: within([avoid], new Arrive({ target })),
    }),
  )
  let steps = 0
  const step = (): void => {
    // one is pushed off its way
    if (++steps === 150) cars[1]!.teleport({ position: plus(cars[1]!.position, v(-2.5)) })
    world.step(DT)
  }
  return { worlds: [world], step: stretched(step, 20) }
}

/** One agent that flies around two walls, on a route from its first step on. */
export function aroundWalls(): FlownScene {
  const world = new SteeringWorld()
  const obstacles = [
    { shape: new BoxShape(v(1, 30, 30)), at: v(10) },
    { shape: new BoxShape(v(12, 30, 1)), at: v(-1, 0, 29) },
  ]
  const behavior = within([new AvoidObstacles({ obstacles })], new Arrive({ target: v(20) }))
  world.add(new SteeringController(null, { behavior, maxSpeed: 4, maxForce: 8, plane: v(0, 1) }))
  return { worlds: [world], step: () => world.step(DT) }
}

const ENGINES: Readonly<Record<string, Locomotion>> = Object.fromEntries(
  Object.entries({
    'weak engines astern': [60, 15, 15],
    'tiny engines astern': [60, 6, 15],
    'no engines astern': [60, 0, 15],
    'no engines across': [60, 30, 0],
    'a main engine only': [60, 0, 0],
  }).map(([name, [ahead = 0, astern = 0, across = 0]]) => [
    name,
    new Thrusters({ ahead, astern, up: across, down: across, port: across, starboard: across }),
  ]),
)

/** Ships that dock at a carrier that flies and turns, from near and far, to the end. Two want one port. */
function docking(locomotion: Locomotion, dock: Partial<DockOptions> = {}): FlownScene {
  const world = new SteeringWorld({ seed: 7 })
  const thing = (y: number, spin: number) => ({
    position: v(0, y, 0),
    velocity: v(0.6, 0, 0.3),
    quaternion: about(v(0, 1, 0), 0),
    angularVelocity: v(0, spin, 0),
  })
  const [carrier, turning] = [thing(0, 0), thing(200, 0.08)]
  const ships: SteeringController[] = []
  for (const [i, owner] of [carrier, carrier, carrier, turning, turning].entries()) {
    const outward = [v(1), v(-1), v(0, 1), v(1), v(-1)][i]!
    const port = new Port({
      carrier: owner,
      position: times(outward, 5),
      outward,
      clearance: 6,
      corridor: 12,
    })
    const behavior = new Dock({ port, ...dock })
    // near its axis, far aside, too fast, out of sight behind the carrier
    const from = [v(4, 1, 30), v(50, 20, -60), v(-70, 5, 9), v(-9, 212, 40), v(0, 170, -30)][i]!
    const velocity = i === 2 ? v(12, 0, 0) : v(1, 0, i)
    const traits = { mass: 10, radius: 1, maxSpeed: 14, maxForce: 60, maxTorque: 15, inertia: v(8, 8, 8) }
    ships.push(addShip(world, { ...traits, behavior, locomotion, position: from, velocity }))
    if (i === 0) addShip(world, { ...traits, behavior, locomotion, position: v(30, -20, 50) })
  }
  let steps = 0
  const step = (): void => {
    const time = ++steps * DT
    for (const [i, each] of [carrier, turning].entries())
      Object.assign(each.position, v(0.6 * time, 200 * i, 0.3 * time))
    Object.assign(turning.quaternion, about(v(0, 1, 0), 0.08 * time))
    // two are thrown off, one of them far
    if (steps === 900)
      for (const i of [1, 3]) ships[i]!.teleport({ position: plus(ships[i]!.position, v(4, 9 * i)) })
    world.step(DT)
  }
  return { worlds: [world], step: stretched(step, 48) }
}

const SHAPES: Readonly<Record<string, Shape>> = {
  sphere: new SphereShape(2.5),
  box: new BoxShape(v(3, 1, 2)),
  capsule: new CapsuleShape(1.5, 4),
  cylinder: new CylinderShape(2, 4),
  hull: new HullShape(TENT),
}
const named = (text: string, make: (shape: Shape) => FlownScene): Record<string, () => FlownScene> =>
  Object.fromEntries(Object.entries(SHAPES).map(([name, shape]) => [`${text} ${name}`, () => make(shape)]))
const COMB = new PrismShape(
  PLANS['comb']!.map(({ x, z }) => ({ x: x - 3, z: 2 * z - 2 })),
  3,
)

const rules = (): Flocking => new Flocking(STARLINGS.flocking)
const POINTS = new Hover({ attitude: null })

export const CRAFTED: Readonly<Record<string, () => FlownScene>> = {
  ...named('past a', one),
  ...named('past a tumbling', tumbling),
  ...named('in a hollow', inRoom),
  'past a comb': () => one(COMB),
  'past a tumbling comb': () => tumbling(COMB),
  'past a yard': () => one(new PrismShape(PLANS['yard']!, 3)),
  'past a solid mesh': () => one(new MeshShape(new BoxGeometry(4, 2, 3), { solid: true })),
  'past waves': () => one(waves()),
  'past tumbling waves': () => tumbling(waves()),
  'past bodies of cannon': amongCannonBodies,
  'past colliders of Rapier': amongRapierColliders,
  'characters of Rapier': characters,
  'rooms with doors': () => inMaze(MAZES.rooms(3)),
  'pockets of rocks': () => inMaze(MAZES.pockets(3)),
  'walls within walls': behindWalls,
  'a line that passes a house together': () => linePassing('together'),
  'a line that passes a house each': () => linePassing('each'),
  'a line that stands before a house': () => linePassing('together', 0),
  'targets that leave': leaving,
  'all vehicles': vehicles,
  'cars that turn round': street,
  'ships that dock': () => docking(new Hover()),
  'ships that dock with their bellies': () => docking(new Hover(), { axis: v(0, -1, 0) }),
  ...Object.fromEntries(
    Object.entries(ENGINES).map(([name, gait]) => [`ships that dock with ${name}`, () => docking(gait)]),
  ),
  'flocks of nothing but their rules': () => flocks(rules(), false, POINTS),
  'flocks of nothing but their rules, in groups': () => flocks(rules(), true, POINTS),
  'flocks of sums in sums': () =>
    flocks(blend([blend([rules(), new Wander()]), new Cruise()]), true, new Flight()),
  'flocks that keep the largest pushes': () =>
    flocks(new Separation({ neighborDistance: 4, maxNeighbors: 3, prefer: 'largest' }), false, POINTS),
}
