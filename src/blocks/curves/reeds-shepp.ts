import type { Vec3Like, Waypoint } from '../../core/types.js'
import { TAU } from '../../core/math/scalar.js'
import type { ArcPath } from './arc-path.js'
import { EQUAL, SLACK } from './dubins-word.js'
import { layWord } from './plane.js'

const { PI, abs, acos, atan2, cos, max, min, sin, sqrt } = Math

// pieces of the words, written for a start to the left: 1 is left, 0 straight, −1 right
const LSL = Int8Array.of(1, 0, 1, 0, 0)
const LSR = Int8Array.of(1, 0, -1, 0, 0)
const LRLR = Int8Array.of(1, -1, 1, -1, 0)
const LRSL = Int8Array.of(1, -1, 0, 1, 0)
const LRSR = Int8Array.of(1, -1, 0, -1, 0)
const LRSLR = Int8Array.of(1, -1, 0, 1, -1)

/**
 * The shortest path in a plane with a turn radius of 1, ahead and astern: one of 48 words of up to five
 * pieces and two cusps, which are eight words and their images under mirroring, reversal of the gears and
 * reversal of the order (J. A. Reeds and L. A. Shepp, Optimal Paths for a Car That Goes Both Forwards and
 * Backwards, 1990, section 8, with the misprints corrected). Computed with vectors and with tolerances, as
 * {@link DubinsWord} is. All in radii and radians.
 */
export class ReedsSheppWord {
  /** Direction of each piece: 1 to the left, 0 straight, −1 to the right. */
  readonly turns: Int8Array = new Int8Array(5)
  /** Length of each piece; negative astern. */
  readonly lengths: Float64Array = new Float64Array(5)
  /** Length of the path, ≥ 0. */
  length = 0.1
  /** Number of pieces. */
  count = 0
  /** Angle of the goal's heading, and that angle as the present word sees it. */
  private heading = 0.1
  private angle = 0.1
  /** The present image: gear and side of its first piece, and whether the order is reversed. */
  private gear = 1
  private side = 1
  private reversed = false
  /**
   * From the circle to the left of the start to that to the left of the goal, as the present word sees them:
   * ahead, aside, distance; then the same to the circle to the right of the goal. In an array, since numbers
   * passed as arguments may be boxed.
   */
  private readonly gap = new Float64Array(6)
  /** Lengths of the present word. */
  private readonly trial = new Float64Array(5)

  /** Finds the path to a goal as {@link PlaneView} writes it. */
  solve(goal: Float64Array): void {
    this.length = Infinity
    this.heading = atan2(goal[3]!, goal[2]!)
    // Words of fewer pieces come first: of equal ones they have no pieces that are only rounding.
    for (let image = 0; image < 4; image++) {
      this.face(goal, image, false)
      this.outer()
    }
    for (let image = 0; image < 4; image++) {
      this.face(goal, image, false)
      this.inner()
    }
    for (let image = 0; image < 8; image++) {
      this.face(goal, image, image > 3)
      this.threePoints()
      this.cuspThenOuter()
      this.cuspThenInner()
      if (image > 3) continue
      this.fourArcs()
      this.twoCusps()
    }
  }

  /** Sets the gaps for an image of the words. */
  private face(goal: Float64Array, image: number, reversed: boolean): void {
    const { gap } = this
    const gear = (image & 1) === 0 ? 1 : -1
    const side = (image & 2) === 0 ? 1 : -1
    const ahead = gear * goal[0]!
    const aside = side * goal[1]!
    const c = goal[2]!
    const s = gear * side * goal[3]!
    const x = reversed ? ahead * c + aside * s : ahead
    const y = reversed ? ahead * s - aside * c : aside
    gap[0] = x - s
    gap[1] = y + c - 1
    gap[2] = sqrt(gap[0] * gap[0] + gap[1] * gap[1])
    gap[3] = x + s
    gap[4] = y - c - 1
    gap[5] = sqrt(gap[3] * gap[3] + gap[4] * gap[4])
    this.angle = gear * side * this.heading
    this.gear = gear
    this.side = side
    this.reversed = reversed
  }

  /** L⁺S⁺L⁺ (8.1). */
  private outer(): void {
    const { gap, trial } = this
    const run = gap[2]!
    if (run >= this.length) return
    const same = run < SLACK
    trial[0] = same ? 0 : turn(atan2(gap[1]!, gap[0]!), run)
    trial[1] = same ? 0 : run
    trial[2] = turn(this.angle - trial[0], 0)
    if (trial[0] >= 0 && trial[2] >= 0) this.offer(LSL, 3)
  }

  /** L⁺S⁺R⁺ (8.2). */
  private inner(): void {
    const { gap, trial } = this
    const run = tangent(gap[5]!)
    if (!(run < this.length)) return
    trial[0] = turn(atan2(gap[4]! * run + 2 * gap[3]!, gap[3]! * run - 2 * gap[4]!), run)
    trial[1] = run
    trial[2] = turn(trial[0] - this.angle, 0)
    if (trial[0] >= 0 && trial[2] >= 0) this.offer(LSR, 3)
  }

  /** L⁺R⁻L (8.3, 8.4): the three-point turn. */
  private threePoints(): void {
    const { gap, trial } = this
    if (gap[2]! > 4) return
    const lean = Math.asin(gap[2]! / 4)
    trial[0] = turn(atan2(gap[1]!, gap[0]!) - lean + PI, 4)
    trial[1] = -2 * lean
    trial[2] = turn(this.angle - trial[0] + trial[1], 0)
    if (trial[0] >= 0) this.offer(LRLR, 3)
  }

  /** L⁺R⁻S⁻L⁻ (8.9), its middle arc of π / 2. */
  private cuspThenOuter(): void {
    const { gap, trial } = this
    const run = tangent(gap[2]!)
    if (!(run > 2 - SLACK && run + PI / 2 - 2 < this.length)) return
    trial[0] = turn(atan2(run * gap[0]! - 2 * gap[1]!, -2 * gap[0]! - run * gap[1]!), run)
    trial[1] = -PI / 2
    trial[2] = min(2 - run, 0)
    trial[3] = turn(this.angle - PI / 2 - trial[0], 0)
    if (trial[0] >= 0 && trial[3] <= 0) this.offer(LRSL, 4)
  }

  /** L⁺R⁻S⁻R⁻ (8.10), its middle arc of π / 2. */
  private cuspThenInner(): void {
    const { gap, trial } = this
    const run = gap[5]!
    if (!(run > 2 - SLACK && run + PI / 2 - 2 < this.length)) return
    trial[0] = turn(atan2(gap[3]!, -gap[4]!), run)
    trial[1] = -PI / 2
    trial[2] = min(2 - run, 0)
    trial[3] = turn(trial[0] + PI / 2 - this.angle, 0)
    if (trial[0] >= 0 && trial[3] <= 0) this.offer(LRSR, 4)
  }

  /** L⁺R⁻S⁻L⁻R⁺ (8.11), its inner arcs of π / 2. */
  private twoCusps(): void {
    const { gap, trial } = this
    const run = tangent(gap[5]!)
    if (!(run > 4 - SLACK && run + PI - 4 < this.length)) return
    trial[0] = turn(atan2(run * gap[3]! - 2 * gap[4]!, -2 * gap[3]! - run * gap[4]!), run)
    trial[1] = trial[3] = -PI / 2
    trial[2] = min(4 - run, 0)
    trial[4] = turn(trial[0] - this.angle, 0)
    if (trial[0] >= 0 && trial[4] >= 0) this.offer(LRSLR, 5)
  }

  /** L⁺R⁺L⁻R⁻ (8.7) and L⁺R⁻L⁻R⁺ (8.8), their inner arcs alike. */
  private fourArcs(): void {
    const { gap } = this
    const wide = (2 + gap[5]!) / 4
    if (wide <= 1) this.alike(acos(wide), -1)
    const narrow = (20 - gap[5]! * gap[5]!) / 16
    if (narrow >= 0 && narrow <= 1) this.alike(-acos(narrow), 1)
  }

  /** Four arcs: the second is `inner`, the third `sign` times that; the last has the gear of the third. */
  private alike(inner: number, sign: number): void {
    const { gap, trial } = this
    if (2 * abs(inner) > this.length) return
    const between = inner - sign * inner
    const a = sin(inner) - sin(between)
    const b = cos(inner) - cos(between) - 1
    const quadrant = 2 * (cos(between) - 2 * cos(inner)) + 3 < 0 ? -1 : 1
    trial[0] = turn(atan2(quadrant * (gap[4]! * a - gap[3]! * b), quadrant * (gap[3]! * a + gap[4]! * b)), 4)
    trial[1] = inner
    trial[2] = sign * inner
    trial[3] = turn(trial[0] - between - this.angle, 0)
    if (trial[0] >= 0 && sign * trial[3] >= 0) this.offer(LRLR, 4)
  }

  private offer(pieces: Int8Array, count: number): void {
    const { trial } = this
    let length = 0
    for (let i = 0; i < count; i++) length += abs(trial[i]!)
    if (!(length < this.length * (1 - EQUAL)) && this.length < Infinity) return
    const { turns, lengths, gear, side } = this
    this.length = length
    this.count = count
    for (let i = 0; i < count; i++) {
      const from = this.reversed ? count - 1 - i : i
      turns[i] = side * pieces[from]!
      lengths[i] = gear * trial[from]!
    }
  }
}

/** Length of the tangent that crosses over between two circles of radius 1 at this distance, or NaN. */
function tangent(distance: number): number {
  const sq = (distance - 2) * (distance + 2)
  return sq > 4 * SLACK ? sqrt(sq) : sq < -4 * SLACK ? NaN : 0
}

/** `angle` in (−π, π]; 0 where that moves a point at the distance `reach` by no more than the slack. */
function turn(angle: number, reach: number): number {
  const turned = angle - TAU * Math.round(angle / TAU)
  const slack = max(SLACK / (1 + reach), 1e-15)
  return abs(turned) < slack ? 0 : turned < slack - PI ? PI : turned
}

const word = new ReedsSheppWord()

/**
 * Fills `out` with the shortest path in a plane from one pose to another for an agent that can also fly
 * astern, with a turn radius of `radius` (m). The path has up to five pieces and up to two cusps; three-point
 * turns are among them (Reeds and Shepp 1990, all 48 words). A change of gear costs nothing, so a path may
 * have a cusp that saves little. The plane, the projection onto it, accuracy and inputs without a path are as
 * in `dubins2d`.
 * @returns its length (m).
 * @throws TypeError / RangeError naming the argument: a pose without position and heading, or a radius that
 * is negative or no number.
 */
export function reedsShepp(
  out: ArcPath,
  from: Waypoint,
  to: Waypoint,
  radius: number,
  up?: Vec3Like,
): number {
  return layWord('reedsShepp', word, out, from, to, radius, up)
}
