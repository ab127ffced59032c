/**
 * The equations of an arc, a straight and an arc, and their solution by Newton's method from a start nearby.
 *
 * An arc of angle a that begins along the heading u is represented by its unit chord h, the direction
 * half-way round it. The arc is 2 r sin(a/2) long along h, and ends along t = 2 (h·u) h − u. So arcs of 0 …
 * 2π are one smooth family; the angle alone is singular at 0, and t alone at π. The last arc is represented
 * by its chord k, seen from the goal, with the heading w. Lengths are in units of the larger radius. In the
 * code below u, w, h and k have these meanings.
 *
 * Numbers are stored in arrays and summed in loops: numbers passed as arguments may be boxed.
 */

/** Square of a Newton step that is small enough (rad²). */
const CONVERGED = 1e-22
/** Square of the largest Newton step that is made at once (rad²). */
const MAX_STEP_SQ = 0.16
/**
 * Square of the miss, as a share of the displacement, that is small enough. Where the plane of the path is
 * almost free, steps stay large, and this test ends the iteration.
 */
const MET = 1e-24
/** After this many steps convergence is unlikely. */
const STEPS = 14
/** Square of the miss below which a path with a negative straight is given up. */
const CLOSE = 1e-4
/** The straight must be shorter than minus this (in units of the larger radius) for that. */
const NEGATIVE_STRAIGHT = 0.3
/** Lower bound for the cosine of half an arc where it is a divisor. */
const TINY = 1e-12

/** A pair of poses, and a path of an arc, a straight and an arc between them. */
export class CscSolver {
  /** Unit headings at the start (u) and at the goal (w). */
  readonly startHeading: Float64Array = new Float64Array(3)
  readonly goalHeading: Float64Array = new Float64Array(3)
  /** From the start to the goal. */
  readonly displacement: Float64Array = new Float64Array(3)
  /** Radii of the first and of the last arc. */
  readonly radii: Float64Array = new Float64Array(2)
  /** The path: unit chords of its arcs (h, k). */
  readonly startChord: Float64Array = new Float64Array(3)
  readonly goalChord: Float64Array = new Float64Array(3)
  /** As of the last `measure`: first arc (rad), straight, last arc (rad). */
  readonly parts: Float64Array = new Float64Array(3)

  // one step of Newton's method
  /** Difference of the arcs along the straight, length of the straight, square of the miss across it. */
  private readonly residual = new Float64Array(3)
  /** Direction of the straight, and the components of the chords across it. */
  private readonly t = new Float64Array(3)
  private readonly a = new Float64Array(3)
  private readonly b = new Float64Array(3)
  /** What the arcs leave of the displacement; by how much the straight turns, seen from both ends. */
  private readonly gap = new Float64Array(3)
  private readonly miss = new Float64Array(3)
  /** Turn of the straight, and its components in the planes of the arcs. */
  private readonly turn = new Float64Array(3)
  private readonly turns = new Float64Array(2)
  /** Cosines of half the arcs. */
  private readonly cosines = new Float64Array(2)
  /** Changes of the chords. */
  private readonly stepH = new Float64Array(3)
  private readonly stepK = new Float64Array(3)

  /** Newton's method for the chords, from their present values. @returns whether they now describe a path. */
  converge(): boolean {
    const { residual, startChord, goalChord } = this
    // the mean of opposite directions is no direction
    if (dotProduct(startChord, startChord) < 0.5 || dotProduct(goalChord, goalChord) < 0.5) return false
    for (let n = 0; n < STEPS; n++) {
      this.step()
      const straight = residual[1]!
      if (residual[2]! < CLOSE && straight < -NEGATIVE_STRAIGHT) return false
      // where both arcs are π, a small step need not mean a small miss
      const valid = straight > -1e-11 && residual[0]! > -1e-6 && residual[2]! < 1e-14
      if (n > 7 && residual[2]! < MET) return valid
      const moved = this.move()
      if (!(moved < 1e6)) return false
      if (moved < CONVERGED) return valid
    }
    return false
  }

  /** Length of the path, in units of the larger radius. Sets `parts`. */
  measure(): number {
    const { startHeading: u, goalHeading: w, displacement, radii, startChord: h, goalChord: k, parts } = this
    const cosA = dotProduct(h, u)
    const cosB = dotProduct(k, w)
    let sinA = 0
    let sinB = 0
    for (let i = 0; i < 3; i++) {
      sinA += (h[i]! - cosA * u[i]!) ** 2
      sinB += (k[i]! - cosB * w[i]!) ** 2
    }
    sinA = Math.sqrt(sinA)
    sinB = Math.sqrt(sinB)
    let straight = 0
    for (let i = 0; i < 3; i++)
      straight +=
        (displacement[i]! - 2 * (radii[0]! * sinA * h[i]! + radii[1]! * sinB * k[i]!)) *
        (2 * cosA * h[i]! - u[i]!)
    parts[0] = 2 * Math.atan2(sinA, cosA)
    parts[1] = Math.max(0, straight)
    parts[2] = 2 * Math.atan2(sinB, cosB)
    return radii[0]! * parts[0] + parts[1] + radii[1]! * parts[2]
  }

  /**
   * Computes one step, and `residual`.
   *
   * The straight turns by τ such that (L + Tᵃ Bᵃ + Tᵇ Bᵇ) τ = gap + Tᵇ Bᵇ miss in the plane across it, with T
   * = r tan(half the arc), B the projection to the normal of the plane of the arc: a symmetric 2 × 2 system,
   * solved by its adjugate without a basis.
   */
  private step(): void {
    const { startHeading: u, goalHeading: w, displacement, radii, startChord: h, goalChord: k } = this
    const { t, a, b, gap, miss, turn, residual, cosines, turns } = this
    let cosA = 0
    let cosB = 0
    for (let i = 0; i < 3; i++) {
      cosA += h[i]! * u[i]!
      cosB += k[i]! * w[i]!
    }
    let sqA = 0
    let sqB = 0
    for (let i = 0; i < 3; i++) {
      sqA += (h[i]! - cosA * u[i]!) ** 2
      sqB += (k[i]! - cosB * w[i]!) ** 2
      t[i] = 2 * cosA * h[i]! - u[i]!
      miss[i] = 2 * cosB * k[i]! - w[i]! - t[i]!
    }
    const sinA = Math.sqrt(sqA)
    const sinB = Math.sqrt(sqB)
    let straight = 0
    let apart = 0
    let kt = 0
    for (let i = 0; i < 3; i++) {
      gap[i] = displacement[i]! - 2 * (radii[0]! * sinA * h[i]! + radii[1]! * sinB * k[i]!)
      straight += gap[i]! * t[i]!
      apart += miss[i]! * t[i]!
      kt += k[i]! * t[i]!
    }
    // the components of the chords across the straight: they lie in the planes of the arcs
    let ab = 0
    let mb = 0
    for (let i = 0; i < 3; i++) {
      a[i] = h[i]! - cosA * t[i]!
      b[i] = k[i]! - kt * t[i]!
      ab += a[i]! * b[i]!
      mb += miss[i]! * b[i]!
    }
    if (cosA < TINY && cosA > -TINY) cosA = cosA < 0 ? -TINY : TINY
    if (cosB < TINY && cosB > -TINY) cosB = cosB < 0 ? -TINY : TINY
    const perA = sinA > TINY ? 1 / sqA : 0
    const perB = sinB > TINY ? 1 / sqB : 0
    const tanA = (radii[0]! * sinA) / cosA
    const tanB = (radii[1]! * sinB) / cosB
    let ga = 0
    let gb = 0
    let missSq = 0
    let scaleSq = 1
    for (let i = 0; i < 3; i++) {
      const error = gap[i]! - straight * t[i]!
      const bend = miss[i]! - apart * t[i]!
      missSq += error * error + bend * bend
      scaleSq += displacement[i]! * displacement[i]!
      gap[i] = error + tanB * (bend - mb * perB * b[i]!)
      ga += gap[i]! * a[i]!
      gb += gap[i]! * b[i]!
    }
    const all = straight + tanA + tanB
    const det = straight * all + tanA * tanB * (1 - ab * ab * perA * perB)
    let along = 0
    for (let i = 0; i < 3; i++) {
      turn[i] = (straight * gap[i]! + tanA * perA * ga * a[i]! + tanB * perB * gb * b[i]!) / det
      along += turn[i]! * t[i]!
    }
    let ta = 0
    let tb = 0
    for (let i = 0; i < 3; i++) {
      // where the plane is almost free, rounding of the gap along the straight is magnified
      turn[i]! -= along * t[i]!
      ta += turn[i]! * a[i]!
      tb += (turn[i]! - miss[i]!) * b[i]!
    }
    residual[0] = apart
    residual[1] = straight
    residual[2] = missSq / scaleSq
    cosines[0] = cosA
    cosines[1] = cosB
    turns[0] = ta * perA
    turns[1] = tb * perB
  }

  /**
   * Turns the chords as the straight turns: in the plane of the arc by half of that turn, across it by the
   * turn divided by the cosine of half the arc, halved.
   * @returns the square of the step (rad²).
   */
  private move(): number {
    const { startHeading: u, goalHeading: w, startChord: h, goalChord: k } = this
    const { a, b, miss, turn, cosines, turns, stepH, stepK } = this
    const cosA = cosines[0]!
    const cosB = cosines[1]!
    const ta = turns[0]!
    const tb = turns[1]!
    let moved = 0
    for (let i = 0; i < 3; i++) {
      stepH[i] = (ta * (u[i]! - cosA * h[i]!) + (turn[i]! - ta * a[i]!) / cosA) / 2
      stepK[i] = (tb * (w[i]! - cosB * k[i]!) + (turn[i]! - miss[i]! - tb * b[i]!) / cosB) / 2
      moved += stepH[i]! * stepH[i]! + stepK[i]! * stepK[i]!
    }
    const share = moved > MAX_STEP_SQ ? Math.sqrt(MAX_STEP_SQ / moved) : 1
    let hh = 0
    let kk = 0
    for (let i = 0; i < 3; i++) {
      h[i]! += share * stepH[i]!
      k[i]! += share * stepK[i]!
      hh += h[i]! * h[i]!
      kk += k[i]! * k[i]!
    }
    hh = 1 / Math.sqrt(hh)
    kk = 1 / Math.sqrt(kk)
    for (let i = 0; i < 3; i++) {
      h[i]! *= hh
      k[i]! *= kk
    }
    return moved
  }
}

/**
 * Writes the chord of the arc that begins along `heading` and ends along `along`: the direction half-way
 * between them. With a `sign` of −1 it is the opposite direction, the chord of the longer arc.
 */
export function halve(half: Float64Array, heading: Float64Array, along: Float64Array, sign: number): void {
  let sq = 0
  for (let i = 0; i < 3; i++) {
    half[i] = heading[i]! + along[i]!
    sq += half[i]! * half[i]!
  }
  const scale = sq > 0 ? sign / Math.sqrt(sq) : 0
  for (let i = 0; i < 3; i++) half[i]! *= scale
}

export function dotProduct(p: Float64Array, q: Float64Array): number {
  return p[0]! * q[0]! + p[1]! * q[1]! + p[2]! * q[2]!
}
