import type { Vec3, Vec3Like } from 'three-steering'
import { inner, minus, outer, plus, times, turnAbout, turned, unit, vec } from './vectors.js'
import { smootherStep } from './scalars.js'

/** Length over which a curvature rises and falls (m), so that turns begin and end smoothly. */
const EASE = 110
/** Length of a piece (m). */
const PIECE = 2

/** A figure, or a section of the line, and the station where it begins (m). */
export interface Figure {
  readonly name: string
  readonly from: number
}

/** Whole rolls over a length, from station `from` on (m). */
export interface Twist {
  readonly from: number
  readonly length: number
  readonly turns: number
}

/**
 * Builds a smooth line for a display flight: straight sections, and turns with smoothly changing curvature.
 */
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

  get length(): number {
    return this.#length
  }

  /** Names the figure that begins here. */
  call(name: string): this {
    this.figures.push({ name, from: this.#length })
    return this
  }

  straight(length: number): this {
    this.#fly(length, () => vec(0, 0, 0))
    return this
  }

  /** Straight on until the coordinate `axis` is `value`. */
  until(axis: 'x' | 'y' | 'z', value: number): this {
    const distance = (value - this.#at[axis]) / this.#ahead[axis]
    if (!(distance >= 0))
      throw new RangeError(
        `DisplayLine.until: got ${axis} = ${value} at a distance of ${distance} m, must be ahead`,
      )
    return this.straight(distance)
  }

  /** Turns by `angle` (rad) on an arc of `radius` (m) in its vertical plane. Positive angles turn up. */
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
   * Changes the heading by `turn` (rad, positive to port) over `length` metres, and the climb angle to
   * `climb` (rad) a little earlier. In between it climbs by up to `over` (rad) and then dives by as much.
   */
  sweep(length: number, turn: number, climb = 0, over = 0): this {
    const { x, y, z } = this.#ahead
    const heading = Math.atan2(x, z)
    const climbed = Math.asin(y)
    const count = Math.round(length / PIECE)
    for (let k = 0; k < count; k++) {
      const share = (k + 0.5) / count
      const around = heading + turn * smootherStep(share)
      const rise = climbed + (climb - climbed) * smootherStep((share - 0.15) / 0.8) + over * hump(share)
      const flat = Math.cos(rise)
      const distance = vec(flat * Math.sin(around), Math.sin(rise), flat * Math.cos(around))
      this.#reach(plus(this.#at, distance, length / count))
    }
    return this
  }

  /** Straight on, while the formation rolls `turns` times, to starboard. */
  twist(turns: number, length: number): this {
    this.twists.push({ from: this.#length, length, turns })
    return this.straight(length)
  }

  /**
   * Back to the start on a curve with continuous curvature. `reach` (m) is the length of the tangents at its
   * ends.
   */
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
    const distance = Math.sqrt(inner(step, step))
    this.#length += distance
    this.#ahead = times(step, 1 / distance)
    this.#at = next
    this.points.push(next)
  }
}

/** A wave, first up and then down, with continuous derivatives at its ends. */
function hump(t: number): number {
  return Math.sin(2 * Math.PI * t) * Math.min(smootherStep(4 * t), smootherStep(4 * (1 - t)))
}
