import type { Vec3Like, QuatLike } from '../../core/types.js'
import { BoxShape } from '../../core/obstacles/box.js'
import { CapsuleShape } from '../../core/obstacles/capsule.js'
import { convexHull } from '../../blocks/shapes/convex-hull.js'
import { CylinderShape } from '../../core/obstacles/cylinder.js'
import { HalfSpaceShape } from '../../core/obstacles/half-space.js'
import { meshFrom, type MeshMaker, type Triangles } from '../../core/obstacles/mesh-maker.js'
import type { Shape } from '../../core/obstacles/shape.js'
import { SphereShape } from '../../core/obstacles/sphere.js'
import { quat, quatBetween } from '../../core/math/quat.js'
import { addScaled, distance, normalize, sub, vec3 } from '../../core/math/vec3.js'
import { ConeShape } from './cone.js'
import { RoundedShape } from './rounded.js'
import { HALF_SPACE, BALL, CAPSULE, type RapierShape } from './collider-shape.js'

/** Values of `RAPIER.ShapeType`. Written out, because the package does not load Rapier. */
const CUBOID = 1
const SEGMENT = 3
const POLYLINE = 4
const TRIANGLE = 5
const TRIMESH = 6
const HEIGHTFIELD = 7
const COMPOUND = 8
const CONVEX = 9
const CYLINDER = 10
const CONE = 11
const ROUND_CUBOID = 12
const ROUND_TRIANGLE = 13
const ROUND_CYLINDER = 14
const ROUND_CONE = 15
const ROUND_CONVEX = 16
const VOXELS = 18

/** Radius (m) of the capsule that represents a line, which has no thickness. */
const LINE_RADIUS = 1e-3

const UP: Vec3Like = { x: 0, y: 1, z: 0 }

/** A shape of the package, and its pose in the axes of the collider. */
export interface PlacedShape {
  readonly shape: Shape
  readonly offset?: Vec3Like
  readonly turn?: QuatLike
}

/**
 * The shapes of a shape of Rapier: one, or one for each part of a compound or line.
 * @throws RangeError / TypeError with the reason, for a shape that is not supported.
 */
export function shapesOf(shape: RapierShape, mesh: MeshMaker | undefined): readonly PlacedShape[] {
  const { borderRadius = 0, halfHeight = 0, radius = 0 } = shape
  switch (shape.type) {
    case BALL:
      return [{ shape: new SphereShape(radius) }]
    case CUBOID:
      return [{ shape: new BoxShape(shape.halfExtents!) }]
    case ROUND_CUBOID:
      return [{ shape: rounded(new BoxShape(shape.halfExtents!), borderRadius) }]
    case CAPSULE:
      return [{ shape: halfHeight > 0 ? new CapsuleShape(radius, 2 * halfHeight) : new SphereShape(radius) }]
    case CYLINDER:
    case ROUND_CYLINDER:
      return [{ shape: rounded(new CylinderShape(radius, 2 * halfHeight), borderRadius) }]
    case CONE:
    case ROUND_CONE:
      return [{ shape: rounded(new ConeShape(radius, halfHeight), borderRadius) }]
    case CONVEX:
    case ROUND_CONVEX:
      return [{ shape: rounded(convexHull(pointsOf(shape)), borderRadius) }]
    case HALF_SPACE:
      return [{ shape: new HalfSpaceShape(shape.normal) }]
    case SEGMENT:
      return [lineFrom(shape.a!, shape.b!)]
    case POLYLINE:
      return linesOf(shape)
    case COMPOUND:
      return shape.shapes!.flatMap((part, i) => partsOf(shape, part, i, mesh))
    case TRIANGLE:
    case ROUND_TRIANGLE:
    case TRIMESH:
    case HEIGHTFIELD:
    case VOXELS:
      return [
        {
          shape: rounded(
            meshFrom(mesh, 'a mesh', () => trianglesOf(shape)),
            borderRadius,
          ),
        },
      ]
    default:
      throw new TypeError(`a shape of type ${shape.type} is not supported`)
  }
}

function rounded(shape: Shape, border: number): Shape {
  return border > 0 ? new RoundedShape(shape, border) : shape
}

function partsOf(
  { positions, rotations }: RapierShape,
  part: RapierShape,
  i: number,
  mesh: MeshMaker | undefined,
): readonly PlacedShape[] {
  // a compound holds no compounds, and lines are made of parts without a turn of their own only here
  const parts = shapesOf(part, mesh)
  if (parts.length !== 1 || parts[0]!.offset !== undefined)
    throw new TypeError('a line in a compound is not supported')
  return [{ shape: parts[0]!.shape, offset: positions![i]!, turn: rotations![i]! }]
}

function linesOf({ indices, vertices }: RapierShape): readonly PlacedShape[] {
  if (vertices === undefined || indices === undefined || indices === null)
    throw new TypeError('a polyline is not supported: this version of Rapier does not give its vertices')
  const lines: PlacedShape[] = []
  for (let i = 0; i + 1 < indices.length; i += 2)
    lines.push(lineFrom(vertexOf(vertices, indices[i]!), vertexOf(vertices, indices[i + 1]!)))
  return lines
}

function lineFrom(a: Vec3Like, b: Vec3Like): PlacedShape {
  const span = distance(a, b)
  if (!(span > 0)) return { shape: new SphereShape(LINE_RADIUS), offset: a }
  const along = normalize(vec3(), sub(vec3(), b, a))
  return {
    shape: new CapsuleShape(LINE_RADIUS, span),
    offset: addScaled(vec3(), a, along, span / 2),
    turn: quatBetween(quat(), UP, along),
  }
}

function vertexOf(vertices: Float32Array, i: number): Vec3Like {
  return { x: vertices[3 * i]!, y: vertices[3 * i + 1]!, z: vertices[3 * i + 2]! }
}

function pointsOf({ vertices }: RapierShape): Vec3Like[] {
  return Array.from({ length: vertices!.length / 3 }, (_, i) => vertexOf(vertices!, i))
}

function trianglesOf(shape: RapierShape): Triangles {
  const { a, b, c, indices, vertices } = shape
  if (shape.type === HEIGHTFIELD) return terrain(shape)
  if (shape.type === VOXELS) return voxelFaces(shape)
  if (vertices !== undefined && indices !== undefined && indices !== null) return { vertices, indices }
  const corners = [a!, b!, c!].flatMap(({ x, y, z }) => [x, y, z])
  return { vertices: new Float32Array(corners), indices: new Uint32Array([0, 1, 2]) }
}

/** Rows of heights along z, columns along x; each cell is divided along its diagonal from +x to +z. */
function terrain({ heights, ncols, nrows, scale }: RapierShape): Triangles {
  const [rows, columns] = [nrows!, ncols!]
  const { x, y, z } = scale!
  const vertices = new Float32Array(3 * heights!.length)
  const indices: number[] = []
  for (let column = 0; column <= columns; column++)
    for (let row = 0; row <= rows; row++) {
      const i = row + column * (rows + 1)
      vertices.set([x * (column / columns - 0.5), y * heights![i]!, z * (row / rows - 0.5)], 3 * i)
      if (column === columns || row === rows) continue
      const beside = i + rows + 1
      indices.push(i, i + 1, beside, beside + 1, beside, i + 1)
    }
  return { vertices, indices: new Uint32Array(indices) }
}

/** The faces between full and empty voxels. */
function voxelFaces({ data, voxelSize }: RapierShape): Triangles {
  const { x, y, z } = voxelSize!
  const key = (i: number, j: number, k: number): string => `${i},${j},${k}`
  const full = new Set<string>()
  for (let v = 0; v < data!.length; v += 3) full.add(key(data![v]!, data![v + 1]!, data![v + 2]!))
  const vertices: number[] = []
  const indices: number[] = []
  for (let v = 0; v < data!.length; v += 3) {
    const cell = [data![v]!, data![v + 1]!, data![v + 2]!]
    for (let axis = 0; axis < 3; axis++)
      for (const side of [0, 1]) {
        const next = [...cell]
        next[axis]! += 2 * side - 1
        if (full.has(key(next[0]!, next[1]!, next[2]!))) continue
        const first = vertices.length / 3
        for (const [du, dv] of [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
        ] as const) {
          const corner = [...cell]
          corner[axis]! += side
          corner[(axis + 1) % 3]! += du
          corner[(axis + 2) % 3]! += dv
          vertices.push(corner[0]! * x, corner[1]! * y, corner[2]! * z)
        }
        indices.push(first, first + 1, first + 2, first, first + 2, first + 3)
      }
  }
  return { vertices: new Float32Array(vertices), indices: new Uint32Array(indices) }
}
