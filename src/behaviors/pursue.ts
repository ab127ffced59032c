import type { Agent, Behavior, Keeps, Moving, Step, Vec3, Wrench } from '../types.js'
import { topSpeed } from '../control/drive.js'
import { gaussian } from '../math/random.js'
import { addScaled, isZero, length, sub, vec3 } from '../math/vec3.js'
import { Memory } from '../control/memory.js'
import { PREDICTIONS, timeToMeet, type Prediction } from './support/prediction.js'
import { requireFinite, requireNumber } from '../math/require.js'
import { requireMoving } from './support/target.js'
import { Motion } from './support/motion.js'
import { interceptCourse, thrustAlong, timeToTouch } from './support/intercept.js'
import { seekPoint } from './support/seek.js'

export type { Prediction } from './support/prediction.js'

export interface PursueOptions {
  /** Whom to catch: a controller, a `CANNON.Body`, anything with position and velocity. */
  quarry: Moving
  /**
   * How the meeting is predicted, see {@link Prediction}. Default `curved`: of a quarry that circles, weaves or spirals it takes 1.01 x the
   * least possible time, where `intercept` takes up to 12 x (test/acceptance/pursuit.test.ts). For thousands of pursuers, `intercept`.
   */
  prediction?: Prediction
  /** No look-ahead beyond this, s, > 0. Default 10. */
  maxTime?: number
  /** Deliberate misjudgement: factor on the predicted time, ≥ 0. Below 1 undershoots, above 1 overleads. Default 1. */
  misjudge?: number
  /** Deliberate error of the aim: standard deviation in each axis, m, ≥ 0, drifting slowly. Default 0. */
  scatter?: number
  /** Time over which the scatter changes, s, > 0. Default 1. */
  scatterTime?: number
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
  quarry: Moving
  prediction: Prediction
  maxTime: number
  misjudge: number
  scatter: number
  scatterTime: number
  private readonly memory = new Memory(3)
  private readonly motion = new Motion()
  readonly keeps: Keeps = [this.memory, this.motion]

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: PursueOptions) {
    const {
      quarry,
      prediction = 'curved',
      maxTime = 10,
      misjudge = 1,
      scatter = 0,
      scatterTime = 1,
    } = options
    if (!PREDICTIONS.includes(prediction))
      throw new RangeError(
        `Pursue.prediction: got '${prediction}', allowed are '${PREDICTIONS.join(`', '`)}'`,
      )
    this.quarry = requireMoving('Pursue.quarry', quarry)
    this.prediction = prediction
    this.maxTime = requireNumber('Pursue.maxTime', maxTime, 0, true)
    this.misjudge = requireFinite('Pursue.misjudge', misjudge, 0, false)
    this.scatter = requireFinite('Pursue.scatter', scatter, 0, false)
    this.scatterTime = requireNumber('Pursue.scatterTime', scatterTime, 0, true)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (this.prediction === 'curved') {
      this.intercept(agent, step, out)
      return
    }
    const { quarry } = this
    const time = Math.min(timeToMeet(agent, quarry, topSpeed(agent), this.prediction), this.maxTime)
    addScaled(aim, quarry.position, quarry.velocity, time * this.misjudge)
    if (this.scatter > 0) this.err(agent, step, aim)
    seekPoint(agent, step, aim, out.force)
  }

  private intercept(agent: Agent, step: Step, out: Wrench): void {
    const { maxTime, misjudge, motion, quarry, scatter } = this
    const speed = topSpeed(agent)
    motion.look(agent, quarry, step)
    const time = timeToTouch(agent, motion, speed, maxTime)
    motion.at(aim, time * misjudge)
    if (scatter > 0) this.err(agent, step, aim)
    sub(aim, aim, agent.position)
    interceptCourse(way, agent, aim, time, speed)
    if (isZero(way)) return
    if (agent.wish !== null) agent.wish.distance = Math.min(agent.wish.distance, length(aim))
    thrustAlong(agent, step, way, speed, out.force)
  }

  /** A random walk that forgets (Ornstein and Uhlenbeck 1930): the same spread and pace at every step rate. */
  private err(agent: Agent, step: Step, point: Vec3): void {
    const at = this.memory.at(agent)
    const { data, fresh } = this.memory
    const keep = fresh ? 0 : Math.exp(-step.dt / this.scatterTime)
    const kick = Math.sqrt(1 - keep * keep)
    for (let k = 0; k < 3; k++)
      data[at + k] = data[at + k]! * keep + kick * gaussian(agent.random(), agent.random())
    point.x += this.scatter * data[at]!
    point.y += this.scatter * data[at + 1]!
    point.z += this.scatter * data[at + 2]!
  }
}
