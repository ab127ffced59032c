import type { Agent, Behavior, Step, Wrench } from '../../types.js'
import { distance, vec3 } from '../../math/vec3.js'
import { isGone, pointAt, requirePoint } from '../../control/target.js'
import { fleePoint } from '../../control/seek-point.js'
import { WithOptions } from '../../math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../math/options.js'

export interface FleeOptions extends Options, OptionsOf<typeof Flee.options> {}
export interface Flee extends FieldsOf<typeof Flee.options> {}

const point = vec3()

/**
 * Flies straight away from a point at full speed (Green, Seek and Flee). Exactly at the point the agent keeps
 * its course.
 */
export class Flee extends WithOptions<FleeOptions> implements Behavior {
  static readonly type: string = 'Flee'
  static readonly options = {
    /** Point to fly away from (m). */
    target: { kind: 'point', required: true, check: requirePoint },
    /**
     * The agent flees only within this distance (m, > 0). Default Infinity: always, as in Green; the range is
     * Buckland's.
     */
    panicDistance: { kind: 'number', unit: 'm', above: 0, infinite: true, default: Infinity },
    /** Speed to flee at (m/s, > 0), no more than the top speed. Default the top speed. */
    speed: { kind: 'number', unit: 'm/s', above: 0 },
  } as const satisfies AnyTable

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (isGone(agent, step, this, this.target)) return
    pointAt(point, this.target, agent)
    if (distance(point, agent.position) < this.panicDistance || this.panicDistance === Infinity)
      fleePoint(agent, step, point, out.force, this.speed)
  }
}
