import type {
  Archive,
  Frame,
  Serializable,
  MovingFrame,
  Quat,
  QuatLike,
  Vec3,
  Vec3Like,
} from '../../types.js'
import { brakingSpeed } from '../../control/profile.js'
import { frame, frameFromQuat, vectorToWorld } from '../../math/frame.js'
import { copyQuat, quat, rotationBetween, spin } from '../../math/quat.js'
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
} from '../../math/vec3.js'
import type { Guide } from './guide.js'

/** How fast a formation can be turned. */
export interface Wheel {
  /** Greatest rate (rad/s) about a unit axis. */
  fastest(axis: Vec3Like): number
  /** Greatest change of that about a unit axis, rad/s². */
  acceleration(axis: Vec3Like): number
}

/** Share of the angular acceleration that the end of a wheel counts on. */
const WHEEL_BRAKE = 0.7

/** A leader that is farther (steps of its own speed) from where it should be has not flown there. */
const JUMP = 4

const offset = vec3()
const error = vec3()
const axis = vec3()
const wanted = vec3()
const turning = vec3()

/**
 * The frame in which a formation has its slots. It is where its leader is; its attitude follows the leader's no faster than the members can
 * fly round (Green, Steering Formations: "wheeling a formation had to be done carefully"), else exactly. May be followed as a leader is.
 */
export class Anchor implements Serializable, MovingFrame {
  readonly position: Vec3 = vec3()
  readonly velocity: Vec3 = vec3()
  readonly acceleration: Vec3 = vec3()
  /** Of the steering axes: x ahead, y up, z to starboard. */
  readonly quaternion: Quat = quat()
  readonly forward: Vec3Like = Object.freeze({ x: 1, y: 0, z: 0 })
  readonly up: Vec3Like = Object.freeze({ x: 0, y: 1, z: 0 })
  readonly angularVelocity: Vec3 = vec3()
  readonly angularAcceleration: Vec3 = vec3()
  readonly frame: Frame = frame()
  private placed = false

  serialize(archive: Archive): void {
    this.placed = archive.boolean(this.placed)
    for (const name of [
      'position',
      'velocity',
      'acceleration',
      'angularVelocity',
      'angularAcceleration',
    ] as const)
      archive.vector(this[name])
    archive.quaternion(this.quaternion)
    frameFromQuat(this.frame, this.quaternion)
  }

  /** Goes to `guide` at once, for the first time or for a new leader; the attitude only for the first time. */
  start({ position, velocity, attitude }: Guide): void {
    const first = !this.started
    copy(this.position, position)
    copy(this.velocity, velocity)
    set(this.acceleration, 0, 0, 0)
    if (!first) return
    this.placed = true
    copyQuat(this.quaternion, attitude)
    frameFromQuat(this.frame, attitude)
    set(this.angularVelocity, 0, 0, 0)
    set(this.angularAcceleration, 0, 0, 0)
  }

  /** Forgets where it was: the next start is the first. */
  reset(): void {
    this.placed = false
  }

  /** Whether it is anywhere: one that has been lost, with its leader, is not. */
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

  /** Whether `guide` cannot have come from where the leader was by flying, `slack` (m) aside. */
  jumps(guide: Guide, dt: number, slack: number): boolean {
    const pace = Math.max(length(guide.velocity), length(this.velocity))
    return !(distance(guide.position, this.position) <= slack + JUMP * pace * dt)
  }

  /**
   * Follows `guide` for one step; nobody is asked to accelerate by more than `most` (m/s²). The guide is at `arm` (m, in this frame) of it,
   * which changes by `rate` (m/s).
   */
  follow(guide: Guide, arm: Vec3Like, rate: Vec3Like, dt: number, wheel: Wheel, most: number): void {
    const { acceleration, angularVelocity, position, velocity } = this
    this.turn(guide.attitude, guide.spin, dt, wheel)
    frameFromQuat(this.frame, this.quaternion)
    copy(acceleration, velocity)
    sub(position, guide.position, vectorToWorld(offset, this.frame, arm))
    sub(velocity, guide.velocity, cross(offset, angularVelocity, offset))
    sub(velocity, velocity, vectorToWorld(offset, this.frame, rate))
    scale(acceleration, sub(acceleration, velocity, acceleration), 1 / dt)
    truncate(acceleration, acceleration, most)
  }

  private turn(attitude: QuatLike, rate: Vec3Like, dt: number, wheel: Wheel): void {
    const { angularAcceleration, angularVelocity, quaternion } = this
    copy(angularAcceleration, angularVelocity)
    rotationBetween(error, quaternion, attitude)
    scale(wanted, error, 1 / dt)
    const change = mostChange(wheel, sub(turning, wanted, angularVelocity)) * dt
    if (length(wanted) <= fastest(wheel, wanted) && length(turning) <= change) {
      copyQuat(quaternion, attitude)
      // with nobody to swing round, a leap is no spin
      copy(angularVelocity, change < Infinity ? wanted : rate)
    } else {
      const angle = length(error)
      const brake = WHEEL_BRAKE * mostChange(wheel, error)
      const closing = Math.min(brakingSpeed(angle, brake, 0, 2 * dt), angle / dt)
      addScaled(wanted, rate, error, angle > 0 ? closing / angle : 0)
      truncate(wanted, wanted, fastest(wheel, wanted))
      sub(turning, wanted, angularVelocity)
      truncate(turning, turning, mostChange(wheel, turning) * dt)
      addScaled(angularVelocity, angularVelocity, turning, 1)
      spin(quaternion, quaternion, angularVelocity, dt)
    }
    sub(angularAcceleration, angularVelocity, angularAcceleration)
    scale(angularAcceleration, angularAcceleration, 1 / dt)
  }
}

/** Greatest change of the rate about the axis of `change`. */
function mostChange(wheel: Wheel, change: Vec3Like): number {
  const size = length(change)
  return size > 0 ? wheel.acceleration(scale(axis, change, 1 / size)) : Infinity
}

/** Greatest rate about the axis of `rate`. */
function fastest(wheel: Wheel, rate: Vec3Like): number {
  const size = length(rate)
  return size > 0 ? wheel.fastest(scale(axis, rate, 1 / size)) : Infinity
}
