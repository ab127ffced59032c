/**
 * The equations of an arc, a straight and an arc, and their solution from a start nearby.
 *
 * An arc of angle a from the heading u on is kept as the unit vector h half-way round it: it is 2 r sin(a/2) long as the crow flies, along
 * h, and leaves along t = 2 (h·u) h − u. So arcs of 0 … 2π are one smooth family; its angle alone is singular where it is 0, t alone
 * where it is π. The last arc likewise by k, seen from the goal. Lengths are in units of the larger radius.
 *
 * Numbers are kept in arrays and summed in loops: what is handed from function to function would be boxed.
 */

/** Headings at the start and at the goal, the way between them. */
export const u: Float64Array = new Float64Array(3)
export const w: Float64Array = new Float64Array(3)
export const way: Float64Array = new Float64Array(3)
/** Radii of the first and of the last arc. */
export const radii: Float64Array = new Float64Array(2)
/** The path: directions half-way round its arcs. */
export const h: Float64Array = new Float64Array(3)
export const k: Float64Array = new Float64Array(3)

/** Of the first arc, the straight and the last arc: rad, length, rad. */
export const parts: Float64Array = new Float64Array(3)

const t = new Float64Array(3)
const a = new Float64Array(3)
const b = new Float64Array(3)
const gap = new Float64Array(3)
const miss = new Float64Array(3)
const turn = new Float64Array(3)
/** Of half the arcs; of the turn of the straight, the parts in their planes. */
const cosines = new Float64Array(2)
const turns = new Float64Array(2)
const stepH = new Float64Array(3)
const stepK = new Float64Array(3)

/** Squares of the last step of Newton that is small enough, and of the largest that is made in one go, rad. */
const CONVERGED = 1e-22
const STRIDE_SQ = 0.16
/** Square of the miss, in shares of the way, that is small enough where the plane of the path is all but free, so that steps stay large. */
const MET = 1e-24
/** Steps after which there is little hope. */
const STEPS = 14
/** Square of the miss from which on a straight as far below nothing stays so. */
const CLOSE = 1e-4
const CLEARLY = 0.3
/** Below this the cosine of half an arc is taken for this, rather than divided by. */
const TINY = 1e-12

/** Writes into `half` the direction half-way between `heading` and `along`, or with −1 the opposite one: that of the longer arc. */
export function halve(half: Float64Array, heading: Float64Array, along: Float64Array, sign: number): void {
  let sq = 0
  for (let i = 0; i < 3; i++) {
    half[i] = heading[i]! + along[i]!
    sq += half[i]! * half[i]!
  }
  const scale = sq > 0 ? sign / Math.sqrt(sq) : 0
  for (let i = 0; i < 3; i++) half[i]! *= scale
}

/** Newton for `h` and `k` from what they are. True where they have become a path; else they are of no use. */
export function settle(): boolean {
  // between opposite directions there is none half-way
  if (sizeSq(h) < 0.5 || sizeSq(k) < 0.5) return false
  for (let n = 0; n < STEPS; n++) {
    step()
    const straight = parts[1]!
    if (parts[2]! < CLOSE && straight < -CLEARLY) return false
    // a small step need not be a small miss, where both arcs are π
    const valid = straight > -1e-11 && parts[0]! > -1e-6 && parts[2]! < 1e-14
    if (n > 7 && parts[2]! < MET) return valid
    const moved = move()
    if (!(moved < 1e6)) return false
    if (moved < CONVERGED) return valid
  }
  return false
}

function sizeSq(v: Float64Array): number {
  return v[0]! * v[0]! + v[1]! * v[1]! + v[2]! * v[2]!
}

/**
 * Works out one step; leaves in `parts` by how much the two arcs disagree along the straight, the straight, and the square of the miss
 * across it.
 *
 * The straight turns by τ such that (L + Tᵃ Bᵃ + Tᵇ Bᵇ) τ = gap + Tᵇ Bᵇ miss in the plane across it, with T = r tan(half the arc), B the
 * projection to the normal of the plane of the arc: a symmetric 2 × 2 system, solved by its adjugate without a basis.
 */
function step(): void {
  let c = 0
  let e = 0
  for (let i = 0; i < 3; i++) {
    c += h[i]! * u[i]!
    e += k[i]! * w[i]!
  }
  let sqA = 0
  let sqB = 0
  for (let i = 0; i < 3; i++) {
    sqA += (h[i]! - c * u[i]!) ** 2
    sqB += (k[i]! - e * w[i]!) ** 2
    t[i] = 2 * c * h[i]! - u[i]!
    miss[i] = 2 * e * k[i]! - w[i]! - t[i]!
  }
  const sinA = Math.sqrt(sqA)
  const sinB = Math.sqrt(sqB)
  let straight = 0
  let apart = 0
  let kt = 0
  for (let i = 0; i < 3; i++) {
    gap[i] = way[i]! - 2 * (radii[0]! * sinA * h[i]! + radii[1]! * sinB * k[i]!)
    straight += gap[i]! * t[i]!
    apart += miss[i]! * t[i]!
    kt += k[i]! * t[i]!
  }
  // what of the half-way directions is across the straight: along the planes of the arcs
  let ab = 0
  let mb = 0
  for (let i = 0; i < 3; i++) {
    a[i] = h[i]! - c * t[i]!
    b[i] = k[i]! - kt * t[i]!
    ab += a[i]! * b[i]!
    mb += miss[i]! * b[i]!
  }
  if (c < TINY && c > -TINY) c = c < 0 ? -TINY : TINY
  if (e < TINY && e > -TINY) e = e < 0 ? -TINY : TINY
  const perA = sinA > TINY ? 1 / sqA : 0
  const perB = sinB > TINY ? 1 / sqB : 0
  const tanA = (radii[0]! * sinA) / c
  const tanB = (radii[1]! * sinB) / e
  let ga = 0
  let gb = 0
  let off = 0
  let far = 1
  for (let i = 0; i < 3; i++) {
    const error = gap[i]! - straight * t[i]!
    const bend = miss[i]! - apart * t[i]!
    off += error * error + bend * bend
    far += way[i]! * way[i]!
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
    // where the plane is almost free, rounding of the gap along the straight has grown
    turn[i]! -= along * t[i]!
    ta += turn[i]! * a[i]!
    tb += (turn[i]! - miss[i]!) * b[i]!
  }
  parts[0] = apart
  parts[1] = straight
  parts[2] = off / far
  cosines[0] = c
  cosines[1] = e
  turns[0] = ta * perA
  turns[1] = tb * perB
}

/** Turns `h` and `k` as the straight turns: in the plane of the arc by half of it, across by what the cosine of half the arc leaves. */
function move(): number {
  const c = cosines[0]!
  const e = cosines[1]!
  const ta = turns[0]!
  const tb = turns[1]!
  let moved = 0
  for (let i = 0; i < 3; i++) {
    stepH[i] = (ta * (u[i]! - c * h[i]!) + (turn[i]! - ta * a[i]!) / c) / 2
    stepK[i] = (tb * (w[i]! - e * k[i]!) + (turn[i]! - miss[i]! - tb * b[i]!) / e) / 2
    moved += stepH[i]! * stepH[i]! + stepK[i]! * stepK[i]!
  }
  const share = moved > STRIDE_SQ ? Math.sqrt(STRIDE_SQ / moved) : 1
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

/** Length of the path of `h` and `k`, in units of the larger radius; its parts in `parts`. */
export function measure(): number {
  const c = dot(h, u)
  const e = dot(k, w)
  let sinA = 0
  let sinB = 0
  for (let i = 0; i < 3; i++) {
    sinA += (h[i]! - c * u[i]!) ** 2
    sinB += (k[i]! - e * w[i]!) ** 2
  }
  sinA = Math.sqrt(sinA)
  sinB = Math.sqrt(sinB)
  let straight = 0
  for (let i = 0; i < 3; i++)
    straight +=
      (way[i]! - 2 * (radii[0]! * sinA * h[i]! + radii[1]! * sinB * k[i]!)) * (2 * c * h[i]! - u[i]!)
  parts[0] = 2 * Math.atan2(sinA, c)
  parts[1] = Math.max(0, straight)
  parts[2] = 2 * Math.atan2(sinB, e)
  return radii[0]! * parts[0] + parts[1] + radii[1]! * parts[2]
}

export function dot(p: Float64Array, q: Float64Array): number {
  return p[0]! * q[0]! + p[1]! * q[1]! + p[2]! * q[2]!
}
