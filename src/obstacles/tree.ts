import type { Vec3Like } from '../types.js'
import { asideOf, farSq } from './tree-boxes.js'
import { TreeNodes } from './tree-nodes.js'

/** The tree is worth building anew when its nodes have grown to this multiple of what they measured. */
const WORN = 1.5
/** Halving down to leaves, 2³² boxes make 32 levels (trees of others stop at 40), and a walk leaves one node per level for later. */
const LEVELS = 64
/** Relative room for rounding, so that a branch is never taken for farther than what is in it. */
const ROOM = 1e-12

/** Questions to a tree of boxes, see {@link TreeNodes}, over the numbers 0 … count − 1. */
export class Tree {
  /** `[6 × count]`, the caller's. */
  private boxes: Float64Array = new Float64Array(0)
  private tree = new TreeNodes()
  private costWhenNew = 0

  // state of the walk that is under way, see `next`
  private readonly waiting: Int32Array = new Int32Array(LEVELS)
  private readonly bound: Float64Array = new Float64Array(LEVELS)
  private depth = 0
  private item = 0
  private itemEnd = 0
  private isRay = false
  private x = 0
  private y = 0
  private z = 0
  private perX = 0
  private perY = 0
  private perZ = 0
  private radius = 0
  private away = 0

  /** Builds the tree over the first `count` boxes. The array is kept, not copied. */
  build(boxes: Float64Array, count: number): void {
    this.boxes = boxes
    this.tree.build(boxes, count)
    this.costWhenNew = this.tree.fit(boxes)
  }

  /** Takes over nodes that were split elsewhere. */
  adopt(nodes: TreeNodes, boxes: Float64Array): void {
    this.boxes = boxes
    this.tree = nodes
    this.costWhenNew = nodes.fit(boxes)
  }

  /** Fits the nodes to boxes that have changed. True when it would be better to build the tree anew. */
  refit(): boolean {
    return this.tree.fit(this.boxes) > WORN * this.costWhenNew
  }

  /** Writes into `out` the numbers of all boxes within `distance` of a point, in no special order. @returns how many. */
  near(x: number, y: number, z: number, distance: number, out: Int32Array): number {
    const { boxes } = this
    const { bounds, order, after, start, end, nodes } = this.tree
    // nobody's box is at no distance, not even within infinity
    const distanceSq = Math.min(distance * distance, Number.MAX_VALUE)
    let count = 0
    let k = 0
    while (k < nodes) {
      if (farSq(bounds, 6 * k, x, y, z) > distanceSq) {
        k = after[k]!
        continue
      }
      for (let i = start[k]!; i < end[k]!; i++)
        if (farSq(boxes, 6 * order[i]!, x, y, z) <= distanceSq) out[count++] = order[i]!
      k++
    }
    return count
  }

  /**
   * As `near`, but only boxes of which a part, grown by `extra` (m), lies within a cone about the unit `axis`: directions at most `angle`
   * (rad, below a right angle) aside of it. A few more may come.
   */
  ahead(
    point: Vec3Like,
    axis: Vec3Like,
    angle: number,
    extra: number,
    distance: number,
    out: Int32Array,
  ): number {
    const { boxes } = this
    const { bounds, order, after, start, end, nodes } = this.tree
    const sine = Math.sin(angle)
    const cosine = Math.cos(angle)
    const distanceSq = Math.min(distance * distance, Number.MAX_VALUE)
    const { x, y, z } = point
    let count = 0
    let k = 0
    while (k < nodes) {
      if (
        farSq(bounds, 6 * k, x, y, z) > distanceSq ||
        asideOf(bounds, 6 * k, point, axis, sine, cosine) > extra
      ) {
        k = after[k]!
        continue
      }
      for (let i = start[k]!; i < end[k]!; i++) {
        const at = 6 * order[i]!
        if (farSq(boxes, at, x, y, z) > distanceSq) continue
        if (asideOf(boxes, at, point, axis, sine, cosine) <= extra) out[count++] = order[i]!
      }
      k++
    }
    return count
  }

  /** Begins a walk from the boxes that are near to a point to those that are far. */
  walkFrom(x: number, y: number, z: number): void {
    this.isRay = false
    this.x = x
    this.y = y
    this.z = z
    this.begin()
  }

  /** Begins a walk along the way of a ball, from the boxes that it meets first to those that it meets last. */
  walkAlong(x: number, y: number, z: number, dx: number, dy: number, dz: number, radius: number): void {
    this.isRay = true
    this.x = x
    this.y = y
    this.z = z
    this.perX = 1 / dx
    this.perY = 1 / dy
    this.perZ = 1 / dz
    this.radius = radius
    this.begin()
  }

  /** The next box of the walk that is at most `limit` away (less than 0 inside of it); −1 when there are none. */
  next(limit: number): number {
    const { boxes, waiting, bound } = this
    const { bounds, order, after, start, end } = this.tree
    while (true) {
      while (this.item < this.itemEnd) {
        const item = order[this.item++]!
        this.measure(boxes, 6 * item)
        if (this.away <= limit) return item
      }
      if (this.depth === 0) return -1
      const k = waiting[--this.depth]!
      if (!(bound[this.depth]! <= limit)) continue
      if (start[k]! >= 0) {
        this.item = start[k]!
        this.itemEnd = end[k]!
        continue
      }
      const left = k + 1
      const right = after[left]!
      this.measure(bounds, 6 * left)
      const toLeft = this.away
      this.measure(bounds, 6 * right)
      const toRight = this.away
      // the nearer one on top
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
    this.bound[0] = this.away
    this.depth = 1
  }

  /**
   * Writes into `away` a bound from below for the way to what is in a box: m, signed from a point, along its way for a ball, Infinity
   * if it passes. (A number that is returned would be boxed.)
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
    // inside the nearest face counts
    this.away = sq > 0 ? Math.sqrt(sq) : Math.max(dx, dy, dz)
  }

  private measureAlong(boxes: Float64Array, i: number): void {
    const { x, y, z, perX, perY, perZ, radius } = this
    let enter = 0
    let leave = Infinity
    this.away = Infinity
    // a ball that flies along a face meets it or not: 0 · ∞ would be neither
    const lowX = boxes[i]! - radius - x
    const highX = boxes[i + 3]! + radius - x
    if (Math.abs(perX) === Infinity) {
      if (!(lowX <= 0 && highX >= 0)) return
    } else {
      enter = Math.max(enter, (perX > 0 ? lowX : highX) * perX)
      leave = Math.min(leave, (perX > 0 ? highX : lowX) * perX)
    }
    const lowY = boxes[i + 1]! - radius - y
    const highY = boxes[i + 4]! + radius - y
    if (Math.abs(perY) === Infinity) {
      if (!(lowY <= 0 && highY >= 0)) return
    } else {
      enter = Math.max(enter, (perY > 0 ? lowY : highY) * perY)
      leave = Math.min(leave, (perY > 0 ? highY : lowY) * perY)
    }
    const lowZ = boxes[i + 2]! - radius - z
    const highZ = boxes[i + 5]! + radius - z
    if (Math.abs(perZ) === Infinity) {
      if (!(lowZ <= 0 && highZ >= 0)) return
    } else {
      enter = Math.max(enter, (perZ > 0 ? lowZ : highZ) * perZ)
      leave = Math.min(leave, (perZ > 0 ? highZ : lowZ) * perZ)
    }
    if (enter * (1 - ROOM) <= leave * (1 + ROOM)) this.away = enter * (1 - ROOM)
  }
}
