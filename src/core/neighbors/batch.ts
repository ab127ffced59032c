import type { Agent, Step } from '../types.js'
import type { Agents } from '../engine/agents.js'
import type { BatchUsers, SortedAgents } from './sorted-agents.js'

/**
 * Computes for all agents at once what a behaviour finds out about their neighbours. Where the behaviour is
 * the whole tree, it also steers them at once. Its results are those of `steer`, but for rounding.
 */
export interface Batch {
  readonly sorted: SortedAgents
  readonly users: BatchUsers
  /** Sorts the agents; false when they must be steered one by one. */
  prepare(agents: Agents): boolean
  /**
   * Writes what agents want and are given into their columns, and 1 into `steered` for their rows. The other
   * agents of the behaviour are steered one by one as `cursor`, until `end`.
   */
  steer(cursor: Agent, step: Step, steered: Uint8Array): void
  /** Whether it computes for the agent in `row`, until `end`. */
  knows(row: number): boolean
  end(): void
}
