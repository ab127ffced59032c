import type { Vec3, Vec3Like } from '../../types.js'
import { addScaled, add, copy, dot, distance, length, normalize, reject, sub, vec3 } from '../../math/vec3.js'
import { ArcPath } from '../../curves/arc-path.js'

/** Builders of the pieces of a path. They run once, when it is made, and add to `path`, which ends where they begin. */

/** A bend by less than this, rad, is a straight. */
const STRAIGHT = 1e-7

/** What is shorter than this share of its segment is left out. */
const LEAST = 1e-9

const leg = new ArcPath()

export function addLine(path: ArcPath, from: Vec3Like, to: Vec3Like): void {
  const way = sub(vec3(), to, from)
  path.append(leg.begin(from, way).straight(length(way)))
}

/** The arc from `from` with the unit `heading` to `to`. */
export function addArc(path: ArcPath, from: Vec3Like, heading: Vec3Like, to: Vec3Like): void {
  const chord = sub(vec3(), to, from)
  const aside = reject(vec3(), chord, heading)
  const angle = 2 * Math.atan2(length(aside), dot(chord, heading))
  if (angle < STRAIGHT) return addLine(path, from, to)
  path.append(leg.begin(from, heading).arc(aside, length(chord) / (2 * Math.sin(angle / 2)), angle))
}

/** Straights with a corner at each point. Returns the arc lengths at which the segments begin. */
export function polyline(path: ArcPath, points: readonly Vec3Like[], closed: boolean): number[] {
  const starts: number[] = []
  const segments = closed ? points.length : points.length - 1
  for (let i = 0; i < segments; i++) {
    starts.push(path.length)
    addLine(path, points[i]!, points[(i + 1) % points.length]!)
  }
  return starts
}

/**
 * Straights with an arc of its radius at each corner, or of the largest that the straights have room for. A segment begins in the middle of
 * the arc. Where the way turns back there is no room for any arc: the corner stays.
 */
export function arcs(
  path: ArcPath,
  points: readonly Vec3Like[],
  closed: boolean,
  radii: Float64Array,
): number[] {
  const count = points.length
  const segments = closed ? count : count - 1
  const spans = points.slice(0, segments).map((point, i) => distance(point, points[(i + 1) % count]!))
  const ahead = points
    .slice(0, segments)
    .map((point, i) => normalize(vec3(), sub(vec3(), points[(i + 1) % count]!, point)))
  const before = (i: number): number => (i + segments - 1) % segments
  // how much of the straights on both sides a corner takes
  const wanted = points.map((_, i) =>
    !closed && (i === 0 || i === count - 1) ? 0 : radii[i]! * halfTangent(ahead[before(i)]!, ahead[i]!),
  )
  const room = (i: number): number => Math.min(1, spans[i]! / (wanted[i]! + wanted[(i + 1) % count]!))
  const cuts = wanted.map((cut, i) =>
    cut > LEAST * Math.min(spans[i] ?? Infinity, spans[before(i)]!)
      ? cut * Math.min(room(before(i)), room(i))
      : 0,
  )
  const starts: number[] = []
  for (let i = 0; i < segments; i++) {
    const next = (i + 1) % count
    const from = addScaled(vec3(), points[i]!, ahead[i]!, cuts[i]!)
    const to = addScaled(vec3(), points[next]!, ahead[i]!, -cuts[next]!)
    starts.push(path.length)
    if (cuts[i]! > 0) secondHalf(path, points[i]!, ahead[before(i)]!, ahead[i]!, cuts[i]!, from)
    if (spans[i]! - cuts[i]! - cuts[next]! > LEAST * spans[i]!) addLine(path, from, to)
    if (cuts[next]! > 0) {
      const middle = crest(points[next]!, ahead[i]!, ahead[next]!, cuts[next]!)
      addArc(path, to, ahead[i]!, middle)
    }
  }
  return starts
}

/** Tangent of half the angle between two directions; 0 for a reversal, which has none. */
function halfTangent(a: Vec3Like, b: Vec3Like): number {
  const sum = length(add(vec3(), a, b))
  return sum > 1e-6 ? length(sub(vec3(), b, a)) / sum : 0
}

/** Middle of the arc at a corner. */
function crest(corner: Vec3Like, from: Vec3Like, to: Vec3Like, cut: number): Vec3 {
  const turn = sub(vec3(), to, from)
  const half = Math.atan(halfTangent(from, to))
  // from the corner to its arc: r (1 / cos − 1), with r = cut / tan
  const depth = (cut * (1 - Math.cos(half))) / Math.max(Math.sin(half), 1e-300)
  return addScaled(vec3(), corner, normalize(turn, turn), depth)
}

function secondHalf(
  path: ArcPath,
  corner: Vec3Like,
  from: Vec3Like,
  to: Vec3Like,
  cut: number,
  end: Vec3,
): void {
  const heading = normalize(vec3(), add(vec3(), from, to))
  addArc(path, copy(vec3(), crest(corner, from, to, cut)), heading, end)
}
