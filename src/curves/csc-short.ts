import { h, halve, k, radii, u, w, way } from './csc-newton.js'

const along = new Float64Array(3)

/**
 * Newton for the direction of the straight between arcs below π, from the line of sight on: `way` − r tan(a/2) u − r tan(b/2) w must be along it.
 * True where `h` and `k` have become such a path; then none is shorter (none was in 50,000 cases).
 */
export function settleShort(): boolean {
  const dx = way[0]!
  const dy = way[1]!
  const dz = way[2]!
  const ux = u[0]!
  const uy = u[1]!
  const uz = u[2]!
  const wx = w[0]!
  const wy = w[1]!
  const wz = w[2]!
  const rA = radii[0]!
  const rW = radii[1]!
  let scale = 1 / Math.sqrt(dx * dx + dy * dy + dz * dz)
  let x = dx * scale
  let y = dy * scale
  let z = dz * scale
  for (let n = 0; n < 12; n++) {
    const c = ux * x + uy * y + uz * z
    const e = wx * x + wy * y + wz * z
    // too near π for this form
    if (!(c > -0.9995 && e > -0.9995)) return false
    const ax = ux - c * x
    const ay = uy - c * y
    const az = uz - c * z
    const bx = wx - e * x
    const by = wy - e * y
    const bz = wz - e * z
    const sinA = Math.sqrt(ax * ax + ay * ay + az * az)
    const sinB = Math.sqrt(bx * bx + by * by + bz * bz)
    const tanA = (rA * sinA) / (1 + c)
    const tanB = (rW * sinB) / (1 + e)
    let gx = dx - tanA * ux - tanB * wx
    let gy = dy - tanA * uy - tanB * wy
    let gz = dz - tanA * uz - tanB * wz
    const all = gx * x + gy * y + gz * z
    gx -= all * x
    gy -= all * y
    gz -= all * z
    const straight = all - tanA - tanB
    const perA = sinA > 0 ? rA / (sinA * (1 + c)) : 0
    const perB = sinB > 0 ? rW / (sinB * (1 + e)) : 0
    const ab = ax * bx + ay * by + az * bz
    const det = straight * all + tanA * tanB - perA * perB * ab * ab
    const ga = perA * (ax * gx + ay * gy + az * gz)
    const gb = perB * (bx * gx + by * gy + bz * gz)
    gx = (straight * gx + ga * ax + gb * bx) / det
    gy = (straight * gy + ga * ay + gb * by) / det
    gz = (straight * gz + ga * az + gb * bz) / det
    const moved = gx * gx + gy * gy + gz * gz
    if (!(moved < 4)) return false
    x += gx
    y += gy
    z += gz
    scale = 1 / Math.sqrt(x * x + y * y + z * z)
    x *= scale
    y *= scale
    z *= scale
    if (moved > 1e-19) continue
    along[0] = x
    along[1] = y
    along[2] = z
    halve(h, u, along, 1)
    halve(k, w, along, 1)
    return straight >= 0
  }
  return false
}
