/** The part of an obstacle that says to which agent it belongs. */
export interface Owned {
  readonly owner: object | null
  readonly followed: object | null
  /** The agent, and the number of changes of keepers for which that is right. */
  keeper: object | null
  keeperAt: number
}

/** Says which obstacles are its own: an agent, while it is asked. */
export interface Viewer {
  /** Whether an obstacle belongs to it; `keeper` as `keeperOf` finds. @internal */
  owns(obstacle: Owned, keeper: object | null): boolean
  /** Id of the agent in its world that is a keeper of things; −1 for none. @internal */
  idOf?(keeper: object): number
}

/** What is read of a thing: of a door's view of a body, and of an `Object3D`. */
interface Node {
  readonly engineBody?: object
  readonly isObject3D?: boolean
  readonly isMesh?: boolean
  readonly parent?: Node | null
  readonly children?: readonly Node[]
}

/**
 * What things belong to, over all worlds: a controller, its body of the physics engine and the `Object3D`
 * that shows it to the controller; what shows a flock to the flock, and the body of a member to its
 * `SteeringBody`.
 */
const keepers = new WeakMap<object, object>()
/** Grows with each change of the keepers. */
let changes = 1

/** Whether an agent of any world is the keeper of this thing itself. */
export function isKept(thing: object): boolean {
  return keepers.has(thing)
}

/** Registers the keeper of a thing. */
export function keep(thing: object, keeper: object): void {
  keepers.set(thing, keeper)
  changes++
}

/** Ends that; with `keeper` only if the thing has no other one by now. */
export function release(thing: object, keeper = keepers.get(thing)): void {
  if (keepers.get(thing) !== keeper) return
  keepers.delete(thing)
  changes++
}

let present: Viewer | null = null

/**
 * From now on no query of a set of obstacles finds what belongs to `viewer`: no agent is an obstacle of
 * itself, whichever behaviour asks for it.
 * @returns the viewer before, which the caller puts back.
 */
export function lookAs(viewer: Viewer | null): Viewer | null {
  const before = present
  present = viewer
  return before
}

/** Whether an obstacle belongs to the present viewer. */
export function isOwn(obstacle: Owned): boolean {
  return present !== null && obstacle.owner !== null && present.owns(obstacle, keeperOf(obstacle))
}

/**
 * Whether an obstacle belongs to a `whole`: an agent, a body, or an object at or below which it is. An agent,
 * its body, a frame of that body and the object that shows it are one whole.
 */
export function isPartOf(obstacle: Owned, whole: object): boolean {
  const { engineBody = whole } = whole as Node
  if (findKeeper(obstacle, engineBody) === engineBody) return true
  const keeper = keepers.get(whole) ?? keepers.get(engineBody)
  return keeper === undefined ? findKeeper(obstacle, whole) === whole : keeperOf(obstacle) === keeper
}

/** The id of the agent that a thing belongs to, if one controller steers it; else −1. */
export function agentIdOf(thing: object): number {
  const { engineBody = thing } = thing as Node
  const keeper: { readonly id?: number } | undefined = keepers.get(thing) ?? keepers.get(engineBody)
  return keeper?.id ?? -1
}

/** The agent that an obstacle belongs to, by its owner or by what it follows; null for none. */
export function keeperOf(obstacle: Owned): object | null {
  if (obstacle.keeperAt !== changes) {
    obstacle.keeperAt = changes
    obstacle.keeper = findKeeper(obstacle, null)
  }
  return obstacle.keeper
}

/** The same, or `whole` if that is met first. */
function findKeeper({ owner, followed }: Owned, whole: object | null): object | null {
  if (owner === null) return null
  const keeper = keeperOfThing(owner, whole)
  return keeper === null && followed !== null && followed !== owner ? keeperOfThing(followed, whole) : keeper
}

function keeperOfThing(thing: object, whole: object | null): object | null {
  for (let at: Node | null = thing; at; at = at.isObject3D === true ? (at.parent ?? null) : null) {
    const { engineBody } = at
    if (at === whole || engineBody === whole) return whole
    const keeper = keepers.get(at) ?? (engineBody && keepers.get(engineBody))
    if (keeper !== undefined) return keeper
  }
  // a group that holds nothing else
  const { isObject3D, isMesh, children } = thing as Node
  const isGroup = isObject3D === true && isMesh !== true && children?.length === 1
  return isGroup ? keeperOfThing(children[0]!, whole) : null
}
