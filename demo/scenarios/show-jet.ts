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

/** Speed of the formation, and top speed of a member that catches up (m/s). */
export const PACE = 75
const TOP_SPEED = 125
const MASS = 1000
/** Greatest lift over mass (m/s²). */
const MAX_LIFT = 110
/** Radius of hull and wings (m). */
export const RADIUS = 5

/** Priority in avoidance of a jet in its slot, and of one that is not. */
const IN_PLACE = 1
const LATE = 0.02

/** `fly`: in the formation. `down`: burning and falling. `away`: waits to start again. */
export type Mood = 'fly' | 'down' | 'away'

/** Behaviours of a jet in its slot, and on the way to it. */
export interface JetBehaviors {
  readonly keep: Behavior
  readonly join: Behavior
}

/** One jet of the team. */
export class ShowJet {
  readonly index: number
  readonly pilot: SteeringController
  readonly flips = new Flips(10)
  mood: Mood = 'fly'
  /** Whether it is in its slot. */
  inPlace = false
  /** Time at which it starts again (s). */
  until = 0
  readonly #behaviors: JetBehaviors
  readonly #flight = new Flight({
    minSpeed: 35,
    lift: MAX_LIFT * MASS,
    thrust: 60 * MASS,
    brake: 60 * MASS,
    bankWeight: 12,
    sideForce: 0.5,
  })

  constructor(index: number, position: Vec3Like, behaviors: JetBehaviors, view: Viewable | null) {
    const velocity = vec(PACE, 0, 0)
    this.index = index
    this.#behaviors = behaviors
    this.pilot = new SteeringController(view, {
      name: `jet ${index + 1}`,
      behavior: behaviors.keep,
      locomotion: this.#flight,
      mass: MASS,
      inertia: { x: 1000, y: 1400, z: 500 },
      maxSpeed: TOP_SPEED,
      maxForce: MAX_LIFT * MASS,
      maxTorque: 30_000,
      maxTurnRate: 6.5,
      responseTime: 0.2,
      radius: RADIUS,
      quaternion: headed(velocity),
      position,
      velocity,
    })
  }

  /** Called when it arrives in its slot or leaves it. On the way to its slot it gives way to the others. */
  settle(inPlace: boolean): void {
    this.inPlace = inPlace
    this.pilot.behavior = inPlace ? this.#behaviors.keep : this.#behaviors.join
    this.pilot.priority = inPlace ? IN_PLACE : LATE
  }

  /** Makes it catch fire and fall. */
  fall(): void {
    this.mood = 'down'
    this.inPlace = false
    this.pilot.maxSpeed = Infinity
    this.pilot.behavior = new Fall()
    this.pilot.locomotion = new Hover({ attitude: null })
  }

  /** Starts a new jet at `position` that takes its slot. */
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
