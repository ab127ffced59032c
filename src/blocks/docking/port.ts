import type {
  Agent,
  AgentWithKey,
  Archive,
  MovingFrame,
  Placed,
  Serializable,
  SnapshotState,
  Step,
  Vec3,
  Vec3Like,
} from '../../core/types.js'
import { length, normalize, copy, cross, distance, isFiniteVec, vec3 } from '../../core/math/vec3.js'
import { requireDirection, requireVector, refuse } from '../../core/math/require.js'
import { isThere, requirePlaced } from '../../core/control/target.js'
import { readOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'
import { Saved } from '../../core/control/serialize-fields.js'

/** As `MovingFrame`, perhaps without a velocity. */
export type Carrier = Placed & Omit<MovingFrame, 'velocity'>

export interface PortOptions extends Options, OptionsOf<typeof Port.options> {}
export interface Port extends FieldsOf<typeof Port.options> {}

/** Length of the corridor over its radius (dimensionless). Chosen by hand. */
const DEFAULT_SLENDERNESS = 5

/** Distance of waiting agents from the port, and between them (corridor lengths). Chosen by hand. */
const DEFAULT_HOLDING_CORRIDORS = 3
const DEFAULT_SPACING_CORRIDORS = 2

const unitOutward = vec3()
const unitUp = vec3()

/** A docking port on a carrier that may move and turn, with the queue of the agents that want it. */
export class Port {
  static readonly options = {
    /**
     * The object that the port belongs to: a station, a mothership. Its attitude, velocity and angular
     * velocity count. May be a `CANNON.Body`, a controller or a literal. A carrier without a velocity, such
     * as an `Object3D` (whose parents are at the origin), counts as at rest.
     */
    carrier: { kind: 'named', required: true, check: requirePlaced<Carrier> },
    /** Position of the port in the carrier's steering frame (m): x ahead, y up, z to starboard. */
    position: { kind: 'vector', required: true, unit: 'm', check: requireVector },
    /** Direction out of the port, in the same frame. Any length except zero. */
    outward: { kind: 'vector', required: true, check: requireDirection },
    /**
     * Direction that the top of a docked agent points in, in the same frame; not parallel to `outward`.
     * Default the carrier's up, or its nose where up is parallel to `outward`.
     */
    up: { kind: 'vector', check: requireDirection },
    /** Length of the approach corridor (m), > 0. Default 10. More gives more time to correct errors. */
    // As in the prototype that docked in all of 1,000 seeded cases.
    corridor: { kind: 'number', unit: 'm', above: 0, default: 10 },
    /**
     * Radius of the corridor (m), > 0. An agent with its docking point farther from the axis than twice this
     * radius backs off and tries again. On the way to it, agents pass each other with at least one and a half
     * of it between their hulls. Default a fifth of the corridor's length.
     */
    corridorRadius: { kind: 'number', unit: 'm', above: 0 },
    /**
     * Radius (m, ≥ 0) about the carrier's centre that may be entered through the corridor only. An agent that
     * comes from behind flies around this ball, enlarged by the agent's radius. 0: no ball. Default the
     * extent of the carrier: its `boundingRadius` (a `CANNON.Body`) or `radius` (a controller), and at least
     * as far as the port is from its centre. For `Land` the default is 0, because the ground is no ball.
     * Among the obstacles of an `AvoidObstacles` the carrier counts outside of the corridor only.
     */
    clearance: { kind: 'number', unit: 'm', atLeast: 0 },
    /** Distance from the port (m, > 0) at which waiting agents hold station. Default three corridors. */
    holdingDistance: { kind: 'number', unit: 'm', above: 0 },
    /** Distance between waiting agents, and from them to the axis (m, > 0). Default two corridors. */
    spacing: { kind: 'number', unit: 'm', above: 0 },
    /**
     * Whether the carrier's velocity turns with the carrier, as that of an aircraft in a long turn does.
     * Default false: the carrier drifts with constant velocity, as in space. Leave it false for a deck that
     * rolls in waves: each roll would be taken for a turn of the course.
     */
    velocityTurns: { kind: 'boolean', default: false },
    /**
     * An agent that has not steered for the port for this time (s, > 0) loses its turn, because it was
     * removed or has another task. Default 1.
     */
    // Many steps, so that a short interruption costs nothing. Chosen by hand.
    turnTimeout: { kind: 'number', unit: 's', above: 0, default: 1 },
  } as const satisfies AnyTable

  up!: Vec3Like
  corridorRadius!: number
  holdingDistance!: number
  spacing!: number
  /** @internal */
  readonly queue: PortQueue = new PortQueue()
  readonly state: SnapshotState = [this.queue]

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: PortOptions) {
    const { turnTimeout, ...read } = readOptions('Port', Port.options, options)
    const { corridor, outward } = read
    Object.assign(this, read, {
      up: read.up ?? defaultUp(outward),
      corridorRadius: read.corridorRadius ?? corridor / DEFAULT_SLENDERNESS,
      holdingDistance: read.holdingDistance ?? DEFAULT_HOLDING_CORRIDORS * corridor,
      spacing: read.spacing ?? DEFAULT_SPACING_CORRIDORS * corridor,
    })
    this.queue.timeout = turnTimeout
    normalize(unitOutward, this.outward)
    normalize(unitUp, this.up)
    if (length(cross(unitOutward, unitOutward, unitUp)) < 1e-6)
      throw new RangeError(
        `Port.up: got (${this.up.x}, ${this.up.y}, ${this.up.z}), must not lie along outward`,
      )
  }

  /** Radius (m) about the carrier's centre that holds the carrier and the port, as far as that is known. */
  get carrierExtent(): number {
    const { boundingRadius, radius = 0 } = this.carrier as Partial<
      Record<'boundingRadius' | 'radius', number>
    >
    const size = boundingRadius ?? radius
    // the radius of a plane of cannon-es is the largest number
    return Math.max(length(this.position), size < Number.MAX_VALUE ? size : 0)
  }

  /**
   * Id of the agent that has its turn or is docked; −1 when the port is free; below −1 for an agent of
   * another world, see `mergeQueue`. As of the last step.
   */
  get holder(): number {
    return this.queue.holder
  }

  /** Number of waiting agents, with those that wait for other ports as well. As of the last step. */
  get waiting(): number {
    return Math.max(0, this.queue.length - 1)
  }

  get turnTimeout(): number {
    return this.queue.timeout
  }
  set turnTimeout(timeout: number) {
    this.queue.timeout = timeout
  }

  /**
   * Asks for the port. Call it in every step for an agent that wants the port or has it. A request counts
   * from the next step on, so that the order in which agents are computed does not matter.
   * @param rank see `Visitor.rank`.
   * @param isBarred whether it was told that it cannot go on.
   * @param slot see `Visitor.slot`.
   * @returns 0 when it is the agent's turn; else its position in the queue, from 1; −1 when it has asked for
   * the first time.
   */
  ask(agent: Agent, step: Step, rank = 0, isBarred = false, slot = 0): number {
    return this.queue.ask(agent, step, rank, isBarred, slot)
  }

  /** Gives up the port, or the position in the queue, from the next step on. */
  release(id: number): void {
    this.queue.release(id)
  }

  /**
   * Once per step: makes what was asked and given up in the last step count. Call it in a step before reading
   * {@link load} or {@link waiting}, and before calling {@link release}.
   */
  refreshFor(step: Step): void {
    this.queue.refreshFor(step)
  }

  /** The agent at a place of the queue (0: its turn has come), as it was one step ago. */
  visitor(place: number): Visitor {
    return this.queue.entry(place)
  }

  /** Whether the agent that has its turn, or is docked, was told that it cannot go on. */
  get isBlocked(): boolean {
    return this.load > 0 && this.visitor(0).isBarred
  }

  /** Number of agents that have the port or wait for it, as of the start of this step. */
  get load(): number {
    return this.queue.length
  }
}

/** Rank of an agent that waits at another port. */
export const ELSEWHERE = 1e6

/** An agent in the queue of a port, as it was one step ago. */
export interface Visitor {
  readonly id: number
  /** m, world axes. */
  readonly position: Vec3Like
  /** m/s, world axes. */
  readonly velocity: Vec3Like
  /** Hull radius (m). */
  readonly radius: number
  /** 0 at the port, on the last metres to it and on the way out; 1 in the corridor; 2 on the way to it. */
  readonly rank: number
  /** Whether it was told that it cannot go on. */
  readonly isBarred: boolean
  /** Number of the waiting point that it has taken at this port, from 1; 0: none. */
  readonly slot: number
}

/** An agent that has asked for a port. What it says of itself in a step is read in the next one. */
class QueueEntry extends Saved implements Visitor {
  id = 0
  seed = 0
  /** Time (s) and number of the step at which the agent last asked. */
  lastAsked = 0
  tick = -1
  radius = 0
  readonly position: Vec3 = vec3()
  readonly velocity: Vec3 = vec3()
  readonly nextPosition: Vec3 = vec3()
  readonly nextVelocity: Vec3 = vec3()
  rank = 0
  nextRank = 0
  isBarred = false
  willBeBarred = false
  slot = 0
  nextSlot = 0

  /** Notes where the agent is now. */
  note(agent: Agent, step: Step, rank: number, isBarred: boolean, slot: number): void {
    const { position, radius, velocity } = agent
    this.nextRank = rank
    this.willBeBarred = isBarred
    this.nextSlot = slot
    this.lastAsked = step.time
    this.tick = step.tick
    this.radius = radius
    copy(this.nextPosition, position)
    copy(this.nextVelocity, velocity)
  }

  /** Makes what was noted last readable. */
  refresh(): void {
    copy(this.position, this.nextPosition)
    copy(this.velocity, this.nextVelocity)
    this.rank = this.nextRank
    this.isBarred = this.willBeBarred
    this.slot = this.nextSlot
  }

  get isFinite(): boolean {
    const { lastAsked, nextPosition, nextVelocity, position, radius, seed, tick, velocity } = this
    return (
      Number.isFinite(lastAsked + radius + seed + tick) &&
      isFiniteVec(position) &&
      isFiniteVec(velocity) &&
      isFiniteVec(nextPosition) &&
      isFiniteVec(nextVelocity)
    )
  }
}

/**
 * The agents that want a port, in the order in which they asked. Requests and releases of a step take effect
 * at the next one, and of agents that ask in the same step the one with the smaller seed comes first. So the
 * order in which agents are computed does not matter.
 */
class PortQueue implements Serializable {
  /** An agent that has not asked for this time (s) loses its place. */
  timeout = 1
  readonly entries: QueueEntry[] = []
  /** Agents that are appended at the next step. */
  readonly requests: QueueEntry[] = []
  /** Ids of the agents that leave at the next step. */
  readonly leaving: number[] = []
  private lastStep: object | null = null
  lastTick = -1

  get holder(): number {
    const { entries, leaving } = this
    for (let i = 0; i < entries.length; i++)
      if (!leaving.includes(entries[i]!.id)) return i === 0 ? entries[0]!.id : -1
    return -1
  }

  get length(): number {
    return this.entries.length
  }

  entry(place: number): QueueEntry {
    return this.entries[place]!
  }

  serialize(archive: Archive): void {
    this.lastTick = archive.number(this.lastTick)
    if (archive.restoring) this.lastStep = null
    for (const list of [this.entries, this.requests]) {
      list.length = archive.number(list.length)
      for (let i = 0; i < list.length; i++) (list[i] ??= new QueueEntry()).serialize(archive)
    }
    const { leaving } = this
    leaving.length = archive.number(leaving.length)
    for (let i = 0; i < leaving.length; i++) leaving[i] = archive.number(leaving[i]!)
  }

  /**
   * The place of one agent. In another world it takes the place that it had there before (it came back), or
   * the last one.
   */
  serializeAgent(archive: Archive, agent: AgentWithKey): (() => void) | void {
    const { id } = agent
    const { leaving } = this
    const lists = [this.entries, this.requests]
    const places = lists.map((list) => {
      const found = list.find((entry) => entry.id === id)
      if (!archive.boolean(found !== undefined)) return null
      const entry = archive.restoring ? new QueueEntry() : found!
      entry.serialize(archive)
      return entry
    })
    const isLeaving = archive.boolean(leaving.includes(id))
    if (!archive.restoring) return
    if (places.some((entry) => entry?.isFinite === false))
      throw new RangeError('importAgent: got a place in a queue that is not finite')
    if (places.some((entry) => entry !== null && entry.seed !== agent.seed))
      throw new RangeError('importAgent: got the place of another agent in a queue')
    const before = lists.map((list) => [...list])
    for (const [k, entry] of places.entries()) {
      if (entry === null) continue
      entry.id = id
      const list = lists[k]!
      const elsewhere = lists[1 - k]!
      const double = elsewhere.findIndex(({ seed }) => seed === entry.seed)
      if (double >= 0) elsewhere.splice(double, 1)
      const at = list.findIndex(({ seed }) => seed === entry.seed)
      list.splice(at < 0 ? list.length : at, at < 0 ? 0 : 1, entry)
    }
    if (isLeaving) leaving.push(id)
    return () => {
      for (const [k, list] of lists.entries()) list.splice(0, list.length, ...before[k]!)
      if (isLeaving) leaving.pop()
    }
  }

  ask(agent: Agent, step: Step, rank: number, isBarred: boolean, slot: number): number {
    this.refreshFor(step)
    const { id, seed } = agent
    const { entries, requests } = this
    const place = this.placeOf(id)
    if (place >= 0) entries[place]!.note(agent, step, rank, isBarred, slot)
    else if (!requests.some((request) => request.id === id))
      this.request(id, seed).note(agent, step, rank, isBarred, slot)
    return place
  }

  /** Place of an agent; −1 for one that has none. */
  placeOf(id: number): number {
    const { entries } = this
    for (let i = 0; i < entries.length; i++) if (entries[i]!.id === id) return i
    return -1
  }

  /** Appends an agent at the next step. */
  request(id: number, seed: number): QueueEntry {
    const request = new QueueEntry()
    request.id = id
    request.seed = seed
    this.requests.push(request)
    return request
  }

  release(id: number): void {
    this.leaving.push(id)
  }

  refreshFor(step: Step): void {
    if (this.lastStep === step && this.lastTick === step.tick) return
    this.lastStep = step
    this.update(step.tick, this.oldest(step.time, step.dt))
  }

  /** Agents that last asked before this time (s) lose their place in a step that begins at `time`. */
  oldest(time: number, dt: number): number {
    // at least one step and a half, so that a long step does not expire the agents that asked in the last one
    return time - Math.max(this.timeout, 1.5 * dt)
  }

  /** Removes agents that left, or last asked before the time `oldest` (s), and appends those that asked. */
  update(tick: number, oldest: number): void {
    this.lastTick = tick
    const { entries, leaving, requests } = this
    for (let i = 0; i < entries.length;)
      if (entries[i]!.lastAsked < oldest || leaving.includes(entries[i]!.id)) entries.splice(i, 1)
      else i++
    leaving.length = 0
    requests.sort(bySeed)
    for (let i = 0; i < requests.length; i++) entries.push(requests[i]!)
    requests.length = 0
    for (let i = 0; i < entries.length; i++) entries[i]!.refresh()
  }
}

function bySeed(a: QueueEntry, b: QueueEntry): number {
  return a.seed - b.seed || a.id - b.id
}

/** @throws TypeError when `ports` is not a list of ports. */
export function requirePorts(option: string, ports: readonly Port[]): readonly Port[] {
  if (!Array.isArray(ports) || ports.length === 0 || ports.some((port) => typeof port?.ask !== 'function'))
    refuse(option, ports?.length === 1 ? ports[0] : ports, 'must be a Port or a list of them')
  return ports
}

/** @throws TypeError when `port` is not a port. */
export function requirePort(option: string, port: Port): Port {
  return requirePorts(option, [port])[0]!
}

/**
 * Index of the nearest port: of those of the nearest carrier the first. A carrier that is gone or not finite
 * is the last choice.
 * @param place only ports where the agent has this place in the queue; then −1 where there is none.
 */
export function nearestPort(ports: readonly Port[], agent: Agent, place = -1): number {
  let best = place < 0 ? 0 : -1
  let nearest = Infinity
  for (let i = 0; i < ports.length; i++) {
    const port = ports[i]!
    if (place >= 0 && port.queue.placeOf(agent.id) !== place) continue
    const away = isThere(port.carrier) ? distance(agent.position, port.carrier.position) : Infinity
    if (!(away < nearest)) continue
    best = i
    nearest = away
  }
  return best
}

function defaultUp(outward: Vec3Like): Vec3Like {
  normalize(unitOutward, copy(unitOutward, outward))
  return Math.abs(unitOutward.y) < 0.9 ? { x: 0, y: 1, z: 0 } : { x: 1, y: 0, z: 0 }
}
