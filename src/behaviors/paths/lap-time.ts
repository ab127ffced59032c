import type { ArcPath } from '../../curves/arc-path.js'
import { grown } from '../../math/grown.js'

/**
 * How long a way takes that is no faster than `top` (m/s) and than the force across (m/s²) can hold on its arcs, and gains and loses speed by
 * the same force (m/s²): the way there is taken as given, so this is a bound, and good enough to compare ways by.
 */
export class LapTime {
  readonly top: number
  readonly push: number
  /** Of each piece: its length and the speed it can be flown at; of each border between them the speed there. */
  private lengths = new Float64Array(64)
  private speeds = new Float64Array(64)
  private borders = new Float64Array(64)

  constructor(top: number, push: number) {
    this.top = top
    this.push = push
  }

  /** Time (s) along `legs`, once around where it is `closed`, else from full speed to full speed. */
  of(legs: readonly ArcPath[], closed: boolean): number {
    const { top, push } = this
    const count = this.read(legs)
    const { lengths, speeds, borders } = this
    if (count === 0) return 0
    for (let i = 1; i < count; i++) borders[i] = Math.min(speeds[i - 1]!, speeds[i]!)
    borders[0] = closed ? Math.min(speeds[count - 1]!, speeds[0]!) : speeds[0]!
    borders[count] = closed ? borders[0] : speeds[count - 1]!
    // what is slow after the start of a lap is braked for at the end of it
    for (let lap = 0; lap < (closed ? 2 : 1); lap++) {
      for (let i = 0; i < count; i++)
        borders[i + 1] = Math.min(borders[i + 1]!, Math.sqrt(borders[i]! ** 2 + 2 * push * lengths[i]!))
      if (closed) borders[0] = borders[count]!
    }
    for (let lap = 0; lap < (closed ? 2 : 1); lap++) {
      for (let i = count - 1; i >= 0; i--)
        borders[i] = Math.min(borders[i]!, Math.sqrt(borders[i + 1]! ** 2 + 2 * push * lengths[i]!))
      if (closed) borders[count] = borders[0]!
    }
    let time = 0
    for (let i = 0; i < count; i++) {
      const from = borders[i]!
      const to = borders[i + 1]!
      const fast = Math.min(speeds[i]!, Math.sqrt(push * lengths[i]! + (from * from + to * to) / 2))
      const way = (2 * fast * fast - from * from - to * to) / (2 * push)
      time += (2 * fast - from - to) / push + Math.max(0, lengths[i]! - way) / Math.max(fast, 1e-9 * top)
    }
    return time
  }

  private read(legs: readonly ArcPath[]): number {
    let count = 0
    for (const leg of legs) {
      while (count + leg.count >= this.lengths.length) this.grow()
      for (let i = 0; i < leg.count; i++, count++) {
        this.lengths[count] = leg.startOf(i + 1) - leg.startOf(i)
        const bend = leg.bendOf(i)
        this.speeds[count] = bend > 0 ? Math.min(this.top, Math.sqrt(this.push / bend)) : this.top
      }
    }
    return count
  }

  private grow(): void {
    const size = 2 * this.lengths.length
    this.lengths = grown(this.lengths, size)
    this.speeds = grown(this.speeds, size)
    this.borders = grown(this.borders, size)
  }
}
