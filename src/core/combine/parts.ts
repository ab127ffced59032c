import type { Archive, Behavior, Serializable, Step } from '../types.js'
import { isPart, type Part, type PartRules } from './part-rules.js'
import { ChangeGate } from './change-gate.js'
import { partLists } from '../control/part-lists.js'
import { readOptions } from '../math/options.js'
import { requireList } from '../math/require.js'
import { Saved } from '../control/serialize-fields.js'

/**
 * The parts of a combination, in order. Parts may be added, removed, reordered, switched and given another
 * number at any time, also from callbacks while agents are steered. In a world changes take effect at the
 * start of the next step, for all agents at once: the result does not depend on the order of the agents,
 * and no behaviour is steered before the world knows its `reach`. Outside of a world changes take effect
 * immediately.
 */
export class PartList<P extends Part> implements Serializable {
  /** The behaviours of this step, and their numbers (weights, probabilities). To be read after `begin`. */
  readonly active: P['behavior'][] = []
  readonly shares: number[] = []
  /** The parts that the active behaviours belong to. */
  private readonly activeParts: P[] = []
  /**
   * The numbers of parts that can change gradually. Parts that change at once are included, so that a fade
   * time that is set later starts from the present value.
   */
  private readonly fades = new Map<P, Fade>()
  private isFading = false
  private isConstructed = false
  /** Whether the list of parts, which may be edited, was given out. */
  private isGivenOut = false
  /**
   * Whether the parts cannot have changed since the last `refresh`: no list of them was given out, and no
   * number is fading. So a tree for each of a thousand agents costs no look at its lists in each step.
   */
  isFixed = false
  /** The parts with their switches and numbers, as of the last `applyChanges`; nothing if it must be done. */
  private readonly applied: Applied<P>[] = []
  private readonly rules: PartRules<P>
  private readonly checkTogether: ((parts: readonly P[], name: string) => void) | undefined
  private readonly list: P[]
  private readonly used: P['behavior'][] = []
  private readonly gate = new ChangeGate()
  /** What parts are called in errors, made once: `blend.parts[2]`. */
  private readonly labels: string[] = []

  /**
   * @param checkTogether throws where parts, of the list `name`, must not stand beside each other. As all
   * checks, it is made where changes take effect.
   */
  constructor(
    given: readonly (Behavior | Part)[],
    rules: PartRules<P>,
    checkTogether?: (parts: readonly P[], name: string) => void,
  ) {
    requireList(rules.name, given)
    this.rules = rules
    this.checkTogether = checkTogether
    this.list = given.map((each, i) => this.read(each, i))
    this.applyChanges()
    this.isConstructed = true
  }

  /** All parts, including those that are switched off. A live list that may be edited. */
  get parts(): P[] {
    if (!this.isGivenOut) {
      this.isGivenOut = true
      this.isFixed = false
      this.gate.use()
      partLists.changes++
    }
    return this.list
  }

  /** The behaviours of the parts that are switched on or still fade out. */
  get inUse(): readonly P['behavior'][] {
    const { used } = this
    // a list that was not given out cannot have been edited
    if (!this.isGivenOut) return used
    this.updateUsed()
    for (let i = 0; i < used.length; i++) this.check(used[i]!, i)
    return used
  }

  /** The behaviours of all parts, including those that are switched off. */
  get all(): P['behavior'][] {
    return this.list.map(({ behavior }) => behavior)
  }

  /** Saves or restores which parts are switched on, their numbers, and their fades. */
  serialize(archive: Archive): void {
    const { fades } = this
    const { number } = this.rules
    for (const part of this.list) {
      const enabled = archive.boolean(part.enabled !== false)
      if (enabled !== (part.enabled !== false)) part.enabled = enabled
      if (number !== undefined) Object.assign(part, { [number]: archive.number(this.numberOf(part)) })
      if (archive.boolean(fades.has(part))) {
        const fade = fades.get(part) ?? new Fade(0)
        fades.set(part, fade)
        fade.serialize(archive)
      } else fades.delete(part)
    }
    this.applied.length = 0
    this.isFixed = false
    partLists.changes++
    this.updateUsed()
  }

  serializeAgent(): void {}

  /** Makes changes take effect. Called by the world before every step. */
  refresh(): void {
    this.gate.open()
    if (!this.isFixed) this.applyChanges()
  }

  /** Called before `active` is read. True if changes may just have taken effect. */
  begin(step: Step): boolean {
    if (this.isFixed) return false
    const takesEffect = this.gate.isNow(step)
    if (takesEffect) this.applyChanges()
    if (this.isFading) this.advanceFades(step)
    return takesEffect
  }

  private applyChanges(): void {
    if (this.isApplied()) return
    this.updateUsed()
    const { activeParts, active, list, shares } = this
    this.isFading = false
    let count = 0
    for (let i = 0; i < list.length; i++) {
      const part = list[i]!
      if (!part) this.check(part, i)
      const number = this.updateFade(part, this.numberOf(part))
      if (!this.isActive(part)) continue
      this.check(part.behavior, i)
      activeParts[count] = part
      active[count] = part.behavior
      shares[count++] = number
    }
    activeParts.length = active.length = shares.length = count
    this.checkTogether?.(list, this.rules.name)
    if (this.fades.size > list.length) this.dropRemovedFades()
    this.noteApplied()
  }

  private noteApplied(): void {
    const { applied, list } = this
    applied.length = 0
    this.isFixed = !this.isGivenOut && !this.isFading
    if (this.isFading) return
    for (const part of list) applied.push({ part, isOn: part.enabled !== false, share: this.numberOf(part) })
  }

  /** Whether nothing has changed since the last `applyChanges`, and nothing is changing. */
  private isApplied(): boolean {
    const { applied, list } = this
    if (applied.length !== list.length || list.length === 0) return false
    for (let i = 0; i < list.length; i++) {
      const { part, isOn, share } = applied[i]!
      if (list[i] !== part || (part.enabled !== false) !== isOn) return false
      if (!Object.is(this.numberOf(part), share)) return false
    }
    return true
  }

  /** Drops the fades of parts that are no longer in the list: a part added again starts from 0. */
  private dropRemovedFades(): void {
    for (const part of this.fades.keys()) if (!this.list.includes(part)) this.fades.delete(part)
  }

  /** Makes a part from a behaviour alone or from a user's part. @throws TypeError / RangeError. */
  private read(given: Behavior | Part, i: number): P {
    if (!isPart(given)) this.check(given, i)
    const part = isPart(given) ? given : { behavior: given }
    return readOptions<object>(this.label(i), [this.rules.options], part) as P
  }

  /** @throws TypeError if the value cannot be a part. */
  private check(behavior: P['behavior'], i: number): void {
    this.rules.options.behavior.check(this.label(i), behavior)
  }

  private label(i: number): string {
    return (this.labels[i] ??= `${this.rules.name}[${i}]`)
  }

  /** Sets the target of a part's number: `to`, or 0 if switched off. Returns the present value. */
  private updateFade(part: P, to: number): number {
    const { fades } = this
    if (this.rules.number !== 'weight') return to
    const isGradual = this.fadeTimeOf(part) > 0
    const target = part.enabled === false ? 0 : to
    let fade = fades.get(part)
    if (fade === undefined) fades.set(part, (fade = new Fade(this.isConstructed && isGradual ? 0 : target)))
    if (isGradual) fade.retarget(target)
    else fade.jump(target)
    if (fade.isMoving) this.isFading = true
    return fade.value
  }

  private advanceFades({ time }: Step): void {
    const { activeParts, fades, shares } = this
    this.isFading = false
    for (let i = 0; i < activeParts.length; i++) {
      const fade = fades.get(activeParts[i]!)
      if (fade === undefined) continue
      shares[i] = fade.advance(time, this.fadeTimeOf(activeParts[i]!))
      if (fade.isMoving) this.isFading = true
    }
  }

  private fadeTimeOf({ fade = 0 }: Part & { fade?: number }): number {
    return this.rules.number === 'weight' ? fade : 0
  }

  /** The weight or the probability of a part; 1 without one. */
  private numberOf(part: Part & { weight?: number; probability?: number }): number {
    const { number } = this.rules
    return number === undefined ? 1 : (part[number] ?? 1)
  }

  /** Whether a part takes part: it is switched on, or has not yet faded out. */
  private isActive(part: P): boolean {
    if (part.enabled !== false) return true
    const fade = this.fadeTimeOf(part) > 0 ? this.fades.get(part) : undefined
    return fade !== undefined && (fade.isMoving || fade.value !== 0)
  }

  private updateUsed(): void {
    const { list, used } = this
    let count = 0
    for (let i = 0; i < list.length; i++) {
      const part = list[i]
      // an invalid part is reported when it takes effect
      if (!part || !this.isActive(part)) continue
      used[count++] = part.behavior
    }
    if (used.length !== count) used.length = count
  }
}

/** Writes the elements of two lists into `out`, one list after the other, and returns it. */
export function concatInto<T>(out: T[], first: readonly T[], second: readonly T[]): readonly T[] {
  const { length } = first
  const count = length + second.length
  for (let i = 0; i < count; i++) out[i] = i < length ? first[i]! : second[i - length]!
  // V8 sets a length slowly, even the same one
  if (out.length !== count) out.length = count
  return out
}

/** A part as it was when changes took effect. */
interface Applied<P> {
  readonly part: P
  readonly isOn: boolean
  readonly share: number
}

/** A number that changes linearly to another one in a given time. */
class Fade extends Saved {
  value: number
  private from: number
  private to: number
  private startTime = 0
  /** Time (s) of the whole change. */
  private duration = Infinity
  /** The new target, and whether `advance`, which knows the time of the change, has not seen it yet. */
  private nextTarget: number
  private isRetargeted = false

  constructor(value: number) {
    super()
    this.value = this.from = this.to = this.nextTarget = value
  }

  /** Sets the value to `to` at once. */
  jump(to: number): void {
    this.value = this.from = this.to = this.nextTarget = to
    this.isRetargeted = false
  }

  /** Starts a change to `to`. */
  retarget(to: number): void {
    if (Object.is(to, this.nextTarget)) return
    // infinite values cannot be interpolated
    if (!Number.isFinite(this.value) || !Number.isFinite(to)) this.jump(to)
    else {
      this.nextTarget = to
      this.isRetargeted = true
    }
  }

  /** Whether the value is still changing. */
  get isMoving(): boolean {
    return this.isRetargeted || !Object.is(this.value, this.to)
  }

  /**
   * Returns the value at `time` (s) for a change that takes `duration` (s, > 0). With another duration it
   * continues from the present value at another rate. If time runs backwards, as in another world, it
   * starts again from the present value.
   */
  advance(time: number, duration: number): number {
    const { startTime } = this
    const previous = this.duration
    if (this.isRetargeted) {
      // continue the old change until now: a value that gets a new target in every step would otherwise never
      // move
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

  /** The value after this share of the change. */
  private interpolate(share: number): number {
    return share < 1 ? this.from + (this.to - this.from) * Math.max(0, share) : this.to
  }
}
