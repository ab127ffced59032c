import type { AgentInSlot, Archive } from '../types.js'
import type { Memory } from './memory.js'

/** Saves or restores the numbers of one agent, if any. @throws RangeError for another width. */
export function serializeRow(archive: Archive, memory: Memory, agent: AgentInSlot): void {
  const { width } = memory
  const there = archive.number(width)
  if (there !== width)
    throw new RangeError(`importAgent: got ${there} numbers of a behaviour, must be ${width}, as here`)
  const found = memory.find(agent)
  if (!archive.boolean(found >= 0)) return
  const offset = archive.restoring ? memory.at(agent) : found
  archive.numbers(memory.data, offset, offset + width)
}
