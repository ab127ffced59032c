import type { Vec3, Vec3Like, Waypoint } from '../../core/types.js'
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
} from '../../core/math/vec3.js'
import type { ArcPath } from './arc-path.js'
import { requireNumbers, requirePoses, requireRadius } from './solver-input.js'

/** A radius below this share of the distance is lost in its rounding, and counts as 0. */
export const LOST = 1e-12
/** Poses lie in a plane when they are out of it by less than this (radii and rad). */
const FLAT = 1e-9

const other = vec3()
const beside = vec3()

/**
 * A goal in the frame of a start pose in a plane: its position in turn radii ahead and to the left, and its
 * heading as cosine and sine of the angle from the start's heading. Headings and goal are projected onto the
 * plane through the start. A heading without a component in the plane counts as the line of sight.
 */
export class PlaneView {
  /** The goal ahead and to the left (radii; m for a radius of 0), and cosine and sine of its heading. */
  readonly goal: Float64Array = new Float64Array(4)
  /** Turn radius (m); 0 where it is too small to matter. */
  radius = 0.1
  readonly up: Vec3 = vec3()
  /** Unit heading at the start, and unit direction to its left. */
  readonly ahead: Vec3 = vec3()
  readonly left: Vec3 = vec3()
  /** From the start to the goal, in the plane (m). */
  private readonly sight: Vec3 = vec3()

  /** Computes the frame and the goal. @returns false when a number is not finite. */
  update(from: Waypoint, to: Waypoint, radius: number, up: Vec3Like): boolean {
    const { ahead, goal, left, sight } = this
    if (isZero(normalize(this.up, up))) set(this.up, 0, 1, 0)
    reject(sight, sub(sight, to.position, from.position), this.up)
    this.flatten(ahead, from.heading)
    cross(left, this.up, ahead)
    this.flatten(other, to.heading)
    const distance = length(sight)
    this.radius = radius <= LOST * distance ? 0 : radius
    const scale = this.radius > 0 ? this.radius : 1
    goal[0] = dot(sight, ahead) / scale
    goal[1] = dot(sight, left) / scale
    goal[2] = dot(other, ahead)
    goal[3] = dot(other, left)
    if (!(distance + this.radius < Infinity)) return false
    // normalisation hides components that are not finite
    return isFiniteVec(from.heading) && isFiniteVec(to.heading) && isFiniteVec(up)
  }

  /** Writes the path for a radius of 0: turns on the spot, and a straight line. @returns its length (m). */
  line(out: ArcPath, from: Waypoint): number {
    const { sight } = this
    const distance = length(sight)
    return out.begin(from.position, distance > 0 ? sight : this.ahead).straight(distance).length
  }

  /** Begins `out` at `from`, and lays the pieces of a word. @returns the length of the path (m). */
  lay(out: ArcPath, from: Waypoint, { count, lengths, turns }: Word): number {
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

  /** Writes the unit direction of `heading` in the plane. */
  private flatten(out: Vec3, heading: Vec3Like): void {
    const { sight, up } = this
    normalize(out, heading)
    reject(out, out, up)
    // the projection of a heading along the normal is only rounding
    if (dot(out, out) < 1e-24) copy(out, sight)
    if (isZero(normalize(out, out))) perpendicular(out, up)
    // again: the rounding of a short projection matters
    addScaled(out, out, up, -dot(out, up))
    normalize(out, out)
  }
}

/** The pieces of a shortest path in a plane, with a turn radius of 1. */
interface Word {
  /** Direction of each piece: 1 to the left, 0 straight, −1 to the right. */
  readonly turns: Int8Array
  /** Length of each piece; negative astern. */
  readonly lengths: Float64Array
  /** Number of pieces. */
  readonly count: number
  /** Finds the path to a goal as {@link PlaneView} writes it. */
  solve(goal: Float64Array): void
}

const Y: Vec3Like = vec3(0, 1, 0)
const view = new PlaneView()

/**
 * Fills `out` with the path that `word` finds, see `dubins2d`. `solver` names the function that was called.
 * @returns its length (m).
 */
export function layWord(
  solver: string,
  word: Word,
  out: ArcPath,
  from: Waypoint,
  to: Waypoint,
  radius: number,
  up: Vec3Like = Y,
): number {
  requirePoses(solver, from, to)
  requireRadius(solver, 'radius', radius)
  if (up !== Y) requireNumbers(solver, 'up', up)
  if (!view.update(from, to, radius, up)) {
    out.begin(from.position, from.heading)
    return Infinity
  }
  if (view.radius === 0) return view.line(out, from)
  word.solve(view.goal)
  return view.lay(out, from, word)
}

/**
 * Whether a pose with `heading`, the `displacement` from it (radii), and the goal's heading `goal` lie in one
 * plane. Writes its unit normal. For poses on a line any plane serves; a fixed one is chosen. Headings are
 * unit vectors.
 */
export function coplanar(out: Vec3, heading: Vec3Like, displacement: Vec3Like, goal: Vec3Like): boolean {
  const far = Math.max(1, length(displacement))
  reject(other, displacement, heading)
  reject(beside, goal, heading)
  const offset = length(other)
  const turn = length(beside)
  if (offset < FLAT && turn < FLAT) perpendicular(beside, heading)
  else if (offset > turn * far) copy(beside, other)
  normalize(out, cross(out, heading, normalize(beside, beside)))
  // again: the rest of a direction almost along another is mostly rounding
  normalize(out, addScaled(out, out, heading, -dot(out, heading)))
  return Math.abs(dot(out, goal)) < FLAT && Math.abs(dot(out, displacement)) < FLAT
}
