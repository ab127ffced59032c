import type { Frame, Moving, MovingFrame, Quat, QuatLike, Step, Vec3, Vec3Like } from '../../core/types.js'
import { isThere } from '../../core/control/target.js'
import { carryFrame, copyFrame, frame, frameFromQuat, frameOf } from '../../core/math/frame.js'
import { copyQuat, quat, quatFromAxes, rotationBetween, spin } from '../../core/math/quat.js'
import { addScaled, copy, cross, dot, isFiniteVec, length } from '../../core/math/vec3.js'
import { normalize, reject, scale, vec3, ZERO } from '../../core/math/vec3.js'
import { levelFrame } from '../pursuit/slot.js'
import type { Member } from './member.js'
import { Saved } from '../../core/control/serialize-fields.js'

/**
 * The axes of a formation.
 * - `attitude`: those of the leader. The formation rolls and turns with it.
 * - `course`: x along the velocity of the leader, carried along without roll.
 * - `level`: as `course`, and rolled so that y is as near to up as possible.
 */
export type FormationFrame = 'attitude' | 'course' | 'level'

/** Below this speed (m/s) the course of a leader is undefined. */
const MIN_SPEED = 1e-3

/** Rate (1/s) at which a level frame rolls upright; it falls to 0 on a vertical course. Chosen by hand. */
const LEVELLING_RATE = 2

const ahead = vec3()
const side = vec3()
const turned = quat()
const wantedAxes: Frame = frame()

/** Motion and wanted attitude of the leader of a formation in one step. SI units, world axes. */
export class Guide extends Saved {
  readonly position: Vec3 = vec3()
  readonly velocity: Vec3 = vec3()
  readonly attitude: Quat = quat()
  /** Rate at which the attitude changes, rad/s. */
  readonly angularVelocity: Vec3 = vec3()
  private readonly course: Frame = frame()
  /** Whether `attitude` and `course` are set. */
  private known = false

  /** Forgets the leader it followed. */
  forget(): void {
    this.known = false
  }

  /** Reads a leader. Returns false if it is gone, or its state is not finite. */
  update(leader: MovingFrame, frameType: FormationFrame, step: Step): boolean {
    const { position, quaternion, velocity } = leader
    if (!isThere(leader) || !isFiniteVec(position) || !isFiniteVec(velocity)) return false
    copy(this.position, position)
    copy(this.velocity, velocity)
    copyFrame(wantedAxes, this.course)
    if (quaternion === undefined) {
      if (!this.known) levelFrame(wantedAxes, length(velocity) > MIN_SPEED ? velocity : ZERO, step.up)
    } else if (frameType === 'attitude' || !this.known) frameOf(wantedAxes, leader as Required<MovingFrame>)
    if (!isFiniteVec(wantedAxes.x) || !isFiniteVec(wantedAxes.y)) return false
    this.setAxes(
      wantedAxes,
      frameType !== 'attitude' || quaternion === undefined,
      frameType === 'level',
      step,
    )
    return true
  }

  /** Reads a member that leads: its state one step after it last steered. False if that is not finite. */
  followMember(member: Member, frameType: FormationFrame, step: Step): boolean {
    copy(this.position, member.nextPosition)
    copy(this.velocity, member.nextVelocity)
    copyFrame(wantedAxes, this.course)
    if (frameType === 'attitude' || !this.known)
      frameFromQuat(wantedAxes, spin(turned, member.attitude, member.angularVelocity, step.dt))
    this.setAxes(wantedAxes, frameType !== 'attitude', frameType === 'level', step)
    return isFiniteVec(this.position) && isFiniteVec(this.velocity)
  }

  /** Takes over a motion, an attitude and its angular velocity (rad/s). */
  take({ position, velocity }: Moving, attitude: QuatLike, angularVelocity: Vec3Like): void {
    copy(this.position, position)
    copy(this.velocity, velocity)
    copyQuat(this.attitude, attitude)
    copy(this.angularVelocity, angularVelocity)
    frameFromQuat(this.course, attitude)
    this.known = true
  }

  /**
   * Sets the attitude to `axes`, which are first turned along the course if `alongCourse`, and levelled if
   * `level`. Writes `axes`.
   */
  private setAxes(axes: Frame, alongCourse: boolean, level: boolean, { dt, up }: Step): void {
    const speed = length(this.velocity)
    if (alongCourse && speed > MIN_SPEED) {
      scale(ahead, this.velocity, 1 / speed)
      carryFrame(axes, ahead)
      if (level) rollLevel(axes, up, this.known ? dt : Infinity)
    }
    copyFrame(this.course, axes)
    copyQuat(turned, this.attitude)
    quatFromAxes(this.attitude, axes.x, axes.y)
    rotationBetween(this.angularVelocity, turned, this.attitude)
    scale(this.angularVelocity, this.angularVelocity, this.known ? 1 / dt : 0)
    this.known = true
  }
}

/** Rolls `f` towards upright; the steeper the course, the slower. */
function rollLevel(f: Frame, up: Vec3Like, dt: number): void {
  reject(side, up, f.x)
  const level = length(side)
  if (level === 0) return
  const angle = Math.atan2(dot(side, f.z), dot(side, f.y)) * -Math.expm1(-LEVELLING_RATE * level * dt)
  scale(f.y, f.y, Math.cos(angle))
  addScaled(f.y, f.y, f.z, Math.sin(angle))
  normalize(f.y, reject(f.y, f.y, f.x))
  cross(f.z, f.x, f.y)
}
