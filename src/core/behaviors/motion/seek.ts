import type { Agent, Behavior, Step, Wrench } from '../../types.js'
import { vec3 } from '../../math/vec3.js'
import { isGone, pointAt, requirePoint } from '../../control/target.js'
import { seekPoint } from '../../control/seek-point.js'
import { WithOptions } from '../../math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../math/options.js'

export interface SeekOptions extends Options, OptionsOf<typeof Seek.options> {}
export interface Seek extends FieldsOf<typeof Seek.options> {}

const point = vec3()

/**
 * Flies to a point at full speed, or at `speed`, and overshoots it, like a moth around a light (Green, Seek
 * and Flee; Reynolds 1999). The paper's `desired − velocity` is turned into a force by mass and response
 * time, so the tuning survives a change of mass or step length.
 */
export class Seek extends WithOptions<SeekOptions> implements Behavior {
  static readonly type: string = 'Seek'
  static readonly options = {
    /** Point to fly to (m). */
    target: { kind: 'point', required: true, check: requirePoint },
    /** Speed to fly at (m/s, > 0), no more than the top speed. Default the top speed. */
    speed: { kind: 'number', unit: 'm/s', above: 0 },
  } as const satisfies AnyTable

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (isGone(agent, step, this, this.target)) return
    seekPoint(agent, step, pointAt(point, this.target, agent), out.force, this.speed)
  }
}
