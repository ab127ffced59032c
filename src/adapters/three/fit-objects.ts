import type { Mesh } from 'three'
import { CapsuleShape } from '../../obstacles/capsule.js'
import { CylinderShape } from '../../obstacles/cylinder.js'
import type { Shape } from '../../obstacles/shape.js'
import { SphereShape } from '../../obstacles/sphere.js'
import { quat } from '../../math/quat.js'
import { vec3 } from '../../math/vec3.js'
import { boundsOf, type Fit, type Fitted, fitted } from './fit.js'

/** Relative: numbers of single precision. What is off the ideal surface by more has been moved, turned or bent since it was made. */
const EXACT = 1e-5
/** Polyhedra with up to so many corners keep their faces; those with more stand for balls. */
const FEW_CORNERS = 20
const POLYHEDRON = /^(Tetra|Octa|Icosa|Dodeca|Poly)hedronGeometry$/

/**
 * What the world matrix of a mesh does to its vertices before it turns and moves them: the upper triangle of a matrix, by rows.
 * Without shear its diagonal is the scale, the last number negative in a mirror.
 */
export type Stretch = readonly [number, number, number, number, number, number]

/** The shape of a mesh whose vertices are `points` (see `pointsOf`), in its own turned axes; null when they have no extent. */
export function fitMesh({ geometry }: Mesh, points: Float64Array, stretch: Stretch, fit: Fit): Fitted | null {
  const bounds = boundsOf(stretched(points, stretch))
  // also when there are none
  if (!(Math.max(...bounds.half) > 0)) return null
  if (fit !== 'auto') return fitted(bounds, fit)
  const parameters = (geometry as { parameters?: Readonly<Record<string, number>> }).parameters ?? {}
  const shape = exact(geometry.type, parameters, points, stretch)
  if (shape !== null) return { shape, offset: vec3(), turn: quat() }
  if (POLYHEDRON.test(geometry.type)) return fitted(bounds, hasFewCorners(points) ? 'hull' : 'auto')
  return fitted(bounds, fit)
}

/** The round shape that a geometry stands for, if its vertices are still those it was made with; null for others. */
function exact(
  type: string,
  parameters: Readonly<Record<string, number>>,
  points: Float64Array,
  [xx, xy, xz, yy, yz, zz]: Stretch,
): Shape | null {
  const flaw = EXACT * Math.abs(xx)
  if (Math.abs(xy) + Math.abs(xz) + Math.abs(yz) > flaw || Math.abs(Math.abs(zz) - xx) > flaw) return null
  const uniform = Math.abs(yy - xx) <= flaw
  const { radius = 0, radiusTop = 0, height = 0 } = parameters
  const tolerance = EXACT * (radius + radiusTop + height)
  switch (type) {
    case 'SphereGeometry': {
      const { phiLength = 0, thetaLength = 0 } = parameters
      if (!uniform || phiLength < 2 * Math.PI || thetaLength < Math.PI) return null
      const off = farthest(points, (x, y, z) => Math.abs(Math.hypot(x, y, z) - radius))
      return off <= tolerance ? new SphereShape(radius * xx) : null
    }
    case 'CapsuleGeometry': {
      if (!uniform || !(height > 0)) return null
      const beyond = (y: number): number => Math.max(0, Math.abs(y) - height / 2)
      const off = farthest(points, (x, y, z) => Math.abs(Math.hypot(x, beyond(y), z) - radius))
      return off <= tolerance ? new CapsuleShape(radius * xx, height * xx) : null
    }
    case 'CylinderGeometry': {
      const { radiusBottom, thetaLength = 0 } = parameters
      if (radiusTop !== radiusBottom || thetaLength < 2 * Math.PI) return null
      const far = farthest(points, (x, _, z) => Math.hypot(x, z))
      const high = farthest(points, (_, y) => Math.abs(y))
      const off = Math.abs(far - radiusTop) + Math.abs(high - height / 2)
      return off <= tolerance ? new CylinderShape(radiusTop * xx, height * yy) : null
    }
    default:
      return null
  }
}

function farthest(points: Float64Array, measure: (x: number, y: number, z: number) => number): number {
  let most = 0
  for (let i = 0; i < points.length; i += 3)
    most = Math.max(most, measure(points[i]!, points[i + 1]!, points[i + 2]!))
  return most
}

function stretched(points: Float64Array, [xx, xy, xz, yy, yz, zz]: Stretch): Float64Array {
  const out = new Float64Array(points.length)
  for (let i = 0; i < points.length; i += 3) {
    const x = points[i]!
    const y = points[i + 1]!
    const z = points[i + 2]!
    out[i] = xx * x + xy * y + xz * z
    out[i + 1] = yy * y + yz * z
    out[i + 2] = zz * z
  }
  return out
}

/** Each triangle has corners of its own, so the same ones come again and again, with the same numbers. */
function hasFewCorners(points: Float64Array): boolean {
  const corners = new Set<string>()
  for (let i = 0; i < points.length && corners.size <= FEW_CORNERS; i += 3)
    corners.add(points.subarray(i, i + 3).join())
  return corners.size <= FEW_CORNERS
}
