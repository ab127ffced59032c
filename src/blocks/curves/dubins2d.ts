import type { Vec3Like, Waypoint } from '../../core/types.js'
import type { ArcPath } from './arc-path.js'
import { DubinsWord } from './dubins-word.js'
import { layWord } from './plane.js'

const word = new DubinsWord()

/**
 * Fills `out` with the shortest forward-only path in a plane from one pose to another, with a turn radius of
 * `radius` (m). All six words of Dubins (1957). The goal pose is met within 1e-9 radii, or within the
 * rounding of the distance if that is more.
 *
 * The plane goes through `from` with the normal `up` (any length; zero counts as +Y). Headings and the goal
 * are projected onto it; a heading without a component in the plane counts as the line of sight. With
 * `radius` 0, or below 1e-12 of the distance, the path is a straight line, for an agent that turns on the
 * spot at both ends. Where a number is not finite there is no path: `out` is empty and the length Infinity.
 * @returns its length (m).
 * @throws TypeError / RangeError naming the argument: a pose without position and heading, or a radius that
 * is negative or no number.
 */
export function dubins2d(out: ArcPath, from: Waypoint, to: Waypoint, radius: number, up?: Vec3Like): number {
  return layWord('dubins2d', word, out, from, to, radius, up)
}
