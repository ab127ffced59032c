import {
  ReciprocalAvoidance,
  SteeringWorld,
  within,
  type Vec3,
  type Vec3Like,
  type Viewable,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { Formation, KeepSlot } from 'three-steering/formation'
import { FIGURES, PATTERNS, type FigureName, type PatternName } from './air-show-figures.js'
import { Conductor } from './conductor.js'
import { type Figure, DisplayLine } from './display-line.js'
import { distance, Fingerprint } from './metrics.js'
import { PACE, RADIUS, ShowJet } from './show-jet.js'
import { direction, evenly, plus, times, vec } from './vectors.js'

export const JETS = 9
export const LEAST_JETS = 3
/** Spacing of the members (m). */
const SPACING = 14

/** Station on the line where the show begins (m). */
const START = 30

/** The formation changes its pattern only where this distance ahead is straight (m). */
const STRAIGHT = 420

/**
 * Least length of a roll on request (m), its greatest roll rate over the mean one, and the greatest speed
 * around the roll axis (m/s).
 */
const LEAST_ROLL = 480
const ROLL_RATE = 4 / 3
const AROUND = 28

/** A fallen member is replaced after this time (s). The new jet starts from this point (m). */
const ABSENT = 14
const BEHIND = vec(-1500, 150, -420)

export interface AirShowOptions {
  readonly seed?: number
  /** Number of jets, 3 … 9. Default 9. */
  readonly count?: number
  readonly view?: (index: number) => Viewable | null
}

/**
 * A display team by the sea: a formation that changes its pattern from figure to figure, loses members and
 * takes new ones.
 */
export class AirShow {
  readonly steering: SteeringWorld
  readonly wing: Formation
  readonly jets: readonly ShowJet[]
  readonly conductor: Conductor
  /** Fireballs since the list was last emptied, at most 16. The reader empties it. */
  readonly bursts: { position: Vec3Like; velocity: Vec3Like }[] = []
  /** Whether the programme chooses patterns and losses. */
  programme = true
  pattern: PatternName = 'arrow'
  /** The pattern to change to next. */
  called: PatternName = 'arrow'
  collisions = 0
  lost = 0
  lap = 1
  readonly #figures: readonly Figure[]
  readonly #random: () => number
  readonly #touching = new Set<number>()
  #figure: FigureName = 'pass'
  #doomed = false
  #squares = 0
  #samples = 0
  #dt = 0

  // #region code
  constructor({ seed = 1, count = JETS, view }: AirShowOptions = {}) {
    this.#random = seeded(seed)
    this.steering = new SteeringWorld({ seed })
    const line = airShowLine()
    this.#figures = line.figures
    this.conductor = new Conductor(line, PACE, START)
    this.wing = new Formation({
      leader: this.conductor,
      leaderApart: false, // the conductor is only a point on the line
      spacing: SPACING,
      pattern: PATTERNS.arrow,
      pace: 'free',
    })
    const keep = new KeepSlot({ formation: this.wing })
    // a member in its slot is kept apart from the others by the formation itself
    const behaviors = { keep, join: within([new ReciprocalAvoidance({ neighborDistance: 60 })], keep) }
    const total = Math.max(LEAST_JETS, Math.min(count, JETS))
    const start = this.conductor.position
    this.jets = PATTERNS.arrow(total, SPACING).map(({ position: { x, y, z } }, index) => {
      const position = plus(plus(start, vec(x, y, z)), this.#startOffset())
      return new ShowJet(index, position, behaviors, view?.(index) ?? null)
    })
    for (const { pilot } of this.jets) this.steering.add(pilot)
    const settle = (inPlace: boolean, target: unknown, behavior: unknown): void => {
      const jet = this.jets.find(({ pilot }) => pilot === target)
      if (jet?.mood === 'fly' && behavior === keep) jet.settle(inPlace)
    }
    this.steering.addEventListener('arrive', ({ target, behavior }) => settle(true, target, behavior))
    this.steering.addEventListener('leave', ({ target, behavior }) => settle(false, target, behavior))
  }
  // #endregion

  /** Simulated time (s). */
  get time(): number {
    return this.steering.time
  }

  get flying(): readonly ShowJet[] {
    return this.jets.filter(({ mood }) => mood === 'fly')
  }

  get figure(): FigureName {
    return this.#figure
  }

  /** Distance of a jet from its slot (m). 0 without a slot. */
  errorOf({ pilot }: ShowJet): number {
    const place = this.wing.placeOf(pilot.id)
    // slot positions are those of the beginning of the last step
    return place === null ? 0 : distance(place, plus(pilot.position, pilot.velocity, -this.#dt))
  }

  step(dt: number): void {
    this.conductor.rolls = this.programme
    this.conductor.step(dt)
    this.#follow()
    if (this.#doomed) this.#lose()
    for (const jet of this.jets) this.#replace(jet)
    this.#dt = dt
    this.steering.step(dt)
    this.#measure(dt)
  }

  /** Requests a pattern. The formation takes it up where the line is straight. */
  call(name: PatternName): void {
    this.called = name
  }

  /** All members roll once about the centre of the formation, as fast as the outermost member can fly. */
  roll(): void {
    const reach = Math.max(...this.wing.slots.map(({ position: { y, z } }) => Math.hypot(y, z)))
    this.conductor.roll(Math.max(LEAST_ROLL, (2 * Math.PI * ROLL_RATE * PACE * reach) / AROUND))
  }

  /** Requests that one member, chosen at random, falls as soon as all are in their slots. */
  shootDown(): void {
    this.#doomed = true
  }

  state(): Record<string, number | string> {
    const mark = new Fingerprint()
    for (const { pilot } of this.jets) mark.addVector(pilot.position).addVector(pilot.angularVelocity)
    const { flying, wing } = this
    return {
      jets: flying.length,
      figure: this.#figure,
      pattern: this.pattern,
      lap: this.lap,
      lost: this.lost,
      collisions: this.collisions,
      'slot error': this.#samples > 0 ? Math.sqrt(this.#squares / this.#samples) : 0,
      'largest slot error': Math.max(
        0,
        ...flying.filter(({ inPlace }) => inPlace).map((jet) => this.errorOf(jet)),
      ),
      changing: wing.changing ? 'yes' : 'no',
      fingerprint: mark.toString(),
    }
  }

  dispose(): void {
    this.steering.dispose()
  }

  /** Random offset (m) from its slot with which a member starts. */
  #startOffset(): Vec3 {
    return times(direction(this.#random), evenly(this.#random, 0.5, 1.8))
  }

  /** Updates lap, figure and pattern from the position on the line. */
  #follow(): void {
    const { lap, place } = this.conductor
    this.lap = 1 + Math.floor(place / lap)
    const station = place % lap
    const figure = this.#figures.findLast(({ from }) => from <= station)?.name as FigureName
    const begins = figure !== this.#figure
    this.#figure = figure
    if (this.programme) this.called = FIGURES[figure].pattern
    if (this.programme || this.conductor.straight(STRAIGHT)) this.#form(this.called)
    if (this.programme && begins && FIGURES[figure].loses === true) this.shootDown()
  }

  #form(name: PatternName): void {
    if (this.pattern === name) return
    this.pattern = name
    this.wing.pattern = PATTERNS[name]
    // in a column each member follows the leader's path through bends
    this.wing.warp = name === 'column'
  }

  /** Lets a random member catch fire and fall. At least three stay in the air. */
  #lose(): void {
    if (!this.flying.every(({ inPlace }) => inPlace)) return
    this.#doomed = false
    const { flying } = this
    const victim = flying[Math.floor(this.#random() * flying.length)]
    if (victim === undefined || flying.length <= LEAST_JETS) return
    this.lost++
    victim.fall()
    this.#burst(victim)
  }

  /** Removes a jet that has fallen into the sea, and later replaces it by a new one from far behind. */
  #replace(jet: ShowJet): void {
    if (jet.mood === 'down' && jet.pilot.position.y < 0) {
      this.#burst(jet)
      jet.mood = 'away'
      jet.until = this.time + ABSENT
      this.steering.remove(jet.pilot)
    } else if (jet.mood === 'away' && this.time >= jet.until) {
      const spread = (size: number): number => evenly(this.#random, -size, size)
      jet.comeBack(this.steering, plus(BEHIND, vec(spread(150), spread(40), spread(120))))
    }
  }

  #burst({ pilot }: ShowJet): void {
    if (this.bursts.length < 16)
      this.bursts.push({ position: plus(pilot.position, pilot.velocity, 0), velocity: { ...pilot.velocity } })
  }

  /** Counts collisions, each once, and sums up the slot errors while the pattern does not change. */
  #measure(dt: number): void {
    const { flying, wing } = this
    flying.forEach((jet, i) => {
      jet.flips.see(jet.pilot.velocity, dt)
      if (jet.inPlace && !wing.changing) {
        this.#squares += this.errorOf(jet) ** 2
        this.#samples++
      }
      for (const other of flying.slice(i + 1)) {
        const key = jet.index * JETS + other.index
        const near = distance(jet.pilot.position, other.pilot.position) < 2 * RADIUS
        if (near && !this.#touching.has(key)) this.collisions++
        if (near) this.#touching.add(key)
        else this.#touching.delete(key)
      }
    })
  }
}

const QUARTER = Math.PI / 2
const DEGREE = Math.PI / 180
const EAST = vec(1, 0, 0)

/**
 * The line that the formation flies, closed to a lap. The crowd is at the origin and looks towards −z. Each
 * figure begins in the line early enough for the formation to change its pattern before the figure itself.
 */
function airShowLine(): DisplayLine {
  const line = new DisplayLine(vec(-640, 90, -560), EAST)
  line
    .call('pass')
    .until('x', -400)
    .call('loop')
    .until('x', -40)
    .pitch(4 * QUARTER, 118)
  line
    .call('wing-over')
    .until('x', 640)
    .sweep(780, -2 * QUARTER, 0, 24 * DEGREE)
  line.call('carousel').straight(240).twist(2, 860).straight(20)
  line.call('away').straight(330).sweep(440, -QUARTER).straight(160).sweep(440, -QUARTER)
  line.call('astern').until('x', -200).sweep(440, -QUARTER)
  line
    .call('climb')
    .until('z', -400)
    .pitch(54 * DEGREE, 140)
  line.call('over').sweep(700, -QUARTER, -8 * DEGREE)
  line
    .call('home')
    .straight(620)
    .call('return')
    .straight(300)
    .sweep(840, -2 * QUARTER, -17 * DEGREE)
  return line.close(EAST, 850)
}
