import type { Agent, Behavior, Moving, Step, Wrench } from '../types.js'
import { drive } from '../control/drive.js'
import { requireMoving } from './support/target.js'

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
    drive(agent, step, this.target.velocity, out.force)
  }
}
