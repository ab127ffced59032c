import type { Behavior, Locomotion } from '../types.js'
import { requireBehavior } from '../math/require.js'
import { show } from '../math/show.js'
import type { Agents, Brain } from './agents.js'
import { reachForEach } from './reach-for.js'
import { sightOf } from './sight.js'
import { typeName } from '../math/type-name.js'

/** Whose world a behaviour works for: its memory is kept by slot, so it can serve only one. */
const owner = new WeakMap<Behavior, Brains>()

/** The brains of one world: pairs of root behaviour and locomotion in use. */
export class Brains {
  private readonly list = new Set<Brain>()
  private readonly byBehavior = new Map<Behavior, Brain[]>()
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
  take(behavior: Behavior, locomotion: Locomotion): Brain {
    const same = this.byBehavior.get(behavior) ?? []
    let brain = same.find((each) => each.locomotion === locomotion)
    if (brain === undefined) {
      this.path.length = 0
      this.walked.clear()
      this.claim(behavior, false)
      brain = {
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
      this.list.add(brain)
      this.byBehavior.set(behavior, [...same, brain])
    }
    brain.count++
    return brain
  }

  /** The pair, when it is in use. */
  find({ behavior, locomotion }: Pick<Brain, 'behavior' | 'locomotion'>): Brain | undefined {
    return this.byBehavior.get(behavior)?.find((each) => each.locomotion === locomotion)
  }

  /** Gives one use back; after the last one the behaviours may work for another world. */
  drop(brain: Brain): void {
    if (--brain.count > 0) return
    this.list.delete(brain)
    const rest = this.byBehavior.get(brain.behavior)!.filter((each) => each !== brain)
    if (rest.length > 0) this.byBehavior.set(brain.behavior, rest)
    else this.byBehavior.delete(brain.behavior)
  }

  /**
   * Asks every brain how far it wants to see. Done once per step, so parts may be added and their radii changed at any time; this is
   * when such changes take effect.
   * A tree that cannot be asked, as when a part throws, works for another world, or is part of itself, is `broken` in this step, and goes on looking
   * as far as before: its agents have no will, and nobody else notices.
   * @returns how far those who look around are likely to look, on average, m; 0 when none does.
   */
  survey(agents: Agents, report: (row: number, part: Behavior, message: string) => void): number {
    this.derives = false
    for (const brain of this.list) {
      this.path.length = 0
      this.walked.clear()
      brain.deriving.length = 0
      brain.boxTick = -1
      brain.broken = null
      try {
        this.reach = this.centerReach = 0
        this.claim(brain.behavior, true, brain.deriving)
        brain.asked = this.reach
        if (this.centerReach !== brain.centerReach) agents.version++
        brain.centerReach = this.centerReach
      } catch (error) {
        // nobody has left the path since
        brain.broken = this.path[this.path.length - 1] ?? brain.behavior
        brain.asked = brain.reach
        brain.deriving.length = 0
        report(agents.brain.indexOf(brain), brain.broken, `threw ${show(error)}`)
      }
    }
    if (this.derives) reachForEach(agents, report)
    for (const brain of this.list) {
      if (brain.asked !== brain.reach) agents.version++
      brain.reach = brain.asked
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
  private claim(behavior: Behavior, anew: boolean, deriving?: Behavior[]): void {
    const { path } = this
    if (path.includes(behavior)) throw new TypeError(`behavior: this ${typeName(behavior)} is part of itself`)
    if (this.walked.has(behavior)) return
    this.walked.add(behavior)
    path.push(behavior)
    if (anew) behavior.refresh?.()
    const other = owner.get(behavior)
    if (other !== this) {
      if (other?.uses(behavior) === true)
        throw new TypeError(
          `behavior: this ${typeName(behavior)} works for another SteeringWorld; give each world its own`,
        )
      owner.set(behavior, this)
    }
    if (deriving !== undefined && behavior.reachFor !== undefined) {
      deriving.push(behavior)
      this.derives = true
    }
    const own = behavior.reach
    if (own !== undefined) {
      if (!(typeof own === 'number' && own < Infinity))
        throw new TypeError(`reach: got ${show(own)}, must be a finite number`)
      if (behavior.reachTo === 'center') this.centerReach = Math.max(this.centerReach, own)
      else this.reach = Math.max(this.reach, own)
    }
    const { children } = behavior
    if (children !== undefined && !Array.isArray(children))
      throw new TypeError(`children: got ${show(children)}, must be an array of behaviours`)
    if (children !== undefined)
      for (let i = 0; i < children.length; i++)
        this.claim(requireBehavior('children', children[i]), anew, deriving)
    path.pop()
  }

  /** Whether `behavior` is part of any tree in use. */
  private uses(behavior: Behavior): boolean {
    for (const brain of this.list) if (contains(brain.behavior, behavior)) return true
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
