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
const REST = 1e-6

// what is kept for each agent: the force and torque of the last step, and its time
const FORCE = 0
const TORQUE = 3
const TIME = 6
const WIDTH = 7

const kept = vec3()
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
  private readonly all: Behavior[] = []
  /** The behaviour that holds in this step. */
  private inner: Behavior
  private readonly moment = new ChangeGate()
  private readonly memory = new Memory(WIDTH)
  readonly state: SnapshotState = [this.memory]

  /** @throws TypeError for what is no behaviour, RangeError for a time that is negative or not finite. */
  constructor(behavior: Behavior, { time, torqueTime = 0 }: SmoothOptions) {
    this.behavior = this.inner = requireBehavior('smooth: behavior', behavior)
    this.time = requireFinite('smooth.time', time, 0, false)
    this.torqueTime = requireFinite('smooth.torqueTime', torqueTime, 0, false)
  }

  /** What is smoothed. To change it set `behavior`. */
  get children(): readonly Behavior[] {
    this.all[0] = requireBehavior('smooth: behavior', this.behavior)
    return this.all
  }

  refresh(): void {
    this.moment.open()
    this.inner = this.behavior
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (this.moment.isNow(step)) this.inner = this.behavior
    ask(agent, step, this.inner, out)
    const { force, torque, turns } = out
    const { memory } = this
    const at = memory.at(agent)
    const { data, fresh } = memory
    const since = step.time - data[at + TIME]!
    data[at + TIME] = step.time
    const share = fresh ? 1 : lagShare(since >= 0 ? since : step.dt, this.time)
    const torqueShare = fresh ? 1 : lagShare(since >= 0 ? since : step.dt, this.torqueTime)
    const silent = isZero(torque) && !turns
    this.follow(force, at + FORCE, share, REST * agent.mass)
    this.follow(torque, at + TORQUE, torqueShare, 0)
    if (silent) set(torque, 0, 0, 0)
    const { explainer: ledger } = agent
    if (ledger === null) return
    ledger.grant(out, 1, 1)
    ledger.note(`smoothed, ${this.time} s`)
  }

  /** Brings what is kept nearer to `vector`, by `share`, and writes it there. */
  private follow(vector: Vec3, at: number, share: number, least: number): void {
    // for the world to report, and not to be kept
    if (!isFiniteVec(vector)) return
    const { data } = this.memory
    load(kept, data, at)
    const silent = isZero(vector)
    if (share < 1) addScaled(kept, kept, sub(error, vector, kept), share)
    if (share >= 1 || !isFiniteVec(kept)) copy(kept, vector)
    // a decay has no end of its own
    if (silent && lengthSq(kept) < least * least) set(kept, 0, 0, 0)
    save(kept, data, at)
    copy(vector, kept)
  }
}

/** Short for `new Smooth(behavior, options)`: `smooth(priority([new AvoidObstacles(…), new Seek(…)]), { time: 0.2 })`. */
export function smooth(behavior: Behavior, options: SmoothOptions): Smooth {
  return new Smooth(behavior, options)
}
