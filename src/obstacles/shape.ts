import type { Vec3, Vec3Like } from '../types.js'

/**
 * The form of an obstacle, in its own axes; where it stands is the obstacle's business. Distances are exact, because everything
 * else (sweeps, braking, sliding, leaving) is built on them. The form of a shape does not change.
 */
export interface Shape {
  /** Name of the form, for messages. */
  readonly kind: string
  /** True promises that the solid is convex, as the inside of a hollow shape must be. Default no promise. */
  readonly convex?: boolean
  /**
   * Distance (m) from `point` to the surface, negative inside; exact on both sides. Writes into `normal` the unit direction in which
   * it grows fastest; where several do (the centre of a sphere, the edge of a box), one of them, always the same.
   */
  distance(point: Vec3Like, normal: Vec3): number
  /**
   * Distance (m) that a ball of `radius` can fly from `origin` along the unit `direction` until it touches the shape; Infinity when
   * nothing is met within `limit`. A ball that touches or overlaps at the start is stopped where it would get deeper in than it is:
   * at 0 when it flies into the shape, and never by a convex shape when it flies outwards or slides along.
   */
  sweep(origin: Vec3Like, direction: Vec3Like, radius: number, limit: number): number
  /**
   * Distance (m) that a ball of `radius` must fly from `origin` along `direction` until it is clear of the shape: 0 when it is clear
   * already, Infinity when that way does not lead out.
   */
  leave(origin: Vec3Like, direction: Vec3Like, radius: number): number
  /** How far (m) the shape reaches from its origin along the unit `direction`; Infinity for half-spaces and hollow shapes. */
  support(direction: Vec3Like): number
  /**
   * Tells `rim` of circles on the sphere of directions whose arcs make up the outline of the shape, grown by `radius`, as seen from
   * `from`, which lies outside of the grown shape. More circles than needed do no harm; none means that the outline must be searched.
   */
  outline?(from: Vec3Like, radius: number, rim: OutlineSink): void
}

/** Collects the circles of outlines. */
export interface OutlineSink {
  /** Directions u with u · axis = cosine, `axis` unit; those with more are (as far as this circle knows) blocked. */
  circle(axisX: number, axisY: number, axisZ: number, cosine: number): void
}
