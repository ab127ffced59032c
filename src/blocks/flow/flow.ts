import type { Vec3, Vec3Like } from '../../core/types.js'
import { copy, vec3 } from '../../core/math/vec3.js'
import { refuse } from '../../core/math/require.js'

/** A flow: a velocity for each point and time. Grids, painters, sums, any object with this method. */
export interface Flow {
  /** Writes the velocity (m/s) at a point (m) and time (s); zero without a flow. `out` may be `point`. */
  velocityAt(out: Vec3, point: Vec3Like, time: number): Vec3
}

/** The same as a function: writes the velocity (m/s) to `out`, which is zero before the call. */
export type FlowFunction = (point: Vec3Like, time: number, out: Vec3) => void

/** A flow, or a function that computes it. */
export type FlowSource = Flow | FlowFunction

/** Makes a flow of a function. */
class FunctionFlow implements Flow {
  readonly velocityFunction: FlowFunction
  private readonly velocity: Vec3 = vec3()

  constructor(velocityFunction: FlowFunction) {
    this.velocityFunction = velocityFunction
  }

  velocityAt(out: Vec3, point: Vec3Like, time: number): Vec3 {
    const { velocity } = this
    velocity.x = velocity.y = velocity.z = 0
    this.velocityFunction(point, time, velocity)
    return copy(out, velocity)
  }
}

/** Makes a flow of a source. @throws TypeError if it is neither a flow nor a function. */
export function flowOf(what: string, source: FlowSource): Flow {
  if (typeof source === 'function') return new FunctionFlow(source)
  if (typeof source?.velocityAt !== 'function')
    refuse(
      what,
      source,
      'must be a flow: an object with velocityAt(out, point, time), or a function (point, time, out)',
    )
  return source
}

/** The source from which `flowOf` made a flow. */
export function givenFlow(flow: Flow): FlowSource {
  return flow instanceof FunctionFlow ? flow.velocityFunction : flow
}
