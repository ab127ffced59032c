import type { Agent, Behavior, Fault, BehaviorEventType, StageChange } from '../types.js'
import type { Agents } from './agents.js'
import type { SteeringController } from './controller.js'
import { Emitter } from './emitter.js'
import { faultText, type FaultKind } from './faults.js'
import type { Flock } from './flock.js'
import type { AgentEvents } from './limited.js'
import { show, typeName } from '../math/show.js'

export interface WorldEvents extends AgentEvents<{ target: SteeringController | Flock; id: number }> {
  /**
   * A value that is not finite, or an exception, was dropped: of a behaviour, locomotion, body, view,
   * planner, guard or listener. Emitted once per agent, part and kind of fault. Without a listener it is
   * printed on the console.
   */
  fault: Fault & { type: 'fault' }
}

type PendingEvent = { id: number; slot: number; type: BehaviorEventType } & StageChange

/** Id of a fault that belongs to no agent. */
const NO_AGENT = -1

/**
 * Above this number of agents with faults (plus twice the living agents), those of removed agents are
 * dropped. Chosen by hand.
 */
const MAX_KNOWN = 1000

/** Collects the events and faults of a step, and emits them when the step is over. */
export class EventQueue extends Emitter<WorldEvents> {
  /** Faults that were reported, by agent id: kind and part of each. @internal */
  readonly knownFaults: Map<number, Set<string>> = new Map<number, Set<string>>()
  /** @internal */
  faults: Fault[] = []
  /** @internal */
  events: PendingEvent[] = []
  /** Number of times a snapshot was restored: events from before the last one are void. */
  private restores = 0

  /** Queues an event of an agent. */
  note(agent: Agent, type: BehaviorEventType, behavior: Behavior, stage = '', reason = ''): void {
    this.events.push({ id: agent.id, slot: agent.slot, type, behavior, stage, reason })
  }

  /**
   * Queues a fault of `part`, once per agent, part and kind. A part that is a string is its own name. Row −1:
   * a fault of the world, of no agent.
   */
  noteFault(agents: Agents, row: number, part: object | string, kind: FaultKind, message: string): void {
    const id = row < 0 ? NO_AGENT : agents.id[row]!
    const name = row < 0 ? '' : (agents.handle[row]?.name ?? '')
    this.report({ id, name, behavior: typeof part === 'string' ? part : typeName(part), message }, kind)
    if (this.knownFaults.size > MAX_KNOWN + 2 * agents.count) this.dropGone(agents)
  }

  private report(fault: Fault, kind: FaultKind): void {
    const key = `${kind} ${fault.behavior}`
    let known = this.knownFaults.get(fault.id)
    if (known === undefined) this.knownFaults.set(fault.id, (known = new Set()))
    if (known.has(key)) return
    known.add(key)
    this.faults.push(fault)
  }

  /**
   * Drops the events and faults that were not emitted yet, after a snapshot was restored. A later agent may
   * get the id of an agent that is gone now, so faults of such ids are forgotten. @internal
   */
  discardPending(agents: Agents): void {
    this.restores++
    this.events = []
    for (const fault of this.faults.splice(0)) this.knownFaults.delete(fault.id)
    this.dropGone(agents)
  }

  private dropGone({ count, id }: Agents): void {
    const here = new Set(id.subarray(0, count))
    for (const each of this.knownFaults.keys())
      if (each !== NO_AGENT && !here.has(each)) this.knownFaults.delete(each)
  }

  /**
   * Emits to the listeners of the handles and of the world. They may change the world. One that throws does
   * not stop the others: that is a fault.
   */
  announce(agents: Agents): void {
    const { events, restores: restoresBefore } = this
    if (events.length === 0 && this.faults.length === 0) return
    this.events = []
    this.emitFaults()
    for (const { id, slot, type, behavior, stage, reason } of events) {
      if (this.restores !== restoresBefore) break
      const row = agents.row[slot]!
      // the agent has been removed in the meantime
      if (row < 0 || agents.id[row] !== id) continue
      const target = agents.handle[row] as SteeringController | Flock
      const { name } = target
      const attempt = (emit: () => void): void => {
        try {
          emit()
        } catch (error) {
          this.report(
            { id, name, behavior: `listener of '${type}'`, message: `threw ${show(error)}` },
            'threw',
          )
        }
      }
      // no other event has a stage
      const change =
        type === 'stage'
          ? { behavior, stage, reason }
          : type === 'cannot' || reason !== ''
            ? { behavior, reason }
            : { behavior }
      attempt(() => target.dispatch(type, agents.member[row]!, change))
      attempt(() => this.emit(type, { type, target, id, ...change } as never))
    }
    this.emitFaults()
  }

  private emitFaults(): void {
    const { faults, restores: restoresBefore } = this
    this.faults = []
    for (const fault of faults) {
      // a listener has restored a snapshot
      if (this.restores !== restoresBefore) this.knownFaults.delete(fault.id)
      else this.emitFault(fault)
    }
  }

  private emitFault(fault: Fault): void {
    try {
      if (!this.emit('fault', { type: 'fault', ...fault })) console.error(faultText(fault))
    } catch (error) {
      console.error(
        `three-steering: a listener of 'fault' threw ${show(error)}; the fault was: ${faultText(fault)}`,
      )
    }
  }
}

export function faultOf(agents: Agents, row: number, behavior: Behavior, message: string): Fault {
  const name = agents.handle[row]?.name ?? ''
  return { id: agents.id[row]!, name, behavior: typeName(behavior), message }
}
