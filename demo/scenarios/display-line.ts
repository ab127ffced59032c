import type { Vec3, Vec3Like } from 'three-steering'
import { inner, minus, outer, plus, times, turnAbout, turned, unit, vec } from './vectors.js'

/** The way on which a curvature comes and goes, m: nobody is thrown into a turn. */
const EASE = 110
/** Length of a piece, m. */
const PIECE = 2

/** A figure, or a part of the way, and where it begins, m. */
export interface Figure {
  readonly name: string
  readonly from: number
}

/** Whole rolls on the way from `from` on, m. */
export interface Twist {
  readonly from: number
  readonly length: number
  readonly turns: number
}

/** Draws a smooth line through the air as it is flown: straight on, and turns whose curvature comes and goes evenly. */
export class DisplayLine {
  readonly points: Vec3[] = []
  readonly figures: Figure[] = []
  readonly twists: Twist[] = []
  #length = 0
  #at: Vec3
  #ahead: Vec3

  constructor(start: Vec3Like, ahead: Vec3Like) {
    this.#at = { ...start }
    this.#ahead = unit(ahead)
    this.points.push({ ...start })
  }

  get at(): Vec3Like {
    return this.#at
  }

  get length(): number {
    return this.#length
  }

  /** What comes now, until the next one is named. */
  call(name: string): this {
    this.figures.push({ name, from: this.#length })
    return this
  }

  straight(length: number): this {
    this.#fly(length, () => vec(0, 0, 0))
    return this
  }

  /** Straight on until the coordinate `axis` is about `value`. */
  until(axis: 'x' | 'y' | 'z', value: number): this {
    const way = (value - this.#at[axis]) / this.#ahead[axis]
    if (!(way >= 0)) throw new RangeError(`got a way of ${way} m to ${axis} = ${value}, must be ahead`)
    return this.straight(way)
  }

  /** Turns by `angle`, rad, on an arc of `radius`, m, up where `angle` > 0, in the upright plane it is in. */
  pitch(angle: number, radius: number): this {
    const { x, z } = this.#ahead
    const axis = unit(outer(vec(x, 0, z), vec(0, Math.sign(angle), 0)))
    const turn = Math.abs(angle)
    const ease = Math.min(EASE, radius * turn)
    const length = radius * turn + ease
    this.#fly(length, (s) => times(axis, Math.min(1, s / ease, (length - s) / ease) / radius))
    return this
  }

  /**
   * Changes its heading by `turn`, rad, to port where > 0, in `length` metres, and its climb to `climb`, rad, a little earlier; in between
   * it climbs by up to `over` and then dives as much.
   */
  sweep(length: number, turn: number, climb = 0, over = 0): this {
    const { x, y, z } = this.#ahead
    const heading = Math.atan2(x, z)
    const climbed = Math.asin(y)
    const count = Math.round(length / PIECE)
    for (let k = 0; k < count; k++) {
      const share = (k + 0.5) / count
      const around = heading + turn * ease(share)
      const rise = climbed + (climb - climbed) * ease((share - 0.15) / 0.8) + over * hump(share)
      const flat = Math.cos(rise)
      const way = vec(flat * Math.sin(around), Math.sin(rise), flat * Math.cos(around))
      this.#reach(plus(this.#at, way, length / count))
    }
    return this
  }

  /** Straight on, while the wing rolls about it `turns` times, to starboard. */
  twist(turns: number, length: number): this {
    this.twists.push({ from: this.#length, length, turns })
    return this.straight(length)
  }

  /** Back to the start, by a curve with neither jump nor bend at its ends, drawn out by `reach`, m. */
  close(ahead: Vec3Like, reach: number): this {
    const from = this.#at
    const to = this.points[0]!
    const [a, b] = [times(this.#ahead, reach), times(unit(ahead), reach)]
    const span = minus(to, from)
    const steps = Math.ceil((Math.hypot(span.x, span.y, span.z) + reach) / PIECE)
    for (let k = 1; k <= steps; k++) {
      const t = k / steps
      const [t3, t4, t5] = [t ** 3, t ** 4, t ** 5]
      const travelled = plus(from, span, 10 * t3 - 15 * t4 + 6 * t5)
      const left = plus(travelled, a, t - 6 * t3 + 8 * t4 - 3 * t5)
      this.#reach(plus(left, b, -4 * t3 + 7 * t4 - 3 * t5))
    }
    this.points.pop()
    return this
  }

  #fly(length: number, turning: (s: number) => Vec3Like): void {
    const count = Math.max(1, Math.round(length / PIECE))
    const ds = length / count
    for (let k = 0; k < count; k++) {
      const rate = turning((k + 0.5) * ds)
      const angle = Math.hypot(rate.x, rate.y, rate.z) * ds
      const axis = angle > 0 ? unit(rate) : rate
      const before = this.#ahead
      this.#reach(plus(this.#at, turned(turnAbout(axis, angle / 2), before), ds))
      this.#ahead = unit(turned(turnAbout(axis, angle), before))
    }
  }

  #reach(next: Vec3): void {
    const step = minus(next, this.#at)
    const way = Math.sqrt(inner(step, step))
    this.#length += way
    this.#ahead = times(step, 1 / way)
    this.#at = next
    this.points.push(next)
  }
}

/** From 0 to 1 with neither jump nor bend. */
function ease(t: number): number {
  const at = Math.min(1, Math.max(0, t))
  return at * at * at * (10 - 15 * at + 6 * at * at)
}

/** A wave, up and then down, with neither jump nor bend at its ends. */
function hump(t: number): number {
  return Math.sin(2 * Math.PI * t) * Math.min(ease(4 * t), ease(4 * (1 - t)))
}
