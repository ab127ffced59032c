import type { Agent, Locomotion, Step, Wrench } from '../types.js'
import { carryFrame, copyFrame, frame } from '../math/frame.js'
import { servoTime } from '../control/drive.js'
import { leanTowards } from '../control/nose.js'
import { limitTorque, modelAttitude, turnTo } from '../control/turn.js'
import { quat, quatFromAxes } from '../math/quat.js'
import { requireNumber } from '../math/require.js'
import { clamp } from '../math/scalar.js'
import { addScaled, copy, dot, length, reject, scale, set, truncate, vec3 } from '../math/vec3.js'
import { DEFAULT_BANK_WEIGHT } from './attitude.js'
import { capSpeed, shareWithin } from './limits.js'

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

const ahead = vec3()
const lateral = vec3()
const towards = vec3()
const flown = frame()
const steering = quat()
const target = quat()

/**
 * A bird or an aircraft: pushes ahead along its nose, brakes along its course, and turns by rolling its wings until their
 * lift points where it wants to go, so that a turn shows as a bank and begins a moment later than a drone's. Gravity, where
 * there is any, is held by the lift.
 */
export class Flight implements Locomotion {
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
    const { mass, attitude } = agent
    const { force } = out
    const lift = this.liftNow(agent)
    copy(ahead, agent.course.x)
    // what is wanted, along and across the course
    const pull = this.pull(agent, dot(demand.force, ahead), step)
    reject(lateral, addScaled(lateral, demand.force, agent.gravity, -mass), ahead)
    truncate(lateral, lateral, lift)
    // what the wings give in the attitude they have now
    const grip = Math.max(0, dot(attitude.x, ahead))
    const side = this.sideForce * lift
    set(force, 0, 0, 0)
    addScaled(force, force, attitude.y, grip * clamp(dot(lateral, attitude.y), -lift, lift))
    addScaled(force, force, attitude.z, grip * clamp(dot(lateral, attitude.z), -side, side))
    reject(force, force, ahead)
    addScaled(force, force, pull > 0 ? attitude.x : ahead, pull)
    capSpeed(agent, step.dt, force)
    if (demand.turns) copy(out.torque, demand.torque)
    else this.bank(agent, step, out)
    limitTorque(agent, step.dt, out.torque)
  }

  forceAlong(agent: Agent, x: number, y: number, z: number): number {
    copy(ahead, agent.course.x)
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

  /** Nose along the course, top towards the lift that is wanted. */
  private bank(agent: Agent, step: Step, out: Wrench): void {
    const missing = Math.max(0, this.bankWeight - length(agent.gravity))
    scale(towards, lateral, 1 / agent.mass)
    addScaled(towards, towards, step.up, missing)
    carryFrame(copyFrame(flown, agent.attitude), ahead)
    leanTowards(flown, towards, this.bankWeight)
    modelAttitude(target, quatFromAxes(steering, flown.x, flown.y), agent.axes)
    turnTo(agent, target, step, out)
  }
}
