import type { AgentInSlot, Archive, Serializable } from '../types.js'

/**
 * An object for each agent, for a behaviour that remembers more than a few numbers of it: those belong in a
 * `Memory`. Objects are found by the id of their agent, too, so that they can be given out between steps.
 */
export class PerAgent<T extends Serializable> implements Serializable {
  /** For each slot the object, and generation and id of the agent to which it belongs. */
  private readonly objects: T[] = []
  private readonly generation: number[] = []
  private readonly ids: number[] = []
  private readonly slots = new Map<number, number>()
  private readonly make: (id: number) => T

  constructor(make: (id: number) => T) {
    this.make = make
  }

  /** The object of an agent, made at the first call. */
  of(agent: AgentInSlot): T {
    const { generation, id, slot } = agent
    if (this.generation[slot] !== generation) this.put(id, slot, generation, this.make(id))
    return this.objects[slot]!
  }

  /** The object of an agent; undefined for one that has none. */
  find({ id }: { readonly id: number }): T | undefined {
    const slot = this.slots.get(id)
    return slot === undefined ? undefined : this.objects[slot]
  }

  /** An agent that has an object here keeps it when it is restored. */
  serialize(archive: Archive): void {
    const { objects, slots } = this
    const { agents, restoring } = archive
    const before = new Map<number, T>()
    if (restoring) {
      for (const [id, slot] of slots) before.set(id, objects[slot]!)
      slots.clear()
      this.generation.length = 0
    }
    for (let slot = 0; slot < agents.slots; slot++) {
      const generation = agents.generationOf(slot)
      if (!archive.boolean(generation >= 0 && this.generation[slot] === generation)) continue
      const id = agents.idOf(slot)
      if (restoring) this.put(id, slot, generation, before.get(id) ?? this.make(id))
      objects[slot]!.serialize(archive)
    }
  }

  serializeAgent(archive: Archive, { generation, id, slot }: AgentInSlot): void {
    if (!archive.boolean(this.generation[slot] === generation)) return
    const object = archive.restoring ? this.make(id) : this.objects[slot]!
    object.serialize(archive)
    if (archive.restoring) this.put(id, slot, generation, object)
  }

  private put(id: number, slot: number, generation: number, object: T): void {
    const before = this.ids[slot]
    if (before !== undefined && this.slots.get(before) === slot) this.slots.delete(before)
    this.slots.set(id, slot)
    this.ids[slot] = id
    this.generation[slot] = generation
    this.objects[slot] = object
  }
}
