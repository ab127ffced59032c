import type { Behavior, DebugDraw, Step, Wrench } from '../types.js'
import type { Agents, Brain } from './agents.js'
import { Cursor } from './cursor.js'
import { clearWrench, findCulprit, isFiniteWrench, zeroWrench } from './faults.js'
import { Grid } from './grid.js'
import { traceAgent } from './trace.js'

/** Phases "index" and "think": who is near whom, and what everybody wants and gives. */
export class Thinker {
  private readonly grid = new Grid()
  private readonly cursor: Cursor
  private readonly demand: Wrench = zeroWrench()
  private readonly given: Wrench = zeroWrench()
  private indexed = false
  private readonly agents: Agents
  private readonly seed: number
  private readonly report: (slot: number, behavior: Behavior, message: string) => void

  constructor(
    agents: Agents,
    seed: number,
    report: (slot: number, behavior: Behavior, message: string) => void,
  ) {
    this.agents = agents
    this.seed = seed
    this.report = report
    this.cursor = new Cursor(agents, this.grid)
  }

  /** Sorts the agents into cells of about `reach`; 0 when nobody looks around. */
  index(reach: number): void {
    this.indexed = reach > 0
    if (this.indexed) this.grid.build(this.agents, reach)
  }

  /** Lets every agent think. In cell order when there is one: neighbours in space are neighbours in memory. */
  think(step: Step): void {
    const { agents, cursor, grid } = this
    cursor.begin(this.seed, step.tick)
    if (this.indexed)
      for (let entry = 0; entry < grid.count; entry++) this.one(grid.slot[entry]!, entry, step)
    else
      for (let i = 0; i < agents.count; i++) {
        const slot = agents.order[i]!
        if (agents.lost[slot] === 0) this.one(slot, -1, step)
      }
  }

  /** The first agent whose behaviours give something not finite or throw, and the behaviour to blame. */
  validate(step: Step): { slot: number; behavior: Behavior } | null {
    const { agents, cursor, demand } = this
    cursor.begin(this.seed, step.tick)
    const entries = this.indexed ? this.grid.count : agents.count
    for (let i = 0; i < entries; i++) {
      const slot = this.indexed ? this.grid.slot[i]! : agents.order[i]!
      const { behavior } = agents.brain[slot]!
      cursor.load(slot, this.indexed ? i : -1)
      clearWrench(demand)
      try {
        behavior.steer(cursor, step, demand)
      } catch {
        return { slot, behavior: findCulprit(behavior, cursor, step) }
      }
      if (!isFiniteWrench(demand)) return { slot, behavior: findCulprit(behavior, cursor, step) }
    }
    return null
  }

  /** Draws the agents in `slots`, with the neighbours of the last index. */
  trace(slots: ArrayLike<number>, step: Step, draw: DebugDraw): void {
    const { agents, cursor, grid } = this
    cursor.begin(this.seed, step.tick)
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i]!
      cursor.load(slot, this.indexed ? grid.slot.subarray(0, grid.count).indexOf(slot) : -1)
      traceAgent(agents, cursor, step, draw)
    }
  }

  private one(slot: number, entry: number, step: Step): void {
    const { cursor, demand, given } = this
    const brain = this.agents.brain[slot]!
    cursor.load(slot, entry)
    clearWrench(demand)
    clearWrench(given)
    if (!this.ask(brain, slot, step)) {
      clearWrench(demand)
      clearWrench(given)
    }
    const row = this.agents.wrench
    const w = 12 * slot
    row[w] = given.force.x
    row[w + 1] = given.force.y
    row[w + 2] = given.force.z
    row[w + 3] = given.torque.x
    row[w + 4] = given.torque.y
    row[w + 5] = given.torque.z
    row[w + 6] = demand.force.x
    row[w + 7] = demand.force.y
    row[w + 8] = demand.force.z
    row[w + 9] = demand.torque.x
    row[w + 10] = demand.torque.y
    row[w + 11] = demand.torque.z
  }

  /** Behaviours, then locomotion. False, and a report, when the result cannot be used. */
  private ask({ behavior, locomotion }: Brain, slot: number, step: Step): boolean {
    const { cursor, demand, given } = this
    try {
      behavior.steer(cursor, step, demand)
      if (!isFiniteWrench(demand)) {
        this.report(slot, findCulprit(behavior, cursor, step), 'gave a force or torque that is not finite')
        return false
      }
      locomotion.actuate(cursor, demand, step, given)
    } catch (error) {
      this.report(slot, findCulprit(behavior, cursor, step), `threw ${String(error)}`)
      return false
    }
    if (isFiniteWrench(given)) return true
    this.report(slot, behavior, `${locomotion.constructor.name} gave a force or torque that is not finite`)
    return false
  }
}
