import { outOfRange, refuse, requireFinite } from '../../core/math/require.js'
import { show } from '../../core/math/show.js'

/** A corner of a floor plan, in the plane of the local x and z axes, m. */
export interface PlanPoint {
  readonly x: number
  readonly z: number
}

/** Share of the size of a polygon. Corners and edges nearer to each other than this count as touching. */
const NEAR = 1e-9
/** Sine of the angle between two edges that counts as straight on. */
const STRAIGHT = 1e-9

/**
 * Checks that corners make up a simple polygon. Returns a copy, in the order that turns from x to z.
 * @throws TypeError / RangeError
 */
export function requirePolygon(what: string, corners: readonly PlanPoint[]): PlanPoint[] {
  if (!Array.isArray(corners)) refuse(what, corners, 'must be an array of points with numbers x and z')
  if (corners.length < 3) outOfRange(what, corners.length, 'must be 3 corners or more')
  const points = corners.map((corner: Partial<PlanPoint> | null | undefined, i) => {
    const { x, z } = corner ?? {}
    if (typeof x !== 'number' || typeof z !== 'number')
      refuse(`${what}[${i}]`, corner, 'must have numbers x and z')
    requireFinite(`${what}[${i}].x`, x, -Number.MAX_VALUE, false)
    requireFinite(`${what}[${i}].z`, z, -Number.MAX_VALUE, false)
    return { x, z }
  })
  requireSimple(what, points)
  return turning(points) < 0 ? points.reverse() : points
}

function requireSimple(what: string, points: readonly PlanPoint[]): void {
  const near = NEAR * extentOf(points)
  const count = points.length
  const end = (i: number): PlanPoint => points[(i + 1) % count]!
  for (const [i, a] of points.entries())
    if (!(distance(a, end(i)) > near))
      outOfRange(`${what}[${(i + 1) % count}]`, show(end(i)), `must differ from corner ${i}`)
  for (const [i, a] of points.entries())
    for (let j = i + 2; j < count; j++) {
      if ((j + 1) % count === i) continue
      const c = points[j]!
      const apart = Math.min(
        toSegment(a, c, end(j)),
        toSegment(end(i), c, end(j)),
        toSegment(c, a, end(i)),
        toSegment(end(j), a, end(i)),
      )
      if (!(apart > near) || crosses(a, end(i), c, end(j), near))
        throw new RangeError(
          `${what}: the edges from corner ${i} and from corner ${j} cross or touch, must be a simple polygon`,
        )
    }
  if (!(Math.abs(turning(points)) > near * extentOf(points)))
    throw new RangeError(`${what}: got corners on a line, must enclose an area`)
}

/** Twice the area (m²) to the side of z from a → b to c: positive for a turn from x to z. */
function areaTwice(a: PlanPoint, b: PlanPoint, c: PlanPoint): number {
  return (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x)
}

/** Twice the area of a polygon, m²; negative when its corners turn from z to x. */
function turning(points: readonly PlanPoint[]): number {
  let sum = 0
  for (let i = 2; i < points.length; i++) sum += areaTwice(points[0]!, points[i - 1]!, points[i]!)
  return sum
}

/** Larger one of the extents along x and z, m. */
function extentOf(points: readonly PlanPoint[]): number {
  const xs = points.map(({ x }) => x)
  const zs = points.map(({ z }) => z)
  const along = (values: number[]): number =>
    values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b))
  return Math.max(along(xs), along(zs))
}

/** Whether two edges cross whose ends are farther than `near` (m) from the other edge. */
function crosses(a: PlanPoint, b: PlanPoint, c: PlanPoint, d: PlanPoint, near: number): boolean {
  return liesBetween(a, b, c, d, near) && liesBetween(c, d, a, b, near)
}

/** Whether the line through a and b passes between c and d. Not so where all lie on one line. */
function liesBetween(a: PlanPoint, b: PlanPoint, c: PlanPoint, d: PlanPoint, near: number): boolean {
  const toC = areaTwice(a, b, c)
  const toD = areaTwice(a, b, d)
  return toC > 0 !== toD > 0 && Math.min(Math.abs(toC), Math.abs(toD)) > near * distance(a, b)
}

function toSegment(point: PlanPoint, a: PlanPoint, b: PlanPoint): number {
  const length = distance(a, b)
  const ex = (b.x - a.x) / length
  const ez = (b.z - a.z) / length
  const along = (point.x - a.x) * ex + (point.z - a.z) * ez
  const t = Math.max(0, Math.min(length, along))
  return Math.hypot(point.x - a.x - t * ex, point.z - a.z - t * ez)
}

function distance(a: PlanPoint, b: PlanPoint): number {
  return Math.hypot(b.x - a.x, b.z - a.z)
}

/** Whether a → b → c turns from x to z, or goes straight on. */
function turnsInwards(a: PlanPoint, b: PlanPoint, c: PlanPoint): boolean {
  return areaTwice(a, b, c) >= -STRAIGHT * distance(a, b) * distance(b, c)
}

/** Whether a polygon that turns from x to z is convex. */
export function isConvex(points: readonly PlanPoint[]): boolean {
  const count = points.length
  return points.every((b, i) => turnsInwards(points[(i + count - 1) % count]!, b, points[(i + 1) % count]!))
}

/**
 * Splits a simple polygon, that turns from x to z, into convex ones: triangles by cutting off ears (Meisters,
 * Polygons have ears, 1975), then joined where the union is convex (Hertel and Mehlhorn, Fast triangulation
 * of the plane with respect to simple polygons, 1985).
 */
export function convexParts(points: readonly PlanPoint[]): PlanPoint[][] {
  const parts: number[][] = []
  const cuts: [number, number][] = []
  const ring = [...points.keys()]
  while (ring.length > 3) {
    const k = findEar(points, ring)
    const a = ring[(k + ring.length - 1) % ring.length]!
    const c = ring[(k + 1) % ring.length]!
    const [b] = ring.splice(k, 1) as [number]
    // a corner on a straight line encloses nothing
    if (!isFlat(points[a]!, points[b]!, points[c]!)) {
      parts.push([a, b, c])
      cuts.push([a, c])
    }
  }
  if (!isFlat(points[ring[0]!]!, points[ring[1]!]!, points[ring[2]!]!)) parts.push(ring)
  for (const [a, c] of cuts) join(points, parts, a, c)
  return parts.map((part) => part.map((i) => points[i]!))
}

function isFlat(a: PlanPoint, b: PlanPoint, c: PlanPoint): boolean {
  // far below `NEAR`, so that a part never deviates visibly from the polygon
  return Math.abs(areaTwice(a, b, c)) <= 1e-13 * distance(a, b) * distance(b, c)
}

/** Index in the ring of a corner that can be cut off, the one that leaves the least acute triangle. */
function findEar(points: readonly PlanPoint[], ring: readonly number[]): number {
  let best = 0
  let bestShape = -Infinity
  for (const [k, corner] of ring.entries()) {
    const a = points[ring[(k + ring.length - 1) % ring.length]!]!
    const b = points[corner]!
    const c = points[ring[(k + 1) % ring.length]!]!
    if (isFlat(a, b, c)) return k
    const area = areaTwice(a, b, c)
    const longest = Math.max(distance(a, b), distance(b, c), distance(c, a))
    const shape = area / (longest * longest)
    if (!(area > 0 && shape > bestShape)) continue
    const isFree = ring.every((i) => {
      const p = points[i]!
      if (p === a || p === b || p === c) return true
      return areaTwice(a, b, p) < 0 || areaTwice(b, c, p) < 0 || areaTwice(c, a, p) < 0
    })
    if (!isFree) continue
    best = k
    bestShape = shape
  }
  return best
}

/** Joins the two parts on both sides of the cut from a to c if that is convex. */
function join(points: readonly PlanPoint[], parts: number[][], a: number, c: number): void {
  const runs = (part: number[], from: number, to: number): boolean => {
    const k = part.indexOf(from)
    return k >= 0 && part[(k + 1) % part.length] === to
  }
  const one = parts.findIndex((part) => runs(part, c, a))
  const two = parts.findIndex((part) => runs(part, a, c))
  if (one < 0 || two < 0 || one === two) return
  const first = startingAt(parts[one]!, a)
  const second = startingAt(parts[two]!, c)
  // first: a … c, second: c … a
  const joined = [...first, ...second.slice(1, -1)]
  if (!isConvex(joined.map((i) => points[i]!))) return
  parts[one] = joined
  parts.splice(two, 1)
}

function startingAt(part: readonly number[], corner: number): number[] {
  const k = part.indexOf(corner)
  return [...part.slice(k), ...part.slice(0, k)]
}
