import type { Vec3, Vec3Like } from '../../types.js'
import { leaveConvex, sweepConvex } from '../../obstacles/sweep.js'
import { Tree } from '../../obstacles/tree.js'
import type { TreeNodes } from '../../obstacles/tree-nodes.js'
import { copy, vec3 } from '../../math/vec3.js'

/** Queries of many triangles, each a convex body of its own without an inside. */
export class TriangleTree {
  /**
   * Results of `seek`: nearest point, m, the number of its triangle and the part of it, see
   * `nearestOnTriangle`.
   */
  readonly point: Vec3 = vec3()
  index = 0
  part = 0
  private readonly corners: Float32Array
  private readonly nodes: TreeNodes
  private readonly tree = new Tree()
  private readonly probe: TriangleProbe
  private readonly found: Int32Array
  private readonly candidate: Vec3 = vec3()
  private readonly normal: Vec3 = vec3()

  /** `corners` is `[9 × triangles]`, m; `nodes` is a tree over the triangles. */
  constructor(corners: Float32Array, nodes: TreeNodes) {
    this.corners = corners
    this.nodes = nodes
    this.tree.adopt(nodes, boxesOf(corners))
    this.probe = new TriangleProbe(corners)
    this.found = new Int32Array(corners.length / 9)
  }

  /** Finds the point of all triangles that is nearest to `from`. */
  seek(from: Vec3Like): void {
    const { corners, tree, candidate, point } = this
    const { x, y, z } = from
    tree.walkFrom(x, y, z)
    let leastSq = Infinity
    let index = tree.next(Infinity)
    while (index >= 0) {
      const part = nearestOnTriangle(corners, index, from, candidate)
      const dx = x - candidate.x
      const dy = y - candidate.y
      const dz = z - candidate.z
      const sq = dx * dx + dy * dy + dz * dz
      if (sq < leastSq) {
        leastSq = sq
        this.index = index
        this.part = part
        copy(point, candidate)
      }
      index = tree.next(Math.sqrt(leastSq))
    }
  }

  /**
   * Distance (m) that a ball flies until it touches a triangle, of those farther than `skip` (m) from the
   * start; Infinity when it touches none.
   */
  meet(origin: Vec3Like, direction: Vec3Like, radius: number, limit: number, skip: number): number {
    const { tree, probe, normal } = this
    let least = Infinity
    tree.walkAlong(origin.x, origin.y, origin.z, direction.x, direction.y, direction.z, radius)
    while ((probe.index = tree.next(Math.min(limit, least))) >= 0) {
      if (skip > 0 && probe.distance(origin, normal) <= skip) continue
      const t = sweepConvex(probe, origin, direction, radius, Math.min(limit, least))
      if (t < least) least = t
    }
    return least
  }

  /** Distance (m) that a ball must fly until it is clear of all triangles that it overlaps at the start. */
  leave(origin: Vec3Like, direction: Vec3Like, radius: number): number {
    const { tree, probe, found } = this
    const count = tree.near(origin.x, origin.y, origin.z, radius, found)
    let largest = 0
    for (let i = 0; i < count; i++) {
      probe.index = found[i]!
      const t = leaveConvex(probe, origin, direction, radius)
      if (t > largest) largest = t
    }
    return largest
  }

  /** Extent (m) of the triangles along a direction. */
  support(direction: Vec3Like): number {
    const { bounds, after, start, end, order, nodes } = this.nodes
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
      for (let entry = start[k]!; entry < end[k]!; entry++) {
        probe.index = order[entry]!
        const extent = probe.support(direction)
        if (extent > largest) largest = extent
      }
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
