import type { Vec3, Vec3Like } from 'three-steering'
import { fastestArrival } from './arrive-trials.js'
import {
  clearance,
  distanceTo,
  patrolAt,
  roomIn,
  sees,
  type Block,
  type Course,
  type Form,
  type Pilot,
} from './course.js'
import { distance, Flips, magnitude } from '../../demo/scenarios/metrics.js'
import { conjugate, inner, minus, plus, times, turned, unit, vec } from '../../demo/scenarios/vectors.js'

/** Measurements of one pilot. A contact lasts until the gap exceeds 1 % of the radius. */
export interface Flight {
  readonly pilot: Pilot
  /** Contacts with blocks after the pilot was first clear of them, and their greatest depth (m). */
  readonly contacts: number
  readonly depth: number
  /**
   * Smallest gap to a block after the pilot was first clear, in radii; exact below one radius. Infinity
   * without blocks.
   */
  readonly gap: number
  /** Number of times that any part left the bounds, and the greatest excess (m). */
  readonly exits: number
  readonly exitDepth: number
  /** Time until the pilot was first clear of all blocks (s); 0 for a start in the open. */
  readonly clearTime: number
  /**
   * Time from which the pilot stayed within a quarter of its radius of the goal (s); Infinity if it did not,
   * NaN without a goal.
   */
  readonly arrival: number
  /**
   * TR: arrival time over that of the fastest flight along the shortest path, with the same tolerance. NaN
   * without a goal.
   */
  readonly ratio: number
  /** Distance from the goal at the end (m). NaN without a goal. */
  readonly goalDistance: number
  /** J: reversals of the turn rate (1/s). `jumps` counts only reversals from one step to the next. */
  readonly jitter: number
  readonly jumps: number
  /** Share of the steps with an acceleration above 105 % of maxForce / mass. */
  readonly forced: number
  /** Greatest speed over maxSpeed. */
  readonly fastest: number
  /** Greatest difference between a step of the position and the velocity, over maxSpeed. */
  readonly slip: number
  /**
   * Mean speed over maxSpeed until the arrival or the end, and the longest time below a twentieth of
   * maxSpeed, s.
   */
  readonly meanSpeed: number
  readonly stop: number
  /**
   * Share of the time in which the patrol saw the pilot's centre; the same after the first 5 s. NaN without a
   * patrol.
   */
  readonly seen: number
  readonly seenLater: number
  /** Length of the flown path (m). */
  readonly length: number
  /** Whether the flight exceeded its force or speed, or jumped: it does not count. */
  readonly void: boolean
}

/** A goal counts as reached within this share of the radius. */
const NEAR = 0.25
/** A flight ends when its pilot has stayed at the goal for this time (s). */
const HOLD = 1
/** Time in which a re-entry is watched after coming out of blocks (s). */
const WATCH = 4
const SKIN = 0.01
/** Gaps are measured when they may be smaller than this (radii). */
const WIDE = 1
/** Time to get behind an obstacle (s). */
const EARLY = 5

/** Counts the times a gap closes. */
class Contact {
  count = 0
  depth = 0
  least = Infinity
  #open = true
  readonly #skin: number

  constructor(skin: number) {
    this.#skin = skin
  }

  see(gap: number): void {
    this.least = Math.min(this.least, gap)
    this.depth = Math.max(this.depth, -gap)
    if (this.#open && gap < 0) this.count++
    if (gap < 0) this.#open = false
    else if (gap > this.#skin) this.#open = true
  }
}

/** Measures one pilot, step by step. */
export class FlightRecorder {
  #time = 0
  #since = Infinity
  #out = Infinity
  #position: Vec3
  #velocity: Vec3
  #fastest = 0
  #slip = 0
  #forced = 0
  #steps = 0
  #way = 0
  #wayThere = 0
  #stop = 0
  #longestStop = 0
  #flipsThere = 0
  #jumpsThere = 0
  #seen = 0
  #seenEarly = 0
  #checked: Vec3
  /** Distance (m) that each block must approach before it is measured again. */
  readonly #far: Float64Array
  readonly #flips: Flips
  readonly #touches: readonly Contact[]
  readonly #exits: readonly Contact[]
  readonly #pilot: Pilot
  readonly #course: Course
  readonly #dt: number

  constructor(pilot: Pilot, course: Course, dt: number) {
    this.#pilot = pilot
    this.#course = course
    this.#dt = dt
    this.#position = { ...pilot.start }
    this.#velocity = { ...pilot.velocity }
    this.#checked = this.#position
    this.#far = new Float64Array(course.blocks.length)
    // the direction of a very small velocity has no meaning
    this.#flips = new Flips(0.01 * pilot.maxSpeed)
    this.#touches = course.blocks.map(() => new Contact(SKIN * pilot.radius))
    this.#exits = course.bounds.map(() => new Contact(SKIN * pilot.radius))
    this.#countContacts(0)
  }

  /** True when the pilot has stayed at its goal for long enough. */
  get done(): boolean {
    return this.#time - this.#since >= HOLD && this.#time > this.#out + (this.#out > 0 ? WATCH : 0)
  }

  /** Call after each step. */
  update(position: Vec3Like, velocity: Vec3Like, time: number): void {
    const { goal, maxForce, mass, maxSpeed, radius } = this.#pilot
    const dt = this.#dt
    if (this.done) {
      // a pilot at its goal still has to avoid drifting blocks
      this.#position = { ...position }
      this.#countContacts(time)
      return
    }
    this.#time = time
    this.#steps++
    const push = minus(velocity, this.#velocity)
    const speed = magnitude(velocity)
    if (magnitude(push) > (1.05 * dt * maxForce) / mass) this.#forced++
    const slip = minus(minus(position, this.#position), times(velocity, dt))
    this.#slip = Math.max(this.#slip, magnitude(slip) / dt / maxSpeed)
    this.#fastest = Math.max(this.#fastest, speed / maxSpeed)
    this.#way += speed * dt
    this.#stop = speed < 0.05 * maxSpeed ? this.#stop + dt : 0
    const { blocks, patrol } = this.#course
    if (patrol !== undefined && sees(blocks, patrolAt(patrol, time).position, position)) {
      this.#seen++
      if (time <= EARLY) this.#seenEarly++
    }
    this.#flips.see(velocity, dt)
    this.#position = { ...position }
    this.#velocity = { ...velocity }
    this.#countContacts(time)
    for (const [i, bound] of this.#course.bounds.entries())
      this.#exits[i]!.see(roomIn(bound, position) - radius)
    const near = goal !== null && distance(position, goal) <= NEAR * radius
    if (!near) this.#since = Infinity
    else if (this.#since === Infinity) this.#since = time
    if (near && this.#since < time) return
    // until here the pilot was on its way
    this.#flipsThere = this.#flips.count
    this.#jumpsThere = this.#flips.jumps
    this.#wayThere = this.#way
    this.#longestStop = Math.max(this.#longestStop, this.#stop)
  }

  result(): Flight {
    const { goal } = this.#pilot
    const under = Number.isFinite(this.#since) ? this.#since : this.#time
    const arrival = goal === null ? NaN : this.#time - this.#since >= HOLD ? this.#since : Infinity
    const forced = this.#forced / this.#steps
    return {
      pilot: this.#pilot,
      contacts: sum(this.#touches),
      depth: Math.max(0, ...this.#touches.map(({ depth }) => depth)),
      gap: Math.min(...this.#touches.map(({ least }) => least)) / this.#pilot.radius,
      exits: sum(this.#exits),
      exitDepth: Math.max(0, ...this.#exits.map(({ depth }) => depth)),
      clearTime: this.#out,
      arrival,
      ratio: goal === null ? NaN : arrival / this.#least(goal),
      goalDistance: goal === null ? NaN : distance(this.#position, goal),
      jitter: this.#flipsThere / under,
      jumps: this.#jumpsThere / under,
      forced,
      fastest: this.#fastest,
      slip: this.#slip,
      meanSpeed: this.#wayThere / under / this.#pilot.maxSpeed,
      stop: this.#longestStop,
      seen: this.#course.patrol === undefined ? NaN : this.#seen / this.#steps,
      seenLater:
        this.#course.patrol === undefined
          ? NaN
          : (this.#seen - this.#seenEarly) / (this.#steps - EARLY / this.#dt),
      length: this.#way,
      void: forced > 0.005 || this.#fastest > 1.02 || this.#slip > 1e-6,
    }
  }

  /**
   * Time (s) of the fastest flight along the shortest path that ends at rest within the tolerance of the
   * goal.
   */
  #least(goal: Vec3Like): number {
    const { start, velocity, maxSpeed, maxForce, mass, radius, route = [], shortest } = this.#pilot
    const way = minus([...route, goal][0]!, start)
    const straight = minus(goal, start)
    const length = shortest ?? magnitude(straight)
    const acceleration = maxForce / mass
    const least = fastestArrival(length, inner(velocity, unit(way)), acceleration, 0, maxSpeed)
    return least - Math.sqrt((2 * NEAR * radius) / acceleration)
  }

  /**
   * Counts contacts, but only after the pilot was first clear of all blocks. Blocks out of reach are not
   * measured.
   */
  #countContacts(time: number): void {
    const { radius } = this.#pilot
    const { blocks } = this.#course
    if (this.#out === Infinity) {
      if (clearance(blocks, this.#position, time) < radius) return
      this.#out = time
    }
    const moved = distance(this.#position, this.#checked)
    this.#checked = this.#position
    for (let i = 0; i < blocks.length; i++) {
      const block = blocks[i]!
      this.#far[i]! -= moved + (block.velocity === undefined ? 0 : magnitude(block.velocity) * this.#dt)
      if (this.#far[i]! > 0) continue
      const gap = distanceTo(block, this.#position, time) - radius
      this.#touches[i]!.see(gap)
      this.#far[i] = gap - WIDE * radius
    }
  }
}

function sum(contacts: readonly Contact[]): number {
  return contacts.reduce((total, { count }) => total + count, 0)
}

/**
 * The cells of the first bound, 4 × 4 × 4 in its own axes, if a pilot fits at their centre. A half-space has
 * none.
 */
export class Cells {
  readonly #seen = new Set<number>()
  readonly #fit = new Set<number>()
  readonly #bound: Block | undefined
  readonly #half: Vec3Like

  constructor({ bounds, blocks, pilots }: Course) {
    const bound = bounds[0]
    this.#bound = bound
    this.#half = bound === undefined ? vec(1, 1, 1) : halfExtents(bound.form)
    if (bound === undefined) return
    const { turn = { x: 0, y: 0, z: 0, w: 1 }, at } = bound
    const radius = Math.max(...pilots.map((pilot) => pilot.radius))
    const { x, y, z } = this.#half
    const middle = (k: number): number => ((k & 3) - 1.5) / 2
    for (let i = 0; i < 64; i++) {
      const centre = plus(at, turned(turn, vec(x * middle(i), y * middle(i >> 2), z * middle(i >> 4))))
      if (roomIn(bound, centre) < radius) continue
      if (blocks.every((block) => distanceTo(block, centre) > radius)) this.#fit.add(i)
    }
  }

  visit(position: Vec3Like): void {
    if (this.#bound === undefined) return
    const { at, turn = { x: 0, y: 0, z: 0, w: 1 } } = this.#bound
    const { x, y, z } = turned(conjugate(turn), minus(position, at))
    const cell = (offset: number, half: number): number =>
      Math.min(3, Math.max(0, Math.floor((offset / half + 1) * 2)))
    const { x: hx, y: hy, z: hz } = this.#half
    const index = cell(x, hx) + 4 * cell(y, hy) + 16 * cell(z, hz)
    if (this.#fit.has(index)) this.#seen.add(index)
  }

  get share(): number {
    return this.#seen.size / this.#fit.size
  }
}

function halfExtents(form: Form): Vec3Like {
  switch (form.kind) {
    case 'sphere':
      return vec(form.radius, form.radius, form.radius)
    case 'box':
      return form.half
    case 'capsule':
      return vec(form.radius, form.radius + form.length / 2, form.radius)
    case 'cylinder':
      return vec(form.radius, form.height / 2, form.radius)
    default:
      // no cells
      return vec(NaN, NaN, NaN)
  }
}
