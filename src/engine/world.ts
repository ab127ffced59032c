import type {
  Behavior,
  DebugDraw,
  Fault,
  Locomotion,
  Planner,
  SteeringBody,
  Step,
  Vec3,
  Vec3Like,
  View,
} from '../types.js'
import { copy, normalize, vec3 } from '../math/vec3.js'
import { Agents, type Brain, type Handle } from './agents.js'
import { Brains } from './brains.js'
import type { SteeringController } from './controller.js'
import { carryCourse } from './course.js'
import { Emitter } from './emitter.js'
import { describe } from './faults.js'
import { Flock, type FlockOptions } from './flock.js'
import { requireBox, requireNumber, requireVector, type Box } from './options.js'
import { act, readStates, writeViews } from './phases.js'
import { Thinker } from './thinker.js'

export interface WorldOptions {
  /** Seed of all random streams, a 32-bit whole number. Default 1. */
  seed?: number
  /** Direction away from the ground. Default +Y. */
  up?: Vec3Like
  /** Acceleration of agents without a body, m/s². Bodies have that of their own world. Default none. */
  gravity?: Vec3Like
  /**
   * Box whose opposite sides are joined for agents without a body: who leaves it re-enters opposite. Neighbours are not looked up
   * across its sides. Default none.
   */
  wrap?: { readonly min: Vec3Like; readonly max: Vec3Like }
  /** Step of `advance`, s, > 0. Default 1/60. */
  fixedStep?: number
  /** Most steps `advance` makes in one call; what is left of a longer frame is dropped. Whole, ≥ 1. Default 5. */
  maxSteps?: number
}

export interface WorldEvents {
  arrive: { type: 'arrive'; target: SteeringController | Flock; id: number; behavior: Behavior }
  leave: { type: 'leave'; target: SteeringController | Flock; id: number; behavior: Behavior }
  /** Something not finite, or an exception, was dropped inside a step. Told once per agent; without a listener on the console. */
  fault: Fault & { type: 'fault' }
}

/** Share of a step for which a frame is not worth a step: 1e-6 keeps 60 frames of 1/60 s at 60 steps. */
const ROUNDING = 1e-6

/** Holds all agents, gives each the same instant to think about, and moves those without a physics body. */
export class SteeringWorld extends Emitter<WorldEvents> {
  readonly seed: number
  readonly up: Vec3Like
  readonly fixedStep: number
  readonly maxSteps: number
  private readonly wrap: Box | null
  /** Acceleration of agents without a body, m/s². May be changed. */
  readonly gravity: Vec3
  /** @internal */
  readonly agents = new Agents()
  private readonly brains = new Brains(this)
  private readonly thinker: Thinker
  private readonly now: Step & { dt: number; time: number; tick: number }
  private readonly controllers = new Set<SteeringController>()
  private readonly flocks = new Set<Flock>()
  private readonly planners = new Set<Planner>()
  private readonly faulty = new Set<number>()
  private later: (() => void)[] = []
  private happened: { id: number; slot: number; type: 'arrive' | 'leave'; behavior: Behavior }[] = []
  private born = 0
  private stepping = false
  private accumulator = 0
  private disposed = false
  /** Set by an adapter that makes the steps itself; gives the fraction of a step since the last one. @internal */
  driver: (() => number) | null = null

  /** @throws TypeError / RangeError naming the option. */
  constructor({
    seed = 1,
    up = { x: 0, y: 1, z: 0 },
    gravity = vec3(),
    wrap,
    fixedStep = 1 / 60,
    maxSteps = 5,
  }: WorldOptions = {}) {
    super()
    this.seed = requireNumber('seed', seed, -Infinity, false)
    this.up = normalize(vec3(), requireVector('up', up))
    if (this.up.x === 0 && this.up.y === 0 && this.up.z === 0)
      throw new RangeError('up: got (0, 0, 0), must have a direction')
    this.gravity = copy(vec3(), requireVector('gravity', gravity))
    this.wrap = wrap === undefined ? null : requireBox('wrap', wrap)
    this.fixedStep = requireNumber('fixedStep', fixedStep, 0, true, 1)
    this.maxSteps = requireNumber('maxSteps', maxSteps, 1, false)
    this.now = {
      dt: fixedStep,
      time: 0,
      tick: 0,
      up: this.up,
      emit: (agent, type, behavior) => this.happened.push({ id: agent.id, slot: agent.slot, type, behavior }),
    }
    this.thinker = new Thinker(this.agents, this.seed, (slot, behavior, message) =>
      this.report(slot, behavior, message),
    )
  }

  /** Simulated time, s. */
  get time(): number {
    return this.now.time
  }
  /** Steps made. */
  get tick(): number {
    return this.now.tick
  }
  /** Number of living agents. */
  get size(): number {
    return this.agents.count
  }

  /**
   * Adds a controller. Inside a step it comes when the step ends.
   * @throws TypeError when it is in a world already, is disposed, or its behaviour or body works elsewhere.
   */
  add(controller: SteeringController): this {
    this.alive()
    if (controller.isDisposed)
      throw new TypeError(`add: got a disposed controller '${controller.name}'; make a new one`)
    if (controller.home !== null || this.controllers.has(controller))
      throw new TypeError(`add: controller '${controller.name}' is in a world already; remove it there first`)
    for (const each of this.controllers)
      if (each.body !== null && each.body === controller.body)
        throw new TypeError(
          `add: the body of controller '${controller.name}' is steered by another controller`,
        )
    this.controllers.add(controller)
    this.whenIdle(() => {
      if (!this.controllers.has(controller) || controller.home === this) return
      let brain: Brain
      try {
        brain = this.brains.take(controller.behavior, controller.locomotion)
      } catch (error) {
        this.controllers.delete(controller)
        throw error
      }
      const slot = this.agents.allocate()
      const { agents } = controller.seat
      this.agents.copyRow(agents, agents.row[controller.seat.slot]!, this.agents.row[slot]!)
      controller.seat = { agents: this.agents, slot }
      controller.home = this
      this.settleIn(slot, brain, controller, 0, controller.seedOption, controller.view, controller.body)
      controller.hear('added', controller.id, 0, null)
    })
    return this
  }

  /** Removes a controller; it keeps its last state and may be added again. Inside a step it goes when the step ends. @throws TypeError for a stranger. */
  remove(controller: SteeringController): this {
    if (!this.controllers.delete(controller))
      throw new TypeError(`remove: controller '${controller.name}' is not in this world`)
    this.whenIdle(() => {
      if (controller.home !== this) return
      const { slot } = controller.seat
      const own = new Agents()
      const seat = { agents: own, slot: own.allocate() }
      own.copyRow(this.agents, this.agents.row[slot]!, own.row[seat.slot]!)
      controller.seat = seat
      controller.home = null
      this.free(slot)
      controller.hear('removed', -1, 0, null)
    })
    return this
  }

  /** Adds many agents that share one root behaviour. Inside a step they come when it ends. @throws TypeError / RangeError naming the option. */
  addFlock(options: FlockOptions): Flock {
    this.alive()
    const flock = new Flock(this, this.agents, options)
    this.flocks.add(flock)
    return flock
  }

  /** Adds something that plans before the agents think. */
  addPlanner(planner: Planner): void {
    this.planners.add(planner)
  }

  removePlanner(planner: Planner): void {
    this.planners.delete(planner)
  }

  /**
   * Makes one step of `dt` seconds: plan, read, index, think, act, settle.
   * @throws RangeError unless dt is finite and > 0. Error inside another step, or after dispose.
   */
  step(dt: number): void {
    this.alive()
    if (typeof dt !== 'number' || !(dt > 0) || dt === Infinity)
      throw new RangeError(`step: got dt ${String(dt)}, must be finite and > 0 s`)
    if (this.stepping) throw new Error('step: called inside a step of the same world')
    this.stepping = true
    this.now.dt = dt
    try {
      this.plan()
      this.read()
      this.index()
      this.think()
      this.act()
    } finally {
      this.stepping = false
    }
    this.settle()
  }

  /**
   * Makes as many fixed steps as fit into `seconds` of real time, and presents. At most `maxSteps`: after a long frame (a tab
   * in the background) the rest of the time is dropped.
   * @returns number of steps made.
   */
  advance(seconds: number): number {
    if (this.driver !== null)
      throw new Error('advance: this world is stepped by its physics engine; step that and call present()')
    if (!(seconds >= 0) || seconds === Infinity)
      throw new RangeError(`advance: got ${seconds}, must be finite and ≥ 0 s`)
    this.accumulator += seconds
    const due = Math.floor(this.accumulator / this.fixedStep + ROUNDING)
    const steps = Math.min(due, this.maxSteps)
    for (let i = 0; i < steps; i++) this.step(this.fixedStep)
    this.accumulator = Math.max(0, this.accumulator - due * this.fixedStep)
    this.present(this.accumulator / this.fixedStep)
    return steps
  }

  /**
   * Writes all views. `alpha` in [0, 1] is the share of a step since the last one; poses are interpolated from the start of
   * that step to its end, so motion is smooth at any frame rate. Default: known from `advance` or the physics engine, else 1.
   */
  present(alpha: number = this.driver === null ? 1 : this.driver()): void {
    writeViews(this.agents, alpha)
    for (const flock of this.flocks) flock.view?.flush?.(flock.size)
  }

  /**
   * Looks for the first agent whose behaviours give something not finite, or throw. For debugging: behaviours are asked once
   * more, so those with memory (Wander) move on by one step.
   */
  validate(): Fault | null {
    this.alive()
    const found = this.thinker.validate(this.now)
    return found === null
      ? null
      : this.faultOf(found.row, found.behavior, 'gives a force or torque that is not finite, or throws')
  }

  /** Draws all agents as lines, see `SteeringHelper` in `three-steering/debug`. */
  trace(draw: DebugDraw): void {
    this.traceSlots(this.agents.slot.subarray(0, this.agents.count), draw)
  }

  /** @internal */
  traceSlots(slots: ArrayLike<number>, draw: DebugDraw): void {
    this.thinker.trace(slots, this.now, draw)
  }

  /** Removes everything and forgets the listeners. A second call does nothing; inside a step it happens when the step ends. */
  dispose(): void {
    if (this.disposed) return
    this.whenIdle(() => {
      for (const controller of this.controllers) this.remove(controller)
      for (const flock of this.flocks) flock.dispose()
      this.planners.clear()
      this.deafen()
      this.disposed = true
    })
  }

  get isDisposed(): boolean {
    return this.disposed
  }

  // one step as a walk

  private plan(): void {
    for (const planner of this.planners) planner.plan(this.now)
  }

  private read(): void {
    this.agents.sort()
    readStates(this.agents, this.onLost)
  }

  private index(): void {
    this.thinker.index(this.brains.survey(this.agents))
  }

  private think(): void {
    this.thinker.think(this.now)
  }

  private act(): void {
    act(this.agents, this.now.dt, this.wrap)
  }

  /** Adds and removes asked for during the step happen, events are told, time moves on. */
  private settle(): void {
    this.now.time += this.now.dt
    this.now.tick++
    if (this.later.length > 0) {
      const due = this.later
      this.later = []
      for (const change of due) change()
    }
    if (this.happened.length === 0) return
    const events = this.happened
    this.happened = []
    for (const { id, slot, type, behavior } of events) {
      const row = this.agents.row[slot]!
      // gone in the meantime: nobody is left to tell
      if (row < 0 || this.agents.id[row] !== id) continue
      const handle = this.agents.handle[row]!
      handle.hear(type, id, this.agents.member[row]!, behavior)
      this.tell(type, { type, target: handle as SteeringController | Flock, id, behavior })
    }
  }

  // called by controllers and flocks

  /** @internal */
  admit(flock: Flock, prepare: (agents: Agents, row: number) => SteeringBody | null): void {
    this.alive()
    this.whenIdle(() => {
      if (flock.isDisposed) return
      const { agents } = this
      const brain = this.brains.take(flock.behavior, flock.locomotion)
      const slot = agents.allocate()
      let body: SteeringBody | null
      try {
        body = prepare(agents, agents.row[slot]!)
      } catch (error) {
        this.brains.drop(brain)
        agents.release(slot)
        throw error
      }
      this.settleIn(slot, brain, flock, flock.enlist(slot), flock.nextSeed(), flock.view, body)
    })
  }

  /** @internal */
  expel(flock: Flock, slot: number): void {
    const { agents } = this
    const id = agents.id[agents.row[slot]!]
    this.whenIdle(() => {
      const row = agents.row[slot]!
      if (row < 0 || agents.id[row] !== id) return
      const index = agents.member[row]!
      const moved = flock.discharge(index)
      if (moved >= 0) agents.member[agents.row[moved]!] = index
      this.free(slot)
      if (flock.isDisposed && flock.size === 0) this.flocks.delete(flock)
    })
  }

  /** Gives the agents in `slots` the behaviour and locomotion their handle has now. @internal */
  refresh(
    handle: { readonly behavior: Behavior; readonly locomotion: Locomotion },
    slots: ArrayLike<number>,
  ): void {
    for (let i = 0; i < slots.length; i++) {
      const row = this.agents.row[slots[i]!]!
      const old = this.agents.brain[row]!
      this.agents.version++
      this.agents.brain[row] = this.brains.take(handle.behavior, handle.locomotion)
      this.brains.drop(old)
    }
  }

  private settleIn(
    slot: number,
    brain: Brain,
    handle: Handle,
    member: number,
    seed: number | undefined,
    view: View | null,
    body: SteeringBody | null,
  ): void {
    const { agents, gravity } = this
    const id = this.born++
    const row = agents.row[slot]!
    agents.brain[row] = brain
    agents.handle[row] = handle
    agents.view[row] = view
    agents.body[row] = body
    agents.member[row] = member
    agents.id[row] = id
    agents.seed[row] = seed ?? id
    agents.gravity.set([gravity.x, gravity.y, gravity.z], 3 * row)
    carryCourse(agents, row)
  }

  private free(slot: number): void {
    const row = this.agents.row[slot]!
    this.brains.drop(this.agents.brain[row]!)
    this.faulty.delete(this.agents.id[row]!)
    this.agents.release(slot)
  }

  private whenIdle(change: () => void): void {
    if (this.stepping) this.later.push(change)
    else change()
  }

  private alive(): void {
    if (this.disposed) throw new Error('SteeringWorld: used after dispose()')
  }

  private readonly onLost = (row: number): void =>
    this.report(row, this.agents.brain[row]!.behavior, 'position, velocity or attitude is not finite')

  private report(row: number, behavior: Behavior, message: string): void {
    const id = this.agents.id[row]!
    if (this.faulty.has(id)) return
    this.faulty.add(id)
    const fault = this.faultOf(row, behavior, message)
    // listeners may change the world: told when the step is over
    this.later.push(() => {
      if (!this.tell('fault', { type: 'fault', ...fault })) console.error(describe(fault))
    })
  }

  private faultOf(row: number, behavior: Behavior, message: string): Fault {
    const name = this.agents.handle[row]?.name ?? ''
    return { id: this.agents.id[row]!, name, behavior: behavior.constructor.name, message }
  }
}
