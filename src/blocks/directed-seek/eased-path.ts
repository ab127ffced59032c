import type { Vec3, Vec3Like } from '../../core/types.js'
import type { ArcPath } from '../curves/arc-path.js'
import { addScaled, isZero, length, load, normalize, save, scale, sub, vec3 } from '../../core/math/vec3.js'
import type { Track } from '../curves/track.js'

// what is stored for each agent: where the easing begins (m), and the offset (m) and slope there
const FROM = 0
const OFFSET = 1
const SLOPE = 4

/** Numbers that store the easing of an agent. */
export const EASE_WIDTH = 7

/** Less of a plan than this (m) cannot be eased. */
const LEAST_SPAN = 1e-9

/**
 * A plan that was moved under its agent, flown from where the agent was: the offset between both is taken off
 * along the rest of the plan by a cubic that is zero, and level, at its end.
 */
export class EasedPath implements Track {
  private plan!: ArcPath
  private from = 0.5
  private span = 0.5
  private readonly offset: Vec3 = vec3()
  private readonly slope: Vec3 = vec3()
  private readonly change: Vec3 = vec3()

  /** Reads the easing of an agent. @returns whether there is one. */
  load(plan: ArcPath, data: Float64Array, at: number): boolean {
    this.plan = plan
    this.from = data[at + FROM]!
    this.span = Math.max(plan.length - this.from, LEAST_SPAN)
    load(this.offset, data, at + OFFSET)
    load(this.slope, data, at + SLOPE)
    return !(isZero(this.offset) && isZero(this.slope))
  }

  /**
   * Begins an easing of `plan` at `s`, where the agent is to pass `position` in the direction `tangent`. At
   * `s` at most `most` (1/m) of curvature is added: beyond it only a share is eased, and the rest is a jump.
   * @returns the greatest curvature (1/m) of the whole easing without that limit.
   */
  begin(plan: ArcPath, s: number, position: Vec3Like, tangent: Vec3Like, most: number): number {
    const { change, offset, slope } = this
    this.plan = plan
    this.from = s
    const span = (this.span = Math.max(plan.length - s, LEAST_SPAN))
    sub(offset, position, plan.pointAt(change, s))
    sub(slope, tangent, plan.tangentAt(change, s))
    const atStart = length(addScaled(change, scale(change, offset, 6 / (span * span)), slope, 4 / span))
    const atEnd = length(addScaled(change, scale(change, offset, 6 / (span * span)), slope, 2 / span))
    const share = Math.min(1, most / Math.max(atStart, Number.MIN_VALUE))
    scale(offset, offset, share)
    scale(slope, slope, share)
    return Math.max(atStart, atEnd)
  }

  /** Stores the easing of an agent. */
  save(data: Float64Array, at: number): void {
    data[at + FROM] = this.from
    save(this.offset, data, at + OFFSET)
    save(this.slope, data, at + SLOPE)
  }

  get count(): number {
    return this.plan.count
  }

  pieceAt(s: number): number {
    return this.plan.pieceAt(s)
  }

  bendOf(i: number): number {
    return this.plan.bendOf(i)
  }

  pointAt(out: Vec3, s: number): Vec3 {
    this.plan.pointAt(out, s)
    const t = this.shareAt(s)
    const left = (1 - t) * (1 - t)
    addScaled(out, out, this.offset, (1 + 2 * t) * left)
    return addScaled(out, out, this.slope, this.span * t * left)
  }

  tangentAt(out: Vec3, s: number): Vec3 {
    this.plan.tangentAt(out, s)
    const t = this.shareAt(s)
    addScaled(out, out, this.offset, (-6 * t * (1 - t)) / this.span)
    addScaled(out, out, this.slope, (1 - t) * (1 - 3 * t))
    return normalize(out, out)
  }

  curvatureAt(out: Vec3, s: number): Vec3 {
    this.plan.curvatureAt(out, s)
    const t = this.shareAt(s)
    addScaled(out, out, this.offset, (12 * t - 6) / (this.span * this.span))
    return addScaled(out, out, this.slope, (6 * t - 4) / this.span)
  }

  private shareAt(s: number): number {
    return Math.min(Math.max((s - this.from) / this.span, 0), 1)
  }
}
