import type {
  Agent,
  Archive,
  Behavior,
  SnapshotState,
  Serializable,
  Step,
  Vec3,
  Vec3Like,
} from '../../core/types.js'
import type { Anchor } from './anchor.js'
import { isFiniteQuat } from '../../core/math/quat.js'
import { smoothstep } from '../../core/math/scalar.js'
import { isFiniteVec, set } from '../../core/math/vec3.js'
import { WAITING_SHARE } from './formation-change.js'
import { Members, slotsFor } from './members.js'
import { FormationMotion } from './formation-motion.js'
import { FORMATION, FormationSettings, type FormationShape } from './formation-settings.js'
import { serializeFormationSlots, type FormationSlot } from './formation-slot.js'
import { OwnPassage } from './own-passage.js'
import { PassageSearch, formationRadius } from './passage-search.js'
import { Member, type MemberLimits } from './member.js'
import { columnPattern } from './patterns.js'
import { readOptions } from '../../core/math/options.js'
import { isPartOf, lookAs, type Owned, type Viewer } from '../../core/math/own.js'
import { refuse } from '../../core/math/require.js'

/** Members that are late slow down changes, and the leader, to no less than these shares. Chosen by hand. */
const LEAST_CHANGE_SPEED = 0.02
const LEAST_LEADER_SPEED = 0.25

/**
 * The formation begins to wait for a member that is late by the first share of the spacing, and waits as much
 * as it can from the second on. Chosen by hand.
 */
const WAIT_FROM = 0.3
const WAIT_FULL = 1.2

/**
 * Share of its acceleration that a formation has as a member of another; the rest holds its own members in
 * their slots. Chosen by hand.
 */
const SUBFORMATION_ACCELERATION = 0.5

/** Default distance of two members in a column, in radii of the largest. Chosen by hand. */
const COLUMN_RADII = 4

export interface FormationOptions extends FormationShape {
  /** Formation of which this one is a member: it has a slot there, as a ship has one here. */
  parent?: Formation
}

/**
 * Agents that fly together: the slots in the frame of a leader, their assignment to the members, and the
 * paths from one pattern to another (Green, Steering Formations). An agent that steers by `KeepSlot` with
 * this formation is a member. An agent that stops doing so (it is removed, is shot down, or has another
 * behaviour) leaves after a quarter of a second, and the others close up. The whole formation is planned once
 * per step, from the states of the step before, so the order of the members does not matter. The cost of a
 * new assignment grows with the cube of the number of members. It is made for up to some hundred; larger
 * crowds fly in formations of formations (`parent`).
 *
 * Without a leader the formation flies straight on. If the member that leads is lost, another member that can
 * lead takes its place (see `leadBehavior` of `KeepSlot`).
 */
export class Formation extends FormationSettings implements Serializable, Viewer {
  private readonly members = new Members()
  private readonly motion = new FormationMotion(this, this.members.list)
  private readonly passage = new PassageSearch(this, this.motion)
  private readonly ownPassage = new OwnPassage(this.passage, this.motion, this.members)
  private readonly parent: Formation | null
  /** Its key among the members of its parent: negative, so below the keys of all agents. */
  private readonly key: number
  private readonly subformations: Formation[] = []
  /** The member that makes the plan; null otherwise. */
  private asker: Viewer | null = null
  /** Why slots must be assigned anew: no reason, members came or left, or the shape has changed. */
  private due: 'nothing' | 'members' | 'shape' = 'nothing'
  private plannedStep: Step | null = null
  private plannedTick = -1
  /** The error of the present plan; null: none. */
  private planError: unknown = null
  /** Names of the faults that have been reported. */
  private readonly reported = new Set<string>()
  /** Slots of the pattern as it is, also while the formation is squeezed or a column. */
  private openSlots: readonly FormationSlot[] = []
  /** Distance of two slots (m). */
  private slotDistance: number
  private readonly leads = new Set<Behavior>()
  /** The leader that is no member, at the origin: members that change their slots keep clear of it. */
  private readonly outside = new Member(0)
  readonly movesWithGroup = true

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: FormationOptions) {
    const read = readOptions('Formation', FORMATION, options)
    super(read)
    const { parent } = options
    if (parent !== undefined) requireFormation('Formation.parent', parent)
    this.parent = parent ?? null
    this.key = parent === undefined ? 0 : -parent.subformations.push(this)
    this.slotDistance = this.spacing
  }

  /** The frame of the slots. Its motion and attitude are live: it can be the target of other behaviours. */
  get anchor(): Anchor {
    return this.motion.anchor
  }

  /** Number of members in the last step in which one of them steered. */
  get size(): number {
    return this.members.list.length
  }

  /** Slots of the present pattern, in the frame of the anchor. */
  get slots(): readonly FormationSlot[] {
    return this.members.slots
  }

  /** `id` of the member that leads; −1: none. */
  get captain(): number {
    return this.members.captain?.key ?? -1
  }

  /** Greatest distance (m) of a member from its slot, not counting those on their way to join. */
  get slotError(): number {
    return this.motion.limits.maxError
  }

  /** Whether members are changing their places. */
  get changing(): boolean {
    return this.motion.change.running
  }

  /** Whether it is flown as a column, because it could not pass obstacles otherwise. */
  get isColumn(): boolean {
    return this.passage.column
  }

  /** Greatest speed (m/s) of the leader at which the others can follow. */
  get paceLimit(): number {
    if (this.pace !== 'slowest') return Infinity
    const { motion, passage } = this
    const { change, limits } = motion
    const forNewcomers = limits.someJoining ? WAITING_SHARE * limits.topSpeed : Infinity
    const speed = Math.min(limits.maxLeaderSpeed(), change.maxLeaderSpeed, forNewcomers)
    const forLate = speed * (1 - (1 - LEAST_LEADER_SPEED) * this.waitShare())
    return Math.max(LEAST_LEADER_SPEED * speed, Math.min(forLate, passage.maxLeaderSpeed))
  }

  /**
   * Planned position (m, world axes) of the agent with that `id` at the time when it steered last, the start
   * of the last step. Null for an agent that is not a member, or has only just become one.
   */
  placeOf(id: number): Vec3Like | null {
    const member = this.members.find(id)
    return member?.hasSlotState === true ? member.slotState.position : null
  }

  /** @internal Writes where the leader will be after flying `ahead` metres. Returns whether that is known. */
  placeAhead(ahead: number, out: Vec3): boolean {
    const { leader, leads, members, route } = this
    if (route !== undefined) {
      set(out, NaN, NaN, NaN)
      route(ahead, out)
      return true
    }
    if (leader !== null) return isPilot(leader) && placeAhead(leader.behavior, leader, ahead, out)
    if (members.captain === null) return false
    pilot.id = members.captain.key
    for (const lead of leads) if (placeAhead(lead, pilot, ahead, out)) return true
    return false
  }

  /** @internal Notes a behaviour by which members may lead. */
  noteLead(behavior: Behavior): void {
    this.leads.add(behavior)
  }

  /** @internal Records the state of a member, once per step; the first member of a step makes the plan. */
  report(agent: Agent, step: Step, role: string, canLead: boolean, limits: MemberLimits): Member {
    this.planOrFail(step)
    this.reportFaults(agent)
    const member = this.members.enlist(agent.id, role, canLead)
    if (member.seenTick !== step.tick) member.update(agent, step, limits)
    return member
  }

  get state(): SnapshotState {
    const { members, motion, ownPassage, parent, passage } = this
    const own = [members, passage, ownPassage, motion]
    return parent === null ? own : [parent, ...own]
  }

  serialize(archive: Archive): void {
    this.due = archive.string(this.due) as typeof this.due
    this.plannedTick = archive.number(this.plannedTick)
    this.openSlots = serializeFormationSlots(archive, this.openSlots)
    this.slotDistance = archive.number(this.slotDistance)
    this.outside.radius = archive.number(this.outside.radius)
    if (archive.restoring) this.plannedStep = null
  }

  protected reshape(leader: boolean): void {
    this.due = 'shape'
    if (leader) this.motion.guide.forget()
  }

  /** An error of the plan is the same for all members: it is reported once, and no member fails. */
  private planOrFail(step: Step): void {
    const before = (this.asker = lookAs(this))
    try {
      this.plan(step)
    } catch (error) {
      this.planError = error
    } finally {
      lookAs(before)
      this.asker = null
    }
  }

  /** Whether an obstacle belongs to a leader or a member of the whole formation. @internal */
  owns(obstacle: Owned, keeper: object | null): boolean {
    return this.wholeHolds(obstacle, keeper === null ? -1 : (this.asker?.idOf?.(keeper) ?? -1))
  }

  private wholeHolds(obstacle: Owned, id: number): boolean {
    return this.parent?.wholeHolds(obstacle, id) ?? this.holds(obstacle, id)
  }

  private holds(obstacle: Owned, id: number): boolean {
    const { leader, members, subformations } = this
    return (
      (leader !== null && isPartOf(obstacle, leader)) ||
      (id >= 0 && members.find(id) !== undefined) ||
      subformations.some((each) => each.holds(obstacle, id))
    )
  }

  /** Reports what it was given and cannot use, each fault once, with the first member that steers. */
  private reportFaults(agent: Agent): void {
    const { leader, planError } = this
    if (planError !== null) this.reportOnce(agent, 'pattern of the formation', planError)
    if (leader === null) return
    const { position, quaternion, velocity } = leader
    if (!isFiniteVec(position)) this.reportOnce(agent, 'leader of the formation', position)
    if (!isFiniteVec(velocity)) this.reportOnce(agent, 'velocity of the leader', velocity)
    if (quaternion !== undefined && !isFiniteQuat(quaternion))
      this.reportOnce(agent, 'quaternion of the leader', quaternion)
  }

  private reportOnce(agent: Agent, what: string, value: unknown): void {
    if (this.reported.has(what)) return
    this.reported.add(what)
    agent.report?.(what, value)
  }

  /** Plans a step, on the first call in that step. */
  private plan(step: Step): void {
    if (this.plannedStep === step && this.plannedTick === step.tick) return
    this.plannedStep = step
    this.plannedTick = step.tick
    const { members, motion } = this
    const { list } = members
    this.parent?.plan(step)
    members.dropLost(step.time, step.dt)
    if (members.changed && this.due === 'nothing') this.due = 'members'
    if (list.length === 0) {
      motion.anchor.reset()
      motion.guide.forget()
      return
    }
    for (let i = 0; i < list.length; i++) list[i]!.predict(step.dt)
    motion.limits.measure(step.dt)
    this.updateSlotDistance()
    motion.change.advance(step.dt, 1 - (1 - LEAST_CHANGE_SPEED) * this.waitShare())
    let frameMoved = false
    if (!motion.anchor.started) {
      motion.start(this.leader, list, this.frame, step)
      frameMoved = true
    }
    if (this.moveFrame(step)) frameMoved = true
    if (frameMoved) this.due = 'shape'
    motion.trail.record(motion.anchor)
    const gap = this.columnGap()
    const { openSlots, passage, slotDistance: spacing } = this
    const each = this.passing === 'each'
    const late = each ? -Infinity : WAIT_FROM * spacing
    if (!each && this.due === 'nothing' && passage.search(openSlots, spacing, gap, step)) this.due = 'shape'
    if (this.due !== 'nothing') this.assignSlots(frameMoved)
    this.ownPassage.search(gap, late, step)
    for (let i = 0; i < list.length; i++) {
      motion.updateSlotState(list[i]!, gap, step.dt)
      this.ownPassage.move(list[i]!, gap, step.dt)
    }
    if (this.parent !== null) this.reportTo(this.parent, step)
  }

  /** Follows `spacing` and, with `memberClearance`, the radius of the largest member. */
  private updateSlotDistance(): void {
    const { memberClearance, spacing } = this
    const wanted =
      memberClearance === undefined
        ? spacing
        : Math.max(spacing, 2 * this.motion.limits.radius + memberClearance)
    if (wanted === this.slotDistance) return
    this.slotDistance = wanted
    this.due = 'shape'
  }

  /** How much the formation waits for members that are late, 0 … 1. */
  private waitShare(): number {
    const { motion, slotDistance } = this
    return smoothstep(motion.limits.maxLag, WAIT_FROM * slotDistance, WAIT_FULL * slotDistance)
  }

  private columnGap(): number {
    return this.columnSpacing ?? Math.min(this.slotDistance, COLUMN_RADII * this.motion.limits.radius)
  }

  /** Moves the frame for one step. Returns whether at once to a place that cannot be reached by flying. */
  private moveFrame(step: Step): boolean {
    const { members, motion, parent } = this
    const self = parent?.members.find(this.key)
    if (parent !== null && self !== undefined && !self.isNew)
      return motion.followSlot(self, parent.anchor, this.slotDistance, step)
    return motion.follow(this.leader, members.captain, this.frame, this.slotDistance, step)
  }

  private assignSlots(frameMoved: boolean): void {
    const { members, motion } = this
    const count = members.list.length
    const gap = this.columnGap()
    const byMember = this.leader === null && this.parent === null
    const leaderApart = this.leaderApart && this.leader !== null && this.parent === null
    this.planError = null
    const failed = (error: unknown): void => {
      this.planError = error
    }
    this.openSlots = slotsFor(this.pattern, count, this.slotDistance, leaderApart, failed)
    const { column } = this.passage
    const slots = column
      ? slotsFor(columnPattern, count, gap, leaderApart, failed)
      : this.passage.squeeze(this.openSlots)
    motion.ensureTrail((count + 2) * gap + formationRadius(this.openSlots), gap)
    const { hysteresis, slotDistance } = this
    members.assignSlots(
      slots,
      slotDistance,
      motion.anchor,
      byMember,
      hysteresis,
      this.due === 'shape',
      frameMoved,
    )
    this.outside.radius = motion.limits.radius
    const leader = leaderApart ? this.outside : members.captain
    motion.beginChange(members.list, leader, column || this.warp, frameMoved)
    this.due = 'nothing'
  }

  /** Reports its own motion and limits, as a member of a larger formation. */
  private reportTo(parent: Formation, step: Step): void {
    const { anchor, limits } = this.motion
    const self = parent.members.enlist(this.key, '', false)
    if (self.seenTick === step.tick) return
    self.recordMotion(anchor, anchor.angularVelocity, step)
    self.radius = formationRadius(this.openSlots)
    self.maxAcceleration = SUBFORMATION_ACCELERATION * limits.maxAcceleration
    self.lateralAcceleration = SUBFORMATION_ACCELERATION * limits.lateralAcceleration
    self.promptAcceleration = SUBFORMATION_ACCELERATION * limits.promptAcceleration
    self.topSpeed = limits.topSpeed
    self.slotError = limits.maxError
    self.lag = limits.maxLag
    self.joining = false
  }
}

/** The captain, while its behaviour is asked. */
const pilot = { id: -1 }

function isPilot(leader: object): leader is Pilot {
  return 'behavior' in leader && 'id' in leader
}

/** A leader that is steered by a behaviour, as controllers are. */
interface Pilot {
  readonly id: number
  readonly behavior: Behavior
}

/** Asks a behaviour and its parts where an agent will be after flying `ahead` metres. */
function placeAhead(behavior: Behavior, agent: { readonly id: number }, ahead: number, out: Vec3): boolean {
  if (behavior.placeAhead?.(agent, ahead, out) === true) return true
  const { children } = behavior
  if (children === undefined) return false
  for (let i = 0; i < children.length; i++) if (placeAhead(children[i]!, agent, ahead, out)) return true
  return false
}

/** @throws TypeError if the value is not a formation. */
export function requireFormation(what: string, value: Formation): Formation {
  if (typeof value?.report !== 'function') refuse(what, value, 'must be a Formation')
  return value
}
