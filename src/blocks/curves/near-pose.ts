import type { Vec3, Waypoint } from '../../core/types.js'
import {
  addScaled,
  cross,
  dot,
  length,
  load,
  normalize,
  perpendicular,
  reject,
  save,
  scale,
  set,
  sub,
  vec3,
} from '../../core/math/vec3.js'
import type { ArcChain, ChainEnds } from './arc-chain.js'
import type { ArcPath } from './arc-path.js'

/** Three arcs of radius 1 reach no farther than this. */
const REACH = 6

const normal = vec3()
const corner = vec3()

/**
 * Two poses in a frame of their own, with lengths in turn radii. The line from one to the other is x; the
 * first heading lies in the plane of x and y; the other heading has z ≥ 0 (the frame is mirrored if
 * necessary); and the heading
 * with the smaller component along x comes last (the path is reversed if necessary). So pairs of poses
 * that differ only in position, attitude, size, mirroring and direction of time are one problem, and get one
 * answer.
 */
export class NearPose implements ChainEnds {
  readonly headingA: Float64Array = new Float64Array(3)
  readonly sideA: Float64Array = new Float64Array(3)
  readonly position: Float64Array = new Float64Array(3)
  readonly headingB: Float64Array = new Float64Array(3)
  readonly across: Float64Array = new Float64Array(6)
  /** Whether the path found must be flown from its end. */
  swapped = false
  /** Headings: first those of the world, then those of the frame. */
  private readonly start: Vec3 = vec3()
  private readonly goal: Vec3 = vec3()
  /** Axes of the frame in the world (unit). */
  private readonly x: Vec3 = vec3()
  private readonly y: Vec3 = vec3()
  private readonly z: Vec3 = vec3()

  /**
   * Reads a pair of poses. @returns false when they are not finite or too far apart for three arcs, or
   * `radius` is not positive.
   */
  read(from: Waypoint, to: Waypoint, radius: number): boolean {
    const { goal, start, x } = this
    normalize(start, from.heading)
    normalize(goal, to.heading)
    sub(x, to.position, from.position)
    const away = length(x) / radius
    // written so that NaN fails, too
    if (!(radius > 0 && away <= REACH && length(start) > 0 && length(goal) > 0)) return false
    this.align(away)
    this.swapped = dot(goal, x) > dot(start, x)
    if (this.swapped) {
      scale(normal, start, -1)
      scale(start, goal, -1)
      scale(goal, normal, 1)
      scale(x, x, -1)
    }
    this.span()
    this.fill(away)
    return true
  }

  /** Writes the chain as a path between the poses that were read. @returns its length (m). */
  write(out: ArcPath, chain: ArcChain, from: Waypoint, radius: number): number {
    const { links, share, unknowns } = chain
    chain.walk(unknowns)
    out.begin(from.position, from.heading)
    for (let i = 0; i < links; i++) {
      const link = this.swapped ? links - 1 - i : i
      const angle = unknowns[links + Math.floor(link / share)]!
      // for a path flown from its end, the normal at the end of the link
      out.arc(this.normalOf(chain, link, this.swapped ? angle : 0), radius, angle)
    }
    return out.length
  }

  /** The normal of a link at `angle` (rad) from its start, world axes. */
  private normalOf({ axis, pivot }: ArcChain, link: number, angle: number): Vec3 {
    const at = 6 * link
    const c = Math.cos(angle)
    const s = Math.sin(angle)
    set(normal, 0, 0, 0)
    for (let k = 0; k < 3; k++) {
      const part = c * (pivot[at + 3 + k]! - pivot[at + k]!) - s * axis[at + k]!
      addScaled(normal, normal, k === 0 ? this.x : k === 1 ? this.y : this.z, part)
    }
    return normal
  }

  /** Sets x. For poses at one position it is the direction of the mean of both headings. */
  private align(away: number): void {
    const { goal, start, x } = this
    normalize(x, x)
    if (away > 1e-14) return
    addScaled(x, start, goal, 1)
    if (length(x) > 1e-7) normalize(x, x)
    else perpendicular(x, start)
  }

  /** Sets y and z. */
  private span(): void {
    const { goal, start, x, y, z } = this
    reject(y, start, x)
    if (length(y) < 1e-7) reject(y, goal, x)
    if (length(y) < 1e-7) perpendicular(y, x)
    normalize(y, y)
    normalize(y, reject(y, y, x))
    cross(z, x, y)
    if (dot(goal, z) < 0) scale(z, z, -1)
  }

  /** Writes the poses in the frame. */
  private fill(away: number): void {
    const { goal, start, x, y, z, headingA, sideA, headingB, across } = this
    save(set(corner, dot(start, x), dot(start, y), dot(start, z)), headingA, 0)
    save(set(corner, dot(goal, x), dot(goal, y), dot(goal, z)), headingB, 0)
    save(set(corner, away, 0, 0), this.position, 0)
    load(start, headingA, 0)
    load(goal, headingB, 0)
    // the side that lies in the plane of x and y
    set(corner, -start.y, start.x, 0)
    if (length(corner) < 0.5) set(corner, 1, 0, 0)
    normalize(corner, reject(corner, corner, start))
    save(corner, sideA, 0)
    perpendicular(corner, goal)
    save(corner, across, 0)
    cross(corner, goal, corner)
    save(corner, across, 3)
  }
}
