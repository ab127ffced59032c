import type {
  Agent,
  Behavior,
  SnapshotState,
  MovingFrame,
  Step,
  Wrench,
  Vec3,
  Vec3Like,
} from '../../core/types.js'
import { servoTime, topSpeed } from '../../core/control/drive.js'
import { Memory } from '../../core/control/memory.js'
import { requireDirection, requireNumber } from '../../core/math/require.js'
import { arccos } from '../../core/math/scalar.js'
import {
  distance,
  dot,
  isZero,
  load,
  save,
  vec3,
  addScaled,
  copy,
  length,
  normalize,
  scale,
  sub,
  ZERO,
} from '../../core/math/vec3.js'
import { vehicleLimitsOf, makeVehicleLimits } from '../curves/vehicle-limits.js'
import { makeGoal } from '../directed-seek/goal.js'
import { aimAhead, turnNose, makeAim } from './lead.js'
import { MotionModel } from '../pursuit/motion-model.js'
import { RouteFollower } from '../directed-seek/route-follower.js'
import {
  awayAlong,
  bestSide,
  closingSpeed,
  couldMeet,
  flyCourse,
  flyOn,
  isInsideTurn,
  isTargetUsable,
  lateralAcceleration,
} from '../pursuit/run.js'
import { isGone, noseOf, requireMoving } from '../../core/control/target.js'
import { reportGoalDistance } from '../../core/control/wish.js'
import { readOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

export type AttackStage = 'approach' | 'attack' | 'break' | 'extend'

export interface AttackRunOptions extends Options, OptionsOf<typeof AttackRun.options> {}
export interface AttackRun extends FieldsOf<typeof AttackRun.options> {}

// The numbers below are chosen by hand unless they say otherwise.

/** Default smallest distance as a share of the range. */
const DEFAULT_MIN_SHARE = 0.2

function requireSide(what: string, side: AttackSide): AttackSide {
  return side === 'behind' || side === 'above' ? side : requireDirection(what, side)
}

const STAGES: readonly AttackStage[] = ['approach', 'attack', 'break', 'extend']
const APPROACH = 0
const ATTACK = 1
const BREAK = 2
const EXTEND = 3

// Offsets of the numbers that are stored for each agent.
const STAGE = 0
const SINCE = 1
const SIDE = 2
const ON_LINE = 5
const WIDTH = 6

/** The attack ends outside this multiple of the firing angle or of the range. Larger: it lasts longer. */
const LOST_FACTOR = 1.5
/** The agent breaks off where it would pass within this multiple of the least distance. Larger: earlier. */
const BREAK_MARGIN = 1.05

/** Speed of a run by default, at least, as a multiple of that of the target. */
const CATCH_UP = 1.25

/** A target within this angle of the guns (rad) is ahead: before it the agent slows down in time, … */
const AHEAD = 0.5
/** … with this share of its brakes. */
const BRAKE_SHARE = 0.7

/**
 * An extension lasts at most as long as its distance takes at this share of the speed, because flying
 * straight does not shake off a target that follows. Larger: the agent turns back sooner.
 */
const EXTEND_SPEED_SHARE = 0.6

/**
 * Within this multiple of the range, an attacker that is lined up need not fly through the gate itself.
 * Larger: it leaves its planned path earlier.
 */
const LINE_RANGE_SHARE = 1.5
/** The gate is passed within this distance (turn radii). Larger: the approach is less exact. */
const GATE_TOLERANCE = 0.2

/**
 * Approaches to a side last at most as long as this many extensions take, because a target that turns all the
 * time offers no stable position behind it. Larger: the agent tries longer, and attacks less often.
 */
const MAX_EXTENSIONS = 3

const aim = makeAim()
const gate = makeGoal()
const limits = makeVehicleLimits()
const escapeSide = vec3()
const direction = vec3()

/**
 * Measurements of the present step: distance, closing speed and angle between guns and aim, and the speed,
 * lateral acceleration and turn radius of the agent.
 */
const measured = { distance: 0, closingSpeed: 0, offAngle: 0, speed: 0, acceleration: 0, turnRadius: 0 }

/**
 * Attacks in runs. The agent approaches with the target ahead, points the guns at where the target will be
 * when the shots arrive, breaks off before it comes too near, flies away and comes back. Emits its stages as
 * `stage` events; in `attack` the guns bear.
 *
 * Jakob, Directional Extensions of Seek (2003), 2.1: "arriving at an attack location so that a target is in
 * front of the agent".
 */
export class AttackRun implements Behavior {
  static readonly type: string = 'AttackRun'
  static readonly options = {
    /** The target of the attack. */
    target: { kind: 'named', required: true, check: requireMoving<MovingFrame> },
    /** Firing range (m, > 0): the attack begins within it. */
    range: { kind: 'number', required: true, unit: 'm', above: 0 },
    /** Smallest distance to the target (m, ≥ 0, less than the range). Default a fifth of the range. */
    minRange: { kind: 'number', unit: 'm', atLeast: 0 },
    /** Half angle of the cone in which the guns bear, in (0, π] (rad). Default 0.1. */
    firingAngle: { kind: 'number', unit: 'rad', above: 0, atMost: Math.PI, default: 0.1 },
    /**
     * Side from which it attacks, see {@link AttackSide}. The agent flies a directed path to the firing range
     * on that side. Default: from its present side.
     */
    side: { kind: 'side', check: requireSide },
    /**
     * Speed of a run (m/s, > 0). Default the top speed; near the target no more than it takes to catch
     * up with it, or than allows turns within the range.
     */
    speed: { kind: 'number', unit: 'm/s', above: 0, infinite: true },
    /**
     * Muzzle speed of the guns relative to the agent (m/s, > 0). With Infinity shots hit at once, without
     * lead. Default Infinity.
     */
    projectileSpeed: { kind: 'number', unit: 'm/s', above: 0, infinite: true, default: Infinity },
    /**
     * Guns that point along the `course`, or along the `nose`. The latter, by torque, is for vehicles that
     * can fly one way and point another. Default `course`.
     */
    aim: { kind: 'text', oneOf: ['course', 'nose'], default: 'course' },
    /** Distance to which it flies away before it turns back (m). Default the range and two turn radii. */
    extension: { kind: 'number', unit: 'm', atLeast: 0 },
  } as const satisfies AnyTable
  private readonly memory = new Memory(WIDTH)
  private readonly motion = new MotionModel()
  private readonly follower = new RouteFollower(false)
  readonly state: SnapshotState = [this.memory, this.motion, this.follower]

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: AttackRunOptions) {
    const read = readOptions('AttackRun', AttackRun.options, options)
    if (read.minRange !== undefined) requireNumber('AttackRun.minRange', read.minRange, 0, false, read.range)
    Object.assign(this, read)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (isGone(agent, step, this, this.target)) return
    const { target } = this
    const offset = this.memory.at(agent)
    const { data } = this.memory
    if (!isTargetUsable(target, agent)) return flyOn(agent, step, topSpeed(agent, this.speed), out.force)
    this.measure(agent, step)
    this.decide(agent, step, offset)
    const stage = data[offset + STAGE]!
    load(escapeSide, data, offset + SIDE)
    if (stage === BREAK) flyCourse(agent, step, escapeSide, ZERO, measured.speed, out.force)
    else if (stage === EXTEND)
      flyCourse(agent, step, awayAlong(direction, agent, target, escapeSide), ZERO, measured.speed, out.force)
    else if (stage === APPROACH && !this.isOnLine(agent, step, offset)) this.flyRoute(agent, step, out)
    else this.runIn(agent, step, out)
    reportGoalDistance(agent, measured.distance)
  }

  private measure(agent: Agent, step: Step): void {
    const { target, motion } = this
    motion.update(agent, target, step)
    aimAhead(aim, agent, target, motion, this.projectileSpeed, this.aim === 'course')
    const gun = this.aim === 'course' ? agent.course.x : agent.attitude.x
    measured.distance = distance(target.position, agent.position)
    measured.closingSpeed = closingSpeed(agent, target)
    measured.offAngle = isZero(aim.direction) ? Math.PI : arccos(dot(gun, aim.direction))
    measured.acceleration = lateralAcceleration(agent)
    this.chooseSpeed(agent)
  }

  /**
   * By default an agent that turns too widely for its range slows down for the run; it is faster on a long
   * way to a target ahead.
   */
  private chooseSpeed(agent: Agent): void {
    const { range, speed, target } = this
    const { acceleration, distance: away, offAngle } = measured
    const top = topSpeed(agent, speed)
    const nimble = speed === undefined && acceleration > 0 ? Math.sqrt(acceleration * range) : Infinity
    const near = Math.min(top, Math.max(nimble, CATCH_UP * length(target.velocity)))
    const { x, y, z } = agent.course.x
    const brake = (BRAKE_SHARE * Math.max(0, agent.forceAlong(-x, -y, -z))) / agent.mass
    const way = near < top && offAngle < AHEAD ? Math.max(0, away - LINE_RANGE_SHARE * range) : 0
    measured.speed = way > 0 ? Math.min(top, Math.sqrt(near * near + 2 * brake * way)) : near
    measured.turnRadius = acceleration > 0 ? (near * near) / acceleration : 0
  }

  private decide(agent: Agent, step: Step, offset: number): void {
    const { data } = this.memory
    const { range, firingAngle } = this
    const minRange = this.minRange ?? DEFAULT_MIN_SHARE * range
    const elapsed = step.time - data[offset + SINCE]!
    const stage = data[offset + STAGE]!
    if (stage === APPROACH || stage === ATTACK) {
      const delay = agent.forceLag + servoTime(agent, step) / 2 + step.dt
      const margin = BREAK_MARGIN * minRange
      if (
        measured.closingSpeed > 0 &&
        couldMeet(agent, this.motion, measured, delay, margin) &&
        this.chooseSide(agent, step, delay) <= margin
      ) {
        save(escapeSide, data, offset + SIDE)
        this.enter(agent, step, offset, BREAK)
      } else if (stage === APPROACH) {
        const onLine = this.side === undefined || data[offset + ON_LINE] === 1
        if (onLine && measured.distance <= range && measured.offAngle <= firingAngle)
          this.enter(agent, step, offset, ATTACK)
        else if (onLine && isInsideTurn(agent, this.target, measured.turnRadius)) {
          this.chooseSide(agent, step, 0)
          save(escapeSide, data, offset + SIDE)
          this.enter(agent, step, offset, EXTEND, 'too near')
        }
      } else if (measured.offAngle > LOST_FACTOR * firingAngle || measured.distance > LOST_FACTOR * range)
        this.enter(agent, step, offset, APPROACH, 'lost')
    } else if (stage === BREAK) {
      // If the target follows, the agent flies at most a half circle away.
      if (measured.closingSpeed <= 0 || elapsed * measured.speed > Math.PI * measured.turnRadius)
        this.enter(agent, step, offset, EXTEND)
    } else {
      if (measured.distance >= this.extendDistance()) this.enter(agent, step, offset, APPROACH)
      else if (elapsed * measured.speed * EXTEND_SPEED_SHARE > this.extendDistance())
        this.enter(agent, step, offset, APPROACH, 'followed')
    }
  }

  /** Writes the turn away into `escapeSide`. Returns how far from the target (m) it then passes. */
  private chooseSide(agent: Agent, step: Step, delay: number): number {
    return bestSide(escapeSide, agent, this.target, this.motion, step.up, measured.acceleration, delay)
  }

  /** Whether the agent comes from the wanted side. After too long an approach every side counts. */
  private isOnLine(agent: Agent, step: Step, offset: number): boolean {
    const { data } = this.memory
    const { target } = this
    if (this.side === undefined || data[offset + ON_LINE] === 1) return true
    this.sideInto(direction, step, 0)
    if (measured.distance <= LINE_RANGE_SHARE * this.range && isLinedUp(agent, target, direction))
      data[offset + ON_LINE] = 1
    else if ((step.time - data[offset + SINCE]!) * measured.speed > MAX_EXTENSIONS * this.extendDistance()) {
      data[offset + ON_LINE] = 1
      step.emit(agent, 'stage', this, STAGES[APPROACH], 'as it comes')
    }
    return data[offset + ON_LINE] === 1
  }

  /** Distance to which the agent flies away (m). */
  private extendDistance(): number {
    return this.extension ?? this.range + 2 * measured.turnRadius
  }

  /** Flies a directed path to the attack position. */
  private flyRoute(agent: Agent, step: Step, out: Wrench): void {
    const { speed, turnRadius } = measured
    this.findGate(agent, step)
    vehicleLimitsOf(limits, agent, step, undefined, speed, speed)
    const tolerance = GATE_TOLERANCE * turnRadius
    const progress = this.follower.fly(agent, step, gate, limits, tolerance, Math.PI, out)
    // While others use the planning time of this step, or without a path, it flies straight at the target.
    if (progress === 'waiting' || progress === 'lost') this.runIn(agent, step, out)
  }

  private enter(agent: Agent, step: Step, offset: number, stage: number, reason = ''): void {
    const { data } = this.memory
    data[offset + STAGE] = stage
    data[offset + SINCE] = step.time
    if (stage !== ATTACK) {
      data[offset + ON_LINE] = 0
      this.follower.forget(agent)
    }
    step.emit(agent, 'stage', this, STAGES[stage], reason)
  }

  private runIn(agent: Agent, step: Step, out: Wrench): void {
    if (isZero(aim.direction)) return flyOn(agent, step, measured.speed, out.force)
    flyCourse(agent, step, aim.direction, aim.rate, measured.speed, out.force)
    if (this.aim === 'nose') turnNose(agent, step, aim, out)
  }

  /**
   * Writes the unit direction from the target to the side of the attack, `time` s from now, as its motion is
   * predicted. Zero behind a target that neither moves nor has a nose.
   */
  private sideInto(out: Vec3, step: Step, time: number): Vec3 {
    const { motion, side, target } = this
    if (side !== 'behind') return normalize(out, side === 'above' ? step.up : side!)
    sub(out, motion.positionAt(out, time), motion.positionAt(spot, time + COURSE_TIME))
    return length(out) > COURSE_TIME * 1e-3 ? normalize(out, out) : scale(out, noseOf(out, target), -1)
  }

  /**
   * Writes the attack position into `gate`: at the range from where the target will be when the agent arrives
   * there, heading for the target.
   */
  private findGate(agent: Agent, step: Step): void {
    const { motion, range, target } = this
    const { heading, position, velocity } = gate
    let time = 0
    for (let i = 0; i < ROUNDS; i++) {
      this.sideInto(sideDirection, step, time)
      addScaled(position, motion.positionAt(position, time), sideDirection, range)
      time = Math.min(distance(position, agent.position) / measured.speed, MAX_TIME)
    }
    scale(heading, sideDirection, -1)
    addScaled(position, target.position, sideDirection, range)
    sub(velocity, motion.positionAt(velocity, time), target.position)
    if (time > COURSE_TIME) scale(velocity, velocity, 1 / time)
    else copy(velocity, target.velocity)
    if (isZero(heading)) copy(heading, agent.course.x)
  }
}

/**
 * Side from which a target is attacked: from behind it, from above it (world up), or a direction (world axes)
 * from the target to the attacker, for example to the sun.
 */
export type AttackSide = 'behind' | 'above' | Vec3Like

/** Rounds in which the arrival time at the gate is found. More: more exact where the target turns. */
const ROUNDS = 3
/** Upper bound of the arrival time (s), and so of the prediction of the target. */
const MAX_TIME = 20
/** The course of the target is the direction between two of its predicted positions, this time (s) apart. */
const COURSE_TIME = 0.05

/** An attacker that is lined up is within 0.4 rad of its side, as seen from the target. */
const PLACE_COSINE = Math.cos(0.4)
/** Its course is within 0.6 rad of the opposite direction. */
const COURSE_COSINE = Math.cos(0.6)

const sideDirection = vec3()
const spot = vec3()

/** Whether an agent comes from `side`, a unit direction or zero for any, and flies at the target. */
function isLinedUp(agent: Agent, target: MovingFrame, side: Vec3Like): boolean {
  normalize(spot, sub(spot, agent.position, target.position))
  return isZero(side) || (dot(spot, side) >= PLACE_COSINE && dot(agent.course.x, side) <= -COURSE_COSINE)
}
