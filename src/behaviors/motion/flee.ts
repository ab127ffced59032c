import type { Agent, Behavior, PointSource, Step, Wrench } from '../../types.js'
import { distance, vec3 } from '../../math/vec3.js'
import { requireNumber } from '../../math/require.js'
import { pointAt, requirePoint } from '../../control/target.js'
import { fleePoint } from '../../control/seek-point.js'

export interface FleeOptions {
  /** Point to fly away from (m). */
  target: PointSource
  /**
   * The agent flees only within this distance (m, > 0). Default Infinity: always, as in Green; the range is
   * Buckland's.
   */
  panicDistance?: number
}

const point = vec3()

/**
 * Flies straight away from a point at full speed (Green, Seek and Flee). Exactly at the point the agent keeps
 * its course.
 */
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
