import type { Vec3, Vec3Like } from '../types.js'
import { grown } from '../math/grown.js'
import type { OutlineSink } from '../obstacles/shape.js'
import { copy, vec3 } from '../math/vec3.js'
import { LinearProgram, PARALLEL, TOLERANCE } from './linear-program.js'

/** A half-space that allows less than this share of the reach against its normal blocks directions there. */
const STOPPED_SHARE = 1e-3
/** A direction is against it above this sine. */
const OPPOSED_SINE = 1e-3

/** Half-spaces give way by this share more than the least violation: the free region has some width. */
const RELAXATION_SHARE = 1e-5

/**
 * Finds the velocity nearest to a wanted one that lies in one ball and in front of all half-spaces: the
 * three-dimensional program of van den Berg, Guy, Lin and Manocha, Reciprocal n-Body Collision Avoidance
 * (2011), section 5. If there is no such velocity, the half-spaces that yield give way, all by the same least
 * amount, and the others only where they contradict each other (as obstacles do in that paper); of the
 * velocities that are then free the nearest is taken. Departures: the ball is that of the accelerations the
 * vehicle can make, not of all speeds; planes are taken in their order, not in a random one.
 */
export class VelocityProgram {
  /**
   * `[4 × count]`: unit normal and least component along it (m/s); first the firm half-spaces, then those
   * that yield.
   */
  planes: Float64Array = new Float64Array(64)
  /** Planes of points that violate two half-spaces equally, for the least violation. */
  private between = new Float64Array(64)
  /** `[count]`: the value of `owner` when each half-space was added. */
  owners: Int32Array = new Int32Array(16)
  owner = 0
  count = 0
  firm = 0
  /** Amount (m/s) by which the firm half-spaces, and those that yield, were relaxed in the last `solve`. */
  relaxed = 0
  relaxedYields = 0
  /** Largest violation (m/s) of a half-space in the last `solve`. */
  violation = 0
  private readonly best = new LinearProgram()
  /** A copy of the velocity that is wanted (m/s). */
  private readonly goal = vec3()

  clear(): void {
    this.count = this.firm = 0
  }

  /**
   * Demands velocity · normal ≥ least (m/s). If not all demands can be met, those that yield give way first.
   */
  add(normal: Vec3Like, least: number, yields = false): void {
    let at = 4 * this.count++
    if (at === this.planes.length) {
      const longer = new Float64Array(2 * at)
      longer.set(this.planes)
      this.planes = longer
      this.between = new Float64Array(2 * at)
      this.owners = grown(this.owners, at / 2)
    }
    if (!yields) {
      // the first half-space that yields is moved to the end
      const first = 4 * this.firm++
      this.planes.copyWithin(at, first, first + 4)
      this.owners[at / 4] = this.owners[first / 4]!
      at = first
    }
    this.owners[at / 4] = this.owner
    this.planes[at] = normal.x
    this.planes[at + 1] = normal.y
    this.planes[at + 2] = normal.z
    this.planes[at + 3] = least
  }

  /**
   * Largest violation (as a share of `speed`) of the firm half-spaces if the agent flies along a unit
   * direction at `speed` (m/s).
   */
  violationAt({ x, y, z }: Vec3Like, speed: number): number {
    const { firm, planes } = this
    let worst = 0
    for (let n = 0; n < 4 * firm; n += 4) {
      const along = x * planes[n]! + y * planes[n + 1]! + z * planes[n + 2]!
      worst = Math.max(worst, planes[n + 3]! / speed - along)
    }
    return worst
  }

  /**
   * Adds to `sink` the edges of the directions that the firm half-spaces allow at `speed` (m/s), as circles
   * of directions.
   */
  outline(sink: OutlineSink, speed: number): void {
    const { firm, planes } = this
    for (let n = 0; n < 4 * firm; n += 4) {
      const cosine = planes[n + 3]! / speed
      if (Math.abs(cosine) < 1) sink.circle(-planes[n]!, -planes[n + 1]!, -planes[n + 2]!, -cosine)
    }
  }

  /** Greatest share ≤ 1 of `change` (m/s) to add to `from`, by the half-spaces that it approaches. */
  shareOf(from: Vec3Like, change: Vec3Like): number {
    const { count, planes } = this
    let share = 1
    for (let n = 0; n < 4 * count; n += 4) {
      const x = planes[n]!
      const y = planes[n + 1]!
      const z = planes[n + 2]!
      const along = change.x * x + change.y * y + change.z * z
      if (along < 0)
        share = Math.min(share, (planes[n + 3]! - (from.x * x + from.y * y + from.z * z)) / along)
    }
    return share
  }

  /** Whether the firm half-spaces of the last `solve` allow any speed along a unit direction. */
  allows({ x, y, z }: Vec3Like): boolean {
    const { best, firm, planes } = this
    const least = -STOPPED_SHARE * best.reach
    for (let n = 0; n < 4 * firm; n += 4) {
      const along = x * planes[n]! + y * planes[n + 1]! + z * planes[n + 2]!
      if (planes[n + 3]! > least && along < -OPPOSED_SINE) return false
    }
    return true
  }

  /**
   * Writes the allowed velocity nearest to `wanted` within `reach` (m/s) of `center`. `out` may be `wanted`.
   * @returns whether a half-space, and not only the ball, kept it from `wanted`.
   */
  solve(out: Vec3, wanted: Vec3Like, center: Vec3Like, reach: number): boolean {
    const { best, count, firm } = this
    copy(this.goal, wanted)
    best.cx = center.x
    best.cy = center.y
    best.cz = center.z
    best.reach = reach
    this.violation = this.relaxed = this.relaxedYields = 0
    this.setGoal()
    const limited = best.solve(count)
    if (limited === 0) {
      if (best.solve(firm) === 0) {
        best.toBall()
        this.relax(0, firm)
        this.retry(firm)
      }
      if (firm < count) this.relax(firm, count)
      this.retry(count)
    }
    // half-spaces that are nearly opposite make the solution inexact, but never larger than the ball
    const x = best.x - center.x
    const y = best.y - center.y
    const z = best.z - center.z
    const sq = x * x + y * y + z * z
    const k = sq > reach * reach * (1 + 2e-9) ? reach / Math.sqrt(sq) : 1
    out.x = k < 1 ? center.x + k * x : best.x
    out.y = k < 1 ? center.y + k * y : best.y
    out.z = k < 1 ? center.z + k * z : best.z
    return limited !== 1
  }

  /** Takes back by how much the last `solve` has relaxed the half-spaces, before they are solved again. */
  restore(): void {
    const { count, firm, planes } = this
    for (let i = 0; i < count; i++) planes[4 * i + 3]! += i < firm ? this.relaxed : this.relaxedYields
    this.relaxed = this.relaxedYields = 0
  }

  /**
   * Solves again after half-spaces were relaxed. If rounding leaves no solution, the point with the least
   * violation is kept.
   */
  private retry(count: number): void {
    const { best } = this
    const { x, y, z } = best
    this.setGoal()
    if (best.solve(count) === 0) best.moveTo(x, y, z)
  }

  /** Looks for the point nearest to `goal` in front of all half-spaces. */
  private setGoal(): void {
    const { best, goal } = this
    best.planes = this.planes
    best.linear = false
    best.gx = goal.x
    best.gy = goal.y
    best.gz = goal.z
  }

  /**
   * Relaxes the half-spaces `from … to − 1` by their least violation, which minimizes the largest violation.
   * Those before them are kept; the best point so far must be in front of them.
   */
  private relax(from: number, to: number): void {
    const { best, between, planes } = this
    for (let k = 0; k < 4 * from; k++) between[k] = planes[k]!
    let worst = 0
    for (let i = from; i < to; i++) {
      best.planes = planes
      const violation = best.violationOf(i)
      if (!(violation > worst + TOLERANCE)) continue
      const { x, y, z } = best
      const n = 4 * i
      best.linear = true
      best.gx = planes[n]!
      best.gy = planes[n + 1]!
      best.gz = planes[n + 2]!
      best.planes = between
      const found = best.solve(this.boundByViolationOf(i, from)) > 0
      best.planes = planes
      const less = best.violationOf(i)
      if (!found || !(less < violation)) {
        // lost by rounding
        best.moveTo(x, y, z)
        worst = violation
      } else if (less > worst) worst = less
    }
    this.violation = Math.max(this.violation, worst)
    const relaxation = worst + RELAXATION_SHARE * Math.min(best.reach, worst)
    for (let i = from; i < to; i++) planes[4 * i + 3]! -= relaxation
    if (from === 0) this.relaxed = relaxation
    if (to > this.firm) this.relaxedYields = relaxation
  }

  /**
   * Writes planes into `between` that demand that no half-space of `from … i − 1` is violated more than
   * half-space i. Returns the number of planes in `between`.
   */
  private boundByViolationOf(i: number, from: number): number {
    const { between, planes } = this
    const n = 4 * i
    let end = 4 * from
    for (let j = end; j < n; j += 4) {
      const dx = planes[j]! - planes[n]!
      const dy = planes[j + 1]! - planes[n + 1]!
      const dz = planes[j + 2]! - planes[n + 2]!
      const sq = dx * dx + dy * dy + dz * dz
      if (sq < PARALLEL) continue
      const k = 1 / Math.sqrt(sq)
      between[end] = dx * k
      between[end + 1] = dy * k
      between[end + 2] = dz * k
      between[end + 3] = (planes[j + 3]! - planes[n + 3]!) * k
      end += 4
    }
    return end / 4
  }
}
