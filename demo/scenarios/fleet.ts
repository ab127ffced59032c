import { Body, Box, ContactMaterial, Material, SAPBroadphase, Sphere, Vec3, World } from 'cannon-es'
import {
  Arrive,
  AvoidObstacles,
  blend,
  Obstacles,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Thrusters,
  within,
  type AvoidObstaclesOptions,
  type Behavior,
  type Blend,
  type Vec3Like,
  type Viewable,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { ClassicAvoidance } from 'three-steering/classic'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import type { Collision } from './collision.js'
import { distance, Fingerprint } from './metrics.js'
import { FIELD, type RockField } from './rock-field.js'
import { vec } from './vectors.js'

/** Method that flies the ships: the default, or `ClassicAvoidance` in a weighted sum, as published. */
export type Pilotage = 'default' | 'textbook'

export interface FleetOptions {
  readonly seed?: number
  readonly count?: number
  readonly view?: (index: number) => Viewable
}

/** Top speed (m/s). */
export const TOP_SPEED = 24
/** Force (N) and torque (N·m) limits of a ship of 10 kg. */
export const ENGINES = { ahead: 150, astern: 110, up: 110, down: 110, port: 110, starboard: 110, torque: 160 }
const MASS = 10
/** Radius of hull and wings (m). */
const RADIUS = 2.8

/** Buoys at both ends of the field: rows, places in a row, and their spacing (m). */
const ROWS = 4
const PLACES = 5
const SPACING = { y: 9, z: 12 }
/** Distance of the buoys outside of the field (m). */
const OFFING = 20
export const MAX_CROSSERS = ROWS * PLACES

/** Another hit on the same rock within this time is the same accident (s). */
const SAME_HIT_TIME = 1
const MAX_IMPACTS = 64

export interface Crosser {
  readonly body: Body
  readonly pilot: SteeringController
  readonly arrive: Arrive
  readonly random: () => number
  /** Index of its present buoy, or of the buoy it flies to. */
  buoy: number
  underway: boolean
  /**
   * Time of departure while it waits (s). Under way: time at which it departed (s), and the least time for
   * this distance (s).
   */
  until: number
  departed: number
  least: number
  /** Time at which it last touched a rock (s), and that rock. */
  lastHit: number
  rock: Body | null
}

/** Buoys on both sides, the first half at −x. */
export function makeBuoys(): Vec3Like[] {
  return [-1, 1].flatMap((side) =>
    Array.from({ length: MAX_CROSSERS }, (_, k) => {
      const row = Math.floor(k / PLACES) - (ROWS - 1) / 2
      const place = (k % PLACES) - (PLACES - 1) / 2
      // an arc about the field
      return vec(side * (FIELD.x + OFFING - 1.2 * place * place), SPACING.y * row, SPACING.z * place)
    }),
  )
}

/**
 * A fleet that crosses a field of rocks, in its own world, so that two fleets in one field do not interact.
 */
export class Fleet {
  readonly world = new World({ gravity: new Vec3(0, 0, 0) })
  readonly steering: SteeringWorld
  readonly ships: readonly Crosser[]
  readonly buoys: readonly Vec3Like[] = makeBuoys()
  readonly obstacles = new Obstacles()
  /** Avoidance of rocks and of the other ships of the fleet. */
  readonly avoid: AvoidObstacles | ClassicAvoidance
  readonly #sums: Blend[] = []
  readonly #bodyOf: Body[] = []
  /** Hits since the list was last emptied. The reader empties it. */
  readonly impacts: { readonly position: Vec3; readonly speed: number }[] = []
  hits = 0
  bumps = 0
  arrivals = 0
  #ratios = 0
  #speedShares = 0
  #speedSamples = 0
  readonly #field: RockField
  readonly #bodies: readonly Body[]
  readonly #pilotage: Pilotage

  constructor(
    field: RockField,
    pilotage: Pilotage,
    { seed = 1, count = MAX_CROSSERS, view }: FleetOptions = {},
  ) {
    this.#field = field
    this.#pilotage = pilotage
    this.world.broadphase = new SAPBroadphase(this.world)
    const hull = new Material('hull')
    this.world.defaultMaterial = hull
    this.world.addContactMaterial(new ContactMaterial(hull, hull, { friction: 0.1, restitution: 0.4 }))
    this.#bodies = field.rocks.map(({ radius }) => {
      const body = new Body({ type: Body.KINEMATIC, mass: 0, shape: new Sphere(radius) })
      this.world.addBody(body)
      return body
    })
    for (const rock of field.rocks) this.obstacles.add({ shape: new SphereShape(rock.radius), at: rock })
    const { obstacles } = this
    const ignore: NonNullable<AvoidObstaclesOptions['ignore']> = ({ owner }, agent) =>
      this.#bodyOf[agent.id] === owner
    // with so many rocks a longer horizon changes little, and costs twice as much
    this.avoid =
      pilotage === 'textbook'
        ? new ClassicAvoidance({ obstacles, ignore })
        : new AvoidObstacles({ obstacles, ignore, horizon: 2.5 })
    this.steering = new SteeringWorld({ seed })
    attachToCannon(this.steering, this.world)
    const total = Math.min(count, MAX_CROSSERS)
    this.ships = Array.from({ length: total }, (_, k) => this.#launch(k, seed, view?.(k) ?? null))
    this.steering.addEventListener('arrive', ({ target }) => this.#arrived(target as SteeringController))
    this.#moveRocks()
  }

  /** Weight of avoidance over arrival. Textbook method only. */
  set weight(weight: number) {
    for (const { parts } of this.#sums) parts[0]!.weight = weight
  }

  step(dt: number): void {
    this.#moveRocks()
    this.world.step(dt)
    const { time } = this.steering
    for (const ship of this.ships) {
      if (!ship.underway && time >= ship.until) this.#depart(ship)
      if (!ship.underway) continue
      this.#speedShares += ship.body.velocity.length() / ship.pilot.maxSpeed
      this.#speedSamples++
    }
  }

  dispose(): void {
    this.steering.dispose()
  }

  state(): Record<string, number | string> {
    const mark = new Fingerprint()
    for (const { body } of this.ships) mark.addVector(body.position).addVector(body.angularVelocity)
    return {
      hits: this.hits,
      bumps: this.bumps,
      arrivals: this.arrivals,
      'speed share': this.#speedSamples > 0 ? this.#speedShares / this.#speedSamples : 0,
      'time ratio': this.arrivals > 0 ? this.#ratios / this.arrivals : 0,
      fingerprint: mark.toString(),
    }
  }

  #moveRocks(): void {
    for (const [i, { position, velocity, quaternion, angularVelocity }] of this.#field.rocks.entries()) {
      const body = this.#bodies[i]!
      body.position.set(position.x, position.y, position.z)
      body.velocity.set(velocity.x, velocity.y, velocity.z)
      body.quaternion.set(quaternion.x, quaternion.y, quaternion.z, quaternion.w)
      body.angularVelocity.set(angularVelocity.x, angularVelocity.y, angularVelocity.z)
      body.aabbNeedsUpdate = true
    }
  }

  // #region code
  #launch(index: number, seed: number, view: Viewable | null): Crosser {
    const random = seeded(seed * 1009 + index)
    const buoy = (index % 2) * MAX_CROSSERS + Math.floor(index / 2) * 2
    const body = new Body({ mass: MASS, linearDamping: 0, angularDamping: 0 })
    body.addShape(new Box(new Vec3(0.75, 0.45, 2.3)))
    body.addShape(new Box(new Vec3(2.2, 0.12, 0.75)), new Vec3(0, -0.1, -1.1))
    const { x, y, z } = this.buoys[buoy]!
    body.position.set(x, y, z)
    body.quaternion.setFromAxisAngle(new Vec3(0, 1, 0), x < 0 ? Math.PI / 2 : -Math.PI / 2)
    this.world.addBody(body)
    const arrive = new Arrive({ target: this.buoys[buoy]!, tolerance: 0.6, dwell: 0.2 })
    const { torque, ...limits } = ENGINES
    const pilot = new SteeringController(view, {
      name: `ship ${index}`,
      body: cannonBody(body),
      behavior: this.#makeBehavior(arrive),
      locomotion: new Thrusters(limits),
      maxSpeed: TOP_SPEED,
      maxForce: ENGINES.ahead,
      maxTorque: torque,
      maxTurnRate: 2.2,
      responseTime: 0.3,
      radius: RADIUS,
    })
    this.steering.add(pilot)
    this.#bodyOf[pilot.id] = body
    this.obstacles.add({ shape: new SphereShape(RADIUS), at: body })
    const until = 0.55 * index
    const ship: Crosser = {
      body,
      pilot,
      arrive,
      random,
      buoy,
      until,
      underway: false,
      departed: 0,
      least: 0,
      lastHit: -SAME_HIT_TIME,
      rock: null,
    }
    body.addEventListener('collide', (event: Collision) => this.#hit(ship, event))
    return ship
  }

  #makeBehavior(arrive: Arrive): Behavior {
    if (this.#pilotage === 'default') return within([this.avoid], arrive)
    // the published method: both forces added, each with its weight
    const sum = blend([this.avoid, arrive])
    this.#sums.push(sum)
    return sum
  }
  // #endregion

  #depart(ship: Crosser): void {
    const from = ship.buoy
    const far = from < MAX_CROSSERS ? MAX_CROSSERS : 0
    const taken = new Set(this.ships.map(({ buoy }) => buoy))
    let next = Math.floor(ship.random() * MAX_CROSSERS)
    while (taken.has(far + next)) next = (next + 7) % MAX_CROSSERS
    ship.buoy = far + next
    ship.arrive.target = this.buoys[ship.buoy]!
    ship.underway = true
    ship.departed = this.steering.time
    const length = distance(ship.body.position, this.buoys[ship.buoy]!)
    // thrust up to full speed, and brake as long; a shorter way never reaches it
    const { maxSpeed } = ship.pilot
    const speed = Math.min(maxSpeed, Math.sqrt((length * ENGINES.ahead) / MASS))
    ship.least = length / speed + (speed * MASS) / ENGINES.ahead
  }

  #arrived(pilot: SteeringController): void {
    const ship = this.ships.find((each) => each.pilot === pilot)
    if (!ship?.underway) return
    const { time } = this.steering
    this.arrivals++
    this.#ratios += (time - ship.departed) / ship.least
    ship.underway = false
    ship.until = time + 0.6 + 1.6 * ship.random()
  }

  #hit(ship: Crosser, { body: other, contact }: Collision): void {
    if (other.type !== Body.KINEMATIC) {
      this.bumps++
      return
    }
    const { time } = this.steering
    const same = ship.rock === other && time - ship.lastHit < SAME_HIT_TIME
    ship.rock = other
    ship.lastHit = time
    if (same) return
    this.hits++
    const speed = Math.abs(contact.getImpactVelocityAlongNormal())
    if (this.impacts.length >= MAX_IMPACTS) this.impacts.shift()
    this.impacts.push({ position: contact.bi.position.vadd(contact.ri), speed })
  }
}
