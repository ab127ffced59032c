import type { Agent, Behavior, SnapshotState, Step, Wrench } from '../../types.js'
import { facingSpeed, noseAttitude } from '../../control/nose.js'
import { turnTo } from '../../control/turn.js'
import { quat } from '../../math/quat.js'
import { lagShare } from '../../math/scalar.js'
import { length, scale, set, vec3, ZERO } from '../../math/vec3.js'
import { Memory } from '../../control/memory.js'
import { WithDefaults } from '../../math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../math/options.js'

export interface LookWhereGoingOptions extends Options, OptionsOf<typeof LookWhereGoing.options> {}
export interface LookWhereGoing extends FieldsOf<typeof LookWhereGoing.options> {}

const nose = vec3()
const attitude = quat()

/**
 * Points the nose along the averaged velocity: Green's remedy for jitter (Obstacle Avoidance: "take a series
 * of previous velocities and average them"). It is an exponential average, which needs three numbers instead
 * of a series and is the same at every step rate.
 */
export class LookWhereGoing extends WithDefaults<LookWhereGoingOptions> implements Behavior {
  static readonly type: string = 'LookWhereGoing'
  static readonly options = {
    /**
     * Time constant of the averaged velocity (s, ≥ 0). 0 follows the course itself. Larger hides more jitter,
     * but turns later. Default 0.25.
     */
    // Jitter of the forces does not show in the nose. Chosen by hand.
    smoothing: { kind: 'number', unit: 's', atLeast: 0, infinite: true, default: 0.25 },
    /**
     * Direction of the agent's up axis meanwhile: `level` = towards the world's up, `free` = unchanged.
     * Default `level`.
     */
    roll: { kind: 'text', oneOf: ['level', 'free'], default: 'level' },
  } as const satisfies AnyTable
  private readonly memory = new Memory(3)
  readonly state: SnapshotState = [this.memory]

  steer(agent: Agent, step: Step, out: Wrench): void {
    const offset = this.memory.at(agent)
    const { data, fresh } = this.memory
    const share = fresh ? 1 : lagShare(step.dt, this.smoothing)
    data[offset]! += share * (agent.velocity.x - data[offset]!)
    data[offset + 1]! += share * (agent.velocity.y - data[offset + 1]!)
    data[offset + 2]! += share * (agent.velocity.z - data[offset + 2]!)
    const speed = length(set(nose, data[offset]!, data[offset + 1]!, data[offset + 2]!))
    if (!(speed > facingSpeed(agent))) return turnTo(agent, agent.orientation, step, out)
    scale(nose, nose, 1 / speed)
    turnTo(agent, noseAttitude(attitude, agent, nose, this.roll, step, ZERO, 0), step, out)
  }
}
