import type { Vec3, Vec3Like } from '../../core/types.js'
import type { OutlineSink } from '../../core/obstacles/shape.js'
import { set } from '../../core/math/vec3.js'
import { polytopeOutline } from '../../core/obstacles/outline.js'
import { polytope, type Faces, type Polytope, heights } from '../../core/obstacles/polytope.js'
import { ConvexShape } from '../../core/obstacles/convex-shape.js'
import {
  requireVector,
  refuse,
  requireObject,
  outOfRange,
  requireList,
  unchecked,
} from '../../core/math/require.js'
import type { AnyTable, Options, OptionsOf } from '../../core/math/options.js'

export interface HullOptions extends Options, OptionsOf<typeof HullShape.options> {}

/** A point nearer to an edge than this share of the size of the body lies on the edge. */
const ON_EDGE = 1e-12

/**
 * Neighbouring faces that deviate from one plane by less than this share of the size are taken as coplanar:
 * the precision of vertices in single precision.
 */
const FLUSH = 1e-6

/** A convex polyhedron, as `CANNON.ConvexPolyhedron`. Faces may lie in one plane (triangles of a quad). */
export class HullShape extends ConvexShape {
  static readonly options = {
    /** Vertices (m) in the axes of the shape. At least four, each used by a face. */
    vertices: { kind: ['vector'], required: true, unit: 'm', check: unchecked<readonly Vec3Like[]> },
    /**
     * For each face the indices of its vertices, counterclockwise as seen from outside. At least four faces.
     */
    faces: { kind: [['number']], required: true, check: unchecked<Faces> },
  } as const satisfies AnyTable

  readonly kind = 'hull'
  /** Faces and edges. @internal */
  readonly body: Polytope
  readonly faceNormals: ArrayLike<number>
  /** As given. @internal */
  readonly faces: Faces

  /**
   * Vertices and faces are read once.
   * @throws TypeError / RangeError for numbers that are not finite, for vertices that no face uses, for faces
   * that run clockwise as seen from outside, are not flat or have no area, and for a surface that is not
   * closed, not convex or has no thickness.
   */
  constructor(options: HullOptions) {
    super()
    const { vertices, faces } = requireObject('HullShape', options)
    requireSurface(vertices, faces)
    this.body = polytope(vertices, faces)
    this.faces = faces.map((face) => [...face])
    requireConvex(this.body, faces)
    // the normal of each plane, without its offset
    this.faceNormals = this.body.planes.filter((_, i) => i % 4 < 3)
  }

  distance(point: Vec3Like, normal: Vec3): number {
    const { planes, starts } = this.body
    let highest = 0
    let high = -Infinity
    for (let i = 0; i + 1 < starts.length; i++) {
      const height = this.height(i, point)
      if (height <= high) continue
      high = height
      highest = i
    }
    set(normal, planes[4 * highest]!, planes[4 * highest + 1]!, planes[4 * highest + 2]!)
    if (high <= 0) return high
    // marginally above the plane of one face and over its neighbour, which is almost coplanar: on the surface
    const flush = high < FLUSH * this.body.size ? -FLUSH * this.body.size : 0
    for (let i = 0; i + 1 < starts.length; i++) {
      const height = this.height(i, point)
      if (!(height > flush && this.isOver(i, point))) continue
      // the nearest point of a body below a face lies in the plane of that face
      if (height > 0) set(normal, planes[4 * i]!, planes[4 * i + 1]!, planes[4 * i + 2]!)
      return height > 0 ? height : high
    }
    return this.distanceToEdges(point, normal, high)
  }

  support({ x, y, z }: Vec3Like): number {
    const { vertices } = this.body
    let far = -Infinity
    for (let i = 0; i < vertices.length; i += 3) {
      const along = x * vertices[i]! + y * vertices[i + 1]! + z * vertices[i + 2]!
      if (along > far) far = along
    }
    return far
  }

  outline(from: Vec3Like, radius: number, rim: OutlineSink): void {
    polytopeOutline(this.body, from, radius, rim)
  }

  /** Height of a point above the plane of a face, m. */
  private height(face: number, { x, y, z }: Vec3Like): number {
    const { planes } = this.body
    const i = 4 * face
    return planes[i]! * x + planes[i + 1]! * y + planes[i + 2]! * z - planes[i + 3]!
  }

  private isOver(face: number, { x, y, z }: Vec3Like): boolean {
    const { sides, starts } = this.body
    const end = 4 * starts[face + 1]!
    for (let i = 4 * starts[face]!; i < end; i += 4)
      if (sides[i]! * x + sides[i + 1]! * y + sides[i + 2]! * z > sides[i + 3]!) return false
    return true
  }

  /**
   * Distance of a point that is outside, but over no face. `normal` holds that of the face whose plane is
   * `high` (m) below the point.
   */
  private distanceToEdges(point: Vec3Like, normal: Vec3, high: number): number {
    const { vertices, edges, spans, size } = this.body
    const { x, y, z } = point
    let leastSq = Infinity
    let nearX = 0
    let nearY = 0
    let nearZ = 0
    for (let i = 0; i < edges.length; i += 4) {
      const v = 3 * edges[i]!
      const dx = x - vertices[v]!
      const dy = y - vertices[v + 1]!
      const dz = z - vertices[v + 2]!
      const along = dx * spans[i]! + dy * spans[i + 1]! + dz * spans[i + 2]!
      const t = along < 0 ? 0 : along > spans[i + 3]! ? spans[i + 3]! : along
      const offsetX = dx - t * spans[i]!
      const offsetY = dy - t * spans[i + 1]!
      const offsetZ = dz - t * spans[i + 2]!
      const sq = offsetX * offsetX + offsetY * offsetY + offsetZ * offsetZ
      if (sq >= leastSq) continue
      leastSq = sq
      nearX = offsetX
      nearY = offsetY
      nearZ = offsetZ
    }
    const d = Math.sqrt(leastSq)
    // on the edge itself the direction to it is rounding noise, and the normal of the face is as good
    if (d <= ON_EDGE * size) return high
    set(normal, nearX / d, nearY / d, nearZ / d)
    return d
  }
}

/**
 * A vertex that deviates from a plane by less than this share of the size of the hull lies in the plane.
 * Allows for numbers in single precision.
 */
const FLAT = 1e-5

/**
 * Requires finite vertices that are used, faces of three or more vertices, and a closed surface.
 * @throws TypeError / RangeError
 */
function requireSurface(vertices: readonly Vec3Like[], faces: Faces): void {
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
 * Requires flat faces that no vertex lies above, and a volume. A plane is raised to a vertex that lies above
 * it by a rounding error.
 * @throws RangeError
 */
function requireConvex(hull: Polytope, faces: Faces): void {
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
  if (!Array.isArray(value)) refuse(`HullShape.${name}`, value, 'must be an array')
  if (value.length < 4) outOfRange(`HullShape.${name}`, value.length, 'must be 4 or more')
}

function requireFace(i: number, face: readonly number[], vertices: number): void {
  requireList(`HullShape.faces[${i}]`, face, 'vertex numbers')
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
