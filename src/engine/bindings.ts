import type { Behavior, Locomotion } from '../types.js'
import { requireBehavior } from '../math/require.js'
import { show } from '../math/show.js'
import type { Agents, Binding } from './agents.js'
import { reachForEach } from './reach-for.js'
import { sightOf } from './sight.js'
import { typeName } from '../math/type-name.js'

/** Whose world a behaviour works for: its memory is kept by slot, so it can serve only one. */
const bindingsOf = new WeakMap<Behavior, Bindings>()

/** The bindings of one world: pairs of root behaviour and locomotion in use. */
export class Bindings {
  private readonly list = new Set<Binding>()
  private readonly byBehavior = new Map<Behavior, Binding[]>()
  /** From the root to the part at hand. */
  private readonly path: Behavior[] = []
  /** Parts that this walk has been to: one that is shared is looked at once. */
  private readonly walked = new Set<Behavior>()
  /** Largest reaches of the tree that was claimed last, m. */
  private reach = 0
  private centerReach = 0
  /** Whether any part derives its reach from the vehicle. */
  private derives = false

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
        broken: null,
        reach: 0,
        centerReach: 0,
        asked: 0,
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

  /** The pair, when it is in use. */
  find({ behavior, locomotion }: Pick<Binding, 'behavior' | 'locomotion'>): Binding | undefined {
    return this.byBehavior.get(behavior)?.find((each) => each.locomotion === locomotion)
  }

  /** Gives one use back; after the last one the behaviours may work for another world. */
  drop(binding: Binding): void {
    if (--binding.count > 0) return
    this.list.delete(binding)
    const rest = this.byBehavior.get(binding.behavior)!.filter((each) => each !== binding)
    if (rest.length > 0) this.byBehavior.set(binding.behavior, rest)
    else this.byBehavior.delete(binding.behavior)
  }

  /**
   * Asks every binding how far it wants to see. Done once per step, so parts may be added and their radii changed at any time; this is
   * when such changes take effect.
   * A tree that cannot be asked, as when a part throws, works for another world, or is part of itself, is `broken` in this step, and goes on looking
   * as far as before: its agents have no will, and nobody else notices.
   * @returns how far those who look around are likely to look, on average, m; 0 when none does.
   */
  survey(agents: Agents, report: (row: number, part: Behavior, message: string) => void): number {
    this.derives = false
    for (const binding of this.list) {
      this.path.length = 0
      this.walked.clear()
      binding.deriving.length = 0
      binding.boxTick = -1
      binding.broken = null
      try {
        this.reach = this.centerReach = 0
        this.claim(binding.behavior, true, binding.deriving)
        binding.asked = this.reach
        if (this.centerReach !== binding.centerReach) agents.version++
        binding.centerReach = this.centerReach
      } catch (error) {
        // nobody has left the path since
        binding.broken = this.path[this.path.length - 1] ?? binding.behavior
        binding.asked = binding.reach
        binding.deriving.length = 0
        report(agents.binding.indexOf(binding), binding.broken, `threw ${show(error)}`)
      }
    }
    if (this.derives) reachForEach(agents, report)
    for (const binding of this.list) {
      if (binding.asked !== binding.reach) agents.version++
      binding.reach = binding.asked
    }
    let sum = 0
    let count = 0
    for (let row = 0; row < agents.count; row++) {
      const sight = sightOf(agents, row)
      sum += sight
      if (sight > 0) count++
    }
    return count > 0 ? sum / count : 0
  }

  /**
   * Marks every part of a tree as this world's, raises `reach` and `centerReach` to its own, and lists in `deriving` those that derive theirs. `anew`: lets
   * changes in it take effect.
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
    if (deriving !== undefined && behavior.reachFor !== undefined) {
      deriving.push(behavior)
      this.derives = true
    }
    const ownReach = behavior.reach
    if (ownReach !== undefined) {
      if (!(typeof ownReach === 'number' && ownReach < Infinity))
        throw new TypeError(`reach: got ${show(ownReach)}, must be a finite number`)
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

/** `seen`: a tree may have become part of itself since its world has looked. */
function contains(tree: Behavior, part: Behavior, seen: Set<Behavior> = new Set()): boolean {
  if (tree === part) return true
  if (seen.has(tree)) return false
  seen.add(tree)
  return tree.children?.some((child) => contains(child, part, seen)) ?? false
}
