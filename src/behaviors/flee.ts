import type { Agent, Behavior, PointSource, Step, Wrench } from '../types.js'
import { distance, vec3 } from '../math/vec3.js'
import { requireNumber } from '../math/require.js'
import { pointAt, requirePoint } from './support/target.js'
import { fleePoint } from './support/seek.js'

export interface FleeOptions {
  /** From where, m. */
  target: PointSource
  /** Only when nearer than this, m, > 0. Default Infinity: always (Green; Buckland's range is the option). */
  panicRadius?: number
}

const point = vec3()

/** Flies straight away from a point at full speed (Green, Seek and Flee). On the point itself it keeps its course. */
export class Flee implements Behavior {
  static readonly type: string = 'Flee'
  target: PointSource
  panicRadius: number

  /** @throws TypeError / RangeError naming the option. */
  constructor({ target, panicRadius = Infinity }: FleeOptions) {
    this.target = requirePoint('Flee.target', target)
    this.panicRadius = requireNumber('Flee.panicRadius', panicRadius, 0, true)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    pointAt(point, this.target, agent)
    if (distance(point, agent.position) < this.panicRadius || this.panicRadius === Infinity)
      fleePoint(agent, step, point, out.force)
  }
}
