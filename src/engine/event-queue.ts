import type { Agent, Behavior, Fault, BehaviorEventType, StageChange } from '../types.js'
import type { Agents } from './agents.js'
import type { SteeringController } from './controller.js'
import { Emitter } from './emitter.js'
import { describe, type FaultKind } from './faults.js'
import type { Flock } from './flock.js'
import { show } from '../math/show.js'
import { typeName } from '../math/type-name.js'

export interface WorldEvents {
  arrive: { type: 'arrive'; target: SteeringController | Flock; id: number; behavior: Behavior }
  leave: { type: 'leave'; target: SteeringController | Flock; id: number; behavior: Behavior }
  stage: { type: 'stage'; target: SteeringController | Flock; id: number } & StageChange
  /**
   * Something not finite, or an exception, was dropped: of a behaviour, locomotion, body, view, planner, guard or listener. Told once per agent,
   * part and kind of fault; without a listener on the console.
   */
  fault: Fault & { type: 'fault' }
}

type PendingEvent = { id: number; slot: number; type: BehaviorEventType } & StageChange

/** Of a fault that belongs to no agent. */
const NO_AGENT = -1

/** So many faulty agents are remembered before those who have gone are looked for. */
const MAX_KNOWN = 1000

/** Collects what happens inside a step, and tells it when the step is over. */
export class EventQueue extends Emitter<WorldEvents> {
  /** By agent: the faults that were told of it, part and kind. */
  private readonly knownFaults = new Map<number, Set<string>>()
  private faults: Fault[] = []
  private events: PendingEvent[] = []
  /** How often time was turned back: what had happened then has not happened any more. */
  private restores = 0

  /** Notes an event of an agent. */
  note(agent: Agent, type: BehaviorEventType, behavior: Behavior, stage = '', reason = ''): void {
    this.events.push({ id: agent.id, slot: agent.slot, type, behavior, stage, reason })
  }

  /** Notes a fault of `part`, once per agent, part and kind. A part that is a string goes by that name. Row −1: of no agent, but of the world. */
  noteFault(agents: Agents, row: number, part: object | string, kind: FaultKind, message: string): void {
    const id = row < 0 ? NO_AGENT : agents.id[row]!
    const name = row < 0 ? '' : show(agents.handle[row]?.name ?? '')
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

  /** What was not told yet is not told any more. Whoever comes later may have the id of one who has gone by this, and is told of as well. @internal */
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

  /** Tells the handles and the world's own listeners, who may change the world. One that throws stops nobody: that is a fault of its own. */
  announce(agents: Agents): void {
    const { events, restores: restoresBefore } = this
    if (events.length === 0 && this.faults.length === 0) return
    this.events = []
    this.emitFaults()
    for (const { id, slot, type, behavior, stage, reason } of events) {
      if (this.restores !== restoresBefore) break
      const row = agents.row[slot]!
      // gone in the meantime: nobody is left to tell
      if (row < 0 || agents.id[row] !== id) continue
      const target = agents.handle[row] as SteeringController | Flock
      const { name } = target
      const attempt = (emit: () => void): void => {
        try {
          emit()
        } catch (error) {
          this.report(
            { id, name: show(name), behavior: `listener of '${type}'`, message: `threw ${show(error)}` },
            'threw',
          )
        }
      }
      attempt(() => target.dispatch(type, agents.member[row]!, { behavior, stage, reason }))
      if (type === 'stage') attempt(() => this.emit(type, { type, target, id, behavior, stage, reason }))
      else attempt(() => this.emit(type, { type, target, id, behavior }))
    }
    this.emitFaults()
  }

  private emitFaults(): void {
    const { faults, restores: restoresBefore } = this
    this.faults = []
    for (const fault of faults) {
      // a listener has turned back time
      if (this.restores !== restoresBefore) this.knownFaults.delete(fault.id)
      else this.emitFault(fault)
    }
  }

  private emitFault(fault: Fault): void {
    try {
      if (!this.emit('fault', { type: 'fault', ...fault })) console.error(describe(fault))
    } catch (error) {
      console.error(
        `three-steering: a listener of 'fault' threw ${show(error)}; told was: ${describe(fault)}`,
      )
    }
  }
}

export function faultOf(agents: Agents, row: number, behavior: Behavior, message: string): Fault {
  const name = agents.handle[row]?.name ?? ''
  return { id: agents.id[row]!, name, behavior: typeName(behavior), message }
}
