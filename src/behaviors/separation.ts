import type { Agent, Behavior, Step, Wrench } from '../types.js'
import { FlockRule, separate, sumFlock, type FlockRuleOptions } from './support/flock.js'

/** Keeps apart from neighbours, the more the nearer (Green, Flocking: Σ −d̂/d). Coincident agents part in seeded directions. */
export class Separation extends FlockRule implements Behavior {
  /** @throws RangeError naming the option. */
  constructor(options: FlockRuleOptions) {
    super('Separation', options)
  }

  get reach(): number {
    return this.radius
  }

  steer(agent: Agent, _step: Step, out: Wrench): void {
    separate(agent, this, sumFlock(agent, this, null, null), out)
  }
}
