import type { Agent, Behavior, Step, Wrench } from '../types.js'
import { askWithWish, forwardWish } from '../control/wish.js'
import { copy, lengthSq, vec3 } from '../math/vec3.js'
import { clearWrench } from '../math/wrench.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../math/options.js'
import { PartCombination } from './part-combination.js'
import type { Part } from './part-rules.js'

/** The thresholds below which a part counts as one that wants nothing. */
export interface DemandOptions extends Options, OptionsOf<typeof DEMAND> {}

/** The table of `DemandOptions`. */
export const DEMAND = {
  /** A force below this share of `maxForce` counts as none, dimensionless, ≥ 0. Default 1e-3. */
  // Above rounding errors, and far below any force that an agent would notice. Chosen by hand.
  forceShare: { kind: 'number', atLeast: 0, infinite: true, default: 1e-3 },
  /** A torque below this share of `maxTorque` counts as none, dimensionless, ≥ 0. Default 1e-3. */
  torqueShare: { kind: 'number', atLeast: 0, infinite: true, default: 1e-3 },
} as const satisfies AnyTable

export interface FirstDemand extends FieldsOf<typeof DEMAND> {}

const passed = vec3()

/** The first part that is asked and wants anything steers alone. */
export abstract class FirstDemand<P extends Part = Part> extends PartCombination<P> {
  /** Whether the part of this number is asked. */
  protected abstract asks(agent: Agent, index: number): boolean

  steer(agent: Agent, step: Step, out: Wrench): void {
    this.list.begin(step)
    const { active, shares } = this.list
    const isOutermost = this.beginRest(agent)
    let sum = out.force
    for (let i = 0; i < active.length; i++) {
      if (!this.asks(agent, i)) continue
      const part = active[i]!
      const wants = this.ask(agent, step, part, out, shares[i])
      const isOther = isOutermost && this.note(part, out.force)
      if (!wants) continue
      if (isOther) this.addOther(out.force)
      // what looks at neighbours is no reason to go on
      if (part.neighborSearch === undefined || !this.seeksGoal(agent)) break
      if (sum === out.force) sum = copy(passed, out.force)
      clearWrench(out)
    }
    if (isOutermost) this.rest(agent, step, out.force, sum)
    else if (sum !== out.force) copy(out.force, sum)
  }

  /**
   * Asks `part`, and keeps its answer in `out` if it wants anything; then its goal is forwarded as well.
   * Otherwise `out` is cleared. `weight` is its share in explanations.
   * @returns whether the part wants anything.
   */
  private ask(agent: Agent, step: Step, part: Behavior, out: Wrench, weight: number | undefined): boolean {
    askWithWish(agent, step, part, this.wish, out, weight)
    const wants = hasDemand(agent, out, this)
    // the goal of one that has settled counts also where it is reached
    if (wants || agent.wish?.settled === true) forwardWish(agent.wish, this.wish)
    if (!wants) {
      clearWrench(out)
      return false
    }
    agent.explainer?.grant(out, 1, 1)
    return true
  }
}

/**
 * Whether an answer wants anything: a force above the share `forceShare` of `maxForce`, a torque above that
 * of `maxTorque`, or an attitude to hold. Where a limit is infinite, only zero counts as nothing.
 */
function hasDemand(
  agent: Agent,
  out: Wrench,
  { forceShare, torqueShare }: Readonly<Required<DemandOptions>>,
): boolean {
  const force = threshold(forceShare, agent.maxForce)
  const torque = threshold(torqueShare, agent.maxTorque)
  // not ">": NaN must count as a demand, so that the world reports it
  return out.turns || !(lengthSq(out.force) <= force * force) || !(lengthSq(out.torque) <= torque * torque)
}

function threshold(share: number, limit: number): number {
  return limit < Infinity ? Math.max(0, share * limit) : 0
}
