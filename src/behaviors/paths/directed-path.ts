import type { Vec3, Vec3Like, Agent, Step, Wrench } from '../../types.js'
import type { Path } from './path.js'
import { BRAKE_SHARE, brakingSpeed } from '../../control/profile.js'
import {
  add,
  addScaled,
  distance,
  scale,
  vec3,
  dot,
  length,
  reject,
  set,
  sub,
  truncate,
} from '../../math/vec3.js'
import { SLOWEST, turnRadius, type VehicleLimits } from '../directed-seek/vehicle-limits.js'
import {
  heldOn,
  slowedFrom,
  stiffness,
  trackPath,
  type Track,
  type TrackPoint,
} from '../directed-seek/track.js'
import { drive } from '../../control/drive.js'

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
  base!: Path
  next: Path | null = null
  direction: 1 | -1 = 1

  get count(): number {
    return this.base.line.count
  }

  /** Way at which an open path ends, m; Infinity where it does not. */
  get end(): number {
    return endOf(this.base, this.direction)
  }

  /** Way at which it starts, m. */
  get begin(): number {
    return beginOf(this.base, this.direction)
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
    const { base: path } = this
    const holder = this.holder(u)
    const piece = holder.line.pieceAt(holder.within(this.within(u)))
    return holder === path ? piece : path.line.count + piece
  }

  bendOf(i: number): number {
    const { line } = this.base
    return i < line.count ? line.bendOf(i) : this.next!.line.bendOf(i - line.count)
  }

  /** Way of the point nearest to `point`, between `from` and `to`. */
  nearest(point: Vec3Like, from: number, to: number): number {
    const { base: path } = this
    return this.direction > 0 ? path.nearest(point, from, to) : -path.nearest(point, -to, -from)
  }

  /** Way (m) from `u` on for which it leads straight on, within `slack` (m, > 0); no farther than to the end. */
  straightDistance(u: number, slack: number): number {
    const left = this.next === null ? this.end - u : Infinity
    this.pointAt(setOut, u)
    this.tangentAt(ahead, u)
    let way = slack
    for (; way < left && way < this.base.lap; way *= GROWTH) {
      addScaled(spot, setOut, ahead, way)
      if (distance(spot, this.pointAt(tip, u + way)) > slack) break
    }
    return Math.min(way, left)
  }

  /** Way at which it next turns back, if that is before `to`; else NaN. */
  reversalAfter(u: number, to: number): number {
    const { direction, base: path } = this
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
  nextWaypointStation(u: number): number {
    return Math.min(u + this.toStation(u, 1), this.end)
  }

  /** Way of the last waypoint before `u`; where there is none the start. */
  previousWaypointStation(u: number): number {
    const back = this.toStation(u, -1)
    return back < Infinity ? u - back : this.begin
  }

  /** Number of the segment ahead at `u`, and of the waypoint at its far end. */
  segmentAt(u: number): number {
    return this.base.segmentAt(this.direction * (u + HERE * this.base.lap))
  }

  waypointAt(u: number): number {
    const { direction, base: path } = this
    const s = direction * (u + HERE * path.lap)
    const returns = path.ends === 'ping-pong' && path.within(s) > path.length
    return (path.segmentAt(s) + (direction > 0 !== returns ? 1 : 0)) % path.count
  }

  /**
   * How fast (m/s) one may be at `u`: as fast as the bends allow, and slow enough to brake for those within reach of the brakes, for corners,
   * so that they are overshot by no more than `slack` (m), and for the end.
   */
  speedAt(u: number, terms: VehicleLimits, slack: number): number {
    const { direction, end, next, base: path } = this
    if (next === null || end - u > brakingReach(terms))
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
  continueOnNext(u: number): number {
    const over = u - this.end
    this.base = this.next!
    this.next = null
    return this.begin + Math.max(0, over)
  }

  /** The path that holds `u`, and where on it that is. */
  private holder(u: number): Path {
    return this.next !== null && u > this.end ? this.next : this.base
  }

  private within(u: number): number {
    const { direction, end, next } = this
    return direction * (next !== null && u > end ? beginOf(next, direction) + u - end : u)
  }

  /** Way to the nearest waypoint ahead (`side` 1) or behind (−1). */
  private toStation(u: number, side: 1 | -1): number {
    const { direction, base: path } = this
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
export function brakingReach({ brake, cruise, response }: VehicleLimits): number {
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
  const last = Math.min(u + Math.min(brakingReach(terms), path.lap), end)
  let pace = last === end ? Math.min(final, cruise) : cruise
  let s = path.within(direction * last)
  let i = line.pieceAt(s)
  let left = last - u
  for (let n = 0; n <= 2 * line.count; n++) {
    const border = line.startOf(direction > 0 ? i : i + 1)
    const room = Math.max(0, Math.min(direction * (s - border), left))
    pace = Math.min(slowedFrom(pace, room, line.bendOf(i), terms), heldOn(line, i, terms), cruise)
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

/** An agent moves on by no more than so many of its steps. */
const STEPS = 4

/** Share of the force across that a spring may take to be one that does not overshoot; with which one comes back. */
const SPRING_SHARE = 0.5
const RETURN_SHARE = 0.5

/** Steepest return to the path: sine of the angle to it. */
const STEEPEST = 0.8

/** So near to a turning back, in radii, one has turned. */
const TURNED_BACK = 0.02

const pathPoint = vec3()
const off = vec3()
const tangent = vec3()
const wanted = vec3()
const place: TrackPoint = { s: 0.5, radius: 0.5, pace: 0.5, change: 0.5 }

/**
 * Way of the agent's point on its lane: no farther on than it can have moved, and not back. Only who was pushed off looks as much farther to both
 * sides as he is off.
 */
export function reproject(
  lane: DirectedPath,
  agent: Agent,
  step: Step,
  before: number,
  tube: number,
): number {
  const reach = STEPS * agent.speed * step.dt
  const miss = distance(agent.position, lane.pointAt(pathPoint, before))
  const loose = Math.max(0, miss - reach - tube - agent.radius)
  const u = lane.nearest(agent.position, before - loose, Math.min(before + reach + loose, lane.end))
  // where the way turns back, what is nearest is always on this side
  const on = Math.max(agent.speed * step.dt, TURNED_BACK * agent.radius)
  const fold = lane.reversalAfter(u, u + on)
  return Number.isNaN(fold) ? u : fold + on
}

/** Adds the force (N) that flies along the lane at `u`: within the tube without a pull to the middle; from far off it comes back first. */
export function flyDirectedPath(
  lane: DirectedPath,
  agent: Agent,
  step: Step,
  u: number,
  tube: number,
  terms: VehicleLimits,
  out: Wrench,
): void {
  const { dt } = step
  lane.tangentAt(tangent, u)
  reject(off, sub(off, agent.position, lane.pointAt(pathPoint, u)), tangent)
  const aside = length(off)
  const slack = Math.max(tube, agent.radius)
  place.s = u
  place.radius = turnRadius(terms, agent.speed)
  place.pace = lane.speedAt(u, terms, slack)
  place.change = Math.min(0, lane.speedAt(u + agent.speed * dt, terms, slack) - place.pace) / dt
  const free = aside > tube ? tube / aside : 1
  const outside = aside * (1 - free)
  // as stiff as the tracker is at this speed
  const pace = Math.max(agent.speed, SLOWEST * terms.cruise)
  const stiff = stiffness(pace, place.radius, terms.lag, dt)
  if (stiff * stiff * outside > SPRING_SHARE * terms.lateral) {
    const inwards = brakingSpeed(outside, RETURN_SHARE * terms.lateral, 0, 1 / stiff)
    comeBack(lane, agent, step, Math.min(inwards, STEEPEST * place.pace) / aside, out)
    return
  }
  scale(lane.shift, off, free)
  trackPath(agent, step, lane, place, terms, out)
  set(lane.shift, 0, 0, 0)
}

/** Flies along the lane and back to it, at `rate` (1/s) of what it is off. */
function comeBack(lane: DirectedPath, agent: Agent, step: Step, rate: number, out: Wrench): void {
  const inwards = rate * length(off)
  scale(wanted, tangent, Math.sqrt(Math.max(0, place.pace * place.pace - inwards * inwards)))
  drive(agent, step, addScaled(wanted, wanted, off, -rate), out.force)
  const along = dot(agent.velocity, tangent)
  lane.curvatureAt(wanted, place.s)
  addScaled(out.force, out.force, wanted, agent.mass * along * along)
  if (agent.wish === null) truncate(out.force, out.force, agent.maxForce)
  if (agent.forceTurnTime > 0) agent.turnForForce(out.force, step, out)
}
