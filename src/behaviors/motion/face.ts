import type { Agent, Behavior, PointSource, Step, Wrench } from '../../types.js'
import { noseAttitude } from '../../control/nose.js'
import { turnTo } from '../../control/turn.js'
import { quat } from '../../math/quat.js'
import { isZero, normalize, sub, vec3 } from '../../math/vec3.js'
import { requireRoll, type FacingRoll } from '../../control/roll.js'
import { pointAt, requirePoint } from '../../control/target.js'

export interface FaceOptions {
  /** Point to face (m). */
  target: PointSource
  /**
   * Direction of the agent's up axis meanwhile: `level` = towards the world's up, `free` = unchanged. Default
   * `level`.
   */
  roll?: FacingRoll
}

const nose = vec3()
const none = vec3()
const attitude = quat()

/**
 * Points the nose at a target by torque alone, whatever the motion (Millington, face): a gun, a camera drone,
 * a strafing ship. Exactly at the target there is no direction, and the attitude is held.
 */
export class Face implements Behavior {
  static readonly type: string = 'Face'
  target: PointSource
  roll: FacingRoll

  /** @throws TypeError / RangeError naming the option. */
  constructor({ target, roll = 'level' }: FaceOptions) {
    this.target = requirePoint('Face.target', target)
    this.roll = requireRoll('Face.roll', roll)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    normalize(nose, sub(nose, pointAt(nose, this.target, agent), agent.position))
    if (isZero(nose)) return turnTo(agent, agent.orientation, step, out)
    turnTo(agent, noseAttitude(attitude, agent, nose, this.roll, step, none, 0), step, out)
  }
}
