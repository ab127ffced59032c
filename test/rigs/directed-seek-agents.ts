import {
  type Agent,
  type Behavior,
  type Locomotion,
  type Step,
  type Vec3,
  type Vec3Like,
  type Waypoint,
  type Wrench,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { between, inner, minus, outer, plus, times, unit, vec } from '../../demo/scenarios/vectors.js'

/** Agents and moving waypoints for trials of directed seek. */

/** A waypoint that may move. It is updated before each step. */
export interface MovingWaypoint {
  readonly position: Vec3
  readonly heading: Vec3
  readonly velocity: Vec3
  readonly angularVelocity: Vec3
}

/** How the motion of a waypoint differs from a straight line or a circle. */
export interface Unevenness {
  /** Acceleration (m/s²) for the first `until` seconds. */
  readonly acceleration: Vec3Like
  readonly until: number
  /** Amplitude (m) and angular frequency (rad/s) of a weave. */
  readonly aside: Vec3Like
  readonly rate: number
  /** Whether the heading is the direction of motion. */
  readonly ahead: boolean
  /** Whether the angular velocity is told. */
  readonly told: boolean
}

/**
 * Lateral force up to `limit` (N) that follows the wanted force with a first-order lag of `time` (s), like a
 * rudder or rolling wings. For one agent.
 */
export class LaggingWings implements Locomotion {
  readonly pointMass = true
  readonly #limit: number
  readonly #time: number
  #up = 0
  #side = 0

  constructor(limit: number, time: number) {
    this.#limit = limit
    this.#time = time
  }

  actuate(agent: Agent, demand: Readonly<Wrench>, { dt }: Step, out: Wrench): void {
    const { course, mass, speed } = agent
    const up = inner(demand.force, course.y)
    const side = inner(demand.force, course.z)
    const whole = Math.max(Math.hypot(up, side), this.#limit) / this.#limit
    const share = -Math.expm1(-dt / this.#time)
    this.#up += (up / whole - this.#up) * share
    this.#side += (side / whole - this.#side) * share
    // the speed is as wanted, whatever the wings do
    const k = dt / mass
    const fast = Math.hypot(speed + inner(demand.force, course.x) * k, up * k, side * k)
    const ahead = Math.sqrt(Math.max(0, fast ** 2 - (this.#up * k) ** 2 - (this.#side * k) ** 2))
    const lateral = plus(times(course.y, this.#up), course.z, this.#side)
    Object.assign(out.force, plus(lateral, course.x, (ahead - speed) / k))
  }

  forceAlong(): number {
    return this.#limit
  }

  forceLag(): number {
    return this.#time
  }
}

/** Writes the unit direction to turn to. Returns the stage of the path. */
export type Guide = (out: Vec3, from: Waypoint, speed: number, way: number) => number

export interface TurnerOptions {
  readonly guide: Guide
  /** Turn radius (m) at this speed (m/s) in this stage. */
  readonly radius: (speed: number, stage: number) => number
  /** Wanted speed (m/s), and rate of its change (m/s²). */
  readonly speed: number
  readonly change: number
}

/**
 * Turns to its guided direction as tightly as allowed, and in the last step only as far as needed: the agent
 * of Jakob's paper.
 */
export class Turner implements Behavior {
  readonly #options: TurnerOptions
  /** Stage of the last step. */
  stage = 0

  constructor(options: TurnerOptions) {
    this.#options = options
  }

  steer(agent: Agent, { dt }: Step, out: Wrench): void {
    const { guide, radius, speed: aim, change } = this.#options
    const { course, mass, position, speed, velocity } = agent
    const ahead = course.x
    const wanted = vec(0, 0, 0)
    this.stage = guide(wanted, { position, heading: ahead }, speed, speed * dt)
    if (this.stage === 0) return
    const most = (speed * dt) / radius(speed, this.stage)
    const heading = turnedTowards(ahead, wanted, most)
    const next = speed + Math.min(Math.max(aim - speed, -change * dt), change * dt)
    Object.assign(out.force, times(minus(times(heading, next), velocity), mass / dt))
  }
}

/** The unit vector `from`, turned towards the unit vector `to` by at most `most` (rad). */
export function turnedTowards(from: Vec3Like, to: Vec3Like, most: number): Vec3 {
  const across = minus(to, times(from, inner(to, from)))
  const size = Math.hypot(across.x, across.y, across.z)
  const angle = Math.min(Math.atan2(size, inner(to, from)), most)
  if (!(size > 1e-12)) return { x: from.x, y: from.y, z: from.z }
  return unit(plus(times(from, Math.cos(angle)), across, Math.sin(angle) / size))
}

/** Writes the state of a waypoint that started as `start` after `time` (s). */
export function moveWaypoint(
  out: MovingWaypoint,
  start: MovingWaypoint,
  time: number,
  uneven: Unevenness | null = null,
): void {
  moveEvenly(out, start, time)
  if (uneven === null) return
  const { acceleration, ahead, aside, rate, told, until } = uneven
  const pushed = Math.min(time, until)
  let place = plus(out.position, acceleration, (pushed * pushed) / 2 + pushed * (time - pushed))
  let velocity = plus(out.velocity, acceleration, pushed)
  place = plus(place, aside, Math.sin(rate * time))
  velocity = plus(velocity, aside, rate * Math.cos(rate * time))
  Object.assign(out.position, place)
  Object.assign(out.velocity, velocity)
  if (ahead) Object.assign(out.heading, unit(velocity))
  if (!told) Object.assign(out.angularVelocity, vec(0, 0, 0))
}

function moveEvenly(out: MovingWaypoint, start: MovingWaypoint, time: number): void {
  const spin = start.angularVelocity
  const rate = Math.hypot(spin.x, spin.y, spin.z)
  Object.assign(out.angularVelocity, spin)
  if (rate === 0) {
    Object.assign(out.position, plus(start.position, start.velocity, time))
    Object.assign(out.velocity, start.velocity)
    Object.assign(out.heading, start.heading)
    return
  }
  const axis = times(spin, 1 / rate)
  const angle = rate * time
  Object.assign(out.velocity, around(axis, angle, start.velocity))
  Object.assign(out.heading, around(axis, angle, start.heading))
  // the integral of the velocity: constant along the axis, a circle across it
  const along = times(axis, inner(start.velocity, axis))
  const across = minus(start.velocity, along)
  const aside = outer(axis, across)
  let place = plus(start.position, along, time)
  place = plus(place, across, Math.sin(angle) / rate)
  Object.assign(out.position, plus(place, aside, (1 - Math.cos(angle)) / rate))
}

function around(axis: Vec3Like, angle: number, v: Vec3Like): Vec3 {
  const along = times(axis, inner(axis, v))
  const across = minus(v, along)
  return plus(plus(along, across, Math.cos(angle)), outer(axis, across), Math.sin(angle))
}

/** Sizes of a real aircraft: turn radius 20-60 m, 10-40 m/s, 50 kg to 20 t. */
export function sizesOf(seed: number): { radius: number; speed: number; mass: number } {
  const random = seeded(seed + 77)
  return {
    radius: between(random, 20, 60),
    speed: between(random, 10, 40),
    mass: between(random, 50, 20_000),
  }
}
