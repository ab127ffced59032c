import type { Step } from '../types.js'
import {
  ANGULAR_VELOCITY,
  hasRoot,
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

// The numbers below are chosen by hand unless they say otherwise.

/** Share of the torque that the braking profile counts on; the rest corrects errors. Larger: faster turns. */
export const TORQUE_SHARE = 0.85

/** An attitude counts as reached below this angle (rad) and `REST_RATE`: then the spin is only damped. */
const REST_ANGLE = 1e-3
/** It must also turn more slowly than this (rad/s). */
const REST_RATE = 1e-4

/** A vector, and the length to which it is limited: numbers passed between functions may be boxed. */
const spare = new Float64Array(4)
const MOST = 3

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
      const gain = -1 / time
      spare[0] = rx * gain
      spare[1] = ry * gain
      spare[2] = rz * gain
    } else {
      const perAngle = 1 / angle
      x *= perAngle
      y *= perAngle
      z *= perAngle
      spare[0] = x
      spare[1] = y
      spare[2] = z
      timesInertia(spare, data, o)
      const effortSq = spare[0] * spare[0] + spare[1] * spare[1] + spare[2] * spare[2]
      const effort = hasRoot(effortSq) ? Math.sqrt(effortSq) : 1 * Math.hypot(spare[0], spare[1], spare[2])
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
      spare[0] = (rx + x * -closing) * across + x * change
      spare[1] = (ry + y * -closing) * across + y * change
      spare[2] = (rz + z * -closing) * across + z * change
      // one that cannot be turned
      if (effort === 0) spare.fill(0)
    }
    data[o + TORQUE] = spare[0]
    data[o + TORQUE + 1] = spare[1]
    data[o + TORQUE + 2] = spare[2]
  }
}

/** Replaces the angular acceleration in TORQUE by the torque for it. */
function torqueBlock({ count, data }: AgentBlock): void {
  for (let i = 0; i < count; i++) {
    const o = RECORD * i
    spare[0] = data[o + TORQUE]!
    spare[1] = data[o + TORQUE + 1]!
    spare[2] = data[o + TORQUE + 2]!
    spare[MOST] = data[o + MAX_TORQUE]!
    timesInertia(spare, data, o)
    truncateInPlace(spare)
    // no −0: it is added to a torque of 0
    data[o + TORQUE] = 0 + spare[0]
    data[o + TORQUE + 1] = 0 + spare[1]
    data[o + TORQUE + 2] = 0 + spare[2]
  }
}

/**
 * Limits TORQUE to what the agents have, and so that it does not raise their turn rates above the greatest
 * ones, see `limitTorque`.
 */
export function limitBlock({ count, data }: AgentBlock, { dt }: Step): void {
  for (let i = 0; i < count; i++) {
    const o = RECORD * i
    const maxTurnRate = data[o + MAX_TURN_RATE]!
    const sx = data[o + ANGULAR_VELOCITY]!
    const sy = data[o + ANGULAR_VELOCITY + 1]!
    const sz = data[o + ANGULAR_VELOCITY + 2]!
    spare[0] = data[o + TORQUE]!
    spare[1] = data[o + TORQUE + 1]!
    spare[2] = data[o + TORQUE + 2]!
    spare[MOST] = data[o + MAX_TORQUE]!
    truncateInPlace(spare)
    data[o + TORQUE] = spare[0]
    data[o + TORQUE + 1] = spare[1]
    data[o + TORQUE + 2] = spare[2]
    perInertia(spare, data, o)
    spare[0] = sx + spare[0] * dt
    spare[1] = sy + spare[1] * dt
    spare[2] = sz + spare[2] * dt
    const sq = sx * sx + sy * sy + sz * sz
    const spinNow = hasRoot(sq) ? Math.sqrt(sq) : 1 * Math.hypot(sx, sy, sz)
    spare[MOST] = maxTurnRate > spinNow ? maxTurnRate : spinNow
    if (!truncateInPlace(spare)) continue
    const perStep = 1 / dt
    spare[0] = (spare[0] + sx * -1) * perStep
    spare[1] = (spare[1] + sy * -1) * perStep
    spare[2] = (spare[2] + sz * -1) * perStep
    timesInertia(spare, data, o)
    spare[MOST] = data[o + MAX_TORQUE]!
    truncateInPlace(spare)
    data[o + TORQUE] = spare[0]
    data[o + TORQUE + 1] = spare[1]
    data[o + TORQUE + 2] = spare[2]
  }
}

/** As `brakingSpeed` without damping. */
function undampedSpeed(distance: number, decel: number, time: number): number {
  return distance > 0 ? distance / (time / 2 + Math.sqrt((time * time) / 4 + distance / decel / 2)) : 0
}

/** Shortens the vector `v` to the length `v[MOST]`. Whether it was longer. */
function truncateInPlace(v: Float64Array): boolean {
  const x = v[0]!
  const y = v[1]!
  const z = v[2]!
  const max = v[MOST]!
  const sq = x * x + y * y + z * z
  const size = hasRoot(sq) ? Math.sqrt(sq) : 1 * Math.hypot(x, y, z)
  const share = size > max ? max / size : 1
  v[0] = x * share
  v[1] = y * share
  v[2] = z * share
  return size > max
}

/** Multiplies the vector `v` by the inertia tensor of the agent with the record at `o`, see `torqueFor`. */
function timesInertia(v: Float64Array, data: Float64Array, o: number): void {
  toModel(v, data, o)
  v[0]! *= data[o + INERTIA]!
  v[1]! *= data[o + INERTIA + 1]!
  v[2]! *= data[o + INERTIA + 2]!
  toWorld(v, data, o)
}

/** The inverse; 0 about axes that cannot be turned, see `turnAcceleration`. */
function perInertia(v: Float64Array, data: Float64Array, o: number): void {
  toModel(v, data, o)
  for (let k = 0; k < 3; k++) {
    const inertia = data[o + INERTIA + k]!
    v[k] = inertia > 0 ? v[k]! / inertia : 0
  }
  toWorld(v, data, o)
}

function toModel(v: Float64Array, data: Float64Array, o: number): void {
  const qx = data[o + PRINCIPAL]!
  const qy = data[o + PRINCIPAL + 1]!
  const qz = data[o + PRINCIPAL + 2]!
  const qw = data[o + PRINCIPAL + 3]!
  const x = v[0]!
  const y = v[1]!
  const z = v[2]!
  const tx = 2 * (qz * y - qy * z)
  const ty = 2 * (qx * z - qz * x)
  const tz = 2 * (qy * x - qx * y)
  v[0] = x + qw * tx - qy * tz + qz * ty
  v[1] = y + qw * ty - qz * tx + qx * tz
  v[2] = z + qw * tz - qx * ty + qy * tx
}

function toWorld(v: Float64Array, data: Float64Array, o: number): void {
  const qx = data[o + PRINCIPAL]!
  const qy = data[o + PRINCIPAL + 1]!
  const qz = data[o + PRINCIPAL + 2]!
  const qw = data[o + PRINCIPAL + 3]!
  const x = v[0]!
  const y = v[1]!
  const z = v[2]!
  const tx = 2 * (qy * z - qz * y)
  const ty = 2 * (qz * x - qx * z)
  const tz = 2 * (qx * y - qy * x)
  v[0] = x + qw * tx + qy * tz - qz * ty
  v[1] = y + qw * ty + qz * tx - qx * tz
  v[2] = z + qw * tz + qx * ty - qy * tx
}
