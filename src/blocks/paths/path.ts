import type { Frame, Vec3, Vec3Like } from '../../core/types.js'
import { Shifter } from '../../core/control/shifter.js'
import { DEFAULT_UP, carryFrame, frame } from '../../core/math/frame.js'
import { requireVector } from '../../core/math/require.js'
import { add, addScaled, cross, distance, dot, load, normalize } from '../../core/math/vec3.js'
import { perpendicular, reject, save, scale, vec3 } from '../../core/math/vec3.js'
import { ArcPath } from '../curves/arc-path.js'
import { CURVES } from './path-legs.js'
import {
  copiedOptions,
  distinctPoints,
  PATH,
  readPath,
  type PathEnds,
  type PathOptions,
} from './path-points.js'
import { addReversed } from '../curves/reversed.js'

/** An `up` within this angle of the path direction has no usable part across it (sine of the angle). */
const PARALLEL = 1e-9

/** A corner needs at least this change of the unit tangent. */
const MIN_CORNER = 1e-5

const carried = frame()
const spot = vec3()

/**
 * A path through points, parametrized by arc length: position, direction, curvature, tube radius and roll at
 * each station. A station `s` (m) is the distance travelled from the start. On an open path it is clamped to
 * 0 … `lap`. A closed path starts again after each lap. A lap of a ping-pong path goes there and back, and on
 * the way back the tangent points back. A path never changes after construction, but for `shift`, so many
 * agents may follow it.
 */
export class Path {
  static readonly options: typeof PATH = PATH
  /** The options it was made from, copied. Read-only. */
  readonly options: PathOptions
  readonly ends: PathEnds
  /** Length from the first point to the last (m); of a closed path to the first again. */
  readonly length: number
  /** Distance after which the path repeats (m): `length`, of a ping-pong path twice that. */
  readonly lap: number
  /** One lap as straights and arcs. Live and read-only. */
  readonly line: ArcPath
  /** Number of waypoints, without coincident ones. */
  readonly count: number
  /** Station of each point, then the end of the last segment. */
  private readonly stations: Float64Array
  private readonly tubes: Float64Array
  private readonly banks: Float64Array | null
  /** `[3 × pieces]`: the up axis at the start of each piece of the outbound way. */
  private readonly ups: Float64Array
  /** Sharpness of the corner at the start of each piece, see `cornerOf`. */
  private readonly corners: Float64Array
  /** Roll per metre that makes the carried frame of a closed path meet itself after a lap (rad/m). */
  private readonly twist: number

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: PathOptions) {
    const read = readPath(options)
    const { curve, ends, up = DEFAULT_UP } = read
    const { points, radii, headings, tubes, banks } = distinctPoints(read)
    const closed = ends === 'closed'
    const line = new ArcPath()
    const lay = typeof curve === 'function' ? curve : CURVES[curve]
    const starts = lay(line, points, closed, radii, headings)
    if (!(line.length > 0 && line.length < Infinity))
      throw new RangeError(
        'Path.points: got points with an infinite path length, must be nearer to each other',
      )
    this.options = copiedOptions(options)
    this.ends = ends
    this.length = line.length
    this.count = points.length
    this.stations = Float64Array.of(...starts, line.length)
    this.tubes = tubes
    this.banks = banks
    this.ups = new Float64Array(3 * line.count)
    this.twist = this.carryUp(line, up, closed)
    if (ends === 'ping-pong') line.append(addReversed(new ArcPath(), line, -1))
    this.corners = cornersOf(line, this.endless)
    this.line = line
    this.lap = line.length
  }

  /** Whether the path has no end (closed or ping-pong). */
  get endless(): boolean {
    return this.ends !== 'open'
  }

  /**
   * Moves the path by a vector (m), for a floating origin, see `SteeringWorld.shift`: agents go on where they
   * are. @throws TypeError / RangeError for a vector that is not finite.
   */
  shift(by: Vec3Like): void {
    this.line.serialize(new Shifter(requireVector('Path.shift: by', by)))
    for (const point of this.options.points) add(point, point, by)
  }

  pointAt(out: Vec3, s: number): Vec3 {
    return this.line.pointAt(out, this.within(s))
  }

  /** Writes the unit direction of travel at `s`; at a corner that of the piece after it. */
  tangentAt(out: Vec3, s: number): Vec3 {
    return this.line.tangentAt(out, this.within(s))
  }

  /** Writes the curvature vector at `s`, to the centre, of length 1 / radius (1/m). Corners have none. */
  curvatureAt(out: Vec3, s: number): Vec3 {
    return this.line.curvatureAt(out, this.within(s))
  }

  /**
   * Writes the frame at `s`: x along the path, y up, z to starboard. The frame is carried along without roll
   * (a rotation-minimising frame, Wang, Jüttler, Zheng and Liu 2008, exact on straights and arcs). On a
   * closed path an even roll is added so that the frame meets itself after a lap. The bank is added to that.
   * On the way back of a ping-pong path, up is the same as on the outbound way.
   */
  frameAt(out: Frame, s: number): Frame {
    const station = this.outboundStation(s)
    const { line } = this
    const piece = line.pieceAt(station)
    line.tangentAt(carried.x, line.startOf(piece))
    load(carried.y, this.ups, 3 * piece)
    carryFrame(carried, line.tangentAt(spot, station))
    const roll = this.twist * station + this.bankAt(s)
    cross(out.z, spot, carried.y)
    scale(out.y, carried.y, Math.cos(roll))
    normalize(out.y, addScaled(out.y, out.y, out.z, Math.sin(roll)))
    this.tangentAt(out.x, s)
    cross(out.z, out.x, out.y)
    return out
  }

  /** Roll to starboard at `s` (rad). */
  bankAt(s: number): number {
    const { banks, stations } = this
    if (banks === null) return 0
    const i = this.segmentAt(s)
    const share = (this.outboundStation(s) - stations[i]!) / (stations[i + 1]! - stations[i]!)
    const first = banks[i]!
    return first + (banks[(i + 1) % this.count]! - first) * share
  }

  /** Radius of the tube at `s` (m). */
  tubeAt(s: number): number {
    return this.tubes[this.segmentAt(s)]!
  }

  /** Index i of the segment that contains `s`, from point i to the next one. */
  segmentAt(s: number): number {
    const { stations } = this
    const station = this.outboundStation(s)
    let low = 0
    let high = stations.length - 2
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (stations[middle]! <= station) low = middle
      else high = middle - 1
    }
    return low
  }

  /**
   * Station of point `i` (m); of `'arcs'` the station nearest to it. Index `count` of a closed path is its
   * first point after one lap.
   */
  stationOf(i: number): number {
    return this.stations[Math.min(Math.max(i, 0), this.stations.length - 1)]!
  }

  /**
   * Station (m) of the point nearest to `point`, between `from` and `to`; of several the first. On an endless
   * path `from` and `to` may be on any lap, and the result is on the same lap. Searching only a little to
   * both sides of the previous station keeps an agent on its branch where the path crosses itself.
   */
  nearest(point: Vec3Like, from = 0, to: number = this.lap): number {
    const { lap, line } = this
    if (Number.isNaN(from + to) || (this.endless && Math.abs(from) === Infinity)) return line.nearest(point)
    if (!this.endless) return line.nearest(point, from, to)
    let best = from
    let least = Infinity
    const end = Math.min(to, from + lap)
    // A window of one lap touches at most three laps.
    for (let k = Math.floor(from / lap), tries = 0; tries < 3 && lap * k <= end; k++, tries++) {
      const s = line.nearest(point, from - lap * k, end - lap * k)
      const gap = distance(line.pointAt(spot, s), point)
      if (!(gap < least)) continue
      least = gap
      // Rounding can put the sum outside of the window.
      best = Math.min(Math.max(lap * k + s, from), end)
    }
    return best
  }

  /**
   * Sharpness of the corner at the start of piece `i` of `line`: the length of the change of the unit
   * tangent, 0 … 2 (dimensionless). A reversal has 2.
   */
  cornerOf(i: number): number {
    return this.corners[i]!
  }

  /** The station `s` reduced to the first lap. */
  within(s: number): number {
    return this.endless ? s - this.lap * Math.floor(s / this.lap) : s
  }

  /** The station on the outbound way (0 … `length`) with the same position as `s`. */
  private outboundStation(s: number): number {
    const station = this.within(s)
    return Math.min(Math.max(station > this.length ? 2 * this.length - station : station, 0), this.length)
  }

  /** Carries `up` along the path. Returns the roll per metre that makes the frame meet itself (rad/m). */
  private carryUp(line: ArcPath, up: Vec3Like, closed: boolean): number {
    const { ups } = this
    const { x, y, z } = carried
    line.tangentAt(x, 0)
    reject(y, normalize(y, up), x)
    if (dot(y, y) < PARALLEL * PARALLEL) perpendicular(y, x)
    normalize(y, y)
    cross(z, x, y)
    const first = { x: { ...x }, y: { ...y }, z: { ...z } }
    for (let i = 0; i < line.count; i++) {
      carryFrame(carried, line.tangentAt(spot, line.startOf(i)))
      save(y, ups, 3 * i)
    }
    if (!closed) return 0
    carryFrame(carried, line.tangentAt(spot, line.length))
    carryFrame(carried, first.x)
    return -Math.atan2(dot(y, first.z), dot(y, first.y)) / line.length
  }
}

function cornersOf(line: ArcPath, endless: boolean): Float64Array {
  const corners = new Float64Array(line.count)
  const before = line.tangentAt(vec3(), endless ? line.length : 0)
  const middle = vec3()
  for (let i = 0; i < line.count; i++) {
    const start = line.startOf(i)
    const turn = distance(line.tangentAt(spot, start), before)
    corners[i] = turn > MIN_CORNER ? turn : 0
    // The tangent at the end of the piece: that at its start, mirrored at the tangent in its middle.
    // Evaluating at the end itself would give the tangent of the next piece.
    const half = (line.startOf(i + 1) - start) / 2
    line.tangentAt(middle, start + half)
    addScaled(before, spot, middle, -2 * dot(spot, middle))
    scale(before, before, -1)
  }
  return corners
}
