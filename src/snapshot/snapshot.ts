import type { Archive, Behavior, Snapshotable, Planner, SavedHandle, Snapshot, Vec3 } from '../types.js'
import type { Clock } from '../engine/clock.js'
import type { SteeringController } from '../engine/controller.js'
import type { Flock } from '../engine/flock.js'
import type { Roster } from '../engine/roster.js'
import {
  serializeAgents,
  serializeSlots,
  slotTableOf,
  slotColumnsOf,
  type SlotColumns,
} from './snapshot-agents.js'
import { Saver } from './snapshot-archive.js'
import { write } from './snapshot-data.js'
import { statesOf, namedTrees, savedTrees, type OwnedState, type NamedTree } from './snapshot-trees.js'
import type { Thinker } from '../engine/thinker.js'
import type { WorldSettings } from '../engine/world-options.js'
import { typeName } from '../math/type-name.js'

/** A world from inside. */
export interface Inside {
  readonly clock: Clock
  readonly gravity: Vec3
  readonly planners: ReadonlySet<Planner>
  readonly roster: Roster
  readonly settings: WorldSettings
  readonly thinker: Thinker
}

export interface SnapshotOptions {
  /**
   * Trees that agents are switched to while running, by name, whether or not one is in use just now. All of them are part of the snapshot, and
   * each agent gets the right one back. A tree without a name must be in use by the same agents when the snapshot is put back. Default none.
   */
  behaviors?: Readonly<Record<string, Behavior>>
  /**
   * Things that behaviours were given one by one while running, by name, such as pieces of path by `FollowPath.next`: after JSON they are the same
   * objects again. A path without a name is made anew then. Default none.
   */
  references?: Readonly<Record<string, object>>
}

export type Member = SteeringController | Flock

/** What takes part in a snapshot. */
export interface Participants {
  readonly handles: readonly Member[]
  /** Those with names, then those that are only in use; and of each handle which. */
  readonly trees: readonly NamedTree[]
  readonly treeOf: readonly number[]
  readonly keepings: readonly OwnedState[]
}

/** All agents, trees, locomotions and planners of a world, in an order that is the same in one built by the same code. */
export function participantsOf(
  { planners, roster }: Inside,
  named: readonly NamedTree[],
  handles: readonly Member[] = roster.handles,
  roots = handles.map(({ behavior }) => behavior),
): Participants {
  const trees = [...named]
  const treeOf = roots.map((root) => {
    const at = trees.findIndex((tree) => tree.root === root)
    return at < 0 ? trees.push({ name: '', root }) - 1 : at
  })
  const others: Snapshotable[] = [...handles.map(({ locomotion }) => locomotion), ...planners]
  return { handles, trees, treeOf, keepings: statesOf(trees, others) }
}

/** See `SteeringWorld.snapshot`. */
export function takeSnapshot(
  inside: Inside,
  { behaviors = {}, references: things = {} }: SnapshotOptions,
): Snapshot {
  const { clock, planners, roster, settings } = inside
  const cast = participantsOf(inside, namedTrees('snapshot', behaviors))
  const saver = new Saver(slotTableOf(roster.agents))
  const seats = serializeSlots(saver, slotColumnsOf(roster.agents, cast.handles))
  for (const { kept } of cast.keepings) {
    kept.serialize(saver)
    saver.mark()
  }
  serializeWorld(saver, inside, cast.handles, seats)
  for (const handle of cast.handles) {
    const binding = roster.bindings.find(handle)
    saver.number(binding?.reach ?? 0)
    saver.number(binding?.centerReach ?? 0)
  }
  const label = {
    time: clock.now.time,
    tick: clock.now.tick,
    settings: describe(settings),
    handles: savedHandles(cast),
    trees: savedTrees(cast.trees),
    planners: [...planners].map((planner) => typeName(planner)),
  }
  return write(label, saver.records, saver.things, things)
}

/** All but what is kept by behaviours. */
export function serializeWorld(
  archive: Archive,
  inside: Inside,
  handles: readonly Member[],
  seats: SlotColumns,
): void {
  const { clock, gravity, roster, thinker } = inside
  clock.serialize(archive)
  archive.vector(gravity)
  serializeAgents(archive, roster.agents, seats)
  roster.serialize(archive, handles)
  thinker.serialize(archive)
}

/** What decides over bits and cannot be changed. */
export function describe({ fixedStep, seed, up: { x, y, z } }: WorldSettings): string {
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
