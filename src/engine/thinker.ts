import type { Archive, Behavior, DebugDraw, Step, Wrench } from '../types.js'
import type { Agents, Brain, Handle } from './agents.js'
import { Candidates } from './candidates.js'
import { Cursor } from './cursor.js'
import { Explanation } from './explanation.js'
import { clearWrench, zeroWrench } from '../math/wrench.js'
import { typeName } from '../math/type-name.js'
import { findCulprit, isFiniteWrench } from './faults.js'
import { Grid } from './grid.js'
import { traceAgent } from './trace.js'

/** Phases "index" and "think": who is near whom, and what everybody wants and gives. */
export class Thinker {
  private readonly grid = new Grid()
  private readonly candidates: Candidates
  private readonly cursor: Cursor
  private readonly demand: Wrench = zeroWrench()
  private readonly given: Wrench = zeroWrench()
  /** Version of the agents that the grid is of; −1 without one. */
  private indexed = -1
  /** By slot: of whom somebody wants to know. */
  private readonly explained = new Map<number, Explanation>()
  private readonly agents: Agents
  private readonly seed: number
  private readonly report: (row: number, behavior: Behavior, message: string) => void

  constructor(
    agents: Agents,
    seed: number,
    report: (row: number, behavior: Behavior, message: string) => void,
  ) {
    this.agents = agents
    this.seed = seed
    this.report = report
    this.candidates = new Candidates(this.grid, agents)
    this.cursor = new Cursor(agents, this.grid, this.candidates)
  }

  /** Sorts the agents into cells of about `reach`; 0 when nobody looks around. */
  index(reach: number): void {
    if (reach > 0) this.candidates.update(reach)
    this.indexed = reach > 0 ? this.agents.version : -1
  }

  /** For snapshots, after the agents: who is near whom, and in what order. */
  keep(archive: Archive): void {
    this.candidates.keep(archive)
    if (archive.restoring) this.indexed = this.candidates.hold ? this.agents.version : -1
  }

  /** Lets every agent think. */
  think(step: Step): void {
    const { agents, cursor } = this
    cursor.begin(this.seed, step.tick, this.indexed === agents.version)
    if (this.explained.size > 0) this.explained.forEach(this.forgetGone)
    for (let row = 0; row < agents.count; row++) if (agents.lost[row] === 0) this.one(row, step)
  }

  /** The first agent whose behaviours give something not finite or throw, and the behaviour to blame. */
  validate(step: Step): { row: number; behavior: Behavior } | null {
    const { agents, cursor, demand } = this
    cursor.begin(this.seed, step.tick, this.indexed === agents.version)
    for (let row = 0; row < agents.count; row++) {
      const { behavior } = agents.brain[row]!
      cursor.load(row)
      clearWrench(demand)
      try {
        behavior.steer(cursor, step, demand)
      } catch {
        return { row, behavior: findCulprit(behavior, cursor, step) }
      }
      if (!isFiniteWrench(demand)) return { row, behavior: findCulprit(behavior, cursor, step) }
    }
    return null
  }

  /** @throws TypeError for a handle of nobody here. */
  explain(handle: Handle, member: number): Explanation {
    const { agents, explained } = this
    const row = agents.handle.findIndex((each, i) => each === handle && agents.member[i] === member)
    if (row < 0 || row >= agents.count) throw new TypeError(strange(handle, member))
    const slot = agents.slot[row]!
    const id = agents.id[row]!
    const known = explained.get(slot)
    if (known?.id === id) return known
    const explanation = new Explanation(id, handle, () => {
      explained.forEach((each, at) => each === explanation && explained.delete(at))
    })
    explained.set(slot, explanation)
    return explanation
  }

  /** The world was put back: explanations go on with those they are of, wherever these sit now. */
  follow(): void {
    const { agents, explained } = this
    const all = [...explained.values()]
    explained.clear()
    for (const explanation of all) {
      const { handle, id } = explanation
      for (let row = 0; row < agents.count; row++) {
        if (agents.handle[row] !== handle || !('seat' in handle || agents.id[row] === id)) continue
        explanation.id = agents.id[row]!
        explained.set(agents.slot[row]!, explanation)
      }
    }
  }

  /** Draws the agents in `slots`, with the neighbours of the last index. */
  trace(slots: ArrayLike<number>, step: Step, draw: DebugDraw): void {
    const { agents, cursor } = this
    cursor.begin(this.seed, step.tick, this.indexed === agents.version)
    for (let i = 0; i < slots.length; i++) {
      cursor.load(agents.row[slots[i]!]!)
      traceAgent(agents, cursor, step, draw)
    }
  }

  private one(row: number, step: Step): void {
    const { agents, cursor, demand, given } = this
    const brain = agents.brain[row]!
    cursor.load(row)
    clearWrench(demand)
    clearWrench(given)
    const explanation = this.explained.size > 0 ? this.explained.get(cursor.slot) : undefined
    explanation?.begin(cursor, step.time, brain.behavior)
    if (this.ask(brain, row, step)) explanation?.end(demand, given)
    else {
      clearWrench(demand)
      clearWrench(given)
    }
    store(agents.given, 6 * row, given)
    store(agents.wanted, 6 * row, demand)
  }

  /** Who has gone is not explained any more, nor is whoever has the slot now. */
  private readonly forgetGone = ({ id }: Explanation, slot: number): void => {
    const row = this.agents.row[slot]!
    if (row < 0 || this.agents.id[row] !== id) this.explained.delete(slot)
  }

  /** Behaviours, then locomotion. False, and a report, when the result cannot be used. */
  private ask({ behavior, locomotion }: Brain, row: number, step: Step): boolean {
    const { cursor, demand, given } = this
    try {
      behavior.steer(cursor, step, demand)
      locomotion.actuate(cursor, demand, step, given)
    } catch (error) {
      cursor.ledger = null
      this.report(row, findCulprit(behavior, cursor, step), `threw ${String(error)}`)
      return false
    }
    cursor.ledger = null
    if (isFiniteWrench(demand) && isFiniteWrench(given)) return true
    const culprit = isFiniteWrench(demand) ? behavior : findCulprit(behavior, cursor, step)
    const who = isFiniteWrench(demand) ? `its ${typeName(locomotion)} ` : ''
    this.report(row, culprit, `${who}gave a force or torque that is not finite`)
    return false
  }
}

function strange(handle: Handle, member: number): string {
  const who = typeof handle?.hear === 'function' ? `'${handle.name}'` : String(handle)
  return `explain: got ${who} and index ${member}, must be an agent of this world`
}

function store(column: Float64Array, at: number, { force, torque }: Wrench): void {
  column[at] = force.x
  column[at + 1] = force.y
  column[at + 2] = force.z
  column[at + 3] = torque.x
  column[at + 4] = torque.y
  column[at + 5] = torque.z
}
