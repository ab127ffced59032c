import type { Agent, Behavior, Step, Wish, Wrench } from '../types.js'
import { askWithWish, forwardWish } from '../control/wish.js'
import { lengthSq } from '../math/vec3.js'
import { clearWrench } from '../math/wrench.js'
import type { AnyTable, Options, OptionsOf } from '../math/options.js'

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

/**
 * Asks `part`, and keeps its answer in `out` if it wants anything; then its goal is forwarded as well.
 * Otherwise `out` is cleared. `wish` is scratch for the goal of the part, `weight` is its share in
 * explanations.
 * @returns whether the part wants anything.
 */
export function askForDemand(
  agent: Agent,
  step: Step,
  part: Behavior,
  wish: Wish,
  thresholds: Readonly<Required<DemandOptions>>,
  out: Wrench,
  weight?: number,
): boolean {
  askWithWish(agent, step, part, wish, out, weight)
  if (!hasDemand(agent, out, thresholds)) {
    clearWrench(out)
    return false
  }
  forwardWish(agent.wish, wish)
  agent.explainer?.grant(out, 1, 1)
  return true
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
