import type { SteeringBody, Vec3Like, View } from '../types.js'
import { copy, vec3 } from '../math/vec3.js'
import { Agents, type Binding, type Handle, type AgentVisitor } from './agents.js'
import { Bindings } from './bindings.js'
import type { SteeringController } from './controller.js'
import { carryCourse } from './course.js'
import type { Flock } from './flock.js'
import { writeGravity } from './options.js'
import { isKept, keep, release } from '../math/own.js'
import { refuse } from '../math/require.js'

/**
 * The controllers and flocks of a world. Changes that are requested inside a step are made when the step
 * ends: the `roster` of a controller says what was requested, its `slotRef` what has been done.
 */
export class Roster {
  readonly agents = new Agents()
  readonly bindings: Bindings = new Bindings(this.agents)
  readonly flocks = new Set<Flock>()
  /** True inside a step. */
  busy = false
  /** True while waiting changes are made. */
  private settling = false
  readonly slotOf = new Map<SteeringController, number>()
  readonly gravity = vec3()
  private waiting: (() => void)[] = []
  nextId = 0

  /** Gives this gravity (m/s²) to all agents without a body, also to those that are added later. */
  setGravity(gravity: Vec3Like): void {
    const { agents } = this
    const { x, y, z } = gravity
    if (x === this.gravity.x && y === this.gravity.y && z === this.gravity.z) return
    copy(this.gravity, gravity)
    for (let row = 0; row < agents.count; row++)
      if (agents.body[row] === null) writeGravity(agents, row, gravity)
  }

  /** Visits the agents in `slots`. Set by the world. */
  visitSlots: (slots: ArrayLike<number>, visit: AgentVisitor) => void = () => {}

  add(handle: SteeringController | Flock): void {
    const title = titleOf('add', handle)
    if (handle.isDisposed) throw new TypeError(`add: got a disposed ${title}; make a new one`)
    if (handle.roster !== null)
      throw new TypeError(`add: ${title} is in a world already; remove it there first`)
    if (!('slotRef' in handle)) return handle.join(this)
    handle.roster = this
    this.whenIdle(() => this.reconcile(handle))
  }

  remove(handle: SteeringController | Flock): void {
    const title = titleOf('remove', handle)
    if (handle.roster !== this) throw new TypeError(`remove: ${title} is not in this world`)
    if (!('slotRef' in handle)) return handle.dispose()
    handle.roster = null
    this.whenIdle(() => this.reconcile(handle))
  }

  /** Removes all controllers and flocks, for good. */
  clear(): void {
    for (const controller of this.slotOf.keys()) if (controller.roster === this) this.remove(controller)
    for (const flock of this.flocks) flock.dispose()
  }

  /** Makes a change now, or when the step ends. */
  whenIdle(change: () => void): void {
    if (this.busy) this.waiting.push(change)
    else change()
  }

  /** Makes the waiting changes. One that throws does not stop the others; `failed` gets its error. */
  settle(failed: (error: unknown) => void): void {
    this.settling = true
    while (this.waiting.length > 0) {
      const due = this.waiting
      this.waiting = []
      for (const change of due)
        try {
          change()
        } catch (error) {
          failed(error)
        }
    }
    this.settling = false
  }

  /** Whether no step is being made and no change is being settled. */
  get isIdle(): boolean {
    return !this.busy && !this.settling
  }

  /** The controllers in the order in which they were added, then the flocks in theirs. */
  get handles(): (SteeringController | Flock)[] {
    const controllers = [...this.slotOf.keys()].sort((a, b) => a.id - b.id)
    return [...controllers, ...[...this.flocks].filter(({ isDisposed }) => !isDisposed)]
  }

  /** Adds or removes a controller, as its `roster` says. */
  private reconcile(controller: SteeringController): void {
    const slot = this.slotOf.get(controller)
    const wanted = controller.roster === this
    if (wanted && slot === undefined) this.bind(controller)
    else if (!wanted && slot !== undefined) this.unbind(controller, slot)
  }

  /** Gives the agents in `slots` another behaviour and locomotion. */
  refresh(
    { behavior, locomotion }: Pick<Binding, 'behavior' | 'locomotion'>,
    slots: ArrayLike<number>,
  ): void {
    const { agents, bindings } = this
    for (let i = 0; i < slots.length; i++) {
      const row = agents.row[slots[i]!]!
      const old = agents.binding[row]!
      agents.binding[row] = bindings.take(behavior, locomotion)
      bindings.drop(old)
    }
  }

  private bind(controller: SteeringController): void {
    const { agents } = this
    let binding: Binding
    try {
      binding = this.bindings.take(controller.behavior, controller.locomotion)
      if (controller.body !== null) this.claim(controller.body, controller, controller.name)
    } catch (error) {
      controller.roster = null
      throw error
    }
    const slot = agents.allocate()
    const { agents: from, slot: fromSlot } = controller.slotRef
    agents.copyRow(from, from.row[fromSlot]!, agents.row[slot]!)
    controller.slotRef = { agents, slot }
    this.slotOf.set(controller, slot)
    this.own(controller)
    this.enter(slot, binding, controller, 0, controller.seedOption, controller.view, controller.body)
    controller.dispatch('added', 0, null)
  }

  /** The controller keeps its last state, unless it has been added to another world in the meantime. */
  private unbind(controller: SteeringController, slot: number): void {
    const { agents } = this
    this.slotOf.delete(controller)
    this.disown(controller)
    if (controller.slotRef.agents === agents) {
      const privateTable = new Agents()
      controller.slotRef = { agents: privateTable, slot: privateTable.allocate() }
      privateTable.copyRow(agents, agents.row[slot]!, privateTable.row[controller.slotRef.slot]!)
    }
    this.leave(slot)
    controller.dispatch('removed', 0, null)
  }

  /** Fills the row of a new agent. */
  enter(
    slot: number,
    binding: Binding,
    handle: Handle,
    member: number,
    seed: number | undefined,
    view: View | null,
    body: SteeringBody | null,
  ): void {
    const { agents, gravity } = this
    const id = this.nextId++
    const row = agents.row[slot]!
    agents.binding[row] = binding
    agents.handle[row] = handle
    agents.view[row] = view
    agents.body[row] = body
    agents.member[row] = member
    agents.id[row] = id
    // an odd factor scatters the ids without collisions, away from the small numbers that users choose
    agents.seed[row] = seed ?? Math.imul(id, 0x9e3779b1) ^ 0x5bd1e995
    if (body === null) writeGravity(agents, row, gravity)
    carryCourse(agents, row)
  }

  /**
   * Registers a body as steered, and its keeper, see `keep`.
   * @throws TypeError when it is steered already: two would add their forces.
   */
  claim(body: SteeringBody, keeper: object, name: string): void {
    const key = body.engineBody ?? body
    if (isKept(key))
      throw new TypeError(`add: the body of '${name}' is steered by another controller already`)
    keep(key, keeper)
  }

  /** Registers itself and the object that shows its agents as things of a handle, until `disown`. */
  own(handle: Handle): void {
    for (const thing of thingsOf(handle)) keep(thing, handle)
  }

  disown(handle: Handle): void {
    for (const thing of thingsOf(handle)) release(thing, handle)
  }

  /** Ends an agent. */
  leave(slot: number): void {
    const row = this.agents.row[slot]!
    const body = this.agents.body[row]
    if (body !== null && body !== undefined) release(body.engineBody ?? body)
    this.bindings.drop(this.agents.binding[row]!)
    this.agents.release(slot)
  }
}

function thingsOf(handle: Handle): object[] {
  const object = handle.view?.object
  return object === undefined ? [handle] : [handle, object]
}

/** Kind and name of a handle. @throws TypeError. No `instanceof`: the package may be loaded twice. */
function titleOf(what: string, value: SteeringController | Flock): string {
  if (typeof value?.dispatch === 'function') {
    if (typeof (value as SteeringController).slotRef === 'object') return `controller '${value.name}'`
    if (typeof (value as Flock).join === 'function') return `flock '${value.name}'`
  }
  return refuse(what, value, 'must be a SteeringController or a Flock')
}
