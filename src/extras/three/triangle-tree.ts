import type { Vec3, Vec3Like } from '../../core/types.js'
import { BallPath } from '../../core/obstacles/ball-path.js'
import { leaveConvex, sweepConvex } from '../../core/obstacles/sweep.js'
import type { TreeNodes } from '../../core/obstacles/tree-nodes.js'
import { distanceToBoxSq } from '../../core/obstacles/tree-boxes.js'
import { HALF, NODE, WideNodes } from '../../core/obstacles/wide-nodes.js'
import { copy, vec3 } from '../../core/math/vec3.js'

/**
 * Distances are compared with this tolerance, relative to the size of the coordinates, so that rounding never
 * excludes the nearest triangle. Each of them is a sum of about ten coordinates.
 */
const ROUNDING = 1e-14
/** Cells of the table of near triangles: a power of two. */
const CELLS = 4096
/** Cells along the largest side of the mesh. Chosen by hand: finer ones are filled more slowly. */
const CELLS_ACROSS = 128

/** Queries of many triangles, each a convex body of its own without an inside. */
export class TriangleTree {
  /** Results of `seek`: nearest point (m), number of its triangle, part of it (`nearestOnTriangle`). */
  readonly point: Vec3 = vec3()
  index = 0
  part = 0
  private readonly corners: Float32Array
  private readonly nodes: TreeNodes
  private readonly wide = new WideNodes()
  /** Triangles that may be nearest. */
  private readonly found: Int32Array
  private readonly boxes: Float64Array
  private readonly probe: TriangleProbe
  private readonly path = new BallPath()
  /**
   * Of each cell of a grid the triangle that was nearest to the last point in it. Cells share an entry where
   * their hashes do: any triangle is a valid start of a search.
   */
  private readonly nearTriangle = new Int32Array(CELLS)
  private readonly cell: number
  /** Largest coordinate, m. */
  private readonly size: number
  private readonly candidate: Vec3 = vec3()
  private readonly normal: Vec3 = vec3()

  /** `corners` is `[9 × triangles]`, m; `nodes` is a tree over the triangles, in their order. */
  constructor(corners: Float32Array, nodes: TreeNodes) {
    this.corners = corners
    this.nodes = nodes
    this.boxes = boxesOf(corners)
    nodes.fit(this.boxes)
    this.wide.build(nodes)
    this.wide.fit(nodes)
    this.found = new Int32Array(corners.length / 9 + 1)
    this.probe = new TriangleProbe(corners)
    const { bounds } = nodes
    this.size = Math.max(...bounds.subarray(0, 6).map(Math.abs))
    const side = Math.max(bounds[3]! - bounds[0]!, bounds[4]! - bounds[1]!, bounds[5]! - bounds[2]!)
    this.cell = side / CELLS_ACROSS
  }

  /**
   * Finds the point of all triangles that is nearest to `from`. Of several at the same distance, the triangle
   * with the lowest number is taken, so that the result does not depend on earlier queries.
   */
  seek(from: Vec3Like): void {
    const { boxes, candidate, cell, corners, found, nearTriangle, point } = this
    const { bounds, first, isLeaf, last, open } = this.wide
    const { x, y, z } = from
    const margin = ROUNDING * (this.size + Math.abs(x) + Math.abs(y) + Math.abs(z))
    const hash =
      (Math.imul(Math.floor(x / cell), 73856093) ^
        Math.imul(Math.floor(y / cell), 19349663) ^
        Math.imul(Math.floor(z / cell), 83492791)) &
      (CELLS - 1)
    // the first triangle bounds the distance, so that the walk needs no order
    let index = nearTriangle[hash]!
    let part = nearestOnTriangle(corners, index, from, candidate)
    copy(point, candidate)
    const hintX = x - candidate.x
    const hintY = y - candidate.y
    const hintZ = z - candidate.z
    let leastSq = hintX * hintX + hintY * hintY + hintZ * hintZ
    let limitSq = (Math.sqrt(leastSq) + margin) ** 2
    open[0] = 0
    let ends = 1
    while (ends > 0) {
      const w = open[--ends]!
      const to = last[w]!
      // boxes are tested without a branch; `ex`, `ey`, `ez` are twice the distance along each axis
      const reachSq = 4 * limitSq
      if (isLeaf[w] === 0) {
        for (let k = first[w]!; k < to; k++) {
          const i = NODE * k
          const dx = Math.abs(bounds[i]! - x) - bounds[i + HALF]!
          const dy = Math.abs(bounds[i + 1]! - y) - bounds[i + HALF + 1]!
          const dz = Math.abs(bounds[i + 2]! - z) - bounds[i + HALF + 2]!
          const ex = dx + Math.abs(dx)
          const ey = dy + Math.abs(dy)
          const ez = dz + Math.abs(dz)
          open[ends] = k
          ends += Number(ex * ex + ey * ey + ez * ez <= reachSq)
        }
        continue
      }
      let count = 0
      for (let i = first[w]!; i < to; i++) {
        const b = 6 * i
        const ex = Math.abs(boxes[b]! - x) + Math.abs(x - boxes[b + 3]!) - (boxes[b + 3]! - boxes[b]!)
        const ey = Math.abs(boxes[b + 1]! - y) + Math.abs(y - boxes[b + 4]!) - (boxes[b + 4]! - boxes[b + 1]!)
        const ez = Math.abs(boxes[b + 2]! - z) + Math.abs(z - boxes[b + 5]!) - (boxes[b + 5]! - boxes[b + 2]!)
        found[count] = i
        count += Number(ex * ex + ey * ey + ez * ez <= reachSq)
      }
      for (let n = 0; n < count; n++) {
        const i = found[n]!
        const nearPart = nearestOnTriangle(corners, i, from, candidate)
        const dx = x - candidate.x
        const dy = y - candidate.y
        const dz = z - candidate.z
        const sq = dx * dx + dy * dy + dz * dz
        if (sq > leastSq || (sq === leastSq && i >= index)) continue
        leastSq = sq
        index = i
        part = nearPart
        copy(point, candidate)
        limitSq = (Math.sqrt(leastSq) + margin) ** 2
      }
    }
    nearTriangle[hash] = index
    this.index = index
    this.part = part
  }

  /**
   * Distance (m) that a ball flies until it touches a triangle, of those farther than `skip` (m) from the
   * start; Infinity when it touches none within `limit` (m).
   */
  meet(origin: Vec3Like, direction: Vec3Like, radius: number, limit: number, skip: number): number {
    const { boxes, normal, path, probe } = this
    const { after, bounds, end, nodes, start } = this.nodes
    path.aim(origin, direction, radius)
    path.limit = limit
    let least = Infinity
    let k = 0
    while (k < nodes) {
      if (!path.meets(bounds, 6 * k)) {
        k = after[k]!
        continue
      }
      for (let i = start[k]!; after[k] === k + 1 && i < end[k]!; i++) {
        if (!path.meets(boxes, 6 * i)) continue
        probe.index = i
        if (skip > 0 && probe.distance(origin, normal) <= skip) continue
        const t = sweepConvex(probe, origin, direction, radius, path.limit)
        if (t < least) least = path.limit = t
      }
      k++
    }
    return least
  }

  /** Distance (m) that a ball must fly until it is clear of all triangles that it overlaps at the start. */
  leave(origin: Vec3Like, direction: Vec3Like, radius: number): number {
    const { boxes, probe } = this
    const { after, bounds, end, nodes, start } = this.nodes
    const { x, y, z } = origin
    const reach = radius + ROUNDING * (this.size + Math.abs(x) + Math.abs(y) + Math.abs(z))
    const reachSq = reach * reach
    let largest = 0
    let k = 0
    while (k < nodes) {
      if (distanceToBoxSq(bounds, 6 * k, x, y, z) > reachSq) {
        k = after[k]!
        continue
      }
      for (probe.index = start[k]!; after[k] === k + 1 && probe.index < end[k]!; probe.index++)
        if (distanceToBoxSq(boxes, 6 * probe.index, x, y, z) <= reachSq)
          largest = Math.max(largest, leaveConvex(probe, origin, direction, radius))
      k++
    }
    return largest
  }

  /** Extent (m) of the triangles along a direction. */
  support(direction: Vec3Like): number {
    const { bounds, after, start, end, nodes } = this.nodes
    const { probe } = this
    const { x, y, z } = direction
    let largest = -Infinity
    let k = 0
    while (k < nodes) {
      const i = 6 * k
      const reach =
        x * bounds[x > 0 ? i + 3 : i]! +
        y * bounds[y > 0 ? i + 4 : i + 1]! +
        z * bounds[z > 0 ? i + 5 : i + 2]!
      if (reach <= largest) {
        k = after[k]!
        continue
      }
      for (probe.index = start[k]!; after[k] === k + 1 && probe.index < end[k]!; probe.index++)
        largest = Math.max(largest, probe.support(direction))
      k++
    }
    return largest
  }
}

/** `[6 × triangles]`: lowest x, y, z, highest x, y, z. */
function boxesOf(corners: Float32Array): Float64Array {
  const boxes = new Float64Array((corners.length / 9) * 6)
  for (let i = 0; i < corners.length / 9; i++)
    for (let c = 0; c < 3; c++) {
      const a = corners[9 * i + c]!
      const b = corners[9 * i + 3 + c]!
      const d = corners[9 * i + 6 + c]!
      boxes[6 * i + c] = Math.min(a, b, d)
      boxes[6 * i + 3 + c] = Math.max(a, b, d)
    }
  return boxes
}

/**
 * Writes into `out` the point of triangle `index` that is nearest to `from` (m). Returns the part on which it
 * lies: 0 the face, 1 to 3 the sides ab, bc, ca, 4 to 6 the corners a, b, c (Ericson, Real-Time Collision
 * Detection, 2004, 5.1.5). `corners` is `[9 × triangles]`; the corners of a triangle must differ, its area
 * may be zero.
 */
function nearestOnTriangle(corners: Float32Array, index: number, from: Vec3Like, out: Vec3): number {
  const i = 9 * index
  const ax = corners[i]!
  const ay = corners[i + 1]!
  const az = corners[i + 2]!
  const ux = corners[i + 3]! - ax
  const uy = corners[i + 4]! - ay
  const uz = corners[i + 5]! - az
  const vx = corners[i + 6]! - ax
  const vy = corners[i + 7]! - ay
  const vz = corners[i + 8]! - az
  const px = from.x - ax
  const py = from.y - ay
  const pz = from.z - az
  const uu = ux * ux + uy * uy + uz * uz
  const uv = ux * vx + uy * vy + uz * vz
  const vv = vx * vx + vy * vy + vz * vz
  // projections on both sides from a, relative to a, b and c
  const au = px * ux + py * uy + pz * uz
  const av = px * vx + py * vy + pz * vz
  const bu = au - uu
  const bv = av - uv
  const cu = au - uv
  const cv = av - vv
  // barycentric coordinates of the nearest point of the plane, times a common factor
  const shareA = bu * cv - cu * bv
  const shareB = cu * av - au * cv
  const shareC = au * bv - bu * av
  let s = 0
  let t = 0
  let part = 0
  if (au <= 0 && av <= 0) part = 4
  else if (bu >= 0 && bv <= bu) {
    part = 5
    s = 1
  } else if (cv >= 0 && cu <= cv) {
    part = 6
    t = 1
  } else if (shareC <= 0 && au >= 0 && bu <= 0) {
    part = 1
    s = au / uu
  } else if (shareB <= 0 && av >= 0 && cv <= 0) {
    part = 3
    t = av / vv
  } else if (shareA <= 0 && bv >= bu && cu >= cv) {
    part = 2
    t = (bv - bu) / (bv - bu + cu - cv)
    s = 1 - t
  } else {
    const sum = shareA + shareB + shareC
    s = shareB / sum
    t = shareC / sum
  }
  out.x = ax + s * ux + t * vx
  out.y = ay + s * uy + t * vy
  out.z = az + s * uz + t * vz
  return part
}

/** One triangle of many as a convex body without an inside. */
class TriangleProbe {
  index = 0
  private readonly corners: Float32Array
  private readonly near: Vec3 = vec3()

  constructor(corners: Float32Array) {
    this.corners = corners
  }

  /** See `Shape.distance`; at the triangle itself the normal points up (+Y). */
  distance(point: Vec3Like, normal: Vec3): number {
    const { near } = this
    nearestOnTriangle(this.corners, this.index, point, near)
    const dx = point.x - near.x
    const dy = point.y - near.y
    const dz = point.z - near.z
    const d = Math.sqrt(dx * dx + dy * dy + dz * dz)
    normal.x = d > 0 ? dx / d : 0
    normal.y = d > 0 ? dy / d : 1
    normal.z = d > 0 ? dz / d : 0
    return d
  }

  /** See `Shape.support`. */
  support({ x, y, z }: Vec3Like): number {
    const { corners } = this
    let extent = -Infinity
    for (let i = 9 * this.index; i < 9 * this.index + 9; i += 3) {
      const along = x * corners[i]! + y * corners[i + 1]! + z * corners[i + 2]!
      if (along > extent) extent = along
    }
    return extent
  }
}
