import type { Agent, Behavior, SnapshotState, Step, Vec3, Wrench } from '../types.js'
import { forceLimit } from '../control/force-limit.js'
import { type Weighted, type WeightedPart, weightedRules } from './part-rules.js'
import { PartCombination } from './part-combination.js'
import { askWithWish, forwardWish } from '../control/wish.js'
import { addScaled, copy, dot, length, load, save, scale, vec3 } from '../math/vec3.js'
import { clearWrench, zeroWrench } from '../math/wrench.js'
import { Memory } from '../control/memory.js'
import { readOptions, type AnyTable, type FieldsOf, type Options, type OptionsOf } from '../math/options.js'
import { WEIGHTED } from './part-rules.js'

export interface TruncatedSumOptions extends Options, OptionsOf<typeof TRUNCATED_SUM> {}
export interface TruncatedSum extends FieldsOf<typeof TRUNCATED_SUM> {}

/** A remaining budget below this share of the limit is a rounding error, and counts as spent. */
const SPENT = 1e-12

const TRUNCATED_SUM = {
  /**
   * How the budget is counted. `assigned` (default): each part uses as much of the budget as the length of
   * its contribution, so no later part can cancel an earlier one. `resultant` (Buckland, Programming Game AI
   * by Example, 2005, AccumulateForce): the remaining budget is the limit less the length of the sum so far.
   * `sum` (course deck IMGD 4000): parts are added in full until the sum is as long as the limit, and then
   * the sum is cut.
   */
  budget: { kind: 'text', oneOf: ['assigned', 'resultant', 'sum'], default: 'assigned' },
  /**
   * When later parts are no longer asked. `both` (default): once the budgets of force and torque are both
   * spent. `force`: once the force is spent, whatever torque is left, as published.
   */
  until: { kind: 'text', oneOf: ['both', 'force'], default: 'both' },
  /**
   * Removes from each part the component against the force of an earlier part; after that force has ended the
   * removal decays with a time constant of half a second. Without it the remaining budget is spent on
   * cancelling earlier parts, since each goal is a servo to which an evasive speed is an error. Fewer agents
   * touch (of 24 through a door 10 without this option, none with it), but the motion still judders; `within`
   * does not. Default false, as published.
   */
  project: { kind: 'boolean', default: false },
} as const satisfies AnyTable

/**
 * Weighted prioritised truncated sum (Combining Steering Behaviours, section 4): in order of priority the
 * force of each part, times its weight, is added as long as some of the budget is left; the last contribution
 * is cut to fit. Torques have a budget of their own, `maxTorque`. Once both are spent, later parts are not
 * asked.
 *
 * The paper uses one limit for all directions. Here the limit of each force is what the vehicle can give in
 * its direction, so that the sum can be given as well: a small force astern spends the whole budget of a weak
 * brake. With one limit for all directions, as for `Hover`, it is the paper's.
 */
export class TruncatedSum extends PartCombination<WeightedPart> implements Behavior {
  static readonly type: string = 'TruncatedSum'
  static readonly options: readonly [typeof WEIGHTED, typeof TRUNCATED_SUM] = [WEIGHTED, TRUNCATED_SUM]

  private readonly own: Wrench = zeroWrench()
  private readonly added: Vec3 = vec3()
  private readonly heldAxes = new HeldAxes()
  /** Share of the current part that was added, and the share to which the sum was cut then. */
  private addedShare = 0
  private sumShare = 1

  /** @throws TypeError for an item that is no behaviour, RangeError for a weight that is not finite. */
  constructor(parts: readonly (Behavior | Weighted)[], options: TruncatedSumOptions = {}) {
    super(parts, weightedRules('truncatedSum.parts'))
    Object.assign(this, readOptions('truncatedSum', TRUNCATED_SUM, options))
  }

  override get state(): SnapshotState {
    return [...super.state, this.heldAxes.memory]
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { heldAxes, list, own, wish } = this
    list.begin(step)
    const { active, shares } = list
    // remaining budgets, as shares of what the vehicle can give
    let force = agent.maxForce > 0 ? 1 : 0
    let torque = agent.maxTorque > 0 ? 1 : 0
    if (this.project) heldAxes.begin(agent, step)
    const isOutermost = this.beginRest(agent)
    for (let i = 0; i < active.length; i++) {
      const isSpent = !(force > 0) && (this.until === 'force' || !(torque > 0))
      if (isSpent && !this.seeksGoal(agent)) break
      const weight = shares[i]!
      clearWrench(own)
      askWithWish(agent, step, active[i]!, wish, own, weight)
      const isOther = isOutermost && this.note(active[i]!, own.force, weight)
      if (this.project) heldAxes.removeOpposing(i, own.force, weight)
      force = this.addWithinBudget(agent, out.force, own.force, weight, force, forceLimit)
      const { sumShare, addedShare } = this
      if (addedShare !== 0 || agent.wish?.settled === true) forwardWish(agent.wish, wish)
      if (isOther) this.addOther(own.force, addedShare)
      torque = this.addWithinBudget(agent, out.torque, own.torque, weight, torque, torqueLimit)
      if (own.turns && weight !== 0) out.turns = true
      agent.explainer?.grant(own, addedShare, this.addedShare)
      agent.explainer?.cut(sumShare, this.sumShare)
    }
    if (isOutermost) this.rest(agent, step, out.force)
  }

  /** Adds `partForce` to `sum` within the budget `left`. Returns the rest of it, 0 if it is spent. */
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
      // what is not finite is added unchanged: the world reports it
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

/**
 * Short for `new TruncatedSum(parts)`:
 * `truncatedSum([new AvoidObstacles(…), { behavior: new Wander(), weight: 0.5 }])`.
 */
export function truncatedSum(
  parts: readonly (Behavior | Weighted)[],
  options?: TruncatedSumOptions,
): TruncatedSum {
  return new TruncatedSum(parts, options)
}

// The numbers below are chosen by hand unless they say otherwise.

/** A force of this share of `maxForce` holds its axis completely, a weaker one in proportion. */
const FIRM_FORCE_SHARE = 0.1

/**
 * Time constant (s) with which an axis is released after the last force along it. If it were released in the
 * next step, the two parts would alternate.
 */
const HOLD_TIME = 0.5

/** Only this number of the most important parts can hold an axis. */
const MAX_AXES = 8

// stored for each of these parts: the direction of its axis, and how firmly it is held
const FIRMNESS = 3
const WIDTH = 4

const axis = vec3()
const wanted = vec3()

/** The directions in which more important parts push or have recently pushed. */
class HeldAxes {
  readonly memory: Memory = new Memory(WIDTH * MAX_AXES)
  private offset = 0
  private maxForce = 0

  /** Starts with an agent: its held axes decay. */
  begin(agent: Agent, step: Step): void {
    const offset = (this.offset = this.memory.at(agent))
    this.maxForce = agent.maxForce
    const { data } = this.memory
    const left = Math.exp(-step.dt / HOLD_TIME)
    for (let k = 0; k < MAX_AXES; k++) data[offset + WIDTH * k + FIRMNESS]! *= left
  }

  /**
   * Removes from the force (N) of part `index`, which has this weight, the components against the axes of
   * earlier parts, and holds the axis of the remainder.
   */
  removeOpposing(index: number, force: Vec3, weight: number): void {
    const { offset, maxForce } = this
    const { data } = this.memory
    const sign = weight < 0 ? -1 : 1
    const earlier = Math.min(index, MAX_AXES)
    copy(wanted, force)
    // a removal along one axis may add a component against another axis that was handled before
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
