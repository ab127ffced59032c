import type { Archive, Serializable, Vec3 } from '../../types.js'
import { addScaled, copy, scale, set, sub, vec3 } from '../../math/vec3.js'
import type { Ability, Member } from './member.js'
import { TransitionPaths } from './transition-paths.js'

/** Shares of the members' acceleration, and of their speed, that a change of formation takes. */
const PUSH_SHARE = 0.4
const AHEAD_SHARE = 0.95
const LEAST_AHEAD = 0.08
const ASTERN_SHARE = 0.8
const LEAST_ASTERN = 0.2
const ASIDE_SHARE = 0.5

/** The leader waits at this share of the top speed for those who must catch up. */
export const WAITING_PACE = 0.5

/** Greatest change of a rate that is reached smoothly, in units of the rate over the time that takes. */
const STEEPEST = 1.5

const step = vec3()
const leading = vec3()
const slope = vec3()
const bend = vec3()
const plan = { rate: 0, ramp: 0 }

/** What all of a formation can do, and how fast it flies now, m/s. */
export interface Means extends Ability {
  readonly speed: number
  /** Share of the acceleration that the way of the leader leaves. */
  readonly spare: number
  /** Whether the leader waits. */
  readonly waits: boolean
}

/**
 * A formation on its way from one set of places to another: all are at the same share of their ways. It grows evenly, as fast as the one with the
 * longest way can go, and begins and ends smoothly.
 */
export class FormationChange implements Serializable {
  /** Share of the way, 0 … 1, how fast it grows, 1/s, and how fast that does, 1/s². */
  share = 1
  rate = 0
  push = 0
  /** How fast the leader may fly meanwhile, m/s. */
  pace = Infinity
  /** Time since the beginning, s, of how much, and how long it takes to come to the even rate (1/s). */
  private spent = 0
  private duration = 0
  private ramp = 0
  private evenRate = 0
  private readonly ways = new TransitionPaths()

  serialize(archive: Archive): void {
    for (const name of ['share', 'rate', 'push', 'pace', 'spent', 'duration', 'ramp', 'evenRate'] as const)
      this[name] = archive.number(this[name])
    this.ways.serialize(archive)
  }

  get running(): boolean {
    return this.spent < this.duration
  }

  /** Time (s) that it takes yet. */
  get left(): number {
    return this.duration - this.spent
  }

  /** Sets out: from `from` to `to` of all who are not alone. `leader`: who stays in the middle of what turns, where there is one. */
  begin(members: readonly Member[], leader: Member | null, means: Means): void {
    this.ways.choose(members, leader)
    const { longer } = this.ways
    let ahead = 0
    let astern = 0
    let aside = 0
    // who leads goes his way: the others have to move about him
    if (leader === null) set(leading, 0, 0, 0)
    else sub(leading, leader.to, leader.from)
    for (const { alone, from, to } of members) {
      if (alone) continue
      const { x, y, z } = sub(step, sub(step, to, from), leading)
      ahead = Math.max(ahead, x)
      astern = Math.max(astern, -x)
      aside = Math.max(aside, Math.hypot(y, z))
    }
    planFor(plan, longer * ahead, longer * astern, longer * aside, means)
    this.ramp = plan.ramp
    this.evenRate = plan.rate
    this.duration = plan.rate > 0 ? 1 / plan.rate + plan.ramp : 0
    this.pace = ahead > 0 ? AHEAD_SHARE * means.topSpeed - plan.rate * longer * ahead : Infinity
    this.spent = 0
    this.advance(0, 1)
  }

  /** Goes on by `dt` seconds, as much slower as `haste` (0 … 1) says. */
  advance(dt: number, haste: number): void {
    const { duration, evenRate, ramp } = this
    this.spent = Math.min(duration, this.spent + haste * dt)
    const left = duration - this.spent
    if (!(left > 0)) {
      this.share = 1
      this.rate = this.push = 0
      this.pace = Infinity
      return
    }
    const u = Math.min(this.spent, left, ramp) / ramp
    const first = this.spent <= left
    const early = evenRate * ramp * u * u * u * (1 - u / 2)
    const even = evenRate * Math.max(0, (first ? this.spent : left) - ramp)
    this.share = first ? early + even : 1 - early - even
    this.rate = haste * evenRate * u * u * (3 - 2 * u)
    this.push = (first ? 6 : -6) * haste * haste * (evenRate / ramp) * u * (1 - u)
  }

  /** Writes where `member` is in the frame of the anchor (m), and how that changes: m/s, m/s². */
  place(member: Member, out: Vec3, velocity: Vec3, acceleration: Vec3): Vec3 {
    if (member.alone || this.share === 1) {
      set(velocity, 0, 0, 0)
      set(acceleration, 0, 0, 0)
      return copy(out, member.to)
    }
    this.ways.along(out, slope, bend, member, this.share)
    scale(velocity, slope, this.rate)
    scale(acceleration, slope, this.push)
    addScaled(acceleration, acceleration, bend, this.rate * this.rate)
    return out
  }
}

/** Time (s) in which members can go so far ahead, astern and aside of where they are in the formation (m). */
export function timeFor(ahead: number, astern: number, aside: number, means: Means): number {
  planFor(plan, ahead, astern, aside, means)
  return plan.rate > 0 ? 1 / plan.rate + plan.ramp : 0
}

/** Even rate (1/s, 0 for who is there) of such ways, and the time (s) that it takes to come to it. */
function planFor(
  out: { rate: number; ramp: number },
  ahead: number,
  astern: number,
  aside: number,
  means: Means,
): void {
  const { nimble, push, spare, topSpeed, waits } = means
  const speed = waits ? Math.min(means.speed, WAITING_PACE * topSpeed) : means.speed
  const across = Math.max(Math.sqrt(Math.max(0, topSpeed * topSpeed - speed * speed)), LEAST_AHEAD * topSpeed)
  const rate = Math.min(
    Math.max(AHEAD_SHARE * topSpeed - speed, LEAST_AHEAD * topSpeed) / ahead,
    (ASTERN_SHARE * Math.max(speed, LEAST_ASTERN * topSpeed)) / astern,
    (ASIDE_SHARE * across) / aside,
  )
  const change = ((PUSH_SHARE * spare) / STEEPEST) * Math.min(push / Math.max(ahead, astern), nimble / aside)
  const still = !(rate < Infinity && change < Infinity)
  // short ways are over before that rate is reached
  out.rate = still ? 0 : Math.min(rate, Math.sqrt(change))
  out.ramp = still ? 0 : out.rate / change
}
