/** Functions of numbers, for scenes and their views. */

/** Smooth noise without a visible pattern, in about [−1, 1]. */
export function wave(x: number, y: number, z: number): number {
  return (
    (Math.sin(x + 1.7 * Math.sin(0.6 * y + 1)) +
      Math.sin(1.3 * y + 1.3 * Math.sin(0.7 * z + 2)) +
      Math.sin(0.9 * z + 1.9 * Math.sin(0.5 * x + 3))) /
    3
  )
}

/** Hash of two whole numbers, in [0, 1). */
export function hash(a: number, b: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  return ((h ^ (h >>> 13)) >>> 0) / 4294967296
}

/** Rises from 0 to 1, with continuous first and second derivatives. Constant outside of [0, 1]. */
export function smootherStep(t: number): number {
  const at = Math.min(1, Math.max(0, t))
  return at * at * at * (10 - 15 * at + 6 * at * at)
}
