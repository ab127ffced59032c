import type { Vec3, Vec3Like } from '../../core/types.js'
import { HullShape } from './hull.js'
import { requireVector, requireList } from '../../core/math/require.js'
import { cross, dot, length, lengthSq, normalize, sub, vec3 } from '../../core/math/vec3.js'

/**
 * Incremental convex hull: the faces that a point sees are replaced by a fan from the rim of the hole to the
 * point (Barber, Dobkin and Huhdanpaa, The Quickhull algorithm for convex hulls, 1996). Coordinates are
 * rounded to whole numbers, because the side of a face on which a point lies can then be computed exactly.
 * With rounding errors the five corners of a dodecahedron's face, which lie in one plane only up to single
 * precision, would give faces that intersect each other.
 */

/** Grid steps in the size of the point cloud: fine enough to keep numbers of single precision. */
const GRID = 2 ** 30
/** Faces that bend by less than this share of the size are merged: above the error of single precision. */
const COPLANAR = 1e-6
/** A larger determinant (relative) has the right sign: its numbers are rounded six times by 2⁻⁵³. */
const DETERMINANT_ERROR = 2e-15

// scratch of the functions below, never kept across a call
const edgeU = vec3()
const edgeV = vec3()

/** Three corners, counterclockwise as seen from outside. */
type Face = readonly [number, number, number]
type Side = readonly [from: number, to: number]

/** A face that may still have points outside it. */
interface PendingFace {
  readonly corners: Face
  /** Indices of points that lie outside the face and are not on the hull yet. */
  readonly outside: number[]
  removed: boolean
}

/**
 * The convex hull of a cloud of points (m), as a shape for obstacles. Points in any order, inside the hull,
 * on its faces and given twice are allowed.
 * @throws TypeError / RangeError for points that are not finite, and for points that all lie in one plane.
 */
export function convexHull(points: readonly Vec3Like[]): HullShape {
  requireList('convexHull', points, 'points')
  for (const [i, point] of points.entries()) requireVector(`convexHull: points[${i}]`, point)
  const shape = hullOf(points)
  if (shape === null)
    throw new RangeError(`convexHull: got ${points.length} points in one plane, must enclose a volume`)
  return shape
}

/** As `convexHull`, of finite points; null when all points lie in one plane. */
export function hullOf(points: readonly Vec3Like[]): HullShape | null {
  const [origin] = points
  if (origin === undefined) return null
  let size = 0
  for (const point of points) size = Math.max(size, length(sub(edgeU, point, origin)))
  if (!(size > 0)) return null
  const rounded = points.map((point) => {
    const { x, y, z } = sub(vec3(), point, origin)
    return vec3(...([x, y, z].map((value) => Math.round((value / size) * GRID)) as [number, number, number]))
  })
  const faces = triangles(rounded)
  if (faces === null) return null
  return shapeOf(points, polygons(points, faces, COPLANAR * size)) ?? shapeOf(points, faces)
}

/** The shape with these faces, with only the points they use; null when they do not form a valid shape. */
function shapeOf(points: readonly Vec3Like[], faces: readonly (readonly number[])[]): HullShape | null {
  const used = [...new Set(faces.flat())]
  const number = new Map(used.map((corner, i) => [corner, i]))
  try {
    return new HullShape({
      vertices: used.map((corner) => points[corner]!),
      faces: faces.map((face) => face.map((corner) => number.get(corner)!)),
    })
  } catch (error) {
    // a point cloud too thin to have valid faces
    if (error instanceof RangeError || error instanceof TypeError) return null
    throw error
  }
}

function triangles(points: readonly Vec3Like[]): Face[] | null {
  const first = simplex(points)
  if (first === null) return null
  const [a, b, c, d] = first
  const all: PendingFace[] = []
  /** The face of each directed side. */
  const faceOfSide = new Map<number, PendingFace>()
  const addFace = (from: number, to: number, apex: number): PendingFace => {
    const face: PendingFace = { corners: [from, to, apex], outside: [], removed: false }
    for (const side of sidesOf(face.corners)) faceOfSide.set(sideKey(side), face)
    all.push(face)
    return face
  }
  const assign = (waiting: Iterable<number>, faces: readonly PendingFace[]): void => {
    for (const i of waiting) faces.find(({ corners }) => isOutside(points, i, corners))?.outside.push(i)
  }
  assign(points.keys(), [addFace(a, b, c), addFace(a, c, d), addFace(a, d, b), addFace(b, d, c)])
  // grows during the loop
  for (const face of all) {
    if (face.removed || face.outside.length === 0) continue
    const apex = farthestOver(points, face)
    face.removed = true
    const visible = [face]
    const horizon: Side[] = []
    for (const seen of visible)
      for (const side of sidesOf(seen.corners)) {
        const other = faceOfSide.get(sideKey([side[1], side[0]]))!
        if (other.removed) continue
        if (!isOutside(points, apex, other.corners)) horizon.push(side)
        else {
          other.removed = true
          visible.push(other)
        }
      }
    const fan = horizon.map(([from, to]) => addFace(from, to, apex))
    // a point that sees no face of the fan lies inside the hull: the faces that it saw are removed
    for (const { outside } of visible) assign(outside, fan)
  }
  return all.filter(({ removed }) => !removed).map(({ corners }) => corners)
}

function farthestOver(points: readonly Vec3Like[], { corners, outside }: PendingFace): number {
  const normal = normalOf(vec3(), points, corners)
  return outside[farthest(outside, (i) => dot(normal, points[i]!))]!
}

/** The first tetrahedron: four points far apart, the fourth below the triangle of the others. */
function simplex(points: readonly Vec3Like[]): [number, number, number, number] | null {
  const a = farthest(points, (p) => distanceSq(p, points[0]!))
  const b = farthest(points, (p) => distanceSq(p, points[a]!))
  const along = sub(vec3(), points[b]!, points[a]!)
  const c = farthest(points, (p) => lengthSq(cross(edgeU, sub(edgeU, p, points[a]!), along)))
  const normal = cross(vec3(), along, sub(edgeU, points[c]!, points[a]!))
  const d = farthest(points, (p) => Math.abs(dot(normal, sub(edgeU, p, points[a]!))))
  if (isOutside(points, d, [a, b, c])) return [a, c, b, d]
  return isOutside(points, d, [a, c, b]) ? [a, b, c, d] : null
}

/** Index of the list element with the largest measure. */
function farthest<T>(list: readonly T[], measure: (each: T) => number): number {
  let largest = -Infinity
  let index = 0
  for (const [i, each] of list.entries()) {
    const value = measure(each)
    if (!(value > largest)) continue
    largest = value
    index = i
  }
  return index
}

/** Whether a point lies outside the plane of a face. Exact, because coordinates are whole numbers. */
function isOutside(points: readonly Vec3Like[], i: number, [a, b, c]: Face): boolean {
  const origin = points[a]!
  const u = sub(edgeU, points[b]!, origin)
  const v = sub(edgeV, points[c]!, origin)
  const { x, y, z } = points[i]!
  const [dx, dy, dz] = [x - origin.x, y - origin.y, z - origin.z]
  const det = dx * (u.y * v.z - u.z * v.y) + dy * (u.z * v.x - u.x * v.z) + dz * (u.x * v.y - u.y * v.x)
  const size =
    Math.abs(dx) * (Math.abs(u.y * v.z) + Math.abs(u.z * v.y)) +
    Math.abs(dy) * (Math.abs(u.z * v.x) + Math.abs(u.x * v.z)) +
    Math.abs(dz) * (Math.abs(u.x * v.y) + Math.abs(u.y * v.x))
  if (Math.abs(det) > DETERMINANT_ERROR * size) return det > 0
  const [ux, uy, uz] = [BigInt(u.x), BigInt(u.y), BigInt(u.z)]
  const [vx, vy, vz] = [BigInt(v.x), BigInt(v.y), BigInt(v.z)]
  return (
    BigInt(dx) * (uy * vz - uz * vy) + BigInt(dy) * (uz * vx - ux * vz) + BigInt(dz) * (ux * vy - uy * vx) >
    0n
  )
}

/**
 * Merges triangles that lie in one plane within `tolerance` (m), starting with the largest. Points inside a
 * merged face, and points that stand out of it by less than `tolerance`, are left out.
 */
function polygons(
  points: readonly Vec3Like[],
  faces: readonly Face[],
  tolerance: number,
): (readonly number[])[] {
  const faceOfSide = new Map<number, Face>()
  for (const face of faces) for (const side of sidesOf(face)) faceOfSide.set(sideKey(side), face)
  const area = new Map(faces.map((face) => [face, length(normalOf(vec3(), points, face))]))
  const remaining = new Set([...faces].sort((one, other) => area.get(other)! - area.get(one)!))
  const found: (readonly number[])[] = []
  for (const seed of remaining) {
    remaining.delete(seed)
    const normal = normalize(vec3(), normalOf(vec3(), points, seed))
    const isFlat = (corner: number): boolean =>
      Math.abs(dot(normal, sub(edgeU, points[corner]!, points[seed[0]]!))) <= tolerance
    const group = [seed]
    // grows during the loop
    for (const face of group)
      for (const [from, to] of sidesOf(face)) {
        const next = faceOfSide.get(sideKey([to, from]))
        if (next === undefined || !remaining.has(next) || !next.every(isFlat)) continue
        remaining.delete(next)
        group.push(next)
      }
    const loop = loopAround(group)
    if (loop === null) found.push(...group)
    else found.push(loop)
  }
  return found
}

function normalOf(out: Vec3, points: readonly Vec3Like[], [a, b, c]: Face): Vec3 {
  return cross(out, sub(edgeU, points[b]!, points[a]!), sub(edgeV, points[c]!, points[a]!))
}

function distanceSq(a: Vec3Like, b: Vec3Like): number {
  return lengthSq(sub(edgeU, a, b))
}

/** The corners around a group of triangles; null when the group has a hole or touches itself at a corner. */
function loopAround(group: readonly Face[]): number[] | null {
  const sides = group.flatMap(sidesOf)
  const inner = new Set(sides.map(([from, to]) => sideKey([to, from])))
  const boundary = sides.filter((side) => !inner.has(sideKey(side)))
  const next = new Map(boundary)
  const start = boundary[0]?.[0]
  const loop: number[] = []
  let corner = start
  do {
    loop.push(corner!)
    corner = next.get(corner!)
  } while (corner !== undefined && corner !== start && loop.length < boundary.length)
  return corner === start && loop.length === boundary.length ? loop : null
}

function sidesOf([a, b, c]: Face): Side[] {
  return [
    [a, b],
    [b, c],
    [c, a],
  ]
}

function sideKey([from, to]: Side): number {
  return from * 2 ** 26 + to
}
