import type { Vec3Like } from '../types.js'

/** A convex body with flat faces, in flat arrays. */
export interface Polytope {
  /** Largest extent along an axis, m. */
  readonly size: number
  /** `[3 × vertices]`, m. */
  readonly vertices: Float64Array
  /** `[4 × faces]`: outward unit normal, and the distance (m) of the plane from the origin along it. */
  readonly planes: Float64Array
  /** `[faces + 1]`: index of the first side of each face in `sides`, counted in sides. */
  readonly starts: Int32Array
  /**
   * `[4 × sides]`: for each side of each face the unit normal that points out of the face within its plane,
   * and its offset (m).
   */
  readonly sides: Float64Array
  /** `[4 × edges]`: the two vertices of an edge, and the two faces that it joins. */
  readonly edges: Int32Array
  /** `[4 × edges]`: unit vector along the edge from the first vertex to the second, and its length (m). */
  readonly spans: Float64Array
}

/** Lists of vertex indices, counterclockwise as seen from outside. */
export type Faces = readonly (readonly number[])[]

/**
 * Computes planes, sides and edges of a convex body. Its surface must be closed and its faces flat and
 * counterclockwise; the caller checks that.
 */
export function polytope(vertices: readonly Vec3Like[], faces: Faces): Polytope {
  const points = new Float64Array(vertices.flatMap(({ x, y, z }) => [x, y, z]))
  const size = extent(points)
  const starts = new Int32Array(faces.length + 1)
  for (const [i, face] of faces.entries()) starts[i + 1] = starts[i]! + face.length
  const planes = new Float64Array(4 * faces.length)
  for (const [i, face] of faces.entries()) planes.set(planeOf(points, face, size), 4 * i)
  const sides = sidesOf(points, faces, planes, starts)
  return { size, vertices: points, planes, starts, sides, ...edgesOf(points, faces) }
}

/** Heights (m) of the highest and lowest vertex above a face, and the index of the highest. */
export function heights(
  { vertices, planes }: Polytope,
  face: number,
): { high: number; low: number; highest: number } {
  let high = -Infinity
  let low = Infinity
  let highest = 0
  const [nx, ny, nz, offset] = planes.subarray(4 * face) as unknown as [number, number, number, number]
  for (let v = 0; v < vertices.length; v += 3) {
    const height = nx * vertices[v]! + ny * vertices[v + 1]! + nz * vertices[v + 2]! - offset
    if (height > high) highest = v / 3
    high = Math.max(high, height)
    low = Math.min(low, height)
  }
  return { high, low, highest }
}

function extent(points: Float64Array): number {
  let size = 0
  for (let k = 0; k < 3; k++) {
    let low = Infinity
    let high = -Infinity
    for (let i = k; i < points.length; i += 3) {
      low = Math.min(low, points[i]!)
      high = Math.max(high, points[i]!)
    }
    size = Math.max(size, high - low)
  }
  return size
}

/**
 * Plane of a face by Newell's method, which is right for any polygon. It is raised until no vertex of the
 * face lies above it.
 */
function planeOf(points: Float64Array, face: readonly number[], size: number): number[] {
  let x = 0
  let y = 0
  let z = 0
  for (const [i, vertex] of face.entries()) {
    // relative to the first vertex, and as shares of the size: exact also for small faces far from the origin
    const [ax, ay, az] = between(points, face[0]!, vertex, size)
    const [bx, by, bz] = between(points, face[0]!, face[(i + 1) % face.length]!, size)
    x += ay * bz - az * by
    y += az * bx - ax * bz
    z += ax * by - ay * bx
  }
  const area = Math.hypot(x, y, z)
  x /= area
  y /= area
  z /= area
  let high = -Infinity
  for (const v of face)
    high = Math.max(high, x * points[3 * v]! + y * points[3 * v + 1]! + z * points[3 * v + 2]!)
  return [x, y, z, high]
}

/** Pairs the sides of all faces: a closed surface runs along each edge once in each direction. */
function edgesOf(points: Float64Array, faces: Faces): { edges: Int32Array; spans: Float64Array } {
  const owners = new Map<string, number>()
  for (const [i, face] of faces.entries())
    for (const [k, a] of face.entries()) owners.set(`${a} ${face[(k + 1) % face.length]!}`, i)
  const edges: number[] = []
  const spans: number[] = []
  for (const [key, i] of owners) {
    const [a, b] = key.split(' ').map(Number) as [number, number]
    const other = owners.get(`${b} ${a}`)
    if (a > b || other === undefined) continue
    edges.push(a, b, i, other)
    const [x, y, z] = between(points, a, b, 1)
    const d = Math.hypot(x, y, z)
    spans.push(x / d, y / d, z / d, d)
  }
  return { edges: new Int32Array(edges), spans: new Float64Array(spans) }
}

function sidesOf(points: Float64Array, faces: Faces, planes: Float64Array, starts: Int32Array): Float64Array {
  const sides = new Float64Array(4 * starts[faces.length]!)
  for (const [i, face] of faces.entries())
    for (const [k, a] of face.entries()) {
      const [dx, dy, dz] = between(points, a, face[(k + 1) % face.length]!, 1)
      const [nx, ny, nz] = [planes[4 * i]!, planes[4 * i + 1]!, planes[4 * i + 2]!]
      const d = Math.hypot(dx, dy, dz)
      const x = (dy * nz - dz * ny) / d
      const y = (dz * nx - dx * nz) / d
      const z = (dx * ny - dy * nx) / d
      const offset = x * points[3 * a]! + y * points[3 * a + 1]! + z * points[3 * a + 2]!
      sides.set([x, y, z, offset], 4 * (starts[i]! + k))
    }
  return sides
}

function between(points: Float64Array, from: number, to: number, unit: number): [number, number, number] {
  const a = 3 * from
  const b = 3 * to
  return [
    (points[b]! - points[a]!) / unit,
    (points[b + 1]! - points[a + 1]!) / unit,
    (points[b + 2]! - points[a + 2]!) / unit,
  ]
}
