import type {
  Agent,
  Behavior,
  DebugDraw,
  SnapshotState,
  Step,
  Vec3Like,
  Wish,
  Wrench,
} from '../../core/types.js'
import { servoGain, topSpeed } from '../../core/control/drive.js'
import { modelAttitude, turnTo } from '../../core/control/turn.js'
import { isGone } from '../../core/control/target.js'
import { collectWish, makeWish } from '../../core/control/wish.js'
import { requireFormation } from './formation.js'
import type { Member } from './member.js'
import { copyQuat, multiply, quat } from '../../core/math/quat.js'
import { requireBehavior } from '../../core/math/require.js'
import { addScaled, distance, dot, length, sub, truncate, vec3 } from '../../core/math/vec3.js'
import { makeVehicleLimits, vehicleLimitsOf } from '../curves/vehicle-limits.js'
import { arriveAt } from '../../core/control/arrive-at.js'
import { clearUnlessFinite } from '../../core/control/finite.js'
import { pathAroundAgent } from '../pursuit/path-around-agent.js'
import { closingIn } from '../pursuit/run.js'
import { readOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

export interface KeepSlotOptions extends Options, OptionsOf<typeof KeepSlot.options> {}
export interface KeepSlot extends Omit<FieldsOf<typeof KeepSlot.options>, 'leadBehavior'> {}

/** Share of its slot's distance from the anchor that an agent keeps until it is in it. Chosen by hand. */
const JOIN_CLEARANCE = 0.5

/** A slot slower than this share of the `maxSpeed` of the agent is nearly at rest. Chosen by hand. */
const SLOW = 0.1

/**
 * The prompt lateral acceleration is less by 1 / (1 + this · turn time), for the agent must roll first; 1/s.
 * Chosen by hand.
 */
const PER_TURN_TIME = 4

/** Weak brakes count as at least this share of the lateral acceleration. Chosen by hand. */
const WEAKEST_BRAKE = 0.2

const vehicle = makeVehicleLimits()
const toSlot = vec3()
const from = vec3()
const to = vec3()
const wanted = vec3()
const target = quat()
const limits = { topSpeed: 0, maxAcceleration: 0, lateralAcceleration: 0, promptAcceleration: 0 }

/**
 * Flies in a formation: follows its slot while that moves, turns and changes (Green, Offset Pursuit and
 * Formations; Steering Formations). The velocity and acceleration of the slot are fed forward, including
 * centripetal acceleration and changes of the formation, so the agent does not lag. Emits `arrive` when it
 * has come to its slot and `leave` when it has lost it.
 *
 * Members in their slots do not touch each other, nor do members that change their slots. Obstacles, other
 * agents and newcomers need constraints:
 * `within([new AvoidObstacles({ obstacles }), new ReciprocalAvoidance()], new KeepSlot({ formation }))`.
 * `ReciprocalAvoidance` assumes that others fly straight on, so it pushes members out of their slots in tight
 * turns: if their lateral acceleration is above gap / (2 · `responseTime` · look-ahead), where the gap is the
 * spacing less both radii and the clearance. There give it a `horizon` of at most
 * gap / (2 · `responseTime` · acceleration), or leave it out.
 */
export class KeepSlot implements Behavior {
  static readonly type: string = 'KeepSlot'
  static readonly options = {
    /** The formation of which the agent becomes a member. */
    formation: { kind: 'named', required: true, check: requireFormation },
    /**
     * Role of the agent: it may also have the slots of that role. The same for all agents that share this
     * behaviour. Default '': none.
     */
    role: { kind: 'text', default: '' },
    /**
     * Steers the agent while it leads, in a formation without a `leader`. Default none: the agent never
     * leads.
     */
    leadBehavior: { kind: 'instance', check: requireBehavior },
    /**
     * Whether the agent turns to the attitude of its slot. Default: only if the slot has an attitude of its
     * own.
     */
    attitude: { kind: 'boolean' },
  } as const satisfies AnyTable

  /** The `leadBehavior`, if there is one. */
  readonly children: readonly Behavior[]
  private readonly leadWish: Wish = makeWish()

  /** @throws TypeError naming the option. */
  constructor(options: KeepSlotOptions) {
    const { leadBehavior, ...read } = readOptions('KeepSlot', KeepSlot.options, options)
    Object.assign(this, read)
    this.children = leadBehavior === undefined ? [] : [leadBehavior]
    if (leadBehavior !== undefined) this.formation.noteLead(leadBehavior)
  }

  get state(): SnapshotState {
    return [this.formation]
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { formation, role } = this
    const lead = this.children[0]
    vehicleLimitsOf(vehicle, agent, step, undefined, undefined, undefined)
    const { brake, lateral, turnTime } = vehicle
    limits.topSpeed = topSpeed(agent)
    limits.lateralAcceleration = lateral
    limits.promptAcceleration = lateral / (1 + PER_TURN_TIME * turnTime)
    limits.maxAcceleration = Math.max(Math.min(lateral, brake), WEAKEST_BRAKE * lateral)
    const member = formation.report(agent, step, role, lead !== undefined, limits)
    if (isGone(agent, step, this, formation.leader, 'leader of the formation')) return
    if (lead !== undefined) formation.noteLead(lead)
    if (lead !== undefined && formation.captain === agent.id) this.lead(agent, step, lead, member, out)
    else this.follow(agent, step, member, out)
    clearUnlessFinite(out)
  }

  /** Leads, no faster than the others can follow. */
  private lead(agent: Agent, step: Step, behavior: Behavior, member: Member, out: Wrench): void {
    member.slotError = member.lag = 0
    member.settled = true
    member.joining = false
    collectWish(agent, step, behavior, this.leadWish, out, wanted)
    agent.explainer?.grant(out, 1, 1)
    const speed = length(wanted)
    const limit = this.formation.paceLimit
    if (speed > limit) addScaled(out.force, out.force, wanted, (limit / speed - 1) * servoGain(agent, step))
    if (agent.wish === null) truncate(out.force, out.force, agent.maxForce)
  }

  private follow(agent: Agent, step: Step, member: Member, out: Wrench): void {
    const { anchor, size } = this.formation
    const { acceleration, position, velocity } = member.slotState
    // in the first step of a member its slot is not known yet
    if (!anchor.started || size === 0 || !member.hasSlotState) return
    member.slotError = distance(agent.position, position)
    member.lag = lagOf(agent, position, velocity, member.slotError)
    const changing = this.formation.changing || member.columnRate !== 0
    const event = member.settle(distance(agent.velocity, velocity), this.formation.spacing, changing)
    if (event !== '') step.emit(agent, event, this)
    const top = topSpeed(agent)
    if (member.joining) {
      sub(from, agent.position, anchor.position)
      sub(to, position, anchor.position)
      pathAroundAgent(toSlot, from, to, JOIN_CLEARANCE * length(to), anchor.frame.y)
      const closing = closingIn(toSlot, velocity, top)
      addScaled(toSlot, agent.position, toSlot, 1)
      arriveAt(agent, step, toSlot, velocity, acceleration, closing, out.force)
    } else arriveAt(agent, step, position, velocity, acceleration, top, out.force)
    this.face(agent, step, member, out)
  }

  /** Turns to the attitude of its slot, if it is to do so. */
  private face(agent: Agent, step: Step, { slot }: Member, out: Wrench): void {
    const { anchor } = this.formation
    const own = slot?.attitude
    if (!(this.attitude ?? own !== undefined)) return
    if (own === undefined) copyQuat(target, anchor.quaternion)
    else multiply(target, anchor.quaternion, own)
    turnTo(agent, modelAttitude(target, target, agent.axes), step, out, anchor.angularVelocity)
  }

  /** Draws a line to its slot. */
  trace(agent: Agent, _step: Step, draw: DebugDraw): void {
    const slot = this.formation.placeOf(agent.id)
    if (slot !== null) draw.line('slot', agent.position, slot)
  }
}

/**
 * Distance (m) by which the agent is behind a moving slot. An agent ahead of its slot is not late, for the
 * slot moves towards it. A lateral distance counts half, unless the slot is nearly at rest.
 */
function lagOf(agent: Agent, position: Vec3Like, velocity: Vec3Like, error: number): number {
  sub(toSlot, position, agent.position)
  const speed = length(velocity)
  if (!(speed > SLOW * agent.maxSpeed)) return error
  const along = dot(toSlot, velocity) / speed
  return Math.max(along, Math.sqrt(Math.max(0, error * error - along * along)) / 2)
}
