import type { Vec3, Waypoint } from '../types.js'
import { addScaled, copy, cross, isZero, length, lengthSq } from '../math/vec3.js'
import { normalize, perpendicular, reject, scale, set, sub, vec3 } from '../math/vec3.js'
import { TAU } from '../math/scalar.js'
import type { ArcPath } from './arc-path.js'
import { DubinsWord } from './dubins-word.js'
import { h, halve, k, parts, radii, settle, u, w, way } from './csc-newton.js'
import { settleShort } from './csc-short.js'

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
const ROLLS = 8
const ALIKE = 0.1
/** Length of the best so far. */
const least = new Float64Array(1)

/**
 * Shortest path in space of an arc, a straight and an arc (any of them may be missing) from one pose to another, in `out`. Returns its
 * length, m, or Infinity where no such path was found; then `out` is of no use. The arcs have radii of their own, m, ≥ 0, with the
 * speed at both ends; where a radius is 0, it turns on the spot. Positions and radii are finite, headings are not zero.
 *
 * A filleted polygon (directed-seek.md, section 2), solved by Newton for the direction of the straight. Arcs below π are tried first; a path
 * of them is the shortest of this kind in every case seen. Else from 74 starts, with arcs up to 2π: missed in about 2 of 10,000 cases.
 */
export function csc(
  out: ArcPath,
  from: Waypoint,
  to: Waypoint,
  startRadius: number,
  endRadius: number,
): number {
  const size = Math.max(startRadius, endRadius)
  if (!(size > 0)) return turnOnTheSpot(out, from, to)
  pose(from, to, size)
  radii[0] = startRadius / size
  radii[1] = endRadius / size
  least[0] = Infinity
  if (settleShort()) keep()
  else search()
  if (!(least[0] < Infinity)) return Infinity
  emit(out, from, startRadius, endRadius, size)
  return out.length
}

function turnOnTheSpot(out: ArcPath, { position, heading }: Waypoint, to: Waypoint): number {
  const d = length(sub(ahead, to.position, position))
  return out.begin(position, d > 0 ? ahead : heading).straight(d).length
}

function pose(from: Waypoint, to: Waypoint, size: number): void {
  normalize(start, from.heading)
  normalize(goal, to.heading)
  put(u, start)
  put(w, goal)
  way[0] = (to.position.x - from.position.x) / size
  way[1] = (to.position.y - from.position.y) / size
  way[2] = (to.position.z - from.position.z) / size
}

function put(out: Float64Array, { x, y, z }: Vec3): void {
  out[0] = x
  out[1] = y
  out[2] = z
}

/** From this distance on, in radii, the cube has found nothing more. */
const CLEAR = 10

/** From starts along the line of sight, where an arc is π, and along the axes and to the corners of a cube. */
function search(): void {
  set(ahead, way[0]!, way[1]!, way[2]!)
  normalize(ahead, ahead)
  put(along, ahead)
  tryAll()
  for (let sign = 1; sign >= -1; sign -= 2) {
    halfTurn(h, u, k, w, radii[1]!, sign)
    halfTurn(k, w, h, u, radii[0]!, sign)
    across(h, u, sign)
    across(k, w, sign)
    if (settle()) keep()
  }
  frame()
  if (collinear()) tryPlanes()
  if (dot(way, way) > CLEAR * CLEAR) return
  put(along, start)
  tryAll()
  put(along, goal)
  tryAll()
  for (let x = -1; x <= 1; x++) for (let y = -1; y <= 1; y++) for (let z = -1; z <= 1; z++) tryAlong(x, y, z)
}

/** An arc of π towards the goal, or away from it. */
function across(half: Float64Array, heading: Float64Array, sign: number): void {
  const out = dot(way, heading)
  for (let i = 0; i < 3; i++) half[i] = way[i]! - out * heading[i]!
  const unit = sign / Math.sqrt(dot(half, half))
  for (let i = 0; i < 3; i++) half[i]! *= unit
}

/** From the straight along a corner or an axis of the frame. */
function tryAlong(x: number, y: number, z: number): void {
  const sq = x * x + y * y + z * z
  if (sq === 0 || sq === 2) return
  const unit = 1 / Math.sqrt(sq)
  along[0] = unit * (x * ahead.x + y * side.x + z * up.x)
  along[1] = unit * (x * ahead.y + y * side.y + z * up.y)
  along[2] = unit * (x * ahead.z + y * side.z + z * up.z)
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
  put(along, beside)
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

/** Keeps `h` and `k` where they are shorter than the best so far. */
function keep(): void {
  const total = measure()
  if (!(total < least[0]!)) return
  least[0] = total
  bestH.set(h)
  bestK.set(k)
}

/** Length of the path of `h` and `k`; its parts in `parts`. */
function measure(): number {
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

function emit(out: ArcPath, from: Waypoint, startRadius: number, endRadius: number, size: number): void {
  h.set(bestH)
  k.set(bestK)
  measure()
  for (let i = 0; i < 3; i++) along[i] = startRadius > 0 ? u[i]! : 2 * dot(h, u) * h[i]! - u[i]!
  out.begin(from.position, set(ahead, along[0]!, along[1]!, along[2]!))
  arc(out, h, startRadius, parts[0]!)
  out.straight(parts[1]! * size)
  arc(out, k, endRadius, parts[2]!)
}

function arc(out: ArcPath, half: Float64Array, radius: number, angle: number): void {
  if (angle > 1e-14 && radius > 0) out.arc(set(turn, half[0]!, half[1]!, half[2]!), radius, angle)
}

function dot(a: Float64Array, b: Float64Array): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!
}
