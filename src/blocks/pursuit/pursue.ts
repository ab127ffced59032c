import type {
  Agent,
  Behavior,
  SnapshotState,
  Moving,
  Step,
  Vec3,
  Vec3Like,
  Wrench,
} from '../../core/types.js'
import { topSpeed } from '../../core/control/drive.js'
import { gaussian } from '../../core/math/random.js'
import { addScaled, isZero, length, sub, vec3, dot, lengthSq, normalize } from '../../core/math/vec3.js'
import { Memory } from '../../core/control/memory.js'
import { isGone, noseOf, requireMoving } from '../../core/control/target.js'
import { MotionModel } from './motion-model.js'
import { interceptCourse, thrustAlong, timeToTouch } from './intercept.js'
import { meetingTime } from './meeting.js'
import { seekPoint } from '../../core/control/seek-point.js'
import { reportGoalDistance } from '../../core/control/wish.js'
import { WithOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

export interface PursueOptions extends Options, OptionsOf<typeof Pursue.options> {}
export interface Pursue extends FieldsOf<typeof Pursue.options> {}

const aim = vec3()
const thrustDirection = vec3()

/**
 * Flies to where the target will be (Green, Pursuit; Reynolds 1999). Green's "artificial stupidity" (Pursue
 * and Evade) is built in: a pursuer that misjudges time, or aims with an error, can be escaped from. For
 * Green's "more interesting chases" add wandering:
 * `blend([new Pursue({ target }), { behavior: new Wander({ turnTime: 0.2 }), weight: 0.5 }])`. With a weight
 * of 1 or more it may never catch the target.
 *
 * `curved` thrusts along the one direction that a time-optimal flight keeps from start to end (Pontryagin),
 * rather than towards a velocity.
 */
export class Pursue extends WithOptions<PursueOptions> implements Behavior {
  static readonly type: string = 'Pursue'
  static readonly options = {
    /** The target: a controller, a `CANNON.Body`, anything with position and velocity. */
    target: { kind: 'named', required: true, check: requireMoving },
    /**
     * How the meeting is predicted, see {@link Prediction}. Default `curved`: for targets that circle, weave
     * or spiral it takes 1.01 × the least possible time, where `intercept` takes up to 12 ×
     * (test/acceptance/pursuit.test.ts). For thousands of pursuers use `intercept`.
     */
    prediction: {
      kind: 'text',
      oneOf: ['curved', 'intercept', 'turn-aware', 'facing', 'linear', 'closing'],
      default: 'curved',
    },
    /** Upper bound of the prediction time (s, > 0). Default 10. */
    // The motion farther ahead cannot be known. Chosen by hand.
    maxPredictionTime: { kind: 'number', unit: 's', above: 0, infinite: true, default: 10 },
    /**
     * Deliberate misjudgement: factor on the predicted time (≥ 0, dimensionless). Below 1 the agent aims
     * behind the target, above 1 ahead of it. Default 1.
     */
    predictionFactor: { kind: 'number', atLeast: 0, default: 1 },
    /**
     * Deliberate, slowly drifting error of the aim: standard deviation along each axis (m, ≥ 0). Default 0.
     */
    aimError: { kind: 'number', unit: 'm', atLeast: 0, default: 0 },
    /** Time over which the aim error changes (s, > 0). Default 1. */
    aimErrorTime: { kind: 'number', unit: 's', above: 0, infinite: true, default: 1 },
    /** Speed to pursue at (m/s, > 0), no more than the top speed. Default the top speed. */
    speed: { kind: 'number', unit: 'm/s', above: 0 },
  } as const satisfies AnyTable
  private readonly memory = new Memory(3)
  private readonly motion = new MotionModel()
  readonly state: SnapshotState = [this.memory, this.motion]

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (isGone(agent, step, this, this.target)) return
    if (this.prediction === 'curved') {
      this.intercept(agent, step, out)
      return
    }
    const { target } = this
    const speed = topSpeed(agent, this.speed)
    const time = Math.min(timeToMeet(agent, target, speed, this.prediction), this.maxPredictionTime)
    addScaled(aim, target.position, target.velocity, time * this.predictionFactor)
    if (this.aimError > 0) this.addAimError(agent, step, aim)
    seekPoint(agent, step, aim, out.force, this.speed)
  }

  private intercept(agent: Agent, step: Step, out: Wrench): void {
    const { maxPredictionTime, predictionFactor, motion, target, aimError } = this
    const speed = topSpeed(agent, this.speed)
    motion.update(agent, target, step)
    const time = timeToTouch(agent, motion, speed, maxPredictionTime)
    motion.positionAt(aim, time * predictionFactor)
    if (aimError > 0) this.addAimError(agent, step, aim)
    sub(aim, aim, agent.position)
    interceptCourse(thrustDirection, agent, aim, time, speed)
    if (isZero(thrustDirection)) return
    reportGoalDistance(agent, length(aim))
    thrustAlong(agent, step, thrustDirection, speed, out.force)
  }

  /** A random walk that returns to zero (Ornstein and Uhlenbeck 1930), the same at every step rate. */
  private addAimError(agent: Agent, step: Step, point: Vec3): void {
    const offset = this.memory.at(agent)
    const { data, fresh } = this.memory
    const decay = fresh ? 0 : Math.exp(-step.dt / this.aimErrorTime)
    const kick = Math.sqrt(1 - decay * decay)
    for (let k = 0; k < 3; k++)
      data[offset + k] = data[offset + k]! * decay + kick * gaussian(agent.random(), agent.random())
    point.x += this.aimError * data[offset]!
    point.y += this.aimError * data[offset + 1]!
    point.z += this.aimError * data[offset + 2]!
  }
}

/**
 * How the time to an intercept is found.
 * - `curved`: the target's own turn is learnt from its velocity, and the agent's acceleration and turn are
 *   counted; see `MotionModel`. About 6 µs per step.
 * - `intercept`: exact for a target that flies straight: |p + v·t| = speed·t. If it cannot be caught, the
 *   time of nearest approach.
 * - `turn-aware`: 0 for a target ahead that faces the agent, else distance / speed plus the time to turn to
 *   the target.
 * - `facing`: the same, with Green's time to turn: by the dot product of the two facing directions.
 * - `linear`: Green's `Pursuit::calculate`: distance / speed.
 * - `closing`: the course deck IMGD 4000: distance / (speed + speed of the target), and 0 for a target within
 *   10° of straight ahead.
 */
export type Prediction = 'curved' | 'intercept' | 'turn-aware' | 'facing' | 'linear' | 'closing'

/** Within about 20° of straight ahead, and facing each other, no time is predicted (Green; Buckland). */
const FACING_COSINE = 0.94

/** The deck seeks a target that is less than 10° off ("within ~20 degrees ahead") without a prediction. */
const AHEAD_COSINE: number = Math.cos(Math.PI / 18)

const toTarget = vec3()
const targetFacing = vec3()

/** Time (s, ≥ 0) until the agent, at `speed`, can meet `target`. */
export function timeToMeet(
  agent: Agent,
  target: Moving,
  speed: number,
  prediction: Exclude<Prediction, 'curved'>,
): number {
  const distance = length(sub(toTarget, target.position, agent.position))
  if (distance === 0 || !(speed > 0)) return 0
  const time = predict(agent, target, toTarget, distance, speed, prediction)
  return time < Infinity ? Math.max(0, time) : Number.MAX_VALUE
}

function predict(
  agent: Agent,
  target: Moving,
  offset: Vec3Like,
  distance: number,
  speed: number,
  prediction: Exclude<Prediction, 'curved'>,
): number {
  if (prediction === 'linear') return distance / speed
  const ahead = dot(offset, agent.course.x) / distance
  if (prediction === 'closing') return ahead > AHEAD_COSINE ? 0 : distance / (speed + length(target.velocity))
  if (prediction !== 'intercept') {
    normalize(targetFacing, target.velocity)
    // Green: "if you do have a zero velocity … we're going to have to add a facing direction"
    const facing = dot(agent.course.x, isZero(targetFacing) ? noseOf(targetFacing, target) : targetFacing)
    if (ahead > FACING_COSINE && facing < -FACING_COSINE) return 0
    // Half a turn for a target straight behind or for opposite courses, none for a target ahead or for equal
    // courses.
    return distance / speed + ((1 - (prediction === 'facing' ? facing : ahead)) / 2) * turnTime(agent, speed)
  }
  const approach = dot(offset, target.velocity)
  const targetSpeedSq = lengthSq(target.velocity)
  const time = meetingTime(distance * distance, approach, targetSpeedSq, speed)
  if (time < Infinity) return time
  // a target that comes nearer, but is too fast, is awaited where it comes nearest; any other is chased
  return approach < 0 ? -approach / targetSpeedSq : distance / speed
}

/** Time of half a turn at `speed` with the agent's force: π·r / v with r = m·v² / F. */
function turnTime(agent: Agent, speed: number): number {
  return agent.maxForce > 0 ? (Math.PI * agent.mass * speed) / agent.maxForce : 0
}
