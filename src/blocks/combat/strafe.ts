import type { Agent, Behavior, Frame, SnapshotState, MovingFrame, Step, Wrench } from '../../core/types.js'
import { evasiveSide } from '../../core/control/evasive-side.js'
import { servoTime, topSpeed } from '../../core/control/drive.js'
import { Memory } from '../../core/control/memory.js'
import { modelAttitude, turnTo } from '../../core/control/turn.js'
import { frame } from '../../core/math/frame.js'
import { quat, quatFromAxes } from '../../core/math/quat.js'
import { requireDirection } from '../../core/math/require.js'
import { addScaled, copy, cross, dot, isZero, length, load } from '../../core/math/vec3.js'
import { normalize, perpendicular, reject, save, scale, sub, vec3, ZERO } from '../../core/math/vec3.js'
import { aimAhead, turnNose, makeAim } from './lead.js'
import { MotionModel } from '../pursuit/motion-model.js'
import { awayFrom, closingIn, flyCourse, flyOn, isTargetUsable, lateralAcceleration } from '../pursuit/run.js'
import { isGone, requireMoving } from '../../core/control/target.js'
import { reportGoalDistance } from '../../core/control/wish.js'
import { WithOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

export type StrafeStage = 'approach' | 'pass' | 'extend'

/** Part that is turned to the target during a pass. */
export type Bearing = 'none' | 'nose' | 'port' | 'starboard'

export interface StrafeOptions extends Options, OptionsOf<typeof Strafe.options> {}
export interface Strafe extends FieldsOf<typeof Strafe.options> {}

// The numbers below are chosen by hand unless they say otherwise.

/** Default range in miss distances. */
const DEFAULT_RANGE_SHARE = 4

const STAGES: readonly StrafeStage[] = ['approach', 'pass', 'extend']
const APPROACH = 0
const PASS = 1
const EXTEND = 2

// Offsets of the numbers that are stored for each agent.
const STAGE = 0
const SINCE = 1
const ALONG = 2
const SIDE = 5
const WIDTH = 8

/**
 * A pass begins within this angle between velocity and line (rad). Else the agent flies around for another
 * try. Larger: fewer tries, and passes that begin off the line.
 */
const MAX_ENTRY_ANGLE = 0.35

/** An extension takes at most as long as it would at this share of the speed. Larger: it ends sooner. */
const EXTEND_SPEED_SHARE = 0.6

/** Deviations from the line are corrected over this many time constants of the servo. Larger: more gently. */
const LINE_TIME_FACTOR = 4

const fromTarget = vec3()
const along = vec3()
const passingSide = vec3()
const error = vec3()
const wanted = vec3()
const spin = vec3()
const aimPoint = makeAim()
const hull: Frame = frame()
const steering = quat()
const attitude = quat()

/**
 * Passes close to a target on a straight line in the target's frame, again and again: a strafing run over a
 * gun emplacement, a near miss (Green, Steering Behaviours, Offset Pursuit, which seeks a point beside the
 * target in the pilot's own frame). Departures: it works in 3D; the line is a tangent of the ball around the
 * target, so the smallest distance is `missDistance`; the target's velocity is counted; and the guns may be
 * turned to the target meanwhile. Emits its stages as `stage` events.
 */
export class Strafe extends WithOptions<StrafeOptions> implements Behavior {
  static readonly type: string = 'Strafe'
  static readonly options = {
    /** The target: a gun on the ground, a hull, another ship. */
    target: { kind: 'named', required: true, check: requireMoving<MovingFrame> },
    /** Distance at which the target is passed (m, ≥ 0). */
    missDistance: { kind: 'number', required: true, unit: 'm', atLeast: 0 },
    /**
     * A pass lasts from this distance before the target to this distance behind it (m, > 0). Default four
     * times `missDistance`.
     */
    range: { kind: 'number', unit: 'm', above: 0 },
    /**
     * Direction (world axes, any length but zero) from the target to where it is passed, for example up.
     * Default the side from which the agent comes.
     */
    side: { kind: 'vector', check: requireDirection },
    /** Speed of a pass (m/s, > 0). Default the top speed. */
    speed: { kind: 'number', unit: 'm/s', above: 0, infinite: true },
    /**
     * Part that is turned to the target meanwhile, by torque, for vehicles that can fly one way and point
     * another. Default `none`.
     */
    aim: { kind: 'text', oneOf: ['none', 'nose', 'port', 'starboard'], default: 'none' },
    /**
     * Muzzle speed of the guns relative to the agent (m/s, > 0): they lead the target. Default Infinity: no
     * lead.
     */
    projectileSpeed: { kind: 'number', unit: 'm/s', above: 0, infinite: true, default: Infinity },
    /** Distance to which it flies on before it turns back (m). Default the range and two turn radii. */
    extension: { kind: 'number', unit: 'm', atLeast: 0 },
  } as const satisfies AnyTable
  private readonly memory = new Memory(WIDTH)
  private readonly motion = new MotionModel()
  readonly state: SnapshotState = [this.memory, this.motion]

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (isGone(agent, step, this, this.target)) return
    const { target } = this
    const memoryOffset = this.memory.at(agent)
    const speed = topSpeed(agent, this.speed)
    if (!isTargetUsable(target, agent)) return flyOn(agent, step, speed, out.force)
    sub(fromTarget, agent.position, target.position)
    this.decide(agent, step, memoryOffset, speed)
    const stage = this.memory.data[memoryOffset + STAGE]!
    this.chooseDirection(agent, step, memoryOffset, stage)
    reportGoalDistance(agent, length(fromTarget))
    scale(wanted, along, closingIn(along, target.velocity, speed))
    const flightSpeed = length(addScaled(wanted, wanted, target.velocity, 1))
    flyCourse(agent, step, wanted, ZERO, flightSpeed, out.force)
    if (stage === PASS && this.aim !== 'none') this.turnToTarget(agent, step, out)
  }

  private decide(agent: Agent, step: Step, memoryOffset: number, speed: number): void {
    const { data } = this.memory
    const { velocity } = this.target
    const range = this.range ?? DEFAULT_RANGE_SHARE * this.missDistance
    const distance = length(fromTarget)
    const stage = data[memoryOffset + STAGE]!
    if (stage === APPROACH) {
      if (distance > range) return
      this.lineUp(agent, step)
      normalize(wanted, sub(wanted, agent.velocity, velocity))
      if (dot(wanted, along) >= Math.cos(MAX_ENTRY_ANGLE)) this.enter(agent, step, memoryOffset, PASS)
      else if (distance <= range / 2) {
        copy(along, agent.course.x)
        this.enter(agent, step, memoryOffset, EXTEND, 'too near')
      }
      return
    }
    load(along, data, memoryOffset + ALONG)
    const elapsed = step.time - data[memoryOffset + SINCE]!
    if (stage === PASS) {
      if (distance >= range && dot(fromTarget, along) > 0) {
        // Back to the plane across `side` in which the next pass takes place.
        if (this.side !== undefined) normalize(along, reject(along, along, normalize(wanted, this.side)))
        if (isZero(along)) copy(along, agent.course.x)
        this.enter(agent, step, memoryOffset, EXTEND)
      } else if (distance > 2 * range) this.enter(agent, step, memoryOffset, APPROACH, 'lost')
      return
    }
    const acceleration = lateralAcceleration(agent)
    const extendDistance =
      this.extension ?? range + (acceleration > 0 ? (2 * speed * speed) / acceleration : 0)
    if (distance >= extendDistance) this.enter(agent, step, memoryOffset, APPROACH)
    else if (elapsed * speed * EXTEND_SPEED_SHARE > extendDistance)
      this.enter(agent, step, memoryOffset, APPROACH, 'followed')
  }

  private enter(agent: Agent, step: Step, memoryOffset: number, stage: number, reason = ''): void {
    const { data } = this.memory
    data[memoryOffset + STAGE] = stage
    data[memoryOffset + SINCE] = step.time
    save(along, data, memoryOffset + ALONG)
    save(passingSide, data, memoryOffset + SIDE)
    step.emit(agent, 'stage', this, STAGES[stage], reason)
  }

  /** Writes into `along` the present unit direction of flight in the target's frame. */
  private chooseDirection(agent: Agent, step: Step, memoryOffset: number, stage: number): void {
    const { data } = this.memory
    if (stage === APPROACH) {
      this.lineUp(agent, step)
      return
    }
    load(along, data, memoryOffset + ALONG)
    if (stage === EXTEND) return
    // Back to the line, which passes at `missDistance`.
    load(passingSide, data, memoryOffset + SIDE)
    reject(error, addScaled(error, fromTarget, passingSide, -this.missDistance), along)
    const reach = LINE_TIME_FACTOR * servoTime(agent, step) * agent.speed
    addScaled(along, along, error, reach > 0 ? -1 / reach : 0)
    normalize(along, along)
  }

  /**
   * Writes the tangent to the ball around the target into `along`, and the direction from the target to the
   * point of contact into `passingSide`.
   */
  private lineUp(agent: Agent, step: Step): void {
    const { missDistance, target } = this
    normalize(error, fromTarget)
    if (this.side === undefined) awayFrom(passingSide, agent, target, step.up, missDistance)
    else copy(passingSide, this.side)
    normalize(passingSide, reject(passingSide, passingSide, error))
    if (isZero(error)) copy(passingSide, evasiveSide(agent))
    else if (isZero(passingSide)) perpendicular(passingSide, error)
    const distance = length(fromTarget)
    const sine = distance > missDistance ? missDistance / distance : 1
    const cosine = Math.sqrt(1 - sine * sine)
    scale(along, error, -cosine)
    addScaled(along, along, passingSide, sine)
    normalize(along, along)
    // Square to the line.
    scale(passingSide, passingSide, cosine)
    addScaled(passingSide, passingSide, error, sine)
    normalize(passingSide, passingSide)
    if (isZero(along)) copy(along, agent.course.x)
  }

  /** Turns the part to the target; with `port` or `starboard` the nose stays near the course. */
  private turnToTarget(agent: Agent, step: Step, out: Wrench): void {
    this.motion.update(agent, this.target, step)
    aimAhead(aimPoint, agent, this.target, this.motion, this.projectileSpeed, false)
    const { direction } = aimPoint
    if (isZero(direction)) return
    if (this.aim === 'nose') return turnNose(agent, step, aimPoint, out)
    // The z axis points to starboard.
    scale(hull.z, direction, this.aim === 'starboard' ? 1 : -1)
    normalize(hull.x, reject(hull.x, agent.course.x, hull.z))
    if (isZero(hull.x)) normalize(hull.x, reject(hull.x, agent.attitude.x, hull.z))
    if (isZero(hull.x)) perpendicular(hull.x, hull.z)
    cross(hull.y, hull.z, hull.x)
    modelAttitude(attitude, quatFromAxes(steering, hull.x, hull.y), agent.axes)
    turnTo(agent, attitude, step, out, cross(spin, direction, aimPoint.rate))
  }
}
