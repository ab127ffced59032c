import {
  FollowPath,
  Path,
  ReciprocalAvoidance,
  SteeringController,
  SteeringWorld,
  within,
  type Behavior,
  type Vec3Like,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import {
  boxPattern,
  Formation,
  KeepSlot,
  wedgePattern,
  type FormationFrame,
  type Pattern,
} from 'three-steering/formation'
import { addBall, makePhysics } from './bodies.js'
import { traitsOf, type Make } from './formation-trials.js'
import { distance } from '../../demo/scenarios/metrics.js'
import type { Flyer } from './pursuit.js'
import { direction, evenly, plus, times, vec } from '../../demo/scenarios/vectors.js'

/** A formation led by its own members along a path. Members are added and removed. */

export const RADIUS = 0.5
const SPACING = 3.5
const PACE = 10
const MASS = 4
/** Acceleration of a member (m/s²). */
const PUSH = 22

/** A horizontal figure eight with a climb (m). */
const EIGHT = Array.from({ length: 40 }, (_, k) => {
  const angle = (2 * Math.PI * k) / 40
  return vec(70 * Math.sin(angle), 12 * Math.sin(angle + 1), 45 * Math.sin(2 * angle))
})

export interface LedFormationOptions {
  readonly make?: Make
  readonly seed?: number
  readonly count?: number
  /** Step (s). Default 1/60. */
  readonly dt?: number
  readonly bodies?: 'none' | 'cannon'
  readonly pattern?: Pattern
  /**
   * Whether members start at rest at random places, instead of loosely around the start of the path. Default
   * false.
   */
  readonly scattered?: boolean
  /** Whether members avoid each other. Default false: the formation has to prevent contacts. */
  readonly avoids?: boolean
  /** Whether a member leads along the path; else the formation stays where it gathers. Default true. */
  readonly led?: boolean
  /** See `FormationOptions`. Default 'attitude'. */
  readonly frame?: FormationFrame
}

/** A formation led by its own members along a path. */
export class LedFormation {
  readonly world: SteeringWorld
  readonly path = new Path({ points: EIGHT, ends: 'closed' })
  readonly formation: Formation
  readonly members: SteeringController[] = []
  /** Smallest distance of two centres so far (radii). */
  nearest = Infinity
  readonly #physics: ReturnType<typeof makePhysics>
  readonly #dt: number
  readonly #make: Make
  readonly #behavior: Behavior
  readonly #random: () => number

  constructor(options: LedFormationOptions = {}) {
    const { make = 'drone', seed = 0, count = 9, dt = 1 / 60, bodies = 'none', led = true } = options
    this.world = new SteeringWorld({ seed })
    this.#physics = makePhysics(this.world, bodies)
    this.#dt = dt
    this.#make = make
    this.#random = seeded(seed + 41)
    this.formation = new Formation({
      spacing: SPACING,
      pattern: options.pattern ?? wedgePattern,
      frame: options.frame ?? 'attitude',
    })
    const lead = led ? { leadBehavior: new FollowPath({ path: this.path, speed: PACE }) } : {}
    const keep = new KeepSlot({ formation: this.formation, ...lead })
    this.#behavior =
      options.avoids === true ? within([new ReciprocalAvoidance({ neighborDistance: 15 })], keep) : keep
    const start = this.path.pointAt(vec(0, 0, 0), 0)
    const ahead = this.path.tangentAt(vec(0, 0, 0), 0)
    if (options.scattered === true)
      for (const spot of scatteredPlaces(count, this.#random)) this.add(spot, vec(0, 0, 0))
    else
      for (const { position } of boxPattern(count, 1.3 * SPACING)) {
        const about = plus(start, position)
        this.add(plus(about, direction(this.#random), 0.3 * SPACING), times(ahead, 0.8 * PACE))
      }
  }

  /** Adds a member. */
  add(position: Vec3Like, velocity: Vec3Like): SteeringController {
    const flyer: Flyer = {
      position,
      velocity,
      mass: MASS,
      radius: RADIUS,
      maxSpeed: 1.8 * PACE,
      maxForce: MASS * PUSH,
    }
    const physics = this.#physics
    const own = physics === null ? flyer : { ...flyer, body: addBall(physics, flyer) }
    const traits = traitsOf(this.#make, flyer, { pace: PACE })
    const pilot = new SteeringController(null, { ...own, ...traits, behavior: this.#behavior })
    this.world.add(pilot)
    this.members.push(pilot)
    return pilot
  }

  /** Removes a member. */
  remove(pilot: SteeringController): void {
    this.world.remove(pilot)
    this.members.splice(this.members.indexOf(pilot), 1)
  }

  get captain(): SteeringController | undefined {
    return this.members.find(({ id }) => id === this.formation.captain)
  }

  /** Distance of a member from its place (m), both at the beginning of the last step. */
  slotErrorOf({ id, position, velocity }: SteeringController): number {
    const place = this.formation.placeOf(id)
    return place === null ? Infinity : distance(place, plus(position, velocity, -this.#dt))
  }

  /** Distance of the leader from the path (m). */
  get pathError(): number {
    const { captain, path } = this
    if (captain === undefined) return Infinity
    return distance(path.pointAt(vec(0, 0, 0), path.nearest(captain.position)), captain.position)
  }

  /**
   * Flies for `seconds`. @returns the root mean square distance of the members from their places meanwhile
   * (m).
   */
  fly(seconds: number): number {
    let [squares, samples] = [0, 0]
    for (let k = Math.round(seconds / this.#dt); k > 0; k--) {
      if (this.#physics === null) this.world.step(this.#dt)
      else this.#physics.step(this.#dt)
      this.members.forEach((pilot, i) => {
        squares += this.slotErrorOf(pilot) ** 2
        samples++
        for (let j = 0; j < i; j++)
          this.nearest = Math.min(this.nearest, distance(pilot.position, this.members[j]!.position) / RADIUS)
      })
    }
    return Math.sqrt(squares / samples)
  }
}

/** Random places, at least the spacing apart. */
function scatteredPlaces(count: number, random: () => number): Vec3Like[] {
  const size = 2.2 * SPACING * Math.cbrt(count)
  const spots: Vec3Like[] = []
  while (spots.length < count) {
    const spot = vec(
      ...([0, 0, 0].map(() => evenly(random, -size / 2, size / 2)) as [number, number, number]),
    )
    if (spots.every((other) => distance(spot, other) >= SPACING)) spots.push(spot)
  }
  return spots
}
