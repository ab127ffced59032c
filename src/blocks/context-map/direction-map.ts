import type { Agent, DebugDraw, FrameLike, Vec3, Vec3Like, Wish } from '../../core/types.js'
import type { DangerMap } from './danger-map.js'
import { directions } from '../../core/math/directions.js'
import { vectorToWorld } from '../../core/math/frame.js'
import { grown } from '../../core/math/grown.js'
import {
  addScaled,
  copy,
  cross,
  dot,
  isZero,
  load,
  normalize,
  perpendicular,
  reject,
  save,
  vec3,
} from '../../core/math/vec3.js'
import { makeWish } from '../../core/control/wish.js'

// The numbers below are chosen by hand unless they say otherwise.

/**
 * If no direction is free of danger, directions with up to this much more danger than the least are allowed
 * as well. Larger: the agent follows its interest more, and risks more.
 */
const DANGER_SLACK = 0.05

/** Another direction must be more interesting than the last by this share. Larger: fewer changes. */
const KEEP_SHARE = 0.05

/**
 * The search moves from the best slot towards the best direction in strides as wide as the spacing of the
 * slots, then half as wide, and so on. This is the number of widths. Each more doubles the accuracy.
 */
const HALVINGS = 9
/** Maximum of strides of each width. With more it gets farther along the outline of a danger. */
const STRIDES = 3

/**
 * First stride (rad) from the direction flown last. It is short since that direction is almost the best one,
 * and equally good directions are not worth a change.
 */
const FIRST_STRIDE = 0.04

/** Directions of strides: angles (rad) from the direction towards the wanted one, the straight one first. */
const STRIDE_ANGLES: readonly number[] = [0, 0.8, -0.8, 1.3, -1.3, 1.53, -1.53]

/** The velocity that one behaviour wants. */
export interface Interest {
  /** Force (N), not limited to `maxForce`. */
  readonly force: Vec3
  /** Unit direction, or zero if the behaviour wants to stop. */
  readonly direction: Vec3
  /** m/s */
  speed: number
  /** Weight times speed, m/s. */
  strength: number
  /** The goal of the behaviour. */
  readonly wish: Wish
}

export function makeInterest(): Interest {
  return { force: vec3(), direction: vec3(), speed: 0, strength: 0, wish: makeWish() }
}

/** A last direction that is dangerous now is turned by this (rad), then twice as much, until it is free. */
const FIRST_NUDGE = 0.01

const slot = vec3()
const candidate = vec3()
const towards = vec3()
const across = vec3()

/** Chooses a direction by maps of interest and danger over the sphere. */
export class DirectionMap {
  /** The direction chosen, unit. */
  readonly direction: Vec3 = vec3()
  /** Whether it is exactly the wanted direction. */
  isExact = false
  /** `[3 × count]`: the directions of the slots in the course frame. */
  private readonly slots: Float64Array
  /**
   * `[3 × candidates]` in world axes, and `[candidates]` the danger of each: the slots, the wanted
   * directions, the direction flown last.
   */
  private rays = new Float64Array(0)
  private dangers = new Float64Array(0)
  private count = 0
  /** The least danger of all. */
  private least = 0
  /** Angle (rad) from one slot to the next. */
  private readonly spacing: number

  constructor(count: number) {
    this.slots = directions(count)
    this.spacing = Math.sqrt((4 * Math.PI) / count)
  }

  /**
   * Chooses a direction for the first `count` of `interests`, the strongest of which is `strongest`, at
   * `speed` (m/s). `last` is the direction flown last, or zero.
   * @returns the interest that is largest in the chosen direction.
   */
  choose(
    course: FrameLike,
    interests: readonly Interest[],
    count: number,
    strongest: Interest,
    danger: DangerMap,
    speed: number,
    last: Vec3Like,
  ): Interest {
    const { direction } = this
    copy(direction, strongest.direction)
    this.isExact = true
    // no direction is more interesting
    if (!isZero(direction) && danger.dangerAt(direction, speed, 0) === 0) return strongest
    this.layOutCandidates(course, interests, count, strongest, danger, speed, last)
    const limit = limitFor(this.least)
    let best = -Infinity
    let stride = FIRST_STRIDE
    for (let i = 0; i < this.count; i++) {
      if (!(this.dangers[i]! <= limit)) continue
      load(slot, this.rays, 3 * i)
      const value = interestIn(mostInterested(interests, count, strongest, slot), slot)
      const isLast = i === this.count - 1 && !isZero(last)
      const favored = isLast ? (1 + KEEP_SHARE) * value : value
      if (!(favored > best)) continue
      best = favored
      stride = isLast ? FIRST_STRIDE : this.spacing
      copy(direction, slot)
    }
    const choice = mostInterested(interests, count, strongest, direction)
    this.isExact = this.approach(choice.direction, stride, danger, speed, limit)
    return choice
  }

  /** Draws the danger of all slots: no line for 1, a line of length `size` (m) for none. */
  trace({ course, position }: Agent, danger: DangerMap, speed: number, size: number, draw: DebugDraw): void {
    if (!(speed > 0)) return
    for (let i = 0; i < this.slots.length; i += 3) {
      vectorToWorld(slot, course, load(slot, this.slots, i))
      const risk = Math.min(1, danger.dangerAt(slot, speed))
      draw.line(
        risk > 0 ? 'danger' : 'context',
        position,
        addScaled(candidate, position, slot, size * (1 - risk)),
      )
    }
  }

  /** Writes all candidates and their dangers. A danger above the limit need not be exact. */
  private layOutCandidates(
    course: FrameLike,
    interests: readonly Interest[],
    count: number,
    strongest: Interest,
    danger: DangerMap,
    speed: number,
    last: Vec3Like,
  ): void {
    const { slots } = this
    this.least = Infinity
    const capacity = slots.length / 3 + count + 1
    if (this.dangers.length < capacity) {
      this.rays = grown(this.rays, 3 * capacity)
      this.dangers = grown(this.dangers, capacity)
    }
    this.count = 0
    for (let i = 0; i < slots.length; i += 3)
      this.add(vectorToWorld(slot, course, load(slot, slots, i)), danger, speed)
    for (let i = 0; i < count; i++)
      if (!isZero(interests[i]!.direction)) this.add(interests[i]!.direction, danger, speed)
    if (!isZero(last)) this.addLast(strongest.direction, last, danger, speed)
  }

  /** Adds the last direction; if it is dangerous now, the first one farther from the wanted that is not. */
  private addLast(wanted: Vec3Like, last: Vec3Like, danger: DangerMap, speed: number): void {
    reject(towards, wanted, last)
    normalize(towards, towards)
    for (let away = FIRST_NUDGE; away < this.spacing; away *= 2) {
      addScaled(candidate, last, towards, away === FIRST_NUDGE ? 0 : -away)
      normalize(candidate, candidate)
      if (danger.dangerAt(candidate, speed, 0) === 0) return this.add(candidate, danger, speed)
    }
    this.add(last, danger, speed)
  }

  private add(ray: Vec3Like, danger: DangerMap, speed: number): void {
    const i = this.count++
    save(ray, this.rays, 3 * i)
    const risk = danger.dangerAt(ray, speed, limitFor(this.least))
    this.dangers[i] = risk
    if (risk < this.least) this.least = risk
  }

  /**
   * Moves the chosen direction towards `wanted`, straight or along the outline of a danger, as long as the
   * danger stays below `limit`. The first strides are `first` rad wide. True if it reaches `wanted`.
   */
  private approach(
    wanted: Vec3Like,
    first: number,
    danger: DangerMap,
    speed: number,
    limit: number,
  ): boolean {
    const { direction } = this
    if (isZero(wanted)) return false
    if (danger.dangerAt(wanted, speed, limit) <= limit) {
      copy(direction, wanted)
      return true
    }
    let stride = first
    for (let i = 0; i < HALVINGS; i++, stride /= 2)
      for (let tries = 0; tries < STRIDES && this.stride(wanted, stride, danger, speed, limit); tries++);
    return false
  }

  /** Makes the first stride (rad) that is safe and leads nearer to `wanted`. False if there is none. */
  private stride(wanted: Vec3Like, stride: number, danger: DangerMap, speed: number, limit: number): boolean {
    const { direction } = this
    // opposite to `wanted` every direction leads nearer
    if (isZero(normalize(towards, reject(towards, wanted, direction)))) perpendicular(towards, direction)
    cross(across, direction, towards)
    const best = dot(direction, wanted)
    for (let k = 0; k < STRIDE_ANGLES.length; k++) {
      const turn = STRIDE_ANGLES[k]!
      addScaled(candidate, direction, towards, stride * Math.cos(turn))
      normalize(candidate, addScaled(candidate, candidate, across, stride * Math.sin(turn)))
      if (!(dot(candidate, wanted) > best)) continue
      if (!(danger.dangerAt(candidate, speed, limit) <= limit)) continue
      copy(direction, candidate)
      return true
    }
    return false
  }
}

/** Largest danger that is not masked: none, if some direction is free of danger. */
function limitFor(least: number): number {
  return least > 0 ? least + DANGER_SLACK : 0
}

/** Interest (m/s) of a unit direction: the strength in the wanted direction, 0 in the opposite one. */
function interestIn({ direction, strength }: Interest, ray: Vec3Like): number {
  return (strength * (1 + dot(direction, ray))) / 2
}

/** Maps of interest are merged by their maximum: returns the interest that is largest in a direction. */
function mostInterested(
  interests: readonly Interest[],
  count: number,
  strongest: Interest,
  ray: Vec3Like,
): Interest {
  let best = strongest
  let most = interestIn(strongest, ray)
  for (let i = 0; i < count; i++) {
    const value = interestIn(interests[i]!, ray)
    if (!(value > most)) continue
    best = interests[i]!
    most = value
  }
  return best
}
