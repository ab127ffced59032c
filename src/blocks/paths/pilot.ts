import type { Agent, Archive, SnapshotState, Step, Vec3, Vec3Like, Wrench } from '../../core/types.js'
import type { Obstacle } from '../../core/obstacles/obstacle.js'
import { type FieldsOf, readOptions } from '../../core/math/options.js'
import { addScaled, copy, cross, distance, isZero, length } from '../../core/math/vec3.js'
import { normalize, perpendicular, scale, sub, vec3 } from '../../core/math/vec3.js'
import type { VehicleLimits } from '../curves/vehicle-limits.js'
import { isCrowded } from '../../core/behaviors/avoidance/crowd.js'
import type { FollowState } from './path-techniques.js'
import { PILOT, type BlockedPath, type PilotMetrics, type PilotOptions } from './follow-options.js'
import { Progress } from './progress.js'
import type { Obstacles } from '../../core/obstacles/obstacles.js'
import { sweptBall } from '../../core/obstacles/sweep.js'
import { drive } from '../../core/control/drive.js'
import { PerAgent } from '../../core/control/per-agent.js'
import { brakingSpeed } from '../../core/control/profile.js'
import { Saved } from '../../core/control/serialize-fields.js'
import { TAU } from '../../core/math/scalar.js'
import type { DirectedPath } from './directed-path.js'
import { reportGoal } from '../../core/control/wish.js'
import { refuse } from '../../core/math/require.js'

export interface Pilot extends FieldsOf<typeof PILOT> {}

// The numbers below are chosen by hand unless they say otherwise.

/** An agent without progress circles if its course turned by this share of two turns; else it is stuck. */
const CIRCLING_SHARE = 0.3

/** Segments searched for the blocking obstacle: the previous one, the present one and the next. */
const SEGMENTS = 3

type Trouble = BlockedPath['why']

const spot = vec3()

/** @throws TypeError / RangeError naming the option. */
export function readPilot(what: string, options: boolean | PilotOptions): Pilot | null {
  if (options === false) return null
  if (options !== true && (typeof options !== 'object' || options === null))
    refuse(what, options, 'must be true, false or an object')
  return new Pilot(options === true ? {} : options)
}

/** Watches agents along their paths and helps those in trouble. Its fields may change at any time. */
export class Pilot {
  private readonly watched = new PerAgent(() => new Watched())
  readonly state: SnapshotState = [this.watched]

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: PilotOptions) {
    Object.assign(this, readOptions('FollowPath.pilot', PILOT, options))
  }

  /** Starts on a new path. `travelled` (m): see `Progress.update`. */
  begin(agent: Agent, travelled: number): void {
    const watched = this.watched.of(agent)
    watched.begin(agent, travelled)
    watched.detour.endTime = 0
  }

  /** Adds the force of an agent that flies a detour. @returns whether it flies one. */
  flyDetour(agent: Agent, step: Step, limits: VehicleLimits, out: Wrench): boolean {
    return this.watched.of(agent).detour.fly(agent, step, limits, out)
  }

  /** Measures the progress of an agent. @returns its trouble, or null. */
  check(
    agent: Agent,
    step: Step,
    { targetStation, path, settings, station, target, limits }: FollowState,
  ): Trouble | null {
    const { threshold } = this
    const progress = this.watched.of(agent)
    const travelled = targetStation - distance(target, agent.position)
    const { endless, lap } = path.base
    const finished = endless
      ? travelled / lap - Math.floor(travelled / lap)
      : 1 - (path.end - travelled) / lap
    const isTime = progress.update(agent, step, travelled, limits.cruise, this.window)
    progress.finished = Math.min(Math.max(finished, 0), 1)
    if (!isTime) return null
    if (settings.crowdRadius !== undefined) {
      path.pointAt(spot, path.nextWaypointStation(station))
      progress.crowded = isCrowded(agent, spot, settings.crowdRadius)
    }
    const { circling } = progress
    if (progress.stuck < threshold && circling < threshold) return null
    const isCircling = circling >= Math.min(CIRCLING_SHARE, threshold)
    progress.retry(agent, travelled, isCircling)
    return isCircling ? 'circling' : 'stuck'
  }

  /** The agent is at rest at the end. */
  rest(agent: Agent): void {
    const progress = this.watched.of(agent)
    progress.begin(agent, 0)
    progress.finished = 1
  }

  /** Describes the trouble and the obstacle that causes it. */
  describeTrouble(
    agent: Agent,
    trouble: Trouble,
    { path, settings, station, target }: FollowState,
  ): BlockedPath {
    const { obstacles } = settings
    const { crowded, tries } = this.watched.of(agent)
    let obstacle: Obstacle | null = null
    let blockedStation = station
    if (obstacles !== undefined) {
      // First an obstacle on the path itself; then one that overlaps the agent's tube around it, along which
      // the agent could slide.
      for (const radius of [0, agent.radius]) {
        // A dog or a hook may be beyond the obstacle that holds the agent.
        let from = path.previousWaypointStation(path.previousWaypointStation(station))
        for (let k = 0; k < SEGMENTS && obstacle === null && from < path.end; k++) {
          obstacle = firstObstacleOnPath(obstacles, radius, path, from)
          if (obstacle !== null) blockedStation = from
          from = path.nextWaypointStation(from)
        }
      }
      obstacle ??= firstObstacleBetween(obstacles, agent.radius, agent.position, target)
    }
    return {
      why: trouble,
      path: path.base,
      place: path.direction * station,
      waypoint: path.waypointAt(blockedStation),
      segment: path.segmentAt(blockedStation),
      obstacle,
      crowded,
      tries: tries - 1,
    }
  }

  /** Lets one in trouble try something else, see `PilotOptions.escape`. @returns where it goes on (m). */
  tryToGetFree(
    agent: Agent,
    step: Step,
    trouble: Trouble,
    { targetStation, path, settings, station, target }: FollowState,
  ): number {
    const { crowded, detour, tries } = this.watched.of(agent)
    const { obstacles } = settings
    if (!this.escape || crowded >= this.threshold) return station
    if (trouble === 'circling') return targetStation
    const back = obstacles === undefined ? NaN : detour.goBack(agent, step, path, station, target, obstacles)
    if (!Number.isNaN(back)) return back
    detour.backOff(agent, step, target, tries - 1, obstacles)
    return station
  }

  /** The metrics of an agent; null before its first step. */
  metricsOf(agent: { readonly id: number }): PilotMetrics | null {
    const progress = this.watched.find(agent)
    if (progress === undefined) return null
    const { circling, crowded, finished, held } = progress
    return { stuck: held, finished, crowded, circling }
  }
}

/** Number of directions that are tried for backing off. More: a clearer one is found, at more cost. */
const DIRECTIONS = 8
/** Part backwards of these directions for each unit sideways. Larger: the agent backs off more steeply. */
const BACK_SHARE = 0.5

/** Distance to which an agent backs off the first time, in radii. */
const FIRST_DISTANCE = 3
/** Largest multiple of that distance in later tries. */
const MAX_GROWTH = 4

/** A detour ends within this many radii of its point. */
const ARRIVED_RADII = 1
/** It also ends after this multiple of the estimated time plus `EXTRA_TIME`. Larger: it tries longer. */
const TIME_FACTOR = 2
/** Time (s) that is added for a start from rest. */
const EXTRA_TIME = 1

/** Waypoints that are searched backwards. */
const MAX_WAYPOINTS_BACK = 16

/** A waypoint within this share of the lap counts as behind the agent. */
const SAME_PLACE = 1e-6

const detourPoint = vec3()
const bestPoint = vec3()
const toTarget = vec3()
const side = vec3()
const otherSide = vec3()
const trialDirection = vec3()

/** Frees a stuck agent: it first flies to another point. Constraints apply on the way as usual. */
class Detour extends Saved {
  /** Time (s) at which it ends; it is over before. */
  endTime = 0
  private readonly position: Vec3 = vec3()

  /**
   * Starts a detour to the last waypoint before `u` that is visible, if the target is not visible.
   * @returns the station of that waypoint; NaN for none.
   */
  goBack(
    agent: Agent,
    step: Step,
    path: DirectedPath,
    u: number,
    target: Vec3Like,
    obstacles: Obstacles,
  ): number {
    if (firstObstacleBetween(obstacles, agent.radius, agent.position, target) === null) return NaN
    let from = u + SAME_PLACE * path.base.lap
    for (let k = 0; k < MAX_WAYPOINTS_BACK; k++) {
      const waypoint = path.previousWaypointStation(from)
      if (!(waypoint < from)) return NaN
      from = waypoint
      path.pointAt(detourPoint, waypoint)
      if (firstObstacleBetween(obstacles, agent.radius, agent.position, detourPoint) !== null) continue
      this.begin(agent, step, detourPoint)
      return waypoint
    }
    return NaN
  }

  /**
   * Backs off to a side, farther with each try. Of several directions, turned by a random angle, it takes the
   * one with most clear distance; without known obstacles, the first. (Green lets stuck agents ignore
   * obstacles for a few iterations instead. Here no agent passes through an obstacle.)
   */
  backOff(agent: Agent, step: Step, target: Vec3Like, tries: number, obstacles: Obstacles | undefined): void {
    const distanceToFly = FIRST_DISTANCE * agent.radius * Math.min(1 + tries, MAX_GROWTH)
    normalize(toTarget, sub(toTarget, target, agent.position))
    if (isZero(toTarget)) copy(toTarget, agent.course.x)
    perpendicular(side, toTarget)
    cross(otherSide, toTarget, side)
    const start = TAU * agent.random()
    let clearest = -1
    for (let k = 0; k < DIRECTIONS; k++) {
      const angle = start + (TAU * k) / DIRECTIONS
      scale(trialDirection, toTarget, -BACK_SHARE)
      addScaled(trialDirection, trialDirection, side, Math.cos(angle))
      addScaled(trialDirection, trialDirection, otherSide, Math.sin(angle))
      normalize(trialDirection, trialDirection)
      const clear = clearDistance(obstacles, agent, trialDirection, distanceToFly)
      if (!(clear > clearest)) continue
      clearest = clear
      addScaled(bestPoint, agent.position, trialDirection, clear)
    }
    this.begin(agent, step, bestPoint)
  }

  /** Adds the force to an agent on a detour. @returns whether it is on one. */
  fly(agent: Agent, step: Step, limits: VehicleLimits, out: Wrench): boolean {
    const { position } = this
    if (!(this.endTime > step.time)) return false
    const remaining = distance(position, agent.position)
    if (remaining < ARRIVED_RADII * agent.radius) {
      this.endTime = 0
      return false
    }
    const speed = Math.min(limits.cruise, brakingSpeed(remaining, limits.brake, 0, limits.response))
    scale(trialDirection, sub(trialDirection, position, agent.position), speed / remaining)
    drive(agent, step, trialDirection, out.force)
    reportGoal(agent, position)
    return true
  }

  /** Starts a detour to `point`. */
  private begin(agent: Agent, step: Step, point: Vec3Like): void {
    copy(this.position, point)
    const remaining = distance(point, agent.position)
    const speed = Math.min(agent.maxSpeed, Math.sqrt((remaining * agent.maxForce) / agent.mass))
    this.endTime = step.time + EXTRA_TIME + TIME_FACTOR * (speed > 0 ? (2 * remaining) / speed : 0)
  }
}

/** What is stored of one agent. */
class Watched extends Progress {
  readonly detour = new Detour()

  override serialize(archive: Archive): void {
    super.serialize(archive)
    this.detour.serialize(archive)
  }
}

/** Share of the radius that is swept: an obstacle that is touched must not block every direction. */
const SWEEP_SHARE = 0.9

/** Number of chords per segment in the search for obstacles. */
const CHORDS = 8

const sweepDirection = vec3()
const chordStart = vec3()
const chordEnd = vec3()
const hit = sweptBall<Obstacle>()

/** The first obstacle that a ball of `radius` (m) meets on a straight line; null for none. */
function firstObstacleBetween(
  obstacles: Obstacles,
  radius: number,
  start: Vec3Like,
  end: Vec3Like,
): Obstacle | null {
  const sweepLength = length(sub(sweepDirection, end, start))
  if (!(sweepLength > 0)) return null
  scale(sweepDirection, sweepDirection, 1 / sweepLength)
  hit.radius = SWEEP_SHARE * radius
  hit.limit = sweepLength
  obstacles.sweepBall(start, sweepDirection, hit)
  return hit.obstacle
}

/** Clear distance in a direction (m), at most `limit`. */
function clearDistance(
  obstacles: Obstacles | undefined,
  agent: Agent,
  direction: Vec3Like,
  limit: number,
): number {
  if (obstacles === undefined) return limit
  hit.radius = SWEEP_SHARE * agent.radius
  hit.limit = limit
  obstacles.sweepBall(agent.position, direction, hit)
  return Math.min(limit, hit.distance)
}

/** The first obstacle that a ball of `radius` (m) meets on the path from `u` to the next waypoint. */
function firstObstacleOnPath(
  obstacles: Obstacles,
  radius: number,
  path: DirectedPath,
  u: number,
): Obstacle | null {
  const end = path.nextWaypointStation(u)
  path.pointAt(chordStart, u)
  for (let k = 1; k <= CHORDS; k++) {
    path.pointAt(chordEnd, u + ((end - u) * k) / CHORDS)
    const obstacle = firstObstacleBetween(obstacles, radius, chordStart, chordEnd)
    if (obstacle !== null) return obstacle
    copy(chordStart, chordEnd)
  }
  return null
}
