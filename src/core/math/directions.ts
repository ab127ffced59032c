import type { Vec3Like } from '../types.js'
import { GOLDEN_ANGLE } from './scalar.js'
import { vec3 } from './vec3.js'

/** The six directions along the axes: −x, −y, −z, x, y, z. */
export const AXES: readonly Vec3Like[] = [-1, 1].flatMap((k) => [vec3(k), vec3(0, k), vec3(0, 0, k)])

/**
 * `count` (≥ 2) unit directions distributed evenly over the sphere, `[3 × count]`: a spiral from +x to −x in
 * steps of the golden angle (the Fibonacci lattice, Vogel 1979 and Swinbank and Purser 2006). The first is
 * +x.
 */
export function directions(count: number): Float64Array {
  const out = new Float64Array(3 * count)
  for (let i = 0; i < count; i++) {
    const x = 1 - (2 * i) / (count - 1)
    const aside = Math.sqrt(Math.max(0, 1 - x * x))
    out[3 * i] = x
    out[3 * i + 1] = aside * Math.cos(i * GOLDEN_ANGLE)
    out[3 * i + 2] = aside * Math.sin(i * GOLDEN_ANGLE)
  }
  return out
}
