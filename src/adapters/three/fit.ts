import type { Quat, Vec3 } from '../../types.js'
import { BoxShape } from '../../obstacles/box.js'
import { CapsuleShape } from '../../obstacles/capsule.js'
import { CylinderShape } from '../../obstacles/cylinder.js'
import type { Shape } from '../../obstacles/shape.js'
import { SphereShape } from '../../obstacles/sphere.js'
import { quat } from '../../math/quat.js'
import { vec3 } from '../../math/vec3.js'
import { hullOf } from '../convex-hull.js'

/**
 * Which shape to put around vertices. `auto`: the smallest of the others but the hull. A capsule, cylinder or box has its axes along
 * those of the mesh. `hull` is the tightest; its queries take time with each of its faces, and making it some 50 ms for 1,000
 * vertices: for rocks, not for statues.
 */
export type Fit = 'auto' | 'sphere' | 'box' | 'capsule' | 'cylinder' | 'hull'

/** A shape, and where its origin lies (m) and how it is turned in the axes of the vertices. */
export interface Fitted {
  readonly shape: Shape
  readonly offset: Vec3
  readonly turn: Quat
}

/** Least half thickness of a flat thing: half a millimetre, or a thousandth of its size where that is less. */
const THIN = 5e-4
const THIN_SHARE = 1e-3
/** Relative: a capsule with a shorter straight part is a sphere. */
const STRAIGHT = 1e-6

/** Half turns about a diagonal, which bring y to x, to itself and to z. */
const TURNS = [
  quat(Math.SQRT1_2, Math.SQRT1_2, 0, 0),
  quat(),
  quat(0, Math.SQRT1_2, Math.SQRT1_2, 0),
] as const

/** The bounds of vertices `[3 × n]`, m. */
export interface Bounds {
  readonly points: Float64Array
  readonly center: readonly [number, number, number]
  /** Half extents. */
  readonly half: readonly [number, number, number]
}

interface Candidate {
  readonly volume: number
  make(): Fitted
}

export function boundsOf(points: Float64Array): Bounds {
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

/** The shape of one kind, or the smallest of all, that holds all vertices; they must not be one point. */
export function fitted(bounds: Bounds, fit: Fit): Fitted {
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

function placed({ center: [x, y, z] }: Bounds, shape: Shape, axis: 0 | 1 | 2 = 1): Fitted {
  return { shape, offset: vec3(x, y, z), turn: TURNS[axis] }
}

function sphere(bounds: Bounds): Candidate {
  const radius = Math.sqrt(farthestSq(bounds, 1, 1, 1))
  return {
    volume: ball(radius),
    make: () => placed(bounds, new SphereShape(radius)),
  }
}

function box(bounds: Bounds): Candidate {
  const [x, y, z] = thick(bounds)
  return { volume: 8 * x * y * z, make: () => placed(bounds, new BoxShape({ x, y, z })) }
}

function cylinder(bounds: Bounds, axis: 0 | 1 | 2): Candidate {
  const half = thick(bounds)[axis]
  const radius = Math.max(radiusAbout(bounds, axis), thinnest(bounds))
  return {
    volume: 2 * Math.PI * radius * radius * half,
    make: () => placed(bounds, new CylinderShape(radius, 2 * half), axis),
  }
}

function capsule(bounds: Bounds, axis: 0 | 1 | 2): Candidate {
  const radius = Math.max(radiusAbout(bounds, axis), thinnest(bounds))
  const { points, center } = bounds
  let half = 0
  for (let i = 0; i < points.length; i += 3) {
    const along = Math.abs(points[i + axis]! - center[axis])
    // how far from the axis, squared, is what the caps leave
    const sq = squareAt(bounds, i, axis === 0 ? 0 : 1, axis === 1 ? 0 : 1, axis === 2 ? 0 : 1)
    half = Math.max(half, along - Math.sqrt(Math.max(0, radius * radius - sq)))
  }
  if (half <= STRAIGHT * radius) return sphere(bounds)
  return {
    volume: ball(radius) + 2 * Math.PI * radius * radius * half,
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

/** Largest distance from an axis through the centre. */
function radiusAbout(bounds: Bounds, axis: 0 | 1 | 2): number {
  return Math.sqrt(farthestSq(bounds, axis === 0 ? 0 : 1, axis === 1 ? 0 : 1, axis === 2 ? 0 : 1))
}

function farthestSq(bounds: Bounds, kx: number, ky: number, kz: number): number {
  let most = 0
  for (let i = 0; i < bounds.points.length; i += 3) most = Math.max(most, squareAt(bounds, i, kx, ky, kz))
  return most
}

/** Squared distance of a vertex from the centre, along the axes that count 1. */
function squareAt({ points, center }: Bounds, i: number, kx: number, ky: number, kz: number): number {
  const x = points[i]! - center[0]
  const y = points[i + 1]! - center[1]
  const z = points[i + 2]! - center[2]
  return kx * x * x + ky * y * y + kz * z * z
}

function thinnest({ half }: Bounds): number {
  return Math.min(THIN, THIN_SHARE * Math.max(...half))
}

/** Half extents, none of them zero. */
function thick(bounds: Bounds): [number, number, number] {
  const { half } = bounds
  const least = thinnest(bounds)
  return [Math.max(half[0], least), Math.max(half[1], least), Math.max(half[2], least)]
}

function ball(radius: number): number {
  return (4 / 3) * Math.PI * radius ** 3
}
