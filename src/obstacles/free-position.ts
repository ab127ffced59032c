import type { Vec3, Vec3Like } from '../types.js'
import type { Obstacles } from './obstacles.js'
import { directions } from '../math/directions.js'
import { requireFinite, requireVector } from '../math/require.js'
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

/** Something round that is in the way: a controller, another thing that was dropped. */
export interface Occupant {
  readonly position: Vec3Like
  /** m. */
  readonly radius: number
}

export interface FreePositionOptions {
  /** Where it is to be, m, and its radius, m, ≥ 0. */
  position: Vec3Like
  radius: number
  obstacles?: Obstacles
  /** Others that are kept clear of. */
  others?: readonly Occupant[]
  /** Looks no farther than this from `position`, m, ≥ 0. Default 100 radii. */
  range?: number
}

/** Overlaps less deep than this share of the radius are none: for rounding. */
const TOUCH = 1e-6

/** Ways out that are tried, evenly on a ball; then the best is bent, by half as much each time. */
const WAYS = 200
const BENDS = 12
const FIRST_BEND = 0.2

const DEFAULT_RANGE = 100

/** No way is looked along in more steps than this: it gets shorter and shorter where it grazes. */
const STEPS = 200

const normal = vec3()
const spot = vec3()
const away = vec3()
const ways = directions(WAYS)

/**
 * Whether a ball may be dropped at a position, and if not, where the nearest place is that is free ("you shouldn't be allowed to drop creatures
 * inside other creatures or obstacles", Green, Changing World). For set-up and for the user's hand: it takes some thousand questions where it is not
 * free. Nearest as far as 200 ways out, and those round the best of them, can tell; walls and floors are obstacles like any.
 * @returns how far it is from `position` to what it writes into `out`, m: 0 where that is free; Infinity, and `out` as `position`, for no place.
 * @throws TypeError / RangeError naming the option.
 */
export function freePosition(out: Vec3, options: FreePositionOptions): number {
  const { obstacles, others = [] } = options
  const radius = requireFinite('freePosition.radius', options.radius, 0, false)
  const position = copy(vec3(), requireVector('freePosition.position', options.position))
  const range = requireFinite('freePosition.range', options.range ?? DEFAULT_RANGE * radius, 0, false)
  obstacles?.refresh()
  copy(out, position)
  const lack = (at: Vec3Like, direction: Vec3): number => overlap(at, radius, obstacles, others, direction)
  if (!(lack(position, away) > 0)) return 0
  let least = Infinity
  const best = vec3()
  const attempt = (direction: Vec3): void => {
    const way = wayOut(position, direction, Math.min(range, least), lack)
    if (!(way < least)) return
    least = way
    copy(best, direction)
  }
  attempt(copy(vec3(), away))
  for (let i = 0; i < WAYS; i++) attempt(load(vec3(), ways, 3 * i))
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

/** Way (m) along a direction to where nothing is missing; Infinity for none below `limit`. What is missing must at least be flown. */
function wayOut(
  from: Vec3Like,
  direction: Vec3Like,
  limit: number,
  lack: (at: Vec3Like, away: Vec3) => number,
): number {
  let way = 0
  for (let i = 0; i < STEPS; i++) {
    const more = lack(addScaled(spot, from, direction, way), away)
    if (!(more > 0)) return way
    way += more
    if (!(way < limit)) return Infinity
  }
  return Infinity
}

/** How deep (m) a ball overlaps what it is deepest in; writes the way out of that. A hair more, so that it gets clear. */
function overlap(
  at: Vec3Like,
  radius: number,
  obstacles: Obstacles | undefined,
  others: readonly Occupant[],
  direction: Vec3,
): number {
  const hair = TOUCH * radius
  let most = 0
  const off = obstacles?.distance(at, normal) ?? Infinity
  if (off < radius - hair) {
    most = radius - off
    copy(direction, normal)
  }
  for (const { position, radius: own } of others) {
    const more = radius + own - distance(at, position)
    if (!(more > hair) || !(more > most)) continue
    most = more
    normalize(direction, sub(direction, at, position))
    if (isZero(direction)) set(direction, 0, 1, 0)
  }
  return most
}
