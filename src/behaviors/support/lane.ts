import type { Vec3, Vec3Like } from '../../types.js'
import type { Path } from '../../path/path.js'
import { BRAKE_SHARE } from '../../control/profile.js'
import { add, scale, vec3 } from '../../math/vec3.js'
import type { Terms } from './ability.js'
import { heldOn, slowedFrom, type Track } from './track.js'

/** A corner as sharp as this, see `cornerOf`, leads back: beyond it is beside what is before it. */
const FOLD = 1.8

/**
 * A path as one agent flies it: in its direction, and beside the middle by `shift`. The way `u` (m) grows in the direction of flight; against
 * the path it is −s.
 */
export class Lane implements Track {
  readonly shift: Vec3 = vec3()
  path!: Path
  direction: 1 | -1 = 1

  get count(): number {
    return this.path.line.count
  }

  /** Way at which an open path ends, m; Infinity where it does not. */
  get end(): number {
    if (this.path.endless) return Infinity
    return this.direction > 0 ? this.path.length : 0
  }

  /** Way at which it starts, m. */
  get begin(): number {
    return this.direction < 0 && !this.path.endless ? -this.path.length : 0
  }

  pointAt(out: Vec3, u: number): Vec3 {
    return add(out, this.path.pointAt(out, this.direction * u), this.shift)
  }

  tangentAt(out: Vec3, u: number): Vec3 {
    return scale(out, this.path.tangentAt(out, this.direction * u), this.direction)
  }

  curvatureAt(out: Vec3, u: number): Vec3 {
    return this.path.curvatureAt(out, this.direction * u)
  }

  pieceAt(u: number): number {
    return this.path.line.pieceAt(this.path.within(this.direction * u))
  }

  bendOf(i: number): number {
    return this.path.line.bendOf(i)
  }

  /** Way of the point nearest to `point`, between `from` and `to`. */
  nearest(point: Vec3Like, from: number, to: number): number {
    const { path } = this
    return this.direction > 0 ? path.nearest(point, from, to) : -path.nearest(point, -to, -from)
  }

  /** Way at which it next turns back, if that is before `to`; else NaN. */
  foldAfter(u: number, to: number): number {
    const { direction, path } = this
    const { line } = path
    let s = path.within(direction * u)
    let i = line.pieceAt(s)
    let border = u
    for (let n = 0; n < line.count; n++) {
      const end = line.startOf(direction > 0 ? i + 1 : i)
      border += direction * (end - s)
      if (!(border <= to) || border >= this.end) return NaN
      const next = (i + (direction > 0 ? 1 : line.count - 1)) % line.count
      if (path.cornerOf(direction > 0 ? next : i) > FOLD) return border
      i = next
      s = line.startOf(direction > 0 ? i : i + 1)
    }
    return NaN
  }

  /** Way of the next waypoint after `u`; Infinity where there is none. */
  nextStation(u: number): number {
    const { direction, path } = this
    const { count, lap } = path
    let least = Infinity
    for (let i = 0; i < 2 * count; i++) {
      const there = path.stationOf(i % count)
      if (i >= count && path.ends !== 'ping-pong') break
      let ahead = direction * (i < count ? there : lap - there) - u
      if (path.endless) ahead -= lap * Math.floor(ahead / lap)
      // where it is counts as passed, for all the rounding
      if (ahead <= 1e-9 * lap) ahead = path.endless ? ahead + lap : Infinity
      least = Math.min(least, ahead)
    }
    return u + least
  }

  /**
   * How fast (m/s) one may be at `u`: as fast as the bends allow, and slow enough to brake for those within reach of the brakes, for corners,
   * so that they are overshot by no more than `slack` (m), and for the end.
   */
  paceAt(u: number, terms: Terms, slack: number): number {
    const { direction, path } = this
    const { line } = path
    const { cruise, brake, lateral, response } = terms
    const reach = (cruise * cruise) / Math.max(2 * BRAKE_SHARE * brake, 1e-9) + 2 * cruise * response
    const last = Math.min(u + Math.min(reach, path.lap), this.end)
    let pace = last === this.end ? Math.min(terms.final, cruise) : cruise
    let s = path.within(direction * last)
    let i = line.pieceAt(s)
    let left = last - u
    for (let n = 0; n <= 2 * line.count; n++) {
      const border = line.startOf(direction > 0 ? i : i + 1)
      const room = Math.max(0, Math.min(direction * (s - border), left))
      pace = Math.min(slowedFrom(pace, room, line.bendOf(i), terms), heldOn(this, i, terms), cruise)
      left -= room
      if (!(left > 0)) return pace
      // on to the piece before
      const next = (i + (direction > 0 ? line.count - 1 : 1)) % line.count
      const corner = path.cornerOf(direction > 0 ? i : next)
      if (corner > 0) pace = Math.min(pace, Math.sqrt(2 * Math.min(lateral, brake) * slack) / corner)
      i = next
      s = line.startOf(direction > 0 ? i + 1 : i)
    }
    return pace
  }
}
