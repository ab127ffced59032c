import {
  Arrive,
  AvoidObstacles,
  blend,
  Contain,
  CylinderShape,
  Flocking,
  Hide,
  HollowShape,
  Hover,
  OffsetPursue,
  priority,
  Pursue,
  ReciprocalAvoidance,
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
import { Touches } from './touches.js'
import { evenly } from './vectors.js'

export interface HideAndSeekOptions {
  readonly seed?: number
  readonly count?: number
  /** Time in which the hunter seeks (s). */
  readonly seeking?: number
  readonly view?: (index: number) => Viewable
  readonly hunterView?: Viewable
}

export const DEFAULT_FISH = 10
export const MAX_FISH = 40

/** Length of a fish (m). */
export const FISH_LENGTH = 2.8
/** Range of the hunter's lantern (m). */
export const LIGHT = 19
/** Offset of the lantern from the centre of the hunter (m). */
export const LANTERN = { ahead: 1.5, above: 1.25 }
/** Duration of the three parts of a round (s). */
export const COUNTING = 9
export const SEEKING = 60
export const RESULT = 6
/** A fish is caught when it was in the light for this time (s). In the dark it recovers at half the rate. */
export const HOLD = 2.1

const FISH_RADIUS = 1
const HUNTER_RADIUS = 1.35
/** The hunter ends a chase after this time (s). It begins one only at fish nearer than this (m). */
const CHASE = 7
const SIGHT = 17
/** Distance (m) at which a fish in the train follows the one before it, and the first one the hunter. */
const FOLLOW = 3.4
const FIRST = 4.3
const HEADS = 11
const COLUMNS = 6

export type Part = 'counting' | 'seeking' | 'result'

export interface Player {
  readonly pilot: SteeringController
  /** Whether it is in the light. */
  seen: boolean
  caught: boolean
  /** Time for which it has been in the light, as a share of `HOLD`, in [0, 1]. */
  lit: number
}

/**
 * A game. The hunter counts while the fish hide behind corals. Then it seeks them with its lantern, and a
 * fish that stays in the light is caught and follows the hunter. After a minute, or when all are caught, the
 * next round begins.
 */
export class HideAndSeek {
  readonly steering: SteeringWorld
  readonly corals: readonly Coral[]
  readonly reef: Obstacles
  readonly fish: readonly Player[]
  readonly hunter: SteeringController
  /** Position (m) and velocity (m/s) of the lantern. */
  readonly lantern: { readonly position: Vec3; readonly velocity: Vec3 } = {
    position: { x: 0, y: 0, z: 0 },
    velocity: { x: 0, y: 0, z: 0 },
  }
  readonly hide: Hide
  /** Fish that follow the hunter, in this order. */
  readonly train: Player[] = []
  readonly touches = new Touches()
  /** Whether fish come out when the hunter cannot see them. */
  curious = true
  chasing = true
  part: Part = 'counting'
  round = 1
  /** Number of fish caught in each round that has ended. */
  readonly results: number[] = []
  chases = 0
  /** Contacts with corals. */
  reefContacts = 0
  #since = 0
  #seenTime = 0
  #time = 0
  #until = 0
  #target: Player | null = null
  readonly #lengths: Readonly<Record<Part, number>>
  readonly #goal: Vec3 = { x: 0, y: 0, z: 0 }
  readonly #home: Vec3
  readonly #inReef: AvoidObstacles
  readonly #inWater: Contain
  readonly #apart = new ReciprocalAvoidance({ neighborDistance: 9, clearance: 0.3 })
  readonly #choice: Priority
  #free: Behavior
  readonly #placed: Vec3[] = []
  readonly #touching = new Set<number>()
  readonly #random: () => number
  readonly #normal: Vec3 = { x: 0, y: 0, z: 0 }

  // #region code
  constructor(options: HideAndSeekOptions = {}) {
    const { seed = 1, count = DEFAULT_FISH, seeking = SEEKING, view, hunterView } = options
    this.#lengths = { counting: COUNTING, seeking, result: RESULT }
    const total = Math.max(1, Math.min(count, MAX_FISH))
    this.#random = seeded(seed)
    this.corals = makeReef(seed, HEADS, COLUMNS)
    this.reef = reefObstacles(this.corals)
    this.steering = new SteeringWorld({ seed })
    this.#inReef = new AvoidObstacles({ obstacles: this.reef, clearance: 0.2 })
    const water = new HollowShape(new CylinderShape(LAGOON, DEPTH))
    this.#inWater = new Contain({ bounds: [{ shape: water, at: { x: 0, y: DEPTH / 2, z: 0 } }] })
    this.#home = this.#base()
    this.hunter = new SteeringController(hunterView ?? null, {
      name: 'hunter',
      behavior: within([this.#inReef, this.#inWater], new Arrive({ target: this.#home })),
      locomotion: new Hover({ attitude: { roll: 'bank' } }),
      maxSpeed: 5,
      maxForce: 10,
      maxTurnRate: 1.6,
      responseTime: 0.5,
      radius: HUNTER_RADIUS,
      position: { ...this.#home },
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
    const shoal = new Flocking({
      separation: { neighborDistance: 5, weight: 0.8 },
      alignment: { neighborDistance: 6, weight: 0.25 },
      cohesion: { neighborDistance: 9, weight: 0.15, emergency: false },
    })
    this.#choice = priority([this.hide, blend([shoal, { behavior: new Wander(), weight: 0.14 }])])
    this.#free = this.#inLagoon(this.#choice)
    this.fish = Array.from({ length: total }, (_, index) => this.#fish(index, view?.(index) ?? null))
    for (const { pilot } of this.fish) this.steering.add(pilot)
    this.steering.addPlanner({ plan: () => this.#decide() })
    this.#moveLantern()
  }
  // #endregion

  step(dt: number): void {
    // while the hunter counts, the fish need no light to know where it is
    this.hide.onlyIfSeen = this.part === 'seeking' && this.curious
    this.steering.step(dt)
    this.#moveLantern()
    this.#updateSeen(dt)
    this.#countContacts()
    this.#play()
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
    this.#free = this.#inLagoon(this.#choice)
    for (const { pilot, caught } of this.fish) if (!caught) pilot.behavior = this.#free
  }

  /** Number of fish caught in this round. */
  get caught(): number {
    return this.train.length
  }

  /** Time left of this part of the round (s). */
  get left(): number {
    return Math.max(0, this.#lengths[this.part] - (this.steering.time - this.#since))
  }

  dispose(): void {
    this.steering.dispose()
  }

  state(): Record<string, number | string> {
    const { fish, hunter, results } = this
    const mark = new Fingerprint().addVector(hunter.position)
    for (const { pilot } of fish) mark.addVector(pilot.position)
    return {
      fish: fish.length,
      round: this.round,
      part: this.part,
      caught: this.caught,
      'caught before': results.join(', '),
      seen: fish.filter(({ seen }) => seen).length,
      'share seen': this.#time > 0 ? this.#seenTime / this.#time : 0,
      chases: this.chases,
      'contacts with corals': this.reefContacts,
      'contacts of fish': this.touches.contacts,
      fingerprint: mark.toString(),
    }
  }

  #fish(index: number, view: Viewable | null): Player {
    const position = { x: 0, y: 0, z: 0 }
    do this.#open(position, 1.5, 7, LAGOON - 6)
    while (
      this.reef.distance(position, this.#normal) < 1.5 * FISH_RADIUS ||
      this.#placed.some((other) => distance(other, position) < 3 * FISH_RADIUS)
    )
    this.#placed.push(position)
    const pilot = new SteeringController(view, {
      name: `fish ${index + 1}`,
      behavior: this.#free,
      locomotion: new Hover({ attitude: { roll: 'level' } }),
      maxSpeed: 6,
      maxForce: 16,
      responseTime: 0.3,
      radius: FISH_RADIUS,
      position,
      velocity: { x: this.#random() - 0.5, y: 0, z: this.#random() - 0.5 },
    })
    return { pilot, seen: false, caught: false, lit: 0 }
  }

  #inLagoon(wish: Behavior): Behavior {
    return within([this.#inReef, this.#inWater, this.#apart], wish)
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

  /** Finds out which fish are in the light, and catches those that were in it for too long. */
  #updateSeen(dt: number): void {
    const { fish, reef, lantern, part } = this
    for (const player of fish) {
      const { position } = player.pilot
      const near = distance(position, lantern.position) < LIGHT
      player.seen = part === 'seeking' && !player.caught && near && reef.sees(lantern.position, position)
      if (part !== 'seeking' || player.caught) continue
      this.#time += dt
      if (player.seen) this.#seenTime += dt
      const rate = player.seen ? 1 / HOLD : -0.5 / HOLD
      player.lit = Math.max(0, Math.min(1, player.lit + rate * dt))
      if (player.lit === 1) this.#catch(player)
    }
  }

  #catch(player: Player): void {
    const { train, hunter } = this
    const before = train.at(-1)
    const target = before?.pilot ?? hunter
    const offset = { x: before ? -FOLLOW : -FIRST, y: 0, z: 0 }
    player.caught = true
    player.seen = false
    train.push(player)
    player.pilot.behavior = this.#inLagoon(new OffsetPursue({ target, offset }))
    if (player === this.#target) this.#endChase()
  }

  #countContacts(): void {
    const { fish, hunter } = this
    for (const [index, { pilot }] of [...fish, { pilot: hunter }].entries()) {
      const radius = index < fish.length ? FISH_RADIUS : HUNTER_RADIUS
      const touches = this.reef.distance(pilot.position, this.#normal) < radius
      if (touches && !this.#touching.has(index)) this.reefContacts++
      if (touches) this.#touching.add(index)
      else this.#touching.delete(index)
    }
    this.touches.see(fish.map(({ pilot }, key) => ({ key, position: pilot.position, radius: FISH_RADIUS })))
  }

  /** Ends a part of the round when its time is over. */
  #play(): void {
    const { fish, part, train } = this
    if (this.left > 0 && !(part === 'seeking' && train.length === fish.length)) return
    this.#since = this.steering.time
    if (part === 'counting') {
      this.part = 'seeking'
      this.#until = this.steering.time
      this.#patrol()
    } else if (part === 'seeking') {
      this.part = 'result'
      this.results.push(train.length)
      this.#target = null
      this.#steer(new Arrive({ target: this.#home }))
    } else {
      this.part = 'counting'
      this.round++
      for (const player of train.splice(0)) {
        player.caught = false
        player.pilot.behavior = this.#free
      }
      for (const player of fish) player.lit = 0
    }
  }

  /** Decides for the hunter: look behind one coral after the other, and chase a near fish in the light. */
  #decide(): void {
    const { hunter, steering } = this
    const { time } = steering
    if (this.part !== 'seeking') return
    if (this.#target) {
      const away = distance(this.#target.pilot.position, hunter.position)
      if (time < this.#until && this.chasing && away < 1.4 * SIGHT) return
      this.#endChase()
      return
    }
    if (distance(this.#goal, hunter.position) < 4) this.#patrol()
    if (!this.chasing || time < this.#until) return
    this.#target = this.#nearest()
    if (!this.#target) return
    this.chases++
    this.#until = time + CHASE
    this.#steer(new Pursue({ target: this.#target.pilot, maxPredictionTime: 1 }))
  }

  #endChase(): void {
    this.#target = null
    this.#until = this.steering.time + 1.5
    if (this.part === 'seeking') this.#patrol()
  }

  /** The nearest fish in the light within `SIGHT`. */
  #nearest(): Player | null {
    let nearest: Player | null = null
    let least = SIGHT
    for (const player of this.fish) {
      const away = distance(player.pilot.position, this.hunter.position)
      if (!player.seen || away >= least) continue
      least = away
      nearest = player
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

  /** Chooses a goal in open water near a coral, on the side that is away from the hunter. */
  #aim(): void {
    const { hunter, corals } = this
    for (let tries = 0; tries < 40; tries++) {
      const coral = corals[Math.floor(this.#random() * corals.length)]
      if (!coral) break
      const [x, z] = [coral.at.x - hunter.position.x, coral.at.z - hunter.position.z]
      const away = Math.hypot(x, z)
      if (away < 7) continue
      const beyond = (coral.radius + 4) / away
      this.#goal.x = coral.at.x + beyond * x
      this.#goal.y = evenly(this.#random, 2.6, 4.6)
      this.#goal.z = coral.at.z + beyond * z
      if (this.#isOpen(this.#goal)) return
    }
    do this.#open(this.#goal, 2.6, 5, LAGOON - 7)
    while (!this.#isOpen(this.#goal))
  }

  #isOpen(goal: Readonly<Vec3>): boolean {
    return (
      Math.hypot(goal.x, goal.z) < LAGOON - 4 && this.reef.distance(goal, this.#normal) > HUNTER_RADIUS + 0.8
    )
  }

  /** A place at the edge of the lagoon with much room, where the hunter counts. */
  #base(): Vec3 {
    const home = { x: 0, y: 5, z: 0 }
    let most = -Infinity
    for (let k = 0; k < 24; k++) {
      const turn = (2 * Math.PI * k) / 24
      const place = { x: (LAGOON - 5) * Math.cos(turn), y: 5, z: (LAGOON - 5) * Math.sin(turn) }
      const room = this.reef.distance(place, this.#normal)
      if (room <= most) continue
      most = room
      Object.assign(home, place)
    }
    return home
  }

  #open(out: Vec3, low: number, high: number, reach: number): void {
    const far = reach * Math.sqrt(this.#random())
    const turn = 2 * Math.PI * this.#random()
    out.x = far * Math.cos(turn)
    out.y = evenly(this.#random, low, high)
    out.z = far * Math.sin(turn)
  }
}
