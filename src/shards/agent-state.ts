import type { AgentInSlot, Archive } from '../types.js'
import type { Memory } from '../control/memory.js'
import type { OwnedState } from '../snapshot/snapshot-trees.js'
import { serializeRow } from '../control/memory-row.js'
import { typeName } from '../math/show.js'

/**
 * Saves or restores what behaviours and locomotion remember of one agent. The parts of which a state belongs
 * to its world, such as a formation, are left out when `leavesPlaces`; else this throws a RangeError.
 * @param takeBack Gets functions that take back what was restored, the last one last.
 */
export function serializeAgentState(
  caller: string,
  archive: Archive,
  states: readonly OwnedState[],
  agent: AgentInSlot,
  leavesPlaces: boolean,
  takeBack: (() => void)[] = [],
): void {
  const bound = states.filter(({ state }) => !isMemory(state) && state.serializeAgent === undefined)
  const [first] = bound
  if (first !== undefined && !leavesPlaces)
    throw new RangeError(
      `${caller}: got an agent with ${named(first.owner)}, whose ${typeName(first.state)} belongs to its world; hand it over by leavePlaces: true, with all that share it`,
    )
  const owners = new Set(bound.map(({ owner }) => owner))
  for (const { owner, state } of states)
    if (owners.has(owner)) continue
    else if (isMemory(state)) serializeRow(archive, state, agent)
    else {
      const undo = state.serializeAgent!(archive, agent)
      if (undo) takeBack.push(undo)
    }
}

/** Not by `instanceof`: two copies of the package may be loaded. */
function isMemory(state: object): state is Memory {
  return 'find' in state && 'fresh' in state && 'width' in state
}

function named(owner: string): string {
  return `${/^[AEIOU]/.test(owner) ? 'an' : 'a'} ${owner}`
}
