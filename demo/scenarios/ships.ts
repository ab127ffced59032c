import { Body, Box, ContactMaterial, Material, SAPBroadphase, Sphere, Vec3, World } from 'cannon-es'
import {
  Arrive,
  blend,
  Face,
  seeded,
  Seek,
  Separation,
  SteeringController,
  SteeringWorld,
  Thrusters,
  type Behavior,
  type Viewable,
} from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { Harbor, type Berth } from './harbor.js'
import { distance, Fingerprint } from './metrics.js'

export interface ShipsOptions {
  readonly seed?: number
  readonly count?: number
  readonly view?: (index: number) => Viewable
}

export const DEFAULT_SHIPS = 12
export const ROCK_COUNT = 8
/** Force and torque limits of a ship of 10 kg, N and N·m. */
export const LIMITS = { ahead: 90, astern: 55, up: 40, down: 40, port: 40, starboard: 40, torque: 110 }

const CRUISE = 15 // m/s
const ROCK_SPEED = 24 // m/s
const ROCK_RANGE = 36 // m, from which rocks come
const ROCK_LIFE = 11 // s
const THROW_EVERY = 3 // s
/** A knock is a hit harder than this along the contact normal, m/s. */
const KNOCK = 4
/** A ship has itself in hand again when it spins slower than this, rad/s. */
const STEADY = 0.35

export interface Ship {
  readonly body: Body
  readonly pilot: SteeringController
  readonly arrive: Arrive
  berth: Berth
  /** `leave`, then `cross` to the gate of the new berth, then `dock`, then `rest` there. */
  leg: 'leave' | 'cross' | 'dock' | 'rest'
  /** When the rest ends, s. */
  until: number
  /** When it was knocked, s; −1 when it is in hand. */
  knocked: number
}

export interface Rock {
  readonly body: Body
  /** Thrown at, s; −1 while it waits in the launcher. */
  since: number
}

export interface Impact {
  readonly position: Vec3
  readonly speed: number
}

/** Rigid ships in space that berth at three stations, while a launcher throws rocks at them. */
export class Ships {
  readonly world = new World({ gravity: new Vec3(0, 0, 0), frictionGravity: new Vec3(0, -9.82, 0) })
  readonly steering: SteeringWorld
  readonly harbor = new Harbor()
  readonly ships: readonly Ship[]
  readonly rocks: readonly Rock[]
  /** Collisions since the last look; whoever shows them empties the list. */
  readonly impacts: Impact[] = []
  throwing = true
  arrivals = 0
  hits = 0
  bumps = 0
  recoveries = 0
  #recoveryTime = 0
  #thrown = 0
  #nextThrow = 5
  readonly #random: () => number

  constructor({ seed = 1, count = DEFAULT_SHIPS, view }: ShipsOptions = {}) {
    this.#random = seeded(seed)
    const broadphase = new SAPBroadphase(this.world)
    broadphase.autoDetectAxis()
    this.world.broadphase = broadphase
    const hull = new Material('hull')
    this.world.addContactMaterial(new ContactMaterial(hull, hull, { friction: 0.02, restitution: 0.35 }))
    this.world.defaultMaterial = hull
    for (const station of this.harbor.stations) this.world.addBody(station)
    this.steering = new SteeringWorld({ seed })
    attachToCannon(this.steering, this.world)
    const room = this.harbor.berths.length
    this.ships = Array.from({ length: Math.min(count, room - 3) }, (_, k) =>
      this.#launch(k, view?.(k) ?? null),
    )
    this.rocks = Array.from({ length: ROCK_COUNT }, (_, k) => makeRock(0.8 + 0.16 * (k % 4)))
    this.steering.addEventListener('arrive', ({ target }) => this.#arrived(target as SteeringController))
  }

  get time(): number {
    return this.steering.time
  }

  step(dt: number): void {
    this.world.step(dt)
    for (const ship of this.ships) this.#follow(ship)
    for (const rock of this.rocks) {
      if (rock.since >= 0 && this.time - rock.since > ROCK_LIFE) this.#recall(rock)
    }
    if (this.throwing && this.time >= this.#nextThrow) {
      this.#nextThrow = this.time + THROW_EVERY
      this.throwRock()
    }
  }

  /** Throws the next rock at a ship, aimed at where it will be. */
  throwRock(): void {
    const rock = this.rocks[this.#thrown++ % this.rocks.length]!
    const moving = this.ships.filter(
      ({ leg, knocked, body }) => leg === 'cross' && knocked < 0 && body.velocity.length() > 12,
    )
    const targets = moving.length > 0 ? moving : this.ships
    const { body } = targets[Math.floor(this.#random() * targets.length)]!
    this.#recall(rock)
    const around = 2 * Math.PI * this.#random()
    const high = 0.2 + 0.5 * this.#random()
    const from = new Vec3(Math.cos(around), high, Math.sin(around)).unit().scale(ROCK_RANGE)
    const start = body.position.vadd(from)
    const flight = ROCK_RANGE / ROCK_SPEED
    const aim = body.position.addScaledVector(flight, body.velocity)
    rock.body.position.copy(start)
    rock.body.previousPosition.copy(start)
    rock.body.velocity.copy(aim.vsub(start).unit().scale(ROCK_SPEED))
    rock.body.angularVelocity.set(this.#random() - 0.5, this.#random() - 0.5, this.#random() - 0.5)
    rock.since = this.time
    this.world.addBody(rock.body)
  }

  /** Other engines for all ships: N, N·m and m/s. */
  refit({
    ahead,
    astern,
    side,
    torque,
    speed,
  }: Record<'ahead' | 'astern' | 'side' | 'torque' | 'speed', number>): void {
    for (const { pilot } of this.ships) {
      const engines = { ahead, astern, up: side, down: side, port: side, starboard: side }
      pilot.locomotion = new Thrusters(engines)
      pilot.maxForce = Math.max(ahead, astern, side)
      pilot.maxTorque = torque
      pilot.maxSpeed = speed
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

  #launch(index: number, view: Viewable | null): Ship {
    // every ship starts at rest in a berth, and they leave one after the other
    const berth = this.harbor.berths[(index * 7) % this.harbor.berths.length]!
    berth.holder = index
    const body = new Body({ mass: 10, linearDamping: 0, angularDamping: 0 })
    body.addShape(new Box(new Vec3(0.75, 0.45, 2.3)))
    body.addShape(new Box(new Vec3(2.2, 0.12, 0.75)), new Vec3(0, -0.1, -1.1))
    body.position.copy(berth.position)
    const out = berth.gate.vsub(berth.position).unit()
    body.quaternion.setFromVectors(new Vec3(0, 0, 1), out)
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

  /** The captain: which leg of the journey comes next. */
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
    ship.pilot.behavior = this.#underway(new Seek({ target: ship.berth.gate }))
  }

  #cross(ship: Ship): void {
    const choices = this.harbor.reachable(ship.body.position, ship.berth.station)
    const next = choices[Math.floor(this.#random() * choices.length)]
    if (!next) return
    ship.berth.holder = -1
    next.holder = this.ships.indexOf(ship)
    ship.berth = next
    ship.leg = 'cross'
    // it brakes for the gate, since the retros are too weak to stop between there and the berth
    ship.pilot.behavior = this.#underway(new Arrive({ target: next.gate, tolerance: 0.4 }))
  }

  #dock(ship: Ship): void {
    ship.leg = 'dock'
    ship.arrive.target = ship.berth.position
    const station = this.harbor.stations[ship.berth.station]!
    ship.pilot.behavior = blend([ship.arrive, new Face({ target: station.position })])
  }

  #underway(goal: Behavior): Behavior {
    return blend([goal, new Separation({ radius: 12, weight: 1.5 })])
  }

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
    this.impacts.push({ position: contact.bi.position.vadd(contact.ri), speed })
    if (!this.rocks.some((rock) => rock.body === other)) {
      this.bumps++
      return
    }
    this.hits++
    if (speed > KNOCK && ship.knocked < 0) ship.knocked = this.time
  }

  #recall(rock: Rock): void {
    if (rock.since >= 0) this.world.removeBody(rock.body)
    rock.since = -1
  }
}

/** What cannon-es tells with `collide`; its own event type is `any`. */
interface Collision {
  readonly body: Body
  readonly contact: {
    readonly bi: Body
    readonly ri: Vec3
    getImpactVelocityAlongNormal(): number
  }
}

function makeRock(radius: number): Rock {
  const shape = new Sphere(radius)
  return { body: new Body({ mass: 8 * radius ** 3, shape, linearDamping: 0, angularDamping: 0 }), since: -1 }
}
