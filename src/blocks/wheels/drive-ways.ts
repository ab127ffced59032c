import type { Agent, Archive, ObstacleQuery, Step, Vec3, Vec3Like } from '../../core/types.js'
import { servoTime } from '../../core/control/drive.js'
import { BRAKE_SHARE } from '../../core/control/profile.js'
import { Saved } from '../../core/control/serialize-fields.js'
import { ArcPath } from '../curves/arc-path.js'
import { makeWayLimits, setWayLimits, WAY_CLEARANCE } from '../curves/way-limits.js'
import { WaySearch } from './way-search.js'
import { addScaled, copy, distance, dot, length, scale, sub, vec3 } from '../../core/math/vec3.js'
import type { GroundFrame } from '../../core/locomotion/ground-frame.js'

// states of a vehicle: on no way, on one to its goal, on one along its wanted velocity
const NONE = 0
const TO_GOAL = 1
const ALONG = 2

// The numbers below are chosen by hand.

/** Least time (s) between two searches. Longer: less work, and later answers. */
const RETRY = 0.5
/** Least time (s) after a search that found nothing. Longer: less work, and later answers. */
const RETRY_AFTER_FAILURE = 2
/** One that has stood for this time (s), in place of driving, searches a way. */
const PATIENCE = 1.2
/** Below this share of its wanted speed it stands. */
const STANDING_SHARE = 0.05
/** It rolls to the very place of a cusp at this many wheelbases a second. */
const CREEP = 0.02
/** A vehicle aims at least this many least radii ahead on its way. Larger: more even, and less exact. */
const AIM_RADII = 0.35
/** It aims at least as far ahead as it rolls in this many times of its servo and of its wheels. */
const AIM_TIMES = 1.2
/** On the curves of its way it aims at most this many least radii ahead. Larger: faster, and less exact. */
const CURVE_RADII = 0.7
/** A way is left for a new one when the vehicle is this far beside it (radii). */
const LOST_OFFSET = 0.3
/** It is also left when its goal has moved by more than this share of its distance plus `HULL_SHIFT`. */
const GOAL_SHIFT = 0.05
/** Shift of a goal that never counts, in radii of the hull. */
const HULL_SHIFT = 0.3
/** Distance (least radii) that it rolls in the other gear where it could not begin its way. */
const BACK_OFF = 0.25
/** The gear is changed this near to a cusp (radii). */
const CUSP_DISTANCE = 0.01
/** A way to a goal ends this near to it (radii of the hull). */
const END_SHARE = 0.3
/** A way along a wanted velocity ends this far before its last place (turn radii). */
const END_RADII = 0.35
/** Without a goal a way leads this far along the wanted velocity (radii of the hull), if it is free there. */
const FARTHEST = 6
/** Otherwise it leads to the farthest free place that is at least this far (radii of the hull). */
const NEAREST = 1.5

/** What of a vehicle on wheels decides its way. */
export interface RollingLimits {
  readonly wheelbase: number
  readonly turnRadius: number
  readonly steerRate: number
  readonly grip: number
  readonly brake: number | undefined
  readonly astern: number
}

/** A vehicle in a step. */
export interface Moment {
  readonly vehicle: RollingLimits
  readonly ground: GroundFrame
  readonly agent: Agent
  readonly step: Step
  /** The obstacles at rest. */
  readonly map: ObstacleQuery | null
  /** Step of the last search: there is one in a step at most. */
  searched: number
}

const limits = makeWayLimits()
const place = vec3()
const point = vec3()
/** One for all: it remembers nothing. */
export const search: WaySearch = /* @__PURE__ */ new WaySearch()

/** The way on which a vehicle drives where the simple one, a curve and a straight line, is blocked. */
export class DriveWay extends Saved {
  /** Speed (m/s) that the way allows, after `aimAhead`. */
  // (fractions as first values: V8 then keeps the fields as doubles from the start)
  speed = 0.5
  private on = NONE
  /** Its place on the way (m). */
  private station = 0.5
  private isWanted = false
  /** Time (s) of the next search, and for how long it has stood, although it should move. */
  private nextTime = 0
  private stood = 0
  /** To where the way leads (m). */
  private readonly endPosition: Vec3 = vec3()
  private readonly path = new ArcPath()

  override serialize(archive: Archive): void {
    super.serialize(archive)
    this.path.serialize(archive)
  }

  /** Whether the vehicle is on a way. */
  get isOn(): boolean {
    return this.on !== NONE
  }

  /** Asks for a way, if it is on none. */
  want(): void {
    if (!this.isOn) this.isWanted = true
  }

  /** Gives up the way. */
  leave(): void {
    this.on = NONE
    this.isWanted = false
    this.nextTime = this.stood = 0
  }

  /**
   * Updates the place of the vehicle on its way, or searches one, if it is wanted. `velocity` (m/s) is the
   * wanted one, in the ground, `end` the place where it shall end, if it is known, and `leadsThere` whether
   * it leads straight there. @returns whether it is on a way.
   */
  lead(moment: Moment, velocity: Vec3Like, end: Vec3Like | null, leadsThere: boolean): boolean {
    const { agent, ground, map, step, vehicle } = moment
    const { path } = this
    // a way to the goal leads elsewhere first, and what is wanted meanwhile may only be to brake
    const goal = leadsThere || this.on === TO_GOAL ? end : null
    if (goal === null && map === null) this.on = NONE
    const pace = length(velocity)
    const stands = agent.speed < STANDING_SHARE * pace
    this.stood = stands ? this.stood + step.dt : 0
    const isStuck = this.stood > PATIENCE && map !== null
    const backOff = BACK_OFF * vehicle.turnRadius
    // where it cannot begin its way it first rolls the other way
    const blocked = isStuck && this.isOn && this.station < backOff ? path.gearAt(0) : 0
    if (this.isOn) {
      const ends = this.ends(agent, step, velocity, goal, vehicle.turnRadius)
      if (ends === 0 && !isStuck) return true
      this.on = NONE
      if (ends > 1) this.isWanted = true
    }
    if (isStuck) this.isWanted = true
    if (!this.isWanted || step.time < this.nextTime || step.tick === moment.searched) return false
    this.isWanted = false
    if (!(pace > 0)) return false
    const { nose, up } = ground
    const brake = brakingPower(vehicle, agent)
    setWayLimits(
      limits,
      agent,
      nose,
      up,
      vehicle.turnRadius,
      vehicle.astern > 0,
      brake,
      servoTime(agent, step),
    )
    if (blocked !== 0 && vehicle.astern > 0) {
      limits.gear = -blocked
      limits.curve = 0
      limits.stop = backOff
    }
    if (goal !== null) copy(place, goal)
    else if (map === null || !placeAlong(place, agent, map, velocity, pace)) return false
    moment.searched = step.tick
    limits.clearance = WAY_CLEARANCE
    let found = search.find(path, map, agent.position, nose, place, null, up, limits)
    if (!found && map !== null) {
      // where it is narrow
      limits.clearance = 0
      found = search.find(path, map, agent.position, nose, place, null, up, limits)
    }
    this.nextTime = step.time + (found ? RETRY : RETRY_AFTER_FAILURE)
    this.stood = 0
    if (!found) return false
    this.on = goal === null ? ALONG : TO_GOAL
    this.station = 0
    copy(this.endPosition, place)
    return true
  }

  /** Updates its place on its way. @returns 0 while it goes on, 1 at its end, 2 where a new one is needed. */
  private ends(
    { position, radius, speed }: Agent,
    { dt }: Step,
    velocity: Vec3Like,
    goal: Vec3Like | null,
    turnRadius: number,
  ): 0 | 1 | 2 {
    const { endPosition, path, station } = this
    const cusp = path.cuspAfter(station)
    let s = path.nearest(position, station, Math.min(cusp, station + 4 * speed * dt + 0.03 * turnRadius))
    if (cusp < path.length && cusp - s < CUSP_DISTANCE * turnRadius) s = cusp
    this.station = s
    if (distance(path.pointAt(point, s), position) > LOST_OFFSET * turnRadius) return 2
    const left = path.length - s
    if (this.on === ALONG) {
      sub(point, endPosition, position)
      return left < END_RADII * turnRadius || dot(point, velocity) < 0 ? 1 : 0
    }
    if (goal === null) return 1
    const shift = distance(endPosition, goal)
    if (shift > GOAL_SHIFT * distance(position, goal) + HULL_SHIFT * radius) return 2
    return left < END_SHARE * radius ? 1 : 0
  }

  /** Writes the place (m) on the way at which the vehicle aims, and `speed`. @returns its gear. */
  aimAhead(out: Vec3, { agent, step, vehicle }: Moment): 1 | -1 {
    const { path, station } = this
    const cusp = path.cuspAfter(station)
    const time = servoTime(agent, step)
    const { turnRadius } = vehicle
    const aimTime = AIM_TIMES * (agent.forceLag + time)
    path.aimAt(out, station, Math.max(AIM_RADII * turnRadius, aimTime * agent.speed))
    const left = cusp - station
    const brake = 2 * BRAKE_SHARE * brakingPower(vehicle, agent)
    this.speed =
      cusp < path.length
        ? Math.min(Math.sqrt(brake * left), left / time + CREEP * vehicle.wheelbase)
        : Infinity
    // on curves it looks no farther ahead than this, or it would cut them
    const most = (CURVE_RADII * turnRadius) / aimTime
    let i = path.pieceAt(station)
    while (i < path.count && path.bendOf(i) === 0) i++
    if (i < path.count) {
      const before = Math.max(0, path.startOf(i) - station)
      this.speed = Math.min(this.speed, Math.sqrt(most * most + brake * before))
    }
    return path.gearAt(station) < 0 ? -1 : 1
  }
}

/** Greatest deceleration (m/s²) of a vehicle. */
export function brakingPower({ brake, grip }: RollingLimits, { mass, maxForce }: Agent): number {
  return Math.max(1e-9, Math.min(grip, (brake ?? maxForce) / mass))
}

/** Writes a free place along the wanted velocity. @returns whether there is one. */
function placeAlong(
  out: Vec3,
  { position, radius }: Agent,
  map: ObstacleQuery,
  velocity: Vec3Like,
  pace: number,
): boolean {
  for (let range = FARTHEST; range >= NEAREST; range--) {
    addScaled(out, position, scale(point, velocity, 1 / pace), range * radius)
    if (map.distanceToFree(out) === 0 && map.isVisible(position, out)) return true
  }
  return false
}
