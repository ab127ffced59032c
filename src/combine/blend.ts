import type { Agent, Behavior, Step, Wrench } from '../types.js'
import { requireBehavior, requireFinite, requireList } from '../math/require.js'
import { addScaled, set, vec3 } from '../math/vec3.js'

/** A behaviour with its share. */
export interface Weighted {
  readonly behavior: Behavior
  /** Factor on force and torque, dimensionless, finite. Default 1. */
  weight?: number
}

/**
 * Weighted blending (Combining Steering Behaviours, section 2; Green, Weighted Average): the sum of the parts' forces and
 * torques, each times its weight. Weights need not sum to 1. Truncation happens once, at the end, in the locomotion.
 * A sum of opposed wishes can stand still: to keep out of things use constraints or priorities.
 */
export class Blend implements Behavior {
  /** Parts in order. Weights may be changed, and parts added, removed and reordered, at any time. */
  readonly parts: Required<Weighted>[]
  private readonly behaviors: Behavior[] = []
  private readonly own: Wrench = { force: vec3(), torque: vec3(), turns: false }

  /** @throws TypeError for an item that is no behaviour, RangeError for a weight that is not finite. */
  constructor(parts: readonly (Behavior | Weighted)[]) {
    requireList('blend', parts)
    this.parts = parts.map((part) => {
      const { behavior, weight = 1 }: Weighted =
        typeof part === 'object' && part !== null && 'behavior' in part ? part : { behavior: part }
      return {
        behavior: requireBehavior('blend: part', behavior),
        weight: requireFinite('blend: weight', weight, -Infinity, true),
      }
    })
  }

  /** The parts' behaviours, brought up to date by this call. */
  get children(): readonly Behavior[] {
    const { parts, behaviors } = this
    behaviors.length = parts.length
    for (let i = 0; i < parts.length; i++) behaviors[i] = parts[i]!.behavior
    return behaviors
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { own, parts } = this
    for (let i = 0; i < parts.length; i++) {
      const { behavior, weight } = parts[i]!
      set(own.force, 0, 0, 0)
      set(own.torque, 0, 0, 0)
      own.turns = false
      behavior.steer(agent, step, own)
      addScaled(out.force, out.force, own.force, weight)
      addScaled(out.torque, out.torque, own.torque, weight)
      if (own.turns && weight !== 0) out.turns = true
    }
  }
}

/** Short for `new Blend(parts)`: `blend([new Seek(…), { behavior: new Wander(), weight: 0.3 }])`. */
export function blend(parts: readonly (Behavior | Weighted)[]): Blend {
  return new Blend(parts)
}
