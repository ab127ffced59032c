import type { Vec3, Vec3Like } from '../types.js'
import { addScaled, copy, cross, distance, dot, length, scale, set, sub, vec3 } from '../math/vec3.js'

/** Violation (m/s) that counts as none. */
const SLACK = 1e-9

/** The least violation is found to the last bits, so that rounding moves the answer little; a hair more is given, so that what is free has some width. */
const HALVINGS = 48
const GIVE = 1e-5

const offset = vec3()
const line = vec3()
const foot = vec3()
const plane = vec3()
const other = vec3()

/**
 * Half-spaces of velocity and one ball, and the point of all of them that is nearest to a wanted velocity: the three-dimensional
 * program of van den Berg, Guy, Lin and Manocha, Reciprocal n-Body Collision Avoidance (2011), section 5. Departures: the
 * ball is that of the accelerations the vehicle can make, not of all speeds; planes are taken in their order, not a random one; and
 * where there is no such point, all half-spaces give way by the same least amount, found by halving.
 */
export class Program {
  /** `[4 × count]`: unit normal and least component along it, m/s. */
  private planes = new Float64Array(64)
  count = 0
  /** How much the half-spaces had to give way in the last `solve`, m/s. */
  violation = 0
  private slack = 0
  private readonly center: Vec3 = vec3()
  private reach = 0
  private readonly wanted: Vec3 = vec3()

  clear(): void {
    this.count = 0
  }

  /** Demands velocity · normal ≥ least. */
  add(normal: Vec3Like, least: number): void {
    const at = 4 * this.count++
    if (at === this.planes.length) {
      const longer = new Float64Array(2 * at)
      longer.set(this.planes)
      this.planes = longer
    }
    this.planes[at] = normal.x
    this.planes[at + 1] = normal.y
    this.planes[at + 2] = normal.z
    this.planes[at + 3] = least
  }

  /**
   * Writes the allowed velocity nearest to `wanted` within `reach` (m/s) of `center`. `out` may be `wanted`.
   * @returns whether a half-space, and not only the ball, kept it from `wanted`.
   */
  solve(out: Vec3, wanted: Vec3Like, center: Vec3Like, reach: number): boolean {
    copy(this.wanted, wanted)
    copy(this.center, center)
    this.reach = reach
    this.slack = this.violation = 0
    // enough slack for the velocity that ignores them all
    this.toBall(out)
    let high = 0
    for (let i = 0; i < this.count; i++) high = Math.max(high, this.short(i, out))
    if (!(high > SLACK)) return false
    if (this.attempt(out) || high === Infinity) return true
    let low = 0
    for (let i = 0; i < HALVINGS; i++) {
      this.slack = (low + high) / 2
      if (this.attempt(out)) high = this.slack
      else low = this.slack
    }
    this.violation = high
    this.slack = high + GIVE * Math.min(reach, high)
    if (!this.attempt(out)) this.toBall(out)
    return true
  }

  private attempt(out: Vec3): boolean {
    this.toBall(out)
    for (let i = 0; i < this.count; i++) if (this.short(i, out) > SLACK && !this.onPlane(out, i)) return false
    return true
  }

  private toBall(out: Vec3): void {
    const { center, reach, wanted } = this
    sub(offset, wanted, center)
    const d = length(offset)
    if (d > reach) addScaled(out, center, offset, reach / d)
    else copy(out, wanted)
  }

  /** By how much (m/s) half-space i lacks `velocity`. */
  private short(i: number, velocity: Vec3Like): number {
    return this.least(i) - dot(this.normal(plane, i), velocity)
  }

  private normal(out: Vec3, i: number): Vec3 {
    const at = 4 * i
    return set(out, this.planes[at]!, this.planes[at + 1]!, this.planes[at + 2]!)
  }

  private least(i: number): number {
    return this.planes[4 * i + 3]! - this.slack
  }

  /** The nearest point on plane i, within the ball and all half-spaces before it. */
  private onPlane(out: Vec3, i: number): boolean {
    const { center, reach, wanted } = this
    const n = this.normal(plane, i)
    const depth = this.least(i) - dot(n, center)
    const disc = reach * reach - depth * depth
    if (disc < 0) return false
    addScaled(foot, center, n, depth)
    addScaled(out, wanted, n, this.least(i) - dot(n, wanted))
    const d = distance(out, foot)
    if (d > 0 && d * d > disc) {
      scale(offset, sub(offset, out, foot), Math.sqrt(disc) / d)
      addScaled(out, foot, offset, 1)
    }
    for (let j = 0; j < i; j++) if (this.short(j, out) > SLACK && !this.onLine(out, i, j)) return false
    return true
  }

  /** The nearest point on the line where planes i and j meet, within the ball and all half-spaces before j. */
  private onLine(out: Vec3, i: number, j: number): boolean {
    const { center, reach, wanted } = this
    const a = this.normal(plane, i)
    const b = this.normal(other, j)
    const cosine = dot(a, b)
    const sineSq = 1 - cosine * cosine
    if (sineSq < 1e-12) return false
    // the point of the line nearest to the centre of the ball, and the half of the line inside of it
    const da = this.least(i) - dot(a, center)
    const db = this.least(j) - dot(b, center)
    addScaled(foot, center, a, (da - cosine * db) / sineSq)
    addScaled(foot, foot, b, (db - cosine * da) / sineSq)
    const gap = distance(foot, center)
    const half = reach * reach - gap * gap
    if (half < 0) return false
    scale(line, cross(line, a, b), 1 / Math.sqrt(sineSq))
    let low = -Math.sqrt(half)
    let high = -low
    for (let k = 0; k < j; k++) {
      this.normal(plane, k)
      const rate = dot(plane, line)
      const missing = this.least(k) - dot(plane, foot)
      if (Math.abs(rate) < 1e-9) {
        if (missing > SLACK) return false
      } else if (rate > 0) low = Math.max(low, missing / rate)
      else high = Math.min(high, missing / rate)
      if (low > high) return false
    }
    sub(offset, wanted, foot)
    const t = Math.min(high, Math.max(low, dot(offset, line)))
    addScaled(out, foot, line, t)
    return true
  }
}
