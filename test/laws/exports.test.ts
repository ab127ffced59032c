import RAPIER from '@dimforge/rapier3d-compat'
import * as CANNON from 'cannon-es'
import { BoxGeometry, Group, InstancedMesh, Matrix4, Mesh, MeshBasicMaterial, Object3D, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import * as core from 'three-steering'
import * as authoring from 'three-steering/authoring'
import * as curves from 'three-steering/curves'
import * as docking from 'three-steering/docking'
import * as flows from 'three-steering/flow'
import * as formations from 'three-steering/formation'
import * as net from 'three-steering/net'
import * as classic from 'three-steering/classic'
import * as racing from 'three-steering/racing'
import * as bvh from 'three-steering/bvh'
import * as cannon from 'three-steering/cannon'
import * as doors from 'three-steering/door-tests'
import * as rapier from 'three-steering/rapier'
import * as debug from 'three-steering/debug'
import * as explain from 'three-steering/explain'
import * as presets from 'three-steering/presets'
import * as shards from 'three-steering/shards'
import * as snapshot from 'three-steering/snapshot'
import * as three from 'three-steering/three'
import { idle, norm, turned, xyz } from './kit.js'
import { addFlock } from '../support/flock.js'

/**
 * Every value that the package exports is used here once, for its main purpose. A new export without an
 * entry fails, an entry without an export does not compile. The functions return whether the export did
 * what it is for.
 */
type Table<T> = { readonly [K in keyof T]: () => boolean }

const { SteeringController, SteeringWorld } = core
const { seeded } = authoring
const AGENT = { maxSpeed: 8, maxForce: 20 }
await RAPIER.init()

const far = { position: { x: 20, y: 6, z: -8 }, velocity: { x: 0, y: 0, z: 3 } }
const Y: core.Vec3Like = { x: 0, y: 1, z: 0 }
const Y_CELL: core.Vec3Like = { x: 1, y: 2, z: 1 }
const QUARTER: core.QuatLike = { x: 0, y: Math.SQRT1_2, z: 0, w: Math.SQRT1_2 }
/** Two opposite poses beside each other, on one circle of radius 1. */
const ABREAST: [core.Waypoint, core.Waypoint] = [
  { position: { x: 0, y: 0, z: 0 }, heading: { x: 1, y: 0, z: 0 } },
  { position: { x: 0, y: 0, z: -2 }, heading: { x: -1, y: 0, z: 0 } },
]

const toFar: classic.PipelineOptions = {
  targeters: [new classic.PlaceTargeter(far)],
  actuator: new classic.ArriveActuator(),
}

/** A controller after some steps with a behaviour. */
function flown(
  behavior: core.Behavior,
  options: Partial<core.ControllerOptions> = {},
  steps = 30,
): core.SteeringController {
  const world = new SteeringWorld()
  const pilot = new SteeringController(null, { ...AGENT, behavior, ...options })
  world.add(pilot)
  for (let i = 0; i < steps; i++) world.step(1 / 60)
  return pilot
}

function nearer(behavior: core.Behavior, options?: Partial<core.ControllerOptions>): boolean {
  const { position: goal } = far
  const now = flown(behavior, options, 60).position
  return Math.hypot(goal.x - now.x, goal.y - now.y, goal.z - now.z) < Math.hypot(20, 6, 8) - 1
}

/** Distance (m) and relative speed (m/s) of a pair after one second, from 1 m apart. */
function pair(behavior: core.Behavior): { distance: number; speed: number } {
  const world = new SteeringWorld()
  const flock = addFlock(world, {
    ...AGENT,
    count: 2,
    behavior,
    spawn: (i, { position, velocity }) => {
      position.x = i
      position.y = position.z = 0
      velocity.x = velocity.z = 0
      velocity.y = i
    },
  })
  for (let i = 0; i < 60; i++) world.step(1 / 60)
  const [a, b, v, w] = Array.from({ length: 4 }, () => ({ x: 0, y: 0, z: 0 }))
  flock.position(0, a!)
  flock.position(1, b!)
  flock.velocity(0, v!)
  flock.velocity(1, w!)
  return {
    distance: Math.hypot(a!.x - b!.x, a!.y - b!.y, a!.z - b!.z),
    speed: Math.hypot(v!.x - w!.x, v!.y - w!.y, v!.z - w!.z),
  }
}

/** Smallest distance of two agents that meet head-on (m). */
function meeting(behavior: core.Behavior): number {
  const world = new SteeringWorld()
  const [a, b] = [-8, 8].map((x) => {
    const state = { position: { x, y: 0, z: 0 }, velocity: { x: -x / 2, y: 0, z: 0 } }
    return new SteeringController(null, { ...AGENT, behavior, ...state })
  })
  world.add(a!).add(b!)
  let least = Infinity
  for (let i = 0; i < 300; i++) {
    world.step(1 / 60)
    const [p, q] = [a!.position, b!.position]
    least = Math.min(least, Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z))
  }
  return least
}

/** A controller at the origin after some steps, with a row of agents at rest beside it. */
function amongOthers(behavior: core.Behavior, steps = 20): core.SteeringController {
  const world = new SteeringWorld()
  const pilot = new SteeringController(null, { ...AGENT, behavior })
  world.add(pilot)
  for (let x = 0; x < 4; x++)
    world.add(new SteeringController(null, { ...AGENT, behavior: idle(), position: { x, y: 1, z: 0 } }))
  for (let i = 0; i < steps; i++) world.step(1 / 60)
  return pilot
}

function nose(pilot: core.SteeringController): core.Vec3Like {
  return turned(pilot.quaternion, { x: 0, y: 0, z: 1 })
}

/** Whether two agents with this preset stay together and fly on. */
function flies({ flocking, cruise, traits }: core.FlockPreset): boolean {
  const mind = (): core.Behavior => core.blend([new core.Flocking(flocking), new core.Cruise(cruise)])
  return (
    pair(mind()).speed < 1 &&
    norm(flown(mind(), traits, 300).velocity) > 0.9 * cruise.speedShare! * traits.maxSpeed
  )
}

/** A port on an object, pointing along x. */
function portOf(thing: core.Moving): docking.Port {
  const carrier = { ...thing, quaternion: { x: 0, y: 0, z: 0, w: 1 } }
  return new docking.Port({ carrier, position: { x: 0, y: 0, z: 0 }, outward: { x: 0, y: 0, z: -1 } })
}

/** Distance (m) of a shape from the point 5 m along x. */
function away(shape: core.Shape): number {
  return shape.distance({ x: 5, y: 0, z: 0 }, { x: 0, y: 0, z: 0 })
}

/** Whether an agent from the origin passes a point at more than `clearance` (m). */
function passes(behavior: core.Behavior, { x, y, z }: core.Vec3Like, clearance: number): boolean {
  const world = new SteeringWorld()
  const pilot = new SteeringController(null, { ...AGENT, behavior })
  world.add(pilot)
  for (let i = 0; i < 240; i++) {
    world.step(1 / 60)
    const { position: p } = pilot
    if (Math.hypot(p.x - x, p.y - y, p.z - z) < clearance) return false
  }
  return Math.hypot(pilot.position.x, pilot.position.y, pilot.position.z) > Math.hypot(x, y, z)
}

/** Whether an agent flies past a rock. Off centre, because there the textbook method has no side to go to. */
function missesRock(Avoidance: typeof core.AvoidObstacles | typeof classic.ClassicAvoidance): boolean {
  const rock = { shape: new core.SphereShape(1.5), at: { x: 10, y: 4.2, z: -4 } }
  const avoid = new Avoidance({ obstacles: [rock] })
  return passes(core.priority([avoid, new core.Seek({ target: { x: 20, y: 6, z: -8 } })]), rock.at, 1.9)
}

/** Calls `use` once with the arguments of a behaviour's `steer`. */
function asAgent(use: (agent: core.Agent, step: core.Step, out: core.Wrench) => void): void {
  flown({ steer: use }, { velocity: { x: 1, y: 2, z: 3 } }, 1)
}

/** A flow sampled on a small grid. */
function gridOf(flow: flows.FlowSource): flows.FlowField {
  const [min, max] = [-1, 1].map((k) => ({ x: k, y: k, z: k }))
  return new flows.FlowField({ min: min!, max: max!, size: { x: 3, y: 3, z: 3 } }).paint(flow)
}

function onGrid(flow: flows.FlowSource): core.Vec3 {
  return gridOf(flow).velocityAt({ x: NaN, y: NaN, z: NaN }, { x: 0, y: 0, z: 0 })
}

const idleFlow = (): void => undefined

const coreTable: Table<typeof core> = {
  Guard: () => {
    const solids = new core.Obstacles([
      { shape: new core.HalfSpaceShape({ x: -1, y: 0, z: 0 }), at: far.position },
    ])
    const world = new core.SteeringWorld({ guard: new core.Guard(solids) })
    const one = new core.SteeringController(null, {
      ...AGENT,
      behavior: idle(),
      velocity: { x: 900, y: 0, z: 0 },
    })
    world.add(one).step(1)
    return Math.abs(one.position.x - far.position.x) < 1e-3
  },
  neighborSearch: () => {
    let count = 0
    const { neighborSearch } = core
    amongOthers({ reach: 9, neighborSearch, steer: (agent) => void (count = agent.neighbors.count) }, 1)
    return count > 0
  },
  Alignment: () => pair(new core.Alignment({ neighborDistance: 5 })).speed < 0.1,
  Arrive: () => nearer(new core.Arrive({ target: far.position })),
  AttackRun: () => nearer(new core.AttackRun({ target: far, range: 9 })),
  Attitude: () => {
    const attitude = new core.Attitude({ roll: 'level' })
    const out: core.Wrench = { force: { x: 0, y: 0, z: 0 }, torque: { x: 0, y: 0, z: 0 }, turns: false }
    const none: core.Wrench = structuredClone(out)
    asAgent((agent, step) => attitude.actuate(agent, none, step, none.force, out))
    return norm(out.torque) > 0
  },
  AvoidAgents: () => {
    const avoid = new core.AvoidAgents({ neighborDistance: 20 })
    return meeting(avoid) > 0.9 && meeting(idle()) < 0.1
  },
  AvoidObstacles: () => {
    const center = { x: 10, y: 3, z: -4 }
    return missesRock(core.AvoidObstacles) && !passes(new core.Seek({ target: far }), center, 1.9)
  },
  AvoidWalls: () => {
    const obstacles = [{ shape: new core.SphereShape(3), at: { x: 10, y: 3, z: -4 } }]
    const wall = new core.AvoidWalls({ obstacles })
    return flown(wall, { velocity: { x: 7, y: 2, z: -3 } }, 120).position.x < 9
  },
  BoxShape: () => away(new core.BoxShape({ x: 1, y: 2, z: 3 })) === 4,
  CapsuleShape: () => away(new core.CapsuleShape(1, 3)) === 4,
  Cohesion: () => pair(new core.Cohesion({ neighborDistance: 5, weight: 0.2 })).distance < 1.2,
  CylinderShape: () => away(new core.CylinderShape(2, 3)) === 3,
  Contain: () => {
    const room = new core.HollowShape(new core.BoxShape({ x: 4, y: 4, z: 4 }))
    const wish = new core.Seek({ target: far })
    const inside = core.within([new core.Contain({ bounds: [{ shape: room }] })], wish)
    const { x, y, z } = flown(inside, {}, 240).position
    return x > 2 && x < 3.5 && Math.abs(y) < 3.5 && Math.abs(z) < 3.5
  },
  Cruise: () => {
    const { velocity } = flown(new core.Cruise({ speedShare: 0.5 }), { velocity: Y }, 120)
    return Math.abs(norm(velocity) - AGENT.maxSpeed / 2) < 0.1 && Math.abs(velocity.x) < 1e-9
  },
  DRONES: () => flies(core.DRONES),
  DirectedSeek: () => {
    const target = { position: { x: 15, y: 4, z: -6 }, heading: { x: 0, y: -1, z: 0 } }
    const mind = new core.DirectedSeek({ target, radius: 3 })
    const result = { met: false }
    const world = new SteeringWorld()
    const pilot = new SteeringController(null, { ...AGENT, behavior: mind })
    pilot.addEventListener('arrive', () => (result.met = true))
    world.add(pilot)
    for (let i = 0; i < 600 && !result.met; i++) world.step(1 / 60)
    return result.met && pilot.velocity.y < -0.99 * norm(pilot.velocity)
  },
  Evade: () => !nearer(new core.Evade({ target: far })),
  EvadeGroup: () => pair(new core.EvadeGroup({ groups: 1, neighborDistance: 9 })).distance > 5,
  FISH: () => flies(core.FISH),
  Face: () => {
    const pilot = flown(new core.Face({ target: { x: 9, y: 0, z: 0 } }), {}, 300)
    return nose(pilot).x > 0.999
  },
  Flee: () => !nearer(new core.Flee({ target: far })),
  Flight: () =>
    nearer(new core.Seek({ target: far }), { locomotion: new core.Flight(), velocity: { x: 1, y: 0, z: 0 } }),
  Flock: () => {
    const flock = addFlock(new SteeringWorld(), { ...AGENT, count: 3, behavior: idle() })
    return flock instanceof core.Flock && flock.size === 3
  },
  Flocking: () =>
    pair(
      new core.Flocking({
        separation: { neighborDistance: 0.5 },
        alignment: { neighborDistance: 5 },
        cohesion: { neighborDistance: 5, weight: 0.1 },
      }),
    ).speed < 0.5,
  blockedWaypoints: () => {
    const path = new core.Path({ points: [{ x: 0, y: 0, z: 0 }, Y, far.position] })
    const obstacles = [{ shape: new core.SphereShape(0.5), at: Y }]
    return String(core.blockedWaypoints(path, obstacles, 0.2)) === '1'
  },
  findRoute: () => {
    const obstacles = [{ shape: new core.SphereShape(0.5), at: Y }]
    const route = core.findRoute(obstacles, { x: 0, y: 0, z: 0 }, { x: 0, y: 2, z: 0 }, 0.2)!
    return route.length > 2 && core.findRoute(obstacles, { x: 0, y: 0, z: 0 }, Y, 0.2) === null
  },
  freePosition: () => {
    const obstacles = new core.Obstacles([{ shape: new core.SphereShape(2), at: { x: 0, y: 0, z: 0 } }])
    const out = { x: 0, y: 0, z: 0 }
    return Math.abs(core.freePosition(out, { position: Y, radius: 1, obstacles }) - 2) < 1e-3 && out.y > 2.99
  },
  FollowPath: () => {
    const path = new core.Path({ points: [{ x: 0, y: 0, z: 0 }, Y, far.position] })
    return nearer(new core.FollowPath({ path }))
  },
  GEESE: () => flies(core.GEESE),
  convexHull: () => {
    const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 0, 1].map((z) => ({ x, y, z }))))
    return away(core.convexHull(corners)) === 4
  },
  HalfSpaceShape: () => away(new core.HalfSpaceShape({ x: 2, y: 0, z: 0 })) === 5,
  Hover: () => new core.Hover({ attitude: null }).pointMass,
  Hide: () => {
    const obstacles = [{ shape: new core.SphereShape(3), at: { x: 10, y: 3, z: -4 } }]
    const { position } = flown(new core.Hide({ target: far, obstacles }), {}, 300)
    // the hiding place is on the side away from the seeker
    return Math.hypot(position.x - 10, position.y - 3, position.z + 4) < 4 && position.x < 10
  },
  HollowShape: () => away(new core.HollowShape(new core.SphereShape(7))) === 2,
  HullShape: () => {
    const vertices = [-1, 1].flatMap((k) => [
      { x: k, y: 0, z: 0 },
      { x: 0, y: k, z: 0 },
      { x: 0, y: 0, z: k },
    ])
    // around the equator, seen from the top
    const faces = [5, 3, 2, 0].flatMap((a, i, ring) => [
      [4, a, ring[(i + 1) % 4]!],
      [1, ring[(i + 1) % 4]!, a],
    ])
    return Math.abs(away(new core.HullShape({ vertices, faces })) - 4) < 1e-12
  },
  Interpose: () => nearer(new core.Interpose({ targets: [far, far] })),
  JoinUp: () => nearer(new core.JoinUp({ target: far, offset: { x: 0, y: 0, z: 0 } })),
  LeaderFollow: () => nearer(new core.LeaderFollow({ target: far, distance: 2 })),
  LookWhereGoing: () => {
    const pilot = flown(new core.LookWhereGoing(), { velocity: { x: -4, y: 0, z: 0 } }, 300)
    return nose(pilot).x < -0.99
  },
  MatchAttitude: () => {
    const pilot = flown(new core.MatchAttitude({ target: { quaternion: QUARTER } }), {}, 300)
    return Math.abs(pilot.quaternion.y - Math.SQRT1_2) < 0.01
  },
  MatchVelocity: () =>
    Math.abs(flown(new core.MatchVelocity({ target: far }), {}, 120).velocity.z - 3) < 0.01,
  Obstacle: () => {
    const obstacle = new core.Obstacle({ shape: new core.SphereShape(2), at: far })
    return obstacle.distance({ x: 25, y: 6, z: -8 }, { x: 0, y: 0, z: 0 }) === 3 && obstacle.velocity.z === 3
  },
  Obstacles: () => {
    const obstacles = new core.Obstacles([{ shape: new core.SphereShape(2), at: far }])
    const from = { x: 20, y: 6, z: 0 }
    return (
      obstacles.near(from, 7, []) === 1 && obstacles.sweep(from, { x: 0, y: 0, z: -1 }, 1)?.distance === 5
    )
  },
  OffsetPursue: () => nearer(new core.OffsetPursue({ target: far, offset: { x: 0, y: 0, z: 0 } })),
  Path: () => new core.Path({ points: [Y, far.position], curve: 'polyline' }).segmentAt(9) === 0,
  PathTube: () => away(new core.PathTube(new core.Path({ points: [far.position, Y] }), 2)) < 2,
  Loiter: () => {
    const pilot = flown(new core.Loiter({ target: far.position, radius: 5 }), {}, 900)
    const { x, y, z } = pilot.position
    return Math.hypot(x - 20, y - 6, z + 8) < 13 && norm(pilot.velocity) > 5
  },
  Orbit: () => {
    const pilot = flown(new core.Orbit({ target: far.position, radius: 5 }), {}, 900)
    const { x, y, z } = pilot.position
    return Math.abs(Math.hypot(x - 20, y - 6, z + 8) - 5) < 0.05 && norm(pilot.velocity) > 5
  },
  PerlinNoise: () => {
    const noise = new core.PerlinNoise({ wavelength: 5 })
    const at = (x: number): core.Vec3 => noise.sample({ x: 0, y: 0, z: 0 }, { x, y: 1, z: 2 })
    const gap = (a: core.Vec3Like, b: core.Vec3Like): number => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)
    return gap(at(1), at(1)) === 0 && gap(at(1), at(1.01)) < 0.05 && gap(at(1), at(8)) > 0.1
  },
  Pursue: () => nearer(new core.Pursue({ target: far })),
  Queue: () => {
    const world = new SteeringWorld()
    const queue = new core.Queue({ target: Y, radius: 30 })
    const behavior = core.within([queue], new core.Seek({ target: Y }))
    const last = new SteeringController(null, { ...AGENT, behavior, position: { x: 9, y: 1, z: 0 } })
    world.add(last)
    world.add(new SteeringController(null, { ...AGENT, behavior: idle(), position: { x: 3, y: 1, z: 0 } }))
    for (let i = 0; i < 300; i++) world.step(1 / 60)
    return last.position.x > 4 && last.position.x < 4.3
  },
  ReciprocalAvoidance: () => {
    const avoid = new core.ReciprocalAvoidance({ neighborDistance: 20 })
    return meeting(avoid) > 1 && meeting(idle()) < 0.1
  },
  RepelObstacle: () => {
    const obstacles = [{ shape: new core.SphereShape(3) }]
    return norm(flown(new core.RepelObstacle({ obstacles }), {}, 120).position) > 3.4
  },
  Seek: () => nearer(new core.Seek({ target: far })),
  Separation: () => pair(new core.Separation({ neighborDistance: 5 })).distance > 2,
  Sight: () => {
    const sight = (range: number): core.Sight =>
      new core.Sight({ target: far, behavior: new core.Seek({ target: far }), range })
    return nearer(sight(30)) && !nearer(sight(5))
  },
  SlowInCrowd: () => {
    const seek = (): core.Behavior => new core.Seek({ target: { x: 99, y: 0, z: 0 } })
    const slow = new core.SlowInCrowd({ behavior: seek(), radius: 3, fullDensity: 0.1 })
    return norm(amongOthers(slow).velocity) < 3 && norm(amongOthers(seek()).velocity) > 5
  },
  STARLINGS: () => flies(core.STARLINGS),
  PrismShape: () => {
    const corners = [
      { x: -2, z: -2 },
      { x: -2, z: 2 },
      { x: 2, z: 2 },
      { x: 2, z: -2 },
    ]
    return away(new core.PrismShape(corners, 3)) === 3
  },
  SphereShape: () => away(new core.SphereShape(2)) === 3,
  SteeringController: () => flown(idle()).active,
  setHints: () => core.setHints(true) === undefined,
  SteeringWorld: () => new SteeringWorld({ up: { x: 0, y: 0, z: 2 } }).up.z === 1,
  Stick: () => {
    const pilot = flown(new core.Stick({ ahead: 0.5, pitch: 0.1 }), {}, 60)
    return norm(pilot.velocity) > 3.5 && nose(pilot).y > 0.1
  },
  Stop: () => norm(flown(new core.Stop(), { velocity: { x: 3, y: 0, z: -1 } }, 120).velocity) < 0.01,
  Strafe: () => nearer(new core.Strafe({ target: far, missDistance: 3 })),
  Tether: () => {
    const held = flown(new core.Tether({ target: far.position, radius: 5 }), {}, 600)
    return (
      norm({ x: held.position.x - 20, y: held.position.y - 6, z: held.position.z + 8 }) < norm(far.position)
    )
  },
  Walker: () => nearer(new core.Seek({ target: far }), { locomotion: new core.Walker() }),
  Wheels: () =>
    nearer(new core.Seek({ target: far }), {
      locomotion: new core.Wheels({ wheelbase: 1 }),
      forward: { x: 1, y: 0, z: 0 },
    }),
  Thrusters: () => nearer(new core.Seek({ target: far }), { locomotion: new core.Thrusters({ ahead: 20 }) }),
  WallFollow: () => {
    const obstacles = [{ shape: new core.SphereShape(3), at: far.position }]
    const { position: p } = flown(new core.WallFollow({ obstacles, distance: 1 }), { radius: 0.5 }, 600)
    return Math.abs(Math.hypot(p.x - 20, p.y - 6, p.z + 8) - 4.5) < 0.05
  },
  Wander: () => norm(flown(new core.Wander()).velocity) > 1,
  flockCenter: () => {
    let found = NaN
    asAgent((agent) => {
      const out = { x: 1, y: 1, z: 1 }
      core.flockCenter(agent, out)
      found = norm(out) - norm(agent.flockCenter)
    })
    return found === 0
  },
  scaleFlock: () => {
    const { traits, flocking } = core.scaleFlock(core.FISH, { radius: 1 })
    return Math.abs(traits.maxSpeed - 15) < 1e-9 && Math.abs(flocking.separation.neighborDistance - 6) < 1e-9
  },
  wallsFromCells: () =>
    core.wallsFromCells({ size: { x: 2, y: 1, z: 3 }, cell: Y_CELL, isSolid: (x) => x === 1 }).length === 1,
  intercept: () => {
    const shooter = { position: { x: 0, y: 0, z: 0 }, velocity: Y }
    return core.intercept(shooter, far, 9)!.aim.z > far.position.z
  },
  blend: () => nearer(core.blend([{ behavior: new core.Seek({ target: far }), weight: 2 }])),
  contextMap: () => {
    const rock = { shape: new core.SphereShape(2), at: { x: 10, y: 3, z: -4 } }
    const danger = [new core.AvoidObstacles({ obstacles: [rock] })]
    return passes(core.contextMap({ interest: [new core.Seek({ target: far })], danger }), rock.at, 2.5)
  },
  dither: () => nearer(core.dither([{ behavior: idle(), probability: 0.5 }, new core.Seek({ target: far })])),
  modes: () => {
    const modes = core.modes({ stay: idle(), go: new core.Seek({ target: far }) })
    modes.current = 'go'
    return nearer(modes)
  },
  priority: () => nearer(core.priority([idle(), new core.Seek({ target: far })])),
  smooth: () => nearer(core.smooth(new core.Seek({ target: far }), { time: 0.3 })),
  truncatedSum: () => nearer(core.truncatedSum([idle(), new core.Seek({ target: far })])),
  within: () => {
    const rock = { shape: new core.SphereShape(2), at: { x: 10, y: 3, z: -4 } }
    const avoid = new core.AvoidObstacles({ obstacles: [rock] })
    return passes(core.within([avoid], new core.Seek({ target: far })), rock.at, 2.5)
  },
}

const curvesTable: Table<typeof curves> = {
  ArcPath: () => new curves.ArcPath().begin(far.position, Y).straight(3).length === 3,
  dubins: () => {
    const points = [
      { x: 0, y: 0, z: 0 },
      { x: 20, y: 0, z: 0 },
    ]
    const path = new core.Path({ points, curve: curves.dubins, headings: [Y, null], radius: 2 })
    return path.tangentAt({ x: 0, y: 0, z: 0 }, 0).y === 1
  },
  dubins2d: () => Math.abs(curves.dubins2d(new curves.ArcPath(), ...ABREAST, 1) - Math.PI) < 1e-9,
  dubins3d: () => {
    // around a circle in space, or down to the side and up again
    const [{ position, heading }] = ABREAST
    const to = { position: { x: position.x, y: position.y + 2, z: position.z }, heading }
    return Math.abs(curves.dubins3d(new curves.ArcPath(), { position, heading }, to, 1) - 2 * Math.PI) < 1e-6
  },
  reedsShepp: () => {
    const path = new curves.ArcPath()
    const [{ position, heading }] = ABREAST
    const length = curves.reedsShepp(
      path,
      { position: { x: 2, y: 0, z: 0 }, heading },
      { position, heading },
      1,
    )
    return length === 2 && path.gearAt(1) === -1
  },
  reverse3d: () => {
    const path = new curves.ArcPath()
    const [from] = ABREAST
    // a three-point turn out of the plane
    const length = curves.reverse3d(path, from, { position: { x: -1, y: 1, z: 0.1 }, heading: Y }, 1)
    return length < 4 && path.gearAt(0) !== path.gearAt(length)
  },
  jakobHeading: () => {
    const out = { x: 0, y: 0, z: 0 }
    const stage = curves.jakobHeading(out, ...ABREAST, 0.25, 0.25, 0, { circles: 'one', plane: null })
    return stage === 1 && Math.abs(norm(out) - 1) < 1e-9
  },
}

const racingTable: Table<typeof racing> = {
  GateRun: () => {
    const gates = [{ position: { x: 1, y: 0.3, z: -0.4 }, heading: far.position, radius: 2 }]
    const run = new racing.GateRun({ gates, ends: 'open', behavior: new core.Seek({ target: far }) })
    return run.of(flown(run, {}, 60).id)?.done === true
  },
  racingLine: () => {
    const gates = [0, 1, 2].map((k) => ({
      position: { x: 30 * k, y: 4 * (k % 2), z: 0 },
      heading: { x: 1, y: 0, z: 0 },
      radius: 3,
    }))
    const line = new core.Path(racing.racingLine(gates, { speed: 5, acceleration: 5 }))
    return line.length < 60.4
  },
}

const classicTable: Table<typeof classic> = {
  ClassicAvoidance: () => missesRock(classic.ClassicAvoidance),
  ArriveActuator: () => nearer(new classic.Pipeline(toFar)),
  AttitudeTargeter: () => {
    const goal = new classic.PipelineGoal()
    asAgent((agent, step) => new classic.AttitudeTargeter({ quaternion: QUARTER }).target(agent, step, goal))
    return goal.hasOrientation && Math.abs(goal.orientation.y - Math.SQRT1_2) < 1e-9
  },
  BallConstraint: () => {
    const center = { x: 10, y: 3, z: -4 }
    const keepOut = new classic.BallConstraint({ center, radius: 2 })
    return passes(new classic.Pipeline({ ...toFar, constraints: [keepOut] }), center, 2.5)
  },
  PathDecomposer: () => {
    const path = new core.Path({ points: [{ x: 0, y: 0, z: 0 }, { x: 0, y: 9, z: 0 }, far.position] })
    const mind = new classic.Pipeline({
      ...toFar,
      decomposers: [new classic.PathDecomposer({ path, ahead: 2 })],
    })
    const { x, y } = flown(mind).position
    return y > 1 && x < 1
  },
  Pipeline: () => nearer(new classic.Pipeline(toFar)),
  PipelineGoal: () => !new classic.PipelineGoal().hasPosition,
  PipelinePath: () => {
    const path = new classic.PipelinePath()
    path.add(Y)
    return path.count === 1 && path.points[0]!.y === 1
  },
  PlaceTargeter: () => {
    const goal = new classic.PipelineGoal()
    asAgent((agent, step) => new classic.PlaceTargeter(far).target(agent, step, goal))
    return goal.hasPosition && goal.position.x === 20 && goal.velocity.z === 3
  },
  pipeline: () => classic.pipeline(toFar) instanceof classic.Pipeline,
}

const flowTable: Table<typeof flows> = {
  FollowFlowField: () => {
    const field = new flows.WindFlow({ velocity: { x: 5, y: 1.5, z: -2 } })
    return nearer(new flows.FollowFlowField({ field }), { velocity: field.velocity })
  },
  FlowField: () => onGrid(new flows.WindFlow({ velocity: Y })).y === 1,
  FlowSum: () =>
    onGrid(new flows.FlowSum([{ flow: (_point, _time, out) => (out.y = 2), weight: 0.5 }])).y === 1,
  FlowAround: () => {
    const obstacles = new core.Obstacles([{ shape: new core.SphereShape(2), at: Y }])
    const wind = new flows.WindFlow({ velocity: Y })
    return (
      norm(new flows.FlowAround({ flow: wind, obstacles }).velocityAt({ ...Y }, { x: 0, y: 3, z: 0 }, 0)) <
      1e-9
    )
  },
  PathFlow: () => {
    const path = new core.Path({ points: [{ x: 0, y: 0, z: 0 }, far.position] })
    return nearer(new flows.FollowFlowField({ field: new flows.PathFlow({ path, speed: 8 }) }))
  },
  tunnelFlow: () =>
    onGrid(flows.tunnelFlow({ from: { x: 0, y: -9, z: 0 }, to: { x: 0, y: 9, z: 0 }, radius: 3, speed: 2 }))
      .y === 2,
  VortexFlow: () =>
    onGrid(new flows.VortexFlow({ center: { x: -1, y: 0, z: 0 }, radius: 1, speed: 3 })).z < -2.9,
  WindFlow: () => onGrid(new flows.WindFlow({ velocity: far.velocity })).z === 3,
  brushFlow: () => {
    const field = gridOf(idleFlow)
    flows.brushFlow(field, { from: Y, to: far.position, radius: 2, velocity: Y })
    return field.velocityAt({ x: 0, y: 0, z: 0 }, Y).y === 1
  },
  loadFlowField: () => flows.loadFlowField(flows.saveFlowField(gridOf(idleFlow))).count === 27,
  saveFlowField: () => flows.saveFlowField(gridOf(idleFlow), 'numbers').velocities.length === 81,
}

const formationTable: Table<typeof formations> = {
  Assignment: () => {
    const members = formations.linePattern(3, 2).map(({ position }, key) => ({ key, position }))
    const assignment = new formations.Assignment()
    return assignment.solve(members, formations.linePattern(2, 2)) === 2 && assignment.memberOf(1) === 1
  },
  Formation: () => {
    const formation = new formations.Formation({ spacing: 2, leader: far })
    flown(new formations.KeepSlot({ formation }))
    return formation.size === 1 && formation.slots.length === 1
  },
  assign: () => {
    const slots = formations.linePattern(3, 2)
    const members = slots.map(({ position }, key) => ({ key, position })).reverse()
    return formations.assign(members, slots).join() === '2,1,0'
  },
  boxPattern: () => formations.boxPattern(8, 2).every(({ position }) => norm(position) === Math.sqrt(3)),
  changeOver: () => {
    const zero = { x: 0, y: 0, z: 0 }
    return (
      Math.abs(norm(formations.changeOver({ ...zero }, Y, far.position, zero, Y, 1)) - norm(far.position)) <
      1e-9
    )
  },
  columnPattern: () => formations.columnPattern(3, 2)[2]!.position.x === -4,
  customPattern: () => formations.customPattern([far])(1, 2)[0]!.position.x === 20,
  echelonPattern: () => formations.echelonPattern(2, 2, { side: 'port' })[1]!.position.z < -1,
  linePattern: () => formations.linePattern(3, 2)[2]!.position.z === -2,
  ringPattern: () => formations.ringPattern(4, 2, { radius: 3 })[0]!.position.y === 3,
  spherePattern: () => formations.spherePattern(6, 2).every(({ position }) => norm(position) >= Math.SQRT2),
  wallPattern: () => formations.wallPattern(4, 2).every(({ position }) => position.x === 0),
  wedgePattern: () => formations.wedgePattern(3, 2).every(({ position }) => position.x <= 0),
  KeepPace: () => {
    const formation = new formations.Formation({ spacing: 2 })
    const behavior = core.within([new formations.KeepPace({ formation })], new core.Seek({ target: far }))
    return nearer(behavior)
  },
  KeepSlot: () =>
    nearer(new formations.KeepSlot({ formation: new formations.Formation({ spacing: 2, leader: far }) })),
}

const dockingTable: Table<typeof docking> = {
  Dock: () => nearer(new docking.Dock({ port: portOf(far) })),
  Land: () => nearer(new docking.Land({ port: portOf(far) })),
  Port: () => portOf(far).holder === -1,
  // starboard of a nose along +z is −x
  portAxes: () => {
    const { x, y, z } = docking.portAxes({ x: 1, y: 2, z: 3 })
    return x === 3 && y === 2 && z === -1
  },
  bodyAxes: () => {
    const { x, y, z } = docking.bodyAxes({ x: 3, y: 2, z: -1 })
    return x === 1 && y === 2 && z === 3
  },
  Refuel: () => nearer(new docking.Refuel({ target: far, offset: { x: -3, y: -1, z: 0 } })),
  Undock: () => {
    // the port faces the agent, which is at the mouth of the corridor when it has flown that far
    const port = portOf({ position: { x: 0, y: 0, z: 0 }, velocity: { x: 0, y: 0, z: 0 } })
    return flown(new docking.Undock({ port }), {}, 120).position.x > 1
  },
}

const authoringTable: Table<typeof authoring> = {
  Emitter: () => {
    class Bell extends authoring.Emitter<{ ring: { loud: boolean } }> {
      ring(): boolean {
        return this.emit('ring', { loud: true })
      }
    }
    const bell = new Bell()
    let heard = false
    const listener = ({ loud }: { loud: boolean }): void => void (heard = loud)
    bell.addEventListener('ring', listener)
    const rang = bell.hasEventListener('ring', listener) && bell.ring() && heard
    bell.removeEventListener('ring', listener)
    return rang && !bell.ring()
  },
  AGENT_OPTIONS: () => {
    const { maxTurnRate, responseTime } = flown(idle(), {}, 1)
    const { AGENT_OPTIONS: table } = authoring
    return maxTurnRate === table.maxTurnRate.default && responseTime === table.responseTime.default
  },
  FlockRule: () => new authoring.FlockRule('mine', { neighborDistance: 3, weight: 2 }).weight === 2,
  isGone: () => {
    let gone = false
    const hunt: core.Behavior = {
      steer(agent, step): void {
        gone = authoring.isGone(agent, step, hunt, { isThere: () => false })
      },
    }
    flown(hunt, {}, 1)
    return gone
  },
  isSteered: () => {
    const body = new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(1) })
    const options = { behavior: idle(), body: cannon.cannonBody(body), maxSpeed: 1, maxForce: 1 }
    const one = new SteeringController(null, options)
    const before = authoring.isSteered(body)
    new SteeringWorld().add(one)
    return !before && authoring.isSteered(body)
  },
  Memory: () => {
    const memory = new authoring.Memory(2)
    const firsts: boolean[] = []
    const diary: core.Behavior = {
      steer(agent): void {
        const at = memory.at(agent)
        memory.data[at]! += 1
        firsts.push(memory.fresh)
      },
    }
    flown(diary, {}, 3)
    return firsts.join() === 'true,false,false' && memory.data.includes(3)
  },
  attitudeFrame: () =>
    authoring.attitudeFrame(
      authoring.frame(),
      QUARTER,
      authoring.axesQuat({ x: 0, y: 0, z: 0, w: 1 }, { x: 0, y: 0, z: 1 }, Y),
    ).x.x > 0.999,
  axesQuat: () =>
    turned(authoring.axesQuat({ x: 0, y: 0, z: 0, w: 1 }, { x: 0, y: 0, z: 1 }, Y), { x: 1, y: 0, z: 0 }).z >
    0.999,
  brakingSpeed: () => Math.abs(authoring.brakingSpeed(8, 4, 0, 0) - 8) < 1e-12,
  carryFrame: () => {
    const { x, y } = authoring.carryFrame(authoring.frame(), { x: 0, y: 1, z: 0 })
    return x.y === 1 && Math.abs(y.x + 1) < 1e-12
  },
  density: () => {
    let found = 0
    amongOthers(
      {
        reach: 9,
        neighborSearch: core.neighborSearch,
        steer: (agent) => void (found = authoring.density(agent, Y, 2)),
      },
      1,
    )
    // four of ½ m radius, two of them completely inside, in a disc of 2 m radius
    return found > 0.1 && found < 0.25
  },
  drive: () => {
    const out = { x: 0, y: 0, z: 0 }
    asAgent((agent, step) => authoring.drive(agent, step, { x: 1, y: 2, z: 4 }, out))
    return Math.abs(out.z - 10) < 1e-12 && out.x === 0
  },
  frame: () => authoring.frame().z.z === 1,
  frameFromQuat: () => authoring.frameFromQuat(authoring.frame(), QUARTER).x.z < -0.999,
  frameOf: () => authoring.frameOf(authoring.frame(), { quaternion: QUARTER }).x.x > 0.999,
  isCrowded: () => {
    let found = 0
    amongOthers(
      {
        reach: 9,
        neighborSearch: core.neighborSearch,
        steer: (agent) => void (found = authoring.isCrowded(agent, Y, 0.6)),
      },
      1,
    )
    return found === 1
  },
  limitTorque: () => {
    const torque = { x: 0, y: 1e6, z: 0 }
    asAgent((agent, { dt }) => authoring.limitTorque(agent, dt, torque))
    return torque.y > 0 && torque.y <= 10
  },
  pointToLocal: () =>
    authoring.pointToLocal({ x: 0, y: 0, z: 0 }, authoring.frame(), Y, { x: 2, y: 3, z: 4 }).y === 2,
  pointToWorld: () =>
    authoring.pointToWorld({ x: 0, y: 0, z: 0 }, authoring.frame(), Y, { x: 2, y: 3, z: 4 }).y === 4,
  readOptions: () => {
    const table = { size: { kind: 'number', above: 0, default: 2 } } as const
    return authoring.readOptions('Box', table, { size: 3 } as { size?: number }).size === 3
  },
  seeded: () => {
    const [a, b] = [seeded(5), seeded(5)]
    return a() === b() && a() === b() && a() !== seeded(6)()
  },
  stoppingDistance: () => Math.abs(authoring.stoppingDistance(8, 4, 0, 0) - 8) < 1e-12,
  turnTo: () => {
    const out: core.Wrench = { force: { x: 0, y: 0, z: 0 }, torque: { x: 0, y: 0, z: 0 }, turns: false }
    asAgent((agent, step) => authoring.turnTo(agent, QUARTER, step, out))
    return out.turns && out.torque.y > 0
  },
  vectorToLocal: () =>
    authoring.vectorToLocal({ x: 0, y: 0, z: 0 }, authoring.frameFromQuat(authoring.frame(), QUARTER), {
      x: 0,
      y: 0,
      z: -1,
    }).x > 0.99,
  vectorToWorld: () =>
    authoring.vectorToWorld({ x: 0, y: 0, z: 0 }, authoring.frameFromQuat(authoring.frame(), QUARTER), {
      x: 1,
      y: 0,
      z: 0,
    }).z < -0.99,
}

const cannonTable: Table<typeof cannon> = {
  attachToCannon: () => {
    const world = new CANNON.World()
    const steering = new SteeringWorld()
    const detach = cannon.attachToCannon(steering, world)
    world.step(1 / 60)
    detach()
    world.step(1 / 60)
    return steering.tick === 1
  },
  cannonBody: () => {
    const body = new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(0.7) })
    return cannon.cannonBody(body).radius === 0.7
  },
  latch: () => {
    const world = new CANNON.World()
    const [a, b] = [-1, 1].map((x) => {
      const at = { mass: 1, shape: new CANNON.Sphere(1), position: new CANNON.Vec3(x, 0, 0) }
      const body = new CANNON.Body(at)
      world.addBody(body)
      return body
    })
    cannon.latch(world, a!, b!, CANNON.LockConstraint)
    a!.velocity.x = -1
    for (let i = 0; i < 30; i++) world.step(1 / 60)
    return Math.abs(a!.position.distanceTo(b!.position) - 2) < 0.01 && b!.velocity.length() > 0.1
  },
  obstaclesFromCannon: () => {
    const world = new CANNON.World()
    world.addBody(new CANNON.Body({ mass: 0, shape: new CANNON.Sphere(2) }))
    return cannon.obstaclesFromCannon(world).distance({ x: 5, y: 0, z: 0 }, { x: 0, y: 0, z: 0 }) === 3
  },
  tuneCannon: () => {
    const world = new CANNON.World()
    const [a, b] = [0, 1].map((x) => {
      const at = { mass: 1, shape: new CANNON.Sphere(0.6), position: new CANNON.Vec3(x, 0, 0) }
      const body = new CANNON.Body(at)
      world.addBody(body)
      return body
    })
    cannon.tuneCannon(world)
    world.step(1 / 60)
    return world.collisionMatrix.get(a!, b!) === 1 && b!.velocity.x > 0
  },
}

const rapierTable: Table<typeof rapier> = {
  RapierDoor: () => {
    const door = rapier.rapierDoor(new SteeringWorld(), new RAPIER.World({ x: 0, y: 0, z: 0 }))
    return door instanceof rapier.RapierDoor
  },
  rapierDoor: () => {
    const world = new RAPIER.World({ x: 0, y: 0, z: 0 })
    const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic())
    world.createCollider(RAPIER.ColliderDesc.ball(1), body)
    const steering = new SteeringWorld()
    const door = rapier.rapierDoor(steering, world)
    const behavior = new core.Seek({ target: far })
    steering.add(new SteeringController(null, { behavior, body: door.body(body), maxSpeed: 5, maxForce: 50 }))
    for (let i = 0; i < 30; i++) door.step()
    return body.linvel().x > 1
  },
  latch: () => {
    const world = new RAPIER.World({ x: 0, y: 0, z: 0 })
    const [a, b] = [-1, 1].map((x) => {
      const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(x, 0, 0))
      world.createCollider(RAPIER.ColliderDesc.ball(1), body)
      return body
    })
    rapier.latch(world, a!, b!, RAPIER.JointData)
    a!.setLinvel({ x: -1, y: 0, z: 0 }, true)
    for (let i = 0; i < 30; i++) world.step()
    return Math.abs(b!.translation().x - a!.translation().x - 2) < 0.01 && b!.linvel().x < -0.1
  },
  obstaclesFromRapier: () => {
    const world = new RAPIER.World({ x: 0, y: 0, z: 0 })
    world.createCollider(RAPIER.ColliderDesc.ball(2))
    return rapier.obstaclesFromRapier(world).distance({ x: 5, y: 0, z: 0 }, { x: 0, y: 0, z: 0 }) === 3
  },
}

const doorTestsTable: Table<typeof doors> = {
  doorTests: () => {
    const steps = doors.doorTests({
      name: 'none',
      features: [],
      open: () => {
        throw new Error('closed')
      },
    })
    try {
      steps[0]!.run()
    } catch (error) {
      return steps.length > 5 && String(error).includes('closed')
    }
    return false
  },
}

const threeTable: Table<typeof three> = {
  instancedView: () => {
    const mesh = new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 4)
    const steering = new SteeringWorld()
    addFlock(steering, { ...AGENT, count: 4, behavior: idle(), view: three.instancedView(mesh) })
    steering.step(1 / 60)
    steering.present()
    const matrix = new Matrix4()
    mesh.getMatrixAt(3, matrix)
    return matrix.elements.every(Number.isFinite) && new Vector3().setFromMatrixPosition(matrix).length() > 0
  },
  objectView: () => {
    const parent = new Group()
    parent.position.set(5, 0, 0)
    const object = new Object3D()
    parent.add(object)
    const steering = new SteeringWorld()
    steering.add(
      new SteeringController(three.objectView(object), { ...AGENT, behavior: idle(), position: Y }),
    )
    steering.present()
    return object.position.x === -5 && object.position.y === 1
  },
  obstaclesFromObject3D: () => {
    const level = new Group().add(new Mesh(new BoxGeometry(4, 4, 4)))
    return three.obstaclesFromObject3D(level).distance({ x: 5, y: 0, z: 0 }, { x: 0, y: 0, z: 0 }) === 3
  },
  radiusOf: () => Math.abs(three.radiusOf(new Mesh(new BoxGeometry(2, 2, 2))) - Math.sqrt(3)) < 1e-6,
}

const debugTable: Table<typeof debug> = {
  colorFor: () => !debug.colorFor('by Seek').equals(debug.colorFor('by Flee')),
  DEFAULT_COLORS: () => debug.DEFAULT_COLORS['velocity'] !== undefined,
  SteeringHelper: () => {
    const helper = new debug.SteeringHelper(flown(new core.Wander()))
    helper.update()
    const drawn = helper.layerNames.includes('velocity') && helper.children.length > 3
    helper.dispose()
    return drawn && helper.children.length === 0
  },
}

const presetsTable: Table<typeof presets> = {
  PRESET_TYPES: () => presets.PRESET_TYPES.some(({ name, type }) => name === 'Seek' && type === core.Seek),
  loadPreset: () => {
    const root = { type: 'Seek', target: { ref: 'far' } }
    const preset = { type: 'steering-preset', version: 1, root }
    return nearer(presets.loadPreset(preset, { references: { far } }))
  },
  presetType: () =>
    presets.presetType('Hunt', core.Seek, { target: 'point', speed: 'number' }).name === 'Hunt',
  savePreset: () => presets.savePreset(new core.Wander({ jitter: 3 })).root['jitter'] === 3,
}

const explainTable: Table<typeof explain> = {
  explain: () => {
    const world = new SteeringWorld()
    const pilot = new SteeringController(null, { ...AGENT, behavior: new core.Seek({ target: far }) })
    world.add(pilot)
    const explanation = explain.explain(world, pilot)
    world.step(1 / 60)
    return explanation.root?.name === 'Seek' && explanation.root.verdict === 'granted'
  },
  trace: () => {
    const world = new SteeringWorld()
    world.add(new SteeringController(null, { ...AGENT, behavior: new core.Seek({ target: far }) }))
    world.step(1 / 60)
    const layers = new Set<string>()
    explain.trace(world, { line: (layer) => void layers.add(layer) })
    return layers.has('velocity') && layers.has('force given')
  },
}

/** Position after one second, after two, and again after two from a snapshot of the first second. */
function rewound(): readonly number[] {
  const world = new SteeringWorld()
  const pilot = new SteeringController(null, { ...AGENT, behavior: new core.Wander() })
  world.add(pilot)
  const fly = (): number => {
    for (let i = 0; i < 60; i++) world.step(1 / 60)
    return pilot.position.x
  }
  const first = fly()
  const saved = snapshot.takeSnapshot(world)
  const second = fly()
  snapshot.restoreSnapshot(world, saved)
  return [first, second, fly()]
}

/** A world with one agent that flies along z, after one step. */
function oneFlies(): { world: core.SteeringWorld; agent: core.SteeringController } {
  const world = new SteeringWorld()
  const agent = new SteeringController(null, { ...AGENT, behavior: new core.Cruise(), seed: 4 })
  world.add(agent)
  world.step(1 / 60)
  return { world, agent }
}

/** A codec, a packet of an agent that flies along z, and its speed. */
function onePacket(): { codec: net.PoseCodec; bytes: Uint8Array; speed: number } {
  const codec = new net.PoseCodec({ min: { x: -9, y: -9, z: -9 }, max: { x: 9, y: 9, z: 9 }, maxSpeed: 9 })
  const { world, agent } = oneFlies()
  return {
    codec,
    bytes: new net.PoseWriter(codec).begin(world.time).add(agent).end(),
    speed: norm(agent.velocity),
  }
}

const netTable: Table<typeof net> = {
  PoseCodec: () => {
    const { bytes, codec, speed } = onePacket()
    let told = 0
    codec.read(bytes, (key, { velocity }) => (told = key === 4 ? velocity.z : 0))
    return speed > 0 && Math.abs(told - speed) <= codec.velocityError
  },
  PoseWriter: () => onePacket().bytes.length > 30,
  PoseMemory: () => {
    const { codec } = onePacket()
    const memory = new net.PoseMemory()
    const writer = new net.PoseWriter(codec, { differences: true })
    let told = 0
    for (const x of [1, 2])
      codec.read(
        writer.begin(x).addPose(4, { x, y: 0, z: 0 }).end(),
        (_, { position }) => (told = position.x),
        memory,
      )
    return Math.abs(told - 2) <= codec.positionError.x
  },
  PoseBuffer: () => {
    const { bytes, codec, speed } = onePacket()
    const buffer = new net.PoseBuffer(codec, { delay: 0 })
    buffer.receive(bytes, 7)
    buffer.update(7.01)
    const { z } = buffer.get(4)!.position
    buffer.update(7.11)
    return Math.abs(buffer.get(4)!.position.z - z - 0.1 * speed) < 0.01
  },
}

/** A world with an agent that has asked for a port. */
function oneDocks(seed: number) {
  const world = new SteeringWorld()
  const zero = { x: 0, y: 0, z: 0 }
  const port = portOf({ position: zero, velocity: zero })
  const agent = new SteeringController(null, { ...AGENT, behavior: new docking.Dock({ port }), seed })
  world.add(agent)
  for (let i = 0; i < 3; i++) world.step(1 / 60)
  return { agent, port, world }
}

const shardsTable: Table<typeof shards> = {
  exportAgent: () => {
    const { world, agent } = oneFlies()
    return shards.exportAgent(world, agent).seed === 4
  },
  importAgent: () => {
    const { world, agent } = oneFlies()
    const other = new SteeringWorld()
    const there = new SteeringController(null, { ...AGENT, behavior: new core.Cruise() })
    shards.importAgent(other, shards.exportAgent(world, agent), there)
    return there.velocity.z === agent.velocity.z && norm(there.velocity) > 0
  },
  addGhost: () => {
    const { world, agent } = oneFlies()
    agent.behavior = new core.Separation({ neighborDistance: 5 })
    shards.addGhost(world, { seed: 9, position: { x: 2, y: 0, z: 0 } })
    world.step(1 / 60)
    return agent.force.x < 0
  },
  withoutGhosts: () => {
    const { world } = oneFlies()
    shards.addGhost(world, { seed: 9 })
    return shards.withoutGhosts(world, () => world.size) === 1 && world.size === 2
  },
  exportGroup: () => {
    const { world, agent } = oneFlies()
    return shards.exportGroup(world, [agent]).agents[0]!.seed === 4
  },
  importGroup: () => {
    const { world, agent } = oneFlies()
    const other = new SteeringWorld()
    const there = new SteeringController(null, { ...AGENT, behavior: new core.Cruise() })
    shards.importGroup(other, shards.exportGroup(world, [agent]), [there])
    return there.velocity.z === agent.velocity.z && norm(there.velocity) > 0
  },
  shareQueue: () => {
    const { port, world } = oneDocks(1)
    return shards.shareQueue(world, port).numbers.length > 0
  },
  mergeQueue: () => {
    const { port, world } = oneDocks(1)
    const other = oneDocks(2)
    shards.mergeQueue(other.world, other.port, shards.shareQueue(world, port))
    other.world.step(1 / 60)
    return other.port.load === 2
  },
  joinClock: () => {
    const world = new SteeringWorld()
    shards.joinClock(world, { time: 5, tick: 300 })
    return world.time === 5 && world.tick === 300
  },
  orderNeighbors: () => {
    const world = new SteeringWorld()
    shards.orderNeighbors(world)
    let keys = ''
    const look: core.Behavior = {
      reach: 9,
      neighborSearch: core.neighborSearch,
      steer: ({ neighbors, seed }) => {
        if (seed === 0)
          keys = [...neighbors.row.subarray(0, neighbors.count)].map((row) => neighbors.seed[row]).join()
      },
    }
    for (const seed of [3, 0, 2, 1])
      world.add(
        new SteeringController(null, {
          ...AGENT,
          behavior: look,
          seed,
          position: { x: 2 * seed, y: 0, z: 0 },
        }),
      )
    world.step(1 / 60)
    return keys === '1,2,3'
  },
}

const snapshotTable: Table<typeof snapshot> = {
  takeSnapshot: () => snapshot.takeSnapshot(new SteeringWorld()).format === 'three-steering',
  restoreSnapshot: () => {
    const [first, second, again] = rewound()
    return first !== second && second === again
  },
  warm: () => snapshot.warm(new SteeringWorld(), { steps: 2 }) === 2,
}

const bvhTable: Table<typeof bvh> = {
  MeshShape: () => away(new bvh.MeshShape(new BoxGeometry(2, 2, 2), { solid: true })) === 4,
}

describe.each([
  ['three-steering', core, coreTable],
  ['three-steering/curves', curves, curvesTable],
  ['three-steering/classic', classic, classicTable],
  ['three-steering/racing', racing, racingTable],
  ['three-steering/flow', flows, flowTable],
  ['three-steering/formation', formations, formationTable],
  ['three-steering/docking', docking, dockingTable],
  ['three-steering/authoring', authoring, authoringTable],
  ['three-steering/bvh', bvh, bvhTable],
  ['three-steering/cannon', cannon, cannonTable],
  ['three-steering/rapier', rapier, rapierTable],
  ['three-steering/door-tests', doors, doorTestsTable],
  ['three-steering/three', three, threeTable],
  ['three-steering/debug', debug, debugTable],
  ['three-steering/explain', explain, explainTable],
  ['three-steering/net', net, netTable],
  ['three-steering/presets', presets, presetsTable],
  ['three-steering/shards', shards, shardsTable],
  ['three-steering/snapshot', snapshot, snapshotTable],
] as [string, object, Record<string, () => boolean>][])('%s', (_, library, table) => {
  it('has an entry here for each of its exports', () => {
    expect(Object.keys(table).sort()).toEqual(Object.keys(library).sort())
  })

  it.each(Object.keys(table))('%s works', (name) => {
    expect(table[name]!()).toBe(true)
  })
})

it('the entries can fail: an idle behaviour does nothing', () => {
  expect(nearer(idle())).toBe(false)
  expect(xyz(flown(idle()).position)).toEqual({ x: 0, y: 0, z: 0 })
})
