import type { Behavior, SteeringBody } from '../../core/types.js'
import type { Agents, Binding } from '../../core/engine/agents.js'
import type { SteeringWorld } from '../../core/engine/world.js'
import { slotTableOf } from '../../core/engine/states.js'
import type { WorldInternals } from '../../core/engine/world-internals.js'
import {
  participantsOf,
  settingsText,
  idleInternals,
  serializeWorld,
  savedHandles,
  snapshotOf,
} from './snapshot.js'
import type { Participants, SnapshotOptions } from './snapshot.js'
import { serializeSlots, newSlotTable, type SlotColumns } from './snapshot-agents.js'
import { Loader, Saver } from './snapshot-archive.js'
import { requireSlots, requireConsistent } from './snapshot-check.js'
import {
  isOwn,
  read,
  requireSnapshot,
  referencesOf,
  type SavedHandle,
  type Snapshot,
} from './snapshot-data.js'
import type { ControllerOrFlock } from './snapshot-handles.js'
import { forged } from './snapshot-numbers.js'
import { namedTrees, savedTrees } from './snapshot-trees.js'
import { show, typeName } from '../../core/math/show.js'

/**
 * Restores a world to the state in which `takeSnapshot` saved it. Controllers and flocks are matched by the
 * order in which they joined, and by name; the same controllers must be in the world, and the same flocks.
 * Flocks whose members have no bodies are brought to size. All agents get new generations. Views do not
 * sweep. Events are not emitted again; when a listener restores the world, the later events of that step are
 * not emitted at all. Explanations go on with the same agent, unless it has left the world in a step since.
 * @throws Error inside a step, or after dispose. TypeError for a value that is not a snapshot; RangeError,
 * naming the difference, for a snapshot of another version or world, of other controllers and flocks, or of
 * other trees of behaviours. After an error nothing has changed.
 */
export function restoreSnapshot(
  world: SteeringWorld,
  snapshot: Snapshot,
  options: SnapshotOptions = {},
): void {
  const inside = idleInternals('restoreSnapshot', world)
  restore(inside, snapshot, options)
  inside.events.discardPending(inside.roster.agents)
}

/** First checks that all of the snapshot fits; after that nothing can fail. */
export function restore(
  inside: WorldInternals,
  snapshot: Snapshot,
  { behaviors = {}, references = {} }: SnapshotOptions,
): void {
  const { planners, roster, settings } = inside
  requireSnapshot(snapshot)
  requireSame('the settings of the world', settingsText(settings), snapshot.settings)
  const { handles } = roster
  requireSameHandles(handles, snapshot.handles)
  const participants = participantsFor(inside, snapshot, behaviors, handles)
  const present = savedTrees(participants.trees)
  for (const [i, { parts }] of snapshot.trees.entries())
    requireSame(`the tree of ${ownerOfTree(snapshot, i)}`, present[i]?.parts, parts)
  for (const [i, { locomotion }] of savedHandles(participants).entries())
    requireSame(`the locomotion of ${nameOf(handles[i]!)}`, locomotion, snapshot.handles[i]!.locomotion)
  requireSame('the planners', [...planners].map((each) => typeName(each)).join(), snapshot.planners.join())
  const known = referencesOf(snapshot, references)
  const records = read(snapshot)
  const loader = new Loader(records, known, slotTableOf(roster.agents))
  const slots = serializeSlots(loader, null)
  requireSlots(slots, records.integers.length, handles.length)
  // data from outside may be forged: when it fails later on, the world is restored from this one
  const before = isOwn(snapshot) ? null : snapshotOf(inside, {})
  const { count } = roster.agents
  const ids = before === null ? [] : roster.agents.id.slice()
  const bodies = bodiesFor(roster.agents, handles, slots)
  loader.agents = newSlotTable(slots)
  const bindings = takeBindings(inside, participants)
  try {
    restoreStates(participants, loader, inside)
  } catch (error) {
    for (const binding of bindings) roster.bindings.drop(binding)
    throw refusalOf(error)
  }
  try {
    placeAgents(inside, participants, slots, bindings, bodies, loader, before !== null)
  } catch (error) {
    if (before === null) throw error
    for (const binding of bindings) roster.bindings.drop(binding)
    roster.agents.count = count
    roster.agents.id.set(ids)
    restore(inside, before, {})
    throw refusalOf(error)
  }
  moveObservers(inside)
}

/** Explanations go on with the agents that they observe, in the slots that these have now. */
function moveObservers({ roster: { agents }, thinker: { observers } }: WorldInternals): void {
  const all = [...observers.values()]
  observers.clear()
  for (const observer of all) {
    const { handle, id } = observer
    for (let row = 0; row < agents.count; row++) {
      if (agents.handle[row] !== handle || !('slotRef' in handle || agents.id[row] === id)) continue
      observer.id = agents.id[row]!
      observers.set(agents.slot[row]!, observer)
    }
  }
}

/** The trees by their names in the snapshot; trees without a name as they are in use now. */
function participantsFor(
  inside: WorldInternals,
  { handles: saved, trees }: Snapshot,
  behaviors: Readonly<Record<string, Behavior>>,
  handles: readonly ControllerOrFlock[],
): Participants {
  const named = namedTrees('restoreSnapshot', behaviors)
  const names = trees.map(({ name }) => name).filter((name) => name !== '')
  requireSame(
    'the names in behaviors',
    named
      .map(({ name }) => name)
      .sort()
      .join(),
    [...names].sort().join(),
  )
  const ordered = names.map((name) => named.find((tree) => tree.name === name)!)
  const roots = handles.map((handle, i) => {
    const tree = trees[saved[i]!.tree]
    if (tree !== undefined && tree.name !== '') return behaviors[tree.name]!
    const other = named.find(({ root }) => root === handle.behavior)
    if (other !== undefined)
      throw new RangeError(
        `restoreSnapshot: got a snapshot in which ${nameOf(handle)} uses a tree without a name, must be one in which it uses '${other.name}', as in this world`,
      )
    return handle.behavior
  })
  const participants = participantsOf(inside, ordered, handles, roots)
  for (const [i, tree] of participants.treeOf.entries())
    if (tree !== saved[i]!.tree)
      throw new RangeError(
        `restoreSnapshot: got a snapshot in which ${nameOf(handles[i]!)} shares its tree with others than in this world, must be the same ones`,
      )
  return participants
}

/** Restores behaviours, locomotions and planners. When one throws, all get back the state they had. */
function restoreStates({ states }: Participants, loader: Loader, { roster }: WorldInternals): void {
  const before = new Saver(slotTableOf(roster.agents))
  for (const { state } of states) state.serialize(before)
  try {
    for (const { state, owner } of states) {
      state.serialize(loader)
      if (!loader.mark())
        throw new RangeError(
          `restoreSnapshot: got a snapshot with another amount of state of ${owner}, must be of the same class`,
        )
    }
  } catch (error) {
    const undo = new Loader(before.records, before.references, slotTableOf(roster.agents))
    for (const { state } of states) state.serialize(undo)
    throw error
  }
}

/** Takes one use of the binding of each handle. @throws TypeError for another world; then none is taken. */
function takeBindings(
  { roster: { bindings } }: WorldInternals,
  { handles, treeOf, trees }: Participants,
): Binding[] {
  const taken: Binding[] = []
  try {
    for (const [i, { locomotion }] of handles.entries())
      taken.push(bindings.take(trees[treeOf[i]!]!.root, locomotion))
  } catch (error) {
    for (const binding of taken) bindings.drop(binding)
    throw error
  }
  return taken
}

/** Restores the agents in their slots, with their bindings, bodies and views. */
function placeAgents(
  inside: WorldInternals,
  participants: Participants,
  slots: SlotColumns,
  bindings: readonly Binding[],
  bodies: ReadonlyMap<number, SteeringBody>,
  loader: Loader,
  checked: boolean,
): void {
  const { roster } = inside
  const { agents } = roster
  const { handles } = participants
  const old = agents.binding.slice(0, agents.count)
  serializeWorld(loader, inside, participants, slots)
  if (checked) requireConsistent(inside, handles, slots)
  // from here on nothing can fail
  for (const binding of old) roster.bindings.drop(binding!)
  for (const list of [agents.binding, agents.body, agents.view, agents.handle]) list.fill(null, slots.count)
  for (let row = 0; row < slots.count; row++) {
    const number = slots.handle[row]!
    const handle = handles[number]!
    const { behavior, locomotion } = bindings[number]!
    agents.binding[row] = roster.bindings.take(behavior, locomotion)
    agents.body[row] = bodies.get(slots.id[row]!) ?? null
    agents.view[row] = handle.view
    agents.handle[row] = handle
  }
  for (const [i, handle] of handles.entries())
    if (handle.behavior !== bindings[i]!.behavior) handle.behavior = bindings[i]!.behavior
  for (const binding of bindings) roster.bindings.drop(binding)
}

/** Bodies by the id of their agent. @throws RangeError for a flock with bodies of other members. */
function bodiesFor(
  agents: Agents,
  handles: readonly ControllerOrFlock[],
  slots: SlotColumns,
): Map<number, SteeringBody> {
  const bodies = new Map<number, SteeringBody>()
  const ids: number[][] = handles.map(() => [])
  for (let row = 0; row < slots.count; row++) ids[slots.handle[row]!]!.push(slots.id[row]!)
  for (const [number, handle] of handles.entries()) {
    const saved = ids[number]!
    if ('slotRef' in handle) {
      if (handle.body !== null) bodies.set(saved[0]!, handle.body)
    } else if (handle.options.body !== undefined) {
      const present = new Map<number, SteeringBody>()
      for (let row = 0; row < agents.count; row++)
        if (agents.handle[row] === handle) present.set(agents.id[row]!, agents.body[row]!)
      if (present.size !== saved.length || saved.some((id) => !present.has(id)))
        throw new RangeError(
          `restoreSnapshot: got a snapshot in which ${nameOf(handle)} has other members, must be the same ones, because they have bodies`,
        )
      for (const [id, body] of present) bodies.set(id, body)
    }
  }
  return bodies
}

function requireSameHandles(handles: readonly ControllerOrFlock[], saved: readonly SavedHandle[]): void {
  const present = handles.map((handle) => nameOf(handle))
  const wanted = saved.map(({ kind, name }) => titleOf(kind, name))
  for (let i = 0; i < Math.max(present.length, wanted.length); i++)
    requireSame(`controller or flock number ${i}`, present[i], wanted[i])
}

function requireSame(what: string, present = '', saved = ''): void {
  if (present === saved) return
  const [here, there] = [present, saved].map((value) => (value === '' ? 'none' : value))
  throw new RangeError(
    `restoreSnapshot: ${what}: got ${there} in the snapshot, must be ${here}, as in this world`,
  )
}

/** Name of a tree: that in `behaviors`, or that of the first handle that uses it. */
function ownerOfTree({ handles, trees }: Snapshot, number: number): string {
  const { name } = trees[number]!
  const handle = handles.find(({ tree }) => tree === number)
  if (name !== '' || handle === undefined) return `behaviors.${name}`
  return titleOf(handle.kind, handle.name)
}

function nameOf(handle: ControllerOrFlock): string {
  return titleOf('slotRef' in handle ? 'controller' : 'flock', handle.name)
}

function titleOf(kind: string, name: string): string {
  return `${kind} '${name}'`
}

/** The error for a snapshot that led to `error`. */
function refusalOf(error: unknown): unknown {
  return error instanceof RangeError || error instanceof TypeError ? error : forged(show(error))
}
