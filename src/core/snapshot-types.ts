/** The vocabulary of state that is kept from step to step, see `takeSnapshot`: types only, no code. */

import type { Quat, Vec3 } from './spatial-types.js'

/** An object with state from step to step: a behaviour, a locomotion, a planner, or a part of one. */
export interface Snapshotable {
  /**
   * All state that changes from step to step and that later steps depend on, always in the same order: a
   * {@link Memory}, parts with state of their own, a {@link Serializable} of your own, which may be `this`.
   * It does not contain options and objects of the user. Default none. State that is not listed is not part
   * of a snapshot: a restored world goes on with its present value.
   */
  readonly state?: SnapshotState
}

export type SnapshotState = readonly (Serializable | Snapshotable)[]

/** State that can be saved and restored. */
export interface Serializable {
  /**
   * Passes all its values to the archive, in the same order each time, and assigns the values that the
   * archive returns: `this.stage = archive.number(this.stage)`. The same code saves and restores.
   */
  serialize(archive: Archive): void
  /**
   * Passes what it remembers of one agent, and nothing else, for `exportAgent` and `importAgent`: nothing
   * at all where it remembers nothing of single agents. The same code saves and restores; the agent has
   * another id and another slot then. Without this method its agents cannot be handed over to another
   * world. May return a function that takes back what it has restored: it is called when a later part of
   * the same agent is refused. What is kept by slots needs none.
   */
  serializeAgent?(archive: Archive, agent: AgentWithKey): (() => void) | void
  /**
   * True for state that several agents share, with all its parts, and that goes to another world with all of
   * them, see `exportGroup`. Then ids of agents pass through {@link Archive.agentId}, and nothing is kept by
   * slots. Default false.
   */
  readonly movesWithGroup?: boolean
}

/** An agent by its place in its world, see `Agent`. */
export interface AgentInSlot {
  readonly id: number
  readonly slot: number
  readonly generation: number
}

/** An agent that is handed over. */
export interface AgentWithKey extends AgentInSlot {
  /** Key of its random stream, which it keeps. */
  readonly seed: number
}

/** Agents of a world by their slots, see `Agent.slot`. */
export interface SlotTable {
  /** Slots are 0 … `slots − 1`. */
  readonly slots: number
  /** Id of the agent in a slot, and its generation; −1 for a free slot. */
  idOf(slot: number): number
  generationOf(slot: number): number
}

/**
 * Saves the values of a {@link Serializable}, or returns saved ones. All bits are kept, also of −0, NaN and
 * ±Infinity.
 */
export interface Archive {
  /** True while restoring: then the methods ignore the values that are passed, and return the saved ones. */
  readonly restoring: boolean
  /**
   * The agents by slot: the present ones while saving, the restored ones while restoring. Ids stay,
   * generations are new.
   */
  readonly agents: SlotTable
  number(value: number): number
  boolean(value: boolean): boolean
  string(value: string): string
  /** The id of an agent. While restoring, the id that it has here. */
  agentId(id: number): number
  /** Writes into `value` while restoring. */
  vector(value: Vec3): void
  /** As `vector`, for a point of the world (m, world axes), which `SteeringWorld.shift` moves. */
  place(value: Vec3): void
  quaternion(value: Quat): void
  /**
   * The numbers `from … to − 1` of a column. While restoring they are written into the column, which must
   * be long enough. `places`: where points of the world begin in each row of `width` numbers, see `place`.
   */
  numbers(column: Float64Array, from: number, to: number, places?: readonly number[], width?: number): void
  integers(column: Int32Array, from: number, to: number): void
  /** While restoring: reads what a `Memory` has saved. @internal */
  loadMemory?(memory: object): void
  /**
   * An object of the user, which is not data. While restoring, the same object is returned when the
   * snapshot is still the one that `takeSnapshot` returned, or when the object has a name in
   * `SnapshotOptions.references`. Else `remake` makes a new one from the values that it has saved, once
   * for each object; null when it cannot. While saving, `remake` is called with the object, to save these
   * values.
   */
  reference<T extends object>(
    value: T | null,
    remake: (archive: Archive, value: T | null) => T | null,
  ): T | null
}
