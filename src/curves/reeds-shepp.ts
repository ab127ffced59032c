import type { Vec3Like, Waypoint } from '../types.js'
import { vec3 } from '../math/vec3.js'
import type { ArcPath } from './arc-path.js'
import { PlaneView } from './plane.js'
import { ReedsSheppWord } from './reeds-shepp-word.js'

const Y: Vec3Like = vec3(0, 1, 0)
const view = new PlaneView()
const word = new ReedsSheppWord()

/**
 * Fills `out` with the shortest path in a plane from one pose to another for an agent that can also go
 * astern, with a turn radius of `radius` m, and returns its length in m: up to five pieces with up to two
 * cusps, three-point turns among them (Reeds and Shepp 1990, all 48 words). It costs nothing to change the
 * gear, so a path may have a cusp to save little. The plane, what is projected on it, accuracy and inputs
 * without a path are as in `dubins2d`.
 */
export function reedsShepp(
  out: ArcPath,
  from: Waypoint,
  to: Waypoint,
  radius: number,
  up: Vec3Like = Y,
): number {
  if (!view.look(from, to, radius, up)) {
    out.begin(from.position, from.heading)
    return Infinity
  }
  if (view.radius === 0) return view.line(out, from)
  word.solve(view.goal)
  return view.lay(out, from, word.turns, word.lengths, word.count)
}
