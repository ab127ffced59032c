import type { Agent, Behavior, NeighborSearch, Step, Wrench } from '../../types.js'
import { neighborSearch } from '../../neighbors/neighbor-search.js'
import type { CohesionOptions } from './cohesion.js'
import { align, cohere, FlockRule, separate, sumFlock, type FlockRuleOptions } from './flock.js'

export interface FlockingOptions {
  /** See {@link FlockRuleOptions}. */
  separation: FlockRuleOptions
  alignment: FlockRuleOptions
  cohesion: CohesionOptions
}

/**
 * The three rules of a flock, each with its own radius, weight and field of view, in one pass over the
 * neighbours (Green: "in practice these three behaviours are calculated concurrently"; Reynolds 1987). Equal
 * to Separation, Alignment and Cohesion blended with weight 1.
 */
export class Flocking implements Behavior {
  static readonly type: string = 'Flocking'
  readonly neighborSearch: NeighborSearch = neighborSearch
  readonly separation: FlockRule
  readonly alignment: FlockRule
  readonly cohesion: FlockRule
  /**
   * Whether an agent that sees no neighbour flies to the centre of the flock's bounding box. Default true.
   */
  emergency: boolean

  /** @throws RangeError naming the option. */
  constructor({ separation, alignment, cohesion }: FlockingOptions) {
    this.separation = new FlockRule('Flocking.separation', separation)
    this.alignment = new FlockRule('Flocking.alignment', alignment)
    this.cohesion = new FlockRule('Flocking.cohesion', cohesion)
    this.emergency = cohesion.emergency ?? true
  }

  get reach(): number {
    return Math.max(
      this.separation.neighborDistance,
      this.alignment.neighborDistance,
      this.cohesion.neighborDistance,
    )
  }

  get reachTo(): 'center' {
    return 'center'
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const sums = sumFlock(agent, this.separation, this.alignment, this.cohesion)
    separate(agent, this.separation, sums, out)
    align(agent, step, this.alignment, sums, out)
    cohere(agent, this.cohesion, sums, this.emergency, out)
  }
}
