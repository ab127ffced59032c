import type { Agent, Behavior, SnapshotState, MovingFrame, Step, Wrench } from '../../core/types.js'
import { limitToSpeed, topSpeed } from '../../core/control/drive.js'
import { requireVector } from '../../core/math/require.js'
import { add, addScaled, copy, cross, isFiniteVec, length, set, sub, vec3 } from '../../core/math/vec3.js'
import { arriveAt } from '../../core/control/arrive-at.js'
import { TrackedTarget } from './tracked-target.js'
import { flyOn } from './run.js'
import { Slot } from './slot.js'
import { isGone, requireMoving } from '../../core/control/target.js'
import { WithOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

export interface OffsetPursueOptions extends Options, OptionsOf<typeof OffsetPursue.options> {}
export interface OffsetPursue extends FieldsOf<typeof OffsetPursue.options> {}

const arm = vec3()
const spin = vec3()
const spinUp = vec3()
const velocity = vec3()
const acceleration = vec3()

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
    offset: { kind: 'vector', required: true, check: requireVector },
    /** Speed to fly at (m/s, > 0), no more than the top speed. Default the top speed. */
    speed: { kind: 'number', unit: 'm/s', above: 0 },
  } as const satisfies AnyTable
  private readonly slot = new Slot()
  private readonly leader = new TrackedTarget()
  readonly state: SnapshotState = [this.slot, this.leader]

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (isGone(agent, step, this, this.target)) return
    const { leader, target, slot } = this
    const { dt } = step
    const top = topSpeed(agent)
    if (!leader.update(agent, step, target)) return flyOn(agent, step, top, out.force)
    slot.update(agent, step, target, this.offset)
    sub(arm, slot.position, leader.position)
    if (target.quaternion === undefined) {
      leader.turnInto(spin, spinUp, length(arm), top, dt)
      cross(velocity, spin, arm)
      cross(acceleration, spin, velocity)
      add(acceleration, acceleration, cross(spin, spinUp, arm))
    } else {
      sub(velocity, slot.velocity, leader.velocity)
      copy(acceleration, slot.acceleration)
    }
    // Half a step ago, as the leader's velocity.
    addScaled(velocity, velocity, acceleration, -dt / 2)
    add(velocity, velocity, leader.flown)
    add(acceleration, acceleration, leader.acceleration)
    if (!isFiniteVec(velocity)) set(velocity, 0, 0, 0)
    if (!isFiniteVec(acceleration)) set(acceleration, 0, 0, 0)
    arriveAt(agent, step, slot.position, velocity, acceleration, topSpeed(agent, this.speed), out.force)
    limitToSpeed(agent, step, out.force, this.speed)
  }
}
