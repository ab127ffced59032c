import * as CANNON from 'cannon-es'
import {
  Hover,
  SteeringController,
  SteeringWorld,
  Thrusters,
  within,
  type ControllerOptions,
  type Locomotion,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { seeded, type Constraint } from 'three-steering/authoring'
import { Dock, Port, type DockOptions } from 'three-steering/docking'
import { attachToCannon, cannonBody } from 'three-steering/cannon'

/**
 * Engines of the ship. `free`: force in any direction. `weakRetro`, `tinyRetro`: astern 25 or 12 % of the
 * main engine. `noRetro`: none astern. `noSide`: ahead and astern only.
 */
export type Engines = 'free' | 'weakRetro' | 'tinyRetro' | 'noRetro' | 'noSide'

export interface DockingOptions {
  readonly engines?: Engines
  readonly dt?: number
  /** Turn of the whole scene. */
  readonly turn?: CANNON.Quaternion
  /** Angular velocity (rad/s) that the carrier suddenly gets when the ship is half-way down the corridor. */
  readonly knock?: number
  /** Duration of that rotation (s). Default for ever. */
  readonly knockTime?: number
  readonly dock?: Partial<DockOptions>
  /** Called after each step. */
  readonly watch?: (flight: Flight) => void
  /** Longest flight (s). Default 240. */
  readonly longest?: number
  /** Constraints that the ship docks within. Default none. */
  readonly within?: (scene: Scene) => Constraint[]
}

export interface DockingResult {
  readonly seed: number
  readonly docked: boolean
  /** Time to dock, and its bang-bang bound (s). */
  readonly time: number
  readonly bound: number
  /** At the latch: offset (m), speed along and across the axis (m/s), angles (rad). */
  readonly lateral: number
  readonly gap: number
  readonly closing: number
  readonly sliding: number
  readonly heading: number
  readonly roll: number
  /** Contacts of the hulls before the latch, and the fastest of them (m/s). */
  readonly contacts: number
  readonly impact: number
  /**
   * Braking distance of the nose before the hull that came towards it after the knock, as a share of the gap
   * there was. From 1 on no brakes prevent a contact, unless the carrier stops in time. 0 without a knock.
   */
  readonly knockShare: number
  readonly stages: readonly string[]
}

export interface Flight {
  readonly ship: CANNON.Body
  readonly carrier: CANNON.Body
  readonly pilot: SteeringController
  readonly port: Port
  readonly time: number
  readonly stages: readonly string[]
}

/** Accelerations of the ship (m/s², rad/s²). */
export const ACCELERATION = 3
export const SPIN_UP = 0.5
export const NOSE = 2.3
export const MASS = 10

/** A ship, a carrier with a hull, and a port on it. The nose of a body is +z, its top +y. */
export interface Scene {
  readonly world: CANNON.World
  readonly ship: CANNON.Body
  readonly carrier: CANNON.Body
  readonly port: Port
  /** Acceleration of the ship (m/s²). Default {@link ACCELERATION}. */
  readonly acceleration?: number
  /** Options of the ship, in addition to those of every ship. */
  readonly pilot?: Partial<ControllerOptions>
}

/**
 * A ship 60-500 m from a port, in any attitude. The port is off the centre of a mothership that drifts and
 * turns.
 */
export function dockingScene(seed: number, turn = new CANNON.Quaternion()): Scene {
  const random = seeded(seed)
  const carrier = new CANNON.Body({ mass: 1e6, linearDamping: 0, angularDamping: 0 })
  const arm = ball(random).scale(30)
  const outward = arm.length() > 1 ? tilted(arm.unit(), random) : sphere(random)
  const port = addPort(carrier, arm, outward, sphere(random))
  carrier.velocity = turn.vmult(sphere(random).scale(5 * random()))
  carrier.angularVelocity = turn.vmult(sphere(random).scale(0.02 * random()))
  carrier.quaternion = turn.mult(attitude(random))
  carrier.position = turn.vmult(new CANNON.Vec3(0, 0, 0))

  const ship = shipBody()
  const place = carrier.pointToWorldFrame(arm)
  do {
    const away = turn.vmult(sphere(random).scale(60 + 440 * random()))
    ship.position = place.vadd(away)
  } while (ship.position.distanceTo(carrier.position) < port.clearance! + 8)
  ship.quaternion = turn.mult(attitude(random))
  ship.velocity = turn.vmult(sphere(random).scale(10 * random()))
  ship.angularVelocity = turn.vmult(sphere(random).scale(0.2 * random()))
  const world = new CANNON.World()
  world.addBody(carrier)
  world.addBody(ship)
  return { world, ship, carrier, port }
}

/** A hull with wings. */
export function shipBody(): CANNON.Body {
  const ship = new CANNON.Body({ mass: MASS, linearDamping: 0, angularDamping: 0 })
  ship.addShape(new CANNON.Box(new CANNON.Vec3(0.75, 0.45, NOSE)))
  ship.addShape(new CANNON.Box(new CANNON.Vec3(2.2, 0.12, 0.75)), new CANNON.Vec3(0, -0.1, -1.1))
  return ship
}

/** Gives the carrier a hull with the port on one of its faces. */
function addPort(carrier: CANNON.Body, arm: CANNON.Vec3, outward: CANNON.Vec3, hint: CANNON.Vec3): Port {
  const depth = Math.max(1, 0.5 * arm.length())
  const width = Math.max(2, 0.4 * arm.length())
  const turn = new CANNON.Quaternion().setFromVectors(new CANNON.Vec3(0, 0, 1), outward)
  const middle = arm.vsub(outward.scale(depth))
  carrier.addShape(new CANNON.Box(new CANNON.Vec3(width, width, depth)), middle, turn)
  let clearance = 0
  for (const x of [-width, width])
    for (const y of [-width, width])
      for (const z of [-depth, depth])
        clearance = Math.max(clearance, middle.vadd(turn.vmult(new CANNON.Vec3(x, y, z))).length())
  return new Port({
    carrier,
    // the nose of a cannon body is +z, its top +y: ahead, up, starboard = z, y, −x
    position: steering(arm),
    outward: steering(outward),
    up: steering(hint),
    clearance,
  })
}

/** Converts axes of a body with its nose along +z to the steering frame. */
export function steering({ x, y, z }: CANNON.Vec3): Vec3 {
  return { x: z, y, z: -x }
}

export function enginesOf(engines: Engines): Locomotion {
  const ahead = MASS * ACCELERATION
  const retro = { weakRetro: 0.25, tinyRetro: 0.12, noRetro: 0 }
  if (engines in retro) {
    const side = ahead / 4
    const astern = retro[engines as keyof typeof retro] * ahead
    return new Thrusters({ ahead, astern, up: side, down: side, port: side, starboard: side })
  }
  if (engines === 'noSide')
    return new Thrusters({ ahead, astern: ahead, up: 0, down: 0, port: 0, starboard: 0 })
  return new Hover()
}

/** Flies a trial on cannon-es bodies, and measures at the latch. */
export function flyDocking(seed: number, options: DockingOptions = {}): DockingResult {
  return flyScene(seed, dockingScene(seed, options.turn), options)
}

/** Flies a scene until the ship has docked, or for the longest time. */
export function flyScene(seed: number, scene: Scene, options: DockingOptions = {}): DockingResult {
  const { engines = 'free', dt = 1 / 60, longest = 240 } = options
  const { world, ship, carrier, port, acceleration = ACCELERATION } = scene
  const steeringWorld = new SteeringWorld()
  attachToCannon(steeringWorld, world)
  const { inertia } = ship
  const dock = new Dock({ port, probe: { x: NOSE, y: 0, z: 0 }, ...options.dock })
  const pilot = new SteeringController(null, {
    body: cannonBody(ship),
    maxSpeed: 80,
    maxForce: MASS * acceleration,
    maxTorque: SPIN_UP * Math.max(inertia.x, inertia.y, inertia.z),
    maxTurnRate: 2,
    locomotion: enginesOf(engines),
    ...scene.pilot,
    behavior: options.within === undefined ? dock : within(options.within(scene), dock),
  })
  steeringWorld.add(pilot)
  const stages: string[] = []
  const end: { pose: ReturnType<typeof poseAt> | null } = { pose: null }
  let time = 0
  let contacts = 0
  let impact = 0
  ship.addEventListener('collide', ({ contact }: { contact: CANNON.ContactEquation }) => {
    if (end.pose !== null) return
    contacts++
    impact = Math.max(impact, Math.abs(contact.getImpactVelocityAlongNormal()))
  })
  pilot.addEventListener('stage', ({ stage, reason }) => {
    stages.push(reason === '' ? stage : `${stage} (${reason})`)
    if (stage === 'latched') end.pose ??= poseAt(scene)
  })
  const bound = bangBang(scene)
  const calm = carrier.angularVelocity.clone()
  let knockedAt = options.knock === undefined ? -Infinity : Infinity
  let knockShare = 0
  while (end.pose === null && time < longest) {
    world.step(dt)
    time += dt
    if (knockedAt === Infinity && stages.at(-1) === 'final' && poseAt(scene).gap < port.corridor / 2) {
      knockedAt = time
      calm.unit().scale(options.knock!, carrier.angularVelocity)
      const { closing, gap } = poseAt(scene)
      knockShare = Math.max(0, closing) ** 2 / (2 * ACCELERATION * gap)
    }
    if (knockedAt > 0 && time - knockedAt > (options.knockTime ?? Infinity)) {
      knockedAt = -Infinity
      carrier.angularVelocity.copy(calm)
    }
    options.watch?.({ ...scene, pilot, time, stages })
  }
  steeringWorld.dispose()
  const docked = end.pose !== null
  const pose = end.pose ?? poseAt(scene)
  return { seed, docked, time, bound, contacts, impact, knockShare, stages, ...pose }
}

/** Pose of the nose relative to the port, measured on the bodies, independent of the package. */
export function poseAt({ ship, carrier, port }: Scene) {
  const place = fromSteering(port.position)
  const outward = carrier.vectorToWorldFrame(fromSteering(port.outward)).unit()
  const tip = ship.vectorToWorldFrame(new CANNON.Vec3(0, 0, NOSE))
  const off = ship.position.vadd(tip).vsub(carrier.pointToWorldFrame(place))
  const gap = off.dot(outward)
  const here = ship.position.vadd(tip).vsub(carrier.position)
  const drift = ship.velocity
    .vadd(ship.angularVelocity.cross(tip))
    .vsub(carrier.velocity)
    .vsub(carrier.angularVelocity.cross(here))
  const closing = -drift.dot(outward)
  const nose = ship.vectorToWorldFrame(new CANNON.Vec3(0, 0, 1))
  const top = ship.vectorToWorldFrame(new CANNON.Vec3(0, 1, 0))
  const up = carrier.vectorToWorldFrame(fromSteering(port.up))
  const level = up.vsub(outward.scale(up.dot(outward))).unit()
  return {
    gap,
    lateral: off.vsub(outward.scale(gap)).length(),
    closing,
    sliding: drift.vadd(outward.scale(closing)).length(),
    heading: Math.atan2(nose.cross(outward).length(), -nose.dot(outward)),
    roll: Math.abs(Math.atan2(top.cross(level).dot(outward), top.dot(level))),
  }
}

export function fromSteering({ x, y, z }: Vec3Like): CANNON.Vec3 {
  return new CANNON.Vec3(-z, y, x)
}

/** Least time (s) to stop at the port, per axis, for a port that does not turn. */
function bangBang({ ship, carrier, port, acceleration = ACCELERATION }: Scene): number {
  const place = carrier.pointToWorldFrame(fromSteering(port.position))
  const outward = carrier.vectorToWorldFrame(fromSteering(port.outward)).unit()
  const way = place.vadd(outward.scale(NOSE)).vsub(ship.position)
  const velocity = ship.velocity
    .vsub(carrier.velocity)
    .vsub(carrier.angularVelocity.cross(place.vsub(carrier.position)))
  return Math.max(
    stopAt(way.x, velocity.x, acceleration),
    stopAt(way.y, velocity.y, acceleration),
    stopAt(way.z, velocity.z, acceleration),
  )
}

/** Least time (s) to come to rest after `way` (m), from `speed` (m/s), with the acceleration `a` (m/s²). */
function stopAt(way: number, speed: number, a: number): number {
  // the first direction of thrust depends on the side of the stopping point
  const sign = way - (speed * Math.abs(speed)) / (2 * a) >= 0 ? 1 : -1
  const d = sign * way
  const v = sign * speed
  const peak = Math.sqrt(a * d + (v * v) / 2)
  return (2 * peak - v) / a
}

export function sphere(random: () => number): CANNON.Vec3 {
  const y = 2 * random() - 1
  const angle = 2 * Math.PI * random()
  const rim = Math.sqrt(1 - y * y)
  return new CANNON.Vec3(rim * Math.cos(angle), y, rim * Math.sin(angle))
}

function ball(random: () => number): CANNON.Vec3 {
  return sphere(random).scale(random())
}

/** A direction at most 45° from `axis`. */
function tilted(axis: CANNON.Vec3, random: () => number): CANNON.Vec3 {
  for (;;) {
    const other = sphere(random)
    if (other.dot(axis) > Math.SQRT1_2) return other
  }
}

export function attitude(random: () => number): CANNON.Quaternion {
  const a = sphere(random)
  return new CANNON.Quaternion().setFromAxisAngle(a, 2 * Math.PI * random())
}
