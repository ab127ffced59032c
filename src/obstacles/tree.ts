import type { Vec3Like } from '../types.js'
import { distanceToBoxSq } from './tree-boxes.js'
import { TreeNodes } from './tree-nodes.js'

/** The tree is to be rebuilt when the total size of its nodes has grown to this multiple. Chosen by hand. */
const REBUILD_GROWTH = 1.5
/**
 * Halving down to leaves, 2³² boxes make 32 levels, and a walk leaves one node per level waiting.
 */
const MAX_LEVELS = 64
/**
 * Distances to nodes are reduced by this share, so that rounding never puts a node farther than its contents.
 */
const ROUNDING = 1e-12
/** A distance from a line loses this share of the square of the distance along it by rounding. */
const SQUARE_ROUNDING = 1e-14
/**
 * The boxes of a node with no more than these are tested one after the other, without a branch that the
 * processor would mispredict: that takes less time than the nodes below. Chosen by hand.
 */
const BUNCH = 8

/** Queries of a tree of boxes, see {@link TreeNodes}, over the numbers 0 … count − 1. */
export class Tree {
  /** `[6 × count]`, owned by the caller. */
  private boxes: Float64Array = new Float64Array(0)
  /** `[4 × count]`: centers and radii of balls around the boxes, owned by the caller. */
  private balls: Float64Array = new Float64Array(0)
  private tree = new TreeNodes()
  /**
   * Of the next query: distance (m), half-angle of the cone (rad), and what a path or a cone is grown by (m).
   * Fields, because numbers that are passed are boxed.
   */
  distance = 0.5
  angle = 0.5
  extra = 0.5
  private initialCost = 0

  // state of the present walk, see `next`
  private readonly waiting: Int32Array = new Int32Array(MAX_LEVELS)
  private readonly bound: Float64Array = new Float64Array(MAX_LEVELS)
  private depth = 0
  private item = 0
  private itemEnd = 0
  private isRay = false
  private x = 0.5
  private y = 0.5
  private z = 0.5
  private inverseX = 0.5
  private inverseY = 0.5
  private inverseZ = 0.5
  private radius = 0.5
  private boxDistance = 0.5

  /** Builds the tree over the first `count` boxes with balls around them. Keeps the arrays by reference. */
  build(boxes: Float64Array, balls: Float64Array, count: number): void {
    this.boxes = boxes
    this.balls = balls
    this.tree.build(boxes, count)
    this.initialCost = this.tree.fit(boxes, balls)
  }

  /** Fits the nodes to boxes that have changed. True when the tree should be rebuilt. */
  refit(): boolean {
    return this.tree.fit(this.boxes, this.balls) > REBUILD_GROWTH * this.initialCost
  }

  /**
   * Writes into `out` the numbers of all boxes within `distance` of a point, in no particular order.
   * @returns how many.
   */
  near(point: Vec3Like, out: Int32Array): number {
    const { distance } = this
    const { after, balls, bounds, end, nodes, order, start } = this.tree
    const { x, y, z } = point
    const distanceSq = distance * distance
    let count = 0
    let k = 0
    while (k < nodes) {
      if (distanceToBoxSq(bounds, 6 * k, x, y, z) > distanceSq) k = after[k]!
      else if (end[k]! - start[k]! > BUNCH) k++
      else {
        for (let i = start[k]!; i < end[k]!; i++) {
          const dx = balls[4 * i]! - x
          const dy = balls[4 * i + 1]! - y
          const dz = balls[4 * i + 2]! - z
          const range = balls[4 * i + 3]! + distance
          out[count] = order[i]!
          count += Number(dx * dx + dy * dy + dz * dz <= range * range)
        }
        k = after[k]!
      }
    }
    return this.keepNear(point, count, out)
  }

  /**
   * As `near`, but only boxes whose ball, grown by `extra`, reaches into a cone around the unit `axis`:
   * directions at most `angle` (below a right angle) from it. Some more may be included.
   */
  ahead(point: Vec3Like, axis: Vec3Like, out: Int32Array): number {
    const { angle, distance, extra } = this
    const { after, balls, bounds, end, hulls, nodes, order, start } = this.tree
    const sine = Math.sin(angle)
    const cosine = Math.cos(angle)
    const distanceSq = distance * distance
    const cosineSq = cosine * cosine
    const { x, y, z } = point
    const { x: ax, y: ay, z: az } = axis
    let count = 0
    let k = 0
    while (k < nodes) {
      const hx = hulls[4 * k]! - x
      const hy = hulls[4 * k + 1]! - y
      const hz = hulls[4 * k + 2]! - z
      const hullAlong = hx * ax + hy * ay + hz * az
      const hullMost = hulls[4 * k + 3]! + extra + hullAlong * sine
      const hullAcrossSq = hx * hx + hy * hy + hz * hz - hullAlong * hullAlong
      if (
        hullMost < 0 ||
        hullAcrossSq * cosineSq > hullMost * hullMost ||
        distanceToBoxSq(bounds, 6 * k, x, y, z) > distanceSq
      )
        k = after[k]!
      else if (end[k]! - start[k]! > BUNCH) k++
      else {
        for (let i = start[k]!; i < end[k]!; i++) {
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
          // no branch to mispredict
          count +=
            Number(sq <= range * range) &
            Number(along >= -radius - extra) &
            Number((sq - along * along) * cosineSq <= most * most + SQUARE_ROUNDING * sq)
        }
        k = after[k]!
      }
    }
    return this.keepNear(point, count, out)
  }

  /**
   * Writes into `out` the numbers of the boxes whose ball is touched by a ball of radius `extra` that flies
   * at most `distance` along the unit `axis`. Some more may be included.
   */
  along(point: Vec3Like, axis: Vec3Like, out: Int32Array): number {
    const { distance, extra: radius } = this
    const { after, balls, bounds, end, nodes, order, start } = this.tree
    const { x, y, z } = point
    const { x: ax, y: ay, z: az } = axis
    const absX = Math.abs(ax)
    const absY = Math.abs(ay)
    const absZ = Math.abs(az)
    let count = 0
    let k = 0
    while (k < nodes) {
      const i = 6 * k
      const tx = (bounds[i]! + bounds[i + 3]!) / 2 - x
      const ty = (bounds[i + 1]! + bounds[i + 4]!) / 2 - y
      const tz = (bounds[i + 2]! + bounds[i + 5]!) / 2 - z
      const extra = radius + ROUNDING * (Math.abs(tx) + Math.abs(ty) + Math.abs(tz))
      const hx = (bounds[i + 3]! - bounds[i]!) / 2 + extra
      const hy = (bounds[i + 4]! - bounds[i + 1]!) / 2 + extra
      const hz = (bounds[i + 5]! - bounds[i + 2]!) / 2 + extra
      const along = tx * ax + ty * ay + tz * az
      const reach = hx * absX + hy * absY + hz * absZ
      // the path passes the grown box, or the box lies behind its start or beyond its end
      if (
        Math.abs(ty * az - tz * ay) > hy * absZ + hz * absY ||
        Math.abs(tz * ax - tx * az) > hz * absX + hx * absZ ||
        Math.abs(tx * ay - ty * ax) > hx * absY + hy * absX ||
        along < -reach ||
        along - reach > distance
      )
        k = after[k]!
      else if (end[k]! - start[k]! > BUNCH) k++
      else {
        for (let n = start[k]!; n < end[k]!; n++) {
          const dx = balls[4 * n]! - x
          const dy = balls[4 * n + 1]! - y
          const dz = balls[4 * n + 2]! - z
          const range = balls[4 * n + 3]! + radius
          const sq = dx * dx + dy * dy + dz * dz
          const ahead = dx * ax + dy * ay + dz * az
          out[count] = order[n]!
          count +=
            Number(ahead >= -range) &
            Number(ahead <= range + distance) &
            Number(sq - ahead * ahead <= range * range + SQUARE_ROUNDING * sq)
        }
        k = after[k]!
      }
    }
    return count
  }

  /** Of the first `count` boxes in `out` keeps those within `distance` of a point. Returns their number. */
  private keepNear({ x, y, z }: Vec3Like, count: number, out: Int32Array): number {
    const { boxes, distance } = this
    const distanceSq = distance * distance
    let kept = 0
    for (let i = 0; i < count; i++)
      if (distanceToBoxSq(boxes, 6 * out[i]!, x, y, z) <= distanceSq) out[kept++] = out[i]!
    return kept
  }

  /** Starts a walk through the boxes in the order of their distance from a point, nearest first. */
  walkFrom({ x, y, z }: Vec3Like): void {
    this.isRay = false
    this.x = x
    this.y = y
    this.z = z
    this.begin()
  }

  /** Starts a walk through the boxes in the order in which a ball on a straight path touches them. */
  walkAlong({ x, y, z }: Vec3Like, direction: Vec3Like, radius: number): void {
    this.isRay = true
    this.x = x
    this.y = y
    this.z = z
    this.inverseX = 1 / direction.x
    this.inverseY = 1 / direction.y
    this.inverseZ = 1 / direction.z
    this.radius = radius
    this.begin()
  }

  /**
   * The next box of the walk at a distance of at most `limit` (m; negative inside of a box); −1 when there
   * are none left.
   */
  next(limit: number): number {
    const { boxes, waiting, bound } = this
    const { bounds, order, after, start, end } = this.tree
    while (true) {
      while (this.item < this.itemEnd) {
        const item = order[this.item++]!
        this.measure(boxes, 6 * item)
        if (this.boxDistance <= limit) return item
      }
      if (this.depth === 0) return -1
      const k = waiting[--this.depth]!
      if (!(bound[this.depth]! <= limit)) continue
      if (k + 1 === after[k]) {
        this.item = start[k]!
        this.itemEnd = end[k]!
        continue
      }
      const left = k + 1
      const right = after[left]!
      this.measure(bounds, 6 * left)
      const toLeft = this.boxDistance
      this.measure(bounds, 6 * right)
      const toRight = this.boxDistance
      // the nearer node on top of the stack
      const leftFirst = toLeft <= toRight
      waiting[this.depth] = leftFirst ? right : left
      bound[this.depth] = leftFirst ? toRight : toLeft
      this.depth++
      waiting[this.depth] = leftFirst ? left : right
      bound[this.depth] = leftFirst ? toLeft : toRight
      this.depth++
    }
  }

  private begin(): void {
    const { nodes, bounds } = this.tree
    this.item = this.itemEnd = this.depth = 0
    if (nodes === 0) return
    this.measure(bounds, 0)
    this.waiting[0] = 0
    this.bound[0] = this.boxDistance
    this.depth = 1
  }

  /**
   * Writes into `boxDistance` a lower bound of the distance to the contents of a box: from a point the signed
   * distance (m), for a ball the distance along its path (m), Infinity if it passes the box. (A returned
   * number would be boxed by V8.)
   */
  private measure(boxes: Float64Array, i: number): void {
    if (this.isRay) this.measureAlong(boxes, i)
    else this.measureFrom(boxes, i)
  }

  private measureFrom(boxes: Float64Array, i: number): void {
    const { x, y, z } = this
    const dx = Math.max(boxes[i]! - x, x - boxes[i + 3]!)
    const dy = Math.max(boxes[i + 1]! - y, y - boxes[i + 4]!)
    const dz = Math.max(boxes[i + 2]! - z, z - boxes[i + 5]!)
    const ox = dx > 0 ? dx : 0
    const oy = dy > 0 ? dy : 0
    const oz = dz > 0 ? dz : 0
    const sq = ox * ox + oy * oy + oz * oz
    // inside, the distance to the nearest face
    this.boxDistance = sq > 0 ? Math.sqrt(sq) : Math.max(dx, dy, dz)
  }

  private measureAlong(boxes: Float64Array, i: number): void {
    const { x, y, z, inverseX, inverseY, inverseZ, radius } = this
    let enter = 0
    let leave = Infinity
    this.boxDistance = Infinity
    const lowX = boxes[i]! - radius - x
    const highX = boxes[i + 3]! + radius - x
    // a path parallel to a face is either within the slab or not: 0 · ∞ would be NaN
    if (Math.abs(inverseX) === Infinity) {
      if (!(lowX <= 0 && highX >= 0)) return
    } else {
      const from = (inverseX > 0 ? lowX : highX) * inverseX
      const to = (inverseX > 0 ? highX : lowX) * inverseX
      if (from > enter) enter = from
      if (to < leave) leave = to
    }
    const lowY = boxes[i + 1]! - radius - y
    const highY = boxes[i + 4]! + radius - y
    if (Math.abs(inverseY) === Infinity) {
      if (!(lowY <= 0 && highY >= 0)) return
    } else {
      const from = (inverseY > 0 ? lowY : highY) * inverseY
      const to = (inverseY > 0 ? highY : lowY) * inverseY
      if (from > enter) enter = from
      if (to < leave) leave = to
    }
    const lowZ = boxes[i + 2]! - radius - z
    const highZ = boxes[i + 5]! + radius - z
    if (Math.abs(inverseZ) === Infinity) {
      if (!(lowZ <= 0 && highZ >= 0)) return
    } else {
      const from = (inverseZ > 0 ? lowZ : highZ) * inverseZ
      const to = (inverseZ > 0 ? highZ : lowZ) * inverseZ
      if (from > enter) enter = from
      if (to < leave) leave = to
    }
    if (enter * (1 - ROUNDING) <= leave * (1 + ROUNDING)) this.boxDistance = enter * (1 - ROUNDING)
  }
}
