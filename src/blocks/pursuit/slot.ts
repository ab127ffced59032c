import type { Agent, Frame, SnapshotState, MovingFrame, Step, Vec3, Vec3Like } from '../../core/types.js'
import { Memory } from '../../core/control/memory.js'
import { isUsableTurn } from '../../core/control/usable.js'
import { carryFrame, frame, frameOf, vectorToWorld } from '../../core/math/frame.js'
import { add, copy, cross, length, load, normalize, perpendicular, reject } from '../../core/math/vec3.js'
import { save, scale, vec3, ZERO } from '../../core/math/vec3.js'

const ahead = vec3()
const arm = vec3()

/**
 * A place in the frame of a leader, and its motion. The frame of a leader with a quaternion is its attitude
 * (`forward` and `up` name its axes). The frame of a leader with position and velocity only is a course frame
 * that is carried along.
 */
export class Slot {
  /**
   * Position (m), velocity (m/s) and acceleration (m/s², by the turn of the frame about the leader) in world
   * axes.
   */
  readonly position: Vec3 = vec3()
  readonly velocity: Vec3 = vec3()
  readonly acceleration: Vec3 = vec3()
  readonly frame: Frame = frame()
  /** Carried course frame of a leader without attitude: x and y axis. */
  private readonly memory = new Memory(6)
  readonly state: SnapshotState = [this.memory]

  /**
   * Updates the place at `localOffset` (m, in the frame: ahead, up, to starboard) of `leader`, once per step.
   */
  update(agent: Agent, step: Step, leader: MovingFrame, localOffset: Vec3Like): void {
    const { acceleration, position, velocity } = this
    if (leader.quaternion === undefined) this.courseOf(agent, step, leader)
    else {
      isUsableTurn(agent, 'quaternion of the leader', leader.quaternion)
      frameOf(this.frame, leader as Required<MovingFrame>)
    }
    vectorToWorld(arm, this.frame, localOffset)
    add(position, leader.position, arm)
    const spin = leader.angularVelocity ?? ZERO
    cross(velocity, spin, arm)
    cross(acceleration, spin, velocity)
    add(velocity, velocity, leader.velocity)
  }

  /**
   * Course frame of a leader without attitude: level at first sight, so the same for all its followers; then
   * carried along.
   */
  private courseOf(agent: Agent, step: Step, leader: MovingFrame): void {
    const out = this.frame
    const offset = this.memory.at(agent)
    const { data, fresh } = this.memory
    const speed = length(leader.velocity)
    const moves = speed > 1e-3
    scale(ahead, leader.velocity, moves ? 1 / speed : 0)
    if (fresh) {
      // A leader at rest at first sight has no course: some horizontal direction is taken.
      if (!moves) perpendicular(ahead, step.up)
      copy(out.x, ahead)
      reject(out.y, step.up, out.x)
      // For a vertical course any up axis will do.
      if (length(out.y) < 1e-3) perpendicular(out.y, out.x)
      normalize(out.y, out.y)
      cross(out.z, out.x, out.y)
    } else {
      load(out.x, data, offset)
      load(out.y, data, offset + 3)
      cross(out.z, out.x, out.y)
    }
    if (moves) carryFrame(out, ahead)
    save(out.x, data, offset)
    save(out.y, data, offset + 3)
  }
}
