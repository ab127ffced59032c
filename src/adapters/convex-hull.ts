import type { Vec3, Vec3Like } from '../types.js'
import { HullShape } from '../obstacles/hull.js'
import { cross, dot, length, lengthSq, normalize, sub, vec3 } from '../math/vec3.js'

/**
 * The convex hull of points, one after the other: the faces that a point can see give way to a fan from the rim of the hole to the
 * point (Barber, Dobkin and Huhdanpaa, The Quickhull algorithm for convex hulls, 1996). Points are rounded to whole numbers, for which it
 * can be told exactly on which side of a face they lie: with rounding errors the faces of a dodecahedron, whose five corners lie in one
 * plane only as far as single precision goes, come out knotted.
 */

/** Coordinates in the size of the cloud: fine enough to lose nothing of single precision. */
const GRID = 2 ** 30
/** Relative to the size of the cloud: faces that bend by less are one face. Room for numbers of single precision. */
const FLAT = 1e-6
/** Relative: a determinant that is larger has its right sign. Each number in it is rounded some six times by 2⁻⁵³. */
const SURE = 2e-15

const arm = vec3()
const leg = vec3()

/** Three corners, counterclockwise as seen from outside. */
type Face = readonly [number, number, number]
type Side = readonly [from: number, to: number]

/** A face that may still be in sight of points. */
interface Open {
  readonly corners: Face
  /** Points that see it, and wait for their turn. */
  readonly outside: number[]
  gone: boolean
}

/** The hull of points in any order, doubles allowed; null when they all lie in one plane. */
export function hullOf(points: readonly Vec3Like[]): HullShape | null {
  const [origin] = points
  if (origin === undefined) return null
  let size = 0
  for (const point of points) size = Math.max(size, length(sub(arm, point, origin)))
  if (!(size > 0)) return null
  const whole = points.map((point) => {
    const { x, y, z } = sub(vec3(), point, origin)
    return vec3(...([x, y, z].map((value) => Math.round((value / size) * GRID)) as [number, number, number]))
  })
  const faces = triangles(whole)
  if (faces === null) return null
  return shapeOf(points, polygons(points, faces, FLAT * size)) ?? shapeOf(points, faces)
}

/** The shape of the faces, with the points they use; null when it is not one. */
function shapeOf(points: readonly Vec3Like[], faces: readonly (readonly number[])[]): HullShape | null {
  const used = [...new Set(faces.flat())]
  const number = new Map(used.map((corner, i) => [corner, i]))
  try {
    return new HullShape({
      vertices: used.map((corner) => points[corner]!),
      faces: faces.map((face) => face.map((corner) => number.get(corner)!)),
    })
  } catch (error) {
    // a cloud so thin that it has no faces to speak of
    if (error instanceof RangeError || error instanceof TypeError) return null
    throw error
  }
}

function triangles(points: readonly Vec3Like[]): Face[] | null {
  const first = simplex(points)
  if (first === null) return null
  const [a, b, c, d] = first
  const all: Open[] = []
  /** The face that has a side. */
  const owner = new Map<number, Open>()
  const open = (from: number, to: number, tip: number): Open => {
    const face: Open = { corners: [from, to, tip], outside: [], gone: false }
    for (const side of sidesOf(face.corners)) owner.set(keyOf(side), face)
    all.push(face)
    return face
  }
  const assign = (waiting: Iterable<number>, faces: readonly Open[]): void => {
    for (const i of waiting) faces.find(({ corners }) => sees(points, i, corners))?.outside.push(i)
  }
  assign(points.keys(), [open(a, b, c), open(a, c, d), open(a, d, b), open(b, d, c)])
  // grows while it is walked
  for (const face of all) {
    if (face.gone || face.outside.length === 0) continue
    const tip = farthestOver(points, face)
    face.gone = true
    const sight = [face]
    const rim: Side[] = []
    for (const seen of sight)
      for (const side of sidesOf(seen.corners)) {
        const other = owner.get(keyOf([side[1], side[0]]))!
        if (other.gone) continue
        if (!sees(points, tip, other.corners)) rim.push(side)
        else {
          other.gone = true
          sight.push(other)
        }
      }
    const fan = rim.map(([from, to]) => open(from, to, tip))
    // whoever sees none of the fan is within: what it saw has gone
    for (const { outside } of sight) assign(outside, fan)
  }
  return all.filter(({ gone }) => !gone).map(({ corners }) => corners)
}

function farthestOver(points: readonly Vec3Like[], { corners, outside }: Open): number {
  const normal = normalOf(vec3(), points, corners)
  return outside[farthest(outside, (i) => dot(normal, points[i]!))]!
}

/** Four points that are far apart: the corners of a first body, the fourth under the triangle of the others. */
function simplex(points: readonly Vec3Like[]): [number, number, number, number] | null {
  const a = farthest(points, (p) => apartSq(p, points[0]!))
  const b = farthest(points, (p) => apartSq(p, points[a]!))
  const along = sub(vec3(), points[b]!, points[a]!)
  const c = farthest(points, (p) => lengthSq(cross(arm, sub(arm, p, points[a]!), along)))
  const normal = cross(vec3(), along, sub(arm, points[c]!, points[a]!))
  const d = farthest(points, (p) => Math.abs(dot(normal, sub(arm, p, points[a]!))))
  if (sees(points, d, [a, b, c])) return [a, c, b, d]
  return sees(points, d, [a, c, b]) ? [a, b, c, d] : null
}

/** Place in a list of that which measures most. */
function farthest<T>(list: readonly T[], measure: (each: T) => number): number {
  let most = -Infinity
  let which = 0
  for (const [i, each] of list.entries()) {
    const value = measure(each)
    if (!(value > most)) continue
    most = value
    which = i
  }
  return which
}

/** Whether a point lies over the plane of a face; exact, as points are whole numbers. */
function sees(points: readonly Vec3Like[], i: number, [a, b, c]: Face): boolean {
  const origin = points[a]!
  const u = sub(arm, points[b]!, origin)
  const v = sub(leg, points[c]!, origin)
  const { x, y, z } = points[i]!
  const [dx, dy, dz] = [x - origin.x, y - origin.y, z - origin.z]
  const det = dx * (u.y * v.z - u.z * v.y) + dy * (u.z * v.x - u.x * v.z) + dz * (u.x * v.y - u.y * v.x)
  const size =
    Math.abs(dx) * (Math.abs(u.y * v.z) + Math.abs(u.z * v.y)) +
    Math.abs(dy) * (Math.abs(u.z * v.x) + Math.abs(u.x * v.z)) +
    Math.abs(dz) * (Math.abs(u.x * v.y) + Math.abs(u.y * v.x))
  if (Math.abs(det) > SURE * size) return det > 0
  const [ux, uy, uz] = [BigInt(u.x), BigInt(u.y), BigInt(u.z)]
  const [vx, vy, vz] = [BigInt(v.x), BigInt(v.y), BigInt(v.z)]
  return (
    BigInt(dx) * (uy * vz - uz * vy) + BigInt(dy) * (uz * vx - ux * vz) + BigInt(dz) * (ux * vy - uy * vx) >
    0n
  )
}

/** Joins triangles that lie in one plane, the largest first. Points in the midst of a face, or that stand out by less, are left out. */
function polygons(
  points: readonly Vec3Like[],
  faces: readonly Face[],
  tolerance: number,
): (readonly number[])[] {
  const owner = new Map<number, Face>()
  for (const face of faces) for (const side of sidesOf(face)) owner.set(keyOf(side), face)
  const area = new Map(faces.map((face) => [face, length(normalOf(vec3(), points, face))]))
  const left = new Set([...faces].sort((one, other) => area.get(other)! - area.get(one)!))
  const found: (readonly number[])[] = []
  for (const seed of left) {
    left.delete(seed)
    const normal = normalize(vec3(), normalOf(vec3(), points, seed))
    const isFlat = (corner: number): boolean =>
      Math.abs(dot(normal, sub(arm, points[corner]!, points[seed[0]]!))) <= tolerance
    const group = [seed]
    // grows while it is walked
    for (const face of group)
      for (const [from, to] of sidesOf(face)) {
        const next = owner.get(keyOf([to, from]))
        if (next === undefined || !left.has(next) || !next.every(isFlat)) continue
        left.delete(next)
        group.push(next)
      }
    const loop = loopAround(group)
    if (loop === null) found.push(...group)
    else found.push(loop)
  }
  return found
}

function normalOf(out: Vec3, points: readonly Vec3Like[], [a, b, c]: Face): Vec3 {
  return cross(out, sub(arm, points[b]!, points[a]!), sub(leg, points[c]!, points[a]!))
}

function apartSq(a: Vec3Like, b: Vec3Like): number {
  return lengthSq(sub(arm, a, b))
}

/** The corners around a group of triangles; null when it has a hole or a waist. */
function loopAround(group: readonly Face[]): number[] | null {
  const sides = group.flatMap(sidesOf)
  const inner = new Set(sides.map(([from, to]) => keyOf([to, from])))
  const rim = sides.filter((side) => !inner.has(keyOf(side)))
  const next = new Map(rim)
  const start = rim[0]?.[0]
  const loop: number[] = []
  let at = start
  do {
    loop.push(at!)
    at = next.get(at!)
  } while (at !== undefined && at !== start && loop.length < rim.length)
  return at === start && loop.length === rim.length ? loop : null
}

function sidesOf([a, b, c]: Face): Side[] {
  return [
    [a, b],
    [b, c],
    [c, a],
  ]
}

function keyOf([from, to]: Side): number {
  return from * 2 ** 26 + to
}
