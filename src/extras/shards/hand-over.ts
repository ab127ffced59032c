import type { AgentWithKey, SlotTable } from '../../core/types.js'
import { Agents, COLUMNS, WIDTHS } from '../../core/engine/agents.js'
import type { SteeringController } from '../../core/engine/controller.js'
import type { Flock } from '../../core/engine/flock.js'
import { writeGravity } from '../../core/engine/options.js'
import type { SteeringWorld } from '../../core/engine/world.js'
import type { WorldInternals } from '../../core/engine/world-internals.js'
import { refuse, requireWhole } from '../../core/math/require.js'
import { show, typeName } from '../../core/math/show.js'
import { Loader, Saver } from '../snapshot/snapshot-archive.js'
import { requireRow } from '../snapshot/snapshot-check.js'
import { pack, referencesOf } from '../snapshot/snapshot-data.js'
import { idleInternals, settingsText } from '../snapshot/snapshot.js'
import { statesOf, type OwnedState } from '../../core/engine/states.js'
import { savedTrees } from '../snapshot/snapshot-trees.js'
import { serializeAgentState, type Places } from './agent-state.js'
import { PARCEL, readParcel, type Parcel } from './parcel.js'

export interface HandOverOptions {
  /** Which member, when the handle is a flock: its index, whole, ≥ 0. Default 0. */
  index?: number
  /**
   * Objects of yours that behaviours were given for this agent while running, by name, such as its own
   * path of `FollowPath`. With the same name in the other world it is the object there; without one, a new
   * path is made. Default none.
   */
  references?: Readonly<Record<string, object>>
  /**
   * Whether the agent leaves its place in a formation, and what `KeepSlot` and `KeepPace` remember, instead
   * of being refused. It joins the formation of the other world anew. Whole formations go by `exportGroup`.
   * Default false.
   */
  leavePlaces?: boolean
}

/**
 * Saves one agent as plain data that survives `JSON.stringify`: its motion and limits, its random stream,
 * and what its behaviours and its locomotion remember of it. `importAgent` gives it to an agent of another
 * world with the same settings, at the same time; there it goes on bit-identical, if it sees the same. The
 * agent stays in this world; remove it there by `world.remove` or `flock.remove`.
 *
 * What many agents share is not part of it: options, `enabled` and weights of parts, and the budget of
 * `DirectedSeek` for plans. An agent in a formation is refused: `exportGroup` takes it with all others. An
 * agent at a port, or in its queue, takes its place with it.
 * @throws Error inside a step, or after dispose. TypeError for a world or handle that is none; RangeError
 * for an agent that is not in this world, cannot be read from its body, or has a part that belongs to its
 * world.
 */
export function exportAgent(
  world: SteeringWorld,
  handle: SteeringController | Flock,
  options: HandOverOptions = {},
): Parcel {
  const places = options.leavePlaces === true ? 'leave' : 'refuse'
  return parcelOf(idleInternals('exportAgent', world), handle, options, places)
}

/** The parcel of one agent. */
export function parcelOf(
  inside: WorldInternals,
  handle: SteeringController | Flock,
  { index, references = {} }: HandOverOptions,
  places: Places,
): Parcel {
  const { clock, roster, settings } = inside
  const { agents } = roster
  const slot = slotOf(inside, handle, index)
  const row = agents.row[slot]!
  if (agents.lost[row] === 1)
    throw new RangeError(`exportAgent: got '${handle.name}', whose body cannot be read, must have a state`)
  const saver = new Saver(slotTableOf(agents, slot))
  agents.align?.(agents)
  for (const name of COLUMNS) saver.numbers(agents[name], WIDTHS[name] * row, WIDTHS[name] * (row + 1))
  saver.integer(agents.group[row]!)
  serializeAgentState('exportAgent', saver, statesOfAgents([handle]), placeOf(agents, slot), places)
  saver.mark()
  const header = {
    ...PARCEL,
    settings: settingsText(settings),
    time: clock.now.time,
    tick: clock.now.tick,
    seed: agents.seed[row]!,
    name: handle.name,
    parts: partsOf(handle),
    locomotion: typeName(handle.locomotion),
  }
  return pack(header, saver, references)
}

/**
 * Adds the agent of a parcel to a world: as `handle`, if that is a controller which is in no world yet, or
 * as a new last member, if it is a flock of this world. It keeps its key, its motion and its limits; it
 * has another id. An agent with a body takes its motion from the body: move the body there first. Agents
 * that remember times (a path flown since …) need a world at the same time, see `joinClock`.
 * @throws Error inside a step, or after dispose. TypeError for a value that is not a parcel, and for a
 * handle that cannot be added. RangeError for a parcel of another version, of a world with other settings,
 * of another behaviour or locomotion, and for a parcel that is damaged or forged. After an error nothing
 * has changed.
 */
export function importAgent(
  world: SteeringWorld,
  parcel: Parcel,
  handle: SteeringController | Flock,
  options: Pick<HandOverOptions, 'references'> = {},
): void {
  const inside = idleInternals('importAgent', world)
  allOrNothing(inside, (takeBack) => admit(inside, parcel, handle, options.references, 'leave', takeBack))
}

/** Calls `action`; when it throws, also what it has put into `takeBack`, the last one first. */
export function allOrNothing({ roster }: WorldInternals, action: (takeBack: (() => void)[]) => void): void {
  const { nextId } = roster
  const takeBack: (() => void)[] = []
  try {
    action(takeBack)
  } catch (error) {
    for (const undo of takeBack.reverse()) undo()
    roster.nextId = nextId
    throw error
  }
}

/** Adds the agent of a parcel. */
export function admit(
  inside: WorldInternals,
  parcel: Parcel,
  handle: SteeringController | Flock,
  references: Readonly<Record<string, object>> = {},
  places: Places,
  takeBack: (() => void)[],
): void {
  const { roster, settings } = inside
  const records = readParcel(parcel)
  requireHandle(handle)
  requireSame('the settings of its world', parcel.settings, settingsText(settings))
  requireSame('its behaviour', parcel.parts, partsOf(handle))
  requireSame('its locomotion', parcel.locomotion, typeName(handle.locomotion))
  const loader = new Loader(records, referencesOf(parcel, references), NO_SLOTS)
  const before = handle.size
  const ownState = 'slotRef' in handle ? handle.slotRef : null
  // all numbers are checked before anything changes
  const read = new Agents()
  read.allocate()
  try {
    for (const name of COLUMNS) loader.numbers(read[name], 0, WIDTHS[name])
    read.turned.fill(0)
    read.group[0] = loader.integer(0)
    read.seed[0] = parcel.seed
    requireRow(read, 0)
  } catch (error) {
    throw refusalOf(error)
  }
  const slot = enter(inside, handle)
  takeBack.push(() => {
    if ('slotRef' in handle) {
      roster.remove(handle)
      handle.slotRef = ownState!
    } else {
      handle.remove(before)
      handle.born--
    }
  })
  const { agents } = roster
  try {
    const row = agents.row[slot]!
    agents.copyRow(read, 0, row)
    if (agents.body[row] === null) writeGravity(agents, row, roster.gravity)
    loader.agents = slotTableOf(agents, slot)
    const place = placeOf(agents, slot)
    serializeAgentState('importAgent', loader, statesOfAgents([handle]), place, places, takeBack)
    if (!loader.mark()) throw new RangeError('it holds more than was read')
  } catch (error) {
    throw refusalOf(error)
  }
}

export const NO_SLOTS: SlotTable = { slots: 0, idOf: () => -1, generationOf: () => -1 }

/** Adds the agent. Returns its slot. */
function enter({ roster }: WorldInternals, handle: SteeringController | Flock): number {
  if ('slotRef' in handle) {
    roster.add(handle)
    return handle.slotRef.slot
  }
  if (handle.roster !== roster)
    throw new TypeError(`importAgent: flock '${handle.name}' is not in this world; add it there first`)
  handle.add()
  return handle.slots[handle.count - 1]!
}

/** Only this agent: state is saved and restored for its slot. */
function slotTableOf(agents: Agents, slot: number): SlotTable {
  const { id, generation } = placeOf(agents, slot)
  return {
    slots: slot + 1,
    idOf: (at) => (at === slot ? id : -1),
    generationOf: (at) => (at === slot ? generation : -1),
  }
}

function placeOf(agents: Agents, slot: number): AgentWithKey {
  const row = agents.row[slot]!
  return { id: agents.id[row]!, seed: agents.seed[row]!, slot, generation: agents.generation[slot]! }
}

/** What the behaviours and the locomotions of these agents remember. */
export function statesOfAgents(handles: readonly (SteeringController | Flock)[]): OwnedState[] {
  return statesOf(
    handles.map(({ behavior }) => behavior),
    handles.map(({ locomotion }) => locomotion),
  )
}

function partsOf({ behavior }: SteeringController | Flock): string {
  return savedTrees([{ name: '', root: behavior }])[0]!.parts
}

/** Slot of an agent of this world. @throws TypeError / RangeError. */
export function slotOf({ roster }: WorldInternals, handle: SteeringController | Flock, index = 0): number {
  requireHandle(handle)
  if (handle.roster !== roster)
    throw new RangeError(`exportAgent: got agent '${handle.name}', must be in this world`)
  if ('slotRef' in handle) return handle.slotRef.slot
  requireWhole('exportAgent: index', index, 0, handle.count - 1)
  return handle.slots[index]!
}

export function requireHandle(handle: SteeringController | Flock): void {
  if (typeof handle?.dispatch !== 'function')
    refuse('handle', handle, 'must be a SteeringController or a Flock')
}

export function requireSame(what: string, there: string, here: string, caller = 'importAgent'): void {
  if (there !== here)
    throw new RangeError(`${caller}: ${what}: got ${there || 'none'} in the parcel, must be ${here}, as here`)
}

/** The error for a parcel that led to `error`. */
export function refusalOf(error: unknown, caller = 'importAgent'): unknown {
  if (error instanceof Error && error.message.startsWith(`${caller}:`)) return error
  const how = error instanceof Error ? error.message.replace(/^restoreSnapshot: /, '') : show(error)
  return new RangeError(`${caller}: got a forged parcel (${how}), must be as it was written`)
}
