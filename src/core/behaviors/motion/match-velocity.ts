import type { Agent, Behavior, Step, Wrench } from '../../types.js'
import { drive } from '../../control/drive.js'
import { isUsable } from '../../control/usable.js'
import { isGone, requireMoving } from '../../control/target.js'
import { WithOptions } from '../../math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../math/options.js'

export interface MatchVelocityOptions extends Options, OptionsOf<typeof MatchVelocity.options> {}
export interface MatchVelocity extends FieldsOf<typeof MatchVelocity.options> {}

/** Matches the velocity of another thing at any distance (Millington, velocity matching). */
export class MatchVelocity extends WithOptions<MatchVelocityOptions> implements Behavior {
  static readonly type: string = 'MatchVelocity'
  static readonly options = {
    /** The thing whose velocity is matched. */
    target: { kind: 'named', required: true, check: requireMoving },
  } as const satisfies AnyTable

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (isGone(agent, step, this, this.target)) return
    const { velocity } = this.target
    if (isUsable(agent, 'velocity of the target', velocity)) drive(agent, step, velocity, out.force)
  }
}
