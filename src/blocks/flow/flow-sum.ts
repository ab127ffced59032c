import type { Vec3, Vec3Like } from '../../core/types.js'
import { requireFinite, requireList } from '../../core/math/require.js'
import { addScaled, copy, set, vec3 } from '../../core/math/vec3.js'
import { flowOf, type Flow, type FlowSource } from './flow.js'

/** A flow with its weight in a sum. */
export interface WeightedFlow {
  readonly flow: FlowSource
  /** Factor on its velocity, dimensionless, finite. Default 1. */
  weight?: number
}

/** The sum of flows, each times its weight, such as a wind with a vortex in it. It may contain sums. */
export class FlowSum implements Flow {
  /** Parts in order. Weights may be changed, and parts added and removed, at any time. */
  readonly parts: { readonly flow: Flow; weight: number }[]
  private readonly sum: Vec3 = vec3()
  private readonly velocity: Vec3 = vec3()

  /** @throws TypeError for a part that is not a flow, RangeError for a weight that is not finite. */
  constructor(parts: readonly (FlowSource | WeightedFlow)[]) {
    requireList('FlowSum.parts', parts, 'flows')
    this.parts = parts.map((part: FlowSource | WeightedFlow, i) => {
      const at = `FlowSum.parts[${i}]`
      if (typeof part !== 'object' || part === null || !('flow' in part))
        return { flow: flowOf(at, part), weight: 1 }
      const { flow, weight = 1 } = part
      return {
        flow: flowOf(`${at}.flow`, flow),
        weight: requireFinite(`${at}.weight`, weight, -Infinity, true),
      }
    })
  }

  velocityAt(out: Vec3, point: Vec3Like, time: number): Vec3 {
    const { parts, sum, velocity } = this
    set(sum, 0, 0, 0)
    for (let i = 0; i < parts.length; i++) {
      const { flow, weight } = parts[i]!
      addScaled(sum, sum, flow.velocityAt(velocity, point, time), weight)
    }
    return copy(out, sum)
  }
}
