import type { Agent, Behavior, DebugDraw, SnapshotState, Step, Vec3Like, Wish, Wrench } from '../../types.js'
import { servoGain, topSpeed } from '../../control/drive.js'
import { modelAttitude, turnTo } from '../../control/turn.js'
import { collectWish, makeWish } from '../../control/wish.js'
import { requireFormation, type Formation } from './formation.js'
import type { Member } from './member.js'
import { copyQuat, multiply, quat } from '../../math/quat.js'
import { requireBehavior } from '../../math/require.js'
import { addScaled, distance, dot, length, sub, truncate, vec3 } from '../../math/vec3.js'
import { makeVehicleLimits, vehicleLimitsOf } from '../directed-seek/vehicle-limits.js'
import { arriveAt } from '../../control/arrive-at.js'
import { withdraw } from '../../control/finite.js'
import { pathAroundAgent } from '../pursuit/path-around-agent.js'
import { closingIn } from '../pursuit/run.js'

export interface KeepSlotOptions {
  /** Of which who steers by this is a member. */
  formation: Formation
  /** Opens the slots of that role; the same for all who share this behaviour. Default ''. */
  role?: string
  /** How whoever leads flies, where the formation has no other leader. Default: none of these leads. */
  leadBehavior?: Behavior
  /** Whether it takes the attitude of its slot. Default: only where the slot has one of its own. */
  attitude?: boolean
}

/** Who comes by himself keeps this share of his slot's distance from the middle of the formation until he is there. */
const CLEARANCE = 0.5

/** A place slower than this share of the top speed is nearly at rest. */
const SLOW = 0.1

/** Who must roll first counts as weaker, by so much for each second that takes. */
const PER_SWING = 4

/** Weak brakes count as at least this share of the force across. */
const WEAKEST = 0.2

const terms = makeVehicleLimits()
const gap = vec3()
const from = vec3()
const to = vec3()
const wanted = vec3()
const target = quat()
const ability = { topSpeed: 0, push: 0, lateral: 0, nimble: 0 }

/**
 * Flies in a formation: keeps its slot, however that moves, turns and is changed (Green, Offset Pursuit and Formations; Steering Formations). Velocity and
 * acceleration of the slot, centripetal and of the formation's own changes, are fed forward, so nothing lags. Tells `arrive` when it has come to its
 * slot and `leave` when it was shaken off.
 *
 * Members in their slots, and those who change them, keep apart by themselves; obstacles, strangers and newcomers are left to who combines:
 * `within([new AvoidObstacles({ obstacles }), new ReciprocalAvoidance({ radius: 20 })], new KeepSlot({ formation }))`. The latter takes others
 * to fly straight on: in tight turns at less than four radii's spacing it pushes members out of their slots; there it is better left out.
 */
export class KeepSlot implements Behavior {
  static readonly type: string = 'KeepSlot'
  formation: Formation
  role: string
  attitude: boolean | undefined
  /** The lead, for who has one. */
  readonly children: readonly Behavior[]
  private readonly heard: Wish = makeWish()

  /** @throws TypeError naming the option. */
  constructor({ formation, role = '', leadBehavior, attitude }: KeepSlotOptions) {
    if (typeof role !== 'string') throw new TypeError(`KeepSlot.role: got ${String(role)}, must be a name`)
    this.formation = requireFormation('KeepSlot.formation', formation)
    this.role = role
    this.attitude = attitude
    this.children = leadBehavior === undefined ? [] : [requireBehavior('KeepSlot.leadBehavior', leadBehavior)]
  }

  get state(): SnapshotState {
    return [this.formation]
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { formation, role } = this
    const lead = this.children[0]
    vehicleLimitsOf(terms, agent, step, undefined, undefined, undefined)
    ability.topSpeed = topSpeed(agent)
    ability.lateral = terms.lateral
    ability.nimble = terms.lateral / (1 + PER_SWING * terms.turnTime)
    ability.push = Math.max(Math.min(terms.lateral, terms.brake), WEAKEST * terms.lateral)
    const member = formation.report(agent, step, role, lead !== undefined, ability)
    if (lead !== undefined && formation.captain === agent.id) this.fly(agent, step, lead, member, out)
    else this.keep(agent, step, member, out)
    withdraw(out)
  }

  /** Leads, no faster than the others can follow. */
  private fly(agent: Agent, step: Step, lead: Behavior, member: Member, out: Wrench): void {
    member.error = member.late = 0
    member.settled = true
    member.alone = false
    collectWish(agent, step, lead, this.heard, out, wanted)
    agent.explainer?.grant(out, 1, 1)
    const speed = length(wanted)
    const limit = this.formation.paceLimit
    if (speed > limit) addScaled(out.force, out.force, wanted, (limit / speed - 1) * servoGain(agent, step))
    if (agent.wish === null) truncate(out.force, out.force, agent.maxForce)
  }

  private keep(agent: Agent, step: Step, member: Member, out: Wrench): void {
    const { anchor, size } = this.formation
    const { acceleration, position, velocity } = member.place
    // in the step in which it comes, no place is known yet
    if (!anchor.started || size === 0 || !member.placed) return
    member.error = distance(agent.position, position)
    member.late = behind(agent, position, velocity, member.error)
    const what = member.settle(distance(agent.velocity, velocity), this.formation.spacing)
    if (what !== '') step.emit(agent, what, this)
    const top = topSpeed(agent)
    if (member.alone) {
      sub(from, agent.position, anchor.position)
      sub(to, position, anchor.position)
      pathAroundAgent(gap, from, to, CLEARANCE * length(to), anchor.frame.y)
      const closing = closingIn(gap, velocity, top)
      addScaled(gap, agent.position, gap, 1)
      arriveAt(agent, step, gap, velocity, acceleration, closing, out.force)
    } else arriveAt(agent, step, position, velocity, acceleration, top, out.force)
    this.face(agent, step, member, out)
  }

  /** Turns to the attitude of its slot, if it takes it. */
  private face(agent: Agent, step: Step, { slot }: Member, out: Wrench): void {
    const { anchor } = this.formation
    const own = slot?.attitude
    if (!(this.attitude ?? own !== undefined)) return
    if (own === undefined) copyQuat(target, anchor.quaternion)
    else multiply(target, anchor.quaternion, own)
    turnTo(agent, modelAttitude(target, target, agent.axes), step, out, anchor.angularVelocity)
  }

  /** Draws the way to its place, and the axes of the formation. */
  trace(agent: Agent, _step: Step, draw: DebugDraw): void {
    const at = this.formation.placeOf(agent.id)
    if (at !== null) draw.line('slot', agent.position, at)
  }
}

/**
 * How far (m) the agent is behind a place that moves. Who is ahead of it is not late: the formation will be there. What is aside counts half, unless
 * the place is nearly at rest.
 */
function behind(agent: Agent, position: Vec3Like, velocity: Vec3Like, error: number): number {
  sub(gap, position, agent.position)
  const pace = length(velocity)
  if (!(pace > SLOW * agent.maxSpeed)) return error
  const along = dot(gap, velocity) / pace
  return Math.max(along, Math.sqrt(Math.max(0, error * error - along * along)) / 2)
}
