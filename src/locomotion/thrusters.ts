import type { Agent, Locomotion, Step, Vec3, Vec3Like, Wrench } from '../types.js'
import { noseAttitude } from '../control/nose.js'
import { capThrust } from '../control/thrust.js'
import { turnTime, turnTo } from '../control/turn.js'
import { shareWithin } from '../math/ball.js'
import { vectorToLocal, vectorToWorld } from '../math/frame.js'
import { quat } from '../math/quat.js'
import { clamp, smoothstep } from '../math/scalar.js'
import {
  addScaled,
  copy,
  isZero,
  length,
  normalize,
  reject,
  scale,
  set,
  truncate,
  vec3,
} from '../math/vec3.js'
import { Attitude, type AttitudeOptions } from './attitude.js'
import { feedForward, NOMINAL_STEP } from './limits.js'
import { type OptionTable, readOptions } from '../math/options.js'
import { ATTITUDE } from './attitude.js'

/** Greatest thrust (N, ≥ 0) in each direction of the attitude frame. A weak `astern` is normal. */
export interface ThrustersOptions {
  /** Main engine: thrust ahead (N, ≥ 0). */
  ahead: number
  /** Retro engine: thrust astern (N, ≥ 0). Default half of `ahead`. */
  astern?: number
  /** N, ≥ 0. Default a quarter of `ahead`. */
  up?: number
  /** N, ≥ 0. Default a quarter of `ahead`. */
  down?: number
  /** N, ≥ 0. Default a quarter of `ahead`. */
  port?: number
  /** N, ≥ 0. Default a quarter of `ahead`. */
  starboard?: number
  /** How the vehicle turns. Default: nose along the velocity to come (`facing: 'thrust'`), banking. */
  attitude?: AttitudeOptions
}

/** The error of a share of the speed is 2 to the minus this. */
const BISECTIONS = 40

const local = vec3()
const cost = vec3()
const velocity = vec3()
const wanted = vec3()
/** Local force (N) that stops the agent in one step. */
const stopping = vec3()
const reverse = vec3()
const nose = vec3()
const target = quat()

/**
 * Lateral engines with less than this share of the main engine are too weak to fly curves with. Chosen by
 * hand.
 */
const WEAK_LATERAL = 0.4

/**
 * The nose points fully along the force if the lateral engines lack this share of the main engine. Chosen by
 * hand.
 */
const FULL_TURN = 0.15

/**
 * A ship without any brake gains a little speed in each step of a turn. It may exceed `maxSpeed` by this
 * share. Chosen by hand.
 */
const NO_BRAKE_TOLERANCE = 0.005

/**
 * Gives the agent one engine for each direction of its own frame, as a space ship has. Its force depends on
 * its attitude. All engines act through the centre of mass: that engines mounted off it also turn the vehicle
 * is not modelled.
 */
export class Thrusters implements Locomotion {
  static readonly type: string = 'Thrusters'
  static readonly options = {
    ahead: { kind: 'number', required: true, unit: 'N', atLeast: 0, infinite: true },
    astern: { kind: 'number', unit: 'N', atLeast: 0, infinite: true },
    up: { kind: 'number', unit: 'N', atLeast: 0, infinite: true },
    down: { kind: 'number', unit: 'N', atLeast: 0, infinite: true },
    port: { kind: 'number', unit: 'N', atLeast: 0, infinite: true },
    starboard: { kind: 'number', unit: 'N', atLeast: 0, infinite: true },
    attitude: { kind: 'options', options: ATTITUDE },
  } satisfies OptionTable<ThrustersOptions>

  ahead: number
  astern: number
  up: number
  down: number
  port: number
  starboard: number
  readonly attitude: Attitude

  /** @throws RangeError when a limit is negative or not a number. */
  constructor(options: ThrustersOptions) {
    const { ahead, attitude, ...sides } = readOptions('Thrusters', Thrusters.options, options)
    const { astern = ahead / 2, up = ahead / 4, down = ahead / 4 } = sides
    const { port = ahead / 4, starboard = ahead / 4 } = sides
    this.ahead = ahead
    this.astern = astern
    this.up = up
    this.down = down
    this.port = port
    this.starboard = starboard
    this.attitude = new Attitude({ facing: 'thrust', ...attitude })
  }

  actuate(agent: Agent, demand: Readonly<Wrench>, step: Step, out: Wrench): void {
    const { force } = out
    const { attitude } = agent
    // compensation of gravity and damping comes first, and the demand gets the rest on each axis
    this.writeCost(cost, agent, step.dt)
    capThrust(agent, step, copy(force, demand.force), false)
    vectorToLocal(local, attitude, force)
    vectorToLocal(velocity, attitude, agent.velocity)
    // a turn at full speed needs a little braking force, which may be more than there is
    const brake = this.forceBesides(cost, scale(reverse, velocity, -1))
    this.clampToSpeed(agent, step.dt, cost, brake > 0 ? 0 : NO_BRAKE_TOLERANCE, local)
    addScaled(local, cost, local, Math.min(1, shareWithin(cost, local, agent.maxForce)))
    vectorToWorld(force, attitude, local)
    this.attitude.actuate(agent, demand, step, demand.force, out)
  }

  forceAlong(agent: Agent, x: number, y: number, z: number): number {
    vectorToLocal(local, agent.attitude, set(local, x, y, z))
    this.writeCost(cost, agent, NOMINAL_STEP)
    return Math.min(shareWithin(cost, local, agent.maxForce), this.forceBesides(cost, local))
  }

  /** If the lateral engines are too weak, the ship must turn first and use its main engine. */
  forceTurnTime(agent: Agent): number {
    if (this.lateralShare() >= WEAK_LATERAL) return 0
    const time = turnTime(agent, agent.attitude.y, Math.PI / 2)
    return time < Infinity ? time : 0
  }

  /** Turns the nose from the course towards the force, the more the lateral engines lack. */
  turnForForce(agent: Agent, force: Vec3Like, step: Step, out: Wrench): void {
    const { course } = agent
    reject(local, force, course.x)
    const missing = length(local) - this.lateralShare() * this.ahead
    const share = smoothstep(missing / this.ahead, 0, FULL_TURN)
    scale(nose, course.x, 1 - share)
    addScaled(nose, nose, force, share / Math.max(length(force), 1e-9))
    if (isZero(normalize(nose, nose))) copy(nose, course.x)
    noseAttitude(target, agent, nose, 'free', step, force, 0)
    turnTo(agent, target, step, out)
  }

  /** Thrust of the weakest lateral engine, as a share of that of the main engine. */
  private lateralShare(): number {
    return Math.min(this.up, this.down, this.port, this.starboard) / this.ahead
  }

  /** Greatest force (N) along a local unit direction, in addition to the local force `used`. */
  private forceBesides(used: Readonly<Vec3>, { x, y, z }: Readonly<Vec3>): number {
    return Math.min(
      axisForceBesides(used.x, x, this.ahead, this.astern),
      axisForceBesides(used.y, y, this.up, this.down),
      axisForceBesides(used.z, z, this.starboard, this.port),
    )
  }

  /** Writes the local force (N) that compensates gravity and damping, as far as the engines can give it. */
  private writeCost(out: Vec3, agent: Agent, dt: number): void {
    const { ahead, astern, up, down, port, starboard } = this
    const { x, y, z } = vectorToLocal(out, agent.attitude, feedForward(out, agent, dt))
    set(out, clamp(x, -astern, ahead), clamp(y, -down, up), clamp(z, -port, starboard))
    truncate(out, out, agent.maxForce)
  }

  /**
   * Replaces a local force by the nearest one that the engines can give in addition to the local force `used`
   * and that does not raise the speed above (1 + `tolerance`) · `maxSpeed`. Reads the scratch vector
   * `velocity`, in local axes. The nearest force is the one that leads to a share of the wanted velocity,
   * clamped axis by axis; bisection finds the share. (Clamping the axes and braking along the course by
   * turns converges slowly while the nose is off the course.)
   */
  private clampToSpeed(agent: Agent, dt: number, used: Readonly<Vec3>, tolerance: number, force: Vec3): void {
    const { maxSpeed, speed } = agent
    const limit = Math.max(maxSpeed * (1 + tolerance), speed)
    const k = dt / agent.mass
    copy(wanted, force)
    this.clampBesides(used, force)
    if (limit === Infinity || !(k > 1e-300) || isZero(force)) return
    if (isWithinSpeed(force, k, limit)) return
    scale(stopping, velocity, -1 / k)
    let low = 0
    let high = 1
    for (let round = 0; round < BISECTIONS; round++) {
      const share = (low + high) / 2
      addScaled(force, scale(force, wanted, share), stopping, 1 - share)
      this.clampBesides(used, force)
      if (isWithinSpeed(force, k, limit)) low = share
      else high = share
    }
    addScaled(force, scale(force, wanted, low), stopping, 1 - low)
    this.clampBesides(used, force)
  }

  /** Clamps a local force to what the engines can give in addition to the local force `used`. */
  private clampBesides(used: Readonly<Vec3>, force: Vec3): void {
    const { ahead, astern, up, down, port, starboard } = this
    force.x = clamp(force.x, -astern - used.x, ahead - used.x)
    force.y = clamp(force.y, -down - used.y, up - used.y)
    force.z = clamp(force.z, -port - used.z, starboard - used.z)
  }
}

/**
 * Whether a local force does not raise the speed above `limit` (m/s). `k`: change of velocity (m/s) per N.
 * Reads the scratch vector `velocity`, in local axes.
 */
function isWithinSpeed({ x, y, z }: Readonly<Vec3>, k: number, limit: number): boolean {
  // as shares of the limit: their squares do not overflow
  const sx = (velocity.x + k * x) / limit
  const sy = (velocity.y + k * y) / limit
  const sz = (velocity.z + k * z) / limit
  return sx * sx + sy * sy + sz * sz <= 1
}

/**
 * Greatest force along a direction with component `d` on an axis with limits `plus` and `minus`, of which
 * `used` is taken.
 */
function axisForceBesides(used: number, d: number, plus: number, minus: number): number {
  if (Math.abs(d) < 1e-9) return Infinity
  return d > 0 ? (plus - used) / d : (minus + used) / -d
}
