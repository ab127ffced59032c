import type { Vec3Like } from '../../core/types.js'
import { readOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'
import {
  requireChoice,
  requireDirection,
  requireFinite,
  requireVector,
  refuse,
  unchecked,
} from '../../core/math/require.js'
import { CURVES, type Curve } from './path-legs.js'
import { distance } from '../../core/math/vec3.js'

/**
 * Shape of the path between two points: straight, a smooth spline, straight with rounded corners, or a curve
 * of `three-steering/curves` or your own.
 */
export type PathCurve = keyof typeof CURVES | Curve

/** What follows the last point: nothing, the first point again, or the way back. */
export type PathEnds = 'open' | 'closed' | 'ping-pong'

export interface PathOptions extends Options, OptionsOf<typeof PATH> {}

/** The options without coincident points: a tube per segment; a radius, heading and bank per point. */
export interface PathPoints {
  readonly points: readonly Vec3Like[]
  readonly radii: Float64Array
  readonly headings: readonly (Vec3Like | null)[]
  readonly tubes: Float64Array
  readonly banks: Float64Array | null
}

/** Points nearer to each other than this share of the largest coordinate are coincident. */
const SAME = 1e-9

/** The options of `Path`. */
export const PATH = {
  /** Waypoints (m), at least 2, at least 3 for a closed path. Successive coincident points count as one. */
  points: { kind: ['vector'], required: true, unit: 'm', check: requireVectors },
  /**
   * Default `'spline'`.
   * - `'polyline'`: straights with corners.
   * - `'spline'`: centripetal Catmull-Rom (Yuksel, Schaefer and Keyser 2011), without loops and cusps between
   *   two points.
   * - `'arcs'`: straights with arcs at the corners. It does not pass through the inner points.
   * - {@link dubins} of `three-steering/curves`: the shortest curve from heading to heading that turns no
   *   tighter than `radius`.
   * - a {@link Curve} of your own.
   */
  curve: { kind: 'data', default: 'spline', check: requireCurve },
  /**
   * Turn radius (m, ≥ 0), one for all points or one per point. For `'arcs'` the radius of the corners,
   * reduced where the straights are too short. For {@link dubins} the turn radius next to the point; where no
   * direct curve has room, it flies a loop. Default 0.
   */
  radius: { kind: 'data', unit: 'm', default: 0, check: unchecked<number | readonly number[]> },
  /**
   * For `'spline'`, {@link dubins} and curves of your own: direction in which each point is passed (any
   * length but zero). Null leaves the direction to the curve; `dubins` then takes the mean of the directions
   * from the previous and to the next point. Default null for all.
   */
  headings: { kind: 'data', check: unchecked<readonly (Vec3Like | null)[]> },
  /** Default `'open'`. */
  ends: { kind: 'text', oneOf: ['open', 'closed', 'ping-pong'], default: 'open' },
  /**
   * Radius of the tube around the path in which agents may stay (m, ≥ 0), one for all segments or one per
   * segment. A closed path has one segment more than an open one. Default 0.
   */
  tube: { kind: 'data', unit: 'm', default: 0, check: unchecked<number | readonly number[]> },
  /**
   * Roll to starboard at each point (rad), added to the roll of the frame and interpolated linearly by arc
   * length. Default none.
   */
  bank: { kind: ['number'], unit: 'rad', check: unchecked<readonly number[]> },
  /** Up direction at the start (any length but zero). Its part along the path is ignored. Default +y. */
  up: { kind: 'vector', check: requireDirection },
} as const satisfies AnyTable

/** Checks the options of a path, fills in defaults. @throws TypeError / RangeError naming the option. */
export function readPath(options: PathOptions): FieldsOf<typeof PATH> {
  const read = readOptions('Path', PATH, options)
  const { points, curve, radius, ends, headings, tube, bank } = read
  requireEach('Path.radius', radius, points.length)
  requireEach('Path.tube', tube, ends === 'closed' ? points.length : points.length - 1)
  if (headings !== undefined) requireHeadings(headings, points.length, curve)
  if (bank !== undefined)
    requireAll('Path.bank', bank, points.length, (what, each) =>
      requireFinite(what, each, -Number.MAX_VALUE, false),
    )
  return read
}

/** A copy that the caller cannot change later. The options must have passed `readPath`. */
export function copiedOptions(options: PathOptions): PathOptions {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, copied(value)])) as unknown as PathOptions
}

/** A copy of lists and points. */
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied)
  if (typeof value !== 'object' || value === null) return value
  const { x, y, z } = value as Vec3Like
  return { x, y, z }
}

/** Removes coincident points. @throws RangeError where fewer points remain than a path needs. */
export function distinctPoints({
  points,
  ends,
  radius,
  headings,
  tube,
  bank,
}: FieldsOf<typeof PATH>): PathPoints {
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
  // The last point of a closed path coincides with the first.
  if (closed && kept.length > 1 && tubes.length < kept.length) kept.pop()
  const least = closed ? 3 : 2
  if (kept.length < least)
    throw new RangeError(`Path.points: got ${kept.length} different points, must be ≥ ${least}`)
  return {
    points: kept.map((k) => points[k]!),
    radii: Float64Array.from(kept, (k) => (typeof radius === 'number' ? radius : radius[k]!)),
    headings: kept.map((k) => headings?.[k] ?? null),
    tubes: Float64Array.from(tubes),
    banks: bank === undefined ? null : Float64Array.from(kept, (k) => bank[k]!),
  }
}

/** Requires one number for all, or a list of `count` numbers. */
function requireEach(what: string, value: number | readonly number[], count: number): void {
  const requireOne = (name: string, each: number): void => void requireFinite(name, each, 0, false)
  if (typeof value === 'object') requireAll(what, value, count, requireOne)
  else requireOne(what, value)
}

function requireHeadings(headings: readonly (Vec3Like | null)[], count: number, curve: PathCurve): void {
  requireAll('Path.headings', headings, count, (what, each) => each !== null && requireDirection(what, each))
  if (curve === 'polyline' || curve === 'arcs')
    throw new TypeError(
      `Path.headings: got headings for the curve '${curve}', must be used with 'spline' or a function`,
    )
}

function requireCurve(what: string, curve: PathCurve): PathCurve {
  return typeof curve === 'function' ? curve : requireChoice(what, curve, Object.keys(CURVES) as PathCurve[])
}

/** Requires a list of `count` values, each of which passes a check. */
function requireAll<T>(
  what: string,
  list: readonly T[],
  count: number | undefined,
  check: (what: string, each: T) => unknown,
): void {
  if (!Array.isArray(list)) refuse(what, list, 'must be an array')
  const { length } = list
  if (count !== undefined && length !== count)
    throw new RangeError(`${what}: got length ${length}, must be ${count}`)
  // unlike forEach, entries() does not skip holes
  for (const [i, each] of (list as readonly T[]).entries()) check(`${what}[${i}]`, each)
}

function requireVectors(what: string, value: readonly Vec3Like[]): readonly Vec3Like[] {
  requireAll(what, value, undefined, requireVector)
  return value
}
