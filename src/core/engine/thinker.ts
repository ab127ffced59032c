import type { Agent, Behavior, Locomotion, Step, Vec3, Wrench } from '../types.js'
import type { Agents, Binding, Handle, AgentVisitor } from './agents.js'
import { Cursor } from './cursor.js'
import { throwReplacedWrench } from '../control/ask.js'
import { show } from '../math/show.js'
import { isLocked, movablePart } from '../control/lock.js'
import { copy, save, vec3 } from '../math/vec3.js'
import { clearWrench, zeroWrench } from '../math/wrench.js'
import { lookAs } from '../math/own.js'
import { findFaultyPart, isFiniteWrench, type ReportFault } from './faults.js'

/**
 * Observes the decisions of one agent, step by step. Implemented by the explanations of
 * `three-steering/explain`, which the engine does not import.
 */
export interface ThinkingObserver {
  /** Id of the agent, see `Agent.id`. */
  id: number
  readonly handle: Handle
  /** Where the agent was, m. */
  readonly position: Vec3
  /** Before the behaviours of the agent are asked. May set `agent.explainer`. */
  begin(agent: Agent, time: number, behavior: Behavior): void
  /**
   * After its locomotion has answered. Not called in a step in which a behaviour or the locomotion failed.
   */
  end(wanted: Readonly<Wrench>, given: Readonly<Wrench>): void
}

/** Phase "think": calls the behaviours, then the locomotions. */
export class Thinker {
  private readonly cursor: Cursor
  private readonly demand: Wrench = zeroWrench()
  private readonly given: Wrench = zeroWrench()
  /** The observers, by slot of their agents. */
  readonly observers = new Map<number, ThinkingObserver>()
  private readonly agents: Agents
  private readonly seed: number
  private readonly seal = new StepSeal()
  private readonly report: ReportFault

  constructor(agents: Agents, seed: number, report: ReportFault) {
    this.agents = agents
    this.seed = seed
    this.report = report
    this.cursor = new Cursor(agents, (row, part, what, got) =>
      report(row, part, `input ${what}`, `${what}: got ${show(got)}, which cannot be used`),
    )
  }

  /** Calls behaviours and locomotion of every agent. */
  think(step: Step): void {
    const { agents, cursor } = this
    cursor.begin(this.seed, step)
    if (this.observers.size > 0) this.observers.forEach(this.forgetGone)
    this.seal.begin(step)
    const before = lookAs(cursor)
    try {
      const steered = agents.search?.steer(cursor, step, this.observers)
      for (let row = 0; row < agents.count; row++)
        if (agents.lost[row] === 0 && steered?.[row] !== 1) this.steerAgent(row, step)
    } finally {
      lookAs(before)
    }
    agents.search?.end()
  }

  /** The first agent whose behaviours throw, or give values that are not finite, and the part that fails. */
  validate(step: Step): { row: number; behavior: Behavior } | null {
    const { slot, count } = this.agents
    let found: { row: number; behavior: Behavior } | null = null
    this.visit(slot.subarray(0, count), step, ({ row }, agent) => {
      if (found !== null) return
      const behavior = this.findFault(row[agent.slot]!, step)
      if (behavior !== null) found = { row: row[agent.slot]!, behavior }
    })
    return found
  }

  /** The part of an agent that throws, or gives values that are not finite; null for none. */
  private findFault(row: number, step: Step): Behavior | null {
    const { agents, cursor, demand } = this
    const { behavior, broken } = agents.binding[row]!
    if (broken !== null) return broken
    clearWrench(demand)
    try {
      behavior.steer(cursor, step, demand)
      if (isFiniteWrench(demand)) return null
    } catch {
      // this agent's behaviour throws
    }
    return findFaultyPart(behavior, cursor, step)
  }

  /** Visits the agents in `slots`, with the neighbours of the last index. */
  visit(slots: ArrayLike<number>, step: Step, visit: AgentVisitor): void {
    const { agents, cursor } = this
    cursor.begin(this.seed, step)
    const before = lookAs(cursor)
    try {
      for (let i = 0; i < slots.length; i++) {
        cursor.load(agents.row[slots[i]!]!)
        visit(agents, cursor, step)
      }
    } finally {
      lookAs(before)
    }
  }

  private steerAgent(row: number, step: Step): void {
    const { agents, cursor, demand, given } = this
    const binding = agents.binding[row]!
    cursor.load(row)
    clearWrench(demand)
    clearWrench(given)
    const observer = this.observers.size > 0 ? this.observers.get(cursor.slot) : undefined
    observer?.begin(cursor, step.time, binding.behavior)
    if (binding.broken === null && this.steerAndActuate(binding, row, step)) observer?.end(demand, given)
    else {
      clearWrench(demand)
      clearWrench(given)
    }
    store(agents.given, 6 * row, given)
    store(agents.wanted, 6 * row, demand)
  }

  /** Ends the observation of an agent that has left the world. */
  private readonly forgetGone = ({ id }: ThinkingObserver, slot: number): void => {
    const row = this.agents.row[slot]!
    if (row < 0 || this.agents.id[row] !== id) this.observers.delete(slot)
  }

  /** Calls the behaviours, then the locomotion. False, and a fault, when the result cannot be used. */
  private steerAndActuate({ behavior, locomotion }: Binding, row: number, step: Step): boolean {
    const { cursor, demand, given } = this
    const { force, torque } = demand
    try {
      behavior.steer(cursor, step, demand)
      if (demand.force !== force || demand.torque !== torque) throwReplacedWrench(demand, force, torque)
      const locked = isLocked(cursor)
      if (locked) movablePart(force, force, cursor)
      this.actuate(locomotion, step)
      if (locked) movablePart(given.force, given.force, cursor)
    } catch (error) {
      const { activeBehavior: part } = cursor
      this.isSharedStateIntact(behavior, row, step)
      const faulty = cursor.faultyBehavior ?? findFaultyPart(part ?? behavior, cursor, step)
      this.report(row, faulty, 'threw', `threw ${show(error)}`)
      // `findFaultyPart` has called behaviours once more, which may have altered shared state again
      this.isSharedStateIntact(behavior, row, step)
      return false
    }
    if (!this.isSharedStateIntact(behavior, row, step)) return false
    if (isFiniteWrench(demand) && isFiniteWrench(given)) return true
    // an unusable input was reported already, and is the cause
    if (cursor.reported) return false
    const faulty = isFiniteWrench(demand) ? locomotion : findFaultyPart(behavior, cursor, step)
    this.report(row, faulty, 'not finite', 'gave a force or torque that is not finite')
    return false
  }

  private actuate(locomotion: Locomotion, step: Step): void {
    const { cursor, demand, given } = this
    try {
      locomotion.actuate(cursor, demand, step, given)
    } catch (error) {
      // not the fault of the behaviour that was called last
      cursor.faultyBehavior = locomotion
      throw error
    }
  }

  /** False, and a fault, when a behaviour has written into state that all agents share; repairs it. */
  private isSharedStateIntact(behavior: Behavior, row: number, step: Step): boolean {
    const { cursor, seal } = this
    const { search } = this.agents
    cursor.explainer = null
    const stepIntact = seal.isIntact(step)
    const neighborsIntact = search === null || search.isIntact
    if (stepIntact && neighborsIntact) return true
    const altered = stepIntact ? 'the columns of its neighbors' : 'the step'
    const faulty = findFaultyPart(
      behavior,
      cursor,
      step,
      () => !(seal.isIntact(step) && search?.isIntact !== false),
    )
    this.report(row, faulty, 'alters', `wrote into ${altered}, which all agents share; undone`)
    return false
  }
}

function store(column: Float64Array, at: number, { force, torque }: Wrench): void {
  save(force, column, at)
  save(torque, column, at + 3)
}

/** Keeps the step object, which all agents share, as it was at the beginning of the step. */
class StepSeal {
  private readonly kept: Step = { dt: 0.5, time: 0.5, tick: 0, up: vec3(), emit: () => {} }
  private readonly up = vec3()

  begin(step: Step): void {
    Object.assign(this.kept, step)
    copy(this.up, step.up)
  }

  /** False when a behaviour has changed the step object, which is then repaired. */
  isIntact(step: Step): boolean {
    const { kept, up } = this
    if (
      step.dt === kept.dt &&
      step.time === kept.time &&
      step.tick === kept.tick &&
      step.emit === kept.emit &&
      step.up === kept.up &&
      kept.up.x === up.x &&
      kept.up.y === up.y &&
      kept.up.z === up.z
    )
      return true
    Object.assign(step, kept)
    Object.assign(kept.up, up)
    return false
  }
}
