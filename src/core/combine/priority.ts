import type { Behavior } from '../types.js'
import { DEMAND, type DemandOptions, FirstDemand } from './demand.js'
import { PART, type Part } from './part-rules.js'
import { readOptions } from '../math/options.js'

export type PriorityOptions = DemandOptions

const RULES = { name: 'priority.parts', options: PART }

/**
 * Priority arbitration (Combining Steering Behaviours, section 1): the first behaviour in order with a force
 * or torque above the threshold steers alone, and later ones are not asked. A behaviour that only asks to
 * hold its attitude counts as well.
 *
 * A list of decisions, each of which may be a weighted sum (Green, Conclusion: "a hybrid of the two
 * strategies"; course deck IMGD 4000: "groups of behaviors with blending inside each group and priorities
 * between groups"), is a priority of blends. The threshold then applies to the sums:
 * `priority([blend([wall, rock]), blend([separation, wander]), arrive])`.
 */
export class Priority extends FirstDemand implements Behavior {
  static readonly type: string = 'Priority'
  static readonly options = [{ parts: { kind: ['part'], required: true } }, DEMAND] as const

  /** @throws TypeError for an item that is no behaviour, RangeError for a negative threshold. */
  constructor(behaviors: readonly (Behavior | Part)[], options: PriorityOptions = {}) {
    super(behaviors, RULES)
    Object.assign(this, readOptions('priority', DEMAND, options))
  }

  protected asks(): boolean {
    return true
  }
}

/** Short for `new Priority(behaviors)`: `priority([new Evade(…), new Arrive(…)])`. */
export function priority(behaviors: readonly (Behavior | Part)[], options?: PriorityOptions): Priority {
  return new Priority(behaviors, options)
}
