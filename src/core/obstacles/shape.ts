import type { Vec3, Vec3Like } from '../types.js'

/**
 * The form of an obstacle, in its own axes. The obstacle holds the position and attitude. Distances are
 * exact, because sweeps, braking, sliding and leaving are computed from them. The form of a shape does not
 * change.
 *
 * The optional members are statements about the form. They are used in place of the class of a shape, so that
 * shapes of your own that make the same statements are treated as those of the package.
 */
export interface Shape {
  /** Name of the form, for messages. */
  readonly kind: string
  /** True states that the solid is convex, as the inner shape of a hollow shape must be. Default unknown. */
  readonly convex?: boolean
  /**
   * Radius (m, > 0) of a shape that is a ball around its origin; shapes of other forms leave it out. The
   * attitude of a ball is ignored, directions past it have a closed form, it needs no `outline`, and
   * `FlowAround` bends the flow as round a sphere.
   */
  readonly ballRadius?: number
  /**
   * The space that a hollow shape leaves free, which must be convex and bounded; solid shapes leave it out.
   * Agents fly inside of it. Its `support` gives the tangent planes that limit velocities towards the wall,
   * so that agents brake in time for curved walls and corners.
   */
  readonly cavity?: Pick<Shape, 'support' | 'faceNormals'>
  /**
   * Outward unit normals of all faces of a convex shape that has flat faces only: `[3 × faces]`; shapes with
   * curved surfaces leave it out. The walls of a hollow shape around it are exactly these planes, and no
   * others are needed to limit velocities.
   */
  readonly faceNormals?: ArrayLike<number>
  /**
   * Distance (m) from `point` to the surface, negative inside; exact on both sides. Writes into `normal` the
   * unit direction in which the distance grows fastest. Where several directions do (the centre of a sphere,
   * the edge of a box), one of them, always the same.
   */
  distance(point: Vec3Like, normal: Vec3): number
  /**
   * True states that `point` is outside and farther from the surface than `distance` (m); false states
   * nothing. For shapes whose `distance` takes long.
   */
  isBeyond?(point: Vec3Like, distance: number): boolean
  /**
   * Distance (m) that a ball of `radius` can fly from `origin` along the unit `direction` until it touches
   * the shape; Infinity when it touches nothing within `limit`. A ball that touches or overlaps at the start
   * is stopped where it would get deeper in than it is: at 0 when it flies into the shape, and never by a
   * convex shape when it flies outwards or slides along.
   */
  sweep(origin: Vec3Like, direction: Vec3Like, radius: number, limit: number): number
  /** As `sweep`, without numbers that are passed and would be boxed. Not used for subclasses. @internal */
  sweepBall?(origin: Vec3Like, direction: Vec3Like, ball: SweptBall): void
  /**
   * Distance (m) that a ball of `radius` must fly from `origin` along `direction` until it is clear of the
   * shape: 0 when it is clear at the start, Infinity when this direction does not lead out.
   */
  leave(origin: Vec3Like, direction: Vec3Like, radius: number): number
  /**
   * Distance (m) from the origin of the shape to its tangent plane across the unit `direction`; Infinity for
   * half-spaces and hollow shapes.
   */
  support(direction: Vec3Like): number
  /**
   * Emits to `rim` circles on the sphere of directions whose arcs make up the outline of the shape, grown by
   * `radius`, as seen from `from`, which lies outside of the grown shape. More circles than needed do no
   * harm. Without circles the solver tries a fan of directions instead.
   */
  outline?(from: Vec3Like, radius: number, rim: OutlineSink): void
}

/** The numbers of a sweep, m. */
export interface SweptBall<T = unknown> {
  radius: number
  limit: number
  /** Where the ball touches, or Infinity: written by the sweep. */
  distance: number
  /** What it touches there, or null: written by the sweep of a set. */
  obstacle: T | null
}

/** Collects the circles of outlines. */
export interface OutlineSink {
  /**
   * Adds the directions u with u · axis = cosine; `axis` is a unit vector. Directions with a larger u · axis
   * are blocked, as far as this circle alone states.
   */
  circle(axisX: number, axisY: number, axisZ: number, cosine: number): void

  /**
   * Only the shorter arc of the circle added last, from one direction to another, is on the outline. The
   * directions need not be unit vectors. For a circle that is not followed by this, all of it is.
   */
  arc(a: Vec3Like, b: Vec3Like): void
}
