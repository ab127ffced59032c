import type { Agent, Frame, Locomotion, Step, Vec3, Vec3Like, Wrench } from '../types.js'
import { shareWithin } from '../math/ball.js'
import { carryFrame, copyFrame, frame } from '../math/frame.js'
import type { AgentBlock, BlockLocomotion } from '../control/agent-block.js'
import { servoTime } from '../control/drive.js'
import { facingSpeed, leanTowards } from '../control/nose.js'
import { limitTorque, modelAttitude, turnTime, turnTo } from '../control/turn.js'
import { quat, quatFromAxes } from '../math/quat.js'
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
import {
  ASTERN_SHARE,
  availableLift,
  FLIGHT_SHARE,
  flyBlock,
  MIN_TURN_SPEED,
  SIDE_FORCE_SHARE,
  SLOWEST_SHARE,
} from './flight-block.js'
import { capSpeed } from './limits.js'
import { readOptions, type AnyTable, type FieldsOf, type Options, type OptionsOf } from '../math/options.js'

export interface FlightOptions extends Options, OptionsOf<typeof Flight.options> {}
export interface Flight extends FieldsOf<typeof Flight.options> {}

/**
 * A nose within this sine of straight up or down is not levelled, because it has no horizontal direction.
 * Chosen by hand.
 */
const VERTICAL_SINE = 0.05

/**
 * Up to this share of `maxSpeed` (or of the speed gained in one second) a vehicle hovers, from `FLIGHT_SHARE`
 * on it flies along its course. Chosen by hand.
 */
const HOVER_SHARE = 0.05

const ahead = vec3()
const lateral = vec3()
const towards = vec3()
const wingForce = vec3()
const turnRate = vec3()
const gravityTurn = vec3()
const level = vec3()
const banked = frame()
const steering = quat()
const target = quat()

/**
 * Moves the agent as a bird or an aircraft: thrust along its nose, drag along its course, and turns by
 * rolling its wings until their lift has the wanted direction. So a turn shows as a bank and begins a moment
 * later than that of a drone. The lift also carries the weight.
 */
export class Flight implements Locomotion {
  static readonly type: string = 'Flight'
  static readonly options = {
    /**
     * Least speed, m/s, ≥ 0. Below it the engine accelerates the vehicle by itself, and the lift falls with
     * v². Default 0.
     */
    minSpeed: { kind: 'number', unit: 'm/s', atLeast: 0, infinite: true, default: 0 },
    /** Greatest thrust ahead, N, ≥ 0. Default the agent's `maxForce`. */
    thrust: { kind: 'number', unit: 'N', atLeast: 0, infinite: true },
    /** Greatest braking force of flaps and drag, N, ≥ 0. Default half of the agent's `maxForce`. */
    brake: { kind: 'number', unit: 'N', atLeast: 0, infinite: true },
    /**
     * Greatest lift across the wings, N, ≥ 0. The turn radius is m·v² / lift. Default the agent's `maxForce`.
     */
    lift: { kind: 'number', unit: 'N', atLeast: 0, infinite: true },
    /** Force of body and fin to the side, without banking, as a share of the lift. Default 0.25. */
    // Aircraft have little side force without banking. Chosen by hand.
    sideForce: { kind: 'number', atLeast: 0, infinite: true, default: 0.25 },
    /**
     * Acceleration (m/s²) against which a bank is measured, see `AttitudeOptions.bankWeight`. Default 9.81.
     */
    bankWeight: { kind: 'number', unit: 'm/s²', atLeast: 0, infinite: true, default: DEFAULT_BANK_WEIGHT },
  } as const satisfies AnyTable

  /** @throws RangeError when an option is negative or not a number. */
  constructor(options: FlightOptions = {}) {
    Object.assign(this, readOptions('Flight', Flight.options, options))
  }

  actuate(agent: Agent, demand: Readonly<Wrench>, step: Step, out: Wrench): void {
    const { attitude } = agent
    const { force } = out
    flightDirection(ahead, agent)
    this.wings(agent, ahead, this.turningForce(agent, ahead, demand.force), lateral, force)
    copy(wingForce, force)
    const thrust = this.thrustAlong(agent, ahead, demand.force, step)
    addScaled(force, force, thrust > 0 ? attitude.x : ahead, thrust)
    capSpeed(agent, step, force)
    if (demand.turns) copy(out.torque, demand.torque)
    else this.bank(agent, step, ahead, lateral, wingForce, out)
    limitTorque(agent, step.dt, out.torque)
  }

  forceAlong(agent: Agent, x: number, y: number, z: number): number {
    flightDirection(ahead, agent)
    const along = x * ahead.x + y * ahead.y + z * ahead.z
    // the wings carry the weight across the course; the engine carries that along it, if `compensateGravity`
    // is set
    reject(lateral, scale(lateral, agent.gravity, -agent.mass), ahead)
    reject(towards, set(towards, x, y, z), ahead)
    const lift = this.availableLift(agent)
    const across = length(lateral) <= lift ? shareWithin(lateral, towards, lift) : 0
    const cost = this.weightAlong(agent, ahead)
    const thrust =
      along > 0 ? (this.thrust ?? agent.maxForce) - cost : (this.brake ?? agent.maxForce / 2) + cost
    if (length(towards) < 1e-9) return thrust
    return Math.abs(along) < 1e-9 ? across : Math.min(thrust / Math.abs(along), across)
  }

  /** See `Locomotion.forBlocks`. @internal */
  forBlocks(): BlockLocomotion | null {
    return this.actuate === Flight.prototype.actuate ? this : null
  }

  actuateBlock(block: AgentBlock, step: Step): void {
    flyBlock(this, block, step)
  }

  /** The wings must roll before their lift has the wanted direction. */
  forceTurnTime(agent: Agent): number {
    const time = turnTime(agent, agent.attitude.x, Math.PI / 2)
    return time < Infinity ? time : 0
  }

  turnForForce(agent: Agent, force: Vec3Like, step: Step, out: Wrench): void {
    flightDirection(ahead, agent)
    this.wings(agent, ahead, force, lateral, wingForce)
    this.bank(agent, step, ahead, lateral, wingForce, out)
  }

  /**
   * The wanted force. At the least speed, one exactly astern needs a part across: straight astern has no
   * side, and the vehicle, which can neither stop nor fly astern, would fly on until rounding decides.
   */
  private turningForce(agent: Agent, direction: Vec3Like, force: Vec3Like): Vec3Like {
    const least = -ASTERN_SHARE * dot(force, direction)
    if (!(least > 0 && agent.speed < SLOWEST_SHARE * this.minSpeed)) return force
    reject(towards, force, direction)
    if (length(towards) >= least) return force
    if (isZero(towards)) reject(towards, agent.attitude.z, direction)
    normalize(towards, towards)
    return addScaled(towards, force, towards, least)
  }

  /** Thrust (N) along `direction` that compensates gravity. */
  private weightAlong(agent: Agent, direction: Vec3Like): number {
    return agent.compensateGravity ? -agent.mass * dot(agent.gravity, direction) : 0
  }

  /** Thrust (+) or drag (−) along `direction`, N, of the force that is wanted. */
  private thrustAlong(agent: Agent, direction: Vec3Like, force: Vec3Like, step: Step): number {
    const weight = this.weightAlong(agent, direction)
    const wanted = force.x * direction.x + force.y * direction.y + force.z * direction.z
    const forMinSpeed =
      agent.speed < this.minSpeed
        ? (agent.mass * (this.minSpeed - agent.speed)) / servoTime(agent, step)
        : -Infinity
    return clamp(
      Math.max(wanted + weight, forMinSpeed),
      -(this.brake ?? agent.maxForce / 2),
      this.thrust ?? agent.maxForce,
    )
  }

  /** Greatest lift (N) at the present speed. */
  private availableLift(agent: Agent): number {
    return availableLift(this, agent.speed, agent.maxForce)
  }

  /**
   * Writes the force (N) that the wings give in their present attitude. `direction` is that of the flight.
   * The wanted force across it is written to `wantedLift`. Written with plain numbers, because it runs for
   * every bird in every step.
   */
  private wings(agent: Agent, direction: Vec3Like, demand: Vec3Like, wantedLift: Vec3, out: Vec3): void {
    const { x: nose, y: top, z: starboard } = agent.attitude
    const { gravity, mass } = agent
    const { x, y, z } = direction
    const lift = this.availableLift(agent)
    const side = this.sideForce * lift
    addScaled(wantedLift, demand, gravity, -mass)
    reject(wantedLift, wantedLift, direction)
    truncate(wantedLift, wantedLift, lift)
    const { x: wx, y: wy, z: wz } = wantedLift
    const along = nose.x * x + nose.y * y + nose.z * z
    const alignment = along > 0 ? along : 0
    const up = wx * top.x + wy * top.y + wz * top.z
    const right = wx * starboard.x + wy * starboard.y + wz * starboard.z
    const byWings = alignment * (up < -lift ? -lift : up > lift ? lift : up)
    const bySide = alignment * (right < -side ? -side : right > side ? side : right)
    out.x = top.x * byWings + starboard.x * bySide
    out.y = top.y * byWings + starboard.y * bySide
    out.z = top.z * byWings + starboard.z * bySide
    reject(out, out, direction)
  }

  /**
   * Banks `f` further until the side force can supply the component of `wantedLift` that the lift does not
   * have.
   */
  private bankEnough(agent: Agent, f: Frame, wantedLift: Vec3Like): void {
    const { x: wx, y: wy, z: wz } = wantedLift
    const sq = wx * wx + wy * wy + wz * wz
    const wanted = sq > 1e-280 && sq < 1e280 ? Math.sqrt(sq) : length(wantedLift)
    const sine = (SIDE_FORCE_SHARE * this.sideForce * this.availableLift(agent)) / wanted
    if (!(sine < 1)) return
    const { x, y, z } = f
    const unit = 1 / wanted
    towards.x = wx * unit
    towards.y = wy * unit
    towards.z = wz * unit
    const cosine = Math.sqrt(1 - sine * sine)
    if (y.x * towards.x + y.y * towards.y + y.z * towards.z >= cosine) return
    normalize(z, reject(z, y, towards))
    // exactly upside down: it rolls over the starboard wing
    if (isZero(z)) cross(z, x, towards)
    y.x = towards.x * cosine + z.x * sine
    y.y = towards.y * cosine + z.y * sine
    y.z = towards.z * cosine + z.z * sine
    cross(z, x, y)
  }

  /**
   * Writes the torque that turns the nose to `direction` and the up axis towards `wantedLift`. The turn rate
   * of the course, by the present `lift` and gravity, is fed forward.
   */
  private bank(
    agent: Agent,
    step: Step,
    direction: Vec3Like,
    wantedLift: Vec3Like,
    lift: Vec3Like,
    out: Wrench,
  ): void {
    const { gravity, mass, speed } = agent
    const { up } = step
    const missing = this.bankWeight - length(gravity)
    const weight = missing > 0 ? missing : 0
    const perMass = 1 / mass
    towards.x = wantedLift.x * perMass + up.x * weight
    towards.y = wantedLift.y * perMass + up.y * weight
    towards.z = wantedLift.z * perMass + up.z * weight
    carryFrame(copyFrame(banked, agent.attitude), direction)
    leanTowards(banked, towards, this.bankWeight, speed <= facingSpeed(agent))
    this.bankEnough(agent, banked, wantedLift)
    modelAttitude(target, quatFromAxes(steering, banked.x, banked.y), agent.axes)
    cross(turnRate, direction, lift)
    cross(gravityTurn, direction, gravity)
    const flying = speed >= FLIGHT_SHARE * topSpeedOf(agent) ? 1 : flyingShare(agent)
    const k = speed > MIN_TURN_SPEED ? flying / speed : 0
    turnRate.x = (turnRate.x * perMass + gravityTurn.x) * k
    turnRate.y = (turnRate.y * perMass + gravityTurn.y) * k
    turnRate.z = (turnRate.z * perMass + gravityTurn.z) * k
    turnTo(agent, target, step, out, turnRate)
  }
}

/** 0 for an agent that hovers, 1 for one that flies along its course. */
function flyingShare(agent: Agent): number {
  const top = topSpeedOf(agent)
  return smoothstep(agent.speed, HOVER_SHARE * top, FLIGHT_SHARE * top)
}

/** `maxSpeed`, or the speed gained in one second (m/s). */
function topSpeedOf({ maxForce, maxSpeed, mass }: Agent): number {
  const gained = maxForce / mass
  return gained < maxSpeed ? gained : maxSpeed
}

/**
 * Writes the direction of flight: the course. An agent that hovers has no course; its direction is its nose,
 * levelled if there is gravity.
 */
function flightDirection(out: Vec3, agent: Agent): void {
  copy(out, agent.course.x)
  // the usual case first
  if (agent.speed >= FLIGHT_SHARE * topSpeedOf(agent)) return
  const flying = flyingShare(agent)
  const weight = length(agent.gravity)
  const { x: nose } = agent.attitude
  scale(level, agent.gravity, weight > 0 ? 1 / weight : 0)
  reject(level, nose, level)
  if (length(level) < VERTICAL_SINE) copy(level, nose)
  normalize(level, level)
  scale(out, out, flying)
  addScaled(out, out, level, 1 - flying)
  // the two directions are opposite and cancel each other
  if (length(out) < 1e-3) copy(out, level)
  normalize(out, out)
}
