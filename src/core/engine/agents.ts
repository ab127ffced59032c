import type {
  Agent,
  Behavior,
  Crossings,
  CrossingSearch,
  Locomotion,
  Neighborhood,
  SteeringBody,
  Step,
  Vec3,
  View,
  StageChange,
} from '../types.js'
import { grown } from '../math/grown.js'

// Offsets into one row of `traits`.
export const MASS = 0
export const INERTIA = 1 // three numbers
export const RADIUS = 4
export const MAX_SPEED = 5
export const MAX_FORCE = 6
export const MAX_TORQUE = 7
export const MAX_TURN_RATE = 8
export const RESPONSE_TIME = 9
export const DAMPING = 10
export const ANGULAR_DAMPING = 11
/** Cosine of half the field of view; −1 sees all round. Dimensionless. */
export const VIEW_COSINE = 12
/** Largest number of neighbours; Infinity = all. */
export const MAX_NEIGHBORS = 13
export const COMPENSATE_GRAVITY = 14
export const COMPENSATE_DAMPING = 15
/** Right of way, see `AgentOptions.priority`. */
export const PRIORITY = 16
/** Length and height of its space in diameters, see `AgentOptions.spaceLength`. */
export const SPACE_LENGTH = 17
export const SPACE_HEIGHT = 18
export const TRAITS = 19

/** Below this share of `maxSpeed` (at most 1 mm/s) the course stays: its direction is noise. */
export const HOLD_SHARE = 1e-3

/** A box along the axes of the world, m. */
export interface Box {
  readonly min: Vec3
  readonly max: Vec3
}

/** One root behaviour with one locomotion, shared by all agents that were given both. */
export interface Binding {
  readonly behavior: Behavior
  readonly locomotion: Locomotion
  /** Whether the locomotion is a `Hover` without attitude: it gives what `capThrust` leaves, no torque. */
  pushes: boolean
  /**
   * The part that failed in `survey` and cannot be called in this step; null for none. Its agents get no
   * force in this step.
   */
  broken: Behavior | null
  /**
   * Distance (m) to which its behaviours look for neighbours in this step, 0 for none: to the neighbour's
   * surface, and to its centre.
   */
  reach: number
  centerReach: number
  /** The parts that derive their reach from the vehicle. */
  readonly deriving: Behavior[]
  /**
   * The number of `partLists.changes` for which all parts of its tree are known, −1 while they may change
   * without one; and those of the parts that have a reach, or avoid others, which may change in each step.
   */
  fixedAt: number
  readonly reaching: Behavior[]
  /** The parts that may have a `Batch`; none where a part hides neighbours. */
  readonly batching: Behavior[]
  /** The `centerReach` (m) of the parts whose neighbours no batch knows in this step. */
  restReach: number
  /** Group bits of the agents that its agents avoid, and whether a player steers them, see `Behavior`. */
  avoids: number
  isManual: boolean
  /** Bounding box of its agents, [min x, y, z, max x, y, z], see `flockBox`. */
  readonly box: Float64Array
  /** Step for which the box was computed. */
  boxTick: number
  count: number
}

/** A controller or a flock, as far as the columns know it: it receives the events of its agents. */
export interface Handle {
  readonly name: string
  readonly view: View | null
  /** Number of its agents; 1 for a controller. */
  readonly size: number
  dispatch(type: string, member: number, change: Partial<StageChange> | null): void
}

/** Columns and their widths: numbers per agent. */
export const WIDTHS = {
  /** m */
  position: 3,
  /** m/s */
  velocity: 3,
  /** Attitude of the model, see `Agents.orientation`. */
  lastOrientation: 4,
  /** Rotation from the principal axes of inertia to the model axes. */
  inertiaFrame: 4,
  /** Centre of mass, m, in model axes. */
  center: 3,
  /** rad/s, see `Agents.angularVelocity`. */
  lastAngularVelocity: 3,
  /** x and y axis of the course frame. */
  course: 6,
  /**
   * Heading before the last step, its length (s), and the largest angle of a turn in it (rad), of an agent
   * that points along its course and whose attitude is not computed yet; 0 s for the others.
   */
  turned: 5,
  /** Pose at the start of the last step, for interpolation. */
  previous: 7,
  /** m/s² */
  gravity: 3,
  /** See `Agent.plane` and `Agent.axis`. */
  plane: 3,
  axis: 3,
  /** Force and torque given in the last step. */
  given: 6,
  /** Force and torque wanted in the last step. */
  wanted: 6,
  /** Rotation from the steering axes to the model axes. */
  axes: 4,
  /**
   * Distance (m, to their surface) within which the last query found its nearest neighbours, with a margin; 0
   * = the whole reach.
   */
  sight: 1,
  /** Limits and options, see the offsets above. */
  traits: TRAITS,
} as const

export type Column = keyof typeof WIDTHS
export const COLUMNS = Object.keys(WIDTHS) as Column[]
export const COUNTS = ['slot', 'id', 'seed', 'group', 'member', 'lost'] as const
export const OBJECTS = ['binding', 'body', 'view', 'handle'] as const

/** An agent, and the seed of its world. */
export interface WorldAgent extends Agent {
  readonly worldSeed: number
}

/**
 * Finds neighbours among the agents of a table. The engine knows the interface only: the search comes with
 * the behaviours that need it, see `Behavior.neighborSearch`.
 */
export interface NeighborIndex {
  /** The neighbours of the agent that was searched for last: the columns themselves. */
  readonly found: Neighborhood
  /** The same as a copy, which behaviours from outside of this package may overwrite. */
  copy(): Neighborhood
  /** Before the agents think: makes the grid. */
  index(bindings: Iterable<Binding>): void
  /**
   * Steers the agents of those bindings whose behaviours can steer all of theirs at once, as if by `cursor`:
   * writes what they want and are given. Returns 1 for each row that was steered; the agents in the slots
   * `observed` are not.
   */
  steer(cursor: WorldAgent, step: Step, observed: ReadonlyMap<number, unknown>): Uint8Array
  /** Finds the neighbours of `row`, which looks along its course. */
  find(row: number): void
  /** See `Agent.crossings`. */
  crossingsOf(row: number, lists: CrossingSearch): Crossings | null
  /** Begins and ends a step, or another series of reads. */
  begin(): void
  end(): void
  /** Whether no behaviour has overwritten the copy since the last read; repairs it. */
  readonly isIntact: boolean
  /** Raises the reaches of the bindings to those that parts derive, see `Behavior.reachFor`. */
  deriveReaches(report: (row: number, part: Behavior, message: string) => void): void
}

/** Counts owners of slots over all worlds: state of one agent is never taken for that of another. */
let generations = 0

export function newGeneration(): number {
  return ++generations
}

/** Is called with each agent, loaded on the cursor, and the last step. */
export type AgentVisitor = (agents: Agents, agent: Agent, step: Step) => void

/**
 * The state of all agents: columns of `Float64Array`, `[width × capacity]`, whose rows `0 … count − 1` are
 * the living agents. Rows move: the last row fills a removed one, and the grid may arrange neighbours side by
 * side. An agent keeps its *slot*: `row[slot]` is its present row. A freed slot is used again with a new
 * generation.
 */
export class Agents implements Record<Column, Float64Array> {
  capacity = 0
  count = 0
  position: Float64Array = new Float64Array(0)
  velocity: Float64Array = new Float64Array(0)
  lastOrientation: Float64Array = new Float64Array(0)
  inertiaFrame: Float64Array = new Float64Array(0)
  center: Float64Array = new Float64Array(0)
  lastAngularVelocity: Float64Array = new Float64Array(0)
  course: Float64Array = new Float64Array(0)
  previous: Float64Array = new Float64Array(0)
  gravity: Float64Array = new Float64Array(0)
  plane: Float64Array = new Float64Array(0)
  axis: Float64Array = new Float64Array(0)
  given: Float64Array = new Float64Array(0)
  wanted: Float64Array = new Float64Array(0)
  axes: Float64Array = new Float64Array(0)
  sight: Float64Array = new Float64Array(0)
  traits: Float64Array = new Float64Array(0)
  slot: Int32Array = new Int32Array(0)
  id: Int32Array = new Int32Array(0)
  /** Keys of the random streams; compared as unsigned integers. */
  seed: Int32Array = new Int32Array(0)
  group: Int32Array = new Int32Array(0)
  /** Index of the agent within its flock; 0 for a controller. */
  member: Int32Array = new Int32Array(0)
  /** 1 where the state cannot be used in this step. */
  lost: Int32Array = new Int32Array(0)
  binding: (Binding | null)[] = []
  body: (SteeringBody | null)[] = []
  view: (View | null)[] = []
  handle: (Handle | null)[] = []
  /** Row of each slot; −1 where the slot is free. */
  row: Int32Array = new Int32Array(0)
  generation: Int32Array = new Int32Array(0)
  /** Null until a behaviour brings a search, see `Behavior.neighborSearch`. */
  search: NeighborIndex | null = null
  /** Grows whenever an agent is added or removed: a grid of before is stale. */
  members = 0

  turned: Float64Array = new Float64Array(0)
  /** Whether the space of any agent is, or was, no ball. */
  hasSpaces = false
  /** Group bits that all agents avoid in this step. */
  avoidedByAll = 0
  /** Computes the attitudes that are not computed yet, see `turned`; null when there are none. */
  align: ((agents: Agents) => void) | null = null

  /** Attitude of the model. */
  get orientation(): Float64Array {
    this.align?.(this)
    return this.lastOrientation
  }
  /** rad/s */
  get angularVelocity(): Float64Array {
    this.align?.(this)
    return this.lastAngularVelocity
  }

  /** Free slots; the last one is given next. */
  readonly free: number[] = []

  /** Takes a free slot and gives it the last row, all zeros. Returns the slot. */
  allocate(): number {
    if (this.free.length === 0) this.grow(Math.max(8, this.capacity * 2))
    const slot = this.free.pop()!
    this.row[slot] = this.count
    this.slot[this.count] = slot
    this.generation[slot] = newGeneration()
    this.count++
    this.members++
    return slot
  }

  release(slot: number): void {
    const row = this.row[slot]!
    const last = --this.count
    this.copyRow(this, last, row)
    for (const name of COUNTS) this[name][row] = this[name][last]!
    for (const name of OBJECTS) {
      this[name][row] = this[name][last]! as never
      this[name][last] = null
    }
    this.row[this.slot[row]!] = row
    this.row[slot] = -1
    this.generation[slot] = newGeneration()
    for (const name of COLUMNS) this[name].fill(0, last * WIDTHS[name], (last + 1) * WIDTHS[name])
    for (const name of COUNTS) this[name][last] = 0
    this.free.push(slot)
    this.members++
  }

  /** Copies the numbers of a row of `from` into row `row` of this table. */
  copyRow(from: Agents, fromRow: number, row: number): void {
    this.align ??= from.align
    this.hasSpaces ||= from.hasSpaces
    for (const name of COLUMNS) {
      const width = WIDTHS[name]
      this[name].set(from[name].subarray(fromRow * width, (fromRow + 1) * width), row * width)
    }
    this.group[row] = from.group[fromRow]!
    this.seed[row] = from.seed[fromRow]!
  }

  /** Whether the agent in `row` is the keeper of a thing, if it has one. */
  isKeeper(row: number, keeper: object | null): boolean {
    return keeper !== null && (keeper === this.handle[row] || keeper === this.body[row])
  }

  /** Id of the agent, or of one of the flock, that is a keeper of things; −1 for none of this table. */
  idOf(keeper: object): number {
    const { body, handle } = this
    const row = Math.max(handle.indexOf(keeper as Handle), body.indexOf(keeper as SteeringBody))
    return row < 0 ? -1 : this.id[row]!
  }

  /** Extends all columns to `capacity` rows. */
  grow(capacity: number): void {
    for (const name of COLUMNS) this[name] = grown(this[name], WIDTHS[name] * capacity)
    for (const name of COUNTS) this[name] = grown(this[name], capacity)
    this.row = grown(this.row, capacity)
    this.generation = grown(this.generation, capacity)
    for (let slot = capacity - 1; slot >= this.capacity; slot--) {
      this.free.push(slot)
      this.row[slot] = -1
      for (const name of OBJECTS) this[name][slot] = null
    }
    this.capacity = capacity
  }
}
