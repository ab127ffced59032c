import { cholesky, solveLower, solveUpper } from './cholesky.js'
import { type ArcChain, GAPS, MAX_LINKS, MAX_UNKNOWNS, SECTIONS } from './arc-chain.js'

// The numbers below are chosen by hand.

/** Damping of the first step. */
const FIRST_DAMPING = 0.1
/** Weight of half the squared gap in the model: makes it convex across the constraints. */
const WEIGHT = 2
/** The weight grows up to this where the constraints are weak, before steps are damped. */
const MAX_WEIGHT = 500
/** Largest angle (rad): a full turn minus a hair. */
const MAX_ANGLE = 6.2831
/** Steps between two looks at what was gained. */
const ROUND = 3
/** A small gain ends the descent only where the gap is below this (radii and rad). */
const NEARLY_CLOSED = 0.01
/** Step after which a chain that is still open is given up. */
const EARLY = 4
/** A chain is still open when its gap is above this (radii and rad). Larger: fewer are given up. */
const STILL_OPEN = 0.6
/** Tries of a step that close the whole gap; those after them close half as much each. */
const FULL_TRIES = 3
/** The penalty grows with the multipliers up to this size. */
const MAX_MULTIPLIER = 30
/** A chain counts as closed when its gap is below this (radii and rad). */
const CLOSED = 1e-12
/** Additional steps that close a nearly closed chain. */
const CLOSING_STEPS = 4
/** Damping of these steps. It almost stops the shortening. */
const CLOSING_DAMPING = 100
/** Chains longer than this (radii) are given up: no minimum of interest is as long. */
const MAX_LENGTH = 14

/** Number of columns of the matrices. */
const WIDE = MAX_UNKNOWNS

/**
 * Shortens a chain while closing its gap: sequential quadratic programming with the exact Hessian of the
 * Lagrangian (that of a serial robot arm: one triple product per pair of joints), regularised until it is
 * convex (Levenberg, Marquardt), with a second-order correction of each step, on an exact penalty. Leaves the
 * shortest chain found in `chain.unknowns`.
 *
 * @param limit the descent is given up when the chain is nearly closed and longer than this (radii).
 * @param gain the descent ends when three steps shorten the closed chain by less than this share.
 * @returns its length (radii), or Infinity when the gap is not below 1e-10.
 */
export function shorten(
  chain: ArcChain,
  iterations: number,
  limit = Infinity,
  damping = FIRST_DAMPING,
  gain = 0,
): number {
  return descent.run(chain, iterations, limit, damping, gain)
}

/** The matrices of a descent. One object serves one chain after the other. */
class ChainDescent {
  /** `[5 × unknowns]`: change of the gap by each unknown. */
  private readonly jacobian = new Float64Array(GAPS * WIDE)
  /** `[6 × joints]`: change of the end by a unit turn of each joint: position, heading. */
  private readonly jointEffect = new Float64Array(12 * MAX_LINKS)
  /** Of the Lagrangian, lower triangle; and the Cholesky factor of the regularised model. */
  private readonly hessian = new Float64Array(WIDE * WIDE)
  private readonly factor = new Float64Array(WIDE * WIDE)
  /** Change of the length by each unknown. */
  private readonly slope = new Float64Array(WIDE)
  /** `factor` \ `jacobian` and `factor` \ `slope`, solved for the lower triangle only. */
  private readonly halfJacobian = new Float64Array(GAPS * WIDE)
  private readonly halfSlope = new Float64Array(WIDE)
  /** Cholesky factor of the normal equations. */
  private readonly normalFactor = new Float64Array(GAPS * GAPS)
  /** Lagrange multipliers, and their change in a step. */
  private readonly multiplier = new Float64Array(GAPS)
  private readonly dual = new Float64Array(GAPS)
  /** Gap of the chain before the step. */
  private readonly gap = new Float64Array(GAPS)
  private readonly step = new Float64Array(WIDE)
  /** The unknowns after the step. */
  private readonly trial = new Float64Array(WIDE)

  /** See {@link shorten}. */
  run(chain: ArcChain, iterations: number, limit: number, firstDamping: number, gain: number): number {
    const { gap, slope, trial } = this
    const { unknowns, links } = chain
    const count = links + SECTIONS
    let miss = chain.walk(unknowns)
    let length = chain.lengthOf(unknowns)
    let damping = firstDamping
    let penalty = 1
    let weight = WEIGHT
    let steps = iterations
    let before = Infinity
    slope.fill(0, 0, links).fill(chain.share, links, count)
    for (let i = 0; i < steps + CLOSING_STEPS && length < MAX_LENGTH; i++) {
      if (i >= steps) {
        if (miss < CLOSED) break
        damping = CLOSING_DAMPING
      }
      gap.set(chain.gap)
      this.differentiate(chain)
      const multiplierSize = this.updateMultipliers(count)
      penalty = Math.max(penalty, 1.5 * Math.min(multiplierSize, MAX_MULTIPLIER))
      this.updateHessian(chain)
      const merit = length + penalty * miss
      let moved = -1
      let part = 1
      for (let tries = 0; tries < 9 && moved < 0; tries++) {
        const convex = this.solve(chain, damping, weight, part)
        const stepSize = convex ? this.advance(chain) : -1
        const nowMiss = stepSize < 0 ? -1 : this.correct(chain, part < 1 ? 1 : stepSize)
        const nowLength = chain.lengthOf(trial)
        const now = nowLength + penalty * nowMiss
        const close = miss < 1e-7 && nowMiss < 1e-7 && stepSize < 1e-4
        if (nowMiss >= 0 && (now < merit + 1e-13 || close)) {
          miss = nowMiss
          length = nowLength
          for (let k = 0; k < count; k++) unknowns[k] = trial[k]!
          moved = stepSize
          if (tries === 0) damping = damping < 1e-7 ? 0 : damping * 0.15
        } else if (!convex && weight < MAX_WEIGHT) weight *= 16
        else {
          damping = Math.max(damping * 4, 0.02)
          if (tries >= FULL_TRIES) part /= 2
        }
      }
      if (moved < 0 || (moved < 1e-6 && miss < CLOSED)) break
      if ((i === EARLY && miss > STILL_OPEN) || (miss < 0.1 && length > limit)) break
      if (i % ROUND !== ROUND - 1) continue
      if (miss < NEARLY_CLOSED && before - length < gain * length) steps = Math.min(steps, i + 1)
      before = length
    }
    return miss < 1e-10 ? length : Infinity
  }

  /** Computes the Jacobian of the gap of the chain as it was last walked, and `jointEffect`. */
  private differentiate(chain: ArcChain): void {
    const { jacobian, jointEffect } = this
    const { axis, pivot, links, share, end, across } = chain
    const dx = end[3]!
    const dy = end[4]!
    const dz = end[5]!
    for (let q = 0; q < GAPS; q++) jacobian.fill(0, q * WIDE, q * WIDE + links + SECTIONS)
    for (let j = 0; j < 2 * links; j++) {
      const at = 3 * j
      const to = 6 * j
      const ax = axis[at]!
      const ay = axis[at + 1]!
      const az = axis[at + 2]!
      const x = end[0]! - pivot[at]!
      const y = end[1]! - pivot[at + 1]!
      const z = end[2]! - pivot[at + 2]!
      const px = (jointEffect[to] = ay * z - az * y)
      const py = (jointEffect[to + 1] = az * x - ax * z)
      const pz = (jointEffect[to + 2] = ax * y - ay * x)
      const hx = (jointEffect[to + 3] = ay * dz - az * dy)
      const hy = (jointEffect[to + 4] = az * dx - ax * dz)
      const hz = (jointEffect[to + 5] = ax * dy - ay * dx)
      const k = unknownOf(j, links, share)
      jacobian[k]! += px
      jacobian[WIDE + k]! += py
      jacobian[2 * WIDE + k]! += pz
      jacobian[3 * WIDE + k]! += hx * across[0]! + hy * across[1]! + hz * across[2]!
      jacobian[4 * WIDE + k]! += hx * across[3]! + hy * across[4]! + hz * across[5]!
    }
  }

  /**
   * Computes the Hessian of length − multipliers · gap: turning a joint turns all that lies beyond it. Needs
   * `jointEffect`.
   */
  private updateHessian(chain: ArcChain): void {
    const { hessian, jointEffect, multiplier } = this
    const { axis, links, share, across } = chain
    const fx = multiplier[0]!
    const fy = multiplier[1]!
    const fz = multiplier[2]!
    const m1 = multiplier[3]!
    const m2 = multiplier[4]!
    const ux = m1 * across[0]! + m2 * across[3]!
    const uy = m1 * across[1]! + m2 * across[4]!
    const uz = m1 * across[2]! + m2 * across[5]!
    const count = links + SECTIONS
    for (let i = 0; i < count; i++) hessian.fill(0, i * WIDE, i * WIDE + count)
    for (let j = 0; j < 2 * links; j++) {
      const at = 6 * j
      const px = jointEffect[at]!
      const py = jointEffect[at + 1]!
      const pz = jointEffect[at + 2]!
      const hx = jointEffect[at + 3]!
      const hy = jointEffect[at + 4]!
      const hz = jointEffect[at + 5]!
      const qx = py * fz - pz * fy + hy * uz - hz * uy
      const qy = pz * fx - px * fz + hz * ux - hx * uz
      const qz = px * fy - py * fx + hx * uy - hy * ux
      const vj = unknownOf(j, links, share)
      for (let i = 0; i <= j; i++) {
        const vi = unknownOf(i, links, share)
        const h = axis[3 * i]! * qx + axis[3 * i + 1]! * qy + axis[3 * i + 2]! * qz
        const cell = vi > vj ? vi * WIDE + vj : vj * WIDE + vi
        hessian[cell]! -= vi === vj && i !== j ? 2 * h : h
      }
    }
  }

  /** The multipliers by least squares: the wrench at the end that holds the arm. @returns their size. */
  private updateMultipliers(count: number): number {
    const { jacobian, multiplier, normalFactor, slope } = this
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
    const share = size > 8 ? 8 / size : 1
    for (let q = 0; q < GAPS; q++) multiplier[q]! *= share
    return size
  }

  /**
   * Solves the quadratic model into `step`, which closes `part` of the gap: damping does not shorten a step
   * that closes all of it.
   * @returns whether the model is convex.
   */
  private solve({ links, share }: ArcChain, damping: number, weight: number, part: number): boolean {
    const { dual, factor, gap, halfJacobian, halfSlope, hessian, jacobian, normalFactor, slope, step } = this
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
    for (let q = 0; q < GAPS; q++) solveLower(halfJacobian, factor, jacobian, q * WIDE, count, WIDE)
    solveLower(halfSlope, factor, slope, 0, count, WIDE)
    for (let q = 0; q < GAPS; q++) {
      const row = q * WIDE
      for (let p = 0; p <= q; p++) {
        let sum = p === q ? 1e-14 : 0
        for (let i = 0; i < count; i++) sum += halfJacobian[row + i]! * halfJacobian[p * WIDE + i]!
        normalFactor[q * GAPS + p] = sum
      }
      let sum = -part * gap[q]!
      for (let i = 0; i < count; i++) sum += halfJacobian[row + i]! * halfSlope[i]!
      dual[q] = sum
    }
    if (!cholesky(normalFactor, GAPS, GAPS, 0)) return false
    this.addDual(count)
    for (let i = 0; i < count; i++) step[i]! -= halfSlope[i]!
    solveUpper(step, factor, count, WIDE)
    return true
  }

  /** Solves for `dual`, and writes its contribution to the half-solved `step`. */
  private addDual(count: number): void {
    const { dual, halfJacobian, normalFactor, step } = this
    solveLower(dual, normalFactor, dual, 0, GAPS, GAPS)
    solveUpper(dual, normalFactor, GAPS, GAPS)
    for (let i = 0; i < count; i++) {
      let sum = 0
      for (let q = 0; q < GAPS; q++) sum += dual[q]! * halfJacobian[q * WIDE + i]!
      step[i] = sum
    }
  }

  /**
   * Goes along `step` into `trial`, by at most one radian per joint, and so that all angles stay between 0
   * and a turn.
   * @returns the size of the step (rad), −1 for none.
   */
  private advance({ unknowns, links, share }: ArcChain): number {
    const { step, trial } = this
    const count = links + SECTIONS
    let size = 0
    for (let i = 0; i < count; i++) size = Math.max(size, Math.abs(step[i]!) * (i < links ? 1 : share))
    let part = size > 1 ? 1 / size : 1
    for (let i = links; i < count; i++) {
      const angle = unknowns[i]!
      if (angle + part * step[i]! < 0.2 * angle) part = (-0.8 * angle) / step[i]!
      if (angle + part * step[i]! > MAX_ANGLE) part = (0.8 * (MAX_ANGLE - angle)) / step[i]!
    }
    if (!(part > 1e-6)) return -1
    for (let i = 0; i < count; i++) trial[i] = unknowns[i]! + part * step[i]!
    return size * part
  }

  /**
   * Computes the chain of `trial`. If the step was a full one, a second step with the same factors closes the
   * gap that is left at the end because the constraints are not linear.
   * @returns the gap at the end (radii and radians), −1 for a chain that is not valid.
   */
  private correct(chain: ArcChain, size: number): number {
    const { dual, factor, step, trial } = this
    const { links } = chain
    const count = links + SECTIONS
    const miss = chain.walk(trial)
    if (size >= 1 || miss < CLOSED || miss > 0.5) return miss
    for (let q = 0; q < GAPS; q++) dual[q] = -chain.gap[q]!
    this.addDual(count)
    solveUpper(step, factor, count, WIDE)
    for (let i = 0; i < count; i++) trial[i]! += step[i]!
    for (let i = links; i < count; i++) if (!(trial[i]! > 0 && trial[i]! < MAX_ANGLE)) return -1
    return chain.walk(trial)
  }
}

/** Unknown of a joint: the roll of a link for an even joint, the angle of a section for an odd one. */
function unknownOf(joint: number, links: number, share: number): number {
  const link = joint >> 1
  return joint & 1 ? links + ((link / share) | 0) : link
}

const descent = new ChainDescent()
