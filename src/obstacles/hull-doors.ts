import type { Vec3Like } from '../types.js'
import { requireVector } from '../math/require.js'
import { heights, type Faces, type Polytope } from './polytope.js'

/** Relative to the size of the hull: what lies off a plane by less is on it. Room for numbers of single precision. */
const FLAT = 1e-5

/** Vertices that are finite and used, faces of three or more of them, a closed surface. @throws TypeError / RangeError */
export function requireSurface(vertices: readonly Vec3Like[], faces: Faces): void {
  requireFour('vertices', vertices)
  requireFour('faces', faces)
  for (const [i, vertex] of vertices.entries()) requireVector(`HullShape.vertices[${i}]`, vertex)
  const used = new Set<number>()
  const sides = new Map<string, number>()
  for (const [i, face] of faces.entries()) {
    requireFace(i, face, vertices.length)
    for (const [k, a] of face.entries()) {
      used.add(a)
      const side = `${a} to ${face[(k + 1) % face.length]!}`
      if (sides.has(side))
        throw new RangeError(
          `HullShape.faces[${i}]: goes from vertex ${side} as faces[${sides.get(side)}] does, one of them is turned round`,
        )
      sides.set(side, i)
    }
  }
  for (const i of vertices.keys())
    if (!used.has(i)) throw new RangeError(`HullShape.vertices[${i}]: is used by no face`)
  for (const [side, i] of sides)
    if (!sides.has(side.split(' to ').reverse().join(' to ')))
      throw new RangeError(
        `HullShape.faces[${i}]: from vertex ${side} there is no other face, the surface must be closed`,
      )
}

/**
 * Flat faces, none of which a vertex stands out of, and a volume. Planes that a vertex does stand out of by a rounding error are
 * raised to it. @throws RangeError
 */
export function requireConvex(hull: Polytope, faces: Faces): void {
  const flat = FLAT * hull.size
  let thinnest = Infinity
  for (const [i, face] of faces.entries()) {
    const name = `HullShape.faces[${i}]`
    const [nx, ny, nz, offset] = hull.planes.subarray(4 * i) as unknown as [number, number, number, number]
    if (!Number.isFinite(nx + ny + nz))
      throw new RangeError(`${name}: got [${face.join(', ')}], which has no area`)
    for (const v of face) {
      const [x, y, z] = hull.vertices.subarray(3 * v) as unknown as [number, number, number]
      const below = offset - (nx * x + ny * y + nz * z)
      if (below > flat)
        throw new RangeError(`${name}: is not flat, vertices[${v}] lies ${below} m below its plane`)
    }
    const { high, low, highest } = heights(hull, i)
    if (high > flat && low >= -flat)
      throw new RangeError(`${name}: runs clockwise as seen from outside, must run counterclockwise`)
    if (high > flat)
      throw new RangeError(
        `HullShape: is not convex, vertices[${highest}] stands ${high} m out of faces[${i}]`,
      )
    thinnest = Math.min(thinnest, high - low)
    hull.planes[4 * i + 3] = offset + Math.max(0, high)
  }
  if (!(thinnest > flat))
    throw new RangeError(`HullShape: got a thickness of ${thinnest} m, must not be flat`)
}

function requireFour(name: string, value: unknown): void {
  if (!Array.isArray(value)) throw new TypeError(`HullShape.${name}: got ${String(value)}, must be an array`)
  if (value.length < 4) throw new RangeError(`HullShape.${name}: got ${value.length}, must be 4 or more`)
}

function requireFace(i: number, face: readonly number[], vertices: number): void {
  if (!Array.isArray(face))
    throw new TypeError(`HullShape.faces[${i}]: got ${String(face)}, must be an array of vertex numbers`)
  if (face.length < 3 || new Set(face).size < face.length)
    throw new RangeError(
      `HullShape.faces[${i}]: got [${face.join(', ')}], must be three or more different vertices`,
    )
  for (const vertex of face as readonly unknown[])
    if (!Number.isInteger(vertex) || (vertex as number) < 0 || (vertex as number) >= vertices)
      throw new RangeError(
        `HullShape.faces[${i}]: got vertex ${String(vertex)}, must be a whole number from 0 to ${vertices - 1}`,
      )
}
