import { advanced, presented, stepMade, viewsWritten } from '#hints'
import { Shifter } from '../control/shifter.js'
import type { Behavior, Fault, Planner, Vec3, Vec3Like } from '../types.js'
import { WIDTHS, type Agents, type AgentVisitor } from './agents.js'
import { EventQueue, faultOf } from './event-queue.js'
import type { SteeringController } from './controller.js'
import type { Flock } from './flock.js'
import { nameOf, type ReportFault } from './faults.js'
import { Clock } from './clock.js'
import { act, readStates, writeViews } from './phases.js'
import { requireFinite, requireVector, refuse } from '../math/require.js'
import { show } from '../math/show.js'
import { Roster } from './roster.js'
import { slotTableOf, statesOf } from './states.js'
import { Surroundings } from './surroundings.js'
import { Thinker } from './thinker.js'
import type { WorldInternals } from './world-internals.js'
import { worldSettings, type WorldOptions, type WorldSettings } from './world-options.js'

/** Makes the steps of a world on behalf of a physics engine, see `SteeringWorld.drive`. */
export interface StepDriver {
  /**
   * Makes a step of `dt` seconds, during which the bodies get their forces. Call it before each internal step
   * of the engine. Does nothing after `release`, or after the world's `dispose`.
   * @throws RangeError unless dt is finite and > 0. Error inside a step of the same world.
   */
  step(dt: number): void
  /** The world makes its steps itself again. A second call does nothing. */
  release(): void
}

/** Holds all agents, lets each steer by the state of the same instant, and moves those without a body. */
export class SteeringWorld extends EventQueue {
  readonly seed: number
  readonly up: Vec3Like
  readonly fixedStep: number
  readonly maxSteps: number
  private readonly settings: WorldSettings
  /** Acceleration of agents without a body, m/s². May be changed. */
  readonly gravity: Vec3
  /** @internal */
  readonly agents: Agents
  private readonly roster = new Roster()
  private readonly thinker: Thinker
  private readonly clock: Clock
  private readonly planners = new Set<Planner>()
  private readonly surroundings: Surroundings
  private disposed = false
  private readonly reportFault: ReportFault = (row, part, kind, message) =>
    this.noteFault(this.agents, row, part, kind, message)
  /** Share of a step, from the engine that makes the steps; null where the world makes them itself. */
  private shareOfDriver: (() => number) | null = null

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: WorldOptions = {}) {
    super()
    this.settings = worldSettings(options)
    const { seed, up, gravity, fixedStep, maxSteps } = this.settings
    this.seed = seed
    this.up = up
    this.gravity = gravity
    this.fixedStep = fixedStep
    this.maxSteps = maxSteps
    this.agents = this.roster.agents
    this.roster.visitSlots = (slots, visit) => this.thinker.visit(slots, this.clock.now, visit)
    this.clock = new Clock(this.settings, (agent, type, behavior, stage, reason) =>
      this.note(agent, type, behavior, stage, reason),
    )
    this.thinker = new Thinker(this.agents, seed, this.reportFault)
    this.surroundings = new Surroundings(gravity, up, this.reportFault)
  }

  /** Simulated time, s. */
  get time(): number {
    return this.clock.now.time
  }

  /** Steps made. */
  get tick(): number {
    return this.clock.now.tick
  }

  /** Number of living agents. */
  get size(): number {
    return this.agents.count
  }

  /**
   * Adds a controller, or a flock, whose members are made now. Inside a step the agents are added when the
   * step ends.
   * @throws TypeError when it is in a world already or is disposed, when its behaviour works for another
   * world, or when its body has another controller. TypeError / RangeError for a start of a member that
   * cannot be.
   */
  add(handle: SteeringController | Flock): this {
    this.requireAlive()
    this.roster.add(handle)
    return this
  }

  /**
   * Removes a controller, which keeps its last state and may be added again; or a flock, which is disposed.
   * Inside a step the agents are removed when the step ends.
   * @throws TypeError when it is not in this world.
   */
  remove(handle: SteeringController | Flock): this {
    this.roster.remove(handle)
    return this
  }

  /** Adds a planner, called in each step before the agents think. @throws TypeError without `plan`. */
  addPlanner(planner: Planner): void {
    this.requireAlive()
    if (typeof planner?.plan !== 'function') refuse('addPlanner', planner, 'must have a method plan(step)')
    this.planners.add(planner)
  }

  /** @throws TypeError when the planner is not in this world. */
  removePlanner(planner: Planner): void {
    if (!this.planners.delete(planner)) refuse('removePlanner', planner, 'which is not in this world')
  }

  /**
   * Makes one step of `dt` seconds: plan, read, index, think, act, settle. A planner, behaviour, body or
   * listener that throws does not stop the step: each failure is reported as a `fault`. When `dt` is 0, as in
   * the first frame of a clock, no step is made.
   * @throws RangeError unless dt is finite and ≥ 0. Error inside another step, after dispose, or while a
   * physics engine makes the steps, because forces would then count twice.
   */
  step(dt: number): void {
    this.requireAlive()
    requireFinite('step: dt', dt, 0, false)
    this.requireNotDriven('step')
    if (dt > 0) this.makeStep(dt)
  }

  /**
   * Lets a physics engine make the steps: until `release`, `step` and `advance` throw. For doors to physics
   * engines, such as `attachToCannon`.
   * @param share Returns the share of a step (0…1) that has passed since the last one, by which `present`
   * interpolates the views. Default always 1.
   * @throws TypeError when an engine makes the steps already. Error after dispose.
   */
  drive(share: () => number = () => 1): StepDriver {
    this.requireAlive()
    if (typeof share !== 'function') refuse('drive', share, 'must be a function')
    if (this.isDriven)
      throw new TypeError('drive: a physics engine makes the steps of this world already; release it first')
    this.shareOfDriver = share
    let released = false
    return {
      step: (dt) => {
        requireFinite('StepDriver.step: dt', dt, 0, true)
        if (!released && !this.disposed) this.makeStep(dt)
      },
      release: () => {
        if (!released) this.shareOfDriver = null
        released = true
      },
    }
  }

  /** Whether a physics engine makes the steps, see `drive`. */
  get isDriven(): boolean {
    return this.shareOfDriver !== null
  }

  private makeStep(dt: number): void {
    if (this.roster.busy) throw new Error('step: called inside a step of the same world')
    this.roster.busy = true
    this.clock.now.dt = dt
    try {
      this.plan()
      this.read()
      this.index()
      this.think()
      this.act()
    } finally {
      this.roster.busy = false
    }
    this.settle()
  }

  /**
   * Makes as many fixed steps as fit into `seconds` of real time, and then presents. It makes at most
   * `maxSteps`: after a long frame (a tab in the background) the rest of the time is dropped.
   * @returns number of steps made.
   */
  advance(seconds: number): number {
    this.requireAlive()
    this.requireNotDriven('advance')
    requireFinite('advance: seconds', seconds, 0, false)
    advanced(this, seconds)
    const steps = this.clock.due(seconds)
    let made = 0
    // a listener may dispose the world during a step
    while (made < steps && !this.disposed) {
      this.step(this.fixedStep)
      made++
    }
    if (!this.disposed) this.present(this.clock.share)
    return made
  }

  /**
   * Writes all views. `alpha` in [0, 1] is the share of a step that has passed since the last one. Poses are
   * interpolated from the start of that step to its end, so motion is smooth at any frame rate. Default: the
   * share known from `advance` or from the physics engine, else 1.
   */
  present(alpha: number = this.shareOfDriver?.() ?? 1): void {
    presented(this)
    writeViews(this.agents, alpha, this.reportFault)
    viewsWritten(this)
    for (const { name, size, view } of this.roster.flocks) {
      if (view === null) continue
      const part = nameOf(view, 'view') + (name === '' ? '' : ` of '${name}'`)
      this.attempt(part, () => view.flush?.(size))
    }
    if (!this.roster.busy) this.announce(this.agents)
  }

  /**
   * Finds the first agent whose behaviours throw, or give a force or torque that is not finite; null when
   * there is none. For debugging: the behaviours are called once more, so behaviours with a state (Wander)
   * advance by one step.
   */
  validate(): Fault | null {
    this.requireAlive()
    const found = this.thinker.validate(this.clock.now)
    return found === null
      ? null
      : faultOf(
          this.agents,
          found.row,
          found.behavior,
          'gives a force or torque that is not finite, or throws',
        )
  }

  /**
   * Moves the origin: adds `by` (m) to all places that the world and its behaviours remember, such as
   * plans, slots and agents without a body. Between the same two steps, move what is yours by the same
   * vector: bodies, targets, obstacles and paths. Then all fly on as if nothing had happened. Trees that no
   * agent uses at the time are not moved.
   * @throws TypeError / RangeError for a vector that is not finite. Error inside a step, or after dispose.
   */
  shift(by: Vec3Like): void {
    this.requireAlive()
    requireVector('shift: by', by)
    const { agents, planners, roster, settings, thinker } = this
    if (!roster.isIdle) throw new Error('shift: called inside a step of the same world')
    const bindings = [...roster.bindings.list]
    const shifter = new Shifter(by, slotTableOf(agents))
    const trees = bindings.map(({ behavior }) => behavior)
    for (const { state } of statesOf(trees, [...bindings.map(({ locomotion }) => locomotion), ...planners]))
      state.serialize(shifter)
    for (const name of ['position', 'previous'] as const)
      shifter.numbers(agents[name], 0, WIDTHS[name] * agents.count, [0], WIDTHS[name])
    for (const corner of ['min', 'max'] as const) if (settings.wrap) shifter.place(settings.wrap[corner])
    for (const { position } of thinker.observers.values()) shifter.place(position)
  }

  /** @internal Visits all agents. */
  visitAgents(visit: AgentVisitor): void {
    this.roster.visitSlots(this.agents.slot.subarray(0, this.agents.count), visit)
  }

  /** Removes all agents, planners and listeners, inside a step at its end. May be called again. */
  dispose(): void {
    if (this.disposed) return
    this.roster.whenIdle(() => {
      this.roster.clear()
      this.planners.clear()
      this.removeAllListeners()
      this.disposed = true
    })
  }

  get isDisposed(): boolean {
    return this.disposed
  }

  /** See `WorldInternals`. @throws Error after dispose. @internal */
  get internals(): WorldInternals {
    this.requireAlive()
    const { clock, gravity, planners, roster, settings, thinker } = this
    return { clock, events: this, gravity, planners, roster, settings, thinker }
  }

  private plan(): void {
    for (const planner of this.planners)
      this.attempt(nameOf(planner, 'planner'), () => planner.plan(this.clock.now))
  }

  private read(): void {
    this.surroundings.check()
    this.roster.setGravity(this.gravity)
    readStates(this.agents, this.reportFault)
  }

  private index(): void {
    this.roster.bindings.survey(this.onBroken)
    this.agents.search?.index(this.roster.bindings.list)
  }

  private think(): void {
    this.thinker.think(this.clock.now)
  }

  private act(): void {
    act(this.agents, this.clock.now, this.settings.wrap, this.settings.guard, this.reportFault)
  }

  /** Time advances, agents are added and removed as was requested during the step, events are emitted. */
  private settle(): void {
    this.clock.advance()
    this.roster.settle((error) =>
      this.reportFault(-1, 'change requested inside the step', 'threw', show(error)),
    )
    this.announce(this.agents)
    stepMade(this)
  }

  private requireNotDriven(caller: string): void {
    if (this.isDriven)
      throw new Error(
        `${caller}: this world is stepped by its physics engine; step that, then call present()`,
      )
  }

  private requireAlive(): void {
    if (this.disposed) throw new Error('SteeringWorld: used after dispose()')
  }

  private attempt(part: string, action: () => void): void {
    try {
      action()
    } catch (error) {
      this.reportFault(-1, part, 'threw', `threw ${show(error)}`)
    }
  }

  private readonly onBroken = (row: number, part: Behavior, message: string): void =>
    this.reportFault(row, part, 'threw', message)
}
