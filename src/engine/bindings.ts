import type { Behavior, Locomotion } from '../types.js'
import { Hover } from '../locomotion/hover.js'
import { requireBehavior } from '../math/require.js'
import { show, typeName } from '../math/show.js'
import type { Agents, Binding, NeighborIndex } from './agents.js'

/**
 * The world that a behaviour works for. Behaviours keep their memory by slot, so each can serve only one
 * world.
 */
const bindingsOf = new WeakMap<Behavior, Bindings>()

/** The bindings of one world: pairs of a root behaviour and a locomotion in use. */
export class Bindings {
  readonly list = new Set<Binding>()
  private readonly byBehavior = new Map<Behavior, Binding[]>()
  /** Path from the root to the present part. */
  private readonly path: Behavior[] = []
  /** Parts that this walk has visited: a shared part is visited once. */
  private readonly walked = new Set<Behavior>()
  /** Largest reaches (m) of the tree that was claimed last. */
  private reach = 0
  private centerReach = 0
  /** Whether any part derives its reach from the vehicle. */
  private derives = false
  private readonly agents: Agents

  constructor(agents: Agents) {
    this.agents = agents
  }

  /** @throws TypeError when a part of `behavior` works for another world, or is part of itself. */
  take(behavior: Behavior, locomotion: Locomotion): Binding {
    const same = this.byBehavior.get(behavior) ?? []
    let binding = same.find((each) => each.locomotion === locomotion)
    if (binding === undefined) {
      this.path.length = 0
      this.walked.clear()
      this.claim(behavior, false)
      binding = {
        behavior,
        locomotion,
        pushes: false,
        broken: null,
        reach: 0,
        centerReach: 0,
        nextReach: 0,
        deriving: [],
        box: new Float64Array(6),
        boxTick: -1,
        count: 0,
      }
      this.list.add(binding)
      this.byBehavior.set(behavior, [...same, binding])
    }
    binding.count++
    return binding
  }

  /** The binding of the pair, when it is in use. */
  find({ behavior, locomotion }: Pick<Binding, 'behavior' | 'locomotion'>): Binding | undefined {
    return this.byBehavior.get(behavior)?.find((each) => each.locomotion === locomotion)
  }

  /** Ends one use of a binding. After the last one the behaviours may work for another world. */
  drop(binding: Binding): void {
    if (--binding.count > 0) return
    this.list.delete(binding)
    const rest = this.byBehavior.get(binding.behavior)!.filter((each) => each !== binding)
    if (rest.length > 0) this.byBehavior.set(binding.behavior, rest)
    else this.byBehavior.delete(binding.behavior)
  }

  /**
   * Updates the reaches of all bindings. Done once per step: parts that were added and reaches that were
   * changed take effect here. A tree is `broken` in this step when a part throws, works for another world, or
   * is part of itself. It keeps its last reach, its agents get no force in this step, and other agents are
   * not affected.
   */
  survey(report: (row: number, part: Behavior, message: string) => void): void {
    const { agents } = this
    this.derives = false
    for (const binding of this.list) {
      this.path.length = 0
      this.walked.clear()
      binding.deriving.length = 0
      binding.boxTick = -1
      binding.broken = null
      const { locomotion } = binding
      binding.pushes =
        locomotion.actuate === Hover.prototype.actuate && (locomotion as Hover).attitude === null
      try {
        this.reach = this.centerReach = 0
        this.claim(binding.behavior, true, binding.deriving)
        binding.nextReach = this.reach
        if (this.centerReach !== binding.centerReach) agents.version++
        binding.centerReach = this.centerReach
      } catch (error) {
        // the path still ends at the part that failed
        binding.broken = this.path[this.path.length - 1] ?? binding.behavior
        binding.nextReach = binding.reach
        binding.deriving.length = 0
        report(agents.binding.indexOf(binding), binding.broken, `threw ${show(error)}`)
      }
    }
    if (this.derives) agents.search?.deriveReaches(report)
    for (const binding of this.list) {
      if (binding.nextReach !== binding.reach) agents.version++
      binding.reach = binding.nextReach
    }
  }

  /**
   * Claims every part of a tree for this world, raises `reach` and `centerReach` to those of the parts, and
   * lists in `deriving` the parts that derive their reach from the vehicle. With `refresh`, changes in the
   * parts take effect.
   */
  private claim(behavior: Behavior, refresh: boolean, deriving?: Behavior[]): void {
    const { path } = this
    if (path.includes(behavior)) throw new TypeError(`behavior: this ${typeName(behavior)} is part of itself`)
    if (this.walked.has(behavior)) return
    this.walked.add(behavior)
    path.push(behavior)
    if (refresh) behavior.refresh?.()
    const other = bindingsOf.get(behavior)
    if (other !== this) {
      if (other?.uses(behavior) === true)
        throw new TypeError(
          `behavior: this ${typeName(behavior)} works for another SteeringWorld; give each world its own`,
        )
      bindingsOf.set(behavior, this)
    }
    const { neighborSearch } = behavior
    if (neighborSearch !== undefined)
      this.agents.search ??= neighborSearch(this.agents as never) as NeighborIndex
    if (behavior.reachFor !== undefined) requireSearch(behavior)
    if (deriving !== undefined && behavior.reachFor !== undefined) {
      deriving.push(behavior)
      this.derives = true
    }
    const ownReach = behavior.reach
    if (ownReach !== undefined) {
      if (!(typeof ownReach === 'number' && ownReach < Infinity))
        throw new TypeError(`reach: got ${show(ownReach)}, must be a finite number`)
      if (ownReach > 0) requireSearch(behavior)
      if (behavior.reachTo === 'center') this.centerReach = Math.max(this.centerReach, ownReach)
      else this.reach = Math.max(this.reach, ownReach)
    }
    const { children } = behavior
    if (children !== undefined && !Array.isArray(children))
      throw new TypeError(`children: got ${show(children)}, must be an array of behaviours`)
    if (children !== undefined)
      for (let i = 0; i < children.length; i++)
        this.claim(requireBehavior('children', children[i]), refresh, deriving)
    path.pop()
  }

  /** Whether `behavior` is part of any tree in use. */
  private uses(behavior: Behavior): boolean {
    for (const binding of this.list) if (contains(binding.behavior, behavior)) return true
    return false
  }
}

/** @throws TypeError for a behaviour that looks for neighbours without a search for them. */
function requireSearch(behavior: Behavior): void {
  if (typeof behavior.neighborSearch !== 'function')
    throw new TypeError(
      `neighborSearch: got ${show(behavior.neighborSearch)}, must be there where a behaviour has a reach, as in this ${typeName(behavior)}: readonly neighborSearch = neighborSearch, from 'three-steering'`,
    )
}

/**
 * Whether `tree` contains `part`. The set `seen` is needed because a tree may have become part of itself
 * since the last survey.
 */
function contains(tree: Behavior, part: Behavior, seen: Set<Behavior> = new Set()): boolean {
  if (tree === part) return true
  if (seen.has(tree)) return false
  seen.add(tree)
  return tree.children?.some((child) => contains(child, part, seen)) ?? false
}
