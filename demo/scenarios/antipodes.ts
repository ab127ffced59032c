import {
  Arrive,
  AvoidAgents,
  Flock,
  ReciprocalAvoidance,
  SteeringWorld,
  within,
  type Behavior,
  type Vec3Like,
  type Viewable,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { Fingerprint } from './metrics.js'
import { Touches, type Ball } from './touches.js'
import { direction, spread, times, vec } from './vectors.js'

/**
 * Method of avoidance: `ReciprocalAvoidance` ('ours'), or the textbook method, which considers only the next
 * encounter.
 */
export type Manner = 'ours' | 'textbook'

export interface AntipodesOptions {
  readonly seed?: number
  readonly count?: number
  /** Whether a second crowd flies the same crossing by the textbook method. Default true. */
  readonly compared?: boolean
  readonly view?: (manner: Manner) => Viewable
}

export const DEFAULT_DARTS = 100
export const MAX_DARTS = 500

/** Radius of a dart (m). */
export const RADIUS = 0.5
/** Top speed (m/s). Also the greatest force (N), which brings 1 kg to that speed in a second. */
export const SPEED = 6
const NEIGHBOR_DISTANCE = 15 // m
/** Clearance between hulls (m). */
export const CLEARANCE = 0.3
/** Clearances below this are close passes (m). */
const CLOSE = 0.1
/**
 * Rest before the way back (s), and the time limit of a crossing as a multiple of the time for the straight
 * line.
 */
const REST = 1.5
const PATIENCE = 3.2

/**
 * Radius of the sphere on which `count` darts start (m). It grows faster with the count than the surface they
 * need, because all of them pass its centre.
 */
export function sphereOf(count: number): number {
  return 26 * RADIUS * (Math.max(8, count) / 100) ** (2 / 3)
}

/** One crowd in its own world. */
export class Crowd {
  readonly flock: Flock
  readonly touches = new Touches(CLOSE)
  readonly avoid = new ReciprocalAvoidance({ neighborDistance: NEIGHBOR_DISTANCE, clearance: CLEARANCE })
  readonly unaligned = new AvoidAgents({ neighborDistance: NEIGHBOR_DISTANCE })
  readonly steering: SteeringWorld
  arrivals = 0
  /** Time from the start of this crossing to the last arrival (s). −1 before that. */
  took = -1
  readonly #there: Uint8Array
  readonly #balls: (Ball & { readonly position: { x: number; y: number; z: number } })[]

  // #region code
  /** `goals` are read in each step. */
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
    this.flock = new Flock({
      name: manner,
      count: starts.length,
      ...(view ? { view } : {}),
      behavior: this.#makeBehavior(manner, arrive),
      maxSpeed: SPEED,
      maxForce: SPEED,
      radius: RADIUS,
      seed,
      spawn: (index, { position, velocity }) => {
        Object.assign(position, starts[index]!)
        // at rest, nose towards the centre
        Object.assign(velocity, times(starts[index]!, -1e-3))
      },
    })
    this.steering.add(this.flock)
    this.#there = new Uint8Array(starts.length)
    this.#balls = starts.map((_, key) => ({ key, radius: RADIUS, position: vec(0, 0, 0) }))
    this.flock.addEventListener('arrive', ({ index }) => this.#there.fill(1, index, index + 1))
  }

  /** Number of darts that have arrived in this crossing. */
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

  #makeBehavior(manner: Manner, arrive: Arrive): Behavior {
    return within([manner === 'ours' ? this.avoid : this.unaligned], arrive)
  }
  // #endregion
}

/**
 * Darts on a sphere, each with the opposite point as its goal, so that all paths cross the centre. There they
 * rest, and fly back.
 */
export class Antipodes {
  readonly seed: number
  readonly count: number
  readonly crowd: Crowd
  readonly textbook: Crowd | null
  /** Start positions (m). The goal is the opposite point. */
  readonly seats: readonly Vec3Like[]
  crossings = 1
  /** Time of this crossing (s). */
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
    // slightly irregular, so that the paths do not all meet in one point
    return spread(count, random).map((u) => {
      const offset = direction(random)
      const seat = vec(u.x + 0.05 * offset.x, u.y + 0.05 * offset.y, u.z + 0.05 * offset.z)
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

  /** Begins the next crossing, in the opposite direction. */
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
