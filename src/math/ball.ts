import type { Vec3Like } from '../types.js'
import { dot, lengthSq } from './vec3.js'

/** Largest s with |base + s·addition| = radius; 0 when there is no addition. `base` lies inside. */
export function shareWithin(base: Vec3Like, addition: Vec3Like, radius: number): number {
  const a = lengthSq(addition)
  if (a === 0 || radius === Infinity) return a === 0 ? 0 : Infinity
  const b = dot(base, addition)
  const c = Math.min(0, lengthSq(base) - radius * radius)
  return Math.max(0, (Math.sqrt(b * b - a * c) - b) / a)
}
