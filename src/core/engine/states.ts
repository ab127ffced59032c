import type { Behavior, Serializable, Snapshotable, SlotTable } from '../types.js'
import { typeName } from '../math/show.js'
import type { Agents } from './agents.js'

/** State that is part of a snapshot, and the class of its owner. */
export interface OwnedState {
  readonly owner: string
  readonly state: Serializable
}

/** The states of trees of behaviours, locomotions and planners, each once, in their order. */
export function statesOf(trees: Iterable<Behavior>, others: Iterable<Snapshotable>): OwnedState[] {
  const found: OwnedState[] = []
  const taken = new Set<object>()
  const walked = new Set<object>()
  const take = (each: Snapshotable | Serializable, owner: string): void => {
    if (taken.has(each)) return
    taken.add(each)
    if ('serialize' in each) found.push({ owner, state: each })
    if ('state' in each) takeAll(each, owner)
  }
  const takeAll = ({ state = [] }: Snapshotable, owner: string): void => {
    for (const each of state) take(each, owner)
  }
  const walk = (part: Behavior): void => {
    if (walked.has(part)) return
    walked.add(part)
    takeAll(part, typeName(part))
    for (const child of partsOf(part)) walk(child)
  }
  for (const root of trees) walk(root)
  for (const each of others) takeAll(each, typeName(each))
  return found
}

/** The parts of a combination, also those that are switched off. */
export function partsOf(part: Behavior): readonly Behavior[] {
  // a copy: a combination may fill the same list again at the next read
  return [...(part.allChildren ?? part.children ?? [])]
}

/** The present agents by their slots. */
export function slotTableOf(agents: Agents): SlotTable {
  const { generation, id, row } = agents
  return {
    slots: agents.capacity,
    idOf: (slot) => (row[slot]! < 0 ? -1 : id[row[slot]!]!),
    generationOf: (slot) => (row[slot]! < 0 ? -1 : generation[slot]!),
  }
}
