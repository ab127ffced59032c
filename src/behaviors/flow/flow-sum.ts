import type { Vec3, Vec3Like } from '../../types.js'
import { requireFinite } from '../../math/require.js'
import { addScaled, copy, set, vec3 } from '../../math/vec3.js'
import { flowOf, type Flow, type FlowSource } from './flow.js'

/** A flow with its share. */
export interface WeightedFlow {
  readonly flow: FlowSource
  /** Factor on its velocity, dimensionless, finite. Default 1. */
  weight?: number
}

/** The sum of flows, each times its weight: a wind with a vortex in it. Sums nest. */
export class FlowSum implements Flow {
  /** Parts in order. Weights may be changed, and parts added and removed, at any time. */
  readonly parts: { readonly flow: Flow; weight: number }[]
  private readonly sum: Vec3 = vec3()
  private readonly one: Vec3 = vec3()

  /** @throws TypeError for a part that is no flow, RangeError for a weight that is not finite. */
  constructor(parts: readonly (FlowSource | WeightedFlow)[]) {
    if (!Array.isArray(parts)) throw new TypeError(`FlowSum: got ${String(parts)}, must be an array of flows`)
    this.parts = parts.map((part: FlowSource | WeightedFlow) => {
      const { flow, weight = 1 }: WeightedFlow =
        typeof part === 'object' && part !== null && 'flow' in part ? part : { flow: part }
      return {
        flow: flowOf('FlowSum: part', flow),
        weight: requireFinite('FlowSum: weight', weight, -Infinity, true),
      }
    })
  }

  velocityAt(out: Vec3, point: Vec3Like, time: number): Vec3 {
    const { one, parts, sum } = this
    set(sum, 0, 0, 0)
    for (let i = 0; i < parts.length; i++) {
      const { flow, weight } = parts[i]!
      addScaled(sum, sum, flow.velocityAt(one, point, time), weight)
    }
    return copy(out, sum)
  }
}
