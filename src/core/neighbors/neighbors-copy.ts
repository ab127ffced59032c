import type { Neighborhood } from '../types.js'
import { grown } from '../math/grown.js'
import type { Agents } from '../engine/agents.js'
import { type Neighbors, NeighborTraits } from './neighbors.js'

/**
 * The neighbours as behaviours from outside of this package see them: a copy of the columns, made in steps in
 * which such a behaviour reads them. A behaviour that writes into the copy affects no other agent: before the
 * next read the copy is repaired, and the columns cannot be reached.
 */
export class NeighborsCopy extends NeighborTraits implements Neighborhood {
  position: Float64Array = new Float64Array(0)
  velocity: Float64Array = new Float64Array(0)
  group: Int32Array = new Int32Array(0)
  id: Int32Array = new Int32Array(0)
  seed: Int32Array = new Int32Array(0)
  /** Slot of an agent whose numbers a behaviour has overwritten; −1 for none. */
  altered = -1
  private copied = false
  private readonly source: Neighbors

  constructor(agents: Agents, source: Neighbors) {
    super(agents)
    this.source = source
  }

  get count(): number {
    return this.source.count
  }
  get row(): Int32Array {
    return this.source.row
  }
  get distanceSq(): Float64Array {
    return this.source.distanceSq
  }
  get maxRadius(): number {
    return this.source.maxRadius
  }

  /** Begins a step: the copy is stale. */
  begin(): void {
    this.copied = false
  }

  /** Makes the copy at the first read of a step; at later ones repairs the rows of the present neighbours. */
  prepare(): this {
    if (!this.copied) this.copy()
    else for (let n = 0; n < this.source.count; n++) this.repair(this.source.row[n]!)
    return this
  }

  private copy(): void {
    const { agents } = this
    const { capacity } = agents
    this.copied = true
    if (this.group.length !== capacity) {
      this.position = grown(this.position, 3 * capacity)
      this.velocity = grown(this.velocity, 3 * capacity)
      for (const name of ['group', 'id', 'seed'] as const) this[name] = grown(this[name], capacity)
    }
    for (const name of ['position', 'velocity', 'group', 'id', 'seed'] as const) this[name].set(agents[name])
  }

  /** Repairs a row. False, and noted in `altered`, when a behaviour had overwritten it. */
  private repair(row: number): boolean {
    const { agents } = this
    const p = 3 * row
    if (
      this.position[p] === agents.position[p] &&
      this.position[p + 1] === agents.position[p + 1] &&
      this.position[p + 2] === agents.position[p + 2] &&
      this.velocity[p] === agents.velocity[p] &&
      this.velocity[p + 1] === agents.velocity[p + 1] &&
      this.velocity[p + 2] === agents.velocity[p + 2] &&
      this.group[row] === agents.group[row] &&
      this.id[row] === agents.id[row] &&
      this.seed[row] === agents.seed[row]
    )
      return true
    for (let k = p; k < p + 3; k++) {
      this.position[k] = agents.position[k]!
      this.velocity[k] = agents.velocity[k]!
    }
    for (const name of ['group', 'id', 'seed'] as const) this[name][row] = agents[name][row]!
    // the row of a lost agent may hold NaN, which is never equal; no behaviour sees such an agent
    if (agents.lost[row] === 0) this.altered = agents.slot[row]!
    return false
  }

  /** Whether the agent in `altered` is unaltered; repairs it. Read after each agent once it was altered. */
  get isIntact(): boolean {
    const row = this.altered < 0 || !this.copied ? -1 : this.agents.row[this.altered]!
    return row < 0 || this.agents.lost[row] === 1 || this.repair(row)
  }

  /** Ends a step: finds rows that were altered and not read since. */
  end(): void {
    if (this.copied) for (let row = 0; row < this.agents.count; row++) this.repair(row)
  }
}
