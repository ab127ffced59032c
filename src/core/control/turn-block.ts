import type { Step, Vec3 } from '../types.js'
import {
  ANGULAR_VELOCITY,
  INERTIA,
  MAX_TORQUE,
  MAX_TURN_RATE,
  ORIENTATION,
  PRINCIPAL,
  RECORD,
  SERVO_TIME,
  TARGET,
  TARGET_SPIN,
  TORQUE,
  type AgentBlock,
} from './agent-block.js'
import { followSlope, lagBeside } from './profile.js'
import { loadQuat, quat, rotate, unrotate } from '../math/quat.js'
import { addScaled, length, load, save, scale, set, truncate, vec3 } from '../math/vec3.js'

// The numbers below are chosen by hand unless they say otherwise.

/** Share of the torque that the braking profile counts on; the rest corrects errors. Larger: faster turns. */
export const TORQUE_SHARE = 0.85

/** An attitude counts as reached below this angle (rad) and `REST_RATE`: then the spin is only damped. */
const REST_ANGLE = 1e-3
/** It must also turn more slowly than this (rad/s). */
const REST_RATE = 1e-4

const v = vec3()
const spin = vec3()
const principal = quat()

/**
 * Writes into TORQUE the torque (N·m) that turns the agents to the attitudes TARGET, which turn by
 * TARGET_SPIN (rad/s), see `turnTo`.
 */
export function turnBlock(block: AgentBlock, step: Step): void {
  planBlock(block, step)
  torqueBlock(block)
}

/** Writes into TORQUE the angular acceleration (rad/s²) that is wanted. */
function planBlock({ count, data }: AgentBlock, { dt }: Step): void {
  for (let i = 0; i < count; i++) {
    const o = RECORD * i
    const fx = data[o + ORIENTATION]!
    const fy = data[o + ORIENTATION + 1]!
    const fz = data[o + ORIENTATION + 2]!
    const fw = data[o + ORIENTATION + 3]!
    const tx = data[o + TARGET]!
    const ty = data[o + TARGET + 1]!
    const tz = data[o + TARGET + 2]!
    const tw = data[o + TARGET + 3]!
    // the rotation vector, see `rotationBetween`
    let x = -tw * fx + tx * fw - ty * fz + tz * fy
    let y = -tw * fy + tx * fz + ty * fw - tz * fx
    let z = -tw * fz - tx * fy + ty * fx + tz * fw
    let w = tw * fw + tx * fx + ty * fy + tz * fz
    if (w < 0) {
      x = -x
      y = -y
      z = -z
      w = -w
    }
    const sine = Math.sqrt(x * x + y * y + z * z)
    const perSine = sine > 1e-9 ? (2 * Math.atan2(sine, w)) / sine : 2
    x *= perSine
    y *= perSine
    z *= perSine
    const sx = data[o + ANGULAR_VELOCITY]!
    const sy = data[o + ANGULAR_VELOCITY + 1]!
    const sz = data[o + ANGULAR_VELOCITY + 2]!
    const rx = sx - data[o + TARGET_SPIN]!
    const ry = sy - data[o + TARGET_SPIN + 1]!
    const rz = sz - data[o + TARGET_SPIN + 2]!
    const maxTorque = data[o + MAX_TORQUE]!
    const maxTurnRate = data[o + MAX_TURN_RATE]!
    const time = data[o + SERVO_TIME]!
    const angle = Math.sqrt(x * x + y * y + z * z)
    if (angle < 1e-12 || (angle < REST_ANGLE && Math.sqrt(rx * rx + ry * ry + rz * rz) < REST_RATE)) {
      scale(v, set(v, rx, ry, rz), -1 / time)
    } else {
      const perAngle = 1 / angle
      x *= perAngle
      y *= perAngle
      z *= perAngle
      const effort = length(timesInertia(set(v, x, y, z), data, o))
      const decel = (TORQUE_SHARE * maxTorque) / effort
      const lag = lagBeside(time, dt)
      const closing = rx * x + ry * y + rz * z
      // as `followPlan`, from the angle and from the one that is reached in this step
      const fast = undampedSpeed(angle, decel, lag)
      const wanted = maxTurnRate < fast ? maxTurnRate : fast
      const steep = wanted === maxTurnRate || !(decel > 0) ? 0 : 1 / (lag + wanted / decel)
      let change = followSlope(wanted, steep, closing, time, dt)
      const path = (closing + change * dt) * dt
      if (path > 0 && path < Infinity) {
        const rest = angle - path
        const then = undampedSpeed(Math.abs(rest), decel, lag)
        const wantedThen = Math.sign(rest) * (maxTurnRate < then ? maxTurnRate : then)
        change = followSlope(wanted, (wanted - wantedThen) / path, closing, time, dt)
      }
      // about other axes the planned rate is 0
      const across = followSlope(0, wanted / angle, 1, time, dt)
      v.x = (rx + x * -closing) * across + x * change
      v.y = (ry + y * -closing) * across + y * change
      v.z = (rz + z * -closing) * across + z * change
      // one that cannot be turned
      if (effort === 0) set(v, 0, 0, 0)
    }
    save(v, data, o + TORQUE)
  }
}

/** Replaces the angular acceleration in TORQUE by the torque for it. */
function torqueBlock({ count, data }: AgentBlock): void {
  for (let i = 0; i < count; i++) {
    const o = RECORD * i
    timesInertia(load(v, data, o + TORQUE), data, o)
    truncate(v, v, data[o + MAX_TORQUE]!)
    // no −0: it is added to a torque of 0
    data[o + TORQUE] = 0 + v.x
    data[o + TORQUE + 1] = 0 + v.y
    data[o + TORQUE + 2] = 0 + v.z
  }
}

/**
 * Limits TORQUE to what the agents have, and so that it does not raise their turn rates above the greatest
 * ones, see `limitTorque`.
 */
export function limitBlock({ count, data }: AgentBlock, { dt }: Step): void {
  for (let i = 0; i < count; i++) {
    const o = RECORD * i
    load(spin, data, o + ANGULAR_VELOCITY)
    load(v, data, o + TORQUE)
    save(truncate(v, v, data[o + MAX_TORQUE]!), data, o + TORQUE)
    addScaled(v, spin, perInertia(v, data, o), dt)
    const limit = Math.max(data[o + MAX_TURN_RATE]!, length(spin))
    const rate = length(v)
    if (!(rate > limit)) continue
    addScaled(v, scale(v, v, limit / rate), spin, -1)
    timesInertia(scale(v, v, 1 / dt), data, o)
    save(truncate(v, v, data[o + MAX_TORQUE]!), data, o + TORQUE)
  }
}

/** As `brakingSpeed` without damping. */
function undampedSpeed(distance: number, decel: number, time: number): number {
  return distance > 0 ? distance / (time / 2 + Math.sqrt((time * time) / 4 + distance / decel / 2)) : 0
}

/** Multiplies the vector `out` by the inertia tensor of the agent with the record at `o`, see `torqueFor`. */
function timesInertia(out: Vec3, data: Float64Array, o: number): Vec3 {
  unrotate(out, loadQuat(principal, data, o + PRINCIPAL), out)
  out.x *= data[o + INERTIA]!
  out.y *= data[o + INERTIA + 1]!
  out.z *= data[o + INERTIA + 2]!
  return rotate(out, principal, out)
}

/** The inverse; 0 about axes that cannot be turned, see `turnAcceleration`. */
function perInertia(out: Vec3, data: Float64Array, o: number): Vec3 {
  unrotate(out, loadQuat(principal, data, o + PRINCIPAL), out)
  const x = data[o + INERTIA]!
  const y = data[o + INERTIA + 1]!
  const z = data[o + INERTIA + 2]!
  out.x = x > 0 ? out.x / x : 0
  out.y = y > 0 ? out.y / y : 0
  out.z = z > 0 ? out.z / z : 0
  return rotate(out, principal, out)
}
