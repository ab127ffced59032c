import type { Agent, Behavior, Moving, Step, Wrench } from '../../types.js'
import { drive } from '../../control/drive.js'
import { isUsable } from '../../control/usable.js'
import { isGone, requireMoving } from '../../control/target.js'
import { type OptionTable, readOptions } from '../../math/options.js'

export interface MatchVelocityOptions {
  /** The thing whose velocity is matched. */
  target: Moving
}

/** Matches the velocity of another thing at any distance (Millington, velocity matching). */
export class MatchVelocity implements Behavior {
  static readonly type: string = 'MatchVelocity'
  static readonly options = {
    target: { kind: 'named', required: true, check: requireMoving },
  } satisfies OptionTable<MatchVelocityOptions>
  target!: Moving

  /** @throws TypeError for a target without position and velocity. */
  constructor(options: MatchVelocityOptions) {
    Object.assign(this, readOptions('MatchVelocity', MatchVelocity.options, options))
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (isGone(agent, step, this, this.target)) return
    const { velocity } = this.target
    if (isUsable(agent, 'velocity of the target', velocity)) drive(agent, step, velocity, out.force)
  }
}
