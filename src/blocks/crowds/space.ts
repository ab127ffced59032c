import type { Agent, Spaces, Vec3, Vec3Like } from '../../core/types.js'
import { set, vec3 } from '../../core/math/vec3.js'

/** Row by row the lower triangular matrix L, of which L·Lᵀ is the matrix of a common space in `fitSpace`. */
const lower = { xx: 0.5, yx: 0.5, yy: 0.5, zx: 0.5, zy: 0.5, zz: 0.5 }

const nose = vec3()

/**
 * Fits an ellipsoid to the space that two agents keep free between their centres, in units of the sum of
 * their radii. Each has one with the matrix r²·(I + (length² − 1)·nose·noseᵀ + (height² − 1)·up·upᵀ). Of the
 * ellipsoids around their Minkowski sum it is the one of least trace (Kurzhanski and Vályi,
 * Ellipsoidal Calculus for Estimation and Control, 1997): exact for agents of one form and attitude. With a
 * height alone it is the downwash of Preiss, Hönig, Sukhatme and Ayanian, Crazyswarm, 2017. False, and
 * nothing fitted, where both are balls.
 */
export function fitSpace(agent: Agent, radius: number, spaces: Spaces, row: number, up: Vec3Like): boolean {
  const ownLength = square(agent.spaceLength)
  const ownHeight = square(agent.spaceHeight)
  const length = square(spaces.spaceLength(row))
  const height = square(spaces.spaceHeight(row))
  if (ownLength + ownHeight + length + height === 0) return false
  const sum = agent.radius + radius
  const own = agent.radius / sum
  const other = radius / sum
  // of a symmetric matrix the traces are 3 and what is added
  const ratio = (own * Math.sqrt(3 + ownLength + ownHeight)) / (other * Math.sqrt(3 + length + height))
  const a = own * own * (1 + 1 / ratio)
  const b = other * other * (1 + ratio)
  lower.xx = lower.yy = lower.zz = a + b
  lower.yx = lower.zx = lower.zy = 0
  if (ownLength > 0) stretch(agent.attitude.x, a * ownLength)
  if (length > 0) stretch(spaces.nose(nose, row), b * length)
  stretch(up, a * ownHeight + b * height)
  decompose()
  return true
}

/** Of a number of diameters: its square, less 1. */
function square(diameters = 1): number {
  return diameters * diameters - 1
}

/** Adds k·n·nᵀ. */
function stretch({ x, y, z }: Vec3Like, k: number): void {
  lower.xx += k * x * x
  lower.yx += k * y * x
  lower.yy += k * y * y
  lower.zx += k * z * x
  lower.zy += k * z * y
  lower.zz += k * z * z
}

/** By Cholesky. */
function decompose(): void {
  const xx = (lower.xx = Math.sqrt(lower.xx))
  const yx = (lower.yx /= xx)
  const zx = (lower.zx /= xx)
  const yy = (lower.yy = Math.sqrt(lower.yy - yx * yx))
  const zy = (lower.zy = (lower.zy - zx * yx) / yy)
  lower.zz = Math.sqrt(lower.zz - zx * zx - zy * zy)
}

/** Scales a vector, so that the fitted space is a ball: L⁻¹·v. */
export function toBall(out: Vec3, { x, y, z }: Vec3Like): Vec3 {
  const { xx, yx, yy, zx, zy, zz } = lower
  const bx = x / xx
  const by = (y - yx * bx) / yy
  return set(out, bx, by, (z - zx * bx - zy * by) / zz)
}

/** Writes the normal, of any length, that the normal `n` of a plane has after that: Lᵀ·n. */
export function normalToBall(out: Vec3, { x, y, z }: Vec3Like): Vec3 {
  const { xx, yx, yy, zx, zy, zz } = lower
  return set(out, xx * x + yx * y + zx * z, yy * y + zy * z, zz * z)
}

/** The inverse of `normalToBall`. */
export function normalFromBall(out: Vec3, { x, y, z }: Vec3Like): Vec3 {
  const { xx, yx, yy, zx, zy, zz } = lower
  const nz = z / zz
  const ny = (y - zy * nz) / yy
  return set(out, (x - yx * ny - zx * nz) / xx, ny, nz)
}
