import type { Agent, Behavior, Step, Wrench } from '../../types.js'
import { COHESION, cohere, CohesionRule, FLOCK_RULE, type CohesionOptions } from './flock.js'
import { sumFlock } from './flock-sums.js'

/**
 * Stays with the neighbours: flies to their mean position (Green, Flocking, with Green's emergency target for
 * agents without neighbours).
 */
export class Cohesion extends CohesionRule implements Behavior {
  static readonly type: string = 'Cohesion'
  static readonly options: readonly [typeof FLOCK_RULE, typeof COHESION] = [FLOCK_RULE, COHESION]

  /** @throws RangeError naming the option. */
  constructor(options: CohesionOptions) {
    super('Cohesion', options)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    cohere(agent, step, this, sumFlock(agent, null, null, this), out)
  }
}
