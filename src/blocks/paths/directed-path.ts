import type { Vec3, Vec3Like, Agent, Step, Wrench } from '../../core/types.js'
import type { Path } from './path.js'
import { BRAKE_SHARE, brakingSpeed } from '../../core/control/profile.js'
import {
  add,
  addScaled,
  distance,
  scale,
  vec3,
  dot,
  length,
  normalize,
  reject,
  set,
  sub,
  truncate,
} from '../../core/math/vec3.js'
import { lateralOn, MIN_SPEED_SHARE, turnRadius, type VehicleLimits } from '../curves/vehicle-limits.js'
import {
  maxSpeedOnPiece,
  maxSpeedBefore,
  cutToOpen,
  stiffness,
  trackPath,
  type Track,
  type TrackPoint,
} from '../curves/track.js'
import { drive, servoTime } from '../../core/control/drive.js'

// The numbers below are chosen by hand unless they say otherwise.

/** A corner at least this sharp (`Path.cornerOf`) reverses the path: its next part lies beside the last. */
const REVERSAL = 1.8

/** A waypoint or a corner within this share of the lap counts as the present position. */
const SAME_PLACE = 1e-9

const tangentBefore = vec3()
const tangentBehind = vec3()
const origin = vec3()
const startTangent = vec3()
const straightPoint = vec3()
const curvePoint = vec3()

/** Factor between two lengths tried by `straightDistance`, and so its relative error. */
const GROWTH = 1.25

/**
 * A path in the direction in which one agent flies it. A station `u` (m) grows in the direction of flight: it
 * is s along the path and −s against it. Beyond the end of an open path the stations continue on the next
 * piece, if there is one. `shift` (m) moves the whole line sideways, so that an agent inside the tube tracks
 * a parallel line.
 */
export class DirectedPath implements Track {
  readonly shift: Vec3 = vec3()
  base!: Path
  next: Path | null = null
  direction: 1 | -1 = 1

  get count(): number {
    return this.base.line.count
  }

  /** Station of the end of an open path (m); Infinity for an endless one. */
  get end(): number {
    return endOf(this.base, this.direction)
  }

  /** Station of the start (m). */
  get begin(): number {
    return beginOf(this.base, this.direction)
  }

  pointAt(out: Vec3, u: number): Vec3 {
    return add(out, this.pathAt(u).pointAt(out, this.stationAt(u)), this.shift)
  }

  /** Writes the unit direction of flight at `u`; at a corner that after it, whatever the rounding. */
  tangentAt(out: Vec3, u: number): Vec3 {
    const { direction } = this
    const path = this.pathAt(u)
    const { line } = path
    const s = path.within(this.stationAt(u))
    const beyond = path.within(s + direction * SAME_PLACE * path.lap)
    line.tangentAt(out, line.pieceAt(beyond) === line.pieceAt(s) ? s : beyond)
    return scale(out, out, direction)
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

  /** Station of the point nearest to `point`, between `from` and `to`. */
  nearest(point: Vec3Like, from: number, to: number): number {
    const { base: path } = this
    return this.direction > 0 ? path.nearest(point, from, to) : -path.nearest(point, -to, -from)
  }

  /** Distance (m) from `u` on which the path is within `slack` (m, > 0) of its tangent; at most the rest. */
  straightDistance(u: number, slack: number): number {
    const remaining = this.next === null ? this.end - u : Infinity
    this.pointAt(origin, u)
    this.tangentAt(startTangent, u)
    let straight = slack
    for (; straight < remaining && straight < this.base.lap; straight *= GROWTH) {
      addScaled(straightPoint, origin, startTangent, straight)
      if (distance(straightPoint, this.pointAt(curvePoint, u + straight)) > slack) break
    }
    return Math.min(straight, remaining)
  }

  /**
   * Station of the nearest reversal ahead of `u` (`side` 1) or behind (−1), if it is within `reach` (m); else
   * NaN. The ends of an open path are none.
   */
  reversalFrom(u: number, side: 1 | -1, reach: number): number {
    const { base: path } = this
    const { line } = path
    const way = this.direction * side
    let s = path.within(this.direction * u)
    let i = line.pieceAt(s)
    let border = 0
    for (let n = 0; n < line.count; n++) {
      const end = line.startOf(way > 0 ? i + 1 : i)
      border += way * (end - s)
      const next = (i + (way > 0 ? 1 : line.count - 1)) % line.count
      if (!(border <= reach) || (!path.endless && (way > 0 ? next < i : next > i))) return NaN
      if (path.cornerOf(way > 0 ? next : i) > REVERSAL) return u + side * border
      i = next
      s = line.startOf(way > 0 ? i : i + 1)
    }
    return NaN
  }

  /** Station of the next waypoint after `u`; without one, of the end. */
  nextWaypointStation(u: number): number {
    return Math.min(u + this.distanceToWaypoint(u, 1), this.end)
  }

  /** Station of the last waypoint before `u`; without one, of the start. */
  previousWaypointStation(u: number): number {
    const back = this.distanceToWaypoint(u, -1)
    return back < Infinity ? u - back : this.begin
  }

  /** Index of the segment ahead of `u`, and below of the waypoint at its far end. */
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
   * Highest speed at `u` (m/s). It is limited by the bends, and by braking for bends, corners and the end
   * within `brakingReach`. Corners may be overshot by at most `slack` (m). Corners near to each other are a
   * bend.
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

  /** Continues on the next piece. @returns the station there that was `u` here. */
  continueOnNext(u: number): number {
    const over = u - this.end
    this.base = this.next!
    this.next = null
    return this.begin + Math.max(0, over)
  }

  /** The path that contains `u`; `stationAt` gives the station on it. */
  private pathAt(u: number): Path {
    return this.next !== null && u > this.end ? this.next : this.base
  }

  private stationAt(u: number): number {
    const { direction, end, next } = this
    return direction * (next !== null && u > end ? beginOf(next, direction) + u - end : u)
  }

  /** Distance (m) to the nearest waypoint ahead (`side` 1) or behind (−1). */
  private distanceToWaypoint(u: number, side: 1 | -1): number {
    const { direction, base: path } = this
    const { count, lap } = path
    let nearest = Infinity
    for (let i = 0; i < 2 * count; i++) {
      if (i >= count && path.ends !== 'ping-pong') break
      const waypoint = path.stationOf(i % count)
      let gap = side * (direction * (i < count ? waypoint : lap - waypoint) - u)
      if (path.endless) gap -= lap * Math.floor(gap / lap)
      // A waypoint at the present position counts as passed, whatever the rounding.
      if (gap <= SAME_PLACE * lap) gap = path.endless ? gap + lap : Infinity
      nearest = Math.min(nearest, gap)
    }
    return nearest
  }
}

/** A corner needs at least this change of the unit tangent. */
const MIN_CORNER = 1e-5

/** A straight longer than this share of a stretch of corners is not part of their bend. */
const LONG_SHARE = 1.5

/** Distance (m) from which braking for something ahead can limit the speed. */
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

function cornerSpeed(turn: number, limits: VehicleLimits, slack: number): number {
  // an arc that cuts the corner by `slack` has the radius 2 · slack / turn²
  const lateral = lateralOn(limits, (2 * slack) / (turn * turn))
  return Math.sqrt(2 * Math.min(lateral, limits.brake) * slack) / turn
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
  // a bend that turns back is cut like such a corner, see cornerSpeed: an agent that must turn its engine for
  // it would creep around the tightest
  const tightest = limits.turnsToPush ? 2 / slack : Infinity
  const end = endOf(path, direction)
  const last = Math.min(u + Math.min(brakingReach(limits), path.lap), end)
  let speed = last === end ? Math.min(final, cruise) : cruise
  let s = path.within(direction * last)
  let i = line.pieceAt(s)
  let remaining = last - u
  stretch.turns = stretch.bend = 0
  for (let n = 0; n <= 2 * line.count; n++) {
    const border = line.startOf(direction > 0 ? i : i + 1)
    const span = Math.max(0, Math.min(direction * (s - border), remaining))
    speed = Math.min(
      maxSpeedBefore(speed, span, Math.min(Math.max(line.bendOf(i), stretch.bend), tightest), limits),
      maxSpeedOnPiece(line, i, limits, tightest),
      cruise,
    )
    remaining -= span
    // A corner at `u` itself is passed, whatever the rounding.
    if (!(remaining > SAME_PLACE * path.lap)) return speed
    // Continues on the previous piece.
    const next = (i + (direction > 0 ? line.count - 1 : 1)) % line.count
    const corner = path.cornerOf(direction > 0 ? i : next)
    if (corner > 0) speed = Math.min(speed, cornerSpeed(corner, limits, slack))
    growStretch(path, direction, i, next, remaining, slack)
    i = next
    s = line.startOf(direction > 0 ? i + 1 : i)
  }
  return speed
}

/**
 * The corners of a stretch of straights that an agent rounds as one bend: the piece behind the last of them,
 * its distance (m), the sum of their sharpness, and the curvature of the stretch (1/m). One object, since
 * numbers that are passed may be boxed.
 */
const stretch = { far: 0, distance: 0.5, turns: 0.5, bend: 0.5 }

/**
 * Takes the corner between the pieces `before` and `behind`, at `remaining` (m), into the stretch. A corner
 * is flown within half of the straights on both sides, so a finely divided curve has its curvature, whatever
 * the number of points. An arc over the length l that turns by θ is l·θ / 8 beside its corners: a stretch is
 * as long as this is a quarter of `slack`, the distance by which `cornerSpeed` cuts a corner.
 */
function growStretch(
  path: Path,
  direction: 1 | -1,
  behind: number,
  before: number,
  remaining: number,
  slack: number,
): void {
  const { line } = path
  const corner = path.cornerOf(direction > 0 ? behind : before)
  stretch.bend = 0
  if (stretch.turns === 0 || line.bendOf(behind) > 0) {
    stretch.far = behind
    stretch.distance = remaining
    stretch.turns = 0
  }
  stretch.turns += corner
  if (stretch.turns === 0 || line.bendOf(before) > 0) return
  const lengthBefore = line.lengthOf(before)
  let span = 0
  for (;;) {
    const { far } = stretch
    span = stretch.distance - remaining + (lengthBefore + line.lengthOf(far)) / 2
    if (far === behind) stretch.turns = corner
    if (!(span * stretch.turns > 2 * slack)) break
    if (far === behind) return
    // without the farthest corner
    const nearer = (far + (direction > 0 ? line.count - 1 : 1)) % line.count
    stretch.turns -= path.cornerOf(direction > 0 ? far : nearer)
    stretch.far = nearer
    stretch.distance -= line.lengthOf(nearer)
  }
  // the bend begins in the second half of a long straight, where the corner alone counts
  if (lengthBefore > LONG_SHARE * span) return
  stretch.bend =
    distance(line.headingOf(tangentBefore, before), line.headingOf(tangentBehind, stretch.far)) / span
}

/** Between two steps an agent moves at most this multiple of its own step length. */
const MAX_STEPS = 4

/**
 * Share of the lateral force that the tracking spring may ask for. Where it would ask for more, and
 * overshoot, the agent returns to the path in a planned way.
 */
const SPRING_SHARE = 0.5
/** Share of the lateral force with which the agent brakes that return. Larger: it returns faster. */
const RETURN_SHARE = 0.5

/** Steepest return to the path: sine of the angle to it. */
const MAX_RETURN_SINE = 0.8

/** A vehicle on wheels aims at least this many least radii ahead. Larger: more even; it cuts bends more. */
const ROLLING_RADII = 1
/** It aims at least as far ahead as it rolls in this many times its lag. */
const ROLLING_LAGS = 1.5

/** A drift below this share of the speed has no side. */
const DRIFT_SHARE = 1e-3

/** Distance after a reversal at which the turn counts as flown, in radii. */
const TURNED_BACK = 0.02

const pathPoint = vec3()
const wanted = vec3()

/** Where an agent is beside its path: its offset (m), the unit tangent, and how it should fly there. */
const beside = {
  offset: vec3(),
  tangent: vec3(),
  track: { s: 0.5, radius: 0.5, speed: 0.5, acceleration: 0.5, left: Infinity } satisfies TrackPoint,
}

/**
 * Station of the agent on its path. It moves on by at most what the agent can have flown, and not back. An
 * agent that was pushed off the path searches farther to both sides, by its distance from the path, but not
 * beyond a reversal: the parts before and after it have the same points, so an agent passes it only at its
 * place. On a closed path it searches half a lap to each side.
 */
export function reproject(
  path: DirectedPath,
  agent: Agent,
  step: Step,
  previous: number,
  tube: number,
): number {
  const half = path.base.endless ? path.base.lap / 2 : Infinity
  const reach = MAX_STEPS * agent.speed * step.dt
  const offPath = distance(agent.position, path.pointAt(pathPoint, previous))
  const back = Math.min(Math.max(0, offPath - reach - tube - agent.radius), half)
  const ahead = Math.min(back + reach, half)
  // The distance after a reversal at which the turn counts as flown.
  const nextMove = Math.max(agent.speed * step.dt, TURNED_BACK * agent.radius)
  const behind = path.reversalFrom(previous, -1, Math.max(back, nextMove))
  const fold = path.reversalFrom(previous, 1, ahead + nextMove)
  const u = path.nearest(
    agent.position,
    Number.isNaN(behind) ? previous - back : Math.max(behind + nextMove, previous - back),
    Math.min(Number.isNaN(fold) ? previous + ahead : fold, path.end),
  )
  return u + nextMove > fold ? fold + nextMove : u
}

/**
 * Adds the force (N) that flies along the path at `u`. Inside the tube there is no pull to the middle. From
 * far outside, the agent returns to the path first.
 */
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
  const { offset, tangent, track } = beside
  path.tangentAt(tangent, u)
  reject(offset, sub(offset, agent.position, path.pointAt(pathPoint, u)), tangent)
  const offsetLength = length(offset)
  const slack = Math.max(tube, agent.radius)
  track.s = u
  track.radius = turnRadius(limits, agent.speed)
  track.speed = path.speedAt(u, limits, slack)
  track.acceleration = Math.min(0, path.speedAt(u + agent.speed * dt, limits, slack) - track.speed) / dt
  if (limits.leastRadius > 0) {
    roll(path, agent, step, beside, tube, limits, out)
    return
  }
  if (limits.turnTime > 0 && !limits.turnsToPush && dot(agent.velocity, tangent) < 0) {
    turnAbout(agent, step, beside, out)
    return
  }
  const tubeShare = offsetLength > tube ? tube / offsetLength : 1
  const outside = offsetLength * (1 - tubeShare)
  // As stiff as the tracker is at this speed.
  const speed = Math.max(agent.speed, MIN_SPEED_SHARE * limits.cruise)
  const springRate = stiffness(speed, track.radius, limits.lag, dt)
  if (springRate * springRate * outside > SPRING_SHARE * limits.lateral) {
    const inwards = brakingSpeed(outside, RETURN_SHARE * limits.lateral, 0, 1 / springRate)
    returnToPath(path, agent, step, beside, inwards, limits, out)
    return
  }
  scale(path.shift, offset, tubeShare)
  trackPath(agent, step, path, track, limits, out)
  set(path.shift, 0, 0, 0)
}

/**
 * Flies a vehicle on wheels to a point ahead that its curves reach (pure pursuit, Coulter 1992): it cannot
 * round corners and bends that are tighter.
 */
function roll(
  path: DirectedPath,
  agent: Agent,
  step: Step,
  { offset, tangent, track }: typeof beside,
  tube: number,
  { lag, leastRadius }: VehicleLimits,
  out: Wrench,
): void {
  const { s, speed } = track
  const time = lag + servoTime(agent, step)
  const ahead = Math.max(ROLLING_RADII * leastRadius, ROLLING_LAGS * time * agent.speed)
  const aim = Math.min(s + ahead, path.next === null ? path.end : s + ahead)
  sub(wanted, path.pointAt(wanted, aim), agent.position)
  // at the end straight on
  addScaled(wanted, wanted, tangent, s + ahead - aim)
  addScaled(wanted, wanted, offset, length(offset) > tube ? tube / length(offset) : 1)
  normalize(wanted, wanted)
  drive(agent, step, scale(wanted, wanted, speed), out.force)
}

/**
 * Turns an agent on wings that flies against the path: the tracker would hold it on its course, and straight
 * astern has no side. It turns on to the side to which it drifts, else to starboard.
 */
function turnAbout(agent: Agent, step: Step, { tangent, track }: typeof beside, out: Wrench): void {
  reject(wanted, agent.velocity, tangent)
  if (!(length(wanted) > DRIFT_SHARE * agent.speed)) reject(wanted, agent.attitude.z, tangent)
  normalize(wanted, wanted)
  scale(wanted, add(wanted, wanted, tangent), track.speed * Math.SQRT1_2)
  drive(agent, step, wanted, out.force)
}

/** Flies along the path and returns to it, at most at `fastest` (m/s). */
function returnToPath(
  path: DirectedPath,
  agent: Agent,
  step: Step,
  { offset, tangent, track }: typeof beside,
  fastest: number,
  { across, cruise, outerPush, turnsToPush }: VehicleLimits,
  out: Wrench,
): void {
  const cuts = turnsToPush && across > 0
  // it need not fly along the path for that
  const speed = cuts ? Math.max(track.speed, MIN_SPEED_SHARE * cruise) : track.speed
  const away = length(offset)
  const rate = Math.min(fastest, MAX_RETURN_SINE * speed) / away
  const inwards = rate * away
  scale(wanted, tangent, Math.sqrt(Math.max(0, track.speed * track.speed - inwards * inwards)))
  drive(agent, step, addScaled(wanted, wanted, offset, -rate), out.force)
  const along = dot(agent.velocity, tangent)
  path.curvatureAt(wanted, track.s)
  addScaled(out.force, out.force, wanted, agent.mass * along * along)
  addScaled(out.force, out.force, reject(wanted, outerPush, tangent), -agent.mass)
  if (agent.wish === null) truncate(out.force, out.force, agent.maxForce)
  if (agent.forceTurnTime > 0) agent.turnForForce(out.force, step, out)
  if (cuts && agent.wish === null) cutToOpen(agent, out.force)
}
