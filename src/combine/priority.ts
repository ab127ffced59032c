import type { Agent, Behavior, SnapshotState, Step, Wish, Wrench } from '../types.js'
import { hasDemand } from './has-demand.js'
import { plainRules, type Part } from './part-rules.js'
import { PartList } from './parts.js'
import { askWithWish, makeWish, forwardWish } from '../control/wish.js'
import { requireNumber } from '../math/require.js'
import { clearWrench } from '../math/wrench.js'

export interface PriorityOptions {
  /** A force below this share of `maxForce` counts as none, ≥ 0. Default 1e-3. */
  forceShare?: number
  /** A torque below this share of `maxTorque` counts as none, ≥ 0. Default 1e-3. */
  torqueShare?: number
}

/**
 * Priority arbitration (Combining Steering Behaviours, section 1): the first behaviour in order with a force or torque
 * above the threshold has its way, the rest is not asked. One that asks for nothing but to hold its attitude counts, too.
 *
 * A list of decisions of which each may be a weighted sum (Green, Conclusion: "a hybrid of the two strategies"; course deck IMGD 4000:
 * "groups of behaviors with blending inside each group and priorities between groups") is a priority of blends; the threshold is then that
 * of the sums: `priority([blend([wall, rock]), blend([separation, wander]), arrive])`.
 */
export class Priority implements Behavior {
  static readonly type: string = 'Priority'
  forceShare: number
  torqueShare: number
  private readonly list: PartList<Part>
  private readonly heard: Wish = makeWish()

  /** @throws TypeError for an item that is no behaviour, RangeError for a negative threshold. */
  constructor(
    behaviors: readonly (Behavior | Part)[],
    { forceShare = 1e-3, torqueShare = 1e-3 }: PriorityOptions = {},
  ) {
    this.list = new PartList(behaviors, plainRules('priority', 'priority: item'))
    this.forceShare = requireNumber('priority.forceShare', forceShare, 0, false)
    this.torqueShare = requireNumber('priority.torqueShare', torqueShare, 0, false)
  }

  /** Most important first. They may be switched, added, removed and reordered at any time, see `Part`. */
  get parts(): Part[] {
    return this.list.parts
  }

  /** The behaviours of the parts that are switched on. This list may be edited, too. */
  get children(): Behavior[] {
    return this.list.behaviors
  }

  /** As `children`, with those that are switched off. */
  get allChildren(): readonly Behavior[] {
    return this.list.all
  }

  get state(): SnapshotState {
    return [this.list]
  }

  refresh(): void {
    this.list.refresh()
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    this.list.begin(step)
    const { heard } = this
    const { active } = this.list
    for (let i = 0; i < active.length; i++) {
      askWithWish(agent, step, active[i]!, heard, out)
      if (hasDemand(agent, out, this.forceShare, this.torqueShare)) {
        forwardWish(agent.wish, heard)
        agent.explainer?.grant(out, 1, 1)
        return
      }
      clearWrench(out)
    }
  }
}

/** Short for `new Priority(behaviors)`: `priority([new Evade(…), new Arrive(…)])`. */
export function priority(behaviors: readonly (Behavior | Part)[], options?: PriorityOptions): Priority {
  return new Priority(behaviors, options)
}
