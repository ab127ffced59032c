import type { Agent, Behavior, Fault, Happening, Stage } from '../types.js'
import type { Agents } from './agents.js'
import type { SteeringController } from './controller.js'
import { Emitter } from './emitter.js'
import { describe } from './faults.js'
import type { Flock } from './flock.js'
import { typeName } from '../math/type-name.js'

export interface WorldEvents {
  arrive: { type: 'arrive'; target: SteeringController | Flock; id: number; behavior: Behavior }
  leave: { type: 'leave'; target: SteeringController | Flock; id: number; behavior: Behavior }
  stage: { type: 'stage'; target: SteeringController | Flock; id: number } & Stage
  /** Something not finite, or an exception, was dropped inside a step. Told once per agent; without a listener on the console. */
  fault: Fault & { type: 'fault' }
}

type Happened = { id: number; slot: number; type: Happening } & Stage

/** Collects what happens inside a step, and tells it when the step is over. */
export class Announcer extends Emitter<WorldEvents> {
  private readonly faulty = new Set<number>()
  private faults: Fault[] = []
  private events: Happened[] = []
  /** How often time was turned back: what had happened then has not happened any more. */
  private turns = 0

  /** Notes an event of an agent. */
  note(agent: Agent, type: Happening, behavior: Behavior, stage = '', reason = ''): void {
    this.events.push({ id: agent.id, slot: agent.slot, type, behavior, stage, reason })
  }

  /** Notes a fault, the first of each agent only. */
  blame(agents: Agents, row: number, behavior: Behavior, message: string): void {
    const id = agents.id[row]!
    if (this.faulty.has(id)) return
    this.faulty.add(id)
    this.faults.push(faultOf(agents, row, behavior, message))
  }

  /** What was not told yet is not told any more. Whoever comes later may have the id of one who has gone by this, and is told of as well. */
  protected forget({ count, id }: Agents): void {
    this.turns++
    this.events = []
    for (const fault of this.faults.splice(0)) this.faulty.delete(fault.id)
    const here = id.subarray(0, count)
    for (const each of this.faulty) if (!here.includes(each)) this.faulty.delete(each)
  }

  /** Tells the handles and the world's own listeners, who may change the world. @returns what the first one that failed threw. */
  announce(agents: Agents): { error: unknown } | null {
    const { events, faults, turns } = this
    if (events.length === 0 && faults.length === 0) return null
    this.events = []
    this.faults = []
    let failed: { error: unknown } | null = null
    const attempt = (tell: () => void): void => {
      try {
        tell()
      } catch (error) {
        failed ??= { error }
      }
    }
    for (const fault of faults)
      attempt(() => {
        if (this.turns !== turns) this.faulty.delete(fault.id)
        else if (!this.tell('fault', { type: 'fault', ...fault })) console.error(describe(fault))
      })
    for (const { id, slot, type, behavior, stage, reason } of events) {
      if (this.turns !== turns) break
      const row = agents.row[slot]!
      // gone in the meantime: nobody is left to tell
      if (row < 0 || agents.id[row] !== id) continue
      const target = agents.handle[row] as SteeringController | Flock
      attempt(() => target.hear(type, agents.member[row]!, { behavior, stage, reason }))
      if (type === 'stage') attempt(() => this.tell(type, { type, target, id, behavior, stage, reason }))
      else attempt(() => this.tell(type, { type, target, id, behavior }))
    }
    return failed
  }
}

export function faultOf(agents: Agents, row: number, behavior: Behavior, message: string): Fault {
  const name = agents.handle[row]?.name ?? ''
  return { id: agents.id[row]!, name, behavior: typeName(behavior), message }
}
