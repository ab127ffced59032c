import type {
  Archive,
  Frame,
  Serializable,
  Moving,
  MovingFrame,
  Quat,
  QuatLike,
  Step,
  Vec3,
  Vec3Like,
} from '../../types.js'
import { carryFrame, copyFrame, frame, frameFromQuat, frameOf } from '../../math/frame.js'
import { copyQuat, quat, quatFromAxes, rotationBetween, spin } from '../../math/quat.js'
import { addScaled, copy, cross, dot, isFiniteVec, isZero, length } from '../../math/vec3.js'
import { normalize, perpendicular, reject, scale, set, vec3 } from '../../math/vec3.js'
import type { Member, SlotState } from './member.js'

/**
 * Whose axes a formation has.
 * - `attitude`: those of the leader: it rolls, and turns, as he does.
 * - `course`: x along his velocity, carried along without roll.
 * - `level`: the same, with its top up as far as that goes.
 */
export type FormationFrame = 'attitude' | 'course' | 'level'

/** Slower than this (m/s) a leader shows no course. */
const SLOW = 1e-3

/** Rate (1/s) at which a level frame rolls to its feet; none where the course is upright. */
const LEVELLING = 2

const ahead = vec3()
const side = vec3()
const turned = quat()
const axes: Frame = frame()

/** What leads a formation, in one step: where it is, and the attitude that is asked for. SI units, world axes. */
export class Guide implements Serializable {
  readonly position: Vec3 = vec3()
  readonly velocity: Vec3 = vec3()
  readonly attitude: Quat = quat()
  /** Rate at which the attitude changes, rad/s. */
  readonly spin: Vec3 = vec3()
  private readonly course: Frame = frame()
  private known = false

  serialize(archive: Archive): void {
    const { attitude, course, position, spin: turn, velocity } = this
    for (const vector of [position, velocity, turn, course.x, course.y, course.z]) archive.vector(vector)
    archive.quaternion(attitude)
    this.known = archive.boolean(this.known)
  }

  /** Forgets whom it followed. */
  forget(): void {
    this.known = false
  }

  /** Looks at a leader. False for one who is nowhere. */
  update(leader: MovingFrame, which: FormationFrame, step: Step): boolean {
    const { position, quaternion, velocity } = leader
    if (!isFiniteVec(position) || !isFiniteVec(velocity)) return false
    copy(this.position, position)
    copy(this.velocity, velocity)
    copyFrame(axes, this.course)
    if (quaternion === undefined) {
      if (!this.known) levelFrame(axes, velocity, step.up)
    } else if (which === 'attitude' || !this.known) frameOf(axes, leader as Required<MovingFrame>)
    if (!isFiniteVec(axes.x) || !isFiniteVec(axes.y)) return false
    this.face(which !== 'attitude' || quaternion === undefined, which === 'level', step)
    return true
  }

  /** Looks at a member who leads: where it is a step after it was seen. */
  lookAtMember(member: Member, which: FormationFrame, step: Step): boolean {
    copy(this.position, member.next)
    copy(this.velocity, member.nextVelocity)
    copyFrame(axes, this.course)
    if (which === 'attitude' || !this.known)
      frameFromQuat(axes, spin(turned, member.attitude, member.spin, step.dt))
    this.face(which !== 'attitude', which === 'level', step)
    return isFiniteVec(this.position) && isFiniteVec(this.velocity)
  }

  /** Looks at a place in another formation, whose attitude is given. */
  lookAtPlace({ position, velocity }: SlotState, attitude: QuatLike, spinning: Vec3Like): void {
    copy(this.position, position)
    copy(this.velocity, velocity)
    copyQuat(this.attitude, attitude)
    copy(this.spin, spinning)
    frameFromQuat(this.course, attitude)
    this.known = true
  }

  /** Begins in the middle of members who have no leader. */
  gather(members: readonly Member[], attitude: QuatLike): void {
    set(this.position, 0, 0, 0)
    set(this.velocity, 0, 0, 0)
    for (const member of members) {
      addScaled(this.position, this.position, member.next, 1 / members.length)
      addScaled(this.velocity, this.velocity, member.velocity, 1 / members.length)
    }
    copyQuat(this.attitude, attitude)
    set(this.spin, 0, 0, 0)
    frameFromQuat(this.course, attitude)
    this.known = true
  }

  /** Without a leader: goes straight on from a place, and comes to rest in its turn. */
  coast({ position, velocity }: Moving, attitude: QuatLike, dt: number): void {
    copy(this.velocity, velocity)
    addScaled(this.position, position, velocity, dt)
    copyQuat(this.attitude, attitude)
    set(this.spin, 0, 0, 0)
    frameFromQuat(this.course, attitude)
    this.known = true
  }

  /** Takes the attitude from `axes`, turned into the course where that is asked for. */
  private face(alongCourse: boolean, level: boolean, { dt, up }: Step): void {
    const speed = length(this.velocity)
    if (alongCourse && speed > SLOW) {
      scale(ahead, this.velocity, 1 / speed)
      carryFrame(axes, ahead)
      if (level) rollLevel(axes, up, this.known ? dt : Infinity)
    }
    copyFrame(this.course, axes)
    copyQuat(turned, this.attitude)
    quatFromAxes(this.attitude, axes.x, axes.y)
    rotationBetween(this.spin, turned, this.attitude)
    scale(this.spin, this.spin, this.known ? 1 / dt : 0)
    this.known = true
  }
}

/** The level frame along a velocity; at rest north, if there is one. */
function levelFrame(out: Frame, velocity: Vec3Like, up: Vec3Like): void {
  if (length(velocity) > SLOW) normalize(out.x, velocity)
  else perpendicular(out.x, up)
  normalize(out.y, reject(out.y, up, out.x))
  if (isZero(out.y)) perpendicular(out.y, out.x)
  cross(out.z, out.x, out.y)
}

/** Rolls towards where its top is up, the less the steeper the course is. */
function rollLevel(f: Frame, up: Vec3Like, dt: number): void {
  reject(side, up, f.x)
  const level = length(side)
  if (level === 0) return
  const angle = Math.atan2(dot(side, f.z), dot(side, f.y)) * -Math.expm1(-LEVELLING * level * dt)
  scale(f.y, f.y, Math.cos(angle))
  addScaled(f.y, f.y, f.z, Math.sin(angle))
  normalize(f.y, reject(f.y, f.y, f.x))
  cross(f.z, f.x, f.y)
}
