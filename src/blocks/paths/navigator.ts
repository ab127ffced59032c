import { SlotOwners } from '../../core/control/slot-owners.js'
import type { Agent, AgentInSlot, SnapshotState, Step, Archive, Serializable } from '../../core/types.js'
import { Path } from './path.js'
import { Memory } from '../../core/control/memory.js'
import { requirePath, type NextPiece, type BlockedPath, type PilotOptions } from './follow-options.js'
import { brakingReach, type DirectedPath } from './directed-path.js'
import type { FollowState } from './path-techniques.js'
import type { PathOptions } from './path-points.js'

// Offsets of the numbers that are stored for each agent.
const NUMBER = 0
const LAST = 1
const ASKED = 2
const WIDTH = 3

// The numbers below are chosen by hand unless they say otherwise.

/** After no answer, an agent asks again after this time (s). */
const RETRY_TIME = 0.25

/** The next piece is asked for at this multiple of the braking reach before the end. Larger: earlier. */
const ASK_MARGIN = 1.2

/** Other values that the user's functions may return, for messages. */
const ALSO_ALLOWED = ', null or undefined'

/**
 * Stores which path each agent flies, and asks the user's functions for others. An error or a wrong value
 * from such a function changes nothing else.
 */
export class Navigator {
  readonly routes = new Routes()
  private readonly memory = new Memory(WIDTH)
  readonly state: SnapshotState = [this.routes, this.memory]
  private failure: { readonly id: number; readonly tick: number; readonly error: unknown } | null = null

  /**
   * Prepares the step of an agent: notes a new owner of its slot, and a change of the common path. Throws
   * again an error that the user's function threw in this step: the fault report asks again to find the
   * part that failed.
   */
  beginStep(agent: Agent, { tick }: Step, isNew: boolean, common: Path | null, direction: 1 | -1): void {
    const { failure, routes } = this
    if (isNew) routes.claimSlot(agent)
    routes.setCommon(common, direction)
    if (failure !== null && failure.id === agent.id && failure.tick === tick) throw failure.error
  }

  /**
   * Loads the path of the agent in a slot.
   * @returns whether it has one.
   */
  load(slot: number, path: DirectedPath, direction: 1 | -1): boolean {
    const base = this.routes.pathOf(slot)
    if (base === null) return false
    path.base = base
    path.next = this.routes.nextOf(slot)
    path.direction = direction
    return true
  }

  /**
   * Continues on the next piece.
   * @returns its number.
   */
  advance({ slot }: Agent, piece: Path): number {
    this.routes.give(slot, piece)
    return this.routes.numberOf(slot)
  }

  /** Whether the present path is known to be the last piece. */
  isEndKnown(agent: Agent, next: NextPiece | undefined): boolean {
    return next === undefined || this.memory.data[this.offsetFor(agent) + LAST] === 1
  }

  /** Asks for the next piece if the end of the path is near. */
  askNext(agent: Agent, step: Step, { limits, path, settings, station }: FollowState): void {
    const { memory, routes } = this
    const { next } = settings
    if (next === undefined || path.next !== null || path.base.endless) return
    if (path.end - station > ASK_MARGIN * brakingReach(limits)) return
    const offset = this.offsetFor(agent)
    if (memory.data[offset + LAST] === 1 || memory.data[offset + ASKED]! > step.time) return
    memory.data[offset + ASKED] = step.time + RETRY_TIME
    const { slot } = agent
    const { base } = path
    const number = routes.numberOf(slot)
    try {
      const piece = next(agent, base)
      if (piece === undefined || routes.numberOf(slot) !== number) return
      if (piece === null) memory.data[this.offsetFor(agent) + LAST] = 1
      else routes.append(slot, requirePath('FollowPath.next', piece, ALSO_ALLOWED))
    } catch (error) {
      this.fail(agent, step, error)
    }
  }

  /**
   * Asks for another path.
   * @returns whether there is one.
   */
  askReroute(agent: Agent, step: Step, ask: PilotOptions['renavigate'], blocked: BlockedPath): boolean {
    const { routes } = this
    if (ask === undefined) return false
    const { slot } = agent
    const number = routes.numberOf(slot)
    try {
      const path: Path | null | undefined = ask(agent, blocked)
      if (path !== null && path !== undefined)
        routes.give(slot, requirePath('FollowPath.pilot.renavigate', path, ALSO_ALLOWED))
    } catch (error) {
      this.fail(agent, step, error)
    }
    return routes.numberOf(slot) !== number
  }

  /** Offset of the agent's numbers, which are reset on a new path. */
  private offsetFor(agent: Agent): number {
    const offset = this.memory.at(agent)
    const { data } = this.memory
    const number = this.routes.numberOf(agent.slot)
    if (data[offset + NUMBER] === number) return offset
    data[offset + NUMBER] = number
    data[offset + LAST] = data[offset + ASKED] = 0
    return offset
  }

  private fail({ id }: Agent, { tick }: Step, error: unknown): never {
    this.failure = { id, tick, error }
    throw error
  }
}

/**
 * Which agent flies which path. All fly the common path, except agents with an own path. A change of the
 * common path ends all own paths.
 */
class Routes implements Serializable {
  private common: Path | null = null
  private direction = 0
  /** Number of paths given so far; see `numberOf`. */
  private pathCount = 0
  private commonNumber = 0
  /** For each slot: the own path or undefined; its number; and the piece that follows it. */
  private readonly own: (Path | null | undefined)[] = []
  private readonly numbers: number[] = []
  private readonly following: (Path | null)[] = []
  private readonly owners = new SlotOwners()

  /**
   * Archives which agent flies which path. The common path is an option of the behaviour; `serializeCommon`
   * archives only whether it has been seen.
   */
  serialize(archive: Archive): void {
    this.pathCount = archive.number(this.pathCount)
    this.commonNumber = archive.number(this.commonNumber)
    this.owners.serialize(archive, (slot) => {
      this.numbers[slot] = archive.number(this.numbers[slot]!)
      const own = archive.boolean(this.isOwn(slot))
      this.own[slot] = own ? serializePath(archive, this.own[slot] ?? null) : undefined
      this.following[slot] = serializePath(archive, this.following[slot] ?? null)
    })
  }

  /**
   * The numbers of paths differ from world to world, and the agent keeps the one that it had. So an agent
   * that flies the common path gets that as its own, unless it has the same number here.
   */
  serializeAgent(archive: Archive, agent: AgentInSlot): void {
    const { slot } = agent
    if (!archive.boolean(this.slotOf(agent) === slot)) return
    const number = archive.number(this.numberOf(slot))
    const isOwn = archive.boolean(this.isOwn(slot))
    const own = isOwn ? serializePath(archive, this.own[slot] ?? null) : undefined
    const following = serializePath(archive, this.following[slot] ?? null)
    if (!archive.restoring) return
    this.owners.claim(agent)
    this.own[slot] = isOwn || number === this.commonNumber ? own : this.common
    this.numbers[slot] = number
    this.following[slot] = following
    this.pathCount = Math.max(this.pathCount, number)
  }

  /** Archives whether all agents know the common path. */
  serializeCommon(archive: Archive, path: Path | null, direction: 1 | -1): void {
    const known = archive.boolean(path === this.common && direction === this.direction)
    if (!archive.restoring) return
    this.common = known ? path : null
    this.direction = known ? direction : 0
  }

  /** Notes the new owner of a slot. */
  claimSlot(agent: Agent): void {
    this.owners.claim(agent)
    this.give(agent.slot, undefined)
  }

  /** Sets the common path. If the path or its direction has changed, all agents fly it. */
  setCommon(path: Path | null, direction: 1 | -1): void {
    if (path === this.common && direction === this.direction) return
    this.commonNumber = ++this.pathCount
    this.common = path
    this.direction = direction
    this.own.fill(undefined)
    this.following.fill(null)
  }

  /** Gives one agent an own path. Null: no path. Undefined: the common one again. */
  give(slot: number, path: Path | null | undefined): void {
    this.own[slot] = path
    this.numbers[slot] = ++this.pathCount
    this.following[slot] = null
  }

  /** Sets the piece that follows. */
  append(slot: number, piece: Path): void {
    this.following[slot] = piece
  }

  /** Number of an agent's path. After a change of this number the agent starts anew. */
  numberOf(slot: number): number {
    return this.isOwn(slot) ? this.numbers[slot]! : this.commonNumber
  }

  pathOf(slot: number): Path | null {
    return this.isOwn(slot) ? this.own[slot]! : this.common
  }

  nextOf(slot: number): Path | null {
    return this.following[slot] ?? null
  }

  isOwn(slot: number): boolean {
    return this.own[slot] !== undefined
  }

  /** Slot of an agent; −1 for an unknown one. */
  slotOf(agent: { readonly id: number }): number {
    return this.owners.slotOf(agent)
  }
}

/** JSON would turn −0 into 0. */
const MINUS_ZERO = '-0'

/**
 * Archives a path by reference. On restoring it is the same object if that is known, else a new path with
 * the same options.
 */
function serializePath(archive: Archive, path: Path | null): Path | null {
  return archive.reference(path, serializeOptions)
}

function serializeOptions(archive: Archive, path: Path | null): Path {
  const text = archive.string(path === null ? '' : JSON.stringify(path.options, encodeMinusZero))
  return path ?? new Path(JSON.parse(text, decodeMinusZero) as PathOptions)
}

function encodeMinusZero(_name: string, value: unknown): unknown {
  return Object.is(value, -0) ? MINUS_ZERO : value
}

function decodeMinusZero(_name: string, value: unknown): unknown {
  return value === MINUS_ZERO ? -0 : value
}
