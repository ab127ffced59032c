import type { Archive, Serializable } from '../../core/types.js'
import { addScaled, copy, scale, set, sub, vec3 } from '../../core/math/vec3.js'
import type { FormationLimits } from './formation-limits.js'
import type { Member, SlotState } from './member.js'
import { TransitionPaths } from './transition-paths.js'
import { serializeFields } from '../../core/control/serialize-fields.js'

// Shares of what the members can do that a change of the formation takes. All chosen by hand.

/** Share of their acceleration. */
const ACCELERATION_SHARE = 0.4

/** Share of their top speed for members that move ahead; least share, above the formation's speed. */
const AHEAD_SHARE = 0.95
const LEAST_AHEAD = 0.08

/** Share of the present speed for members that fall back, which is at least this share of the top one. */
const ASTERN_SHARE = 0.8
const LEAST_ASTERN = 0.2

/** Share of the speed that is left across the course for members that move aside. */
const ASIDE_SHARE = 0.5

/** While members must catch up, the leader flies at this share of the top speed. Chosen by hand. */
export const WAITING_SHARE = 0.5

/** The rate of a change rises as u² · (3 − 2 u); the greatest slope of that is this. */
const STEEPEST = 1.5

const step = vec3()
const leaderStep = vec3()
const slope = vec3()
const curvature = vec3()
/** Even rate (1/s; 0 for no distance) of the last plan, and the time (s) to reach it. */
const plan = { rate: 0, rampTime: 0 }

/**
 * The change of a formation from one set of places to another. All members are at the same share of their
 * paths. The share grows at an even rate, as fast as the member with the longest path can fly, and the rate
 * begins and ends smoothly.
 */
export class FormationChange implements Serializable {
  /** Share of the paths flown, 0 … 1; its rate, 1/s; and the rate of that, 1/s². */
  share = 1
  rate = 0
  shareAcceleration = 0
  /** Greatest speed of the leader during the change, m/s. */
  maxLeaderSpeed = Infinity
  /** Time since the start (s), duration (s), time to reach the even rate (s), and that rate (1/s). */
  private elapsed = 0
  private duration = 0
  private rampTime = 0
  private evenRate = 0
  private readonly paths = new TransitionPaths()

  serialize(archive: Archive): void {
    serializeFields(archive, this)
    this.paths.serialize(archive)
  }

  get running(): boolean {
    return this.elapsed < this.duration
  }

  /** Time (s) until the end. */
  get remaining(): number {
    return this.duration - this.elapsed
  }

  /**
   * Starts a change along `from` → `to` of all members that are not joining. `leader`: what flies at the
   * origin, a member or a leader apart; null: nothing.
   */
  begin(members: readonly Member[], leader: Member | null, limits: FormationLimits): void {
    this.paths.choose(members, leader)
    const { lengthFactor, lift } = this.paths
    let ahead = 0
    let astern = 0
    let aside = 0
    // the leader flies its own course, so the others move relative to it
    if (leader === null) set(leaderStep, 0, 0, 0)
    else sub(leaderStep, leader.to, leader.from)
    for (const { from, joining, to } of members) {
      if (joining) continue
      const { x, y, z } = sub(step, sub(step, to, from), leaderStep)
      ahead = Math.max(ahead, x)
      astern = Math.max(astern, -x)
      aside = Math.max(aside, Math.hypot(y, z))
    }
    // a lift is fastest at its start and at its end
    const liftAhead = Math.PI * Math.abs(lift.x)
    ahead = lengthFactor * ahead + liftAhead
    astern = lengthFactor * astern + liftAhead
    aside = lengthFactor * aside + Math.PI * Math.hypot(lift.y, lift.z)
    this.duration = changeTime(ahead, astern, aside, limits)
    this.rampTime = plan.rampTime
    this.evenRate = plan.rate
    this.maxLeaderSpeed = ahead > 0 ? AHEAD_SHARE * limits.topSpeed - plan.rate * ahead : Infinity
    this.elapsed = 0
    this.advance(0, 1)
  }

  /** Advances by `dt` seconds times `timeScale` (0 … 1). */
  advance(dt: number, timeScale: number): void {
    const { duration, evenRate, rampTime } = this
    this.elapsed = Math.min(duration, this.elapsed + timeScale * dt)
    const remaining = duration - this.elapsed
    if (!(remaining > 0)) {
      this.share = 1
      this.rate = this.shareAcceleration = 0
      this.maxLeaderSpeed = Infinity
      return
    }
    const u = Math.min(this.elapsed, remaining, rampTime) / rampTime
    const firstHalf = this.elapsed <= remaining
    const onRamp = evenRate * rampTime * u * u * u * (1 - u / 2)
    const even = evenRate * Math.max(0, (firstHalf ? this.elapsed : remaining) - rampTime)
    this.share = firstHalf ? onRamp + even : 1 - onRamp - even
    this.rate = timeScale * evenRate * u * u * (3 - 2 * u)
    this.shareAcceleration =
      (firstHalf ? 6 : -6) * timeScale * timeScale * (evenRate / rampTime) * u * (1 - u)
  }

  /** Writes the place of `member` in the frame of the anchor and its motion relative to that. */
  place(member: Member, { acceleration, position, velocity }: SlotState): void {
    if (member.joining || this.share === 1) {
      set(velocity, 0, 0, 0)
      set(acceleration, 0, 0, 0)
      copy(position, member.to)
      return
    }
    this.paths.derivativesAt(position, slope, curvature, member, this.share)
    scale(velocity, slope, this.rate)
    scale(acceleration, slope, this.shareAcceleration)
    addScaled(acceleration, acceleration, curvature, this.rate * this.rate)
  }
}

/** Time (s) in which members can move by these distances (m) ahead, astern and aside of their places. */
export function changeTime(ahead: number, astern: number, aside: number, limits: FormationLimits): number {
  const { leaderWaits, maxAcceleration, promptAcceleration, spareShare, topSpeed } = limits
  const speed = leaderWaits ? Math.min(limits.speed, WAITING_SHARE * topSpeed) : limits.speed
  const across = Math.max(Math.sqrt(Math.max(0, topSpeed * topSpeed - speed * speed)), LEAST_AHEAD * topSpeed)
  const rate = Math.min(
    Math.max(AHEAD_SHARE * topSpeed - speed, LEAST_AHEAD * topSpeed) / ahead,
    (ASTERN_SHARE * Math.max(speed, LEAST_ASTERN * topSpeed)) / astern,
    (ASIDE_SHARE * across) / aside,
  )
  const rateSlope =
    ((ACCELERATION_SHARE * spareShare) / STEEPEST) *
    Math.min(maxAcceleration / Math.max(ahead, astern), promptAcceleration / aside)
  const nothingToDo = !(rate < Infinity && rateSlope < Infinity)
  // a short change ends before it reaches that rate
  plan.rate = nothingToDo ? 0 : Math.min(rate, Math.sqrt(rateSlope))
  plan.rampTime = nothingToDo ? 0 : plan.rate / rateSlope
  return plan.rate > 0 ? 1 / plan.rate + plan.rampTime : 0
}
