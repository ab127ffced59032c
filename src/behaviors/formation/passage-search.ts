import type { Archive, Frame, Serializable, Step, Vec3, Vec3Like } from '../../types.js'
import type { Obstacles } from '../../obstacles/obstacles.js'
import { carryFrame, copyFrame, frame } from '../../math/frame.js'
import { addScaled, copy, isZero, length, normalize, scale, set, sub, vec3 } from '../../math/vec3.js'
import type { Anchor } from './anchor.js'
import { timeFor } from './formation-change.js'
import type { FormationMotion } from './formation-motion.js'
import type { FormationSlot } from './formation-slot.js'
import type { Trail } from './trail.js'

/** Writes where the leader will be in so many metres, m, world axes. */
export type FormationRoute = (ahead: number, out: Vec3) => void

/** The way is looked at in steps of at least this share of a radius. */
const FINEST = 0.5

const AT_REST = 1e-6

/** Time (s) between two looks at the way ahead, and for which it must be free before the formation opens. */
const LOOK_TIME = 0.1
const FREE_TIME = 0.3

/** More room is asked for to open than to stay open, as a share of the radius. */
const OPEN_ROOM = 0.15

const along: Frame = frame()
const middle = vec3()
const next = vec3()
const way = vec3()
const spot = vec3()
const tried = vec3()
const normal = vec3()
const origin: Vec3Like = { x: 0, y: 0, z: 0 }

/** How much narrower and lower a formation can be flown, in the order in which that is tried: shares of what can be squeezed out of it. */
const NARROWER = [0, 0.5, 0, 0.5, 1, 0, 1]
const LOWER = [0, 0, 0.5, 0.5, 0, 1, 1]
const COLUMN = NARROWER.length

/** Ways of a change may be arcs. */
const LONGER = Math.PI / 2

/** Squeezed, the members are still this many radii of the largest apart. */
const SQUEEZED = 4

/**
 * Looks whether a formation can pass as it is: each slot is swept along the way of the leader, as a ball. Where it cannot, it is flown narrower
 * or lower, and where that is not enough, as a column, which always passes where the leader does (J. van Verth in Green, Steering
 * Formations).
 */
export class PassageSearch implements Serializable {
  readonly obstacles: Obstacles | null
  readonly route: FormationRoute | null
  private readonly margin: number | undefined
  /** What it is to be flown as: 0, as it is, to COLUMN. */
  private level = 0
  /** Least share of the spacing that is left. */
  private least = 1
  /** Way (m) of the anchor at which a slot of what it is now touches something. */
  private gate = 0
  /** Time (s) since the last look, and for which the way has been free for more. */
  private looked = 0
  private freeFor = 0

  constructor(
    obstacles: Obstacles | undefined,
    route: FormationRoute | undefined,
    margin: number | undefined,
  ) {
    this.obstacles = obstacles ?? null
    this.route = route ?? null
    this.margin = margin
  }

  serialize(archive: Archive): void {
    for (const name of ['level', 'least', 'gate', 'looked', 'freeFor'] as const)
      this[name] = archive.number(this[name])
  }

  get column(): boolean {
    return this.level === COLUMN
  }

  /** Slots as they are to be flown, unless that is a column. */
  squeeze(slots: readonly FormationSlot[]): readonly FormationSlot[] {
    return this.level === 0
      ? slots
      : slots.map((slot) => ({ ...slot, position: this.squeezed(vec3(), slot.position, this.level) }))
  }

  /**
   * Chooses what the formation can pass as: narrower at once, wider when the last has passed. `slots`: those of the pattern as it is, `spacing` (m)
   * apart; `radius`, `gap` (m): of the largest member, and of two in a column. Returns whether that is something else.
   */
  search(
    motion: FormationMotion,
    slots: readonly FormationSlot[],
    spacing: number,
    radius: number,
    gap: number,
    step: Step,
  ): boolean {
    const { obstacles } = this
    if (obstacles === null) return false
    this.looked += step.dt
    if (this.looked < LOOK_TIME) return false
    obstacles.refreshFor(step)
    const { limits, trail } = motion
    const reach = reachOf(slots)
    const column = slots.length * gap
    const behind = this.column ? -column : -reach
    const usual = limits.speed * timeFor(0, LONGER * column, LONGER * reach, limits) + reach + radius
    // what it has closed for is looked at until it is passed, however slow it is by now
    const far = this.level > 0 ? Math.max(usual, this.gate - trail.head + 2 * reach + radius) : usual
    this.least = Math.min(1, (SQUEEZED * radius) / spacing)
    const now = this.level
    let best = COLUMN
    for (let level = 0; level < COLUMN && best === COLUMN; level++) {
      if (level > 0 && this.least === 1) break
      const room = radius * (level < now ? 1 + OPEN_ROOM : 1) + (this.margin ?? radius / 2)
      const clear = this.free(obstacles, motion, slots, level, room, level < now ? behind : 0, far)
      if (clear < far && level <= now) this.gate = trail.head + clear
      if (clear >= far) best = level
    }
    this.freeFor = best < now ? this.freeFor + this.looked : 0
    this.looked = 0
    if (best === now || (best < now && this.freeFor < FREE_TIME)) return false
    this.level = best
    return true
  }

  /** Speed (m/s) at which it has changed before it is there. */
  pace({ change, trail }: FormationMotion): number {
    return this.level > 0 && change.running ? Math.max(this.gate - trail.head, 0) / change.left : Infinity
  }

  private squeezed(out: Vec3, { x, y, z }: Vec3Like, level: number): Vec3 {
    const most = 1 - this.least
    return set(out, x, y * (1 - most * (LOWER[level] ?? 0)), z * (1 - most * (NARROWER[level] ?? 0)))
  }

  /**
   * How far (m, at most `far`) all slots are free, from `behind` (m, ≤ 0) the anchor on; `radius` (m) is that of the ball. What lies beyond
   * the place where the leader himself would touch says nothing: he will turn.
   */
  private free(
    obstacles: Obstacles,
    { anchor, trail }: FormationMotion,
    slots: readonly FormationSlot[],
    level: number,
    radius: number,
    behind: number,
    far: number,
  ): number {
    if (obstacles.size === 0) return far
    const reach = reachOf(slots)
    const own = this.sweep(obstacles, anchor, trail, origin, radius, 0, far)
    const least = own < far ? own - reach : far
    for (const { position } of slots) {
      const local = this.squeezed(tried, position, level)
      const clear = this.sweep(obstacles, anchor, trail, local, radius, behind, least)
      if (clear < least) return clear
    }
    return own < far ? far : least
  }

  /** Way (m) at which a ball at `local` touches something, no more than `far`. */
  private sweep(
    obstacles: Obstacles,
    anchor: Anchor,
    trail: Trail,
    local: Vec3Like,
    radius: number,
    behind: number,
    far: number,
  ): number {
    for (let d = behind; d < far;) {
      this.placeAt(spot, anchor, trail, local, d)
      const gap = obstacles.distance(spot, normal) - radius
      if (gap < 0) return d
      d += Math.max(gap, FINEST * radius)
    }
    return far
  }

  /** Writes where the slot will be when the leader has gone on by `d`; of the past, where he was. */
  private placeAt(out: Vec3, anchor: Anchor, trail: Trail, local: Vec3Like, d: number): void {
    if (d < 0) {
      trail.place(out, local, trail.head + d)
      return
    }
    copyFrame(along, anchor.frame)
    const { route } = this
    if (route === null) {
      const speed = length(anchor.velocity)
      if (speed > AT_REST) scale(way, anchor.velocity, 1 / speed)
      else copy(way, anchor.frame.x)
      addScaled(middle, anchor.position, way, d)
    } else {
      set(middle, NaN, NaN, NaN)
      route(d, middle)
      route(d + Math.max(1e-3 * d, 1e-3), next)
      normalize(way, sub(way, next, middle))
      if (!isZero(way)) carryFrame(along, way)
    }
    addScaled(out, middle, along.x, local.x)
    addScaled(out, out, along.y, local.y)
    addScaled(out, out, along.z, local.z)
  }
}

/** Distance (m) of the outermost slot. */
export function reachOf(slots: readonly FormationSlot[]): number {
  let reach = 0
  for (const { position } of slots) reach = Math.max(reach, length(position))
  return reach
}
