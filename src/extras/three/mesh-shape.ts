import { BufferAttribute, BufferGeometry, Matrix4, Vector3 } from 'three'
import { MeshBVH, SAH } from 'three-mesh-bvh'
import type { Vec3, Vec3Like } from '../../core/types.js'
import type { Triangles } from '../../core/obstacles/mesh-maker.js'
import type { Shape } from '../../core/obstacles/shape.js'
import { SLIDE, sizeOf, TOUCH } from '../../core/obstacles/sweep.js'
import { TreeNodes } from '../../core/obstacles/tree-nodes.js'
import { requireFinite, requireObject, requireVector, refuse } from '../../core/math/require.js'
import {
  addScaled,
  copy,
  cross,
  dot,
  isZero,
  length,
  load,
  normalize,
  scale,
  set,
  sub,
  vec3,
} from '../../core/math/vec3.js'
import { closeCracks, outwardNormals } from './outward-normals.js'
import { DistanceGrid } from './distance-grid.js'
import { TriangleTree } from './triangle-tree.js'

export interface MeshShapeOptions {
  /** Scale, applied before `matrix`: the `scale` of a mesh whose pose is followed. Not 0. Default 1. */
  scale?: number | Vec3Like
  /**
   * Transform from the axes of the geometry to those of the shape. A mirror image keeps its outside out.
   * Default none.
   */
  matrix?: Matrix4
  /**
   * True for a closed surface with an inside: distances inside are negative, and agents inside leave it.
   * Default false: a sheet without thickness, such as a terrain, which is touched from both sides.
   */
  solid?: boolean
}

/**
 * Deviations of coplanar triangles below this share of the size of the mesh do not stop a ball that slides
 * over them: they are those of single precision.
 */
const BUMP_SHARE = 1e-6
/** The direction to a surface nearer than this share of the size of the mesh is rounding noise. */
const NOISE_SHARE = 1e-12
/** Most pieces of the path out of a mesh. Each ends behind all triangles touched where it begins. */
const MAX_PIECES = 1000

/** Points whose answers are kept: an agent asks again for its place, its place after a turn, its goal. */
const RECENT = 4
/** Numbers of a point: position, normal, distance. */
const POINT = 7

/**
 * Any triangle mesh, through three-mesh-bvh: terrain, canyons, rocks. Distances and sweeps are exact, and
 * take some microseconds, so simple objects should have simple shapes. It has no outline, so the solver tries
 * a fan of directions past it. Later changes of the geometry are not seen.
 * @example
 * obstacles.add({ shape: new MeshShape(mesh.geometry, { scale: mesh.scale }), at: mesh })
 */
export class MeshShape implements Shape {
  readonly kind = 'mesh'
  /** Whether the mesh has an inside. */
  readonly solid: boolean
  /** `[9 × triangles]`, m, in the order of the tree. */
  private readonly corners: Float32Array
  /** Largest coordinate of the corners, m. */
  private readonly size: number
  private readonly normals: Float64Array | null
  private readonly triangles: TriangleTree
  private readonly grid: DistanceGrid
  private readonly recentPoints = new Float64Array(RECENT * POINT).fill(NaN)
  private lastPoint = 0
  private readonly normal: Vec3 = vec3()
  private readonly point: Vec3 = vec3()
  private readonly out: Vec3 = vec3()
  private readonly side: Vec3 = vec3()

  /**
   * Reads the positions of a geometry, or lists of triangles, once.
   * @throws TypeError / RangeError for a geometry without triangles, for positions or options that are not
   * finite, and, when `solid`, for a surface with open edges or with its faces inwards.
   */
  constructor(geometry: BufferGeometry | Triangles, options: MeshShapeOptions = {}) {
    const { scale: size = 1, matrix, solid = false } = requireObject('MeshShape.options', options)
    if (typeof solid !== 'boolean') refuse('MeshShape.solid', solid, 'must be true or false')
    const corners = trianglesOf(geometryOf(geometry), transformOf(size, matrix), solid)
    const copied = new BufferGeometry().setAttribute('position', new BufferAttribute(corners, 3))
    const nodes = nodesOf(new MeshBVH(copied, { strategy: SAH }), corners.length / 9)
    this.corners = new Float32Array(corners.length)
    for (let i = 0; i < corners.length / 3; i++) {
      const corner = 3 * copied.index!.getX(i)
      this.corners.set(corners.subarray(corner, corner + 3), 3 * i)
    }
    this.size = corners.reduce((most, each) => Math.max(most, Math.abs(each)), 0)
    this.solid = solid
    this.normals = solid ? outwardNormals('MeshShape.solid', this.corners) : null
    this.triangles = new TriangleTree(this.corners, nodes)
    this.grid = new DistanceGrid(nodes.bounds, corners.length / 9, (point) => {
      this.triangles.seek(point)
      return length(sub(this.side, point, this.triangles.point))
    })
  }

  /** See {@link Shape.distance}. Of a sheet never negative; the normal points to the side of `point`. */
  distance(point: Vec3Like, normal: Vec3): number {
    const { recentPoints: recent } = this
    const { x, y, z } = point
    for (let k = 0; k < recent.length; k += POINT)
      if (recent[k] === x && recent[k + 1] === y && recent[k + 2] === z) {
        set(normal, recent[k + 3]!, recent[k + 4]!, recent[k + 5]!)
        return recent[k + 6]!
      }
    const k = (this.lastPoint = (this.lastPoint + POINT) % recent.length)
    recent[k + 6] = this.measure(point, normal)
    recent[k] = x
    recent[k + 1] = y
    recent[k + 2] = z
    recent[k + 3] = normal.x
    recent[k + 4] = normal.y
    recent[k + 5] = normal.z
    return recent[k + 6]!
  }

  /** See {@link Shape.isBeyond}. Inside of a solid no distance says so. */
  isBeyond(point: Vec3Like, distance: number): boolean {
    return !this.solid && this.grid.isBeyond(point, distance)
  }

  private measure(point: Vec3Like, normal: Vec3): number {
    const { triangles } = this
    triangles.seek(point)
    sub(normal, point, triangles.point)
    const d = length(normal)
    if (d <= NOISE_SHARE * (sizeOf(point, 0) + this.size)) {
      normalize(normal, this.outwardAt(0, normal))
      if (isZero(normal)) normal.y = 1
      return this.normals === null ? d : 0
    }
    scale(normal, normal, 1 / d)
    if (this.normals === null || dot(normal, this.outwardAt(triangles.part, this.out)) >= 0) return d
    scale(normal, normal, -1)
    return -d
  }

  sweep(origin: Vec3Like, direction: Vec3Like, radius: number, limit: number): number {
    const { grid, point, normal, triangles } = this
    // inside of a solid the surface is not all that counts
    if (!this.solid && grid.isFree(origin, direction, radius, limit)) return Infinity
    const distance = this.distance(origin, normal)
    const slope = dot(normal, direction)
    const size = sizeOf(origin, radius) + this.size
    if (distance - radius > TOUCH * size) return triangles.meet(origin, direction, radius, limit, 0)
    const isTouching = Math.abs(distance) <= BUMP_SHARE * size
    // for a sheet that goes through the centre either side is as good
    if (slope < -SLIDE && !(isTouching && this.normals === null)) {
      const distanceLeft = (distance - radius) / -slope
      if (distanceLeft >= 0) return distanceLeft <= limit ? distanceLeft : Infinity
      // where two parts are as near (the middle of a solid) the path ahead may lead out nevertheless
      this.distance(addScaled(point, origin, direction, TOUCH * size), normal)
      if (dot(normal, direction) < -SLIDE) return 0
    }
    if (distance > BUMP_SHARE * size)
      return triangles.meet(origin, direction, distance - BUMP_SHARE * size, limit, 0)
    // first out of the solid, then off the surface
    const out = isTouching ? 0 : triangles.meet(origin, direction, 0, limit, 0)
    if (out === Infinity) return Infinity
    const more = triangles.meet(
      addScaled(point, origin, direction, out),
      direction,
      0,
      limit - out,
      BUMP_SHARE * size,
    )
    return out + more
  }

  leave(origin: Vec3Like, direction: Vec3Like, radius: number): number {
    const { point, normal, triangles } = this
    let t = 0
    copy(point, origin)
    for (let i = 0; i < MAX_PIECES; i++) {
      const distance = this.distance(point, normal)
      const least = TOUCH * (sizeOf(point, radius) + this.size)
      if (distance >= radius - (i > 0 ? least : 0)) return t
      // the centre must come out before the ball can
      const piece =
        distance < -least
          ? triangles.meet(point, direction, 0, Infinity, least)
          : triangles.leave(point, direction, radius)
      if (piece === Infinity) return Infinity
      t += Math.max(piece, least)
      addScaled(point, origin, direction, t)
    }
    return Infinity
  }

  support(direction: Vec3Like): number {
    return this.triangles.support(direction)
  }

  /** Writes the outward direction of the surface at a part of the nearest triangle, of any length. */
  private outwardAt(part: number, out: Vec3): Vec3 {
    const { corners, normals, side } = this
    const { index } = this.triangles
    if (normals !== null) {
      return load(out, normals, 3 * (7 * index + part))
    }
    const i = 9 * index
    set(
      out,
      corners[i + 3]! - corners[i]!,
      corners[i + 4]! - corners[i + 1]!,
      corners[i + 5]! - corners[i + 2]!,
    )
    set(
      side,
      corners[i + 6]! - corners[i]!,
      corners[i + 7]! - corners[i + 1]!,
      corners[i + 8]! - corners[i + 2]!,
    )
    return cross(out, out, side)
  }
}

function geometryOf(source: BufferGeometry | Triangles): BufferGeometry {
  if (typeof source !== 'object' || source === null || !('vertices' in source)) return source
  const positions = new BufferAttribute(source.vertices, 3)
  return new BufferGeometry()
    .setAttribute('position', positions)
    .setIndex(new BufferAttribute(source.indices, 1))
}

function transformOf(size: number | Vec3Like, matrix: Matrix4 | undefined): Matrix4 {
  if (typeof size === 'number') requireFinite('MeshShape.scale', size, -Number.MAX_VALUE, false)
  else requireVector('MeshShape.scale', size)
  const { x, y, z } = typeof size === 'number' ? { x: size, y: size, z: size } : size
  if (x === 0 || y === 0 || z === 0)
    throw new RangeError(`MeshShape.scale: got (${x}, ${y}, ${z}), must not be 0 in any direction`)
  const scaling = new Matrix4().makeScale(x, y, z)
  if (matrix === undefined) return scaling
  if ((matrix as Partial<Matrix4> | null)?.elements?.length !== 16)
    refuse('MeshShape.matrix', matrix, 'must be a THREE.Matrix4')
  const volume = matrix.determinant()
  if (!Number.isFinite(volume) || volume === 0 || !matrix.elements.every(Number.isFinite))
    throw new RangeError(`MeshShape.matrix: got determinant ${volume}, must be finite and not 0`)
  return scaling.premultiply(matrix)
}

/** Copies the tree of three-mesh-bvh into our nodes, since queries by its own functions allocate. */
function nodesOf(bvh: MeshBVH, triangles: number): TreeNodes {
  const nodes = new TreeNodes()
  // a leaf may contain a single triangle
  nodes.reserve(2 * triangles)
  for (let i = 0; i < triangles; i++) nodes.order[i] = i
  const open: number[] = []
  bvh.traverse((depth, isLeaf, _bounds, offset, count) => {
    const node = nodes.nodes++
    // finished branches: those as deep as this node, and deeper
    for (const done of open.splice(depth)) nodes.after[done] = node
    open[depth] = node
    nodes.start[node] = isLeaf ? offset : -1
    nodes.end[node] = isLeaf ? offset + count : -1
  })
  for (const done of open) nodes.after[done] = nodes.nodes
  // an inner node has the triangles of its two children
  for (let node = nodes.nodes - 1; node >= 0; node--) {
    if (nodes.start[node]! >= 0) continue
    nodes.start[node] = nodes.start[node + 1]!
    nodes.end[node] = nodes.end[nodes.after[node + 1]!]!
  }
  return nodes
}

/** `[9 × triangles]` in the axes of the shape; without cracks when `solid`. */
function trianglesOf(geometry: BufferGeometry, matrix: Matrix4, solid: boolean): Float32Array {
  const positions = geometry?.getAttribute?.('position')
  if (!geometry?.isBufferGeometry || positions === undefined)
    refuse('MeshShape.geometry', geometry, 'must be a THREE.BufferGeometry with positions')
  const { index } = geometry
  const count = Math.floor((index ?? positions).count / 3)
  const mirror = matrix.determinant() < 0
  const corners = new Float32Array(9 * count)
  const corner = new Vector3()
  for (let i = 0; i < 3 * count; i++) {
    const vertex = mirror ? i + 2 - 2 * (i % 3) : i
    corner.fromBufferAttribute(positions, index === null ? vertex : index.getX(vertex)).applyMatrix4(matrix)
    corners.set([corner.x, corner.y, corner.z], 3 * i)
    if (!Number.isFinite(corners[3 * i]! + corners[3 * i + 1]! + corners[3 * i + 2]!))
      throw new RangeError(
        `MeshShape.geometry: got vertex ${vertex} point (${corner.x}, ${corner.y}, ${corner.z}), must be finite`,
      )
  }
  if (solid) closeCracks(corners)
  const whole = withoutPoints(corners)
  if (whole.length === 0) throw new RangeError('MeshShape.geometry: got no triangles, must have one or more')
  return whole
}

/** Removes triangles of which two corners coincide. */
function withoutPoints(corners: Float32Array): Float32Array {
  const same = (a: number, b: number): boolean =>
    corners[a] === corners[b] && corners[a + 1] === corners[b + 1] && corners[a + 2] === corners[b + 2]
  let end = 0
  for (let i = 0; i < corners.length; i += 9) {
    if (same(i, i + 3) || same(i + 3, i + 6) || same(i + 6, i)) continue
    corners.copyWithin(end, i, i + 9)
    end += 9
  }
  return corners.slice(0, end)
}
