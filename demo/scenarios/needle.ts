import {
  AvoidObstacles,
  FollowPath,
  ReciprocalAvoidance,
  SteeringController,
  SteeringWorld,
  Thrusters,
  within,
  type Behavior,
  type Vec3,
  type Vec3Like,
  type Viewable,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import {
  boxPattern,
  Formation,
  KeepPace,
  KeepSlot,
  ringPattern,
  spherePattern,
  wedgePattern,
  type Pattern,
} from 'three-steering/formation'
import { ENGINES } from './fleet.js'
import { distance, Fingerprint } from './metrics.js'
import { SHIP_RADIUS, NeedleCourse } from './needle-course.js'
import { Touches } from './touches.js'
import { ORIGIN, plus, turnFromZ, vec } from './vectors.js'

export interface NeedleOptions {
  readonly seed?: number
  readonly count?: number
  readonly view?: (index: number) => Viewable
}

export const DEFAULT_BLOCK = 9
export const MAX_BLOCK = 27
/** Spacing of the slots (m). */
export const SPACING = 8.4

/** Patterns of the formation where there is enough space. */
export const PATTERNS: Readonly<Record<string, Pattern>> = {
  block: (count, spacing) => boxPattern(count, spacing, { width: 3, height: 3 }),
  wedge: (count, spacing) => wedgePattern(count, spacing, { rise: 0.2 }),
  ring: (count, spacing) => ringPattern(count, spacing),
  sphere: (count, spacing) => spherePattern(count, spacing),
}

/** Speed of the invisible leader (m/s). The ships can fly faster to catch up. */
const CRUISE = 16
const TOP_SPEED = 40
const MASS = 5
/** Distance from the start to the first opening (m). */
const RUN_UP = 230
/** A gap between ships below this is a close pass (m). */
const CLOSE = 0.2
/** The block counts as formed when every ship is within this distance of its slot (m). */
const FORMED = 1

/** Group bits. Ships ignore the leader, which is no obstacle. */
const SHIPS = 1
const UNSEEN = 2

export interface Needler {
  readonly pilot: SteeringController
  readonly index: number
  /** Station on the path (m), increasing from lap to lap. */
  station: number
  touching: boolean
}

/** A block of ships that flies through openings narrower than itself. */
export class Needle {
  readonly course = new NeedleCourse()
  readonly steering: SteeringWorld
  readonly formation: Formation
  readonly ships: Needler[] = []
  /** Invisible leader of the formation. It has no contacts. */
  readonly leader: SteeringController
  readonly follow: FollowPath
  readonly touches = new Touches(CLOSE)
  wallContacts = 0
  /** Least clearance between a ship and a wall, now and since the start (m). */
  gap = Infinity
  leastGap = Infinity
  /**
   * Number of openings that all ships have passed, and the time after the last one until the block was formed
   * again (s).
   */
  passages = 0
  formedIn = 0
  slowest = 0
  /** Station of the leader (m). */
  station: number
  #passed = 0
  /** Time at which the last ship left the opening (s). NaN after the block has formed again. */
  #since = Number.NaN
  #errors = 0
  #samples = 0
  #dt = 0
  readonly #behavior: Behavior
  readonly #random: () => number
  readonly #view: ((index: number) => Viewable) | undefined
  readonly #normal: Vec3 = vec(0, 0, 0)

  // #region code
  constructor({ seed = 1, count = DEFAULT_BLOCK, view }: NeedleOptions = {}) {
    const { course } = this
    const { path, obstacles } = course
    this.#view = view
    this.#random = seeded(seed)
    this.steering = new SteeringWorld({ seed })
    this.station = -RUN_UP
    this.follow = new FollowPath({ path, speed: CRUISE })
    this.formation = new Formation({
      pattern: PATTERNS['block']!,
      spacing: SPACING,
      obstacles,
      route: (ahead, out) => void path.pointAt(out, this.station + ahead),
      frame: 'level',
      warp: true,
      leaderApart: false, // the leader is not drawn, and the block flies around it
    })
    this.leader = new SteeringController(null, {
      name: 'leader',
      ...this.#startAt(this.station),
      behavior: within([new KeepPace({ formation: this.formation })], this.follow),
      maxSpeed: TOP_SPEED,
      maxForce: ENGINES.up,
      mass: MASS,
      radius: SHIP_RADIUS,
      group: UNSEEN,
    })
    this.formation.leader = this.leader
    this.#behavior = within(
      [
        new AvoidObstacles({ obstacles }),
        new ReciprocalAvoidance({ neighborDistance: 45, clearance: 0.5, groups: SHIPS }),
      ],
      new KeepSlot({ formation: this.formation }),
    )
    this.steering.add(this.leader)
    this.count = count
  }
  // #endregion

  get count(): number {
    return this.ships.length
  }

  /** New ships start behind the block. Surplus ships are removed. */
  set count(count: number) {
    const total = Math.max(1, Math.min(MAX_BLOCK, Math.round(count)))
    while (this.ships.length > total) this.ships.pop()!.pilot.dispose()
    const first = this.ships.length
    const last = Math.min(this.station, ...this.ships.map(({ station }) => station))
    if (first === 0) {
      // the slots are assigned at random
      const places = this.formation.pattern(total, SPACING)
      const draws = places.map(({ position }) => ({ position, draw: this.#random() }))
      draws.sort((a, b) => a.draw - b.draw)
      for (const [index, { position }] of draws.entries()) this.#launch(index, this.station, position)
    } else
      for (let index = first; index < total; index++)
        this.#launch(index, last - 2 * SPACING * (index - first + 1), ORIGIN)
  }

  step(dt: number): void {
    const { course, leader, steering } = this
    this.#dt = dt
    course.place(steering.time)
    steering.step(dt)
    this.station = this.#stationOf(leader.position, this.station)
    this.gap = Infinity
    for (const ship of this.ships) {
      const { position } = ship.pilot
      ship.station = this.#stationOf(position, ship.station)
      const gap = course.obstacles.distance(position, this.#normal) - SHIP_RADIUS
      this.gap = Math.min(this.gap, gap)
      if (gap < 0 && !ship.touching) this.wallContacts++
      ship.touching = gap < 0.01 * SHIP_RADIUS && (gap < 0 || ship.touching)
    }
    this.leastGap = Math.min(this.leastGap, this.gap)
    this.touches.see(
      this.ships.map(({ index, pilot }) => ({ key: index, position: pilot.position, radius: SHIP_RADIUS })),
    )
    this.#updatePassages(steering.time)
  }

  /** Distance of a ship from its slot (m). */
  errorOf({ pilot }: Needler): number {
    const place = this.formation.placeOf(pilot.id)
    // slot positions are those of the beginning of the step
    return place === null ? 0 : distance(place, plus(pilot.position, pilot.velocity, -this.#dt))
  }

  /** Contacts between ships and with walls. */
  get contacts(): number {
    return this.touches.contacts + this.wallContacts
  }

  dispose(): void {
    this.steering.dispose()
  }

  state(): Record<string, number | string> {
    const mark = new Fingerprint()
    for (const { pilot } of this.ships) mark.addVector(pilot.position).addVector(pilot.angularVelocity)
    return {
      ships: this.ships.length,
      passages: this.passages,
      contacts: this.contacts,
      'least clearance, m': Number.isFinite(this.leastGap) ? this.leastGap : 0,
      'slot rms, m': this.#samples > 0 ? Math.sqrt(this.#errors / this.#samples) : 0,
      'formed after, s': this.formedIn,
      'formed after at most, s': this.slowest,
      column: this.formation.isColumn ? 1 : 0,
      fingerprint: mark.toString(),
    }
  }

  /** Station of the nearest point of the path, searched near the last station. */
  #stationOf(position: Vec3Like, last: number): number {
    return this.course.path.nearest(position, last - 20, last + 20)
  }

  #startAt(station: number): { position: Vec3; velocity: Vec3; quaternion: ReturnType<typeof turnFromZ> } {
    const { path } = this.course
    const ahead = path.tangentAt(vec(0, 0, 0), station)
    const velocity = { x: CRUISE * ahead.x, y: CRUISE * ahead.y, z: CRUISE * ahead.z }
    return { position: path.pointAt(vec(0, 0, 0), station), velocity, quaternion: turnFromZ(ahead) }
  }

  /** Puts a ship at its slot, for a formation at station `way`. */
  #launch(index: number, station: number, slot: Vec3Like): void {
    const frame = this.course.path.frameAt({ x: vec(1, 0, 0), y: vec(0, 1, 0), z: vec(0, 0, 1) }, station)
    const { position, ...motion } = this.#startAt(station)
    for (const axis of ['x', 'y', 'z'] as const)
      position[axis] += slot.x * frame.x[axis] + slot.y * frame.y[axis] + slot.z * frame.z[axis]
    const { torque, ...limits } = ENGINES
    const pilot = new SteeringController(this.#view?.(index) ?? null, {
      name: `ship ${index + 1}`,
      position,
      ...motion,
      behavior: this.#behavior,
      locomotion: new Thrusters(limits),
      maxSpeed: TOP_SPEED,
      maxForce: ENGINES.ahead,
      maxTorque: torque,
      maxTurnRate: 2.2,
      mass: MASS,
      responseTime: 0.3,
      radius: SHIP_RADIUS,
      group: SHIPS,
    })
    this.steering.add(pilot)
    this.ships.push({ pilot, index, station, touching: false })
  }

  /**
   * Counts the openings that all ships have passed, and measures the time until the block is formed again.
   */
  #updatePassages(time: number): void {
    const { course, formation, ships } = this
    const last = Math.min(...ships.map(({ station }) => station))
    const { length } = course.path
    const passed = course.stations.reduce(
      (sum, { to }) => sum + Math.floor((last - SHIP_RADIUS - to) / length) + 1,
      0,
    )
    if (passed > this.#passed) {
      this.passages += passed - this.#passed
      this.#since = time
    }
    this.#passed = passed
    if (formation.isColumn || formation.changing) return
    let most = 0
    for (const ship of ships) {
      const error = this.errorOf(ship)
      most = Math.max(most, error)
      this.#errors += error * error
      this.#samples++
    }
    if (most > FORMED || Number.isNaN(this.#since)) return
    this.formedIn = time - this.#since
    this.slowest = Math.max(this.slowest, this.formedIn)
    this.#since = Number.NaN
  }
}
