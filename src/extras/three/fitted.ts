import type { Quat, Vec3 } from '../../core/types.js'
import type { Shape } from '../../core/obstacles/shape.js'

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

/** Stretches points `[3 × n]`. */
export function stretched(points: Float64Array, [xx, xy, xz, yy, yz, zz]: Stretch): Float64Array {
  const out = new Float64Array(points.length)
  for (let i = 0; i < points.length; i += 3) {
    const x = points[i]!
    const y = points[i + 1]!
    const z = points[i + 2]!
    out[i] = xx * x + xy * y + xz * z
    out[i + 1] = yy * y + yz * z
    out[i + 2] = zz * z
  }
  return out
}
