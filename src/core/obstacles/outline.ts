import type { Vec3Like } from '../types.js'
import type { Polytope } from './polytope.js'
import type { OutlineSink } from './shape.js'
import { grown } from '../math/grown.js'

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

let outlined = new Uint8Array(64)

/** Emits the circles of a convex body with flat faces, grown by `radius`, as seen from `from`. */
export function polytopeOutline(body: Polytope, from: Vec3Like, radius: number, rim: OutlineSink): void {
  const { edges, vertices } = body
  if (3 * outlined.length < vertices.length) outlined = grown(outlined, vertices.length)
  outlined.fill(0)
  for (let i = 0; i < edges.length; i += 4) {
    if (!edgePlanes(body, i, from, radius, rim)) continue
    outlined[edges[i]!] = 1
    outlined[edges[i + 1]!] = 1
  }
  if (!(radius > 0)) return
  // where one corner hides all others no edge is on the outline, and that corner is the nearest one
  outlined[nearestVertex(vertices, from)] = 1
  for (let i = 0; i < vertices.length; i += 3)
    if (outlined[i / 3] === 1) ballCone(vertices[i]!, vertices[i + 1]!, vertices[i + 2]!, from, radius, rim)
}

/**
 * Emits the planes through `from` that touch the cylinder around an edge where the edge is the nearest part.
 * True when there are any.
 */
function edgePlanes(body: Polytope, edge: number, from: Vec3Like, radius: number, rim: OutlineSink): boolean {
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
    return false
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
  if (!(d > radius)) return false
  wx /= d
  wy /= d
  wz /= d
  const cosine = radius / d
  const sine = Math.sqrt(1 - cosine * cosine)
  const cosineOfFaces = ax * bx + ay * by + az * bz
  const slack = -SLACK * Math.sqrt(Math.max(0, 1 - cosineOfFaces * cosineOfFaces))
  let found = false
  for (let side = -1; side <= 1; side += 2) {
    const k = side * sine
    const mx = cosine * wx + k * (ey * wz - ez * wy)
    const my = cosine * wy + k * (ez * wx - ex * wz)
    const mz = cosine * wz + k * (ex * wy - ey * wx)
    const nearA = mx * ax + my * ay + mz * az
    const nearB = mx * bx + my * by + mz * bz
    // the edge is the nearest part only in directions between the normals of its faces
    if (nearA - cosineOfFaces * nearB < slack || nearB - cosineOfFaces * nearA < slack) continue
    rim.circle(-mx, -my, -mz, 0)
    found = true
  }
  return found
}

/**
 * Emits the two planes through `from` that touch an infinite cylinder of `radius` around the y axis. None
 * from inside of it.
 */
export function columnPlanes(from: Vec3Like, radius: number, rim: OutlineSink): void {
  const d = Math.sqrt(from.x * from.x + from.z * from.z)
  if (!(d > radius)) return
  const x = from.x / d
  const z = from.z / d
  const cosine = radius / d
  const sine = Math.sqrt(1 - cosine * cosine)
  rim.circle(-cosine * x - sine * z, 0, -cosine * z + sine * x, 0)
  rim.circle(-cosine * x + sine * z, 0, -cosine * z - sine * x, 0)
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

/** Emits the cone of lines from `from` that touch the ball of `radius` around a point; none from inside. */
export function ballCone(
  x: number,
  y: number,
  z: number,
  from: Vec3Like,
  radius: number,
  rim: OutlineSink,
): void {
  const dx = x - from.x
  const dy = y - from.y
  const dz = z - from.z
  const d = Math.sqrt(dx * dx + dy * dy + dz * dz)
  if (!(d > radius)) return
  const sine = radius / d
  rim.circle(dx / d, dy / d, dz / d, Math.sqrt(1 - sine * sine))
}
