import type { Agent, Behavior, SnapshotState, Step, Vec3, Wrench } from '../types.js'
import { ask } from '../control/ask.js'
import { Memory } from '../control/memory.js'
import { ChangeGate } from './change-gate.js'
import { requireBehavior } from '../math/require.js'
import { lagShare } from '../math/scalar.js'
import { addScaled, copy, isFiniteVec, isZero, lengthSq, load, save, set, sub, vec3 } from '../math/vec3.js'
import { readOptions, type AnyTable, type FieldsOf, type Options, type OptionsOf } from '../math/options.js'

export interface SmoothOptions extends Options, OptionsOf<typeof SMOOTH> {}
export interface Smooth extends FieldsOf<typeof SMOOTH> {}

/** Without a demand, a force of less than this acceleration (m/s²) is set to 0. Chosen by hand. */
const REST_ACCELERATION = 1e-6

// stored for each agent: the force and torque of the last step, and its time
const FORCE = 0
const TORQUE = 3
const TIME = 6
const WIDTH = 7

const average = vec3()
const error = vec3()

const SMOOTH = {
  /**
   * Time constant of the force (s), ≥ 0 and finite: 63 % of a change are done after this time, 95 % after
   * three times as long. A longer time removes more judder, but position and velocity servos overshoot if
   * their force is late. Up to 0.4 times the agent's `responseTime`, 0.04 s by default, an `Arrive` comes to
   * rest; as a wish in `within` up to 0.75 times. With a longer time it circles around its goal. 0 leaves the
   * force unchanged.
   */
  time: { kind: 'number', required: true, unit: 's', atLeast: 0 },
  /** Time constant of the torque (s), ≥ 0 and finite. Default 0: the attitude has a servo of its own. */
  torqueTime: { kind: 'number', unit: 's', atLeast: 0, default: 0 },
} as const satisfies AnyTable

/**
 * Removes judder from the answer of a behaviour: force and torque pass a first-order low-pass filter, F += (1
 * − e^(−dt/time)) · (F* − F), which gives the same result at any step rate. Green (Obstacle Avoidance) and
 * the course deck IMGD 4000 (Judder Solution: Smoothing) average the last headings, and turn only the nose by
 * the average, see `LookWhereGoing`: force and path still judder. Here the force is averaged, so the path is
 * smooth as well. The filter adds a delay: it does not solve the conflict that causes the judder, as `within`
 * does, and an agent that brakes or evades needs about `time` more.
 *
 * The filter starts with the first force. If nothing is asked for, the force fades out in the same way. If
 * the filter is not asked for some steps because other parts come first, the next answer counts for this time
 * as well.
 *
 * Force and torque are averaged in world axes: however the vehicle turns in the meantime, the momentum that
 * was asked for is given, only later. As a wish in `within` the force is averaged as well, and not the
 * velocity it stands for: v + F·τ / m with an averaged F still accelerates and turns as much as was asked
 * for, while an averaged velocity would slow down an agent that accelerates. The goal of a wish is not
 * averaged. A behaviour that asks for no attitude passes unchanged, and the locomotion then turns the body at
 * once.
 */
export class Smooth implements Behavior {
  static readonly type: string = 'Smooth'
  static readonly options = [{ behavior: { kind: 'instance', required: true } }, SMOOTH] as const

  behavior: Behavior
  private readonly childList: Behavior[] = []
  /** The behaviour that is in effect in this step. */
  private activeBehavior: Behavior
  private readonly gate = new ChangeGate()
  private readonly memory = new Memory(WIDTH)
  readonly state: SnapshotState = [this.memory]

  /** @throws TypeError if `behavior` is no behaviour, RangeError for a negative or not finite time. */
  constructor(behavior: Behavior, options: SmoothOptions) {
    this.behavior = this.activeBehavior = requireBehavior('smooth.behavior', behavior)
    Object.assign(this, readOptions('smooth', SMOOTH, options))
  }

  /** The behaviour that is smoothed. To replace it set `behavior`. */
  get children(): readonly Behavior[] {
    this.childList[0] = requireBehavior('smooth.behavior', this.behavior)
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

  /** Moves the stored average towards `vector` by `share`, and writes the average into `vector`. */
  private smoothVector(vector: Vec3, offset: number, share: number, least: number): void {
    // the world reports it, and it must not enter the average
    if (!isFiniteVec(vector)) return
    const { data } = this.memory
    load(average, data, offset)
    const isEmpty = isZero(vector)
    if (share < 1) addScaled(average, average, sub(error, vector, average), share)
    if (share >= 1 || !isFiniteVec(average)) copy(average, vector)
    // an exponential decay never reaches 0
    if (isEmpty && lengthSq(average) < least * least) set(average, 0, 0, 0)
    save(average, data, offset)
    copy(vector, average)
  }
}

/**
 * Short for `new Smooth(behavior, options)`:
 * `smooth(priority([new AvoidObstacles(…), new Seek(…)]), { time: 0.2 })`.
 */
export function smooth(behavior: Behavior, options: SmoothOptions): Smooth {
  return new Smooth(behavior, options)
}
