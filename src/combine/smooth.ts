import type { Agent, Behavior, SnapshotState, Step, Vec3, Wrench } from '../types.js'
import { ask } from '../control/ask.js'
import { Memory } from '../control/memory.js'
import { ChangeGate } from './change-gate.js'
import { requireBehavior, requireFinite } from '../math/require.js'
import { lagShare } from '../math/scalar.js'
import { addScaled, copy, isFiniteVec, isZero, lengthSq, load, save, set, sub, vec3 } from '../math/vec3.js'

export interface SmoothOptions {
  /**
   * Time constant of the force, s, ≥ 0 and finite: in this time 63 % of a change come, in three times as long 95 %. Longer takes out more judder,
   * but a velocity and still more a place are kept by servos, which swing where their force is late: up to 0.4 times the agent's `responseTime`,
   * 0.04 s by default, an `Arrive` comes to rest, as a wish in `within` up to 0.75 times; with longer ones it goes round its goal. 0 leaves the force as
   * it is.
   */
  time: number
  /** The same of the torque. Default 0: an attitude is held by a servo of its own. */
  torqueTime?: number
}

/** Where nothing is asked for, a force that gives no more than this acceleration (m/s²) is over. */
const REST_ACCELERATION = 1e-6

// what is kept for each agent: the force and torque of the last step, and its time
const FORCE = 0
const TORQUE = 3
const TIME = 6
const WIDTH = 7

const average = vec3()
const error = vec3()

/**
 * Takes the judder out of what a behaviour asks for: force and torque pass a low-pass of first order, F += (1 − e^(−dt/time)) · (F* − F), the
 * same at any step rate. Green (Obstacle Avoidance) and the course deck IMGD 4000 (Judder Solution: Smoothing) average the last headings, and turn the
 * nose alone by that, see `LookWhereGoing`: force and path judder on. Here the force is averaged, and so the path is smooth, too. What is smooth
 * is late: the quarrel behind the judder is not settled, as it is by `within`, and who has to brake or evade needs some `time` more.
 *
 * It starts with the first force it hears. Where nothing is asked for, the force fades out in the same way. While it is not asked itself, since others
 * come first, time passes as well, as if what it asks for then had been asked for all the while.
 *
 * Force and torque are kept in world axes: however the vehicle turns meanwhile, the momentum that was asked for is given, only later. Of a
 * wish in `within` the force is kept as well, and not the velocity it means: v + F·τ / m with an averaged F still speeds up and turns as
 * much as was asked for, while an averaged velocity would hold back whoever speeds up. What the wish tells of its place is not averaged, nor is
 * saying nothing of the attitude: then the locomotion turns the body at once.
 */
export class Smooth implements Behavior {
  static readonly type: string = 'Smooth'
  behavior: Behavior
  time: number
  torqueTime: number
  private readonly childList: Behavior[] = []
  /** The behaviour that holds in this step. */
  private activeBehavior: Behavior
  private readonly gate = new ChangeGate()
  private readonly memory = new Memory(WIDTH)
  readonly state: SnapshotState = [this.memory]

  /** @throws TypeError for what is no behaviour, RangeError for a time that is negative or not finite. */
  constructor(behavior: Behavior, { time, torqueTime = 0 }: SmoothOptions) {
    this.behavior = this.activeBehavior = requireBehavior('smooth: behavior', behavior)
    this.time = requireFinite('smooth.time', time, 0, false)
    this.torqueTime = requireFinite('smooth.torqueTime', torqueTime, 0, false)
  }

  /** What is smoothed. To change it set `behavior`. */
  get children(): readonly Behavior[] {
    this.childList[0] = requireBehavior('smooth: behavior', this.behavior)
    return this.childList
  }

  refresh(): void {
    this.gate.open()
    this.activeBehavior = this.behavior
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (this.gate.isNow(step)) this.activeBehavior = this.behavior
    ask(agent, step, this.activeBehavior, out)
    const { force, torque, turns } = out
    const { memory } = this
    const offset = memory.at(agent)
    const { data, fresh } = memory
    const elapsed = step.time - data[offset + TIME]!
    data[offset + TIME] = step.time
    const share = fresh ? 1 : lagShare(elapsed >= 0 ? elapsed : step.dt, this.time)
    const torqueShare = fresh ? 1 : lagShare(elapsed >= 0 ? elapsed : step.dt, this.torqueTime)
    const isEmpty = isZero(torque) && !turns
    this.smoothVector(force, offset + FORCE, share, REST_ACCELERATION * agent.mass)
    this.smoothVector(torque, offset + TORQUE, torqueShare, 0)
    if (isEmpty) set(torque, 0, 0, 0)
    const { explainer } = agent
    if (explainer === null) return
    explainer.grant(out, 1, 1)
    explainer.note(`smoothed, ${this.time} s`)
  }

  /** Brings what is kept nearer to `vector`, by `share`, and writes it there. */
  private smoothVector(vector: Vec3, offset: number, share: number, least: number): void {
    // for the world to report, and not to be kept
    if (!isFiniteVec(vector)) return
    const { data } = this.memory
    load(average, data, offset)
    const isEmpty = isZero(vector)
    if (share < 1) addScaled(average, average, sub(error, vector, average), share)
    if (share >= 1 || !isFiniteVec(average)) copy(average, vector)
    // a decay has no end of its own
    if (isEmpty && lengthSq(average) < least * least) set(average, 0, 0, 0)
    save(average, data, offset)
    copy(vector, average)
  }
}

/** Short for `new Smooth(behavior, options)`: `smooth(priority([new AvoidObstacles(…), new Seek(…)]), { time: 0.2 })`. */
export function smooth(behavior: Behavior, options: SmoothOptions): Smooth {
  return new Smooth(behavior, options)
}
