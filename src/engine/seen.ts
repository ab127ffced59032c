import type { Neighborhood } from '../types.js'
import { grown } from '../math/grown.js'
import type { Agents } from './agents.js'
import type { Neighbors } from './neighbors.js'

/**
 * The neighbours as behaviours from outside of this package see them: in a copy of the columns, which is made in the steps in which one asks. One
 * that writes into it harms nobody: what is seen next is put right first, and the columns themselves cannot be reached.
 */
export class Seen implements Neighborhood {
  position = new Float64Array(0)
  velocity = new Float64Array(0)
  group = new Int32Array(0)
  id = new Int32Array(0)
  seed = new Int32Array(0)
  /** Slot of an agent whose numbers somebody has overwritten; −1: nobody has. */
  altered = -1
  private copied = false
  private readonly agents: Agents
  private readonly near: Neighbors

  constructor(agents: Agents, near: Neighbors) {
    this.agents = agents
    this.near = near
  }

  get count(): number {
    return this.near.count
  }
  get row(): Int32Array {
    return this.near.row
  }
  get distanceSq(): Float64Array {
    return this.near.distanceSq
  }
  get maxRadius(): number {
    return this.near.maxRadius
  }
  radius(row: number): number {
    return this.near.radius(row)
  }
  mass(row: number): number {
    return this.near.mass(row)
  }
  maxSpeed(row: number): number {
    return this.near.maxSpeed(row)
  }
  priority(row: number): number {
    return this.near.priority(row)
  }

  /** A new step: nobody has asked yet. */
  begin(): void {
    this.copied = false
  }

  /** Somebody asks: the first one makes the copy; what the others see is put right. */
  look(): this {
    if (!this.copied) this.copy()
    else for (let n = 0; n < this.near.count; n++) this.mend(this.near.row[n]!)
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

  /** Puts a row right. False, and noted, where somebody had altered it. */
  private mend(row: number): boolean {
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
    // nobody looks at who is lost, and what is not finite is never equal
    if (agents.lost[row] === 0) this.altered = agents.slot[row]!
    return false
  }

  /** Whether the agent that was watched for is unaltered. To be asked after each agent has thought, once anything was altered. */
  get isWhole(): boolean {
    const row = this.altered < 0 || !this.copied ? -1 : this.agents.row[this.altered]!
    return row < 0 || this.agents.lost[row] === 1 || this.mend(row)
  }

  /** Everybody has thought: looks for what was altered and not seen since. */
  end(): void {
    if (this.copied) for (let row = 0; row < this.agents.count; row++) this.mend(row)
  }
}
