import type { Behavior, Locomotion } from '../types.js'
import { sightOf, type Agents, type Brain } from './agents.js'
import { typeName } from '../math/type-name.js'

/** Whose world a behaviour works for: its memory is kept by slot, so it can serve only one. */
const owner = new WeakMap<Behavior, Brains>()

/** The brains of one world: pairs of root behaviour and locomotion in use. */
export class Brains {
  private readonly list = new Set<Brain>()
  private readonly byBehavior = new Map<Behavior, Brain[]>()
  /** From the root to the part at hand. */
  private readonly path: Behavior[] = []

  /** @throws TypeError when a part of `behavior` works for another world, or is part of itself. */
  take(behavior: Behavior, locomotion: Locomotion): Brain {
    const same = this.byBehavior.get(behavior) ?? []
    let brain = same.find((each) => each.locomotion === locomotion)
    if (brain === undefined) {
      this.path.length = 0
      this.claim(behavior, 0, false)
      brain = { behavior, locomotion, reach: 0, box: new Float64Array(6), boxTick: -1, count: 0 }
      this.list.add(brain)
      this.byBehavior.set(behavior, [...same, brain])
    }
    brain.count++
    return brain
  }

  /** How far a pair that is in use looks, m; 0 for one that is not. */
  reachOf({ behavior, locomotion }: Pick<Brain, 'behavior' | 'locomotion'>): number {
    const pairs = this.byBehavior.get(behavior) ?? []
    return pairs.find((each) => each.locomotion === locomotion)?.reach ?? 0
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
   * @returns how far those who look around are likely to look, on average, m; 0 when none does.
   * @throws TypeError when a part that was added works for another world, or is part of itself.
   */
  survey(agents: Agents): number {
    for (const brain of this.list) {
      this.path.length = 0
      const reach = this.claim(brain.behavior, 0, true)
      if (reach !== brain.reach) agents.version++
      brain.reach = reach
      brain.boxTick = -1
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

  /** Marks every part of a tree as this world's and returns its largest reach. `anew`: lets changes in it take effect. */
  private claim(behavior: Behavior, reach: number, anew: boolean): number {
    const { path } = this
    if (path.includes(behavior)) throw new TypeError(`behavior: this ${typeName(behavior)} is part of itself`)
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
    const own = behavior.reach
    let widest = own !== undefined && own > reach ? own : reach
    const { children } = behavior
    if (children !== undefined)
      for (let i = 0; i < children.length; i++) widest = this.claim(children[i]!, widest, anew)
    path.pop()
    return widest
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
