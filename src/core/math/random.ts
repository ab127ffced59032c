/**
 * Seeded random numbers without hidden state. An integer hash (the finaliser of MurmurHash3, Austin Appleby,
 * public domain) mixes the world seed, the key of the agent and the step; the numbers of that stream are
 * drawn by a counter. So removing one agent does not change the others.
 */
export function mix(a: number, b: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** Number `n` of a stream, in [0, 1). */
export function draw(stream: number, n: number): number {
  return mix(stream, n) / 4294967296
}

/** A generator for set-up code: `const random = seeded(7)`, then `random()` in [0, 1). */
export function seeded(seed: number): () => number {
  const stream = mix(seed | 0, 0x5eed)
  let n = 0
  return () => draw(stream, n++)
}

/** A normally distributed number (mean 0, deviation 1) from two uniform ones in [0, 1) (Box and Muller). */
export function gaussian(u: number, v: number): number {
  return Math.sqrt(-2 * Math.log(1 - u)) * Math.cos(2 * Math.PI * v)
}
