import type { Behavior, Locomotion } from '../types.js'
import { partLists } from '../control/part-lists.js'
import { Hover } from '../locomotion/hover.js'
import { requireBehavior } from '../math/require.js'
import { show, typeName } from '../math/show.js'
import type { Agents, Binding, NeighborIndex } from './agents.js'

/**
 * The world that a behaviour works for, the number of the last walk that came to it, and whether that walk is
 * among its parts. Behaviours keep their memory by slot, so one that has any can serve only one world.
 */
interface Mark {
  owner: Bindings
  walk: number
  isOpen: boolean
}

const marks = new WeakMap<Behavior, Mark>()

/** The bindings of one world: pairs of a root behaviour and a locomotion in use. */
export class Bindings {
  readonly list = new Set<Binding>()
  private readonly byBehavior = new Map<Behavior, Binding[]>()
  /** The part that the present walk is at, and the number of that walk: a shared part is visited once. */
  private part: Behavior | null = null
  private walk = 0
  /** Largest reaches (m) of the tree that was claimed last. */
  private reach = 0
  private centerReach = 0
  /** Group bits that the parts of that tree avoid, and whether a player steers it. */
  private avoids = 0
  private isManual = false
  /** Whether no part of the tree can change but by a change of `partLists`. */
  private isFixed = true
  /** Whether a part of that tree hides neighbours. */
  private hides = false
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
      this.begin()
      this.claim(behavior)
      binding = {
        behavior,
        locomotion,
        pushes: false,
        broken: null,
        reach: 0,
        centerReach: 0,
        deriving: [],
        fixedAt: -1,
        reaching: [],
        batching: [],
        restReach: 0,
        avoids: this.avoids,
        isManual: this.isManual,
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
    agents.avoidedByAll = -1
    for (const binding of this.list) {
      const isKnown = binding.fixedAt === partLists.changes
      this.begin()
      binding.boxTick = -1
      binding.broken = null
      // only the search of a flock asks for it
      if (!isKnown || binding.behavior.batch !== undefined) {
        const { locomotion } = binding
        binding.pushes =
          locomotion.actuate === Hover.prototype.actuate && (locomotion as Hover).attitude === null
      }
      try {
        if (isKnown) this.poll(binding)
        else this.walkTree(binding)
        binding.avoids = this.avoids
        binding.isManual = this.isManual
        binding.reach = this.reach
        binding.centerReach = this.centerReach
      } catch (error) {
        // the walk still is at the part that failed
        binding.broken = this.part ?? binding.behavior
        binding.deriving.length = binding.reaching.length = binding.batching.length = 0
        binding.fixedAt = -1
        report(agents.binding.indexOf(binding), binding.broken, `threw ${show(error)}`)
      }
      agents.avoidedByAll &= binding.avoids
    }
    if (this.derives) agents.search?.deriveReaches(report)
  }

  /** Claims a whole tree, see `claim`. */
  private walkTree(binding: Binding): void {
    binding.deriving.length = binding.reaching.length = binding.batching.length = 0
    this.isFixed = true
    this.hides = false
    this.claim(binding.behavior, binding)
    if (this.hides) binding.batching.length = 0
    binding.fixedAt = this.isFixed ? partLists.changes : -1
  }

  /** Reads what may change in a tree whose parts are the same as in the last step. */
  private poll({ deriving, reaching }: Binding): void {
    for (let i = 0; i < reaching.length; i++) this.noteReach((this.part = reaching[i]!))
    if (deriving.length > 0) this.derives = true
  }

  /** Begins the walk of a tree. */
  private begin(): void {
    this.walk++
    this.part = null
    this.reach = this.centerReach = this.avoids = 0
    this.isManual = false
  }

  /**
   * Claims every part of a tree for this world, and notes its reaches, see `noteReach`. With `binding`,
   * changes in the parts take effect, and the parts are listed that derive their reach from the vehicle.
   */
  private claim(behavior: Behavior, binding?: Binding): void {
    const { part, walk } = this
    let mark = marks.get(behavior)
    if (mark === undefined) marks.set(behavior, (mark = { owner: this, walk: 0, isOpen: false }))
    if (mark.owner === this && mark.walk === walk) {
      if (mark.isOpen) throw new TypeError(`behavior: this ${typeName(behavior)} is part of itself`)
      return
    }
    this.part = behavior
    if (binding !== undefined) behavior.refresh?.()
    if (mark.owner !== this && !isShareable(behavior) && mark.owner.uses(behavior))
      throw new TypeError(
        `behavior: this ${typeName(behavior)} works for another SteeringWorld; give each world its own`,
      )
    mark.owner = this
    mark.walk = walk
    mark.isOpen = true
    const { neighborSearch } = behavior
    if (neighborSearch !== undefined)
      this.agents.search = neighborSearch(this.agents as never) as NeighborIndex
    if (behavior.reachFor !== undefined) requireSearch(behavior)
    if (binding !== undefined && behavior.reachFor !== undefined) {
      binding.deriving.push(behavior)
      this.derives = true
    }
    if ('reach' in behavior || 'avoids' in behavior || 'isManual' in behavior) {
      binding?.reaching.push(behavior)
      this.noteReach(behavior)
    }
    if (behavior.batch !== undefined) binding?.batching.push(behavior)
    if (behavior.hidesNeighbors === true) this.hides = true
    const { fixedChildren } = behavior
    const children = fixedChildren ?? behavior.children
    if (children !== undefined && !Array.isArray(children))
      throw new TypeError(`children: got ${show(children)}, must be an array of behaviours`)
    if ((fixedChildren ?? null) === null && (children !== undefined || !isOfTable(behavior)))
      this.isFixed = false
    if (children !== undefined)
      for (let i = 0; i < children.length; i++) this.claim(requireBehavior('children', children[i]), binding)
    mark.isOpen = false
    this.part = part
  }

  /** Raises `reach` and `centerReach` to those of a part, and adds what it avoids. */
  private noteReach(behavior: Behavior): void {
    this.avoids |= behavior.avoids ?? 0
    if (behavior.isManual === true) this.isManual = true
    const ownReach = behavior.reach
    if (ownReach === undefined) return
    if (!(typeof ownReach === 'number' && ownReach < Infinity))
      throw new TypeError(`reach: got ${show(ownReach)}, must be a finite number`)
    if (ownReach > 0) requireSearch(behavior)
    if (behavior.reachTo === 'center') this.centerReach = Math.max(this.centerReach, ownReach)
    else this.reach = Math.max(this.reach, ownReach)
  }

  private uses(behavior: Behavior): boolean {
    for (const binding of this.list) if (contains(binding.behavior, behavior)) return true
    return false
  }
}

/**
 * Whether a part without children is of a class with an option table, which gets none later, and takes no
 * changes by `refresh`. Parts of other code are asked in each step.
 */
function isOfTable(part: Behavior): boolean {
  return part.refresh === undefined && (part.constructor as { options?: object }).options !== undefined
}

/**
 * Whether several worlds may use a behaviour at once: it has no state, no parts, and nothing that it finds
 * out for a whole step.
 */
function isShareable(part: Behavior): boolean {
  return (
    part.state === undefined &&
    part.children === undefined &&
    part.neighborSearch === undefined &&
    part.refresh === undefined
  )
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
