import type { AgentInSlot, Archive } from '../types.js'

/**
 * The agent that owns each slot, for what is stored per agent and is no number: see `PerAgent`. It also
 * finds the slot of an agent by its id.
 */
export class SlotOwners {
  /** Id of the owner of each slot. */
  readonly ids: number[] = []
  private readonly slots = new Map<number, number>()

  /** Slot of an agent, or −1 for one that has claimed none. */
  slotOf({ id }: { readonly id: number }): number {
    return this.slots.get(id) ?? -1
  }

  /** Makes the agent the owner of its slot. @returns whether it was not. */
  claim({ id, slot }: AgentInSlot): boolean {
    const before = this.ids[slot]
    if (before === id) return false
    if (before !== undefined && this.slots.get(before) === slot) this.slots.delete(before)
    this.ids[slot] = id
    this.slots.set(id, slot)
    return true
  }

  /** Saves or restores the owners, and calls `serializeSlot` for each slot that has one. */
  serialize(archive: Archive, serializeSlot: (slot: number) => void): void {
    const { agents, restoring } = archive
    if (restoring) {
      this.slots.clear()
      this.ids.length = 0
    }
    for (let slot = 0; slot < agents.slots; slot++) {
      const id = agents.idOf(slot)
      if (!archive.boolean(id >= 0 && this.ids[slot] === id)) continue
      this.ids[slot] = id
      this.slots.set(id, slot)
      serializeSlot(slot)
    }
  }
}
