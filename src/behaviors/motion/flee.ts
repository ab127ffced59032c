import type { Agent, Behavior, PointSource, Step, Wrench } from '../../types.js'
import { distance, vec3 } from '../../math/vec3.js'
import { requireNumber } from '../../math/require.js'
import { pointAt, requirePoint } from '../../control/target.js'
import { fleePoint } from '../../control/seek-point.js'

export interface FleeOptions {
  /** From where, m. */
  target: PointSource
  /** Only when nearer than this, m, > 0. Default Infinity: always (Green; Buckland's range is the option). */
  panicDistance?: number
}

const point = vec3()

/** Flies straight away from a point at full speed (Green, Seek and Flee). On the point itself it keeps its course. */
export class Flee implements Behavior {
  static readonly type: string = 'Flee'
  target: PointSource
  panicDistance: number

  /** @throws TypeError / RangeError naming the option. */
  constructor({ target, panicDistance = Infinity }: FleeOptions) {
    this.target = requirePoint('Flee.target', target)
    this.panicDistance = requireNumber('Flee.panicDistance', panicDistance, 0, true)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    pointAt(point, this.target, agent)
    if (distance(point, agent.position) < this.panicDistance || this.panicDistance === Infinity)
      fleePoint(agent, step, point, out.force)
  }
}
