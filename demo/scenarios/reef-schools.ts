import {
  AvoidObstacles,
  Contain,
  CylinderShape,
  Evade,
  HollowShape,
  SteeringWorld,
  type Obstacles,
  type Vec3,
  type Viewable,
  Hover,
  Pursue,
  Seek,
  SteeringController,
  within,
  type Behavior,
  type Flock,
} from 'three-steering'
import { type Constraint } from 'three-steering/authoring'
import { seeded } from 'three-steering/authoring'
import { distance, Fingerprint } from './metrics.js'
import { KINDS, type Kind } from './reef-kinds.js'
import { homeOf, School } from './reef-school.js'
import { DEPTH, LAGOON, makeReef, reefObstacles, type Coral } from './reef.js'
import { Touches, type Ball } from './touches.js'
import { evenly, ORIGIN } from './vectors.js'

export interface ReefSchoolsOptions {
  readonly seed?: number
  /** Number of fish of all kinds. */
  readonly count?: number
  /** Views of the kinds, in the order of `KINDS`. Nothing is drawn without them. */
  readonly views?: readonly Viewable[]
  readonly sharkViews?: readonly Viewable[]
}

export const DEFAULT_SCHOOLS = KINDS.reduce((sum, { count }) => sum + count, 0)
export const MAX_SCHOOLS = 1200
export const SHARKS = 2

/** Group bit of the sharks. */
const SHARK_GROUP = 1

/** Number of corals of each form. */
const HEADS = 19
const COLUMNS = 3
/** Fish closer to a shark than this flee (m). */
const PANIC = 5.5
/** A gap between shark and fish below this is a near miss (m). */
const NEAR_MISS = 0.4

/** Number of fish of each kind for a total of `count`. */
export function shares(count: number): number[] {
  const total = Math.min(count, MAX_SCHOOLS)
  return KINDS.map((kind) => Math.max(1, Math.round((kind.count * total) / DEFAULT_SCHOOLS)))
}

/** Schools of several kinds among corals, and sharks that pass through them without catching a fish. */
export class ReefSchools {
  readonly steering: SteeringWorld
  readonly corals: readonly Coral[]
  readonly reef: Obstacles
  readonly schools: readonly School[]
  readonly sharks: readonly Shark[]
  readonly threats: readonly Evade[]
  /** Contacts between fish, and between fish and sharks. */
  readonly touches = new Touches(0.02)
  /** Contacts with corals. */
  scrapes = 0
  nearMisses = 0
  readonly #balls: Ball[] = []
  readonly #scraping: Uint8Array
  readonly #missing: Uint8Array
  readonly #random: () => number
  readonly #normal: Vec3 = { x: 0, y: 0, z: 0 }

  constructor({ seed = 1, count = DEFAULT_SCHOOLS, views, sharkViews }: ReefSchoolsOptions = {}) {
    this.#random = seeded(seed)
    this.corals = makeReef(seed, HEADS, COLUMNS)
    this.reef = reefObstacles(this.corals)
    this.steering = new SteeringWorld({ seed })
    const water = new HollowShape(new CylinderShape(LAGOON, DEPTH))
    const walls = [
      new AvoidObstacles({ obstacles: this.reef, horizon: 2, clearance: 0.8 }),
      new Contain({ bounds: [{ shape: water, at: { x: 0, y: DEPTH / 2, z: 0 } }] }),
    ]
    this.sharks = Array.from({ length: SHARKS }, (_, index) => {
      const shark = new Shark(index, walls, SHARK_GROUP, this.#random, sharkViews?.[index])
      this.steering.add(shark.controller)
      return shark
    })
    this.threats = this.sharks.map(
      ({ controller }) => new Evade({ target: controller, panicDistance: PANIC, maxPredictionTime: 0.5 }),
    )
    this.schools = shares(count).map((size, index) => {
      const home = { ...ORIGIN }
      homeOf(KINDS[index]!, 0, home)
      return new School(this.steering, index, {
        count: size,
        view: views?.[index],
        home,
        walls,
        threats: this.threats,
        place: (position, velocity, kind, at) => this.#place(position, velocity, kind, at),
      })
    })
    this.#scraping = new Uint8Array(this.fish)
    this.#missing = new Uint8Array(this.fish * SHARKS)
    this.steering.addPlanner({ plan: () => this.#plan() })
    for (const { flock, kind } of this.schools)
      for (let index = 0; index < flock.size; index++)
        this.#balls.push({
          key: this.#balls.length,
          radius: kind.radius,
          position: flock.member(index).position,
        })
    for (const { controller } of this.sharks)
      this.#balls.push({ key: this.#balls.length, radius: controller.radius, position: controller.position })
  }

  get fish(): number {
    return this.schools.reduce((sum, { flock }) => sum + flock.size, 0)
  }

  step(dt: number): void {
    this.steering.step(dt)
    this.touches.see(this.#balls)
    const { fish } = this
    for (let index = 0; index < fish; index++) this.#countContacts(index, this.#balls[index]!)
  }

  dispose(): void {
    this.steering.dispose()
  }

  state(): Record<string, number | string> {
    const mark = new Fingerprint()
    for (const { position } of this.#balls) mark.addVector(position)
    const state: Record<string, number | string> = {
      fish: this.fish,
      contacts: this.touches.contacts,
      'contacts with corals': this.scrapes,
      'near misses': this.nearMisses,
      fingerprint: mark.toString(),
    }
    for (const school of this.schools) state[`${school.kind.name}, polarised`] = school.polarisation()
    return state
  }

  /** Moves the goal of each school around the reef, and updates the sharks. */
  #plan(): void {
    const { time } = this.steering
    for (const { kind, home } of this.schools) homeOf(kind, time, home)
    for (const shark of this.sharks) shark.update(time, this.schools, this.reef)
  }

  /** Counts contacts of a fish with corals, and near misses by sharks. */
  #countContacts(index: number, { position, radius }: Ball): void {
    const scrapes = this.reef.distance(position, this.#normal) < radius ? 1 : 0
    if (scrapes > this.#scraping[index]!) this.scrapes++
    this.#scraping[index] = scrapes
    for (let k = 0; k < SHARKS; k++) {
      const { controller } = this.sharks[k]!
      const near = distance(position, controller.position) < radius + controller.radius + NEAR_MISS ? 1 : 0
      const at = SHARKS * index + k
      if (near > this.#missing[at]!) this.nearMisses++
      this.#missing[at] = near
    }
  }

  /** Places a fish in open water near home, moving with the school, clear of the fish placed before. */
  #place(position: Vec3, velocity: Vec3, kind: Kind, home: Vec3): void {
    const size = 1.3 * kind.apart * Math.cbrt(kind.count) * 0.62
    for (let tries = 0; tries < 400; tries++) {
      position.x = home.x + evenly(this.#random, -size, size)
      position.y = Math.max(0.8, home.y + evenly(this.#random, -0.5 * size, 0.5 * size))
      position.z = home.z + evenly(this.#random, -size, size)
      if (this.reef.distance(position, this.#normal) > 3 * kind.radius && this.#isFree(position, kind)) break
    }
    this.#taken.push({ ...position, radius: kind.radius })
    const { sense } = kind.round
    const far = Math.hypot(home.x, home.z)
    velocity.x = (-sense * kind.cruise * home.z) / far
    velocity.y = 0
    velocity.z = (sense * kind.cruise * home.x) / far
  }

  readonly #taken: (Vec3 & { radius: number })[] = []

  #isFree(position: Vec3, { radius }: Kind): boolean {
    return this.#taken.every((other) => distance(other, position) > 1.8 * (radius + other.radius))
  }
}

/** Radius of a shark at its thickest (m). Its length is greater. */
const SHARK = 0.75
/** Speed on patrol and in a chase (m/s). */
const PATROL = 2.6
const CHASE = 5.2
/** Longest chase, and least rest after it (s). */
const CHASE_TIME = 5
const REST = 7

interface Prey {
  readonly flock: Flock
}

/** Patrols, and chases the nearest fish from time to time. It does not give way. */
class Shark {
  readonly controller: SteeringController
  /** Whether it may chase fish. */
  hunting = true
  chases = 0
  readonly #walls: readonly Constraint[]
  readonly #random: () => number
  readonly #goal: Vec3 = { x: 0, y: 4, z: 0 }
  readonly #place: Vec3 = { x: 0, y: 0, z: 0 }
  readonly #normal: Vec3 = { x: 0, y: 0, z: 0 }
  #chasing = false
  #until: number

  constructor(
    index: number,
    walls: readonly Constraint[],
    group: number,
    random: () => number,
    view?: Viewable,
  ) {
    this.#walls = walls
    this.#random = random
    this.#until = 4 + 5 * index
    const side = index % 2 === 0 ? 1 : -1
    this.controller = new SteeringController(view ?? null, {
      name: `shark ${index + 1}`,
      behavior: within(walls, new Seek({ target: this.#goal })),
      locomotion: new Hover({ attitude: { roll: 'bank', bankWeight: 4 } }),
      maxSpeed: PATROL,
      maxForce: 5,
      maxTurnRate: 1.5,
      responseTime: 0.5,
      radius: SHARK,
      group,
      priority: Infinity,
      position: { x: side * (LAGOON - 3), y: 5 + 3 * index, z: 4 * side },
      velocity: { x: -side * 2, y: 0, z: 0 },
    })
  }

  /** Decides between patrol and a chase of the nearest fish. */
  update(time: number, schools: readonly Prey[], reef: Obstacles): void {
    const { controller } = this
    if (this.#chasing) {
      if (time < this.#until && this.hunting) return
      this.#chasing = false
      this.#until = time + REST
      controller.maxSpeed = PATROL
      return this.#patrol(reef)
    }
    if (distance(this.#goal, controller.position) < 4) this.#patrol(reef)
    if (!this.hunting || time < this.#until) return
    this.#chasing = true
    this.#until = time + CHASE_TIME
    this.chases++
    controller.maxSpeed = CHASE
    const { flock, index } = this.#nearest(schools)
    this.#steer(new Pursue({ target: flock.member(index), maxPredictionTime: 1 }))
  }

  #nearest(schools: readonly Prey[]): { flock: Flock; index: number } {
    let least = Infinity
    let found = { flock: schools[0]!.flock, index: 0 }
    for (const { flock } of schools)
      for (let index = 0; index < flock.size; index++) {
        const distanceToShark = distance(flock.position(index, this.#place), this.controller.position)
        if (distanceToShark >= least) continue
        least = distanceToShark
        found = { flock, index }
      }
    return found
  }

  /** Seeks a random point in open water. */
  #patrol(reef: Obstacles): void {
    do {
      const far = (LAGOON - 7) * Math.sqrt(this.#random())
      const turn = 2 * Math.PI * this.#random()
      this.#goal.x = far * Math.cos(turn)
      this.#goal.y = evenly(this.#random, 2.5, 9)
      this.#goal.z = far * Math.sin(turn)
    } while (reef.distance(this.#goal, this.#normal) < SHARK + 0.8)
    this.#steer(new Seek({ target: this.#goal }))
  }

  #steer(wish: Behavior): void {
    this.controller.behavior = within(this.#walls, wish)
  }
}
