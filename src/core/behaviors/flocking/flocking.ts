import { unknownOptions } from '#hints'
import type { Agent, Behavior, NeighborSearch, Step, Wrench } from '../../types.js'
import { gridSearch } from '../../neighbors/neighbor-search.js'
import type { AnyTable, Options, OptionsOf } from '../../math/options.js'
import {
  align,
  AlignmentRule,
  COHESION,
  cohere,
  CohesionRule,
  FLOCK_RULE,
  FlockRule,
  ALIGNMENT,
  separate,
  type AlignmentOptions,
  type CohesionOptions,
  type FlockRuleOptions,
  takesNearest,
} from './flock.js'
import { sumFlock } from './flock-sums.js'
import type { BlockParts } from '../../control/agent-block.js'
import { FlockBatch } from './flock-batch.js'
import { requireObject, unchecked } from '../../math/require.js'

export interface FlockingOptions extends Options, OptionsOf<typeof Flocking.options> {}

/**
 * The three rules of a flock, each with its own radius, weight and field of view, in one pass over the
 * neighbours (Green: "in practice these three behaviours are calculated concurrently"; Reynolds 1987). Equal
 * to Separation, Alignment and Cohesion blended with weight 1.
 */
export class Flocking implements Behavior {
  static readonly type: string = 'Flocking'
  static readonly options = {
    /** See {@link FlockRuleOptions}. */
    separation: { kind: 'options', required: true, options: FLOCK_RULE, check: unchecked<FlockRuleOptions> },
    alignment: {
      kind: 'options',
      required: true,
      options: [FLOCK_RULE, ALIGNMENT],
      check: unchecked<AlignmentOptions>,
    },
    cohesion: {
      kind: 'options',
      required: true,
      options: [FLOCK_RULE, COHESION],
      check: unchecked<CohesionOptions>,
    },
  } as const satisfies AnyTable
  readonly neighborSearch: NeighborSearch = gridSearch
  readonly separation: FlockRule
  readonly alignment: AlignmentRule
  readonly cohesion: CohesionRule
  private ownBatch: FlockBatch | null = null

  /** @throws RangeError naming the option. */
  constructor(options: FlockingOptions) {
    const { separation, alignment, cohesion } = requireObject('Flocking', options)
    unknownOptions('Flocking', Flocking.options, options)
    this.separation = new FlockRule('Flocking.separation', separation)
    this.alignment = new AlignmentRule('Flocking.alignment', alignment)
    this.cohesion = new CohesionRule('Flocking.cohesion', cohesion)
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

  /** Number of neighbours of which the rules count any. @internal */
  get maxNeighbors(): number {
    const { alignment, cohesion, separation } = this
    return Math.max(separation.maxNeighbors, alignment.maxNeighbors, cohesion.maxNeighbors)
  }

  /** See `Behavior.batch`. @internal */
  batch(): FlockBatch | null {
    const { alignment, cohesion, separation } = this
    const least = Math.min(separation.maxNeighbors, alignment.maxNeighbors, cohesion.maxNeighbors)
    const can =
      this.steer === Flocking.prototype.steer &&
      alignment.match === 'velocity' &&
      (least === Infinity || (takesNearest(separation) && takesNearest(alignment) && takesNearest(cohesion)))
    return can ? (this.ownBatch ??= new FlockBatch(this)) : null
  }

  /** See `Behavior.forBlocks`. @internal */
  forBlocks(): BlockParts | null {
    const batch = this.ownBatch
    return batch !== null && batch.isReady ? batch.alone : null
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const batch = this.ownBatch
    if (batch !== null && batch.addForce(agent, out.force)) return
    const sums = batch?.sumsOf(agent) ?? sumFlock(agent, this.separation, this.alignment, this.cohesion)
    separate(agent, this.separation, sums, out)
    align(agent, step, this.alignment, sums, out)
    cohere(agent, step, this.cohesion, sums, out)
  }
}
