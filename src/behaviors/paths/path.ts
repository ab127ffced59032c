import type { Frame, Vec3, Vec3Like } from '../../types.js'
import { DEFAULT_UP, carryFrame, frame } from '../../math/frame.js'
import { addScaled, cross, distance, dot, load, normalize } from '../../math/vec3.js'
import { perpendicular, reject, save, scale, vec3 } from '../../math/vec3.js'
import { ArcPath } from '../../curves/arc-path.js'
import { dubins } from '../../curves/dubins-legs.js'
import { arcs, polyline, spline } from './path-legs.js'
import { checkPath, copiedOptions, distinctPoints, type PathEnds, type PathOptions } from './path-points.js'
import { addReversed } from '../../curves/reversed.js'

/** Sine of the angle within which an `up` is along the way. */
const PARALLEL = 1e-9

/** A tangent that changes by less than this has no corner. */
const MIN_CORNER = 1e-5

const carried = frame()
const spot = vec3()

/**
 * A way through points, by arc length: where it is, where it leads, how it bends, how wide it is and how it is rolled. `s` (m) is the
 * way travelled from the start. On an open path it is clamped to 0 … `lap`; a closed one begins anew after each lap; on a ping-pong a lap
 * is there and back, and on the way back the tangent points back. Made once and never changed, so many may follow it.
 */
export class Path {
  /** What it was made from, copied. Not to be written. */
  readonly options: PathOptions
  readonly ends: PathEnds
  /** From the first point to the last, closed to the first again, m. */
  readonly length: number
  /** Way after which all repeats, m: `length`, on a ping-pong twice that. */
  readonly lap: number
  /** One lap, as straights and arcs. Live: not to be written. */
  readonly line: ArcPath
  /** Waypoints, without those that coincide. */
  readonly count: number
  /** Arc length of each point, and the end of the last segment. */
  private readonly stations: Float64Array
  private readonly tubes: Float64Array
  private readonly banks: Float64Array | null
  /** `[3 × pieces]`: up at the start of each piece of the way there. */
  private readonly ups: Float64Array
  /** See `cornerOf`. */
  private readonly corners: Float64Array
  /** What the frame is rolled by on its way, so that it closes, rad/m. */
  private readonly twist: number

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: PathOptions) {
    checkPath(options)
    const { curve = 'spline', ends = 'open', up = DEFAULT_UP } = options
    const { points, radii, headings, tubes, banks } = distinctPoints(options)
    const closed = ends === 'closed'
    const line = new ArcPath()
    let starts: number[]
    if (curve === 'spline') starts = spline(line, points, closed, headings)
    else if (curve === 'arcs') starts = arcs(line, points, closed, radii)
    else if (curve === 'dubins') starts = dubins(line, points, closed, radii, headings)
    else starts = polyline(line, points, closed)
    if (!(line.length > 0 && line.length < Infinity))
      throw new RangeError('Path.points: got a length that overflows, must be nearer to each other')
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

  /** Whether it goes on for ever. */
  get endless(): boolean {
    return this.ends !== 'open'
  }

  pointAt(out: Vec3, s: number): Vec3 {
    return this.line.pointAt(out, this.within(s))
  }

  /** Writes the unit direction of the way at `s`; at a corner that of what follows. */
  tangentAt(out: Vec3, s: number): Vec3 {
    return this.line.tangentAt(out, this.within(s))
  }

  /** Writes the curvature at `s`: towards the centre of the bend, 1 / radius long (1/m). A corner has none. */
  curvatureAt(out: Vec3, s: number): Vec3 {
    return this.line.curvatureAt(out, this.within(s))
  }

  /**
   * Writes the frame at `s`: x along the way, y up, z to starboard. It is carried along without roll (a rotation-minimising frame, Wang,
   * Jüttler, Zheng and Liu 2008, exact on straights and arcs); on a closed path it is rolled evenly, so that it comes round to itself.
   * The bank comes on top of that. Back on a ping-pong up is where it was on the way there.
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

  /** Roll to starboard at `s` of the way there, rad. */
  bankAt(s: number): number {
    const { banks, stations } = this
    if (banks === null) return 0
    const i = this.segmentAt(s)
    const share = (this.outboundStation(s) - stations[i]!) / (stations[i + 1]! - stations[i]!)
    const first = banks[i]!
    return first + (banks[(i + 1) % this.count]! - first) * share
  }

  /** Radius of the tube at `s`, m. */
  tubeAt(s: number): number {
    return this.tubes[this.segmentAt(s)]!
  }

  /** Number of the segment that holds `s`: from point i to the next. */
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

  /** Arc length at which it passes point `i`, m; of `'arcs'` where it is nearest to it. `count` of a closed path is its first again. */
  stationOf(i: number): number {
    return this.stations[Math.min(Math.max(i, 0), this.stations.length - 1)]!
  }

  /**
   * Way (m) of the point nearest to `point`, of those between `from` and `to`; of several the first. Where it is endless, `from` and `to`
   * may be on any lap, and so is what is returned. An agent that looks only a little to both sides of where it was does not change to
   * another branch where the path crosses itself.
   */
  nearest(point: Vec3Like, from = 0, to: number = this.lap): number {
    const { lap, line } = this
    if (Number.isNaN(from + to) || (this.endless && Math.abs(from) === Infinity)) return line.nearest(point)
    if (!this.endless) return line.nearest(point, from, to)
    let best = from
    let least = Infinity
    const end = Math.min(to, from + lap)
    // a window of one lap touches three at most
    for (let k = Math.floor(from / lap), tries = 0; tries < 3 && lap * k <= end; k++, tries++) {
      const s = line.nearest(point, from - lap * k, end - lap * k)
      const gap = distance(line.pointAt(spot, s), point)
      if (!(gap < least)) continue
      least = gap
      // the sum may round to beyond the window
      best = Math.min(Math.max(lap * k + s, from), end)
    }
    return best
  }

  /** How sharp the corner at the start of piece `i` of `line` is: the length by which the unit tangent changes, 0 … 2. Of a reversal 2. */
  cornerOf(i: number): number {
    return this.corners[i]!
  }

  /** `s` on the first lap. */
  within(s: number): number {
    return this.endless ? s - this.lap * Math.floor(s / this.lap) : s
  }

  /** Where on the way there `s` is. */
  private outboundStation(s: number): number {
    const station = this.within(s)
    return Math.min(Math.max(station > this.length ? 2 * this.length - station : station, 0), this.length)
  }

  /** Carries `up` along the way. Returns by how much it must be rolled per metre to come round to itself. */
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
    // the end of a piece is the start of the next: seen from its middle it is as far on as its start is back
    const half = (line.startOf(i + 1) - start) / 2
    line.tangentAt(middle, start + half)
    addScaled(before, spot, middle, -2 * dot(spot, middle))
    scale(before, before, -1)
  }
  return corners
}
