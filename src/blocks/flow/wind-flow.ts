import type { Vec3 } from '../../core/types.js'
import { requireVector } from '../../core/math/require.js'
import { copy, vec3 } from '../../core/math/vec3.js'
import type { Flow } from './flow.js'
import { readOptions, type AnyTable, type Options, type OptionsOf } from '../../core/math/options.js'

export interface WindFlowOptions extends Options, OptionsOf<typeof WindFlow.options> {}

/** A flow that is the same everywhere: a wind, a current. */
export class WindFlow implements Flow {
  static readonly options = {
    /** Velocity of the flow, m/s. */
    velocity: { kind: 'vector', required: true, unit: 'm/s', check: requireVector },
  } as const satisfies AnyTable

  /** m/s. May be changed. */
  readonly velocity: Vec3

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: WindFlowOptions) {
    this.velocity = copy(vec3(), readOptions('WindFlow', WindFlow.options, options).velocity)
  }

  velocityAt(out: Vec3): Vec3 {
    return copy(out, this.velocity)
  }
}
