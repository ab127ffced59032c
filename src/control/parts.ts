import type { Step } from '../types.js'
import type { Part, PartRules } from './part-rules.js'
import { Moment } from './moment.js'
import { requireList } from '../math/require.js'

/**
 * The parts of a combination, in order. They may be added, removed, reordered, switched and given another number at any time, also from
 * callbacks while agents think: in a world that takes effect at the start of the next step, for all agents at once, so that nothing hangs on
 * who thinks first, and none is asked before the world knows how far it looks; outside of a world it takes effect at once.
 */
export class PartList<P extends Part, G extends Part = P> {
  /** The behaviours that take part now, and the number of each. To be read after `begin`. */
  readonly active: P['behavior'][] = []
  readonly shares: number[] = []
  private readonly rules: PartRules<P, G>
  private readonly list: P[]
  private readonly mirror: P['behavior'][] = []
  /** What `mirror` was given: where it differs now, somebody has edited it. */
  private readonly seen: P['behavior'][] = []
  private readonly moment = new Moment()

  constructor(given: readonly (P['behavior'] | G)[], rules: PartRules<P, G>) {
    requireList(rules.name, given)
    this.rules = rules
    this.list = given.map((each) => rules.part(each))
    this.take()
  }

  /** All parts, those that are switched off as well. Live: to be edited. */
  get parts(): P[] {
    this.sync()
    return this.list
  }

  /** The behaviours of the parts that are switched on. May be edited, too: a behaviour that is new in it becomes a part, one that is gone is none. */
  get behaviors(): P['behavior'][] {
    this.sync()
    for (let i = 0; i < this.mirror.length; i++) this.rules.check(this.mirror[i]!)
    return this.mirror
  }

  /** Changes take effect. For the world, before every step. */
  refresh(): void {
    this.moment.tell()
    this.take()
  }

  /** To be called before `active` is read. True when changes may just have taken effect. */
  begin(step: Step): boolean {
    const now = this.moment.isNow(step)
    if (now) this.take()
    return now
  }

  private take(): void {
    this.sync()
    const { active, list, shares } = this
    const { check, share } = this.rules
    let count = 0
    for (let i = 0; i < list.length; i++) {
      const part = list[i]!
      if (part.enabled === false) continue
      check(part.behavior)
      active[count] = part.behavior
      shares[count++] = share === undefined ? 1 : share(part)
    }
    active.length = shares.length = count
  }

  /** Brings list and mirror together. */
  private sync(): void {
    const { list, mirror, seen } = this
    if (this.isEdited()) this.adopt()
    let count = 0
    for (let i = 0; i < list.length; i++) {
      const { behavior, enabled } = list[i]!
      if (enabled === false) continue
      mirror[count] = seen[count] = behavior
      count++
    }
    mirror.length = seen.length = count
  }

  private isEdited(): boolean {
    const { mirror, seen } = this
    if (mirror.length !== seen.length) return true
    for (let i = 0; i < mirror.length; i++) if (mirror[i] !== seen[i]) return true
    return false
  }

  /**
   * Makes the list what the mirror was edited to. What was added is switched on; what is off and was not named comes last: the mirror does
   * not tell where it belongs.
   */
  private adopt(): void {
    const { list, mirror, rules, seen } = this
    const old = list.splice(0)
    for (const behavior of mirror) {
      const at = old.findIndex((part) => part.behavior === behavior)
      const part = at < 0 ? rules.part(behavior) : old.splice(at, 1)[0]!
      if (!seen.includes(behavior)) part.enabled = true
      list.push(part)
    }
    list.push(...old.filter(({ enabled }) => enabled === false))
  }
}
