import type { Agent, Behavior, SnapshotState, Step, Vec3, Wrench } from '../types.js'
import { forceLimit } from '../control/force-limit.js'
import { type Weighted, type WeightedPart, weightedRules } from './part-rules.js'
import { PartCombination } from './part-combination.js'
import { askWithWish, forwardWish } from '../control/wish.js'
import { addScaled, copy, dot, length, load, save, scale, vec3 } from '../math/vec3.js'
import { clearWrench, zeroWrench } from '../math/wrench.js'
import { Memory } from '../control/memory.js'

export interface TruncatedSumOptions {
  /**
   * How the budget is counted. `assigned` (default): a part pays for the length of what it adds, so none can undo what was assigned before
   * it. `resultant` (Buckland, Programming Game AI by Example, 2005, AccumulateForce): what is left is the limit less the length of the sum so
   * far. `sum` (course deck IMGD 4000): parts are added whole until the sum is as long as the limit, and then the sum is cut.
   */
  budget?: 'assigned' | 'resultant' | 'sum'
  /**
   * Takes from every part what it wants against the push of one before it, and, less and less, for half a second after that. What budget is
   * left over is else spent on undoing: to a servo, as every goal is one, each evasive speed is an error. Fewer touch (of 24 through a door 10
   * did, and then none), but it still judders: `within` does not. Default false, as published.
   */
  project?: boolean
}

/** So near to the limit (share of it) is at the limit: rounding leaves crumbs. */
const SPENT = 1e-12

/**
 * Weighted prioritised truncated sum (Combining Steering Behaviours, section 4): in order of priority each part's force, times its weight, is
 * added as long as some of the budget is left; of the one for which not all is left the rest is cut. Torques have a budget of their own,
 * `maxTorque`. Once both are spent, nobody else is asked.
 *
 * The paper's limit is one for all directions. Here that of each force is what the vehicle can give in its direction, so that a sum can be given
 * as well: of a weak brake the budget is spent with a small force astern. Where there is one limit, as for `Hover`, it is the paper's.
 */
export class TruncatedSum extends PartCombination<WeightedPart, Weighted> implements Behavior {
  static readonly type: string = 'TruncatedSum'
  budget: 'assigned' | 'resultant' | 'sum'
  project: boolean
  private readonly own: Wrench = zeroWrench()
  private readonly added: Vec3 = vec3()
  private readonly heldAxes = new HeldAxes()
  /** Share of the part at hand that was added, and to which share the sum was cut then. */
  private addedShare = 0
  private sumShare = 1

  /** @throws TypeError for an item that is no behaviour, RangeError for a weight that is not finite. */
  constructor(
    parts: readonly (Behavior | Weighted)[],
    { budget = 'assigned', project = false }: TruncatedSumOptions = {},
  ) {
    super(parts, weightedRules('truncatedSum'))
    if (budget !== 'assigned' && budget !== 'resultant' && budget !== 'sum')
      throw new RangeError(
        `truncatedSum.budget: got ${String(budget)}, must be 'assigned', 'resultant' or 'sum'`,
      )
    this.budget = budget
    this.project = project
  }

  override get state(): SnapshotState {
    return [this.list, this.heldAxes.memory]
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { heldAxes, list, own, wish } = this
    list.begin(step)
    const { active, shares } = list
    // what is left of the budgets, in shares of what the vehicle can give
    let force = agent.maxForce > 0 ? 1 : 0
    let torque = agent.maxTorque > 0 ? 1 : 0
    if (this.project) heldAxes.begin(agent, step)
    for (let i = 0; i < active.length; i++) {
      if (!(force > 0) && !(torque > 0)) return
      const weight = shares[i]!
      clearWrench(own)
      askWithWish(agent, step, active[i]!, wish, own, weight)
      if (this.project) heldAxes.removeOpposing(i, own.force, weight)
      force = this.addWithinBudget(agent, out.force, own.force, weight, force, forceLimit)
      const { sumShare, addedShare } = this
      if (addedShare !== 0) forwardWish(agent.wish, wish)
      torque = this.addWithinBudget(agent, out.torque, own.torque, weight, torque, torqueLimit)
      if (own.turns && weight !== 0) out.turns = true
      agent.explainer?.grant(own, addedShare, this.addedShare)
      agent.explainer?.cut(sumShare, this.sumShare)
    }
  }

  /** Adds to `sum` what `left` of the budget allows, and returns what is left then, > 0, or nothing. */
  private addWithinBudget(
    agent: Agent,
    sum: Vec3,
    partForce: Vec3,
    weight: number,
    left: number,
    limit: Limit,
  ): number {
    const { added, budget } = this
    this.addedShare = 0
    this.sumShare = 1
    if (!(left > 0)) return 0
    let rest: number
    if (budget === 'sum') {
      addScaled(sum, sum, partForce, weight)
      const size = length(sum)
      const most = limit(agent, sum, size)
      this.addedShare = weight
      this.sumShare = size > most ? most / size : 1
      scale(sum, sum, this.sumShare)
      rest = 1 - size / most
    } else {
      const size = length(scale(added, partForce, weight))
      const cost = size / limit(agent, added, size)
      // what is not finite goes in as it is: the world reports it
      const fit = cost > left ? left / cost : 1
      addScaled(sum, sum, added, fit)
      this.addedShare = weight * fit
      if (budget === 'assigned') rest = left - cost
      else {
        const total = length(sum)
        rest = 1 - total / limit(agent, sum, total)
      }
    }
    return rest <= SPENT ? 0 : rest
  }
}

type Limit = (agent: Agent, wanted: Vec3, size: number) => number

function torqueLimit(agent: Agent): number {
  return agent.maxTorque
}

/** Short for `new TruncatedSum(parts)`: `truncatedSum([new AvoidObstacles(…), { behavior: new Wander(), weight: 0.5 }])`. */
export function truncatedSum(
  parts: readonly (Behavior | Weighted)[],
  options?: TruncatedSumOptions,
): TruncatedSum {
  return new TruncatedSum(parts, options)
}

/** A force of this share of `maxForce` holds its axis firmly; a weaker one in proportion, so that none takes hold with a jump. */
const FIRM_FORCE_SHARE = 0.1

/** An axis is held on for about so long (s) after the last push: else it is let go in the next step, and the two take turns. */
const HOLD_TIME = 0.5

/** So many of the most important parts can hold an axis. */
const MAX_AXES = 8

// what is kept for each of them: its direction, and how firmly it is held
const FIRMNESS = 3
const WIDTH = 4

const axis = vec3()
const wanted = vec3()

/** Directions in which more important parts push or have just pushed. */
class HeldAxes {
  readonly memory: Memory = new Memory(WIDTH * MAX_AXES)
  private offset = 0
  private maxForce = 0

  /** For the agent at hand: what was held is held on, less and less. */
  begin(agent: Agent, step: Step): void {
    const offset = (this.offset = this.memory.at(agent))
    this.maxForce = agent.maxForce
    const { data } = this.memory
    const left = Math.exp(-step.dt / HOLD_TIME)
    for (let k = 0; k < MAX_AXES; k++) data[offset + WIDTH * k + FIRMNESS]! *= left
  }

  /** Takes from the force (N) of part `index`, which counts `weight` times, what it wants against those before it, and holds that of what is left. */
  removeOpposing(index: number, force: Vec3, weight: number): void {
    const { offset, maxForce } = this
    const { data } = this.memory
    const sign = weight < 0 ? -1 : 1
    const earlier = Math.min(index, MAX_AXES)
    copy(wanted, force)
    // what is taken off for one axis may be against another that was looked at before
    for (let pass = 0; pass < 2; pass++)
      for (let k = 0; k < earlier; k++) {
        load(axis, data, offset + WIDTH * k)
        const least = (1 - data[offset + WIDTH * k + FIRMNESS]!) * Math.min(0, sign * dot(wanted, axis))
        const along = sign * dot(force, axis)
        if (along < least) addScaled(force, force, axis, sign * (least - along))
      }
    const size = length(force)
    if (index >= MAX_AXES || !(size * Math.abs(weight) > 0 && size < Infinity)) return
    const firmness =
      maxForce < Infinity ? Math.min(1, (size * Math.abs(weight)) / (FIRM_FORCE_SHARE * maxForce)) : 1
    const own = offset + WIDTH * index
    if (firmness < data[own + FIRMNESS]!) return
    data[own + FIRMNESS] = firmness
    save(scale(axis, force, sign / size), data, own)
  }
}
