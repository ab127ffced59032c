import {
  AvoidObstacles,
  blend,
  Flight,
  Flock,
  Flocking,
  Obstacles,
  Seek,
  SteeringWorld,
  within,
  type Agent,
  type Shape,
  type Vec3,
  type Viewable,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { type CanyonLand, CRUISE } from './canyon-land.js'
import { Fingerprint, magnitude } from './metrics.js'

export interface CanyonOptions {
  readonly land: CanyonLand
  /** The mesh of the land as an obstacle. */
  readonly shape: Shape
  readonly seed?: number
  readonly count?: number
  readonly view?: Viewable
}

export const DEFAULT_FLYERS = 80
export const MAX_FLYERS = 400

/**
 * Rate (1/s) at which birds compute their behaviour. Queries of a mesh are expensive, and the motion is
 * nearly the same at any rate.
 */
const RATE = 30
/** The distance to the rock is measured for one of this many birds per step. */
const WATCHED = 2

export const TOP_SPEED = 14 // m/s
/** Distance of the target ahead on the centre line (m). */
const LOOK_AHEAD = 20
/** Radius of a bird including its wings (m). */
const RADIUS = 0.45

/** A flock that flies around a ring-shaped canyon. */
export class Canyon {
  readonly land: CanyonLand
  readonly steering: SteeringWorld
  readonly flock: Flock
  readonly obstacles: Obstacles
  /**
   * The horizon is the only option changed here. The target on the centre line leads around the next bend.
   */
  readonly avoid: AvoidObstacles
  // #region code
  readonly flocking = new Flocking({
    separation: { neighborDistance: 2.4, weight: 1 },
    alignment: { neighborDistance: 5, weight: 0.5, fieldOfView: 5.24 },
    cohesion: { neighborDistance: 5.5, weight: 0.35, fieldOfView: 5.24, emergency: false },
  })
  readonly seek: Seek
  contacts = 0
  #speedShares = 0
  #speedSamples = 0
  /** Time since the last step of the birds (s). */
  #sinceStep = 0
  #watch = 0
  readonly #touching: Uint8Array
  readonly #random: () => number
  readonly #position: Vec3 = { x: 0, y: 0, z: 0 }
  readonly #velocity: Vec3 = { x: 0, y: 0, z: 0 }
  readonly #normal: Vec3 = { x: 0, y: 0, z: 0 }

  constructor({ land, shape, seed = 1, count = DEFAULT_FLYERS, view }: CanyonOptions) {
    this.land = land
    this.obstacles = new Obstacles([{ shape }])
    this.avoid = new AvoidObstacles({ obstacles: this.obstacles, horizon: 1.5 })
    this.#touching = new Uint8Array(count)
    this.#random = seeded(seed)
    this.steering = new SteeringWorld({ seed, fixedStep: 1 / RATE })
    this.seek = new Seek({ target: (agent, out) => this.#ahead(agent, out) })
    this.flock = new Flock({
      name: 'flock',
      count,
      ...(view ? { view } : {}),
      behavior: within([this.avoid], blend([this.flocking, { behavior: this.seek, weight: 0.5 }])),
      locomotion: new Flight({ minSpeed: 8, bankWeight: 9 }),
      maxSpeed: TOP_SPEED,
      maxForce: 40,
      radius: RADIUS,
      responseTime: 0.25,
      maxNeighbors: 7,
      spawn: (_, state) => this.#place(state),
    })
    this.steering.add(this.flock)
  }
  // #endregion

  step(dt: number): void {
    this.#sinceStep += dt
    if (this.#sinceStep < this.steering.fixedStep - 1e-9) return
    this.#sinceStep = 0
    this.steering.step(this.steering.fixedStep)
    this.#measure()
  }

  /** Writes the views, `alpha` of a scene step after the last step. */
  present(alpha: number, dt: number): void {
    this.steering.present(Math.min(1, (this.#sinceStep + alpha * dt) / this.steering.fixedStep))
  }

  #measure(): void {
    const { flock, obstacles } = this
    this.#watch = (this.#watch + 1) % WATCHED
    for (let index = this.#watch; index < flock.size; index += WATCHED) {
      const gap = obstacles.distance(flock.position(index, this.#position), this.#normal)
      const touches = gap < RADIUS ? 1 : 0
      if (touches > this.#touching[index]!) this.contacts++
      this.#touching[index] = touches
      this.#speedShares += magnitude(flock.velocity(index, this.#velocity)) / flock.maxSpeed
      this.#speedSamples++
    }
  }

  state(): Record<string, number | string> {
    const { flock } = this
    const mark = new Fingerprint().add(this.#sinceStep)
    for (let index = 0; index < flock.size; index++) mark.addVector(flock.position(index, this.#position))
    return {
      birds: flock.size,
      contacts: this.contacts,
      'speed share': this.#speedSamples > 0 ? this.#speedShares / this.#speedSamples : 0,
      fingerprint: mark.toString(),
    }
  }

  /**
   * The target ahead along the centre line, with 60 % of the bird's offset from it, so that the bird
   * approaches the line.
   */
  #ahead({ position }: Agent, out: Vec3): Vec3 {
    const { land } = this
    const aside = 0.6 * land.asideOf(position)
    const up = CRUISE + 0.6 * (position.y - CRUISE)
    return land.at(land.onward(land.angleOf(position), LOOK_AHEAD), Math.max(-7, Math.min(7, aside)), up, out)
  }

  #place({ position, velocity }: { position: Vec3; velocity: Vec3 }): void {
    const random = this.#random
    const angle = 0.2 - 0.24 * random()
    const ahead = { x: 0, y: 0, z: 0 }
    this.land.at(angle, 10 * (random() - 0.5), CRUISE + 8 * (random() - 0.5), position)
    this.land.at(this.land.onward(angle, 2), this.land.asideOf(position), position.y, ahead)
    const length = Math.hypot(ahead.x - position.x, ahead.z - position.z)
    velocity.x = (12 * (ahead.x - position.x)) / length
    velocity.y = 0
    velocity.z = (12 * (ahead.z - position.z)) / length
  }
}
