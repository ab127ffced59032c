import type { Vec3, Vec3Like } from '../../types.js'
import type { Path } from './path.js'
import { BRAKE_SHARE } from '../../control/profile.js'
import { add, addScaled, distance, scale, vec3 } from '../../math/vec3.js'
import type { VehicleLimits } from '../directed-seek/vehicle-limits.js'
import { maxSpeedOnPiece, maxSpeedBefore, type Track } from '../directed-seek/track.js'

/** A corner as sharp as this, see `cornerOf`, leads back: beyond it is beside what is before it. */
const FOLD = 1.8

/** So near, as a share of the path, a waypoint is where one is. */
const HERE = 1e-9

const before = vec3()
const behind = vec3()
const setOut = vec3()
const ahead = vec3()
const spot = vec3()
const tip = vec3()

/** The way straight on is found to within this factor. */
const GROWTH = 1.25

/**
 * A path as one agent flies it: in its direction, and beside the middle by `shift`. The way `u` (m) grows in the direction of flight; against
 * the path it is −s. Beyond the end of an open path it goes on along the next piece, where there is one.
 */
export class DirectedPath implements Track {
  readonly shift: Vec3 = vec3()
  path!: Path
  next: Path | null = null
  direction: 1 | -1 = 1

  get count(): number {
    return this.path.line.count
  }

  /** Way at which an open path ends, m; Infinity where it does not. */
  get end(): number {
    return endOf(this.path, this.direction)
  }

  /** Way at which it starts, m. */
  get begin(): number {
    return beginOf(this.path, this.direction)
  }

  pointAt(out: Vec3, u: number): Vec3 {
    return add(out, this.holder(u).pointAt(out, this.within(u)), this.shift)
  }

  tangentAt(out: Vec3, u: number): Vec3 {
    return scale(out, this.holder(u).tangentAt(out, this.within(u)), this.direction)
  }

  curvatureAt(out: Vec3, u: number): Vec3 {
    return this.holder(u).curvatureAt(out, this.within(u))
  }

  pieceAt(u: number): number {
    const { path } = this
    const holder = this.holder(u)
    const piece = holder.line.pieceAt(holder.within(this.within(u)))
    return holder === path ? piece : path.line.count + piece
  }

  bendOf(i: number): number {
    const { line } = this.path
    return i < line.count ? line.bendOf(i) : this.next!.line.bendOf(i - line.count)
  }

  /** Way of the point nearest to `point`, between `from` and `to`. */
  nearest(point: Vec3Like, from: number, to: number): number {
    const { path } = this
    return this.direction > 0 ? path.nearest(point, from, to) : -path.nearest(point, -to, -from)
  }

  /** Way (m) from `u` on for which it leads straight on, within `slack` (m, > 0); no farther than to the end. */
  straightFrom(u: number, slack: number): number {
    const left = this.next === null ? this.end - u : Infinity
    this.pointAt(setOut, u)
    this.tangentAt(ahead, u)
    let way = slack
    for (; way < left && way < this.path.lap; way *= GROWTH) {
      addScaled(spot, setOut, ahead, way)
      if (distance(spot, this.pointAt(tip, u + way)) > slack) break
    }
    return Math.min(way, left)
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

  /** Way of the next waypoint after `u`; where there is none the end. */
  nextStation(u: number): number {
    return Math.min(u + this.toStation(u, 1), this.end)
  }

  /** Way of the last waypoint before `u`; where there is none the start. */
  lastStation(u: number): number {
    const back = this.toStation(u, -1)
    return back < Infinity ? u - back : this.begin
  }

  /** Number of the segment ahead at `u`, and of the waypoint at its far end. */
  segmentAt(u: number): number {
    return this.path.segmentAt(this.direction * (u + HERE * this.path.lap))
  }

  waypointAt(u: number): number {
    const { direction, path } = this
    const s = direction * (u + HERE * path.lap)
    const returns = path.ends === 'ping-pong' && path.within(s) > path.length
    return (path.segmentAt(s) + (direction > 0 !== returns ? 1 : 0)) % path.count
  }

  /**
   * How fast (m/s) one may be at `u`: as fast as the bends allow, and slow enough to brake for those within reach of the brakes, for corners,
   * so that they are overshot by no more than `slack` (m), and for the end.
   */
  paceAt(u: number, terms: VehicleLimits, slack: number): number {
    const { direction, end, next, path } = this
    if (next === null || end - u > reachOf(terms))
      return paceOn(path, direction, u, terms.final, terms, slack)
    const start = beginOf(next, direction)
    let final = paceOn(next, direction, start, terms.final, terms, slack)
    path.tangentAt(before, this.within(end))
    next.tangentAt(behind, direction * start)
    const turn = distance(before, behind)
    if (turn > CORNER) final = Math.min(final, atCorner(turn, terms, slack))
    return paceOn(path, direction, u, final, terms, slack)
  }

  /** Goes on to the next piece. @returns the way there that was `u` here. */
  goOn(u: number): number {
    const over = u - this.end
    this.path = this.next!
    this.next = null
    return this.begin + Math.max(0, over)
  }

  /** The path that holds `u`, and where on it that is. */
  private holder(u: number): Path {
    return this.next !== null && u > this.end ? this.next : this.path
  }

  private within(u: number): number {
    const { direction, end, next } = this
    return direction * (next !== null && u > end ? beginOf(next, direction) + u - end : u)
  }

  /** Way to the nearest waypoint ahead (`side` 1) or behind (−1). */
  private toStation(u: number, side: 1 | -1): number {
    const { direction, path } = this
    const { count, lap } = path
    let least = Infinity
    for (let i = 0; i < 2 * count; i++) {
      if (i >= count && path.ends !== 'ping-pong') break
      const there = path.stationOf(i % count)
      let way = side * (direction * (i < count ? there : lap - there) - u)
      if (path.endless) way -= lap * Math.floor(way / lap)
      // where it is counts as passed, for all the rounding
      if (way <= HERE * lap) way = path.endless ? way + lap : Infinity
      least = Math.min(least, way)
    }
    return least
  }
}

/** A tangent that changes by less than this has no corner. */
const CORNER = 1e-5

/** Way (m) within which the brakes make themselves felt. */
export function reachOf({ brake, cruise, response }: VehicleLimits): number {
  return (cruise * cruise) / Math.max(2 * BRAKE_SHARE * brake, 1e-9) + 2 * cruise * response
}

function beginOf(path: Path, direction: 1 | -1): number {
  return direction < 0 && !path.endless ? -path.length : 0
}

function endOf(path: Path, direction: 1 | -1): number {
  if (path.endless) return Infinity
  return direction > 0 ? path.length : 0
}

function atCorner(turn: number, { brake, lateral }: VehicleLimits, slack: number): number {
  return Math.sqrt(2 * Math.min(lateral, brake) * slack) / turn
}

function paceOn(
  path: Path,
  direction: 1 | -1,
  u: number,
  final: number,
  terms: VehicleLimits,
  slack: number,
): number {
  const { line } = path
  const { cruise } = terms
  const end = endOf(path, direction)
  const last = Math.min(u + Math.min(reachOf(terms), path.lap), end)
  let pace = last === end ? Math.min(final, cruise) : cruise
  let s = path.within(direction * last)
  let i = line.pieceAt(s)
  let left = last - u
  for (let n = 0; n <= 2 * line.count; n++) {
    const border = line.startOf(direction > 0 ? i : i + 1)
    const room = Math.max(0, Math.min(direction * (s - border), left))
    pace = Math.min(
      maxSpeedBefore(pace, room, line.bendOf(i), terms),
      maxSpeedOnPiece(line, i, terms),
      cruise,
    )
    left -= room
    if (!(left > 0)) return pace
    // on to the piece before
    const next = (i + (direction > 0 ? line.count - 1 : 1)) % line.count
    const corner = path.cornerOf(direction > 0 ? i : next)
    if (corner > 0) pace = Math.min(pace, atCorner(corner, terms, slack))
    i = next
    s = line.startOf(direction > 0 ? i + 1 : i)
  }
  return pace
}
