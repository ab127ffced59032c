/** Violation (m/s) that counts as none. */
export const TOLERANCE = 1e-9

/** Sine of the angle below which two planes are taken for parallel, squared. */
export const PARALLEL = 1e-12

/**
 * Finds the best point of a ball in front of some planes, which are added one after the other (Seidel 1991;
 * van den Berg et al. 2011, section 5): the point nearest to a goal, or, if `linear`, the point farthest
 * along a direction. Numbers instead of vectors: this is the innermost loop.
 */
export class LinearProgram {
  /** `[4 × count]`: unit normal and least component along it. */
  planes: Float64Array = new Float64Array(0)
  /** Whether the goal is a unit direction. */
  linear = false
  gx = 0.5
  gy = 0.5
  gz = 0.5
  /** Centre and radius of the ball. */
  cx = 0.5
  cy = 0.5
  cz = 0.5
  reach = 0.5
  /** The best point so far. */
  x = 0.5
  y = 0.5
  z = 0.5

  /** Returns 0 if there is no such point; 1 if only the ball limits it; 2 if half-spaces do. */
  solve(count: number): number {
    let limited = 1
    this.toBall()
    for (let i = 0; i < count; i++)
      if (this.violationOf(i) > TOLERANCE) {
        limited = 2
        if (!this.onPlane(i)) return 0
      }
    return limited
  }

  moveTo(x: number, y: number, z: number): void {
    this.x = x
    this.y = y
    this.z = z
  }

  /** Moves to the best point of the ball alone. */
  toBall(): void {
    const { cx, cy, cz, gx, gy, gz, reach } = this
    if (this.linear) {
      this.x = cx + reach * gx
      this.y = cy + reach * gy
      this.z = cz + reach * gz
      return
    }
    const d = lengthOf(gx - cx, gy - cy, gz - cz)
    const k = d > reach ? reach / d : 1
    this.x = k < 1 ? cx + k * (gx - cx) : gx
    this.y = k < 1 ? cy + k * (gy - cy) : gy
    this.z = k < 1 ? cz + k * (gz - cz) : gz
  }

  /** By how much (m/s) the best point so far violates half-space i. */
  violationOf(i: number): number {
    const p = this.planes
    const n = 4 * i
    return p[n + 3]! - (p[n]! * this.x + p[n + 1]! * this.y + p[n + 2]! * this.z)
  }

  /** Moves to the best point on plane i, within the ball and all half-spaces before it. */
  private onPlane(i: number): boolean {
    const { cx, cy, cz, gx, gy, gz, reach } = this
    const p = this.planes
    const n = 4 * i
    const ax = p[n]!
    const ay = p[n + 1]!
    const az = p[n + 2]!
    const least = p[n + 3]!
    const depth = least - (ax * cx + ay * cy + az * cz)
    const disc = reach * reach - depth * depth
    if (disc < 0) return false
    const fx = cx + depth * ax
    const fy = cy + depth * ay
    const fz = cz + depth * az
    // from the centre of the disc to the goal, within the plane
    const along = ax * gx + ay * gy + az * gz
    const off = this.linear ? -along : least - along
    let ox = gx + off * ax
    let oy = gy + off * ay
    let oz = gz + off * az
    if (!this.linear) {
      ox -= fx
      oy -= fy
      oz -= fz
    }
    const sq = ox * ox + oy * oy + oz * oz
    const k = this.linear ? (sq > PARALLEL ? Math.sqrt(disc / sq) : 0) : sq > disc ? Math.sqrt(disc / sq) : 1
    this.x = fx + k * ox
    this.y = fy + k * oy
    this.z = fz + k * oz
    for (let j = 0; j < i; j++) if (this.violationOf(j) > TOLERANCE && !this.onLine(i, j)) return false
    return true
  }

  /**
   * Moves to the best point on the line where planes i and j meet, within the ball and all half-spaces before
   * j.
   */
  private onLine(i: number, j: number): boolean {
    const { cx, cy, cz, gx, gy, gz, reach } = this
    const p = this.planes
    const n = 4 * i
    const m = 4 * j
    const ax = p[n]!
    const ay = p[n + 1]!
    const az = p[n + 2]!
    const bx = p[m]!
    const by = p[m + 1]!
    const bz = p[m + 2]!
    const cosine = ax * bx + ay * by + az * bz
    const sineSq = 1 - cosine * cosine
    if (sineSq < PARALLEL) return false
    // the point of the line nearest to the centre of the ball, and half the length of the line within the
    // ball
    const da = p[n + 3]! - (ax * cx + ay * cy + az * cz)
    const db = p[m + 3]! - (bx * cx + by * cy + bz * cz)
    const ka = (da - cosine * db) / sineSq
    const kb = (db - cosine * da) / sineSq
    const fx = ka * ax + kb * bx
    const fy = ka * ay + kb * by
    const fz = ka * az + kb * bz
    const half = reach * reach - (fx * fx + fy * fy + fz * fz)
    if (half < 0) return false
    const k = 1 / Math.sqrt(sineSq)
    const lx = k * (ay * bz - az * by)
    const ly = k * (az * bx - ax * bz)
    const lz = k * (ax * by - ay * bx)
    let low = -Math.sqrt(half)
    let high = -low
    for (let o = 0; o < m; o += 4) {
      const qx = p[o]!
      const qy = p[o + 1]!
      const qz = p[o + 2]!
      const rate = qx * lx + qy * ly + qz * lz
      const missing = p[o + 3]! - (qx * (cx + fx) + qy * (cy + fy) + qz * (cz + fz))
      if (Math.abs(rate) < 1e-9) {
        if (missing > TOLERANCE) return false
      } else if (rate > 0) low = Math.max(low, missing / rate)
      else high = Math.min(high, missing / rate)
      if (low > high) return false
    }
    const wanted = this.linear
      ? lx * gx + ly * gy + lz * gz
      : lx * (gx - cx - fx) + ly * (gy - cy - fy) + lz * (gz - cz - fz)
    const t = this.linear ? (wanted > 0 ? high : low) : Math.min(high, Math.max(low, wanted))
    this.x = cx + fx + t * lx
    this.y = cy + fy + t * ly
    this.z = cz + fz + t * lz
    return true
  }
}

/** Length without overflow. */
function lengthOf(x: number, y: number, z: number): number {
  const sq = x * x + y * y + z * z
  return sq > 1e-200 && sq < 1e200 ? Math.sqrt(sq) : 1 * Math.hypot(x, y, z)
}
