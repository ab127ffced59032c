import type { Vec3, Vec3Like } from 'three-steering'
import { berth, DRONE, HALF_LENGTH, roomOf, TUBE, type Rock } from './black-art-tube.js'
import { distance, Flips } from './metrics.js'
import { Recent } from './recent.js'
import { Touches } from './touches.js'
import { vec } from './vectors.js'

/** So near to its berth a drone is there, and turns back, m. */
export const REACHED = 0.6

/** Who has not come nearer to its berth by this much, m, within this time, s, is starved: of what it wants it gets nothing. */
export const PROGRESS = 0.5
export const PATIENCE = 4

/** Velocities slower than this have no direction, m/s. */
const SLOWEST = 0.25

/** Touches of two count as one until they are this far apart; more than the skin of any two, m. */
const CLOSE = 0.05

/** A wall that is touched must be left by this much before it is touched again, m. */
const SKIN = 0.01 * DRONE

/** Figures are those of so many seconds. */
export const WINDOW = { contacts: 60, trips: 30, jitter: 5 }

/** A drone as the tally sees it. */
interface Counted {
  readonly key: number
  readonly radius: number
  readonly position: Vec3
  readonly velocity: Vec3
  readonly goal: Vec3
  end: -1 | 1
  atWall: boolean
  /** Least distance to its goal on this trip, as far as it counts as progress, m, and when that was, s. */
  best: number
  since: number
  readonly flips: Flips
}

/** Counts what happens in one column, and sends those that are there back to the other end. */
export class Tally {
  readonly drones: readonly Counted[]
  /** Between drones, of drones with rocks, and with the wall. */
  readonly touches = new Touches(CLOSE)
  walls = 0
  trips = 0
  /** Drones that are starved at the moment. */
  starved = 0
  /** Seconds of drones that were starved, all in all. */
  hunger = 0
  /** Sign flips of turn rates, all in all. */
  flips = 0
  /** Touches of walls that nobody has looked at yet. */
  readonly scratches: { readonly key: number; readonly at: Vec3Like }[] = []
  readonly #contactsLately = new Recent(WINDOW.contacts)
  readonly #tripsLately = new Recent(WINDOW.trips)
  readonly #flipsLately = new Recent(WINDOW.jitter)
  readonly #balls: { readonly key: number; readonly position: Vec3Like; readonly radius: number }[]

  constructor(ends: readonly (-1 | 1)[], rocks: readonly Rock[]) {
    this.drones = ends.map((end, key) => ({
      key,
      radius: DRONE,
      position: vec(0, 0, 0),
      velocity: vec(0, 0, 0),
      goal: berth(key, ends.length, end),
      end,
      atWall: false,
      best: Infinity,
      since: 0,
      flips: new Flips(SLOWEST),
    }))
    const stones = rocks.map(({ position, radius }, k) => ({ key: ends.length + k, position, radius }))
    this.#balls = [...this.drones, ...stones]
  }

  get contacts(): number {
    return this.touches.contacts + this.walls
  }

  get contactsPerMinute(): number {
    return 60 * this.#contactsLately.rate
  }

  get tripsPerMinute(): number {
    return 60 * this.#tripsLately.rate
  }

  /** J: flips of a drone, 1/s. */
  get jitter(): number {
    return this.#flipsLately.rate / this.drones.length
  }

  /** Call after each step of `dt` seconds, with the places and velocities of the drones and the rocks up to date. */
  see(time: number, dt: number): void {
    const { contacts, flips, trips } = this
    this.touches.see(this.#balls)
    this.starved = 0
    for (const drone of this.drones) {
      this.#watchWall(drone)
      this.#watchWay(drone, time, dt)
      const before = drone.flips.count
      drone.flips.see(drone.velocity, dt)
      this.flips += drone.flips.count - before
    }
    this.hunger += this.starved * dt
    this.#contactsLately.add(this.contacts - contacts, dt)
    this.#tripsLately.add(this.trips - trips, dt)
    this.#flipsLately.add(this.flips - flips, dt)
  }

  /** Counts afresh. */
  reset(): void {
    this.touches.contacts = this.walls = this.trips = this.hunger = this.flips = 0
    for (const each of [this.#contactsLately, this.#tripsLately, this.#flipsLately]) each.reset()
  }

  #watchWall(drone: Counted): void {
    const { position } = drone
    const room = roomOf(position)
    const touching = room < 0 || (drone.atWall && room < SKIN)
    if (touching && !drone.atWall) {
      this.walls++
      if (this.scratches.length < 32) this.scratches.push({ key: drone.key, at: onWall(position) })
    }
    drone.atWall = touching
  }

  #watchWay(drone: Counted, time: number, dt: number): void {
    const left = distance(drone.position, drone.goal)
    if (left < REACHED) {
      this.trips++
      drone.end = drone.end === 1 ? -1 : 1
      Object.assign(drone.goal, berth(drone.key, this.drones.length, drone.end))
      drone.best = Infinity
    }
    if (left < drone.best - PROGRESS) {
      drone.best = drone.best === Infinity ? distance(drone.position, drone.goal) : left
      drone.since = time
    }
    // half a step more, so that rounding does not decide
    if (time - drone.since > PATIENCE + dt / 2) this.starved++
  }
}

/** The point of the wall that is nearest to a point inside. */
function onWall({ x, y, z }: Vec3Like): Vec3Like {
  const off = Math.hypot(x, z)
  if (HALF_LENGTH - Math.abs(y) < TUBE - off) return vec(x, Math.sign(y) * HALF_LENGTH, z)
  return vec((x * TUBE) / off, y, (z * TUBE) / off)
}
