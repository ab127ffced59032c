import type { Agent, Behavior, Step, Wrench } from '../../types.js'
import { noseAttitude } from '../../control/nose.js'
import { turnTo } from '../../control/turn.js'
import { quat } from '../../math/quat.js'
import { isZero, normalize, sub, vec3, ZERO } from '../../math/vec3.js'
import { isGone, pointAt, requirePoint } from '../../control/target.js'
import { WithOptions } from '../../math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../math/options.js'

export interface FaceOptions extends Options, OptionsOf<typeof Face.options> {}
export interface Face extends FieldsOf<typeof Face.options> {}

const nose = vec3()
const attitude = quat()

/**
 * Points the nose at a target by torque alone, whatever the motion (Millington, face): a gun, a camera drone,
 * a strafing ship. Exactly at the target there is no direction, and the attitude is held.
 */
export class Face extends WithOptions<FaceOptions> implements Behavior {
  static readonly type: string = 'Face'
  static readonly options = {
    /** Point to face (m). */
    target: { kind: 'point', required: true, check: requirePoint },
    /**
     * Direction of the agent's up axis meanwhile: `level` = towards the world's up, `free` = unchanged.
     * Default `level`.
     */
    roll: { kind: 'text', oneOf: ['level', 'free'], default: 'level' },
  } as const satisfies AnyTable

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (isGone(agent, step, this, this.target)) return
    normalize(nose, sub(nose, pointAt(nose, this.target, agent), agent.position))
    if (isZero(nose)) return turnTo(agent, agent.orientation, step, out)
    turnTo(agent, noseAttitude(attitude, agent, nose, this.roll, step, ZERO, 0), step, out)
  }
}
