import * as CANNON from 'cannon-es'
import { Hover, SteeringController, SteeringWorld, Thrusters, type Locomotion } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { Land, Port, type LandOptions } from 'three-steering/docking'
import { attachToCannon } from 'three-steering/cannon'
import { weighingBody } from '../../demo/scenarios/lander.js'

/** The landing place: flat ground; the deck of a ship that moves, turns and rolls; a spinning asteroid. */
export type Field = 'ground' | 'deck' | 'asteroid'

/**
 * `strong` and `weak`: 3 and 1.3 times the weight in any direction. `jets`: twice the weight upward, little
 * sideways.
 */
export type LanderEngines = 'strong' | 'weak' | 'jets'

export interface LandingTrialOptions {
  readonly field?: Field
  readonly engines?: LanderEngines
  readonly dt?: number
  /** Whether the locomotion compensates gravity. Default true. */
  readonly compensateGravity?: boolean
  /** Whether the lander starts upside down. Default false. */
  readonly upsideDown?: boolean
  readonly land?: Partial<LandOptions>
  /** Restitution of the contact, 0 … 1. Default 0. */
  readonly restitution?: number
  /** Time measured after the landing (s). Default 5. */
  readonly rest?: number
  readonly longest?: number
  readonly watch?: (flight: LandingFlight) => void
}

export interface LandingFlight {
  readonly lander: CANNON.Body
  readonly carrier: CANNON.Body
  readonly pilot: SteeringController
  readonly time: number
  readonly stages: readonly string[]
}

export interface LandingResult {
  readonly seed: number
  readonly landed: boolean
  readonly time: number
  /**
   * Just before the first contact, relative to the pad: speed towards it and along it (m/s), tilt (rad),
   * distance from its centre (m).
   */
  readonly closing: number
  readonly sliding: number
  readonly tilt: number
  readonly aside: number
  /**
   * After it: height to which the feet left the pad again (m), distance they slid (m), greatest thrust after
   * `landed` (N).
   */
  readonly bounce: number
  readonly slid: number
  readonly thrust: number
  readonly asleep: boolean
  /** Contacts before the final stage. */
  readonly bumps: number
  readonly stages: readonly string[]
}

export const LANDER_MASS = 10
/** Distance of the feet below the centre (m). */
const FEET = 0.6
const WIDE = 0.9
const DECK = { length: 30, width: 14, depth: 4 }
const ROCK = 40
const UP = new CANNON.Vec3(0, 1, 0)

interface Scene {
  readonly world: CANNON.World
  readonly lander: CANNON.Body
  readonly carrier: CANNON.Body
  readonly pad: Port
  /** Gravity at the pad (m/s²): towards the centre of the rock, or uniform. */
  readonly pull: number
  readonly sway: (time: number) => void
}

function landingScene(seed: number, field: Field, high: number): Scene {
  const random = seeded(seed)
  const between = (a: number, b: number): number => a + (b - a) * random()
  const world = new CANNON.World()
  world.allowSleep = true
  world.frictionGravity = new CANNON.Vec3(0, -9.81, 0)
  const type = field === 'ground' ? CANNON.Body.STATIC : CANNON.Body.KINEMATIC
  const carrier = new CANNON.Body({ mass: 0, type })
  const lander = new CANNON.Body({ mass: LANDER_MASS, linearDamping: 0.01, angularDamping: 0.01 })
  lander.addShape(new CANNON.Box(new CANNON.Vec3(WIDE, FEET, WIDE)))
  lander.allowSleep = true
  lander.sleepSpeedLimit = 0.05
  const course = between(0, 2 * Math.PI)
  const port = { carrier, outward: { x: 0, y: 1, z: 0 } }
  let pad: Port
  let sway = (_time: number): void => {}
  let pull = 9.81
  const away = new CANNON.Vec3(between(-1, 1), between(-1, 1), between(-1, 1)).unit()
  if (field === 'ground') {
    carrier.addShape(
      new CANNON.Plane(),
      new CANNON.Vec3(),
      new CANNON.Quaternion().setFromAxisAngle(new CANNON.Vec3(1, 0, 0), -Math.PI / 2),
    )
    pad = new Port({ ...port, position: { x: 0, y: 0, z: 0 } })
    lander.position.set(100 * away.x, high + 60 * Math.abs(away.y), 100 * away.z)
  } else if (field === 'deck') {
    const { length, width, depth } = DECK
    carrier.addShape(new CANNON.Box(new CANNON.Vec3(width / 2, depth / 2, length / 2)))
    const position = { x: -length / 4, y: depth / 2, z: 0 }
    pad = new Port({ ...port, position, clearance: Math.hypot(length, width, depth) / 2 })
    const speed = between(1, 6)
    const turn = between(-0.06, 0.06)
    const phase = between(0, 7)
    sway = (time) => {
      const heading = course + turn * time
      carrier.velocity.set(
        speed * Math.sin(heading),
        0.3 * Math.cos(0.7 * time + phase),
        speed * Math.cos(heading),
      )
      // the ship rolls about its longitudinal axis
      const roll = 0.025 * Math.cos(0.6 * time + phase)
      carrier.angularVelocity.set(roll * Math.sin(heading), turn, roll * Math.cos(heading))
    }
    carrier.quaternion.setFromAxisAngle(UP, course)
    lander.position.set(90 * away.x, high + 70 * away.y, 90 * away.z)
    if (lander.position.length() < 30) lander.position.scale(30 / lander.position.length(), lander.position)
  } else {
    pull = between(0.3, 2)
    carrier.addShape(new CANNON.Sphere(ROCK - 1))
    const out = new CANNON.Vec3(between(-1, 1), between(-1, 1), between(-1, 1)).unit()
    const turn = new CANNON.Quaternion().setFromVectors(UP, out)
    carrier.addShape(new CANNON.Box(new CANNON.Vec3(5, 1, 5)), out.scale(ROCK - 1), turn)
    carrier.angularVelocity.set(between(-1, 1), between(-1, 1), between(-1, 1))
    carrier.angularVelocity.unit().scale(between(0.005, 0.03), carrier.angularVelocity)
    const position = { x: ROCK * out.z, y: ROCK * out.y, z: -ROCK * out.x }
    pad = new Port({ ...port, position, outward: position, clearance: ROCK + 1 })
    away.scale(between(60, 150), lander.position)
  }
  lander.velocity.set(between(-3, 3), between(-3, 3), between(-3, 3))
  lander.quaternion.set(between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)).normalize()
  world.addBody(carrier)
  world.addBody(lander)
  return { world, lander, carrier, pad, pull, sway }
}

function enginesOf(engines: LanderEngines, weight: number): Locomotion {
  if (engines !== 'jets') return new Hover()
  const side = 0.3 * weight
  return new Thrusters({ up: 2 * weight, down: side, ahead: side, astern: side, port: side, starboard: side })
}

/** Gravity on the lander (m/s²). */
function pullOn(
  out: { x: number; y: number; z: number },
  { pull }: Scene,
  field: Field,
  { position }: CANNON.Body,
): void {
  const { x, y, z } = position
  const away = Math.max(ROCK / 2, Math.hypot(x, y, z))
  const k = (-pull * ROCK * ROCK) / away ** 3
  if (field === 'asteroid') Object.assign(out, { x: k * x, y: k * y, z: k * z })
  else Object.assign(out, { x: 0, y: -pull, z: 0 })
}

/** Flies a trial on cannon-es bodies with ground contact, and measures just before the touchdown. */
export function flyLanding(seed: number, options: LandingTrialOptions = {}): LandingResult {
  const { field = 'ground', engines = 'strong', dt = 1 / 60, compensateGravity = true } = options
  const { restitution = 0, rest = 5, longest = 240, upsideDown = false } = options
  const scene = landingScene(seed, field, engines === 'jets' && upsideDown ? 300 : 40)
  const { world, lander, carrier, pad, pull, sway } = scene
  world.defaultContactMaterial.restitution = restitution
  if (upsideDown) lander.quaternion.setFromAxisAngle(new CANNON.Vec3(0, 0, 1), Math.PI)
  const weigh = { x: 0, y: 0, z: 0 }
  world.subsystems.push({
    update() {
      pullOn(weigh, scene, field, lander)
      if (lander.sleepState === CANNON.Body.SLEEPING) return
      lander.force.x += LANDER_MASS * weigh.x
      lander.force.y += LANDER_MASS * weigh.y
      lander.force.z += LANDER_MASS * weigh.z
    },
  })
  const steering = new SteeringWorld()
  attachToCannon(steering, world)
  const weight = LANDER_MASS * pull
  const { inertia } = lander
  const pilot = new SteeringController(null, {
    body: weighingBody(lander, (out) => pullOn(out, scene, field, lander)),
    maxSpeed: 30,
    maxForce: { strong: 3, weak: 1.3, jets: 2 }[engines] * weight,
    maxTorque: 1.5 * Math.max(inertia.x, inertia.y, inertia.z),
    maxTurnRate: 2,
    locomotion: enginesOf(engines, weight),
    compensateGravity,
    compensateDamping: true,
    behavior: new Land({ port: pad, probe: { x: 0, y: -FEET, z: 0 }, ...options.land }),
  })
  steering.add(pilot)
  const stages: string[] = []
  pilot.addEventListener('stage', ({ stage, reason }) =>
    stages.push(reason === '' ? stage : `${stage} (${reason})`),
  )
  let touch: ReturnType<typeof stateOf> | null = null
  let before = stateOf(scene)
  let bumps = 0
  lander.addEventListener('collide', () => {
    if (stages.at(-1) !== 'final' && stages.at(-1) !== 'landed') bumps++
    else touch ??= before
  })
  let time = 0
  let landedAt = Infinity
  let bounce = 0
  let thrust = 0
  let slid = 0
  let at: CANNON.Vec3 | null = null
  while (time < longest && time < landedAt + rest) {
    sway(time + dt / 2)
    before = stateOf(scene)
    world.step(dt)
    time += dt
    if (landedAt < Infinity) {
      thrust = Math.max(thrust, time > landedAt ? Math.hypot(pilot.force.x, pilot.force.y, pilot.force.z) : 0)
      const now = carrier.pointToLocalFrame(lander.position)
      slid = Math.max(slid, now.distanceTo((at ??= now)))
    }
    if (touch !== null) bounce = Math.max(bounce, stateOf(scene).gap)
    if (stages.at(-1) === 'landed') landedAt = Math.min(landedAt, time)
    options.watch?.({ lander, carrier, pilot, time, stages })
  }
  steering.dispose()
  const { closing, sliding, tilt, aside } = touch ?? before
  const asleep = lander.sleepState === CANNON.Body.SLEEPING
  const landed = landedAt < Infinity && stages.at(-1) === 'landed'
  return {
    seed,
    landed,
    time: landedAt,
    closing,
    sliding,
    tilt,
    aside,
    bounce,
    slid,
    thrust,
    asleep,
    bumps,
    stages,
  }
}

/** State of the feet relative to the pad, measured on the bodies, independent of the package. */
function stateOf({ carrier, lander, pad }: Scene) {
  const { x, y, z } = pad.position
  const place = new CANNON.Vec3(-z, y, x)
  const normal = carrier.vectorToWorldFrame(new CANNON.Vec3(-pad.outward.z, pad.outward.y, pad.outward.x))
  normal.normalize()
  const sole = lander.vectorToWorldFrame(new CANNON.Vec3(0, -FEET, 0))
  const off = lander.position.vadd(sole).vsub(carrier.pointToWorldFrame(place))
  const gap = off.dot(normal)
  const here = lander.position.vadd(sole).vsub(carrier.position)
  const drift = lander.velocity
    .vadd(lander.angularVelocity.cross(sole))
    .vsub(carrier.velocity)
    .vsub(carrier.angularVelocity.cross(here))
  const closing = -drift.dot(normal)
  const top = lander.vectorToWorldFrame(UP)
  return {
    gap,
    aside: off.vsub(normal.scale(gap)).length(),
    closing,
    sliding: drift.vadd(normal.scale(closing)).length(),
    tilt: Math.atan2(top.cross(normal).length(), top.dot(normal)),
  }
}
