import {
  ReciprocalAvoidance,
  Seek,
  SteeringController,
  SteeringWorld,
  within,
  type Quat,
  type Vec3Like,
  type View,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { distance, Fingerprint } from './metrics.js'
import { Touches } from './touches.js'
import { evenly, inner, ORIGIN, outer, plus, times, unit, vec } from './vectors.js'

export interface CrossroadsOptions {
  readonly seed?: number
  readonly count?: number
  /** Shown as: craft number so and so. */
  readonly view?: (index: number) => View
}

export const DEFAULT_CRAFT = 180
export const MAX_CRAFT = 300

/** Half the length of a lane, and the half width of its stream, m. */
export const REACH = 100
export const WIDTH = 9

/** The ways of the streams, unit: two avenues, a shaft, and one that climbs across them all. */
export const AXES: readonly Vec3Like[] = [vec(1, 0, 0), vec(0, 0, 1), vec(0, 1, 0), unit(vec(-1, 0.55, -0.8))]

/** Balls around a runabout and a freighter, m. */
export const SMALL = 1
export const BIG = 6
/** m/s. */
const SPEED = 14
const FREIGHTER_SPEED = 7
const LOOKOUT = 40 // m
/** Kept between hulls, m; a smaller gap than the second one is a near miss. */
const ROOM = 0.5
const CLOSE = 0.25
/** How far ahead on its own line a craft looks for its way, m. */
const LEAD = 30
/** Nobody sets out with somebody else so near, m. */
const CLEAR = 6

/** Lines of freighters, past each other, since none of them yields: stream and place beside its middle, m. */
const FREIGHT: readonly (readonly [stream: number, at: Vec3Like])[] = [
  [0, vec(0, 9, -7)],
  [1, vec(-7, -9, 0)],
  [2, vec(9, 0, 9)],
]

/** One place in the traffic; who has come through is followed by somebody new. */
export interface Craft {
  readonly index: number
  readonly stream: number
  readonly freighter: boolean
  /** Null while it waits to set out. */
  pilot: SteeringController | null
  /** Where its line passes the middle of the crossing, m. */
  line: Vec3Like
  /** When it set out, s; while it waits, when it will. */
  since: number
}

/** Streams of craft that cross in one place, from all three dimensions, without lights and without end. */
export class Crossroads {
  readonly steering: SteeringWorld
  readonly avoid = new ReciprocalAvoidance({ neighborDistance: LOOKOUT, clearance: ROOM })
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
    // all along their lanes, but not in the middle
    for (const each of this.craft) {
      const side = each.index % 3 === 0 ? 1 : -1
      const along = side * evenly(this.#random, each.freighter ? 45 : 28, REACH - 5)
      if (!this.#launch(each, along)) each.since = 4 * this.#random()
    }
  }

  /** Whether they mind each other. */
  get avoiding(): boolean {
    return this.#avoiding
  }

  set avoiding(on: boolean) {
    this.#avoiding = on
    for (const each of this.craft) if (each.pilot) each.pilot.behavior = this.#helm(each)
  }

  /** Of the small ones, m/s. */
  get speed(): number {
    return this.#speed
  }

  set speed(speed: number) {
    this.#speed = speed
    for (const { pilot, freighter } of this.craft) if (pilot && !freighter) pilot.maxSpeed = speed
  }

  /** Mean time that the others have cost a craft which came through, s. */
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

  /** Who has touched, by the key of a touch. */
  ownerOf(key: number): Craft | undefined {
    return this.#byKey.get(key)
  }

  dispose(): void {
    this.steering.dispose()
  }

  state(): Record<string, number | string> {
    const mark = new Fingerprint()
    let underway = 0
    let pace = 0
    for (const { pilot } of this.craft) {
      if (!pilot) continue
      mark.addVector(pilot.position)
      underway++
      const { x, y, z } = pilot.velocity
      pace += Math.hypot(x, y, z) / pilot.maxSpeed
    }
    return {
      'under way': underway,
      'came through': this.trips,
      contacts: this.touches.contacts,
      'near misses': this.touches.near,
      'mean delay': this.delay,
      'speed share': underway > 0 ? pace / underway : 0,
      fingerprint: mark.toString(),
    }
  }

  /** Sets out, `along` metres from the crossing. @returns whether there was room. */
  #launch(each: Craft, along: number): boolean {
    const axis = AXES[each.stream]!
    each.line = each.freighter ? FREIGHT[each.index]![1] : this.#laneOf(axis)
    const at = plus(each.line, axis, along)
    const radius = each.freighter ? BIG : SMALL
    for (const { pilot } of this.craft)
      if (pilot && distance(pilot.position, at) < pilot.radius + radius + CLEAR) return false
    const maxSpeed = each.freighter ? FREIGHTER_SPEED : this.#speed * evenly(this.#random, 0.85, 1.1)
    const mass = radius ** 3
    each.pilot = new SteeringController(this.#view?.(each.index) ?? null, {
      name: each.freighter ? 'freighter' : 'runabout',
      behavior: this.#helm(each),
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

  /** It has come through, and leaves. */
  #land(each: Craft, pilot: SteeringController): void {
    const { time } = this.steering
    this.trips++
    // those that were there from the beginning began half way
    if (each.since > 0) {
      this.#timed++
      this.#delays += time - each.since - (2 * REACH) / pilot.maxSpeed
    }
    this.#byKey.delete(pilot.id)
    pilot.dispose()
    each.pilot = null
    each.since = time + (each.freighter ? 6 : 1.5) * this.#random()
  }

  #helm(each: Craft): SteeringController['behavior'] {
    const axis = AXES[each.stream]!
    const ahead = new Seek({
      target: ({ position }, out) => {
        const along = inner(position, axis) - inner(each.line, axis) + LEAD
        Object.assign(out, plus(each.line, axis, along))
      },
    })
    // who yields to nobody need not look
    return each.freighter || !this.#avoiding ? ahead : within([this.avoid], ahead)
  }

  /** A place in the stream, at right angles to it. */
  #laneOf(axis: Vec3Like): Vec3Like {
    const a = unit(outer(axis, Math.abs(axis.y) > 0.9 ? vec(1, 0, 0) : vec(0, 1, 0)))
    const around = 2 * Math.PI * this.#random()
    const off = WIDTH * Math.sqrt(this.#random())
    return plus(times(a, off * Math.cos(around)), outer(axis, a), off * Math.sin(around))
  }
}

/** Nose (+Z) along a unit vector that is not −Z. */
function lookAlong({ x, y, z }: Vec3Like): Quat {
  return { x: -y, y: x, z: 0, w: 1 + z }
}
