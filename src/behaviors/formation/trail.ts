import type { Archive, Frame, Serializable, Vec3, Vec3Like } from '../../types.js'
import { carryFrame, copyFrame, frame } from '../../math/frame.js'
import { addScaled, copy, cross, distance, length, load, normalize, reject } from '../../math/vec3.js'
import { save, scale, vec3 } from '../../math/vec3.js'
import type { Anchor } from './anchor.js'

// of each mark: way, position, tangent, up
const PLACE = 1
const TANGENT = 4
const UP = 7
const WIDTH = 10

/** Slower than this (m/s) an anchor shows no course. */
const SLOW = 1e-3

const here: Frame = frame()
const first = vec3()
const second = vec3()

/** The way an anchor has come, by arc length: marks at even distances, smooth between them, and beyond both ends straight on. */
export class Trail implements Serializable {
  /** Way of the anchor, m. */
  head = 0
  /** Distance of two marks, m. */
  private gap = 1
  private count = 0
  private next = 0
  private room = 0
  private marks = new Float64Array(0)
  /** The anchor itself, after the last mark. */
  private readonly tip: Vec3 = vec3()
  private readonly course: Frame = frame()

  serialize(archive: Archive): void {
    for (const name of ['head', 'gap', 'count', 'next', 'room'] as const)
      this[name] = archive.number(this[name])
    const size = WIDTH * this.room
    if (this.marks.length < size) this.marks = new Float64Array(size)
    archive.numbers(this.marks, 0, size)
    const { course, tip } = this
    for (const vector of [tip, course.x, course.y, course.z]) archive.vector(vector)
  }

  /** Starts anew: as if `anchor` had come straight, `reach` (m) from behind. */
  start(anchor: Anchor, reach: number, gap: number): void {
    this.gap = gap
    this.room = Math.ceil(reach / gap) + 4
    this.marks = new Float64Array(WIDTH * this.room)
    this.head = this.count = this.next = 0
    this.look(anchor)
    addScaled(this.tip, anchor.position, this.course.x, -(this.room - 1) * gap)
    for (let i = 0; i < this.room; i++) {
      this.mark()
      this.head += gap
      addScaled(this.tip, this.tip, this.course.x, gap)
    }
    this.head -= gap
    copy(this.tip, anchor.position)
  }

  /** Whether it goes back so far (m). */
  reaches(way: number): boolean {
    return (this.room - 3) * this.gap >= way
  }

  /** Takes note of where the anchor is now. */
  record(anchor: Anchor): void {
    this.head += distance(anchor.position, this.tip)
    this.look(anchor)
    copy(this.tip, anchor.position)
    if (this.head - this.wayOf(this.count - 1) >= this.gap) this.mark()
  }

  /** Writes the place `local` (m: along the trail from the way `at`, up, to starboard), world axes. */
  place(out: Vec3, local: Vec3Like, at: number): Vec3 {
    this.frameAt(out, here, at + local.x)
    addScaled(out, out, here.y, local.y)
    return addScaled(out, out, here.z, local.z)
  }

  /** Writes the point at a way, and the frame there. */
  frameAt(point: Vec3, out: Frame, way: number): void {
    const last = this.count - 1
    const i = this.before(way)
    const start = i < 0 ? this.wayOf(0) : this.wayOf(i)
    const end = i < last ? this.wayOf(i + 1) : this.head
    if (i < 0 || !(end > start) || way >= end)
      return this.beyond(point, out, i < 0, way - (i < 0 ? start : end))
    const { marks } = this
    const a = this.rowOf(i)
    const b = i < last ? this.rowOf(i + 1) : -1
    const h = end - start
    const t = (way - start) / h
    const after = (1 - t) * (1 - t)
    load(point, marks, a + PLACE)
    scale(point, point, (1 + 2 * t) * after)
    addScaled(point, point, load(first, marks, a + TANGENT), t * after * h)
    addScaled(point, point, b < 0 ? this.tip : load(second, marks, b + PLACE), t * t * (3 - 2 * t))
    const tangent = b < 0 ? copy(second, this.course.x) : load(second, marks, b + TANGENT)
    addScaled(point, point, tangent, t * t * (t - 1) * h)
    normalize(out.x, addScaled(out.x, scale(out.x, first, 1 - t), second, t))
    load(first, marks, a + UP)
    if (b < 0) copy(second, this.course.y)
    else load(second, marks, b + UP)
    normalize(out.y, reject(out.y, addScaled(out.y, scale(out.y, first, 1 - t), second, t), out.x))
    cross(out.z, out.x, out.y)
  }

  private beyond(point: Vec3, out: Frame, behind: boolean, way: number): void {
    copyFrame(out, this.course)
    copy(point, this.tip)
    if (behind) {
      const row = this.rowOf(0)
      load(out.x, this.marks, row + TANGENT)
      load(out.y, this.marks, row + UP)
      cross(out.z, out.x, out.y)
      load(point, this.marks, row + PLACE)
    }
    addScaled(point, point, out.x, way)
  }

  /** Number of the last mark at or before `way`; −1 before the first. */
  private before(way: number): number {
    let low = -1
    let high = this.count - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.wayOf(middle) <= way) low = middle
      else high = middle - 1
    }
    return low
  }

  private look({ frame: now, velocity }: Anchor): void {
    copyFrame(this.course, now)
    const speed = length(velocity)
    if (speed > SLOW) carryFrame(this.course, scale(first, velocity, 1 / speed))
  }

  private mark(): void {
    const at = WIDTH * this.next
    this.marks[at] = this.head
    save(this.tip, this.marks, at + PLACE)
    save(this.course.x, this.marks, at + TANGENT)
    save(this.course.y, this.marks, at + UP)
    this.next = (this.next + 1) % this.room
    this.count = Math.min(this.count + 1, this.room)
  }

  /** Of mark `i`, from the oldest. */
  private rowOf(i: number): number {
    return WIDTH * ((this.next - this.count + i + this.room) % this.room)
  }

  private wayOf(i: number): number {
    return this.marks[this.rowOf(i)]!
  }
}
