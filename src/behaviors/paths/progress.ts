import type { Agent, SnapshotState, Step } from '../../types.js'
import { Memory } from '../../control/memory.js'
import { TAU } from '../../math/scalar.js'
import { addScaled, cross, dot, length, load, save, set, vec3 } from '../../math/vec3.js'

// what is kept for each agent
const CLOCK = 0
const BITS = 1
const TRAVELLED = 2
const FARTHEST = 3
const TURN = 4
const COURSE = 7
const FINISHED = 10
const CROWDED = 11
const TRIES = 12
/** Greatest share without progress when it tried again, since it got on last. */
const HELD_SHARE = 13
const WIDTH = 14

/** Length of the word. */
const WINDOW_BITS = 32
const ALL_BITS = 0xffffffff

/** Progress is more than this share of what it could make: what is pressed against a wall trembles. */
const MIN_PROGRESS = 0.02

/** Turned round so many times on one spot: that is circling. */
const CIRCLING_TURNS = 2

const course = vec3()
const turn = vec3()

/** The pilot metrics of each agent. Its numbers are dimensionless, 0 … 1. */
export class Progress {
  private readonly memory = new Memory(WIDTH)
  readonly state: SnapshotState = [this.memory]

  /** On a new way nobody is stuck. `way` (m): how far along it the agent is, see `look`. */
  begin(agent: Agent, travelled: number): void {
    this.retry(agent, travelled, true)
    const offset = this.memory.at(agent)
    this.memory.data[offset + FARTHEST] = travelled
    this.memory.data[offset + TRIES] = 0
    this.memory.data[offset + HELD_SHARE] = 0
  }

  /** After something has been tried it gets a whole window to show, and as many rounds where that was for circling. */
  retry(agent: Agent, travelled: number, resetsTurn: boolean): void {
    const offset = this.memory.at(agent)
    const { data } = this.memory
    data[offset + CLOCK] = 0
    // once more in vain: it has made no progress for longer than a window
    data[offset + HELD_SHARE] = data[offset + TRIES]! > 0 ? 1 : this.held(agent.slot)
    data[offset + BITS] = ALL_BITS
    data[offset + TRAVELLED] = travelled
    data[offset + TRIES] = data[offset + TRIES]! + 1
    if (resetsTurn) this.resetTurn(agent, offset)
  }

  /**
   * Looks at an agent: `way` (m) is how far it has come, that of its target less the distance to that, and `pace` (m/s) what it would fly. A bit
   * is written each 32nd of `window` (s). @returns whether one was.
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
    // as many steps at any step size, for all the rounding
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

  /** As `stuck`, but as it was when the agent last tried again, until it gets on: it does not fall while the agent is held. */
  held(slot: number): number {
    return Math.max(this.stuck(slot), this.memory.data[slot * WIDTH + HELD_SHARE]!)
  }

  /** Share of the window in which there was no progress, since the agent last tried again. */
  stuck(slot: number): number {
    let bits = this.memory.data[slot * WIDTH + BITS]!
    let progressBits = 0
    for (; bits !== 0; bits = (bits & (bits - 1)) >>> 0) progressBits++
    return 1 - progressBits / WINDOW_BITS
  }

  /** How far it has turned on one spot, as a share of two rounds: what turns to and fro does not count. */
  circling(slot: number): number {
    const turns = length(load(turn, this.memory.data, slot * WIDTH + TURN)) / TAU
    return Math.min(1, turns / CIRCLING_TURNS)
  }

  finished(slot: number): number {
    return this.memory.data[slot * WIDTH + FINISHED]!
  }

  crowded(slot: number): number {
    return this.memory.data[slot * WIDTH + CROWDED]!
  }

  /** How often it has tried again since it got on. */
  tries(slot: number): number {
    return this.memory.data[slot * WIDTH + TRIES]!
  }

  private resetTurn(agent: Agent, offset: number): void {
    const { data } = this.memory
    save(set(turn, 0, 0, 0), data, offset + TURN)
    save(agent.course.x, data, offset + COURSE)
  }

  /** Adds up the turns of the course. Who hardly moves has none. */
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
