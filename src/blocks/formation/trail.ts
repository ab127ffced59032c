import type { Archive, Frame, Serializable, Vec3, Vec3Like } from '../../core/types.js'
import { carryFrame, copyFrame, frame } from '../../core/math/frame.js'
import { addScaled, copy, cross, distance, length, lerp } from '../../core/math/vec3.js'
import { load, normalize, reject, save, scale, vec3 } from '../../core/math/vec3.js'
import { requireWhole } from '../../core/math/require.js'
import type { Anchor } from './anchor.js'
import { serializeFields } from '../../core/control/serialize-fields.js'

// columns of a row of `rows`: station, position, tangent, up
const POSITION = 1
const TANGENT = 4
const UP = 7
const ROW_LENGTH = 10

/** Below this speed (m/s) the course of an anchor is undefined. */
const MIN_SPEED = 1e-3

/** Largest number of points. A longer trail is extended by a straight line. Chosen by hand. */
const MAX_POINTS = 2 ** 16

const frameThere: Frame = frame()
const first = vec3()
const second = vec3()

/**
 * The path that an anchor has flown, by its station (arc length, m). Points are kept at equal distances in a
 * ring buffer; between them the path is a cubic Hermite curve, and beyond both ends a straight line.
 */
export class Trail implements Serializable {
  /** Station of the anchor, m. */
  head = 0
  /** Distance of two points, m. */
  private gap = 1
  private count = 0
  private next = 0
  private capacity = 0
  private rows = new Float64Array(0)
  /** Position of the anchor, which is the end of the path, after the last point. */
  private readonly position: Vec3 = vec3()
  private readonly course: Frame = frame()

  serialize(archive: Archive): void {
    serializeFields(archive, this)
    const { capacity, count, next } = this
    requireWhole('restoreSnapshot: capacity of a trail', capacity, 0, MAX_POINTS)
    requireWhole('restoreSnapshot: points of a trail', count, 0, capacity)
    requireWhole('restoreSnapshot: next point of a trail', next, 0, capacity)
    const size = ROW_LENGTH * capacity
    if (this.rows.length < size) this.rows = new Float64Array(size)
    archive.numbers(this.rows, 0, size, [POSITION], ROW_LENGTH)
  }

  /** Starts anew, with a straight path of the given length (m) behind `anchor`. */
  start(anchor: Anchor, pathLength: number, gap: number): void {
    this.gap = gap
    this.capacity = Math.min(Math.ceil(pathLength / gap) + 4, MAX_POINTS)
    this.rows = new Float64Array(ROW_LENGTH * this.capacity)
    this.head = this.count = this.next = 0
    this.updateCourse(anchor)
    addScaled(this.position, anchor.position, this.course.x, -(this.capacity - 1) * gap)
    for (let i = 0; i < this.capacity; i++) {
      this.addPoint()
      this.head += gap
      addScaled(this.position, this.position, this.course.x, gap)
    }
    this.head -= gap
    copy(this.position, anchor.position)
  }

  /** Whether the path is at least this long (m). */
  reaches(pathLength: number): boolean {
    return (this.capacity - 3) * this.gap >= pathLength
  }

  /** Extends the path to the present position of the anchor. */
  record(anchor: Anchor): void {
    this.head += distance(anchor.position, this.position)
    this.updateCourse(anchor)
    copy(this.position, anchor.position)
    if (this.head - this.stationOf(this.count - 1) >= this.gap) this.addPoint()
  }

  /**
   * Writes a place in world axes. `local` (m): its distance along the path from `station`, upwards, and to
   * starboard.
   */
  place(out: Vec3, local: Vec3Like, station: number): Vec3 {
    this.frameAt(out, frameThere, station + local.x)
    addScaled(out, out, frameThere.y, local.y)
    return addScaled(out, out, frameThere.z, local.z)
  }

  /** Writes the point at a station, and the frame there. */
  frameAt(point: Vec3, out: Frame, station: number): void {
    const last = this.count - 1
    const i = this.pointBefore(station)
    const start = i < 0 ? this.stationOf(0) : this.stationOf(i)
    const end = i < last ? this.stationOf(i + 1) : this.head
    if (i < 0 || !(end > start) || station >= end)
      return this.extrapolate(point, out, i < 0, station - (i < 0 ? start : end))
    const { rows } = this
    const a = this.rowOf(i)
    const b = i < last ? this.rowOf(i + 1) : -1
    const h = end - start
    const t = (station - start) / h
    const after = (1 - t) * (1 - t)
    load(point, rows, a + POSITION)
    scale(point, point, (1 + 2 * t) * after)
    addScaled(point, point, load(first, rows, a + TANGENT), t * after * h)
    addScaled(point, point, b < 0 ? this.position : load(second, rows, b + POSITION), t * t * (3 - 2 * t))
    const tangent = b < 0 ? copy(second, this.course.x) : load(second, rows, b + TANGENT)
    addScaled(point, point, tangent, t * t * (t - 1) * h)
    normalize(out.x, lerp(out.x, first, second, t))
    load(first, rows, a + UP)
    if (b < 0) copy(second, this.course.y)
    else load(second, rows, b + UP)
    normalize(out.y, reject(out.y, lerp(out.y, first, second, t), out.x))
    cross(out.z, out.x, out.y)
  }

  /** Writes the point `beyond` (m) after the end of the path, or before its start (negative). */
  private extrapolate(point: Vec3, out: Frame, atStart: boolean, beyond: number): void {
    copyFrame(out, this.course)
    copy(point, this.position)
    if (atStart) {
      const row = this.rowOf(0)
      load(out.x, this.rows, row + TANGENT)
      load(out.y, this.rows, row + UP)
      cross(out.z, out.x, out.y)
      load(point, this.rows, row + POSITION)
    }
    addScaled(point, point, out.x, beyond)
  }

  /** Number of the last point at or before a station; −1 before the first. */
  private pointBefore(station: number): number {
    let low = -1
    let high = this.count - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.stationOf(middle) <= station) low = middle
      else high = middle - 1
    }
    return low
  }

  private updateCourse({ frame: attitude, velocity }: Anchor): void {
    copyFrame(this.course, attitude)
    const speed = length(velocity)
    if (speed > MIN_SPEED) carryFrame(this.course, scale(first, velocity, 1 / speed))
  }

  private addPoint(): void {
    const row = ROW_LENGTH * this.next
    this.rows[row] = this.head
    save(this.position, this.rows, row + POSITION)
    save(this.course.x, this.rows, row + TANGENT)
    save(this.course.y, this.rows, row + UP)
    this.next = (this.next + 1) % this.capacity
    this.count = Math.min(this.count + 1, this.capacity)
  }

  /** Offset of point `i`, counted from the oldest, in `rows`. */
  private rowOf(i: number): number {
    return ROW_LENGTH * ((this.next - this.count + i + this.capacity) % this.capacity)
  }

  private stationOf(i: number): number {
    return this.rows[this.rowOf(i)]!
  }
}
