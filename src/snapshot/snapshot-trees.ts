import type { Behavior, Serializable, Snapshotable } from '../types.js'
import { requireBehavior } from '../math/require.js'
import { typeName } from '../math/show.js'
import type { SavedTree } from './snapshot-data.js'

/** A root behaviour with its name; '' for a tree that is in use and has no name. */
export interface NamedTree {
  readonly name: string
  readonly root: Behavior
}

/** State that is part of a snapshot, and the class of its owner. */
export interface OwnedState {
  readonly owner: string
  readonly state: Serializable
}

/** @throws TypeError for a value that is not a behaviour, or has two names. */
export function namedTrees(what: string, behaviors: Readonly<Record<string, Behavior>>): NamedTree[] {
  const trees: NamedTree[] = []
  for (const [name, root] of Object.entries(behaviors)) {
    requireBehavior(`${what}: behaviors.${name}`, root)
    const same = trees.find((each) => each.root === root)
    if (same !== undefined)
      throw new TypeError(
        `${what}: behaviors.${name}: got the tree that is named '${same.name}', must have one name`,
      )
    trees.push({ name, root })
  }
  return trees
}

/**
 * The classes of all parts, also of those that are switched off. A part that occurs again is written as its
 * number.
 */
export function savedTrees(trees: readonly NamedTree[]): SavedTree[] {
  const known = new Map<Behavior, number>()
  const describe = (part: Behavior): string => {
    const number = known.get(part)
    if (number !== undefined) return `#${number}`
    known.set(part, known.size)
    const children = partsOf(part)
    return children.length === 0
      ? typeName(part)
      : `${typeName(part)}(${children.map((child) => describe(child)).join(', ')})`
  }
  return trees.map(({ name, root }) => ({ name, parts: describe(root) }))
}

/** The states of trees, locomotions and planners, each once, in their order. */
export function statesOf(trees: readonly NamedTree[], others: readonly Snapshotable[]): OwnedState[] {
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
  for (const { root } of trees) walk(root)
  for (const each of others) takeAll(each, typeName(each))
  return found
}

/** The parts of a combination, also those that are switched off. */
export function partsOf(part: Behavior): readonly Behavior[] {
  // a copy: a combination may fill the same list again at the next read
  return [...(part.allChildren ?? part.children ?? [])]
}
