import type { Agent, ObstacleQuery, Step, Vec3, Vec3Like, Wrench, Exemption } from '../../types.js'
import type { Obstacles } from '../../obstacles/obstacles.js'
import { drive } from '../../control/drive.js'
import { clamp, arccos, smoothstep } from '../../math/scalar.js'
import { copy, distance, dot, length, normalize, scale, sub, vec3 } from '../../math/vec3.js'
import type { VehicleLimits } from '../directed-seek/vehicle-limits.js'
import { clearance } from '../avoidance/escape.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import type { FollowSettings, PathTechnique } from './follow-options.js'
import { brakingReach, flyDirectedPath, reproject, type DirectedPath } from './directed-path.js'
import { reportGoal, reportStraightDistance } from '../../control/wish.js'
import { noseAttitude } from '../../control/nose.js'
import { turnTo } from '../../control/turn.js'
import { quat } from '../../math/quat.js'
import { density } from '../avoidance/crowd.js'
import { arriveAt } from '../../control/arrive-at.js'

/** How one agent follows its lane in one step; and, where they are told to write, what came of it. */
export interface FollowState {
  readonly path: DirectedPath
  readonly limits: VehicleLimits
  readonly settings: FollowSettings
  /** Whether it stops at the end. */
  stopsAtEnd: boolean
  /** Way along the lane: of the agent, of its dog, or of the last hook. Written. */
  station: number
  /** What it heads for, m, and the way to there. Written. */
  readonly target: Vec3
  targetStation: number
  /** Whether it has gone on to the next piece. Written. */
  changedPiece: boolean
  /** The obstacles that are known; null for none. */
  map: ObstacleQuery | null
}

/** Time (s) by which the dog is ahead. */
const DOG_TIME = 0.5

/** One has passed the end when beside it within so many radii. */
const PASSED_RADII = 2

/** A stretch of the lane is looked along in so many pieces. */
const SAMPLES = 8

const wanted = vec3()
const tangent = vec3()
const chordStart = vec3()
const chordEnd = vec3()
const fromPoint = vec3()
const found: Obstacle[] = []

/** Adds the force of one technique. @returns whether it has come to the end of its way instead. */
type Technique = (agent: Agent, step: Step, follow: FollowState, out: Wrench) => boolean

/** Flies along the lane where it is nearest. */
const flyByReprojection: Technique = (agent, step, follow, out) =>
  flyByReprojectionFrom(-Infinity, agent, step, follow, out)

/** As above, and not before `least`. */
function flyByReprojectionFrom(
  least: number,
  agent: Agent,
  step: Step,
  follow: FollowState,
  out: Wrench,
): boolean {
  const { path, target, limits } = follow
  let u = Math.max(least, reproject(path, agent, step, follow.station, tubeRadius(follow)))
  if (u >= path.end && path.next !== null) {
    changePiece(follow, u)
    u = reproject(path, agent, step, follow.station, tubeRadius(follow))
  }
  if (isCutOff(agent, follow, u)) {
    follow.targetStation = follow.station
    path.pointAt(target, follow.station)
    reportGoal(agent, target)
    seekTarget(agent, step, follow, path.speedAt(follow.station, limits, agent.radius), out)
    return false
  }
  follow.station = follow.targetStation = u
  path.pointAt(target, u)
  const remaining = path.end - u
  if (agent.wish !== null) {
    // beyond a bend it heads elsewhere: what stands there is not in its way, unless it stands in the bend
    const straight = path.straightDistance(u, Math.max(tubeRadius(follow), agent.radius))
    if (straight >= remaining) reportEnd(agent, follow, remaining, true)
    else if (blockedDistance(agent, follow, u + straight) === 0) reportStraightDistance(agent, straight)
  }
  const arrivalDistance = follow.stopsAtEnd ? agent.radius + blockedDistance(agent, follow, path.end) : 0
  if ((path.next === null && remaining <= arrivalDistance) || isAtLooseEnd(agent, follow)) return true
  flyDirectedPath(path, agent, step, u, tubeRadius(follow), limits, out)
  return false
}

/** Seeks a point that runs ahead as fast as the agent where the string is taut, and twice that where it is slack. */
const chaseDog: Technique = (agent, step, follow, out) => {
  const { path, target, limits } = follow
  const stringLength = follow.settings.lookAhead ?? Math.max(DOG_TIME * limits.cruise, agent.radius)
  // it goes on to the next piece when the agent does
  if (follow.station - stringLength >= path.end && path.next !== null) changePiece(follow, follow.station)
  const u = follow.station
  const slack = Math.max(tubeRadius(follow), agent.radius)
  const speed = path.speedAt(Math.max(u - stringLength, path.begin), limits, slack)
  // an obstacle round the dog keeps the agent off, but does not make the string taut
  const blocked = blockedDistance(agent, follow, u)
  const tension = Math.max(0, distance(path.pointAt(target, u), agent.position) - blocked) / stringLength
  const last = path.next === null ? path.end : path.end + stringLength
  const dogStation = Math.min(u + speed * clamp(2 - tension, 0, 2) * step.dt, last)
  follow.station = follow.targetStation = dogStation
  path.pointAt(target, dogStation)
  reportHiddenTarget(agent, follow, target)
  if (path.next === null && dogStation >= path.end && isAtEnd(agent, follow)) return true
  // an end inside of an obstacle is flown to, not round, once the dog is in there
  const isNext =
    path.nextWaypointStation(dogStation) >= path.end && blockedDistance(agent, follow, dogStation) > 0
  reportEnd(agent, follow, path.end - dogStation + tension * stringLength, dogStation >= path.end || isNext)
  seekTarget(agent, step, follow, speed, out)
  return false
}

/** Seeks the next waypoint; on the last section, where the end is to be met on the spot, flies along it. */
const seekHooks: Technique = (agent, step, follow, out) => {
  const { path, target, limits } = follow
  let closeDistance = targetNextWaypoint(agent, follow)
  const reached = distance(target, agent.position) < closeDistance || follow.station >= follow.targetStation
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
  // as far before the hook on the path as it is from it
  const from = Math.max(follow.station, follow.targetStation - distance(target, agent.position))
  reportEnd(agent, follow, path.end - from, follow.targetStation >= path.end)
  seekTarget(agent, step, follow, path.speedAt(from, limits, Math.max(closeDistance, agent.radius)), out)
  return false
}

export const TECHNIQUES: Readonly<Record<PathTechnique, Technique>> = {
  reprojection: flyByReprojection,
  'dog-on-a-string': chaseDog,
  'grappling-hooks': seekHooks,
}

/**
 * Whether an obstacle stands between the agent and the place `u`, though none stands on the lane up to there: who was pushed aside just before a door is
 * nearest to a place beyond the wall, and must go back to where it left the lane. (Where the lane leads through an obstacle the agent goes round.)
 */
function isCutOff({ position, wish }: Agent, { path, map, station }: FollowState, u: number): boolean {
  if (map === null || map.isVisible(position, path.pointAt(wanted, u))) return false
  if (map.contains(wanted) || !isPathClear(path, map, station, u)) return false
  // a place that is hidden as well is of use only where somebody finds a way there
  return (wish !== null && wish.map !== null) || map.isVisible(position, path.pointAt(wanted, station))
}

/** Tells a combination of a place that the agent flies to, but not straight, as a goal: to be reached by some way round. */
function reportHiddenTarget(agent: Agent, { map }: FollowState, spot: Vec3Like): void {
  if (map !== null && !map.isPathFree(agent.position, spot)) reportGoal(agent, spot)
}

/** Whether no obstacle stands on the lane between two places. */
function isPathClear(path: DirectedPath, map: ObstacleQuery, from: number, to: number): boolean {
  path.pointAt(chordStart, from)
  for (let k = 1; k <= SAMPLES; k++) {
    path.pointAt(chordEnd, from + ((to - from) * k) / SAMPLES)
    if (!map.isVisible(chordStart, chordEnd)) return false
    copy(chordStart, chordEnd)
  }
  return true
}

/** Heads for the next waypoint. @returns how near (m) it is to be passed. */
function targetNextWaypoint(agent: Agent, follow: FollowState): number {
  const { path, target } = follow
  follow.targetStation = path.nextWaypointStation(follow.station)
  const blocked = blockedDistance(agent, follow, follow.targetStation)
  path.pointAt(target, follow.targetStation)
  // what stands round the waypoint is flown to, not round
  if (blocked > 0 && agent.wish !== null) reportGoal(agent, target)
  return Math.max(tubeRadius(follow), follow.settings.closeness * agent.radius) + blocked
}

/**
 * How near (m) the obstacles that are known let it come to the lane at `u`: 0 where it comes there, and where it is to touch them. Of an end only those
 * count that it was told of: at others it waits.
 */
export function blockedDistance(agent: Agent, { path, settings, map }: FollowState, u: number): number {
  const { endObstacles, obstacles } = settings
  if (u === Infinity) return 0
  const isEnd = u >= path.end && path.next === null
  if (isEnd && endObstacles === 'ignore') return 0
  path.pointAt(wanted, u)
  if (obstacles !== undefined) return blockedDistanceTo(obstacles, agent, wanted)
  return map === null || isEnd ? 0 : map.distanceToFree(wanted)
}

/** How near (m) to `point` the agent can come straight from where it is: 0 where nothing stands there. */
function blockedDistanceTo(obstacles: Obstacles, agent: Agent, point: Vec3Like): number {
  const count = obstacles.near(point, agent.radius, found)
  if (count === 0) return 0
  normalize(fromPoint, sub(fromPoint, agent.position, point))
  const gap = clearance(point, found, count, agent.radius, fromPoint)
  return gap < Infinity ? gap : 0
}

/** Whether, on the last stretch, it is to stop now, or has passed. */
function isAtEnd(agent: Agent, follow: FollowState): boolean {
  const { path, target } = follow
  if (follow.stopsAtEnd || isAtLooseEnd(agent, follow)) return true
  sub(wanted, target, agent.position)
  // beside the end, or beyond it
  return length(wanted) < PASSED_RADII * agent.radius && dot(wanted, path.tangentAt(tangent, path.end)) <= 0
}

function isAtLooseEnd(agent: Agent, { path, settings }: FollowState): boolean {
  const { endCloseness } = settings
  if (endCloseness === 0 || path.next !== null || path.base.endless) return false
  return distance(path.pointAt(wanted, path.end), agent.position) < endCloseness * agent.radius
}

/** Tells a combination of the end of the lane: as its goal where it flies straight there and will stop, else how far (m) it is. */
function reportEnd(
  agent: Agent,
  { path, stopsAtEnd }: FollowState,
  remaining: number,
  isNext: boolean,
): void {
  if (agent.wish === null || path.next !== null) return
  if (stopsAtEnd && isNext) reportGoal(agent, path.pointAt(wanted, path.end))
  else reportStraightDistance(agent, remaining)
}

function tubeRadius({ path, settings, station }: FollowState): number {
  return settings.tube ?? path.base.tubeAt(path.direction * station)
}

/** Goes on to the next piece at `u`. */
function changePiece(follow: FollowState, u: number): void {
  follow.station = follow.path.continueOnNext(u)
  follow.changedPiece = true
}

function seekTarget(agent: Agent, step: Step, { target }: FollowState, speed: number, out: Wrench): void {
  normalize(wanted, sub(wanted, target, agent.position))
  drive(agent, step, scale(wanted, wanted, speed), out.force)
}

/** Never nothing: who has no torque must move to turn. */
const MIN_SPEED_SHARE = 0.05

/** Time (s) by which the nose is ahead on a lane. */
const NOSE_TIME = 0.5

/** A point within this share of the radius has no direction. */
const NEAR_SHARE = 0.5

const nose = vec3()
const spot = vec3()
const none = vec3()
const attitude = quat()

/** Slows down for a crowd at the next waypoint, and where it does not face its way. */
export function limitSpeed(agent: Agent, step: Step, follow: FollowState, out: Wrench): void {
  const { settings, limits } = follow
  if (settings.crowdRadius !== undefined && settings.crowdSpeed < 1)
    limits.cruise *= crowdShare(agent, follow, settings.crowdRadius)
  if (settings.facing !== undefined) limits.cruise *= facingShare(agent, step, follow, settings.facing, out)
  limits.final = Math.min(limits.final, limits.cruise)
}

/** From 1 without others to `crowdSpeed` where the ball is full ("increase the pressure and the speed of movement decreases", Green, Follow Path). */
function crowdShare(agent: Agent, { path, settings, station }: FollowState, radius: number): number {
  path.pointAt(spot, path.nextWaypointStation(station))
  return 1 - (1 - settings.crowdSpeed) * smoothstep(density(agent, spot, radius), 0, 1)
}

/** Hardly any `limit` (rad) aside of the way, all within half of that (Green, Fig. 14). Adds the torque that turns the nose there. */
function facingShare(agent: Agent, step: Step, follow: FollowState, limit: number, out: Wrench): number {
  const { path, station } = follow
  const aimStation = station + Math.max(NOSE_TIME * agent.speed, agent.radius)
  path.pointAt(
    spot,
    follow.settings.technique === 'grappling-hooks' ? path.nextWaypointStation(station) : aimStation,
  )
  if (!(length(sub(nose, spot, agent.position)) > NEAR_SHARE * agent.radius)) return 1
  normalize(nose, nose)
  turnTo(agent, noseAttitude(attitude, agent, nose, 'level', step, none, 0), step, out)
  const angle = arccos(dot(agent.attitude.x, nose))
  return Math.max(MIN_SPEED_SHARE, 1 - smoothstep(angle, limit / 2, limit))
}

/** Arrived: within this share of the radius, and slower than it per second. */
const ARRIVED_SHARE = 0.1

/** As near as an obstacle lets it come: what keeps it off keeps some skin. */
const BLOCKED_MARGIN = 0.3

/** Nothing is kept off from twice the way that braking takes, before constraints brake for it. */
const EXEMPTION_REACH = 2

/** What is not to be kept off at the end of the way, if anything is, once that is near: on the last section, or where it brakes. */
export class EndExemption implements Exemption {
  readonly place: Vec3 = vec3()
  obstacles = false
  agents = false

  report(agent: Agent, { path, settings, station, limits }: FollowState): void {
    this.obstacles = settings.endObstacles === 'ignore'
    this.agents = settings.endAgents === 'ignore'
    const { end } = path
    if (agent.wish === null || path.next !== null || !(this.obstacles || this.agents)) return
    if (
      end - station >
      Math.max(end - path.previousWaypointStation(end), EXEMPTION_REACH * brakingReach(limits))
    )
      return
    path.pointAt(this.place, end)
    agent.wish.exemption = this
  }
}

/**
 * Comes to rest at the target, or, where the end is loose, anywhere near. Inside of an obstacle that is known it has arrived as near as that
 * lets it come. @returns whether it has arrived.
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
  if (remaining > looseDistance) arriveAt(agent, step, target, none, none, limits.cruise, out.force)
  else drive(agent, step, none, out.force)
  // a loose end is reached at any speed: it stops for that
  return remaining < arrivalDistance && (looseDistance > 0 || agent.speed < ARRIVED_SHARE * radius)
}
