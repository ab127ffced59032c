import type { Archive, SlotTable } from '../../core/types.js'
import { requireLength } from './snapshot-numbers.js'
import { COLUMNS, COUNTS, newGeneration, WIDTHS, type Agents } from '../../core/engine/agents.js'

/** The slots of all agents. They must be known before anything else is restored. */
export interface SlotColumns {
  /** Number of slots, and of agents. */
  readonly capacity: number
  readonly count: number
  /** Slot, id and number of the handle of each agent, `[count]`, in the order of rows. */
  readonly slot: Int32Array
  readonly id: Int32Array
  readonly handle: Int32Array
}

/** The slots of the present agents. */
export function slotColumnsOf(agents: Agents, handles: readonly object[]): SlotColumns {
  const { capacity, count } = agents
  const numberOf = new Map(handles.map((handle, i) => [handle, i]))
  const handle = Int32Array.from({ length: count }, (_, row) => numberOf.get(agents.handle[row]!)!)
  return { capacity, count, slot: agents.slot.slice(0, count), id: agents.id.slice(0, count), handle }
}

export function serializeSlots(archive: Archive, slots: SlotColumns | null): SlotColumns {
  const capacity = archive.number(slots?.capacity ?? 0)
  const count = requireLength('the number of agents', archive.number(slots?.count ?? 0))
  const {
    slot = new Int32Array(count),
    id = new Int32Array(count),
    handle = new Int32Array(count),
  } = slots ?? {}
  for (const column of [slot, id, handle]) archive.integers(column, 0, count)
  return { capacity, count, slot, id, handle }
}

/**
 * The agents of a snapshot by their slots. All get new generations, so state that is kept for the present
 * owner of a slot is not taken for that of the restored one.
 */
export function newSlotTable({ capacity, count, id, slot }: SlotColumns): SlotTable {
  const ids = new Int32Array(capacity).fill(-1)
  const generations = new Int32Array(capacity).fill(-1)
  for (let row = 0; row < count; row++) {
    ids[slot[row]!] = id[row]!
    generations[slot[row]!] = newGeneration()
  }
  return { slots: capacity, idOf: (at) => ids[at]!, generationOf: (at) => generations[at]! }
}

/** The agents in the order of rows, in which neighbours are summed; objects are left to the caller. */
export function serializeAgents(archive: Archive, agents: Agents, { capacity, count }: SlotColumns): void {
  if (archive.restoring) {
    if (agents.capacity < capacity) agents.grow(capacity)
    agents.count = count
  }
  // then no attitude is left to be computed, and `turned` is 0 throughout
  agents.align?.(agents)
  for (const name of COLUMNS)
    if (name !== 'turned') serializeColumn(archive, agents[name], WIDTHS[name], count)
  for (const name of COUNTS) {
    archive.integers(agents[name], 0, count)
    if (archive.restoring) agents[name].fill(0, count)
  }
  serializeFreeSlots(archive, agents, capacity)
  if (!archive.restoring) return
  agents.row.fill(-1)
  for (let row = 0; row < count; row++) {
    const slot = agents.slot[row]!
    agents.row[slot] = row
    agents.generation[slot] = archive.agents.generationOf(slot)
  }
  agents.members++
}

/** A column. Where all agents have the same numbers (limits, axes, gravity), these are written once. */
function serializeColumn(archive: Archive, column: Float64Array, width: number, count: number): void {
  const same = archive.boolean(!archive.restoring && isUniform(column, width, count))
  archive.numbers(column, 0, same ? width : width * count)
  if (!archive.restoring) return
  if (same) for (let k = width; k < width * count; k += width) column.copyWithin(k, 0, width)
  column.fill(0, width * count)
}

function isUniform(column: Float64Array, width: number, count: number): boolean {
  for (let k = width; k < width * count; k++) if (!Object.is(column[k], column[k - width])) return false
  return count > 0
}

/** The free slots. Slots that this table has and the snapshot has not are given last. */
function serializeFreeSlots(archive: Archive, { capacity: slots, free }: Agents, capacity: number): void {
  const ownFree = Int32Array.from(free)
  const length = requireLength('the number of free slots', archive.number(free.length))
  const next = archive.restoring ? new Int32Array(length) : ownFree
  archive.integers(next, 0, length)
  if (!archive.restoring) return
  free.length = 0
  for (let slot = slots - 1; slot >= capacity; slot--) free.push(slot)
  for (const slot of next) free.push(slot)
}
