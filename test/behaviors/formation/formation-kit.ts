import {
  Hover,
  SteeringController,
  SteeringWorld,
  type AgentOptions,
  type Behavior,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { type MovingFrame, seeded } from 'three-steering/authoring'
import { Formation, KeepSlot, type FormationOptions } from 'three-steering/formation'

/** Shared by the tests of formations: a wing of agents, a leader on rails, and measurements. */

export const RADIUS = 0.5

export const TRAITS = { mass: 2, maxSpeed: 15, maxForce: 60, maxTorque: 60, radius: RADIUS }

/**
 * A leader that the test moves: its position, velocity, attitude and angular velocity are exact at any time.
 */
export class Rails implements MovingFrame {
  readonly position: Vec3 = { x: 0, y: 0, z: 0 }
  readonly velocity: Vec3 = { x: 0, y: 0, z: 0 }
  readonly quaternion = { x: 0, y: 0, z: 0, w: 1 }
  readonly angularVelocity: Vec3 = { x: 0, y: 0, z: 0 }
  readonly forward: Vec3Like = { x: 1, y: 0, z: 0 }
  readonly up: Vec3Like = { x: 0, y: 1, z: 0 }
  private heading = 0

  constructor(speed: number) {
    this.velocity.x = speed
  }

  /** Flies on for `dt`, turning to starboard by `rate` (rad/s) and climbing by `climb` (m/s). */
  fly(dt: number, rate = 0, climb = 0, speed = Math.hypot(this.velocity.x, this.velocity.z)): void {
    this.heading += rate * dt
    this.angularVelocity.y = -rate
    this.velocity.x = speed * Math.cos(this.heading)
    this.velocity.y = climb
    this.velocity.z = speed * Math.sin(this.heading)
    this.position.x += this.velocity.x * dt
    this.position.y += this.velocity.y * dt
    this.position.z += this.velocity.z * dt
    this.quaternion.y = -Math.sin(this.heading / 2)
    this.quaternion.w = Math.cos(this.heading / 2)
  }
}

export interface Wing {
  readonly world: SteeringWorld
  readonly formation: Formation
  readonly ships: SteeringController[]
  /** Adds a member. */
  add(
    position: Vec3Like,
    options?: Partial<AgentOptions> & { velocity?: Vec3Like; lead?: Behavior },
  ): SteeringController
  /** Makes a step and updates `nearest`. */
  step(dt?: number): void
  /** Least distance of two members so far, m. */
  nearest: number
}

/** A wing of agents with no behaviour except `KeepSlot`, so only the formation keeps them apart. */
export function wing(options: FormationOptions): Wing {
  const world = new SteeringWorld({ seed: 5 })
  const formation = new Formation(options)
  const ships: SteeringController[] = []
  const made: Wing = {
    world,
    formation,
    ships,
    nearest: Infinity,
    add(position, { lead, ...more } = {}) {
      const behavior = new KeepSlot({ formation, ...(lead === undefined ? {} : { leadBehavior: lead }) })
      const ship = new SteeringController(null, {
        ...TRAITS,
        locomotion: new Hover(),
        behavior,
        position,
        ...more,
      })
      ships.push(ship)
      world.add(ship)
      return ship
    },
    step(dt = 1 / 60) {
      world.step(dt)
      const places = placesOf(ships)
      for (let i = 0; i < places.length; i++)
        for (let j = 0; j < i; j++) made.nearest = Math.min(made.nearest, distance(places[i]!, places[j]!))
    },
  }
  return made
}

/** Random points in a cube of half-size `size` (m), no two nearer than `apart` (m). */
export function scatter(count: number, size: number, apart: number, seed: number): Vec3[] {
  const random = seeded(seed)
  const places: Vec3[] = []
  while (places.length < count) {
    const place = { x: size * (2 * random() - 1), y: size * (2 * random() - 1), z: size * (2 * random() - 1) }
    if (places.every((other) => distance(place, other) >= apart)) places.push(place)
  }
  return places
}

/** Removes a member from the world. */
export function remove(one: Wing, ship: SteeringController): void {
  one.world.remove(ship)
  one.ships.splice(one.ships.indexOf(ship), 1)
}

/** Distance (m) of each ship from its slot, both at the start of the last step. */
export function errors({ formation, ships }: Wing, before: readonly Vec3Like[]): number[] {
  return ships.map(({ id }, i) => {
    const place = formation.placeOf(id)
    return place === null ? 0 : distance(place, before[i]!)
  })
}

export function placesOf(ships: readonly SteeringController[]): Vec3[] {
  return ships.map(({ position: { x, y, z } }) => ({ x, y, z }))
}

export function distance(a: Vec3Like, b: Vec3Like): number {
  const x = a.x - b.x
  const y = a.y - b.y
  const z = a.z - b.z
  return Math.sqrt(x * x + y * y + z * z)
}
