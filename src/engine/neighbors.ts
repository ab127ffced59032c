import type { Neighborhood } from '../types.js'
import { MASS, MAX_SPEED, PRIORITY, RADIUS, sightOf, TRAITS, type Agents } from './agents.js'
import type { Candidates } from './candidates.js'
import type { Grid } from './grid.js'
import { Scan } from './scan.js'

/** An agent with a cap on its neighbours looks this much farther than its last one was. */
const SIGHT_MARGIN = 1.2

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
  get seed(): Int32Array {
    return this.agents.seed
  }
  radius(row: number): number {
    return this.agents.traits[TRAITS * row + RADIUS]!
  }
  mass(row: number): number {
    return this.agents.traits[TRAITS * row + MASS]!
  }
  maxSpeed(row: number): number {
    return this.agents.traits[TRAITS * row + MAX_SPEED]!
  }
  priority(row: number): number {
    return this.agents.traits[TRAITS * row + PRIORITY]!
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
    const { candidates, scan, agents } = this
    scan.reserve()
    scan.look(hx, hy, hz, cosine)
    if (!indexed) scan.everywhere(self, reach)
    else if (limit === Infinity) candidates.find(scan, self, reach)
    else {
      // the nearest few are most likely where they were found last time; if not, the whole reach is searched
      const near = sightOf(agents, self)
      candidates.find(scan, self, near)
      if (scan.count < limit && near < reach) candidates.find(scan, self, reach)
    }
    if (limit === Infinity) return
    scan.nearest(limit)
    agents.sight[self] = scan.count < limit ? 0 : SIGHT_MARGIN * Math.sqrt(scan.distanceSq[limit - 1]!)
  }
}
