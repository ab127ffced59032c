import type { Agent, SnapshotState, Step } from '../../core/types.js'
import { Memory } from '../../core/control/memory.js'
import { TAU } from '../../core/math/scalar.js'
import { addScaled, cross, dot, length, load, save, set, vec3 } from '../../core/math/vec3.js'

// Offsets of the numbers that are stored for each agent.
const CLOCK = 0
const BITS = 1
const TRAVELLED = 2
const FARTHEST = 3
const TURN = 4
const COURSE = 7
const FINISHED = 10
const CROWDED = 11
const TRIES = 12
/** Largest `stuck` share at the start of a retry, since the agent last advanced. */
const HELD_SHARE = 13
const WIDTH = 14

/** Number of bits of the window, which is one word. A bit is 1 where the agent made progress. */
const WINDOW_BITS = 32
/** The window of an agent that always made progress. */
const ALL_BITS = 0xffffffff

// The numbers below are chosen by hand unless they say otherwise.

/**
 * Progress counts from this share of the possible distance on. An agent that is pressed against a wall
 * trembles by less.
 */
const MIN_PROGRESS = 0.02

/** Full turns on one spot that count as circling. */
const CIRCLING_TURNS = 2

const course = vec3()
const turn = vec3()

/** The pilot metrics of each agent: dimensionless, 0 … 1. */
export class Progress {
  private readonly memory = new Memory(WIDTH)
  readonly state: SnapshotState = [this.memory]

  /** Starts on a new path, on which the agent is not stuck. `travelled` (m): see `update`. */
  begin(agent: Agent, travelled: number): void {
    this.retry(agent, travelled, true)
    const offset = this.memory.at(agent)
    this.memory.data[offset + FARTHEST] = travelled
    this.memory.data[offset + TRIES] = 0
    this.memory.data[offset + HELD_SHARE] = 0
  }

  /** Starts a new window after an attempt to get free. `resetsTurn`: the turns are counted anew as well. */
  retry(agent: Agent, travelled: number, resetsTurn: boolean): void {
    const offset = this.memory.at(agent)
    const { data } = this.memory
    data[offset + CLOCK] = 0
    // A repeated attempt without success: there was no progress for longer than a window.
    data[offset + HELD_SHARE] = data[offset + TRIES]! > 0 ? 1 : this.held(agent.slot)
    data[offset + BITS] = ALL_BITS
    data[offset + TRAVELLED] = travelled
    data[offset + TRIES] = data[offset + TRIES]! + 1
    if (resetsTurn) this.resetTurn(agent, offset)
  }

  /**
   * Measures the progress of an agent. `travelled` (m) is the station of its target less the distance to the
   * target. `speed` (m/s) is the one wanted. Each 32nd of `window` (s) one bit is written.
   * @returns whether a bit was written.
   */
  update(agent: Agent, step: Step, travelled: number, speed: number, window: number): boolean {
    const offset = this.memory.at(agent)
    const { data } = this.memory
    if (!Number.isFinite(travelled)) return false
    if (this.memory.fresh) this.begin(agent, travelled)
    if (travelled > data[offset + FARTHEST]! + agent.radius) {
      data[offset + FARTHEST] = travelled
      data[offset + TRIES] = 0
      data[offset + HELD_SHARE] = 0
      this.resetTurn(agent, offset)
    } else this.addTurn(agent, offset, MIN_PROGRESS * speed)
    const period = window / WINDOW_BITS
    const time = data[offset + CLOCK]! + step.dt
    // The small sum makes the count independent of rounding, at any step length.
    const count = Math.min(Math.floor(time / period + 1e-6), WINDOW_BITS)
    data[offset + CLOCK] = Math.max(0, Math.min(time, window) - count * period)
    if (count === 0) return false
    const possible = Math.min(speed, ((agent.maxForce / agent.mass) * time) / 2) * time
    const hasProgress = travelled - data[offset + TRAVELLED]! > MIN_PROGRESS * possible
    data[offset + TRAVELLED] = travelled
    for (let i = 0; i < count; i++)
      data[offset + BITS] = ((data[offset + BITS]! << 1) | (hasProgress ? 1 : 0)) >>> 0
    return true
  }

  setFinished(agent: Agent, share: number): void {
    this.memory.data[this.memory.at(agent) + FINISHED] = share
  }

  setCrowded(agent: Agent, share: number): void {
    this.memory.data[this.memory.at(agent) + CROWDED] = share
  }

  /** The larger of `stuck` and its value at the last retry: it does not fall until the agent advances. */
  held(slot: number): number {
    return Math.max(this.stuck(slot), this.numberOf(slot, HELD_SHARE))
  }

  /** Share of the window without progress, since the last retry. */
  stuck(slot: number): number {
    let bits = this.numberOf(slot, BITS)
    let progressBits = 0
    for (; bits !== 0; bits = (bits & (bits - 1)) >>> 0) progressBits++
    return 1 - progressBits / WINDOW_BITS
  }

  /** Turn of the course on one spot, as a share of two full turns. Turns to opposite sides cancel. */
  circling(slot: number): number {
    const turns = length(load(turn, this.memory.data, this.memory.offsetOf(slot) + TURN)) / TAU
    return Math.min(1, turns / CIRCLING_TURNS)
  }

  finished(slot: number): number {
    return this.numberOf(slot, FINISHED)
  }

  crowded(slot: number): number {
    return this.numberOf(slot, CROWDED)
  }

  /** Number of retries since the agent last advanced. */
  tries(slot: number): number {
    return this.numberOf(slot, TRIES)
  }

  private numberOf(slot: number, at: number): number {
    return this.memory.data[this.memory.offsetOf(slot) + at]!
  }

  private resetTurn(agent: Agent, offset: number): void {
    const { data } = this.memory
    save(set(turn, 0, 0, 0), data, offset + TURN)
    save(agent.course.x, data, offset + COURSE)
  }

  /** Adds up the turns of the course. An agent that hardly moves has none. */
  private addTurn(agent: Agent, offset: number, minSpeed: number): void {
    const { data } = this.memory
    if (!(agent.speed > minSpeed)) return
    load(course, data, offset + COURSE)
    const cosine = dot(course, agent.course.x)
    const sine = length(cross(course, course, agent.course.x))
    save(agent.course.x, data, offset + COURSE)
    if (!(sine > 0)) return
    load(turn, data, offset + TURN)
    save(addScaled(turn, turn, course, Math.atan2(sine, cosine) / sine), data, offset + TURN)
  }
}
