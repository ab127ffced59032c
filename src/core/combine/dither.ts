import type { Agent, Behavior, SnapshotState, Step, Wrench } from '../types.js'
import { Memory } from '../control/memory.js'
import { DEMAND, type DemandOptions, FirstDemand } from './demand.js'
import { PART, type Part, type PartRules } from './part-rules.js'
import { draw } from '../math/random.js'
import { readOptions } from '../math/options.js'
import type { AnyTable, FieldsOf, OptionTable, OptionsOf } from '../math/options.js'

/** A behaviour with its probability. */
export interface WithProbability extends Part {
  /**
   * Probability with which it is asked when the parts before it want nothing, in [0, 1], dimensionless.
   * Default 1.
   */
  probability?: number
}

/** A part as it is stored in the list. */
export type DitherPart = WithProbability & { probability: number }

export interface DitherOptions extends DemandOptions, OptionsOf<typeof PERIOD> {}
export interface Dither extends FieldsOf<typeof PERIOD> {}

/** Number of random streams. A draw that holds for a period is stored as the stream of all parts. */
const STREAMS = 2 ** 32

const LIKELY = {
  behavior: PART.behavior,
  probability: { kind: 'number', atLeast: 0, atMost: 1, default: 1 },
  enabled: PART.enabled,
} as const satisfies OptionTable<WithProbability>

const RULES: PartRules<DitherPart> = { name: 'dither.parts', options: LIKELY, number: 'probability' }

const PERIOD = {
  /**
   * Time (s) for which a draw holds, ≥ 0. Default 0: one step, as published. The shares of time are then the
   * same at any step rate, but the part in control changes with the step rate. With a period it changes
   * equally often at any step rate.
   */
  period: { kind: 'number', unit: 's', atLeast: 0, infinite: true, default: 0 },
} as const satisfies AnyTable

/**
 * Prioritised dithering (Combining Steering Behaviours, section 3; Reynolds 1999; Green): behaviours in order
 * of priority, each with a probability. A random number decides whether a part is asked; the first part that
 * is asked and wants something steers alone. In Green's listing only the first part is left to chance: give a
 * probability only to that one. The course deck IMGD 4000 adds up all parts that chance lets through until
 * the force is spent: that is a `truncatedSum` of dithers of one part each. Random numbers come from the
 * agent's own stream: the same seed gives bit-identical motion.
 */
export class Dither extends FirstDemand<DitherPart> implements Behavior {
  static readonly type: string = 'Dither'
  static readonly options = [{ parts: { kind: ['likely'], required: true } }, PERIOD, DEMAND] as const

  /** Time (s) at which the draw ends, and the number of its stream. */
  private readonly memory = new Memory(2)
  /** That of the present agent; −1: each part draws anew in each step. */
  private stream = -1

  /**
   * @throws TypeError for an item that is no behaviour, RangeError for a probability outside [0, 1] or a
   * negative option.
   */
  constructor(parts: readonly (Behavior | WithProbability)[], options: DitherOptions = {}) {
    super(parts, RULES)
    Object.assign(this, readOptions('dither', [PERIOD, DEMAND], options))
  }

  override get state(): SnapshotState {
    return [...super.state, this.memory]
  }

  override steer(agent: Agent, step: Step, out: Wrench): void {
    this.stream = this.period > 0 ? this.periodStream(agent, step) : -1
    super.steer(agent, step, out)
  }

  protected asks(agent: Agent, index: number): boolean {
    const chance = this.stream < 0 ? agent.random() : draw(this.stream, index)
    return chance < this.list.shares[index]!
  }

  /** The stream of the present period. Periods end at the step nearest to their time, and do not drift. */
  private periodStream(agent: Agent, { time, dt }: Step): number {
    const { memory, period } = this
    const offset = memory.at(agent)
    const { data } = memory
    const end = data[offset]!
    if (memory.fresh || time > end - dt / 2) {
      const next = end + period
      data[offset] = memory.fresh || !(next > time) ? time + period : next
      data[offset + 1] = Math.floor(agent.random() * STREAMS)
    }
    return data[offset + 1]!
  }
}

/**
 * Short for `new Dither(parts)`:
 * `dither([{ behavior: new AvoidObstacles(…), probability: 0.9 }, new Seek(…)])`.
 */
export function dither(parts: readonly (Behavior | WithProbability)[], options?: DitherOptions): Dither {
  return new Dither(parts, options)
}
