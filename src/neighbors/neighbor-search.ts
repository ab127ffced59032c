import type { Behavior, Neighborhood, NeighborSearch } from '../types.js'
import { MAX_NEIGHBORS, TRAITS, VIEW_COSINE, type Agents, type NeighborIndex } from '../engine/agents.js'
import { Candidates } from './candidates.js'
import { deriveReaches } from './derive-reaches.js'
import { Grid } from './grid.js'
import { Neighbors } from './neighbors.js'
import { NeighborsCopy } from './neighbors-copy.js'
import { sightOf } from './sight.js'

/**
 * The search for neighbours, which a behaviour with a `reach` brings to its world: a uniform grid, and lists
 * of the agents near each agent, brought up to date once a step. A world without such a behaviour has none of
 * it.
 */
export const neighborSearch: NeighborSearch = (agents) => new GridSearch(agents)

/** Grid, lists and queries of the agents of one table. */
export class GridSearch implements NeighborIndex {
  readonly candidates: Candidates
  readonly found: Neighbors
  /** Version of the agents of which the grid was built; −1 for none. */
  indexed = -1
  private readonly agents: Agents
  private readonly neighborsCopy: NeighborsCopy
  /** Whether grid and lists are those of the present agents. */
  private isIndexed = false

  constructor(agents: Agents) {
    const grid = new Grid()
    this.agents = agents
    this.candidates = new Candidates(grid, agents)
    this.found = new Neighbors(grid, agents, this.candidates)
    this.neighborsCopy = new NeighborsCopy(agents, this.found)
  }

  /** The cells are as large as the agents look far on average. */
  index(): void {
    const { agents } = this
    let sum = 0
    let count = 0
    for (let row = 0; row < agents.count; row++) {
      const sight = sightOf(agents, row)
      sum += sight
      if (sight > 0) count++
    }
    if (count > 0) this.candidates.update(sum / count)
    this.indexed = count > 0 ? agents.version : -1
  }

  begin(): void {
    this.neighborsCopy.begin()
    this.isIndexed = this.indexed === this.agents.version
  }

  end(): void {
    this.neighborsCopy.end()
  }

  find(row: number, x: number, y: number, z: number): void {
    const { binding, traits } = this.agents
    const { reach, centerReach } = binding[row]!
    const t = TRAITS * row
    if (reach > 0 || centerReach > 0)
      this.found.find(row, traits[t + VIEW_COSINE]!, x, y, z, traits[t + MAX_NEIGHBORS]!, this.isIndexed)
    else this.found.clear()
  }

  copy(): Neighborhood {
    return this.neighborsCopy.prepare()
  }

  get isIntact(): boolean {
    return this.neighborsCopy.altered < 0 || this.neighborsCopy.isIntact
  }

  deriveReaches(report: (row: number, part: Behavior, message: string) => void): void {
    deriveReaches(this.agents, report)
  }
}
