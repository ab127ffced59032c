import { handleMade, objectShown } from '#hints'
import { defaultStart, faceAlong, isUnturned, type FlockOptions } from './spawn.js'
import type { Behavior, Locomotion, Placed, Quat, StageChange } from '../types.js'
import type { SteeringBody, Vec3, View } from '../types.js'
import { loadQuat } from '../math/quat.js'
import { grown } from '../math/grown.js'
import { load, vec3 } from '../math/vec3.js'
import * as T from './agents.js'
import { Agents, type Binding, type Handle, type AgentVisitor } from './agents.js'
import { bodyState, readBody } from './body-state.js'
import { centerOf } from './flock-box.js'
import { Limited, type AgentEvents } from './limited.js'
import { liveVec3 } from './live.js'
import {
  readAgentOptions,
  DEFAULT_RADIUS,
  refuseDamping,
  requireBody,
  writeMassFrame,
  writeState,
  writeTraits,
  type AgentSettings,
} from './options.js'
import { refuse, requireWhole, outOfRange } from '../math/require.js'
import { isInstancedMesh, viewOfInstances, viewOf } from './views.js'

export interface FlockEvents extends AgentEvents<{ target: Flock; index: number }> {}

/** The part of the world that a flock uses. */
interface WorldAccess {
  readonly agents: Agents
  readonly flocks: Set<Flock>
  own(handle: Handle): void
  disown(handle: Handle): void
  readonly bindings: {
    take(behavior: Behavior, locomotion: Locomotion): Binding
    drop(binding: Binding): void
  }
  whenIdle(change: () => void): void
  claim(body: SteeringBody, keeper: object, name: string): void
  enter(
    slot: number,
    binding: Binding,
    handle: Handle,
    member: number,
    seed: number | undefined,
    view: View | null,
    body: SteeringBody | null,
  ): void
  leave(slot: number): void
  refresh(binding: Pick<Binding, 'behavior' | 'locomotion'>, slots: ArrayLike<number>): void
  visitSlots(slots: ArrayLike<number>, visit: AgentVisitor): void
}

/**
 * Radius of the default start ball, in radii of a member, times the cube root of the number of members.
 * Chosen by hand.
 */
const SPACING = 4

/**
 * Many agents that share one root behaviour. Its members are made when it is added to a `SteeringWorld`.
 * Member `i` is instance `i` of the view.
 */
export class Flock extends Limited<FlockEvents> {
  /** @internal */
  readonly view: View | null
  /** Slots of the members, `[0 … count)`. @internal */
  slots = new Int32Array(0)
  /** @internal */
  count = 0
  /** Number of members ever made. @internal */
  born = 0
  /** @internal */
  readonly options: Omit<FlockOptions, keyof AgentSettings> & AgentSettings
  /** One row with the limits new members get. @internal */
  readonly model = new Agents()
  /** Limits that were changed since, by offset. @internal */
  readonly changed = new Map<number, number>()
  /** @internal */
  roster: WorldAccess | null = null

  /** @throws TypeError / RangeError naming the option, the value received and what is allowed. */
  constructor(options: FlockOptions) {
    const read = readAgentOptions('Flock', options)
    super(read)
    handleMade(this, options.count)
    const { body, count, spawn } = options
    requireWhole('count', count, 0, 1e7)
    if (spawn !== undefined && typeof spawn !== 'function')
      refuse('spawn', spawn, 'must be a function (index, state) => void')
    if (body !== undefined && typeof body !== 'function')
      refuse('body', body, 'must be a function (index) => SteeringBody, a body for each member')
    if (body !== undefined) refuseDamping(read)
    this.options = { ...options, ...read }
    const { view } = options
    if (view !== undefined && isInstancedMesh(view)) objectShown(view)
    this.view = view === undefined ? null : isInstancedMesh(view) ? viewOfInstances(view) : viewOf(view)
    this.model.allocate()
    writeTraits(this.model, 0, read, null)
  }

  /** Number of members; 0 until it is added to a world. */
  get size(): number {
    return this.count
  }

  /** Called by the world: makes the first members. @internal */
  join(roster: WorldAccess): void {
    this.roster = roster
    try {
      this.add(this.options.count)
    } catch (error) {
      this.roster = null
      throw error
    }
    roster.flocks.add(this)
    roster.own(this)
  }

  /**
   * Adds `count` members at the end. Inside a step they are added when the step ends.
   * @throws Error after dispose, and while it is in no world.
   */
  add(count = 1): void {
    const { roster } = this
    if (this.disposed) throw new Error('Flock: used after dispose()')
    if (roster === null) throw new Error('add: this flock is in no world; add it to one by world.add(flock)')
    requireWhole('add: count', count, 0, 1e7)
    const before = this.count
    const ball =
      SPACING * (this.options.radius ?? DEFAULT_RADIUS) * Math.cbrt(Math.max(count, this.options.count))
    try {
      for (let i = 0; i < count; i++) roster.whenIdle(() => this.admit(roster, ball))
    } catch (error) {
      // all or none
      while (this.count > before) this.remove(this.count - 1)
      throw error
    }
  }

  /**
   * Removes member `index`; the last member gets its index. Inside a step it is removed when the step ends.
   * @throws RangeError when there is no such member.
   */
  remove(index: number): void {
    this.expel(this.slots[this.check(index)]!)
  }

  /** Writes the position (m) of a member. */
  position(index: number, out: Vec3): Vec3 {
    return load(out, this.agents.position, 3 * this.rowOf(index))
  }

  /** Writes the velocity (m/s) of a member. */
  velocity(index: number, out: Vec3): Vec3 {
    return load(out, this.agents.velocity, 3 * this.rowOf(index))
  }

  /** Writes the attitude of a member. */
  quaternion(index: number, out: Quat): Quat {
    return loadQuat(out, this.agents.orientation, 4 * this.rowOf(index))
  }

  /** A live target: position and velocity of the agent that is member `index` at the time of reading. */
  member(index: number): Required<Placed> {
    this.check(index)
    const slotRef = { agents: this.agents, slot: 0 }
    const now = (): typeof slotRef => {
      slotRef.slot = this.slots[Math.min(index, this.count - 1)]!
      return slotRef
    }
    return {
      position: liveVec3(now, 'position', 3, 0),
      velocity: liveVec3(now, 'velocity', 3, 0),
      isThere: () => index < this.count,
    }
  }

  /** Writes the centre of the members' bounding box (m); the origin for an empty flock. */
  center(out: Vec3): Vec3 {
    return centerOf(out, this.agents, this.slots.subarray(0, this.count))
  }

  /** @internal Visits all members. */
  visitAgents(visit: AgentVisitor): void {
    this.roster?.visitSlots(this.slots.subarray(0, this.count), visit)
  }

  /** Removes all members and listeners. A second call does nothing. */
  dispose(): void {
    if (this.disposed) return
    this.disposed = true
    for (const slot of Array.from(this.slots.subarray(0, this.count))) this.expel(slot)
    const { roster } = this
    roster?.whenIdle(() => {
      roster.flocks.delete(this)
      roster.disown(this)
      this.view?.flush?.(0)
    })
    this.removeAllListeners()
  }

  /** Adds a member in a new slot. */
  private admit(roster: WorldAccess, ball: number): void {
    if (this.disposed) return
    const { agents } = roster
    const binding = roster.bindings.take(this.behavior, this.locomotion)
    const slot = agents.allocate()
    try {
      const body = this.prepare(agents, agents.row[slot]!, ball)
      // each member has a body of its own
      if (body !== null) roster.claim(body, body, this.name)
      if (this.slots.length === this.count) this.slots = grown(this.slots, Math.max(8, 2 * this.count))
      this.slots[this.count] = slot
      const number = this.born++
      // the stream key of the member; undefined leaves it to the world
      const seed = this.options.seed === undefined ? undefined : this.options.seed + number
      roster.enter(slot, binding, this, this.count++, seed, this.view, body)
    } catch (error) {
      roster.bindings.drop(binding)
      agents.release(slot)
      throw error
    }
  }

  /** Removes the member in `slot`. The last member gets its index. */
  private expel(slot: number): void {
    const { roster } = this
    if (roster === null) return
    const { agents } = roster
    const id = agents.id[agents.row[slot]!]
    roster.whenIdle(() => {
      const row = agents.row[slot]!
      // it has been removed already, and another agent may have its slot
      if (row < 0 || agents.id[row] !== id) return
      const index = agents.member[row]!
      const last = this.slots[--this.count]!
      this.slots[index] = last
      if (index < this.count) agents.member[agents.row[last]!] = index
      roster.leave(slot)
    })
  }

  /** @internal */
  dispatch(type: keyof FlockEvents, index: number, change: Partial<StageChange> | null): void {
    if (change !== null) this.emit(type, { type, target: this, index, ...change } as never)
  }

  /** Slots of the members. @internal */
  get slotList(): readonly number[] {
    return [...this.slots.subarray(0, this.count)]
  }

  protected bind(pair: Pick<Binding, 'behavior' | 'locomotion'>): void {
    this.roster?.refresh(pair, this.slots.subarray(0, this.count))
  }

  private prepare(agents: Agents, row: number, ball: number): SteeringBody | null {
    const { options } = this
    const index = this.count
    const body = options.body === undefined ? null : requireBody(`body(${index})`, options.body(index))
    writeTraits(agents, row, options, body)
    for (const [offset, value] of this.changed) agents.traits[T.TRAITS * row + offset] = value
    if (body === null) {
      const state = defaultStart(options, this.born, ball)
      options.spawn?.(index, state)
      if (isUnturned(state)) faceAlong(state, agents, row)
      writeState(agents, row, { ...state, angularVelocity: vec3() })
    } else {
      readBody(body)
      writeState(agents, row, bodyState)
      writeMassFrame(agents, row, bodyState)
    }
    return body
  }

  private get agents(): Agents {
    return this.roster?.agents ?? this.model
  }

  private rowOf(index: number): number {
    return this.agents.row[this.slots[this.check(index)]!]!
  }

  private check(index: number): number {
    if (!(index >= 0 && index < this.count && Number.isInteger(index)))
      outOfRange('index', index, `the flock has members 0 … ${this.count - 1}`)
    return index
  }

  protected get binding(): Binding | null | undefined {
    return this.count > 0 ? this.agents.binding[this.rowOf(0)] : null
  }

  /** A limit of the flock is the limit of all its members, also of those that are added later. */
  protected trait(offset: number): number {
    return this.model.traits[offset]!
  }

  protected setTrait(offset: number, value: number): void {
    this.model.traits[offset] = value
    this.changed.set(offset, value)
    for (let i = 0; i < this.count; i++) this.agents.traits[T.TRAITS * this.rowOf(i) + offset] = value
  }
}
