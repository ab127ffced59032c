import type { Vec3, Vec3Like } from '../../core/types.js'
import type { OutlineSink, Shape } from '../../core/obstacles/shape.js'
import { addScaled, dot, length, set, vec3 } from '../../core/math/vec3.js'
import { type OptionTable, readOptions } from '../../core/math/options.js'
import { polytopeOutline } from '../../core/obstacles/outline.js'
import { convexParts, isConvex, requirePolygon, type PlanPoint } from './polygon.js'
import { polytope, type Polytope } from '../../core/obstacles/polytope.js'
import { CENTER, leaveConvex, sizeOf, SLIDE, sweepConvex, TOUCH } from '../../core/obstacles/sweep.js'

/** A point nearer to a corner than this share of the size lies on it. */
const ON_CORNER = 1e-12
/**
 * Share of the size by which the convex parts are grown where a ball leaves them, so that none of their seams
 * is a gap. Far above rounding errors, and too little to be seen.
 */
const SEAM = 1e-11

/**
 * A polygon in the plane of the local x and z axes, extruded from y = 0 to y = `height`: a building, a wall
 * or an island from its floor plan. The polygon may be concave. Distances, sweeps and ways out are exact in
 * both cases. The time they take grows with the number of corners.
 * @example
 * const corners = [{ x: 0, z: 0 }, { x: 8, z: 0 }, { x: 3, z: 3 }, { x: 0, z: 9 }]
 * obstacles.add({ shape: new PrismShape(corners, 12), at: { x: 40, y: 0, z: -20 } })
 */
export class PrismShape implements Shape {
  static readonly options = {
    corners: { kind: 'data', required: true, unit: 'm', check: requirePolygon },
    height: { kind: 'number', required: true, unit: 'm', above: 0 },
  } satisfies OptionTable<{ corners: readonly PlanPoint[]; height: number }>

  readonly kind = 'prism'
  /** Whether the polygon is convex. */
  readonly convex: boolean
  /** The corners (m) in the order that turns from x to z. */
  readonly corners!: readonly PlanPoint[]
  /** m, > 0. */
  readonly height!: number
  /** Normals of the faces of a convex prism; undefined for a concave one. */
  readonly faceNormals?: ArrayLike<number>
  private readonly column: Column
  /** The convex prisms that make up a concave one; the prism itself if it is convex. */
  private readonly parts: readonly Column[]
  private readonly normal: Vec3 = vec3()
  private readonly point: Vec3 = vec3()

  /**
   * `corners` (m) are at least three points with x and z, in either direction of rotation. The last is joined
   * to the first, which is not repeated. `height` (m) is measured along +Y, from the plane of the corners.
   * @throws TypeError / RangeError for numbers that are not finite, fewer than three corners, corners that
   * coincide, edges that cross or touch each other, a polygon without area, and a height that is not above 0.
   */
  constructor(corners: readonly PlanPoint[], height: number) {
    Object.assign(this, readOptions('PrismShape', PrismShape.options, { corners, height }))
    this.column = new Column(this.corners, height)
    this.convex = isConvex(this.corners)
    if (this.convex) {
      this.parts = [this.column]
      this.faceNormals = this.column.body.planes.filter((_, i) => i % 4 < 3)
    } else this.parts = convexParts(this.corners).map((part) => new Column(part, height))
  }

  distance(point: Vec3Like, normal: Vec3): number {
    return this.column.distance(point, normal)
  }

  sweep(origin: Vec3Like, direction: Vec3Like, radius: number, limit: number): number {
    if (this.convex) return sweepConvex(this.column, origin, direction, radius, limit)
    const { column, normal, point } = this
    const distance = column.distance(origin, normal)
    const slope = dot(normal, direction)
    const size = sizeOf(origin, radius) + column.size
    const least = TOUCH * size
    if (distance - radius > least) return this.meet(origin, direction, radius, limit)
    if (slope < -SLIDE) {
      const t = (distance - radius) / -slope
      if (t >= 0) return t <= limit ? t : Infinity
      // where several walls are as near (the middle of a solid) the path may lead out nevertheless
      column.distance(addScaled(point, origin, direction, least), normal)
      if (dot(normal, direction) < -SLIDE) return 0
    }
    const t =
      distance > least
        ? this.meet(origin, direction, distance - least, limit)
        : column.deepen(origin, direction, Math.max(0, -distance) + least)
    return t <= limit ? t : Infinity
  }

  leave(origin: Vec3Like, direction: Vec3Like, radius: number): number {
    if (this.convex) return leaveConvex(this.column, origin, direction, radius)
    const { column, normal, parts, point } = this
    if (column.distance(origin, normal) >= radius) return 0
    const size = sizeOf(origin, radius) + column.size
    let t = 0
    // a line leaves a convex part once
    for (let round = 0; round < parts.length; round++) {
      addScaled(point, origin, direction, t)
      let piece = 0
      for (let i = 0; i < parts.length; i++)
        piece = Math.max(piece, leaveConvex(parts[i]!, point, direction, radius + SEAM * size))
      t += piece
      if (piece <= SEAM * size) break
    }
    return t
  }

  support(direction: Vec3Like): number {
    return this.column.support(direction)
  }

  /** That of a concave prism are the outlines of its convex parts. */
  outline(from: Vec3Like, radius: number, rim: OutlineSink): void {
    for (let i = 0; i < this.parts.length; i++) polytopeOutline(this.parts[i]!.body, from, radius, rim)
  }

  /** Distance (m) that a ball clear of all parts can fly until it touches one. */
  private meet(origin: Vec3Like, direction: Vec3Like, radius: number, limit: number): number {
    const { parts } = this
    let t = Infinity
    for (let i = 0; i < parts.length; i++)
      t = Math.min(t, sweepConvex(parts[i]!, origin, direction, radius, Math.min(t, limit)))
    return t
  }
}

/** A polygon from y = 0 to y = `height`, in flat arrays. */
class Column {
  /** Largest extent along an axis, m. */
  readonly size: number
  /** Faces and edges; of use only for a convex polygon. */
  readonly body: Polytope
  private readonly height: number
  /** `[5 × edges]`: x and z of the first corner, unit vector to the second corner, length (m). */
  private readonly edges: Float64Array
  /** Lowest x and z, highest x and z of the corners, m. */
  private readonly bounds: Float64Array
  private readonly normal: Vec3 = vec3()
  private readonly point: Vec3 = vec3()

  /** The corners turn from x to z. */
  constructor(corners: readonly PlanPoint[], height: number) {
    this.height = height
    this.edges = new Float64Array(5 * corners.length)
    for (const [i, { x, z }] of corners.entries()) {
      const next = corners[(i + 1) % corners.length]!
      const d = Math.hypot(next.x - x, next.z - z)
      this.edges.set([x, z, (next.x - x) / d, (next.z - z) / d, d], 5 * i)
    }
    const xs = corners.map(({ x }) => x)
    const zs = corners.map(({ z }) => z)
    this.bounds = Float64Array.of(Math.min(...xs), Math.min(...zs), Math.max(...xs), Math.max(...zs))
    this.body = bodyOf(corners, height)
    this.size = this.body.size
  }

  /** See {@link Shape.distance}. */
  distance(point: Vec3Like, normal: Vec3): number {
    const sideDistance = this.distanceToSide(point, normal)
    const { height } = this
    const { y } = point
    const sign = y < height / 2 ? -1 : 1
    const endDistance = sign < 0 ? -y : y - height
    if (sideDistance > CENTER && endDistance > CENTER) {
      set(normal, normal.x * sideDistance, sign * endDistance, normal.z * sideDistance)
      const d = length(normal)
      normal.x /= d
      normal.y /= d
      normal.z /= d
      return d
    }
    if (sideDistance >= endDistance) return sideDistance
    set(normal, 0, sign, 0)
    return endDistance
  }

  /** See {@link Shape.support}. */
  support({ x, y, z }: Vec3Like): number {
    const { edges } = this
    let far = -Infinity
    for (let i = 0; i < edges.length; i += 5) far = Math.max(far, x * edges[i]! + z * edges[i + 1]!)
    return far + (y > 0 ? y * this.height : 0)
  }

  /**
   * Distance (m) that the point `origin` can fly until it lies more than `depth` (m) inside, where it does
   * not at the start; Infinity if it never does.
   */
  deepen(origin: Vec3Like, direction: Vec3Like, depth: number): number {
    const { edges, height, normal, point } = this
    const rounding = ON_CORNER * (sizeOf(origin, depth) + this.size)
    // where the point is between the ends, deeper than `depth`
    let start = 0
    let end = Infinity
    if (direction.y === 0) {
      if (!(origin.y > depth && origin.y < height - depth)) return Infinity
    } else {
      const low = (depth - origin.y) / direction.y
      const high = (height - depth - origin.y) / direction.y
      start = Math.max(0, Math.min(low, high))
      end = Math.max(low, high)
    }
    let t = start
    // each round passes all edges that are near, or the free way to the next
    while (t < end) {
      let near = t
      let next = Infinity
      for (let i = 0; i < edges.length; i += 5) {
        this.pass(i, origin, direction, depth)
        if (this.last > near && this.first <= t + rounding) near = this.last
        else if (this.first > t && this.first < next) next = this.first
      }
      if (near > t + rounding) {
        t = near
        continue
      }
      if (this.distanceToSide(addScaled(point, origin, direction, t), normal) < 0) return t
      if (next === Infinity) return Infinity
      t = next
    }
    return Infinity
  }

  private first = 0.5
  private last = 0.5

  /**
   * Sets `first` and `last` to the part of a path (m) on which its point is at most `depth` from an edge,
   * seen along y: that near to its straight line or to the corner where it begins. Infinity and −Infinity if
   * it never is.
   */
  private pass(i: number, origin: Vec3Like, direction: Vec3Like, depth: number): void {
    const { edges } = this
    const ex = edges[i + 2]!
    const ez = edges[i + 3]!
    const span = edges[i + 4]!
    const dx = origin.x - edges[i]!
    const dz = origin.z - edges[i + 1]!
    // position and direction along the edge and across it
    const u = dx * ex + dz * ez
    const w = dx * ez - dz * ex
    const du = direction.x * ex + direction.z * ez
    const dw = direction.x * ez - direction.z * ex
    this.first = Infinity
    this.last = -Infinity
    let start = -Infinity
    let end = Infinity
    if (dw !== 0) {
      const a = (-depth - w) / dw
      const b = (depth - w) / dw
      start = Math.min(a, b)
      end = Math.max(a, b)
    } else if (Math.abs(w) > depth) return
    if (du !== 0) {
      const a = -u / du
      const b = (span - u) / du
      start = Math.max(start, Math.min(a, b))
      end = Math.min(end, Math.max(a, b))
    } else if (u < 0 || u > span) end = -Infinity
    if (start <= end) {
      this.first = start
      this.last = end
    }
    const speedSq = du * du + dw * dw
    // the least distance to the corner where it begins, and the path that lies in the circle around it: the
    // other corner is the next edge's
    if (!(speedSq > 0)) {
      if (u * u + w * w > depth * depth) return
      this.first = -Infinity
      this.last = Infinity
      return
    }
    const aside = (u * dw - w * du) / Math.sqrt(speedSq)
    const halfSq = (depth * depth - aside * aside) / speedSq
    if (!(halfSq >= 0)) return
    const middle = -(u * du + w * dw) / speedSq
    const half = Math.sqrt(halfSq)
    this.first = Math.min(this.first, middle - half)
    this.last = Math.max(this.last, middle + half)
  }

  /** Distance (m) to the polygon in its plane, negative inside, and its direction, as in `Shape.distance`. */
  private distanceToSide({ x, z }: Vec3Like, normal: Vec3): number {
    const { edges, bounds, size } = this
    // so far that the numbers cannot tell the front from the back
    const isFar =
      x < bounds[0]! - size || z < bounds[1]! - size || x > bounds[2]! + size || z > bounds[3]! + size
    let leastSq = Infinity
    let nearest = 0
    let nearU = 0
    for (let i = 0; i < edges.length; i += 5) {
      const dx = x - edges[i]!
      const dz = z - edges[i + 1]!
      const u = dx * edges[i + 2]! + dz * edges[i + 3]!
      const w = dx * edges[i + 3]! - dz * edges[i + 2]!
      // from outside the nearest edge is seen from its front
      if (isFar && w < 0) continue
      const beyond = u < 0 ? u : u > edges[i + 4]! ? u - edges[i + 4]! : 0
      const sq = w * w + beyond * beyond
      if (sq >= leastSq) continue
      leastSq = sq
      nearest = i
      nearU = u
    }
    const dx = x - edges[nearest]!
    const dz = z - edges[nearest + 1]!
    const ex = edges[nearest + 2]!
    const ez = edges[nearest + 3]!
    // the outward normal of the edge is (ez, −ex)
    const w = dx * ez - dz * ex
    const span = edges[nearest + 4]!
    set(normal, ez, 0, -ex)
    if (nearU >= 0 && nearU <= span) return w
    const other =
      nearU < 0
        ? (nearest === 0 ? edges.length : nearest) - 5
        : nearest + 5 === edges.length
          ? 0
          : nearest + 5
    const offsetX = nearU < 0 ? dx : dx - span * ex
    const offsetZ = nearU < 0 ? dz : dz - span * ez
    // the square loses the digits of very small numbers
    set(normal, offsetX, 0, offsetZ)
    const d = length(normal)
    if (d <= ON_CORNER * this.size) {
      set(normal, ez, 0, -ex)
      return w
    }
    // outside on the side of the sum of both normals (Baerentzen and Aanaes, Signed Distance Computation
    // Using the Angle Weighted Pseudonormal, 2005)
    const side =
      !isFar && offsetX * (ez + edges[other + 3]!) - offsetZ * (ex + edges[other + 2]!) < 0 ? -1 : 1
    set(normal, (side * offsetX) / d, 0, (side * offsetZ) / d)
    return side * d
  }
}

/** The faces and edges of an extruded polygon whose corners turn from x to z. */
function bodyOf(corners: readonly PlanPoint[], height: number): Polytope {
  const vertices = corners.flatMap(({ x, z }) => [vec3(x, 0, z), vec3(x, height, z)])
  const bottom = corners.map((_, i) => 2 * i)
  const top = corners.map((_, i) => 2 * i + 1).reverse()
  const sides = bottom.map((a, i) => {
    const b = bottom[(i + 1) % bottom.length]!
    return [a, a + 1, b + 1, b]
  })
  return polytope(vertices, [bottom, top, ...sides])
}
