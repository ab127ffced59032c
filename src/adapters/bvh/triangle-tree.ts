import type { Vec3, Vec3Like } from '../../types.js'
import { leaveConvex, sweepConvex } from '../../obstacles/sweep.js'
import { Tree } from '../../obstacles/tree.js'
import type { TreeNodes } from '../../obstacles/tree-nodes.js'
import { copy, vec3 } from '../../math/vec3.js'
import { nearestOnTriangle, TriangleProbe } from './triangle.js'

/** Questions to many triangles, each a convex body of its own without an inside. */
export class TriangleTree {
  /** The point that `seek` has found, m, the number of its triangle and the part of it, see `nearestOnTriangle`. */
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

  /** `corners` is `[9 × triangles]`, m; `nodes` are split over the triangles. */
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

  /** How far (m) a ball flies until it touches a triangle, of those farther than `skip` (m) from the start; Infinity when nothing is met. */
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

  /** How far (m) a ball must fly until it is clear of all triangles that it overlaps now. */
  leave(origin: Vec3Like, direction: Vec3Like, radius: number): number {
    const { tree, probe, found } = this
    const count = tree.near(origin.x, origin.y, origin.z, radius, found)
    let most = 0
    for (let i = 0; i < count; i++) {
      probe.index = found[i]!
      const t = leaveConvex(probe, origin, direction, radius)
      if (t > most) most = t
    }
    return most
  }

  /** How far (m) the triangles reach along a direction. */
  support(direction: Vec3Like): number {
    const { bounds, after, start, end, order, nodes } = this.nodes
    const { probe } = this
    const { x, y, z } = direction
    let most = -Infinity
    let k = 0
    while (k < nodes) {
      const i = 6 * k
      const reach =
        x * bounds[x > 0 ? i + 3 : i]! +
        y * bounds[y > 0 ? i + 4 : i + 1]! +
        z * bounds[z > 0 ? i + 5 : i + 2]!
      if (reach <= most) {
        k = after[k]!
        continue
      }
      for (let at = start[k]!; at < end[k]!; at++) {
        probe.index = order[at]!
        const far = probe.support(direction)
        if (far > most) most = far
      }
      k++
    }
    return most
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
