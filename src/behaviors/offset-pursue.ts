import type { Agent, Behavior, Frame, MovingFrame, Step, Vec3Like, Wrench } from '../types.js'
import { topSpeed } from '../control/drive.js'
import { carryFrame, frame, frameOf, vectorToWorld } from '../math/frame.js'
import { requireVector } from '../math/require.js'
import { add, copy, cross, length, normalize, perpendicular, reject, scale, set, vec3 } from '../math/vec3.js'
import { arriveAt } from './support/arrive.js'
import { Memory } from '../control/memory.js'
import { requireMoving } from './support/target.js'

export interface OffsetPursueOptions {
  /** Whom to accompany. */
  leader: MovingFrame
  /** Place in the leader's frame, m: x ahead, y up, z to starboard. */
  offset: Vec3Like
}

const base = frame()
const arm = vec3()
const place = vec3()
const velocity = vec3()
const acceleration = vec3()
const ahead = vec3()
const still: Vec3Like = { x: 0, y: 0, z: 0 }

/**
 * Keeps a place in the local frame of another (Green, Offset Pursuit and Formations), rolling with it. The place's own
 * velocity and centripetal acceleration, from the leader's spin, are fed forward, so there is no lag in a steady turn.
 * A leader with a quaternion is followed in its attitude frame (its `forward` and `up` name its axes); one with position and
 * velocity only in a course frame that is carried along.
 */
export class OffsetPursue implements Behavior {
  leader: MovingFrame
  offset: Vec3Like
  /** Carried course frame of a leader without attitude: x and y axis. */
  private readonly memory = new Memory(6)

  /** @throws TypeError naming the option. */
  constructor({ leader, offset }: OffsetPursueOptions) {
    this.leader = requireMoving('OffsetPursue.leader', leader)
    this.offset = requireVector('OffsetPursue.offset', offset)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { leader, offset } = this
    if (leader.quaternion === undefined) this.courseOf(agent, step, base)
    else frameOf(base, leader as Required<MovingFrame>)
    vectorToWorld(arm, base, offset)
    add(place, leader.position, arm)
    const spin = leader.angularVelocity ?? still
    cross(velocity, spin, arm)
    cross(acceleration, spin, velocity)
    add(velocity, velocity, leader.velocity)
    arriveAt(agent, step, place, velocity, acceleration, topSpeed(agent), out.force)
  }

  /** Course frame of a leader that has none: level when first seen, the same for all its followers; then carried along. */
  private courseOf(agent: Agent, step: Step, out: Frame): void {
    const at = this.memory.at(agent)
    const { data, fresh } = this.memory
    const speed = length(this.leader.velocity)
    const moves = speed > 1e-3
    scale(ahead, this.leader.velocity, moves ? 1 / speed : 0)
    if (fresh) {
      // a leader at rest when first seen shows no direction: north, if there is one
      if (!moves) perpendicular(ahead, step.up)
      copy(out.x, ahead)
      reject(out.y, step.up, out.x)
      // straight up or down any top is as good as another
      if (length(out.y) < 1e-3) perpendicular(out.y, out.x)
      normalize(out.y, out.y)
      cross(out.z, out.x, out.y)
    } else {
      set(out.x, data[at]!, data[at + 1]!, data[at + 2]!)
      set(out.y, data[at + 3]!, data[at + 4]!, data[at + 5]!)
      cross(out.z, out.x, out.y)
    }
    if (moves) carryFrame(out, ahead)
    data.set([out.x.x, out.x.y, out.x.z, out.y.x, out.y.y, out.y.z], at)
  }
}
