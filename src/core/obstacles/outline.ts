import type { Vec3, Vec3Like } from '../types.js'
import type { Polytope } from './polytope.js'
import type { OutlineSink } from './shape.js'
import { grown } from '../math/grown.js'
import { dot, load, normalize, reject, save, set, vec3 } from '../math/vec3.js'

/**
 * Outlines of grown bodies. A line of sight along the outline touches the body, grown by a ball, in one
 * point. The part of the body that is nearest to this point is a corner, an edge or a face. Such a face is
 * seen edge-on, so that one of its edges is as near. The lines that touch the ball around a corner make a
 * cone; the lines that touch the cylinder around an edge make two planes. Both are circles on the sphere of
 * directions.
 */

/**
 * A plane counts although its normal lies outside of the range between two faces by this much
 * (dimensionless); additional circles do no harm.
 */
const SLACK = 1e-6

/** `[≥ corners]`: how many edges on the outline end there. */
let outlined = new Uint8Array(64)
/**
 * `[9 × ≥ corners]`: from the viewpoint to where the planes of two of these edges touch the ball around the
 * corner (m), and the first edge from there on (m).
 */
let ends: Float64Array = new Float64Array(9 * 64)
const normal = vec3()
const onward = vec3()
const arcStart = vec3()
const arcEnd = vec3()

/** Emits the arcs of a convex body with flat faces, grown by `radius`, as seen from `from`. */
export function polytopeOutline(body: Polytope, from: Vec3Like, radius: number, rim: OutlineSink): void {
  const { edges, vertices } = body
  if (3 * outlined.length < vertices.length) {
    outlined = grown(outlined, vertices.length)
    ends = grown(ends, 9 * outlined.length)
  }
  outlined.fill(0)
  for (let i = 0; i < edges.length; i += 4) edgePlanes(body, i, from, radius, rim)
  if (!(radius > 0)) return
  // where one corner hides all others no edge is on the outline, and that corner is the nearest one
  const nearest = 3 * nearestVertex(vertices, from)
  for (let i = 0; i < vertices.length; i += 3) {
    const count = outlined[i / 3]!
    if (count === 0 && i !== nearest) continue
    if (!ballCone(vertices[i]!, vertices[i + 1]!, vertices[i + 2]!, from, radius, rim) || count !== 2)
      continue
    load(arcStart, ends, 3 * i)
    load(arcEnd, ends, 3 * i + 3)
    load(onward, ends, 3 * i + 6)
    // the arc goes on from the edge: where it is more than half of the circle, all of the circle counts
    reject(onward, onward, normalize(normal, arcStart))
    if (dot(onward, arcEnd) < dot(onward, arcStart)) rim.arc(arcStart, arcEnd)
  }
}

/**
 * Writes where the plane with the normal `normal` touches the ball around a corner, as seen from `from`, and
 * notes it for the arc of that ball. The plane touches the cylinder around the edge to `other`.
 */
function takeEnd(
  out: Vec3,
  { vertices }: Polytope,
  corner: number,
  other: number,
  from: Vec3Like,
  radius: number,
): void {
  const v = 3 * corner
  out.x = vertices[v]! - from.x + radius * normal.x
  out.y = vertices[v + 1]! - from.y + radius * normal.y
  out.z = vertices[v + 2]! - from.z + radius * normal.z
  const count = outlined[corner]!++
  // more than two edges on the outline end at a corner where two of them are seen as one
  if (count > 1) return
  const at = 9 * corner + 3 * count
  save(out, ends, at)
  if (count === 0) for (let k = 0; k < 3; k++) ends[at + 6 + k] = vertices[3 * other + k]! - vertices[v + k]!
}

/** Emits the arcs in which planes through `from` touch the cylinder around an edge. */
function edgePlanes(body: Polytope, edge: number, from: Vec3Like, radius: number, rim: OutlineSink): void {
  const { planes, edges, spans, vertices } = body
  const a = 4 * edges[edge + 2]!
  const b = 4 * edges[edge + 3]!
  const ax = planes[a]!
  const ay = planes[a + 1]!
  const az = planes[a + 2]!
  const bx = planes[b]!
  const by = planes[b + 1]!
  const bz = planes[b + 2]!
  const { x, y, z } = from
  // both faces, grown, are seen from the front: the edge is not on the outline
  if (
    ax * x + ay * y + az * z - planes[a + 3]! > radius &&
    bx * x + by * y + bz * z - planes[b + 3]! > radius
  )
    return
  const v = 3 * edges[edge]!
  const ex = spans[edge]!
  const ey = spans[edge + 1]!
  const ez = spans[edge + 2]!
  let wx = x - vertices[v]!
  let wy = y - vertices[v + 1]!
  let wz = z - vertices[v + 2]!
  const along = wx * ex + wy * ey + wz * ez
  wx -= along * ex
  wy -= along * ey
  wz -= along * ez
  const d = Math.sqrt(wx * wx + wy * wy + wz * wz)
  if (!(d > radius)) return
  wx /= d
  wy /= d
  wz /= d
  const cosine = radius / d
  const sine = Math.sqrt(1 - cosine * cosine)
  const cosineOfFaces = ax * bx + ay * by + az * bz
  const slack = -SLACK * Math.sqrt(Math.max(0, 1 - cosineOfFaces * cosineOfFaces))
  for (let side = -1; side <= 1; side += 2) {
    const k = side * sine
    const mx = cosine * wx + k * (ey * wz - ez * wy)
    const my = cosine * wy + k * (ez * wx - ex * wz)
    const mz = cosine * wz + k * (ex * wy - ey * wx)
    const nearA = mx * ax + my * ay + mz * az
    const nearB = mx * bx + my * by + mz * bz
    // the edge is the nearest part only in directions between the normals of its faces
    if (nearA - cosineOfFaces * nearB < slack || nearB - cosineOfFaces * nearA < slack) continue
    set(normal, mx, my, mz)
    takeEnd(arcStart, body, edges[edge]!, edges[edge + 1]!, from, radius)
    takeEnd(arcEnd, body, edges[edge + 1]!, edges[edge]!, from, radius)
    rim.circle(-mx, -my, -mz, 0)
    rim.arc(arcStart, arcEnd)
  }
}

/**
 * Emits the arcs of the curved side of a cylinder of `radius` around the y axis, from y = −`half` to `half`.
 * They lie in the two planes through `from` that touch it. None from inside of the infinite cylinder.
 */
export function columnPlanes(from: Vec3Like, radius: number, half: number, rim: OutlineSink): void {
  const d = Math.sqrt(from.x * from.x + from.z * from.z)
  if (!(d > radius)) return
  const cosine = radius / d
  const sine = Math.sqrt(1 - cosine * cosine)
  for (let side = -1; side <= 1; side += 2) {
    const mx = (cosine * from.x + side * sine * from.z) / d
    const mz = (cosine * from.z - side * sine * from.x) / d
    rim.circle(-mx, 0, -mz, 0)
    set(arcStart, radius * mx - from.x, -half - from.y, radius * mz - from.z)
    rim.arc(arcStart, set(arcEnd, arcStart.x, half - from.y, arcStart.z))
  }
}

function nearestVertex(vertices: Float64Array, { x, y, z }: Vec3Like): number {
  let nearest = 0
  let leastSq = Infinity
  for (let i = 0; i < vertices.length; i += 3) {
    const dx = vertices[i]! - x
    const dy = vertices[i + 1]! - y
    const dz = vertices[i + 2]! - z
    const sq = dx * dx + dy * dy + dz * dz
    if (sq >= leastSq) continue
    leastSq = sq
    nearest = i / 3
  }
  return nearest
}

/** Emits the cone of lines from `from` that touch the ball of `radius` around a point. False from inside. */
export function ballCone(
  x: number,
  y: number,
  z: number,
  from: Vec3Like,
  radius: number,
  rim: OutlineSink,
): boolean {
  const dx = x - from.x
  const dy = y - from.y
  const dz = z - from.z
  const d = Math.sqrt(dx * dx + dy * dy + dz * dz)
  if (!(d > radius)) return false
  const sine = radius / d
  rim.circle(dx / d, dy / d, dz / d, Math.sqrt(1 - sine * sine))
  return true
}
