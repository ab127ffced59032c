import type { Agent } from '../types.js'
import { grown } from '../math/grown.js'

/**
 * Numbers that a behaviour keeps for each agent from step to step: a column of `width` numbers per slot. They start at
 * zero, and start anew when the slot has a new owner.
 */
export class Memory {
  /** `[width × slots]` */
  data = new Float64Array(0)
  /** True when the last `at` found no earlier step of this agent. */
  fresh = false
  private readonly width: number
  private owner = new Int32Array(0)

  constructor(width: number) {
    this.width = width
  }

  /** Offset of the agent's numbers in `data`. Read `data` after this call: it may be a new, longer array. */
  at(agent: Agent): number {
    const { slot, generation } = agent
    if (slot >= this.owner.length) this.grow(2 * slot + 8)
    const offset = slot * this.width
    this.fresh = this.owner[slot] !== generation
    if (this.fresh) {
      this.owner[slot] = generation
      this.data.fill(0, offset, offset + this.width)
    }
    return offset
  }

  private grow(slots: number): void {
    this.data = grown(this.data, slots * this.width)
    this.owner = grown(this.owner, slots)
  }
}
