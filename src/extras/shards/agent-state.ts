import type { AgentWithKey, Archive, Serializable, Snapshotable } from '../../core/types.js'
import type { Memory } from '../../core/control/memory.js'
import type { OwnedState } from '../../core/engine/states.js'
import { serializeRow } from '../../core/control/memory-row.js'
import { typeName } from '../../core/math/show.js'

/**
 * What happens to state that belongs to its world, such as a formation: its agents are refused, leave it, or
 * go with all that share it.
 */
export type Places = 'refuse' | 'leave' | 'together'

/**
 * Saves or restores what behaviours and locomotion remember of one agent. @throws RangeError for a part that
 * cannot go.
 * @param takeBack Gets functions that take back what was restored, the last one last.
 */
export function serializeAgentState(
  caller: string,
  archive: Archive,
  states: readonly OwnedState[],
  agent: AgentWithKey,
  places: Places,
  takeBack: (() => void)[] = [],
): void {
  const bound = statesOfWorld(states)
  const shared = places === 'together' ? statesOfGroup(bound) : []
  const stays = bound.find((each) => !shared.includes(each))
  if (stays !== undefined && places !== 'leave')
    throw new RangeError(
      `${caller}: got an agent with ${named(stays.owner)}, whose ${typeName(stays.state)} belongs to its world; ${
        statesOfGroup(bound).length > 0
          ? 'hand it over by exportGroup, with all that share it'
          : 'it must stay there, or leave it by leavePlaces: true'
      }`,
    )
  // an agent that leaves its places forgets all that their owners remember
  const left = new Set<unknown>(places === 'leave' ? bound.map(({ owner }) => owner) : [])
  for (const each of states) {
    const { owner, state } = each
    if (left.has(owner) || shared.includes(each)) continue
    if (isMemory(state)) serializeRow(archive, state, agent)
    else {
      const undo = state.serializeAgent!(archive, agent)
      if (undo) takeBack.push(undo)
    }
  }
}

/** The states that are not kept agent by agent. */
function statesOfWorld(states: readonly OwnedState[]): OwnedState[] {
  return states.filter(({ state }) => !isMemory(state) && state.serializeAgent === undefined)
}

/** Of these, the ones that go to another world with all agents that share them. */
export function statesOfGroup(states: readonly OwnedState[]): OwnedState[] {
  const parts = new Set<object>()
  const take = (each: Serializable | Snapshotable): void => {
    parts.add(each)
    if ('state' in each) for (const part of each.state ?? []) take(part)
  }
  for (const { state } of states) if (state.movesWithGroup === true) take(state)
  return states.filter(({ state }) => parts.has(state))
}

/** Not by `instanceof`: two copies of the package may be loaded. */
function isMemory(state: object): state is Memory {
  return 'find' in state && 'fresh' in state && 'width' in state
}

function named(owner: string): string {
  return `${/^[AEIOU]/.test(owner) ? 'an' : 'a'} ${owner}`
}
