import { Vec3, type World } from 'cannon-es'
import {
  AvoidObstacles,
  Evade,
  modes,
  ReciprocalAvoidance,
  Seek,
  Strafe,
  within,
  type Modes,
  type Obstacles,
  type SteeringWorld,
  type Vec3Like,
  type Viewable,
} from 'three-steering'
import { distance, magnitude } from './metrics.js'
import { lookAlong } from './boats.js'
import type { Ship } from './port-traffic.js'
import { Fighter, MARAUDER, MUZZLE } from './station-fighter.js'
import type { Guns, Mark } from './station-guns.js'
import { direction, evenly, inner, minus, ORIGIN, plus, times, unit, vec, type Random } from './vectors.js'

/** Distance from the station at which raiders come and go, and least distance at which they come (m). */
const FAR = 300
const NEAR = 170
/** Time of the first raid, and between two (s). Ships in the first raid, and in the largest. */
const FIRST = 14
const PAUSE = 24
const LEAST = 2
export const MOST = 5
/** A raider breaks off while a hunter is this near behind it (m), for this time (s). */
const THREAT = 55
const NERVE = 2.6
/** It flees for good with shields below this share. */
const HURT = 0.25
/** Ships this far from the hub are prey (m). A hit takes this share of the shields of a freighter. */
const OPEN = 44
const HARM = 0.02
const MENDING = 0.02
/** Distance at which a freighter is passed (m). */
const PASSING = 16

type Doing = 'raid' | 'evade' | 'flee'

/** A freighter as a mark of the guns. It has shields, and loses the raid when they fail. */
export class Prey implements Mark {
  readonly team = 0
  readonly radius: number
  readonly present = true
  shield = 1
  robbed = 0
  readonly ship: Ship
  readonly #raid: Raid

  constructor(ship: Ship, raid: Raid) {
    this.ship = ship
    this.#raid = raid
    this.radius = ship.boat.radius + 1
  }
  get position(): Ship['pilot']['position'] {
    return this.ship.pilot.position
  }
  get hull(): Ship['body'] {
    return this.ship.body
  }
  /** Whether raiders can come at it: under way, not in a corridor. */
  get isOpen(): boolean {
    const { body, leg, stage } = this.ship
    return leg !== 'docked' && stage !== 'final' && stage !== 'align' && magnitude(body.position) > OPEN
  }
  hit(): void {
    this.shield = Math.max(0, this.shield - this.#raid.harm)
  }
}

/** A raider: attacks freighters in passes, breaks off when it is hunted, and flees with weak shields. */
export class Raider extends Fighter {
  readonly modes: Modes<Doing>
  prey: Prey | null = null
  until = 0
  /** Every third raider attacks the leader of the wing instead of a freighter. */
  readonly bold: boolean
  readonly #strafe: Strafe
  readonly #evade: Evade
  readonly #away: Seek

  constructor(index: number, obstacles: Obstacles, view: Viewable | null) {
    const still = { position: ORIGIN, velocity: ORIGIN }
    const strafe = new Strafe({ target: still, missDistance: PASSING, aim: 'nose', projectileSpeed: MUZZLE })
    const evade = new Evade({ target: still })
    const away = new Seek({ target: ORIGIN })
    const doing = modes<Doing>({ raid: strafe, evade, flee: away })
    const rocks = new AvoidObstacles({ obstacles, clearance: 1.2 })
    const others = new ReciprocalAvoidance({ neighborDistance: 70, caution: 3 })
    const name = `raider ${index + 1}`
    super(1, MARAUDER, name, within([rocks, others], doing), vec(0, 0, FAR), vec(0, 0, -1), view)
    this.bold = index % 3 === 2
    this.modes = doing
    this.#strafe = strafe
    this.#evade = evade
    this.#away = away
  }

  get doing(): Doing {
    return this.modes.current
  }

  attack(prey: Prey | null, rival: Fighter | null = null): void {
    this.prey = prey
    this.target = rival
    const { position, velocity } = (prey?.ship ?? rival)!.pilot
    this.#strafe.target = { position, velocity }
    this.modes.current = 'raid'
  }

  evadeFrom(hunter: Fighter, time: number): void {
    this.#evade.target = hunter.pilot
    this.modes.current = 'evade'
    this.until = time + NERVE
  }

  flee(): void {
    this.prey = this.target = null
    this.#away.target = times(unit(this.body.position), FAR + 60)
    this.modes.current = 'flee'
  }
}

/** Waves of raiders. Each raid ends with raiders shot down, driven off, or with a robbed freighter. */
export class Raid {
  readonly raiders: readonly Raider[]
  readonly preys: readonly Prey[]
  /** Places of raiders that were shot down since the list was last emptied. The reader empties it. */
  readonly bursts: {
    readonly position: ReturnType<typeof vec>
    readonly velocity: ReturnType<typeof vec>
  }[] = []
  waves = 0
  /** Raiders that came with the last raid. */
  size = 0
  /** Raids that are over. */
  beaten = 0
  /** Raiders stopped, and those of them that the leader of the wing hit last. */
  intercepted = 0
  byLeader = 0
  robbed = 0
  /** Time between two raids (s), and what a hit takes of the shields of a freighter, as a share. */
  pause = PAUSE
  harm = HARM
  readonly #world: World
  readonly #steering: SteeringWorld
  readonly #random: Random
  #next = FIRST
  /** Whether there are raiders who do not flee. */
  #isOn = false
  /** Where the next raid comes from (m), or null for anywhere. */
  #from: Vec3Like | null = null

  constructor(
    place: { readonly world: World; readonly steering: SteeringWorld; readonly obstacles: Obstacles; readonly random: Random }, // prettier-ignore
    ships: readonly Ship[],
    view?: (index: number) => Viewable,
  ) {
    this.#world = place.world
    this.#steering = place.steering
    this.#random = place.random
    this.preys = ships.map((ship) => new Prey(ship, this))
    this.raiders = Array.from({ length: MOST }, (_, k) => new Raider(k, place.obstacles, view?.(k) ?? null))
  }

  /** Time of the next raid (s). */
  get due(): number {
    return this.#next
  }

  /** The next raid is the first. Unless raiders are there, it comes at once, from near a place (m). */
  summon(from: Vec3Like, time: number): void {
    this.waves = this.underway ? 1 : 0
    if (this.underway) return
    this.#next = time
    this.#from = times(unit(from), Math.min(FAR, Math.max(NEAR, magnitude(from))))
  }

  get underway(): boolean {
    return this.raiders.some(({ present }) => present)
  }

  /** Raiders that are there and do not flee. */
  get hostile(): readonly Raider[] {
    return this.raiders.filter(({ doing, present }) => present && doing !== 'flee')
  }

  /** Fires at freighters, and takes raiders that were shot down out of the worlds. Call once per step. */
  step(guns: Guns, { leader }: { readonly leader: Fighter }, dt: number, time: number): void {
    for (const prey of this.preys) prey.shield = Math.min(1, prey.shield + MENDING * dt)
    for (const raider of this.raiders) {
      if (!raider.present) continue
      if (raider.shield === 0) {
        const { position, velocity } = raider.body
        this.bursts.push({ position: plus(position, ORIGIN), velocity: plus(velocity, ORIGIN) })
        this.#count(raider, leader)
        this.#remove(raider)
      } else if (raider.doing === 'raid' && raider.prey !== null)
        guns.aimAt(raider, raider.prey.ship.pilot, time)
    }
  }

  /** Decides for all raiders. Call a few times a second. */
  observe(hunters: readonly Fighter[], time: number): void {
    if (!this.underway && time >= this.#next) this.#launch()
    for (const raider of this.raiders) if (raider.present) this.#decide(raider, hunters, time)
    if (!this.#isOn || this.hostile.length > 0) return
    this.#isOn = false
    this.beaten++
    this.#next = time + this.pause
  }

  #decide(raider: Raider, hunters: readonly Fighter[], time: number): void {
    const { doing, prey } = raider
    if (doing === 'flee') {
      if (magnitude(raider.body.position) > FAR) this.#remove(raider)
      return
    }
    if (raider.shield < HURT) {
      this.#count(raider, hunters[0]!)
      return raider.flee()
    }
    if (prey?.shield === 0) {
      prey.robbed++
      prey.shield = 1
      this.robbed++
      return raider.flee()
    }
    const hunter = hunters.find((each) => each.present && threatens(each, raider))
    if (hunter !== undefined && doing === 'raid') raider.evadeFrom(hunter, time)
    else if (doing === 'evade' && time < raider.until) return
    else if (raider.bold) {
      if (doing === 'evade' || raider.target === null) raider.attack(null, hunters[0])
    } else if (doing === 'evade' || prey === null || !prey.isOpen) {
      const open = this.preys.filter(({ isOpen }) => isOpen)
      if (open.length === 0) return
      raider.attack(open.reduce((best, each) => (far(each, raider) < far(best, raider) ? each : best)))
    }
  }

  /** Counts a raider that was stopped, once in a raid. */
  #count(raider: Raider, leader: Fighter): void {
    if (raider.doing === 'flee') return
    this.intercepted++
    if (raider.hitBy === leader) this.byLeader++
  }

  #launch(): void {
    const random = this.#random
    const { x, y, z } = direction(random)
    const start = this.#from ?? times(unit(vec(x, 0.35 * y, z)), FAR)
    const from = unit(start)
    this.#from = null
    this.#isOn = true
    const count = (this.size = Math.min(MOST, LEAST + this.waves++))
    for (const [k, raider] of this.raiders.entries()) {
      if (k >= count) continue
      const place = plus(start, vec(evenly(random, -6, 6), 16 * (k - (count - 1) / 2), evenly(random, -6, 6)))
      const { body } = raider
      body.position.set(place.x, place.y, place.z)
      body.velocity.set(-12 * from.x, -12 * from.y, -12 * from.z)
      body.angularVelocity.setZero()
      lookAlong(body, new Vec3(-from.x, -from.y, -from.z))
      raider.shield = 1
      raider.armed = true
      raider.hitBy = null
      raider.prey = null
      raider.enter(this.#world, this.#steering)
      raider.evadeFrom(this.raiders[0]!, -NERVE)
    }
  }

  #remove(raider: Raider): void {
    raider.leave(this.#world, this.#steering)
  }
}

const far = (prey: Prey, raider: Raider): number => distance(prey.position, raider.body.position)

/** Whether a hunter is near, with its nose on the raider. */
function threatens({ body, pilot }: Fighter, raider: Raider): boolean {
  const offset = minus(raider.body.position, body.position)
  const apart = magnitude(offset)
  return apart < THREAT && inner(offset, pilot.attitude.x) > 0.85 * apart
}
