import type { Vec3, Vec3Like } from '../types.js'
import type { Obstacles } from './obstacles.js'
import { directions } from '../math/directions.js'
import { requireVector, unchecked } from '../math/require.js'
import { TAU } from '../math/scalar.js'
import {
  addScaled,
  copy,
  cross,
  distance,
  isZero,
  load,
  normalize,
  perpendicular,
  set,
  sub,
  vec3,
} from '../math/vec3.js'
import { readOptions, type AnyTable, type Options, type OptionsOf } from '../math/options.js'

/** A ball that occupies space: a controller, another object that was dropped. */
export interface Occupant {
  readonly position: Vec3Like
  /** m. */
  readonly radius: number
}

export interface FreePositionOptions extends Options, OptionsOf<typeof FREE_POSITION> {}

/** Overlaps below this share of the radius are ignored, for rounding. */
const TOUCH = 1e-6

/** Number of directions that are tried, spread evenly over the sphere. More: nearer places are found. */
const DIRECTIONS = 200
/** Number of rounds in which the best direction is bent, by half as much in each. */
const BENDS = 12
/** Bend of the first round (rad). */
const FIRST_BEND = 0.2

/** Default range in radii of the ball. Chosen by hand. */
const DEFAULT_RANGE = 100

/** Maximum of steps along one direction: steps get shorter where the path grazes a surface. */
const MAX_STEPS = 200

const normal = vec3()
const spot = vec3()
const away = vec3()
const sphere = directions(DIRECTIONS)

const FREE_POSITION = {
  /** Wanted position (m), and radius (m, ≥ 0) of the ball. */
  position: { kind: 'vector', required: true, unit: 'm', check: requireVector },
  radius: { kind: 'number', required: true, unit: 'm', atLeast: 0 },
  obstacles: { kind: 'instance', check: unchecked<Obstacles> },
  /** Other balls that must not be overlapped. Default none. */
  others: { kind: ['named'], default: [], check: unchecked<readonly Occupant[]> },
  /** Largest distance (m, ≥ 0) from `position`. Default 100 radii. */
  range: { kind: 'number', unit: 'm', atLeast: 0 },
} as const satisfies AnyTable

/**
 * Finds the free position for a ball that is nearest to a wanted one ("you shouldn't be allowed to drop
 * creatures inside other creatures or obstacles", Green, Changing World). It is meant for set-up and for
 * objects moved by the user: it takes some thousand queries where the wanted position is not free. The result
 * is the nearest one within the precision of 200 directions and those around the best of them. Walls and
 * floors are obstacles like any other.
 * @returns the distance (m) from `position` to the position written into `out`: 0 where the wanted one is
 * free; Infinity, and `out` equal to `position`, where none was found.
 * @throws TypeError / RangeError naming the option.
 */
export function freePosition(out: Vec3, options: FreePositionOptions): number {
  const read = readOptions('freePosition', FREE_POSITION, options)
  const { obstacles, others, radius, range = DEFAULT_RANGE * radius } = read
  const position = copy(vec3(), read.position)
  obstacles?.refresh()
  copy(out, position)
  const overlapAt = (at: Vec3Like, direction: Vec3): number =>
    overlap(at, radius, obstacles, others, direction)
  if (!(overlapAt(position, away) > 0)) return 0
  let least = Infinity
  const best = vec3()
  const attempt = (direction: Vec3): void => {
    const distanceOut = distanceToFree(position, direction, Math.min(range, least), overlapAt)
    if (!(distanceOut < least)) return
    least = distanceOut
    copy(best, direction)
  }
  attempt(copy(vec3(), away))
  for (let i = 0; i < DIRECTIONS; i++) attempt(load(vec3(), sphere, 3 * i))
  if (least === Infinity) return least
  const [side, other, middle, bent] = [vec3(), vec3(), vec3(), vec3()]
  for (let k = 0, bend = FIRST_BEND; k < BENDS; k++, bend /= 2) {
    copy(middle, best)
    perpendicular(side, middle)
    cross(other, middle, side)
    for (let i = 0; i < 8; i++) {
      addScaled(bent, middle, side, bend * Math.cos((TAU * i) / 8))
      attempt(normalize(bent, addScaled(bent, bent, other, bend * Math.sin((TAU * i) / 8))))
    }
  }
  addScaled(out, position, best, least)
  return least
}

/**
 * Distance (m) along a direction to the first position without overlap; Infinity where there is none below
 * `limit`. Each step is the depth of the overlap, since no shorter path leaves it.
 */
function distanceToFree(
  from: Vec3Like,
  direction: Vec3Like,
  limit: number,
  overlapAt: (at: Vec3Like, away: Vec3) => number,
): number {
  let distanceOut = 0
  for (let i = 0; i < MAX_STEPS; i++) {
    const depth = overlapAt(addScaled(spot, from, direction, distanceOut), away)
    if (!(depth > 0)) return distanceOut
    distanceOut += depth
    if (!(distanceOut < limit)) return Infinity
  }
  return Infinity
}

/**
 * Depth (m) of the deepest overlap of a ball; writes the direction out of it. Depths below `tolerance` are
 * ignored.
 */
function overlap(
  at: Vec3Like,
  radius: number,
  obstacles: Obstacles | undefined,
  others: readonly Occupant[],
  direction: Vec3,
): number {
  const tolerance = TOUCH * radius
  let deepest = 0
  const clearance = obstacles?.distance(at, normal) ?? Infinity
  if (clearance < radius - tolerance) {
    deepest = radius - clearance
    copy(direction, normal)
  }
  for (const { position, radius: otherRadius } of others) {
    const depth = radius + otherRadius - distance(at, position)
    if (!(depth > tolerance) || !(depth > deepest)) continue
    deepest = depth
    normalize(direction, sub(direction, at, position))
    if (isZero(direction)) set(direction, 0, 1, 0)
  }
  return deepest
}
