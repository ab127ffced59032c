import { type Body, ContactMaterial, Material, SAPBroadphase, Vec3, World } from 'cannon-es'
import {
  Arrive,
  blend,
  Face,
  Seek,
  Separation,
  SteeringController,
  SteeringWorld,
  Thrusters,
  type Behavior,
  type Viewable,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { Harbor, type Berth } from './harbor.js'
import { type Collision, type Engines, LIMITS, makeHull } from './hull.js'
import { distance, Fingerprint } from './metrics.js'
import { RockLauncher } from './rocks.js'

export interface ShipsOptions {
  readonly seed?: number
  readonly count?: number
  readonly view?: (index: number) => Viewable
}

export const DEFAULT_SHIPS = 12
/** Three berths stay free, so that there is always a destination. */
export const MAX_SHIPS = 15

const CRUISE = 15 // m/s
const THROW_EVERY = 3 // s
/** The oldest impacts are dropped when the list is not emptied. */
const MAX_IMPACTS = 32

/** A hit counts as a knock above this speed along the contact normal (m/s). */
const KNOCK = 4
/** A ship has recovered when its angular velocity is below this (rad/s). */
const STEADY = 0.35

export interface Ship {
  readonly body: Body
  readonly pilot: SteeringController
  readonly arrive: Arrive
  berth: Berth
  /** Phase: `leave` the berth, `cross` to the gate of the next berth, `dock` there, `rest`. */
  leg: 'leave' | 'cross' | 'dock' | 'rest'
  /** Time at which the rest ends (s). */
  until: number
  /** Time at which a rock knocked it (s). −1 when it has recovered. */
  knocked: number
}

export interface Impact {
  readonly position: Vec3
  readonly speed: number
}

/** Rigid ships that fly between berths at three stations, while a launcher throws rocks at them. */
export class Ships {
  readonly world = new World({ gravity: new Vec3(0, 0, 0), frictionGravity: new Vec3(0, -9.82, 0) })
  readonly steering: SteeringWorld
  readonly harbor = new Harbor()
  readonly ships: readonly Ship[]
  readonly launcher: RockLauncher
  /** Collisions since the list was last emptied. The reader empties it. */
  readonly impacts: Impact[] = []
  throwing = true
  arrivals = 0
  hits = 0
  bumps = 0
  recoveries = 0
  #recoveryTime = 0
  #nextThrow = 5
  readonly #random: () => number
  /** Berth of the first ship. */
  readonly #first: number

  constructor({ seed = 1, count = DEFAULT_SHIPS, view }: ShipsOptions = {}) {
    this.#random = seeded(seed)
    this.#first = Math.floor(this.#random() * this.harbor.berths.length)
    const broadphase = new SAPBroadphase(this.world)
    broadphase.autoDetectAxis()
    this.world.broadphase = broadphase
    const hull = new Material('hull')
    this.world.addContactMaterial(new ContactMaterial(hull, hull, { friction: 0.02, restitution: 0.35 }))
    this.world.defaultMaterial = hull
    for (const station of this.harbor.stations) this.world.addBody(station)
    this.steering = new SteeringWorld({ seed })
    attachToCannon(this.steering, this.world)
    this.ships = Array.from({ length: Math.min(count, MAX_SHIPS) }, (_, k) =>
      this.#launch(k, view?.(k) ?? null),
    )
    this.launcher = new RockLauncher(this.world, this.#random)
    this.steering.addEventListener('arrive', ({ target }) => this.#arrived(target as SteeringController))
  }

  get time(): number {
    return this.steering.time
  }

  step(dt: number): void {
    this.world.step(dt)
    for (const ship of this.ships) this.#follow(ship)
    this.launcher.collect(this.time)
    if (this.throwing && this.time >= this.#nextThrow) {
      this.#nextThrow = this.time + THROW_EVERY
      this.throwRock()
    }
  }

  /** Throws a rock at a ship, preferably at one under way. */
  throwRock(): void {
    const moving = this.ships.filter(
      ({ leg, knocked, body }) => leg === 'cross' && knocked < 0 && body.velocity.length() > 12,
    )
    const targets = moving.length > 0 ? moving : this.ships
    this.launcher.throwAt(targets[Math.floor(this.#random() * targets.length)]!.body, this.time)
  }

  /** Changes the engines of all ships: N, N·m and m/s. */
  refit({ ahead, astern, up, maxTorque, maxSpeed }: Engines): void {
    for (const { pilot } of this.ships) {
      const engines = { ahead, astern, up, down: up, port: up, starboard: up }
      pilot.locomotion = new Thrusters(engines)
      pilot.maxForce = Math.max(ahead, astern, up)
      pilot.maxTorque = maxTorque
      pilot.maxSpeed = maxSpeed
    }
  }

  dispose(): void {
    this.steering.dispose()
  }

  state(): Record<string, number | string> {
    const mark = new Fingerprint()
    for (const { body } of this.ships) mark.addVector(body.position).addVector(body.angularVelocity)
    return {
      ships: this.ships.length,
      arrivals: this.arrivals,
      berthed: this.ships.filter((ship) => ship.leg === 'rest').length,
      hits: this.hits,
      recoveries: this.recoveries,
      'recovery time': this.recoveries > 0 ? this.#recoveryTime / this.recoveries : 0,
      bumps: this.bumps,
      fingerprint: mark.toString(),
    }
  }

  // #region code
  #launch(index: number, view: Viewable | null): Ship {
    // every ship starts at rest in a berth, and they leave one after another
    const berth = this.harbor.berths[(index * 7 + this.#first) % this.harbor.berths.length]!
    berth.holder = index
    const body = makeHull(berth)
    this.world.addBody(body)
    const { torque, ...limits } = LIMITS
    const arrive = new Arrive({ target: berth.position, tolerance: 0.4, dwell: 0.4 })
    const pilot = new SteeringController(view, {
      name: `ship ${index}`,
      body: cannonBody(body),
      behavior: arrive,
      locomotion: new Thrusters(limits),
      maxSpeed: CRUISE,
      maxForce: LIMITS.ahead,
      maxTorque: torque,
      maxTurnRate: 1.6,
      responseTime: 0.4,
      radius: 2.6,
    })
    this.steering.add(pilot)
    const ship: Ship = { body, pilot, arrive, berth, leg: 'rest', until: 0.5 + 1.3 * index, knocked: -1 }
    body.addEventListener('collide', (event: Collision) => this.#hit(ship, event))
    return ship
  }

  /** Chooses the next phase of the ship's journey, and detects its recovery from a knock. */
  #follow(ship: Ship): void {
    const { body, berth, leg } = ship
    if (leg === 'rest' && this.time >= ship.until) this.#depart(ship)
    else if (leg === 'leave' && distance(body.position, berth.gate) < 5) this.#cross(ship)
    else if (leg === 'cross' && distance(body.position, berth.gate) < 5) this.#dock(ship)
    if (ship.knocked < 0) return
    const took = this.time - ship.knocked
    if (took < 0.5 || body.angularVelocity.length() > STEADY) return
    this.recoveries++
    this.#recoveryTime += took
    ship.knocked = -1
  }

  #depart(ship: Ship): void {
    ship.leg = 'leave'
    ship.pilot.behavior = this.#withSeparation(new Seek({ target: ship.berth.gate }))
  }

  #cross(ship: Ship): void {
    const choices = this.harbor.reachable(ship.body.position, ship.berth.station)
    const next = choices[Math.floor(this.#random() * choices.length)]
    if (!next) return
    ship.berth.holder = -1
    next.holder = this.ships.indexOf(ship)
    ship.berth = next
    ship.leg = 'cross'
    // it brakes at the gate, since the retro engines are too weak to stop between the gate and the berth
    ship.pilot.behavior = this.#withSeparation(new Arrive({ target: next.gate, tolerance: 0.4 }))
  }

  #dock(ship: Ship): void {
    ship.leg = 'dock'
    ship.arrive.target = ship.berth.position
    const station = this.harbor.stations[ship.berth.station]!
    ship.pilot.behavior = blend([ship.arrive, new Face({ target: station.position })])
  }

  #withSeparation(goal: Behavior): Behavior {
    return blend([goal, new Separation({ neighborDistance: 12, weight: 1.5 })])
  }
  // #endregion

  #arrived(pilot: SteeringController): void {
    const ship = this.ships.find((each) => each.pilot === pilot)
    if (!ship || ship.leg !== 'dock') return
    this.arrivals++
    ship.leg = 'rest'
    ship.until = this.time + 3 + 4 * this.#random()
  }

  #hit(ship: Ship, { body: other, contact }: Collision): void {
    const speed = Math.abs(contact.getImpactVelocityAlongNormal())
    if (speed < 1) return
    if (this.impacts.length >= MAX_IMPACTS) this.impacts.shift()
    this.impacts.push({ position: contact.bi.position.vadd(contact.ri), speed })
    if (!this.launcher.owns(other)) {
      this.bumps++
      return
    }
    this.hits++
    if (speed > KNOCK && ship.knocked < 0) ship.knocked = this.time
  }
}
