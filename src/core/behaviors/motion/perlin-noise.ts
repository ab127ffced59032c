import type { QuatLike, Vec3, Vec3Like } from '../../types.js'
import { mix } from '../../math/random.js'
import { rotate, unrotate } from '../../math/quat.js'
import { requirePlaced } from '../../control/target.js'
import { readOptions, type AnyTable, type Options, type OptionsOf } from '../../math/options.js'
import { refuse } from '../../math/require.js'
import { scale, sub, vec3 } from '../../math/vec3.js'

export interface PerlinNoiseOptions extends Options, OptionsOf<typeof PerlinNoise.options> {}

interface Lattice {
  readonly position: Vec3Like
  readonly quaternion?: QuatLike
}

/** Greatest cell index whose neighbour is still another number. */
const LARGEST_CELL = 2 ** 31

const local = vec3()

/**
 * A vector for each point of space that changes smoothly from point to point: gradient noise after K. Perlin
 * (Improving Noise, 2002), one for each axis. The same point always has the same vector. Each component is
 * about ±1 at most, and 0 in the mean.
 */
export class PerlinNoise {
  static readonly options = {
    /** Distance over which the noise changes (m), > 0. Larger is smoother. */
    wavelength: { kind: 'number', required: true, unit: 'm', above: 0 },
    /** Seed, a 32-bit number. Default 1. */
    seed: { kind: 'number', default: 1 },
    /** Where the noise lies in the world: its origin (m) and its axes. Default those of the world. */
    at: { kind: 'named', check: requirePlaced<Lattice> },
  } as const satisfies AnyTable
  readonly wavelength!: number
  readonly seed!: number
  readonly at!: Lattice | undefined

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: PerlinNoiseOptions) {
    Object.assign(this, readOptions('PerlinNoise', PerlinNoise.options, options))
  }

  /** Writes the vector at `point` (m, world axes), world axes, dimensionless. */
  sample(out: Vec3, point: Vec3Like): Vec3 {
    const { at, seed, wavelength } = this
    const quaternion = at?.quaternion
    if (at === undefined) scale(local, point, 1 / wavelength)
    else {
      sub(local, point, at.position)
      if (quaternion !== undefined) unrotate(local, quaternion, local)
      scale(local, local, 1 / wavelength)
    }
    out.x = gradientNoise(local, mix(seed, 1))
    out.y = gradientNoise(local, mix(seed, 2))
    out.z = gradientNoise(local, mix(seed, 3))
    return quaternion === undefined ? out : rotate(out, quaternion, out)
  }
}

/** @throws TypeError unless it has a method `sample`. */
export function requireNoise(what: string, value: PerlinNoise): PerlinNoise {
  if (typeof value?.sample !== 'function') refuse(what, value, 'must be a PerlinNoise')
  return value
}

/** One component at a point of the lattice of unit cells. 0 where the cells are beyond counting. */
function gradientNoise({ x, y, z }: Vec3Like, seed: number): number {
  const i = Math.floor(x)
  const j = Math.floor(y)
  const k = Math.floor(z)
  if (!(Math.abs(i) < LARGEST_CELL && Math.abs(j) < LARGEST_CELL && Math.abs(k) < LARGEST_CELL)) return 0
  const u = x - i
  const v = y - j
  const w = z - k
  const su = fade(u)
  const sv = fade(v)
  const sw = fade(w)
  let sum = 0
  for (let corner = 0; corner < 8; corner++) {
    const a = corner & 1
    const b = (corner >> 1) & 1
    const c = corner >> 2
    const share = (a === 1 ? su : 1 - su) * (b === 1 ? sv : 1 - sv) * (c === 1 ? sw : 1 - sw)
    const hash = mix(mix(mix(seed, i + a), j + b), k + c)
    sum += share * slope(hash, u - a, v - b, w - c)
  }
  return sum
}

/** Product of an offset and one of the twelve gradients, which point to the middles of a cube's edges. */
function slope(hash: number, x: number, y: number, z: number): number {
  const h = hash & 15
  const first = h < 8 ? x : y
  const second = h < 4 ? y : h === 12 || h === 14 ? x : z
  return ((h & 1) === 0 ? first : -first) + ((h & 2) === 0 ? second : -second)
}

/** 6 t⁵ − 15 t⁴ + 10 t³: no jump in slope or curvature at the sides of the cells. */
function fade(t: number): number {
  return t * t * t * (t * (6 * t - 15) + 10)
}
