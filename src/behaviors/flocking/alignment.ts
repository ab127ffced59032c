import type { Agent, Behavior, Step, Wrench } from '../../types.js'
import { align, FLOCK_RULE, FlockRule, sumFlock, type FlockRuleOptions } from './flock.js'

/**
 * Matches the mean velocity of the neighbours, direction and speed (Green, Flocking, compares headings only).
 */
export class Alignment extends FlockRule implements Behavior {
  static readonly type: string = 'Alignment'
  static readonly options = FLOCK_RULE

  /** @throws RangeError naming the option. */
  constructor(options: FlockRuleOptions) {
    super('Alignment', options)
  }

  get reach(): number {
    return this.neighborDistance
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    align(agent, step, this, sumFlock(agent, null, this, null), out)
  }
}
