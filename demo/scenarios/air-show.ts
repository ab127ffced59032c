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
import { airShowLine } from './air-show-line.js'
import { FIGURES, PATTERNS, type FigureName, type PatternName } from './air-show-figures.js'
import { Conductor } from './conductor.js'
import type { Figure } from './display-line.js'
import { distance, Fingerprint } from './metrics.js'
import { PACE, RADIUS, ShowJet } from './show-jet.js'
import { direction, evenly, plus, times, vec } from './vectors.js'

export const JETS = 9
export const LEAST_JETS = 3
/** How far members are apart, m. */
const SPACING = 14

/** Where on its line the show begins, m. */
const START = 30

/** As much of the way must be straight for the wing to change its pattern, m. */
const STRAIGHT = 420

/** Length of a roll that is asked for, m, at least; its greatest rate over the mean one, and how fast anybody flies round, m/s. */
const LEAST_ROLL = 480
const ROLL_RATE = 4 / 3
const AROUND = 28

/** Who fell is replaced after so long, s; the new one comes from here, m. */
const ABSENT = 14
const BEHIND = vec(-1500, 150, -420)

export interface AirShowOptions {
  readonly seed?: number
  /** Of jets, 3 … 9. */
  readonly count?: number
  readonly view?: (index: number) => Viewable | null
}

/** A display team at the sea: a wing that changes its pattern from figure to figure, loses members and takes new ones. */
export class AirShow {
  readonly steering: SteeringWorld
  readonly wing: Formation
  readonly jets: readonly ShowJet[]
  readonly conductor: Conductor
  /** Fireballs since the last look, not too many; whoever shows them empties the list. */
  readonly bursts: { position: Vec3Like; velocity: Vec3Like }[] = []
  /** Whether patterns and losses are those of the programme. */
  programme = true
  pattern: PatternName = 'arrow'
  /** What comes next. */
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

  constructor({ seed = 1, count = JETS, view }: AirShowOptions = {}) {
    this.#random = seeded(seed)
    this.steering = new SteeringWorld({ seed })
    const line = airShowLine()
    this.#figures = line.figures
    this.conductor = new Conductor(line, PACE, START)
    this.wing = new Formation({
      leader: this.conductor,
      spacing: SPACING,
      pattern: PATTERNS.arrow,
      pace: 'free',
    })
    const keep = new KeepSlot({ formation: this.wing })
    // who is in his place is kept apart by the wing
    const tasks = { keep, join: within([new ReciprocalAvoidance({ neighborDistance: 60 })], keep) }
    const total = Math.max(LEAST_JETS, Math.min(count, JETS))
    const start = this.conductor.position
    this.jets = PATTERNS.arrow(total, SPACING).map(({ position: { x, y, z } }, index) => {
      const position = plus(plus(start, vec(x, y, z)), this.#loose())
      return new ShowJet(index, position, tasks, view?.(index) ?? null)
    })
    for (const { pilot } of this.jets) this.steering.add(pilot)
    const settle = (inPlace: boolean, target: unknown, behavior: unknown): void => {
      const jet = this.jets.find(({ pilot }) => pilot === target)
      if (jet?.mood === 'fly' && behavior === keep) jet.settle(inPlace)
    }
    this.steering.addEventListener('arrive', ({ target, behavior }) => settle(true, target, behavior))
    this.steering.addEventListener('leave', ({ target, behavior }) => settle(false, target, behavior))
  }

  /** s */
  get time(): number {
    return this.steering.time
  }

  get flying(): readonly ShowJet[] {
    return this.jets.filter(({ mood }) => mood === 'fly')
  }

  get figure(): FigureName {
    return this.#figure
  }

  /** How far (m) a jet is from its place; 0 for who has none. */
  errorOf({ pilot }: ShowJet): number {
    const place = this.wing.placeOf(pilot.id)
    // places are those of the beginning of the last step
    return place === null ? 0 : distance(place, plus(pilot.position, pilot.velocity, -this.#dt))
  }

  step(dt: number): void {
    this.conductor.rolls = this.programme
    this.conductor.step(dt)
    this.#follow()
    if (this.#doomed) this.#lose()
    for (const jet of this.jets) this.#look(jet)
    this.#dt = dt
    this.steering.step(dt)
    this.#measure(dt)
  }

  /** Calls for a pattern: it is taken up where the way is straight. */
  call(name: PatternName): void {
    this.called = name
  }

  /** All roll once about their middle, as fast as the outermost can fly round. */
  roll(): void {
    const reach = Math.max(...this.wing.slots.map(({ position: { y, z } }) => Math.hypot(y, z)))
    this.conductor.roll(Math.max(LEAST_ROLL, (2 * Math.PI * ROLL_RATE * PACE * reach) / AROUND))
  }

  /** One of them, by chance, is to fall: as soon as all are in their places. */
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
      'farthest off': Math.max(0, ...flying.filter(({ inPlace }) => inPlace).map((jet) => this.errorOf(jet))),
      changing: wing.changing ? 'yes' : 'no',
      fingerprint: mark.toString(),
    }
  }

  dispose(): void {
    this.steering.dispose()
  }

  /** How far from where it should be somebody begins, m. */
  #loose(): Vec3 {
    return times(direction(this.#random), evenly(this.#random, 0.5, 1.8))
  }

  /** Where the wing is in its programme, and what that calls for. */
  #follow(): void {
    const { lap, place } = this.conductor
    this.lap = 1 + Math.floor(place / lap)
    const at = place % lap
    const figure = this.#figures.findLast(({ from }) => from <= at)?.name as FigureName
    const fresh = figure !== this.#figure
    this.#figure = figure
    if (this.programme) this.called = FIGURES[figure].pattern
    if (this.programme || this.conductor.straight(STRAIGHT)) this.#form(this.called)
    if (this.programme && fresh && FIGURES[figure].loses === true) this.shootDown()
  }

  #form(name: PatternName): void {
    if (this.pattern === name) return
    this.pattern = name
    this.wing.pattern = PATTERNS[name]
    // a file follows its leader round bends
    this.wing.warp = name === 'column'
  }

  /** Catches fire and falls. Three stay in the air. */
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

  /** Who has fallen into the sea is replaced by a new one from far behind. */
  #look(jet: ShowJet): void {
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

  /** Counts contacts, each once, and sums up how far those in place are off while nothing changes. */
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
