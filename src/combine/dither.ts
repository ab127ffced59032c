import type { Agent, Archive, Behavior, SnapshotState, Step, Wish, Wrench } from '../types.js'
import { Memory } from '../control/memory.js'
import { hasDemand } from './has-demand.js'
import { isPart, type Part } from './part-rules.js'
import { PartList } from './parts.js'
import { askWithWish, makeWish, forwardWish } from '../control/wish.js'
import { draw } from '../math/random.js'
import { requireBehavior, requireNumber } from '../math/require.js'
import { clearWrench } from '../math/wrench.js'

/** A behaviour with its chance. */
export interface WithProbability extends Part {
  /** Probability with which it is asked when its turn comes, in [0, 1], dimensionless. Default 1. */
  probability?: number
}

/** As it stands in the list. */
export type DitherPart = WithProbability & { probability: number }

export interface DitherOptions {
  /**
   * Time (s) for which a draw holds, ≥ 0. Default 0: one step, as published; then the shares of time are the same at any step rate, but
   * hands change so many times a second as there are steps. With a period they change as often at any rate.
   */
  period?: number
  /** A force below this share of `maxForce` counts as none, ≥ 0. Default 1e-3. */
  forceShare?: number
  /** A torque below this share of `maxTorque` counts as none, ≥ 0. Default 1e-3. */
  torqueShare?: number
}

/** Values of a random stream: a draw made once is kept as the stream of those that hold as long. */
const STREAMS = 2 ** 32

const RULES = {
  name: 'dither',
  check: (behavior: Behavior) => void requireBehavior('dither: part', behavior),
  share: ({ probability = 1 }: WithProbability) => probability,
  keep(part: DitherPart, archive: Archive): void {
    const given: WithProbability = part
    part.probability = archive.number(given.probability ?? 1)
  },
  part(given: Behavior | WithProbability): DitherPart {
    const {
      behavior,
      probability = 1,
      enabled = true,
    }: WithProbability = isPart(given) ? given : { behavior: given }
    return {
      behavior: requireBehavior('dither: part', behavior),
      probability: requireNumber('dither: probability', probability, 0, false, 1),
      enabled,
    }
  },
}

/**
 * Prioritised dithering (Combining Steering Behaviours, section 3; Reynolds 1999; Green): behaviours in order of priority, each with a
 * probability; a random number decides whether its turn comes; the first whose turn comes and that wants something has its way, and lets
 * others through at other times. In Green's listing only the first is left to chance: give a probability to it alone. The course deck IMGD 4000 adds
 * up what chance lets through until the force is spent: that is a `truncatedSum` of dithers of one.
 * Numbers come from the agent's own stream: same seed, same bits.
 */
export class Dither implements Behavior {
  static readonly type: string = 'Dither'
  period: number
  forceShare: number
  torqueShare: number
  private readonly list: PartList<DitherPart, WithProbability>
  /** When the draw ends, s, and the draw. */
  private readonly memory = new Memory(2)
  private readonly heard: Wish = makeWish()

  /** @throws TypeError for an item that is no behaviour, RangeError for a probability outside [0, 1] or a negative option. */
  constructor(
    parts: readonly (Behavior | WithProbability)[],
    { period = 0, forceShare = 1e-3, torqueShare = 1e-3 }: DitherOptions = {},
  ) {
    this.list = new PartList(parts, RULES)
    this.period = requireNumber('dither.period', period, 0, false)
    this.forceShare = requireNumber('dither.forceShare', forceShare, 0, false)
    this.torqueShare = requireNumber('dither.torqueShare', torqueShare, 0, false)
  }

  /** Most important first. They may be given other chances, switched, added, removed and reordered at any time, see `Part`. */
  get parts(): DitherPart[] {
    return this.list.parts
  }

  /** The behaviours of the parts that are switched on, brought up to date by this call. */
  get children(): readonly Behavior[] {
    return this.list.behaviors
  }

  /** As `children`, with those that are switched off. */
  get allChildren(): readonly Behavior[] {
    return this.list.all
  }

  get state(): SnapshotState {
    return [this.list, this.memory]
  }

  refresh(): void {
    this.list.refresh()
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    this.list.begin(step)
    const { heard } = this
    const { active, shares } = this.list
    const stream = this.period > 0 ? this.lasting(agent, step) : -1
    for (let i = 0; i < active.length; i++) {
      const chance = stream < 0 ? agent.random() : draw(stream, i)
      if (!(chance < shares[i]!)) continue
      askWithWish(agent, step, active[i]!, heard, out, shares[i])
      if (hasDemand(agent, out, this.forceShare, this.torqueShare)) {
        forwardWish(agent.wish, heard)
        agent.explainer?.grant(out, 1, 1)
        return
      }
      clearWrench(out)
    }
  }

  /** The stream of the present period. Periods end at the step nearest to their time, and do not drift. */
  private lasting(agent: Agent, { time, dt }: Step): number {
    const { memory, period } = this
    const at = memory.at(agent)
    const { data } = memory
    const end = data[at]!
    if (memory.fresh || time > end - dt / 2) {
      const next = end + period
      data[at] = memory.fresh || !(next > time) ? time + period : next
      data[at + 1] = Math.floor(agent.random() * STREAMS)
    }
    return data[at + 1]!
  }
}

/** Short for `new Dither(parts)`: `dither([{ behavior: new AvoidObstacles(…), probability: 0.9 }, new Seek(…)])`. */
export function dither(parts: readonly (Behavior | WithProbability)[], options?: DitherOptions): Dither {
  return new Dither(parts, options)
}
