import type { Vec3Like, Waypoint } from '../types.js'
import { copy, cross, isFiniteVec, isZero, length, lengthSq } from '../math/vec3.js'
import { normalize, perpendicular, reject, scale, set, sub, vec3 } from '../math/vec3.js'
import { ArcPath } from './arc-path.js'
import { csc } from './csc.js'
import { dubins2d } from './dubins2d.js'
import { helicoid } from './helicoid.js'
import { coplanar, LOST } from './plane.js'

/** Turn radii for the speeds at both ends, m, ≥ 0. */
export interface EndRadii {
  readonly start: number
  readonly end: number
}

export interface Dubins3dOptions {
  /**
   * How hard to look for the shortest path of near poses (below 4.25 radii). `quick`: in 0.2 ms in the mean,
   * 1 ms at times; 95 % are within 1.5 % of `best`, 99 % within 5 %, and 3 of 10,000 are up to three times as
   * long. `best`: in 5 ms, 35 ms at times: not for every frame. Default `quick`. Farther apart there is no
   * difference, and it takes 1 … 10 µs.
   */
  readonly effort?: 'quick' | 'best'
}

/** Miss at the goal that is allowed, in radii and rad. */
const MET = 1e-7
/** Share by which another kind of path must be shorter to be taken. */
const EQUAL = 1e-12
const ROUNDED = 1 + 1e-9
/**
 * Poses nearer than this may have a shortest path without a straight, where that with one is longer than the
 * way by this much, in radii.
 */
const NEAR = 4.25
const LONG = 3.5
/**
 * Where what was found is longer than the way by this much, in radii, something much shorter was often
 * missed.
 */
const DETOUR = 5.5
/** How hard to look for helicoidal arcs, see {@link helicoid}. */
const QUICK = 0
const AGAIN = 1
const BEST = 3

/** How near to one line poses are unsafe, in radii and rad, and the least turn away from it, rad. */
const HAIR = 1e-4
const NUDGE = 0.01

const DEFAULTS: Dubins3dOptions = {}
const trial = new ArcPath()
const nudge = new ArcPath()
const rest = new ArcPath()
const way = vec3()
const aside = vec3()
const normal = vec3()
const start = { position: vec3(), heading: vec3() }
const goal = { position: vec3(), heading: vec3() }

/**
 * Fills `out` with a shortest forward-only path in space from one pose to another, with a turn radius of
 * `radius` m, and returns its length in m. Such a path is an arc, a straight and an arc, three arcs, or a
 * helicoidal arc (Sussmann, Shortest 3-dimensional paths with a prescribed curvature bound, 1995);
 * {@link Dubins3dOptions.effort} says how hard is looked for the last two. From 4 radii apart no shorter one
 * was found by hundreds of random starts in 550,000 cases; nearer, `best` was within 0.05 % of what shooting
 * Sussmann's equations found in 95 % of 120 cases, 0.23 % in all.
 *
 * With two radii, those of the speeds at both ends, arc, straight and arc have each their own; paths without
 * a straight, on which the speed could change, take the larger throughout. With a radius of 0, or below 1e-12
 * of the way, it turns on the spot. Where many paths are as short, as when the goal lies straight behind, the
 * choice is always the same for the same poses.
 *
 * Headings may have any length; a zero one counts as the line of sight. Where a number is not finite there is
 * no path: `out` is empty, at `from` where that is finite, and the length is Infinity.
 */
export function dubins3d(
  out: ArcPath,
  from: Waypoint,
  to: Waypoint,
  radius: number | EndRadii,
  options: Dubins3dOptions = DEFAULTS,
): number {
  read(from, to)
  const d = length(way)
  const first = counted(typeof radius === 'number' ? radius : radius.start, d)
  const last = counted(typeof radius === 'number' ? radius : radius.end, d)
  const size = Math.max(first, last)
  if (!Number.isFinite(d + size) || isZero(start.heading) || isZero(goal.heading)) {
    if (!isFiniteVec(start.position)) set(start.position, 0, 0, 0)
    out.begin(start.position, isZero(start.heading) ? AHEAD : start.heading)
    return Infinity
  }
  const found = shortest(out, first, last, options)
  if (size === 0 || (found < Infinity && !inLine())) return found
  return nudged(out, found, first, last, options)
}

/** The best of all kinds of path between `start` and `goal`. */
function shortest(out: ArcPath, first: number, last: number, options: Dubins3dOptions): number {
  const size = Math.max(first, last)
  let best = csc(out, start, goal, first, last)
  if (size === 0) return best
  scale(way, sub(way, goal.position, start.position), 1 / size)
  // of equals the planar one, which has no pieces that are nothing but rounding
  if (
    coplanar(normal, start.heading, way, goal.heading) &&
    dubins2d(trial, start, goal, size, normal) < best * ROUNDED
  ) {
    best = out.copy(trial).length
  }
  const d = length(way)
  if (!(d < NEAR && best > (d + LONG) * size)) return best
  if (options.effort === 'best') return bent(out, best, size, BEST)
  const found = bent(out, best, size, QUICK)
  return found > (d + DETOUR) * size ? bent(out, found, size, AGAIN) : found
}

/**
 * Takes over a helicoidal arc, or three arcs, where that is shorter and does end at the goal: what is found
 * downhill is believed when seen.
 */
function bent(out: ArcPath, best: number, size: number, effort: number): number {
  const found = helicoid(trial, start, goal, size, effort)
  if (!(found < best * (1 - EQUAL) || (found < Infinity && best === Infinity))) return best
  sub(aside, trial.pointAt(aside, Infinity), goal.position)
  sub(normal, trial.tangentAt(normal, Infinity), goal.heading)
  if (!(lengthSq(aside) < (MET * size) ** 2 && lengthSq(normal) < MET * MET)) return best
  out.copy(trial)
  return found
}

const AHEAD: Vec3Like = vec3(1, 0, 0)

/** Poses with unit headings, and the way; headings that are not finite become zero. */
function read(from: Waypoint, to: Waypoint): void {
  copy(start.position, from.position)
  copy(goal.position, to.position)
  sub(way, goal.position, start.position)
  direct(start.heading, from.heading)
  direct(goal.heading, to.heading)
}

function direct(out: typeof way, heading: Vec3Like): void {
  if (!isFiniteVec(heading)) set(out, 0, 0, 0)
  else if (!isZero(heading)) normalize(out, heading)
  else if (isZero(way)) copy(out, AHEAD)
  else normalize(out, way)
}

/**
 * True a hair beside poses on one line, which have a circle of solutions, so that the few there are here may
 * be missed.
 */
function inLine(): boolean {
  const out = length(reject(normal, way, start.heading))
  const turn = length(reject(aside, goal.heading, start.heading))
  return out < HAIR && turn < HAIR && !coplanar(normal, start.heading, way, goal.heading)
}

/** Turns off a little first, as far as it takes to find something. Takes that over where it is shorter. */
function nudged(out: ArcPath, best: number, first: number, last: number, options: Dubins3dOptions): number {
  const size = Math.max(first, last)
  perpendicular(aside, start.heading)
  for (let angle = NUDGE; angle < Math.PI; angle *= 2) {
    cross(aside, start.heading, aside)
    nudge.begin(start.position, start.heading).arc(aside, size, angle)
    nudge.pointAt(start.position, Infinity)
    nudge.tangentAt(start.heading, Infinity)
    if (shortest(rest, first, last, options) < Infinity) break
    nudge.pointAt(start.position, 0)
    nudge.tangentAt(start.heading, 0)
    rest.begin(start.position, start.heading)
  }
  if (rest.count === 0) return best
  nudge.append(rest)
  return nudge.length < best ? out.copy(nudge).length : best
}

function counted(radius: number, d: number): number {
  return radius <= LOST * d ? 0 : radius
}
