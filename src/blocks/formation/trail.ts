import type { Archive, Frame, Serializable, Vec3, Vec3Like } from '../../core/types.js'
import { carryFrame, copyFrame, frame } from '../../core/math/frame.js'
import { addScaled, cross, distance, length, lerp } from '../../core/math/vec3.js'
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
 * ring buffer, and the last of them is the anchor; between them the path is a cubic Hermite curve, and beyond
 * both ends a straight line.
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
    this.count = this.next = 0
    this.updateCourse(anchor)
    for (let i = 1 - this.capacity; i <= 0; i++) {
      this.head = (this.capacity - 1 + i) * gap
      this.addPoint(addScaled(second, anchor.position, this.course.x, i * gap))
    }
  }

  /** Whether the path is at least this long (m). */
  reaches(pathLength: number): boolean {
    return (this.capacity - 3) * this.gap >= pathLength
  }

  /** Extends the path to the present position of the anchor. */
  record(anchor: Anchor): void {
    if (this.capacity === 0) return
    const last = this.count - 1
    this.head += distance(anchor.position, load(second, this.rows, this.rowOf(last) + POSITION))
    this.updateCourse(anchor)
    if (this.stationOf(last) - this.stationOf(last - 1) < this.gap) {
      this.count--
      this.next = (this.next + this.capacity - 1) % this.capacity
    }
    this.addPoint(anchor.position)
  }

  /** Writes a place in world axes. `local` (m): along the path from `station`, upwards, and to starboard. */
  place(out: Vec3, local: Vec3Like, station: number): Vec3 {
    this.frameAt(out, frameThere, station + local.x)
    addScaled(out, out, frameThere.y, local.y)
    return addScaled(out, out, frameThere.z, local.z)
  }

  /** Writes the point at a station, and the frame there. */
  frameAt(point: Vec3, out: Frame, station: number): void {
    const { rows } = this
    const i = this.pointBefore(station)
    const a = this.rowOf(Math.max(i, 0))
    load(point, rows, a + POSITION)
    load(out.x, rows, a + TANGENT)
    load(out.y, rows, a + UP)
    const beyond = station - rows[a]!
    if (i < 0 || i === this.count - 1) addScaled(point, point, out.x, beyond)
    else {
      const b = this.rowOf(i + 1)
      const h = rows[b]! - rows[a]!
      const t = beyond / h
      const after = (1 - t) * (1 - t)
      scale(point, point, (1 + 2 * t) * after)
      addScaled(point, point, out.x, t * after * h)
      addScaled(point, point, load(second, rows, b + POSITION), t * t * (3 - 2 * t))
      addScaled(point, point, load(second, rows, b + TANGENT), t * t * (t - 1) * h)
      normalize(out.x, lerp(out.x, out.x, second, t))
      normalize(out.y, reject(out.y, lerp(out.y, out.y, load(second, rows, b + UP), t), out.x))
    }
    cross(out.z, out.x, out.y)
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

  private addPoint(position: Vec3Like): void {
    const row = ROW_LENGTH * this.next
    this.rows[row] = this.head
    save(position, this.rows, row + POSITION)
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
