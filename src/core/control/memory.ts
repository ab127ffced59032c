import type { AgentInSlot, Archive, Serializable } from '../types.js'

/**
 * Numbers that a behaviour stores for each agent from step to step: a column of `width` numbers per slot.
 * They start at 0, and are reset to 0 when the slot gets a new agent. Listed in the `state` of the
 * behaviour they are part of every snapshot.
 */
export class Memory implements Serializable {
  /** `[width × slots]`, from the lowest slot to the highest one that has been asked for. */
  data: Float64Array = new Float64Array(0)
  /**
   * True if the last call of `at` found no earlier step of this agent. Outside of `steer` call `find`
   * instead, or the first step of the agent is no longer reported as fresh.
   */
  fresh = false
  /** Numbers per agent. @internal */
  readonly width: number
  private readonly places: readonly number[]
  /** Their generations, by place. @internal */
  owner: Int32Array = new Int32Array(0)
  /** Slot of the first numbers: a behaviour of one agent stores no more than its numbers. @internal */
  first = 0
  /**
   * The first of `owner`: of a behaviour of one agent, of which there may be thousands, the list is not
   * fetched into the cache of the processor. @internal
   */
  firstOwner = 0

  /**
   * @param places Where points of the world (m, three numbers each) begin in the numbers of an agent:
   * `SteeringWorld.shift` moves them. Default none.
   */
  constructor(width: number, places: readonly number[] = []) {
    this.width = width
    this.places = places
  }

  /** Offset of the agent's numbers in `data`. Read `data` afterwards: it may be a new array. */
  at(agent: AgentInSlot): number {
    const { slot, generation } = agent
    if (slot === this.first && generation === this.firstOwner) {
      this.fresh = false
      return 0
    }
    let place = slot - this.first
    // a negative number is a large one without its sign
    if (place >>> 0 >= this.owner.length) place = this.include(slot)
    const offset = place * this.width
    this.fresh = this.owner[place] !== generation
    if (this.fresh) {
      this.owner[place] = generation
      if (place === 0) this.firstOwner = generation
      this.data.fill(0, offset, offset + this.width)
    }
    return offset
  }

  /**
   * Returns the offset of the agent's numbers in `data`, or −1 if it has none yet. Unlike `at` it changes
   * nothing, so use it for drawing and for forgetting agents.
   */
  find({ slot, generation }: AgentInSlot): number {
    const place = slot - this.first
    if (place === 0) return generation === this.firstOwner ? 0 : -1
    return this.owner[place] === generation ? place * this.width : -1
  }

  /** Consecutive slots are saved as one range. */
  serialize(archive: Archive): void {
    if (archive.loadMemory !== undefined) return archive.loadMemory(this)
    const { data, first, owner, places, width } = this
    const { agents } = archive
    const end = Math.min(agents.slots - first, owner.length)
    archive.number(width)
    for (let from = 0, to = 0; from < end; from = to) {
      while (to < end && owner[to] === agents.generationOf(first + to)) to++
      if (to > from) {
        archive.number(first + from)
        archive.number(first + to)
        archive.numbers(data, from * width, to * width, places, width)
      } else to++
    }
    archive.number(-1)
  }

  /** Makes room for the numbers of `slot`: doubles it, or more. Returns its place. @internal */
  include(slot: number): number {
    const { data, owner, width } = this
    const { length } = owner
    if (length === 0) this.first = slot
    const { first } = this
    const end = first + length
    if (slot >= first && slot < end) return slot - first
    const from = slot < first ? Math.max(0, Math.min(slot, first - length)) : first
    const to = slot < end ? end : Math.max(slot + 1, end + length)
    this.first = from
    this.owner = new Int32Array(to - from)
    this.owner.set(owner, first - from)
    this.firstOwner = this.owner[0]!
    this.data = new Float64Array((to - from) * width)
    this.data.set(data, (first - from) * width)
    return slot - from
  }
}
