import type { SteeringWorld } from '../../core/engine/world.js'
import { GridSearch } from '../../core/neighbors/neighbor-search.js'
import { MAX_NEIGHBORS, TRAITS, type Agents, type Binding } from '../../core/engine/agents.js'
import { idleInternals } from '../snapshot/snapshot.js'

/**
 * From now on the agents of a world see their neighbours in the order of their keys, and no flock is
 * summed at once. Sums of neighbours then do not depend on which other agents a world has, so a world that
 * is cut into shards can equal the whole one bit by bit. A step of a flock takes about twice as long. With
 * a limited number of neighbours the nearest one comes first, as before.
 * @throws Error inside a step, after dispose, or after the first step.
 */
export function orderNeighbors(world: SteeringWorld): void {
  const { clock, roster } = idleInternals('orderNeighbors', world)
  if (clock.now.tick > 0)
    throw new Error('orderNeighbors: this world has made steps; call it before the first one')
  roster.agents.search = new OrderedSearch(roster.agents)
}

class OrderedSearch extends GridSearch {
  private readonly all: Agents
  private readonly noBatches: readonly never[] = []

  constructor(agents: Agents) {
    super(agents)
    this.all = agents
  }

  protected override batchesOf(_binding: Binding): readonly never[] {
    return this.noBatches
  }

  override crossingsOf(): null {
    return null
  }

  /** Sorts by insertion: lists are short, and the cells of the grid are in order already. */
  override find(row: number): void {
    super.find(row)
    const { found } = this
    if (this.all.traits[TRAITS * row + MAX_NEIGHBORS]! < Infinity) return
    const { count, distanceSq, row: rows, seed } = found
    for (let i = 1; i < count; i++) {
      const each = rows[i]!
      const key = seed[each]! >>> 0
      const sq = distanceSq[i]!
      let k = i
      while (k > 0 && seed[rows[k - 1]!]! >>> 0 > key) {
        rows[k] = rows[k - 1]!
        distanceSq[k] = distanceSq[k - 1]!
        k--
      }
      rows[k] = each
      distanceSq[k] = sq
    }
  }
}
