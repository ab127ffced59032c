import type { Behavior, SavedHandle, Snapshot, SteeringBody } from '../types.js'
import type { Agents, Brain } from '../engine/agents.js'
import { castOf, describe, keepWorld, savedHandles, takeSnapshot } from './snapshot.js'
import type { Cast, Inside, Member, SnapshotOptions } from './snapshot.js'
import { keepSeats, newSeating, seatingOf, type Seats } from './snapshot-agents.js'
import { Loader, Saver } from './snapshot-archive.js'
import { requireSeats, requireSound } from '../engine/snapshot-check.js'
import { isOwn, read, requireSnapshot, thingsOf } from './snapshot-data.js'
import { namedTrees, savedTrees } from './snapshot-trees.js'
import { show } from '../math/show.js'
import { typeName } from '../math/type-name.js'

/** See `SteeringWorld.restore`. All is looked at first; once it is known to fit, nothing can fail. */
export function putBack(
  inside: Inside,
  snapshot: Snapshot,
  { behaviors = {}, things = {} }: SnapshotOptions,
): void {
  const { planners, roster, settings } = inside
  requireSnapshot(snapshot)
  same('the settings of the world', describe(settings), snapshot.settings)
  const { handles } = roster
  sameHandles(handles, snapshot.handles)
  const cast = castFor(inside, snapshot, behaviors, handles)
  const present = savedTrees(cast.trees)
  for (const [i, { parts }] of snapshot.trees.entries())
    same(`the tree of ${whose(snapshot, i)}`, present[i]?.parts, parts)
  for (const [i, { locomotion }] of savedHandles(cast).entries())
    same(`the locomotion of ${nameOf(handles[i]!)}`, locomotion, snapshot.handles[i]!.locomotion)
  same('the planners', [...planners].map((each) => typeName(each)).join(), snapshot.planners.join())
  const known = thingsOf(snapshot, things)
  const records = read(snapshot)
  const loader = new Loader(records, known, seatingOf(roster.agents))
  const seats = keepSeats(loader, null)
  requireSeats(seats, records.integers.length, handles.length)
  // what comes from outside may be forged: then all is as it was
  const before = isOwn(snapshot) ? null : takeSnapshot(inside, {})
  const { count } = roster.agents
  const ids = before === null ? [] : roster.agents.id.slice()
  const bodies = bodiesFor(roster.agents, handles, seats)
  loader.agents = newSeating(seats)
  const brains = takeBrains(inside, cast)
  try {
    remember(cast, loader, inside)
  } catch (error) {
    for (const brain of brains) roster.brains.drop(brain)
    throw error
  }
  try {
    seat(inside, cast, seats, brains, bodies, loader, before !== null)
  } catch (error) {
    if (before === null) throw error
    for (const brain of brains) roster.brains.drop(brain)
    roster.agents.count = count
    roster.agents.id.set(ids)
    putBack(inside, before, {})
    throw error instanceof RangeError || error instanceof TypeError
      ? error
      : new RangeError(`restore: got a snapshot that cannot be (${show(error)}), must be as it was written`)
  }
  inside.thinker.follow()
}

/** The trees by their names in the snapshot; those without one as they are in use now. */
function castFor(
  inside: Inside,
  { handles: saved, trees }: Snapshot,
  behaviors: Readonly<Record<string, Behavior>>,
  handles: readonly Member[],
): Cast {
  const named = namedTrees('restore', behaviors)
  const names = trees.map(({ name }) => name).filter((name) => name !== '')
  same(
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
        `restore: ${nameOf(handle)} steers by the tree '${other.name}', must steer by the one without a name that it had`,
      )
    return handle.behavior
  })
  const cast = castOf(inside, ordered, handles, roots)
  for (const [i, tree] of cast.treeOf.entries())
    if (tree !== saved[i]!.tree)
      throw new RangeError(
        `restore: ${nameOf(handles[i]!)} shares its tree with others than in the snapshot, must share it with the same`,
      )
  return cast
}

/** What behaviours remember. Where one fails, all others get back what they had. */
function remember({ keepings }: Cast, loader: Loader, { roster }: Inside): void {
  const before = new Saver(seatingOf(roster.agents))
  for (const { kept } of keepings) kept.keep(before)
  try {
    for (const { kept, owner } of keepings) {
      kept.keep(loader)
      if (!loader.mark())
        throw new RangeError(
          `restore: got another number of things kept by ${owner}, must be of the same one`,
        )
    }
  } catch (error) {
    const back = new Loader(before.records, before.things, seatingOf(roster.agents))
    for (const { kept } of keepings) kept.keep(back)
    throw error
  }
}

/** One use of the brain of each handle. @throws TypeError where a tree works elsewhere; then none is taken. */
function takeBrains({ roster: { brains } }: Inside, { handles, treeOf, trees }: Cast): Brain[] {
  const taken: Brain[] = []
  try {
    for (const [i, { locomotion }] of handles.entries())
      taken.push(brains.take(trees[treeOf[i]!]!.root, locomotion))
  } catch (error) {
    for (const brain of taken) brains.drop(brain)
    throw error
  }
  return taken
}

/** Puts everybody in his place. */
function seat(
  inside: Inside,
  { handles }: Cast,
  seats: Seats,
  brains: readonly Brain[],
  bodies: ReadonlyMap<number, SteeringBody>,
  loader: Loader,
  checked: boolean,
): void {
  const { roster } = inside
  const { agents } = roster
  const old = agents.brain.slice(0, agents.count)
  keepWorld(loader, inside, handles, seats)
  // else the world would look around anew, and in another order
  const reaches = brains.flatMap(({ reach, centerReach }) => [
    loader.number(reach),
    loader.number(centerReach),
  ])
  if (checked) requireSound(inside, handles, seats, reaches)
  // from here on nothing can fail
  for (const brain of old) roster.brains.drop(brain!)
  for (const list of [agents.brain, agents.body, agents.view, agents.handle]) list.fill(null, seats.count)
  for (let row = 0; row < seats.count; row++) {
    const number = seats.handle[row]!
    const handle = handles[number]!
    const { behavior, locomotion } = brains[number]!
    agents.brain[row] = roster.brains.take(behavior, locomotion)
    agents.body[row] = bodies.get(seats.id[row]!) ?? null
    agents.view[row] = handle.view
    agents.handle[row] = handle
  }
  for (const [i, handle] of handles.entries())
    if (handle.behavior !== brains[i]!.behavior) handle.behavior = brains[i]!.behavior
  for (const [i, brain] of brains.entries()) {
    brain.reach = reaches[2 * i]!
    brain.centerReach = reaches[2 * i + 1]!
    roster.brains.drop(brain)
  }
}

/** Bodies by the id of their agent. @throws RangeError for a flock whose members are others than in the snapshot: nobody knows whose body is whose. */
function bodiesFor(agents: Agents, handles: readonly Member[], seats: Seats): Map<number, SteeringBody> {
  const bodies = new Map<number, SteeringBody>()
  const ids: number[][] = handles.map(() => [])
  for (let row = 0; row < seats.count; row++) ids[seats.handle[row]!]!.push(seats.id[row]!)
  for (const [number, handle] of handles.entries()) {
    const saved = ids[number]!
    if ('seat' in handle) {
      if (handle.body !== null) bodies.set(saved[0]!, handle.body)
    } else if (handle.options.body !== undefined) {
      const present = new Map<number, SteeringBody>()
      for (let row = 0; row < agents.count; row++)
        if (agents.handle[row] === handle) present.set(agents.id[row]!, agents.body[row]!)
      if (present.size !== saved.length || saved.some((id) => !present.has(id)))
        throw new RangeError(
          `restore: ${nameOf(handle)} has members with bodies that are not those of the snapshot, must have the same`,
        )
      for (const [id, body] of present) bodies.set(id, body)
    }
  }
  return bodies
}

function sameHandles(handles: readonly Member[], saved: readonly SavedHandle[]): void {
  const present = handles.map((handle) => nameOf(handle))
  const wanted = saved.map(({ kind, name }) => titleOf(kind, name))
  for (let i = 0; i < Math.max(present.length, wanted.length); i++)
    same(`number ${i} of those in the world`, present[i], wanted[i])
}

function same(what: string, present = 'nobody', saved = 'nobody'): void {
  if (present !== saved)
    throw new RangeError(`restore: got a snapshot in which ${what} is: ${saved}; must be as here: ${present}`)
}

/** Who has the tree of that number. */
function whose({ handles, trees }: Snapshot, number: number): string {
  const { name } = trees[number]!
  const handle = handles.find(({ tree }) => tree === number)
  if (name !== '' || handle === undefined) return `behaviors.${name}`
  return titleOf(handle.kind, handle.name)
}

function nameOf(handle: Member): string {
  return titleOf('seat' in handle ? 'controller' : 'flock', handle.name)
}

function titleOf(kind: string, name: string): string {
  return `${kind} '${name}'`
}
