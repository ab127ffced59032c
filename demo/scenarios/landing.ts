import { type Body, LockConstraint, Quaternion, Vec3, World } from 'cannon-es'
import {
  ReciprocalAvoidance,
  SteeringController,
  SteeringWorld,
  Thrusters,
  within,
  type Vec3 as Vector,
  type Viewable,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { Land, Undock, type LandStage, type Port, type UndockStage } from 'three-steering/docking'
import { attachToCannon, latch } from 'three-steering/cannon'
import { buildAsteroid, padPort } from './asteroid-body.js'
import { GROUND_LOW, PAD_LEVEL, PADS } from './asteroid-land.js'
import { buildLander, FEET, LANDER_THRUST, LANDER_TORQUE, weighingBody } from './lander.js'
import type { Collision } from './collision.js'
import { Fingerprint } from './metrics.js'
import { touchOf, type Touch } from './touch-down.js'
import { direction, plus, unit } from './vectors.js'

export interface LandingOptions {
  readonly seed?: number
  readonly count?: number
  readonly view?: (index: number) => Viewable
}

export const DEFAULT_LANDERS = 5
export const MAX_LANDERS = 8

/** Gravity at the height of the pads (m/s²). */
export const DEFAULT_PULL = 0.45

const CRUISE = 7 // m/s
const CLOSING = 0.15 // m/s
const EXIT = 2.2 // m/s
/** Distance within which landers avoid each other (m). */
const NEIGHBOR_DISTANCE = 22
/**
 * Start positions: height of the first above its pad, additional height of each further one, and distance
 * from the centre of those without a pad (m).
 */
const FIRST_HEIGHT = 11
const HEIGHT_STEP = 9
const ORBIT = 60
/** Time that landers without a pad wait (s). */
const PATIENCE = 2

/** Coupling in the frame of the lander (x ahead, y up): bottom down, nose to the north of the pad. */
const COUPLING = { probe: { x: 0, y: -FEET, z: 0 }, axis: { x: 0, y: -1, z: 0 }, top: { x: 1, y: 0, z: 0 } }

export interface Pad {
  readonly port: Port
  /** Current position (m) and outward direction (unit). */
  readonly position: Vec3
  readonly up: Vec3
}

export interface Lander {
  readonly body: Body
  readonly pilot: SteeringController
  /** Index of the pad that it flies to, stands on, or leaves. */
  pad: number
  leg: 'waiting' | 'landing' | 'resting' | 'rising'
  /** Last stage of its behaviour. */
  stage: LandStage | UndockStage | ''
  /** Time at which the rest ends (s). */
  until: number
  /** Speed at which it touched the deck (m/s). 0 before that. */
  impact: number
  release: (() => void) | null
}

/** Landers with weak jets land on the pads of a rotating asteroid with gravity, rest, and take off again. */
export class Landing {
  readonly world = new World({ gravity: new Vec3(0, 0, 0), frictionGravity: new Vec3(0, -9.82, 0) })
  readonly steering: SteeringWorld
  readonly asteroid: Body
  readonly pads: readonly Pad[]
  readonly landers: readonly Lander[]
  /** Touchdowns since the list was last emptied. The reader empties it. */
  readonly touches: Touch[] = []
  /** Gravity at the height of the pads (m/s²). */
  pull = DEFAULT_PULL
  landings = 0
  departures = 0
  bumps = 0
  #worst = { closing: 0, aside: 0, tilt: 0 }
  readonly #random: () => number
  readonly #avoid = new ReciprocalAvoidance({ neighborDistance: NEIGHBOR_DISTANCE, clearance: 1.5 })

  constructor({ seed = 1, count = DEFAULT_LANDERS, view }: LandingOptions = {}) {
    this.#random = seeded(seed)
    Object.assign(this.world.defaultContactMaterial, { friction: 0.8, restitution: 0 })
    this.asteroid = buildAsteroid()
    this.world.addBody(this.asteroid)
    this.pads = PADS.map((_, index) => this.#makePad(index))
    // added before the steering, so that it runs before the steering's subsystem
    this.world.subsystems.push({ update: () => this.#applyGravity() })
    this.steering = new SteeringWorld({ seed })
    attachToCannon(this.steering, this.world)
    this.landers = Array.from({ length: Math.min(count, MAX_LANDERS) }, (_, k) =>
      this.#launch(k, view?.(k) ?? null),
    )
    this.#turnPads()
  }

  get time(): number {
    return this.steering.time
  }

  step(dt: number): void {
    this.world.step(dt)
    this.#turnPads()
    for (const lander of this.landers) {
      if (this.time < lander.until) continue
      if (lander.leg === 'waiting') this.#descend(lander, this.pads)
      else if (lander.leg === 'resting') this.#rise(lander)
    }
  }

  dispose(): void {
    this.steering.dispose()
  }

  state(): Record<string, number | string> {
    const mark = new Fingerprint()
    for (const { body } of this.landers) mark.addVector(body.position).addVector(body.angularVelocity)
    const { closing, aside, tilt } = this.#worst
    return {
      landers: this.landers.length,
      landings: this.landings,
      departures: this.departures,
      down: this.landers.filter(({ leg }) => leg === 'resting').length,
      'touch, cm/s': 100 * closing,
      'error on the pad, cm': 100 * aside,
      'off level, degrees': (180 / Math.PI) * tilt,
      bumps: this.bumps,
      fingerprint: mark.toString(),
    }
  }

  /**
   * Gravity on a body (m/s²), with all mass in the centre of the asteroid. A lander held by a pad has none.
   */
  pullOn(out: Vector, body: Body): Vector {
    const { x, y, z } = body.position
    const away = Math.max(GROUND_LOW, Math.hypot(x, y, z))
    const held = this.landers?.some((each) => each.body === body && each.release !== null)
    const k = held ? 0 : (-this.pull * PAD_LEVEL * PAD_LEVEL) / away ** 3
    out.x = k * x
    out.y = k * y
    out.z = k * z
    return out
  }

  #applyGravity(): void {
    const pull = { x: 0, y: 0, z: 0 }
    for (const { body } of this.landers) {
      this.pullOn(pull, body)
      body.force.x += body.mass * pull.x
      body.force.y += body.mass * pull.y
      body.force.z += body.mass * pull.z
    }
  }

  #makePad(index: number): Pad {
    return { port: padPort(this.asteroid, index), position: new Vec3(), up: new Vec3() }
  }

  #turnPads(): void {
    for (const [index, pad] of this.pads.entries()) {
      const { x, y, z } = PADS[index]!
      this.asteroid.quaternion.vmult(pad.up.set(x, y, z), pad.up)
      pad.up.scale(PAD_LEVEL, pad.position)
    }
  }

  // #region code
  #launch(index: number, view: Viewable | null): Lander {
    const body = buildLander()
    const random = this.#random
    const goal = PADS[index]
    // the first landers begin their descent one above the other; the others wait farther out
    const away = goal ? unit(plus(goal, direction(random), 0.1)) : direction(random)
    const high = goal ? PAD_LEVEL + FIRST_HEIGHT + HEIGHT_STEP * index : ORBIT
    body.position.set(high * away.x, high * away.y, high * away.z)
    body.quaternion.setFromVectors(new Vec3(0, 1, 0), new Vec3(away.x, away.y, away.z))
    body.quaternion.mult(new Quaternion().setFromAxisAngle(new Vec3(0, 1, 0), 7 * random()), body.quaternion)
    this.world.addBody(body)
    const pilot = new SteeringController(view, {
      name: `lander ${index + 1}`,
      body: weighingBody(body, (out) => void this.pullOn(out, body)),
      // no behaviour until it gets a pad
      behavior: { steer() {} },
      locomotion: new Thrusters(LANDER_THRUST),
      maxSpeed: CRUISE,
      maxForce: LANDER_THRUST.up,
      maxTorque: LANDER_TORQUE,
      maxTurnRate: 0.6,
      responseTime: 0.3,
      radius: 2.2,
      compensateGravity: true,
    })
    this.steering.add(pilot)
    const lander: Lander = {
      body,
      pilot,
      pad: -1,
      leg: 'waiting',
      stage: '',
      until: PATIENCE,
      impact: 0,
      release: null,
    }
    if (goal) this.#descend(lander, [this.pads[index]!])
    pilot.addEventListener('stage', ({ stage }) => this.#onStage(lander, index, stage))
    body.addEventListener('collide', (event: Collision) => this.#onCollide(lander, event))
    return lander
  }

  /** Begins a landing on one of the given pads. */
  #descend(lander: Lander, pads: readonly Pad[]): void {
    const land = new Land({
      ports: pads.map(({ port }) => port),
      ...COUPLING,
      heading: 'pad',
      closingSpeed: CLOSING,
      entrySpeed: 3,
    })
    lander.leg = 'landing'
    lander.pilot.behavior = within([this.#avoid], land)
  }
  // #endregion

  #onStage(lander: Lander, index: number, stage: string): void {
    lander.stage = stage as Lander['stage']
    const pad = this.pads.findIndex(({ port }) => port.holder === lander.pilot.id)
    if (pad >= 0 || stage === 'queue') lander.pad = pad
    if (stage === 'landed') this.#touch(lander, index)
    if (stage === 'free') {
      const left = lander.pad
      lander.pad = -1
      this.#descend(
        lander,
        this.pads.filter((_, each) => each !== left),
      )
    }
  }

  /** Records the speed of a regular touchdown, or counts a bump. */
  #onCollide(lander: Lander, { body, contact }: Collision): void {
    const down = lander.stage === 'final' || lander.leg !== 'landing'
    if (body !== this.asteroid || !down) this.bumps++
    else if (lander.leg === 'landing' && lander.impact === 0)
      lander.impact = Math.abs(contact.getImpactVelocityAlongNormal())
  }

  /** The lander has landed: clamps hold it from now on. */
  #touch(lander: Lander, index: number): void {
    const pad = this.pads[lander.pad]!
    const { body } = lander
    const sole = body.pointToWorldFrame(new Vec3(0, -FEET, 0))
    const touch = touchOf(body, this.asteroid, sole, pad, {
      lander: index,
      pad: lander.pad,
      closing: lander.impact,
    })
    this.touches.push(touch)
    for (const name of ['closing', 'aside', 'tilt'] as const)
      this.#worst[name] = Math.max(this.#worst[name], touch[name])
    this.landings++
    lander.leg = 'resting'
    lander.until = this.time + 7 + 5 * this.#random()
    lander.release = latch(this.world, body, this.asteroid, LockConstraint, { at: sole })
  }

  #rise(lander: Lander): void {
    lander.release?.()
    lander.release = null
    lander.leg = 'rising'
    lander.impact = 0
    this.departures++
    lander.pilot.behavior = new Undock({ port: this.pads[lander.pad]!.port, ...COUPLING, exitSpeed: EXIT })
  }
}
