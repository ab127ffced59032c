import type { Agent, Behavior, SnapshotState, MovingFrame, Step, Wrench } from '../../types.js'
import { servoTime, topSpeed } from '../../control/drive.js'
import { Memory } from '../../control/memory.js'
import { requireDirection, requireFinite, requireNumber } from '../../math/require.js'
import { arccos } from '../../math/scalar.js'
import { distance, dot, isZero, load, save, vec3 } from '../../math/vec3.js'
import { vehicleLimitsOf, makeVehicleLimits } from '../directed-seek/vehicle-limits.js'
import { gateOf, isLinedUp, sideOf, type AttackSide } from './attack-gate.js'
import { makeGoal } from '../directed-seek/goal.js'
import { aimAhead, layNose, makeAim } from './lead.js'
import { MotionModel } from './motion-model.js'
import { RouteFollower } from '../directed-seek/route-follower.js'
import {
  awayAlong,
  bestSide,
  closingSpeed,
  couldMeet,
  flyCourse,
  flyOn,
  isInsideTurn,
  isThere,
  turnPower,
} from './run.js'
import { requireMoving } from '../../control/target.js'
import { reportGoalDistance } from '../../control/wish.js'

export type { AttackSide } from './attack-gate.js'
export type AttackStage = 'approach' | 'attack' | 'break' | 'extend'

export interface AttackRunOptions {
  /** Whom to attack. */
  target: MovingFrame
  /** Firing range, m, > 0: the attack begins nearer than this. */
  range: number
  /** Never nearer than this, m, ≥ 0 and less than the range. Default a fifth of the range. */
  minRange?: number
  /** Half angle within which the guns bear, rad, in (0, π]. Default 0.1. */
  firingAngle?: number
  /** Where it comes from, see {@link AttackSide}, by a directed path to firing range on that side. Default: from wherever it is. */
  side?: AttackSide
  /** Speed of a run, m/s, > 0. Default the top speed. */
  speed?: number
  /** Muzzle speed of the guns, m/s, > 0, on top of the agent's own. Infinity, the default, hits at once: no lead. */
  projectileSpeed?: number
  /** Guns that look along the `course`, or along the `nose` of one that can fly one way and look another: by torque. Default `course`. */
  aim?: 'course' | 'nose'
  /** Distance to which it gets away before it comes round again, m. Default the range and two turn radii. */
  extension?: number
}

/** Of the range: nearer it is not wise to be. */
const DEFAULT_MIN_SHARE = 0.2
const STAGES: readonly AttackStage[] = ['approach', 'attack', 'break', 'extend']
const APPROACH = 0
const ATTACK = 1
const BREAK = 2
const EXTEND = 3

// what is kept for each agent
const STAGE = 0
const SINCE = 1
const SIDE = 2
const ON_LINE = 5
const WIDTH = 6

/** An attack is lost when the target leaves the cone by this factor, and broken off as if the least range were larger by that. */
const LOST = 1.5
const MARGIN = 1.05

/** It extends for no longer than its way takes at this share of its speed: a target that follows is not shaken off by flying straight. */
const PATIENCE = 0.6

/** Within this share of the range, an attacker that is lined up need not fly to the very gate, which is passed within this share of a radius. */
const GATE = 1.5
const TOLERANCE = 0.2

/** It is tried for as long as flying this many extensions takes: a target that turns all the time has no six o'clock to wait at. */
const ROUNDABOUT = 3

const aim = makeAim()
const gate = makeGoal()
const terms = makeVehicleLimits()
const escapeSide = vec3()
const way = vec3()
const none = vec3()

/** What the two look like now: distance and its shrinking, angle off the target, and what the agent can do about it. */
const now = { way: 0, closing: 0, off: 0, speed: 0, power: 0, radius: 0 }

/**
 * Attacks in runs: comes in with the target ahead, holds the guns on where it will be when the shots arrive, breaks off before it comes
 * too near, gets away and comes round again. Its stages are told as events: `attack` is when the guns bear.
 *
 * Jakob, Directional Extensions of Seek (2003), 2.1: "arriving at an attack location so that a target is in front of the agent".
 */
export class AttackRun implements Behavior {
  static readonly type: string = 'AttackRun'
  target: MovingFrame
  range: number
  minRange: number | undefined
  firingAngle: number
  side: AttackSide | undefined
  speed: number | undefined
  projectileSpeed: number
  aim: 'course' | 'nose'
  extension: number | undefined
  private readonly memory = new Memory(WIDTH)
  private readonly motion = new MotionModel()
  private readonly follower = new RouteFollower()
  readonly state: SnapshotState = [this.memory, this.motion, this.follower]

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: AttackRunOptions) {
    const { target, range, minRange, firingAngle = 0.1, side, speed, extension } = options
    const { projectileSpeed = Infinity, aim: laid = 'course' } = options
    this.target = requireMoving('AttackRun.target', target)
    this.range = requireFinite('AttackRun.range', range, 0, true)
    if (minRange !== undefined) requireNumber('AttackRun.minRange', minRange, 0, false, range)
    if (speed !== undefined) requireNumber('AttackRun.speed', speed, 0, true)
    if (extension !== undefined) requireFinite('AttackRun.extension', extension, 0, false)
    if (side !== undefined && side !== 'behind' && side !== 'above') requireDirection('AttackRun.side', side)
    if (laid !== 'course' && laid !== 'nose')
      throw new RangeError(`AttackRun.aim: got '${String(laid)}', allowed are 'course', 'nose'`)
    this.minRange = minRange
    this.firingAngle = requireNumber('AttackRun.firingAngle', firingAngle, 0, true, Math.PI)
    this.side = side
    this.speed = speed
    this.projectileSpeed = requireNumber('AttackRun.projectileSpeed', projectileSpeed, 0, true)
    this.aim = laid
    this.extension = extension
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { target } = this
    const at = this.memory.at(agent)
    const { data } = this.memory
    now.speed = Math.min(this.speed ?? Infinity, topSpeed(agent))
    if (!isThere(target, agent)) return flyOn(agent, step, now.speed, out.force)
    this.look(agent, step)
    this.decide(agent, step, at)
    const stage = data[at + STAGE]!
    load(escapeSide, data, at + SIDE)
    if (stage === BREAK) flyCourse(agent, step, escapeSide, none, now.speed, out.force)
    else if (stage === EXTEND)
      flyCourse(agent, step, awayAlong(way, agent, target, escapeSide), none, now.speed, out.force)
    else if (stage === APPROACH && !this.isOnLine(agent, step, at)) this.route(agent, step, out)
    else this.runIn(agent, step, out)
    reportGoalDistance(agent, now.way)
  }

  private look(agent: Agent, step: Step): void {
    const { target, motion } = this
    motion.update(agent, target, step)
    aimAhead(aim, agent, target, motion, this.projectileSpeed, this.aim === 'course')
    const gun = this.aim === 'course' ? agent.course.x : agent.attitude.x
    now.way = distance(target.position, agent.position)
    now.closing = closingSpeed(agent, target)
    now.off = isZero(aim.direction) ? Math.PI : arccos(dot(gun, aim.direction))
    now.power = turnPower(agent)
    now.radius = now.power > 0 ? (now.speed * now.speed) / now.power : 0
  }

  private decide(agent: Agent, step: Step, at: number): void {
    const { data } = this.memory
    const { range, firingAngle } = this
    const room = this.minRange ?? DEFAULT_MIN_SHARE * range
    const elapsed = step.time - data[at + SINCE]!
    const stage = data[at + STAGE]!
    if (stage === APPROACH || stage === ATTACK) {
      const delay = agent.forceLag + servoTime(agent, step) / 2 + step.dt
      const margin = MARGIN * room
      if (
        now.closing > 0 &&
        couldMeet(agent, this.motion, now, delay, margin) &&
        this.chooseSide(agent, step, delay) <= margin
      ) {
        save(escapeSide, data, at + SIDE)
        this.enter(agent, step, at, BREAK)
      } else if (stage === APPROACH) {
        const onLine = this.side === undefined || data[at + ON_LINE] === 1
        if (onLine && now.way <= range && now.off <= firingAngle) this.enter(agent, step, at, ATTACK)
        else if (onLine && isInsideTurn(agent, this.target, now.radius)) {
          this.chooseSide(agent, step, 0)
          save(escapeSide, data, at + SIDE)
          this.enter(agent, step, at, EXTEND, 'too near')
        }
      } else if (now.off > LOST * firingAngle || now.way > LOST * range)
        this.enter(agent, step, at, APPROACH, 'lost')
    } else if (stage === BREAK) {
      // a target that follows is never flown away from in a half circle
      if (now.closing <= 0 || elapsed * now.speed > Math.PI * now.radius) this.enter(agent, step, at, EXTEND)
    } else {
      if (now.way >= this.far()) this.enter(agent, step, at, APPROACH)
      else if (elapsed * now.speed * PATIENCE > this.far()) this.enter(agent, step, at, APPROACH, 'followed')
    }
  }

  /** Writes into `escapeSide` where to turn away to, and returns how far off (m) the target is then passed. */
  private chooseSide(agent: Agent, step: Step, delay: number): number {
    return bestSide(escapeSide, agent, this.target, this.motion, step.up, now.power, delay)
  }

  /** Whether it comes from where it was asked to. A target that never lets it is taken as it comes. */
  private isOnLine(agent: Agent, step: Step, at: number): boolean {
    const { data } = this.memory
    const { side, motion, target } = this
    if (side === undefined || data[at + ON_LINE] === 1) return true
    sideOf(way, step, target, motion, side, 0)
    if (now.way <= GATE * this.range && isLinedUp(agent, target, way)) data[at + ON_LINE] = 1
    else if ((step.time - data[at + SINCE]!) * now.speed > ROUNDABOUT * this.far()) {
      data[at + ON_LINE] = 1
      step.emit(agent, 'stage', this, STAGES[APPROACH], 'as it comes')
    }
    return data[at + ON_LINE] === 1
  }

  /** Distance to which it extends, m. */
  private far(): number {
    return this.extension ?? this.range + 2 * now.radius
  }

  /** Flies a directed path to the attack position. */
  private route(agent: Agent, step: Step, out: Wrench): void {
    const { motion, range, target } = this
    gateOf(gate, agent, step, target, motion, this.side!, range, now.speed)
    vehicleLimitsOf(terms, agent, step, undefined, now.speed, now.speed)
    const progress = this.follower.fly(agent, step, gate, terms, TOLERANCE * now.radius, Math.PI, out)
    // others plan in this step, or there is no way: straight at it
    if (progress === 'waiting' || progress === 'lost') this.runIn(agent, step, out)
  }

  private enter(agent: Agent, step: Step, at: number, stage: number, reason = ''): void {
    const { data } = this.memory
    data[at + STAGE] = stage
    data[at + SINCE] = step.time
    if (stage !== ATTACK) {
      data[at + ON_LINE] = 0
      this.follower.forget(agent)
    }
    step.emit(agent, 'stage', this, STAGES[stage], reason)
  }

  private runIn(agent: Agent, step: Step, out: Wrench): void {
    if (isZero(aim.direction)) return flyOn(agent, step, now.speed, out.force)
    flyCourse(agent, step, aim.direction, aim.rate, now.speed, out.force)
    if (this.aim === 'nose') layNose(agent, step, aim, out)
  }
}
