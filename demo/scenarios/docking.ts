import { ContactMaterial, LockConstraint, Material, SAPBroadphase, Vec3, World, type Body } from 'cannon-es'
import {
  Arrive,
  AvoidObstacles,
  Obstacles,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Thrusters,
  within,
  type Viewable,
} from 'three-steering'
import type { StageChange } from 'three-steering/authoring'
import { seeded } from 'three-steering/authoring'
import { Dock, Port, Undock } from 'three-steering/docking'
import { attachToCannon, cannonBody, latch } from 'three-steering/cannon'
import { buildBoat, FREIGHTER, load, lookAlong, SHUTTLE, TUG, type Boat } from './boats.js'
import { barOf, CLEARANCE, makePort, moored } from './docking-ports.js'
import { Freight, type Container } from './freight.js'
import type { Collision } from './hull.js'
import { Fingerprint } from './metrics.js'
import { PassingRocks } from './passing-rocks.js'
import {
  buildMine,
  buildStation,
  CORRIDOR,
  MINE_RADIUS,
  padDirection,
  PORT_REACH,
  portOutward,
  PORTS,
  turnStation,
} from './spaceport.js'
import { direction, evenly } from './vectors.js'

export interface DockingOptions {
  readonly seed?: number
  readonly count?: number
  readonly rocks?: number
  readonly view?: (index: number) => Viewable
}

/** Classes of the ships, in order. */
const FLEET: readonly Boat[] = [SHUTTLE, TUG, FREIGHTER, SHUTTLE, TUG, SHUTTLE, FREIGHTER, TUG, SHUTTLE, TUG]
export const DEFAULT_BOATS = 8
export const MAX_BOATS = FLEET.length
export const DEFAULT_PASSING = 14
export const boatOf = (index: number): Boat => FLEET[index % FLEET.length]!

/** Least time at a port (s). */
const STAY = 20
/** Distance from the mine while loading (m). */
const OFFING = 2.5
/** Horizon of the avoidance of rocks and ships (s). */
const HORIZON = 6
const MAX_IMPACTS = 16

/** Phase of a ship's round. `docked`: latched, and unloading. */
export type Leg = 'dock' | 'docked' | 'undock' | 'cross' | 'load'

export interface Ship {
  readonly index: number
  readonly boat: Boat
  readonly body: Body
  readonly pilot: SteeringController
  readonly freight: Freight
  /** Loading position. It moves with the mine. */
  readonly pad: { readonly position: Vec3; readonly velocity: Vec3; readonly offset: Vec3 }
  leg: Leg
  /** Last stage of its `Dock` or `Undock`. */
  stage: string
  /** Index of the port where it is docked, or −1. */
  port: number
  /** Opens the latch. Null while not latched. */
  release: (() => void) | null
  /** Time at which it latched (s). */
  since: number
}

/** Position of a ship relative to the port when it latched. */
export interface Touch {
  readonly ship: number
  readonly port: number
  /** Offset of the collar from the axis of the port (m), and wanted and actual closing speed (m/s). */
  readonly lateral: number
  readonly wanted: number
  readonly closing: number
}

/**
 * Ships that bring ore from a mine to a rotating, drifting station. They queue, dock, unload and undock,
 * while rocks drift past.
 */
export class Docking {
  readonly world = new World({ gravity: new Vec3(0, 0, 0), frictionGravity: new Vec3(0, -9.82, 0) })
  readonly steering: SteeringWorld
  readonly station = buildStation()
  readonly mine = buildMine()
  readonly ports: readonly Port[]
  readonly ships: readonly Ship[]
  readonly rocks: PassingRocks
  readonly containers: readonly Container[]
  /** All latches so far, and those since `fresh` was last emptied. The reader empties it. */
  readonly touches: Touch[] = []
  readonly fresh: Touch[] = []
  readonly impacts: { readonly position: Vec3; readonly speed: number }[] = []
  /** Rotation about its axis (rad/s) at which reaction wheels hold the station. Null turns the wheels off. */
  wheels: number | null = null
  contacts = 0
  aborts = 0
  delivered = 0
  rounds = 0
  readonly #avoid: AvoidObstacles
  readonly #obstacles = new Obstacles()
  /** Ships by id of their pilot. */
  readonly #shipOf: Ship[] = []
  readonly #random: () => number

  constructor(options: DockingOptions = {}) {
    const { seed = 1, count = DEFAULT_BOATS, rocks = DEFAULT_PASSING, view } = options
    const random = (this.#random = seeded(seed))
    this.world.broadphase = new SAPBroadphase(this.world)
    const hull = new Material('hull')
    this.world.defaultMaterial = hull
    this.world.addContactMaterial(new ContactMaterial(hull, hull, { friction: 0.05, restitution: 0.2 }))
    for (const body of [this.station, this.mine]) this.world.addBody(body)
    this.#obstacles.add({ shape: new SphereShape(CLEARANCE), at: this.station })
    this.#obstacles.add({ shape: new SphereShape(MINE_RADIUS), at: this.mine })
    this.#avoid = new AvoidObstacles({
      obstacles: this.#obstacles,
      ignore: ({ owner }, { id }) => this.#ignores(id, owner),
      horizon: HORIZON,
      clearance: 1,
    })
    this.ports = Array.from({ length: PORTS }, (_, k) => makePort(this.station, k))
    for (const [k, port] of this.ports.entries()) this.#obstacles.add(barOf(this.station, k, port))
    this.steering = new SteeringWorld({ seed })
    attachToCannon(this.steering, this.world)
    const total = Math.min(count, MAX_BOATS)
    this.ships = Array.from({ length: total }, (_, k) => this.#launch(k, total, view?.(k) ?? null))
    this.containers = this.ships.flatMap(({ freight }) => freight.containers)
    this.rocks = new PassingRocks(this.world, this.station, { body: this.mine, radius: MINE_RADIUS + 16 }, random, rocks) // prettier-ignore
    for (const { body, radius } of this.rocks.rocks) this.#obstacles.add({ shape: new SphereShape(radius), at: body }) // prettier-ignore
  }

  get time(): number {
    return this.steering.time
  }

  step(dt: number): void {
    if (this.wheels !== null) turnStation(this.station, this.wheels)
    this.world.step(dt)
    for (const ship of this.ships) this.#follow(ship)
    this.rocks.step()
  }

  dispose(): void {
    this.steering.dispose()
  }

  state(): Record<string, number | string> {
    const mark = new Fingerprint()
    for (const { body } of [...this.ships, ...this.rocks.rocks])
      mark.addVector(body.position).addVector(body.velocity)
    const { touches } = this
    const mean = (of: (touch: Touch) => number): number =>
      touches.reduce((sum, touch) => sum + of(touch), 0) / Math.max(1, touches.length)
    return {
      ships: this.ships.length,
      dockings: touches.length,
      'at ports': this.ships.filter(({ leg }) => leg === 'docked').length,
      waiting: this.ships.filter(({ leg, stage }) => leg === 'dock' && stage === 'queue').length,
      'containers delivered': this.delivered,
      'mean offset, mm': mean(({ lateral }) => 1000 * lateral),
      'mean closing speed, m/s': mean(({ closing }) => closing),
      aborts: this.aborts,
      contacts: this.contacts,
      fingerprint: mark.toString(),
    }
  }

  #launch(index: number, total: number, view: Viewable | null): Ship {
    const boat = boatOf(index)
    const body = buildBoat(boat)
    const offset = padDirection(index, total).scale(MINE_RADIUS + boat.radius + OFFING)
    const pad = { position: this.mine.position.vadd(offset), velocity: this.mine.velocity, offset }
    // some ships start near the station, the others while loading
    const inbound = index % 3 !== 2
    const random = this.#random
    if (inbound) {
      const { x, y, z } = direction(random)
      const angle = (index / total) * 2 * Math.PI + 0.4 * random()
      const spot = new Vec3(Math.sin(angle) + 0.2 * x, 0.5 * y, Math.cos(angle) + 0.2 * z).unit()
      body.position.copy(spot.scale(evenly(random, 46, 62)))
    } else body.position.copy(pad.position)
    body.velocity.copy(this.station.velocity)
    const nose = inbound ? body.position.negate() : this.mine.position.vsub(body.position)
    lookAlong(body, nose.unit())
    this.world.addBody(body)
    const { torque, ...limits } = boat.engines
    const pilot = new SteeringController(view, {
      name: `${boat.name} ${index + 1}`,
      body: cannonBody(body),
      behavior: new Arrive({ target: pad }),
      locomotion: new Thrusters({ ...limits, attitude: { roll: 'level' } }),
      maxSpeed: boat.speed,
      maxForce: limits.ahead,
      maxTorque: torque,
      maxTurnRate: boat.turnRate,
      responseTime: 0.4,
      radius: boat.radius,
    })
    this.steering.add(pilot)
    this.#obstacles.add({ shape: new SphereShape(boat.radius), at: body })
    const freight = new Freight(index, boat.mounts.length, inbound)
    load(body, boat, freight.aboard)
    const ship: Ship = { index, boat, body, pilot, freight, pad, leg: 'load', stage: '', port: -1, release: null, since: 0 } // prettier-ignore
    this.#shipOf[pilot.id] = ship
    pilot.addEventListener('stage', (event) => this.#onStage(ship, event))
    body.addEventListener('collide', (event: Collision) => this.#hit(ship, event))
    if (inbound) this.#goDock(ship)
    else freight.load(index)
    return ship
  }

  /** Chooses the next phase of the ship's round. */
  #follow(ship: Ship): void {
    const { body, boat, freight, leg, pad } = ship
    this.mine.position.vadd(pad.offset, pad.position)
    const done = freight.step(this.time)
    if (done > 0) {
      load(body, boat, freight.aboard)
      if (leg === 'docked') this.delivered += done
    }
    if (leg === 'docked' && freight.settled && this.time > ship.since + STAY) this.#goOut(ship)
    else if (leg === 'undock' && ship.stage === 'free') this.#cross(ship)
    else if (
      leg === 'cross' &&
      body.position.distanceTo(pad.position) < 1 &&
      body.velocity.distanceTo(pad.velocity) < 0.3
    ) {
      ship.leg = 'load'
      freight.load(this.time)
    } else if (leg === 'load' && freight.settled) this.#goDock(ship)
  }

  // #region code
  #goDock(ship: Ship): void {
    const { boat, pilot } = ship
    ship.leg = 'dock'
    ship.stage = 'approach'
    const dock = new Dock({
      ports: this.ports,
      probe: { x: boat.nose, y: 0, z: 0 },
      closingSpeed: boat.touch,
      hold: false,
    })
    pilot.behavior = within([this.#avoid], dock)
  }

  #goOut(ship: Ship): void {
    ship.release?.()
    ship.release = null
    ship.leg = 'undock'
    const { boat, pilot } = ship
    const probe = { x: boat.nose, y: 0, z: 0 }
    pilot.behavior = within([this.#avoid], new Undock({ port: this.ports[ship.port]!, probe }))
  }

  #cross(ship: Ship): void {
    ship.leg = 'cross'
    ship.stage = ''
    ship.port = -1
    this.rounds++
    ship.pilot.behavior = within([this.#avoid], new Arrive({ target: ship.pad, tolerance: 1 }))
  }

  #onStage(ship: Ship, { behavior, stage }: StageChange): void {
    ship.stage = stage
    if (stage === 'abort') this.aborts++
    // the constraints are removed for the last metres
    if (stage === 'final') ship.pilot.behavior = behavior
    else if (stage === 'align' || stage === 'abort') ship.pilot.behavior = within([this.#avoid], behavior)
    if (stage !== 'latched') return
    ship.port = this.ports.findIndex(({ holder }) => holder === ship.pilot.id)
    this.#measure(ship)
    ship.leg = 'docked'
    ship.since = this.time
    ship.release = latch(this.world, ship.body, this.station, LockConstraint)
    ship.freight.unload(ship.port, this.time)
    ship.pilot.behavior = moored(behavior)
  }
  // #endregion

  #measure({ body, boat, index, port }: Ship): void {
    const { station } = this
    const out = station.quaternion.vmult(portOutward(port))
    const reach = out.scale(PORT_REACH)
    const tip = body.quaternion.vmult(new Vec3(0, 0, boat.nose))
    const offset = body.position.vadd(tip).vsub(station.position.vadd(reach))
    const speed = body.velocity.vadd(body.angularVelocity.cross(tip))
    const drift = speed.vsub(station.velocity).vsub(station.angularVelocity.cross(reach))
    const lateral = offset.vsub(out.scale(offset.dot(out))).length()
    const touch = { ship: index, port, lateral, wanted: boat.touch, closing: -drift.dot(out) }
    this.touches.push(touch)
    if (this.fresh.length < MAX_IMPACTS) this.fresh.push(touch)
  }

  /**
   * Obstacles that a ship ignores: itself, the corridor of its own port, and everything while it is inside.
   * No other ship enters, and there is no way out to the side.
   */
  #ignores(id: number, owner: object | null): boolean {
    const ship = this.#shipOf[id]
    if (ship === undefined || ship.body === owner) return true
    if (ship.leg === 'undock') return true
    if (ship.leg !== 'dock' || ship.stage === 'queue') return false
    return (
      (owner instanceof Port && owner.holder === id) || (ship.stage !== 'approach' && this.#isInside(ship))
    )
  }

  /** Whether a ship is between the mouth of its corridor and its port. */
  #isInside({ body, boat }: Ship): boolean {
    return body.position.distanceTo(this.station.position) < PORT_REACH + CORRIDOR + boat.nose + 2
  }

  #hit(ship: Ship, { body: other, contact }: Collision): void {
    // a latched ship touches the station intentionally
    if (other === this.station && ship.release !== null) return
    this.contacts++
    if (this.impacts.length >= MAX_IMPACTS) this.impacts.shift()
    const speed = Math.abs(contact.getImpactVelocityAlongNormal())
    this.impacts.push({ position: contact.bi.position.vadd(contact.ri), speed })
  }
}
