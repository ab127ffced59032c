import type { Agent, Behavior, Moving, Step, Wrench } from '../../types.js'
import { drive } from '../../control/drive.js'
import { isUsable } from '../../control/usable.js'
import { requireMoving } from '../../control/target.js'

export interface MatchVelocityOptions {
  /** The thing whose velocity is matched. */
  target: Moving
}

/** Matches the velocity of another thing at any distance (Millington, velocity matching). */
export class MatchVelocity implements Behavior {
  static readonly type: string = 'MatchVelocity'
  target: Moving

  /** @throws TypeError for a target without position and velocity. */
  constructor({ target }: MatchVelocityOptions) {
    this.target = requireMoving('MatchVelocity.target', target)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { velocity } = this.target
    if (isUsable(agent, 'velocity of the target', velocity)) drive(agent, step, velocity, out.force)
  }
}
