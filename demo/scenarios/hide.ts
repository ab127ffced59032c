import {
  AvoidObstacles,
  blend,
  Contain,
  CylinderShape,
  Flock,
  Flocking,
  Hide,
  HollowShape,
  Hover,
  priority,
  Pursue,
  Seek,
  SteeringController,
  SteeringWorld,
  Wander,
  within,
  type Behavior,
  type Obstacles,
  type Priority,
  type Vec3,
  type Viewable,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { distance, Fingerprint } from './metrics.js'
import { DEPTH, LAGOON, makeReef, reefObstacles, type Coral } from './reef.js'
import { evenly } from './vectors.js'

export interface HideAndSeekOptions {
  readonly seed?: number
  readonly count?: number
  readonly view?: Viewable
  readonly hunterView?: Viewable
}

export const DEFAULT_FISH = 32
export const MAX_FISH = 400

/** Range of the hunter's lantern (m). */
export const LIGHT = 26
/** Offset of the lantern from the centre of the hunter (m). */
export const LANTERN = { ahead: 1.5, above: 1.25 }
const FISH_RADIUS = 0.45
const HUNTER_RADIUS = 1.35
/** The hunter ends a chase after this time (s). It begins one only at fish nearer than this (m). */
const CHASE = 5
const SIGHT = 14

/**
 * Small fish that hide behind corals from a hunter with a lantern. The hunter sees only fish inside the
 * light.
 */
export class HideAndSeek {
  readonly steering: SteeringWorld
  readonly corals: readonly Coral[]
  readonly reef: Obstacles
  readonly flock: Flock
  readonly hunter: SteeringController
  /** Position (m) and velocity (m/s) of the lantern. */
  readonly lantern: { readonly position: Vec3; readonly velocity: Vec3 } = {
    position: { x: 0, y: 0, z: 0 },
    velocity: { x: 0, y: 0, z: 0 },
  }
  readonly hide: Hide
  /** 1 for each fish in the light, 0 otherwise. */
  readonly seen: Uint8Array
  chasing = true
  chases = 0
  contacts = 0
  #seenTime = 0
  #time = 0
  #until = 0
  #targetIndex = -1
  readonly #goal: Vec3 = { x: 0, y: 0, z: 0 }
  readonly #inReef: AvoidObstacles
  readonly #inWater: Contain
  readonly #shoal = new Flocking({
    separation: { neighborDistance: 1.6, weight: 0.8 },
    alignment: { neighborDistance: 3, weight: 0.25 },
    cohesion: { neighborDistance: 5, weight: 0.15, emergency: false },
  })
  readonly #choice: Priority
  readonly #touching: Uint8Array
  readonly #random: () => number
  readonly #point: Vec3 = { x: 0, y: 0, z: 0 }
  readonly #normal: Vec3 = { x: 0, y: 0, z: 0 }

  // #region code
  constructor({ seed = 1, count = DEFAULT_FISH, view, hunterView }: HideAndSeekOptions = {}) {
    const total = Math.min(count, MAX_FISH)
    this.#random = seeded(seed)
    this.corals = makeReef(seed)
    this.reef = reefObstacles(this.corals)
    this.seen = new Uint8Array(total)
    this.#touching = new Uint8Array(total + 1)
    this.steering = new SteeringWorld({ seed })
    this.#inReef = new AvoidObstacles({ obstacles: this.reef })
    const water = new HollowShape(new CylinderShape(LAGOON, DEPTH))
    this.#inWater = new Contain({ bounds: [{ shape: water, at: { x: 0, y: DEPTH / 2, z: 0 } }] })
    this.#aim()
    this.hunter = new SteeringController(hunterView ?? null, {
      name: 'hunter',
      behavior: within([this.#inReef, this.#inWater], new Seek({ target: this.#goal })),
      locomotion: new Hover({ attitude: { roll: 'bank' } }),
      maxSpeed: 4.2,
      maxForce: 9,
      maxTurnRate: 1.4,
      responseTime: 0.5,
      radius: HUNTER_RADIUS,
      position: { x: -LAGOON + 6, y: 4.5, z: 4 },
      velocity: { x: 2, y: 0, z: 0 },
    })
    this.steering.add(this.hunter)
    this.hide = new Hide({
      target: this.lantern,
      obstacles: this.reef,
      onlyIfSeen: true,
      memoryTime: 4,
      panicDistance: 3.5,
    })
    // without a threat the fish wander as a shoal
    this.#choice = priority([this.hide, blend([this.#shoal, { behavior: new Wander(), weight: 0.14 }])])
    this.flock = new Flock({
      name: 'fish',
      count: total,
      ...(view ? { view } : {}),
      behavior: within([this.#inReef, this.#inWater], this.#choice),
      locomotion: new Hover({ attitude: { roll: 'level' } }),
      maxSpeed: 6,
      maxForce: 16,
      responseTime: 0.3,
      radius: FISH_RADIUS,
      maxNeighbors: 8,
      spawn: (_, state) => this.#place(state),
    })
    this.steering.add(this.flock)
    this.steering.addPlanner({ plan: () => this.#decide() })
    this.#moveLantern()
  }
  // #endregion

  step(dt: number): void {
    this.steering.step(dt)
    this.#moveLantern()
    this.#updateSeen(dt)
  }

  /** Whether fish hide. Otherwise they only wander. */
  get hiding(): boolean {
    return this.#choice.children.includes(this.hide)
  }

  set hiding(on: boolean) {
    if (on === this.hiding) return
    if (on) this.#choice.children.unshift(this.hide)
    else this.#choice.children.shift()
    // a combination collects its parts when it is created, so it is created again
    this.flock.behavior = within([this.#inReef, this.#inWater], this.#choice)
  }

  dispose(): void {
    this.steering.dispose()
  }

  state(): Record<string, number | string> {
    const { flock, hunter } = this
    const mark = new Fingerprint().addVector(hunter.position)
    let now = 0
    for (let index = 0; index < flock.size; index++) {
      mark.addVector(flock.position(index, this.#point))
      now += this.seen[index]!
    }
    return {
      fish: flock.size,
      seen: now,
      'share seen': this.#time > 0 ? this.#seenTime / this.#time : 0,
      chases: this.chases,
      contacts: this.contacts,
      fingerprint: mark.toString(),
    }
  }

  /** Moves the lantern with the hunter. */
  #moveLantern(): void {
    const { position, velocity, attitude } = this.hunter
    const { x, y } = attitude
    const { lantern } = this
    lantern.position.x = position.x + LANTERN.ahead * x.x + LANTERN.above * y.x
    lantern.position.y = position.y + LANTERN.ahead * x.y + LANTERN.above * y.y
    lantern.position.z = position.z + LANTERN.ahead * x.z + LANTERN.above * y.z
    Object.assign(lantern.velocity, { x: velocity.x, y: velocity.y, z: velocity.z })
  }

  /** Updates which fish are in the light, and counts contacts with corals. */
  #updateSeen(dt: number): void {
    const { flock, reef, lantern, seen } = this
    for (let index = 0; index < flock.size; index++) {
      const fish = flock.position(index, this.#point)
      const lit = distance(fish, lantern.position) < LIGHT && reef.sees(lantern.position, fish)
      seen[index] = lit ? 1 : 0
      this.#time += dt
      if (lit) this.#seenTime += dt
      this.#countContact(index, fish, FISH_RADIUS)
    }
    this.#countContact(flock.size, this.hunter.position, HUNTER_RADIUS)
  }

  #countContact(index: number, place: Readonly<Vec3>, radius: number): void {
    const touches = this.reef.distance(place, this.#normal) < radius ? 1 : 0
    if (touches > this.#touching[index]!) this.contacts++
    this.#touching[index] = touches
  }

  /** Decides for the hunter: patrol from place to place, and chase a near fish in the light for a while. */
  #decide(): void {
    const { hunter, flock, steering } = this
    const { time } = steering
    if (this.#targetIndex >= 0) {
      const fish = flock.position(this.#targetIndex, this.#point)
      if (time < this.#until && this.chasing && distance(fish, hunter.position) < 1.5 * SIGHT) return
      this.#targetIndex = -1
      this.#until = time + 3
      this.#patrol()
      return
    }
    if (distance(this.#goal, hunter.position) < 4) this.#patrol()
    if (!this.chasing || time < this.#until) return
    this.#targetIndex = this.#nearest()
    if (this.#targetIndex < 0) return
    this.chases++
    this.#until = time + CHASE
    this.#steer(new Pursue({ target: flock.member(this.#targetIndex), maxPredictionTime: 1 }))
  }

  /** The nearest fish in the light within `SIGHT`. −1 if there is none. */
  #nearest(): number {
    const { flock, hunter, seen } = this
    let nearest = -1
    let least = SIGHT
    for (let index = 0; index < flock.size; index++) {
      const distanceToHunter = distance(flock.position(index, this.#point), hunter.position)
      if (seen[index] === 0 || distanceToHunter >= least) continue
      least = distanceToHunter
      nearest = index
    }
    return nearest
  }

  #patrol(): void {
    this.#aim()
    this.#steer(new Seek({ target: this.#goal }))
  }

  #steer(wish: Behavior): void {
    this.hunter.behavior = within([this.#inReef, this.#inWater], wish)
  }

  /** Chooses a random goal in open water. */
  #aim(): void {
    do {
      this.#open(this.#goal, 2.2, 5, LAGOON - 7)
    } while (this.reef.distance(this.#goal, this.#normal) < HUNTER_RADIUS + 0.8)
  }

  #place({ position, velocity }: { position: Vec3; velocity: Vec3 }): void {
    do {
      this.#open(position, 1, 7, LAGOON - 5)
    } while (this.reef.distance(position, this.#normal) < 2 * FISH_RADIUS)
    velocity.x = this.#random() - 0.5
    velocity.z = this.#random() - 0.5
  }

  #open(out: Vec3, low: number, high: number, reach: number): void {
    const far = reach * Math.sqrt(this.#random())
    const turn = 2 * Math.PI * this.#random()
    out.x = far * Math.cos(turn)
    out.y = evenly(this.#random, low, high)
    out.z = far * Math.sin(turn)
  }
}
