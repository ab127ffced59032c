import type { Body, Box, ConvexPolyhedron, Cylinder, Shape as CannonShape, Sphere } from 'cannon-es'
import type { Vec3Like } from '../../types.js'
import { BoxShape } from '../../obstacles/box.js'
import { CylinderShape } from '../../obstacles/cylinder.js'
import { HalfSpaceShape } from '../../obstacles/half-space.js'
import { HullShape } from '../../obstacles/hull.js'
import type { Shape } from '../../obstacles/shape.js'
import { SphereShape } from '../../obstacles/sphere.js'
import { isFiniteVec } from '../../math/vec3.js'
import { hullOf } from '../convex-hull.js'

/** Values of `CANNON.Shape.types`. Written out, because Node may load another copy of cannon-es than the user's bundler. */
const SPHERE = 1
const PLANE = 2
const BOX = 4
const CONVEX = 16
const HEIGHTFIELD = 32
const PARTICLE = 64
const CYLINDER = 128
const TRIMESH = 256

/** Radius of the ball that stands for a particle, which has no size, m. */
const PARTICLE_RADIUS = 1e-3
/** Relative: a prism whose corners are off the cylinder by more has been moved or turned within its shape. */
const ROUND = 1e-6
const AHEAD: Vec3Like = { x: 0, y: 0, z: 1 }
const MESH_SHAPE = 'give it a MeshShape of three-steering/bvh, or stand-ins of spheres, boxes and hulls'

/** The same solid for obstacles. @throws RangeError / TypeError saying what is wrong with it or what to use instead. */
export function shapeFromCannon(shape: CannonShape): Shape {
  switch (shape.type) {
    case SPHERE:
      return new SphereShape((shape as Sphere).radius)
    case PLANE:
      return new HalfSpaceShape(AHEAD)
    case BOX:
      return new BoxShape((shape as Box).halfExtents)
    case CYLINDER:
      return round(shape as Cylinder) ?? hull(shape as Cylinder)
    case CONVEX:
      return hull(shape as ConvexPolyhedron)
    case PARTICLE:
      return new SphereShape(PARTICLE_RADIUS)
    case HEIGHTFIELD:
      throw new TypeError(`a Heightfield is not taken: ${MESH_SHAPE}`)
    case TRIMESH:
      throw new TypeError(`a Trimesh is not taken: ${MESH_SHAPE}`)
    default:
      throw new TypeError(`a shape of type ${shape.type} is not known: ${MESH_SHAPE}`)
  }
}

/** The cylinder around the prism that cannon makes of it; null where it is tapered or its corners have been moved. */
function round({ radiusTop, radiusBottom, height, vertices }: Cylinder): Shape | null {
  if (radiusTop !== radiusBottom) return null
  const solid = new CylinderShape(radiusTop, height)
  const tolerance = ROUND * (radiusTop + height)
  for (const { x, y, z } of vertices) {
    const off = Math.abs(Math.hypot(x, z) - radiusTop) + Math.abs(Math.abs(y) - height / 2)
    if (!(off <= tolerance)) return null
  }
  return solid
}

/** By its own faces; where they are not in order (inverted, doubled corners, holes), the hull of its vertices. */
function hull({ vertices, faces }: ConvexPolyhedron): Shape {
  for (const [i, vertex] of vertices.entries())
    if (!isFiniteVec(vertex))
      throw new RangeError(`ConvexPolyhedron.vertices[${i}]: got ${vertex.toString()}, must be finite`)
  try {
    return new HullShape({ vertices, faces })
  } catch (error) {
    const made = hullOf(vertices)
    if (made === null) throw error
    return made
  }
}

/**
 * Numbers that tell whether shape `i` of a body is still what it was: whether it collides, its place and turn on the body, its
 * dimensions. Written into `out`. @returns how many.
 */
export function measureShape(
  { shapes, shapeOffsets, shapeOrientations }: Body,
  i: number,
  out: number[],
): number {
  const shape = shapes[i]!
  const turn = shapeOrientations[i]!
  let n = 0
  out[n++] = shape.collisionResponse ? 1 : 0
  n = write(out, n, shapeOffsets[i]!)
  n = write(out, n, turn)
  out[n++] = turn.w
  if (shape.type === SPHERE) out[n++] = (shape as Sphere).radius
  else if (shape.type === BOX) n = write(out, n, (shape as Box).halfExtents)
  else if (shape.type === CONVEX || shape.type === CYLINDER) {
    const { vertices } = shape as ConvexPolyhedron
    for (let k = 0; k < vertices.length; k++) n = write(out, n, vertices[k]!)
  }
  return n
}

function write(out: number[], n: number, { x, y, z }: Vec3Like): number {
  out[n] = x
  out[n + 1] = y
  out[n + 2] = z
  return n + 3
}
