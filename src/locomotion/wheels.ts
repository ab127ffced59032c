import type {
  Agent,
  Locomotion,
  ObstacleQuery,
  RollingVehicle,
  SnapshotState,
  Step,
  Vec3,
  Vec3Like,
  Wish,
  Wrench,
} from '../types.js'
import { servoTime, topSpeed } from '../control/drive.js'
import { Memory } from '../control/memory.js'
import { limitTorque, modelAttitude, torqueFor, turnAcceleration, turnTo } from '../control/turn.js'
import { clearWish, makeWish } from '../control/wish.js'
import { type OptionTable, readOptions } from '../math/options.js'
import { quat, quatFromAxes } from '../math/quat.js'
import { clamp } from '../math/scalar.js'
import {
  addScaled,
  copy,
  cross,
  distance,
  dot,
  isZero,
  length,
  normalize,
  reject,
  scale,
  set,
  sub,
  truncate,
  vec3,
} from '../math/vec3.js'
import { clearWrench, zeroWrench } from '../math/wrench.js'
import { backAngle, curveLength, isInsideCircle } from './drive-plan.js'
import { feedForward } from './limits.js'

export interface WheelsOptions {
  /** Distance (m, > 0) between the axles. The least turn radius is `wheelbase` / tan(`maxSteer`). */
  wheelbase: number
  /** Greatest angle (rad) of the front wheels, in (0, 1.5]. Default 0.6. */
  maxSteer?: number
  /** Rate (rad/s, > 0) at which the front wheels turn. Default 1.2. */
  steerRate?: number
  /**
   * Greatest acceleration (m/s², > 0) that the tyres hold, in all directions together: friction times g.
   * Beyond it the vehicle slips. Default 8, dry asphalt.
   */
  grip?: number
  /** Greatest force of the engine (N, ≥ 0). Default the agent's `maxForce`. */
  thrust?: number
  /** Greatest force of the brakes (N, ≥ 0). Default the agent's `maxForce`. */
  brake?: number
  /**
   * Greatest speed astern, as a share of the top speed, in [0, 1]; 0: it never goes astern. Default 0.3. It
   * goes astern to a place near behind it, in three-point turns, and where a wanted velocity astern is no
   * faster than this.
   */
  astern?: number
}

// per agent: the angle of the front wheels (rad, + to starboard), the gear (+1, −1; 0 before the first
// step), whether the tail shall lead to the goal (1) or the nose (0), and how far it shall still back up (m)
const STEER = 0
const GEAR = 1
const TAIL = 2
const BACK = 3
const WIDTH = 4

// The numbers below are chosen by hand.

/** Share of the grip that a wanted curve uses; the rest brakes and corrects. */
const CURVE_SHARE = 0.8
/** Share of the grip that the steering uses at most: it also changes the yaw. */
const SLIP_SHARE = 0.95
/** A goal this near to the wanted direction (cosine) is driven to; else only the direction counts. */
const GOAL_COSINE = 0.9
/** Curves are planned with this many times the least radius, and left with the second one. */
const PLAN_RADII = 1.03
const LEAVE_RADII = 1.12
/** A curve is left this share of the wheelbase later. */
const LEAVE_SHARE = 0.2
/** A goal whose distance from the line ahead is less than this share of the hull radius counts as on it. */
const SIDE_TOLERANCE = 0.1
/** The way that is being driven is left for one that takes less than this share of its time. */
const BETTER = 0.7
/** Time (s) to change the gear and turn the wheels, and the acceleration (m/s²) assumed before. */
const GEAR_TIME = 0.8
/** A wanted direction within this angle (rad) of straight astern is driven astern, if slow enough. */
const ASTERN_ANGLE = 0.5
/** Curves of more than this angle (rad) are checked for obstacles, in pieces of the second angle. */
const CHECKED_ANGLE = 0.3
const PIECE_ANGLE = 0.35
/** A vehicle that backs up may go ahead within this angle (rad) of the wanted direction. */
const ALIGNED_ANGLE = 0.1
/** Below this speed (m/s) a vehicle stands, for a change of gear. */
const STANDING = 0.05
/** It waits for its wheels: it rolls no more than this share of its wheelbase while they turn. */
const WAITING_SHARE = 0.1
/** Wanted velocities point at most this far (rad) from the nose. */
const WIDEST = 0.6
/** A vehicle in space is righted by at most this angular acceleration (rad/s²): the ground is stronger. */
const RIGHTING = 2
/** A wanted velocity of less than this share of the present one is rounding, and has no direction. */
const ROUNDING = 1e-9
/** A nose within this sine of straight up or down has no direction along the ground. */
const LYING_SINE = 0.05

const up = vec3()
const nose = vec3()
const side = vec3()
const level = vec3()
const wanted = vec3()
const cost = vec3()
const direction = vec3()
const turning = vec3()
const place = vec3()
const next = vec3()
const steering = quat()
const target = quat()
const upright: Wrench = zeroWrench()

/**
 * Moves a car or cart: it rolls along its nose, ahead or astern, turns only while it rolls, on curves no
 * tighter than its steering allows, and never slips sideways unless it is pushed harder than its tyres hold
 * (the bicycle model; its centre moves as the middle of the rear axle). It steers towards the velocity that
 * behaviours want. Where a goal lies inside its turning circle, or its curve is blocked by an obstacle, it
 * backs up first; to a goal near behind it drives astern. A wanted torque is ignored.
 *
 * Its ground is the agent's `plane`, if it has one, else the plane of its own wheels, and it rights itself
 * gently. The floor of a physics engine must be without friction for its body: the tyres are simulated here.
 */
export class Wheels implements Locomotion, RollingVehicle {
  static readonly type: string = 'Wheels'
  static readonly options = {
    wheelbase: { kind: 'number', required: true, unit: 'm', above: 0 },
    maxSteer: { kind: 'number', unit: 'rad', above: 0, atMost: 1.5, default: 0.6 },
    steerRate: { kind: 'number', unit: 'rad/s', above: 0, infinite: true, default: 1.2 },
    grip: { kind: 'number', unit: 'm/s²', above: 0, infinite: true, default: 8 },
    thrust: { kind: 'number', unit: 'N', atLeast: 0, infinite: true },
    brake: { kind: 'number', unit: 'N', atLeast: 0, infinite: true },
    astern: { kind: 'number', atLeast: 0, atMost: 1, default: 0.3 },
  } satisfies OptionTable<WheelsOptions>

  wheelbase!: number
  maxSteer!: number
  steerRate!: number
  grip!: number
  thrust!: number | undefined
  brake!: number | undefined
  astern!: number
  private readonly memory = new Memory(WIDTH)
  readonly state: SnapshotState = [this.memory]
  private readonly wish: Wish = makeWish()
  /** Whether the wanted velocity is one that the vehicle can have, as `within` made it. */
  private isManeuver = false
  /** The planned velocity (m/s) and curvature (1/m, + to starboard). */
  private readonly planned: Vec3 = vec3()
  private curve = 0.5
  /** Angle (rad) by which the wheels must still turn. */
  private missing = 0.5

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: WheelsOptions) {
    Object.assign(this, readOptions('Wheels', Wheels.options, options))
  }

  /** Least radius of its curves, m. */
  get turnRadius(): number {
    return this.wheelbase / Math.tan(this.maxSteer)
  }

  /** Angle (rad) of the front wheels of an agent, positive to starboard. */
  steerOf(agent: Agent): number {
    const at = this.memory.find(agent)
    return at < 0 ? 0 : this.memory.data[at + STEER]!
  }

  beginWish(): Wish {
    const { wish } = this
    clearWish(wish)
    wish.map = null
    wish.vehicle = this
    wish.turnRadius = this.turnRadius
    this.isManeuver = false
    return wish
  }

  actuate(agent: Agent, demand: Readonly<Wrench>, step: Step, out: Wrench): void {
    const { force, torque } = out
    const { mass } = agent
    const { dt } = step
    standOn(agent, step)
    const time = servoTime(agent, step)
    reject(level, agent.velocity, up)
    addScaled(wanted, agent.velocity, demand.force, time / mass)
    reject(wanted, wanted, up)
    if (!this.isManeuver) this.maneuver(agent, step, wanted, this.goal(), this.wish.aim, this.wish.map, null)
    const at = this.memory.at(agent)
    const { data } = this.memory
    const pace = dot(level, nose)
    const ahead = dot(wanted, nose)
    if (ahead !== 0) data[at + GEAR] = ahead < 0 ? -1 : 1
    const gear = data[at + GEAR]! < 0 ? -1 : 1
    this.turnWheels(agent, data, at, pace, gear, time, dt)
    // along the nose
    const top = gear < 0 ? this.astern * topSpeed(agent) : topSpeed(agent)
    const free = Math.max(
      Math.abs(pace),
      (WAITING_SHARE * this.wheelbase * this.steerRate) / Math.max(this.missing, 1e-9),
    )
    const speed = clamp(ahead, -Math.min(top, free), Math.min(top, free))
    const curve = this.curveAt(agent, data[at + STEER]!, pace)
    truncate(cost, reject(cost, feedForward(cost, agent, dt), up), agent.maxForce)
    const change = (mass * (speed - pace)) / time
    const across = Math.min(1, (pace * pace * Math.abs(curve)) / this.grip)
    const along = this.limitThrust(agent, pace, change + dot(cost, nose), dt) - dot(cost, nose)
    const held = this.grip * mass * Math.sqrt(1 - across * across)
    const longitudinal = clamp(along, -held, held)
    const after = pace + (longitudinal * dt) / mass
    this.yaw(agent, step, -after * curve, torque)
    // to the side: what keeps it on the line of its nose, as far as the tyres hold
    turnAcceleration(turning, agent, torque)
    const angle = (dot(agent.angularVelocity, up) + dot(turning, up) * dt) * dt
    scale(direction, nose, Math.cos(angle))
    addScaled(direction, direction, side, -Math.sin(angle))
    scale(force, sub(force, scale(force, direction, after), level), mass / dt)
    const lateral = dot(force, side)
    const grip = this.grip * mass
    addScaled(force, force, nose, dot(cost, nose))
    addScaled(force, force, side, clamp(lateral - mass * dot(agent.gravity, side), -grip, grip) - lateral)
    reject(force, force, up)
  }

  forceAlong(agent: Agent, x: number, y: number, z: number): number {
    set(direction, x, y, z)
    const { attitude, mass, velocity } = agent
    const along = dot(direction, attitude.x)
    const across = Math.abs(dot(direction, attitude.z))
    const brakes = along * dot(velocity, attitude.x) < 0
    const main = Math.min(agent.maxForce, (brakes ? this.brake : this.thrust) ?? agent.maxForce)
    return Math.abs(along) * Math.min(main, this.grip * mass) + across * CURVE_SHARE * this.grip * mass
  }

  /** Half of the time that the wheels need from straight ahead to one side. */
  forceLag(): number {
    return this.maxSteer / this.steerRate / 2
  }

  maneuver(
    agent: Agent,
    step: Step,
    velocity: Vec3,
    goal: Vec3Like | null,
    aim: number,
    map: ObstacleQuery | null,
    limits: { addHalfSpace(normal: Vec3Like, least: number): void } | null,
  ): void {
    this.isManeuver = true
    standOn(agent, step)
    reject(velocity, velocity, up)
    const at = this.memory.at(agent)
    const { data } = this.memory
    let pace = length(velocity)
    if (pace <= ROUNDING * agent.speed) {
      pace = 0
      set(velocity, 0, 0, 0)
    }
    copy(this.planned, velocity)
    this.curve = 0
    if (pace > 0) this.plan(agent, step, velocity, pace, goal, aim, map, data, at)
    if (limits === null) return
    const gear = data[at + GEAR]! < 0 ? -1 : 1
    const widest = this.widest(agent, step, Math.max(length(velocity), agent.speed))
    for (let hand = -1; hand <= 1; hand += 2) {
      scale(direction, nose, gear * Math.sin(widest))
      limits.addHalfSpace(addScaled(direction, direction, side, hand * Math.cos(widest)), 0)
    }
  }

  /** The goal of the wish, if it is a place. */
  private goal(): Vec3Like | null {
    return this.wish.hasGoalPoint ? this.wish.goal : null
  }

  /** Replaces the wanted velocity, which is not zero, by the next one on the way, and stores the gear. */
  private plan(
    agent: Agent,
    step: Step,
    velocity: Vec3,
    pace: number,
    goal: Vec3Like | null,
    aim: number,
    map: ObstacleQuery | null,
    data: Float64Array,
    at: number,
  ): void {
    const ahead = dot(velocity, nose)
    const across = dot(velocity, side)
    const hand = across < 0 ? -1 : 1
    const angle = Math.atan2(Math.abs(across), ahead)
    const range = aim !== 0 ? Math.abs(aim) : rangeTo(agent, goal, velocity, pace)
    const speed = dot(agent.velocity, nose)
    const { mass } = agent
    const top = topSpeed(agent)
    const power = Math.max(1e-9, Math.min(this.grip, (this.brake ?? agent.maxForce) / mass))
    const x = range * Math.cos(angle)
    const y = range * Math.sin(angle)
    const isBeside = range < Infinity && y < SIDE_TOLERANCE * agent.radius
    const before = data[at + GEAR]! < 0 ? -1 : 1
    let gear = 1
    let tail = 0
    if (aim !== 0) {
      gear = aim < 0 ? -1 : 1
      tail = aim < 0 ? 1 : 0
    } else if (this.astern > 0) {
      const radius = this.turnRadius * PLAN_RADII
      if (range < Infinity) {
        const slow = this.astern * top
        const turns = Math.min(top, Math.sqrt(CURVE_SHARE * this.grip * radius))
        const kept = data[at + TAIL]!
        const noseTime =
          wayTime(x, y, radius, turns, top, slow, Math.abs(speed) / power, speed >= 0, isBeside) *
          (kept > 0 ? 1 : BETTER)
        const tailTime =
          wayTime(-x, y, radius, slow, slow, turns, Math.abs(speed) / power, speed <= 0, isBeside) *
          (kept > 0 ? BETTER : 1)
        tail = tailTime < noseTime ? 1 : 0
        const isLeaving = before < 0 !== tail > 0
        const circle = this.turnRadius * (isLeaving ? LEAVE_RADII : PLAN_RADII)
        // the wheels turn while it begins to roll
        const lead = isLeaving ? Math.max(0, Math.abs(x) - LEAVE_SHARE * this.wheelbase) : x
        const isInside = !isBeside && isInsideCircle(lead, y, circle)
        gear = isInside === tail > 0 ? 1 : -1
      } else if (pace <= this.astern * top * 1.001 && Math.PI - angle < ASTERN_ANGLE) {
        tail = 1
        gear = -1
      }
      if (tail === 0 && gear > 0 && map !== null && angle > (before < 0 ? ALIGNED_ANGLE : CHECKED_ANGLE)) {
        data[at + BACK]! -= Math.max(0, -speed) * step.dt
        gear = this.gearBetween(agent, map, hand, angle, before < 0 ? data[at + BACK]! : NaN)
        if (gear < 0 && before > 0) data[at + BACK] = PIECE_ANGLE * radius
      }
    }
    data[at + GEAR] = gear
    data[at + TAIL] = tail
    this.towards(agent, step, velocity, pace, gear, tail, hand, angle, range, aim !== 0)
  }

  /** Writes the velocity that turns the nose, or the tail, to the wanted direction. */
  private towards(
    agent: Agent,
    step: Step,
    velocity: Vec3,
    pace: number,
    gear: number,
    tail: number,
    hand: number,
    angle: number,
    range: number,
    isPath: boolean,
  ): void {
    const time = servoTime(agent, step)
    // what must turn, and how far
    const error = tail > 0 ? Math.PI - angle : angle
    const turn = tail > 0 ? -hand : hand
    const isLeading = tail > 0 === gear < 0
    const needs = !isLeading || error > Math.PI / 2 ? 1 : Math.sin(error)
    const curve = isLeading && range < Infinity ? (2 * needs) / range : needs / this.turnRadius
    let most = Math.sqrt((CURVE_SHARE * this.grip) / Math.max(curve, 1e-9))
    if (range === Infinity) most = Math.max(most, pace * Math.cos(error))
    // a goal beside it is reached as far as it is ahead
    const cosine = Math.max(0, Math.cos(error))
    // near a goal that is more beside it than ahead it stops
    const isThere = range < SIDE_TOLERANCE * agent.radius && cosine < Math.SQRT1_2
    const share = isLeading && !isPath && range < agent.radius ? (isThere ? 0 : cosine) : 1
    if (gear < 0) most = Math.min(most, this.astern * topSpeed(agent))
    const speed = Math.min(pace * share, most)
    const now = Math.abs(dot(agent.velocity, nose))
    const widest = this.widest(agent, step, Math.max(speed, now))
    // the wheels must be straight again when it points there
    const straighten = (Math.max(now, 0.1) * this.steerRate) / this.wheelbase
    const rate = isLeading ? Math.min(error / time, Math.sqrt(2 * straighten * error)) : Infinity
    const reference = Math.max(speed, now, STANDING)
    const bend = isPath && range < Infinity ? curve : rate / reference
    const psi = Math.min(widest, bend * reference * time)
    this.curve = gear * turn * Math.min(bend, 1 / this.turnRadius)
    scale(velocity, nose, gear * speed * Math.cos(psi))
    addScaled(velocity, velocity, side, gear * turn * speed * Math.sin(psi))
    copy(this.planned, velocity)
  }

  /**
   * The gear in which it turns between obstacles: ahead while that way is free, else astern. `back`: how far
   * (m) it shall still back up; NaN while it goes ahead.
   */
  private gearBetween(agent: Agent, map: ObstacleQuery, hand: number, angle: number, back: number): number {
    const radius = this.turnRadius * PLAN_RADII
    const room = freeAngle(agent, map, radius, hand, -1, 2 * PIECE_ANGLE)
    if (back > 0 && room > PIECE_ANGLE / 2) return -1
    const whole = Math.min(angle, Math.PI)
    const free = freeAngle(agent, map, radius, hand, 1, whole)
    if (free >= whole) return 1
    if (Number.isNaN(back)) return free > PIECE_ANGLE || free >= room ? 1 : -1
    return room > PIECE_ANGLE / 2 || room >= free ? -1 : 1
  }

  /** Greatest angle (rad) between the nose and a velocity at `speed` that its steering follows. */
  private widest(agent: Agent, step: Step, speed: number): number {
    const fast = Math.max(speed, STANDING)
    const curve = Math.min(1 / this.turnRadius, this.grip / (fast * fast), agent.maxTurnRate / fast)
    return Math.min(WIDEST, 1.3 * curve * fast * servoTime(agent, step))
  }

  /** Turns the front wheels, at their rate, to the curve towards the wanted velocity. Reads `wanted`. */
  private turnWheels(
    agent: Agent,
    data: Float64Array,
    at: number,
    pace: number,
    gear: number,
    time: number,
    dt: number,
  ): void {
    this.missing = 0
    const ahead = gear * dot(wanted, nose)
    if (!(ahead > 0) && isZero(wanted)) return
    // it keeps its curve while it brakes for the other gear
    if (pace * gear < -STANDING) return
    const psi = Math.atan2(gear * dot(wanted, side), Math.max(ahead, 0))
    // constraints have changed the velocity, or not
    const curve =
      distance(wanted, this.planned) < 1e-6 * (1 + ahead)
        ? this.curve
        : (gear * psi) / (time * Math.max(Math.abs(pace), ahead, STANDING))
    const angle = Math.atan(this.wheelbase * curve)
    this.missing = Math.abs(clamp(angle, -this.maxSteer, this.maxSteer) - data[at + STEER]!)
    const most = this.steerRate * dt
    const steer = data[at + STEER]!
    data[at + STEER] = clamp(
      steer + clamp(clamp(angle, -this.maxSteer, this.maxSteer) - steer, -most, most),
      -this.maxSteer,
      this.maxSteer,
    )
  }

  /** Curvature (1/m, + to starboard) with this angle of the wheels, as far as the tyres hold. */
  private curveAt(agent: Agent, steer: number, pace: number): number {
    const fast = Math.abs(pace)
    const most = Math.min((SLIP_SHARE * this.grip) / (fast * fast), agent.maxTurnRate / fast)
    return clamp(Math.tan(steer) / this.wheelbase, -most, most)
  }

  /** Limits a force along the nose to that of the engine and the brakes, and to the top speed. */
  private limitThrust(agent: Agent, pace: number, force: number, dt: number): number {
    const { mass, maxForce } = agent
    const brakes = force * pace < 0
    const most = Math.min(maxForce, (brakes ? this.brake : this.thrust) ?? maxForce)
    const limited = clamp(force, -most, most)
    // brakes only stop; the engine needs another step
    return brakes && Math.abs(limited * dt) > mass * Math.abs(pace) && (this.thrust ?? maxForce) < most
      ? (-mass * pace) / dt
      : limited
  }

  /** Writes the torque that gives it this yaw rate (rad/s, about `up`), and keeps it upright. */
  private yaw(agent: Agent, step: Step, rate: number, torque: Vec3): void {
    const spin = dot(agent.angularVelocity, up)
    clearWrench(upright)
    scale(turning, up, spin)
    turnTo(agent, modelAttitude(target, quatFromAxes(steering, nose, up), agent.axes), step, upright, turning)
    if (isZero(agent.plane)) {
      const most = length(torqueFor(turning, agent, scale(turning, side, RIGHTING)))
      truncate(upright.torque, upright.torque, most)
    }
    torqueFor(torque, agent, scale(turning, up, (rate - spin) / step.dt))
    addScaled(torque, torque, upright.torque, 1)
    limitTorque(agent, step.dt, torque)
  }
}

/** Writes `up`, `nose` and `side` (starboard) of the vehicle on its wheels. */
function standOn({ attitude, plane }: Agent, step: Step): void {
  if (isZero(plane)) copy(up, step.up)
  else {
    const above = dot(plane, step.up)
    scale(up, plane, (above === 0 ? dot(plane, attitude.y) : above) < 0 ? -1 : 1)
  }
  reject(nose, attitude.x, up)
  if (length(nose) < LYING_SINE) reject(nose, attitude.y, up)
  normalize(nose, nose)
  cross(side, nose, up)
}

/** Distance (m) to the goal, if the wanted velocity leads to it; else Infinity. */
function rangeTo(agent: Agent, goal: Vec3Like | null, velocity: Vec3Like, pace: number): number {
  if (goal === null) return Infinity
  reject(place, sub(place, goal, agent.position), up)
  const range = length(place)
  return dot(place, velocity) > GOAL_COSINE * range * pace ? range : Infinity
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
  const angle = backAngle(x, y, radius)
  return (
    (radius * angle) / other + (radius * Math.PI) / 2 / first + GEAR_TIME + (goesThere ? stop + GEAR_TIME : 0)
  )
}

/** The angle (rad) for which a curve is free of obstacles at rest, up to `most`, in pieces. */
function freeAngle(
  { position }: Agent,
  map: ObstacleQuery,
  radius: number,
  hand: number,
  gear: number,
  most: number,
): number {
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
