import type { Vec3, Vec3Like } from '../../core/types.js'
import { add, isZero, normalize, sub, vec3 } from '../../core/math/vec3.js'
import { ArcPath } from './arc-path.js'
import { dubins3d } from './dubins3d.js'

/**
 * Lays the shortest path from point to point that passes each in its heading, and turns with its radius next
 * to it. Runs once, when a path is made.
 * @returns the arc lengths at which the segments begin (m).
 */
export function dubins(
  path: ArcPath,
  points: readonly Vec3Like[],
  closed: boolean,
  radii: Float64Array,
  headings: readonly (Vec3Like | null)[],
): number[] {
  const count = points.length
  const starts: number[] = []
  const leg = new ArcPath()
  const poses = points.map((position, i) => ({
    position,
    heading: headings[i] ?? headingAt(points, i, closed),
  }))
  for (let i = 0; i < (closed ? count : count - 1); i++) {
    const next = (i + 1) % count
    starts.push(path.length)
    dubins3d(leg, poses[i]!, poses[next]!, { start: radii[i]!, end: radii[next]! })
    path.append(leg)
  }
  return starts
}

/** The mean of the directions from the point before and to the next. */
function headingAt(points: readonly Vec3Like[], i: number, closed: boolean): Vec3 {
  const count = points.length
  const at = points[i]!
  const before = closed || i > 0 ? directionTo(points[(i + count - 1) % count]!, at) : vec3()
  const after = closed || i < count - 1 ? directionTo(at, points[(i + 1) % count]!) : vec3()
  const sum = add(vec3(), before, after)
  return isZero(sum) ? after : sum
}

function directionTo(from: Vec3Like, to: Vec3Like): Vec3 {
  const direction = sub(vec3(), to, from)
  return normalize(direction, direction)
}
