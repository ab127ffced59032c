import type { Agent, Behavior, SnapshotState, MovingFrame, Step, Wrench } from '../../core/types.js'
import { topSpeed } from '../../core/control/drive.js'
import { Memory } from '../../core/control/memory.js'
import { requireVector } from '../../core/math/require.js'
import { add, distance, length, sub, vec3 } from '../../core/math/vec3.js'
import { arriveAt } from '../../core/control/arrive-at.js'
import { pathAroundAgent } from './path-around-agent.js'
import { closingIn, flyOn } from './run.js'
import { Slot } from './slot.js'
import { isGone, requireMoving } from '../../core/control/target.js'
import { WithOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

export interface JoinUpOptions extends Options, OptionsOf<typeof JoinUp.options> {}
export interface JoinUp extends FieldsOf<typeof JoinUp.options> {}

/** Largest clearance, as a share of the slot's distance: with more it is out of reach. Chosen by hand. */
const MOST_CLEARANCE = 0.9

const toSlot = vec3()
const fromTarget = vec3()
const slotFromTarget = vec3()

/**
 * Joins a formation in flight: meets a slot in the frame of a moving and turning leader with the slot's
 * velocity, and keeps it (Jakob, Directional Extensions of Seek, 2003, 2.1: "directed formation movement").
 * The agent approaches on a constant bearing, as fast as its speed above the leader's allows, brakes in time,
 * and keeps clear of the leader. In the slot it does the same as `OffsetPursue`. Emits `arrive` when it has
 * joined, and `leave` beyond twice the tolerance.
 */
export class JoinUp extends WithOptions<JoinUpOptions> implements Behavior {
  static readonly type: string = 'JoinUp'
  static readonly options = {
    /** The leader to join. */
    target: { kind: 'named', required: true, check: requireMoving<MovingFrame> },
    /** The slot in the leader's frame (m): x ahead, y up, z to starboard. (−40, 0, 0) is behind its tail. */
    offset: { kind: 'vector', required: true, unit: 'm', check: requireVector },
    /**
     * Distance kept from the leader while joining (m, ≥ 0), at most nine tenths of the slot's distance.
     * Default half of the slot's distance.
     */
    clearance: { kind: 'number', unit: 'm', atLeast: 0 },
    /**
     * Speed while joining (m/s, > 0). It must exceed the leader's speed to catch up. Default the top speed.
     */
    speed: { kind: 'number', unit: 'm/s', above: 0, infinite: true },
    /** The agent has joined within this distance of the slot (m, > 0). Default the agent's radius. */
    tolerance: { kind: 'number', unit: 'm', above: 0, infinite: true },
    /**
     * The agent has joined when its speed relative to the slot is at most this (m/s, > 0). Default one
     * tolerance per second.
     */
    speedTolerance: { kind: 'number', unit: 'm/s', above: 0, infinite: true },
  } as const satisfies AnyTable
  private readonly slot = new Slot()
  /** Whether the agent has joined (1). */
  private readonly memory = new Memory(1)
  readonly state: SnapshotState = [this.slot, this.memory]

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (isGone(agent, step, this, this.target)) return
    const { slot } = this
    const { acceleration, leader, position, velocity } = slot
    if (!slot.update(agent, step, this.target, this.offset))
      return flyOn(agent, step, topSpeed(agent), out.force)
    sub(fromTarget, agent.position, leader.position)
    sub(slotFromTarget, position, leader.position)
    const slotDistance = length(slotFromTarget)
    const clearance = Math.min(this.clearance ?? slotDistance / 2, MOST_CLEARANCE * slotDistance)
    this.updateJoined(agent, step)
    pathAroundAgent(toSlot, fromTarget, slotFromTarget, clearance, slot.frame.y)
    const top = closingIn(toSlot, velocity, topSpeed(agent, this.speed))
    arriveAt(agent, step, add(toSlot, toSlot, agent.position), velocity, acceleration, top, out.force)
  }

  private updateJoined(agent: Agent, step: Step): void {
    const { position, velocity } = this.slot
    const tolerance = this.tolerance ?? agent.radius
    const apart = distance(position, agent.position)
    const slow = distance(velocity, agent.velocity) <= (this.speedTolerance ?? tolerance)
    const memoryOffset = this.memory.at(agent)
    const { data } = this.memory
    const joined = data[memoryOffset] === 1
    if (joined ? apart <= 2 * tolerance : !(apart <= tolerance && slow)) return
    data[memoryOffset] = joined ? 0 : 1
    step.emit(agent, joined ? 'leave' : 'arrive', this)
  }
}
