import type { Frame, Vec3, Vec3Like } from '../types.js'
import { cross, copy, dot, isZero, length, normalize, reject, scale, vec3 } from '../math/vec3.js'

/** Directions (unit, world axes) of an agent that stands upright on the ground. */
export interface GroundFrame {
  /** Across the ground: the normal of the agent's `plane`, if it has one, else the `up` of the world. */
  readonly up: Vec3
  /** Along the ground. */
  readonly nose: Vec3
  /** To starboard. */
  readonly side: Vec3
}

/** A nose within this sine of straight up or down has no direction along the ground. Chosen by hand. */
const LYING_SINE = 0.05

export function makeGroundFrame(): GroundFrame {
  return { up: vec3(), nose: vec3(), side: vec3() }
}

/** Writes the directions of an agent with this attitude when it stands upright on `plane`. */
export function standUpright(
  { up, nose, side }: GroundFrame,
  attitude: Readonly<Frame>,
  plane: Vec3Like,
  worldUp: Vec3Like,
): void {
  const above = dot(plane, worldUp)
  if (isZero(plane)) copy(up, worldUp)
  else scale(up, plane, (above === 0 ? dot(plane, attitude.y) : above) < 0 ? -1 : 1)
  reject(nose, attitude.x, up)
  // one that lies on its back or face
  if (length(nose) < LYING_SINE) reject(nose, attitude.y, up)
  normalize(nose, nose)
  cross(side, nose, up)
}
