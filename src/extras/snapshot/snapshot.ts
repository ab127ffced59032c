import type { Archive, Behavior, Snapshotable } from '../../core/types.js'
import { slotTableOf, statesOf, type OwnedState } from '../../core/engine/states.js'
import type { SteeringWorld } from '../../core/engine/world.js'
import { internalsOf, type WorldInternals } from '../../core/engine/world-internals.js'
import type { WorldSettings } from '../../core/engine/world-options.js'
import { serializeAgents, serializeSlots, slotColumnsOf, type SlotColumns } from './snapshot-agents.js'
import { Saver } from './snapshot-archive.js'
import { pack, SNAPSHOT, type SavedHandle, type Snapshot } from './snapshot-data.js'
import { serializeClock, serializeRoster, type ControllerOrFlock } from './snapshot-handles.js'
import { namedTrees, savedTrees, type NamedTree } from './snapshot-trees.js'
import { typeName } from '../../core/math/show.js'

export interface SnapshotOptions {
  /**
   * Trees that agents are switched to while running, by name, whether or not a tree is in use at present. All
   * of them are part of the snapshot, and each agent gets back the tree that it had. A tree without a name
   * must be in use by the same agents when the snapshot is restored. Default none.
   */
  behaviors?: Readonly<Record<string, Behavior>>
  /**
   * Objects that behaviours were given one by one while running, by name, such as pieces of path by
   * `FollowPath.next`. With a name, they are the same objects again after the snapshot went through JSON;
   * without one, a new path is made. Default none.
   */
  references?: Readonly<Record<string, object>>
}

/** The parts of a world that a snapshot saves. */
export interface Participants {
  readonly handles: readonly ControllerOrFlock[]
  /** Trees with names, then other trees in use; and the number of the tree of each handle. */
  readonly trees: readonly NamedTree[]
  readonly treeOf: readonly number[]
  readonly states: readonly OwnedState[]
}

/** All agents, trees, locomotions and planners, in an order that is the same in worlds of the same code. */
export function participantsOf(
  { planners, roster }: WorldInternals,
  named: readonly NamedTree[],
  handles: readonly ControllerOrFlock[] = roster.handles,
  roots = handles.map(({ behavior }) => behavior),
): Participants {
  const trees = [...named]
  const treeOf = roots.map((root) => {
    const index = trees.findIndex((tree) => tree.root === root)
    return index < 0 ? trees.push({ name: '', root }) - 1 : index
  })
  const others: Snapshotable[] = [...handles.map(({ locomotion }) => locomotion), ...planners]
  return {
    handles,
    trees,
    treeOf,
    states: statesOf(
      trees.map(({ root }) => root),
      others,
    ),
  }
}

/**
 * Saves all of a world that its further course depends on, as plain data that survives `JSON.stringify`:
 * agents with their limits and random streams, the state of behaviours, locomotions and planners, and
 * time. `restoreSnapshot` restores it, in the same world (a rollback) or in one that the same code has
 * built (after a page was loaded again). From there the world goes on bit-identical, in the same
 * JavaScript engine.
 *
 * A snapshot does not hold the objects of the user: targets, meshes, moving obstacles, the options of
 * behaviours and locomotions (but it does hold `enabled`, weights and probabilities of parts), and the bodies
 * of a physics engine. Save these yourself, and restore them before the next step.
 * @throws Error inside a step, or after dispose. TypeError for a world that is not a SteeringWorld, and for a
 * tree of `behaviors` that is not a behaviour, or has two names.
 */
export function takeSnapshot(world: SteeringWorld, options: SnapshotOptions = {}): Snapshot {
  return snapshotOf(idleInternals('takeSnapshot', world), options)
}

/** The parts of a world. @throws Error inside a step, or after dispose. */
export function idleInternals(caller: string, world: SteeringWorld): WorldInternals {
  const inside = internalsOf(caller, world)
  if (!inside.roster.isIdle) throw new Error(`${caller}: called inside a step of the same world`)
  return inside
}

export function snapshotOf(
  inside: WorldInternals,
  { behaviors = {}, references = {} }: SnapshotOptions,
): Snapshot {
  const { clock, planners, roster, settings } = inside
  const participants = participantsOf(inside, namedTrees('takeSnapshot', behaviors))
  const saver = new Saver(slotTableOf(roster.agents))
  const slots = serializeSlots(saver, slotColumnsOf(roster.agents, participants.handles))
  for (const { state } of participants.states) {
    state.serialize(saver)
    saver.mark()
  }
  serializeWorld(saver, inside, participants, slots)
  const header = {
    ...SNAPSHOT,
    time: clock.now.time,
    tick: clock.now.tick,
    settings: settingsText(settings),
    handles: savedHandles(participants),
    trees: savedTrees(participants.trees),
    planners: [...planners].map((planner) => typeName(planner)),
  }
  return pack(header, saver, references)
}

/** All state of a world but that of behaviours, locomotions and planners. */
export function serializeWorld(
  archive: Archive,
  inside: WorldInternals,
  { handles }: Participants,
  slots: SlotColumns,
): void {
  const { clock, gravity, roster, settings } = inside
  serializeClock(archive, clock)
  archive.vector(gravity)
  // it is moved by `SteeringWorld.shift`
  if (settings.wrap !== null)
    for (const corner of [settings.wrap.min, settings.wrap.max]) archive.place(corner)
  serializeAgents(archive, roster.agents, slots)
  serializeRoster(archive, roster, handles)
}

/** The settings that the course of a world depends on, and that cannot be changed. */
export function settingsText({ fixedStep, seed, up: { x, y, z } }: WorldSettings): string {
  return `seed ${seed}, up (${x}, ${y}, ${z}), fixedStep ${fixedStep}`
}

export function savedHandles({ handles, treeOf }: Participants): SavedHandle[] {
  return handles.map((handle, i) => ({
    kind: 'slotRef' in handle ? 'controller' : 'flock',
    name: handle.name,
    size: handle.size,
    locomotion: typeName(handle.locomotion),
    tree: treeOf[i]!,
  }))
}
