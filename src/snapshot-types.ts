/** The vocabulary of what is remembered from step to step, see `takeSnapshot`: types only, no code. */

import type { Quat, Vec3 } from './spatial-types.js'

/** Something that remembers: a behaviour, a locomotion, a planner, or a part of one. */
export interface Snapshotable {
  /**
   * All that changes from step to step and counts in later ones, always in the same order: a {@link Memory},
   * parts that keep something themselves, a {@link Serializable} of your own, which may be `this`. Not
   * options, nor things that are the user's. Default nothing. What is in no list is not in a snapshot: a
   * world that was put back goes on from whatever is there.
   */
  readonly state?: SnapshotState
}

export type SnapshotState = readonly (Serializable | Snapshotable)[]

/** Something that can be written down, and taken back. */
export interface Serializable {
  /**
   * Hands all it holds to the archive, in the same order each time, and holds what it gets back:
   * `this.stage = archive.number(this.stage)`. The same lines save and restore.
   */
  serialize(archive: Archive): void
}

/** Agents of a world by their slots, see `Agent.slot`. */
export interface SlotTable {
  /** Slots are 0 … `slots − 1`. */
  readonly slots: number
  /** Id of the agent in a slot, and its generation; −1 for a free one. */
  idOf(slot: number): number
  generationOf(slot: number): number
}

/**
 * Where a {@link Serializable} writes what it holds, or from where it is given back; bits are kept, of −0,
 * NaN and ±Infinity as well.
 */
export interface Archive {
  /**
   * True while things are put back: then what is handed over is not looked at, and what comes back is what
   * was saved.
   */
  readonly restoring: boolean
  /**
   * Who is where when the snapshot is taken, or will be when it is put back. Ids stay, generations are new.
   */
  readonly agents: SlotTable
  number(value: number): number
  boolean(value: boolean): boolean
  string(value: string): string
  /** Writes into `value` while restoring. */
  vector(value: Vec3): void
  quaternion(value: Quat): void
  /** The numbers `from … to − 1` of a column. Written into it while restoring: it must be long enough. */
  numbers(column: Float64Array, from: number, to: number): void
  integers(column: Int32Array, from: number, to: number): void
  /**
   * A thing of the user's, which is no data: the same one where the snapshot is still the object that
   * `snapshot` returned, or where it has a name in `things`. Else what `remake` makes of what it wrote down,
   * once for each thing; null where it cannot.
   */
  reference<T extends object>(
    value: T | null,
    remake: (archive: Archive, value: T | null) => T | null,
  ): T | null
}
