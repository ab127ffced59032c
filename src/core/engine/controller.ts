import { handleMade } from '#hints'
import type { AgentInSlot, Frame, Placed } from '../types.js'
import type { Quat, QuatLike, StageChange, SteeringBody, Vec3Like } from '../types.js'
import { attitudeFrame, frame } from '../math/frame.js'
import { loadQuat, quat, rotate } from '../math/quat.js'
import { cross, load, vec3 } from '../math/vec3.js'
import * as T from './agents.js'
import { Agents, type Binding, type AgentVisitor } from './agents.js'
import { bodyState, readBody } from './body-state.js'
import { Limited, type AgentEvents } from './limited.js'
import { liveQuat, liveVec3 } from './live.js'
import {
  readAgentOptions,
  requireBody,
  writeMassFrame,
  writeState,
  writeTraits,
  type AgentOptions,
  type StateOptions,
} from './options.js'
import { startOf } from './spawn.js'
import { viewOf, type Viewable } from './views.js'

/** Events of a controller. */
export interface ControllerEvents extends AgentEvents<{ target: SteeringController }> {
  /** The controller joined or left a world. */
  added: { type: 'added'; target: SteeringController }
  removed: { type: 'removed'; target: SteeringController }
}

export interface ControllerOptions extends AgentOptions, StateOptions {
  /** The physics body that is pushed, e.g. `cannonBody(body)`. Default: the controller integrates. */
  body?: SteeringBody
}

/** The part of the world that a controller uses. */
interface WorldAccess {
  readonly agents: Agents
  remove(controller: SteeringController): void
  refresh(binding: Pick<Binding, 'behavior' | 'locomotion'>, slots: ArrayLike<number>): void
  visitSlots(slots: ArrayLike<number>, visit: AgentVisitor): void
}

/**
 * Steers one object. Give it an `Object3D` (or null, without a picture) and add it to a `SteeringWorld`. With
 * a physics body it only applies forces and torques to the body; without one it integrates its own force and
 * torque under the same limits. Its vectors and frames are live and read-only. It can be the target of other
 * behaviours.
 */
export class SteeringController extends Limited<ControllerEvents> implements AgentInSlot, Placed {
  readonly size = 1
  readonly body: SteeringBody | null
  /** Model axes, see the options of the same names. */
  readonly forward: Vec3Like
  readonly up: Vec3Like
  /** Live, m: the centre of mass. */
  readonly position: Vec3Like
  /** Live: centre of mass in model axes, as seen from the origin of the model (m). */
  readonly center: Vec3Like
  /** Live, m/s. */
  readonly velocity: Vec3Like
  /** Live attitude of the model. */
  readonly quaternion: QuatLike
  /** Live, rad/s. */
  readonly angularVelocity: Vec3Like
  /** Live: force (N) and torque (N·m) that the locomotion gave in the last step, world axes. */
  readonly force: Vec3Like
  readonly torque: Vec3Like
  /** Live: force (N) and torque (N·m) that the behaviours wanted, before the locomotion's limits. */
  readonly demand: { readonly force: Vec3Like; readonly torque: Vec3Like }

  /** Table and slot of the agent: the table of its world, or a private one while it is in none. @internal */
  slotRef: { agents: Agents; slot: number }
  /** @internal */
  roster: WorldAccess | null = null
  /** The option `seed`. @internal */
  readonly seedOption: number | undefined
  private hasLeft = false
  private readonly courseFrame: Frame = frame()
  private readonly attitudeFrame: Frame = frame()
  private readonly turned: Quat = quat()
  /** @internal */
  readonly view: ReturnType<typeof viewOf> | null

  /**
   * @param object An `Object3D`, a view of your own, or null. Without other options its pose is where the
   * agent starts.
   * @throws TypeError / RangeError naming the option, the value received and what is allowed.
   */
  constructor(object: Viewable | null, options: ControllerOptions) {
    const read = readAgentOptions('SteeringController', options)
    super(read)
    handleMade(this)
    const { body } = options
    this.body = body === undefined ? null : requireBody('body', body)
    this.seedOption = read.seed
    this.view = object === null ? null : viewOf(object)
    const agents = new Agents()
    this.slotRef = { agents, slot: agents.allocate() }
    writeTraits(agents, this.rowNow, read, this.body)
    writeState(agents, this.rowNow, startOf(object, options, this.body))
    if (this.body !== null) writeMassFrame(agents, this.rowNow, bodyState)
    const slotRef = (): { agents: Agents; slot: number } => this.slotRef
    this.position = liveVec3(slotRef, 'position', 3, 0)
    this.center = liveVec3(slotRef, 'center', 3, 0)
    this.velocity = liveVec3(slotRef, 'velocity', 3, 0)
    this.angularVelocity = liveVec3(slotRef, 'angularVelocity', 3, 0)
    this.quaternion = liveQuat(slotRef)
    this.force = liveVec3(slotRef, 'given', 6, 0)
    this.torque = liveVec3(slotRef, 'given', 6, 3)
    this.demand = { force: liveVec3(slotRef, 'wanted', 6, 0), torque: liveVec3(slotRef, 'wanted', 6, 3) }
    loadQuat(this.turned, agents.axes, 4 * this.rowNow)
    this.forward = rotate(vec3(), this.turned, { x: 1, y: 0, z: 0 })
    this.up = rotate(vec3(), this.turned, { x: 0, y: 1, z: 0 })
  }

  /** Unique in its world; −1 while it is in none. */
  get id(): number {
    return this.active ? this.slotRef.agents.id[this.rowNow]! : -1
  }

  /** See `Agent`: where behaviours keep what they remember of it, for their methods such as `stageOf`. */
  get slot(): number {
    return this.slotRef.slot
  }
  get generation(): number {
    return this.slotRef.agents.generation[this.slotRef.slot]!
  }

  /** True while it is in a world. */
  get active(): boolean {
    return this.roster !== null && this.slotRef.agents === this.roster.agents
  }

  /**
   * Whether it is there for those that have it as their target: not after it was removed or disposed, nor
   * while its body is in no world of its engine.
   */
  isThere(): boolean {
    return !this.disposed && !this.hasLeft && this.body?.isThere?.() !== false
  }

  /** Frame along the velocity, carried from step to step. Each call updates and returns the same object. */
  get course(): Frame {
    const { course } = this.slotRef.agents
    const { x, y, z } = this.courseFrame
    load(x, course, 6 * this.rowNow)
    load(y, course, 6 * this.rowNow + 3)
    cross(z, x, y)
    return this.courseFrame
  }

  /** Frame with x along the nose and y along the top. Each call updates and returns the same object. */
  get attitude(): Frame {
    loadQuat(this.turned, this.slotRef.agents.axes, 4 * this.rowNow)
    return attitudeFrame(this.attitudeFrame, this.quaternion, this.turned)
  }

  /**
   * Moves an agent without a body at once to another state; values that are not given stay. For an agent with
   * a body, move the body yourself, give it its velocity, and then call `teleport()` without arguments. A
   * character of Rapier has a velocity of its own, and takes it here. In all cases the views do not sweep
   * across the gap.
   * @throws TypeError when a pose or velocity is given for an agent whose state belongs to a physics body.
   */
  teleport(state: StateOptions = {}): void {
    if (this.body !== null) {
      if (state.position !== undefined || state.quaternion !== undefined)
        throw new TypeError(
          'teleport: the pose belongs to the physics body: move the body, then call teleport()',
        )
      if (
        this.body.setVelocity === undefined &&
        (state.velocity !== undefined || state.angularVelocity !== undefined)
      )
        throw new TypeError(
          'teleport: the velocity belongs to the physics body: set it there, then call teleport()',
        )
      readBody(this.body)
    }
    const from = this.body === null ? this : bodyState
    const {
      position = from.position,
      quaternion = from.quaternion,
      velocity = from.velocity,
      angularVelocity = from.angularVelocity,
    } = state
    writeState(this.slotRef.agents, this.rowNow, { position, quaternion, velocity, angularVelocity })
    if (state.velocity !== undefined || state.angularVelocity !== undefined)
      this.body?.setVelocity?.(velocity, angularVelocity)
  }

  /** @internal Visits the agent; nothing while it is in no world. */
  visitAgents(visit: AgentVisitor): void {
    if (this.active) this.roster?.visitSlots([this.slotRef.slot], visit)
  }

  /** Leaves its world and removes its listeners. A second call does nothing. */
  dispose(): void {
    if (this.disposed) return
    this.disposed = true
    const wasActive = this.active
    this.roster?.remove(this)
    // while it is in a world, its listeners still get 'removed'; `dispatch` removes them then
    if (!wasActive) this.removeAllListeners()
  }

  /** Called by the world after a step: emits an event of the agent. @internal */
  dispatch(type: keyof ControllerEvents, _member: number, change: Partial<StageChange> | null): void {
    if (type === 'added' || type === 'removed') this.hasLeft = type === 'removed'
    this.emit(type, { type, target: this, ...change } as never)
    if (this.disposed && type === 'removed') this.removeAllListeners()
  }

  protected bind(pair: Pick<Binding, 'behavior' | 'locomotion'>): void {
    if (this.active) this.roster?.refresh(pair, [this.slotRef.slot])
  }

  private get rowNow(): number {
    return this.slotRef.agents.row[this.slotRef.slot]!
  }

  protected get binding(): Binding | null | undefined {
    return this.slotRef.agents.binding[this.rowNow]
  }

  protected trait(offset: number): number {
    return this.slotRef.agents.traits[T.TRAITS * this.rowNow + offset]!
  }

  protected setTrait(offset: number, value: number): void {
    this.slotRef.agents.traits[T.TRAITS * this.rowNow + offset] = value
  }
}
