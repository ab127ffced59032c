import type { Agent, DebugDraw, FrameLike, Vec3, Vec3Like, Wish } from '../types.js'
import type { DangerMap } from './danger-map.js'
import { directions } from '../math/directions.js'
import { vectorToWorld } from '../math/frame.js'
import { grown } from '../math/grown.js'
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
} from '../math/vec3.js'
import { makeWish } from '../control/wish.js'

/** Where nothing is free of danger, so little above the least counts as the least. */
const DANGER_SLACK = 0.05

/** By this share of its interest another direction must be better than the last one. */
const LOYALTY = 0.05

/** From the best slot strides go to the best direction, as wide as slots are apart, then half as wide, and so on; so many of each. */
const HALVINGS = 9
const STRIDES = 3

/** The first stride from the direction flown last, rad: it is all but the best, and others as good are not worth a change. */
const FIRST_STRIDE = 0.04

/** Where strides lead: angles (rad) from the way to the wanted direction, straight first. */
const STRIDE_ANGLES: readonly number[] = [0, 0.8, -0.8, 1.3, -1.3, 1.53, -1.53]

/** What one behaviour wants. */
export interface Interest {
  /** N, uncut. */
  readonly force: Vec3
  /** Unit, or zero where it wants to stand still. */
  readonly direction: Vec3
  /** m/s */
  speed: number
  /** Weight times speed, m/s. */
  strength: number
  /** What it told of its goal. */
  readonly wish: Wish
}

export function makeInterest(): Interest {
  return { force: vec3(), direction: vec3(), speed: 0, strength: 0, wish: makeWish() }
}

/** The last direction is nudged by so much (rad), then twice as much, and so on, to where it is free again. */
const NUDGE = 0.01

const slot = vec3()
const candidate = vec3()
const towards = vec3()
const across = vec3()

/** Chooses a direction by maps of interest and danger over the sphere. */
export class DirectionMap {
  /** The direction chosen, unit. */
  readonly direction: Vec3 = vec3()
  /** Whether it is the very one that is wanted. */
  isExact = false
  /** `[3 × count]`, the slots in the course frame. */
  private readonly slots: Float64Array
  /** `[3 × candidates]`, world axes, and the danger of each: the slots, the directions wanted, the one flown last. */
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
   * Chooses by `count` wants, of which `first` is the strongest; flown at `speed` (m/s). `last` is the direction flown last, or zero.
   * @returns the want to which the direction chosen is of most interest.
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
    // none is more interesting
    if (!isZero(direction) && danger.dangerAt(direction.x, direction.y, direction.z, speed, 0) === 0)
      return strongest
    this.layOutCandidates(course, interests, count, strongest, danger, speed, last)
    const limit = limitFor(this.least)
    let best = -Infinity
    let stride = FIRST_STRIDE
    for (let i = 0; i < this.count; i++) {
      if (!(this.dangers[i]! <= limit)) continue
      load(slot, this.rays, 3 * i)
      const value = interestIn(mostInterested(interests, count, strongest, slot), slot)
      const isLast = i === this.count - 1 && !isZero(last)
      const favored = isLast ? (1 + LOYALTY) * value : value
      if (!(favored > best)) continue
      best = favored
      stride = isLast ? FIRST_STRIDE : this.spacing
      copy(direction, slot)
    }
    const choice = mostInterested(interests, count, strongest, direction)
    this.isExact = this.approach(choice.direction, stride, danger, speed, limit)
    return choice
  }

  /** Draws the danger of all slots: nothing where it is 1, `size` (m) long where there is none. */
  trace({ course, position }: Agent, danger: DangerMap, speed: number, size: number, draw: DebugDraw): void {
    if (!(speed > 0)) return
    for (let i = 0; i < this.slots.length; i += 3) {
      const { x, y, z } = vectorToWorld(slot, course, load(slot, this.slots, i))
      const risk = Math.min(1, danger.dangerAt(x, y, z, speed))
      draw.line(
        risk > 0 ? 'danger' : 'context',
        position,
        addScaled(candidate, position, slot, size * (1 - risk)),
      )
    }
  }

  /** Lays out all candidates and their danger; of those above the limit only that they are. */
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

  /** Adds the last direction, or, where that has become dangerous, the first farther away from what is wanted that is not. */
  private addLast(wanted: Vec3Like, last: Vec3Like, danger: DangerMap, speed: number): void {
    reject(towards, wanted, last)
    normalize(towards, towards)
    for (let away = NUDGE; away < this.spacing; away *= 2) {
      addScaled(candidate, last, towards, away === NUDGE ? 0 : -away)
      normalize(candidate, candidate)
      if (danger.dangerAt(candidate.x, candidate.y, candidate.z, speed, 0) === 0)
        return this.add(candidate, danger, speed)
    }
    this.add(last, danger, speed)
  }

  private add(ray: Vec3Like, danger: DangerMap, speed: number): void {
    const i = this.count++
    save(ray, this.rays, 3 * i)
    const risk = danger.dangerAt(ray.x, ray.y, ray.z, speed, limitFor(this.least))
    this.dangers[i] = risk
    if (risk < this.least) this.least = risk
  }

  /**
   * Leads the direction chosen nearer and nearer to `wanted`, straight or along the edge of what is dangerous, as long as the danger stays
   * below `limit`. The first strides are `first` rad wide. True when it gets there.
   */
  private approach(
    wanted: Vec3Like,
    strongest: number,
    danger: DangerMap,
    speed: number,
    limit: number,
  ): boolean {
    const { direction } = this
    if (isZero(wanted)) return false
    if (danger.dangerAt(wanted.x, wanted.y, wanted.z, speed, limit) <= limit) {
      copy(direction, wanted)
      return true
    }
    let stride = strongest
    for (let i = 0; i < HALVINGS; i++, stride /= 2)
      for (let tries = 0; tries < STRIDES && this.stride(wanted, stride, danger, speed, limit); tries++);
    return false
  }

  /** Takes the first of some strides (rad) that is safe and leads nearer. False where there is none. */
  private stride(wanted: Vec3Like, stride: number, danger: DangerMap, speed: number, limit: number): boolean {
    const { direction } = this
    // right away from it any way leads nearer
    if (isZero(normalize(towards, reject(towards, wanted, direction)))) perpendicular(towards, direction)
    cross(across, direction, towards)
    const best = dot(direction, wanted)
    for (let k = 0; k < STRIDE_ANGLES.length; k++) {
      const turn = STRIDE_ANGLES[k]!
      addScaled(candidate, direction, towards, stride * Math.cos(turn))
      normalize(candidate, addScaled(candidate, candidate, across, stride * Math.sin(turn)))
      if (!(dot(candidate, wanted) > best)) continue
      if (!(danger.dangerAt(candidate.x, candidate.y, candidate.z, speed, limit) <= limit)) continue
      copy(direction, candidate)
      return true
    }
    return false
  }
}

/** Danger that is not masked. Where something is free of danger, nothing else is good enough. */
function limitFor(least: number): number {
  return least > 0 ? least + DANGER_SLACK : 0
}

/** How interesting a unit direction is, m/s: nothing right away from where it wants to go, all of its strength straight there. */
function interestIn({ direction, strength }: Interest, ray: Vec3Like): number {
  return (strength * (1 + dot(direction, ray))) / 2
}

/** Maps of interest are merged by their maximum: the want to which a direction is of most interest. */
function mostInterested(
  interests: readonly Interest[],
  count: number,
  strongest: Interest,
  ray: Vec3Like,
): Interest {
  let best = strongest
  let capacity = interestIn(strongest, ray)
  for (let i = 0; i < count; i++) {
    const value = interestIn(interests[i]!, ray)
    if (!(value > capacity)) continue
    best = interests[i]!
    capacity = value
  }
  return best
}
