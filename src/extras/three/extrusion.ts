import type { ExtrudeGeometry, Shape as OutlineOfThree, Vector2 } from 'three'
import { PrismShape } from '../../blocks/shapes/prism.js'
import { quat } from '../../core/math/quat.js'
import { vec3 } from '../../core/math/vec3.js'
import type { Fitted, Stretch } from './fitted.js'

/** The axis of a prism is y, that of an extrusion z. */
const Y_TO_Z = quat(Math.SQRT1_2, 0, 0, Math.SQRT1_2)

/** Share of the size that single precision rounds; also the tilt (rad) of an axis that is straight. */
const TOLERANCE = 1e-5

interface Point {
  readonly x: number
  readonly y: number
}

interface Extrusion {
  readonly corners: readonly Point[]
  /** Its ends along z. */
  readonly low: number
  readonly high: number
}

/**
 * The prism of an `ExtrudeGeometry` of one outline, with the vertices `points` (`[3 × n]`). Holes are filled,
 * and so is a bevel, up to its widest outline. Null for other geometries, several outlines, an extrusion
 * along a path, an outline that crosses itself, vertices that have changed since, and a shear that tilts the
 * axis.
 */
export function fitExtrusion(
  { type, parameters }: Partial<ExtrudeGeometry>,
  points: Float64Array,
  [xx, xy, xz, yy, yz, zz]: Stretch,
): Fitted | null {
  if (type !== 'ExtrudeGeometry' || parameters === undefined) return null
  if (Math.abs(xz) + Math.abs(yz) > TOLERANCE * Math.abs(zz)) return null
  const extrusion = extrusionOf(parameters)
  if (extrusion === null || !holds(extrusion, points)) return null
  const { corners, high, low } = extrusion
  const plan = corners.map(({ x, y }) => ({ x: xx * x + xy * y, z: -yy * y }))
  try {
    const shape = new PrismShape(plan, Math.abs(zz) * (high - low))
    return { shape, offset: vec3(0, 0, Math.min(zz * low, zz * high)), turn: Y_TO_Z }
  } catch {
    return null
  }
}

function extrusionOf({ options, shapes }: ExtrudeGeometry['parameters']): Extrusion | null {
  const { bevelEnabled = true, curveSegments = 12, depth = 1, extrudePath } = options
  const { bevelThickness = 0.2, bevelSize = bevelThickness - 0.1, bevelOffset = 0 } = options
  const [shape, more] = new Array<OutlineOfThree>().concat(shapes)
  if (shape === undefined || more !== undefined || extrudePath !== undefined) return null
  const corners = distinct(shape.extractPoints(curveSegments).shape)
  return bevelEnabled
    ? { corners: grown(corners, bevelSize + bevelOffset), low: -bevelThickness, high: depth + bevelThickness }
    : { corners, low: Math.min(0, depth), high: Math.max(0, depth) }
}

/** Without neighbours at one place, as where the last point repeats the first. */
function distinct(points: readonly Vector2[]): Point[] {
  return points.filter(({ x, y }, i) => {
    const next = points[(i + 1) % points.length]!
    return x !== next.x || y !== next.y
  })
}

/** Moves all edges of a polygon outwards by `by`. */
function grown(points: readonly Point[], by: number): Point[] {
  const count = points.length
  let areaTwice = 0
  for (const [i, { x, y }] of points.entries()) {
    const next = points[(i + 1) % count]!
    areaTwice += x * next.y - next.x * y
  }
  const signed = areaTwice < 0 ? -by : by
  return points.map((point, i) => {
    const a = normalOf(points[(i + count - 1) % count]!, point)
    const b = normalOf(point, points[(i + 1) % count]!)
    const k = signed / (1 + a.x * b.x + a.y * b.y)
    return { x: point.x + k * (a.x + b.x), y: point.y + k * (a.y + b.y) }
  })
}

/** Unit normal of an edge: to the outside of a polygon that turns from x to y. */
function normalOf(from: Point, to: Point): Point {
  const x = to.y - from.y
  const y = from.x - to.x
  const length = Math.hypot(x, y)
  return { x: x / length, y: y / length }
}

/** Whether all vertices lie in the extrusion, and some at each of its corners and at both ends. */
function holds({ corners, high, low }: Extrusion, points: Float64Array): boolean {
  const near =
    TOLERANCE * corners.reduce((most, { x, y }) => Math.max(most, Math.abs(x), Math.abs(y)), high - low)
  const missing = new Set(corners)
  let top = -Infinity
  let bottom = Infinity
  for (let i = 0; i < points.length; i += 3) {
    const x = points[i]!
    const y = points[i + 1]!
    top = Math.max(top, points[i + 2]!)
    bottom = Math.min(bottom, points[i + 2]!)
    for (const each of missing) if (Math.hypot(each.x - x, each.y - y) <= near) missing.delete(each)
    if (!isInside(corners, x, y, near)) return false
  }
  return missing.size === 0 && Math.abs(top - high) <= near && Math.abs(bottom - low) <= near
}

/** Whether a point lies in a polygon, or within `near` of an edge. */
function isInside(corners: readonly Point[], x: number, y: number, near: number): boolean {
  let inside = false
  for (const [i, a] of corners.entries()) {
    const b = corners[(i + 1) % corners.length]!
    const dx = b.x - a.x
    const dy = b.y - a.y
    const along = ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy)
    const share = Math.min(1, Math.max(0, along))
    if (Math.hypot(x - a.x - share * dx, y - a.y - share * dy) <= near) return true
    if (a.y > y !== b.y > y && x < a.x + ((y - a.y) / dy) * dx) inside = !inside
  }
  return inside
}
