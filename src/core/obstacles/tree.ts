import type { Vec3Like } from '../types.js'
import { BallPath } from './ball-path.js'
import { distanceToBoxSq } from './tree-boxes.js'
import { TreeNodes } from './tree-nodes.js'
import { HALF, NODE, RADIUS, ROUNDING, WideNodes } from './wide-nodes.js'

/** The tree is rebuilt when its nodes have grown to this multiple. Larger: slower queries. Chosen by hand. */
const REBUILD_GROWTH = 1.5
/** Stands for 0 as a component of a direction. */
const TINY = 1e-200
/** A distance from a line loses this share of the square of the distance along it by rounding. */
const SQUARE_ROUNDING = 1e-14

/** A tree of boxes with the numbers 0 … count − 1, and queries of its wide nodes. */
export class Tree extends WideNodes {
  /**
   * Of the next query: distance (m), half-angle of the cone (rad), and what a path or a cone is grown by (m).
   * Fields, because numbers that are passed are boxed.
   */
  distance = 0.5
  angle = 0.5
  extra = 0.5
  /** `ahead` ends when it has found this number of boxes, or a few more. */
  enough: number = Infinity
  /** Whether the last `ahead` ended before it had looked at all boxes. */
  isPartial = false
  /** `[≥ count]`, see `touched`. */
  touches: Float64Array = new Float64Array(0)
  /** `[6 × count]`, and `[4 × count]`: centre and radius (m) of the balls in them; the caller's. */
  private boxes: Float64Array = new Float64Array(0)
  private ballsOfBoxes: Float64Array = new Float64Array(0)
  /** The same balls in the order of the tree. */
  private balls: Float64Array = new Float64Array(0)
  private readonly tree = new TreeNodes()
  private count = 0
  private initialCost = 0
  private readonly path = new BallPath()

  /** Builds the tree over the first `count` boxes with the balls in them. Keeps the arrays by reference. */
  buildOver(boxes: Float64Array, balls: Float64Array, count: number): void {
    this.boxes = boxes
    this.ballsOfBoxes = balls
    this.count = count
    this.tree.build(boxes, count)
    this.build(this.tree)
    if (this.touches.length < count) this.touches = new Float64Array(2 * count)
    if (this.balls.length < 4 * count) this.balls = new Float64Array(8 * count)
    this.initialCost = this.fitToBoxes()
  }

  /** Fits the nodes to boxes that have changed. True when the tree should be rebuilt. */
  refit(): boolean {
    return this.fitToBoxes() > REBUILD_GROWTH * this.initialCost
  }

  private fitToBoxes(): number {
    const { balls, ballsOfBoxes, count, tree } = this
    const { order } = tree
    const cost = tree.fit(this.boxes)
    this.fit(tree)
    for (let i = 0; i < count; i++)
      for (let c = 0; c < 4; c++) balls[4 * i + c] = ballsOfBoxes[4 * order[i]! + c]!
    return cost
  }

  /** Writes the numbers of the boxes whose balls are within `distance` of a point. @returns how many. */
  near({ x, y, z }: Vec3Like, out: Int32Array): number {
    const { balls, bounds, distance, first, isLeaf, last, open } = this
    const { order } = this.tree
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
    return this.keepNear(x, y, z, count, out)
  }

  /**
   * As `near`, but only boxes whose ball, grown by `extra`, reaches into a cone around the unit `axis`:
   * directions at most `angle` (below a right angle) from it.
   */
  ahead({ x, y, z }: Vec3Like, { x: ax, y: ay, z: az }: Vec3Like, out: Int32Array): number {
    const { angle, balls, bounds, distance, enough, extra, first, isLeaf, last, open } = this
    const { order } = this.tree
    const sine = Math.sin(angle)
    const cosineSq = Math.cos(angle) ** 2
    const reachSq = 4 * distance * distance * (1 + ROUNDING)
    let ends = Math.min(1, this.nodes)
    let count = 0
    let n = 0
    for (; n < ends && count < enough; n++) {
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
    this.isPartial = n < ends
    return this.keepNear(x, y, z, count, out)
  }

  /**
   * Writes into `out` the numbers of the boxes whose ball is touched by a ball of radius `extra` that flies
   * at most `distance` along the unit `axis`.
   */
  along({ x, y, z }: Vec3Like, { x: ax, y: ay, z: az }: Vec3Like, out: Int32Array): number {
    const { balls, bounds, distance, extra: radius, first, isLeaf, last, open } = this
    const { order } = this.tree
    // a sum, since V8 boxes a number that is one of two
    const inverseX = 1 / (ax + Number(ax === 0) * TINY)
    const inverseY = 1 / (ay + Number(ay === 0) * TINY)
    const inverseZ = 1 / (az + Number(az === 0) * TINY)
    const wideX = Math.abs(inverseX)
    const wideY = Math.abs(inverseY)
    const wideZ = Math.abs(inverseZ)
    const grown = radius + ROUNDING * (Math.abs(x) + Math.abs(y) + Math.abs(z) + radius)
    let ends = Math.min(1, this.nodes)
    let count = 0
    for (let n = 0; n < ends; n++) {
      const w = open[n]!
      const to = last[w]!
      if (isLeaf[w] === 0)
        for (let k = first[w]!; k < to; k++) {
          const i = NODE * k
          // from t − h to t + h along the path, its coordinate is within the grown box
          const tx = (bounds[i]! - x) * inverseX
          const ty = (bounds[i + 1]! - y) * inverseY
          const tz = (bounds[i + 2]! - z) * inverseZ
          const hx = (bounds[i + HALF]! + grown) * wideX
          const hy = (bounds[i + HALF + 1]! + grown) * wideY
          const hz = (bounds[i + HALF + 2]! + grown) * wideZ
          open[ends] = k
          ends +=
            Number(Math.abs(tx - ty) <= hx + hy) &
            Number(Math.abs(ty - tz) <= hy + hz) &
            Number(Math.abs(tz - tx) <= hz + hx) &
            Number(tx + hx >= 0) &
            Number(ty + hy >= 0) &
            Number(tz + hz >= 0) &
            Number(tx - hx <= distance) &
            Number(ty - hy <= distance) &
            Number(tz - hz <= distance)
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

  /** Of the first `count` boxes in `out` keeps those within `distance` of a point. Returns their number. */
  private keepNear(x: number, y: number, z: number, count: number, out: Int32Array): number {
    const { boxes } = this
    const distanceSq = this.distance ** 2
    let kept = 0
    for (let i = 0; i < count; i++)
      if (distanceToBoxSq(boxes, 6 * out[i]!, x, y, z) <= distanceSq) out[kept++] = out[i]!
    return kept
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
}
