import { type ArcChain, GAPS, MAX_LINKS, MAX_UNKNOWNS, SECTIONS } from './arc-chain.js'

const WIDE = MAX_UNKNOWNS

// effect of a unit turn of each joint on the end: place, heading
const reach = new Float64Array(12 * MAX_LINKS)

/**
 * The Jacobian of the gap of a chain as it was last walked, a row of `MAX_UNKNOWNS` for each gap. SnapshotState what each joint does to the
 * end for {@link bend}.
 */
export function differentiate(jacobian: Float64Array, chain: ArcChain): void {
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
    const px = (reach[to] = ay * z - az * y)
    const py = (reach[to + 1] = az * x - ax * z)
    const pz = (reach[to + 2] = ax * y - ay * x)
    const hx = (reach[to + 3] = ay * dz - az * dy)
    const hy = (reach[to + 4] = az * dx - ax * dz)
    const hz = (reach[to + 5] = ax * dy - ay * dx)
    const k = unknownOf(j, links, share)
    jacobian[k]! += px
    jacobian[WIDE + k]! += py
    jacobian[2 * WIDE + k]! += pz
    jacobian[3 * WIDE + k]! += hx * across[0]! + hy * across[1]! + hz * across[2]!
    jacobian[4 * WIDE + k]! += hx * across[3]! + hy * across[4]! + hz * across[5]!
  }
}

/** Joint j is the roll of a link when even, its angle when odd. */
function unknownOf(j: number, links: number, share: number): number {
  const link = j >> 1
  return j & 1 ? links + ((link / share) | 0) : link
}

/**
 * The Hessian of length − multipliers · gap, lower triangle: turning a joint turns all that lies beyond it. Call it after {@link
 * differentiate}.
 */
export function bend(hessian: Float64Array, chain: ArcChain, multiplier: Float64Array): void {
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
    const px = reach[at]!
    const py = reach[at + 1]!
    const pz = reach[at + 2]!
    const hx = reach[at + 3]!
    const hy = reach[at + 4]!
    const hz = reach[at + 5]!
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
