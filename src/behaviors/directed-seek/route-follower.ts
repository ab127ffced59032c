import type { Agent, Archive, SnapshotState, Serializable, Step, Vec3, Wrench } from '../../types.js'
import { noseAttitude } from '../../control/nose.js'
import { Memory } from '../../control/memory.js'
import { turnTo } from '../../control/turn.js'
import { ArcPath } from '../../curves/arc-path.js'
import { quat } from '../../math/quat.js'
import { copy, distance, dot, load, save, scale, vec3 } from '../../math/vec3.js'
import { turnRadius, type VehicleLimits } from './vehicle-limits.js'
import { withdraw } from '../../control/finite.js'
import { goal, goalIn, type Goal } from './goal.js'
import { Passing, type Pass } from './passing.js'
import { planRendezvous } from './rendezvous.js'
import { paceAlong, trackPath, type TrackPoint } from './track.js'
import { reportGoalDistance } from '../../control/wish.js'

/**
 * How things stand: still under way; passed the goal in this step, within tolerance or not; beyond it; found out in this step that it cannot
 * be met; without a plan, because too many others made theirs in this step; or without a way.
 */
export type RouteProgress = 'under way' | 'arrived' | 'missed' | 'beyond' | 'unreachable' | 'waiting' | 'lost'

// what is kept for each agent
const STATUS = 0
const PLACE = 1
const DUE = 2
const PLANNED = 3
const THEN = 4
const FACING = 7
const WIDTH = 10

// STATUS
const NO_PLAN = 0
const UNDER_WAY = 1
const ARRIVED = 2
const CHASING = 3

/** A plan is looked at again when the agent is this far off it, in radii, and thrown away when it is as far as that. */
const OFF = 0.03
const LOST = 0.5

/** A new plan may be longer by this much, in radii, than what is left of the old: shorter by a hair is no reason to turn round. */
const GAIN = 0.25

/** The goal has moved when it will be this far, in radii, or turned by this much, rad, from where it was thought to be. */
const MOVED = 0.02
const TURNED = 0.01

/** No new plan sooner than after this time, in radii over speed. */
const PATIENCE = 0.1

/** So near to a cusp, in radii, the gear is changed. */
const CUSP = 0.005

const then = goal()
const heading = vec3()
const spot = vec3()
const attitude = quat()
const fresh = new ArcPath()
const place: TrackPoint = { s: 0.5, radius: 0.5, pace: 0.5, change: 0.5 }

/**
 * Plans the way to a goal, keeps to the plan, and plans anew where there is reason to: the goal or the agent is not where it was
 * thought to be. A plan recomputed in every step turns round at every hair by which another way is shorter.
 */
export class RouteFollower implements Serializable {
  /** Plans made per step and no more, ≥ 1: they take microseconds where it is far, and hundreds of them where it is near or moves. */
  plansPerStep = 16
  /** How the last agent that passed its goal did so. */
  readonly passing = new Passing()
  private readonly memory = new Memory(WIDTH)
  readonly state: SnapshotState = [this.passing, this.memory]
  private readonly plans: ArcPath[] = []
  private readonly owners: number[] = []
  private readonly slots = new Map<number, number>()
  private tick = -1
  private made = 0

  /** The plans, and how many more may be made in this step. */
  serialize(archive: Archive): void {
    const { agents, restoring } = archive
    this.tick = archive.number(this.tick)
    this.made = archive.number(this.made)
    if (restoring) {
      this.slots.clear()
      this.owners.length = 0
    }
    for (let slot = 0; slot < agents.slots; slot++) {
      const id = agents.idOf(slot)
      if (!archive.boolean(id >= 0 && this.owners[slot] === id)) continue
      this.owners[slot] = id
      this.slots.set(id, slot)
      const plan = (this.plans[slot] ??= new ArcPath())
      plan.serialize(archive)
    }
  }

  /** The plan of an agent, live, or null. */
  planOf({ id }: { readonly id: number }): ArcPath | null {
    const slot = this.slots.get(id)
    return slot === undefined ? null : this.plans[slot]!
  }

  /**
   * Adds the force that flies the agent to `now`, a goal as it is in this step. It has arrived when it passes within `tolerance` (m) of
   * it, no more than `angle` (rad) from its heading; then it flies straight on. Writes nothing while it is `waiting` or `lost`.
   */
  fly(
    agent: Agent,
    step: Step,
    now: Goal,
    terms: VehicleLimits,
    tolerance: number,
    angle: number,
    out: Wrench,
  ): RouteProgress {
    const at = this.memory.at(agent)
    const { data } = this.memory
    const plan = this.planFor(agent)
    const radius = turnRadius(terms, agent.speed)
    let progress = this.judge(this.passing.look(agent, step, now, terms, tolerance, angle), at, plan)
    if (data[at + STATUS] === NO_PLAN) {
      if (!this.mayPlan(step)) return progress === 'missed' ? progress : 'waiting'
      if (this.renew(agent, step, at, now, terms)) progress = 'unreachable'
    } else if (data[at + STATUS] !== ARRIVED) this.keepTo(agent, step, at, now, terms, radius)
    this.follow(agent, step, at, plan, terms, radius, out)
    if (!withdraw(out)) return progress
    data[at + STATUS] = NO_PLAN
    return 'lost'
  }

  /** Throws the plan of an agent away, if it has one: it makes a new one. */
  forget(agent: Agent): void {
    const at = this.memory.find(agent)
    if (at >= 0) this.memory.data[at + STATUS] = NO_PLAN
  }

  private judge(pass: Pass, at: number, plan: ArcPath): RouteProgress {
    const { data } = this.memory
    if (pass === 'beyond') return pass
    if (pass === 'within') {
      data[at + STATUS] = ARRIVED
      data[at + PLACE] = plan.length
      return 'arrived'
    }
    const missed = pass === 'outside' && data[at + PLACE]! >= plan.length && data[at + STATUS] !== NO_PLAN
    if (missed || pass === 'moved') data[at + STATUS] = NO_PLAN
    return missed ? 'missed' : 'under way'
  }

  /** The plan of an agent, made for it when it is first asked for, whoever asks. */
  private planFor({ id, slot }: Agent): ArcPath {
    const before = this.owners[slot]
    if (before !== id) {
      if (before !== undefined && this.slots.get(before) === slot) this.slots.delete(before)
      this.owners[slot] = id
      this.slots.set(id, slot)
      this.plans[slot] ??= new ArcPath()
    }
    return this.plans[slot]!
  }

  private mayPlan({ tick }: Step): boolean {
    if (tick !== this.tick) {
      this.tick = tick
      this.made = 0
    }
    return this.made++ < this.plansPerStep
  }

  /** Sees how far along the plan the agent is, and plans anew where there is reason to. */
  private keepTo(
    agent: Agent,
    step: Step,
    at: number,
    now: Goal,
    terms: VehicleLimits,
    radius: number,
  ): void {
    const { data } = this.memory
    const plan = this.plans[agent.slot]!
    const { position, speed } = agent
    const from = data[at + PLACE]!
    const cusp = plan.cuspAfter(from)
    let s = plan.nearest(position, from, Math.min(cusp, from + 4 * speed * step.dt + OFF * radius))
    if (cusp < plan.length && cusp - s < CUSP * radius) s = cusp
    data[at + PLACE] = s
    if (data[at + PLANNED]! + (PATIENCE * radius) / Math.max(speed, 1e-9) > step.time) return
    const left = plan.length - s
    goalIn(then, now, Math.max(0, data[at + DUE]! - step.time))
    if (
      distance(then.position, load(spot, data, at + THEN)) > MOVED * radius ||
      dot(then.heading, load(spot, data, at + FACING)) < Math.cos(TURNED)
    ) {
      if (this.mayPlan(step)) this.renew(agent, step, at, now, terms)
      return
    }
    const off = distance(plan.pointAt(spot, s), position)
    if (!(off > OFF * radius && left > radius / 2) || !this.mayPlan(step)) return
    const time = planRendezvous(fresh, agent, this.headingOf(agent, at, terms), now, terms, then)
    if (fresh.length < left + GAIN * radius || off > LOST * radius) this.take(step, at, plan, time)
    else data[at + PLANNED] = step.time
  }

  /** Makes a new plan. True where it finds out that none meets the goal. */
  private renew(agent: Agent, step: Step, at: number, now: Goal, terms: VehicleLimits): boolean {
    const { data } = this.memory
    const time = planRendezvous(fresh, agent, this.headingOf(agent, at, terms), now, terms, then)
    const known = data[at + STATUS] === CHASING
    this.take(step, at, this.plans[agent.slot]!, time)
    data[at + STATUS] = Number.isNaN(time) ? CHASING : UNDER_WAY
    return Number.isNaN(time) && !known
  }

  /** Where the agent is heading: it flies there, or the other way, if it is flying astern. */
  private headingOf(agent: Agent, at: number, terms: VehicleLimits): Vec3 {
    const { attitude: nose, course, speed, velocity } = agent
    if (!(speed > 1e-3 * terms.cruise)) return copy(heading, terms.reverse ? nose.x : course.x)
    const { data } = this.memory
    const astern = data[at + STATUS] !== NO_PLAN && this.plans[agent.slot]!.gearAt(data[at + PLACE]!) < 0
    return scale(heading, velocity, (astern ? -1 : 1) / speed)
  }

  private take(step: Step, at: number, plan: ArcPath, time: number): void {
    const { data } = this.memory
    plan.copy(fresh)
    data[at + PLACE] = 0
    data[at + DUE] = time > 0 ? step.time + time : 0
    data[at + PLANNED] = step.time
    save(then.position, data, at + THEN)
    save(then.heading, data, at + FACING)
  }

  private follow(
    agent: Agent,
    step: Step,
    at: number,
    plan: ArcPath,
    terms: VehicleLimits,
    radius: number,
    out: Wrench,
  ): void {
    const { data } = this.memory
    const s = data[at + PLACE]!
    const left = plan.length - s
    place.s = s
    place.radius = radius
    place.pace = paceAlong(plan, s, terms)
    const next = paceAlong(plan, s + agent.speed * step.dt, terms)
    place.change = Math.min(0, next - place.pace) / step.dt
    const due = data[at + DUE]! - step.time
    if (due > 0 && left / due < place.pace) {
      place.pace = left / due
      place.change = 0
    }
    reportGoalDistance(agent, left)
    trackPath(agent, step, plan, place, terms, out)
    if (!terms.reverse || terms.turnTime > 0) return
    scale(heading, plan.tangentAt(heading, s), plan.gearAt(s))
    noseAttitude(attitude, agent, heading, 'level', step, heading, 0)
    turnTo(agent, attitude, step, out)
  }
}
