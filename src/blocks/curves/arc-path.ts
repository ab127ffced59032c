import type { Archive, Serializable, Vec3, Vec3Like } from '../../core/types.js'
import { grown } from '../../core/math/grown.js'
import { upTo } from '../../core/math/scalar.js'
import { addScaled, copy, dot, load, normalize } from '../../core/math/vec3.js'
import { perpendicular, reject, save, scale, set, sub, vec3 } from '../../core/math/vec3.js'

// what is stored for each piece
const POINT = 0
const TANGENT = 3
const NORMAL = 6
const CURVATURE = 9
const LENGTH = 10
const GEAR = 11
const START = 12
const WIDTH = 13

/** With no more pieces than this, `nearest` looks at each. Measured. */
const FEW = 24
/** Share of a distance that remains in spite of rounding, and of small gaps between the pieces. */
const CERTAIN = 1 - 1e-6

const tangent = vec3()
const normal = vec3()
const projected = vec3()
const offset = vec3()
const aiming = vec3()

/**
 * A path of straights and circular arcs, end to end and without corners, by arc length: the form of every
 * shortest path of bounded curvature in a plane and, except for helicoidal arcs, in space (Dubins 1957,
 * Sussmann 1995). Pieces may be flown astern, so there may be cusps. The object can be filled again: nothing
 * is allocated unless the path has more pieces than any before. All lengths in m; s is the arc length from
 * the start, and is clamped to 0 … `length`.
 */
export class ArcPath implements Serializable {
  /** Length of the path (m). */
  length = 0
  /** Number of pieces. */
  count = 0
  /** `[13 × pieces]`: start, unit tangent, unit normal, curvature, length, gear, arc length of the start. */
  private data = new Float64Array(8 * WIDTH)
  /** Square of a distance that the path comes within of the point of `nearest` (m²). */
  private nearSq = 0.5
  /** Position and heading at the end. */
  private readonly end: Vec3 = vec3()
  private readonly heading: Vec3 = vec3()

  serialize(archive: Archive): void {
    this.length = archive.number(this.length)
    this.count = archive.number(this.count)
    if (this.data.length < this.count * WIDTH) this.data = grown(this.data, this.count * WIDTH)
    archive.numbers(this.data, 0, this.count * WIDTH, [POINT], WIDTH)
    archive.place(this.end)
    archive.vector(this.heading)
  }

  /** Empties the path, and sets its start to `position` along `heading` (any length except zero). */
  begin(position: Vec3Like, heading: Vec3Like): this {
    this.length = this.count = 0
    copy(this.end, position)
    normalize(this.heading, heading)
    return this
  }

  /** Adds a straight of `length` (m, ≥ 0). With gear −1 it is flown astern. */
  straight(length: number, gear: 1 | -1 = 1): this {
    return this.add(perpendicular(normal, this.heading), 0, length, gear)
  }

  /** Adds an arc of `radius` (m, > 0) through `angle` (rad, ≥ 0) to the side of `towards`. */
  arc(towards: Vec3Like, radius: number, angle: number, gear: 1 | -1 = 1): this {
    normalize(normal, reject(normal, towards, this.heading))
    // again: the rest of a normal almost along the heading is mostly rounding
    normalize(normal, reject(normal, normal, this.heading))
    return this.add(normal, 1 / radius, angle * radius, gear)
  }

  /** Copies another path. */
  copy(other: ArcPath): this {
    this.length = this.count = 0
    return this.append(other)
  }

  /** Adds the pieces of another path, which should begin where this path ends. */
  append(other: ArcPath): this {
    const from = this.count * WIDTH
    const to = from + other.count * WIDTH
    if (this.data.length < to) this.data = grown(this.data, 2 * to)
    const { data } = this
    for (let k = from; k < to; k++) data[k] = other.data[k - from]!
    for (let k = from + START; k < to; k += WIDTH) data[k]! += this.length
    this.length += other.length
    this.count += other.count
    copy(this.end, other.end)
    copy(this.heading, other.heading)
    return this
  }

  /** Writes the point at `s`. */
  pointAt(out: Vec3, s: number): Vec3 {
    if (this.count === 0) return copy(out, this.end)
    const { data } = this
    const at = this.offsetAt(s)
    const distance = upTo(s - data[at + START]!, data[at + LENGTH]!)
    return this.put(out, at, distance)
  }

  /** Writes the unit direction of motion at `s`. On a piece flown astern the nose points backwards. */
  tangentAt(out: Vec3, s: number): Vec3 {
    if (this.count === 0) return copy(out, this.heading)
    const { data } = this
    const at = this.offsetAt(s)
    const angle = upTo(s - data[at + START]!, data[at + LENGTH]!) * data[at + CURVATURE]!
    const c = Math.cos(angle)
    const d = Math.sin(angle)
    return set(
      out,
      data[at + TANGENT]! * c + data[at + NORMAL]! * d,
      data[at + TANGENT + 1]! * c + data[at + NORMAL + 1]! * d,
      data[at + TANGENT + 2]! * c + data[at + NORMAL + 2]! * d,
    )
  }

  /**
   * Writes the place at which one that rolls at `s` aims, so many metres `ahead` in its gear: across a cusp,
   * and beyond its end, the path goes on as it bends there, or it would turn too little before them.
   */
  aimAt(out: Vec3, s: number, ahead: number): Vec3 {
    const last = Math.min(s + ahead, this.cuspAfter(s) - 1e-9 * this.length)
    const beyond = s + ahead - last
    this.pointAt(out, last)
    addScaled(out, out, this.tangentAt(aiming, last), beyond)
    return addScaled(out, out, this.curvatureAt(aiming, last), (beyond * beyond) / 2)
  }

  /** Writes the curvature vector at `s` (1/m), towards the centre of the arc; zero on a straight. */
  curvatureAt(out: Vec3, s: number): Vec3 {
    if (this.count === 0) return set(out, 0, 0, 0)
    const { data } = this
    const at = this.offsetAt(s)
    const k = data[at + CURVATURE]!
    const angle = upTo(s - data[at + START]!, data[at + LENGTH]!) * k
    const c = k * Math.cos(angle)
    const d = k * Math.sin(angle)
    return set(
      out,
      data[at + NORMAL]! * c - data[at + TANGENT]! * d,
      data[at + NORMAL + 1]! * c - data[at + TANGENT + 1]! * d,
      data[at + NORMAL + 2]! * c - data[at + TANGENT + 2]! * d,
    )
  }

  /** 1 where the path is flown ahead, −1 where astern. */
  gearAt(s: number): number {
    return this.count === 0 ? 1 : this.data[this.offsetAt(s) + GEAR]!
  }

  /** Index of the piece that contains `s`. */
  pieceAt(s: number): number {
    return this.offsetAt(s) / WIDTH
  }

  /** Arc length at which piece `i` begins (m); the whole length for `i` ≥ `count`. */
  startOf(i: number): number {
    return i < this.count ? this.data[i * WIDTH + START]! : this.length
  }

  /** Length of piece `i` (m). */
  lengthOf(i: number): number {
    return this.data[i * WIDTH + LENGTH]!
  }

  /** Writes the unit direction of motion at the start of piece `i`. */
  headingOf(out: Vec3, i: number): Vec3 {
    return load(out, this.data, i * WIDTH + TANGENT)
  }

  /** Curvature of piece `i` (1/m); 0 for a straight. */
  bendOf(i: number): number {
    return this.data[i * WIDTH + CURVATURE]!
  }

  /** Gear of piece `i`: 1 ahead, −1 astern. */
  gearOf(i: number): number {
    return this.data[i * WIDTH + GEAR]!
  }

  /** Arc length of the next change of gear after `s` (m); the whole length if there is none. */
  cuspAfter(s: number): number {
    for (let i = this.pieceAt(s) + 1; i < this.count; i++)
      if (this.gearOf(i) !== this.gearOf(i - 1)) return this.startOf(i)
    return this.length
  }

  /** Arc length of the point nearest to `point`, of several the first, between `from` and `to` (m). */
  nearest(point: Vec3Like, from = 0, to = this.length): number {
    const { count, data } = this
    let best = Math.min(Math.max(from, 0), this.length)
    let bestSq = Infinity
    let i = this.pieceAt(from)
    // a piece that ends at `from` counts
    while (i > 0 && data[(i - 1) * WIDTH + START]! + data[(i - 1) * WIDTH + LENGTH]! >= from) i--
    const skips = this.pieceAt(to) - i > FEW
    if (skips) this.sample(point, i, this.pieceAt(to))
    for (; i < count; i++) {
      const at = i * WIDTH
      const start = data[at + START]!
      const size = data[at + LENGTH]!
      if (start > to) break
      if (skips) {
        // farther away by some distance, the path cannot come as near for that distance
        const free = (Math.sqrt(this.startSq(at, point)) - Math.sqrt(Math.min(bestSq, this.nearSq))) * CERTAIN
        if (free > size) {
          i = Math.max(i, this.pieceAt(start + free) - 1)
          continue
        }
      }
      const first = Math.max(0, from - start)
      const last = Math.min(size, to - start)
      const distance = this.project(at, point, first, last)
      this.put(projected, at, distance)
      const sq = (projected.x - point.x) ** 2 + (projected.y - point.y) ** 2 + (projected.z - point.z) ** 2
      if (!(sq < bestSq)) continue
      bestSq = sq
      best = start + distance
    }
    return best
  }

  /** Sets `nearSq` from the starts of a few of the pieces after `first`, up to `last`. */
  private sample(point: Vec3Like, first: number, last: number): void {
    const stride = Math.floor(Math.sqrt(last - first))
    this.nearSq = Infinity
    for (let i = first + 1; i <= last; i += stride)
      this.nearSq = Math.min(this.nearSq, this.startSq(i * WIDTH, point))
  }

  /** Square of the distance from `point` to the start of the piece at offset `at` (m²). */
  private startSq(at: number, { x, y, z }: Vec3Like): number {
    const { data } = this
    return (data[at + POINT]! - x) ** 2 + (data[at + POINT + 1]! - y) ** 2 + (data[at + POINT + 2]! - z) ** 2
  }

  /** Distance along the piece at offset `at` to its point nearest to `point`, in `first` … `last` (m). */
  private project(at: number, point: Vec3Like, first: number, last: number): number {
    const { data } = this
    const k = data[at + CURVATURE]!
    load(tangent, data, at + TANGENT)
    sub(offset, point, load(projected, data, at + POINT))
    const along = dot(offset, tangent)
    if (k === 0) return Math.min(Math.max(along, first), last)
    load(normal, data, at + NORMAL)
    const middle = (first + last) / 2
    // the angle at the centre, from the middle of the interval, so that points beyond it map to the nearer
    // end
    const angle = Math.atan2(along, 1 / k - dot(offset, normal)) - middle * k
    const distance = middle + (angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI))) / k
    return Math.min(Math.max(distance, first), last)
  }

  /** Writes the point at `distance` (m) along the piece at offset `at`. */
  private put(out: Vec3, at: number, distance: number): Vec3 {
    const { data } = this
    const k = data[at + CURVATURE]!
    const angle = distance * k
    const half = Math.sin(angle / 2)
    const along = k === 0 ? distance : Math.sin(angle) / k
    const aside = k === 0 ? 0 : (2 * half * half) / k
    return set(
      out,
      data[at + POINT]! + data[at + TANGENT]! * along + data[at + NORMAL]! * aside,
      data[at + POINT + 1]! + data[at + TANGENT + 1]! * along + data[at + NORMAL + 1]! * aside,
      data[at + POINT + 2]! + data[at + TANGENT + 2]! * along + data[at + NORMAL + 2]! * aside,
    )
  }

  private add(aside: Vec3Like, curvature: number, length: number, gear: 1 | -1): this {
    if (!(length > 0)) return this
    const at = this.count * WIDTH
    if (at === this.data.length) this.data = grown(this.data, 2 * at)
    const { data, end, heading } = this
    save(end, data, at + POINT)
    save(scale(tangent, heading, gear), data, at + TANGENT)
    save(aside, data, at + NORMAL)
    data[at + CURVATURE] = curvature
    data[at + LENGTH] = length
    data[at + GEAR] = gear
    data[at + START] = this.length
    this.count++
    this.length += length
    this.put(end, at, length)
    const angle = length * curvature
    scale(tangent, tangent, Math.cos(angle))
    scale(heading, addScaled(heading, tangent, aside, Math.sin(angle)), gear)
    normalize(heading, heading)
    return this
  }

  /** Offset in `data` of the piece that contains `s`. */
  private offsetAt(s: number): number {
    const { data } = this
    let low = 0
    let high = this.count - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (data[middle * WIDTH + START]! <= s) low = middle
      else high = middle - 1
    }
    return low * WIDTH
  }
}
