import type { Quat, Vec3 } from '../../types.js'
import type { Shape } from '../../obstacles/shape.js'

/** A shape, with the offset of its origin (m) and its turn in the axes of the vertices. */
export interface Fitted {
  readonly shape: Shape
  readonly offset: Vec3
  readonly turn: Quat
}

/**
 * The scale and shear of a mesh's world matrix, which apply before its turn and its offset: an upper
 * triangular matrix, by rows. Without shear its diagonal is the scale. A mirror makes the last number
 * negative.
 */
export type Stretch = readonly [number, number, number, number, number, number]
