import type { Agent, SnapshotState, Step, Wrench } from '../../types.js'
import type { Constraint, VelocityConstraints } from '../../solver/constraint.js'
import { VelocitySolver } from '../../solver/velocity-solver.js'
import { requireFormation, type Formation } from './formation.js'
import { isZero, normalize, scale, vec3 } from '../../math/vec3.js'

export interface KeepPaceOptions {
  /** Which the agent leads. */
  formation: Formation
}

const back = vec3()

/**
 * Lets a leader fly no faster than his formation can follow, and wait for laggards (Green, Steering Formations: "groups would also have to travel
 * at the pace of the slowest"): `within([new KeepPace({ formation })], new FollowPath({ path }))`. Limits nothing unless the pace of the formation is
 * `slowest`. A member who leads (`lead` of `KeepSlot`) keeps it anyway.
 */
export class KeepPace implements Constraint {
  static readonly type: string = 'KeepPace'
  formation: Formation
  private readonly limits = new VelocitySolver()

  /** @throws TypeError naming the option. */
  constructor({ formation }: KeepPaceOptions) {
    this.formation = requireFormation('KeepPace.formation', formation)
  }

  get state(): SnapshotState {
    return [this.formation, this.limits]
  }

  constrain(_agent: Agent, _step: Step, limits: VelocityConstraints): void {
    normalize(back, scale(back, limits.wantedVelocity, -1))
    if (!isZero(back)) limits.addHalfSpace(back, -this.formation.paceLimit, true)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    this.limits.obey(agent, step, this, out.force)
  }
}
