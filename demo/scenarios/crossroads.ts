import {
  ReciprocalAvoidance,
  Seek,
  SteeringController,
  SteeringWorld,
  within,
  type Quat,
  type Vec3Like,
} from 'three-steering'
import { type View, seeded } from 'three-steering/authoring'
import { distance, Fingerprint } from './metrics.js'
import { Touches } from './touches.js'
import { evenly, inner, ORIGIN, outer, plus, times, unit, vec } from './vectors.js'

export interface CrossroadsOptions {
  readonly seed?: number
  readonly count?: number
  /** View of craft `index`. */
  readonly view?: (index: number) => View
}

export const DEFAULT_CRAFT = 180
export const MAX_CRAFT = 300

/** Half the length of a lane, and half the width of its stream (m). */
export const REACH = 100
export const WIDTH = 9

/** Directions of the streams, unit: two avenues, a vertical shaft, and one that climbs across the others. */
export const AXES: readonly Vec3Like[] = [vec(1, 0, 0), vec(0, 0, 1), vec(0, 1, 0), unit(vec(-1, 0.55, -0.8))]

/** Radius of a runabout and of a freighter (m). */
export const SMALL = 1
export const BIG = 6
/** Speed of a runabout and of a freighter (m/s). */
const SPEED = 14
const FREIGHTER_SPEED = 7
const NEIGHBOR_DISTANCE = 40 // m
/** Clearance between hulls (m). A gap smaller than the second value is a near miss. */
const CLEARANCE = 0.5
const CLOSE = 0.25
/** Distance of the target ahead on its line (m). */
const LOOK_AHEAD = 30
/** A craft sets out only if all others keep this clearance (m). */
const START_CLEARANCE = 6

/**
 * Lines of freighters. They pass each other, since no freighter gives way. Stream, and offset from the middle
 * of the stream (m).
 */
const FREIGHT: readonly (readonly [stream: number, at: Vec3Like])[] = [
  [0, vec(0, 9, -7)],
  [1, vec(-7, -9, 0)],
  [2, vec(9, 0, 9)],
]

/** One place in the traffic. A craft that has passed through is followed by a new one. */
export interface Craft {
  readonly index: number
  readonly stream: number
  readonly freighter: boolean
  /** Null while the place waits for its next craft. */
  pilot: SteeringController | null
  /** The point where its line passes the middle of the crossing (m). */
  line: Vec3Like
  /** Time at which it set out, or will set out (s). */
  since: number
}

/** Streams of craft that cross at one place in three dimensions, without traffic lights and without end. */
export class Crossroads {
  readonly steering: SteeringWorld
  readonly avoid = new ReciprocalAvoidance({ neighborDistance: NEIGHBOR_DISTANCE, clearance: CLEARANCE })
  readonly touches = new Touches(CLOSE)
  readonly craft: readonly Craft[]
  trips = 0
  #timed = 0
  #delays = 0
  #avoiding = true
  #speed = SPEED
  readonly #byKey = new Map<number, Craft>()
  readonly #random: () => number
  readonly #view: CrossroadsOptions['view']

  constructor({ seed = 1, count = DEFAULT_CRAFT, view }: CrossroadsOptions = {}) {
    this.#random = seeded(seed)
    this.#view = view
    this.steering = new SteeringWorld({ seed })
    const total = Math.max(FREIGHT.length, Math.min(count, MAX_CRAFT))
    this.craft = Array.from({ length: total }, (_, index) => {
      const freight = FREIGHT[index]
      const stream = freight ? freight[0] : index % AXES.length
      return { index, stream, freighter: freight !== undefined, pilot: null, line: ORIGIN, since: 0 }
    })
    // spread along their lanes, except in the middle
    for (const each of this.craft) {
      const side = each.index % 3 === 0 ? 1 : -1
      const along = side * evenly(this.#random, each.freighter ? 45 : 28, REACH - 5)
      if (!this.#launch(each, along)) each.since = 4 * this.#random()
    }
  }

  /** Whether craft avoid each other. */
  get avoiding(): boolean {
    return this.#avoiding
  }

  set avoiding(on: boolean) {
    this.#avoiding = on
    for (const each of this.craft) if (each.pilot) each.pilot.behavior = this.#makeBehavior(each)
  }

  /** Mean top speed of the runabouts (m/s). */
  get speed(): number {
    return this.#speed
  }

  set speed(speed: number) {
    this.#speed = speed
    for (const { pilot, freighter } of this.craft) if (pilot && !freighter) pilot.maxSpeed = speed
  }

  /** Mean delay of the craft that passed through, compared with an empty crossing (s). */
  get delay(): number {
    return this.#timed > 0 ? this.#delays / this.#timed : 0
  }

  step(dt: number): void {
    this.steering.step(dt)
    const { time } = this.steering
    const balls = []
    for (const each of this.craft) {
      const { pilot } = each
      if (!pilot) {
        if (time >= each.since) this.#launch(each, -REACH)
        continue
      }
      balls.push({ key: pilot.id, position: pilot.position, radius: pilot.radius })
      if (inner(pilot.position, AXES[each.stream]!) > REACH) this.#land(each, pilot)
    }
    this.touches.see(balls)
  }

  /** The craft in a touch, by its key. */
  ownerOf(key: number): Craft | undefined {
    return this.#byKey.get(key)
  }

  dispose(): void {
    this.steering.dispose()
  }

  state(): Record<string, number | string> {
    const mark = new Fingerprint()
    let underway = 0
    let speedShares = 0
    for (const { pilot } of this.craft) {
      if (!pilot) continue
      mark.addVector(pilot.position)
      underway++
      const { x, y, z } = pilot.velocity
      speedShares += Math.hypot(x, y, z) / pilot.maxSpeed
    }
    return {
      'under way': underway,
      'came through': this.trips,
      contacts: this.touches.contacts,
      'near misses': this.touches.near,
      'mean delay': this.delay,
      'speed share': underway > 0 ? speedShares / underway : 0,
      fingerprint: mark.toString(),
    }
  }

  // #region code
  /** Sets out, `along` metres from the crossing. @returns whether there was enough clearance. */
  #launch(each: Craft, along: number): boolean {
    const axis = AXES[each.stream]!
    each.line = each.freighter ? FREIGHT[each.index]![1] : this.#laneOf(axis)
    const at = plus(each.line, axis, along)
    const radius = each.freighter ? BIG : SMALL
    for (const { pilot } of this.craft)
      if (pilot && distance(pilot.position, at) < pilot.radius + radius + START_CLEARANCE) return false
    const maxSpeed = each.freighter ? FREIGHTER_SPEED : this.#speed * evenly(this.#random, 0.85, 1.1)
    const mass = radius ** 3
    each.pilot = new SteeringController(this.#view?.(each.index) ?? null, {
      name: each.freighter ? 'freighter' : 'runabout',
      behavior: this.#makeBehavior(each),
      maxSpeed,
      mass,
      // full speed within a second
      maxForce: mass * maxSpeed,
      radius,
      priority: each.freighter ? Infinity : 1,
      position: at,
      velocity: times(axis, maxSpeed),
      quaternion: lookAlong(axis),
      seed: Math.floor(this.#random() * 2 ** 31),
    })
    each.since = this.steering.time
    this.steering.add(each.pilot)
    this.#byKey.set(each.pilot.id, each)
    return true
  }

  /** A craft has passed through and is removed. */
  #land(each: Craft, pilot: SteeringController): void {
    const { time } = this.steering
    this.trips++
    // craft that were there at the start began in the middle of their lanes
    if (each.since > 0) {
      this.#timed++
      this.#delays += time - each.since - (2 * REACH) / pilot.maxSpeed
    }
    this.#byKey.delete(pilot.id)
    pilot.dispose()
    each.pilot = null
    each.since = time + (each.freighter ? 6 : 1.5) * this.#random()
  }

  #makeBehavior(each: Craft): SteeringController['behavior'] {
    const axis = AXES[each.stream]!
    const ahead = new Seek({
      target: ({ position }, out) => {
        const along = inner(position, axis) - inner(each.line, axis) + LOOK_AHEAD
        Object.assign(out, plus(each.line, axis, along))
      },
    })
    // a freighter gives way to no other craft, so it needs no avoidance
    return each.freighter || !this.#avoiding ? ahead : within([this.avoid], ahead)
  }
  // #endregion

  /** A random offset in the stream, perpendicular to its axis (m). */
  #laneOf(axis: Vec3Like): Vec3Like {
    const a = unit(outer(axis, Math.abs(axis.y) > 0.9 ? vec(1, 0, 0) : vec(0, 1, 0)))
    const around = 2 * Math.PI * this.#random()
    const offset = WIDTH * Math.sqrt(this.#random())
    return plus(times(a, offset * Math.cos(around)), outer(axis, a), offset * Math.sin(around))
  }
}

/** Nose (+Z) along a unit vector that is not −Z. */
function lookAlong({ x, y, z }: Vec3Like): Quat {
  return { x: -y, y: x, z: 0, w: 1 + z }
}
