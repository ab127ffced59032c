import type { Agent, Archive, Serializable, Step } from '../../core/types.js'
import { serializeFields } from '../../core/control/serialize-fields.js'
import { BlockedStretch } from './blocked-stretch.js'
import { OuterPush } from './outer-push.js'
import { requirePath, type BlockedPath, type PilotOptions } from './follow-options.js'
import { brakingReach, type DirectedPath } from './directed-path.js'
import type { FollowState } from './path-techniques.js'
import { Path } from './path.js'
import type { PathOptions } from './path-points.js'

// The numbers below are chosen by hand unless they say otherwise.

/** After no answer, an agent asks again after this time (s). */
const RETRY_TIME = 0.25

/** The next piece is asked for at this multiple of the braking reach before the end. Larger: earlier. */
const ASK_MARGIN = 1.2

/** Other values that the user's functions may return, for messages. */
const ALSO_ALLOWED = ', null or undefined'

/** The path that all agents fly, except those with an own one. */
interface Common {
  readonly path: Path | null
  readonly direction: 1 | -1
}

/**
 * Which path one agent flies, and how far it has come. It asks the user's functions for other paths: an error
 * or a wrong value from such a function changes nothing else.
 */
export class Route implements Serializable {
  /** Whether the agent has yet to begin on its path. */
  isNew = true
  /** Whether it first flies to the start; whether it is at the end. */
  toStart = false
  isDone = false
  /** Station (m) and number of the lap. */
  // (a fraction: V8 then keeps the field as a double from the start)
  station = 0.5
  lap = 0
  readonly stretch = new BlockedStretch()
  readonly outerPush = new OuterPush()
  /** Its own path; null for none, undefined for the common one. */
  own: Path | null | undefined = undefined
  /** The piece that follows; whether none does, and the time (s) before which it is not asked for. */
  private next: Path | null = null
  isLast = false
  private askTime = 0
  /** The common path and its direction, as the agent has seen them: a change ends its own path. */
  private seen: Path | null = null
  private direction = 0
  private readonly common: Common
  private failure: { readonly tick: number; readonly error: unknown } | null = null

  constructor(common: Common) {
    this.common = common
  }

  get path(): Path | null {
    return this.own === undefined ? this.seen : this.own
  }

  /**
   * Begins a step: notes a change of the common path. Throws again an error that the user's function threw in
   * this step: the fault report asks again to find the part that failed.
   */
  beginStep({ tick }: Step): void {
    const { common, failure } = this
    if (common.path !== this.seen || common.direction !== this.direction) this.give(undefined)
    if (failure !== null && failure.tick === tick) throw failure.error
  }

  /** Loads the path of the agent. @returns whether it has one. */
  load(path: DirectedPath): boolean {
    const base = this.path
    if (base === null) return false
    path.base = base
    path.next = this.next
    path.direction = this.common.direction
    return true
  }

  /** Gives the agent an own path. Null: no path. Undefined: the common one again. */
  give(path: Path | null | undefined): void {
    this.seen = this.common.path
    this.direction = this.common.direction
    this.advance(path)
    this.isNew = true
  }

  /** Continues on the next piece. */
  advance(piece: Path | null | undefined): void {
    this.own = piece
    this.next = null
    this.isLast = false
    this.askTime = 0
  }

  /** Begins on its path at a station (m). */
  begin(station: number, lap: number, toStart: boolean): void {
    this.isNew = this.isDone = false
    this.station = station
    this.stretch.begin(station)
    this.lap = lap
    this.toStart = toStart
  }

  /** Asks for the next piece if the end of the path is near. */
  askNext(agent: Agent, step: Step, { limits, path, settings, station }: FollowState): void {
    const { next } = settings
    if (next === undefined || path.next !== null || path.base.endless) return
    if (path.end - station > ASK_MARGIN * brakingReach(limits)) return
    if (this.isLast || this.askTime > step.time) return
    this.askTime = step.time + RETRY_TIME
    try {
      const piece = next(agent, path.base)
      if (piece === undefined || this.isNew) return
      if (piece === null) this.isLast = true
      else this.next = requirePath('FollowPath.next', piece, ALSO_ALLOWED)
    } catch (error) {
      this.fail(step, error)
    }
  }

  /** Asks for another path. @returns whether there is one. */
  askReroute(agent: Agent, step: Step, ask: PilotOptions['renavigate'], blocked: BlockedPath): boolean {
    if (ask === undefined) return false
    try {
      const path: Path | null | undefined = ask(agent, blocked)
      if (path !== null && path !== undefined)
        this.give(requirePath('FollowPath.pilot.renavigate', path, ALSO_ALLOWED))
    } catch (error) {
      this.fail(step, error)
    }
    return this.isNew
  }

  /** The common path is an option of the behaviour: only whether the agent has seen it is archived. */
  serialize(archive: Archive): void {
    serializeFields(archive, this)
    this.stretch.serialize(archive)
    this.outerPush.serialize(archive)
    const isSeen = archive.boolean(this.seen === this.common.path)
    const isOwn = archive.boolean(this.own !== undefined)
    const own = isOwn ? serializePath(archive, this.own ?? null) : undefined
    this.next = serializePath(archive, this.next)
    if (!archive.restoring) return
    this.own = own
    this.seen = isSeen ? this.common.path : null
  }

  private fail({ tick }: Step, error: unknown): never {
    this.failure = { tick, error }
    throw error
  }
}

/** JSON would turn −0 into 0. */
const MINUS_ZERO = '-0'

/** Archives a path by reference. Restored, it is the same object if known, else one of its options. */
function serializePath(archive: Archive, path: Path | null): Path | null {
  return archive.reference(path, serializeOptions)
}

function serializeOptions(archive: Archive, path: Path | null): Path {
  const text = archive.string(
    path === null ? '' : JSON.stringify(path.options, (_, each) => (Object.is(each, -0) ? MINUS_ZERO : each)),
  )
  return path ?? new Path(JSON.parse(text, (_, each) => (each === MINUS_ZERO ? -0 : each)) as PathOptions)
}
