import type { Agent, Behavior, Step, Wrench } from '../types.js'
import { requireBehavior, requireList, requireNumber } from '../math/require.js'
import { lengthSq, set } from '../math/vec3.js'

export interface PriorityOptions {
  /** A force below this share of `maxForce` counts as none, ≥ 0. Default 1e-3. */
  forceShare?: number
  /** A torque below this share of `maxTorque` counts as none, ≥ 0. Default 1e-3. */
  torqueShare?: number
}

/**
 * Priority arbitration (Combining Steering Behaviours, section 1): the first behaviour in order with a force or torque
 * above the threshold has its way, the rest is not asked. One that asks for nothing but to hold its attitude counts, too.
 */
export class Priority implements Behavior {
  /** Most important first. May be changed at any time. */
  readonly children: Behavior[]
  forceShare: number
  torqueShare: number

  /** @throws TypeError for an item that is no behaviour, RangeError for a negative threshold. */
  constructor(
    behaviors: readonly Behavior[],
    { forceShare = 1e-3, torqueShare = 1e-3 }: PriorityOptions = {},
  ) {
    requireList('priority', behaviors)
    for (const each of behaviors) requireBehavior('priority: item', each)
    this.children = [...behaviors]
    this.forceShare = requireNumber('priority.forceShare', forceShare, 0, false)
    this.torqueShare = requireNumber('priority.torqueShare', torqueShare, 0, false)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const forceSq = (this.forceShare * agent.maxForce) ** 2
    const torqueSq = (this.torqueShare * agent.maxTorque) ** 2
    const { children } = this
    for (let i = 0; i < children.length; i++) {
      children[i]!.steer(agent, step, out)
      // not ">": a NaN must not slip through to the next one
      if (out.turns || !(lengthSq(out.force) <= forceSq) || !(lengthSq(out.torque) <= torqueSq)) return
      set(out.force, 0, 0, 0)
      set(out.torque, 0, 0, 0)
    }
  }
}

/** Short for `new Priority(behaviors)`: `priority([new Evade(…), new Arrive(…)])`. */
export function priority(behaviors: readonly Behavior[], options?: PriorityOptions): Priority {
  return new Priority(behaviors, options)
}
