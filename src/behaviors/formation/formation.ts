import type { Agent, Archive, SnapshotState, Serializable, Step, Vec3Like } from '../../types.js'
import type { Anchor } from './anchor.js'
import { isFiniteQuat } from '../../math/quat.js'
import { isFiniteVec } from '../../math/vec3.js'
import { WAITING_PACE } from './formation-change.js'
import { Members, hasMiddle, slotsFor } from './members.js'
import { FormationMotion } from './formation-motion.js'
import type { FormationShape } from './formation-options.js'
import { FormationSettings } from './formation-settings.js'
import { serializeSlots, type FormationSlot } from './formation-slot.js'
import { PassageSearch, reachOf } from './passage-search.js'
import type { Ability, Member } from './member.js'
import { columnPattern } from './patterns.js'
import { SlotError } from './slot-error.js'

/** It goes no slower than these shares for who is behind: its changes, and its leader. */
const LEAST_HASTE = 0.02
const LEAST_PACE = 0.25

/** What a formation as a member can have of the acceleration of its own: the rest holds it together. */
const UNIT_PUSH = 0.5

/** Members of a column are this many radii of the largest apart, or the spacing. */
const CLOSE_UP = 4

export interface FormationOptions extends FormationShape {
  /** Formation of which this one is a member: it has a slot there as a ship has one here. */
  parent?: Formation
}

/**
 * Who flies together: slots in the frame of a leader, who has which, and how all get from one pattern to another (Green, Steering Formations).
 * Whoever steers by `KeepSlot` with it is a member; who stops (removed, shot down, another behaviour) leaves after a quarter of a second, and the
 * others close up. All is planned once per step, from what was seen in the step before, so the order of the members does not matter. Changes take
 * the cube of their number: made for up to some hundred; larger crowds fly in formations of formations (`parent`).
 *
 * Without a leader it goes straight on. Who is lost while leading is followed by another who can (see `lead` of `KeepSlot`).
 */
export class Formation extends FormationSettings implements Serializable {
  private readonly crew: Members
  private readonly motion = new FormationMotion()
  private readonly lookout: PassageSearch
  private readonly parent: Formation | null
  /** Own number among the members of its parent: below all agents. */
  private readonly key: number
  private units = 0
  /** What must be mustered for: nothing, who came and went, another shape. */
  private due: 'nothing' | 'members' | 'shape' = 'nothing'
  private moment: Step | null = null
  /** What has gone wrong with the present plan; null for nothing. */
  private trouble: unknown = null
  private readonly told = new Set<string>()
  private tick = -1
  /** Slots of the pattern, also while it is a column. */
  private open: readonly FormationSlot[] = []
  private readonly order = new SlotError()

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: FormationOptions) {
    super(options)
    const { hysteresis, clearance, obstacles, parent, route } = options
    if (parent !== undefined) requireFormation('Formation.parent', parent)
    this.parent = parent ?? null
    this.key = parent === undefined ? 0 : --parent.units
    this.lookout = new PassageSearch(obstacles, route, clearance)
    this.crew = new Members(hysteresis)
    this.motion.limits.members = this.crew.members
  }

  /** Frame of the slots: its position, velocity, attitude and spin are live, so that others may follow it. */
  get anchor(): Anchor {
    return this.motion.anchor
  }

  /** Number of members, as it was when one steered last. */
  get size(): number {
    return this.crew.members.length
  }

  /** Slots of the present pattern, in the frame of the anchor. */
  get slots(): readonly FormationSlot[] {
    return this.crew.slots
  }

  /** `id` of the member who leads; −1: none. */
  get captain(): number {
    return this.crew.captain?.key ?? -1
  }

  /** How far (m) the member who is farthest from its place is off, of those who had come to it. */
  get slack(): number {
    return this.order.worst
  }

  /** Whether members are changing their places. */
  get changing(): boolean {
    return this.motion.change.running
  }

  /** Whether it is a column, to pass what it cannot pass as it is. */
  get isColumn(): boolean {
    return this.lookout.column
  }

  /** How fast (m/s) the leader may fly for the others to keep up. */
  get paceLimit(): number {
    if (this.pace !== 'slowest') return Infinity
    const { lookout, motion } = this
    const { change, limits } = motion
    const forNewcomers = this.order.joining ? WAITING_PACE * limits.topSpeed : Infinity
    const pace = Math.min(limits.pace(), change.pace, lookout.pace(motion), forNewcomers)
    return pace * (1 - (1 - LEAST_PACE) * this.lateness())
  }

  /**
   * Where (m, world axes) the agent with that `id` should have been when it steered last: at the start of the last step. Null for a stranger, and
   * for who has just come.
   */
  placeOf(id: number): Vec3Like | null {
    const member = this.crew.find(id)
    return member?.placed === true ? member.place.position : null
  }

  /** @internal Takes note of a member, once per step; the first one makes the plan. */
  report(agent: Agent, step: Step, role: string, leads: boolean, ability: Ability): Member {
    this.planOrFail(step)
    this.tellTrouble(agent)
    const member = this.crew.enlist(agent.id, role, leads)
    if (member.tick !== step.tick) member.update(agent, step, ability)
    return member
  }

  get state(): SnapshotState {
    const { crew, lookout, motion, order, parent } = this
    return parent === null ? [crew, lookout, motion, order] : [parent, crew, lookout, motion, order]
  }

  serialize(archive: Archive): void {
    this.due = archive.string(this.due) as typeof this.due
    this.tick = archive.number(this.tick)
    this.open = serializeSlots(archive, this.open)
    if (archive.restoring) this.moment = null
  }

  protected reshape(leader: boolean): void {
    this.due = 'shape'
    if (leader) this.motion.guide.forget()
  }

  /** A plan that cannot be made is as bad for all members: each tells, none is dropped. */
  private planOrFail(step: Step): void {
    try {
      this.plan(step)
    } catch (error) {
      this.trouble = error
    }
  }

  /** Reports what the formation was given and cannot use: each once, by the member that asks first. */
  private tellTrouble(agent: Agent): void {
    const { leader, trouble } = this
    if (trouble !== null) this.tellOnce(agent, 'pattern of the formation', trouble)
    if (leader === null) return
    const { position, quaternion, velocity } = leader
    if (!isFiniteVec(position)) this.tellOnce(agent, 'leader of the formation', position)
    if (!isFiniteVec(velocity)) this.tellOnce(agent, 'velocity of the leader', velocity)
    if (quaternion !== undefined && !isFiniteQuat(quaternion))
      this.tellOnce(agent, 'quaternion of the leader', quaternion)
  }

  private tellOnce(agent: Agent, what: string, got: unknown): void {
    if (this.told.has(what)) return
    this.told.add(what)
    agent.report?.(what, got)
  }

  /** Once per step, by the first who asks. */
  private plan(step: Step): void {
    if (this.moment === step && this.tick === step.tick) return
    this.moment = step
    this.tick = step.tick
    const { crew, motion } = this
    const { members } = crew
    this.parent?.plan(step)
    crew.dropLost(step.time, step.dt)
    if (crew.changed && this.due === 'nothing') this.due = 'members'
    if (members.length === 0) {
      motion.anchor.reset()
      motion.guide.forget()
      return
    }
    for (let i = 0; i < members.length; i++) members[i]!.foresee(step.dt)
    this.measure()
    motion.change.advance(step.dt, 1 - (1 - LEAST_HASTE) * this.lateness())
    let moved = false
    if (!motion.anchor.started) {
      motion.start(this.leader, members, this.frame, step)
      moved = true
    }
    if (this.lead(step)) moved = true
    if (moved) this.due = 'shape'
    motion.trail.record(motion.anchor)
    const gap = this.columnGap()
    const { lookout, open, spacing } = this
    const { radius } = this.order
    if (this.due === 'nothing' && lookout.search(motion, open, spacing, radius, gap, step)) this.due = 'shape'
    if (this.due !== 'nothing') this.muster(moved)
    for (let i = 0; i < members.length; i++) motion.show(members[i]!, gap, step.dt)
    if (this.parent !== null) this.reportTo(this.parent, step)
  }

  private measure(): void {
    const { limits } = this.motion
    limits.waits = this.pace === 'slowest'
    limits.free = this.pace === 'free'
    limits.measure()
    this.order.measure(this.crew.members)
  }

  /** How much who is late must be waited for, 0 … 1. */
  private lateness(): number {
    return this.order.lateness(this.spacing)
  }

  private columnGap(): number {
    return this.columnSpacing ?? Math.min(this.spacing, CLOSE_UP * this.order.radius)
  }

  private lead(step: Step): boolean {
    const { crew, motion, parent } = this
    const unit = parent?.crew.find(this.key)
    if (parent !== null && unit !== undefined && !unit.fresh)
      return motion.followPlace(unit, parent.anchor, this.spacing, step)
    return motion.follow(this.leader, crew.captain, this.frame, this.spacing, step)
  }

  private muster(moved: boolean): void {
    const { crew, motion } = this
    const count = crew.members.length
    const gap = this.columnGap()
    const led = this.leader === null && this.parent === null
    this.trouble = null
    this.open = slotsFor(this.pattern, count, this.spacing, (error) => {
      this.trouble = error
    })
    const leaderApart = !led && !hasMiddle(this.open, this.spacing)
    const { column } = this.lookout
    const slots = column ? columnPattern(count, gap, { leaderApart }) : this.lookout.squeeze(this.open)
    motion.blaze((count + 2) * gap + reachOf(this.open), gap)
    crew.muster(slots, this.spacing, motion.anchor, led, this.due === 'shape', moved)
    motion.begin(crew.members, crew.captain, column || this.warp, moved)
    this.due = 'nothing'
  }

  /** Takes its own place in a larger formation. */
  private reportTo(parent: Formation, step: Step): void {
    const { anchor, limits } = this.motion
    const unit = parent.crew.enlist(this.key, '', false)
    if (unit.tick === step.tick) return
    unit.takeNote(anchor, anchor.angularVelocity, step)
    unit.radius = reachOf(this.open)
    unit.push = UNIT_PUSH * limits.push
    unit.lateral = UNIT_PUSH * limits.lateral
    unit.nimble = UNIT_PUSH * limits.nimble
    unit.topSpeed = limits.topSpeed
    unit.error = this.order.worst
    unit.late = this.order.latest
    unit.alone = false
  }
}

/** @throws TypeError for what is no formation. */
export function requireFormation(what: string, value: Formation): Formation {
  if (typeof value?.report !== 'function')
    throw new TypeError(`${what}: got ${String(value)}, must be a Formation`)
  return value
}
