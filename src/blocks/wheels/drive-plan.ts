import type {
  Agent,
  Archive,
  ObstacleQuery,
  Serializable,
  SnapshotState,
  Step,
  Vec3,
  Vec3Like,
  VelocityLimits,
} from '../../core/types.js'
import { servoTime, topSpeed } from '../../core/control/drive.js'
import { PerAgent } from '../../core/control/per-agent.js'
import { curveLength, isInsideCircle } from './way-search.js'
import { addScaled, copy, dot, length, reject, scale, set, sub, vec3 } from '../../core/math/vec3.js'
import { brakingPower, DriveWay, type Moment, type RollingLimits } from './drive-ways.js'
import type { GroundFrame } from '../../core/locomotion/ground-frame.js'

// The numbers below are chosen by hand.

/** Share of the grip that a wanted curve uses; the rest brakes and corrects. */
export const CURVE_SHARE = 0.8
/** A goal this near to the wanted direction (cosine) is driven to. Otherwise only the direction counts. */
const GOAL_COSINE = 0.9
/** Curves are planned with this many times the least radius. Larger: more to correct by, and wider curves. */
const PLAN_RADII = 1.03
/** To turn round it drives away until the goal is outside of this many least radii. Larger: farther. */
const LEAVE_RADII = 1.12
/** It drives this share of the wheelbase farther, because its wheels turn while it begins to roll. */
const LEAVE_SHARE = 0.2
/** A goal whose distance from the line ahead is less than this share of the hull radius counts as on it. */
const SIDE_TOLERANCE = 0.1
/** Time (s) to change the gear and turn the wheels. Larger: fewer ways with a change of gear. */
const GEAR_TIME = 0.8
/** A wanted direction within this angle (rad) of straight astern is driven astern, if slow enough. */
const ASTERN_ANGLE = 0.5
/** Curves of more than this angle (rad) are checked for obstacles. */
const CHECKED_ANGLE = 0.3
/** They are checked in pieces of this angle (rad). Smaller: closer to the true curve, at more cost. */
const PIECE_ANGLE = 0.35
/** Where the curves ahead and astern together are free for less than this (rad) it does not turn round. */
const LEAST_ROOM = PIECE_ANGLE
/** The same for one that drives tail first already. Larger, so that it does not alternate. */
const LEAVE_ROOM = 3 * PIECE_ANGLE
/** A vehicle that backs up may go ahead within this angle (rad) of the wanted direction. */
const ALIGNED_ANGLE = 0.1
/** Below this many wheelbases a second a vehicle stands, for a change of gear. */
const STANDING = 0.02
/** A way is barred where less than this multiple of that speed is allowed. */
const BARRED = 4
/** What was held up by an obstacle is no longer when it goes at this share of its wanted speed. */
const HELD_SHARE = 0.5
/** Wanted velocities point at most this far (rad) from the nose. */
const WIDEST = 0.6
/** A wanted velocity of less than this share of the present one is rounding, and has no direction. */
const ROUNDING = 1e-9

/** What was chosen for a wanted velocity. */
interface Way {
  /** Wanted speed, m/s. */
  pace: number
  /** +1 or −1, and whether the tail shall lead (1) or the nose (0). */
  gear: number
  tail: number
  /** Side of the wanted direction, +1 to starboard, and its angle from the nose (rad). */
  hand: number
  angle: number
  /** Distance of the goal, or radius of the path (m); Infinity without. */
  range: number
  isPath: boolean
  /** Whether an obstacle has held it up since it was last at its pace. */
  isHeld: boolean
}

/** Result of `gearBetween`: ahead, all the way. */
const FREE = 2

const place = vec3()
const next = vec3()
// (fractions as the first values: V8 then keeps the fields as doubles from the start)
const way: Way = {
  pace: 0.5,
  gear: 1,
  tail: 0,
  hand: 1,
  angle: 0.5,
  range: 0.5,
  isPath: false,
  isHeld: false,
}

/** What is stored of one vehicle. */
class Drive extends DriveWay {
  /** +1 or −1; 0 before the first step. */
  gear = 0
  /** Whether the tail shall lead to the goal (1) or the nose (0). */
  tail = 0
  /** How far it shall still back up (m). */
  back = 0
  /** Whether an obstacle has held it up. */
  isHeld = false
}

// one for all plans, which are equal then
const newDrive = (): Drive => new Drive()

/**
 * Chooses the next velocity on the way to a wanted one, or to a goal, for vehicles that roll: in which gear,
 * with which end first, on which curve. A place outside of the turning circles is reached on a curve and a
 * straight line, one inside of them after backing up.
 */
export class DrivePlan implements Moment, Serializable {
  readonly vehicle: RollingLimits
  readonly ground: GroundFrame
  agent!: Agent
  step!: Step
  map: ObstacleQuery | null = null
  searched = -1
  private readonly drives = new PerAgent(newDrive)
  readonly state: SnapshotState = [this.drives]
  /** The velocity (m/s) and the curvature (1/m, + to starboard) that were planned last. */
  readonly velocity: Vec3 = vec3()
  curve = 0.5

  /** `ground` is that of the agent which is asked. */
  constructor(vehicle: RollingLimits, ground: GroundFrame) {
    this.vehicle = vehicle
    this.ground = ground
  }

  serialize(archive: Archive): void {
    this.searched = archive.number(this.searched)
  }

  serializeAgent(): void {}

  /** The gear of an agent, +1 or −1: that of the speed `ahead` (m/s, along its nose), if it is not 0. */
  gearOf(agent: Agent, ahead: number): number {
    const drive = this.drives.of(agent)
    if (ahead !== 0) drive.gear = ahead < 0 ? -1 : 1
    return drive.gear < 0 ? -1 : 1
  }

  /**
   * Whether an agent is on a way that was searched for it, past the obstacles at rest. To be called before
   * `make`, with what it gets, where the agent chooses its way itself.
   */
  leads(
    agent: Agent,
    step: Step,
    velocity: Vec3Like,
    goal: Vec3Like | null,
    passes: boolean,
    map: ObstacleQuery | null,
  ): boolean {
    this.agent = agent
    this.step = step
    this.map = map
    reject(next, velocity, this.ground.up)
    const hasGoal = this.rangeTo(goal, next, length(next)) < Infinity
    const drive = this.drives.of(agent)
    if (passes && hasGoal) drive.want()
    return drive.lead(this, next, goal, hasGoal)
  }

  /** Notes that an agent may go no faster, because an obstacle is on the curve that it is on. */
  hold(agent: Agent): void {
    this.drives.of(agent).isHeld = true
  }

  /**
   * Replaces the wanted `velocity` (m/s) by the next one on the way. `goal`, `aim` and `map` as in
   * `RollingVehicle.maneuver`.
   */
  make(
    agent: Agent,
    step: Step,
    velocity: Vec3,
    goal: Vec3Like | null,
    aim: number,
    map: ObstacleQuery | null,
    limits: VelocityLimits | null,
  ): void {
    this.agent = agent
    this.step = step
    this.map = map
    reject(velocity, velocity, this.ground.up)
    const pace = length(velocity)
    this.curve = 0
    if (pace <= ROUNDING * agent.speed) set(velocity, 0, 0, 0)
    else if (this.choose(velocity, pace, goal, aim, limits)) this.turn(velocity)
    copy(this.velocity, velocity)
  }

  /** Chooses gear and end for a velocity that is not zero into `way`. @returns false where it stops. */
  private choose(
    velocity: Vec3,
    pace: number,
    goal: Vec3Like | null,
    aim: number,
    limits: VelocityLimits | null,
  ): boolean {
    const { agent, map, step, vehicle } = this
    const { nose, side, up } = this.ground
    const { astern, grip, turnRadius, wheelbase } = vehicle
    const standing = standingSpeed(vehicle)
    const drive = this.drives.of(agent)
    const ahead = dot(velocity, nose)
    const across = dot(velocity, side)
    const hand = across < 0 ? -1 : 1
    const angle = Math.atan2(Math.abs(across), ahead)
    const range = aim !== 0 ? Math.abs(aim) : this.rangeTo(goal, velocity, pace)
    const speed = dot(agent.velocity, nose)
    const top = topSpeed(agent)
    const x = range * Math.cos(angle)
    const y = range * Math.sin(angle)
    const isBeside = range < Infinity && y < SIDE_TOLERANCE * agent.radius
    const before = drive.gear < 0 ? -1 : 1
    let gear = 1
    let tail = 0
    if (aim !== 0) {
      drive.leave()
      gear = aim < 0 ? -1 : 1
      tail = aim < 0 ? 1 : 0
    } else if (drive.isOn) {
      gear = drive.aimAhead(place, this)
      tail = gear < 0 ? 1 : 0
      reject(place, sub(place, place, agent.position), up)
      const aside = dot(place, side)
      way.hand = aside < 0 ? -1 : 1
      way.angle = Math.atan2(Math.abs(aside), dot(place, nose))
      way.range = length(place)
      way.pace = Math.min(pace, drive.speed)
      way.isPath = true
      way.isHeld = false
      drive.gear = way.gear = gear
      drive.tail = way.tail = tail
      return true
    } else if (astern > 0) {
      const radius = turnRadius * PLAN_RADII
      if (range < Infinity) {
        const slow = astern * top
        const turns = Math.min(top, Math.sqrt(CURVE_SHARE * grip * radius))
        const stop = Math.abs(speed) / brakingPower(vehicle, agent)
        const noseTime = wayTime(x, y, radius, turns, top, slow, stop, speed >= 0, isBeside)
        const tailTime = wayTime(-x, y, radius, slow, slow, turns, stop, speed <= 0, isBeside)
        tail = tailTime < noseTime ? 1 : 0
        const isLeaving = before < 0 !== tail > 0
        const circle = turnRadius * (isLeaving ? LEAVE_RADII : PLAN_RADII)
        // the wheels turn while it begins to roll
        const lead = isLeaving ? Math.max(0, Math.abs(x) - LEAVE_SHARE * wheelbase) : x
        const isInside = !isBeside && isInsideCircle(lead, y, circle)
        gear = isInside === tail > 0 ? 1 : -1
      } else if (pace <= astern * top * 1.001 && Math.PI - angle < ASTERN_ANGLE) {
        tail = 1
        gear = -1
      }
      const turns = !(range < SIDE_TOLERANCE * agent.radius)
      if (tail === 0 && gear > 0 && turns && angle > (before < 0 ? ALIGNED_ANGLE : CHECKED_ANGLE)) {
        drive.back -= Math.max(0, -speed) * step.dt
        const back = before < 0 ? drive.back : NaN
        if (map !== null) {
          gear = this.gearBetween(map, hand, angle, back, drive.tail > 0 ? LEAVE_ROOM : LEAST_ROOM)
          if (gear !== FREE) drive.want()
          else gear = 1
        }
        // what is not in the map, such as an agent, may bar the way of one that stands
        const stands = before < 0 || Math.abs(speed) < standing
        if (gear > 0 && stands && limits !== null && limits.allows(scale(place, nose, -BARRED * standing)))
          if ((map === null && back > 0) || !limits.allows(scale(place, nose, BARRED * standing))) gear = -1
        if (gear < 0 && before > 0) drive.back = PIECE_ANGLE * radius
        // between walls it goes to a place behind as it came
        if (gear === 0) {
          gear = angle > Math.PI / 2 ? -1 : 1
          tail = gear < 0 ? 1 : 0
        }
      }
    } else if (goal !== null) {
      reject(place, sub(place, goal, agent.position), up)
      const along = dot(place, nose)
      const away = length(place)
      const aside = Math.abs(dot(place, side))
      // it comes no nearer, or brakes before it: to turn round is no way to do so
      if (along > 0 ? ahead < 0 : away < SIDE_TOLERANCE * agent.radius) {
        scale(velocity, velocity, 0)
        return false
      }
      // without a gear astern it must get away from it first
      const isInside =
        aside >= SIDE_TOLERANCE * agent.radius && isInsideCircle(along, aside, turnRadius * PLAN_RADII)
      if (range < Infinity && (isInside || (along < 0 && away < agent.radius))) drive.want()
    }
    if (!(Math.abs(speed) < HELD_SHARE * pace)) drive.isHeld = false
    way.pace = pace
    way.gear = drive.gear = gear
    way.tail = drive.tail = tail
    way.hand = hand
    way.angle = angle
    way.range = range
    way.isPath = aim !== 0
    way.isHeld = drive.isHeld
    return true
  }

  /** Writes the velocity that turns the nose, or the tail, to the wanted direction, as chosen in `way`. */
  private turn(velocity: Vec3): void {
    const { agent, step, vehicle } = this
    const { angle, gear, hand, isHeld, isPath, pace, range, tail } = way
    const { nose, side } = this.ground
    const { turnRadius } = vehicle
    const standing = standingSpeed(vehicle)
    const time = servoTime(agent, step)
    // what must turn, and how far
    const error = tail > 0 ? Math.PI - angle : angle
    const turn = tail > 0 ? -hand : hand
    const isLeading = tail > 0 === gear < 0
    const needs = !isLeading || error > Math.PI / 2 ? 1 : Math.sin(error)
    const curve = isLeading && range < Infinity ? (2 * needs) / range : needs / turnRadius
    let most = Math.sqrt((CURVE_SHARE * vehicle.grip) / Math.max(curve, 1e-9))
    if (range === Infinity) most = Math.max(most, pace * Math.cos(error))
    // a goal beside it is reached as far as it is ahead
    const cosine = Math.max(0, Math.cos(error))
    // near a goal that is more beside it than ahead it stops
    const isThere = range < SIDE_TOLERANCE * agent.radius && cosine < Math.SQRT1_2
    const share = isLeading && !isPath && range < agent.radius ? (isThere ? 0 : cosine) : 1
    if (gear < 0) most = Math.min(most, vehicle.astern * topSpeed(agent))
    const speed = Math.min(pace * share, most)
    const now = Math.abs(dot(agent.velocity, nose))
    const widest = widestAngle(vehicle, agent, step, Math.max(speed, now))
    // the wheels must be straight again when it points there
    const straighten = (Math.max(now, 2 * standing) * vehicle.steerRate) / vehicle.wheelbase
    const rate = isLeading ? Math.min(error / time, Math.sqrt(2 * straighten * error)) : Infinity
    const reference = Math.max(speed, now, standing)
    const isCurve = isPath && range < Infinity
    // held up, as for the pace that it has: it must turn its wheels before it can go faster
    const bend = isCurve ? curve : rate / (isHeld ? Math.max(now, standing) : reference)
    const psi = Math.min(widest, isCurve ? bend * reference * time : rate * time)
    this.curve = gear * turn * Math.min(bend, 1 / turnRadius)
    scale(velocity, nose, gear * speed * Math.cos(psi))
    addScaled(velocity, velocity, side, gear * turn * speed * Math.sin(psi))
  }

  /**
   * The gear in which it turns between obstacles: ahead while that way is free, else astern; 0 when
   * there is no room to turn. `back`: how far (m) it shall still back up; NaN while it goes ahead.
   */
  private gearBetween(
    map: ObstacleQuery,
    hand: number,
    angle: number,
    back: number,
    leastRoom: number,
  ): number {
    const room = this.freeAngle(map, hand, -1, 2 * PIECE_ANGLE)
    if (back > 0 && room > PIECE_ANGLE / 2) return -1
    const whole = Math.min(angle, Math.PI)
    const free = this.freeAngle(map, hand, 1, whole)
    if (free >= whole) return FREE
    if (free + room < leastRoom) return 0
    if (Number.isNaN(back)) return free > PIECE_ANGLE || free >= room ? 1 : -1
    return room > PIECE_ANGLE / 2 || room >= free ? -1 : 1
  }

  /** The angle (rad) for which a curve is free of obstacles at rest, up to `most`, in pieces. */
  private freeAngle(map: ObstacleQuery, hand: number, gear: number, most: number): number {
    const { nose, side } = this.ground
    const { position } = this.agent
    const radius = this.vehicle.turnRadius * PLAN_RADII
    copy(place, position)
    for (let angle = 0; angle < most;) {
      const end = Math.min(most, angle + PIECE_ANGLE)
      // on the circle around the centre `hand` beside it; astern on the other one
      scale(next, nose, gear * radius * Math.sin(end))
      addScaled(next, next, side, gear * hand * radius * (1 - Math.cos(end)))
      addScaled(next, next, position, 1)
      if (!map.isPathFree(place, next)) return angle
      copy(place, next)
      angle = end
    }
    return most
  }

  /** Distance (m) to the goal, if the wanted velocity leads to it; else Infinity. */
  private rangeTo(goal: Vec3Like | null, velocity: Vec3Like, pace: number): number {
    if (goal === null) return Infinity
    reject(place, sub(place, goal, this.agent.position), this.ground.up)
    const range = length(place)
    return dot(place, velocity) > GOAL_COSINE * range * pace ? range : Infinity
  }
}

/** Speed (m/s) below which a vehicle stands. */
export function standingSpeed({ wheelbase }: RollingLimits): number {
  return STANDING * wheelbase
}

/** Greatest angle (rad) between the nose and a velocity at `speed` that its steering follows. */
export function widestAngle(vehicle: RollingLimits, agent: Agent, step: Step, speed: number): number {
  const fast = Math.max(speed, standingSpeed(vehicle))
  const curve = Math.min(1 / vehicle.turnRadius, vehicle.grip / (fast * fast), agent.maxTurnRate / fast)
  return Math.min(WIDEST, 1.3 * curve * fast * servoTime(agent, step))
}

/**
 * Time (s) of the way to a place with one end of the vehicle first. `first`: speed on curves, `top`: on
 * straight lines, `other`: speed of the other gear, `stop`: time to stop when it does not go there now.
 */
function wayTime(
  x: number,
  y: number,
  radius: number,
  first: number,
  top: number,
  other: number,
  stop: number,
  goesThere: boolean,
  isBeside: boolean,
): number {
  const change = goesThere ? 0 : stop + GEAR_TIME
  if (isBeside || !isInsideCircle(x, y, radius)) {
    const whole = curveLength(x, y, radius)
    return whole / (whole > 4 * radius ? top : first) + change
  }
  // to get it out of the circle takes about half a radius in the other gear, and a quarter of a turn back
  return radius / 2 / other + (radius * Math.PI) / 2 / first + GEAR_TIME + (goesThere ? stop + GEAR_TIME : 0)
}
