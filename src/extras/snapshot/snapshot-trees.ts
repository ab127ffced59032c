import type { Behavior } from '../../core/types.js'
import { partsOf } from '../../core/engine/states.js'
import { requireBehavior } from '../../core/math/require.js'
import { typeName } from '../../core/math/show.js'
import type { SavedTree } from './snapshot-data.js'

/** A root behaviour with its name; '' for a tree that is in use and has no name. */
export interface NamedTree {
  readonly name: string
  readonly root: Behavior
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

/** The classes of all parts, also switched off. A part that occurs again is written as its number. */
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
