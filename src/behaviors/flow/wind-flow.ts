import type { Vec3, Vec3Like } from '../../types.js'
import { requireVector } from '../../math/require.js'
import { copy, vec3 } from '../../math/vec3.js'
import type { Flow } from './flow.js'

export interface WindFlowOptions {
  /** Velocity of the flow, m/s. */
  velocity: Vec3Like
}

/** A flow that is the same everywhere: a wind, a current. */
export class WindFlow implements Flow {
  /** m/s. May be changed. */
  readonly velocity: Vec3

  /** @throws TypeError / RangeError naming the option. */
  constructor({ velocity }: WindFlowOptions) {
    this.velocity = copy(vec3(), requireVector('WindFlow.velocity', velocity))
  }

  velocityAt(out: Vec3): Vec3 {
    return copy(out, this.velocity)
  }
}
