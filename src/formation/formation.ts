import type { Agent, Step, Vec3Like } from '../types.js'
import { smoothstep } from '../math/scalar.js'
import type { Anchor } from './anchor.js'
import { WAITING_PACE } from './change.js'
import { Crew, hasMiddle, slotsFor } from './crew.js'
import { FormationMotion } from './formation-motion.js'
import type { FormationShape } from './formation-options.js'
import { FormationSettings } from './formation-settings.js'
import type { FormationSlot } from './formation-slot.js'
import { Lookout, reachOf } from './lookout.js'
import type { Ability, Member } from './member.js'
import { columnPattern } from './patterns.js'

/** The formation waits for who is this share of the spacing behind, and goes slowest from the second on. */
const WAITS = 0.3
const WAITS_MOST = 1.2
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
export class Formation extends FormationSettings {
  private readonly crew: Crew
  private readonly motion = new FormationMotion()
  private readonly lookout: Lookout
  private readonly parent: Formation | null
  /** Own number among the members of its parent: below all agents. */
  private readonly key: number
  private units = 0
  /** What must be mustered for: nothing, who came and went, another shape. */
  private due: 'nothing' | 'members' | 'shape' = 'nothing'
  private moment: Step | null = null
  private tick = -1
  /** Slots of the pattern, also while it is a column. */
  private open: readonly FormationSlot[] = []
  /** How far (m) somebody is off his place, and how far behind it. */
  private worst = 0
  private latest = 0
  /** Of the largest member, m. */
  private radius = 0
  /** Whether somebody is on his way to it. */
  private joining = false

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: FormationOptions) {
    super(options)
    const { hysteresis, margin, obstacles, parent, route } = options
    if (parent !== undefined) requireFormation('Formation.parent', parent)
    this.parent = parent ?? null
    this.key = parent === undefined ? 0 : --parent.units
    this.lookout = new Lookout(obstacles, route, margin)
    this.crew = new Crew(hysteresis)
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
    return this.worst
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
    const forNewcomers = this.joining ? WAITING_PACE * limits.topSpeed : Infinity
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
    this.plan(step)
    const member = this.crew.enlist(agent.id, role, leads)
    if (member.tick !== step.tick) member.look(agent, step, ability)
    return member
  }

  protected reshape(leader: boolean): void {
    this.due = 'shape'
    if (leader) this.motion.guide.forget()
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
    const { lookout, open, radius, spacing } = this
    if (this.due === 'nothing' && lookout.look(motion, open, spacing, radius, gap, step)) this.due = 'shape'
    if (this.due !== 'nothing') this.muster(moved)
    for (let i = 0; i < members.length; i++) motion.show(members[i]!, gap, step.dt)
    if (this.parent !== null) this.reportTo(this.parent, step)
  }

  private measure(): void {
    const { crew, motion } = this
    const { limits } = motion
    limits.waits = this.pace === 'slowest'
    limits.free = this.pace === 'free'
    limits.look(motion.anchor, crew.members)
    this.worst = this.latest = 0
    this.joining = false
    this.radius = 0
    for (const { alone, error, late, radius } of crew.members) {
      this.radius = Math.max(this.radius, radius)
      if (alone) this.joining = true
      else {
        this.worst = Math.max(this.worst, error)
        this.latest = Math.max(this.latest, late)
      }
    }
  }

  /** How much who is late must be waited for, 0 … 1. */
  private lateness(): number {
    return smoothstep(this.latest, WAITS * this.spacing, WAITS_MOST * this.spacing)
  }

  private columnGap(): number {
    return this.columnSpacing ?? Math.min(this.spacing, CLOSE_UP * this.radius)
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
    this.open = slotsFor(this.pattern, count, this.spacing)
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
    unit.error = this.worst
    unit.late = this.latest
    unit.alone = false
  }
}

/** @throws TypeError for what is no formation. */
export function requireFormation(what: string, value: Formation): Formation {
  if (typeof value?.report !== 'function')
    throw new TypeError(`${what}: got ${String(value)}, must be a Formation`)
  return value
}
