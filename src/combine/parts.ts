import type { Archive, Serializable, Step } from '../types.js'
import type { Part, PartRules } from './part-rules.js'
import { ChangeGate } from './change-gate.js'
import { requireList } from '../math/require.js'

/**
 * The parts of a combination, in order. They may be added, removed, reordered, switched and given another number at any time, also from
 * callbacks while agents think: in a world that takes effect at the start of the next step, for all agents at once, so that nothing hangs on
 * who thinks first, and none is asked before the world knows how far it looks; outside of a world it takes effect at once.
 */
export class PartList<P extends Part, G extends Part = P> implements Serializable {
  /** The behaviours that take part now, and the number of each. To be read after `begin`. */
  readonly active: P['behavior'][] = []
  readonly shares: number[] = []
  /** Of which parts they are. */
  private readonly activeParts: P[] = []
  /** The numbers of parts that can go over to others: also of those that do not, so that a time given later starts from what holds then. */
  private readonly fades = new Map<P, Fade>()
  private isFading = false
  private isConstructed = false
  private readonly rules: PartRules<P, G>
  private readonly list: P[]
  private readonly mirror: P['behavior'][] = []
  /** What `mirror` was given: where it differs now, somebody has edited it. */
  private readonly lastMirror: P['behavior'][] = []
  private readonly gate = new ChangeGate()

  constructor(given: readonly (P['behavior'] | G)[], rules: PartRules<P, G>) {
    requireList(rules.name, given)
    this.rules = rules
    this.list = given.map((each) => rules.part(each))
    this.applyChanges()
    this.isConstructed = true
  }

  /** All parts, those that are switched off as well. Live: to be edited. */
  get parts(): P[] {
    this.sync()
    return this.list
  }

  /** The behaviours of the parts that are switched on, or still fade out. May be edited, too: a behaviour that is new in it becomes a part, one that is gone is none. */
  get behaviors(): P['behavior'][] {
    this.sync()
    for (let i = 0; i < this.mirror.length; i++) this.rules.check(this.mirror[i]!)
    return this.mirror
  }

  /** The behaviours of all parts, those that are switched off as well. */
  get all(): P['behavior'][] {
    return this.parts.map(({ behavior }) => behavior)
  }

  /** Which parts are switched on, their numbers, and how these go over to others. */
  serialize(archive: Archive): void {
    const { fades } = this
    for (const part of this.parts) {
      const enabled = archive.boolean(part.enabled !== false)
      if (enabled !== (part.enabled !== false)) part.enabled = enabled
      this.rules.serialize?.(part, archive)
      if (archive.boolean(fades.has(part))) {
        const fade = fades.get(part) ?? new Fade(0)
        fades.set(part, fade)
        fade.serialize(archive)
      } else fades.delete(part)
    }
    this.sync()
  }

  /** Changes take effect. For the world, before every step. */
  refresh(): void {
    this.gate.open()
    this.applyChanges()
  }

  /** To be called before `active` is read. True when changes may just have taken effect. */
  begin(step: Step): boolean {
    const now = this.gate.isNow(step)
    if (now) this.applyChanges()
    if (this.isFading) this.fade(step)
    return now
  }

  private applyChanges(): void {
    this.sync()
    const { activeParts, active, list, shares } = this
    const { check, share } = this.rules
    this.isFading = false
    let count = 0
    for (let i = 0; i < list.length; i++) {
      const part = list[i]!
      if (!part) check(part)
      const number = this.updateFade(part, share === undefined ? 1 : share(part))
      if (!this.isActive(part)) continue
      check(part.behavior)
      activeParts[count] = part
      active[count] = part.behavior
      shares[count++] = number
    }
    activeParts.length = active.length = shares.length = count
    if (this.fades.size > list.length) this.dropRemovedFades()
  }

  /** What is no longer in the list comes in from nothing when it is added again. */
  private dropRemovedFades(): void {
    for (const part of this.fades.keys()) if (!this.list.includes(part)) this.fades.delete(part)
  }

  /** Lets the number of a part go to `to`, or to nothing where it is switched off. Returns the one that holds now. */
  private updateFade(part: P, to: number): number {
    const { fades } = this
    if (this.rules.fade === undefined) return to
    const isGradual = this.fadeTimeOf(part) > 0
    const target = part.enabled === false ? 0 : to
    let fade = fades.get(part)
    if (fade === undefined) fades.set(part, (fade = new Fade(this.isConstructed && isGradual ? 0 : target)))
    if (isGradual) fade.retarget(target)
    else fade.jump(target)
    if (fade.isMoving) this.isFading = true
    return fade.value
  }

  /** Moves on all numbers that go over to others. */
  private fade({ time }: Step): void {
    const { activeParts, fades, shares } = this
    this.isFading = false
    for (let i = 0; i < activeParts.length; i++) {
      const fade = fades.get(activeParts[i]!)
      if (fade === undefined) continue
      shares[i] = fade.advance(time, this.fadeTimeOf(activeParts[i]!))
      if (fade.isMoving) this.isFading = true
    }
  }

  private fadeTimeOf(part: P): number {
    return this.rules.fade === undefined ? 0 : this.rules.fade(part)
  }

  /** Whether it takes part: it is switched on, or not yet faded out. */
  private isActive(part: P): boolean {
    if (part.enabled !== false) return true
    const fade = this.fadeTimeOf(part) > 0 ? this.fades.get(part) : undefined
    return fade !== undefined && (fade.isMoving || fade.value !== 0)
  }

  /** Brings list and mirror together. */
  private sync(): void {
    const { list, mirror, lastMirror } = this
    if (this.isEdited()) this.adoptEdits()
    let count = 0
    for (let i = 0; i < list.length; i++) {
      const part = list[i]
      // what is no part at all is told of when it is to take effect
      if (!part || !this.isActive(part)) continue
      mirror[count] = lastMirror[count] = part.behavior
      count++
    }
    mirror.length = lastMirror.length = count
  }

  private isEdited(): boolean {
    const { mirror, lastMirror } = this
    if (mirror.length !== lastMirror.length) return true
    for (let i = 0; i < mirror.length; i++) if (mirror[i] !== lastMirror[i]) return true
    return false
  }

  /**
   * Makes the list what the mirror was edited to. What was added is switched on; what is off and was not named comes last: the mirror does
   * not tell where it belongs.
   */
  private adoptEdits(): void {
    const { list, mirror, rules, lastMirror } = this
    const old = list.splice(0)
    for (const behavior of mirror) {
      const at = old.findIndex((part) => part.behavior === behavior)
      const part = at < 0 ? rules.part(behavior) : old.splice(at, 1)[0]!
      if (!lastMirror.includes(behavior)) part.enabled = true
      list.push(part)
    }
    list.push(...old.filter(({ enabled }) => enabled === false))
  }
}

/** Writes the elements of two lists into `out`, one list after the other, and returns it. */
export function concatInto<T>(out: T[], first: readonly T[], second: readonly T[]): readonly T[] {
  out.length = 0
  for (let i = 0; i < first.length; i++) out.push(first[i]!)
  for (let i = 0; i < second.length; i++) out.push(second[i]!)
  return out
}

/** A number that goes to another in a given time instead of jumping there. */
class Fade implements Serializable {
  /** The number now. */
  value: number
  private from: number
  private to: number
  private startTime = 0
  /** The time that the whole way takes, s. */
  private duration = Infinity
  /** Where it is to go instead, and whether that is news: nobody knows since when. */
  private nextTarget: number
  private isRetargeted = false

  constructor(value: number) {
    this.value = this.from = this.to = this.nextTarget = value
  }

  serialize(archive: Archive): void {
    for (const name of ['value', 'from', 'to', 'nextTarget', 'startTime', 'duration'] as const)
      this[name] = archive.number(this[name])
    this.isRetargeted = archive.boolean(this.isRetargeted)
  }

  /** It is `to` at once. */
  jump(to: number): void {
    this.value = this.from = this.to = this.nextTarget = to
    this.isRetargeted = false
  }

  /** Lets it go to `to` from now on. */
  retarget(to: number): void {
    if (Object.is(to, this.nextTarget)) return
    // from what is not finite there is no way
    if (!Number.isFinite(this.value) || !Number.isFinite(to)) this.jump(to)
    else {
      this.nextTarget = to
      this.isRetargeted = true
    }
  }

  /** Whether it has still to go. */
  get isMoving(): boolean {
    return this.isRetargeted || !Object.is(this.value, this.to)
  }

  /**
   * Where it is at `time` (s), when the whole way takes `duration` (s, > 0). Given another duration it goes on from where it is, at another pace;
   * in another world, whose time is an earlier one, it sets out anew from there.
   */
  advance(time: number, duration: number): number {
    const { startTime } = this
    const previous = this.duration
    if (this.isRetargeted) {
      // on the old way until now: else who is told of another end at every step would never set out
      if (time >= startTime) this.value = this.interpolate((time - startTime) / previous)
      this.from = this.value
      this.to = this.nextTarget
      this.startTime = time
    } else if (time < startTime) {
      this.from = this.value
      this.startTime = time
    } else if (duration !== previous) this.startTime = time - (time - startTime) * (duration / previous)
    this.isRetargeted = false
    this.duration = duration
    return (this.value = this.interpolate((time - this.startTime) / duration))
  }

  /** Where it is after this share of the way. */
  private interpolate(share: number): number {
    return share < 1 ? this.from + (this.to - this.from) * Math.max(0, share) : this.to
  }
}
