import type { Agent, Archive, Serializable, Moving, Quat, Step, Vec3, Vec3Like } from '../../core/types.js'
import { quat, quatFromAxes } from '../../core/math/quat.js'
import { clamp } from '../../core/math/scalar.js'
import { addScaled, copy, sub, vec3 } from '../../core/math/vec3.js'
import type { FormationMember } from './assignment.js'
import type { FormationSlot } from './formation-slot.js'
import { serializeFields } from '../../core/control/serialize-fields.js'

/**
 * A member has arrived within this share of the spacing, or within its own radius. It has left beyond
 * `LEAVE_FACTOR` times that distance. Both chosen by hand.
 */
const ARRIVE_SHARE = 0.2
const LEAVE_FACTOR = 3

/**
 * Others wait for a member for this long (s) while it does not come nearer to its slot, by at least this
 * share of its top speed. Both chosen by hand.
 */
const PATIENCE = 2
const LEAST_CLOSING = 0.05

/** Position (m), velocity (m/s) and acceleration (m/s²) of a slot, world axes. */
export interface SlotState {
  readonly position: Vec3
  readonly velocity: Vec3
  readonly acceleration: Vec3
}

export function makeSlotState(): SlotState {
  return { position: vec3(), velocity: vec3(), acceleration: vec3() }
}

/** What a member can do. */
export interface MemberLimits {
  /** m/s */
  readonly topSpeed: number
  /** Greatest acceleration in any direction, m/s². */
  readonly maxAcceleration: number
  /** Greatest acceleration across the course, m/s². */
  readonly lateralAcceleration: number
  /** Acceleration across (m/s²) without delay: less than the above if it must roll or turn first. */
  readonly promptAcceleration: number
}

/** The state of one member of a formation, as it was when the member last steered. */
export class Member implements FormationMember, Serializable {
  readonly key: number
  role = ''
  /** Position (m) and velocity (m/s) when it last steered, and velocity in the step before; world axes. */
  readonly seenPosition: Vec3 = vec3()
  readonly velocity: Vec3 = vec3()
  readonly previousVelocity: Vec3 = vec3()
  /** Predicted position (m) and velocity (m/s) one step later. */
  readonly nextPosition: Vec3 = vec3()
  readonly nextVelocity: Vec3 = vec3()
  /** Attitude of its steering frame, and angular velocity, rad/s. */
  readonly attitude: Quat = quat()
  readonly angularVelocity: Vec3 = vec3()
  /** m. For the others see {@link MemberLimits}. */
  radius = 0
  topSpeed = Infinity
  maxAcceleration = Infinity
  lateralAcceleration = Infinity
  promptAcceleration = Infinity
  /** Whether it can lead. */
  canLead = false
  /** Time (s) and number of the step in which it last steered. */
  seenTime = 0
  seenTick = -1
  /** Whether it has not steered yet. */
  isNew = true

  /** Its slot; null if none is left for it. */
  slot: FormationSlot | null = null
  /** In the frame of the anchor, m: start and end of its path in a change, and its place on that path. */
  readonly from: Vec3 = vec3()
  readonly to: Vec3 = vec3()
  readonly offset: Vec3 = vec3()
  /** Whether it flies to its slot on its own, because it came when the others were in their slots already. */
  joining = true
  /** Whether it has arrived in its slot; its distance (m) from the slot; how far (m) it is late. */
  settled = false
  slotError = 0
  lag = 0
  /** `lag` one step before, and the time (s) for which others have waited for it in vain. */
  private lagBefore = 0
  private vainWait = 0
  /** Planned state of its slot in this step; valid once `hasSlotState` is true. */
  readonly slotState: SlotState = makeSlotState()
  hasSlotState = false

  /**
   * How far its slot has moved to its place in a column (0 … 1), the rate of that (1/s), how far it is to
   * move, the time (s) for the whole way, and the time (s) for which a wider way has been free; see
   * `OwnPassage`.
   */
  columnShare = 0
  columnRate = 0
  columnGoal = 0
  columnTime = 1
  columnFreeFor = 0

  constructor(key: number) {
    this.key = key
  }

  /** Everything except the key and the slot, which `Members` saves. */
  serialize(archive: Archive): void {
    serializeFields(archive, this, ['key'])
    serializeFields(archive, this.slotState)
  }

  /** Position from which the assignment of slots measures the distances. */
  get position(): Vec3Like {
    return this.from
  }

  /** Whether waiting for it helps: not if it comes no nearer to its slot. Called once per step. */
  comes(dt: number): boolean {
    const { lag, lagBefore, radius, topSpeed } = this
    const closes = lag <= radius || lagBefore - lag >= LEAST_CLOSING * topSpeed * dt
    this.vainWait = clamp(this.vainWait + (closes ? -dt : dt), 0, 2 * PATIENCE)
    this.lagBefore = lag
    return this.vainWait < PATIENCE
  }

  /** Records the state and the limits of `agent`. */
  update(agent: Agent, step: Step, limits: MemberLimits): void {
    quatFromAxes(this.attitude, agent.attitude.x, agent.attitude.y)
    this.recordMotion(agent, agent.angularVelocity, step)
    this.radius = agent.radius
    this.maxAcceleration = limits.maxAcceleration
    this.lateralAcceleration = limits.lateralAcceleration
    this.promptAcceleration = limits.promptAcceleration
    this.topSpeed = limits.topSpeed
  }

  /** Records the motion in this step. */
  recordMotion({ position, velocity }: Moving, angularVelocity: Vec3Like, step: Step): void {
    copy(this.previousVelocity, this.isNew ? velocity : this.velocity)
    copy(this.seenPosition, position)
    copy(this.velocity, velocity)
    copy(this.angularVelocity, angularVelocity)
    this.seenTime = step.time
    this.seenTick = step.tick
    this.isNew = false
  }

  /**
   * Updates `settled`, for a speed (m/s) relative to the slot and the spacing (m) of the formation. It does
   * not arrive while `changing`: then slots are on their way. Returns the event that happened, or ''.
   */
  settle(relativeSpeed: number, spacing: number, changing: boolean): 'arrive' | 'leave' | '' {
    const { settled, slotError } = this
    const near = Math.max(ARRIVE_SHARE * spacing, this.radius)
    const arrives = !changing && slotError <= near && relativeSpeed <= near
    if (settled ? slotError <= LEAVE_FACTOR * near : !arrives) return ''
    this.settled = !settled
    if (this.settled) this.joining = false
    return this.settled ? 'arrive' : 'leave'
  }

  /** Predicts its motion one step on, with the same change of velocity as in the last step. */
  predict(dt: number): void {
    sub(this.nextVelocity, this.velocity, this.previousVelocity)
    addScaled(this.nextVelocity, this.nextVelocity, this.velocity, 1)
    addScaled(this.nextPosition, this.seenPosition, this.nextVelocity, dt)
  }
}
