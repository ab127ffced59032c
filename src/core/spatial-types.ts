/** The vocabulary of places, directions and poses: types only, no code. */

/** A mutable vector. World axes and SI units unless a name says `local`. */
export interface Vec3 {
  x: number
  y: number
  z: number
}

/**
 * An object with `x`, `y`, `z`: `THREE.Vector3`, `CANNON.Vec3`, `mesh.position`, a literal. Never written.
 */
export interface Vec3Like {
  readonly x: number
  readonly y: number
  readonly z: number
}

/** A mutable unit quaternion. */
export interface Quat extends Vec3 {
  w: number
}

/** `THREE.Quaternion`, `CANNON.Quaternion`, a literal. Never written. */
export type QuatLike = Vec3Like & { readonly w: number }

/** A right-handed orthonormal basis in world axes: x ahead, y up, z = x × y to starboard. */
export interface Frame {
  readonly x: Vec3
  readonly y: Vec3
  readonly z: Vec3
}

/** A basis that is only read. */
export type FrameLike = Readonly<Record<'x' | 'y' | 'z', Vec3Like>>

/** An object that may leave: removed from its world, disposed, dead. */
export interface Present {
  /**
   * Whether it is there. While it is not, behaviours that have it as their target do nothing, see `cannot`.
   * Controllers, members of flocks and frames of doors have it; a body of cannon-es is gone while its `world`
   * is null. Default: it is there.
   */
  isThere?(): boolean
}

/** Position (m) and velocity (m/s): a controller, a neighbour, a `CANNON.Body`. */
export interface Moving extends Present {
  readonly position: Vec3Like
  readonly velocity: Vec3Like
}

/** An object with an attitude. Model axes: default nose (`forward`) +Z, top (`up`) +Y. */
export interface Oriented extends Present {
  readonly quaternion: QuatLike
  readonly forward?: Vec3Like
  readonly up?: Vec3Like
}

/** A moving object that may have an attitude and an angular velocity (rad/s, world axes). */
export interface MovingFrame extends Moving, Partial<Oriented> {
  readonly angularVelocity?: Vec3Like
  /** Centre of mass in its own axes (m): what `position` is, as seen from its origin. Default its origin. */
  readonly center?: Vec3Like
}

/** An object with a position (m) and perhaps a velocity (m/s): a mesh, a controller, a `CANNON.Body`. */
export interface Placed extends Present {
  readonly position: Vec3Like
  readonly velocity?: Vec3Like
}

export interface Pose {
  readonly position: Vec3
  readonly quaternion: Quat
}

/** A place (m) and the direction (any length but zero) in which an agent is to pass it. */
export interface Waypoint {
  readonly position: Vec3Like
  readonly heading: Vec3Like
}
