import type { AgentInSlot, Archive, Behavior, Serializable, Step } from '../types.js'
import { requireBehavior, refuse } from '../math/require.js'
import { Memory } from '../control/memory.js'
import { serializeRow } from '../control/memory-row.js'
import { ChangeGate } from './change-gate.js'

/** A behaviour tree and its name. Once known, a name keeps its index. */
export interface TreeEntry<Name> {
  readonly name: Name
  readonly label: string
  /** Null if it was removed. */
  behavior: Behavior | null
  /** Share of this tree in the motion of each agent, 0…1. */
  readonly share: Memory
  /** The last step in which an agent used it. */
  tick: number
}

/**
 * Behaviour trees by name, one of which is the current one. Changes take effect as in a `PartList`: in a
 * world at the start of the next step, outside of one immediately.
 */
export class NamedTrees<Name extends string> implements Serializable {
  readonly map: Map<Name, Behavior>
  /** All entries by index. Removed names stay in the list. */
  readonly entries: TreeEntry<Name>[] = []
  /** Index of the current tree, as it is in effect in this step. */
  currentIndex = 0
  /** The last step in which an agent was steered. */
  tick = -1
  current: Name
  readonly state: Serializable[] = [this]
  private readonly owner: string
  private readonly indices = new Map<Name, number>()
  private readonly gate = new ChangeGate()
  private readonly allBehaviors: Behavior[] = []
  private readonly usedBehaviors: Behavior[] = []

  /**
   * `owner` names the combination in error messages. @throws TypeError if `trees` is no object or a value
   * is no behaviour, RangeError for no trees or an unknown name.
   */
  constructor(owner: string, trees: Readonly<Record<Name, Behavior>>, initial: Name | undefined) {
    if (typeof trees !== 'object' || trees === null || Array.isArray(trees))
      refuse(`${owner}.trees`, trees, 'must be an object of behaviours by name')
    this.owner = owner
    this.map = new Map(Object.entries(trees) as [Name, Behavior][])
    const [first] = this.map.keys()
    if (first === undefined) throw new RangeError(`${owner}.trees: got none, must have one or more`)
    this.current = this.requireName('initial', initial ?? first)
    this.applyChanges()
  }

  get all(): readonly Behavior[] {
    this.allBehaviors.length = 0
    this.map.forEach(this.add)
    return this.allBehaviors
  }

  /** The current tree, and the trees that an agent used in the last step. Read from `map` by this call. */
  get used(): readonly Behavior[] {
    this.usedBehaviors.length = 0
    this.map.forEach(this.addUsed)
    return this.usedBehaviors
  }

  /** Makes changes take effect. Called by the world before every step. */
  refresh(): void {
    this.gate.open()
    this.applyChanges()
  }

  /** Called before other members are read. True if changes may just have taken effect. */
  begin(step: Step): boolean {
    const takesEffect = this.gate.isNow(step)
    if (takesEffect) this.applyChanges()
    this.tick = step.tick
    return takesEffect
  }

  /** Index of a name; undefined if there is no tree of that name. */
  indexOf(name: Name): number | undefined {
    const number = this.indices.get(name)
    return number === undefined || this.entries[number]!.behavior === null ? undefined : number
  }

  /** Returns the name. @throws TypeError / RangeError if there is no tree of that name. */
  requireName(label: string, name: Name): Name {
    if (typeof name !== 'string') refuse(`${this.owner}.${label}`, name, `must be a name, ${this.names}`)
    if (!this.map.has(name))
      throw new RangeError(`${this.owner}.${label}: got '${name}', must be ${this.names}`)
    return name
  }

  /** All names, for error messages. */
  get names(): string {
    return `one of '${[...this.map.keys()].join("', '")}'`
  }

  serialize(archive: Archive): void {
    const { entries, map } = this
    // include trees that take effect only in the next step
    map.forEach(this.enlist)
    const count = archive.number(entries.length)
    const names = Array.from({ length: count }, (_, i) => archive.string(entries[i]?.name ?? '') as Name)
    const used = names.filter((name) => archive.boolean(map.has(name)))
    if (used.length !== map.size || !used.every((name) => map.has(name)))
      throw new RangeError(
        `restoreSnapshot: got ${this.owner} of the trees '${used.join("', '")}', must be as here: ${this.names}`,
      )
    this.renumber(names)
    this.current = archive.string(this.current) as Name
    this.tick = archive.number(this.tick)
    for (const tree of entries) {
      tree.tick = archive.number(tree.tick)
      tree.share.serialize(archive)
    }
  }

  /** The agent's shares of the trees. Its memory names them by index: they must have the same order. */
  serializeAgent(archive: Archive, agent: AgentInSlot): void {
    this.map.forEach(this.enlist)
    const here = this.entries.map(({ name }) => name).join("', '")
    const there = archive.string(here)
    if (there !== here)
      throw new RangeError(
        `importAgent: got ${this.owner} of the trees '${there}', must be '${here}', as here`,
      )
    for (const tree of this.entries) {
      // a tree that the agent is leaving is in use
      tree.tick = Math.max(tree.tick, archive.number(tree.tick))
      serializeRow(archive, tree.share, agent)
    }
  }

  /**
   * Assigns indices in this order, also to removed names, which agents may still refer to. Names that were
   * added and removed since lose their index.
   */
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

  private make(name: Name, behavior: Behavior | null): TreeEntry<Name> {
    return { name, label: `${this.owner}.trees.${name}`, behavior, share: new Memory(1), tick: -2 }
  }

  private applyChanges(): void {
    const { entries, map } = this
    map.forEach(this.enlist)
    for (let i = 0; i < entries.length; i++) entries[i]!.behavior = map.get(entries[i]!.name) ?? null
    this.requireName('current', this.current)
    this.currentIndex = this.indices.get(this.current)!
  }

  // callbacks of `forEach`, made once: a closure in each step would allocate
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
    const isUsed = number !== undefined && this.entries[number]!.tick >= this.tick
    if (isUsed || name === this.current) this.usedBehaviors.push(behavior)
  }
}
