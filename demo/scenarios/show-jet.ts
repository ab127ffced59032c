import {
  Flight,
  Hover,
  SteeringController,
  type Behavior,
  type SteeringWorld,
  type Vec3Like,
  type Viewable,
} from 'three-steering'
import { Fall, headed } from './fighter.js'
import { Flips } from './metrics.js'
import { vec } from './vectors.js'

/** Of the wing, and of a member who catches up, m/s. */
export const PACE = 75
const TOP_SPEED = 125
const MASS = 1000
/** Lift over mass, m/s². */
const GRIP = 110
/** Of the ball around hull and wings, m. */
export const RADIUS = 5

/** Right of way of who is in his place, and of who is not. */
const IN_PLACE = 1
const LATE = 0.02

/** `fly` in the wing, `down` and burning, or `away`. */
export type Mood = 'fly' | 'down' | 'away'

/** What a jet does when it is in its place, and on its way there. */
export interface Tasks {
  readonly keep: Behavior
  readonly join: Behavior
}

/** One jet of the team. */
export class ShowJet {
  readonly index: number
  readonly pilot: SteeringController
  readonly flips = new Flips(10)
  mood: Mood = 'fly'
  /** Whether it has come to its place. */
  inPlace = false
  /** When it comes again, s. */
  until = 0
  readonly #tasks: Tasks
  readonly #flight = new Flight({
    minSpeed: 35,
    lift: GRIP * MASS,
    thrust: 60 * MASS,
    brake: 60 * MASS,
    bankWeight: 12,
    sideForce: 0.5,
  })

  constructor(index: number, position: Vec3Like, tasks: Tasks, view: Viewable | null) {
    const velocity = vec(PACE, 0, 0)
    this.index = index
    this.#tasks = tasks
    this.pilot = new SteeringController(view, {
      name: `jet ${index + 1}`,
      behavior: tasks.keep,
      locomotion: this.#flight,
      mass: MASS,
      inertia: { x: 1000, y: 1400, z: 500 },
      maxSpeed: TOP_SPEED,
      maxForce: GRIP * MASS,
      maxTorque: 30_000,
      maxTurnRate: 6.5,
      responseTime: 0.2,
      radius: RADIUS,
      quaternion: headed(velocity),
      position,
      velocity,
    })
  }

  /** Has come to its place, or lost it; who is on the way there gives way to the others. */
  settle(inPlace: boolean): void {
    this.inPlace = inPlace
    this.pilot.behavior = inPlace ? this.#tasks.keep : this.#tasks.join
    this.pilot.priority = inPlace ? IN_PLACE : LATE
  }

  /** Catches fire. */
  fall(): void {
    this.mood = 'down'
    this.inPlace = false
    this.pilot.maxSpeed = Infinity
    this.pilot.behavior = new Fall()
    this.pilot.locomotion = new Hover({ attitude: null })
  }

  /** A new one takes its place, and begins at `position`. */
  comeBack(steering: SteeringWorld, position: Vec3Like): void {
    const velocity = vec(PACE, 0, 0)
    this.pilot.locomotion = this.#flight
    this.pilot.maxSpeed = TOP_SPEED
    this.pilot.teleport({ position, velocity, quaternion: headed(velocity), angularVelocity: vec(0, 0, 0) })
    this.mood = 'fly'
    this.settle(false)
    steering.add(this.pilot)
  }
}
