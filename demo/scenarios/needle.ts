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
import { BALL, NeedleCourse } from './needle-course.js'
import { Touches } from './touches.js'
import { ORIGIN, plus, turnFromZ, vec } from './vectors.js'

export interface NeedleOptions {
  readonly seed?: number
  readonly count?: number
  readonly view?: (index: number) => Viewable
}

export const DEFAULT_BLOCK = 9
export const MAX_BLOCK = 27
/** From slot to slot, m. */
export const SPACING = 8.4

/** How the ships fly where there is room. */
export const PATTERNS: Readonly<Record<string, Pattern>> = {
  block: (count, spacing) => boxPattern(count, spacing, { width: 3, height: 3 }),
  wedge: (count, spacing) => wedgePattern(count, spacing, { rise: 0.2 }),
  ring: (count, spacing) => ringPattern(count, spacing),
  sphere: (count, spacing) => spherePattern(count, spacing),
}

/** Of the leader, who is not seen, m/s; the ships have something in hand. */
const CRUISE = 16
const TOP_SPEED = 40
const MASS = 5
/** They set out so far before the first opening, m. */
const RUN_UP = 230
/** Nearer to each other than this they pass closely, m. */
const CLOSE = 0.2
/** Formed again: nobody farther off his place than this, m. */
const FORMED = 1

/** Groups: the leader is nothing that could be run into. */
const SHIPS = 1
const UNSEEN = 2

export interface Needler {
  readonly pilot: SteeringController
  readonly index: number
  /** Way along the path, m, counted on from lap to lap. */
  way: number
  touching: boolean
}

/** A block of ships that threads openings narrower than itself, one after the other, for ever. */
export class Needle {
  readonly course = new NeedleCourse()
  readonly steering: SteeringWorld
  readonly formation: Formation
  readonly ships: Needler[] = []
  /** Who is followed: invisible, and touches nothing. */
  readonly leader: SteeringController
  readonly follow: FollowPath
  readonly touches = new Touches(CLOSE)
  wallContacts = 0
  /** Openings that all have flown through, and how long after it they were formed again, s. */
  passages = 0
  formedIn = 0
  slowest = 0
  /** Way of the leader, m. */
  way: number
  #passed = 0
  /** When the last one left the opening, s; NaN when they have formed since. */
  #since = Number.NaN
  #errors = 0
  #samples = 0
  #dt = 0
  readonly #helm: Behavior
  readonly #random: () => number
  readonly #view: ((index: number) => Viewable) | undefined
  readonly #normal: Vec3 = vec(0, 0, 0)

  constructor({ seed = 1, count = DEFAULT_BLOCK, view }: NeedleOptions = {}) {
    const { course } = this
    const { path, obstacles } = course
    this.#view = view
    this.#random = seeded(seed)
    this.steering = new SteeringWorld({ seed })
    this.way = -RUN_UP
    this.follow = new FollowPath({ path, speed: CRUISE })
    this.formation = new Formation({
      pattern: PATTERNS['block']!,
      spacing: SPACING,
      obstacles,
      route: (ahead, out) => void path.pointAt(out, this.way + ahead),
      frame: 'level',
      warp: true,
    })
    this.leader = new SteeringController(null, {
      name: 'leader',
      ...this.#startAt(this.way),
      behavior: within([new KeepPace({ formation: this.formation })], this.follow),
      maxSpeed: TOP_SPEED,
      maxForce: ENGINES.up,
      mass: MASS,
      radius: BALL,
      group: UNSEEN,
    })
    this.formation.leader = this.leader
    this.#helm = within(
      [
        new AvoidObstacles({ obstacles }),
        new ReciprocalAvoidance({ neighborDistance: 45, clearance: 0.5, groups: SHIPS }),
      ],
      new KeepSlot({ formation: this.formation }),
    )
    this.steering.add(this.leader)
    this.count = count
  }

  get count(): number {
    return this.ships.length
  }

  /** Newcomers come from behind; who leaves is gone. */
  set count(count: number) {
    const total = Math.max(1, Math.min(MAX_BLOCK, Math.round(count)))
    while (this.ships.length > total) this.ships.pop()!.pilot.dispose()
    const first = this.ships.length
    const last = Math.min(this.way, ...this.ships.map(({ way }) => way))
    if (first === 0) {
      // who has which place is drawn by lot
      const places = this.formation.pattern(total, SPACING)
      const lots = places.map(({ position }) => ({ position, lot: this.#random() }))
      lots.sort((a, b) => a.lot - b.lot)
      for (const [index, { position }] of lots.entries()) this.#launch(index, this.way, position)
    } else
      for (let index = first; index < total; index++)
        this.#launch(index, last - 2 * SPACING * (index - first + 1), ORIGIN)
  }

  step(dt: number): void {
    const { course, leader, steering } = this
    this.#dt = dt
    course.place(steering.time)
    steering.step(dt)
    this.way = this.#wayOf(leader.position, this.way)
    for (const ship of this.ships) {
      const { position } = ship.pilot
      ship.way = this.#wayOf(position, ship.way)
      const gap = course.obstacles.distance(position, this.#normal) - BALL
      if (gap < 0 && !ship.touching) this.wallContacts++
      ship.touching = gap < 0.01 * BALL && (gap < 0 || ship.touching)
    }
    this.touches.see(
      this.ships.map(({ index, pilot }) => ({ key: index, position: pilot.position, radius: BALL })),
    )
    this.#judge(steering.time)
  }

  /** How far (m) ship `index` is off its place. */
  errorOf({ pilot }: Needler): number {
    const place = this.formation.placeOf(pilot.id)
    // places are those of the beginning of the step
    return place === null ? 0 : distance(place, plus(pilot.position, pilot.velocity, -this.#dt))
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
      contacts: this.touches.contacts + this.wallContacts,
      'slot rms, m': this.#samples > 0 ? Math.sqrt(this.#errors / this.#samples) : 0,
      'formed after, s': this.formedIn,
      'at most, s': this.slowest,
      column: this.formation.isColumn ? 1 : 0,
      fingerprint: mark.toString(),
    }
  }

  /** Way of the point of the path that is nearest, near to where it was last. */
  #wayOf(position: Vec3Like, last: number): number {
    return this.course.path.nearest(position, last - 20, last + 20)
  }

  #startAt(way: number): { position: Vec3; velocity: Vec3; quaternion: ReturnType<typeof turnFromZ> } {
    const { path } = this.course
    const ahead = path.tangentAt(vec(0, 0, 0), way)
    const velocity = { x: CRUISE * ahead.x, y: CRUISE * ahead.y, z: CRUISE * ahead.z }
    return { position: path.pointAt(vec(0, 0, 0), way), velocity, quaternion: turnFromZ(ahead) }
  }

  /** Puts a ship where its place is when it sets out from `way`. */
  #launch(index: number, way: number, slot: Vec3Like): void {
    const frame = this.course.path.frameAt({ x: vec(1, 0, 0), y: vec(0, 1, 0), z: vec(0, 0, 1) }, way)
    const { position, ...motion } = this.#startAt(way)
    for (const axis of ['x', 'y', 'z'] as const)
      position[axis] += slot.x * frame.x[axis] + slot.y * frame.y[axis] + slot.z * frame.z[axis]
    const { torque, ...limits } = ENGINES
    const pilot = new SteeringController(this.#view?.(index) ?? null, {
      name: `ship ${index + 1}`,
      position,
      ...motion,
      behavior: this.#helm,
      locomotion: new Thrusters(limits),
      maxSpeed: TOP_SPEED,
      maxForce: ENGINES.ahead,
      maxTorque: torque,
      maxTurnRate: 2.2,
      mass: MASS,
      responseTime: 0.3,
      radius: BALL,
      group: SHIPS,
    })
    this.steering.add(pilot)
    this.ships.push({ pilot, index, way, touching: false })
  }

  /** Counts the openings that lie behind all of them, and the time until they have formed again. */
  #judge(time: number): void {
    const { course, formation, ships } = this
    const last = Math.min(...ships.map(({ way }) => way))
    const { length } = course.path
    const passed = course.stations.reduce(
      (sum, { to }) => sum + Math.floor((last - BALL - to) / length) + 1,
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
