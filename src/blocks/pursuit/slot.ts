import type { Agent, Frame, SnapshotState, MovingFrame, Step, Vec3, Vec3Like } from '../../core/types.js'
import { Memory } from '../../core/control/memory.js'
import { topSpeed } from '../../core/control/drive.js'
import { noseOf } from '../../core/control/target.js'
import { isUsableTurn } from '../../core/control/usable.js'
import { carryFrame, frame, frameOf, vectorToWorld } from '../../core/math/frame.js'
import { smoothstep } from '../../core/math/scalar.js'
import { add, addScaled, copy, cross, dot, isFiniteVec, isZero, length, load } from '../../core/math/vec3.js'
import { normalize, perpendicular, reject, save, scale, set, sub, vec3, ZERO } from '../../core/math/vec3.js'
import { SLOW_SHARE, TrackedTarget } from './tracked-target.js'

const TURN = 'quaternion of the leader'

/** Cosine of the angle between velocity and rope, from which on the velocity is the course. */
const SWUNG_IN = 0.5

const ahead = vec3()
const arm = vec3()
/** The end of the rope, and the direction from there to the leader. */
const tow = vec3()
const rope = vec3()
/** Angular velocity of the course by the rope (rad/s). */
const swing = vec3()
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
  /** Carried course frame of a leader: x and y axis, and the end of a rope that it tows. */
  private readonly memory = new Memory(9, [6])
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
    if (alongCourse) this.carryCourse(agent, step, source, length(localOffset))
    else if (isUsableTurn(agent, TURN, source.quaternion!)) {
      frameOf(this.frame, source as Required<MovingFrame>)
      copy(spin, source.angularVelocity ?? ZERO)
      set(spinUp, 0, 0, 0)
    } else return false
    vectorToWorld(arm, this.frame, localOffset)
    add(position, leader.position, arm)
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
   * Updates the course frame of a leader, and its spin. The frame is level at first sight, so the same for
   * all its followers; then it is carried along. A leader at rest at first sight has its nose for a course;
   * without one, any that is level. Later a leader tows a rope of length `reach` (m), less at speed. The rope
   * is the course of a leader that moves aside or backs up: corrections of its place, and backing up by less
   * than the rope, do not turn it.
   */
  private carryCourse(agent: Agent, step: Step, source: MovingFrame, reach: number): void {
    const { frame: out, leader, memory } = this
    const { quaternion, velocity } = source
    const offset = memory.at(agent)
    const { data, fresh } = memory
    const speed = length(velocity)
    const top = topSpeed(agent)
    const moves = speed > SLOW_SHARE * top
    const hang = reach * Math.max(0, 1 - speed / top)
    let share = 1
    set(swing, 0, 0, 0)
    normalize(ahead, velocity)
    if (fresh) {
      copy(out.x, ahead)
      if (!moves && quaternion !== undefined && isUsableTurn(agent, TURN, quaternion)) noseOf(out.x, source)
      levelFrame(out, out.x, step.up)
    } else {
      load(out.x, data, offset)
      load(out.y, data, offset + 3)
      cross(out.z, out.x, out.y)
      load(tow, data, offset + 6)
      if (moves && hang > 0) share = this.swingIn(velocity, hang, reach)
      if (moves) carryFrame(out, ahead)
    }
    // The rope of a leader at rest at first sight is laid out when it sets off.
    if (hang === 0 || fresh) addScaled(tow, leader.position, ahead, moves ? -hang : 0)
    save(out.x, data, offset)
    save(out.y, data, offset + 3)
    save(tow, data, offset + 6)
    leader.turnInto(spin, spinUp, reach, top, step.dt)
    addScaled(spin, swing, spin, share)
    scale(spinUp, spinUp, share)
  }

  /**
   * Writes into `ahead` the course of a leader that tows a rope of length `hang` (m): its velocity along
   * the rope, the rope across it, the course of before where it is slack. Returns the share of the velocity.
   */
  private swingIn(velocity: Vec3Like, hang: number, reach: number): number {
    const pull = length(sub(rope, this.leader.position, tow))
    let along = dot(ahead, normalize(rope, rope))
    if (!(along > 0)) {
      if (pull <= reach) {
        copy(ahead, this.frame.x)
        return 0
      }
      // No slack rope is that long: the leader has jumped, and the rope is laid out anew.
      copy(rope, ahead)
      along = 1
    }
    const share = smoothstep(along, 0, SWUNG_IN)
    scale(swing, cross(swing, rope, velocity), (1 - share) / hang)
    addScaled(tow, this.leader.position, rope, -hang)
    scale(ahead, ahead, share)
    normalize(ahead, addScaled(ahead, ahead, rope, 1 - share))
    return share
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
