import type { Agent, Behavior, SnapshotState, Step } from '../../types.js'
import { Memory } from '../../control/memory.js'
import { length } from '../../math/vec3.js'
import type { PortPose } from './port-pose.js'
import { isInLine, poseFits, type ApproachCorridor, type LatchLimits } from './approach-corridor.js'
import { choosePort, type Port } from './port.js'

/** Stages of a mooring; a ship that has only just asked for a port is in none. */
export const QUEUE = 0
export const APPROACH = 1
export const ALIGN = 2
export const FINAL = 3
export const MOORED = 4
export const ABORT = 5
export const ASKING = 6

// what is remembered of each ship
const STAGE = 0
/** Number of its port. */
const PORT = 1
/** Time for which it has fitted, s, at which its turn came, and at which it was last steered. */
const HELD = 2
const STARTED = 3
const LAST = 4
/** Times it has failed since it began. */
const TRIES = 5
const WIDTH = 6

/** What is lost must be worse than what was gained by this factor: no dithering between stages. */
const SLACK = 2

/** Nearer than this (m) there is no second chance: it must be in line without any slack. */
const CLOSE = 0.15

/** Deeper in than so many radii, and so many metres, there is nothing to moor at. */
const DEEP = 2
const REACH = 0.5

/** Back at the mouth: within this distance, m, and this slow across, m/s. */
const BACK = 1
const QUIET = 0.5

/** Moves off at this speed, m/s. */
const RECEDING = 0.2

/** What is asked of a ship that moors. */
export interface MooringLimits extends LatchLimits {
  readonly holdDistance: number
  readonly dwell: number
  readonly timeout: number
}

/** What is told of a mooring: names of the stages, in their order, and of what is missing when time is up. */
export interface MooringStages {
  readonly stages: readonly string[]
  readonly done: string
  /** A moored ship that is off by so many tolerances has been torn off; then it is in this stage. */
  readonly torn: number
  readonly after: number
}

/**
 * Where each ship stands on its way to a port: which port, and in what stage. Falls back by a stage, with hysteresis, when alignment is lost; backs
 * off and tries again when it leaves the corridor. Tells each stage in the name of the behaviour `owner`.
 */
export class Mooring {
  /** Of the ship that asked last: its port, its place in the queue there (see `Port.ask`), its stage, and the number of times it has failed. */
  port!: Port
  place = 0
  stage = ASKING
  tries = 0
  private readonly owner: Behavior
  private readonly words: MooringStages
  private readonly memory = new Memory(WIDTH)
  readonly state: SnapshotState = [this.memory]

  constructor(owner: Behavior, words: MooringStages) {
    this.owner = owner
    this.words = words
  }

  /** Asks for a port, once per step: the one of the last step, or a better one. */
  ask(agent: Agent, step: Step, ports: readonly Port[]): Port {
    const at = this.memory.at(agent)
    const { data, fresh } = this.memory
    if (fresh || step.time - data[at + LAST]! > 1.5 * step.dt) this.begin(agent, step, at, ports)
    data[at + LAST] = step.time
    if (data[at + STAGE] === QUEUE) this.change(agent, step, at, ports)
    this.stage = data[at + STAGE]!
    this.tries = data[at + TRIES]!
    this.port = ports[data[at + PORT]!]!
    this.place = this.port.ask(agent, step)
    return this.port
  }

  /** Chooses a port, and starts anew. */
  private begin(agent: Agent, step: Step, at: number, ports: readonly Port[]): void {
    const { data } = this.memory
    data[at + STAGE] = ASKING
    data[at + STARTED] = step.time
    data[at + TRIES] = 0
    data[at + PORT] = choosePort(ports, agent, step)
  }

  /** Who waits while another port is free goes there. */
  private change(agent: Agent, step: Step, at: number, ports: readonly Port[]): void {
    const { data } = this.memory
    for (let i = 0; i < ports.length; i++) {
      const port = ports[i]!
      port.refreshFor(step)
      if (port.load > 0 || i === data[at + PORT]) continue
      ports[data[at + PORT]!]!.release(agent.id)
      this.begin(agent, step, at, ports)
      return
    }
  }

  /**
   * Goes on to the next stage, or falls back, for the ship that has just asked.
   * @param berth how it stands to its port. @param touches whether all is as it must be to be moored. @returns the stage.
   */
  decide(
    agent: Agent,
    step: Step,
    berth: PortPose,
    lane: ApproachCorridor,
    limits: MooringLimits,
    touches: boolean,
  ): number {
    const { memory, place, port, stage } = this
    const at = memory.at(agent)
    const { data } = memory
    if (place > 0) {
      data[at + STARTED] = step.time
      if (stage !== QUEUE) this.enter(agent, step, QUEUE, 'the port is busy')
    } else if (stage === QUEUE || stage === ASKING) {
      if (place === 0) this.enter(agent, step, APPROACH)
    } else if (stage === MOORED) {
      if (!poseFits(berth, limits, this.words.torn)) this.enter(agent, step, this.words.after, 'torn off')
    } else if (step.time - data[at + STARTED]! > limits.timeout) {
      data[at + STARTED] = step.time
      port.release(agent.id)
      this.enter(agent, step, ABORT, `not ${this.words.done} within ${limits.timeout} s`)
    } else if (stage === APPROACH) {
      if (lane.isBefore(port, berth)) this.enter(agent, step, ALIGN)
    } else if (stage === FINAL) this.finish(agent, step, berth, lane, limits, touches)
    else this.align(agent, step, berth, lane, limits)
    return this.stage
  }

  /** As `decide`, in the corridor or off it. */
  private align(
    agent: Agent,
    step: Step,
    berth: PortPose,
    lane: ApproachCorridor,
    limits: MooringLimits,
  ): void {
    const { port, stage } = this
    const aside = length(berth.aside)
    if (stage === ALIGN) {
      if (this.strays(agent, step, berth, lane)) return
      if (lane.isAtGate(berth) && (lane.leans || isInLine(berth, limits, 1))) this.enter(agent, step, FINAL)
    } else if (lane.leans) {
      // what cannot be pushed sideways has to come again; but first it stops, nose in: there is no time to turn
      if (berth.leaving > RECEDING || berth.out > port.corridor) this.enter(agent, step, APPROACH)
    } else if (
      Math.abs(berth.out - port.corridor) < BACK &&
      length(berth.drift) < QUIET &&
      aside < port.corridorRadius / SLACK
    )
      this.enter(agent, step, ALIGN)
  }

  /** As `decide`, on the last metres. */
  private finish(
    agent: Agent,
    step: Step,
    berth: PortPose,
    lane: ApproachCorridor,
    limits: MooringLimits,
    touches: boolean,
  ): void {
    if (this.strays(agent, step, berth, lane)) return
    if (lane.leans && berth.out > limits.holdDistance) return
    if (!isInLine(berth, limits, berth.out < CLOSE ? 1 : SLACK)) {
      this.enter(agent, step, lane.leans ? ABORT : ALIGN, 'out of line')
      return
    }
    const at = this.memory.at(agent)
    const { data } = this.memory
    data[at + HELD] = touches ? data[at + HELD]! + step.dt : 0
    if (data[at + HELD]! > limits.dwell) this.enter(agent, step, MOORED)
  }

  /** Gives up where it has left the corridor. */
  private strays(agent: Agent, step: Step, berth: PortPose, lane: ApproachCorridor): boolean {
    const aside = length(berth.aside)
    const past = berth.out < -DEEP * agent.radius - REACH
    if (!past && (aside <= lane.wide || berth.out >= this.port.corridor - BACK)) return false
    this.enter(agent, step, ABORT, past ? 'nothing there' : `${aside.toFixed(1)} m off the axis`)
    return true
  }

  /** Changes the stage, and tells. */
  private enter(agent: Agent, step: Step, stage: number, reason = ''): void {
    const at = this.memory.at(agent)
    const { data } = this.memory
    data[at + STAGE] = this.stage = stage
    data[at + HELD] = 0
    if (stage === ABORT) data[at + TRIES]!++
    step.emit(agent, 'stage', this.owner, this.words.stages[stage], reason)
  }
}
