import type { Vec3, Vec3Like } from '../../core/types.js'
import type { Shape } from '../../core/obstacles/shape.js'
import { sizeOf, SLIDE, TOUCH } from '../../core/obstacles/sweep.js'
import { requireFinite } from '../../core/math/require.js'
import {
  addScaled,
  dot,
  length,
  lengthSq,
  normalize,
  perpendicular,
  sub,
  vec3,
} from '../../core/math/vec3.js'
import { requirePath } from './follow-options.js'
import { Path } from './path.js'

/** Maximum of steps of a sweep. A path that slides along a bend needs tens, all others fewer than ten. */
const MAX_STEPS = 200
/** A step below this share of the size of the numbers is the last. */
const LAST_STEP = 1e-12

const point = vec3()
const offset = vec3()
const across = vec3()
const heading = vec3()

/**
 * All points farther from a path than a radius: a tube in solid rock, with round ends where the path is open.
 * In `Contain`, agents stay on the path, as on a road or in a corridor of the air, whatever they want. The
 * shape keeps a copy of the path: the obstacle that has the shape says where it is.
 *
 * In the rock distances are exact. In the tube the distance is `radius` minus the distance to the path: the
 * exact one, and less than that only where the tube runs into itself, at crossings and on the inside of bends
 * that are tighter than the radius. Each question takes time in proportion to the number of the path's
 * pieces.
 */
export class PathTube implements Shape {
  static readonly options = {
    path: { kind: 'instance', required: true },
    radius: { kind: 'number', required: true, unit: 'm', above: 0 },
  } as const

  readonly kind: string = 'path tube'
  /** The path in the middle, in the axes of the shape: a copy of the given one. */
  readonly path: Path
  /** Distance from the path to the wall, m. */
  readonly radius: number

  /** @throws TypeError / RangeError for a value that is not a path, and a radius (m) that is not above 0. */
  constructor(path: Path, radius: number) {
    requirePath('PathTube.path', path)
    this.radius = requireFinite('PathTube.radius', radius, 0, true)
    this.path = new Path(path.options)
  }

  distance(from: Vec3Like, normal: Vec3): number {
    const { path } = this
    const s = path.nearest(from, 0, path.length)
    const gap = length(sub(normal, path.pointAt(normal, s), from))
    if (gap > 0) normalize(normal, normal)
    else normalize(normal, perpendicular(normal, path.tangentAt(heading, s)))
    return this.radius - gap
  }

  /**
   * The ball stays inside as long as its centre is nearer to the path than the difference of the radii. From
   * the point of the path that is nearest to it, it may fly through the ball of that radius, and through the
   * capsule around the whole straight there; then again from where it comes out. Where the wall is met at an
   * angle, these are the steps of Newton's method.
   */
  sweep(origin: Vec3Like, direction: Vec3Like, radius: number, limit: number): number {
    const { path } = this
    let level = this.radius - radius
    const size = sizeOf(origin, this.radius + radius)
    let t = 0
    for (let i = 0; i < MAX_STEPS; i++) {
      addScaled(point, origin, direction, t)
      const s = path.nearest(point, 0, path.length)
      sub(offset, point, path.pointAt(offset, s))
      if (i === 0) {
        const gap = length(offset)
        if (gap > level - TOUCH * size) {
          const slope = gap > 0 ? dot(offset, direction) / gap : 0
          if (slope > SLIDE) return within(Math.max(0, (level - gap) / slope), limit)
          level = gap + TOUCH * size
        }
      }
      const step = this.exit(s, direction, level)
      t += step
      if (!(t <= limit)) return Infinity
      if (!(step > LAST_STEP * (size + t))) break
    }
    return t
  }

  leave(origin: Vec3Like, direction: Vec3Like, radius: number): number {
    const { path } = this
    const level = this.radius - radius
    const size = sizeOf(origin, this.radius + radius)
    let least = 0
    let t = 0
    for (let i = 0; i < MAX_STEPS; i++) {
      addScaled(point, origin, direction, t)
      const s = path.nearest(point, 0, path.length)
      sub(offset, point, path.pointAt(offset, s))
      const gap = length(offset)
      if (gap <= level + (i === 0 ? 0 : LAST_STEP * (size + t))) return t
      // no point of the path is farther away than its nearest one and its length
      if (level < 0 || dot(offset, direction) > path.length) return Infinity
      least = gap - level
      t += least
    }
    return least < TOUCH * (size + t) ? t : Infinity
  }

  support(): number {
    return Infinity
  }

  /**
   * How far `point` may fly along `direction` (m) inside of the ball of radius `level` around the path's
   * point at `s`, or of the capsule around the straight there. `offset` is the point seen from there.
   */
  private exit(s: number, direction: Vec3Like, level: number): number {
    const { line } = this.path
    const i = line.pieceAt(s)
    const step = exitOfBall(offset, direction, level)
    if (line.bendOf(i) !== 0) return step
    line.headingOf(heading, i)
    const back = line.startOf(i) - s
    const ahead = back + line.lengthOf(i)
    const rest = dot(heading, direction)
    const along = dot(offset, heading)
    const ends = Math.max(
      exitOfBall(addScaled(across, offset, heading, -back), direction, level),
      exitOfBall(addScaled(across, offset, heading, -ahead), direction, level),
    )
    // the part of the direction across the straight, and of the offset
    addScaled(across, direction, heading, -rest)
    const speed = lengthSq(across)
    if (!(speed > 0)) return Math.max(step, ends)
    const toward = dot(offset, across) / speed
    addScaled(heading, offset, heading, -along)
    const left = (level * level - lengthSq(heading)) / speed + toward * toward
    const side = left > 0 ? Math.sqrt(left) - toward : 0
    const end = along + side * rest
    return Math.max(step, ends, end >= back && end <= ahead ? side : 0)
  }
}

/** Where a ray from `from`, seen from the centre, leaves a ball, m; 0 when it does not meet it. */
function exitOfBall(from: Vec3Like, direction: Vec3Like, radius: number): number {
  const along = dot(from, direction)
  const square = along * along + radius * radius - lengthSq(from)
  return square >= 0 ? Math.max(0, Math.sqrt(square) - along) : 0
}

function within(t: number, limit: number): number {
  return t <= limit ? t : Infinity
}
