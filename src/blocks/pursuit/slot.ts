import type { Agent, Frame, SnapshotState, MovingFrame, Step, Vec3, Vec3Like } from '../../core/types.js'
import { Memory } from '../../core/control/memory.js'
import { topSpeed } from '../../core/control/drive.js'
import { noseOf } from '../../core/control/target.js'
import { isUsableTurn } from '../../core/control/usable.js'
import { carryFrame, frame, frameOf, vectorToWorld } from '../../core/math/frame.js'
import { add, addScaled, copy, cross, isFiniteVec, isZero, length, load } from '../../core/math/vec3.js'
import { normalize, perpendicular, reject, save, set, vec3, ZERO } from '../../core/math/vec3.js'
import { SLOW_SHARE, TrackedTarget } from './tracked-target.js'

const TURN = 'quaternion of the leader'

const ahead = vec3()
const arm = vec3()
const spin = vec3()
const spinUp = vec3()

/**
 * A place in the frame of a leader, and its motion. The frame of a leader with a quaternion is its attitude
 * (`forward` and `up` name its axes). The frame of a leader with position and velocity only is a course frame
 * that is carried along.
 */
export class Slot {
  /** Position (m) in world axes. */
  readonly position: Vec3 = vec3()
  /** Velocity over the last step, see `TrackedTarget.flown` (m/s), and acceleration (m/s²). */
  readonly velocity: Vec3 = vec3()
  readonly acceleration: Vec3 = vec3()
  readonly frame: Frame = frame()
  readonly leader = new TrackedTarget()
  /** Carried course frame of a leader without attitude: x and y axis. */
  private readonly memory = new Memory(6)
  readonly state: SnapshotState = [this.memory, this.leader]

  /**
   * Updates the place at `localOffset` (m, in the frame: ahead, up, to starboard) of `source`, once per step.
   * `alongCourse`: the frame is the course frame. False if its motion is not finite.
   */
  update(
    agent: Agent,
    step: Step,
    source: MovingFrame,
    localOffset: Vec3Like,
    alongCourse: boolean = source.quaternion === undefined,
  ): boolean {
    const { acceleration, leader, position, velocity } = this
    if (!leader.update(agent, step, source)) return false
    if (alongCourse) this.carryCourse(agent, step, source)
    else if (isUsableTurn(agent, TURN, source.quaternion!))
      frameOf(this.frame, source as Required<MovingFrame>)
    else return false
    vectorToWorld(arm, this.frame, localOffset)
    add(position, leader.position, arm)
    copy(spin, source.angularVelocity ?? ZERO)
    set(spinUp, 0, 0, 0)
    if (alongCourse) leader.turnInto(spin, spinUp, length(arm), topSpeed(agent), step.dt)
    cross(velocity, spin, arm)
    cross(acceleration, spin, velocity)
    add(acceleration, acceleration, cross(spin, spinUp, arm))
    // half a step ago, as the leader's velocity
    addScaled(velocity, velocity, acceleration, -step.dt / 2)
    add(velocity, velocity, leader.flown)
    add(acceleration, acceleration, leader.acceleration)
    if (!isFiniteVec(velocity)) set(velocity, 0, 0, 0)
    if (!isFiniteVec(acceleration)) set(acceleration, 0, 0, 0)
    return true
  }

  /** Writes the course of the leader, as the agent has carried it along. False if it has not yet. */
  courseOf(out: Vec3, agent: Agent): boolean {
    const offset = this.memory.find(agent)
    if (offset >= 0) load(out, this.memory.data, offset)
    return offset >= 0
  }

  /**
   * Updates the course frame of a leader: level at first sight, so the same for all its followers; then
   * carried along. A leader at rest at first sight has its nose for a course; without one, any that is level.
   */
  private carryCourse(agent: Agent, step: Step, source: MovingFrame): void {
    const { frame: out, memory } = this
    const { quaternion, velocity } = source
    const offset = memory.at(agent)
    const { data, fresh } = memory
    const moves = length(velocity) > SLOW_SHARE * topSpeed(agent)
    normalize(ahead, velocity)
    if (fresh) {
      copy(out.x, ahead)
      if (!moves && quaternion !== undefined && isUsableTurn(agent, TURN, quaternion)) noseOf(out.x, source)
      levelFrame(out, out.x, step.up)
    } else {
      load(out.x, data, offset)
      load(out.y, data, offset + 3)
      cross(out.z, out.x, out.y)
      if (moves) carryFrame(out, ahead)
    }
    save(out.x, data, offset)
    save(out.y, data, offset + 3)
  }
}

/** Writes the level frame along `course`, of any length; without one, along any level direction. */
export function levelFrame(out: Frame, course: Vec3Like, up: Vec3Like): void {
  normalize(out.x, course)
  if (isZero(out.x)) perpendicular(out.x, up)
  normalize(out.y, reject(out.y, up, out.x))
  // for a vertical course any up axis will do
  if (isZero(out.y)) perpendicular(out.y, out.x)
  cross(out.z, out.x, out.y)
}
