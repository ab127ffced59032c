import type { Vec3 } from '../types.js'
import { addScaled, copy, cross, isZero, lengthSq, load } from '../math/vec3.js'
import { normalize, perpendicular, reject, save, scale, set, vec3 } from '../math/vec3.js'
import { TAU } from '../math/scalar.js'
import { dot, h, halve, k, measure, radii, settle, u, w, way } from './csc-newton.js'
import { DubinsWord } from './dubins-word.js'

const start = vec3()
const goal = vec3()
const turn = vec3()
const ahead = vec3()
const side = vec3()
const up = vec3()

const along = new Float64Array(3)
const bestH = new Float64Array(3)
const bestK = new Float64Array(3)
const word = new DubinsWord()
const flat = new Float64Array(4)

/** From this distance on, in radii, the cube has found nothing more. */
const CLEAR = 10
/** Planes tried around a heading. */
const ROLLS = 8
/** Square of the sine of the angles from one line, below which poses count as nearly on it. */
const ALIKE = 0.1
/** Least length that is divided by, in units of the larger radius. */
const TINY = 1e-12
/** Part of a diagonal of a cube along each of its edges. */
const SLANT = Math.sqrt(1 / 3)
/** Length of the best so far, in units of the larger radius. */
const least = new Float64Array(1)

/**
 * Newton from many starts, with arcs up to 2π. True where paths were found, with `h` and `k` of the shortest.
 *
 * Newton takes the straight from the first arc, so from the same start it may end elsewhere when flown backwards: the search is made
 * both ways.
 */
export function search(): boolean {
  least[0] = Infinity
  for (let pass = 0; pass < 2; pass++) {
    tryStarts()
    turnRound()
  }
  h.set(bestH)
  k.set(bestK)
  // once more: where an arc is almost π, what is left is larger than the last step
  if (!settle()) {
    h.set(bestH)
    k.set(bestK)
  }
  return least[0] < Infinity
}

/** The same flown backwards and seen in a point mirror: the ends change places, and the way is the same. */
function turnRound(): void {
  exchange(u, w)
  radii.reverse()
  exchange(bestH, bestK)
}

function exchange(a: Float64Array, b: Float64Array): void {
  for (let i = 0; i < a.length; i++) {
    const x = a[i]!
    a[i] = b[i]!
    b[i] = x
  }
}

/** From starts along the line of sight, where an arc is π, and along the headings and to the corners of a cube. */
function tryStarts(): void {
  load(start, u, 0)
  load(goal, w, 0)
  set(ahead, way[0]!, way[1]!, way[2]!)
  normalize(ahead, ahead)
  save(ahead, along, 0)
  tryAll()
  for (let sign = 1; sign >= -1; sign -= 2) {
    halfTurn(h, u, k, w, radii[1]!, sign)
    halfTurn(k, w, h, u, radii[0]!, sign)
    across(h, u, sign)
    across(k, w, sign)
    if (settle()) keep()
    halfTurns(sign)
  }
  frame()
  if (collinear()) tryPlanes()
  if (dot(way, way) > CLEAR * CLEAR) return
  save(start, along, 0)
  tryAll()
  save(goal, along, 0)
  tryAll()
  for (let corner = 0; corner < 8; corner++)
    tryCorner(corner & 1 ? SLANT : -SLANT, corner & 2 ? SLANT : -SLANT, corner & 4 ? SLANT : -SLANT)
}

/** An arc of π towards the goal, or away from it. */
function across(half: Float64Array, heading: Float64Array, sign: number): void {
  const out = dot(way, heading)
  for (let i = 0; i < 3; i++) half[i] = way[i]! - out * heading[i]!
  const unit = sign / Math.sqrt(dot(half, half))
  for (let i = 0; i < 3; i++) half[i]! *= unit
}

/** Both arcs are π: their chords and the way across the heading make a triangle. */
function halfTurns(sign: number): void {
  let sq = 0
  for (let i = 0; i < 3; i++) {
    along[i] = u[i]! + w[i]!
    sq += along[i]! * along[i]!
  }
  // headings are opposite
  if (!(sq > 1)) return
  set(turn, along[0]!, along[1]!, along[2]!)
  normalize(turn, turn)
  save(turn, along, 0)
  across(h, along, 1)
  load(side, h, 0)
  cross(up, turn, side)
  const p = Math.max(dot(way, h), TINY)
  const a = 2 * radii[0]!
  const b = 2 * radii[1]!
  lean(h, (p * p + a * a - b * b) / (2 * p * a), sign)
  lean(k, (p * p + b * b - a * a) / (2 * p * b), -sign)
  if (settle()) keep()
}

function lean(half: Float64Array, cosine: number, sign: number): void {
  const c = Math.min(Math.max(cosine, -1), 1)
  const s = sign * Math.sqrt(1 - c * c)
  half[0] = c * side.x + s * up.x
  half[1] = c * side.y + s * up.y
  half[2] = c * side.z + s * up.z
}

/** From the straight along a diagonal of the frame. */
function tryCorner(x: number, y: number, z: number): void {
  along[0] = x * ahead.x + y * side.x + z * up.x
  along[1] = x * ahead.y + y * side.y + z * up.y
  along[2] = x * ahead.z + y * side.z + z * up.z
  tryAll()
}

/** Short and long arcs, with the straight along `along`. */
function tryAll(): void {
  for (let i = 0; i < 4; i++) {
    halve(h, u, along, i & 1 ? -1 : 1)
    halve(k, w, along, i & 2 ? -1 : 1)
    if (settle()) keep()
  }
}

/** The arc of `half` is π, so that the straight is against its heading: this gives the other arc, and that the plane of this one. */
function halfTurn(
  half: Float64Array,
  heading: Float64Array,
  other: Float64Array,
  otherHeading: Float64Array,
  otherRadius: number,
  sign: number,
): void {
  for (let i = 0; i < 3; i++) along[i] = -heading[i]!
  halve(other, otherHeading, along, sign)
  const c = dot(other, otherHeading)
  const chord = 2 * otherRadius * Math.sqrt(Math.max(0, 1 - c * c))
  const out = dot(way, heading) - chord * dot(other, heading)
  for (let i = 0; i < 3; i++) half[i] = way[i]! - chord * other[i]! - out * heading[i]!
  const unit = 1 / Math.sqrt(dot(half, half))
  for (let i = 0; i < 3; i++) half[i]! *= unit
  if (settle()) keep()
}

/** Axes that turn with the poses, are mirrored with them and are the same backwards. */
function frame(): void {
  if (isZero(ahead)) copy(ahead, start)
  for (let sign = 1; sign >= -1; sign -= 2) {
    reject(side, addScaled(side, start, goal, sign), ahead)
    if (lengthSq(side) > 1e-6) break
    perpendicular(side, ahead)
  }
  cross(up, ahead, normalize(side, side))
}

/** True where the plane is almost free, so that from most starts the turn of the plane runs away with the solution. */
function collinear(): boolean {
  return lengthSq(reject(turn, start, ahead)) < ALIKE && lengthSq(reject(turn, goal, ahead)) < ALIKE
}

/** From the shortest paths in planes all around the heading at the start, and in those of the other heading and of the way. */
function tryPlanes(): void {
  perpendicular(side, start)
  cross(up, start, side)
  for (let i = 0; i < ROLLS; i++) {
    const roll = (i * TAU) / ROLLS
    tryPlane(addScaled(turn, scale(turn, side, Math.cos(roll)), up, Math.sin(roll)))
  }
  for (let sign = -1; sign <= 1; sign += 2) {
    tryPlane(normalize(turn, reject(turn, scale(turn, goal, sign), start)))
    tryPlane(normalize(turn, reject(turn, scale(turn, ahead, sign), start)))
  }
}

/** From the shortest path in the plane of the heading at the start and `beside`, when the goal is put into it. */
function tryPlane(beside: Vec3): void {
  if (isZero(beside)) return
  save(beside, along, 0)
  flat[0] = dot(way, u)
  flat[1] = dot(way, along)
  flat[2] = dot(w, u)
  flat[3] = dot(w, along)
  word.solve(flat)
  const { turns, lengths } = word
  if (turns[1] !== 0) return
  const first = turns[0]! * lengths[0]!
  aim(h, first / 2)
  aim(k, first + (turns[2]! * lengths[2]!) / 2)
  if (settle()) keep()
}

function aim(half: Float64Array, angle: number): void {
  for (let i = 0; i < 3; i++) half[i] = u[i]! * Math.cos(angle) + along[i]! * Math.sin(angle)
}

/** SnapshotState `h` and `k` where they are shorter than the best so far. */
function keep(): void {
  const total = measure()
  if (!(total < least[0]!)) return
  least[0] = total
  bestH.set(h)
  bestK.set(k)
}
