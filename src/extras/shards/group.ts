import type { SteeringController } from '../../core/engine/controller.js'
import type { Flock } from '../../core/engine/flock.js'
import type { SteeringWorld } from '../../core/engine/world.js'
import type { WorldInternals } from '../../core/engine/world-internals.js'
import { requireList } from '../../core/math/require.js'
import { Loader, Saver, type Records } from '../snapshot/snapshot-archive.js'
import { pack, referencesOf, requireForm, type Encoded } from '../snapshot/snapshot-data.js'
import { idleInternals } from '../snapshot/snapshot.js'
import type { OwnedState } from '../../core/engine/states.js'
import { statesOfGroup } from './agent-state.js'
import {
  admit,
  allOrNothing,
  NO_SLOTS,
  parcelOf,
  refusalOf,
  requireHandle,
  requireSame,
  slotOf,
  statesOfAgents,
  type HandOverOptions,
} from './hand-over.js'
import { damaged, MAX_LIST, readEncoded, type Parcel } from './parcel.js'

const GROUP = { format: 'three-steering group', version: 1 } as const

/** Agents that go to another world together, as plain data, see `exportGroup`. */
export interface GroupParcel extends Encoded {
  readonly format: 'three-steering group'
  readonly version: number
  /** The agents, in the order of their handles. */
  readonly agents: readonly Parcel[]
  /** The behaviours of which the agents share state. */
  readonly shared: string
}

type Handles = readonly (SteeringController | Flock)[]

/**
 * Saves agents that share a formation as plain data that survives `JSON.stringify`: each as `exportAgent`
 * does, and the formation as it is, with its slots, its trail, and a change that is going on. `importGroup`
 * gives them to agents of another world; there they go on bit-identical, if they see the same. They stay in
 * this world; remove them there. A flock stands for all its members.
 * @throws what `exportAgent` throws. RangeError where an agent is missing that has a slot, also one that has
 * left the formation within the last quarter of a second, and for a formation of formations.
 */
export function exportGroup(
  world: SteeringWorld,
  handles: Handles,
  options: Pick<HandOverOptions, 'references'> = {},
): GroupParcel {
  const inside = idleInternals('exportGroup', world)
  requireHandles('exportGroup', handles)
  const { agents } = inside.roster
  const members = handles.flatMap((handle) =>
    Array.from({ length: handle.size }, (_, index) => ({ handle, index })),
  )
  const parcels = members.map(({ handle, index }) =>
    parcelOf(inside, handle, { ...options, index }, 'together'),
  )
  const ids = members.map(({ handle, index }) => agents.id[agents.row[slotOf(inside, handle, index)]!]!)
  const states = sharedBy(handles)
  const saver = new Saver(NO_SLOTS)
  for (const { size } of handles) saver.integer(size)
  const inOrder = [...ids].sort((a, b) => a - b)
  for (const id of ids) saver.integer(inOrder.indexOf(id))
  saver.savedId = (id) => {
    const rank = inOrder.indexOf(id)
    if (rank < 0)
      throw new RangeError(
        id < 0
          ? 'exportGroup: got a formation of formations, which stays in its world'
          : `exportGroup: got ${ids.length} agents of a formation with another member, must be all of them`,
      )
    return rank
  }
  serializeAll(saver, states)
  saver.mark()
  return pack({ ...GROUP, agents: parcels, shared: ownersOf(states) }, saver, options.references)
}

/**
 * Adds the agents of a group to a world, as `importAgent` does with each, and gives them the state that they
 * share. The handles correspond to those of `exportGroup`; a flock, which is in the world, gets as many new
 * members as that one had. In the other world the formation has no members.
 * @throws what `importAgent` throws, for any of them. RangeError for another number of agents, for a
 * formation that has members here, and for a group that is damaged or forged. After an error nothing has
 * changed.
 */
export function importGroup(
  world: SteeringWorld,
  group: GroupParcel,
  handles: Handles,
  { references = {} }: Pick<HandOverOptions, 'references'> = {},
): void {
  const inside = idleInternals('importGroup', world)
  requireHandles('importGroup', handles)
  const records = readGroup(group)
  const states = sharedBy(handles)
  requireSame('state that its agents share', group.shared, ownersOf(states), CALLER)
  const loader = new Loader(records, referencesOf(group, references), NO_SLOTS)
  const { roster } = inside
  const { agents } = group
  const [receivers, ranks] = reading(() => readOrder(loader, agents.length, handles))
  const backUp = backUpOf(inside, states)
  allOrNothing(inside, (takeBack) => {
    takeBack.push(backUp)
    const { nextId } = roster
    // the ids of the agents have the same order as before, so that ties are broken as before
    for (const [i, parcel] of agents.entries()) {
      roster.nextId = nextId + ranks[i]!
      admit(inside, parcel, receivers[i]!, references, 'together', takeBack)
    }
    roster.nextId = nextId + agents.length
    loader.idHere = (rank) => {
      if (!ranks.includes(rank)) throw new RangeError(`a member has the number ${rank}`)
      return nextId + rank
    }
    reading(() => {
      serializeAll(loader, states)
      if (!loader.mark()) throw new RangeError('it holds more than was read')
    })
  })
}

const CALLER = 'importGroup'

/** Errors of `read` are those of a forged group. */
function reading<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw refusalOf(error, CALLER)
  }
}

/** The handle of each agent, and its place in the order of ids. */
function readOrder(loader: Loader, count: number, handles: Handles): [Handles, number[]] {
  const receivers = handles.flatMap((handle) => {
    const size = loader.integer(0)
    if (!(size >= 0 && size <= MAX_LIST) || ('slotRef' in handle && size !== 1))
      throw new RangeError(`${CALLER}: got ${size} agents for '${handle.name}'`)
    return Array.from({ length: size }, () => handle)
  })
  if (receivers.length !== count)
    throw new RangeError(`${CALLER}: got ${count} agents for ${receivers.length} handles, must be as many`)
  const ranks = receivers.map(() => loader.integer(0))
  if (ranks.some((_, i) => !ranks.includes(i))) throw new RangeError('the order of its agents')
  return [receivers, ranks]
}

/** What restores the state that is here. @throws RangeError where it has agents of this world. */
function backUpOf({ roster }: WorldInternals, states: readonly OwnedState[]): () => void {
  const { agents } = roster
  const here = new Set(agents.id.subarray(0, agents.count))
  const saver = new Saver(NO_SLOTS)
  saver.savedId = (id) => {
    if (here.has(id)) throw new RangeError(`${CALLER}: its formation has agents here already, must have none`)
    return id
  }
  serializeAll(saver, states)
  return () => serializeAll(new Loader(saver.records, saver.references, NO_SLOTS), states)
}

function serializeAll(archive: Saver | Loader, states: readonly OwnedState[]): void {
  for (const { state } of states) state.serialize(archive)
}

/** The state that these agents share. */
function sharedBy(handles: Handles): OwnedState[] {
  return statesOfGroup(statesOfAgents(handles))
}

/** One name for each state, so that agents with formations of their own are not taken for those of one. */
function ownersOf(states: readonly OwnedState[]): string {
  return states
    .filter(({ state }) => state.movesWithGroup === true)
    .map(({ owner }) => owner)
    .join(', ')
}

function requireHandles(caller: string, handles: Handles): void {
  requireList(`${caller}: handles`, handles, 'controllers and flocks')
  for (const each of handles) requireHandle(each)
}

function readGroup(group: GroupParcel): Records {
  requireForm(`${CALLER}: group`, group, GROUP, 'exportGroup')
  const { agents, shared } = group
  if (!Array.isArray(agents) || agents.length > MAX_LIST || typeof shared !== 'string')
    throw damaged('a list is missing or too long', CALLER)
  return readEncoded(group, CALLER)
}
