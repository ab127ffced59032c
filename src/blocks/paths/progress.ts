import type { Agent, Step, Vec3 } from '../../core/types.js'
import { Saved } from '../../core/control/serialize-fields.js'
import { TAU } from '../../core/math/scalar.js'
import { addScaled, copy, cross, dot, length, set, vec3 } from '../../core/math/vec3.js'

/** Number of bits of the window, which is one word. A bit is 1 where the agent made progress. */
const WINDOW_BITS = 32
/** The window of an agent that always made progress. */
const ALL_BITS = 0xffffffff

// The numbers below are chosen by hand unless they say otherwise.

/** Progress counts from this share of the possible way on. One pressed against a wall trembles by less. */
const MIN_PROGRESS = 0.02

/** Full turns on one spot that count as circling. */
const CIRCLING_TURNS = 2

const axis = vec3()

/** The progress of one agent on its path: shares, 0 … 1, dimensionless. */
export class Progress extends Saved {
  finished = 0
  crowded = 0
  /** Number of retries since the agent last advanced. */
  tries = 0
  private clock = 0
  private bits = ALL_BITS
  /** The last `travelled`, NaN before the first, and the largest (m). */
  private travelled = NaN
  private farthest = NaN
  /** Largest `stuck` share at the start of a retry, since the agent last advanced. */
  private heldShare = 0
  /** Course at the last update, and sum of its turns on one spot (rad). */
  private readonly course: Vec3 = vec3()
  private readonly turn: Vec3 = vec3()

  /** Starts on a new path, on which the agent is not stuck. `travelled` (m): see `update`. */
  begin(agent: Agent, travelled: number): void {
    this.retry(agent, travelled, true)
    this.farthest = travelled
    this.tries = 0
    this.heldShare = 0
  }

  /** Starts a new window after an attempt to get free. `resetsTurn`: the turns are counted anew as well. */
  retry(agent: Agent, travelled: number, resetsTurn: boolean): void {
    this.clock = 0
    // A repeated attempt without success: there was no progress for longer than a window.
    this.heldShare = this.tries > 0 ? 1 : this.held
    this.bits = ALL_BITS
    this.travelled = travelled
    this.tries++
    if (resetsTurn) this.resetTurn(agent)
  }

  /**
   * Measures the progress of an agent. `travelled` (m) is the station of its target less the distance to the
   * target. `speed` (m/s) is the one wanted. Each 32nd of `window` (s) one bit is written.
   * @returns whether a bit was written.
   */
  update(agent: Agent, step: Step, travelled: number, speed: number, window: number): boolean {
    if (!Number.isFinite(travelled)) return false
    if (Number.isNaN(this.travelled)) this.begin(agent, travelled)
    if (travelled > this.farthest + agent.radius) {
      this.farthest = travelled
      this.tries = 0
      this.heldShare = 0
      this.resetTurn(agent)
    } else this.addTurn(agent, MIN_PROGRESS * speed)
    const period = window / WINDOW_BITS
    const time = this.clock + step.dt
    // The small sum makes the count independent of rounding, at any step length.
    const count = Math.min(Math.floor(time / period + 1e-6), WINDOW_BITS)
    this.clock = Math.max(0, Math.min(time, window) - count * period)
    if (count === 0) return false
    const possible = Math.min(speed, ((agent.maxForce / agent.mass) * time) / 2) * time
    const hasProgress = travelled - this.travelled > MIN_PROGRESS * possible
    this.travelled = travelled
    for (let i = 0; i < count; i++) this.bits = ((this.bits << 1) | (hasProgress ? 1 : 0)) >>> 0
    return true
  }

  /** The larger of `stuck` and its value at the last retry: it does not fall until the agent advances. */
  get held(): number {
    return Math.max(this.stuck, this.heldShare)
  }

  /** Share of the window without progress, since the last retry. */
  get stuck(): number {
    let progressBits = 0
    for (let { bits } = this; bits !== 0; bits = (bits & (bits - 1)) >>> 0) progressBits++
    return 1 - progressBits / WINDOW_BITS
  }

  /** Turn of the course on one spot, as a share of two full turns. Turns to opposite sides cancel. */
  get circling(): number {
    return Math.min(1, length(this.turn) / TAU / CIRCLING_TURNS)
  }

  private resetTurn(agent: Agent): void {
    set(this.turn, 0, 0, 0)
    copy(this.course, agent.course.x)
  }

  /** Adds up the turns of the course. An agent that hardly moves has none. */
  private addTurn(agent: Agent, minSpeed: number): void {
    if (!(agent.speed > minSpeed)) return
    const { course, turn } = this
    const cosine = dot(course, agent.course.x)
    const sine = length(cross(axis, course, agent.course.x))
    copy(course, agent.course.x)
    if (sine > 0) addScaled(turn, turn, axis, Math.atan2(sine, cosine) / sine)
  }
}
