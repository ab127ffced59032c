import type { Frame, Step, Vec3, Vec3Like } from '../../core/types.js'
import type { Obstacles } from '../../core/obstacles/obstacles.js'
import { carryFrame, copyFrame, frame } from '../../core/math/frame.js'
import { addScaled, copy, isZero, length, normalize, scale, set } from '../../core/math/vec3.js'
import { sub, vec3, ZERO } from '../../core/math/vec3.js'
import { changeTime } from './formation-change.js'
import type { FormationMotion } from './formation-motion.js'
import type { FormationSlot } from './formation-slot.js'
import { Saved } from '../../core/control/serialize-fields.js'

/** What a search for a passage reads of its formation, see `FormationShape`. */
export interface PassageOptions {
  readonly obstacles: Obstacles | undefined
  readonly clearance: number | undefined
  /** Writes where the leader will be after flying `ahead` metres. Returns whether that is known. */
  placeAhead(ahead: number, out: Vec3): boolean
}

/** Least step of a sweep, as a share of the radius of the ball that is swept. Chosen by hand. */
const LEAST_STEP = 0.5

/** A sweep ends after so many steps, so that it ends for every radius and distance. Chosen by hand. */
const MAX_STEPS = 1e4

/** Below this speed (m/s) the leader is at rest, and its nose is taken for its course. */
const AT_REST = 1e-6

/** Time (s) between searches, and for which the path must be free before it opens. Chosen by hand. */
export const SEARCH_PERIOD = 0.1
export const FREE_TIME = 0.3

/**
 * Additional clearance, as a share of the radius, that opening needs. It prevents the formation
 * from opening and closing repeatedly. Chosen by hand.
 */
export const OPENING_CLEARANCE = 0.15

const along: Frame = frame()
const middle = vec3()
const next = vec3()
const direction = vec3()
const spot = vec3()
const squeezedOffset = vec3()
const normal = vec3()

/**
 * The levels of squeezing, in the order in which they are tried: by which share of the possible amount the
 * formation is flown narrower, and lower. The level after the last of them is the column.
 */
const NARROWER = [0, 0.5, 0, 0.5, 1, 0, 1]
const LOWER = [0, 0, 0.5, 0.5, 0, 1, 1]
const COLUMN = NARROWER.length

/** The paths of a change may be arcs, longer than straight paths by this factor. */
const ARC_FACTOR = Math.PI / 2

/** Least distance of members in a squeezed formation, in radii of the largest. Chosen by hand. */
const SQUEEZED_RADII = 4

/**
 * Finds out whether a formation can pass the obstacles as it is: each slot is swept as a ball along the path
 * of the leader. If it cannot, the formation is flown narrower or lower, and if that is not enough, as a
 * column, which always passes where the leader does (J. van Verth in Green, Steering Formations).
 */
export class PassageSearch extends Saved {
  readonly options: PassageOptions
  /** Level of squeezing: 0, not at all, to COLUMN. */
  private level = 0
  /** Least share of the spacing to which it can be squeezed. */
  private leastShare = 1
  /** Station (m) of the anchor at which a slot of the present shape touches an obstacle. */
  private blockedStation = 0
  /** Time (s) since the last search, and for which the path has been free for a wider shape. */
  private sinceSearch = 0
  private freeFor = 0

  private readonly motion: FormationMotion

  constructor(options: PassageOptions, motion: FormationMotion) {
    super()
    this.options = options
    this.motion = motion
  }

  get column(): boolean {
    return this.level === COLUMN
  }

  /** The slots as they are to be flown, unless the formation is a column. */
  squeeze(slots: readonly FormationSlot[]): readonly FormationSlot[] {
    return this.level === 0
      ? slots
      : slots.map((slot) => ({ ...slot, position: this.squeezed(vec3(), slot.position, this.level) }))
  }

  /**
   * Chooses the widest shape that passes: a narrower one at once, a wider one when the path has been free for
   * a while. `slots`: those of the pattern, not squeezed, `spacing` (m) apart. `gap` (m): between two members
   * of a column. Returns whether the shape has changed.
   */
  search(slots: readonly FormationSlot[], spacing: number, gap: number, step: Step): boolean {
    const { obstacles } = this.options
    if (obstacles === undefined && this.level === 0) return false
    this.sinceSearch += step.dt
    if (this.sinceSearch < SEARCH_PERIOD) return false
    obstacles?.refreshFor(step)
    const { limits, trail } = this.motion
    const { radius } = limits
    const size = formationRadius(slots)
    const column = slots.length * gap
    const behind = this.column ? -column : -size
    const usual = limits.speed * changeTime(0, ARC_FACTOR * column, ARC_FACTOR * size, limits) + size + radius
    // the obstacle that made it close is watched until it is passed, even if the formation has become slow
    const lookAhead =
      this.level > 0 ? Math.max(usual, this.blockedStation - trail.head + 2 * size + radius) : usual
    this.leastShare = Math.min(1, (SQUEEZED_RADII * radius) / spacing)
    const now = this.level
    let best = COLUMN
    for (let level = 0; level < COLUMN && best === COLUMN; level++) {
      if (level > 0 && this.leastShare === 1) break
      const clearance = (level < now ? OPENING_CLEARANCE * radius : 0) + this.clearanceOf(radius)
      const free = this.freeDistance(slots, level, clearance, level < now ? behind : 0, lookAhead)
      if (free < lookAhead && level <= now) this.blockedStation = trail.head + free
      if (free >= lookAhead) best = level
    }
    this.freeFor = best < now ? this.freeFor + this.sinceSearch : 0
    this.sinceSearch = 0
    if (best === now || (best < now && this.freeFor < FREE_TIME)) return false
    this.level = best
    return true
  }

  /** Speed of the leader (m/s) at which a change that has begun ends before the obstacle. */
  get maxLeaderSpeed(): number {
    const { change, trail } = this.motion
    return this.level > 0 && change.running
      ? Math.max(this.blockedStation - trail.head, 0) / change.remaining
      : Infinity
  }

  private squeezed(out: Vec3, { x, y, z }: Vec3Like, level: number): Vec3 {
    const most = 1 - this.leastShare
    return set(out, x, y * (1 - most * (LOWER[level] ?? 0)), z * (1 - most * (NARROWER[level] ?? 0)))
  }

  /**
   * Distance (m, at most `lookAhead`) for which all slots are free, from `behind` (m, ≤ 0) the anchor on, for
   * members that keep `clearance` (m). If the leader itself would touch an obstacle, it will
   * turn before that place, so contacts of slots beyond it do not count, unless its route is known. The
   * leader is swept without clearance, because it does not turn before a passage in which it only comes
   * nearer than that.
   */
  private freeDistance(
    slots: readonly FormationSlot[],
    level: number,
    clearance: number,
    behind: number,
    lookAhead: number,
  ): number {
    const size = formationRadius(slots)
    const { radius } = this.motion.limits
    const leaderFree = this.leaderFreeDistance(radius, lookAhead)
    const least = leaderFree < lookAhead ? leaderFree - size : lookAhead
    for (const { position } of slots) {
      const local = this.squeezed(squeezedOffset, position, level)
      const free = this.sweep(local, radius + clearance, behind, least)
      if (free < least) return free
    }
    return leaderFree < lookAhead ? lookAhead : least
  }

  /** Clearance (m) that a slot needs to pass, for a member of this radius (m). */
  clearanceOf(radius: number): number {
    return this.options.clearance ?? radius / 2
  }

  /** Distance (m, at most `far`) for which the leader is free, without clearance; `far` on a known route. */
  leaderFreeDistance(radius: number, far: number): number {
    return this.options.placeAhead(0, middle) ? far : this.sweep(ZERO, radius, 0, far)
  }

  /** Distance (m, at most `far`) at which a ball at `local` touches an obstacle, from `behind` (m) on. */
  sweep(local: Vec3Like, radius: number, behind: number, far: number): number {
    const { obstacles } = this.options
    if (obstacles === undefined || obstacles.size === 0) return far
    for (let d = behind, steps = 0; d < far && steps < MAX_STEPS; steps++) {
      this.placeAfter(spot, local, d)
      const gap = obstacles.distance(spot, normal) - radius
      if (gap < 0) return d
      d += Math.max(gap, LEAST_STEP * radius)
    }
    return far
  }

  /** Writes where a slot is after the leader has flown `d` (m) on; for `d` < 0, where it was on its trail. */
  private placeAfter(out: Vec3, local: Vec3Like, d: number): void {
    const { anchor, trail } = this.motion
    if (d < 0) {
      trail.place(out, local, trail.head + d)
      return
    }
    copyFrame(along, anchor.frame)
    const { options } = this
    if (!options.placeAhead(d, middle)) {
      const speed = length(anchor.velocity)
      if (speed > AT_REST) scale(direction, anchor.velocity, 1 / speed)
      else copy(direction, anchor.frame.x)
      addScaled(middle, anchor.position, direction, d)
    } else {
      options.placeAhead(d + Math.max(1e-3 * d, 1e-3), next)
      normalize(direction, sub(direction, next, middle))
      if (!isZero(direction)) carryFrame(along, direction)
    }
    addScaled(out, middle, along.x, local.x)
    addScaled(out, out, along.y, local.y)
    addScaled(out, out, along.z, local.z)
  }
}

/** Distance (m) of the outermost slot from the origin. */
export function formationRadius(slots: readonly FormationSlot[]): number {
  let radius = 0
  for (const { position } of slots) radius = Math.max(radius, length(position))
  return radius
}
