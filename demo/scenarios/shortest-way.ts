import { type Vec3Like } from 'three-steering'
import { dubins2d, dubins3d, type ArcPath } from 'three-steering/curves'
import type { Course } from './directed-seek-presets.js'
import { plus } from './vectors.js'

/** Times are tried this far apart, s, and then halved until they are known to a millisecond. */
const COARSE = 0.1
const LONGEST = 60

/** Fills `out` with the shortest path of a course and returns its length, m. Where the waypoint moves, with the earliest rendezvous. */
export function shortestWay(out: ArcPath, course: Course, radius: number, speed: number): number {
  const { start, goal, plane } = course
  const lengthAt = (time: number): number =>
    between(out, start, { ...goal, position: plus(goal.position, goal.velocity, time) }, radius, plane)
  if (!course.moves) return lengthAt(0)
  const { x, y, z } = goal.velocity
  const pace = speed + Math.hypot(x, y, z)
  let early = 0
  let late = 0
  // far from a meeting there is no need to look closely
  for (let left = Infinity; late < LONGEST && left > 0;) {
    early = late
    late += Math.max(COARSE, left < Infinity ? (0.5 * left) / pace : 0)
    left = lengthAt(late) - speed * late
  }
  while (late - early > 1e-3) {
    const middle = (early + late) / 2
    if (lengthAt(middle) > speed * middle) early = middle
    else late = middle
  }
  return lengthAt(late)
}

interface Place {
  readonly position: Vec3Like
  readonly heading: Vec3Like
}

function between(out: ArcPath, from: Place, to: Place, radius: number, plane: Vec3Like | null): number {
  return plane ? dubins2d(out, from, to, radius, plane) : dubins3d(out, from, to, radius)
}
