import type { AgentInSlot, Archive } from '../types.js'
import type { Memory } from '../control/memory.js'
import type { OwnedState } from '../snapshot/snapshot-trees.js'
import { serializeRow } from '../control/memory-row.js'
import { typeName } from '../math/show.js'

/**
 * Saves or restores what behaviours and locomotion remember of one agent. @throws RangeError for a part
 * whose state belongs to its place, such as a port or a formation.
 */
export function serializeAgentState(
  caller: string,
  archive: Archive,
  states: readonly OwnedState[],
  agent: AgentInSlot,
): void {
  for (const { owner, state } of states)
    if (isMemory(state)) serializeRow(archive, state, agent)
    else if (state.serializeAgent !== undefined) state.serializeAgent(archive, agent)
    else
      throw new RangeError(
        `${caller}: got an agent with ${named(owner)}, whose ${typeName(state)} belongs to its world; agents with such a part cannot be handed over`,
      )
}

/** Not by `instanceof`: two copies of the package may be loaded. */
function isMemory(state: object): state is Memory {
  return 'find' in state && 'fresh' in state && 'width' in state
}

function named(owner: string): string {
  return `${/^[AEIOU]/.test(owner) ? 'an' : 'a'} ${owner}`
}
