import { LockConstraint, Vec3, type Body, type World } from 'cannon-es'
import {
  Arrive,
  AvoidObstacles,
  SphereShape,
  SteeringController,
  Thrusters,
  within,
  type Obstacles,
  type SteeringWorld,
  type Viewable,
} from 'three-steering'
import type { StageChange } from 'three-steering/authoring'
import { Dock, Port, Undock } from 'three-steering/docking'
import { cannonBody, latch } from 'three-steering/cannon'
import { buildBoat, FREIGHTER, load, lookAlong, SHUTTLE, TUG, type Boat } from './boats.js'
import { barOf, CLEARANCE, makePort, moored, type PortStage } from './docking-ports.js'
import { Freight, type Container } from './freight.js'
import type { Collision } from './collision.js'
import { CORRIDOR, MINE_RADIUS, padDirection, PORT_REACH, portOutward, PORTS } from './spaceport.js'
import { direction, evenly } from './vectors.js'

/** Classes of the ships, in order. */
const FLEET: readonly Boat[] = [SHUTTLE, TUG, FREIGHTER, SHUTTLE, TUG, SHUTTLE, FREIGHTER, TUG, SHUTTLE, TUG]
export const DEFAULT_BOATS = 8
export const MAX_BOATS = FLEET.length
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
  stage: PortStage
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

/** What the traffic is a part of. `obstacles` may hold more than the traffic adds. */
export interface Place {
  readonly world: World
  readonly steering: SteeringWorld
  readonly station: Body
  readonly mine: Body
  readonly obstacles: Obstacles
  readonly random: () => number
}

/** Ships that bring ore from a mine to the ports of a station. They queue, dock, unload and undock. */
export class Traffic {
  readonly ports: readonly Port[]
  readonly ships: readonly Ship[]
  readonly containers: readonly Container[]
  /** All latches so far, and those since `fresh` was last emptied. The reader empties it. */
  readonly touches: Touch[] = []
  readonly fresh: Touch[] = []
  readonly impacts: { readonly position: Vec3; readonly speed: number }[] = []
  contacts = 0
  aborts = 0
  delivered = 0
  rounds = 0
  readonly #place: Place
  readonly #avoid: AvoidObstacles
  /** Ships by id of their pilot. */
  readonly #shipOf: Ship[] = []

  /** Adds the ships to both worlds, and station, mine, corridors and ships to the obstacles. */
  constructor(place: Place, count: number, view?: (index: number) => Viewable) {
    this.#place = place
    const { mine, obstacles, station } = place
    obstacles.add({ shape: new SphereShape(CLEARANCE), at: station })
    obstacles.add({ shape: new SphereShape(MINE_RADIUS), at: mine })
    this.#avoid = new AvoidObstacles({
      obstacles,
      ignore: ({ owner }, { id }) => this.#ignores(id, owner),
      horizon: HORIZON,
      clearance: 1,
    })
    this.ports = Array.from({ length: PORTS }, (_, k) => makePort(station, k))
    for (const [k, port] of this.ports.entries()) obstacles.add(barOf(station, k, port))
    const total = Math.min(count, MAX_BOATS)
    this.ships = Array.from({ length: total }, (_, k) => this.#launch(k, total, view?.(k) ?? null))
    this.containers = this.ships.flatMap(({ freight }) => freight.containers)
  }

  /** Call after each step of the physics. */
  step(): void {
    for (const ship of this.ships) this.#follow(ship)
  }

  get #time(): number {
    return this.#place.steering.time
  }

  #launch(index: number, total: number, view: Viewable | null): Ship {
    const boat = boatOf(index)
    const body = buildBoat(boat)
    const offset = padDirection(index, total).scale(MINE_RADIUS + boat.radius + OFFING)
    const { mine, obstacles, random, station, steering, world } = this.#place
    const pad = { position: mine.position.vadd(offset), velocity: mine.velocity, offset }
    // some ships start near the station, the others while loading
    const inbound = index % 3 !== 2
    if (inbound) {
      const { x, y, z } = direction(random)
      const angle = (index / total) * 2 * Math.PI + 0.4 * random()
      const spot = new Vec3(Math.sin(angle) + 0.2 * x, 0.5 * y, Math.cos(angle) + 0.2 * z).unit()
      body.position.copy(spot.scale(evenly(random, 46, 62)))
    } else body.position.copy(pad.position)
    body.velocity.copy(station.velocity)
    const nose = inbound ? body.position.negate() : mine.position.vsub(body.position)
    lookAlong(body, nose.unit())
    world.addBody(body)
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
    steering.add(pilot)
    obstacles.add({ shape: new SphereShape(boat.radius), at: body })
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
    this.#place.mine.position.vadd(pad.offset, pad.position)
    const done = freight.step(this.#time)
    if (done > 0) {
      load(body, boat, freight.aboard)
      if (leg === 'docked') this.delivered += done
    }
    if (leg === 'docked' && freight.settled && this.#time > ship.since + STAY) this.#goOut(ship)
    else if (leg === 'undock' && ship.stage === 'free') this.#cross(ship)
    else if (
      leg === 'cross' &&
      body.position.distanceTo(pad.position) < 1 &&
      body.velocity.distanceTo(pad.velocity) < 0.3
    ) {
      ship.leg = 'load'
      freight.load(this.#time)
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
    ship.stage = stage as PortStage
    if (stage === 'abort') this.aborts++
    // the constraints are removed for the last metres
    if (stage === 'final') ship.pilot.behavior = behavior
    else if (stage === 'align' || stage === 'abort') ship.pilot.behavior = within([this.#avoid], behavior)
    if (stage !== 'latched') return
    ship.port = this.ports.findIndex(({ holder }) => holder === ship.pilot.id)
    this.#measure(ship)
    ship.leg = 'docked'
    ship.since = this.#time
    ship.release = latch(this.#place.world, ship.body, this.#place.station, LockConstraint)
    ship.freight.unload(ship.port, this.#time)
    ship.pilot.behavior = moored(behavior)
  }
  // #endregion

  #measure({ body, boat, index, port }: Ship): void {
    const { station } = this.#place
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
    return body.position.distanceTo(this.#place.station.position) < PORT_REACH + CORRIDOR + boat.nose + 2
  }

  #hit(ship: Ship, { body: other, contact }: Collision): void {
    // a latched ship touches the station intentionally
    if (other === this.#place.station && ship.release !== null) return
    this.contacts++
    if (this.impacts.length >= MAX_IMPACTS) this.impacts.shift()
    const speed = Math.abs(contact.getImpactVelocityAlongNormal())
    this.impacts.push({ position: contact.bi.position.vadd(contact.ri), speed })
  }
}
