import type { Frame, MovingFrame, Quat, QuatLike, Vec3, Vec3Like } from '../../core/types.js'
import { brakingSpeed } from '../../core/control/profile.js'
import { frame, frameFromQuat, vectorToLocal, vectorToWorld } from '../../core/math/frame.js'
import { copyQuat, quat, rotationBetween, spin } from '../../core/math/quat.js'
import {
  isFiniteVec,
  addScaled,
  copy,
  cross,
  distance,
  length,
  scale,
  set,
  sub,
  truncate,
  vec3,
} from '../../core/math/vec3.js'
import type { Guide } from './guide.js'
import type { MemberLimits, SlotState } from './member.js'
import { Saved } from '../../core/control/serialize-fields.js'

/** How fast a formation can wheel: turn as a whole about its anchor. */
interface WheelLimits extends MemberLimits {
  /** Greatest angular speed (rad/s) about a unit axis. */
  maxTurnRate(axis: Vec3Like): number
  /** Greatest angular acceleration (rad/s²) about a unit axis. */
  maxTurnAcceleration(axis: Vec3Like): number
}

/** Share of the greatest angular acceleration with which the end of a wheel is planned. Chosen by hand. */
const WHEEL_BRAKE = 0.7

/**
 * A leader that is farther from its predicted position than it flies in this many steps has been moved, not
 * flown. Chosen by hand.
 */
const JUMP_STEPS = 4

const offset = vec3()
const error = vec3()
const axis = vec3()
const wanted = vec3()
const turning = vec3()

/**
 * The frame in which the slots of a formation are given. Its position is that of the leader. Its attitude
 * follows that of the leader, no faster than the members can fly around the turn (Green, Steering Formations:
 * "wheeling a formation had to be done carefully"). Where the members can follow, the attitudes are equal.
 * The anchor can itself be the leader of another formation.
 */
export class Anchor extends Saved implements MovingFrame {
  readonly position: Vec3 = vec3()
  readonly velocity: Vec3 = vec3()
  readonly acceleration: Vec3 = vec3()
  /** Attitude of the steering axes: x ahead, y up, z to starboard. */
  readonly quaternion: Quat = quat()
  readonly forward: Vec3Like = Object.freeze({ x: 1, y: 0, z: 0 })
  readonly up: Vec3Like = Object.freeze({ x: 0, y: 1, z: 0 })
  readonly angularVelocity: Vec3 = vec3()
  readonly angularAcceleration: Vec3 = vec3()
  readonly frame: Frame = frame()
  /** Acceleration in the axes of the frame, averaged over a while, m/s². */
  private readonly steady: Vec3 = vec3()
  /** The same of the angular acceleration, rad/s². */
  private readonly steadyTurn: Vec3 = vec3()
  private placed = false

  /** Moves to `guide` at once: at the start, and to another leader. Takes the attitude only at the start. */
  start({ position, velocity, attitude }: Guide): void {
    const first = !this.started
    copy(this.position, position)
    copy(this.velocity, velocity)
    set(this.acceleration, 0, 0, 0)
    set(this.steady, 0, 0, 0)
    if (!first) return
    this.placed = true
    copyQuat(this.quaternion, attitude)
    frameFromQuat(this.frame, attitude)
    set(this.angularVelocity, 0, 0, 0)
    set(this.angularAcceleration, 0, 0, 0)
    set(this.steadyTurn, 0, 0, 0)
  }

  /** Forgets its position, so that the next call of `start` also takes over the attitude. */
  reset(): void {
    this.placed = false
  }

  /** Whether it has a finite position and motion. It loses them if the state of its leader is not finite. */
  get started(): boolean {
    const { angularVelocity, position, quaternion, velocity } = this
    const { w, x, y, z } = quaternion
    return (
      this.placed &&
      isFiniteVec(position) &&
      isFiniteVec(velocity) &&
      isFiniteVec(angularVelocity) &&
      w * w + x * x + y * y + z * z < 2
    )
  }

  /** Whether the leader cannot have flown to `guide` in one step and `tolerance` (m) farther. */
  jumps(guide: Guide, dt: number, tolerance: number): boolean {
    const speed = Math.max(length(guide.velocity), length(this.velocity))
    return !(distance(guide.position, this.position) <= tolerance + JUMP_STEPS * speed * dt)
  }

  /**
   * Follows `guide` for one step. The guide is at the place `local` in this frame, and moves with it. The
   * acceleration and the angular acceleration are averaged over `smoothing` (s) in the axes of the frame, in
   * which those of an even turn are constant.
   */
  follow(guide: Guide, local: SlotState, dt: number, limits: WheelLimits, smoothing: number): void {
    const { acceleration, angularVelocity, position, steady, velocity } = this
    this.turn(guide.attitude, guide.angularVelocity, dt, limits)
    frameFromQuat(this.frame, this.quaternion)
    copy(acceleration, velocity)
    sub(position, guide.position, vectorToWorld(offset, this.frame, local.position))
    sub(velocity, guide.velocity, cross(offset, angularVelocity, offset))
    sub(velocity, velocity, vectorToWorld(offset, this.frame, local.velocity))
    scale(acceleration, sub(acceleration, velocity, acceleration), 1 / dt)
    const maxAcceleration = Math.max(limits.maxAcceleration, limits.lateralAcceleration)
    truncate(acceleration, acceleration, maxAcceleration)
    const share = smoothing > 0 ? -Math.expm1(-dt / smoothing) : 1
    this.average(acceleration, steady, share)
    this.average(this.angularAcceleration, this.steadyTurn, share)
  }

  /** Replaces a vector by its mean over a while, in the axes of the frame, unless `share` is 1. */
  private average(vector: Vec3, mean: Vec3, share: number): void {
    vectorToLocal(offset, this.frame, vector)
    addScaled(mean, mean, sub(offset, offset, mean), share)
    if (share < 1) vectorToWorld(vector, this.frame, mean)
  }

  private turn(attitude: QuatLike, rate: Vec3Like, dt: number, limits: WheelLimits): void {
    const { angularAcceleration, angularVelocity, quaternion } = this
    copy(angularAcceleration, angularVelocity)
    rotationBetween(error, quaternion, attitude)
    scale(wanted, error, 1 / dt)
    const maxChange = maxAccelerationAlong(limits, sub(turning, wanted, angularVelocity)) * dt
    if (length(wanted) <= maxRateAlong(limits, wanted) && length(turning) <= maxChange) {
      copyQuat(quaternion, attitude)
      // without members that swing around the anchor a sudden turn is not a finite angular velocity
      copy(angularVelocity, maxChange < Infinity ? wanted : rate)
    } else {
      const angle = length(error)
      const brake = WHEEL_BRAKE * maxAccelerationAlong(limits, error)
      const closing = Math.min(brakingSpeed(angle, brake, 0, 2 * dt), angle / dt)
      addScaled(wanted, rate, error, angle > 0 ? closing / angle : 0)
      truncate(wanted, wanted, maxRateAlong(limits, wanted))
      sub(turning, wanted, angularVelocity)
      truncate(turning, turning, maxAccelerationAlong(limits, turning) * dt)
      addScaled(angularVelocity, angularVelocity, turning, 1)
      spin(quaternion, quaternion, angularVelocity, dt)
    }
    sub(angularAcceleration, angularVelocity, angularAcceleration)
    scale(angularAcceleration, angularAcceleration, 1 / dt)
  }
}

/** Greatest angular acceleration (rad/s²) about the axis of `change`. */
function maxAccelerationAlong(limits: WheelLimits, change: Vec3Like): number {
  const size = length(change)
  return size > 0 ? limits.maxTurnAcceleration(scale(axis, change, 1 / size)) : Infinity
}

/** Greatest angular speed (rad/s) about the axis of `rate`. */
function maxRateAlong(limits: WheelLimits, rate: Vec3Like): number {
  const size = length(rate)
  return size > 0 ? limits.maxTurnRate(scale(axis, rate, 1 / size)) : Infinity
}
