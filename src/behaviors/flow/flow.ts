import type { Vec3, Vec3Like } from '../../types.js'
import { copy, vec3 } from '../../math/vec3.js'

/** What flows: a velocity for each place and time. Grids, painters and sums are flows, and so is any object of yours with this method. */
export interface Flow {
  /** Writes the velocity at a point (m) and a time (s), m/s; zero where nothing flows. `out` may be `point`. */
  velocityAt(out: Vec3, point: Vec3Like, time: number): Vec3
}

/** The same as a function: writes the velocity into `out`, which arrives zeroed. */
export type FlowFunction = (point: Vec3Like, time: number, out: Vec3) => void

/** A flow, or a function that tells it. */
export type FlowSource = Flow | FlowFunction

/** A function as a flow. */
class FunctionFlow implements Flow {
  readonly at: FlowFunction
  private readonly told: Vec3 = vec3()

  constructor(at: FlowFunction) {
    this.at = at
  }

  velocityAt(out: Vec3, point: Vec3Like, time: number): Vec3 {
    const { told } = this
    told.x = told.y = told.z = 0
    this.at(point, time, told)
    return copy(out, told)
  }
}

/** @throws TypeError for something that is neither a flow nor a function. */
export function flowOf(what: string, source: FlowSource): Flow {
  if (typeof source === 'function') return new FunctionFlow(source)
  if (typeof source?.velocityAt !== 'function')
    throw new TypeError(
      `${what}: got ${String(source)}, must be a flow: a thing with velocityAt(out, point, time), or a function (point, time, out)`,
    )
  return source
}

/** What `flowOf` was given. */
export function givenFlow(flow: Flow): FlowSource {
  return flow instanceof FunctionFlow ? flow.at : flow
}
