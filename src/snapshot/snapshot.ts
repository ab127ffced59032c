import type { Archive, Behavior, Keeper, Planner, SavedHandle, Snapshot, Vec3 } from '../types.js'
import type { Clock } from '../engine/clock.js'
import type { SteeringController } from '../engine/controller.js'
import type { Flock } from '../engine/flock.js'
import type { Roster } from '../engine/roster.js'
import { keepAgents, keepSeats, seatingOf, seatsOf, type Seats } from './snapshot-agents.js'
import { Saver } from './snapshot-archive.js'
import { write } from './snapshot-data.js'
import { keepingsOf, namedTrees, savedTrees, type Keeping, type NamedTree } from './snapshot-trees.js'
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
  things?: Readonly<Record<string, object>>
}

export type Member = SteeringController | Flock

/** What takes part in a snapshot. */
export interface Cast {
  readonly handles: readonly Member[]
  /** Those with names, then those that are only in use; and of each handle which. */
  readonly trees: readonly NamedTree[]
  readonly treeOf: readonly number[]
  readonly keepings: readonly Keeping[]
}

/** All agents, trees, locomotions and planners of a world, in an order that is the same in one built by the same code. */
export function castOf(
  { planners, roster }: Inside,
  named: readonly NamedTree[],
  handles: readonly Member[] = roster.handles,
  roots = handles.map(({ behavior }) => behavior),
): Cast {
  const trees = [...named]
  const treeOf = roots.map((root) => {
    const at = trees.findIndex((tree) => tree.root === root)
    return at < 0 ? trees.push({ name: '', root }) - 1 : at
  })
  const others: Keeper[] = [...handles.map(({ locomotion }) => locomotion), ...planners]
  return { handles, trees, treeOf, keepings: keepingsOf(trees, others) }
}

/** See `SteeringWorld.snapshot`. */
export function takeSnapshot(inside: Inside, { behaviors = {}, things = {} }: SnapshotOptions): Snapshot {
  const { clock, planners, roster, settings } = inside
  const cast = castOf(inside, namedTrees('snapshot', behaviors))
  const saver = new Saver(seatingOf(roster.agents))
  const seats = keepSeats(saver, seatsOf(roster.agents, cast.handles))
  for (const { kept } of cast.keepings) {
    kept.keep(saver)
    saver.mark()
  }
  keepWorld(saver, inside, cast.handles, seats)
  for (const handle of cast.handles) {
    const brain = roster.brains.find(handle)
    saver.number(brain?.reach ?? 0)
    saver.number(brain?.centerReach ?? 0)
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
export function keepWorld(archive: Archive, inside: Inside, handles: readonly Member[], seats: Seats): void {
  const { clock, gravity, roster, thinker } = inside
  clock.keep(archive)
  archive.vector(gravity)
  keepAgents(archive, roster.agents, seats)
  roster.keep(archive, handles)
  thinker.keep(archive)
}

/** What decides over bits and cannot be changed. */
export function describe({ fixedStep, seed, up: { x, y, z } }: WorldSettings): string {
  return `seed ${seed}, up (${x}, ${y}, ${z}), fixedStep ${fixedStep}`
}

export function savedHandles({ handles, treeOf }: Cast): SavedHandle[] {
  return handles.map((handle, i) => ({
    kind: 'seat' in handle ? 'controller' : 'flock',
    name: handle.name,
    size: handle.size,
    locomotion: typeName(handle.locomotion),
    tree: treeOf[i]!,
  }))
}
