import type { Vec3, Vec3Like } from 'three-steering'
import { berth, DRONE, HALF_LENGTH, wallClearance, TUBE, type Rock } from './black-art-tube.js'
import { distance, Flips } from './metrics.js'
import { Recent } from './recent.js'
import { Touches } from './touches.js'
import { vec } from './vectors.js'

/** A drone within this distance of its goal has arrived and turns back (m). */
export const REACHED = 0.6

/**
 * A drone that has not come closer to its goal by `PROGRESS` (m) within `PATIENCE` (s) counts as starved: it
 * makes no progress.
 */
export const PROGRESS = 0.5
export const PATIENCE = 4

/** Below this speed a velocity has no direction (m/s). */
const SLOWEST = 0.25

/** Two drones must be this far apart before another touch counts (m). Larger than the skin of any two. */
const CLOSE = 0.05

/** A drone must be this far from the wall before another touch counts (m). */
const SKIN = 0.01 * DRONE

/** Times (s) over which trips and jitter are counted. */
const WINDOW = { trips: 30, jitter: 5 }

/** What the tally knows of a drone. */
interface Counted {
  readonly key: number
  readonly radius: number
  readonly position: Vec3
  readonly velocity: Vec3
  readonly goal: Vec3
  end: -1 | 1
  atWall: boolean
  /**
   * Least distance to its goal on this trip (m), updated in steps of `PROGRESS`, and the time of that (s).
   */
  best: number
  since: number
  readonly flips: Flips
}

/** Counts events in one column, and sends drones that have arrived back to the other end. */
export class Tally {
  readonly drones: readonly Counted[]
  /** Contacts between drones, and of drones with rocks. */
  readonly touches = new Touches(CLOSE)
  walls = 0
  /** Contacts with rocks. */
  rocks = 0
  trips = 0
  /** Number of drones that are starved now. */
  starved = 0
  /** Sum of the time that drones were starved (s). */
  hunger = 0
  /** Number of sign changes of turn rates. */
  flips = 0
  /** Touches of walls since the list was last emptied. The reader empties it. */
  readonly scratches: { readonly key: number; readonly at: Vec3Like }[] = []
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

  get tripsPerMinute(): number {
    return 60 * this.#tripsLately.rate
  }

  /** Jitter J: sign changes of the turn rate per drone (1/s). */
  get jitter(): number {
    return this.#flipsLately.rate / this.drones.length
  }

  /** Call after each step of `dt` seconds, with positions and velocities of drones and rocks up to date. */
  see(time: number, dt: number): void {
    const { flips, trips } = this
    const touches = this.touches.contacts
    this.touches.see(this.#balls)
    this.#countRocks(this.touches.contacts - touches)
    this.starved = 0
    for (const drone of this.drones) {
      this.#watchWall(drone)
      this.#watchProgress(drone, time, dt)
      const before = drone.flips.count
      drone.flips.see(drone.velocity, dt)
      this.flips += drone.flips.count - before
    }
    this.hunger += this.starved * dt
    this.#tripsLately.add(this.trips - trips, dt)
    this.#flipsLately.add(this.flips - flips, dt)
  }

  /** Resets all counts. */
  reset(): void {
    this.touches.contacts = this.walls = this.rocks = this.trips = this.hunger = this.flips = 0
    for (const each of [this.#tripsLately, this.#flipsLately]) each.reset()
  }

  /** Finds the rocks among the last `count` contacts. */
  #countRocks(count: number): void {
    if (count === 0) return
    for (const { keys } of this.touches.fresh.slice(-count))
      if (keys.some((key) => key >= this.drones.length)) this.rocks++
  }

  #watchWall(drone: Counted): void {
    const { position } = drone
    const clearance = wallClearance(position)
    const touching = clearance < 0 || (drone.atWall && clearance < SKIN)
    if (touching && !drone.atWall) {
      this.walls++
      if (this.scratches.length < 32) this.scratches.push({ key: drone.key, at: onWall(position) })
    }
    drone.atWall = touching
  }

  #watchProgress(drone: Counted, time: number, dt: number): void {
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
    // half a step of tolerance, so that rounding does not decide
    if (time - drone.since > PATIENCE + dt / 2) this.starved++
  }
}

/** The point of the wall nearest to a point inside. */
function onWall({ x, y, z }: Vec3Like): Vec3Like {
  const axisDistance = Math.hypot(x, z)
  if (HALF_LENGTH - Math.abs(y) < TUBE - axisDistance) return vec(x, Math.sign(y) * HALF_LENGTH, z)
  return vec((x * TUBE) / axisDistance, y, (z * TUBE) / axisDistance)
}
