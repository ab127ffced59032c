import type { Archive, Behavior, Serializable, Step } from '../types.js'
import { requireBehavior } from '../math/require.js'
import { Memory } from '../control/memory.js'
import { ChangeGate } from './change-gate.js'

/** A name, once known, keeps its number. */
export interface NamedTree<Name> {
  readonly name: Name
  readonly what: string
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
  readonly list: NamedTree<Name>[] = []
  /** Number of the current one, as it holds in this step. */
  now = 0
  /** The last step in which anybody asked. */
  tick = -1
  current: Name
  /** What is to be remembered. */
  readonly state: Serializable[] = [this]
  private readonly owner: string
  private readonly numbers = new Map<Name, number>()
  private readonly moment = new ChangeGate()
  private readonly every: Behavior[] = []
  private readonly some: Behavior[] = []

  /** `owner` is for messages. @throws TypeError for what is no tree, RangeError for none at all, or an unknown name. */
  constructor(owner: string, trees: Readonly<Record<Name, Behavior>>, initial: Name | undefined) {
    if (typeof trees !== 'object' || trees === null || Array.isArray(trees))
      throw new TypeError(`${owner}: got ${String(trees)}, must be an object of behaviours by name`)
    this.owner = owner
    this.map = new Map(Object.entries(trees) as [Name, Behavior][])
    const [first] = this.map.keys()
    if (first === undefined) throw new RangeError(`${owner}: got no trees, must have one or more`)
    this.current = this.known('initial', initial ?? first)
    this.take()
  }

  /** All trees. */
  get all(): readonly Behavior[] {
    this.every.length = 0
    this.map.forEach(this.add)
    return this.every
  }

  /** The current one, and those that somebody flew in the last step. Brought up to date by this call. */
  get used(): readonly Behavior[] {
    this.some.length = 0
    this.map.forEach(this.addUsed)
    return this.some
  }

  /** Changes take effect. For the world, before every step. */
  refresh(): void {
    this.moment.open()
    this.take()
  }

  /** To be called before anything is read. True when changes may just have taken effect. */
  begin(step: Step): boolean {
    const now = this.moment.isNow(step)
    if (now) this.take()
    this.tick = step.tick
    return now
  }

  /** Undefined for a name that is not there. */
  numberOf(name: Name): number | undefined {
    const number = this.numbers.get(name)
    return number === undefined || this.list[number]!.behavior === null ? undefined : number
  }

  /** @throws TypeError / RangeError for a name that is not there. */
  known(what: string, name: Name): Name {
    if (typeof name !== 'string')
      throw new TypeError(`${this.owner}.${what}: got ${String(name)}, must be a name, ${this.names}`)
    if (!this.map.has(name))
      throw new RangeError(`${this.owner}.${what}: got '${name}', must be ${this.names}`)
    return name
  }

  /** For messages. */
  get names(): string {
    return `one of '${[...this.map.keys()].join("', '")}'`
  }

  serialize(archive: Archive): void {
    const { list, map } = this
    // also those that do not take effect before the next step
    map.forEach(this.enlist)
    const count = archive.number(list.length)
    const names = Array.from({ length: count }, (_, i) => archive.string(list[i]?.name ?? '') as Name)
    const used = names.filter((name) => archive.boolean(map.has(name)))
    if (used.length !== map.size || !used.every((name) => map.has(name)))
      throw new RangeError(
        `restore: got ${this.owner} of the trees '${used.join("', '")}', must be as here: ${this.names}`,
      )
    this.number(names)
    this.current = archive.string(this.current) as Name
    this.tick = archive.number(this.tick)
    for (const tree of list) {
      tree.tick = archive.number(tree.tick)
      tree.share.serialize(archive)
    }
  }

  /** Gives numbers in this order, also to names that have gone, by which agents may be known. Those that have come and gone since lose theirs. */
  private number(names: readonly Name[]): void {
    const { list, map, numbers } = this
    const known = new Map(list.map((tree) => [tree.name, tree]))
    list.length = 0
    numbers.clear()
    for (const name of names) {
      numbers.set(name, list.length)
      list.push(known.get(name) ?? this.make(name, map.get(name) ?? null))
    }
  }

  private make(name: Name, behavior: Behavior | null): NamedTree<Name> {
    return { name, what: `${this.owner}: '${name}'`, behavior, share: new Memory(1), tick: -2 }
  }

  private take(): void {
    const { list, map } = this
    map.forEach(this.enlist)
    for (let i = 0; i < list.length; i++) list[i]!.behavior = map.get(list[i]!.name) ?? null
    this.known('current', this.current)
    this.now = this.numbers.get(this.current)!
  }

  // for `forEach`: made once, a closure for each step would be litter
  private readonly enlist = (behavior: Behavior, name: Name): void => {
    const { list, numbers } = this
    let number = numbers.get(name)
    if (number === undefined) {
      number = list.length
      list.push(this.make(name, behavior))
      numbers.set(name, number)
    }
    requireBehavior(list[number]!.what, behavior)
  }
  private readonly add = (behavior: Behavior): void => void this.every.push(behavior)
  private readonly addUsed = (behavior: Behavior, name: Name): void => {
    const number = this.numbers.get(name)
    const flown = number !== undefined && this.list[number]!.tick >= this.tick
    if (flown || name === this.current) this.some.push(behavior)
  }
}
