import type { Agent, Behavior, MovingFrame, Step, Vec3Like, Wrench } from '../types.js'
import { topSpeed } from '../control/drive.js'
import { requireVector } from '../math/require.js'
import { arriveAt } from './support/arrive.js'
import { Slot } from './support/slot.js'
import { requireMoving } from './support/target.js'

export interface OffsetPursueOptions {
  /** Whom to accompany. */
  leader: MovingFrame
  /** Place in the leader's frame, m: x ahead, y up, z to starboard. */
  offset: Vec3Like
}

/**
 * Keeps a place in the local frame of another (Green, Offset Pursuit and Formations), rolling with it. The place's own
 * velocity and centripetal acceleration, from the leader's spin, are fed forward, so there is no lag in a steady turn.
 * A leader with a quaternion is followed in its attitude frame (its `forward` and `up` name its axes); one with position and
 * velocity only in a course frame that is carried along. From far away and at speed, join by `JoinUp`.
 */
export class OffsetPursue implements Behavior {
  leader: MovingFrame
  offset: Vec3Like
  private readonly slot = new Slot()

  /** @throws TypeError naming the option. */
  constructor({ leader, offset }: OffsetPursueOptions) {
    this.leader = requireMoving('OffsetPursue.leader', leader)
    this.offset = requireVector('OffsetPursue.offset', offset)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { slot } = this
    slot.look(agent, step, this.leader, this.offset)
    arriveAt(agent, step, slot.position, slot.velocity, slot.acceleration, topSpeed(agent), out.force)
  }
}
