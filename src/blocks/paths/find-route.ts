import type { Vec3, Vec3Like } from '../../core/types.js'
import { readOptions, type AnyTable, type Options, type OptionsOf } from '../../core/math/options.js'
import { requireFinite, requireVector, requireFunction } from '../../core/math/require.js'
import { copy, distance, vec3 } from '../../core/math/vec3.js'
import type { ObstacleFilter } from '../../core/obstacles/obstacles.js'
import { FreeSpace } from './free-space.js'
import { ObstacleMap } from '../../core/obstacles/obstacle-map.js'
import { lengthOf, shorten } from './shorten.js'
import { requireObstacles, type ObstacleSource } from '../../core/behaviors/avoidance/surroundings.js'

export interface FindRouteOptions extends Options, OptionsOf<typeof FIND_ROUTE> {}

const FIND_ROUTE = {
  /**
   * Width of the cells of space to which a shorter way is looked for, m, > 0; where there is none at all,
   * cells of a quarter of it are the last. Smaller ones find narrower gaps and take longer, four to eight
   * times for half the width. Default twice the radius, as far as 20,000 cells are enough.
   */
  cell: { kind: 'number', unit: 'm', above: 0 },
  /** Obstacles for which this returns true are not there: the door that opens, the agent's own hull. */
  ignore: { kind: 'function', check: requireFunction<ObstacleFilter> },
} as const satisfies AnyTable

/** A ball may overlap an obstacle by this share of its radius: it stands on the ground. */
const TOUCH = 1e-3

// The numbers below are chosen by hand unless they say otherwise.

/** How often the cells are halved where they show no way. More: narrower gaps are found, more slowly. */
const HALVINGS = 2

/**
 * Finds a way for a ball of `radius` (m) between obstacles, around and through them: mazes, rooms with
 * doors, towers, hollows. Its points are those of a path with straight legs, from `from` to `to`, which the
 * ball flies without touching anything. It is as taut as a string, so hardly longer than the shortest way
 * of its kind, but not always of the shortest kind (the guide on ways through space says more, also how
 * long it takes). Where the ball does not fit at `from`, its first leg leads to the nearest place where it
 * does.
 *
 * Obstacles are taken as they are now. Those that move are left out, because they will be elsewhere.
 * @returns null where there is no way: the ball does not fit at `to`, or every gap is narrower than the
 * ball by less than the smallest cell, half of the radius by default; also where 50,000 cells are not
 * enough.
 * @throws TypeError / RangeError naming the argument or option.
 */
export function findRoute(
  obstacles: ObstacleSource,
  from: Vec3Like,
  to: Vec3Like,
  radius: number,
  options: FindRouteOptions = {},
): Vec3[] | null {
  const set = requireObstacles('findRoute: obstacles', obstacles)
  requireVector('findRoute: from', from)
  requireVector('findRoute: to', to)
  requireFinite('findRoute: radius', radius, 0, true)
  const { cell, ignore } = readOptions('findRoute', FIND_ROUTE, options)
  const map = new ObstacleMap()
  set.refresh()
  map.add(set, radius, 0, ignore)
  const fits = (place: Vec3Like): boolean => map.clearanceAt(place, 0) >= -TOUCH * radius
  if (!fits(to)) return null
  const start = copy(vec3(), from)
  const outside = vec3()
  const isInside = !fits(from)
  if (isInside) {
    map.freePlace(outside, from)
    if (!fits(outside)) return null
  } else copy(outside, from)
  const way = wayFrom(map, outside, copy(vec3(), to), cell ?? 2 * radius, cell === undefined ? ENOUGH : MOST)
  return way === null || !isInside ? way : [start, ...way]
}

/** The first cells are so wide that this number of them lies between start and goal. */
const FIRST_CELLS = 32

/** A search that finds no way ends after this number of places. More: ways through longer mazes are found. */
const MOST = 5e4
/** A search that has a way, and no `cell`, looks for a shorter one among at most this number of places. */
const ENOUGH = 2e4

/** A way that is shorter by less than this share is not looked for. */
const LEAST_GAIN = 0.02

/** @param enough Number of places that a search for a shorter way may take. */
function wayFrom(map: ObstacleMap, from: Vec3, to: Vec3, cell: number, enough: number): Vec3[] | null {
  if (map.isPathFree(from, to)) return [from, to]
  let best: Vec3[] | null = null
  let length = Infinity
  let size = 0
  const first = Math.max(0, Math.ceil(Math.log2(distance(from, to) / (FIRST_CELLS * cell))))
  for (let halvings = -first; halvings <= (best === null ? HALVINGS : 0); halvings++) {
    const space = new FreeSpace(map, from, to, cell / 2 ** halvings)
    const found = space.search((1 - LEAST_GAIN) * length, best === null ? MOST - size : enough)
    size += space.size
    if (found === null) continue
    const way = shorten(map, found)
    if (best === null || lengthOf(way) < length) best = way
    length = lengthOf(best)
  }
  return best
}
