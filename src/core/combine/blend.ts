import { hint } from '#hints'
import type { Agent, Behavior, Step, Wrench } from '../types.js'
import type { BlockPart, BlockParts } from '../control/agent-block.js'
import { forceShare, torqueShare } from '../control/force-limit.js'
import { weightedRules, type Weighted, type WeightedPart } from './part-rules.js'
import { PartCombination } from './part-combination.js'
import { askWithWish, forwardWish } from '../control/wish.js'
import { reciprocal } from '../math/scalar.js'
import { typeName } from '../math/show.js'
import { addScaled, scale } from '../math/vec3.js'
import { clearWrench, zeroWrench } from '../math/wrench.js'
import { readOptions, type AnyTable, type FieldsOf, type Options, type OptionsOf } from '../math/options.js'
import { WEIGHTED } from './part-rules.js'

export interface BlendOptions extends Options, OptionsOf<typeof BLEND> {}
export interface Blend extends FieldsOf<typeof BLEND> {}

const BLEND = {
  /**
   * Where forces are cut to what the vehicle can give in their direction, `maxForce` or less, and torques to
   * `maxTorque`. `parts`: the answer of each part, before its weight. `sum`: the sum. `none` (default): only
   * in the locomotion, so that a large demand of one part still outweighs the other parts.
   */
  truncate: { kind: 'text', oneOf: ['none', 'parts', 'sum'], default: 'none' },
  /**
   * Divides the sum by the sum of the absolute weights. A single demand is then never met in full while other
   * parts are in the list, even if these want nothing. Default false: a plain sum.
   */
  average: { kind: 'boolean', default: false },
} as const satisfies AnyTable

/**
 * Weighted blending (Combining Steering Behaviours, section 2; Green, Weighted Average): the sum of the
 * forces and torques of the parts, each times its weight. Green does not say where to truncate and what the
 * weights should sum to: see the options. Opposed demands can cancel each other, and a sum can lead through
 * an obstacle that one part avoids. To keep clear of obstacles use `within` or priorities; a blend of
 * `AvoidObstacles` with other parts warns once on the console.
 */
export class Blend extends PartCombination<WeightedPart> implements Behavior {
  static readonly type: string = 'Blend'
  static readonly options: readonly [typeof WEIGHTED, typeof BLEND] = [WEIGHTED, BLEND]

  private readonly own: Wrench = zeroWrench()
  private readonly blocks: { parts: BlockPart[]; weights: number[] } = { parts: [], weights: [] }

  /** @throws TypeError for an item that is no behaviour, RangeError for a weight that is not finite. */
  constructor(parts: readonly (Behavior | Weighted)[], options: BlendOptions = {}) {
    super(parts, weightedRules('blend.parts'))
    Object.assign(this, readOptions('blend', BLEND, options))
    if (this.list.all.length > 1 && this.list.all.some(isOutvoted)) hint(null, () => OUTVOTED)
  }

  /** See `Behavior.forBlocks`. @internal */
  forBlocks(step: Step): BlockParts | null {
    const { list, truncate: where, blocks } = this
    if (this.steer !== Blend.prototype.steer || where !== 'none') return null
    list.begin(step)
    const { active, shares } = list
    const factor = this.average ? reciprocal(sumOfSizes(shares), 1) : 1
    blocks.parts.length = blocks.weights.length = 0
    for (let i = 0; i < active.length; i++) {
      const weight = shares[i]! * factor
      // a sum of a sum is rounded in another order
      const own = active[i]!.children === undefined ? active[i]!.forBlocks?.(step) : null
      if (!own || !(Math.abs(weight) < Infinity)) return null
      blocks.parts.push(...(own as BlockParts).parts)
      blocks.weights.push(weight)
    }
    return blocks
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { list, own, truncate: where, wish } = this
    list.begin(step)
    const { active, shares } = list
    const factor = this.average ? reciprocal(sumOfSizes(shares), 1) : 1
    const isOutermost = this.beginRest(agent)
    for (let i = 0; i < active.length; i++) {
      const weight = shares[i]!
      clearWrench(own)
      askWithWish(agent, step, active[i]!, wish, own, weight)
      if (weight !== 0) forwardWish(agent.wish, wish)
      const force = where === 'parts' ? weight * factor * forceShare(agent, own.force) : weight * factor
      const torque = where === 'parts' ? weight * factor * torqueShare(agent, own.torque) : weight * factor
      addScaled(out.force, out.force, own.force, force)
      if (isOutermost && this.note(active[i]!, own.force, force)) this.addOther(own.force, force)
      addScaled(out.torque, out.torque, own.torque, torque)
      if (own.turns && weight !== 0) out.turns = true
      agent.explainer?.grant(own, force, torque)
    }
    if (where === 'sum') {
      const force = forceShare(agent, out.force)
      const torque = torqueShare(agent, out.torque)
      scale(out.force, out.force, force)
      scale(out.torque, out.torque, torque)
      agent.explainer?.cut(force, torque)
    }
    if (isOutermost) this.rest(agent, step, out.force)
  }
}

const OUTVOTED =
  'blend: AvoidObstacles as one part of a sum is outvoted by the others and flies through obstacles; use within([new AvoidObstacles(…)], wish)'

function isOutvoted(behavior: Behavior): boolean {
  return typeName(behavior) === 'AvoidObstacles'
}

/** Short for `new Blend(parts)`: `blend([new Seek(…), { behavior: new Wander(), weight: 0.3 }])`. */
export function blend(parts: readonly (Behavior | Weighted)[], options?: BlendOptions): Blend {
  return new Blend(parts, options)
}

/** Sum of the absolute weights. */
function sumOfSizes(weights: readonly number[]): number {
  let sum = 0
  for (let i = 0; i < weights.length; i++) sum += Math.abs(weights[i]!)
  return sum
}
