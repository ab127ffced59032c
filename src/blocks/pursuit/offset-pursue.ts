import type { Agent, Behavior, SnapshotState, MovingFrame, Step, Wrench } from '../../core/types.js'
import { limitToSpeed, topSpeed } from '../../core/control/drive.js'
import { requireVector } from '../../core/math/require.js'
import { arriveAt } from '../../core/control/arrive-at.js'
import { flyOn } from './run.js'
import { Slot } from './slot.js'
import { isGone, requireMoving } from '../../core/control/target.js'
import { WithOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

export interface OffsetPursueOptions extends Options, OptionsOf<typeof OffsetPursue.options> {}
export interface OffsetPursue extends FieldsOf<typeof OffsetPursue.options> {}

/**
 * Keeps a place in the local frame of another agent (Green, Offset Pursuit and Formations), and rolls with
 * it. The motion of the place, by the leader's flight and spin, is fed forward, so there is no lag in turns,
 * weaves and climbs. With a quaternion the leader's frame is its attitude (`forward` and `up` name its axes).
 * With position and velocity only it is a course frame that is carried along.
 *
 * Green's strafing run and near miss, which pass at an offset and do not stay there, are `Strafe`. To join
 * from far away and at speed use `JoinUp`.
 */
export class OffsetPursue extends WithOptions<OffsetPursueOptions> implements Behavior {
  static readonly type: string = 'OffsetPursue'
  static readonly options = {
    /** The leader. */
    target: { kind: 'named', required: true, check: requireMoving<MovingFrame> },
    /** Place in the leader's frame (m): x ahead, y up, z to starboard. */
    offset: { kind: 'vector', required: true, unit: 'm', check: requireVector },
    /** Speed to fly at (m/s, > 0), no more than the top speed. Default the top speed. */
    speed: { kind: 'number', unit: 'm/s', above: 0 },
  } as const satisfies AnyTable
  private readonly slot = new Slot()
  readonly state: SnapshotState = [this.slot]

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (isGone(agent, step, this, this.target)) return
    const { slot } = this
    if (!slot.update(agent, step, this.target, this.offset))
      return flyOn(agent, step, topSpeed(agent), out.force)
    const { acceleration, position, velocity } = slot
    arriveAt(agent, step, position, velocity, acceleration, topSpeed(agent, this.speed), out.force)
    limitToSpeed(agent, step, out.force, this.speed)
  }
}
