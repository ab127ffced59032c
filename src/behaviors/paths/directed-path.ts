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
const REVERSAL = 1.8

/** So near, as a share of the path, a waypoint is where one is. */
const SAME_PLACE = 1e-9

const tangentBefore = vec3()
const tangentBehind = vec3()
const origin = vec3()
const startTangent = vec3()
const straightPoint = vec3()
const curvePoint = vec3()

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
    return add(out, this.pathAt(u).pointAt(out, this.stationAt(u)), this.shift)
  }

  tangentAt(out: Vec3, u: number): Vec3 {
    return scale(out, this.pathAt(u).tangentAt(out, this.stationAt(u)), this.direction)
  }

  curvatureAt(out: Vec3, u: number): Vec3 {
    return this.pathAt(u).curvatureAt(out, this.stationAt(u))
  }

  pieceAt(u: number): number {
    const { base } = this
    const path = this.pathAt(u)
    const piece = path.line.pieceAt(path.within(this.stationAt(u)))
    return path === base ? piece : base.line.count + piece
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
    this.pointAt(origin, u)
    this.tangentAt(startTangent, u)
    let straight = slack
    for (; straight < left && straight < this.base.lap; straight *= GROWTH) {
      addScaled(straightPoint, origin, startTangent, straight)
      if (distance(straightPoint, this.pointAt(curvePoint, u + straight)) > slack) break
    }
    return Math.min(straight, left)
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
      if (path.cornerOf(direction > 0 ? next : i) > REVERSAL) return border
      i = next
      s = line.startOf(direction > 0 ? i : i + 1)
    }
    return NaN
  }

  /** Way of the next waypoint after `u`; where there is none the end. */
  nextWaypointStation(u: number): number {
    return Math.min(u + this.distanceToWaypoint(u, 1), this.end)
  }

  /** Way of the last waypoint before `u`; where there is none the start. */
  previousWaypointStation(u: number): number {
    const back = this.distanceToWaypoint(u, -1)
    return back < Infinity ? u - back : this.begin
  }

  /** Number of the segment ahead at `u`, and of the waypoint at its far end. */
  segmentAt(u: number): number {
    return this.base.segmentAt(this.direction * (u + SAME_PLACE * this.base.lap))
  }

  waypointAt(u: number): number {
    const { direction, base: path } = this
    const s = direction * (u + SAME_PLACE * path.lap)
    const returns = path.ends === 'ping-pong' && path.within(s) > path.length
    return (path.segmentAt(s) + (direction > 0 !== returns ? 1 : 0)) % path.count
  }

  /**
   * How fast (m/s) one may be at `u`: as fast as the bends allow, and slow enough to brake for those within reach of the brakes, for corners,
   * so that they are overshot by no more than `slack` (m), and for the end.
   */
  speedAt(u: number, limits: VehicleLimits, slack: number): number {
    const { direction, end, next, base: path } = this
    if (next === null || end - u > brakingReach(limits))
      return speedOnPath(path, direction, u, limits.final, limits, slack)
    const start = beginOf(next, direction)
    let final = speedOnPath(next, direction, start, limits.final, limits, slack)
    path.tangentAt(tangentBefore, this.stationAt(end))
    next.tangentAt(tangentBehind, direction * start)
    const turn = distance(tangentBefore, tangentBehind)
    if (turn > MIN_CORNER) final = Math.min(final, cornerSpeed(turn, limits, slack))
    return speedOnPath(path, direction, u, final, limits, slack)
  }

  /** Goes on to the next piece. @returns the way there that was `u` here. */
  continueOnNext(u: number): number {
    const over = u - this.end
    this.base = this.next!
    this.next = null
    return this.begin + Math.max(0, over)
  }

  /** The path that holds `u`, and where on it that is. */
  private pathAt(u: number): Path {
    return this.next !== null && u > this.end ? this.next : this.base
  }

  private stationAt(u: number): number {
    const { direction, end, next } = this
    return direction * (next !== null && u > end ? beginOf(next, direction) + u - end : u)
  }

  /** Way to the nearest waypoint ahead (`side` 1) or behind (−1). */
  private distanceToWaypoint(u: number, side: 1 | -1): number {
    const { direction, base: path } = this
    const { count, lap } = path
    let least = Infinity
    for (let i = 0; i < 2 * count; i++) {
      if (i >= count && path.ends !== 'ping-pong') break
      const waypoint = path.stationOf(i % count)
      let gap = side * (direction * (i < count ? waypoint : lap - waypoint) - u)
      if (path.endless) gap -= lap * Math.floor(gap / lap)
      // where it is counts as passed, for all the rounding
      if (gap <= SAME_PLACE * lap) gap = path.endless ? gap + lap : Infinity
      least = Math.min(least, gap)
    }
    return least
  }
}

/** A tangent that changes by less than this has no corner. */
const MIN_CORNER = 1e-5

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

function cornerSpeed(turn: number, { brake, lateral }: VehicleLimits, slack: number): number {
  return Math.sqrt(2 * Math.min(lateral, brake) * slack) / turn
}

function speedOnPath(
  path: Path,
  direction: 1 | -1,
  u: number,
  final: number,
  limits: VehicleLimits,
  slack: number,
): number {
  const { line } = path
  const { cruise } = limits
  const end = endOf(path, direction)
  const last = Math.min(u + Math.min(brakingReach(limits), path.lap), end)
  let speed = last === end ? Math.min(final, cruise) : cruise
  let s = path.within(direction * last)
  let i = line.pieceAt(s)
  let left = last - u
  for (let n = 0; n <= 2 * line.count; n++) {
    const border = line.startOf(direction > 0 ? i : i + 1)
    const span = Math.max(0, Math.min(direction * (s - border), left))
    speed = Math.min(slowedFrom(speed, span, line.bendOf(i), limits), heldOn(line, i, limits), cruise)
    left -= span
    if (!(left > 0)) return speed
    // on to the piece before
    const next = (i + (direction > 0 ? line.count - 1 : 1)) % line.count
    const corner = path.cornerOf(direction > 0 ? i : next)
    if (corner > 0) speed = Math.min(speed, cornerSpeed(corner, limits, slack))
    i = next
    s = line.startOf(direction > 0 ? i + 1 : i)
  }
  return speed
}

/** An agent moves on by no more than so many of its steps. */
const MAX_STEPS = 4

/** Share of the force across that a spring may take to be one that does not overshoot; with which one comes back. */
const SPRING_SHARE = 0.5
const RETURN_SHARE = 0.5

/** Steepest return to the path: sine of the angle to it. */
const MAX_RETURN_SINE = 0.8

/** So near to a turning back, in radii, one has turned. */
const TURNED_BACK = 0.02

const pathPoint = vec3()
const offset = vec3()
const pathTangent = vec3()
const wanted = vec3()
const trackPoint: TrackPoint = { s: 0.5, radius: 0.5, pace: 0.5, change: 0.5 }

/**
 * Way of the agent's point on its lane: no farther on than it can have moved, and not back. Only who was pushed off looks as much farther to both
 * sides as he is off.
 */
export function reproject(
  path: DirectedPath,
  agent: Agent,
  step: Step,
  previous: number,
  tube: number,
): number {
  const reach = MAX_STEPS * agent.speed * step.dt
  const offPath = distance(agent.position, path.pointAt(pathPoint, previous))
  const extra = Math.max(0, offPath - reach - tube - agent.radius)
  const u = path.nearest(agent.position, previous - extra, Math.min(previous + reach + extra, path.end))
  // where the way turns back, what is nearest is always on this side
  const nextMove = Math.max(agent.speed * step.dt, TURNED_BACK * agent.radius)
  const fold = path.reversalAfter(u, u + nextMove)
  return Number.isNaN(fold) ? u : fold + nextMove
}

/** Adds the force (N) that flies along the lane at `u`: within the tube without a pull to the middle; from far off it comes back first. */
export function flyDirectedPath(
  path: DirectedPath,
  agent: Agent,
  step: Step,
  u: number,
  tube: number,
  limits: VehicleLimits,
  out: Wrench,
): void {
  const { dt } = step
  path.tangentAt(pathTangent, u)
  reject(offset, sub(offset, agent.position, path.pointAt(pathPoint, u)), pathTangent)
  const offsetLength = length(offset)
  const slack = Math.max(tube, agent.radius)
  trackPoint.s = u
  trackPoint.radius = turnRadius(limits, agent.speed)
  trackPoint.pace = path.speedAt(u, limits, slack)
  trackPoint.change = Math.min(0, path.speedAt(u + agent.speed * dt, limits, slack) - trackPoint.pace) / dt
  const tubeShare = offsetLength > tube ? tube / offsetLength : 1
  const outside = offsetLength * (1 - tubeShare)
  // as stiff as the tracker is at this speed
  const speed = Math.max(agent.speed, SLOWEST * limits.cruise)
  const springRate = stiffness(speed, trackPoint.radius, limits.lag, dt)
  if (springRate * springRate * outside > SPRING_SHARE * limits.lateral) {
    const inwards = brakingSpeed(outside, RETURN_SHARE * limits.lateral, 0, 1 / springRate)
    returnToPath(path, agent, step, Math.min(inwards, MAX_RETURN_SINE * trackPoint.pace) / offsetLength, out)
    return
  }
  scale(path.shift, offset, tubeShare)
  trackPath(agent, step, path, trackPoint, limits, out)
  set(path.shift, 0, 0, 0)
}

/** Flies along the lane and back to it, at `rate` (1/s) of what it is off. */
function returnToPath(path: DirectedPath, agent: Agent, step: Step, rate: number, out: Wrench): void {
  const inwards = rate * length(offset)
  scale(wanted, pathTangent, Math.sqrt(Math.max(0, trackPoint.pace * trackPoint.pace - inwards * inwards)))
  drive(agent, step, addScaled(wanted, wanted, offset, -rate), out.force)
  const along = dot(agent.velocity, pathTangent)
  path.curvatureAt(wanted, trackPoint.s)
  addScaled(out.force, out.force, wanted, agent.mass * along * along)
  if (agent.wish === null) truncate(out.force, out.force, agent.maxForce)
  if (agent.forceTurnTime > 0) agent.turnForForce(out.force, step, out)
}
