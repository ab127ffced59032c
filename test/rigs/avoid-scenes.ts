import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  CylinderShape,
  Flee,
  Hover,
  Obstacles,
  ReciprocalAvoidance,
  Seek,
  SphereShape,
  SteeringWorld,
  within,
  type Agent,
  type Behavior,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { RockField, FIELD } from '../../demo/scenarios/rock-field.js'
import { addFlock } from '../support/flock.js'
import { avoidBalls, avoidSide } from './avoid-3d.js'

/** A scene of the benchmark of avoidance: its agents fly to one goal after the other. */
export interface AvoidScene {
  readonly world: SteeringWorld
  readonly agents: number
  /** Makes a step of 1/60 s. */
  readonly step: () => void
}

/** A goal is reached within this distance (m). */
const NEAR = 3
const ORIGIN: Vec3Like = { x: 0, y: 0, z: 0 }
const DT = 1 / 60
/** Radius of the agents, m. */
const RADIUS = 0.5

type Place = () => Vec3

/** Makes a wish of each agent for one place after the other. */
function errands(
  count: number,
  place: Place,
  wish: (target: (agent: Agent, out: Vec3) => void) => Behavior,
): Behavior {
  const goals = Array.from({ length: count }, place)
  return wish(({ position, slot }, out) => {
    const goal = goals[slot]!
    const { x, y, z } = position
    // not by `Math.hypot`, which allocates, and number by number: what is left is the garbage of the package
    if ((goal.x - x) ** 2 + (goal.y - y) ** 2 + (goal.z - z) ** 2 < NEAR ** 2) Object.assign(goal, place())
    out.x = goal.x
    out.y = goal.y
    out.z = goal.z
  })
}

const seek = (target: (agent: Agent, out: Vec3) => void): Behavior => new Seek({ target })
const arrive = (target: (agent: Agent, out: Vec3) => void): Behavior => new Arrive({ target })

function inside(random: () => number, { x, y, z }: Vec3Like): Vec3 {
  return { x: 2 * (random() - 0.5) * x, y: 2 * (random() - 0.5) * y, z: 2 * (random() - 0.5) * z }
}

interface Flyers {
  readonly count: number
  readonly behavior: Behavior
  readonly place: Place
  readonly maxSpeed: number
  readonly maxForce: number
  readonly hull?: boolean
}

function worldOf({ count, behavior, place, maxSpeed, maxForce, hull = false }: Flyers): SteeringWorld {
  const world = new SteeringWorld({ seed: 1 })
  addFlock(world, {
    count,
    behavior,
    locomotion: hull ? new Hover() : new Hover({ attitude: null }),
    radius: RADIUS,
    maxSpeed,
    maxForce,
    spawn: (_i, { position }) => Object.assign(position, place()),
  })
  return world
}

/** Number of ships among moving rocks. */
export const ROCK_SHIPS = 14

/** The rocks, limits and places of `movingRocks`, for other implementations of it. */
export function rockErrands(rocks: number): {
  readonly field: RockField
  readonly place: Place
  readonly near: number
  readonly maxSpeed: number
  readonly maxForce: number
  readonly radius: number
  readonly dt: number
} {
  const random = seeded(3)
  const field = new RockField(2, rocks)
  return {
    field,
    place: () => inside(random, FIELD),
    near: NEAR,
    maxSpeed: 10,
    maxForce: 20,
    radius: RADIUS,
    dt: DT,
  }
}

/** Ships that cross a field of drifting rocks (`RockField`, which moves them on circles). */
export function movingRocks(rocks: number, avoiding = true): AvoidScene {
  const count = ROCK_SHIPS
  const { field, place, maxSpeed, maxForce } = rockErrands(rocks)
  const obstacles = new Obstacles(
    field.rocks.map((rock) => ({ shape: new SphereShape(rock.radius), at: rock })),
  )
  const task = errands(count, place, seek)
  const behavior = avoiding ? within([new AvoidObstacles({ obstacles })], task) : task
  const world = worldOf({ count, behavior, place, maxSpeed, maxForce })
  let steps = 0
  return {
    world,
    agents: count,
    step: () => {
      field.place(steps++ * DT)
      world.step(DT)
    },
  }
}

/** Side (m) of the cubes of the building, and cubes from one wall to the next. */
const CUBE = 2
const ROOM = 6
const ROOMS: Vec3Like = { x: 4, y: 3, z: 4 }

/**
 * A building of cubes that touch each other: 48 rooms on three floors, with a hole of three by three cubes in
 * every inner wall, floor and ceiling. 4,939 cubes.
 */
export function building(): Obstacles {
  const obstacles = new Obstacles()
  const shape = new BoxShape({ x: CUBE / 2, y: CUBE / 2, z: CUBE / 2 })
  const size = { x: ROOM * ROOMS.x, y: ROOM * ROOMS.y, z: ROOM * ROOMS.z }
  const isHole = (i: number): boolean => Math.abs((i % ROOM) - ROOM / 2) <= 1
  for (let x = 0; x <= size.x; x++)
    for (let y = 0; y <= size.y; y++)
      for (let z = 0; z <= size.z; z++) {
        const walls = [x, y, z].filter((i) => i % ROOM === 0).length
        if (walls === 0) continue
        const isOuter = x === 0 || y === 0 || z === 0 || x === size.x || y === size.y || z === size.z
        if (walls === 1 && !isOuter && [x, y, z].filter(isHole).length === 2) continue
        obstacles.add({ shape, at: { x: CUBE * x, y: CUBE * y, z: CUBE * z } })
      }
  return obstacles
}

/** Agents that fly from one room of the building to another, many walls away. */
export function inBuilding(count: number, avoiding = true): AvoidScene {
  const obstacles = building()
  const random = seeded(6)
  const middle = (rooms: number): number => CUBE * ROOM * (Math.floor(random() * rooms) + 0.5)
  const place = (): Vec3 => ({ x: middle(ROOMS.x), y: middle(ROOMS.y), z: middle(ROOMS.z) })
  const task = errands(count, place, seek)
  const behavior = avoiding ? within([new AvoidObstacles({ obstacles })], task) : task
  const world = worldOf({ count, behavior, place, maxSpeed: 5, maxForce: 10 })
  return { world, agents: count, step: () => world.step(DT) }
}

/** Agents that flee from the middle of a hall: their wish leads into its walls, between its columns. */
export function inHall(count: number): AvoidScene {
  const obstacles = new Obstacles()
  for (const side of [-1, 1])
    for (const axis of ['x', 'y', 'z'] as const)
      obstacles.add({
        shape: new BoxShape({ x: 21, y: 21, z: 21, [axis]: 1 }),
        at: { ...ORIGIN, [axis]: 21 * side },
      })
  const random = seeded(9)
  const place = (): Vec3 => inside(random, { x: 18, y: 18, z: 18 })
  for (let i = 0; i < 12; i++) obstacles.add({ shape: new CylinderShape(1.5, 38), at: { ...place(), y: 0 } })
  const free = (): Vec3 => {
    const at = place()
    return obstacles.distance(at, { ...ORIGIN }) > 1 ? at : free()
  }
  const behavior = within([new AvoidObstacles({ obstacles })], new Flee({ target: ORIGIN }))
  const world = worldOf({ count, behavior, place: free, maxSpeed: 6, maxForce: 12 })
  return { world, agents: count, step: () => world.step(DT) }
}

/** Ships that avoid rocks and each other and arrive; one ship and one rock for each cube of side 12 m. */
export function shipTraffic(count: number, avoiding = true): AvoidScene {
  const obstacles = new Obstacles()
  avoidBalls(count, (position, radius) => obstacles.add({ shape: new SphereShape(radius), at: position }))
  const half = avoidSide(count) / 2
  const random = seeded(8)
  const place = (): Vec3 => inside(random, { x: half, y: half, z: half })
  const task = errands(count, place, arrive)
  const behavior = avoiding
    ? within([new AvoidObstacles({ obstacles }), new ReciprocalAvoidance()], task)
    : task
  const world = worldOf({ count, behavior, place, maxSpeed: 10, maxForce: 20, hull: true })
  return { world, agents: count, step: () => world.step(DT) }
}
