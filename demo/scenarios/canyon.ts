import {
  AvoidObstacles,
  blend,
  Flight,
  Flocking,
  Obstacles,
  Seek,
  SteeringWorld,
  within,
  type Agent,
  type Flock,
  type Shape,
  type Vec3,
  type Viewable,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { type CanyonLand, CRUISE } from './canyon-land.js'
import { Fingerprint, magnitude } from './metrics.js'

export interface CanyonOptions {
  readonly land: CanyonLand
  /** The mesh of the land, as what birds avoid. */
  readonly shape: Shape
  readonly seed?: number
  readonly count?: number
  readonly view?: Viewable
}

export const DEFAULT_FLYERS = 80
export const MAX_FLYERS = 400

/** Birds think so often: a mesh of many triangles is worth a thought, and the motion is the same at any rate. */
const RATE = 30 // 1/s
/** Share of the birds whose distance from the rock is measured in each step: one in so many. */
const WATCHED = 2

export const TOP_SPEED = 14 // m/s
/** How far ahead on its way a bird looks, m. */
const LOOK = 20
/** Of a bird with its wings, m. */
const BALL = 0.45

/** A flock that flies round and round through a canyon. */
export class Canyon {
  readonly land: CanyonLand
  readonly steering: SteeringWorld
  readonly flock: Flock
  readonly obstacles: Obstacles
  /** How far it looks is all that it needs here: what lies behind the next bend is the way's business. */
  readonly avoid: AvoidObstacles
  readonly flocking = new Flocking({
    separation: { neighborDistance: 2.4, weight: 1 },
    alignment: { neighborDistance: 5, weight: 0.5, fieldOfView: 5.24 },
    cohesion: { neighborDistance: 5.5, weight: 0.35, fieldOfView: 5.24, emergency: false },
  })
  readonly seek: Seek
  contacts = 0
  #pace = 0
  #paces = 0
  /** Of a step of the birds that has gone by, s. */
  #since = 0
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
    this.flock = this.steering.addFlock({
      name: 'flock',
      count,
      ...(view ? { view } : {}),
      behavior: within([this.avoid], blend([this.flocking, { behavior: this.seek, weight: 0.5 }])),
      locomotion: new Flight({ minSpeed: 8, bankWeight: 9 }),
      maxSpeed: TOP_SPEED,
      maxForce: 40,
      radius: BALL,
      responseTime: 0.25,
      maxNeighbors: 7,
      spawn: (_, state) => this.#place(state),
    })
  }

  step(dt: number): void {
    this.#since += dt
    if (this.#since < this.steering.fixedStep - 1e-9) return
    this.#since = 0
    this.steering.step(this.steering.fixedStep)
    this.#measure()
  }

  /** Shows where the birds are, `alpha` of a step of the scene after the last one. */
  present(alpha: number, dt: number): void {
    this.steering.present(Math.min(1, (this.#since + alpha * dt) / this.steering.fixedStep))
  }

  #measure(): void {
    const { flock, obstacles } = this
    this.#watch = (this.#watch + 1) % WATCHED
    for (let index = this.#watch; index < flock.size; index += WATCHED) {
      const gap = obstacles.distance(flock.position(index, this.#position), this.#normal)
      const touches = gap < BALL ? 1 : 0
      if (touches > this.#touching[index]!) this.contacts++
      this.#touching[index] = touches
      this.#pace += magnitude(flock.velocity(index, this.#velocity)) / flock.maxSpeed
      this.#paces++
    }
  }

  state(): Record<string, number | string> {
    const { flock } = this
    const mark = new Fingerprint().add(this.#since)
    for (let index = 0; index < flock.size; index++) mark.addVector(flock.position(index, this.#position))
    return {
      birds: flock.size,
      contacts: this.contacts,
      'speed share': this.#paces > 0 ? this.#pace / this.#paces : 0,
      fingerprint: mark.toString(),
    }
  }

  /** The place ahead on the way, off its middle and its height as the bird is, but less. */
  #ahead({ position }: Agent, out: Vec3): Vec3 {
    const { land } = this
    const aside = 0.6 * land.asideOf(position)
    const up = CRUISE + 0.6 * (position.y - CRUISE)
    return land.at(land.onward(land.angleOf(position), LOOK), Math.max(-7, Math.min(7, aside)), up, out)
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
