import type { Agent, Behavior, Oriented, Step, Vec3Like, Wrench } from '../../types.js'
import { isGone, requireOriented } from '../../control/target.js'
import { modelAttitude, turnTo } from '../../control/turn.js'
import { isUsableTurn } from '../../control/usable.js'
import { frame, frameOf } from '../../math/frame.js'
import { quat, quatFromAxes } from '../../math/quat.js'
import { WithOptions } from '../../math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../math/options.js'

export interface MatchAttitudeOptions extends Options, OptionsOf<typeof MatchAttitude.options> {}
export interface MatchAttitude extends FieldsOf<typeof MatchAttitude.options> {}

const wanted = frame()
const attitude = quat()

/**
 * Matches the attitude of another thing, nose and roll, by torque: of a leader, or of a port (Millington,
 * align, as a full rotation).
 */
export class MatchAttitude extends WithOptions<MatchAttitudeOptions> implements Behavior {
  static readonly type: string = 'MatchAttitude'
  static readonly options = {
    /**
     * The thing whose attitude is matched: a controller, a body, a mesh. Its angular velocity, if it has one,
     * is fed forward.
     */
    target: {
      kind: 'named',
      required: true,
      check: requireOriented<Oriented & { readonly angularVelocity?: Vec3Like }>,
    },
  } as const satisfies AnyTable

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (isGone(agent, step, this, this.target)) return
    if (!isUsableTurn(agent, 'quaternion of the target', this.target.quaternion)) return
    const { x, y } = frameOf(wanted, this.target)
    modelAttitude(attitude, quatFromAxes(attitude, x, y), agent.axes)
    turnTo(agent, attitude, step, out, this.target.angularVelocity)
  }
}
