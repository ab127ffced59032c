import type { Agent, SnapshotState, Step, Vec3 } from '../../core/types.js'
import { Memory } from '../../core/control/memory.js'
import { lagShare, clamp } from '../../core/math/scalar.js'
import { turnedBy } from '../../core/math/turning.js'
import {
  add,
  addScaled,
  copy,
  cross,
  dot,
  isZero,
  length,
  lengthSq,
  load,
  normalize,
  save,
  scale,
  set,
  sub,
  vec3,
} from '../../core/math/vec3.js'
import { MotionModel } from '../pursuit/motion-model.js'
import { isStill, type Goal } from './goal.js'

// stored for each agent: the heading of the goal in the last step, its rate of change (1/s), the square of
// the part of this rate that the turn of the goal's velocity does not explain, and that of the whole rate
const LAST_HEADING = 0
const RATE = 3
const OWN_SQ = 6
const RATE_SQ = 7
const WIDTH = 8

// The numbers below are chosen by hand.

/** Time constant (s) with which the spin of a heading is learnt. Longer: more evenly, and later. */
const SPIN_LAG = 0.1
/** Time constant (s) with which it is learnt whether the heading follows the motion. */
const FOLLOW_LAG = 0.5

/** A heading follows the motion while less than this share of its squared spin is its own. */
const FOLLOWS = 0.1

/**
 * No acceleration is expected to bring a goal beyond this share of the agent's speed: what would outrun the
 * agent could not be planned for. A steady acceleration that is expected to last ever longer would. Chosen
 * among 0.5, 0.6 and 0.7 by flights to waypoints that reach at most 0.6 (docs/measurements.md).
 */
const MOST_SPEED = 0.6

/** A heading that turns more slowly than this (rad/s) is at rest. */
const SLOWEST_SPIN = 1e-3

/** Time (s) over which the predicted positions are differenced for a velocity. */
const DIFFERENCE = 1e-3

const change = vec3()
const turn = vec3()
const rate = vec3()
const before = vec3()
const after = vec3()

/**
 * Predicts goals that move. The acceleration of a goal is learnt from its velocity, unless the goal tells it;
 * so is the turn of its heading, unless the goal tells its angular velocity. A heading that has turned with
 * the velocity goes on to do so.
 */
export class Forecast {
  // no guess is made: a plan that was changed for a wrong one is changed back soon
  private readonly motion = new MotionModel(false)
  private readonly memory = new Memory(WIDTH)
  readonly state: SnapshotState = [this.motion, this.memory]
  /** Of the last goal: whether its heading turns with the velocity, and its angular velocity (rad/s). */
  private follows = false
  private readonly spin: Vec3 = vec3()
  private readonly acceleration: Vec3 = vec3()
  private readonly learns: boolean

  /** @param learns whether more is learnt of a goal than it tells; not for one that is itself a forecast. */
  constructor(learns: boolean) {
    this.learns = learns
  }

  /** Learns from `now`, once per step. `moved`: the goal is another one. `cruise`: speed (m/s). */
  update(agent: Agent, step: Step, now: Goal, moved: boolean, cruise: number): void {
    const { spin } = this
    copy(spin, now.spin)
    if (!this.learns) return
    const at = this.memory.at(agent)
    const { data } = this.memory
    this.motion.update(agent, now, step)
    this.motion.limitSpeed(MOST_SPEED * cruise)
    this.motion.accelerationAt(this.acceleration)
    if (moved || isZero(load(before, data, at + LAST_HEADING))) data.fill(0, at, at + WIDTH)
    else {
      scale(change, sub(change, now.heading, before), 1 / step.dt)
      load(rate, data, at + RATE)
      addScaled(rate, rate, sub(turn, change, rate), lagShare(step.dt, SPIN_LAG))
      save(rate, data, at + RATE)
      // the rate of a heading that turns with the velocity
      const sq = lengthSq(now.velocity)
      scale(turn, cross(turn, now.velocity, this.acceleration), sq > 0 ? 1 / sq : 0)
      cross(turn, turn, now.heading)
      const share = lagShare(step.dt, FOLLOW_LAG)
      data[at + OWN_SQ]! += (lengthSq(sub(turn, turn, rate)) - data[at + OWN_SQ]!) * share
      data[at + RATE_SQ]! += (lengthSq(rate) - data[at + RATE_SQ]!) * share
    }
    save(now.heading, data, at + LAST_HEADING)
    const rateSq = data[at + RATE_SQ]!
    this.follows = rateSq > SLOWEST_SPIN * SLOWEST_SPIN && data[at + OWN_SQ]! < FOLLOWS * rateSq
    if (isZero(now.spin)) cross(spin, now.heading, load(rate, data, at + RATE))
    if (length(spin) < SLOWEST_SPIN) set(spin, 0, 0, 0)
  }

  /**
   * Writes the goal as predicted for `time` (s) from `now`, the goal of the last update. `out` may be `now`.
   */
  predict(out: Goal, now: Goal, time: number): Goal {
    copy(out.acceleration, now.acceleration)
    copy(out.spin, now.spin)
    copy(out.heading, now.heading)
    if (isStill(now) || time === 0) {
      copy(out.position, now.position)
      copy(out.velocity, now.velocity)
    } else if (this.learns && isZero(now.acceleration)) {
      this.motion.positionAt(before, time)
      this.motion.positionAt(after, time + DIFFERENCE)
      sub(change, after, before)
      this.turnHeading(out, now, change, time)
      scale(out.velocity, change, 1 / DIFFERENCE)
      copy(out.position, before)
    } else {
      addScaled(before, scale(before, now.velocity, time), now.acceleration, (time * time) / 2)
      addScaled(change, now.velocity, now.acceleration, time)
      this.turnHeading(out, now, change, time)
      add(out.position, now.position, before)
      copy(out.velocity, change)
    }
    return out
  }

  /** Writes the heading after `time` (s), when the direction of motion is that of `then`. */
  private turnHeading(out: Goal, now: Goal, then: Vec3, time: number): void {
    const { follows, spin } = this
    if (follows && isZero(now.spin)) {
      // the smallest turn from the present velocity to that one
      normalize(turn, now.velocity)
      normalize(after, then)
      const cosine = clamp(dot(turn, after), -1, 1)
      cross(turn, turn, after)
      const sine = length(turn)
      if (sine > 0) turnedBy(out.heading, now.heading, turn, sine, Math.atan2(sine, cosine) / sine)
      return
    }
    const size = length(spin)
    // at most half a turn: after more the prediction of the heading means nothing
    if (size > 0) turnedBy(out.heading, now.heading, spin, size, Math.min(time, Math.PI / size))
  }
}
