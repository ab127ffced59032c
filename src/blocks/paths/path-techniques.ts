import type { Agent, ObstacleQuery, Step, Vec3, Vec3Like, Wrench, Exemption } from '../../core/types.js'
import type { Obstacles } from '../../core/obstacles/obstacles.js'
import { drive } from '../../core/control/drive.js'
import { clamp, arccos, smoothstep } from '../../core/math/scalar.js'
import { addScaled, copy, distance, dot, length, normalize, scale } from '../../core/math/vec3.js'
import { sub, vec3, ZERO } from '../../core/math/vec3.js'
import { isThere, pointAt } from '../../core/control/target.js'
import type { VehicleLimits } from '../curves/vehicle-limits.js'
import { distanceToClear } from '../../core/behaviors/avoidance/escape.js'
import type { Obstacle } from '../../core/obstacles/obstacle.js'
import type { FollowSettings, PathTechnique } from './follow-options.js'
import type { BlockedStretch } from './blocked-stretch.js'
import { brakingReach, flyDirectedPath, reproject, type DirectedPath } from './directed-path.js'
import { reportGoal, reportPassage, reportStraightDistance } from '../../core/control/wish.js'
import { noseAttitude } from '../../core/control/nose.js'
import { turnTo } from '../../core/control/turn.js'
import { quat } from '../../core/math/quat.js'
import { density } from '../../core/behaviors/avoidance/crowd.js'
import { arriveAt } from '../../core/control/arrive-at.js'

/** What is known of one agent in one step. The caller fills it in; techniques write what is "Written". */
export interface FollowState {
  readonly path: DirectedPath
  readonly limits: VehicleLimits
  readonly settings: FollowSettings
  /** Whether the agent stops at the end. */
  stopsAtEnd: boolean
  /** Station of the agent, of its dog, or of the last hook (m). Written. */
  station: number
  /** Point that the agent flies to (m), and its station (m). Written. */
  readonly target: Vec3
  targetStation: number
  /** Whether the agent has continued on the next piece. Written. */
  changedPiece: boolean
  /** Whether it needs a route past what is on its path. */
  needsRoute: boolean
  /** The known obstacles; null for none. */
  map: ObstacleQuery | null
  stretch: BlockedStretch | null
}

// The numbers below are chosen by hand unless they say otherwise.

/** Time by which the dog is ahead (s). Larger: the agent moves more evenly, and cuts more of each corner. */
const DOG_TIME = 0.5
/** Least distance of the dog, in turn radii. */
const TURNING_RADII = 1.5

/** The end is passed when the agent is beside or beyond it within this many radii. */
const PASSED_RADII = 2

/** A path is barred by obstacles before the place so many radii (of its ball or its curves) farther. */
export const BARRED_AHEAD = 4

/** A blocked stretch is passed so many radii (of its ball or its curves) before its end. */
const END_RADII = 0.5

/** Number of chords that a part of the path is divided into to test it for obstacles. More: a closer test. */
const SAMPLES = 8

const wanted = vec3()
const tangent = vec3()
const chordStart = vec3()
const chordEnd = vec3()
const fromPoint = vec3()
const future = vec3()
const found: Obstacle[] = []

/** Adds the force of one technique. @returns whether the agent is at the end: then no force is added. */
type Technique = (agent: Agent, step: Step, follow: FollowState, out: Wrench) => boolean

/** Flies along the path from the point nearest to the agent. */
const flyByReprojection: Technique = (agent, step, follow, out) =>
  flyByReprojectionFrom(-Infinity, agent, step, follow, out)

/**
 * Seeks the point of the path that is nearest to the position which the agent will have on its present
 * course. While that is inside the tube, the agent flies straight on (Green, Follow Path: "don't return a
 * steering force"). An agent that flies the wrong way, or is at rest, seeks a point ahead of it on the path
 * ("be sure to return seek points that move the vehicle in the right direction").
 */
const flyToFuture: Technique = (agent, step, follow, out) => {
  const { path, target, limits } = follow
  if (goesRound(agent, step, follow, reprojectOn(-Infinity, agent, step, follow), out)) return false
  const { station: u } = follow
  const remaining = path.end - u
  if (comesToEnd(agent, follow, remaining)) return true
  const ahead = lookAheadOf(agent, follow, agent.speed)
  addScaled(future, agent.position, agent.course.x, agent.speed > 0 ? ahead : 0)
  const last = path.next === null ? path.end : u + 2 * ahead
  const nearest = path.nearest(future, u, Math.min(u + 2 * ahead, last))
  const isRightWay = nearest > u && dot(agent.course.x, path.tangentAt(tangent, u)) > 0
  follow.targetStation = isRightWay ? nearest : Math.min(u + ahead, last)
  path.pointAt(target, follow.targetStation)
  const slack = Math.max(tubeRadius(follow), agent.radius)
  const speed = path.speedAt(u, limits, slack)
  const isLast = path.straightDistance(u, slack) >= remaining
  if (!isLast) reportHiddenTarget(agent, follow, target)
  reportEnd(agent, follow, remaining, isLast)
  if (isRightWay && distance(future, target) <= tubeRadius(follow))
    drive(agent, step, scale(wanted, agent.course.x, speed), out.force)
  else seekTarget(agent, step, follow, speed, out)
  return false
}

/** As `flyByReprojection`, but not from before `minStation`. */
function flyByReprojectionFrom(
  minStation: number,
  agent: Agent,
  step: Step,
  follow: FollowState,
  out: Wrench,
): boolean {
  const { path, target, limits } = follow
  let u = reprojectOn(minStation, agent, step, follow)
  if (!follow.needsRoute && !follow.stretch!.isAhead(u) && isCutOff(agent, follow, u)) {
    follow.targetStation = follow.station
    path.pointAt(target, follow.station)
    reportGoal(agent, target)
    seekTarget(agent, step, follow, path.speedAt(follow.station, limits, agent.radius), out)
    return false
  }
  if (goesRound(agent, step, follow, u, out)) return false
  u = follow.station
  const remaining = path.end - u
  if (agent.wish !== null) {
    // After a bend the path leads elsewhere, so obstacles straight ahead of the bend are not in its way,
    // unless one stands in the bend.
    const straight = path.straightDistance(u, Math.max(tubeRadius(follow), agent.radius))
    if (straight >= remaining) reportEnd(agent, follow, remaining, true)
    else if (blockedDistance(agent, follow, u + straight) === 0) reportStraightDistance(agent, straight)
  }
  if (comesToEnd(agent, follow, remaining)) return true
  flyDirectedPath(path, agent, step, u, tubeRadius(follow), limits, out)
  return false
}

/** Station (m) of the agent on its path, not before `least`, or on the next piece. */
function reprojectOn(least: number, agent: Agent, step: Step, follow: FollowState): number {
  const { path } = follow
  const tube = tubeRadius(follow)
  const u = Math.max(least, reproject(path, agent, step, follow.station, tube))
  if (!(u >= path.end && path.next !== null)) return u
  changePiece(follow, u)
  return reproject(path, agent, step, follow.station, tube)
}

/**
 * Goes to the free place behind a stretch of its path that is not free, or to which it needs a route. `u` is
 * its station (m), which is written.
 * @returns whether it does.
 */
function goesRound(agent: Agent, step: Step, follow: FollowState, u: number, out: Wrench): boolean {
  const { limits, path, target } = follow
  const stretch = follow.stretch!
  let behind = u
  // what flies and walks evades by itself first
  if (limits.leastRadius > 0 || follow.needsRoute) {
    behind = Math.min(stretch.behind(agent, follow, u), path.end)
    const ahead = u + BARRED_AHEAD * agent.radius
    const isAhead = follow.needsRoute && ahead > behind && ahead < path.end
    if (isAhead) behind = ahead
    // the free place that is nearest to one in an obstacle may be before it, and the end is a goal of its own
    const isUnsure = isAhead || behind === path.end
    if (isUnsure && follow.map?.contains(path.pointAt(target, behind)) === true) behind = u
    // from there on it follows the path, wherever it comes from
    const near = END_RADII * Math.max(limits.leastRadius, agent.radius)
    if (behind - u < near || distance(path.pointAt(target, behind), agent.position) < near) {
      behind = u = Math.max(u, behind - near)
      stretch.pass(u)
    }
  }
  follow.station = u
  follow.targetStation = behind
  path.pointAt(target, behind)
  if (!(behind > u)) return false
  reportPassage(agent, target)
  seekTarget(agent, step, follow, path.speedAt(u, limits, Math.max(tubeRadius(follow), agent.radius)), out)
  return true
}

/**
 * Seeks a point that runs ahead. Its speed is that of the agent while the string is taut, up to twice that
 * while it is slack, and less while it is stretched.
 */
const chaseDog: Technique = (agent, step, follow, out) => {
  const { path, target, limits } = follow
  const stringLength = lookAheadOf(agent, follow, limits.cruise)
  // The dog waits on the next piece until the agent gets there.
  if (follow.station - stringLength >= path.end && path.next !== null) changePiece(follow, follow.station)
  const u = follow.station
  const slack = Math.max(tubeRadius(follow), agent.radius)
  const speed = path.speedAt(Math.max(u - stringLength, path.begin), limits, slack)
  // An obstacle around the dog keeps the agent away from it. That distance does not count as tension.
  const blocked = blockedDistance(agent, follow, u)
  const tension = Math.max(0, distance(path.pointAt(target, u), agent.position) - blocked) / stringLength
  const last = path.next === null ? path.end : path.end + stringLength
  const dogStation = Math.min(u + speed * clamp(2 - tension, 0, 2) * step.dt, last)
  follow.station = follow.targetStation = dogStation
  path.pointAt(target, dogStation)
  reportHiddenTarget(agent, follow, target)
  if (path.next === null && dogStation >= path.end && isAtEnd(agent, follow)) return true
  // Once the dog is inside an obstacle at the end, the agent flies to the end and not around it.
  const isNext =
    path.nextWaypointStation(dogStation) >= path.end && blockedDistance(agent, follow, dogStation) > 0
  reportEnd(agent, follow, path.end - dogStation + tension * stringLength, dogStation >= path.end || isNext)
  seekTarget(agent, step, follow, speed, out)
  return false
}

/** Seeks the next waypoint. On the last section, if the end is to be met exactly, it flies along the path. */
const seekHooks: Technique = (agent, step, follow, out) => {
  const { path, target, limits } = follow
  let closeDistance = targetNextWaypoint(agent, follow)
  const reached =
    distance(target, agent.position) < closeDistance ||
    follow.station >= follow.targetStation ||
    isNearGroup(agent, follow, closeDistance)
  if (reached && (follow.targetStation < path.end || path.next !== null)) {
    if (follow.targetStation >= path.end) changePiece(follow, follow.targetStation)
    else follow.station = follow.targetStation
    closeDistance = targetNextWaypoint(agent, follow)
  }
  if (follow.targetStation >= path.end && path.next === null) {
    if (follow.stopsAtEnd && follow.settings.endCloseness === 0)
      return flyByReprojectionFrom(path.previousWaypointStation(path.end), agent, step, follow, out)
    if (isAtEnd(agent, follow)) return true
  }
  reportHiddenTarget(agent, follow, target)
  // As far before the hook along the path as the agent is from it.
  const from = Math.max(follow.station, follow.targetStation - distance(target, agent.position))
  reportEnd(agent, follow, path.end - from, follow.targetStation >= path.end)
  seekTarget(agent, step, follow, path.speedAt(from, limits, Math.max(closeDistance, agent.radius)), out)
  return false
}

export const TECHNIQUES: Readonly<Record<PathTechnique, Technique>> = {
  reprojection: flyByReprojection,
  'future-reprojection': flyToFuture,
  'dog-on-a-string': chaseDog,
  'grappling-hooks': seekHooks,
}

/**
 * Whether an obstacle stands between the agent and the station `u`, although none stands on the path up to
 * `u`. For an agent that was pushed aside just before a door, the nearest station lies behind the wall; it
 * must return to where it left the path. Where the path itself leads through an obstacle, the agent goes
 * around it.
 */
function isCutOff({ position, wish }: Agent, { path, map, station }: FollowState, u: number): boolean {
  if (map === null || map.isVisible(position, path.pointAt(wanted, u))) return false
  if (map.contains(wanted) || !isPathClear(path, map, station, u)) return false
  // A hidden station helps only if the combination around can find a route to it.
  return (wish !== null && wish.map !== null) || map.isVisible(position, path.pointAt(wanted, station))
}

/** Reports a hidden point as a goal to the combination, which then finds a route to it. */
function reportHiddenTarget(agent: Agent, { map }: FollowState, spot: Vec3Like): void {
  if (map !== null && !map.isPathFree(agent.position, spot)) reportGoal(agent, spot)
}

/** Whether no obstacle stands on the path between two stations. */
function isPathClear(path: DirectedPath, map: ObstacleQuery, from: number, to: number): boolean {
  path.pointAt(chordStart, from)
  for (let k = 1; k <= SAMPLES; k++) {
    path.pointAt(chordEnd, from + ((to - from) * k) / SAMPLES)
    if (!map.isVisible(chordStart, chordEnd)) return false
    copy(chordStart, chordEnd)
  }
  return true
}

/** Makes the next waypoint the target. @returns the distance (m) within which it counts as reached. */
function targetNextWaypoint(agent: Agent, follow: FollowState): number {
  const { path, target } = follow
  follow.targetStation = path.nextWaypointStation(follow.station)
  const blocked = blockedDistance(agent, follow, follow.targetStation)
  path.pointAt(target, follow.targetStation)
  // An obstacle around the waypoint is flown to, not around.
  if (blocked > 0 && agent.wish !== null) reportGoal(agent, target)
  return Math.max(tubeRadius(follow), follow.settings.closeness * agent.radius) + blocked
}

/**
 * Distance from the path at `u` (m) at which the known obstacles stop the agent. 0 where the path is free,
 * and at an end whose obstacles may be touched. At an end, only obstacles given as an option count; for
 * others the agent waits.
 */
function blockedDistance(agent: Agent, { path, settings, map }: FollowState, u: number): number {
  const { endObstacles, obstacles } = settings
  if (u === Infinity) return 0
  const isEnd = u >= path.end && path.next === null
  if (isEnd && endObstacles === 'ignore') return 0
  path.pointAt(wanted, u)
  if (obstacles !== undefined) return blockedDistanceTo(obstacles, agent, wanted)
  return map === null || isEnd ? 0 : map.distanceToFree(wanted)
}

/** Distance from `point` (m) at which obstacles stop an agent that flies straight to it; 0 for none. */
function blockedDistanceTo(obstacles: Obstacles, agent: Agent, point: Vec3Like): number {
  const count = obstacles.near(point, agent.radius, found)
  if (count === 0) return 0
  normalize(fromPoint, sub(fromPoint, agent.position, point))
  const gap = distanceToClear(point, found, count, agent.radius, fromPoint)
  return gap < Infinity ? gap : 0
}

/** Whether one of the group is within `closeDistance` (m) of the target. */
function isNearGroup(agent: Agent, { settings, target }: FollowState, closeDistance: number): boolean {
  for (const member of settings.group)
    if (isThere(member) && distance(target, pointAt(fromPoint, member, agent)) < closeDistance) return true
  return false
}

/** Flies to the first point, slowly enough to meet it. @returns whether it is there: then without force. */
export function flyToStart(agent: Agent, step: Step, follow: FollowState, out: Wrench): boolean {
  const { path, limits, settings, target } = follow
  follow.station = follow.targetStation = path.begin
  path.pointAt(target, path.begin)
  const closeDistance = Math.max(tubeRadius(follow), settings.closeness * agent.radius)
  const remaining = distance(target, agent.position) - blockedDistance(agent, follow, path.begin)
  if (remaining < closeDistance) return true
  if (agent.wish !== null) reportGoal(agent, target)
  // it turns within half of the distance
  const speed = Math.min(
    path.speedAt(path.begin, limits, closeDistance),
    Math.sqrt(limits.lateral * remaining),
  )
  seekTarget(agent, step, follow, speed, out)
  return false
}

/** Whether the agent, on the last section, is to stop now or has passed the end. */
function isAtEnd(agent: Agent, follow: FollowState): boolean {
  const { path, target } = follow
  if (follow.stopsAtEnd || isAtLooseEnd(agent, follow)) return true
  sub(wanted, target, agent.position)
  // Beside the end or beyond it.
  return length(wanted) < PASSED_RADII * agent.radius && dot(wanted, path.tangentAt(tangent, path.end)) <= 0
}

/** Whether the agent, `remaining` (m) before the end, is to stop now, or is at a loose end. */
function comesToEnd(agent: Agent, follow: FollowState, remaining: number): boolean {
  const { path, stopsAtEnd } = follow
  const arrivalDistance = stopsAtEnd ? agent.radius + blockedDistance(agent, follow, path.end) : 0
  return (path.next === null && remaining <= arrivalDistance) || isAtLooseEnd(agent, follow)
}

function isAtLooseEnd(agent: Agent, { path, settings }: FollowState): boolean {
  const { endCloseness } = settings
  if (endCloseness === 0 || path.next !== null || path.base.endless) return false
  return distance(path.pointAt(wanted, path.end), agent.position) < endCloseness * agent.radius
}

/** Reports the end of the path: as a goal if the agent flies straight there and stops, else a distance. */
function reportEnd(
  agent: Agent,
  { path, stopsAtEnd }: FollowState,
  remaining: number,
  isNext: boolean,
): void {
  if (agent.wish === null || path.next !== null) return
  if (stopsAtEnd && isNext) reportGoal(agent, path.pointAt(wanted, path.end), true)
  else reportStraightDistance(agent, remaining)
}

/** How far the point that the agent seeks is ahead of it at that speed (m): not inside its turning circle. */
function lookAheadOf({ radius }: Agent, { settings, limits }: FollowState, speed: number): number {
  const { leastRadius, turnsToPush, turnTime } = limits
  const time = DOG_TIME + (turnsToPush ? turnTime : 0)
  return settings.lookAhead ?? Math.max(time * speed, radius, TURNING_RADII * leastRadius)
}

function tubeRadius({ path, settings, station }: FollowState): number {
  return settings.tube ?? path.base.tubeAt(path.direction * station)
}

/** Continues on the next piece at the station `u`. */
function changePiece(follow: FollowState, u: number): void {
  follow.station = follow.path.continueOnNext(u)
  follow.changedPiece = true
}

function seekTarget(agent: Agent, step: Step, { target }: FollowState, speed: number, out: Wrench): void {
  normalize(wanted, sub(wanted, target, agent.position))
  drive(agent, step, scale(wanted, wanted, speed), out.force)
}

/** Least share of the speed. It is above 0, because an agent without torque must move to turn. */
const MIN_SPEED_SHARE = 0.05

/** Time by which the nose looks ahead along the path (s). Longer: it turns into bends earlier. */
const NOSE_TIME = 0.5

/** A point nearer than this share of the radius has no direction. */
const NEAR_SHARE = 0.5

const nose = vec3()
const spot = vec3()
const attitude = quat()

/** Slows the agent down for a crowd at the next waypoint, and while its nose points elsewhere. */
export function limitSpeed(agent: Agent, step: Step, follow: FollowState, out: Wrench): void {
  const { settings, limits } = follow
  if (settings.crowdRadius !== undefined && settings.crowdSpeed < 1)
    limits.cruise *= crowdShare(agent, follow, settings.crowdRadius)
  if (settings.facing !== undefined) limits.cruise *= facingShare(agent, step, follow, settings.facing, out)
  limits.final = Math.min(limits.final, limits.cruise)
}

/**
 * Share of the speed: 1 without neighbors, `crowdSpeed` where the ball is full ("increase the pressure and
 * the speed of movement decreases", Green, Follow Path).
 */
function crowdShare(agent: Agent, { path, settings, station }: FollowState, radius: number): number {
  path.pointAt(spot, path.nextWaypointStation(station))
  return 1 - (1 - settings.crowdSpeed) * smoothstep(density(agent, spot, radius), 0, 1)
}

/**
 * Share of the speed: 1 within half of `limit` (rad) of the wanted direction, almost 0 from `limit` on
 * (Green, Fig. 14). Adds the torque that turns the nose there.
 */
function facingShare(agent: Agent, step: Step, follow: FollowState, limit: number, out: Wrench): number {
  const { path, station } = follow
  const aimStation = station + Math.max(NOSE_TIME * agent.speed, agent.radius)
  path.pointAt(
    spot,
    follow.settings.technique === 'grappling-hooks' ? path.nextWaypointStation(station) : aimStation,
  )
  if (!(length(sub(nose, spot, agent.position)) > NEAR_SHARE * agent.radius)) return 1
  normalize(nose, nose)
  turnTo(agent, noseAttitude(attitude, agent, nose, 'level', step, ZERO, 0), step, out)
  const angle = arccos(dot(agent.attitude.x, nose))
  return Math.max(MIN_SPEED_SHARE, 1 - smoothstep(angle, limit / 2, limit))
}

/** The agent has arrived within this share of its radius, and slower than this many radii per second. */
const ARRIVED_SHARE = 0.1

/** Added to the distance at which an obstacle stops the agent, in radii: avoidance keeps some clearance. */
const BLOCKED_MARGIN = 0.3

/** The exemption starts at this multiple of the braking distance, before constraints brake for it. */
const EXEMPTION_REACH = 2

/**
 * Exempts obstacles or agents at the end of the path from avoidance, as the options say, once the end is
 * near: on the last section, or where the agent brakes for it.
 */
export class EndExemption implements Exemption {
  readonly place: Vec3 = vec3()
  obstacles = false
  agents = false

  report(agent: Agent, { path, settings, station, limits }: FollowState): void {
    this.obstacles = settings.endObstacles === 'ignore'
    this.agents = settings.endAgents === 'ignore'
    const { end } = path
    if (agent.wish === null || path.next !== null || !(this.obstacles || this.agents)) return
    const lastSection = end - path.previousWaypointStation(end)
    if (end - station > Math.max(lastSection, EXEMPTION_REACH * brakingReach(limits))) return
    path.pointAt(this.place, end)
    agent.wish.exemption = this
  }
}

/**
 * Comes to rest at the target, or anywhere near it if `endCloseness` is above 0. Inside a known obstacle the
 * agent has arrived at the nearest free point.
 * @returns whether it has arrived.
 */
export function comeToRest(agent: Agent, step: Step, follow: FollowState, out: Wrench): boolean {
  const { path, settings, target, limits } = follow
  const { radius } = agent
  const looseDistance = settings.endCloseness * radius
  const remaining = distance(target, agent.position)
  const blocked = blockedDistance(agent, follow, path.end)
  const arrivalDistance = Math.max(
    ARRIVED_SHARE * radius,
    looseDistance,
    blocked > 0 ? blocked + BLOCKED_MARGIN * radius : 0,
  )
  if (remaining > looseDistance) arriveAt(agent, step, target, ZERO, ZERO, limits.cruise, out.force)
  else drive(agent, step, ZERO, out.force)
  // A loose end is reached at any speed; the agent then stops.
  return remaining < arrivalDistance && (looseDistance > 0 || agent.speed < ARRIVED_SHARE * radius)
}
