import {
  Hover,
  ReciprocalAvoidance,
  SteeringWorld,
  type Vec3,
  type Viewable,
  type Vec3Like,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { CONE, Fall, Fighter, headed, HEALTH, MUZZLE, PATROL_SPEED, RADIUS, RANGE } from './fighter.js'
import { distance, Fingerprint, magnitude } from './metrics.js'
import { Tanker } from './tanker.js'
import { Tracers, type Ball, type Hit } from './tracers.js'
import { inner, minus, plus, unit, vec } from './vectors.js'

export interface DogfightOptions {
  readonly seed?: number
  /** Number of fighters in both teams. Default 12, at most 32. */
  readonly count?: number
  readonly view?: (index: number) => Viewable
}

export const DEFAULT_FIGHTERS = 12
export const MAX_FIGHTERS = 32

/** Distance from the middle at which the teams start (m). */
const FAR = 470
/** A fighter leaves the formation when an enemy is nearer than this (m). */
const MERGE = 400
/** A fighter that joins its formation ignores enemies beyond this distance (m). */
const CLOSE = 170
/** A fighter beyond this distance from the middle, or below this height, turns back (m). */
const ARENA = 430
const FLOOR = -95
/**
 * Interval between two shots of a fighter (s), their scatter (rad), and the distance within which they hit
 * (m).
 */
const RELOAD = 0.065
const SCATTER = 0.026
const HIT_RADIUS = 5.5
/** A falling fighter explodes below this height (m), and is replaced after this time (s). */
const GROUND = -210
const ABSENT = 3
/**
 * Time in formation after joining up (s), time limit of joining up (s), and distance behind the middle where
 * a new fighter starts (m).
 */
const REST = 2.5
const LATE = 40
const BEHIND = 1050
/** Time limit of an attack on one target, and duration of an evasion (s). */
const PATIENCE = 16
const NERVE = 2.4

/**
 * Two teams of fighters above the clouds: formations that meet, attack runs, tail chases, evasion, and new
 * fighters that join up.
 */
export class Dogfight {
  readonly steering: SteeringWorld
  readonly fighters: Fighter[] = []
  readonly tracers = new Tracers()
  readonly tankers: readonly [Tanker, Tanker] = [new Tanker(-1), new Tanker(1)]
  /** Hits and explosions since these lists were last emptied. The reader empties them. */
  readonly sparks: Hit[] = []
  readonly bursts: { readonly position: Vec3; readonly velocity: Vec3 }[] = []
  readonly avoid = new ReciprocalAvoidance({ neighborDistance: 170, clearance: 6 })
  hits = 0
  kills = 0
  joined = 0
  collisions = 0
  readonly score = [0, 0]
  /** Whether fighters under fire evade. */
  evasion = true
  #onTarget = 0
  #hunting = 0
  readonly #random: () => number
  readonly #fall = new Fall()
  readonly #fallingLocomotion = new Hover({ attitude: null })
  readonly #touching = new Set<number>()
  readonly #balls: Ball[] = []

  constructor({ seed = 1, count = DEFAULT_FIGHTERS, view }: DogfightOptions = {}) {
    this.#random = seeded(seed)
    this.steering = new SteeringWorld({ seed })
    const total = Math.max(2, Math.min(count, MAX_FIGHTERS))
    for (let index = 0; index < total; index++) this.#launch(index, view?.(index) ?? null)
    this.steering.addEventListener('arrive', ({ target, behavior }) => {
      const fighter = this.fighters.find(({ pilot }) => pilot === target)
      if (fighter?.form !== behavior || fighter.joined) return
      fighter.joined = true
      fighter.until = Math.min(fighter.until, this.time + REST)
      this.joined++
    })
  }

  /** Time of the steering world (s). */
  get time(): number {
    return this.steering.time
  }

  step(dt: number): void {
    for (const tanker of this.tankers) tanker.place(this.time)
    for (const fighter of this.fighters) this.#decide(fighter)
    this.steering.step(dt)
    for (const fighter of this.fighters) this.#shoot(fighter, dt)
    this.fighters.forEach((fighter, index) => {
      this.#balls[index] = fighter.alive
        ? { position: fighter.pilot.position, radius: HIT_RADIUS, team: fighter.team }
        : null
    })
    this.tracers.step(dt, this.#balls, (hit) => this.#hit(hit))
    this.#watch()
  }

  dispose(): void {
    this.steering.dispose()
  }

  state(): Record<string, number | string> {
    const mark = new Fingerprint()
    for (const { pilot } of this.fighters) mark.addVector(pilot.position).addVector(pilot.angularVelocity)
    mark.add(this.hits)
    const flying = this.fighters.filter(({ alive }) => alive)
    const speed = flying.reduce((sum, { pilot }) => sum + magnitude(pilot.velocity), 0)
    return {
      fighters: this.fighters.length,
      shots: this.tracers.fired,
      hits: this.hits,
      kills: this.kills,
      'by red': this.score[0]!,
      'by blue': this.score[1]!,
      joined: this.joined,
      collisions: this.collisions,
      'time on target': this.#hunting > 0 ? this.#onTarget / this.#hunting : 0,
      'mean speed': flying.length > 0 ? speed / flying.length : 0,
      fingerprint: mark.toString(),
    }
  }

  #launch(index: number, view: Viewable | null): void {
    const team = index % 2
    const place = index >> 1
    const first = this.fighters.find((each) => each.team === team) ?? null
    const slot = wedge(place)
    const velocity = vec(0, 0, team === 0 ? PATROL_SPEED : -PATROL_SPEED)
    const side = team === 0 ? -1 : 1
    // slightly out of place, so that they close up on the way
    const loose = place === 0 ? 0 : 1
    const position = vec(
      side * (-slot.z * 1 - loose * 40 * (this.#random() - 0.3)) - 40 * side,
      25 * team + slot.y + loose * 36 * (this.#random() - 0.5),
      side * (FAR - slot.x + loose * 60 * this.#random()),
    )
    const fighter = new Fighter(index, team, { position, velocity, slot }, first, [this.avoid], view)
    this.fighters.push(fighter)
    this.steering.add(fighter.pilot)
    fighter.turnTo('form', 0, 60)
    if (first === null) {
      fighter.home.target = vec(0, 30, 0)
      fighter.turnTo('return', 0, 60)
      fighter.pilot.maxSpeed = PATROL_SPEED
    }
  }

  #decide(fighter: Fighter): void {
    const { time } = this
    const { pilot } = fighter
    if (fighter.mood === 'away') {
      if (time >= fighter.until) this.#comeBack(fighter)
      return
    }
    if (fighter.mood === 'down') {
      if (pilot.position.y < GROUND || time >= fighter.until) this.#burst(fighter)
      return
    }
    const enemy = nearestEnemy(this.fighters, fighter)
    const near = enemy ? distance(enemy.pilot.position, pilot.position) : Infinity
    if (fighter.mood === 'form') {
      const opening = this.tracers.fired === 0
      if (opening ? near < MERGE : time >= fighter.until || near < CLOSE) this.#engage(fighter)
      return
    }
    const strayed = Math.hypot(pilot.position.x, pilot.position.z) > ARENA || pilot.position.y < FLOOR
    if (fighter.mood === 'return') {
      const fresh = this.tracers.fired === 0
      if (fresh ? near < MERGE : !strayed && time - fighter.since > 2.5) this.#engage(fighter)
      return
    }
    if (strayed) {
      fighter.turnTo('return', time, 20)
      return
    }
    if (this.evasion && fighter.mood !== 'evade' && fighter.hunter) {
      fighter.evade.target = fighter.hunter.pilot
      fighter.turnTo('evade', time, NERVE)
      return
    }
    if (time >= fighter.until || fighter.target?.alive !== true) this.#engage(fighter)
    else if (fighter.mood === 'tail') this.#leaveTail(fighter)
  }

  /** Stays behind its target until the target is near and ahead, then attacks. */
  #leaveTail(fighter: Fighter): void {
    const { pilot, target } = fighter
    const offset = minus(target!.pilot.position, pilot.position)
    const astern = inner(unit(offset), unit(target!.pilot.velocity))
    if (magnitude(offset) < 0.75 * RANGE && astern > 0.8) fighter.turnTo('hunt', this.time, PATIENCE)
  }

  #engage(fighter: Fighter): void {
    const target = chooseTarget(this.fighters, fighter)
    if (target === null) {
      fighter.turnTo('return', this.time, 20)
      return
    }
    fighter.mark(target)
    // every third fighter prefers a tail chase
    const tail = fighter.index % 3 === 2 || this.#random() < 0.25
    fighter.turnTo(tail ? 'tail' : 'hunt', this.time, PATIENCE * (0.8 + 0.4 * this.#random()))
  }

  /** Shoots while the target is in its sights, and marks itself as the target's hunter. */
  #shoot(fighter: Fighter, dt: number): void {
    fighter.reload -= dt
    fighter.bearing = false
    const { pilot, target } = fighter
    if (target?.hunter === fighter) target.hunter = null
    if (!target?.alive || (fighter.mood !== 'hunt' && fighter.mood !== 'tail')) return
    this.#hunting += dt
    const { x: nose } = pilot.attitude
    const offset = minus(target.pilot.position, pilot.position)
    const distanceToTarget = magnitude(offset)
    if (distanceToTarget > RANGE) return
    const lead = unit(plus(offset, minus(target.pilot.velocity, pilot.velocity), distanceToTarget / MUZZLE))
    if (inner(lead, nose) < Math.cos(CONE)) return
    fighter.bearing = true
    this.#onTarget += dt
    target.hunter = fighter
    if (fighter.reload > 0) return
    fighter.reload = RELOAD
    const { y: top, z: side } = pilot.attitude
    const angle = 2 * Math.PI * this.#random()
    const spread = SCATTER * Math.sqrt(this.#random())
    const direction = plus(plus(nose, top, spread * Math.sin(angle)), side, spread * Math.cos(angle))
    const gun = this.tracers.fired % 2 === 0 ? 1.4 : -1.4
    const muzzle = plus(plus(pilot.position, nose, 6), side, gun)
    this.tracers.fire(fighter.index, fighter.team, muzzle, plus(pilot.velocity, direction, MUZZLE))
  }

  #hit(hit: Hit): void {
    const fighter = this.fighters[hit.target]!
    this.hits++
    if (this.sparks.length < 64) this.sparks.push(hit)
    if (--fighter.health > 0) return
    this.kills++
    this.score[1 - fighter.team]!++
    fighter.mood = 'down'
    fighter.hunter = fighter.target = null
    fighter.until = this.time + 9
    fighter.since = this.time
    fighter.pilot.maxSpeed = Infinity
    fighter.pilot.behavior = this.#fall
    fighter.pilot.locomotion = this.#fallingLocomotion
    this.#flash(fighter)
  }

  #flash({ pilot }: Fighter): void {
    if (this.bursts.length < 16)
      this.bursts.push({
        position: plus(pilot.position, pilot.velocity, 0),
        velocity: plus(pilot.velocity, pilot.velocity, 0),
      })
  }

  #burst(fighter: Fighter): void {
    this.#flash(fighter)
    fighter.mood = 'away'
    fighter.until = this.time + ABSENT
    this.steering.remove(fighter.pilot)
  }

  /** Starts a new fighter far behind its team. It joins up with the tanker first. */
  #comeBack(fighter: Fighter): void {
    const side = fighter.team === 0 ? -1 : 1
    const { pilot } = fighter
    const velocity = vec(0, 0, -side * PATROL_SPEED)
    pilot.locomotion = fighter.flight
    pilot.teleport({
      position: vec(500 * (this.#random() - 0.5), 60 + 120 * this.#random(), side * BEHIND),
      velocity,
      quaternion: headed(velocity),
      angularVelocity: vec(0, 0, 0),
    })
    fighter.health = HEALTH
    fighter.joined = false
    fighter.target = fighter.hunter = null
    fighter.form.target = this.tankers[fighter.team as 0 | 1]
    fighter.form.offset = abeam(fighter.index >> 1)
    fighter.turnTo('form', this.time, LATE)
    this.steering.add(pilot)
  }

  /** Counts collisions, each once. */
  #watch(): void {
    const { fighters } = this
    for (let i = 0; i < fighters.length; i++)
      for (let j = i + 1; j < fighters.length; j++) {
        const [a, b] = [fighters[i]!, fighters[j]!]
        const key = i * MAX_FIGHTERS + j
        const near = a.alive && b.alive && distance(a.pilot.position, b.pilot.position) < 2 * RADIUS
        if (near && !this.#touching.has(key)) this.collisions++
        if (near) this.#touching.add(key)
        else this.#touching.delete(key)
      }
  }
}

/** Each other hunter of the same target counts like this additional distance (m). */
const CROWDED = 260

/** The nearest enemy, or null. */
function nearestEnemy(fighters: readonly Fighter[], fighter: Fighter): Fighter | null {
  return cheapest(fighters, (each) => (isFoe(each, fighter) ? distanceBetween(each, fighter) : Infinity))
}

/**
 * The nearest enemy. Enemies with few hunters are preferred, and another target than the last one. Null if no
 * enemy flies.
 */
function chooseTarget(fighters: readonly Fighter[], fighter: Fighter): Fighter | null {
  const best = cheapest(fighters, (each) => {
    if (!isFoe(each, fighter) || (each === fighter.target && fighters.length > 2)) return Infinity
    const after = fighters.filter(({ target, alive }) => alive && target === each).length
    return distanceBetween(each, fighter) + CROWDED * after
  })
  return best ?? fighter.target
}

function cheapest(fighters: readonly Fighter[], price: (fighter: Fighter) => number): Fighter | null {
  let best: Fighter | null = null
  let least = Infinity
  for (const each of fighters) {
    const now = price(each)
    if (now >= least) continue
    least = now
    best = each
  }
  return best
}

function isFoe(each: Fighter, fighter: Fighter): boolean {
  return each.team !== fighter.team && each.alive
}

function distanceBetween(a: Fighter, b: Fighter): number {
  return distance(a.pilot.position, b.pilot.position)
}

/** Offset of each rank of a wedge from the rank before (m). */
const WEDGE = { x: -24, y: 3, z: 26 }

/** Slots of a wedge: the first leads, the others follow on both sides. */
function wedge(place: number): Vec3Like {
  const rank = (place + 1) >> 1
  return { x: rank * WEDGE.x, y: rank * WEDGE.y, z: place % 2 === 0 ? rank * WEDGE.z : -rank * WEDGE.z }
}

/** Slots beside a tanker, staggered on both sides. */
function abeam(place: number): Vec3Like {
  const rank = (place >> 1) + 1
  return { x: -14 * rank, y: 2, z: (place % 2 === 0 ? 1 : -1) * (16 + 20 * rank) }
}
