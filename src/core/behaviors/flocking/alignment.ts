import type { Agent, Behavior, Step, Wrench } from '../../types.js'
import { align, AlignmentRule, FLOCK_RULE, ALIGNMENT, type AlignmentOptions } from './flock.js'
import { sumFlock } from './flock-sums.js'

/**
 * Matches the mean velocity of the neighbours, direction and speed; or, as Green and the course deck have it,
 * their mean heading only (`match: 'heading'`).
 */
export class Alignment extends AlignmentRule implements Behavior {
  static readonly type: string = 'Alignment'
  static readonly options: readonly [typeof FLOCK_RULE, typeof ALIGNMENT] = [FLOCK_RULE, ALIGNMENT]

  /** @throws RangeError naming the option. */
  constructor(options: AlignmentOptions) {
    super('Alignment', options)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    align(agent, step, this, sumFlock(agent, null, this, null), out)
  }
}
