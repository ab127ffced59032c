import type { Agent, Locomotion, Step, Vec3, Vec3Like, Wrench } from '../types.js'
import { shareWithin } from '../math/ball.js'
import { carryFrame, copyFrame, frame } from '../math/frame.js'
import { servoTime } from '../control/drive.js'
import { facingSpeed, leanTowards } from '../control/nose.js'
import { limitTorque, modelAttitude, turnTime, turnTo } from '../control/turn.js'
import { quat, quatFromAxes } from '../math/quat.js'
import { requireNumber } from '../math/require.js'
import { clamp, smoothstep } from '../math/scalar.js'
import {
  addScaled,
  copy,
  cross,
  dot,
  isZero,
  length,
  normalize,
  reject,
  scale,
  set,
  truncate,
  vec3,
} from '../math/vec3.js'
import { DEFAULT_BANK_WEIGHT } from './attitude.js'
import { capSpeed } from './limits.js'

export interface FlightOptions {
  /** Slower than this the engine is opened and the wings lose lift with v², m/s, ≥ 0. Default 0. */
  minSpeed?: number
  /** Thrust ahead, N. Default the agent's `maxForce`. */
  thrust?: number
  /** Braking by flaps and drag, N. Default half of the agent's `maxForce`. */
  brake?: number
  /** Lift across the wings, N. The turn radius is m·v² / lift. Default the agent's `maxForce`. */
  lift?: number
  /** Share of the lift that body and fin give sideways, without banking. Default 0.25. */
  sideForce?: number
  /** Acceleration (m/s²) that banks are measured against, see `AttitudeOptions.bankWeight`. Default 9.81. */
  bankWeight?: number
}

/** A nose so near to straight up or down (sine) is not levelled: there is no direction to level it to. */
const UPRIGHT = 0.05

/** Between these shares of `maxSpeed` (or of the speed gained in a second) a vehicle goes over from hovering to flying along its course. */
const HOVERS = 0.05
const FLIES = 0.2

const ahead = vec3()
const lateral = vec3()
const towards = vec3()
const given = vec3()
const turning = vec3()
const falling = vec3()
const level = vec3()
const flown = frame()

/** Share of the side force that leaning counts on. */
const LEAN_SHARE = 0.8

/** Slower than this (m/s) a course has no rate of turn. */
const SLOW = 0.1
const steering = quat()
const target = quat()

/**
 * A bird or an aircraft: pushes ahead along its nose, brakes along its course, and turns by rolling its wings until their
 * lift points where it wants to go, so that a turn shows as a bank and begins a moment later than a drone's. Gravity, where
 * there is any, is held by the lift.
 */
export class Flight implements Locomotion {
  static readonly type: string = 'Flight'
  minSpeed: number
  thrust: number | undefined
  brake: number | undefined
  lift: number | undefined
  sideForce: number
  bankWeight: number

  /** @throws RangeError when an option is negative or not a number. */
  constructor(options: FlightOptions = {}) {
    const { minSpeed = 0, thrust, brake, lift, sideForce = 0.25, bankWeight = DEFAULT_BANK_WEIGHT } = options
    for (const [name, value] of Object.entries({ minSpeed, thrust, brake, lift, sideForce, bankWeight }))
      if (value !== undefined) requireNumber(`Flight.${name}`, value, 0, false)
    this.minSpeed = minSpeed
    this.thrust = thrust
    this.brake = brake
    this.lift = lift
    this.sideForce = sideForce
    this.bankWeight = bankWeight
  }

  actuate(agent: Agent, demand: Readonly<Wrench>, step: Step, out: Wrench): void {
    const { attitude } = agent
    const { force } = out
    this.wings(agent, demand.force, force)
    copy(given, force)
    const pull = this.pull(agent, dot(demand.force, ahead), step)
    addScaled(force, force, pull > 0 ? attitude.x : ahead, pull)
    capSpeed(agent, step.dt, force)
    if (demand.turns) copy(out.torque, demand.torque)
    else this.bank(agent, step, given, out)
    limitTorque(agent, step.dt, out.torque)
  }

  forceAlong(agent: Agent, x: number, y: number, z: number): number {
    lookAhead(agent)
    const along = x * ahead.x + y * ahead.y + z * ahead.z
    // the wings hold the weight across the course, the engine, if asked, that along it
    reject(lateral, scale(lateral, agent.gravity, -agent.mass), ahead)
    reject(towards, set(towards, x, y, z), ahead)
    const lift = this.liftNow(agent)
    const across = length(lateral) <= lift ? shareWithin(lateral, towards, lift) : 0
    const cost = this.weightAlong(agent)
    const pull =
      along > 0 ? (this.thrust ?? agent.maxForce) - cost : (this.brake ?? agent.maxForce / 2) + cost
    if (length(towards) < 1e-9) return pull
    return Math.abs(along) < 1e-9 ? across : Math.min(pull / Math.abs(along), across)
  }

  /** Wings roll before they lift. */
  forceTurnTime(agent: Agent): number {
    const time = turnTime(agent, agent.attitude.x, Math.PI / 2)
    return time < Infinity ? time : 0
  }

  turnForForce(agent: Agent, force: Vec3Like, step: Step, out: Wrench): void {
    this.wings(agent, force, given)
    this.bank(agent, step, given, out)
  }

  /** Thrust that the weight costs along the course. Needs `ahead`. */
  private weightAlong(agent: Agent): number {
    return agent.compensateGravity ? -agent.mass * dot(agent.gravity, ahead) : 0
  }

  /** Thrust (+) or drag (−) along the course. */
  private pull(agent: Agent, wanted: number, step: Step): number {
    const weight = this.weightAlong(agent)
    const short =
      agent.speed < this.minSpeed
        ? (agent.mass * (this.minSpeed - agent.speed)) / servoTime(agent, step)
        : -Infinity
    return clamp(
      Math.max(wanted + weight, short),
      -(this.brake ?? agent.maxForce / 2),
      this.thrust ?? agent.maxForce,
    )
  }

  private liftNow(agent: Agent): number {
    const share = this.minSpeed > 0 ? Math.min(1, agent.speed / this.minSpeed) : 1
    return (this.lift ?? agent.maxForce) * share * share
  }

  /** What the wings give of `demand` in the attitude they have now. Leaves `ahead`, and what is wanted across it in `lateral`. */
  private wings(agent: Agent, demand: Vec3Like, out: Vec3): void {
    const { attitude } = agent
    const lift = this.liftNow(agent)
    lookAhead(agent)
    reject(lateral, addScaled(lateral, demand, agent.gravity, -agent.mass), ahead)
    truncate(lateral, lateral, lift)
    const grip = Math.max(0, dot(attitude.x, ahead))
    const side = this.sideForce * lift
    scale(out, attitude.y, grip * clamp(dot(lateral, attitude.y), -lift, lift))
    addScaled(out, out, attitude.z, grip * clamp(dot(lateral, attitude.z), -side, side))
    reject(out, out, ahead)
  }

  /** Leans `flown` on until the side force makes up for what the wings, not leaning wholly to it, fail to give of `lateral`. */
  private leanEnough(agent: Agent): void {
    const wanted = length(lateral)
    const sine = (LEAN_SHARE * this.sideForce * this.liftNow(agent)) / wanted
    if (!(sine < 1)) return
    const { x, y, z } = flown
    scale(towards, lateral, 1 / wanted)
    const cosine = Math.sqrt(1 - sine * sine)
    if (dot(y, towards) >= cosine) return
    normalize(z, reject(z, y, towards))
    // exactly upside down: over the starboard wing
    if (isZero(z)) cross(z, x, towards)
    scale(y, towards, cosine)
    addScaled(y, y, z, sine)
    cross(z, x, y)
  }

  /** Nose along the course, which `lift` turns, top towards the lift that is wanted. */
  private bank(agent: Agent, step: Step, lift: Vec3Like, out: Wrench): void {
    const missing = Math.max(0, this.bankWeight - length(agent.gravity))
    scale(towards, lateral, 1 / agent.mass)
    addScaled(towards, towards, step.up, missing)
    carryFrame(copyFrame(flown, agent.attitude), ahead)
    leanTowards(flown, towards, this.bankWeight, agent.speed <= facingSpeed(agent))
    this.leanEnough(agent)
    modelAttitude(target, quatFromAxes(steering, flown.x, flown.y), agent.axes)
    cross(turning, ahead, lift)
    addScaled(turning, scale(turning, turning, 1 / agent.mass), cross(falling, ahead, agent.gravity), 1)
    scale(turning, turning, agent.speed > SLOW ? flyingShare(agent) / agent.speed : 0)
    turnTo(agent, target, step, out, turning)
  }
}

/** 0 for who hovers, 1 for who flies. */
function flyingShare({ maxForce, maxSpeed, mass, speed }: Agent): number {
  const top = Math.min(maxSpeed, maxForce / mass)
  return smoothstep(speed, HOVERS * top, FLIES * top)
}

/** Writes where it flies into `ahead`: along its course; who hovers has none, keeps its nose, and, under gravity, levels it. */
function lookAhead(agent: Agent): void {
  copy(ahead, agent.course.x)
  const flying = flyingShare(agent)
  if (flying === 1) return
  const pull = length(agent.gravity)
  const { x: nose } = agent.attitude
  scale(level, agent.gravity, pull > 0 ? 1 / pull : 0)
  reject(level, nose, level)
  if (length(level) < UPRIGHT) copy(level, nose)
  normalize(level, level)
  scale(ahead, ahead, flying)
  addScaled(ahead, ahead, level, 1 - flying)
  // half-way between two opposite directions
  if (length(ahead) < 1e-3) copy(ahead, level)
  normalize(ahead, ahead)
}
