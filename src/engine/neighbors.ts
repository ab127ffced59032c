import type { Neighborhood } from '../types.js'
import { RADIUS, TRAITS, type Agents } from './agents.js'
import type { Candidates } from './candidates.js'
import type { Grid } from './grid.js'
import { Scan } from './scan.js'

/**
 * The one neighbour query of an agent and step: all agents within `reach` and the field of view, in grid order; with a cap, the
 * nearest ones, nearest first. Served from the candidate lists while they hold, else from the grid.
 */
export class Neighbors implements Neighborhood {
  private readonly agents: Agents
  private readonly candidates: Candidates
  private readonly scan: Scan

  constructor(grid: Grid, agents: Agents, candidates: Candidates) {
    this.agents = agents
    this.candidates = candidates
    this.scan = new Scan(grid, agents)
  }

  get count(): number {
    return this.scan.count
  }
  get row(): Int32Array {
    return this.scan.row
  }
  get distanceSq(): Float64Array {
    return this.scan.distanceSq
  }
  get position(): Float64Array {
    return this.agents.position
  }
  get velocity(): Float64Array {
    return this.agents.velocity
  }
  get group(): Int32Array {
    return this.agents.group
  }
  get id(): Int32Array {
    return this.agents.id
  }
  radius(row: number): number {
    return this.agents.traits[TRAITS * row + RADIUS]!
  }

  clear(): void {
    this.scan.count = 0
  }

  /**
   * Finds the neighbours of row `self`. `hx, hy, hz` is the unit direction it looks in, `cosine` the cosine of half its field of
   * view, `limit` the cap on their number, `indexed` whether grid and lists are those of the present agents.
   */
  find(
    self: number,
    reach: number,
    cosine: number,
    hx: number,
    hy: number,
    hz: number,
    limit: number,
    indexed: boolean,
  ): void {
    const { candidates, scan } = this
    scan.reserve()
    scan.look(hx, hy, hz, cosine)
    if (!indexed) scan.everywhere(self, reach)
    else if (candidates.hold) {
      scan.count = 0
      const from = candidates.start[self]!
      scan.list(candidates.list, from, from + candidates.length[self]!, self, reach)
    } else scan.around(self, reach)
    if (scan.count > limit) scan.nearest(limit)
  }
}
