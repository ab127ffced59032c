import type { Agent, Behavior, SnapshotState, Moving, Step, Vec3, Wrench } from '../../types.js'
import { topSpeed } from '../../control/drive.js'
import { gaussian } from '../../math/random.js'
import { addScaled, isZero, length, sub, vec3 } from '../../math/vec3.js'
import { Memory } from '../../control/memory.js'
import { PREDICTIONS, timeToMeet, type Prediction } from './prediction.js'
import { requireFinite, requireNumber } from '../../math/require.js'
import { requireMoving } from '../../control/target.js'
import { MotionModel } from './motion-model.js'
import { interceptCourse, thrustAlong, timeToTouch } from './intercept.js'
import { seekPoint } from '../../control/seek-point.js'
import { reportGoalDistance } from '../../control/wish.js'

export type { Prediction } from './prediction.js'

export interface PursueOptions {
  /** Whom to catch: a controller, a `CANNON.Body`, anything with position and velocity. */
  target: Moving
  /**
   * How the meeting is predicted, see {@link Prediction}. Default `curved`: of a quarry that circles, weaves or spirals it takes 1.01 x the
   * least possible time, where `intercept` takes up to 12 x (test/acceptance/pursuit.test.ts). For thousands of pursuers, `intercept`.
   */
  prediction?: Prediction
  /** No look-ahead beyond this, s, > 0. Default 10. */
  maxPredictionTime?: number
  /** Deliberate misjudgement: factor on the predicted time, ≥ 0. Below 1 undershoots, above 1 overleads. Default 1. */
  predictionFactor?: number
  /** Deliberate error of the aim: standard deviation in each axis, m, ≥ 0, drifting slowly. Default 0. */
  aimError?: number
  /** Time over which the scatter changes, s, > 0. Default 1. */
  aimErrorTime?: number
}

const aim = vec3()
const way = vec3()

/**
 * Flies to where the quarry will be (Green, Pursuit; Reynolds 1999). Green's "artificial stupidity" (Pursue and Evade) is
 * built in: a pursuer that misjudges time, or aims with a scatter, is a beatable one. For his "more interesting chases" mix in some wander:
 * `blend([new Pursue({ quarry }), { behavior: new Wander(), weight: 0.5 }])`; from a weight of 1 it may never catch.
 *
 * `curved` thrusts along the one direction that a time-optimal flight keeps all the way (Pontryagin), rather than towards a velocity.
 */
export class Pursue implements Behavior {
  static readonly type: string = 'Pursue'
  target: Moving
  prediction: Prediction
  maxPredictionTime: number
  predictionFactor: number
  aimError: number
  aimErrorTime: number
  private readonly memory = new Memory(3)
  private readonly motion = new MotionModel()
  readonly state: SnapshotState = [this.memory, this.motion]

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: PursueOptions) {
    const {
      target,
      prediction = 'curved',
      maxPredictionTime = 10,
      predictionFactor = 1,
      aimError = 0,
      aimErrorTime = 1,
    } = options
    if (!PREDICTIONS.includes(prediction))
      throw new RangeError(
        `Pursue.prediction: got '${prediction}', allowed are '${PREDICTIONS.join(`', '`)}'`,
      )
    this.target = requireMoving('Pursue.target', target)
    this.prediction = prediction
    this.maxPredictionTime = requireNumber('Pursue.maxPredictionTime', maxPredictionTime, 0, true)
    this.predictionFactor = requireFinite('Pursue.predictionFactor', predictionFactor, 0, false)
    this.aimError = requireFinite('Pursue.aimError', aimError, 0, false)
    this.aimErrorTime = requireNumber('Pursue.aimErrorTime', aimErrorTime, 0, true)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (this.prediction === 'curved') {
      this.intercept(agent, step, out)
      return
    }
    const { target } = this
    const time = Math.min(timeToMeet(agent, target, topSpeed(agent), this.prediction), this.maxPredictionTime)
    addScaled(aim, target.position, target.velocity, time * this.predictionFactor)
    if (this.aimError > 0) this.err(agent, step, aim)
    seekPoint(agent, step, aim, out.force)
  }

  private intercept(agent: Agent, step: Step, out: Wrench): void {
    const { maxPredictionTime, predictionFactor, motion, target, aimError } = this
    const speed = topSpeed(agent)
    motion.update(agent, target, step)
    const time = timeToTouch(agent, motion, speed, maxPredictionTime)
    motion.at(aim, time * predictionFactor)
    if (aimError > 0) this.err(agent, step, aim)
    sub(aim, aim, agent.position)
    interceptCourse(way, agent, aim, time, speed)
    if (isZero(way)) return
    reportGoalDistance(agent, length(aim))
    thrustAlong(agent, step, way, speed, out.force)
  }

  /** A random walk that forgets (Ornstein and Uhlenbeck 1930): the same spread and pace at every step rate. */
  private err(agent: Agent, step: Step, point: Vec3): void {
    const at = this.memory.at(agent)
    const { data, fresh } = this.memory
    const keep = fresh ? 0 : Math.exp(-step.dt / this.aimErrorTime)
    const kick = Math.sqrt(1 - keep * keep)
    for (let k = 0; k < 3; k++)
      data[at + k] = data[at + k]! * keep + kick * gaussian(agent.random(), agent.random())
    point.x += this.aimError * data[at]!
    point.y += this.aimError * data[at + 1]!
    point.z += this.aimError * data[at + 2]!
  }
}
