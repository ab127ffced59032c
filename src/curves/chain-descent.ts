import { cholesky, solveLower, solveUpper } from '../math/cholesky.js'
import { type ArcChain, GAPS, MAX_UNKNOWNS, SECTIONS } from './arc-chain.js'
import { bend, differentiate } from './chain-slopes.js'

const WIDE = MAX_UNKNOWNS
/** Weight of half the squared gap in the model that is minimised: makes it convex across the constraints. */
const WEIGHT = 2
/** It grows up to this where the constraints are weak, before steps are damped. */
const MOST_WEIGHT = 500
/** The same while the chain is far from closed, where length plus that is all that counts. */
const FAR_WEIGHT = 8
/** The gap above which it is far from closed, in radii and rad. */
const FAR = 0.7
/** Most of an angle, rad: a full turn but for a hair. */
const FULL = 6.2831
/** The gap below which a chain counts as closed, in radii. */
const CLOSED = 1e-12
/** Steps more, to close what has come near, and the damping then: it all but stops the shortening. */
const CLOSING = 4
const STIFF = 100
/** No minimum of interest is longer, in radii. */
const TOO_LONG = 14

const jacobian = new Float64Array(GAPS * WIDE)
const hessian = new Float64Array(WIDE * WIDE)
const factor = new Float64Array(WIDE * WIDE)
const slope = new Float64Array(WIDE)
// the lower triangle's solutions of jacobian and slope
const halfJacobian = new Float64Array(GAPS * WIDE)
const halfSlope = new Float64Array(WIDE)
const normalFactor = new Float64Array(GAPS * GAPS)
const multiplier = new Float64Array(GAPS)
const dual = new Float64Array(GAPS)
// what the chain misses by before it is moved
const gap = new Float64Array(GAPS)
const step = new Float64Array(WIDE)
const trial = new Float64Array(WIDE)

/**
 * Shortens a chain while it closes it: sequential quadratic programming with the exact Hessian of the Lagrangian (a serial arm's:
 * one triple product per pair of joints), regularised until it is convex (Levenberg, Marquardt), with a second-order correction of
 * each step, on an exact penalty. Leaves the shortest chain it came to in `chain.unknowns`.
 *
 * @param limit It gives up when the chain is all but closed and longer than that, radii.
 * @returns its length in radii, or Infinity when the ends do not meet to 1e-10.
 */
export function shorten(chain: ArcChain, iterations: number, limit = Infinity): number {
  const { unknowns, links } = chain
  const count = links + SECTIONS
  let off = chain.walk(unknowns)
  let length = chain.lengthOf(unknowns)
  let damping = 0.1
  let penalty = 1
  let weight = WEIGHT
  slope.fill(0, 0, links).fill(chain.share, links, count)
  for (let i = 0; i < iterations + CLOSING && length < TOO_LONG; i++) {
    const far = off > FAR
    if (i >= iterations) {
      if (off < CLOSED || far) break
      damping = STIFF
    }
    gap.set(chain.gap)
    differentiate(jacobian, chain)
    const force = weigh(count, far)
    penalty = Math.max(penalty, 1.5 * Math.min(force, 12))
    bend(hessian, chain, multiplier)
    const merit = length + (far ? (FAR_WEIGHT / 2) * sizeSq(gap) : penalty * off)
    let moved = -1
    for (let tries = 0; tries < 9 && moved < 0; tries++) {
      const convex = solve(chain, damping, far ? FAR_WEIGHT : weight, far)
      const size = convex ? advance(chain) : -1
      const nowOff = size < 0 ? -1 : corrected(chain, far ? 1 : size)
      const nowLength = chain.lengthOf(trial)
      const now = nowLength + (far ? (FAR_WEIGHT / 2) * sizeSq(chain.gap) : penalty * nowOff)
      const close = off < 1e-7 && nowOff < 1e-7 && size < 1e-4
      if (nowOff >= 0 && (now < merit + 1e-13 || close)) {
        off = nowOff
        length = nowLength
        for (let k = 0; k < count; k++) unknowns[k] = trial[k]!
        moved = size
        if (tries === 0) damping = damping < 1e-7 ? 0 : damping * 0.15
      } else if (!convex && weight < MOST_WEIGHT && !far) weight *= 16
      else damping = Math.max(damping * 4, 0.02)
    }
    if (moved < 0 || (moved < 1e-6 && off < CLOSED)) break
    if ((i === 5 && off > 0.6) || (off < 0.1 && length > limit)) break
  }
  return off < 1e-10 ? length : Infinity
}

/**
 * Multipliers by least squares: the wrench at the end that holds the arm. Bounded, and zero where it is far from closed. Returns its
 * size.
 */
function weigh(count: number, far: boolean): number {
  for (let q = 0; q < GAPS; q++) {
    for (let p = 0; p <= q; p++) {
      let sum = p === q ? 1e-9 : 0
      for (let i = 0; i < count; i++) sum += jacobian[q * WIDE + i]! * jacobian[p * WIDE + i]!
      normalFactor[q * GAPS + p] = sum
    }
    let sum = 0
    for (let i = 0; i < count; i++) sum += slope[i]! * jacobian[q * WIDE + i]!
    multiplier[q] = sum
  }
  cholesky(normalFactor, GAPS, GAPS, 0)
  solveLower(multiplier, normalFactor, multiplier, 0, GAPS, GAPS)
  solveUpper(multiplier, normalFactor, GAPS, GAPS)
  let size = 0
  for (let q = 0; q < GAPS; q++) size += multiplier[q]! * multiplier[q]!
  size = Math.sqrt(size)
  const share = far ? 0 : size > 8 ? 8 / size : 1
  for (let q = 0; q < GAPS; q++) multiplier[q]! *= share
  return size
}

/** Solves the quadratic model into `step`. False when it is not convex. */
function solve({ links, share }: ArcChain, damping: number, weight: number, far: boolean): boolean {
  const count = links + SECTIONS
  for (let i = 0; i < count; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0
      for (let q = 0; q < GAPS * WIDE; q += WIDE) sum += jacobian[q + i]! * jacobian[q + j]!
      factor[i * WIDE + j] = weight * sum + hessian[i * WIDE + j]!
    }
    factor[i * WIDE + i]! += i < links ? damping : damping * share
  }
  if (!cholesky(factor, count, WIDE, 1e-9)) return false
  if (far) return approach(count)
  for (let q = 0; q < GAPS; q++) solveLower(halfJacobian, factor, jacobian, q * WIDE, count, WIDE)
  solveLower(halfSlope, factor, slope, 0, count, WIDE)
  for (let q = 0; q < GAPS; q++) {
    const row = q * WIDE
    for (let p = 0; p <= q; p++) {
      let sum = p === q ? 1e-14 : 0
      for (let i = 0; i < count; i++) sum += halfJacobian[row + i]! * halfJacobian[p * WIDE + i]!
      normalFactor[q * GAPS + p] = sum
    }
    let sum = -gap[q]!
    for (let i = 0; i < count; i++) sum += halfJacobian[row + i]! * halfSlope[i]!
    dual[q] = sum
  }
  if (!cholesky(normalFactor, GAPS, GAPS, 0)) return false
  pull(count)
  for (let i = 0; i < count; i++) step[i]! -= halfSlope[i]!
  solveUpper(step, factor, count, WIDE)
  return true
}

/** Downhill of length plus the weighted gap. */
function approach(count: number): true {
  for (let i = 0; i < count; i++) {
    let sum = 0
    for (let q = 0; q < GAPS; q++) sum += jacobian[q * WIDE + i]! * gap[q]!
    step[i] = -slope[i]! - FAR_WEIGHT * sum
  }
  solveLower(step, factor, step, 0, count, WIDE)
  solveUpper(step, factor, count, WIDE)
  return true
}

function sizeSq(of: Float64Array): number {
  let sum = 0
  for (let q = 0; q < GAPS; q++) sum += of[q]! * of[q]!
  return sum
}

/** What the constraints' `dual` adds to the half-solved `step`. */
function pull(count: number): void {
  solveLower(dual, normalFactor, dual, 0, GAPS, GAPS)
  solveUpper(dual, normalFactor, GAPS, GAPS)
  for (let i = 0; i < count; i++) {
    let sum = 0
    for (let q = 0; q < GAPS; q++) sum += dual[q]! * halfJacobian[q * WIDE + i]!
    step[i] = sum
  }
}

/**
 * Goes along `step` into `trial`, by at most one radian a joint, and so that all angles stay between 0 and a turn. Returns how far, −1
 * for nowhere.
 */
function advance({ unknowns, links, share }: ArcChain): number {
  const count = links + SECTIONS
  let size = 0
  for (let i = 0; i < count; i++) size = Math.max(size, Math.abs(step[i]!) * (i < links ? 1 : share))
  let part = size > 1 ? 1 / size : 1
  for (let i = links; i < count; i++) {
    const angle = unknowns[i]!
    if (angle + part * step[i]! < 0.2 * angle) part = (-0.8 * angle) / step[i]!
    if (angle + part * step[i]! > FULL) part = (0.8 * (FULL - angle)) / step[i]!
  }
  if (!(part > 1e-6)) return -1
  for (let i = 0; i < count; i++) trial[i] = unknowns[i]! + part * step[i]!
  return size * part
}

/**
 * Walks `trial`, and closes what the bend of the constraints left open, with the same factors. Returns how far it is off, −1 for no
 * chain.
 */
function corrected(chain: ArcChain, size: number): number {
  const { links } = chain
  const count = links + SECTIONS
  const off = chain.walk(trial)
  if (size >= 1 || off < 1e-9 || off > 0.5) return off
  for (let q = 0; q < GAPS; q++) dual[q] = -chain.gap[q]!
  pull(count)
  solveUpper(step, factor, count, WIDE)
  for (let i = 0; i < count; i++) trial[i]! += step[i]!
  for (let i = links; i < count; i++) if (!(trial[i]! > 0 && trial[i]! < FULL)) return -1
  return chain.walk(trial)
}
