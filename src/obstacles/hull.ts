import type { Vec3, Vec3Like } from '../types.js'
import type { OutlineSink, Shape } from './shape.js'
import { set } from '../math/vec3.js'
import { requireConvex, requireSurface } from './hull-doors.js'
import { polytopeOutline } from './outline.js'
import { polytope, type Faces, type Polytope } from './polytope.js'
import { leaveConvex, sweepConvex } from './sweep.js'

export interface HullOptions {
  /** m, in the axes of the shape. At least four, each used by a face. */
  vertices: readonly Vec3Like[]
  /** For each face the numbers of its vertices, counterclockwise as seen from outside. At least four faces. */
  faces: Faces
}

/** Relative to the size of the body: what is nearer to an edge is on it. */
const ON_EDGE = 1e-12

/** Faces this near to one plane (share of the size) are flush: vertices in single precision do not tell. */
const FLUSH = 1e-6

/** A convex polyhedron, as `CANNON.ConvexPolyhedron` has it. Neighbouring faces may lie in one plane (triangles of a quad). */
export class HullShape implements Shape {
  readonly kind = 'hull'
  readonly convex = true
  /** @internal Its faces and edges. */
  readonly body: Polytope
  readonly faceNormals: ArrayLike<number>
  /** As given. @internal */
  readonly faces: Faces

  /**
   * Vertices and faces are read once.
   * @throws TypeError / RangeError for numbers that are not finite, vertices that no face uses, faces that run clockwise as seen from
   * outside, are bent or have no area, and for a surface that is not closed, not convex or flat.
   */
  constructor({ vertices, faces }: HullOptions) {
    requireSurface(vertices, faces)
    this.body = polytope(vertices, faces)
    this.faces = faces.map((face) => [...face])
    requireConvex(this.body, faces)
    // of each plane the normal, without the offset
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
    for (let i = 0; i + 1 < starts.length; i++) {
      const height = this.height(i, point)
      // over a face the plane of that face is the nearest there is
      if (!(height > 0 && this.isOver(i, point))) continue
      set(normal, planes[4 * i]!, planes[4 * i + 1]!, planes[4 * i + 2]!)
      return height
    }
    // a hair above the plane of one face and over its neighbour, which lies almost in that plane: on the surface
    if (high < FLUSH * this.body.size)
      for (let i = 0; i + 1 < starts.length; i++)
        if (this.height(i, point) > -FLUSH * this.body.size && this.isOver(i, point)) return high
    return this.distanceToEdges(point, normal, high)
  }

  sweep(origin: Vec3Like, direction: Vec3Like, radius: number, limit: number): number {
    return sweepConvex(this, origin, direction, radius, limit)
  }

  leave(origin: Vec3Like, direction: Vec3Like, radius: number): number {
    return leaveConvex(this, origin, direction, radius)
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

  /** Height over the plane of a face. */
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

  /** For points outside that are over no face. `normal` holds that of the face whose plane is `high` below. */
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
      const ex = dx - t * spans[i]!
      const ey = dy - t * spans[i + 1]!
      const ez = dz - t * spans[i + 2]!
      const sq = ex * ex + ey * ey + ez * ez
      if (sq >= leastSq) continue
      leastSq = sq
      nearX = ex
      nearY = ey
      nearZ = ez
    }
    const d = Math.sqrt(leastSq)
    // on the edge itself the way to it is noise, and the normal of the face is as good
    if (d <= ON_EDGE * size) return high
    set(normal, nearX / d, nearY / d, nearZ / d)
    return d
  }
}
