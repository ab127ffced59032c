import type { Agent, SnapshotState, Step } from '../../types.js'
import { Memory } from '../../control/memory.js'
import { TAU } from '../../math/scalar.js'
import { addScaled, cross, dot, length, load, save, set, vec3 } from '../../math/vec3.js'

// what is kept for each agent
const CLOCK = 0
const BITS = 1
const WAY = 2
const BEST = 3
const TURN = 4
const COURSE = 7
const FINISHED = 10
const CROWDED = 11
const TRIES = 12
/** Greatest share without progress when it tried again, since it got on last. */
const HELD = 13
const WIDTH = 14

/** Length of the word. */
const WORD = 32
const ALL = 0xffffffff

/** Progress is more than this share of what it could make: what is pressed against a wall trembles. */
const HARDLY = 0.02

/** Turned round so many times on one spot: that is circling. */
const ROUNDS = 2

const course = vec3()
const turn = vec3()

/** The pilot metrics of each agent. Its numbers are dimensionless, 0 … 1. */
export class Progress {
  private readonly memory = new Memory(WIDTH)
  readonly state: SnapshotState = [this.memory]

  /** On a new way nobody is stuck. `way` (m): how far along it the agent is, see `look`. */
  begin(agent: Agent, way: number): void {
    this.retry(agent, way, true)
    const at = this.memory.at(agent)
    this.memory.data[at + BEST] = way
    this.memory.data[at + TRIES] = 0
    this.memory.data[at + HELD] = 0
  }

  /** After something has been tried it gets a whole window to show, and as many rounds where that was for circling. */
  retry(agent: Agent, way: number, rounds: boolean): void {
    const at = this.memory.at(agent)
    const { data } = this.memory
    data[at + CLOCK] = 0
    // once more in vain: it has made no progress for longer than a window
    data[at + HELD] = data[at + TRIES]! > 0 ? 1 : this.held(agent.slot)
    data[at + BITS] = ALL
    data[at + WAY] = way
    data[at + TRIES] = data[at + TRIES]! + 1
    if (rounds) this.face(agent, at)
  }

  /**
   * Looks at an agent: `way` (m) is how far it has come, that of its target less the distance to that, and `pace` (m/s) what it would fly. A bit
   * is written each 32nd of `window` (s). @returns whether one was.
   */
  update(agent: Agent, step: Step, way: number, pace: number, window: number): boolean {
    const at = this.memory.at(agent)
    const { data } = this.memory
    if (!Number.isFinite(way)) return false
    if (this.memory.fresh) this.begin(agent, way)
    if (way > data[at + BEST]! + agent.radius) {
      data[at + BEST] = way
      data[at + TRIES] = 0
      data[at + HELD] = 0
      this.face(agent, at)
    } else this.turn(agent, at, HARDLY * pace)
    const period = window / WORD
    const time = data[at + CLOCK]! + step.dt
    // as many steps at any step size, for all the rounding
    const count = Math.min(Math.floor(time / period + 1e-6), WORD)
    data[at + CLOCK] = Math.max(0, Math.min(time, window) - count * period)
    if (count === 0) return false
    const could = Math.min(pace, ((agent.maxForce / agent.mass) * time) / 2) * time
    const made = way - data[at + WAY]! > HARDLY * could
    data[at + WAY] = way
    for (let i = 0; i < count; i++) data[at + BITS] = ((data[at + BITS]! << 1) | (made ? 1 : 0)) >>> 0
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
    return Math.max(this.stuck(slot), this.memory.data[slot * WIDTH + HELD]!)
  }

  /** Share of the window in which there was no progress, since the agent last tried again. */
  stuck(slot: number): number {
    let bits = this.memory.data[slot * WIDTH + BITS]!
    let made = 0
    for (; bits !== 0; bits = (bits & (bits - 1)) >>> 0) made++
    return 1 - made / WORD
  }

  /** How far it has turned on one spot, as a share of two rounds: what turns to and fro does not count. */
  circling(slot: number): number {
    const rounds = length(load(turn, this.memory.data, slot * WIDTH + TURN)) / TAU
    return Math.min(1, rounds / ROUNDS)
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

  private face(agent: Agent, at: number): void {
    const { data } = this.memory
    save(set(turn, 0, 0, 0), data, at + TURN)
    save(agent.course.x, data, at + COURSE)
  }

  /** Adds up the turns of the course. Who hardly moves has none. */
  private turn(agent: Agent, at: number, least: number): void {
    const { data } = this.memory
    if (!(agent.speed > least)) return
    load(course, data, at + COURSE)
    const cosine = dot(course, agent.course.x)
    const sine = length(cross(course, course, agent.course.x))
    save(agent.course.x, data, at + COURSE)
    if (!(sine > 0)) return
    load(turn, data, at + TURN)
    save(addScaled(turn, turn, course, Math.atan2(sine, cosine) / sine), data, at + TURN)
  }
}
