import type { Agent, Quat, QuatLike, Step, Vec3, Vec3Like, Wrench } from '../types.js'
import { multiply, quat, rotate, saveQuat, unrotate } from '../math/quat.js'
import { addScaled, length, load, save, scale, truncate, vec3, ZERO } from '../math/vec3.js'
import {
  AgentBlock,
  ANGULAR_VELOCITY,
  INERTIA,
  MAX_TORQUE,
  MAX_TURN_RATE,
  ORIENTATION,
  PRINCIPAL,
  SERVO_TIME,
  TARGET,
  TARGET_SPIN,
  TORQUE,
} from './agent-block.js'
import { servoTime } from './drive.js'
import { turnBlock } from './turn-block.js'

/** One agent that is steered by itself. */
const alone = new AgentBlock(1, 1)
const rate = vec3()
const unitTorque = vec3()
const body = vec3()
const principal = quat()
const torque = vec3()

/** The rotational properties of a rigid body. */
export interface Solid {
  readonly orientation: QuatLike
  /** Principal moments, kg·m². */
  readonly inertia: Vec3Like
  /** Rotation from the principal axes to the axes of `orientation`. */
  readonly inertiaFrame: QuatLike
}

/**
 * Writes the torque (N·m, world axes) that gives the body the angular acceleration `alpha` (rad/s²): the
 * world inertia tensor times alpha.
 */
export function torqueFor(out: Vec3, agent: Solid, alpha: Vec3Like): Vec3 {
  const { inertia } = agent
  const axes = principalAxes(agent)
  unrotate(body, axes, alpha)
  body.x *= inertia.x
  body.y *= inertia.y
  body.z *= inertia.z
  return rotate(out, axes, body)
}

/**
 * Writes the angular acceleration (rad/s²) that the torque `wrench` (N·m) gives the body; 0 about axes that
 * cannot be turned.
 */
export function turnAcceleration(out: Vec3, agent: Solid, wrench: Vec3Like): Vec3 {
  const axes = principalAxes(agent)
  unrotate(body, axes, wrench)
  const { x, y, z } = agent.inertia
  body.x = x > 0 ? body.x / x : 0
  body.y = y > 0 ? body.y / y : 0
  body.z = z > 0 ? body.z / z : 0
  return rotate(out, axes, body)
}

/** Attitude of the principal axes. Most bodies have them along their own axes. */
function principalAxes({ inertiaFrame, orientation }: Solid): QuatLike {
  const { x, y, z } = inertiaFrame
  return x === 0 && y === 0 && z === 0 ? orientation : multiply(principal, orientation, inertiaFrame)
}

/** Writes what `turnBlock` and `limitBlock` read of an agent into the first record of a block. */
export function loadSolid(data: Float64Array, agent: Agent, step: Step): void {
  saveQuat(agent.orientation, data, ORIENTATION)
  saveQuat(principalAxes(agent), data, PRINCIPAL)
  save(agent.inertia, data, INERTIA)
  save(agent.angularVelocity, data, ANGULAR_VELOCITY)
  data[MAX_TORQUE] = agent.maxTorque
  data[MAX_TURN_RATE] = agent.maxTurnRate
  data[SERVO_TIME] = servoTime(agent, step)
}

/**
 * Adds to `out` the torque (N·m) that turns the agent to the attitude `target` by the shorter rotation. It
 * follows the fastest profile that `maxTorque` can still brake, without overshoot, and not faster than
 * `maxTurnRate`. `targetSpin` (rad/s) is fed forward. The error is that of the whole quaternion, so no
 * attitude is special; scaling by the inertia tensor makes slim bodies turn about the wanted axis.
 */
export function turnTo(
  agent: Agent,
  target: QuatLike,
  step: Step,
  out: Wrench,
  targetSpin: Vec3Like = ZERO,
): void {
  const { data } = alone
  loadSolid(data, agent, step)
  saveQuat(target, data, TARGET)
  save(targetSpin, data, TARGET_SPIN)
  turnBlock(alone, step)
  out.turns = true
  addScaled(out.torque, out.torque, load(torque, data, TORQUE), 1)
}

/**
 * Time (s) in which the agent can turn by `angle` (rad) about the unit axis `about`, from rest to rest.
 * Infinite if it cannot.
 */
export function turnTime(agent: Agent, about: Vec3Like, angle: number): number {
  const effort = length(torqueFor(unitTorque, agent, about))
  const gain = agent.maxTorque / effort
  const { maxTurnRate } = agent
  if (!(effort > 0 && gain > 0)) return Infinity
  // neither torque nor rate may be limited
  return angle * gain > maxTurnRate * maxTurnRate
    ? angle / maxTurnRate + maxTurnRate / gain
    : 2 * Math.sqrt(angle / gain)
}

/**
 * Limits the torque `wrench` (N·m) to `maxTorque`, and so that it does not raise the turn rate above
 * `maxTurnRate`. It never brakes a spin caused from outside.
 */
export function limitTorque(agent: Agent, dt: number, wrench: Vec3): Vec3 {
  truncate(wrench, wrench, agent.maxTorque)
  turnAcceleration(rate, agent, wrench)
  addScaled(rate, agent.angularVelocity, rate, dt)
  const limit = Math.max(agent.maxTurnRate, length(agent.angularVelocity))
  if (length(rate) <= limit) return wrench
  truncate(rate, rate, limit)
  addScaled(rate, rate, agent.angularVelocity, -1)
  torqueFor(wrench, agent, scale(rate, rate, 1 / dt))
  return truncate(wrench, wrench, agent.maxTorque)
}

/**
 * Writes the attitude of the model whose steering frame has the attitude `steering`, by removing the rotation
 * of the model axes.
 */
export function modelAttitude(out: Quat, steering: QuatLike, axes: QuatLike): Quat {
  // steering · conj(axes)
  const { x, y, z, w } = steering
  out.x = x * axes.w - w * axes.x - y * axes.z + z * axes.y
  out.y = y * axes.w - w * axes.y - z * axes.x + x * axes.z
  out.z = z * axes.w - w * axes.z - x * axes.y + y * axes.x
  out.w = w * axes.w + x * axes.x + y * axes.y + z * axes.z
  return out
}
