import type { Agent, Keeps, Step, Wrench } from '../../types.js'
import type { Constraint, Limits } from '../../solver/constraint.js'
import { VelocityLimits } from '../../solver/limits.js'
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
  private readonly limits = new VelocityLimits()

  /** @throws TypeError naming the option. */
  constructor({ formation }: KeepPaceOptions) {
    this.formation = requireFormation('KeepPace.formation', formation)
  }

  get keeps(): Keeps {
    return [this.formation, this.limits]
  }

  constrain(_agent: Agent, _step: Step, limits: Limits): void {
    normalize(back, scale(back, limits.wanted, -1))
    if (!isZero(back)) limits.atLeast(back, -this.formation.paceLimit, true)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    this.limits.obey(agent, step, this, out.force)
  }
}
