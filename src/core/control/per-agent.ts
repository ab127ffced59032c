import type { AgentInSlot, Archive, Serializable } from '../types.js'
import { SlotOwners } from './slot-owners.js'

/**
 * An object for each agent, for a behaviour that remembers more than numbers of it: those belong in a
 * `Memory`. Objects are found by the id of their agent, too, so that they can be given out between steps.
 */
export class PerAgent<T extends Serializable> implements Serializable {
  private readonly owners = new SlotOwners()
  private readonly objects: T[] = []
  private readonly make: (id: number) => T

  constructor(make: (id: number) => T) {
    this.make = make
  }

  /** The object of an agent, made at the first call. */
  of(agent: AgentInSlot): T {
    const { id, slot } = agent
    if (this.owners.claim(agent)) this.objects[slot] = this.make(id)
    return this.objects[slot]!
  }

  /** The object of an agent; undefined for one that has none. */
  find(agent: { readonly id: number }): T | undefined {
    const slot = this.owners.slotOf(agent)
    return slot < 0 ? undefined : this.objects[slot]
  }

  /** An agent that has an object here keeps it when it is restored. */
  serialize(archive: Archive): void {
    const { objects, owners } = this
    const before = new Map<number | undefined, T>()
    // skips slots without an object
    objects.forEach((each, slot) => before.set(owners.ids[slot], each))
    owners.serialize(archive, (slot) => {
      const id = archive.agents.idOf(slot)
      if (archive.restoring) objects[slot] = before.get(id) ?? this.make(id)
      objects[slot]!.serialize(archive)
    })
  }

  serializeAgent(archive: Archive, agent: AgentInSlot): void {
    const { id, slot } = agent
    if (!archive.boolean(this.owners.slotOf(agent) === slot)) return
    const object = archive.restoring ? this.make(id) : this.objects[slot]!
    object.serialize(archive)
    this.owners.claim(agent)
    this.objects[slot] = object
  }
}
