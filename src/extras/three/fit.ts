import type { ExtrudeGeometry, Mesh, TorusGeometry } from 'three'
import type { Vec3 } from '../../core/types.js'
import { BoxShape } from '../../core/obstacles/box.js'
import { CapsuleShape } from '../../core/obstacles/capsule.js'
import { CylinderShape } from '../../core/obstacles/cylinder.js'
import type { Shape } from '../../core/obstacles/shape.js'
import { SphereShape } from '../../core/obstacles/sphere.js'
import { quat } from '../../core/math/quat.js'
import { vec3 } from '../../core/math/vec3.js'
import { hullOf } from '../../blocks/shapes/convex-hull.js'
import { fitExtrusion } from './extrusion.js'
import { stretched, type Fitted, type Stretch } from './fitted.js'
import { fitTorus } from './torus.js'

/**
 * The shape to fit around the vertices of a mesh. `auto` takes the smallest of sphere, box, capsule and
 * cylinder. A capsule, cylinder or box has its axes along the axes of the mesh. `hull` is the tightest, but
 * the time of its queries grows with its faces, and making it takes about 50 ms for 1,000 vertices. Use it
 * for rocks, not for statues.
 */
export type Fit = 'auto' | 'sphere' | 'box' | 'capsule' | 'cylinder' | 'hull'

/**
 * Vertices that deviate by more than this (relative) were moved, turned or bent after the geometry was made.
 * Above the error of single precision.
 */
const VERTEX_TOLERANCE = 1e-5
/** Polyhedra with at most so many corners keep their faces, others count as round. Dodecahedra have 20. */
const FEW_CORNERS = 20
const POLYHEDRON = /^(Tetra|Octa|Icosa|Dodeca|Poly)hedronGeometry$/
// The numbers below are chosen by hand unless they say otherwise.

/** Cones, and cylinders that are tapered, sheared or cut, become the hull of their vertices. */
const ROUND = /^(Cone|Cylinder)Geometry$/
/** With more vertices they become no hull: making it takes some 10 ms with this number. */
const MOST_VERTICES = 500

/** Smallest half thickness of a flat mesh (m). */
const THIN = 5e-4
/** Half thickness of a small one, as a share of its size, if that is less. */
const THIN_SHARE = 1e-3
/** A mesh with smaller half extents (m) is nothing. */
const NOTHING = 1e-12
/** One with larger half extents (m) cannot be an obstacle: squares overflow. */
const TOO_LARGE = 1e100
/** A capsule with a straight part shorter than this share of its radius becomes a sphere. */
const STRAIGHT = 1e-6

/** Turns that bring the y axis to x, y and z: half turns about a diagonal, and no turn. */
const TURNS = [
  quat(Math.SQRT1_2, Math.SQRT1_2, 0, 0),
  quat(),
  quat(0, Math.SQRT1_2, Math.SQRT1_2, 0),
] as const

const AXES = [0, 1, 2] as const
type Axis = (typeof AXES)[number]

/** The bounds of vertices `[3 × n]`, m. */
interface Bounds {
  readonly points: Float64Array
  readonly center: readonly [number, number, number]
  /** Half extents (m). */
  readonly half: readonly [number, number, number]
}

interface Candidate {
  readonly volume: number
  make(): Fitted
}

/**
 * The shapes of a mesh with the vertices `points` (m, `[3 × n]`), in the turned axes of the mesh: one, but
 * several for a ring; none when the vertices have no extent; null when it is too large.
 */
export function fitMesh(
  { geometry }: Mesh,
  points: Float64Array,
  stretch: Stretch,
  fit: Fit,
): Fitted[] | null {
  const bounds = boundsOf(stretched(points, stretch))
  const size = Math.max(...bounds.half)
  // without vertices the bounds are −Infinity
  if (!(size > NOTHING)) return []
  if (!(size < TOO_LARGE)) return null
  if (fit !== 'auto') return [fitBounds(bounds, fit)]
  // a scale of 0 leaves no other shape than a board
  if (!(Math.min(...bounds.half) >= minThickness(bounds))) return [fitBounds(bounds, fit)]
  const { type } = geometry
  const parameters = (geometry as { parameters?: Readonly<Record<string, number>> }).parameters ?? {}
  const shape = exactShape(type, parameters, points, stretch)
  if (shape !== null) return [{ shape, offset: vec3(), turn: quat() }]
  const extrusion = fitExtrusion(geometry as Partial<ExtrudeGeometry>, points, stretch)
  if (extrusion !== null) return [extrusion]
  const ring = fitTorus(geometry as Partial<TorusGeometry>, points, stretch)
  if (ring !== null) return ring
  const isHull =
    (POLYHEDRON.test(type) && hasFewCorners(points)) ||
    (ROUND.test(type) && points.length <= 3 * MOST_VERTICES)
  return [fitBounds(bounds, isHull ? 'hull' : fit)]
}

/** The sphere, capsule or cylinder that a geometry was made as, if it is unchanged; null for others. */
function exactShape(
  type: string,
  parameters: Readonly<Record<string, number>>,
  points: Float64Array,
  [xx, xy, xz, yy, yz, zz]: Stretch,
): Shape | null {
  const scaleTolerance = VERTEX_TOLERANCE * Math.abs(xx)
  if (
    Math.abs(xy) + Math.abs(xz) + Math.abs(yz) > scaleTolerance ||
    Math.abs(Math.abs(zz) - xx) > scaleTolerance
  )
    return null
  const uniform = Math.abs(yy - xx) <= scaleTolerance
  const { radius = 0, radiusTop = 0, height = 0 } = parameters
  const tolerance = VERTEX_TOLERANCE * (radius + radiusTop + height)
  switch (type) {
    case 'SphereGeometry': {
      const { phiLength = 0, thetaLength = 0 } = parameters
      if (!uniform || phiLength < 2 * Math.PI || thetaLength < Math.PI) return null
      const deviation = farthest(points, (x, y, z) => Math.abs(Math.hypot(x, y, z) - radius))
      return deviation <= tolerance ? new SphereShape(radius * xx) : null
    }
    case 'CapsuleGeometry': {
      if (!uniform || !(height > 0)) return null
      const beyond = (y: number): number => Math.max(0, Math.abs(y) - height / 2)
      const deviation = farthest(points, (x, y, z) => Math.abs(Math.hypot(x, beyond(y), z) - radius))
      return deviation <= tolerance ? new CapsuleShape(radius * xx, height * xx) : null
    }
    case 'CylinderGeometry': {
      const { radiusBottom, thetaLength = 0 } = parameters
      if (radiusTop !== radiusBottom || thetaLength < 2 * Math.PI) return null
      const maxRadius = farthest(points, (x, _, z) => Math.hypot(x, z))
      const maxHeight = farthest(points, (_, y) => Math.abs(y))
      const deviation = Math.abs(maxRadius - radiusTop) + Math.abs(maxHeight - height / 2)
      return deviation <= tolerance ? new CylinderShape(radiusTop * xx, height * yy) : null
    }
    default:
      return null
  }
}

function farthest(points: Float64Array, measure: (x: number, y: number, z: number) => number): number {
  let largest = 0
  for (let i = 0; i < points.length; i += 3)
    largest = Math.max(largest, measure(points[i]!, points[i + 1]!, points[i + 2]!))
  return largest
}

/** Each triangle has its own corners, so those of the polyhedron recur, with the same numbers. */
function hasFewCorners(points: Float64Array): boolean {
  const corners = new Set<string>()
  for (let i = 0; i < points.length && corners.size <= FEW_CORNERS; i += 3)
    corners.add(points.subarray(i, i + 3).join())
  return corners.size <= FEW_CORNERS
}

function boundsOf(points: Float64Array): Bounds {
  const low = [Infinity, Infinity, Infinity]
  const high = [-Infinity, -Infinity, -Infinity]
  for (let i = 0; i < points.length; i++) {
    const k = i % 3
    low[k] = Math.min(low[k]!, points[i]!)
    high[k] = Math.max(high[k]!, points[i]!)
  }
  const middle = (k: number): number => (low[k]! + high[k]!) / 2
  const extent = (k: number): number => (high[k]! - low[k]!) / 2
  return { points, center: [middle(0), middle(1), middle(2)], half: [extent(0), extent(1), extent(2)] }
}

/** The shape of one kind, or the smallest of all, around all vertices, which must not be one point. */
function fitBounds(bounds: Bounds, fit: Fit): Fitted {
  if (fit === 'hull') return hull(bounds) ?? box(bounds).make()
  const candidates: Candidate[] = []
  if (fit === 'box' || fit === 'auto') candidates.push(box(bounds))
  if (fit === 'sphere' || fit === 'auto') candidates.push(sphere(bounds))
  for (const axis of [1, 0, 2] as const) {
    if (fit === 'cylinder' || fit === 'auto') candidates.push(cylinder(bounds, axis))
    if (fit === 'capsule' || fit === 'auto') candidates.push(capsule(bounds, axis))
  }
  let best = candidates[0]!
  for (const each of candidates) if (each.volume < best.volume * (1 - STRAIGHT)) best = each
  return best.make()
}

function placed({ center: [x, y, z] }: Bounds, shape: Shape, axis: Axis = 1): Fitted {
  return { shape, offset: vec3(x, y, z), turn: TURNS[axis] }
}

function sphere(bounds: Bounds): Candidate {
  const radius = radiusAbout(bounds)
  return {
    volume: sphereVolume(radius),
    make: () => placed(bounds, new SphereShape(radius)),
  }
}

function box(bounds: Bounds): Candidate {
  const [x, y, z] = paddedHalf(bounds)
  return { volume: 8 * x * y * z, make: () => placed(bounds, new BoxShape({ x, y, z })) }
}

function cylinder(bounds: Bounds, axis: Axis): Candidate {
  const half = paddedHalf(bounds)[axis]
  const radius = Math.max(radiusAbout(bounds, axis), minThickness(bounds))
  return {
    volume: 2 * Math.PI * radius * radius * half,
    make: () => placed(bounds, new CylinderShape(radius, 2 * half), axis),
  }
}

function capsule(bounds: Bounds, axis: Axis): Candidate {
  const radius = Math.max(radiusAbout(bounds, axis), minThickness(bounds))
  const { points, center } = bounds
  let half = 0
  for (let i = 0; i < points.length; i += 3) {
    const along = Math.abs(points[i + axis]! - center[axis])
    // the caps cover the vertex from where their circle is as wide as its distance from the axis
    half = Math.max(half, along - Math.sqrt(Math.max(0, radius * radius - distanceSq(bounds, i, axis))))
  }
  if (half <= STRAIGHT * radius) return sphere(bounds)
  return {
    volume: sphereVolume(radius) + 2 * Math.PI * radius * radius * half,
    make: () => placed(bounds, new CapsuleShape(radius, 2 * half), axis),
  }
}

function hull(bounds: Bounds): Fitted | null {
  const { points, center } = bounds
  const list: Vec3[] = []
  for (let i = 0; i < points.length; i += 3)
    list.push(vec3(points[i]! - center[0], points[i + 1]! - center[1], points[i + 2]! - center[2]))
  const shape = hullOf(list)
  return shape === null ? null : placed(bounds, shape)
}

/** Largest distance of a vertex from the centre, or from an axis through it (m). */
function radiusAbout(bounds: Bounds, axis?: Axis): number {
  let largest = 0
  for (let i = 0; i < bounds.points.length; i += 3) largest = Math.max(largest, distanceSq(bounds, i, axis))
  return Math.sqrt(largest)
}

/** Squared distance of a vertex from the centre, or from an axis through it (m²). */
function distanceSq({ points, center }: Bounds, i: number, axis?: Axis): number {
  let sum = 0
  for (const k of AXES) if (k !== axis) sum += (points[i + k]! - center[k]) * (points[i + k]! - center[k])
  return sum
}

function minThickness({ half }: Bounds): number {
  return Math.min(THIN, THIN_SHARE * Math.max(...half))
}

/** Half extents (m), each at least `minThickness`. */
function paddedHalf(bounds: Bounds): [number, number, number] {
  const { half } = bounds
  const smallest = minThickness(bounds)
  return [Math.max(half[0], smallest), Math.max(half[1], smallest), Math.max(half[2], smallest)]
}

function sphereVolume(radius: number): number {
  return (4 / 3) * Math.PI * radius ** 3
}
