import type { Agent, Behavior, Step, Wrench } from '../../types.js'
import { cohere, EMERGENCY, FLOCK_RULE, FlockRule, sumFlock, type FlockRuleOptions } from './flock.js'

export interface CohesionOptions extends FlockRuleOptions {
  /**
   * Whether an agent that sees no neighbour flies to the centre of the flock's bounding box. Default true.
   */
  emergency?: boolean
}

/**
 * Stays with the neighbours: flies to their mean position (Green, Flocking, with Green's emergency target for
 * agents without neighbours).
 */
export class Cohesion extends FlockRule implements Behavior {
  static readonly type: string = 'Cohesion'
  static readonly options = [FLOCK_RULE, EMERGENCY]
  emergency!: boolean

  /** @throws RangeError naming the option. */
  constructor(options: CohesionOptions) {
    super('Cohesion', options, Cohesion.options)
  }

  get reach(): number {
    return this.neighborDistance
  }

  steer(agent: Agent, _step: Step, out: Wrench): void {
    cohere(agent, this, sumFlock(agent, null, null, this), this.emergency, out)
  }
}
