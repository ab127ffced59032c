import type { Vec3, Vec3Like, Waypoint } from '../../types.js'
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
  scale,
  sub,
  vec3,
} from '../../math/vec3.js'

/** Nearer to the axis of the waypoint than this share of its distance, the agent is on it; and so for its heading. */
const ON_AXIS = 1e-9

const offset = vec3()
const nose = vec3()

/**
 * The steering plane Ω of an agent, its waypoint and the waypoint's direction (Jakob 2004, section 4), or a given plane, with coordinates:
 * the waypoint is the origin, its direction x, and the agent is on the side of positive y. Eq. 6 is normalised, which the text says and the
 * formula does not. Where it is 0/0, since the agent is on the axis of the waypoint, Ω is the plane of its heading; with the heading on
 * the axis, too, any plane.
 */
export class SteeringPlane {
  /** f_x, f_y and the normal x × y, unit, in world axes. */
  readonly ahead: Vec3 = vec3()
  readonly aside: Vec3 = vec3()
  readonly normal: Vec3 = vec3()
  /** Where the agent is, m. */
  x = 0.5
  y = 0.5
  /** Its heading within the plane, unit, and the part of it across, −1 … 1. */
  headX = 0.5
  headY = 0.5
  across = 0.5

  /**
   * Puts the agent `back` m behind where it is.
   * @param normal that of a given plane, of any length but zero.
   * @returns false where places are not finite or directions zero.
   */
  look(from: Waypoint, to: Waypoint, normal: Vec3Like | null, back: number): boolean {
    const { ahead, aside } = this
    normalize(ahead, to.heading)
    normalize(nose, from.heading)
    sub(offset, from.position, to.position)
    addScaled(offset, offset, nose, -back)
    if (!(length(offset) < Infinity) || !isFiniteVec(ahead) || !isFiniteVec(nose)) return false
    if (isZero(ahead) || isZero(nose)) return false
    if (normal !== null) this.flatten(normal)
    this.side(normal)
    cross(this.normal, ahead, aside)
    this.x = dot(offset, ahead)
    this.y = dot(offset, aside)
    this.across = dot(nose, this.normal)
    const x = dot(nose, ahead)
    const y = dot(nose, aside)
    const size = Math.hypot(x, y)
    // to a heading across the plane every direction in it is as near
    this.headX = size > ON_AXIS ? x / size : 1
    this.headY = size > ON_AXIS ? y / size : 0
    return true
  }

  /** Writes a direction of the plane in world axes (eq. 8). */
  toWorld(out: Vec3, x: number, y: number): Vec3 {
    scale(out, this.ahead, x)
    return normalize(out, addScaled(out, out, this.aside, y))
  }

  /** Takes what is across a given plane from all. */
  private flatten(plane: Vec3Like): void {
    const { ahead, normal } = this
    normalize(normal, plane)
    reject(offset, offset, normal)
    normalize(nose, reject(nose, nose, normal))
    normalize(ahead, reject(ahead, ahead, normal))
    // a waypoint to be passed across the plane
    if (isZero(ahead)) copy(ahead, nose)
    if (isZero(ahead)) perpendicular(ahead, normal)
  }

  /** Finds the side on which the agent is. */
  private side(plane: Vec3Like | null): void {
    const { ahead, aside, normal } = this
    reject(aside, offset, ahead)
    if (!(length(aside) > ON_AXIS * length(offset))) {
      reject(aside, nose, ahead)
      if (!(length(aside) > ON_AXIS)) {
        if (plane === null) perpendicular(aside, ahead)
        else cross(aside, normal, ahead)
      }
    }
    normalize(aside, aside)
    // again: what is left of a vector almost along the axis is rounding
    normalize(aside, reject(aside, aside, ahead))
  }
}
