import type { Agent, Locomotion, Step, Vec3, Vec3Like, Wrench } from '../types.js'
import { noseAttitude } from '../control/nose.js'
import { turnTime, turnTo } from '../control/turn.js'
import { shareWithin } from '../math/ball.js'
import { vectorToLocal, vectorToWorld } from '../math/frame.js'
import { requireNumber } from '../math/require.js'
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
import { capSpeed, capThrust, feedForward, NOMINAL_STEP, shortenToSpeed } from './limits.js'

/** Largest thrust (N, ≥ 0) in each direction of the attitude frame. A weak `astern` is normal. */
export interface ThrustersOptions {
  /** Main engine: pushes ahead. */
  ahead: number
  /** Retro engine: pushes astern. Default half of `ahead`. */
  astern?: number
  /** Default a quarter of `ahead`, as are the other three. */
  up?: number
  down?: number
  port?: number
  starboard?: number
  /** How the vehicle turns. Default: nose where the thrust will take it, banking. */
  attitude?: AttitudeOptions
}

const local = vec3()
const paid = vec3()
const reverse = vec3()
const nose = vec3()
const target = quat()

/** Sides with less than this share of the main engine are too weak to fly curves with. */
const WEAK = 0.4

/** Force across that the sides lack, as a share of the main engine, at which the nose points wholly to the force. */
const LEAN = 0.15

/** Without any brake each step of a turn adds a trifle to the speed; up to this share of `maxSpeed` the turn goes on. */
const NO_BRAKE_SLACK = 0.005

/** A ship with an engine for each direction of its own frame: what it can do depends on where its nose points. */
export class Thrusters implements Locomotion {
  static readonly type: string = 'Thrusters'
  ahead: number
  astern: number
  up: number
  down: number
  port: number
  starboard: number
  readonly attitude: Attitude

  /** @throws RangeError when a limit is negative or not a number. */
  constructor(options: ThrustersOptions) {
    const { ahead, astern = ahead / 2, up = ahead / 4, down = ahead / 4 } = options
    const { port = ahead / 4, starboard = ahead / 4, attitude } = options
    for (const [name, value] of Object.entries({ ahead, astern, up, down, port, starboard }))
      requireNumber(`Thrusters.${name}`, value, 0, false)
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
    // the cost comes first, the demand gets what is left on each axis
    this.costs(agent, step.dt)
    capThrust(agent, step.dt, copy(force, demand.force), Infinity)
    // clamping axis by axis turns the demand, and may turn it into what speeds the agent up: settles within three rounds
    for (let round = 0; round < 3; round++) {
      this.clampRest(vectorToLocal(local, attitude, force))
      capSpeed(agent, step.dt, vectorToWorld(force, attitude, local))
    }
    this.clampRest(vectorToLocal(local, attitude, force))
    // what little brake a turn at full speed takes may be more than there is
    const brake = this.leftAlong(vectorToLocal(reverse, attitude, scale(reverse, agent.velocity, -1)))
    shortenToSpeed(agent, step.dt, vectorToWorld(force, attitude, local), brake > 0 ? 0 : NO_BRAKE_SLACK)
    vectorToLocal(local, attitude, force)
    addScaled(local, paid, local, Math.min(1, shareWithin(paid, local, agent.maxForce)))
    vectorToWorld(force, attitude, local)
    this.attitude.actuate(agent, demand, step, demand.force, out)
  }

  forceAlong(agent: Agent, x: number, y: number, z: number): number {
    vectorToLocal(local, agent.attitude, set(local, x, y, z))
    this.costs(agent, NOMINAL_STEP)
    return Math.min(shareWithin(paid, local, agent.maxForce), this.leftAlong(local))
  }

  /** What the engines of the sides cannot give, the main engine gives when the ship has turned. */
  forceTurnTime(agent: Agent): number {
    if (this.strength() >= WEAK) return 0
    const time = turnTime(agent, agent.attitude.y, Math.PI / 2)
    return time < Infinity ? time : 0
  }

  /** Turns the nose to the force as far as the sides fall short of it; otherwise along the course. */
  turnForForce(agent: Agent, force: Vec3Like, step: Step, out: Wrench): void {
    const { course } = agent
    reject(local, force, course.x)
    const short = length(local) - this.strength() * this.ahead
    const share = smoothstep(short / this.ahead, 0, LEAN)
    scale(nose, course.x, 1 - share)
    addScaled(nose, nose, force, share / Math.max(length(force), 1e-9))
    if (isZero(normalize(nose, nose))) copy(nose, course.x)
    noseAttitude(target, agent, nose, 'free', step, force, 0)
    turnTo(agent, target, step, out)
  }

  /** Share of the main engine that the weakest of the sides has. */
  private strength(): number {
    return Math.min(this.up, this.down, this.port, this.starboard) / this.ahead
  }

  /** Force along a local unit direction until one engine runs out. Needs `paid`. */
  private leftAlong({ x, y, z }: Readonly<Vec3>): number {
    return Math.min(
      left(x, paid.x, this.ahead, this.astern),
      left(y, paid.y, this.up, this.down),
      left(z, paid.z, this.starboard, this.port),
    )
  }

  /** What gravity and damping cost, as far as the engines can pay, into `paid` (local). */
  private costs(agent: Agent, dt: number): void {
    const { ahead, astern, up, down, port, starboard } = this
    const { x, y, z } = vectorToLocal(paid, agent.attitude, feedForward(paid, agent, dt))
    set(paid, clamp(x, -astern, ahead), clamp(y, -down, up), clamp(z, -port, starboard))
    truncate(paid, paid, agent.maxForce)
  }

  /** Clamps a local force to what the engines have left beside `paid`. */
  private clampRest(v: Vec3): void {
    const { ahead, astern, up, down, port, starboard } = this
    v.x = clamp(v.x, -astern - paid.x, ahead - paid.x)
    v.y = clamp(v.y, -down - paid.y, up - paid.y)
    v.z = clamp(v.z, -port - paid.z, starboard - paid.z)
  }
}

/** Force along a direction with component `d` until this axis runs out, when `cost` is already spent on it. */
function left(d: number, cost: number, plus: number, minus: number): number {
  if (Math.abs(d) < 1e-9) return Infinity
  return d > 0 ? (plus - cost) / d : (minus + cost) / -d
}
