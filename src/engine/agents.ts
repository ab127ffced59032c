import type { Behavior, Locomotion, SteeringBody, View } from '../types.js'
import { grown } from '../math/grown.js'

/** Offsets into one row of `traits`. */
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
/** Cosine of half the field of view; −1 sees all round. */
export const VIEW_COSINE = 12
/** Cap on neighbours; Infinity = all. */
export const MAX_NEIGHBORS = 13
export const GRAVITY_PAID = 14
export const DAMPING_PAID = 15
export const TRAITS = 16

/** One root behaviour with one locomotion, shared by all agents that were given both. */
export interface Brain {
  readonly behavior: Behavior
  readonly locomotion: Locomotion
  /** Neighbour radius its behaviours asked for in this step, m. */
  reach: number
  /** Bounding box of its agents, [min x, y, z, max x, y, z], see `flockBox`. */
  readonly box: Float64Array
  /** Step the box is of. */
  boxTick: number
  count: number
}

/** Whoever the events of an agent are told to. */
export interface Handle {
  readonly name: string
  hear(type: string, id: number, member: number, behavior: Behavior | null): void
}

/**
 * The state of all agents: columns of `Float64Array`, one row per agent. A row keeps its number ("slot") while the agent
 * lives; a freed slot is used again with a new generation.
 */
export class Agents {
  capacity = 0
  /** Number of living agents. */
  count = 0
  /** Slots of the living agents in the order of their stream keys, `[0 … count)`: independent of the order of adding. */
  order = new Int32Array(0)

  /** `[3 × capacity]`, m. */
  position = new Float64Array(0)
  /** `[3 × capacity]`, m/s. */
  velocity = new Float64Array(0)
  /** `[4 × capacity]`, attitude of the model. */
  orientation = new Float64Array(0)
  /** `[3 × capacity]`, rad/s. */
  angularVelocity = new Float64Array(0)
  /** `[6 × capacity]`, x and y axis of the course frame. */
  course = new Float64Array(0)
  /** `[7 × capacity]`, pose at the start of the last step, for interpolation. */
  previous = new Float64Array(0)
  /** `[3 × capacity]`, m/s². */
  gravity = new Float64Array(0)
  /** `[12 × capacity]`, force and torque given, then force and torque wanted. */
  wrench = new Float64Array(0)
  /** `[4 × capacity]`, rotation from the steering axes to the model axes. */
  axes = new Float64Array(0)
  /** `[TRAITS × capacity]`. */
  traits = new Float64Array(0)
  id = new Int32Array(0)
  seed = new Uint32Array(0)
  generation = new Int32Array(0)
  group = new Int32Array(0)
  /** Index of the agent within its flock; 0 for a controller. */
  member = new Int32Array(0)
  /** 1 where the slot is in use. */
  alive = new Uint8Array(0)
  /** 1 where the state cannot be used in this step. */
  lost = new Uint8Array(0)
  readonly brain: (Brain | null)[] = []
  readonly body: (SteeringBody | null)[] = []
  readonly view: (View | null)[] = []
  readonly handle: (Handle | null)[] = []

  private readonly free: number[] = []
  private unsorted = false

  /** Takes a slot. Its row holds zeros. */
  allocate(): number {
    if (this.free.length === 0) this.grow(Math.max(8, this.capacity * 2))
    const slot = this.free.pop()!
    this.alive[slot] = 1
    this.lost[slot] = 0
    this.generation[slot]!++
    this.count++
    this.unsorted = true
    return slot
  }

  release(slot: number): void {
    this.alive[slot] = 0
    this.generation[slot]!++
    this.brain[slot] = this.body[slot] = this.view[slot] = this.handle[slot] = null
    for (const column of this.floats())
      column.fill(0, (slot * column.length) / this.capacity, ((slot + 1) * column.length) / this.capacity)
    this.free.push(slot)
    this.count--
    this.unsorted = true
  }

  /** Copies the row of `slot` in another table into this one. */
  copyRow(from: Agents, fromSlot: number, slot: number): void {
    const targets = this.floats()
    from.floats().forEach((column, i) => {
      const width = column.length / from.capacity
      targets[i]!.set(column.subarray(fromSlot * width, (fromSlot + 1) * width), slot * width)
    })
    this.group[slot] = from.group[fromSlot]!
    this.seed[slot] = from.seed[fromSlot]!
  }

  /** Brings `order` up to date after adds and removes. */
  sort(): void {
    if (!this.unsorted) return
    this.unsorted = false
    const slots: number[] = []
    for (let slot = 0; slot < this.capacity; slot++) if (this.alive[slot] === 1) slots.push(slot)
    slots.sort((a, b) => this.seed[a]! - this.seed[b]! || this.id[a]! - this.id[b]!)
    this.order.set(slots)
  }

  private grow(capacity: number): void {
    this.position = grown(this.position, 3 * capacity)
    this.velocity = grown(this.velocity, 3 * capacity)
    this.orientation = grown(this.orientation, 4 * capacity)
    this.angularVelocity = grown(this.angularVelocity, 3 * capacity)
    this.course = grown(this.course, 6 * capacity)
    this.previous = grown(this.previous, 7 * capacity)
    this.gravity = grown(this.gravity, 3 * capacity)
    this.wrench = grown(this.wrench, 12 * capacity)
    this.axes = grown(this.axes, 4 * capacity)
    this.traits = grown(this.traits, TRAITS * capacity)
    for (const name of ['order', 'id', 'generation', 'group', 'member'] as const)
      this[name] = grown(this[name], capacity)
    this.seed = grown(this.seed, capacity)
    this.alive = grown(this.alive, capacity)
    this.lost = grown(this.lost, capacity)
    for (let slot = capacity - 1; slot >= this.capacity; slot--) {
      this.free.push(slot)
      this.brain[slot] = this.body[slot] = this.view[slot] = this.handle[slot] = null
    }
    this.capacity = capacity
  }

  private floats(): Float64Array[] {
    const {
      position,
      velocity,
      orientation,
      angularVelocity,
      course,
      previous,
      gravity,
      wrench,
      axes,
      traits,
    } = this
    return [position, velocity, orientation, angularVelocity, course, previous, gravity, wrench, axes, traits]
  }
}

/** Box around the agents of `brain`, found once in the step `tick`, and only when somebody asks. */
export function flockBox(agents: Agents, brain: Brain, tick: number): Float64Array {
  const { box } = brain
  if (brain.boxTick === tick) return box
  brain.boxTick = tick
  box.fill(Infinity, 0, 3).fill(-Infinity, 3)
  const { order, position, lost, count } = agents
  for (let i = 0; i < count; i++) {
    const slot = order[i]!
    if (lost[slot] === 1 || agents.brain[slot] !== brain) continue
    for (let axis = 0; axis < 3; axis++) {
      const p = position[3 * slot + axis]!
      if (p < box[axis]!) box[axis] = p
      if (p > box[axis + 3]!) box[axis + 3] = p
    }
  }
  return box
}
