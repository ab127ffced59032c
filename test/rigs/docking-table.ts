import * as CANNON from 'cannon-es'
import { Arrive, Hover, SteeringController, SteeringWorld } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { Dock, Port, Undock, type PortOptions } from 'three-steering/docking'
import {
  ACCELERATION,
  attitude,
  flyScene,
  fromSteering,
  MASS,
  NOSE,
  poseAt,
  shipBody,
  sphere,
  SPIN_UP,
  steering,
  type DockingOptions,
  type Flight,
  type Scene,
} from './docking-trials.js'

/**
 * The table of hard dockings. A hull of 16 × 12 × 40 m with a port anywhere on one of its faces, which drifts
 * and turns; a ship with 3 m/s² and 0.5 rad/s², 60 to 500 m away unless the row says otherwise.
 */
export const ROWS = [
  'drift',
  'spin 0.1',
  'spin 0.2',
  'spin 0.25',
  'spin 0.3',
  'gravity',
  'nose outward',
  'clearance by default',
  'too fast to stop',
  'ten seconds to turn round',
  'thrown far off in abort',
  'three ships, one port',
] as const
export type Row = (typeof ROWS)[number]

const HALF = new CANNON.Vec3(8, 6, 20)
const SPINS: Partial<Record<Row, number>> = {
  'spin 0.1': 0.1,
  'spin 0.2': 0.2,
  'spin 0.25': 0.25,
  'spin 0.3': 0.3,
}
const GRAVITY = 9.82

/** Speed at the touch (m/s), the default of `Dock`. */
const CLOSING = 0.25

/** Time (s) to turn by half a turn, in the row of the slow ship. */
const TURN_TIME = 10

/** Ports are this far from the edges of their face (m). */
const EDGE = 1

/** What is counted of a ship. */
export interface RowResult {
  readonly seed: number
  readonly docked: boolean
  /** Time to dock, and its bang-bang bound (s). */
  readonly time: number
  readonly bound: number
  /** Contacts before the latch, and the fastest of them (m/s). */
  readonly contacts: number
  readonly impact: number
  /** At the latch: speed along the axis (m/s), and offset from it (m). */
  readonly closing: number
  readonly lateral: number
  readonly stages: readonly string[]
}

/** Flies one seed of a row, for each ship of it one result. */
export function flyRow(row: Row, seed: number): RowResult[] {
  if (row === 'three ships, one port') return flyThree(seed)
  const random = seeded(seed)
  const scene = hullScene(row, random)
  return [flyScene(seed, scene, optionsOf(row, scene))]
}

/** Why a docking is not clean; '' if it is. */
export function flawOf({ docked, contacts, impact, closing, lateral, stages }: RowResult): string {
  if (!docked) return `not docked: ${stages.slice(-3).join(' > ')}`
  if (contacts > 0) return `${contacts} contacts at up to ${impact.toFixed(1)} m/s`
  if (!(Math.abs(closing / CLOSING - 1) <= 0.02)) return `closing at ${closing} m/s`
  return lateral <= 0.02 ? '' : `${lateral} m aside`
}

function optionsOf(row: Row, { ship }: Scene): DockingOptions {
  if (row === 'ten seconds to turn round') return { engines: 'noSide', longest: 600 }
  if (row === 'thrown far off in abort') return { watch: thrower(ship), longest: 400 }
  return { longest: 300 }
}

/** Once the ship comes down the corridor it is knocked off, and is 2.7 km away in the same step. */
function thrower(ship: CANNON.Body): (flight: Flight) => void {
  let thrown = false
  return ({ carrier, stages }) => {
    if (thrown || !stages.at(-1)?.startsWith('abort')) {
      if (!thrown && stages.at(-1) === 'final') {
        const away = ship.position.vsub(carrier.position).unit()
        ship.position.vadd(
          away
            .cross(new CANNON.Vec3(away.y, away.z, away.x))
            .unit()
            .scale(6),
          ship.position,
        )
      }
      return
    }
    thrown = true
    const away = ship.position.vsub(carrier.position).unit()
    ship.position.vadd(away.scale(2700), ship.position)
  }
}

/** Hull, port and ship of a row. */
export function hullScene(row: Row, random: () => number): Scene {
  const spin = SPINS[row]
  const isKinematic = row === 'gravity'
  const carrier = new CANNON.Body({
    mass: isKinematic ? 0 : 1e6,
    type: isKinematic ? CANNON.Body.KINEMATIC : CANNON.Body.DYNAMIC,
    linearDamping: 0,
    angularDamping: 0,
    shape: new CANNON.Box(HALF),
  })
  const hasDefault = row === 'clearance by default'
  const port = portOn(carrier, random, hasDefault ? {} : { clearance: HALF.length() })
  carrier.velocity = sphere(random).scale(5 * random())
  // about the principal axes a body of cannon-es keeps its angular velocity; about others as well
  carrier.angularVelocity = sphere(random).scale(spin ?? 0.02 * random())
  carrier.quaternion = attitude(random)
  const ship = shipBody()
  place(row, ship, carrier, port, random)
  const gravity = new CANNON.Vec3(0, row === 'gravity' ? -GRAVITY : 0, 0)
  const world = new CANNON.World({ gravity })
  world.addBody(carrier)
  world.addBody(ship)
  const scene = { world, ship, carrier, port }
  if (row === 'gravity') return { ...scene, acceleration: 1.5 * GRAVITY, pilot: { compensateGravity: true } }
  if (row === 'ten seconds to turn round') {
    const { x, y, z } = ship.inertia
    // from rest to rest by angle: 2 √(angle / acceleration)
    return { ...scene, pilot: { maxTorque: (Math.max(x, y, z) * Math.PI * 4) / TURN_TIME ** 2 } }
  }
  return scene
}

/** A port anywhere on one of the faces. */
function portOn(carrier: CANNON.Body, random: () => number, options: Partial<PortOptions>): Port {
  const axis = Math.floor(3 * random())
  const sign = random() < 0.5 ? -1 : 1
  const half = [HALF.x, HALF.y, HALF.z]
  const at = half.map((size, i) => (i === axis ? sign * size : (2 * random() - 1) * (size - EDGE)))
  const out = half.map((_, i) => (i === axis ? sign : 0))
  let up = sphere(random)
  const outward = new CANNON.Vec3(...(out as [number, number, number]))
  if (Math.abs(up.dot(outward)) > 0.95) up = new CANNON.Vec3(outward.y, outward.z, outward.x)
  return new Port({
    carrier,
    position: steering(new CANNON.Vec3(...(at as [number, number, number]))),
    outward: steering(outward),
    up: steering(up),
    ...options,
  })
}

/** Puts the ship where the row wants it. */
function place(row: Row, ship: CANNON.Body, carrier: CANNON.Body, port: Port, random: () => number): void {
  const at = carrier.pointToWorldFrame(fromSteering(port.position))
  const outward = carrier.vectorToWorldFrame(fromSteering(port.outward))
  ship.quaternion = attitude(random)
  if (row === 'nose outward') {
    // at rest on the axis, its nose within 0.3 rad of outward
    const arm = at.vsub(carrier.position).vadd(outward.scale(4 + 5 * random()))
    ship.position = carrier.position.vadd(arm)
    ship.velocity = carrier.velocity.vadd(carrier.angularVelocity.cross(arm))
    const nose = outward.vadd(sphere(random).scale(0.3)).unit()
    const roll = new CANNON.Quaternion().setFromAxisAngle(nose, 2 * Math.PI * random())
    ship.quaternion = roll.mult(new CANNON.Quaternion().setFromVectors(new CANNON.Vec3(0, 0, 1), nose))
    return
  }
  if (row === 'too fast to stop') {
    // at the hull, up to 1.5 times too fast to stop before it, but with the time to go around it
    const side = sphere(random)
    const speed = 25 + 15 * random()
    const stopping = (speed * speed) / (2 * ACCELERATION)
    const room = Math.max(stopping / (1.1 + 0.4 * random()), 4.8 * speed)
    ship.position = carrier.position.vadd(side.scale(HALF.length() + room))
    const aside = sphere(random).scale(0.5 * HALF.length())
    const course = carrier.position.vadd(aside).vsub(ship.position).unit()
    ship.velocity = carrier.velocity.vadd(course.scale(speed))
    ship.angularVelocity = sphere(random).scale(0.2 * random())
    return
  }
  const nearest = HALF.length() + 12
  do {
    let way = sphere(random)
    // from behind
    if (row === 'clearance by default' && way.dot(outward) > -0.3)
      way = way.vsub(outward.scale(1.5 * way.dot(outward) + 0.5)).unit()
    ship.position = at.vadd(way.scale(60 + 440 * random()))
  } while (ship.position.distanceTo(carrier.position) < nearest)
  ship.velocity = sphere(random).scale(10 * random())
  ship.angularVelocity = sphere(random).scale(0.2 * random())
}

/** How long a ship unloads at the port (s). */
const UNLOADING = 2

/**
 * Three ships want one port. Each docks, unloads, and flies away to a place of its own. Nothing but the queue
 * keeps them apart.
 */
function flyThree(seed: number): RowResult[] {
  const random = seeded(seed)
  const first = hullScene('drift', random)
  const { world, carrier, port } = first
  const steeringWorld = new SteeringWorld()
  attachToCannon(steeringWorld, world)
  const probe = { x: NOSE, y: 0, z: 0 }
  const dock = new Dock({ port, probe })
  const undock = new Undock({ port, probe })
  const visitors = [first.ship, shipBody(), shipBody()].map((ship, i) => {
    if (i > 0) {
      place('drift', ship, carrier, port, random)
      world.addBody(ship)
    }
    const visitor = new Visitor({ ...first, ship }, dock, i + 1, sphere(random).scale(800))
    steeringWorld.add(visitor.pilot)
    return visitor
  })
  let time = 0
  while (time < 500 && visitors.some(({ stages }) => !stages.includes('free'))) {
    world.step(1 / 60)
    time += 1 / 60
    for (const visitor of visitors) visitor.leaveAfter(UNLOADING, time, undock)
  }
  steeringWorld.dispose()
  return visitors.map((visitor) => visitor.result(seed))
}

/** A ship that docks once and flies away. */
class Visitor {
  readonly pilot: SteeringController
  readonly stages: string[] = []
  private readonly scene: Scene
  private readonly dock: Dock
  private contacts = 0
  private impact = 0
  private dockedAt = Infinity
  private pose: ReturnType<typeof poseAt> | null = null

  constructor(scene: Scene, dock: Dock, seed: number, away: CANNON.Vec3) {
    const { ship, carrier } = scene
    const { inertia } = ship
    this.scene = scene
    this.dock = dock
    this.pilot = new SteeringController(null, {
      body: cannonBody(ship),
      maxSpeed: 80,
      maxForce: MASS * ACCELERATION,
      maxTorque: SPIN_UP * Math.max(inertia.x, inertia.y, inertia.z),
      maxTurnRate: 2,
      locomotion: new Hover(),
      behavior: dock,
      seed,
    })
    ship.addEventListener('collide', (event: { contact: CANNON.ContactEquation; body: CANNON.Body }) => {
      // a docked ship lies against the hull
      if (event.body === carrier && ['latched', 'undock'].includes(this.stages.at(-1) ?? '')) return
      this.contacts++
      this.impact = Math.max(this.impact, Math.abs(event.contact.getImpactVelocityAlongNormal()))
    })
    this.pilot.addEventListener('stage', ({ stage, reason }) => {
      this.stages.push(reason === '' ? stage : `${stage} (${reason})`)
      if (stage === 'latched') this.pose ??= poseAt(scene)
      if (stage !== 'free') return
      // not through the hull
      const outward = carrier.vectorToWorldFrame(fromSteering(scene.port.outward))
      const beyond = away.vadd(outward.scale(2 * Math.max(0, -away.dot(outward))))
      this.pilot.behavior = new Arrive({ target: carrier.position.vadd(beyond) })
    })
  }

  /** Makes the ship leave when it has been docked for some time (s). */
  leaveAfter(unloading: number, time: number, undock: Undock): void {
    if (this.pilot.behavior !== this.dock || this.pose === null) return
    this.dockedAt = Math.min(this.dockedAt, time)
    if (time > this.dockedAt + unloading) this.pilot.behavior = undock
  }

  result(seed: number): RowResult {
    const { contacts, impact, stages, dockedAt: time } = this
    const { closing, lateral } = this.pose ?? poseAt(this.scene)
    return { seed, docked: this.pose !== null, time, bound: NaN, contacts, impact, closing, lateral, stages }
  }
}
