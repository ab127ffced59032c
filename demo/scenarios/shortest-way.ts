import { type Vec3Like } from 'three-steering'
import { dubins2d, dubins3d, type ArcPath } from 'three-steering/curves'
import type { Course } from './directed-seek-presets.js'
import { plus } from './vectors.js'

/** Step of the search over time (s). It ends with a bisection to one millisecond. */
const SEARCH_STEP = 0.1
const LONGEST = 60

/**
 * Fills `out` with the shortest path of a course and returns its length (m). With a moving waypoint this is
 * the earliest rendezvous.
 */
export function shortestWay(out: ArcPath, course: Course, radius: number, speed: number): number {
  const { start, goal, plane } = course
  const lengthAt = (time: number): number =>
    between(out, start, { ...goal, position: plus(goal.position, goal.velocity, time) }, radius, plane)
  if (!course.moves) return lengthAt(0)
  const { x, y, z } = goal.velocity
  const closingSpeed = speed + Math.hypot(x, y, z)
  let early = 0
  let late = 0
  // far from a rendezvous the step can be longer
  for (let gap = Infinity; late < LONGEST && gap > 0;) {
    early = late
    late += Math.max(SEARCH_STEP, gap < Infinity ? (0.5 * gap) / closingSpeed : 0)
    gap = lengthAt(late) - speed * late
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
