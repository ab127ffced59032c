import type { Vec3, Vec3Like } from '../../core/types.js'
import { add, addScaled, distance, dot, length, normalize } from '../../core/math/vec3.js'
import { reject, scale, set, sub, vec3 } from '../../core/math/vec3.js'
import { ArcPath } from '../curves/arc-path.js'

/**
 * Appends a curve through `points` (m) to `path`. `closed`: it goes on to the first point again. `radii` (m)
 * and `headings` (null: free) are those of the points. Runs once, when a path is made.
 * @returns for each segment the length of `path` at its beginning (m).
 */
export type Curve = (
  path: ArcPath,
  points: readonly Vec3Like[],
  closed: boolean,
  radii: Float64Array,
  headings: readonly (Vec3Like | null)[],
) => number[]

/**
 * Functions that build the pieces of a path from its points. They run once per path. Each appends to `path`,
 * which ends where the new piece starts.
 */

/** A bend by less than this angle is a straight line (rad). */
const STRAIGHT = 1e-7

/** Pieces shorter than this share of their segment are left out. */
const MIN_SHARE = 1e-9

const leg = new ArcPath()

function addLine(path: ArcPath, from: Vec3Like, to: Vec3Like): void {
  const chord = sub(vec3(), to, from)
  path.append(leg.begin(from, chord).straight(length(chord)))
}

/** Appends the arc that starts at `from` along the unit vector `heading` and ends at `to`. */
function addArc(path: ArcPath, from: Vec3Like, heading: Vec3Like, to: Vec3Like): void {
  const chord = sub(vec3(), to, from)
  const across = reject(vec3(), chord, heading)
  const angle = 2 * Math.atan2(length(across), dot(chord, heading))
  if (angle < STRAIGHT) return addLine(path, from, to)
  path.append(leg.begin(from, heading).arc(across, length(chord) / (2 * Math.sin(angle / 2)), angle))
}

/** Appends straights with a corner at each point. Returns the stations at which the segments begin. */
function polyline(path: ArcPath, points: readonly Vec3Like[], closed: boolean): number[] {
  const starts: number[] = []
  const segments = closed ? points.length : points.length - 1
  for (let i = 0; i < segments; i++) {
    starts.push(path.length)
    addLine(path, points[i]!, points[(i + 1) % points.length]!)
  }
  return starts
}

/**
 * Appends straights with an arc of the given radius at each corner. Where the straights are too short for it,
 * the arc is the largest that fits. A segment begins in the middle of its arc. At a reversal no arc fits, and
 * the corner stays. Returns the stations at which the segments begin.
 */
function arcs(path: ArcPath, points: readonly Vec3Like[], closed: boolean, radii: Float64Array): number[] {
  const count = points.length
  const segments = closed ? count : count - 1
  const spans = points.slice(0, segments).map((point, i) => distance(point, points[(i + 1) % count]!))
  const ahead = points
    .slice(0, segments)
    .map((point, i) => normalize(vec3(), sub(vec3(), points[(i + 1) % count]!, point)))
  const before = (i: number): number => (i + segments - 1) % segments
  // Length that each corner takes from the straights on both sides.
  const wantedCuts = points.map((_, i) =>
    !closed && (i === 0 || i === count - 1) ? 0 : radii[i]! * halfTangent(ahead[before(i)]!, ahead[i]!),
  )
  const fitShare = (i: number): number =>
    Math.min(1, spans[i]! / (wantedCuts[i]! + wantedCuts[(i + 1) % count]!))
  const cuts = wantedCuts.map((cut, i) =>
    cut > MIN_SHARE * Math.min(spans[i] ?? Infinity, spans[before(i)]!)
      ? cut * Math.min(fitShare(before(i)), fitShare(i))
      : 0,
  )
  const starts: number[] = []
  for (let i = 0; i < segments; i++) {
    const next = (i + 1) % count
    const from = addScaled(vec3(), points[i]!, ahead[i]!, cuts[i]!)
    const to = addScaled(vec3(), points[next]!, ahead[i]!, -cuts[next]!)
    starts.push(path.length)
    if (cuts[i]! > 0) {
      const [back, on] = [ahead[before(i)]!, ahead[i]!]
      const heading = add(vec3(), back, on)
      addArc(path, arcMiddle(points[i]!, back, on, cuts[i]!), normalize(heading, heading), from)
    }
    if (spans[i]! - cuts[i]! - cuts[next]! > MIN_SHARE * spans[i]!) addLine(path, from, to)
    if (cuts[next]! > 0) {
      const middle = arcMiddle(points[next]!, ahead[i]!, ahead[next]!, cuts[next]!)
      addArc(path, to, ahead[i]!, middle)
    }
  }
  return starts
}

/** Tangent of half the angle between two unit vectors; 0 for opposite ones, which have no finite tangent. */
function halfTangent(a: Vec3Like, b: Vec3Like): number {
  const sum = length(add(vec3(), a, b))
  return sum > 1e-6 ? length(sub(vec3(), b, a)) / sum : 0
}

function arcMiddle(corner: Vec3Like, from: Vec3Like, to: Vec3Like, cut: number): Vec3 {
  const turn = sub(vec3(), to, from)
  const half = Math.atan(halfTangent(from, to))
  // The distance from the corner to its arc is r (1 / cos − 1), with r = cut / tan.
  const depth = (cut * (1 - Math.cos(half))) / Math.max(Math.sin(half), 1e-300)
  return addScaled(vec3(), corner, normalize(turn, turn), depth)
}

// The numbers below are chosen by hand unless they say otherwise.

/** Largest distance of the arcs from the curve, in chords of the segment. Smaller: more arcs. */
const TOLERANCE = 1e-4
/** Largest turn of a pair of arcs (rad). */
const MAX_TURN = 0.8

/** A segment becomes at most 2 to this power pairs of arcs. */
const MAX_HALVINGS = 7

/** A slope shorter than this, in chords, belongs to a cusp and has no direction. */
const CUSP = 1e-6

/** Lower bound of 1 + cos in `slopeAlong`: a heading straight back would need an infinite slope. */
const MIN_DENOMINATOR = 0.6

/** A cubic given by its ends and the slopes there. */
interface Cubic {
  readonly from: Vec3Like
  readonly to: Vec3Like
  readonly slopeFrom: Vec3Like
  readonly slopeTo: Vec3Like
  readonly chord: number
}

/**
 * Appends the centripetal Catmull-Rom spline through `points`, as arcs. Each part of the cubic is replaced by
 * two arcs that meet without a corner (a biarc), and halved until the arcs are within a ten-thousandth of the
 * chord. So length, curvature and nearest point have closed forms. Where a point has a heading, the curve has
 * that direction there. Returns the stations at which the segments begin.
 */
function spline(
  path: ArcPath,
  points: readonly Vec3Like[],
  closed: boolean,
  _radii: Float64Array,
  headings: readonly (Vec3Like | null)[],
): number[] {
  const starts: number[] = []
  const segments = closed ? points.length : points.length - 1
  for (let i = 0; i < segments; i++) {
    starts.push(path.length)
    addCubic(path, cubicOf(points, i, closed, headings), 0, 1, 0)
  }
  return starts
}

function cubicOf(
  points: readonly Vec3Like[],
  i: number,
  closed: boolean,
  headings: readonly (Vec3Like | null)[],
): Cubic {
  const count = points.length
  const from = points[i]!
  const to = points[(i + 1) % count]!
  // At an open end the missing neighbor is the mirror image of the inner one.
  const before = closed || i > 0 ? points[(i + count - 1) % count]! : mirrored(from, to)
  const after = closed || i + 2 < count ? points[(i + 2) % count]! : mirrored(to, from)
  const [a, b, c] = [before, from, to].map((p, k) => Math.sqrt(distance(p, [from, to, after][k]!)))
  const chord = sub(vec3(), to, from)
  const headingFrom = headings[i]
  const headingTo = headings[(i + 1) % count]
  return {
    from,
    to,
    slopeFrom: headingFrom ? slopeAlong(headingFrom, chord) : slopeAt(before, from, to, a!, b!, b!),
    slopeTo: headingTo ? slopeAlong(headingTo, chord) : slopeAt(from, to, after, b!, c!, b!),
    chord: length(chord),
  }
}

/**
 * Derivative, along `heading`, of the cubic that is nearest to the circular arc over this chord. Its length
 * is that of the chord / cos² of half the angle between heading and chord.
 */
function slopeAlong(heading: Vec3Like, chord: Vec3Like): Vec3 {
  const slope = normalize(vec3(), heading)
  const span = length(chord)
  return scale(slope, slope, (2 * span) / Math.max(1 + dot(slope, chord) / span, MIN_DENOMINATOR))
}

function mirrored(point: Vec3Like, mirror: Vec3Like): Vec3 {
  return sub(vec3(), scale(vec3(), point, 2), mirror)
}

/**
 * Slope at `b` between `a` and `c`, for a segment of parameter length `span`. In the parameter, `a` is
 * `first` before and `c` is `after` beyond `b`.
 */
function slopeAt(a: Vec3Like, b: Vec3Like, c: Vec3Like, first: number, after: number, span: number): Vec3 {
  const slope = scale(vec3(), sub(vec3(), b, a), span / first)
  addScaled(slope, slope, sub(vec3(), c, a), -span / (first + after))
  return addScaled(slope, slope, sub(vec3(), c, b), span / after)
}

function addCubic(path: ArcPath, cubic: Cubic, from: number, to: number, halvings: number): void {
  const a = pointOf(cubic, from)
  const b = pointOf(cubic, to)
  const chord = sub(vec3(), b, a)
  const headingA = headingOf(cubic, from, chord)
  const headingB = headingOf(cubic, to, chord)
  const pair = new ArcPath()
  addBiarc(pair, a, headingA, b, headingB)
  const last = halvings === MAX_HALVINGS
  if (last || (dot(headingA, headingB) > Math.cos(MAX_TURN) && fits(pair, cubic, from, to))) {
    path.append(pair)
    return
  }
  const middle = (from + to) / 2
  addCubic(path, cubic, from, middle, halvings + 1)
  addCubic(path, cubic, middle, to, halvings + 1)
}

function fits(pair: ArcPath, cubic: Cubic, from: number, to: number): boolean {
  const nearest = vec3()
  return [0.25, 0.5, 0.75].every((share) => {
    const point = pointOf(cubic, from + share * (to - from))
    return distance(point, pair.pointAt(nearest, pair.nearest(point))) < TOLERANCE * cubic.chord
  })
}

/** Appends two arcs without a corner, of equal arms α: |to − from − α (headingFrom + headingTo)| = 2 α. */
function addBiarc(
  path: ArcPath,
  from: Vec3Like,
  headingFrom: Vec3Like,
  to: Vec3Like,
  headingTo: Vec3Like,
): void {
  const chord = sub(vec3(), to, from)
  const sum = add(vec3(), headingFrom, headingTo)
  const along = dot(chord, sum)
  const bend = 2 - 2 * dot(headingFrom, headingTo)
  const square = dot(chord, chord)
  const arm = square / (along + Math.sqrt(along * along + bend * square))
  if (!(arm > 0 && arm < Infinity)) return addLine(path, from, to)
  const first = addScaled(vec3(), from, headingFrom, arm)
  const second = addScaled(vec3(), to, headingTo, -arm)
  const middle = scale(vec3(), add(vec3(), first, second), 0.5)
  addArc(path, from, headingFrom, middle)
  addArc(path, middle, normalize(vec3(), sub(vec3(), second, first)), to)
}

function pointOf({ from, to, slopeFrom, slopeTo }: Cubic, u: number): Vec3 {
  const v = 1 - u
  const out = scale(vec3(), from, v * v * (1 + 2 * u))
  addScaled(out, out, to, u * u * (3 - 2 * u))
  addScaled(out, out, slopeFrom, u * v * v)
  return addScaled(out, out, slopeTo, -u * u * v)
}

/** Unit direction of the curve at `u`; that of `stretch` where the slope vanishes. */
function headingOf({ from, to, slopeFrom, slopeTo, chord }: Cubic, u: number, stretch: Vec3Like): Vec3 {
  const v = 1 - u
  const out = scale(vec3(), sub(vec3(), to, from), 6 * u * v)
  addScaled(out, out, slopeFrom, v * (v - 2 * u))
  addScaled(out, out, slopeTo, u * (u - 2 * v))
  return length(out) > CUSP * chord ? normalize(out, out) : normalize(set(out, 0, 0, 0), stretch)
}

/** The curves that a path names by a text. */
export const CURVES = { polyline, spline, arcs } as const satisfies Record<string, Curve>
