import type { Archive, Serializable } from '../types.js'

/** A number that goes to another in a given time instead of jumping there. */
export class Fade implements Serializable {
  /** The number now. */
  value: number
  private from: number
  private to: number
  private since = 0
  /** The time that the whole way takes, s. */
  private lasting = Infinity
  /** Where it is to go instead, and whether that is news: nobody knows since when. */
  private next: number
  private turned = false

  constructor(value: number) {
    this.value = this.from = this.to = this.next = value
  }

  serialize(archive: Archive): void {
    for (const name of ['value', 'from', 'to', 'next', 'since', 'lasting'] as const)
      this[name] = archive.number(this[name])
    this.turned = archive.boolean(this.turned)
  }

  /** It is `to` at once. */
  jump(to: number): void {
    this.value = this.from = this.to = this.next = to
    this.turned = false
  }

  /** Lets it go to `to` from now on. */
  aim(to: number): void {
    if (Object.is(to, this.next)) return
    // from what is not finite there is no way
    if (!Number.isFinite(this.value) || !Number.isFinite(to)) this.jump(to)
    else {
      this.next = to
      this.turned = true
    }
  }

  /** Whether it has still to go. */
  get moving(): boolean {
    return this.turned || !Object.is(this.value, this.to)
  }

  /**
   * Where it is at `time` (s), when the whole way takes `duration` (s, > 0). Given another duration it goes on from where it is, at another pace;
   * in another world, whose time is an earlier one, it sets out anew from there.
   */
  at(time: number, duration: number): number {
    const { lasting, since } = this
    if (this.turned) {
      // on the old way until now: else who is told of another end at every step would never set out
      if (time >= since) this.value = this.along((time - since) / lasting)
      this.from = this.value
      this.to = this.next
      this.since = time
    } else if (time < since) {
      this.from = this.value
      this.since = time
    } else if (duration !== lasting) this.since = time - (time - since) * (duration / lasting)
    this.turned = false
    this.lasting = duration
    return (this.value = this.along((time - this.since) / duration))
  }

  /** Where it is after this share of the way. */
  private along(share: number): number {
    return share < 1 ? this.from + (this.to - this.from) * Math.max(0, share) : this.to
  }
}
