import type { Agent, SnapshotState, Step, Wrench } from '../../core/types.js'
import type { Constraint, VelocityConstraints } from '../../core/solver/constraint.js'
import { SolverMemory } from '../../core/solver/velocity-solver.js'
import { requireFormation } from './formation.js'
import { isZero, normalize, scale, vec3 } from '../../core/math/vec3.js'
import { WithOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

export interface KeepPaceOptions extends Options, OptionsOf<typeof KeepPace.options> {}
export interface KeepPace extends FieldsOf<typeof KeepPace.options> {}

const back = vec3()

/**
 * Limits the speed of a leader so that its formation can follow, and makes it wait for members that are late
 * (Green, Steering Formations: "groups would also have to travel at the pace of the slowest"):
 * `within([new KeepPace({ formation })], new FollowPath({ path }))`. It has an effect only if the `pace` of
 * the formation is `slowest`. A member that leads (`leadBehavior` of `KeepSlot`) does not need it, for its
 * speed is limited already.
 */
export class KeepPace extends WithOptions<KeepPaceOptions> implements Constraint {
  static readonly type: string = 'KeepPace'
  static readonly options = {
    /** The formation that the agent leads. */
    formation: { kind: 'named', required: true, check: requireFormation },
  } as const satisfies AnyTable

  private readonly solverMemory = new SolverMemory()

  get state(): SnapshotState {
    return [this.formation, this.solverMemory]
  }

  constrain(_agent: Agent, _step: Step, constraints: VelocityConstraints): void {
    normalize(back, scale(back, constraints.wantedVelocity, -1))
    if (!isZero(back)) constraints.addHalfSpace(back, -this.formation.paceLimit, true)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    this.solverMemory.obey(agent, step, this, out.force)
  }
}
