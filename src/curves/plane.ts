import type { Vec3, Vec3Like, Waypoint } from '../types.js'
import {
  addScaled,
  copy,
  cross,
  dot,
  isFiniteVec,
  isZero,
  length,
  normalize,
  perpendicular,
  reject,
  set,
  sub,
  vec3,
} from '../math/vec3.js'
import type { ArcPath } from './arc-path.js'

/** A radius below this share of the way is lost among the digits of the way, and counts as 0. */
export const LOST = 1e-12
/** Poses are in a plane when none of their numbers is further out of it, in radii and rad. */
const FLAT = 1e-9

const sight = vec3()
const other = vec3()
const beside = vec3()

/**
 * A goal as a pilot in a plane sees it: in turn radii ahead and to the left, and its heading as cosine and
 * sine of the angle from his own. Headings and goal are projected on the plane through the start. A heading
 * with no part in the plane counts as the line of sight.
 */
export class PlaneView {
  /**
   * The goal ahead and to the left, in radii (m where the radius is 0), and cosine and sine of its heading.
   */
  readonly goal = new Float64Array(4)
  /** m; 0 where it is too small to matter. */
  radius = 0.1
  readonly up: Vec3 = vec3()
  /** Unit heading at the start, and unit direction to its left. */
  readonly ahead: Vec3 = vec3()
  readonly left: Vec3 = vec3()

  /** False, where a number is not finite. */
  look(from: Waypoint, to: Waypoint, radius: number, up: Vec3Like): boolean {
    const { ahead, left, goal } = this
    if (isZero(normalize(this.up, up))) set(this.up, 0, 1, 0)
    reject(sight, sub(sight, to.position, from.position), this.up)
    this.flatten(ahead, from.heading)
    cross(left, this.up, ahead)
    this.flatten(other, to.heading)
    const way = length(sight)
    this.radius = radius <= LOST * way ? 0 : radius
    const scale = this.radius > 0 ? this.radius : 1
    goal[0] = dot(sight, ahead) / scale
    goal[1] = dot(sight, left) / scale
    goal[2] = dot(other, ahead)
    goal[3] = dot(other, left)
    if (!(way + this.radius < Infinity)) return false
    // to normalise a vector hides what is not finite in it
    return isFiniteVec(from.heading) && isFiniteVec(to.heading) && isFiniteVec(up)
  }

  /** Without a radius: turns on the spot, and goes straight. */
  line(out: ArcPath, from: Waypoint): number {
    const way = length(sight)
    return out.begin(from.position, way > 0 ? sight : this.ahead).straight(way).length
  }

  /**
   * Starts `out` at `from`, then lays `count` pieces: a turn of −1 is to the right, a negative length (in
   * radii) is flown astern.
   */
  lay(out: ArcPath, from: Waypoint, turns: Int8Array, lengths: Float64Array, count: number): number {
    const { ahead, left, radius } = this
    out.begin(from.position, ahead)
    let angle = 0
    for (let i = 0; i < count; i++) {
      const gear = lengths[i]! < 0 ? -1 : 1
      const size = Math.abs(lengths[i]!)
      const turn = turns[i]!
      if (turn === 0) {
        out.straight(size * radius, gear)
        continue
      }
      const c = turn * Math.cos(angle)
      const s = turn * Math.sin(angle)
      set(beside, left.x * c - ahead.x * s, left.y * c - ahead.y * s, left.z * c - ahead.z * s)
      out.arc(beside, radius, size, gear)
      angle += turn * lengths[i]!
    }
    return out.length
  }

  /** The unit direction of `heading` in the plane. */
  private flatten(out: Vec3, heading: Vec3Like): void {
    const { up } = this
    normalize(out, heading)
    reject(out, out, up)
    // of a heading along the normal only rounding is left
    if (dot(out, out) < 1e-24) copy(out, sight)
    if (isZero(normalize(out, out))) perpendicular(out, up)
    // again: rounding of a short rest counts
    addScaled(out, out, up, -dot(out, up))
    normalize(out, out)
  }
}

/**
 * True where a pose with `heading`, the `way` from it in radii, and the heading `goal` there are in a plane;
 * its unit normal in `out`. On a line any plane does: that with the axis least along it. Headings are of unit
 * length.
 */
export function coplanar(out: Vec3, heading: Vec3Like, way: Vec3Like, goal: Vec3Like): boolean {
  const far = Math.max(1, length(way))
  reject(other, way, heading)
  reject(beside, goal, heading)
  const off = length(other)
  const turn = length(beside)
  if (off < FLAT && turn < FLAT) perpendicular(beside, heading)
  else if (off > turn * far) copy(beside, other)
  normalize(out, cross(out, heading, normalize(beside, beside)))
  // again: what is left of a direction almost along another is rounding
  normalize(out, addScaled(out, out, heading, -dot(out, heading)))
  return Math.abs(dot(out, goal)) < FLAT && Math.abs(dot(out, way)) < FLAT
}
