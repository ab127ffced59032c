import type { Behavior, SnapshotState, Wish } from '../types.js'
import { refuse } from '../math/require.js'
import { typeName } from '../math/show.js'
import { makeWish } from '../control/wish.js'
import type { Part, PartRules } from './part-rules.js'
import { PartList } from './parts.js'

/** What all combinations of one list of parts share: the list, its views, its state, its refresh. */
export abstract class PartCombination<P extends Part> {
  protected readonly list: PartList<P>
  /** Receives the goal of the part that is being asked. */
  protected readonly wish: Wish = makeWish()

  /** @throws TypeError for a constraint beside the input of a player. */
  constructor(given: readonly (Behavior | Part)[], rules: PartRules<P>) {
    this.list = new PartList(given, rules, refuseBesideInput)
  }

  /**
   * All parts in order, the most important first where the order matters. The list is live: parts may be
   * added, removed, reordered, switched and given other numbers at any time, see `Part`.
   */
  get parts(): P[] {
    return this.list.parts
  }

  /** The behaviours of the parts that are switched on, read from the parts by this call. */
  get children(): readonly P['behavior'][] {
    return this.list.inUse
  }

  get fixedChildren(): readonly Behavior[] | null {
    return this.list.isFixed ? this.list.inUse : null
  }

  /** The behaviours of all parts, including those that are switched off. */
  get allChildren(): readonly Behavior[] {
    return this.list.all
  }

  get state(): SnapshotState {
    return [this.list]
  }

  refresh(): void {
    this.list.refresh()
  }
}

/** @throws TypeError for a constraint beside the input of a player. */
function refuseBesideInput(parts: readonly Part[], name: string): void {
  const evading = parts.findIndex(({ behavior }) => behavior instanceof Object && 'constrain' in behavior)
  if (evading < 0 || !parts.some(({ behavior }) => behavior instanceof Object && isInput(behavior))) return
  const { behavior } = parts[evading]!
  const must = `must not stand beside the input of a player, for which it would evade: use within([new ${typeName(behavior)}(…)], stick)`
  refuse(`${name}[${evading}]`, behavior, must)
}

function isInput({ children, isManual }: Behavior): boolean {
  return isManual === true || children?.some(isInput) === true
}
