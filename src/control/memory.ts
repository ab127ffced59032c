import type { AgentInSlot, Archive, Serializable } from '../types.js'
import { grown } from '../math/grown.js'

/**
 * Numbers that a behaviour stores for each agent from step to step: a column of `width` numbers per slot.
 * They start at 0, and are reset to 0 when the slot gets a new agent. Listed in the `state` of the
 * behaviour they are part of every snapshot.
 */
export class Memory implements Serializable {
  /** `[width × slots]` */
  data: Float64Array = new Float64Array(0)
  /**
   * True if the last call of `at` found no earlier step of this agent. Outside of `steer` call `find`
   * instead, or the first step of the agent is no longer reported as fresh.
   */
  fresh = false
  /** Numbers per agent. @internal */
  readonly width: number
  private owner = new Int32Array(0)

  constructor(width: number) {
    this.width = width
  }

  /**
   * Returns the offset of the agent's numbers in `data`. Read `data` after this call: it may be a new,
   * longer array.
   */
  at(agent: AgentInSlot): number {
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

  /**
   * Returns the offset of the agent's numbers in `data`, or −1 if it has none yet. Unlike `at` it changes
   * nothing, so use it for drawing and for forgetting agents.
   */
  find({ slot, generation }: AgentInSlot): number {
    return this.owner[slot] === generation ? slot * this.width : -1
  }

  serialize(archive: Archive): void {
    if (archive.number(this.width) !== this.width)
      throw new RangeError('restore: got a memory of another width, must be of the same behaviour')
    if (archive.restoring) this.load(archive)
    else this.save(archive)
  }

  /** Consecutive slots are saved as one range. */
  private save(archive: Archive): void {
    const { data, owner, width } = this
    const { agents } = archive
    const slots = Math.min(agents.slots, owner.length)
    for (let from = 0, to = 0; from < slots; from = to) {
      while (to < slots && owner[to] === agents.generationOf(to)) to++
      if (to > from) {
        archive.number(from)
        archive.number(to)
        archive.numbers(data, from * width, to * width)
      } else to++
    }
    archive.number(-1)
  }

  private load(archive: Archive): void {
    this.owner.fill(0)
    this.data.fill(0)
    for (let from = archive.number(0); from >= 0; from = archive.number(0)) {
      const to = archive.number(0)
      if (!(Number.isInteger(from) && Number.isInteger(to) && from < to && to <= archive.agents.slots))
        throw new RangeError(`restore: got a memory of slots ${from} to ${to}, must be existing slots`)
      if (to > this.owner.length) this.grow(to)
      archive.numbers(this.data, from * this.width, to * this.width)
      for (let slot = from; slot < to; slot++) this.owner[slot] = archive.agents.generationOf(slot)
    }
  }

  private grow(slots: number): void {
    this.data = grown(this.data, slots * this.width)
    this.owner = grown(this.owner, slots)
  }
}
