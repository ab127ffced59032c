import type { Agent, ObstacleQuery, Step, Vec3, Vec3Like, Wrench, Exemption } from '../../types.js'
import type { Obstacles } from '../../obstacles/obstacles.js'
import { drive } from '../../control/drive.js'
import { clamp, arccos, smoothstep } from '../../math/scalar.js'
import { copy, distance, dot, length, normalize, scale, sub, vec3 } from '../../math/vec3.js'
import type { VehicleLimits } from '../directed-seek/vehicle-limits.js'
import { clearance } from '../avoidance/escape.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import type { EndContact, PathTechnique } from './follow-options.js'
import { brakingReach, type DirectedPath } from './directed-path.js'
import { flyDirectedPath, reproject } from './directed-path.js'
import { reportGoal, reportStraightDistance } from '../../control/wish.js'
import { noseAttitude } from '../../control/nose.js'
import { turnTo } from '../../control/turn.js'
import { quat } from '../../math/quat.js'
import { density } from '../avoidance/crowd.js'
import { arriveAt } from '../../control/arrive-at.js'

/** Of a `FollowPath`, see its options. */
export interface FollowSettings {
  readonly technique: PathTechnique
  readonly lookAhead: number | undefined
  readonly tube: number | undefined
  readonly closeness: number
  readonly endCloseness: number
  readonly endObstacles: EndContact
  readonly endAgents: EndContact
  readonly crowdRadius: number | undefined
  readonly crowdSpeed: number
  readonly facing: number | undefined
  readonly obstacles: Obstacles | undefined
}

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
const AHEAD = 0.5

/** One has passed the end when beside it within so many radii. */
const CLOSE = 2

/** A stretch of the lane is looked along in so many pieces. */
const SAMPLES = 8

const wanted = vec3()
const tangent = vec3()
const tip = vec3()
const tail = vec3()
const fromPoint = vec3()
const found: Obstacle[] = []

/** Adds the force of one technique. @returns whether it has come to the end of its way instead. */
type Technique = (agent: Agent, step: Step, of: FollowState, out: Wrench) => boolean

/** Flies along the lane where it is nearest. */
const keep: Technique = (agent, step, of, out) => keepFrom(-Infinity, agent, step, of, out)

/** As above, and not before `least`. */
function keepFrom(least: number, agent: Agent, step: Step, of: FollowState, out: Wrench): boolean {
  const { path: lane, target, limits: terms } = of
  let u = Math.max(least, reproject(lane, agent, step, of.station, tubeAt(of)))
  if (u >= lane.end && lane.next !== null) {
    cross(of, u)
    u = reproject(lane, agent, step, of.station, tubeAt(of))
  }
  if (isElsewhere(agent, of, u)) {
    of.targetStation = of.station
    lane.pointAt(target, of.station)
    reportGoal(agent, target)
    seek(agent, step, of, lane.speedAt(of.station, terms, agent.radius), out)
    return false
  }
  of.station = of.targetStation = u
  lane.pointAt(target, u)
  const left = lane.end - u
  if (agent.wish !== null) {
    // beyond a bend it heads elsewhere: what stands there is not in its way, unless it stands in the bend
    const straight = lane.straightDistance(u, Math.max(tubeAt(of), agent.radius))
    if (straight >= left) tellEnd(agent, of, left, true)
    else if (blockedAt(agent, of, u + straight) === 0) reportStraightDistance(agent, straight)
  }
  const near = of.stopsAtEnd ? agent.radius + blockedAt(agent, of, lane.end) : 0
  if ((lane.next === null && left <= near) || isAtLooseEnd(agent, of)) return true
  flyDirectedPath(lane, agent, step, u, tubeAt(of), terms, out)
  return false
}

/** Seeks a point that runs ahead as fast as the agent where the string is taut, and twice that where it is slack. */
const chase: Technique = (agent, step, of, out) => {
  const { path: lane, target, limits: terms } = of
  const string = of.settings.lookAhead ?? Math.max(AHEAD * terms.cruise, agent.radius)
  // it goes on to the next piece when the agent does
  if (of.station - string >= lane.end && lane.next !== null) cross(of, of.station)
  const u = of.station
  const slack = Math.max(tubeAt(of), agent.radius)
  const pace = lane.speedAt(Math.max(u - string, lane.begin), terms, slack)
  // an obstacle round the dog keeps the agent off, but does not make the string taut
  const kept = blockedAt(agent, of, u)
  const pull = Math.max(0, distance(lane.pointAt(target, u), agent.position) - kept) / string
  const last = lane.next === null ? lane.end : lane.end + string
  const dog = Math.min(u + pace * clamp(2 - pull, 0, 2) * step.dt, last)
  of.station = of.targetStation = dog
  lane.pointAt(target, dog)
  tellHidden(agent, of, target)
  if (lane.next === null && dog >= lane.end && isAtEnd(agent, of)) return true
  // an end inside of an obstacle is flown to, not round, once the dog is in there
  const isNext = lane.nextWaypointStation(dog) >= lane.end && blockedAt(agent, of, dog) > 0
  tellEnd(agent, of, lane.end - dog + pull * string, dog >= lane.end || isNext)
  seek(agent, step, of, pace, out)
  return false
}

/** Seeks the next waypoint; on the last section, where the end is to be met on the spot, flies along it. */
const hook: Technique = (agent, step, of, out) => {
  const { path: lane, target, limits: terms } = of
  let close = head(agent, of)
  const reached = distance(target, agent.position) < close || of.station >= of.targetStation
  if (reached && (of.targetStation < lane.end || lane.next !== null)) {
    if (of.targetStation >= lane.end) cross(of, of.targetStation)
    else of.station = of.targetStation
    close = head(agent, of)
  }
  if (of.targetStation >= lane.end && lane.next === null) {
    if (of.stopsAtEnd && of.settings.endCloseness === 0)
      return keepFrom(lane.previousWaypointStation(lane.end), agent, step, of, out)
    if (isAtEnd(agent, of)) return true
  }
  tellHidden(agent, of, target)
  // as far before the hook on the path as it is from it
  const from = Math.max(of.station, of.targetStation - distance(target, agent.position))
  tellEnd(agent, of, lane.end - from, of.targetStation >= lane.end)
  seek(agent, step, of, lane.speedAt(from, terms, Math.max(close, agent.radius)), out)
  return false
}

export const TECHNIQUES: Readonly<Record<PathTechnique, Technique>> = {
  reprojection: keep,
  'dog-on-a-string': chase,
  'grappling-hooks': hook,
}

/**
 * Whether an obstacle stands between the agent and the place `u`, though none stands on the lane up to there: who was pushed aside just before a door is
 * nearest to a place beyond the wall, and must go back to where it left the lane. (Where the lane leads through an obstacle the agent goes round.)
 */
function isElsewhere({ position, wish }: Agent, { path: lane, map, station: place }: FollowState, u: number): boolean {
  if (map === null || map.isVisible(position, lane.pointAt(wanted, u))) return false
  if (map.contains(wanted) || !isOpen(lane, map, place, u)) return false
  // a place that is hidden as well is of use only where somebody finds a way there
  return (wish !== null && wish.map !== null) || map.isVisible(position, lane.pointAt(wanted, place))
}

/** Tells a combination of a place that the agent flies to, but not straight, as a goal: to be reached by some way round. */
function tellHidden(agent: Agent, { map }: FollowState, spot: Vec3Like): void {
  if (map !== null && !map.isPathFree(agent.position, spot)) reportGoal(agent, spot)
}

/** Whether no obstacle stands on the lane between two places. */
function isOpen(lane: DirectedPath, map: ObstacleQuery, from: number, to: number): boolean {
  lane.pointAt(tip, from)
  for (let k = 1; k <= SAMPLES; k++) {
    lane.pointAt(tail, from + ((to - from) * k) / SAMPLES)
    if (!map.isVisible(tip, tail)) return false
    copy(tip, tail)
  }
  return true
}

/** Heads for the next waypoint. @returns how near (m) it is to be passed. */
function head(agent: Agent, of: FollowState): number {
  const { path: lane, target } = of
  of.targetStation = lane.nextWaypointStation(of.station)
  const blocked = blockedAt(agent, of, of.targetStation)
  lane.pointAt(target, of.targetStation)
  // what stands round the waypoint is flown to, not round
  if (blocked > 0 && agent.wish !== null) reportGoal(agent, target)
  return Math.max(tubeAt(of), of.settings.closeness * agent.radius) + blocked
}

/**
 * How near (m) the obstacles that are known let it come to the lane at `u`: 0 where it comes there, and where it is to touch them. Of an end only those
 * count that it was told of: at others it waits.
 */
export function blockedAt(agent: Agent, { path: lane, settings: manner, map }: FollowState, u: number): number {
  const { endObstacles, obstacles } = manner
  if (u === Infinity) return 0
  const isEnd = u >= lane.end && lane.next === null
  if (isEnd && endObstacles === 'ignore') return 0
  lane.pointAt(wanted, u)
  if (obstacles !== undefined) return nearestTo(obstacles, agent, wanted)
  return map === null || isEnd ? 0 : map.distanceToFree(wanted)
}

/** How near (m) to `point` the agent can come straight from where it is: 0 where nothing stands there. */
function nearestTo(obstacles: Obstacles, agent: Agent, point: Vec3Like): number {
  const count = obstacles.near(point, agent.radius, found)
  if (count === 0) return 0
  normalize(fromPoint, sub(fromPoint, agent.position, point))
  const off = clearance(point, found, count, agent.radius, fromPoint)
  return off < Infinity ? off : 0
}

/** Whether, on the last stretch, it is to stop now, or has passed. */
function isAtEnd(agent: Agent, of: FollowState): boolean {
  const { path: lane, target } = of
  if (of.stopsAtEnd || isAtLooseEnd(agent, of)) return true
  sub(wanted, target, agent.position)
  // beside the end, or beyond it
  return length(wanted) < CLOSE * agent.radius && dot(wanted, lane.tangentAt(tangent, lane.end)) <= 0
}

function isAtLooseEnd(agent: Agent, { path: lane, settings: manner }: FollowState): boolean {
  const { endCloseness } = manner
  if (endCloseness === 0 || lane.next !== null || lane.base.endless) return false
  return distance(lane.pointAt(wanted, lane.end), agent.position) < endCloseness * agent.radius
}

/** Tells a combination of the end of the lane: as its goal where it flies straight there and will stop, else how far (m) it is. */
function tellEnd(agent: Agent, { path: lane, stopsAtEnd: stops }: FollowState, left: number, isNext: boolean): void {
  if (agent.wish === null || lane.next !== null) return
  if (stops && isNext) reportGoal(agent, lane.pointAt(wanted, lane.end))
  else reportStraightDistance(agent, left)
}

function tubeAt({ path: lane, settings: manner, station: place }: FollowState): number {
  return manner.tube ?? lane.base.tubeAt(lane.direction * place)
}

/** Goes on to the next piece at `u`. */
function cross(of: FollowState, u: number): void {
  of.station = of.path.continueOnNext(u)
  of.changedPiece = true
}

function seek(agent: Agent, step: Step, { target }: FollowState, pace: number, out: Wrench): void {
  normalize(wanted, sub(wanted, target, agent.position))
  drive(agent, step, scale(wanted, wanted, pace), out.force)
}

/** Never nothing: who has no torque must move to turn. */
const CREEP = 0.05

/** Time (s) by which the nose is ahead on a lane. */
const NOSE_TIME = 0.5

/** A point within this share of the radius has no direction. */
const NO_DIRECTION = 0.5

const nose = vec3()
const spot = vec3()
const none = vec3()
const attitude = quat()

/** Slows down for a crowd at the next waypoint, and where it does not face its way. */
export function limitSpeed(agent: Agent, step: Step, of: FollowState, out: Wrench): void {
  const { settings: manner, limits: terms } = of
  if (manner.crowdRadius !== undefined && manner.crowdSpeed < 1)
    terms.cruise *= crowdShare(agent, of, manner.crowdRadius)
  if (manner.facing !== undefined) terms.cruise *= facingShare(agent, step, of, manner.facing, out)
  terms.final = Math.min(terms.final, terms.cruise)
}

/** From 1 without others to `crowdSpeed` where the ball is full ("increase the pressure and the speed of movement decreases", Green, Follow Path). */
function crowdShare(agent: Agent, { path: lane, settings: manner, station: place }: FollowState, radius: number): number {
  lane.pointAt(spot, lane.nextWaypointStation(place))
  return 1 - (1 - manner.crowdSpeed) * smoothstep(density(agent, spot, radius), 0, 1)
}

/** Hardly any `limit` (rad) aside of the way, all within half of that (Green, Fig. 14). Adds the torque that turns the nose there. */
function facingShare(agent: Agent, step: Step, of: FollowState, limit: number, out: Wrench): number {
  const { path: lane, station: place } = of
  const there = place + Math.max(NOSE_TIME * agent.speed, agent.radius)
  lane.pointAt(spot, of.settings.technique === 'grappling-hooks' ? lane.nextWaypointStation(place) : there)
  if (!(length(sub(nose, spot, agent.position)) > NO_DIRECTION * agent.radius)) return 1
  normalize(nose, nose)
  turnTo(agent, noseAttitude(attitude, agent, nose, 'level', step, none, 0), step, out)
  const off = arccos(dot(agent.attitude.x, nose))
  return Math.max(CREEP, 1 - smoothstep(off, limit / 2, limit))
}

/** Arrived: within this share of the radius, and slower than it per second. */
const THERE = 0.1

/** As near as an obstacle lets it come: what keeps it off keeps some skin. */
const SKIN = 0.3

/** Nothing is kept off from twice the way that braking takes, before constraints brake for it. */
const BEFORE = 2

/** What is not to be kept off at the end of the way, if anything is, once that is near: on the last section, or where it brakes. */
export class EndExemption implements Exemption {
  readonly place: Vec3 = vec3()
  obstacles = false
  agents = false

  report(agent: Agent, { path: lane, settings: manner, station: place, limits: terms }: FollowState): void {
    this.obstacles = manner.endObstacles === 'ignore'
    this.agents = manner.endAgents === 'ignore'
    const { end } = lane
    if (agent.wish === null || lane.next !== null || !(this.obstacles || this.agents)) return
    if (end - place > Math.max(end - lane.previousWaypointStation(end), BEFORE * brakingReach(terms))) return
    lane.pointAt(this.place, end)
    agent.wish.exemption = this
  }
}

/**
 * Comes to rest at the target, or, where the end is loose, anywhere near. Inside of an obstacle that is known it has arrived as near as that
 * lets it come. @returns whether it has arrived.
 */
export function comeToRest(agent: Agent, step: Step, of: FollowState, out: Wrench): boolean {
  const { path: lane, settings: manner, target, limits: terms } = of
  const { radius } = agent
  const close = manner.endCloseness * radius
  const off = distance(target, agent.position)
  const blocked = blockedAt(agent, of, lane.end)
  const room = Math.max(THERE * radius, close, blocked > 0 ? blocked + SKIN * radius : 0)
  if (off > close) arriveAt(agent, step, target, none, none, terms.cruise, out.force)
  else drive(agent, step, none, out.force)
  // a loose end is reached at any speed: it stops for that
  return off < room && (close > 0 || agent.speed < THERE * radius)
}
