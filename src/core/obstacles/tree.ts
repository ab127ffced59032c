import type { Vec3Like } from '../types.js'
import { BallPath } from './ball-path.js'
import { distanceToBoxSq } from './tree-boxes.js'
import { TreeNodes } from './tree-nodes.js'
import { WideTree } from './wide-tree.js'

/** The tree is rebuilt when its nodes have grown to this multiple. Larger: slower queries. Chosen by hand. */
const REBUILD_GROWTH = 1.5
/** Halving down to leaves, 2³² boxes make 32 levels, and a walk leaves one node per level waiting. */
const MAX_LEVELS = 64

/**
 * A tree of boxes with the numbers 0 … count − 1: queries of its wide nodes, of which those that are near are
 * tested again by their boxes; and walks through the binary tree in the order of distance.
 */
export class Tree extends WideTree {
  /** `[6 × count]`, owned by the caller. */
  private boxes: Float64Array = new Float64Array(0)
  /** `[4 × count]`: centers and radii of balls around the boxes, owned by the caller. */
  private ballsOfBoxes: Float64Array = new Float64Array(0)
  private readonly tree = new TreeNodes()
  private count = 0
  /** `[≥ count]`, see `touched`. */
  touches: Float64Array = new Float64Array(0)
  private initialCost = 0
  private readonly path = new BallPath()

  // state of the present walk, see `next`
  private readonly waiting: Int32Array = new Int32Array(MAX_LEVELS)
  private readonly bound: Float64Array = new Float64Array(MAX_LEVELS)
  private depth = 0
  private item = 0
  private itemEnd = 0
  private x = 0.5
  private y = 0.5
  private z = 0.5
  private boxDistance = 0.5

  /** Builds the tree over the first `count` boxes with balls around them. Keeps the arrays by reference. */
  buildOver(boxes: Float64Array, balls: Float64Array, count: number): void {
    this.boxes = boxes
    this.ballsOfBoxes = balls
    this.count = count
    this.tree.build(boxes, count)
    this.build(this.tree)
    if (this.touches.length < count) this.touches = new Float64Array(2 * count)
    this.initialCost = this.fitToBoxes()
  }

  /** Fits the nodes to boxes that have changed. True when the tree should be rebuilt. */
  refit(): boolean {
    return this.fitToBoxes() > REBUILD_GROWTH * this.initialCost
  }

  private fitToBoxes(): number {
    const cost = this.tree.fit(this.boxes)
    this.fit(this.tree)
    this.copyBalls(this.ballsOfBoxes, this.count)
    return cost
  }

  /**
   * Writes into `out` the numbers of all boxes within `distance` of a point, in no particular order.
   * @returns how many.
   */
  override near(point: Vec3Like, out: Int32Array): number {
    return this.keepNear(point, super.near(point, out), out)
  }

  /** As `near`, but only boxes whose ball, grown by `extra`, may reach into a cone. */
  override ahead(point: Vec3Like, axis: Vec3Like, out: Int32Array): number {
    return this.keepNear(point, super.ahead(point, axis, out), out)
  }

  /**
   * As `along`, but tests the boxes themselves, writes into `touches` how far (m) the ball flies at least
   * until it touches each of them, and puts the nearest one first.
   */
  touched(point: Vec3Like, axis: Vec3Like, out: Int32Array): number {
    const { boxes, path, touches } = this
    path.aim(point, axis, this.extra)
    path.limit = this.distance
    const count = this.along(point, axis, out)
    let kept = 0
    for (let n = 0; n < count; n++) {
      if (!path.meets(boxes, 6 * out[n]!)) continue
      const { enter } = path
      const isNearest = kept > 0 && enter < touches[0]!
      touches[kept] = isNearest ? touches[0]! : enter
      const number = out[n]!
      out[kept] = isNearest ? out[0]! : number
      if (isNearest) {
        touches[0] = enter
        out[0] = number
      }
      kept++
    }
    return kept
  }

  /** Of the first `count` boxes in `out` keeps those within `distance` of a point. Returns their number. */
  private keepNear({ x, y, z }: Vec3Like, count: number, out: Int32Array): number {
    const { boxes } = this
    const distanceSq = this.distance ** 2
    let kept = 0
    for (let i = 0; i < count; i++)
      if (distanceToBoxSq(boxes, 6 * out[i]!, x, y, z) <= distanceSq) out[kept++] = out[i]!
    return kept
  }

  /** Starts a walk through the boxes in the order of their distance from a point, nearest first. */
  walkFrom({ x, y, z }: Vec3Like): void {
    this.x = x
    this.y = y
    this.z = z
    const { bounds, nodes } = this.tree
    this.item = this.itemEnd = this.depth = 0
    if (nodes === 0) return
    this.measure(bounds, 0)
    this.waiting[0] = 0
    this.bound[0] = this.boxDistance
    this.depth = 1
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

  /** Writes into `boxDistance` the signed distance to a box, m. (A returned number would be boxed by V8.) */
  private measure(boxes: Float64Array, i: number): void {
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
}
