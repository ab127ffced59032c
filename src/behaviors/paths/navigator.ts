import type { Agent, SnapshotState, Step } from '../../types.js'
import type { Path } from './path.js'
import { Memory } from '../../control/memory.js'
import { requirePath, type NextPiece } from './follow-options.js'
import type { DirectedPath } from './directed-path.js'
import type { BlockedPath, PilotOptions } from './pilot-options.js'
import { Routes } from './routes.js'

// what is kept for each agent
const NUMBER = 0
const LAST = 1
const ASKED = 2
const WIDTH = 3

/** Who has no answer yet asks again after this time, s. */
const AGAIN = 0.25

/** Asks for the next piece where the way left is so many times what braking takes. */
const EARLY = 1.2

/** What the user's functions may return as well. */
const NONE = ', null or undefined'

/** Which path each agent is on, and asking the user for others. What the user's functions throw, or what they return in vain, loses nothing else. */
export class Navigator {
  readonly routes = new Routes()
  private readonly memory = new Memory(WIDTH)
  readonly state: SnapshotState = [this.routes, this.memory]
  private failure: { readonly id: number; readonly tick: number; readonly error: unknown } | null = null

  /** Throws once more what the user's function threw in this step: who looks for the culprit asks again. */
  recall({ id }: Agent, { tick }: Step): void {
    const { failure } = this
    if (failure !== null && failure.id === id && failure.tick === tick) throw failure.error
  }

  /** Loads what an agent flies. @returns whether it has a path. */
  load({ slot }: Agent, lane: DirectedPath, direction: 1 | -1): boolean {
    const path = this.routes.pathOf(slot)
    if (path === null) return false
    lane.path = path
    lane.next = this.routes.nextOf(slot)
    lane.direction = direction
    return true
  }

  /** Takes note that an agent has gone on to the next piece. @returns its number. */
  goOn({ slot }: Agent, piece: Path): number {
    this.routes.give(slot, piece)
    return this.routes.numberOf(slot)
  }

  /** Whether the path is known to end where it ends. */
  isLast(agent: Agent, next: NextPiece | undefined): boolean {
    return next === undefined || this.memory.data[this.look(agent) + LAST] === 1
  }

  /** Asks for the next piece, `left` m before the end, when braking takes `reach` (m). */
  askNext(
    agent: Agent,
    step: Step,
    next: NextPiece | undefined,
    lane: DirectedPath,
    reach: number,
    left: number,
  ): void {
    const { memory, routes } = this
    if (next === undefined || lane.next !== null || lane.path.endless || left > EARLY * reach) return
    const at = this.look(agent)
    if (memory.data[at + LAST] === 1 || memory.data[at + ASKED]! > step.time) return
    memory.data[at + ASKED] = step.time + AGAIN
    const { slot } = agent
    const { path } = lane
    const number = routes.numberOf(slot)
    try {
      const piece = next(agent, path)
      if (piece === undefined || routes.numberOf(slot) !== number) return
      if (piece === null) memory.data[this.look(agent) + LAST] = 1
      else routes.append(slot, requirePath('FollowPath.next', piece, NONE))
    } catch (error) {
      this.fail(agent, step, error)
    }
  }

  /** Asks for another way. @returns whether there is one. */
  askAround(agent: Agent, step: Step, ask: PilotOptions['renavigate'], blocked: BlockedPath): boolean {
    const { routes } = this
    if (ask === undefined) return false
    const { slot } = agent
    const number = routes.numberOf(slot)
    try {
      const path: Path | null | undefined = ask(agent, blocked)
      if (path !== null && path !== undefined)
        routes.give(slot, requirePath('FollowPath.pilot.renavigate', path, NONE))
    } catch (error) {
      this.fail(agent, step, error)
    }
    return routes.numberOf(slot) !== number
  }

  /** Offset of the agent's numbers, which start anew with a path. */
  private look(agent: Agent): number {
    const at = this.memory.at(agent)
    const { data } = this.memory
    const number = this.routes.numberOf(agent.slot)
    if (data[at + NUMBER] === number) return at
    data[at + NUMBER] = number
    data[at + LAST] = data[at + ASKED] = 0
    return at
  }

  private fail({ id }: Agent, { tick }: Step, error: unknown): never {
    this.failure = { id, tick, error }
    throw error
  }
}
