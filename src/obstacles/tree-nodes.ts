import { grown } from '../math/grown.js'
import { enclose, halve, middles } from './tree-boxes.js'

/** A leaf holds at most this many boxes: fewer make more nodes to visit, more make more boxes to test. */
const LEAF = 4

/**
 * A tree of boxes around boxes. Each split halves its boxes by their middles along the axis where those lie farthest apart. Nodes lie
 * in the order of a walk through the tree, children after parents: node k has its first child at k + 1, and `after[k]` is the node
 * that comes when its whole branch is done.
 */
export class TreeNodes {
  nodes = 0
  /** `[count]`: the numbers of the boxes, leaf by leaf. */
  order: Int32Array<ArrayBuffer> = new Int32Array(0)
  /** `[6 × nodes]`: lowest x, y, z, highest x, y, z. */
  bounds: Float64Array<ArrayBuffer> = new Float64Array(0)
  /** `[nodes]` */
  after: Int32Array<ArrayBuffer> = new Int32Array(0)
  /** `[nodes]`: where a leaf begins and ends in `order`; −1 for others. */
  start: Int32Array<ArrayBuffer> = new Int32Array(0)
  end: Int32Array<ArrayBuffer> = new Int32Array(0)
  /** `[3 × count]`, see `middles`. */
  private centers: Float64Array<ArrayBuffer> = new Float64Array(0)

  /** Makes room for `count` boxes and as many nodes. */
  reserve(count: number): void {
    if (count <= this.order.length) return
    const capacity = count + (count >> 1) + 1
    this.order = grown(this.order, capacity)
    this.bounds = grown(this.bounds, 6 * capacity)
    this.after = grown(this.after, capacity)
    this.start = grown(this.start, capacity)
    this.end = grown(this.end, capacity)
  }

  /** Splits the first `count` boxes. The nodes have no bounds yet. */
  build(boxes: Float64Array, count: number): void {
    this.nodes = 0
    this.reserve(count)
    if (this.centers.length < 3 * count) this.centers = new Float64Array(3 * this.order.length)
    middles(boxes, count, this.centers)
    for (let i = 0; i < count; i++) this.order[i] = i
    if (count > 0) this.split(0, count)
  }

  /** Makes the branch over `order[from … to − 1]`. */
  private split(from: number, to: number): void {
    const node = this.nodes++
    if (to - from <= LEAF) {
      this.start[node] = from
      this.end[node] = to
    } else {
      const middle = (from + to) >>> 1
      halve(this.centers, this.order, from, to, middle)
      // an empty range: there is nothing to test here
      this.start[node] = -1
      this.end[node] = -1
      this.split(from, middle)
      this.split(middle, to)
    }
    this.after[node] = this.nodes
  }

  /** Fits the nodes to their boxes, from the last to the first: children before parents. @returns the sum of their girths, m. */
  fit(boxes: Float64Array): number {
    const { bounds, order, after, start, end } = this
    let cost = 0
    for (let k = this.nodes - 1; k >= 0; k--) {
      const i = 6 * k
      for (let c = 0; c < 3; c++) {
        bounds[i + c] = Infinity
        bounds[i + 3 + c] = -Infinity
      }
      if (start[k]! < 0) {
        enclose(bounds, i, bounds, i + 6)
        enclose(bounds, i, bounds, 6 * after[k + 1]!)
      } else for (let j = start[k]!; j < end[k]!; j++) enclose(bounds, i, boxes, 6 * order[j]!)
      const girth =
        bounds[i + 3]! - bounds[i]! + bounds[i + 4]! - bounds[i + 1]! + bounds[i + 5]! - bounds[i + 2]!
      if (girth > 0) cost += girth
    }
    return cost
  }
}
