import type { Agent, Behavior, Step, Vec3, Wrench } from '../types.js'
import { weightedRules, type Weighted, type WeightedPart } from '../control/part-rules.js'
import { PartList } from '../control/parts.js'
import { addScaled, length, truncate, vec3 } from '../math/vec3.js'
import { clearWrench, zeroWrench } from '../math/wrench.js'

export interface TruncatedSumOptions {
  /**
   * How the budget is counted. `assigned` (default): a part pays for the length of what it adds, so none can undo what was assigned before
   * it. `resultant` (Buckland, Programming Game AI by Example, 2005, AccumulateForce): what is left is the limit less the length of the sum so
   * far. `sum` (course deck IMGD 4000): parts are added whole until the sum is as long as the limit, and then the sum is cut.
   */
  budget?: 'assigned' | 'resultant' | 'sum'
}

/** So near to the limit (share of it) is at the limit: rounding leaves crumbs. */
const SPENT = 1e-12

/**
 * Weighted prioritised truncated sum (Combining Steering Behaviours, section 4): in order of priority each part's force, times its weight, is
 * added as long as some of `maxForce` is left; of the one for which not all is left the rest is cut. Torques have a budget of their own,
 * `maxTorque`. Once both are spent, nobody else is asked.
 */
export class TruncatedSum implements Behavior {
  budget: 'assigned' | 'resultant' | 'sum'
  private readonly list: PartList<WeightedPart, Weighted>
  private readonly own: Wrench = zeroWrench()
  private readonly added: Vec3 = vec3()

  /** @throws TypeError for an item that is no behaviour, RangeError for a weight that is not finite. */
  constructor(parts: readonly (Behavior | Weighted)[], { budget = 'assigned' }: TruncatedSumOptions = {}) {
    if (budget !== 'assigned' && budget !== 'resultant' && budget !== 'sum')
      throw new RangeError(
        `truncatedSum.budget: got ${String(budget)}, must be 'assigned', 'resultant' or 'sum'`,
      )
    this.list = new PartList(parts, weightedRules('truncatedSum'))
    this.budget = budget
  }

  /** Most important first. They may be weighted anew, switched, added, removed and reordered at any time, see `Part`. */
  get parts(): WeightedPart[] {
    return this.list.parts
  }

  /** The behaviours of the parts that are switched on, brought up to date by this call. */
  get children(): readonly Behavior[] {
    return this.list.behaviors
  }

  refresh(): void {
    this.list.refresh()
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { maxForce, maxTorque } = agent
    const { list, own } = this
    list.begin(step)
    const { active, shares } = list
    let force = maxForce
    let torque = maxTorque
    for (let i = 0; i < active.length; i++) {
      if (!(force > 0) && !(torque > 0)) return
      const weight = shares[i]!
      clearWrench(own)
      active[i]!.steer(agent, step, own)
      force = this.pay(out.force, own.force, weight, force, maxForce)
      torque = this.pay(out.torque, own.torque, weight, torque, maxTorque)
      if (own.turns && weight !== 0) out.turns = true
    }
  }

  /** Adds to `sum` what `left` allows, and returns what is left then, > 0, or nothing. */
  private pay(sum: Vec3, asked: Vec3, weight: number, left: number, limit: number): number {
    if (!(left > 0)) return 0
    const { added, budget } = this
    const wanted = Math.abs(weight) * length(asked)
    let rest: number
    if (budget === 'sum') {
      addScaled(added, sum, asked, weight)
      rest = limit - length(added)
      truncate(sum, added, limit)
    } else {
      // what is not finite goes in as it is: the world reports it
      addScaled(sum, sum, asked, wanted > left ? (weight * left) / wanted : weight)
      rest = budget === 'assigned' ? left - wanted : limit - length(sum)
    }
    return limit < Infinity && rest <= SPENT * limit ? 0 : rest
  }
}

/** Short for `new TruncatedSum(parts)`: `truncatedSum([new AvoidObstacles(…), { behavior: new Wander(), weight: 0.5 }])`. */
export function truncatedSum(
  parts: readonly (Behavior | Weighted)[],
  options?: TruncatedSumOptions,
): TruncatedSum {
  return new TruncatedSum(parts, options)
}
