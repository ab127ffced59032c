import type { Vec3Like } from '../types.js'
import { grown } from '../math/grown.js'
import type { TreeNodes } from './tree-nodes.js'

/** A node with no more boxes than this has no children: fewer make more nodes to test. Chosen by hand. */
const BUNCH = 8
/** The children of a node are its descendants of this many levels of the binary tree. Chosen by hand. */
const LEVELS = 4
/** Numbers of a node, m: center and half sizes of its box, radius of the ball around that box. */
const NODE = 8
const HALF = 3
const RADIUS = 6

/** Boxes are larger by this share, so that rounding never puts a box farther than its contents. */
const ROUNDING = 1e-12
/** A distance from a line loses this share of the square of the distance along it by rounding. */
const SQUARE_ROUNDING = 1e-14

/**
 * The boxes of a binary tree in nodes of up to 2^`LEVELS` children, which lie side by side (Dammertz, Hanika
 * and Keller, Shallow Bounding Volume Hierarchies for Fast SIMD Ray Tracing of Incoherent Rays, 2008). The
 * children of a node are tested without a branch: each is written, and only a match advances the end. At the
 * nodes of a binary tree a processor mispredicts so often that this takes longer than the tests it saves.
 */
export class WideTree {
  /**
   * Of the next query: distance (m), half-angle of the cone (rad), and what a path or a cone is grown by (m).
   * Fields, because numbers that are passed are boxed.
   */
  distance = 0.5
  angle = 0.5
  extra = 0.5
  private nodes = 0
  /** `[8 × nodes]`, see `NODE`. */
  private bounds = new Float64Array(0)
  /** `[nodes]`: number of the node in the binary tree. */
  private source = new Int32Array(0)
  /** `[nodes]`: the children of a node; where `isLeaf` is 1, the places of its boxes. `last` is excluded. */
  private first = new Int32Array(0)
  private last = new Int32Array(0)
  private isLeaf = new Uint8Array(0)
  /** `[> nodes]`: nodes that a query has found. */
  private open = new Int32Array(1)
  /** Number of the box in each place, and `[4 × count]`: center and radius of the ball around it, m. */
  private order: Int32Array = new Int32Array(0)
  private balls: Float64Array = new Float64Array(0)

  /** Joins the nodes of a binary tree. Their bounds are not copied yet, see `fit`. */
  build(tree: TreeNodes): void {
    const { end, nodes, order, start } = tree
    this.nodes = 0
    if (nodes === 0) return
    this.order = order
    if (this.source.length < nodes) {
      for (const name of ['source', 'first', 'last'] as const) this[name] = new Int32Array(nodes)
      this.isLeaf = new Uint8Array(nodes)
      this.open = new Int32Array(nodes + 1)
      this.bounds = new Float64Array(NODE * nodes)
    }
    if (this.balls.length < 4 * end[0]!) this.balls = grown(this.balls, 4 * order.length)
    this.append(tree, 0, 0)
    for (let w = 0; w < this.nodes; w++) {
      const k = this.source[w]!
      const isLeaf = end[k]! - start[k]! <= BUNCH
      this.isLeaf[w] = Number(isLeaf)
      this.first[w] = isLeaf ? start[k]! : this.nodes
      if (!isLeaf) this.append(tree, k, LEVELS)
      this.last[w] = isLeaf ? end[k]! : this.nodes
    }
  }

  /** Appends node k of the binary tree, or its descendants `levels` below it. */
  private append(tree: TreeNodes, k: number, levels: number): void {
    const { after, end, start } = tree
    if (levels === 0 || end[k]! - start[k]! <= BUNCH) this.source[this.nodes++] = k
    else {
      this.append(tree, k + 1, levels - 1)
      this.append(tree, after[k + 1]!, levels - 1)
    }
  }

  /** Copies the bounds of the binary tree and the balls around its boxes, `[4 × count]`. */
  fit({ bounds, end, order }: TreeNodes, balls: Float64Array): void {
    const count = this.nodes > 0 ? end[0]! : 0
    for (let i = 0; i < count; i++)
      for (let c = 0; c < 4; c++) this.balls[4 * i + c] = balls[4 * order[i]! + c]!
    for (let w = 0; w < this.nodes; w++) {
      const i = 6 * this.source[w]!
      let sq = 0
      for (let c = 0; c < 3; c++) {
        const low = bounds[i + c]!
        const high = bounds[i + 3 + c]!
        const half = (high - low) / 2
        this.bounds[NODE * w + c] = low + half
        this.bounds[NODE * w + HALF + c] = half + ROUNDING * (Math.abs(low) + Math.abs(high))
        sq += half * half
      }
      this.bounds[NODE * w + RADIUS] = Math.sqrt(sq)
    }
  }

  /**
   * Writes into `out` the numbers of the boxes whose balls are within `distance` of a point.
   * @returns how many.
   */
  near({ x, y, z }: Vec3Like, out: Int32Array): number {
    const { balls, bounds, distance, first, isLeaf, last, open, order } = this
    const reachSq = 4 * distance * distance * (1 + ROUNDING)
    let ends = Math.min(1, this.nodes)
    let count = 0
    for (let n = 0; n < ends; n++) {
      const w = open[n]!
      const to = last[w]!
      if (isLeaf[w] === 0)
        for (let k = first[w]!; k < to; k++) {
          const i = NODE * k
          const dx = Math.abs(bounds[i]! - x) - bounds[i + HALF]!
          const dy = Math.abs(bounds[i + 1]! - y) - bounds[i + HALF + 1]!
          const dz = Math.abs(bounds[i + 2]! - z) - bounds[i + HALF + 2]!
          // twice the distance along each axis, 0 within the box
          const ex = dx + Math.abs(dx)
          const ey = dy + Math.abs(dy)
          const ez = dz + Math.abs(dz)
          open[ends] = k
          ends += Number(ex * ex + ey * ey + ez * ez <= reachSq)
        }
      else
        for (let i = first[w]!; i < to; i++) {
          const dx = balls[4 * i]! - x
          const dy = balls[4 * i + 1]! - y
          const dz = balls[4 * i + 2]! - z
          const range = balls[4 * i + 3]! + distance
          out[count] = order[i]!
          count += Number(dx * dx + dy * dy + dz * dz <= range * range)
        }
    }
    return count
  }

  /**
   * As `near`, but only boxes whose ball, grown by `extra`, reaches into a cone around the unit `axis`:
   * directions at most `angle` (below a right angle) from it.
   */
  ahead({ x, y, z }: Vec3Like, { x: ax, y: ay, z: az }: Vec3Like, out: Int32Array): number {
    const { angle, balls, bounds, distance, extra, first, isLeaf, last, open, order } = this
    const sine = Math.sin(angle)
    const cosineSq = Math.cos(angle) ** 2
    const reachSq = 4 * distance * distance * (1 + ROUNDING)
    let ends = Math.min(1, this.nodes)
    let count = 0
    for (let n = 0; n < ends; n++) {
      const w = open[n]!
      const to = last[w]!
      if (isLeaf[w] === 0)
        for (let k = first[w]!; k < to; k++) {
          const i = NODE * k
          const tx = bounds[i]! - x
          const ty = bounds[i + 1]! - y
          const tz = bounds[i + 2]! - z
          const along = tx * ax + ty * ay + tz * az
          const most = bounds[i + RADIUS]! + extra + along * sine
          const dx = Math.abs(tx) - bounds[i + HALF]!
          const dy = Math.abs(ty) - bounds[i + HALF + 1]!
          const dz = Math.abs(tz) - bounds[i + HALF + 2]!
          const ex = dx + Math.abs(dx)
          const ey = dy + Math.abs(dy)
          const ez = dz + Math.abs(dz)
          open[ends] = k
          ends +=
            Number(most >= 0) &
            Number((tx * tx + ty * ty + tz * tz - along * along) * cosineSq <= most * most) &
            Number(ex * ex + ey * ey + ez * ez <= reachSq)
        }
      else
        for (let i = first[w]!; i < to; i++) {
          const dx = balls[4 * i]! - x
          const dy = balls[4 * i + 1]! - y
          const dz = balls[4 * i + 2]! - z
          const radius = balls[4 * i + 3]!
          const sq = dx * dx + dy * dy + dz * dz
          const along = dx * ax + dy * ay + dz * az
          const range = radius + distance
          // across · cosine is at most this
          const most = radius + extra + along * sine
          out[count] = order[i]!
          count +=
            Number(sq <= range * range) &
            Number(along >= -radius - extra) &
            Number((sq - along * along) * cosineSq <= most * most + SQUARE_ROUNDING * sq)
        }
    }
    return count
  }

  /**
   * Writes into `out` the numbers of the boxes whose ball is touched by a ball of radius `extra` that flies
   * at most `distance` along the unit `axis`.
   */
  along({ x, y, z }: Vec3Like, { x: ax, y: ay, z: az }: Vec3Like, out: Int32Array): number {
    const { balls, bounds, distance, extra: radius, first, isLeaf, last, open, order } = this
    const absX = Math.abs(ax)
    const absY = Math.abs(ay)
    const absZ = Math.abs(az)
    let ends = Math.min(1, this.nodes)
    let count = 0
    for (let n = 0; n < ends; n++) {
      const w = open[n]!
      const to = last[w]!
      if (isLeaf[w] === 0)
        for (let k = first[w]!; k < to; k++) {
          const i = NODE * k
          const tx = bounds[i]! - x
          const ty = bounds[i + 1]! - y
          const tz = bounds[i + 2]! - z
          const extra = radius + ROUNDING * (Math.abs(tx) + Math.abs(ty) + Math.abs(tz))
          const hx = bounds[i + HALF]! + extra
          const hy = bounds[i + HALF + 1]! + extra
          const hz = bounds[i + HALF + 2]! + extra
          const ahead = tx * ax + ty * ay + tz * az
          const reach = hx * absX + hy * absY + hz * absZ
          open[ends] = k
          // the path meets the grown box, which lies neither behind its start nor beyond its end
          ends +=
            Number(Math.abs(ty * az - tz * ay) <= hy * absZ + hz * absY) &
            Number(Math.abs(tz * ax - tx * az) <= hz * absX + hx * absZ) &
            Number(Math.abs(tx * ay - ty * ax) <= hx * absY + hy * absX) &
            Number(ahead >= -reach) &
            Number(ahead - reach <= distance)
        }
      else
        for (let i = first[w]!; i < to; i++) {
          const dx = balls[4 * i]! - x
          const dy = balls[4 * i + 1]! - y
          const dz = balls[4 * i + 2]! - z
          const range = balls[4 * i + 3]! + radius
          const sq = dx * dx + dy * dy + dz * dz
          const ahead = dx * ax + dy * ay + dz * az
          out[count] = order[i]!
          count +=
            Number(ahead >= -range) &
            Number(ahead <= range + distance) &
            Number(sq - ahead * ahead <= range * range + SQUARE_ROUNDING * sq)
        }
    }
    return count
  }
}
