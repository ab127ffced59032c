import RAPIER from '@dimforge/rapier3d-compat'
import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  Obstacles,
  ReciprocalAvoidance,
  type ReciprocalAvoidanceOptions,
  SteeringController,
  SteeringWorld,
  Walker,
  within,
  type ControllerOptions,
} from 'three-steering'
import { rapierDoor } from 'three-steering/rapier'
import {
  isFree,
  MAX_SPEED,
  RADIUS,
  wallDistance,
  type Point,
  type Wall,
  type WalkerPlan,
  type WalkerScene,
} from './walker-scenes.js'

/** Flies a scene of walkers, without an engine or as characters of Rapier. */

const DT = 1 / 60
/** Who is so near to the goal has arrived (m). */
const NEAR = 0.3
/** An overlap that is no deeper is rounding (m). */
const ROUNDING = 1e-3

export interface WalkerResult {
  readonly count: number
  readonly arrived: number
  /** Contacts that began, and the deepest overlap (m). */
  readonly pairContacts: number
  readonly pairDepth: number
  readonly wallContacts: number
  readonly wallDepth: number
  /**
   * Time over that of the way at top speed: mean of the walkers, and the last one over the longest way. Who
   * has not arrived counts with the limit.
   */
  readonly meanRatio: number
  readonly lastRatio: number
}

/** A crowd that can make a step: where its walkers are, and where each one goes now. */
interface Crowd {
  readonly places: readonly Point[]
  /** Distance (m) at which walkers stop each other, and walls stop them. Default 0. */
  readonly skin?: number
  step(targets: readonly Point[]): void
}

export type CrowdMaker = (scene: WalkerScene, seed: number) => Crowd

/** Flies until all have arrived, or for `limit` (s). */
export function flyWalkers(scene: WalkerScene, seed: number, make: CrowdMaker, limit: number): WalkerResult {
  const { walkers, walls } = scene
  const crowd = make(scene, seed)
  const reach = RADIUS + (crowd.skin ?? 0)
  const touches = new Contacts()
  const wallTouches = new Contacts()
  const times = walkers.map(() => Infinity)
  const targets = walkers.map(({ route }) => route[0]!)
  for (let step = 0; step * DT < limit && times.includes(Infinity); step++) {
    for (const [i, { route }] of walkers.entries()) {
      // the farthest waypoint in view, looked for at times, because others may push a walker out of its view
      if (step % 6 === i % 6 && route.length > 1)
        targets[i] = route.findLast((point) => isFree(walls, crowd.places[i]!, point)) ?? targets[i]!
    }
    crowd.step(targets)
    for (const [i, place] of crowd.places.entries()) {
      for (let j = 0; j < i; j++) touches.see(i, j, RADIUS + reach - apart(place, crowd.places[j]!))
      for (const [j, wall] of walls.entries()) {
        const outside = Math.max(wall.x0 - place.x, place.x - wall.x1, wall.z0 - place.z, place.z - wall.z1)
        if (outside < reach) wallTouches.see(i, j, reach - wallDistance(wall, place))
      }
      if (times[i] === Infinity && apart(place, walkers[i]!.route.at(-1)!) < NEAR) times[i] = (step + 1) * DT
    }
  }
  const arrived = times.filter((time) => time < Infinity).length
  const spent = times.map((time) => Math.min(time, limit))
  const ways = walkers.map((plan) => wayLength(plan, scene))
  const ratios = spent.map((time, i) => (time * MAX_SPEED) / ways[i]!)
  return {
    count: walkers.length,
    arrived,
    pairContacts: touches.count,
    pairDepth: touches.depth,
    wallContacts: wallTouches.count,
    wallDepth: wallTouches.depth,
    meanRatio: ratios.reduce((a, b) => a + b) / ratios.length,
    lastRatio: (Math.max(...spent) * MAX_SPEED) / Math.max(...ways),
  }
}

class Contacts {
  count = 0
  depth = 0
  private readonly present = new Set<number>()

  see(i: number, j: number, overlap: number): void {
    const key = 1000 * i + j
    if (overlap <= ROUNDING) this.present.delete(key)
    else {
      if (!this.present.has(key)) this.count++
      this.present.add(key)
      this.depth = Math.max(this.depth, overlap)
    }
  }
}

function apart(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.z - b.z)
}

/** Length (m) of the way over the waypoints that are needed, up to NEAR the goal. */
function wayLength({ start, route }: WalkerPlan, { walls }: WalkerScene): number {
  let [at, length, k] = [start, -NEAR, 0]
  while (k < route.length) {
    let next = route.length - 1
    while (next > k && !isFree(walls, at, route[next]!)) next--
    length += apart(at, route[next]!)
    at = route[next]!
    k = next + 1
  }
  return length
}

/** Walkers of this package, which keep apart by `options`. */
export function ownCrowd(options?: ReciprocalAvoidanceOptions): CrowdMaker {
  return (scene, seed) => makeOwn(scene, seed, options)
}

function makeOwn(scene: WalkerScene, seed: number, options: ReciprocalAvoidanceOptions | undefined): Crowd {
  const world = new SteeringWorld({ seed })
  const { agents, goals } = addWalkers(world, scene, options, ({ x, z }) => ({
    position: { x, y: 0, z },
    plane: { x: 0, y: 1, z: 0 },
    mass: 70,
  }))
  return {
    places: agents.map(({ position }) => position),
    step(targets) {
      for (const [i, { x, z }] of targets.entries()) Object.assign(goals[i]!, { x, z })
      world.step(DT)
    },
  }
}

/** Adds the walkers of a scene. `stand` makes the options of one that starts at a place. */
function addWalkers(
  world: SteeringWorld,
  { walkers, walls }: WalkerScene,
  options: ReciprocalAvoidanceOptions | undefined,
  stand: (start: Point) => Partial<ControllerOptions>,
): { agents: SteeringController[]; goals: { x: number; y: number; z: number }[] } {
  const obstacles = new Obstacles(
    walls.map((wall) => ({ shape: new BoxShape(halfSize(wall)), at: middle(wall) })),
  )
  const goals = walkers.map(() => ({ x: 0, y: 0, z: 0 }))
  const keepApart = new ReciprocalAvoidance(options)
  const agents = walkers.map(({ start }, i) => {
    const agent = new SteeringController(null, {
      behavior: within([new AvoidObstacles({ obstacles }), keepApart], new Arrive({ target: goals[i]! })),
      maxForce: 350,
      maxSpeed: MAX_SPEED,
      radius: RADIUS,
      locomotion: new Walker(),
      ...stand(start),
    })
    world.add(agent)
    return agent
  })
  return { agents, goals }
}

function halfSize({ x0, z0, x1, z1 }: Wall): { x: number; y: number; z: number } {
  return { x: (x1 - x0) / 2, y: 3, z: (z1 - z0) / 2 }
}

function middle({ x0, z0, x1, z1 }: Wall): { x: number; y: number; z: number } {
  return { x: (x0 + x1) / 2, y: 0, z: (z0 + z1) / 2 }
}

/** Half the length of the straight part of a character (m), and the distance at which it is stopped. */
const HALF_HEIGHT = 0.6
const OFFSET = 0.01

/**
 * Walkers of this package as kinematic characters on a floor of Rapier, moved by its character controller.
 * Rapier must be loaded before.
 */
export function characterCrowd(options?: ReciprocalAvoidanceOptions): CrowdMaker {
  return (scene, seed) => {
    const { ColliderDesc, RigidBodyDesc } = RAPIER
    const physics = new RAPIER.World({ x: 0, y: -9.81, z: 0 })
    physics.timestep = DT
    const feet = physics.createCharacterController(OFFSET)
    feet.enableSnapToGround(0.3)
    const standing = HALF_HEIGHT + RADIUS + OFFSET
    physics.createCollider(ColliderDesc.cuboid(60, 1, 60).setTranslation(0, -standing - 1, 0))
    for (const wall of scene.walls) {
      const { x, y, z } = halfSize(wall)
      const { x: atX, z: atZ } = middle(wall)
      physics.createCollider(ColliderDesc.cuboid(x, y, z).setTranslation(atX, 0, atZ))
    }
    const steering = new SteeringWorld({ seed })
    const door = rapierDoor(steering, physics)
    const colliders: RAPIER.Collider[] = []
    const { goals } = addWalkers(steering, scene, options, ({ x, z }) => {
      const body = physics.createRigidBody(RigidBodyDesc.kinematicPositionBased().setTranslation(x, 0, z))
      const collider = physics.createCollider(ColliderDesc.capsule(HALF_HEIGHT, RADIUS), body)
      colliders.push(collider)
      return { body: door.character(collider, feet, { mass: 70 }), maxTorque: 200 }
    })
    const places = scene.walkers.map(({ start }) => ({ ...start }))
    physics.step()
    return {
      places,
      skin: OFFSET,
      step(targets) {
        for (const [i, { x, z }] of targets.entries()) Object.assign(goals[i]!, { x, z })
        door.step()
        for (const [i, collider] of colliders.entries()) {
          const { x, z } = collider.translation()
          Object.assign(places[i]!, { x, z })
        }
      },
    }
  }
}
