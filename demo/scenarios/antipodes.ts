import {
  Arrive,
  AvoidAgents,
  ReciprocalAvoidance,
  SteeringWorld,
  within,
  type Behavior,
  type Flock,
  type Vec3Like,
  type Viewable,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { Fingerprint } from './metrics.js'
import { Touches, type Ball } from './touches.js'
import { spread } from './traffic.js'
import { direction, times, vec } from './vectors.js'

/** How they avoid each other: as this package does, or by the textbook, which minds the one encounter that comes next. */
export type Manner = 'ours' | 'textbook'

export interface AntipodesOptions {
  readonly seed?: number
  readonly count?: number
  /** Whether a second crowd does the same by the textbook. */
  readonly compared?: boolean
  readonly view?: (manner: Manner) => Viewable
}

export const DEFAULT_DARTS = 100
export const MAX_DARTS = 500

/** Of a dart, m. */
export const RADIUS = 0.5
/** m/s, and the force (N) that brings 1 kg there in a second. */
export const SPEED = 6
const LOOKOUT = 15 // m
/** Kept between hulls, m. */
export const ROOM = 0.3
/** Gaps below this are close passes, m. */
const CLOSE = 0.1
/** How long all rest before they go back, s; and after how many times the straight way nobody waits any longer. */
const REST = 1.5
const PATIENCE = 3.2

/** Radius of the sphere on which so many sit, m. It grows a little faster than they need to sit, since all must pass its middle. */
export function sphereOf(count: number): number {
  return 26 * RADIUS * (Math.max(8, count) / 100) ** (2 / 3)
}

/** One crowd, in a world of its own. */
export class Crowd {
  readonly flock: Flock
  readonly touches = new Touches(CLOSE)
  readonly avoid = new ReciprocalAvoidance({ neighborDistance: LOOKOUT, clearance: ROOM })
  readonly unaligned = new AvoidAgents({ neighborDistance: LOOKOUT })
  readonly steering: SteeringWorld
  arrivals = 0
  /** When the last one of this crossing arrived, s after its start; −1 before. */
  took = -1
  readonly #there: Uint8Array
  readonly #balls: (Ball & { readonly position: { x: number; y: number; z: number } })[]

  /** `goals` are read anew each step. */
  constructor(
    manner: Manner,
    starts: readonly Vec3Like[],
    goals: readonly Vec3Like[],
    seed: number,
    view?: Viewable,
  ) {
    this.steering = new SteeringWorld({ seed })
    const arrive = new Arrive({
      target: ({ id }, out) => void Object.assign(out, goals[id]!),
      tolerance: 0.2 * RADIUS,
      dwell: 0.1,
    })
    this.flock = this.steering.addFlock({
      name: manner,
      count: starts.length,
      ...(view ? { view } : {}),
      behavior: this.#helm(manner, arrive),
      maxSpeed: SPEED,
      maxForce: SPEED,
      radius: RADIUS,
      seed,
      spawn: (index, { position, velocity }) => {
        Object.assign(position, starts[index]!)
        // at rest, nose inwards
        Object.assign(velocity, times(starts[index]!, -1e-3))
      },
    })
    this.#there = new Uint8Array(starts.length)
    this.#balls = starts.map((_, key) => ({ key, radius: RADIUS, position: vec(0, 0, 0) }))
    this.flock.addEventListener('arrive', ({ index }) => this.#there.fill(1, index, index + 1))
  }

  /** How many of the present crossing have arrived. */
  get there(): number {
    return this.#there.reduce((sum, each) => sum + each, 0)
  }

  depart(): void {
    this.#there.fill(0)
    this.took = -1
  }

  step(dt: number, since: number): void {
    const before = this.there
    this.steering.step(dt)
    for (const { key, position } of this.#balls) this.flock.position(key, position)
    this.touches.see(this.#balls)
    const { there } = this
    this.arrivals += there - before
    if (this.took < 0 && there === this.#balls.length) this.took = since + dt
  }

  mark(print: Fingerprint): Fingerprint {
    for (const { position } of this.#balls) print.addVector(position)
    return print
  }

  #helm(manner: Manner, arrive: Arrive): Behavior {
    return within([manner === 'ours' ? this.avoid : this.unaligned], arrive)
  }
}

/** Everybody on a sphere wants to be where the one opposite is, all through the same middle; there they rest, and swap back. */
export class Antipodes {
  readonly seed: number
  readonly count: number
  readonly crowd: Crowd
  readonly textbook: Crowd | null
  /** Where each one sits first; the other seat is opposite. */
  readonly seats: readonly Vec3Like[]
  crossings = 1
  /** Of this crossing, s. */
  time = 0
  #until = Infinity
  readonly #goals: Vec3Like[]

  constructor({ seed = 1, count = DEFAULT_DARTS, compared = true, view }: AntipodesOptions = {}) {
    this.seed = seed
    this.count = Math.min(count, MAX_DARTS)
    this.seats = Antipodes.seatsOf(seed, this.count)
    this.#goals = this.seats.map((seat) => times(seat, -1))
    const launch = (manner: Manner): Crowd => new Crowd(manner, this.seats, this.#goals, seed, view?.(manner))
    this.crowd = launch('ours')
    this.textbook = compared ? launch('textbook') : null
  }

  static seatsOf(seed: number, count: number): Vec3Like[] {
    const random = seeded(seed)
    const size = sphereOf(count)
    // not quite even, so that not all meet in one point
    return spread(count, random).map((u) => {
      const off = direction(random)
      const seat = vec(u.x + 0.05 * off.x, u.y + 0.05 * off.y, u.z + 0.05 * off.z)
      return times(seat, size / Math.hypot(seat.x, seat.y, seat.z))
    })
  }

  step(dt: number): void {
    for (const crowd of this.#crowds()) crowd.step(dt, this.time)
    this.time += dt
    const all = this.#crowds().every(({ took }) => took >= 0)
    const limit = PATIENCE * ((2 * sphereOf(this.count)) / SPEED + 1)
    if (this.#until === Infinity && (all || this.time > limit)) this.#until = this.time + REST
    if (this.time >= this.#until) this.#turn()
  }

  dispose(): void {
    for (const crowd of this.#crowds()) crowd.steering.dispose()
  }

  state(): Record<string, number | string> {
    const print = new Fingerprint()
    for (const crowd of this.#crowds()) crowd.mark(print)
    const { crowd, textbook } = this
    return {
      darts: this.count,
      crossings: this.crossings,
      time: this.time,
      contacts: crowd.touches.contacts,
      'close passes': crowd.touches.near,
      arrived: crowd.there,
      ...(textbook && {
        'textbook contacts': textbook.touches.contacts,
        'textbook close passes': textbook.touches.near,
        'textbook arrived': textbook.there,
      }),
      fingerprint: print.toString(),
    }
  }

  /** All go back. */
  #turn(): void {
    for (const [i, goal] of this.#goals.entries()) this.#goals[i] = times(goal, -1)
    for (const crowd of this.#crowds()) crowd.depart()
    this.crossings++
    this.time = 0
    this.#until = Infinity
  }

  #crowds(): Crowd[] {
    return this.textbook ? [this.crowd, this.textbook] : [this.crowd]
  }
}
