import type { Archive, Kept } from '../types.js'

/** A number that goes to another in a given time instead of jumping there. */
export class Fade implements Kept {
  /** The number now. */
  value: number
  private from: number
  private to: number
  private since = 0
  /** Whether `to` is new, and nobody knows since when. */
  private turned = false

  constructor(value: number) {
    this.value = this.from = this.to = value
  }

  keep(archive: Archive): void {
    for (const name of ['value', 'from', 'to', 'since'] as const) this[name] = archive.number(this[name])
    this.turned = archive.boolean(this.turned)
  }

  /** It is `to` at once. */
  jump(to: number): void {
    this.value = this.from = this.to = to
    this.turned = false
  }

  /** Lets it go to `to` from now on. */
  aim(to: number): void {
    if (Object.is(to, this.to)) return
    // from what is not finite there is no way
    this.from = Number.isFinite(this.value) && Number.isFinite(to) ? this.value : to
    this.to = to
    this.turned = true
  }

  /** Whether it has still to go. */
  get moving(): boolean {
    return this.turned || !Object.is(this.value, this.to)
  }

  /** Where it is at `time` (s), when the whole way takes `duration` (s, > 0). */
  at(time: number, duration: number): number {
    if (this.turned) {
      this.turned = false
      this.since = time
    }
    const share = (time - this.since) / duration
    this.value = share < 1 ? this.from + (this.to - this.from) * Math.max(0, share) : this.to
    return this.value
  }
}
