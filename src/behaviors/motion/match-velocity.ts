import type { Agent, Behavior, Moving, Step, Wrench } from '../../types.js'
import { drive } from '../../control/drive.js'
import { isUsable } from '../../control/usable.js'
import { requireMoving } from '../../control/target.js'

export interface MatchVelocityOptions {
  /** Whose velocity to take on. */
  target: Moving
}

/** Flies as another flies, wherever it is (Millington, velocity matching). */
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
