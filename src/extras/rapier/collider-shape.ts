import type { QuatLike, Vec3, Vec3Like } from '../../core/types.js'
import { copy, length, set, vec3 } from '../../core/math/vec3.js'
import type { RapierCollider } from './types.js'

/** Values of `RAPIER.ShapeType`. Written out, because the package does not load Rapier. */
export const BALL = 0
export const CAPSULE = 2
export const HALF_SPACE = 17

const extents = vec3()

/** The fields of the shapes of Rapier that are read here. */
export interface RapierShape {
  readonly type: number
  readonly radius?: number
  readonly halfHeight?: number
  readonly halfExtents?: Vec3Like
  readonly borderRadius?: number
  readonly normal?: Vec3Like
  readonly a?: Vec3Like
  readonly b?: Vec3Like
  readonly c?: Vec3Like
  readonly vertices?: Float32Array
  readonly indices?: Uint32Array | null
  readonly nrows?: number
  readonly ncols?: number
  readonly heights?: Float32Array
  readonly scale?: Vec3Like
  readonly data?: Float32Array | Int32Array
  readonly voxelSize?: Vec3Like
  readonly shapes?: readonly RapierShape[]
  readonly positions?: readonly Vec3Like[]
  readonly rotations?: readonly QuatLike[]
}

/** Radius (m) of the ball around the origin of a shape of Rapier; Infinity for a half-space. */
export function shapeRadius(shape: RapierShape): number {
  const { borderRadius = 0, halfExtents, halfHeight = 0, heights, radius = 0, scale, type } = shape
  const { a, b, c = a, data, positions, shapes, vertices, voxelSize } = shape
  let reach = 0
  if (type === HALF_SPACE) return Infinity
  if (type === BALL) reach = radius
  else if (type === CAPSULE) reach = radius + halfHeight
  else if (halfExtents !== undefined) reach = length(halfExtents)
  else if (vertices !== undefined)
    for (let i = 0; i < vertices.length; i += 3)
      reach = Math.max(reach, Math.hypot(vertices[i]!, vertices[i + 1]!, vertices[i + 2]!))
  else if (a !== undefined) reach = Math.max(length(a), length(b!), length(c!))
  else if (heights !== undefined)
    reach = Math.hypot(
      scale!.x / 2,
      scale!.y * heights.reduce((m, y) => Math.max(m, Math.abs(y)), 0),
      scale!.z / 2,
    )
  else if (shapes !== undefined)
    for (const [i, part] of shapes.entries())
      reach = Math.max(reach, length(positions![i]!) + shapeRadius(part))
  else if (data !== undefined)
    for (let i = 0; i < data.length; i += 3) {
      const farthest = (k: number): number => Math.max(Math.abs(data[i + k]!), Math.abs(data[i + k]! + 1))
      const { x, y, z } = voxelSize!
      reach = Math.max(reach, Math.hypot(farthest(0) * x, farthest(1) * y, farthest(2) * z))
    }
  else reach = Math.hypot(radius, halfHeight)
  return reach + borderRadius
}

/** Writes half of the size (m) of the box around a shape of Rapier, in its axes. */
export function shapeExtents(out: Vec3, shape: RapierShape): Vec3 {
  const { borderRadius = 0, halfExtents, halfHeight, radius, type } = shape
  if (halfExtents !== undefined) copy(out, halfExtents)
  else if (radius !== undefined && halfHeight !== undefined)
    set(out, radius, halfHeight + (type === CAPSULE ? radius : 0), radius)
  else return set(out, shapeRadius(shape), shapeRadius(shape), shapeRadius(shape))
  return set(out, out.x + borderRadius, out.y + borderRadius, out.z + borderRadius)
}

/** How far (m) a box of this half size reaches along a unit direction in its axes. */
export function boxExtent({ x, y, z }: Vec3Like, half: Vec3Like): number {
  return Math.abs(x) * half.x + Math.abs(y) * half.y + Math.abs(z) * half.z
}

/** The shape of a collider, read anew where a setter such as `setRadius` has outdated Rapier's copy. */
export function shapeNow(collider: RapierCollider): RapierShape {
  const { shape }: { shape: RapierShape } = collider
  const { borderRadius, halfExtents, halfHeight, radius } = shape
  const isStale =
    (radius !== undefined && Math.fround(radius) !== collider.radius()) ||
    (halfHeight !== undefined && Math.fround(halfHeight) !== collider.halfHeight()) ||
    (borderRadius !== undefined && Math.fround(borderRadius) !== collider.roundRadius()) ||
    (halfExtents !== undefined && !isSame(halfExtents, collider.halfExtents(extents) ?? halfExtents))
  if (!isStale) return shape
  collider.clearShapeCache?.()
  return collider.shape
}

function isSame(a: Vec3Like, b: Vec3Like): boolean {
  return Math.fround(a.x) === b.x && Math.fround(a.y) === b.y && Math.fround(a.z) === b.z
}
