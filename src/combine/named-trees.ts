import type { Archive, Behavior, Serializable, Step } from '../types.js'
import { requireBehavior } from '../math/require.js'
import { Memory } from '../control/memory.js'
import { ChangeGate } from './change-gate.js'

/** A name, once known, keeps its number. */
export interface NamedTree<Name> {
  readonly name: Name
  readonly label: string
  /** Null when it was taken away. */
  behavior: Behavior | null
  /** How much of it each agent flies, 0 … 1. */
  readonly share: Memory
  /** The last step in which anybody was in it. */
  tick: number
}

/**
 * Behaviour trees by name, of which one is the current one. What is changed takes effect as in a `PartList`: in a world at the start of the
 * next step, outside of one at once.
 */
export class NamedTrees<Name extends string> implements Serializable {
  readonly map: Map<Name, Behavior>
  /** By number. Names that were taken away stay in the list. */
  readonly entries: NamedTree<Name>[] = []
  /** Number of the current one, as it holds in this step. */
  currentIndex = 0
  /** The last step in which anybody asked. */
  tick = -1
  current: Name
  /** What is to be remembered. */
  readonly state: Serializable[] = [this]
  private readonly owner: string
  private readonly indices = new Map<Name, number>()
  private readonly gate = new ChangeGate()
  private readonly allBehaviors: Behavior[] = []
  private readonly usedBehaviors: Behavior[] = []

  /** `owner` is for messages. @throws TypeError for what is no tree, RangeError for none at all, or an unknown name. */
  constructor(owner: string, trees: Readonly<Record<Name, Behavior>>, initial: Name | undefined) {
    if (typeof trees !== 'object' || trees === null || Array.isArray(trees))
      throw new TypeError(`${owner}: got ${String(trees)}, must be an object of behaviours by name`)
    this.owner = owner
    this.map = new Map(Object.entries(trees) as [Name, Behavior][])
    const [first] = this.map.keys()
    if (first === undefined) throw new RangeError(`${owner}: got no trees, must have one or more`)
    this.current = this.requireName('initial', initial ?? first)
    this.applyChanges()
  }

  /** All trees. */
  get all(): readonly Behavior[] {
    this.allBehaviors.length = 0
    this.map.forEach(this.add)
    return this.allBehaviors
  }

  /** The current one, and those that somebody flew in the last step. Brought up to date by this call. */
  get used(): readonly Behavior[] {
    this.usedBehaviors.length = 0
    this.map.forEach(this.addUsed)
    return this.usedBehaviors
  }

  /** Changes take effect. For the world, before every step. */
  refresh(): void {
    this.gate.open()
    this.applyChanges()
  }

  /** To be called before anything is read. True when changes may just have taken effect. */
  begin(step: Step): boolean {
    const takesEffect = this.gate.isNow(step)
    if (takesEffect) this.applyChanges()
    this.tick = step.tick
    return takesEffect
  }

  /** Undefined for a name that is not there. */
  indexOf(name: Name): number | undefined {
    const number = this.indices.get(name)
    return number === undefined || this.entries[number]!.behavior === null ? undefined : number
  }

  /** @throws TypeError / RangeError for a name that is not there. */
  requireName(label: string, name: Name): Name {
    if (typeof name !== 'string')
      throw new TypeError(`${this.owner}.${label}: got ${String(name)}, must be a name, ${this.names}`)
    if (!this.map.has(name))
      throw new RangeError(`${this.owner}.${label}: got '${name}', must be ${this.names}`)
    return name
  }

  /** For messages. */
  get names(): string {
    return `one of '${[...this.map.keys()].join("', '")}'`
  }

  serialize(archive: Archive): void {
    const { entries, map } = this
    // also those that do not take effect before the next step
    map.forEach(this.enlist)
    const count = archive.number(entries.length)
    const names = Array.from({ length: count }, (_, i) => archive.string(entries[i]?.name ?? '') as Name)
    const used = names.filter((name) => archive.boolean(map.has(name)))
    if (used.length !== map.size || !used.every((name) => map.has(name)))
      throw new RangeError(
        `restore: got ${this.owner} of the trees '${used.join("', '")}', must be as here: ${this.names}`,
      )
    this.renumber(names)
    this.current = archive.string(this.current) as Name
    this.tick = archive.number(this.tick)
    for (const tree of entries) {
      tree.tick = archive.number(tree.tick)
      tree.share.serialize(archive)
    }
  }

  /** Gives numbers in this order, also to names that have gone, by which agents may be known. Those that have come and gone since lose theirs. */
  private renumber(names: readonly Name[]): void {
    const { entries, map, indices } = this
    const known = new Map(entries.map((tree) => [tree.name, tree]))
    entries.length = 0
    indices.clear()
    for (const name of names) {
      indices.set(name, entries.length)
      entries.push(known.get(name) ?? this.make(name, map.get(name) ?? null))
    }
  }

  private make(name: Name, behavior: Behavior | null): NamedTree<Name> {
    return { name, label: `${this.owner}: '${name}'`, behavior, share: new Memory(1), tick: -2 }
  }

  private applyChanges(): void {
    const { entries, map } = this
    map.forEach(this.enlist)
    for (let i = 0; i < entries.length; i++) entries[i]!.behavior = map.get(entries[i]!.name) ?? null
    this.requireName('current', this.current)
    this.currentIndex = this.indices.get(this.current)!
  }

  // for `forEach`: made once, a closure for each step would be litter
  private readonly enlist = (behavior: Behavior, name: Name): void => {
    const { entries, indices } = this
    let number = indices.get(name)
    if (number === undefined) {
      number = entries.length
      entries.push(this.make(name, behavior))
      indices.set(name, number)
    }
    requireBehavior(entries[number]!.label, behavior)
  }
  private readonly add = (behavior: Behavior): void => void this.allBehaviors.push(behavior)
  private readonly addUsed = (behavior: Behavior, name: Name): void => {
    const number = this.indices.get(name)
    const flown = number !== undefined && this.entries[number]!.tick >= this.tick
    if (flown || name === this.current) this.usedBehaviors.push(behavior)
  }
}
