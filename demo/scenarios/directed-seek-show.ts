import { DirectedSeek, SteeringController, SteeringWorld, type Viewable } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { ArcPath } from 'three-steering/curves'
import { courseOf, TOUR, type Course, type Preset } from './directed-seek-presets.js'
import { Fingerprint } from './metrics.js'
import { Passage } from './passage.js'
import { shortestWay } from './shortest-way.js'
import { plus, times, turnFromZ, vec } from './vectors.js'

export const METHODS = ['planned', 'stateless', 'jakob'] as const
export type Method = (typeof METHODS)[number]

export interface DirectedSeekOptions {
  readonly seed?: number
  readonly view?: (method: Method) => Viewable
}

export const SPEED = 10 // m/s
export const DEFAULT_TURN_RADIUS = 8 // m
/** Greatest force over the force of the tightest turn. The excess holds the craft on its path. */
const AUTHORITY = 1.2

/** Interval between the starts (s), so that craft on the same path can be told apart. */
const HEADWAY = 0.3
/** Time that a craft flies on after its arrival, and the rest before the next course (s). */
const FLY_ON = 1.4
const REST = 2.4
/**
 * A craft counts as lost after this multiple of the shortest path plus 2 s of flight. The smaller value
 * applies to a moving waypoint.
 */
const PATIENCE = 3
const CHASE = 1.6

/** Added to the seed. Chosen so that the methods differ on the first course of seed 1. */
const OPENING = 49

/** One craft with its method. */
export interface Craft {
  readonly method: Method
  readonly pilot: SteeringController
  readonly helm: DirectedSeek
  readonly passage: Passage
  /** Time at which it sets out (s). */
  readonly launch: number
  state: 'waiting' | 'flying' | 'arrived' | 'gone' | 'lost'
  /** Time of its arrival, or of giving up (s). */
  since: number
}

interface Score {
  /** Sum of the ratios of flown to shortest path, dimensionless. */
  sum: number
  arrived: number
  lost: number
}

/**
 * Three methods of flying to a point in a given direction, compared: same start, same waypoint, same turn
 * radius.
 */
export class DirectedSeekShow {
  readonly steering: SteeringWorld
  craft: readonly Craft[] = []
  course: Course
  /** The waypoint at this moment. Some waypoints move. */
  readonly goal = { position: vec(0, 0, 0), heading: vec(0, 0, 1), velocity: vec(0, 0, 0) }
  /** The shortest path from the start. */
  readonly shortest = new ArcPath()
  readonly scores: Record<Method, Score>
  runs = 0
  /** Counts the restarts. */
  begun = 0
  /** Time of this run (s). */
  time = 0
  #radius = DEFAULT_TURN_RADIUS
  #preset: Preset | 'tour' = 'tour'
  #stop = 0
  #own = false
  #held = false
  #until = Infinity
  readonly #random: () => number
  readonly #view: ((method: Method) => Viewable) | undefined

  constructor({ seed = 1, view }: DirectedSeekOptions = {}) {
    this.#random = seeded(seed + OPENING)
    this.#view = view
    const score = (): Score => ({ sum: 0, arrived: 0, lost: 0 })
    this.scores = { planned: score(), stateless: score(), jakob: score() }
    this.steering = new SteeringWorld({ seed })
    this.course = this.#draw()
    this.begin()
  }

  get turnRadius(): number {
    return this.#radius
  }

  /** Sets the turn radius (m) and restarts this course. */
  set turnRadius(radius: number) {
    this.#radius = radius
    this.begin()
  }

  get preset(): Preset | 'tour' {
    return this.#preset
  }

  /** Chooses the kind of the following courses, and draws one. */
  set preset(preset: Preset | 'tour') {
    this.#preset = preset
    this.#own = false
    this.#stop = 0
    this.next()
  }

  /** While the visitor edits the course, all craft wait at the start. */
  get held(): boolean {
    return this.#held
  }

  /** Begins or ends editing the course. Afterwards the edited course stays until a preset is chosen. */
  set held(on: boolean) {
    if (on && !this.#own) this.course = { ...this.course, name: 'yours', plane: null }
    this.#own ||= on
    this.#held = on
    this.begin()
  }

  /** Begins another course of the chosen kind, or the visitor's own course again. */
  next(): void {
    if (!this.#own) this.course = this.#draw()
    this.begin()
  }

  /** Resets all craft to the start of the course, which may have been changed in place. */
  begin(): void {
    const { position, heading, velocity } = this.course.goal
    Object.assign(this.goal.position, position)
    Object.assign(this.goal.heading, heading)
    Object.assign(this.goal.velocity, velocity)
    shortestWay(this.shortest, this.course, this.#radius, SPEED)
    for (const { pilot } of this.craft) pilot.dispose()
    this.craft = METHODS.map((method, k) => this.#make(method, k))
    this.begun++
    if (!this.#held) this.runs++
    this.time = 0
    this.#until = Infinity
  }

  step(dt: number): void {
    if (this.#held) return
    for (const craft of this.craft) {
      if (craft.state !== 'waiting' || this.time < craft.launch) continue
      craft.state = 'flying'
      this.steering.add(craft.pilot)
    }
    this.steering.step(dt)
    this.time += dt
    const { position, velocity } = this.goal
    Object.assign(position, plus(position, velocity, dt))
    for (const craft of this.craft) this.#watch(craft)
    const busy = this.craft.some(({ state }) => state === 'waiting' || state === 'flying')
    if (!busy && this.#until === Infinity) this.#until = this.time + REST
    if (this.time >= this.#until) this.next()
  }

  dispose(): void {
    this.steering.dispose()
  }

  state(): Record<string, number | string> {
    const mark = new Fingerprint()
    for (const { pilot } of this.craft) mark.addVector(pilot.position)
    mark.addVector(this.course.start.position).addVector(this.course.goal.position).add(this.time)
    const { planned, stateless, jakob } = this.scores
    const mean = ({ sum, arrived }: Score): number => (arrived > 0 ? sum / arrived : 0)
    return {
      runs: this.runs,
      arrivals: planned.arrived + stateless.arrived + jakob.arrived,
      lost: planned.lost + stateless.lost + jakob.lost,
      'shortest, m': this.shortest.length,
      'planned / shortest length': mean(planned),
      'stateless / shortest length': mean(stateless),
      'published / shortest length': mean(jakob),
      fingerprint: mark.toString(),
    }
  }

  #draw(): Course {
    const preset = this.#preset === 'tour' ? TOUR[this.#stop++ % TOUR.length]! : this.#preset
    return courseOf(preset, this.#random, this.#radius, SPEED)
  }

  // #region code
  #make(method: Method, index: number): Craft {
    const { start, plane } = this.course
    const helm = new DirectedSeek({
      target: this.goal,
      method,
      radius: this.#radius,
      speed: SPEED,
      ...(plane && { plane }),
    })
    const pilot = new SteeringController(this.#view?.(method) ?? null, {
      name: method,
      behavior: helm,
      position: start.position,
      velocity: times(start.heading, SPEED),
      quaternion: turnFromZ(start.heading),
      maxSpeed: 1.05 * SPEED,
      maxForce: (AUTHORITY * SPEED * SPEED) / this.#radius,
      maxTorque: 60,
    })
    const passage = new Passage(start.position)
    return { method, pilot, helm, passage, launch: HEADWAY * index, state: 'waiting', since: 0 }
  }
  // #endregion

  #watch(craft: Craft): void {
    const { pilot, passage, method, since } = craft
    if (craft.state === 'arrived' && this.time > since + FLY_ON) {
      craft.state = 'gone'
      pilot.dispose()
    }
    if (craft.state !== 'flying') return
    const score = this.scores[method]
    passage.see(pilot.position, pilot.velocity, this.goal, this.#radius)
    const patience = this.course.moves ? CHASE : PATIENCE
    const longest = patience * this.shortest.length + 2 * SPEED
    if (passage.passed) {
      score.sum += passage.flown / this.shortest.length
      score.arrived++
    } else if (passage.flown > longest) score.lost++
    else return
    craft.state = passage.passed ? 'arrived' : 'lost'
    craft.since = this.time
    if (!passage.passed) pilot.dispose()
  }
}
