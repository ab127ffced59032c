import type { Vec3Like } from '../types.js'
import { requireFinite, requireVector } from '../math/require.js'
import { distance } from '../math/vec3.js'

/** How the way from point to point is: straight, a smooth curve, or straight with round corners. */
export type PathCurve = 'polyline' | 'spline' | 'arcs'

/** What is beyond the last point: nothing, the first again, or the way back. */
export type PathEnds = 'open' | 'closed' | 'ping-pong'

export interface PathOptions {
  /** Waypoints, m, ≥ 2; closed ≥ 3. A point where the one before it is counts as one with it. */
  points: readonly Vec3Like[]
  /**
   * `'polyline'`: straights with corners. `'spline'`: centripetal Catmull-Rom (Yuksel, Schaefer and Keyser 2011, without loops and cusps
   * between two points). `'arcs'`: straights with arcs for corners, that do not go through the points. Default `'spline'`.
   */
  curve?: PathCurve
  /** Of `'arcs'`: radius of the corners, m, ≥ 0; smaller where the straights are too short for it. Default 0. */
  radius?: number
  /** Default `'open'`. */
  ends?: PathEnds
  /** Radius of the tube in which to stay, m, ≥ 0: of all, or one for each segment. A closed path has one segment more. Default 0. */
  tube?: number | readonly number[]
  /** Roll to starboard at each point, rad, in addition to the frame; linear in the way between. Default none. */
  bank?: readonly number[]
  /** Which way is up at the start, of any length but zero; what of it is along the path does not count. Default +y. */
  up?: Vec3Like
}

/** What is left of the options, coincident points dropped: one tube per segment, one bank per point. */
export interface PathPoints {
  readonly points: readonly Vec3Like[]
  readonly tubes: Float64Array
  readonly banks: Float64Array | null
}

/** Points nearer to each other than this share of the size of the coordinates are one. */
const SAME = 1e-9

const CURVES: readonly string[] = ['polyline', 'spline', 'arcs'] satisfies PathCurve[]
const ENDS: readonly string[] = ['open', 'closed', 'ping-pong'] satisfies PathEnds[]

/** @throws TypeError / RangeError naming the option. */
export function checkPath({ points, curve, radius, ends, tube, bank, up }: PathOptions): void {
  requireArray('Path.points', points)
  points.forEach((point, i) => requireVector(`Path.points[${i}]`, point))
  requireOneOf('Path.curve', curve, CURVES)
  requireOneOf('Path.ends', ends, ENDS)
  if (radius !== undefined) requireFinite('Path.radius', radius, 0, false)
  if (typeof tube === 'object') {
    requireArray('Path.tube', tube)
    requireCount('Path.tube', tube, ends === 'closed' ? points.length : points.length - 1)
    tube.forEach((each, i) => requireFinite(`Path.tube[${i}]`, each, 0, false))
  } else if (tube !== undefined) requireFinite('Path.tube', tube, 0, false)
  if (bank !== undefined) {
    requireArray('Path.bank', bank)
    requireCount('Path.bank', bank, points.length)
    bank.forEach((each, i) => requireFinite(`Path.bank[${i}]`, each, -Number.MAX_VALUE, false))
  }
  if (up === undefined) return
  const { x, y, z } = requireVector('Path.up', up)
  if (x === 0 && y === 0 && z === 0) throw new RangeError('Path.up: got (0, 0, 0), must not be zero')
}

/** Drops coincident points. @throws RangeError where fewer are left than a path needs. */
export function distinctPoints({ points, ends, tube = 0, bank }: PathOptions): PathPoints {
  const closed = ends === 'closed'
  const size = Math.max(...points.flatMap(({ x, y, z }) => [Math.abs(x), Math.abs(y), Math.abs(z)]), 0)
  const kept = points.length > 0 ? [0] : []
  const tubes: number[] = []
  for (let k = 0; k < (closed ? points.length : points.length - 1); k++) {
    const next = (k + 1) % points.length
    if (distance(points[kept.at(-1)!]!, points[next]!) <= SAME * size) continue
    tubes.push(typeof tube === 'number' ? tube : tube[k]!)
    if (next > 0) kept.push(next)
  }
  // the last is where the first is
  if (closed && kept.length > 1 && tubes.length < kept.length) kept.pop()
  const least = closed ? 3 : 2
  if (kept.length < least)
    throw new RangeError(`Path.points: got ${kept.length} different points, must be ≥ ${least}`)
  return {
    points: kept.map((k) => points[k]!),
    tubes: Float64Array.from(tubes),
    banks: bank === undefined ? null : Float64Array.from(kept, (k) => bank[k]!),
  }
}

function requireArray(what: string, value: unknown): void {
  if (!Array.isArray(value)) throw new TypeError(`${what}: got ${String(value)}, must be an array`)
}

function requireCount(what: string, { length }: { readonly length: number }, count: number): void {
  if (length !== count) throw new RangeError(`${what}: got ${length} of them, must be ${count}`)
}

function requireOneOf(what: string, value: unknown, allowed: readonly string[]): void {
  if (value !== undefined && !allowed.includes(value as string))
    throw new TypeError(`${what}: got ${String(value)}, must be one of ${allowed.join(', ')}`)
}
